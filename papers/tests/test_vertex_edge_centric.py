"""The poster's clustering by vertices and by edges: against brute force and the library, and what is printed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError, UnsupportedError
from triadic_papers.adjacency import adjacency
from triadic_papers.vertex_edge_centric import (
    edge_centric,
    node_iterator,
    node_iterator_plus_plus,
    vertex_centric,
)

ON_THREADS = [node_iterator, node_iterator_plus_plus, vertex_centric, edge_centric]
ON_GPUS = [vertex_centric, edge_centric]
TRIANGLE_WITH_A_TAIL = [(0, 1), (0, 2), (1, 2), (1, 3)]


def graph_of(*edges, vertices=None):
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return triadic.Graph.from_edges(*ends, num_vertices=vertices)


def check_equals_the_library(found, graph):
    np.testing.assert_array_equal(found.triangles, triadic.triangles(graph))
    np.testing.assert_array_equal(found.coefficients, triadic.clustering(graph))
    assert found.triangles.dtype == np.int64
    assert found.coefficients.dtype == np.float64
    assert not found.triangles.flags.writeable
    assert not found.coefficients.flags.writeable
    if graph.num_vertices:
        assert found.mean == pytest.approx(triadic.average_clustering(graph), rel=1e-12)
    else:
        assert found.mean == 0


@pytest.mark.parametrize("count", ON_THREADS)
@examples(20, nightly=5000)
@given(networks())
def test_every_algorithm_finds_what_brute_force_does(count, network):
    found = count(network.graph(), threads=1)
    assert found.triangles.tolist() == naive.triangles(network.vertices, network.arcs)
    assert found.coefficients.tolist() == pytest.approx(naive.clustering(network.vertices, network.arcs))


@pytest.mark.parametrize("count", ON_THREADS)
@examples(25)
@given(networks(), st.sampled_from([1, 2, 5]))
def test_every_algorithm_equals_the_library_on_any_number_of_threads(count, network, threads):
    check_equals_the_library(count(network.graph(), threads=threads), network.graph())


@pytest.mark.parametrize("count", ON_GPUS)
@examples(10, nightly=500)
@given(networks())
def test_the_kernels_equal_the_library(gpu_device, count, network):
    check_equals_the_library(count(network.graph(), device=gpu_device), network.graph())


@pytest.mark.parametrize(
    "file",
    [
        "wiki-Vote.txt.gz",
        pytest.param("facebook_combined.txt.gz", marks=pytest.mark.nightly),
        pytest.param("delaunay_n16.graph.gz", marks=pytest.mark.nightly),
    ],
)
def test_real_networks_have_the_clustering_that_the_library_finds(real_networks, gpu_device, file):
    graph = triadic.read(real_networks / file)
    for count in ON_THREADS:
        check_equals_the_library(count(graph, threads=2), graph)
    for count in ON_GPUS:
        check_equals_the_library(count(graph, device=gpu_device), graph)


@pytest.mark.parametrize("count", ON_THREADS)
@examples(12, nightly=600)
@given(networks())
def test_raw_arcs_rows_and_a_graph_are_the_same_network(count, network):
    arcs = Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)
    of_graph = count(network.graph(), threads=1)
    for same in (arcs, adjacency(arcs)):
        np.testing.assert_array_equal(count(same, threads=1).triangles, of_graph.triangles)


@pytest.mark.parametrize("count", ON_THREADS)
def test_the_graphs_own_rows_stay_as_they_are(count):
    graph = triadic.generate.barabasi_albert(200, 5, seed=1)
    before = graph.indices.copy()
    count(graph, threads=2)
    np.testing.assert_array_equal(graph.indices, before)


def test_threads_that_meet_at_a_hub_lose_no_triangle():
    """Every triangle of a wheel is at the hub, to which all threads of NodeIterator++ add."""
    rim = 20_000
    spokes = [(0, 1 + v) for v in range(rim)]
    wheel = graph_of(*spokes, *[(1 + v, 1 + (v + 1) % rim) for v in range(rim)])
    for _ in range(20):
        assert node_iterator_plus_plus(wheel, threads=8).triangles[0] == rim


@pytest.mark.parametrize("count", ON_GPUS)
def test_the_kernels_run_on_the_device_that_is_named(gpu_device, count):
    from triadic.devices.runtimes import registry as gpus

    before = gpus.runtime(gpu_device).launches
    found = count(graph_of(*TRIANGLE_WITH_A_TAIL), device=gpu_device)
    kernels = 1 if count is vertex_centric else 3
    assert gpus.runtime(gpu_device).launches == before + 2 * kernels  # each once for no vertices, to compile it
    assert list(found.seconds) == ["rows", "initialisation", "compilation", "transfer", "compute"]


@pytest.mark.parametrize("count", ON_THREADS)
def test_the_phases_on_threads_are_rows_compilation_and_compute(count):
    found = count(graph_of(*TRIANGLE_WITH_A_TAIL))
    assert list(found.seconds) == ["rows", "compilation", "compute"]
    assert all(seconds >= 0 for seconds in found.seconds.values())


# What is printed, and its smallest counterexamples.


def rows_of(vertices, edges):
    return [sorted(near) for near in naive.neighbours(vertices, edges)]


def count_triangles_as_printed(rows, v, e, *, blocks_end=False):
    """The poster's procedure word for word; with `blocks_end`, `continue` only where e's own row is skipped.

    None where it never ends, and "behind" where it reads behind a row.
    """
    longer, shorter = (v, e) if len(rows[v]) > len(rows[e]) else (e, v)
    i = j = found = 0
    seen = set()
    while j < len(rows[shorter]):
        if (i, j) in seen:
            return None
        seen.add((i, j))
        if i == len(rows[longer]):
            return "behind"
        a, b = rows[shorter][j], rows[longer][i]
        skips = False
        if shorter == e and not (blocks_end and a >= e):
            i, j, skips = i + (a < b), j + (a < e), True
        elif longer == e and not (blocks_end and b >= e):
            i, j, skips = i + (b < e), j + (a > b), True
        if skips:
            continue
        if a == b:
            i, j, found = i + 1, j + 1, found + 1
        elif a > b:
            j += 1
        else:
            i += 1
        if i == len(rows[longer]) - 1:
            break
    return found


def test_no_small_network_with_an_edge_ends_as_printed():
    assert count_triangles_as_printed(rows_of(2, [(0, 1)]), 1, 0) is None
    for n in (2, 3, 4):
        pairs = list(itertools.combinations(range(n), 2))
        for size in range(1, len(pairs) + 1):
            for edges in itertools.combinations(pairs, size):
                rows = rows_of(n, edges)
                walks = [count_triangles_as_printed(rows, v, e) for v in range(n) for e in rows[v]]
                assert any(walk in (None, "behind") for walk in walks)


@given(networks())
def test_as_printed_is_the_poster_with_the_blocks_ended(network):
    rows = rows_of(network.vertices, network.arcs)
    walks = [
        [count_triangles_as_printed(rows, v, e, blocks_end=True) for e in rows[v]] for v in range(network.vertices)
    ]
    assert not any(None in walk for walk in walks)
    if any("behind" in walk for walk in walks):
        first = next(v for v, walk in enumerate(walks) if "behind" in walk)
        with pytest.raises(UnsupportedError, match=f"past the end of a row at vertex {first}$"):
            vertex_centric(network.graph(), as_printed=True)
    else:
        found = vertex_centric(network.graph(), as_printed=True)
        assert found.triangles.tolist() == [sum(walk) for walk in walks]


def test_a_triangle_with_a_tail_as_printed_is_found_at_one_of_its_vertices():
    graph = graph_of(*TRIANGLE_WITH_A_TAIL)
    assert vertex_centric(graph, as_printed=True).triangles.tolist() == [1, 0, 0, 0]
    assert vertex_centric(graph).triangles.tolist() == [1, 1, 1, 0]


def test_a_single_edge_as_printed_reads_behind_a_row():
    with pytest.raises(
        UnsupportedError, match="the printed merge is undefined: it reads past the end of a row at vertex 1"
    ):
        vertex_centric(graph_of((0, 1)), as_printed=True)


def test_the_array_of_tails_indexed_by_vertices_makes_two_loops_of_a_single_edge():
    (row_of_0, row_of_1), tails = rows_of(2, [(0, 1)]), [0, 0]
    for v, row in ((0, row_of_0), (1, row_of_1)):
        for e in row:
            tails[e] = v
    assert list(zip(tails, row_of_0 + row_of_1, strict=True)) == [(1, 1), (0, 0)]


def test_a_count_that_is_not_set_back_gives_the_vertices_of_a_triangle_1_2_and_3():
    found = vertex_centric(graph_of((0, 1), (1, 2), (2, 0))).triangles
    assert np.cumsum(found).tolist() == [1, 2, 3]


# What is refused.


def test_what_is_printed_is_not_followed_on_a_gpu():
    with pytest.raises(UnsupportedError, match="'cpu' only"):
        vertex_centric(graph_of((0, 1)), device="opencl", as_printed=True)


@pytest.mark.parametrize("count", ON_GPUS)
@pytest.mark.parametrize("device", ["auto", "gpu", "", "cpu:1"])
def test_a_device_of_no_known_form_is_refused(count, device):
    with pytest.raises(ArgumentError, match="expected a form such as 'cpu', 'cuda'"):
        count(graph_of((0, 1)), device=device)


@pytest.mark.parametrize("count", ON_THREADS)
def test_no_threads_are_refused(count):
    with pytest.raises(ArgumentError, match="threads=0"):
        count(graph_of((0, 1)), threads=0)
