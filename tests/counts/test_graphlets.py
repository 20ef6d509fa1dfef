"""What graphlets follow from: equal to the oracle, to matrices, and alike for any threads, chunks, ids and devices."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_graphlets
from shared_fixtures import NIGHTLY
from strategies import cores_with_leaves, examples, networks
from triadic import Graph
from triadic.core import blocks, memory
from triadic.core.oriented import Oriented
from triadic.counts.count import run
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS, SQUARES
from triadic.counts.triads import NEIGHBOUR_SUMS
from triadic.devices.cpu import vertex_arrays as row_sums
from triadic.devices.cpu.orbits import four_vertex as cpu
from triadic.devices.cpu.orbits import four_vertex as squares
from triadic.devices.cpu.orient import middle_lists as lists_of_ends
from triadic.devices.cpu.triangles import supports as neighbourhoods
from triadic.devices.cpu.vertex_arrays import neighbour_sums, support_sums
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.generate import rmat

THREADS = [1, 2, 5, 16]
CHUNKS = [8, 1000, None]
KEYWORDS = {"threads": None, "device": "auto", "progress": False}


def by_oracle(vertices, arcs):
    """The counts at each vertex, by sets."""
    near, k = naive.neighbours(vertices, arcs), naive.degree(vertices, arcs)
    t = naive.triangles(vertices, arcs)
    return {
        "triangles": t,
        "off_chord": naive_graphlets.diamonds_off_chord(vertices, arcs),
        "squares": naive_graphlets.squares(vertices, arcs),
        "tetrahedra": naive_graphlets.tetrahedra(vertices, arcs),
        "support_pairs": naive_graphlets.diamonds_on_chord(vertices, arcs),
        "support_degrees": [sum(len(near[u] & near[v]) * k[v] for v in near[u]) for u in range(vertices)],
        "near_degrees": [sum(k[v] for v in near[u]) for u in range(vertices)],
        "near_pairs": [sum(comb(k[v] - 1, 2) for v in near[u]) for u in range(vertices)],
        "near_triangles": [sum(t[v] for v in near[u]) for u in range(vertices)],
        "path_ends": [sum(k[w] - 1 for v in near[u] for w in near[v]) for u in range(vertices)],
    }


def by_matrices(adjacency):
    """The counts at each vertex, by products of the dense adjacency matrix."""
    a = np.asarray(adjacency, dtype=np.int64)
    common = (a.astype(float) @ a).astype(np.int64)
    apart = common - np.diag(common.diagonal())
    k, triangles = a.sum(axis=1), (a * common).sum(axis=1) // 2
    within = [a[np.ix_(near, near)].astype(float) for near in (np.flatnonzero(row) for row in a)]
    return {
        "triangles": triangles,
        "off_chord": ((a.astype(float) @ (a * (common - 1))) * a).sum(axis=1).astype(np.int64) // 2,
        "squares": (apart * (apart - 1) // 2).sum(axis=1),
        "tetrahedra": np.array([int(((b @ b) * b).sum()) // 6 for b in within], dtype=np.int64),
        "support_pairs": (a * (common * (common - 1) // 2)).sum(axis=1),
        "support_degrees": (a * common) @ k,
        "near_degrees": a @ k,
        "near_pairs": a @ ((k - 1) * (k - 2) // 2),
        "near_triangles": a @ triangles,
        "path_ends": a @ (a @ k - k),
    }


def assert_equal(found, rank, expected):
    for name, at_rank in found._asdict().items():
        assert at_rank.dtype == np.int64
        np.testing.assert_array_equal(at_rank[rank], expected[name], err_msg=name)


def assert_same(found, expected):
    for name in expected._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


def counted(device, oriented, *, threads=2, chunk_bytes=None):
    """Count on a device; `chunk_bytes` is how the CPU cuts its work."""
    if device == "cpu":
        return cpu.by_vertex(oriented, threads=threads, chunk_bytes=chunk_bytes)
    return run(FOUR_VERTEX_COUNTS, oriented, threads=threads, device=device, progress=False)


def dense_part(seed=3):
    """A dense core of 240 and a sparse rest with leaves: rows up to some 150 entries."""
    network = nx.gnp_random_graph(240, 0.65, seed=seed)
    network.add_edges_from((u + 240, v + 240) for u, v in nx.gnp_random_graph(200, 0.05, seed=seed).edges)
    network.add_edges_from((u, (7 * u) % 200 + 240) for u in range(240))
    network.add_edges_from((440 + leaf, leaf % 240) for leaf in range(80))
    return network


SHAPES = {
    "clique of 64": lambda: nx.complete_graph(64),
    "clique of 65": lambda: nx.complete_graph(65),
    "clique of 66": lambda: nx.complete_graph(66),
    "clique of 70": lambda: nx.complete_graph(70),
    "clique of 130": lambda: nx.complete_graph(130),
    "clique of 200": lambda: nx.complete_graph(200),
    "cliques in a ring": lambda: nx.ring_of_cliques(4, 90),
    "core of 150 with leaves": lambda: nx.compose(
        nx.complete_graph(150), nx.bipartite.random_graph(150, 300, 0.03, seed=5).to_undirected()
    ),
    "dense part": dense_part,
    "parts without edges inside": lambda: nx.complete_multipartite_graph(40, 50, 60),
    "scale-free": lambda: nx.barabasi_albert_graph(400, 9, seed=2),
    "clustered": lambda: nx.powerlaw_cluster_graph(400, 12, 0.8, seed=2),
    "geometric": lambda: nx.random_geometric_graph(300, 0.35, seed=2),
}

# The shapes that are counted in chunks in every run: their rows have few entries, 63 to 69, and 149.
ROW_BY_ROW = {"clique of 64", "clique of 65", "clique of 66", "clique of 70", "core of 150 with leaves"}


def oriented_of(network):
    network = nx.convert_node_labels_to_integers(network)
    return Graph.from_edges(*np.array(network.edges).T, num_vertices=len(network)).oriented()


@cache
def counted_by_matrices(name):
    """An oriented network and its counts by matrices."""
    network = nx.convert_node_labels_to_integers(SHAPES[name]())
    return oriented_of(network), by_matrices(nx.to_numpy_array(network, nodelist=range(len(network))))


@pytest.fixture(scope="module")
def crowd():
    """An R-MAT network, oriented."""
    return rmat(9, seed=5).oriented()


@pytest.fixture(scope="module")
def dense():
    oriented = oriented_of(dense_part())
    assert np.diff(oriented.indptr).max() > 128
    return oriented


@pytest.fixture
def small_pieces(monkeypatch):
    """Let workers take so little at a time that small networks keep all of them busy."""
    monkeypatch.setattr(blocks, "piece", lambda _: 16)
    monkeypatch.setattr(row_sums, "SUM_BYTES_PER_ENTRY", 1 << 20)


# Equal to other ways of counting


@examples(25)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]), chunk_bytes=st.sampled_from(CHUNKS))
def test_every_count_is_what_the_oracle_counts(any_device, network, threads, chunk_bytes):
    oriented = network.graph().oriented()
    found = counted(any_device, oriented, threads=threads, chunk_bytes=chunk_bytes)
    assert_equal(found, oriented.rank, by_oracle(network.vertices, network.arcs))


@examples(20)
@given(shape=cores_with_leaves(most_core=75, most_leaves=40), chunk_bytes=st.sampled_from(CHUNKS))
def test_large_cores_with_leaves_have_what_matrices_give(any_device, shape, chunk_bytes):
    n, arcs = shape
    adjacency = np.zeros((n, n), dtype=np.int64)
    for u, v in arcs:
        adjacency[u, v] = adjacency[v, u] = 1
    oriented = Graph.from_edges([u for u, _ in arcs], [v for _, v in arcs], num_vertices=n).oriented()
    assert_equal(counted(any_device, oriented, chunk_bytes=chunk_bytes), oriented.rank, by_matrices(adjacency))


@examples(30)
@given(network=networks(directed=False))
def test_the_oracle_and_matrices_agree(network):
    adjacency = np.zeros((network.vertices, network.vertices), dtype=np.int64)
    for u, v in naive.edges(network.arcs):
        adjacency[u, v] = adjacency[v, u] = 1
    expected = by_oracle(network.vertices, network.arcs)
    assert {name: at.tolist() for name, at in by_matrices(adjacency).items()} == expected


@pytest.mark.parametrize(
    ("shape", "chunk_bytes"),
    [
        pytest.param(name, bytes_, marks=[pytest.mark.nightly] if bytes_ and name not in ROW_BY_ROW else [])
        for name in SHAPES
        for bytes_ in CHUNKS
    ],
)
def test_networks_of_long_rows_have_what_matrices_give(shape, chunk_bytes):
    oriented, expected = counted_by_matrices(shape)
    assert_equal(cpu.by_vertex(oriented, threads=2, chunk_bytes=chunk_bytes), oriented.rank, expected)


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(name, marks=pytest.mark.nightly) if name in ("clique of 200", "dense part") else name
        for name in SHAPES
    ],
)
def test_networks_of_long_rows_have_on_a_gpu_what_matrices_give(gpu_device, shape):
    oriented, expected = counted_by_matrices(shape)
    assert_equal(counted(gpu_device, oriented), oriented.rank, expected)


@pytest.mark.parametrize("n", [4, 63, 64, 65, 129, 200, pytest.param(500, marks=pytest.mark.nightly)])
def test_a_clique_counts_by_formula(any_device, n):
    found = counted(any_device, oriented_of(nx.complete_graph(n)))
    c = n - 2
    at_each = (
        comb(n - 1, 2),
        comb(n - 1, 2) * (c - 1),
        (n - 1) * comb(c, 2),
        comb(n - 1, 3),
        (n - 1) * comb(c, 2),
        (n - 1) ** 2 * c,
        (n - 1) ** 2,
        (n - 1) * comb(c, 2),
        (n - 1) * comb(n - 1, 2),
        (n - 1) ** 2 * c,
    )
    assert tuple(set(at.tolist()) for at in found) == tuple({count} for count in at_each)


@pytest.mark.parametrize("leaves", [1, 2, 63, 64, 65, 128])
def test_a_vertex_of_few_or_many_2_paths_has_all_its_squares(any_device, leaves):
    """Of two hubs joined to the same leaves one is the first vertex of every path, as many as there are leaves."""
    oriented = oriented_of(nx.complete_bipartite_graph(2, leaves))
    found = run(SQUARES, oriented, threads=1, device=any_device, progress=False)[oriented.rank]
    assert found.tolist() == [comb(leaves, 2)] * 2 + [leaves - 1] * leaves


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_squares_alone_are_those_among_the_rest(any_device, network, threads):
    oriented = network.graph().oriented()
    found = run(SQUARES, oriented, threads=threads, device=any_device, progress=False)
    assert found.dtype == np.int64
    assert found[oriented.rank].tolist() == naive_graphlets.squares(network.vertices, network.arcs)


@given(network=networks(), threads=st.sampled_from([1, 16]), width=st.integers(1, 3))
def test_sums_over_neighbours_are_what_the_oracle_adds_up(any_device, network, threads, width):
    oriented = network.graph().oriented()
    near = naive.neighbours(network.vertices, network.arcs)
    values = np.arange(network.vertices * width, dtype=np.int64).reshape(-1, width) ** 3 - 100
    at_rank = np.empty_like(values)
    at_rank[oriented.rank] = values
    found = run(NEIGHBOUR_SUMS, oriented, at_rank, threads=threads, device=any_device)
    assert found.shape == (network.vertices, width)
    expected = [[int(values[list(neighbours), column].sum()) for column in range(width)] for neighbours in near]
    assert found[oriented.rank].tolist() == expected


# The same for any threads, chunks and ids


@pytest.mark.parametrize(
    ("name", "threads", "chunk_bytes"),
    [
        ("crowd", 3, 8),
        ("crowd", 5, 1000),
        ("crowd", 16, None),
        ("dense", 2, 1000),
        ("dense", 5, None),
        pytest.param("crowd", 1, 8, marks=pytest.mark.nightly),
        *(
            pytest.param("dense", *of, marks=pytest.mark.nightly)
            for of in [(1, 8), (3, 8), (5, 1000), (2, None), (16, None)]
        ),
    ],
)
@pytest.mark.usefixtures("small_pieces")
def test_any_threads_and_chunks_give_the_same_counts(name, threads, chunk_bytes, request):
    oriented = request.getfixturevalue(name)
    expected = cpu.by_vertex(oriented, threads=1)
    assert_same(cpu.by_vertex(oriented, threads=threads, chunk_bytes=chunk_bytes), expected)
    np.testing.assert_array_equal(squares.squares_by_vertex(oriented, threads=threads), expected.squares)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.usefixtures("small_pieces")
def test_any_threads_give_the_same_sums(crowd, threads):
    values = np.random.default_rng(1).integers(-(10**9), 10**9, size=(crowd.num_vertices, 3))
    support = np.arange(crowd.num_edges, dtype=np.int32)
    for sums, table in ((neighbour_sums, values), (support_sums, support)):
        np.testing.assert_array_equal(sums(crowd, table, threads=threads), sums(crowd, table, threads=1))


def test_sums_use_fewer_threads_where_theirs_would_take_much_memory(monkeypatch):
    """A million vertices and three edges: sixteen workers' sums would be sixteen million zeros."""
    monkeypatch.setattr(blocks, "piece", lambda _: 1)
    asked = []
    monkeypatch.setattr(row_sums, "zeros", lambda threads, *_: asked.append(threads) or [np.zeros((10**6, 1), int)])
    oriented = Graph.from_edges([0, 1, 2], [1, 2, 3], num_vertices=10**6).oriented()
    assert neighbour_sums(oriented, oriented.degree[:, None], threads=16).sum() == 4 + 4 + 1 + 1
    assert asked == [1]


@pytest.mark.nightly  # the tests of triangles and of declared counts have 64-bit ids in every run
@pytest.mark.parametrize("chunk_bytes", CHUNKS)
@pytest.mark.parametrize("name", ["crowd", "dense"])
def test_64_bit_vertex_ids_count_the_same(name, chunk_bytes, request, monkeypatch):
    def wide_lists(*arguments, **keywords):
        found = lists_of_ends.middle_lists(*arguments, **keywords)
        return replace(found, ends=found.ends.astype(np.uint64))

    narrow = request.getfixturevalue(name)
    wide = Oriented(narrow.rank.astype(np.int64), narrow.indptr, narrow.indices.astype(np.int64), None, narrow.degree)
    expected = cpu.by_vertex(narrow, threads=2)
    monkeypatch.setattr(neighbourhoods, "middle_lists", wide_lists)
    assert_same(cpu.by_vertex(wide, threads=2, chunk_bytes=chunk_bytes), expected)
    np.testing.assert_array_equal(squares.squares_by_vertex(wide, threads=2), expected.squares)
    sums = neighbour_sums(wide, wide.degree[:, None], threads=2)
    np.testing.assert_array_equal(sums, neighbour_sums(narrow, narrow.degree[:, None], threads=2))


def hub(spine=10, pages=3000, rim=400):
    """A clique, pages joined to all of it, and a ring of some pages: nearly all work is at a few vertices."""
    arcs = [(u, v) for u in range(spine) for v in range(u)]
    arcs += [(spine + page, v) for page in range(pages) for v in range(spine)]
    arcs += [(spine + page, spine + (page + 1) % rim) for page in range(rim)]
    return Graph.from_edges(*np.array(arcs).T).oriented()


@pytest.mark.usefixtures("small_pieces")
def test_no_update_of_a_hub_is_lost():
    oriented = hub()
    expected = cpu.by_vertex(oriented, threads=1)
    k = 9 + 3000
    assert expected.triangles.max() == comb(9, 2) + 9 * 3000 + 400
    assert oriented.degree.max() == k
    for _ in range(250 if NIGHTLY else 8):
        assert_same(cpu.by_vertex(oriented, threads=16), expected)


# What goes in and what is refused


def test_counting_leaves_the_oriented_graph_as_it_was(any_device, crowd):
    before = [array.copy() for array in (crowd.rank, crowd.indptr, crowd.indices, crowd.degree)]
    counted(any_device, crowd, chunk_bytes=1000)
    run(SQUARES, crowd, threads=2, device=any_device, progress=False)
    for array, copy in zip((crowd.rank, crowd.indptr, crowd.indices, crowd.degree), before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("n", [0, 1, 70])
def test_a_network_without_edges_has_nothing_to_count_on_any_device(any_device, n):
    oriented = Graph.from_edges([], [], num_vertices=n).oriented()
    keywords = {"threads": 2, "device": any_device}
    for at_rank in run(FOUR_VERTEX_COUNTS, oriented, progress=False, **keywords):
        assert at_rank.tolist() == [0] * n
    assert run(SQUARES, oriented, progress=False, **keywords).tolist() == [0] * n
    assert run(NEIGHBOUR_SUMS, oriented, np.ones((n, 2), dtype=np.int64), **keywords).tolist() == [[0, 0]] * n


@pytest.mark.parametrize("n", [0, 1, 70])
@pytest.mark.parametrize("threads", [1, 16])
@pytest.mark.parametrize("chunk_bytes", CHUNKS)
def test_a_network_without_edges_has_nothing_to_count(n, threads, chunk_bytes):
    oriented = Graph.from_edges([], [], num_vertices=n).oriented()
    for at_rank in cpu.by_vertex(oriented, threads=threads, chunk_bytes=chunk_bytes):
        assert at_rank.tolist() == [0] * n
    assert squares.squares_by_vertex(oriented, threads=threads).tolist() == [0] * n
    assert neighbour_sums(oriented, np.ones((n, 2), dtype=np.int64), threads=threads).tolist() == [[0, 0]] * n


def test_what_does_not_fit_in_memory_is_refused_with_both_figures(crowd, monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 10)
    with pytest.raises(OutOfMemoryError, match=r"graphlets in .* takes .* [KM]iB and 1\.0 KiB are available: use f"):
        run(FOUR_VERTEX_COUNTS, crowd, **KEYWORDS)


@pytest.mark.parametrize("count", [FOUR_VERTEX_COUNTS, SQUARES])
def test_an_unknown_device_and_a_wrong_number_of_threads_are_refused(crowd, count):
    with pytest.raises(ArgumentError, match="device='tpu': expected 'auto'"):
        run(count, crowd, **KEYWORDS | {"device": "tpu"})
    with pytest.raises(ArgumentError, match="threads=0: expected"):
        run(count, crowd, **KEYWORDS | {"threads": 0})


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chunk_bytes", CHUNKS)
def test_progress_rises_through_every_chunk_from_nothing_to_all(crowd, threads, chunk_bytes):
    seen = []
    cpu.by_vertex(crowd, threads=threads, chunk_bytes=chunk_bytes, progress=lambda *at: seen.append(at))
    done, totals = zip(*seen, strict=True)
    assert len(set(totals)) == 1
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (0, totals[0])
