"""Orbits of graphlets of up to five vertices: equal to enumeration, to formulas, and for any number of threads."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_orbits
import triadic
from strategies import Network, arc_lists, examples, networks
from triadic import Graph
from triadic.core import memory
from triadic.core.graphlets import GRAPH_NAMES, ORBITS_OF_GRAPHLETS
from triadic.counts import graphlet_formulas as formulas
from triadic.counts.count import run
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS
from triadic.devices.cpu.orbits import common_neighbours, five_vertex
from triadic.devices.cpu.orbits.five_vertex import Twins, twins
from triadic.devices.cpu.orbits.whole_rows import whole_rows
from triadic.errors import ArgumentError, CountOverflowError, DirectionWarning, OutOfMemoryError, UnsupportedError
from triadic.generate import rmat


def graph_of(graph):
    """The graph of a networkx graph with the vertices 0, 1, ..."""
    edges = np.array(graph.edges(), dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(*edges.T, num_vertices=len(graph))


@pytest.fixture(scope="module")
def every_small_graph():
    """All connected graphs of up to seven vertices, side by side in one graph, and their orbits by enumeration."""
    graphs = [graph for graph in nx.graph_atlas_g() if len(graph) > 0 and nx.is_connected(graph)]
    expected = np.concatenate([naive_orbits.orbits(len(graph), list(graph.edges())) for graph in graphs])
    return graph_of(nx.disjoint_union_all(graphs)), expected


def test_every_connected_graph_of_up_to_seven_vertices_has_the_orbits_of_the_enumeration(every_small_graph):
    graph, expected = every_small_graph
    found = triadic.graphlets(graph, size=5, by="vertex")
    assert found.dtype == np.int64
    assert found.shape == (graph.num_vertices, 73)
    np.testing.assert_array_equal(found, expected)


@examples(25)
@given(network=arc_lists(most_vertices=12, most_arcs=50), threads=st.sampled_from([1, 2, 5]))
def test_any_network_has_the_orbits_of_the_enumeration(network, threads):
    vertices, arcs = network
    edges = {(min(u, v), max(u, v)) for u, v in arcs if u != v}
    found = triadic.graphlets(Network(vertices, arcs, directed=False).graph(), size=5, threads=threads, by="vertex")
    np.testing.assert_array_equal(found, naive_orbits.orbits(vertices, sorted(edges)))


@pytest.mark.parametrize("threads", [2, 3, 4, 16])
def test_any_number_of_threads_counts_the_same(monkeypatch, threads):
    monkeypatch.setattr(five_vertex, "EDGES_PER_THREAD", 1)
    graph = rmat(9, edge_factor=10, seed=3)
    expected = triadic.graphlets(graph, size=5, threads=1, by="vertex")
    np.testing.assert_array_equal(triadic.graphlets(graph, size=5, threads=threads, by="vertex"), expected)


def test_bits_of_neighbourhoods_count_the_same_as_lists(monkeypatch):
    graph = rmat(10, edge_factor=16, seed=3)
    assert graph.oriented().degree[0] > 64 * common_neighbours.WORDS
    expected = triadic.graphlets(graph, size=5, by="vertex")
    for support in (0, 1 << 30):
        monkeypatch.setattr(five_vertex, "_SUPPORT_OF_BITS", support)
        np.testing.assert_array_equal(triadic.graphlets(graph, size=5, by="vertex"), expected)


@st.composite
def networks_with_twins(draw):
    """A small network, and copies of some of its vertices with the same neighbours."""
    vertices, arcs = draw(arc_lists(most_vertices=7, most_arcs=18))
    edges = {(min(u, v), max(u, v)) for u, v in arcs if u != v}
    for vertex in draw(st.lists(st.integers(0, max(0, vertices - 1)), max_size=5)):
        if vertices:
            edges |= {(min(u, v), vertices) if v == vertex else (v, vertices) for u, v in edges if vertex in (u, v)}
            vertices += 1
    return vertices, sorted(edges)


@examples(25)
@given(network=networks_with_twins())
def test_twins_have_the_orbits_of_the_enumeration(network):
    vertices, edges = network
    source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = Graph.from_edges(source, target, num_vertices=vertices)
    np.testing.assert_array_equal(triadic.graphlets(graph, size=5, by="vertex"), naive_orbits.orbits(vertices, edges))


@examples(25)
@given(network=networks_with_twins())
def test_twins_are_the_vertices_with_equal_rows(network):
    vertices, edges = network
    source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    if not edges:
        return
    rows = whole_rows(Graph.from_edges(source, target, num_vertices=vertices).oriented(), threads=1)
    found = twins(rows)
    row = [tuple(rows.ends[rows.ptr[v] : rows.ptr[v + 1]]) for v in range(vertices)]
    first = [row.index(row[v]) for v in range(vertices)]
    assert found.first.tolist() == first
    assert found.number.tolist() == [first.count(v) for v in range(vertices)]


def test_twins_are_counted_once():
    graph = rmat(9, edge_factor=4, seed=3)
    alone = triadic.graphlets(graph, size=5, by="vertex")
    with pytest.MonkeyPatch.context() as patch:
        n = len(whole_rows(graph.oriented(), threads=1).higher)
        patch.setattr(five_vertex, "twins", lambda _: Twins(np.arange(n), np.ones(n, dtype=int)))
        np.testing.assert_array_equal(triadic.graphlets(graph, size=5, by="vertex"), alone)
    found = twins(whole_rows(graph.oriented(), threads=1))
    assert np.count_nonzero(found.number) < graph.num_vertices


def test_the_numbers_of_vertices_do_not_matter():
    graph = rmat(8, edge_factor=10, seed=4)
    order = np.random.default_rng(1).permutation(graph.num_vertices)
    source, target = graph.edges()
    renamed = Graph.from_edges(order[source], order[target], num_vertices=graph.num_vertices)
    found = triadic.graphlets(renamed, size=5, by="vertex")
    np.testing.assert_array_equal(found[order], triadic.graphlets(graph, size=5, by="vertex"))


@examples(25)
@given(network=networks())
def test_the_first_15_orbits_are_those_of_up_to_four_vertices(network):
    graph = network.graph()
    np.testing.assert_array_equal(
        triadic.graphlets(graph, size=5, by="vertex")[:, :15], triadic.graphlets(graph, by="vertex")
    )


@pytest.mark.parametrize("scale", [7, 10])
def test_every_orbit_of_a_graphlet_adds_up_to_the_same_total(scale):
    graph = rmat(scale, edge_factor=12, seed=5)
    sums = triadic.graphlets(graph, size=5, by="vertex").sum(axis=0).tolist()
    counts = triadic.graphlets(graph, size=5)
    assert list(counts) == list(GRAPH_NAMES)
    for name, places in zip(GRAPH_NAMES, ORBITS_OF_GRAPHLETS, strict=True):
        for orbit in places:
            assert sums[orbit] == counts[name] * places.count(orbit), (name, orbit)


def test_graphlets_of_up_to_four_vertices_are_the_totals_of_the_transform():
    graph = rmat(9, seed=6)
    totals = triadic.graphlet_transform(graph).totals
    counts = triadic.graphlets(graph, size=4)
    assert len(counts) == 9
    assert counts == {name: totals[name] for name in counts}
    assert counts.items() <= triadic.graphlets(graph, size=5).items()


# Formulas


@pytest.mark.parametrize("n", [1, 2, 4, 5, 9, 70, 200])
def test_a_complete_graph_has_cliques_only(n):
    found = triadic.graphlets(graph_of(nx.complete_graph(n)), size=5, by="vertex")
    expected = np.zeros((n, 73), dtype=np.int64)
    for orbit, others in ((0, 1), (3, 2), (14, 3), (72, 4)):
        expected[:, orbit] = comb(n - 1, others)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 3), (3, 3), (4, 90), (30, 40), (2, 20_000)])
def test_a_complete_bipartite_graph_has_stars_squares_and_k_2_3(a, b):
    found = triadic.graphlets(graph_of(nx.complete_bipartite_graph(a, b)), size=5, by="vertex")
    for rows, own, other in ((found[:a], a, b), (found[a:], b, a)):
        # With j further vertices of its own side and i of the other, a vertex has an orbit of K(1 + j, i).
        expected = {
            0: other,
            1: other * (own - 1),
            2: comb(other, 2),
            6: other * comb(own - 1, 2),
            7: comb(other, 3),
            8: (own - 1) * comb(other, 2),
            22: other * comb(own - 1, 3),
            23: comb(other, 4),
            49: comb(own - 1, 2) * comb(other, 2),
            50: (own - 1) * comb(other, 3),
        }
        assert (rows == [expected.get(orbit, 0) for orbit in range(73)]).all()


def test_a_star_has_stars_only():
    leaves = 5_000
    found = triadic.graphlets(graph_of(nx.star_graph(leaves)), size=5, by="vertex")
    hub = {0: leaves, 2: comb(leaves, 2), 7: comb(leaves, 3), 23: comb(leaves, 4)}
    leaf = {0: 1, 1: leaves - 1, 6: comb(leaves - 1, 2), 22: comb(leaves - 1, 3)}
    assert found[0].tolist() == [hub.get(orbit, 0) for orbit in range(73)]
    assert (found[1:] == [leaf.get(orbit, 0) for orbit in range(73)]).all()


def test_a_cycle_of_five_is_a_graphlet_and_a_longer_cycle_has_paths_only():
    assert triadic.graphlets(graph_of(nx.cycle_graph(5)), size=5)["5-cycle"] == 1
    counts = triadic.graphlets(graph_of(nx.cycle_graph(8)), size=5)
    assert {name for name, count in counts.items() if count} == {"edge", "2-path", "3-path", "4-path"}


def test_each_graphlet_is_counted_once_under_its_name():
    for name, graph in {
        "bull": nx.bull_graph(),
        "house": nx.house_graph(),
        "wheel": nx.wheel_graph(5),
        "butterfly": nx.windmill_graph(2, 3),
        "K(2,3)": nx.complete_bipartite_graph(2, 3),
        "K(1,1,3)": nx.complete_multipartite_graph(1, 1, 3),
        "(3,2)-lollipop": nx.lollipop_graph(3, 2),
        "(4,1)-lollipop": nx.lollipop_graph(4, 1),
        "4-path": nx.path_graph(5),
        "4-star": nx.star_graph(4),
        "5-clique": nx.complete_graph(5),
    }.items():
        counts = triadic.graphlets(graph_of(graph), size=5)
        assert [kind for kind in GRAPH_NAMES[9:] if counts[kind]] == [name]


# Input


@pytest.mark.parametrize("vertices", [0, 1, 7])
def test_a_graph_without_edges_has_no_orbit(vertices):
    graph = Graph.from_edges([], [], num_vertices=vertices)
    assert triadic.graphlets(graph, size=5, by="vertex").tolist() == [[0] * 73] * vertices
    assert set(triadic.graphlets(graph, size=5).values()) == {0}


def test_the_graphs_of_a_batch_are_counted_as_each_alone():
    graphs = [rmat(5, seed=seed) for seed in range(5)]
    found = triadic.graphlets(triadic.GraphBatch.from_graphs(graphs), size=5, by="vertex")
    np.testing.assert_array_equal(
        found, np.concatenate([triadic.graphlets(graph, size=5, by="vertex") for graph in graphs])
    )


def test_directions_repeats_and_loops_do_not_count():
    graph = Graph.from_edges([0, 1, 2, 3, 4, 0, 1, 2], [1, 2, 3, 4, 0, 1, 0, 2], directed=True)
    assert triadic.graphlets(graph, size=5) == triadic.graphlets(graph_of(nx.cycle_graph(5)), size=5)


@pytest.mark.parametrize(
    "measure", [triadic.graphlets, partial(triadic.graphlets, by="vertex"), triadic.graphlet_degree_similarity]
)
@pytest.mark.parametrize("size", [4, 5])
def test_the_directions_of_a_directed_graph_are_left_out_and_that_is_said_once(measure, size):
    arcs = nx.gn_graph(20, seed=1)
    with pytest.warns(DirectionWarning, match="the directions of this networkx graph are ignored") as warned:
        found = measure(arcs, size=size)
    assert len([warning for warning in warned if warning.category is DirectionWarning]) == 1
    expected = measure(graph_of(arcs), size=size)
    assert np.array_equal(found, expected) if isinstance(found, np.ndarray) else found == expected


@pytest.mark.parametrize("measure", [triadic.graphlets, partial(triadic.graphlets, by="vertex")])
@pytest.mark.parametrize("size", [4, 5])
def test_a_tiled_graph_is_refused_with_the_reason_and_the_remedy(measure, size, tmp_path):
    triadic.write(graph_of(nx.karate_club_graph()), tmp_path / "karate.txt")
    tiled = triadic.tile(tmp_path / "karate.txt", tmp_path / "karate.tiles")
    words = r"^graphlets does not take a TiledGraph: .*three tiles do not contain .*; read the graph into"
    with pytest.raises(UnsupportedError, match=words):
        measure(tiled, size=size)


@pytest.mark.parametrize("size", [2, 6, True, "5", None])
@pytest.mark.parametrize("measure", [triadic.graphlets, partial(triadic.graphlets, by="vertex")])
def test_another_size_is_an_error_that_names_the_value(measure, size):
    with pytest.raises(ArgumentError, match=f"size={size!r}: expected 3, 4 or 5"):
        measure(Graph.from_edges([0], [1]), size=size)


def test_an_unknown_device_is_an_error_that_names_it():
    graph = Graph.from_edges([0], [1])
    assert triadic.graphlets(graph, size=5, device="cpu", by="vertex").shape == (2, 73)
    with pytest.raises(ArgumentError, match="device='tpu'"):
        triadic.graphlets(graph, size=5, device="tpu", by="vertex")


def test_progress_rises_to_its_total():
    seen = []
    triadic.graphlets(rmat(8, seed=1), size=5, progress=lambda done, total: seen.append((done, total)), by="vertex")
    assert seen[-1][0] == seen[-1][1]
    assert all(before[0] <= after[0] for before, after in pairwise(seen))


# Width and memory


def test_stars_that_exceed_64_bits_are_an_error_that_names_orbit_and_vertex():
    hub, leaves = 3, 130_000
    graph = Graph.from_edges(np.full(leaves, hub), np.delete(np.arange(leaves + 1), hub))
    for measure in (triadic.graphlets, partial(triadic.graphlets, by="vertex")):
        with pytest.raises(CountOverflowError, match=r"^orbit 23 at vertex 3, which has 130,000 neighbours") as raised:
            measure(graph, size=5)
        assert "\n" not in str(raised.value)


def test_stars_that_fit_64_bits_are_exact_also_where_a_product_does_not_fit():
    leaves = 121_977
    found = triadic.graphlets(
        Graph.from_edges(np.zeros(leaves, dtype=np.int64), np.arange(1, leaves + 1)), size=5, by="vertex"
    )
    assert int(found[0, 23]) == comb(leaves, 4) > 2**62
    assert int(found[1, 22]) == comb(leaves - 1, 3)
    assert np.count_nonzero(found[0]) == 4


@examples(25)
@given(network=networks(), limit=st.sampled_from([10, 1000, 10**6]))
def test_no_frequency_exceeds_the_limit_unless_the_graph_is_refused(network, limit):
    graph = network.graph()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formulas, "_LARGEST", limit)
        refused = formulas.first_too_large(graph.oriented())
    frequencies = triadic.graphlets(graph, size=5, by="vertex")[:, 15:]
    if refused is None:
        assert frequencies.max(initial=0) <= limit
    else:
        orbit, rank, bound = refused
        assert bound > limit * (1 - 1e-6)
        assert frequencies[graph.oriented().order[rank], orbit - 15] <= bound


def test_too_little_memory_is_an_error(monkeypatch):
    graph = rmat(10, seed=1)
    monkeypatch.setattr(memory, "available_bytes", lambda: 700_000)  # the frequencies alone take 598,016
    with pytest.raises(OutOfMemoryError, match="counting graphlets in a graph of 1,024 vertices"):
        triadic.graphlets(graph, size=5, by="vertex")


def test_net_frequencies_take_the_place_of_the_raw_ones():
    graph = rmat(7, seed=2)
    oriented = graph.oriented()
    raw = run(FIVE_VERTEX_COUNTS, oriented)
    assert formulas.net_of(raw, threads=2, in_place=True) is raw
    formulas.arrange(oriented.rank, raw)
    np.testing.assert_array_equal(raw, triadic.graphlets(graph, size=5, by="vertex"))


@examples(30)
@given(st.permutations(list(range(9))))
def test_rows_are_moved_from_their_ranks_to_their_vertices(order):
    rank, rows = np.array(order, dtype=np.int32), np.arange(18).reshape(9, 2)
    expected = rows[rank]
    formulas.arrange(rank, rows)
    np.testing.assert_array_equal(rows, expected)


def test_the_names_of_graphlets_are_unique():
    assert len(set(GRAPH_NAMES)) == len(ORBITS_OF_GRAPHLETS) == 30
