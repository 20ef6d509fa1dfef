"""Weighted clustering of tiles: any cut of five networks, exact to the last bit against sums of fractions."""

from __future__ import annotations

import math
import os
import tempfile
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_clustering
import triadic
from strategies import NIGHTLY, examples, weighted_graph, weighted_networks
from tiled_networks import NETWORKS, cluster, cut_networks, cuts, network, store_tiles
from tiles_of_clusters import kill_a_worker, on_two_processes
from triadic.counts.count import run
from triadic.counts.edges import EXACT_PAIRS, EXACT_PRODUCTS, STRENGTHS
from triadic.devices.cpu.triangles.weight_sums import (
    PRODUCT_FRACTION,
    VALUE_FRACTION,
    VALUE_LIMBS,
    rounded,
    rounded_pairs,
)
from triadic.errors import ArgumentError, ReadError, UnsupportedError
from triadic.graph.graph import entry_weights
from triadic.tiles import engine
from triadic.tiles.memory_tiles import MemoryTiles

METHODS = ("onnela", "barrat", "zhang-horvath")
KINDS = {"undirected": False, "directed": True}


@pytest.fixture(autouse=True)
def without_fsync(monkeypatch):
    """Do not wait for the disk, which takes most of the time if files are small."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def with_weights(graph, *, directed, seed=4):
    """The network with weights over many powers of ten; of a directed one, some are negative."""
    source, target = graph.edges()
    chance = np.random.default_rng(seed)
    weights = chance.random(len(source)) * 10.0 ** chance.integers(-9, 4, len(source))
    if directed:
        weights *= chance.choice([1, 1, 1, -1], len(source))
    return triadic.Graph.from_edges(
        source, target, num_vertices=graph.num_vertices, weights=weights, directed=directed, combine="max"
    )


@cache
def weighted_network(name, kind):
    return with_weights(network(name), directed=KINDS[kind])


@cache
def in_one_tile(name, kind, method):
    """Return the coefficients of a network in one tile."""
    graph = weighted_network(name, kind)
    with tempfile.TemporaryDirectory() as folder:
        tiled = triadic.TiledGraph(tiles_of(graph, Path(folder), [0, graph.num_vertices]))
        return np.array(coefficients(tiled, kind, method))


def coefficients(graph, kind, method, **keywords):
    """The coefficients of a directed network are those of its arcs, which have one method."""
    if KINDS[kind]:
        return triadic.directed_clustering(graph, weights=True, **keywords)
    return triadic.weighted_clustering(graph, method=method, **keywords)


def tiles_of(graph, folder, cuts=None):
    """Store tiles of a graph, in even quarters if no cuts are given."""
    n = graph.num_vertices
    cuts = np.array([0, n // 4, n // 2, 3 * n // 4, n] if cuts is None else cuts, dtype=np.int64)
    weights = entry_weights(graph, threads=1)
    store_tiles(MemoryTiles(graph.oriented(), cuts, arcs=graph.num_arcs, weights=weights), folder)
    return folder


def naive_sums(oriented, values):
    """At each rank the sums of products and of pairs over its triangles, as fractions, from the dictionary of edges."""
    n = oriented.num_vertices
    row = np.repeat(np.arange(n), np.diff(oriented.indptr)).tolist()
    value = dict(zip(zip(row, oriented.indices.tolist(), strict=True), values.tolist(), strict=True))
    below = [set() for _ in range(n)]
    for u, v in value:
        below[u].add(v)
    products, pairs = [Fraction(0)] * n, [Fraction(0)] * n
    for (u, v), x in value.items():
        for w in below[u] & below[v]:
            y, z = value[u, w], value[v, w]
            product = cut_off((y * z) * x, PRODUCT_FRACTION)
            for rank, pair in ((u, x + y), (v, x + z), (w, y + z)):
                products[rank] += product
                pairs[rank] += cut_off(pair, PRODUCT_FRACTION)
    return products, pairs


def naive_strengths(oriented, values):
    """At each rank the sum of the values of its edges, and of the products of all pairs of them, as fractions."""
    at = [[] for _ in range(oriented.num_vertices)]
    row = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr)).tolist()
    for u, v, x in zip(row, oriented.indices.tolist(), values.tolist(), strict=True):
        for rank in (u, v):
            at[rank].append(cut_off(x, VALUE_FRACTION))
    sums = [sum(of_rank, Fraction(0)) for of_rank in at]
    squares = [sum((x * x for x in of_rank), Fraction(0)) for of_rank in at]
    return sums, [(s * s - q) / 2 for s, q in zip(sums, squares, strict=True)]


def cut_off(value, fraction):
    units = abs(Fraction(value)) * 2**fraction
    return (1 if value >= 0 else -1) * Fraction(units.numerator // units.denominator, 2**fraction)


@pytest.fixture(scope="module")
def clients():
    """Clients of clusters with two workers, and in the nightly run with one and four, which all cases use."""
    with cluster(2) as two:
        if not NIGHTLY:
            yield {2: two}
            return
        with cluster(1) as one, cluster(4) as four:
            yield {1: one, 2: two, 4: four}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NETWORKS)
def test_one_tile_agrees_with_the_graph_in_memory(name, kind):
    graph = weighted_network(name, kind)
    for method in METHODS[:1] if graph.directed else METHODS:
        expected = coefficients(graph, kind, method)
        scale = np.abs(expected) if graph.directed is False else magnitude(graph)
        np.testing.assert_array_less(np.abs(in_one_tile(name, kind, method) - expected), 1e-12 * scale + 1e-300)


def magnitude(graph):
    """The coefficients with the absolute values of the weights: the scale of sums that cancel."""
    source, target = graph.edges()
    absolute = triadic.Graph.from_edges(
        source, target, num_vertices=graph.num_vertices, weights=np.abs(graph.weights), directed=True
    )
    return triadic.directed_clustering(absolute, weights=True, largest=graph.weights.max())


@given(
    cut=cut_networks(), kind=st.sampled_from(list(KINDS)), method=st.sampled_from(METHODS), threads=st.integers(1, 3)
)
@examples(15, nightly=1000)
def test_on_one_machine(cut, kind, method, threads):
    assert_bits_of_one_tile(*cut, kind, method, threads=threads)


@given(cut=cut_networks(), kind=st.sampled_from(list(KINDS)), method=st.sampled_from(METHODS), data=st.data())
@examples(5, nightly=200)
def test_on_a_cluster(clients, cut, kind, method, data):
    assert_bits_of_one_tile(*cut, kind, method, client=data.draw(st.sampled_from(list(clients.values()))))


def assert_bits_of_one_tile(name, cuts, kind, method, *, client=None, threads=None):
    if KINDS[kind]:
        method = "onnela"  # the only one of directed networks
    with tempfile.TemporaryDirectory() as folder:
        tiles = tiles_of(weighted_network(name, kind), Path(folder) / "tiles", cuts)
        tiled = triadic.TiledGraph(tiles, results=f"{folder}/results", client=client)
        found = coefficients(tiled, kind, method, threads=threads)
        assert found.tobytes() == in_one_tile(name, kind, method).tobytes()


@pytest.mark.parametrize("name", NETWORKS)
def test_sums_are_exact_sums_of_rounded_products(name):
    graph = weighted_network(name, "undirected")
    oriented, weights = graph.oriented(), entry_weights(graph, threads=1).out
    values = np.cbrt(weights / weights.max()) / 2
    values[::5] *= -1
    products, pairs = naive_sums(oriented, values)
    for count, expected in ((EXACT_PRODUCTS, products), (EXACT_PAIRS, pairs)):
        limbs = run(count, oriented, values, threads=2)
        assert [exact(row, PRODUCT_FRACTION) for row in limbs.tolist()] == expected
        assert rounded(limbs, PRODUCT_FRACTION, threads=2).tolist() == list(map(float, expected))


@pytest.mark.parametrize("name", NETWORKS)
def test_strengths_and_pairs_are_exact(name):
    graph = weighted_network(name, "undirected")
    oriented, weights = graph.oriented(), entry_weights(graph, threads=1).out
    values = weights / weights.max()
    sums, pairs = naive_strengths(oriented, values)
    limbs = run(STRENGTHS, oriented, values, threads=2)
    assert rounded(limbs, VALUE_FRACTION, threads=2, count=VALUE_LIMBS).tolist() == list(map(float, sums))
    assert rounded_pairs(limbs, threads=2).tolist() == list(map(float, pairs))


def exact(limbs, fraction):
    return Fraction(sum(limb << (32 * place) for place, limb in enumerate(limbs)), 2**fraction)


# Counting that stops and goes on, bounds of memory, errors


@pytest.fixture(scope="module")
def hubs(tmp_path_factory):
    """An undirected network with weights and hubs, its tiles in five ranges, and its coefficients."""
    graph = with_weights(triadic.generate.rmat(9, seed=2), directed=False)
    folder = tmp_path_factory.mktemp("hubs")
    weights = entry_weights(graph, threads=1)
    store_tiles(MemoryTiles(graph.oriented(), 5, arcs=graph.num_arcs, weights=weights), folder / "tiles")
    tiled = triadic.TiledGraph(folder / "tiles", results=folder / "results")
    return graph, folder / "tiles", {m: np.array(triadic.weighted_clustering(tiled, method=m)) for m in METHODS}


def test_an_interrupted_count_resumes_with_the_same_bits(hubs, tmp_path, monkeypatch):
    _, tiles, expected = hubs
    monkeypatch.setattr(engine, "GROUP_SECONDS", 0.0)
    for method in METHODS:
        tiled, done = triadic.TiledGraph(tiles, results=tmp_path), []

        def interrupt(now, total, done=done):
            done.append(now)
            if total / 3 < now < total:
                raise KeyboardInterrupt

        if method != "zhang-horvath":  # otherwise its products are those of weights over another number
            with pytest.raises(KeyboardInterrupt):
                triadic.weighted_clustering(tiled, method=method, progress=interrupt)
        again = []
        found = triadic.weighted_clustering(
            tiled, method=method, progress=lambda now, total, again=again: again.append(now / total)
        )
        assert found.tobytes() == expected[method].tobytes()
        assert done == [] or again[0] > 0.2


def test_other_divisors_are_other_counts(hubs, tmp_path):
    graph, tiles, expected = hubs
    tiled = triadic.TiledGraph(tiles, results=tmp_path)
    for largest in (None, 3.0, 1e4, None):
        for method in METHODS:
            found = triadic.weighted_clustering(tiled, method=method, largest=largest)
            in_memory = triadic.weighted_clustering(graph, method=method, largest=largest)
            np.testing.assert_allclose(found, in_memory, rtol=1e-12)
            assert largest is not None or found.tobytes() == expected[method].tobytes()


def test_counts_without_weights_do_not_read_them(hubs, tmp_path):
    graph, tiles, _ = hubs
    for file in tiles.glob("tile-*"):
        content = file.read_bytes()
        (tmp_path / file.name).write_bytes(content)
        file.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])  # the last weight
    try:
        tiled = triadic.TiledGraph(tiles, results=tmp_path / "results")
        assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))
        assert triadic.dyad_census(tiled) == triadic.dyad_census(graph)
        with pytest.raises(ReadError, match="its weights do not have their checksum"):
            triadic.weighted_clustering(tiled)
    finally:
        for file in tmp_path.glob("tile-*"):
            (tiles / file.name).write_bytes(file.read_bytes())


@pytest.mark.nightly  # the tests of Dask kill a worker in every run
@pytest.mark.usefixtures("_short")
def test_a_worker_is_killed_during_a_count(hubs, tmp_path):
    _, tiles, expected = hubs
    killed = []

    def count(client):
        client.run(warm)  # compile before tasks are timed by the kill
        tiled = triadic.TiledGraph(tiles, results=tmp_path, client=client)

        def kill(done, total):
            if not killed and total / 4 <= done < total and kill_a_worker(client):
                killed.append(done)

        for method in METHODS:
            found = triadic.weighted_clustering(tiled, method=method, progress=kill)
            assert found.tobytes() == expected[method].tobytes()

    on_two_processes(count)
    assert killed


@pytest.fixture
def _short(monkeypatch):
    """Make tasks and groups short, so that a small graph has many."""
    cluster_count = pytest.importorskip("triadic.tiles.cluster.cluster_count")
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-7)


def warm():
    graph = triadic.generate.rmat(6, seed=1)
    run(EXACT_PRODUCTS, graph.oriented(), np.ones(graph.num_edges), threads=1)


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize("directed", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_workers_write_a_table(clients, directed, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    graph = with_weights(triadic.generate.rmat(7, seed=3, directed=directed), directed=directed)
    folder = tiles_of(graph, tmp_path / "tiles")
    here = triadic.TiledGraph(folder, results=tmp_path / "here")
    expected = triadic.weighted_clustering(here)
    measures = ["degree", "weighted_clustering", "triangles"]
    for workers, client in clients.items():
        tiled = triadic.TiledGraph(folder, results=tmp_path / f"{workers}", client=client)
        totals = triadic.vertex_table(tiled, measures, output=tmp_path / f"table-{workers}")
        found = parquet.read_table(tmp_path / f"table-{workers}").sort_by("vertex").to_pydict()
        assert np.array(found["weighted_clustering"]).tobytes() == np.array(expected).tobytes()
        assert found["triangles"] == triadic.triangles(graph).tolist()
        assert totals["weighted_clustering"] == math.fsum(expected)
    table = triadic.vertex_table(here, measures)
    assert table["weighted_clustering"].tobytes() == np.array(expected).tobytes()
    assert triadic.vertex_table(here, measures, output=tmp_path / "table") == totals


def test_a_graph_in_memory_on_a_cluster(clients, hubs):
    graph, _, expected = hubs
    for workers, client in clients.items():
        tiled = triadic.TiledGraph.of(graph, client=client, ranges=workers + 1)
        for method in METHODS:
            assert triadic.weighted_clustering(tiled, method=method).tobytes() == expected[method].tobytes()


@given(weighted=weighted_networks(), method=st.sampled_from(METHODS), data=st.data())
@examples(12, nightly=3000)
def test_any_network_equals_the_oracle(weighted, method, data):
    vertices, weight = weighted
    graph = weighted_graph(vertices, weight)
    with tempfile.TemporaryDirectory() as folder:
        tiles = tiles_of(graph, Path(folder) / "tiles", data.draw(cuts(vertices)))
        found = np.array(triadic.weighted_clustering(triadic.TiledGraph(tiles), method=method))
    largest = max(weight.values(), default=1) or 1
    expected = naive_clustering.weighted_clustering(vertices, weight, method, largest=largest)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-300)


@given(weighted=weighted_networks(directed=True, lowest=-12), data=st.data())
@examples(12, nightly=3000)
def test_any_directed_network_equals_the_oracle(weighted, data):
    vertices, weight = weighted
    graph = weighted_graph(vertices, weight, directed=True)
    with tempfile.TemporaryDirectory() as folder:
        tiles = tiles_of(graph, Path(folder) / "tiles", data.draw(cuts(vertices)))
        found = np.array(triadic.directed_clustering(triadic.TiledGraph(tiles), weights=True, largest=2.5))
    expected = naive_clustering.directed_weighted_clustering(vertices, weight, largest=2.5)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def test_weights_at_the_ends_of_float64(tmp_path):
    source, target = np.triu_indices(6, 1)
    for power in (-1000, 1000):
        weights = np.ldexp(1.0 + np.arange(len(source)) / 16, power)
        graph = triadic.Graph.from_edges(source, target, weights=weights)
        tiled = triadic.TiledGraph(tiles_of(graph, tmp_path / f"{power}"))
        for method in METHODS:
            found, expected = (triadic.weighted_clustering(network, method=method) for network in (tiled, graph))
            np.testing.assert_allclose(found, expected, rtol=1e-14)
    with pytest.raises(ArgumentError, match="weights: after division by 1e-300, some exceed the range of float64"):
        triadic.weighted_clustering(tiled, largest=1e-300)


def test_equal_weights_give_the_unweighted_coefficient(tmp_path):
    graph = triadic.generate.rmat(7, seed=1)
    weighted = triadic.Graph.from_edges(
        *graph.edges(), num_vertices=graph.num_vertices, weights=np.full(graph.num_edges, 4.0)
    )
    tiled = triadic.TiledGraph(tiles_of(weighted, tmp_path / "tiles"))
    for method in METHODS:
        np.testing.assert_allclose(
            triadic.weighted_clustering(tiled, method=method), triadic.clustering(graph), rtol=1e-15, atol=0
        )


def test_tiles_of_a_directed_network_ignore_directions_as_the_graph_in_memory_does(tmp_path):
    some = triadic.generate.rmat(7, seed=1, directed=True)
    mutual = some.to_undirected()
    chance, ends = np.random.default_rng(3), np.concatenate([mutual.edges(), mutual.edges()[::-1]], axis=1)
    of_edges = chance.random(mutual.num_edges)
    for name, arcs, weights in (
        ("all differ", some.edges(), chance.random(some.num_arcs)),
        ("all agree", ends, np.tile(of_edges, 2)),
        ("one way and agreeing", some.edges(), np.ones(some.num_arcs)),
        ("most agree", ends, np.concatenate([of_edges, of_edges + (np.arange(len(of_edges)) == 5)])),
    ):
        graph = triadic.Graph.from_edges(*arcs, weights=weights, directed=True)
        tiled = triadic.TiledGraph(tiles_of(graph, tmp_path / name))
        for method in METHODS:
            if name == "most agree":
                for network in (graph, tiled):
                    with pytest.raises(ArgumentError, match=r"have equal weights.* combine="):
                        triadic.weighted_clustering(network, method=method)
                continue
            found, expected = (
                triadic.weighted_clustering(network, method=method, largest=2.5) for network in (tiled, graph)
            )
            np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=name)


def test_what_cannot_be_counted_is_refused(tmp_path):
    skeleton = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, -2, 3])
    negative = triadic.TiledGraph(tiles_of(skeleton, tmp_path / "negative"))
    for method in METHODS[1:]:
        with pytest.raises(ArgumentError, match=f"method='{method}': expected weights of at least 0, got -2"):
            triadic.weighted_clustering(negative, method=method)
    for largest in (0, np.inf, "3"):
        with pytest.raises(ArgumentError, match=r"largest=.*: expected a finite number other than 0"):
            triadic.weighted_clustering(negative, largest=largest)
    with pytest.raises(UnsupportedError, match="device='opencl': products of weighted triangles are counted on 'cpu'"):
        triadic.weighted_clustering(negative, device="opencl")
    plain = triadic.tile(triadic.generate.RMat(6, seed=1), tmp_path / "plain")
    for count in (triadic.weighted_clustering, lambda tiled: triadic.vertex_table(tiled, "weighted_clustering")):
        with pytest.raises(ArgumentError, match="graph: the tiles have no weights; expected tiles that were made with"):
            count(plain)


# Signed triangles


def with_signs(graph):
    source, target = graph.to_undirected().edges()
    signs = np.random.default_rng(5).choice([-1.0, 1.0], len(source))
    return triadic.Graph.from_edges(source, target, num_vertices=graph.num_vertices, weights=signs)


def assert_signs(tiled, graph, **keywords):
    found, expected = triadic.signed_triangles(tiled, **keywords), triadic.signed_triangles(graph)
    assert found == expected
    at_vertices = (triadic.signed_triangles(one, by="vertex", **more) for one, more in ((tiled, keywords), (graph, {})))
    assert np.array_equal(*(table.to_numpy() for table in at_vertices))
    balances = triadic.structural_balance(tiled, **keywords), triadic.structural_balance(graph)
    assert balances[0] == balances[1] or math.isnan(balances[1])


@given(cut=cut_networks(), threads=st.integers(1, 3))
@examples(8, nightly=600)
def test_signed_triangles_in_any_cut(cut, threads):
    name, of_ranges = cut
    graph = with_signs(network(name))
    with tempfile.TemporaryDirectory() as folder:
        tiles = tiles_of(graph, Path(folder) / "tiles", of_ranges)
        assert_signs(triadic.TiledGraph(tiles), graph, threads=threads)


def test_signed_triangles_on_a_cluster_and_on_a_gpu(clients, tmp_path, gpu_device):
    graph = with_signs(NETWORKS["R-MAT"]())
    tiles = tiles_of(graph, tmp_path / "tiles")
    assert_signs(triadic.TiledGraph(tiles, client=clients[2]), graph)
    assert_signs(triadic.TiledGraph(tiles, results=tmp_path / "gpu"), graph, device=gpu_device)


def test_weights_that_are_no_signs_are_refused(tmp_path):
    for name, weights, wrong in (("two", [1, 2, -1], 2), ("half", [1, 0.5, -1], 0.5)):
        graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], weights=weights)
        tiled = triadic.TiledGraph(tiles_of(graph, tmp_path / name))
        with pytest.raises(ArgumentError, match=rf"weights: expected \+1 and -1 alone, got {wrong}$"):
            triadic.signed_triangles(tiled)
    graph = triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 1, -1], directed=True)
    with pytest.raises(ArgumentError, match="graph: expected tiles of an undirected graph with signs"):
        triadic.structural_balance(triadic.TiledGraph(tiles_of(graph, tmp_path / "directed")))
