"""The ways for small graphs count what the ways for large graphs count, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from pairs import each
from strategies import examples, networks
from triadic import Graph, GraphBatch
from triadic.core.oriented import Oriented
from triadic.counts import count as counting
from triadic.counts.count import declared, run
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.triads import CENSUS_OF_VERTICES, DYADS
from triadic.devices.cpu.orient import rows
from triadic.graph import orientation
from triadic.graph.orientation import GraphOfVertices, orient, orient_few

SMALL = [count for count in declared().values() if count.small is not None]


def both_ways(count, oriented, monkeypatch, threads):
    dyads = run(DYADS, oriented).sum(axis=0)
    inputs = ((int(dyads[1]), int(dyads[0]) // 2),) if count is CENSUS_OF_VERTICES else ()
    monkeypatch.setattr(counting, "MOST_SMALL_EDGES", 0)
    large = run(count, oriented, *inputs, threads=threads, device="cpu")
    monkeypatch.setattr(counting, "MOST_SMALL_EDGES", 1 << 62)
    small = run(count, oriented, *inputs, threads=threads, device="cpu")
    return large, small


def assert_same(large, small):
    if isinstance(large, int):
        assert (type(small), small) == (int, large)
        return
    for a, b in zip(np.atleast_2d(large), np.atleast_2d(small), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("count", SMALL, ids=lambda count: count.name)
@given(network=networks())
@examples(25)
def test_random_graphs_are_counted_alike(count, network):
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert_same(*both_ways(count, network.graph().oriented(), monkeypatch, 2))


@pytest.mark.parametrize("count", SMALL, ids=lambda count: count.name)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("size", [0.9, 1.1], ids=["below the crossing", "above the crossing"])
def test_graphs_around_the_crossing_are_counted_alike(count, directed, size, monkeypatch):
    edges = int(size * count.small_edges)
    source, target = np.random.default_rng(edges).integers(0, edges // 8, (2, edges))
    oriented = Graph.from_edges(source, target, directed=directed).oriented()
    assert_same(*both_ways(count, oriented, monkeypatch, 2))


# How graphs of a batch are shared out among threads does not depend on directions.
@pytest.mark.parametrize(
    ("count", "directed", "threads"),
    each(SMALL, [False, True], [1, 2, 4]),
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_batches_are_counted_alike_on_any_number_of_threads(count, directed, threads, monkeypatch):
    random = np.random.default_rng(threads)
    graphs = []
    for vertices in random.integers(0, 60, 300):
        arcs = random.integers(0, max(1, vertices), (2, 3 * vertices))
        graphs.append(Graph.from_edges(*arcs, num_vertices=int(vertices), directed=directed))
    batch = GraphBatch.from_graphs(graphs)
    assert len(batch.oriented().small_graphs(count.small_edges, threads)) > 2
    assert_same(*both_ways(count, batch.oriented(), monkeypatch, threads))


def test_a_batch_with_a_large_graph_is_counted_in_the_ways_for_large_graphs():
    large = triadic.generate.rmat(9, edge_factor=16, seed=1)
    batch = GraphBatch.from_graphs([large, Graph.from_edges([0, 1, 2], [1, 2, 0])])
    assert batch.oriented().small_graphs(100, 2) is None
    assert batch.oriented().small_graphs(1 << 20, 2) is not None


def test_a_small_graph_is_counted_without_a_look_at_the_memory(monkeypatch):
    graph = triadic.generate.rmat(5, seed=1)
    monkeypatch.setattr(counting, "check_memory", lambda *_: pytest.fail("the memory was checked"))
    assert run(FOUR_VERTEX_COUNTS, graph.oriented()).triangles.sum() == 3 * triadic.triangle_count(graph)


@given(network=networks(), directed=st.booleans())
@examples(25)
def test_few_arcs_are_oriented_as_many_are(network, directed):
    source, target = (np.asarray(ends, dtype=np.int32) for ends in (network.source, network.target))
    n = network.vertices
    many = orient(rows.ArcList(source, target), n, directed=directed, threads=2)
    assert_same_oriented(orient_few(source, target, n, directed=directed), many)


def assert_same_oriented(one, other):
    """Compare two oriented graphs with their summaries."""
    (few, summary), (many, expected) = one, other
    assert summary == expected
    for name in ("rank", "indptr", "indices", "state", "degree"):
        a, b = getattr(few, name), getattr(many, name)
        assert (a is None) == (b is None)
        if a is not None:
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_batch_of_few_arcs_is_oriented_as_one_of_many_is(directed, threads):
    random = np.random.default_rng(threads)
    sizes = random.integers(0, 40, 2000)
    graph = np.repeat(np.arange(2000), sizes)
    first = np.concatenate([[0], np.cumsum(sizes)])
    arcs_of_graph = np.where(sizes > 0, random.integers(0, 60, 2000), 0)
    of_arc = np.repeat(np.arange(2000), arcs_of_graph)
    ends = (first[of_arc] + random.integers(0, 1 << 40, (2, len(of_arc))) % sizes[of_arc]).astype(np.int32)
    batch = GraphOfVertices(graph, first)
    many = orient(rows.ArcList(*ends), len(graph), directed=directed, threads=threads, batch=batch)
    assert_same_oriented(orient_few(*ends, len(graph), directed=directed, batch=batch), many)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("few", [0, 1 << 62], ids=["many", "few"])
def test_ranks_of_a_batch_follow_graphs_and_then_degrees(directed, few, monkeypatch):
    monkeypatch.setattr(orientation, "FEW_ARCS", few)
    monkeypatch.setattr("triadic.graph.makers.FEW_ARCS", few)
    random = np.random.default_rng(1)
    graph_of_vertex = random.integers(0, 20, 500)
    graph_of_vertex[:20] = np.arange(20)
    source, target = random.integers(0, 500, (2, 20_000))
    within = graph_of_vertex[source] == graph_of_vertex[target]
    batch = GraphBatch.from_arrays(source[within], target[within], graph_of_vertex, directed=directed)
    oriented = batch.oriented()
    assert isinstance(oriented, Oriented)
    graph_at_rank, degree_at_rank = np.empty(500, int), np.empty(500, int)
    graph_at_rank[oriented.rank] = graph_of_vertex
    assert (np.diff(graph_at_rank) >= 0).all()
    # Ranks follow the degrees with repeats, as those of a single graph do.
    ends = np.bincount(source[within & (source != target)], minlength=500)
    ends += np.bincount(target[within & (source != target)], minlength=500)
    degree_at_rank[oriented.rank] = ends
    same_graph = np.diff(graph_at_rank) == 0
    assert (np.diff(degree_at_rank)[same_graph] <= 0).all()


@pytest.mark.parametrize("order", ["by graph", "mixed"])
def test_a_large_batch_is_counted_in_parts(order, monkeypatch):
    random = np.random.default_rng(2)
    sizes = random.integers(0, 40, 60)
    graph_of_vertex = np.repeat(np.arange(60), sizes)
    if order == "mixed":
        random.shuffle(graph_of_vertex)
    n = len(graph_of_vertex)
    source, target = random.integers(0, n, (2, 30 * n))
    within = graph_of_vertex[source] == graph_of_vertex[target]
    batch = GraphBatch.from_arrays(source[within], target[within], graph_of_vertex, num_graphs=60)
    whole = triadic.graphlet_transform(batch).raw
    monkeypatch.setattr("triadic.measures.graphlets.transform._PART", 100)
    assert (len(list(batch._parts(100))) > 5) == (order == "by graph")
    steps = []
    in_parts = triadic.graphlet_transform(batch, progress=lambda done, total: steps.append(done / total)).raw
    np.testing.assert_array_equal(in_parts, whole)
    assert steps == sorted(steps)
    assert steps[-1] == 1
