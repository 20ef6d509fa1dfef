"""Edge orbits of graphlets of up to five vertices: equal to enumeration, to formulas, and for any number of threads."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_edge_orbits
import triadic
from strategies import Network, arc_lists, examples, networks
from triadic import Graph
from triadic.core import memory
from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES
from triadic.counts import graphlet_formulas as formulas
from triadic.devices.cpu.orbits import five_vertex
from triadic.errors import ArgumentError, CountOverflowError, OutOfMemoryError, UnsupportedError
from triadic.generate import rmat
from triadic.measures.graphlets.orbits import totals_of_edge_orbits


def graph_of(graph):
    """The graph of a networkx graph with the vertices 0, 1, ..."""
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(*edges.T, num_vertices=len(graph))


def expected_rows(graph, orbits, **of_edge):
    """A row for each edge, with the given orbits, all others zero."""
    return [[of_edge.get(f"o{orbit}", 0) for orbit in range(orbits)]] * graph.num_edges


@pytest.fixture(scope="module")
def every_small_graph():
    """All connected graphs of up to six vertices, side by side in one graph, and their edge orbits by enumeration."""
    graphs = [graph for graph in nx.graph_atlas_g() if 0 < len(graph) <= 6 and nx.is_connected(graph)]
    whole = nx.disjoint_union_all(graphs)
    expected = np.concatenate(
        [
            naive_edge_orbits.edge_orbits(len(graph), sorted(tuple(sorted(edge)) for edge in graph.edges()))
            for graph in graphs
        ]
    )
    return graph_of(whole), expected


@pytest.mark.parametrize(("size", "orbits"), [(4, 12), (5, 68)])
def test_every_connected_graph_of_up_to_six_vertices_has_the_orbits_of_the_enumeration(every_small_graph, size, orbits):
    graph, expected = every_small_graph
    found = triadic.graphlets(graph, size=size, by="edge")
    assert found.dtype == np.int64
    assert found.shape == (graph.num_edges, orbits)
    np.testing.assert_array_equal(found, expected[:, :orbits])


@examples(25)
@given(network=arc_lists(most_vertices=12, most_arcs=50), threads=st.sampled_from([1, 2, 5]))
def test_any_network_has_the_orbits_of_the_enumeration(network, threads):
    vertices, arcs = network
    edges = sorted({(min(u, v), max(u, v)) for u, v in arcs if u != v})
    graph = Network(vertices, arcs, directed=False).graph()
    expected = naive_edge_orbits.edge_orbits(vertices, edges)
    np.testing.assert_array_equal(triadic.graphlets(graph, size=5, threads=threads, by="edge"), expected)
    np.testing.assert_array_equal(triadic.graphlets(graph, threads=threads, by="edge"), expected[:, :12])


@examples(30)
@given(network=networks(directed=False))
def test_the_first_12_orbits_are_those_of_up_to_four_vertices(network):
    graph = network.graph()
    found = triadic.graphlets(graph, size=5, by="edge")
    np.testing.assert_array_equal(found[:, :12], triadic.graphlets(graph, by="edge"))
    np.testing.assert_array_equal(found[:, 1], triadic.edge_support(graph))


@examples(30)
@given(network=networks(directed=False), size=st.sampled_from([4, 5]))
def test_edges_and_vertices_have_the_same_totals_of_graphlets(network, size):
    graph = network.graph()
    counts = triadic.graphlets(graph, size=size)
    assert totals_of_edge_orbits(triadic.graphlets(graph, size=size, by="edge")) == dict(counts)


@pytest.mark.parametrize("scale", [7, 10])
def test_every_orbit_of_a_graphlet_adds_up_to_its_number_times_the_edges_in_the_orbit(scale):
    graph = rmat(scale, edge_factor=12, seed=5)
    sums = triadic.graphlets(graph, size=5, by="edge").sum(axis=0).tolist()
    counts = triadic.graphlets(graph, size=5)
    for name, places in zip(GRAPH_NAMES, EDGE_ORBITS_OF_GRAPHLETS, strict=True):
        for orbit in places:
            assert sums[orbit] == counts[name] * places.count(orbit), (name, orbit)


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("threads", [2, 3, 4, 16])
def test_any_number_of_threads_counts_the_same(monkeypatch, size, threads):
    monkeypatch.setattr(five_vertex, "EDGES_PER_THREAD", 1)
    graph = rmat(9, edge_factor=10, seed=3)
    expected = triadic.graphlets(graph, size=size, threads=1, by="edge")
    np.testing.assert_array_equal(triadic.graphlets(graph, size=size, threads=threads, by="edge"), expected)


def test_the_numbers_of_vertices_do_not_matter():
    graph = rmat(8, edge_factor=10, seed=4)
    new = np.random.default_rng(1).permutation(graph.num_vertices)
    source, target = graph.edges()
    renamed = Graph.from_edges(new[source], new[target], num_vertices=graph.num_vertices)
    ends = np.sort(new[np.stack([source, target])], axis=0)
    order = np.lexsort(ends[::-1])
    found = triadic.graphlets(renamed, size=5, by="edge")
    np.testing.assert_array_equal(found, triadic.graphlets(graph, size=5, by="edge")[order])


# Formulas


@pytest.mark.parametrize("n", [2, 4, 5, 9, 70])
def test_a_complete_graph_has_cliques_only(n):
    graph = graph_of(nx.complete_graph(n))
    cliques = {"o1": n - 2, "o11": comb(n - 2, 2)}
    assert triadic.graphlets(graph, by="edge").tolist() == expected_rows(graph, 12, **cliques)
    cliques["o67"] = comb(n - 2, 3)
    assert triadic.graphlets(graph, size=5, by="edge").tolist() == expected_rows(graph, 68, **cliques)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (3, 3), (4, 60), (30, 40)])
def test_a_complete_bipartite_graph_has_stars_squares_and_k_2_3(a, b):
    graph = graph_of(nx.complete_bipartite_graph(a, b))
    a, b = a - 1, b - 1  # further vertices on each side of an edge
    expected = {
        "o0": a + b,
        "o4": comb(a, 2) + comb(b, 2),
        "o5": a * b,
        "o17": comb(a, 3) + comb(b, 3),
        "o42": comb(a, 2) * b + a * comb(b, 2),
    }
    assert triadic.graphlets(graph, size=5, by="edge").tolist() == expected_rows(graph, 68, **expected)
    assert triadic.graphlets(graph, by="edge").tolist() == expected_rows(graph, 12, **expected)


@pytest.mark.parametrize("leaves", [1, 3, 5_000])
def test_a_star_has_stars_only(leaves):
    graph = graph_of(nx.star_graph(leaves))
    stars = {"o0": leaves - 1, "o4": comb(leaves - 1, 2), "o17": comb(leaves - 1, 3)}
    assert triadic.graphlets(graph, size=5, by="edge").tolist() == expected_rows(graph, 68, **stars)


def test_a_path_has_paths_only():
    found = triadic.graphlets(graph_of(nx.path_graph(5)), size=5, by="edge")
    paths = {0: [1, 2, 2, 1], 2: [1, 1, 1, 1], 3: [0, 1, 1, 0], 12: [1, 0, 0, 1], 13: [0, 1, 1, 0]}
    assert found.T.tolist() == [paths.get(orbit, [0] * 4) for orbit in range(68)]


@pytest.mark.parametrize("n", [5, 8])
def test_a_cycle_of_five_is_a_graphlet_and_a_longer_cycle_has_paths_only(n):
    graph = graph_of(nx.cycle_graph(n))
    found = triadic.graphlets(graph, size=5, by="edge")
    expected = {"o0": 2, "o2": 2, "o3": 1} | ({"o28": 1} if n == 5 else {"o12": 2, "o13": 2})
    assert found.tolist() == expected_rows(graph, 68, **expected)


# Input


@pytest.mark.parametrize("vertices", [0, 1, 7])
@pytest.mark.parametrize(("size", "orbits"), [(4, 12), (5, 68)])
def test_a_graph_without_edges_has_no_rows(vertices, size, orbits):
    graph = Graph.from_edges([], [], num_vertices=vertices)
    assert triadic.graphlets(graph, size=size, by="edge").shape == (0, orbits)


@pytest.mark.parametrize("size", [4, 5])
def test_the_graphs_of_a_batch_are_counted_as_each_alone(size):
    graphs = [rmat(5, seed=seed) for seed in range(5)]
    found = triadic.graphlets(triadic.GraphBatch.from_graphs(graphs), size=size, by="edge")
    expected = np.concatenate([triadic.graphlets(graph, size=size, by="edge") for graph in graphs])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [4, 5])
def test_an_arc_has_the_counts_of_its_edge(size):
    graph = rmat(7, seed=2, directed=True)
    skeleton = graph.to_undirected()
    found = triadic.graphlets(graph, size=size, by="edge")
    rows = {
        ends: row.tolist()
        for *ends, row in zip(*skeleton.edges(), triadic.graphlets(skeleton, size=size, by="edge"), strict=True)
        for ends in [tuple(ends)]
    }
    assert len(found) == graph.num_arcs > graph.num_edges
    for source, target, row in zip(*graph.edges(), found, strict=True):
        assert row.tolist() == rows[min(source, target), max(source, target)]


def test_repeats_and_loops_do_not_count():
    graph = Graph.from_edges([0, 1, 2, 3, 4, 1, 2], [1, 2, 3, 4, 0, 0, 2])
    expected = triadic.graphlets(graph_of(nx.cycle_graph(5)), size=5, by="edge")
    np.testing.assert_array_equal(triadic.graphlets(graph, size=5, by="edge"), expected)


def test_the_result_can_be_written_to():
    graph = rmat(5, seed=1)
    triadic.graphlets(graph, size=5, by="edge")[:] = 7
    assert (triadic.graphlets(graph, size=5, by="edge") != 7).any()


@pytest.mark.parametrize("size", [2, 6, True, "5", None])
def test_another_size_is_an_error_that_names_the_value(size):
    with pytest.raises(ArgumentError, match=f"size={size!r}: expected 3, 4 or 5"):
        triadic.graphlets(Graph.from_edges([0], [1]), size=size, by="edge")


@pytest.mark.parametrize(("size", "name"), [(4, "four"), (5, "five")])
def test_edges_are_counted_on_the_cpu_only(size, name):
    graph = Graph.from_edges([0], [1])
    assert len(triadic.graphlets(graph, size=size, device="cpu", by="edge")) == 1
    with pytest.raises(UnsupportedError, match=f"graphlets of {name} vertices at edges are counted on 'cpu'"):
        triadic.graphlets(graph, size=size, device="cuda", by="edge")


@pytest.mark.parametrize("size", [4, 5])
def test_progress_rises_to_its_total(size):
    seen = []
    triadic.graphlets(rmat(8, seed=1), size=size, progress=lambda done, total: seen.append((done, total)), by="edge")
    assert seen[-1][0] == seen[-1][1]
    assert all(before[0] <= after[0] for before, after in pairwise(seen))


class Stopped(Exception):  # noqa: N818 - not an error
    """Raised by a progress function."""


@pytest.mark.parametrize("size", [4, 5])
def test_a_count_ends_where_its_progress_raises(size):
    def stop(done, total):
        if done > total // 2:
            raise Stopped

    with pytest.raises(Stopped):
        triadic.graphlets(rmat(8, seed=1), size=size, progress=stop, by="edge")


# Width and memory


def test_stars_that_exceed_64_bits_are_an_error_that_names_orbit_and_edge():
    hub, leaves = 3, 3_810_781
    graph = Graph.from_edges(np.full(leaves, hub), np.delete(np.arange(leaves + 1), hub))
    message = (
        r"^orbit 17 at the edge from 0 to 3, which have 1 and 3,810,781 neighbours, may have the frequency 9\.2e\+18"
    )
    with pytest.raises(CountOverflowError, match=message) as raised:
        triadic.graphlets(graph, size=5, by="edge")
    assert "\n" not in str(raised.value)


def test_the_bound_of_the_stars_is_their_number():
    bounds = formulas.tree_bounds_at_edges(graph_of(nx.star_graph(3_000)).oriented())
    assert (bounds[5] == comb(2_999, 3)).all()


def test_an_error_of_width_names_the_labels_of_the_ends(monkeypatch):
    monkeypatch.setattr(formulas, "_LARGEST", 10_000)
    graph = triadic.Graph(nx.relabel_nodes(nx.star_graph(50), {0: "hub", 1: "first"}))
    with pytest.raises(
        CountOverflowError, match=r"^orbit 17 at the edge from hub to \w+, which have 50 and 1 neighbours"
    ):
        triadic.graphlets(graph, size=5, by="edge")
    assert triadic.graphlets(graph, by="edge")[0, 4] == comb(49, 2)


@examples(25)
@given(network=networks(directed=False), limit=st.sampled_from([10, 300, 10**5]))
def test_no_frequency_exceeds_the_limit_unless_the_graph_is_refused(network, limit):
    graph = network.graph()
    oriented = graph.oriented()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formulas, "_LARGEST", limit)
        refused = formulas.first_edge_too_large(oriented)
    frequencies = triadic.graphlets(graph, size=5, by="edge")[:, 12:]
    if refused is None:
        assert frequencies.max(initial=0) <= limit
    else:
        orbit, low, high, bound = refused
        assert bound > limit * (1 - 1e-6)
        ends = sorted((int(oriented.order[low]), int(oriented.order[high])))
        row = next(i for i, pair in enumerate(zip(*graph.edges(), strict=True)) if [*pair] == ends)
        assert frequencies[row, orbit - 12] <= bound


def test_too_little_memory_is_an_error(monkeypatch):
    graph = rmat(10, seed=1)
    monkeypatch.setattr(memory, "available_bytes", lambda: 1000)
    with pytest.raises(OutOfMemoryError, match=rf"the frequencies of 68 orbits at {graph.num_edges:,} edges"):
        triadic.graphlets(graph, size=5, by="edge")
    monkeypatch.setattr(memory, "available_bytes", lambda: 8 * 68 * graph.num_edges + 1000)
    with pytest.raises(OutOfMemoryError, match="counting graphlets at edges"):
        triadic.graphlets(graph, size=5, by="edge")
