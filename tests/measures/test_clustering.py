"""Clustering: equal to the oracle, to networkx, and to formulas of graphs that have one."""

from __future__ import annotations

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import bipartite, networks, stars
from triadic import Graph
from triadic.errors import ArgumentError

MEASURES = [
    triadic.triangles,
    triadic.triangle_count,
    triadic.edge_support,
    triadic.transitivity,
    triadic.clustering,
    triadic.average_clustering,
    triadic.clustering_spectrum,
]


def complete(n):
    return Graph.from_edges(*np.triu_indices(n, k=1))


def wheel(n):
    """A ring of n vertices around a hub."""
    ring = np.arange(1, n + 1)
    return Graph.from_edges(np.concatenate([ring, np.zeros(n, int)]), np.concatenate([np.roll(ring, 1), ring]))


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_every_measure_equals_the_oracle(network, threads):
    graph, n, arcs = network.graph(), network.vertices, network.arcs
    assert triadic.triangles(graph, threads=threads).tolist() == naive.triangles(n, arcs)
    assert triadic.triangle_count(graph, threads=threads) == naive.triangle_count(n, arcs)
    assert triadic.transitivity(graph, threads=threads) == float(naive.transitivity(n, arcs))
    assert triadic.clustering(graph, threads=threads).tolist() == [float(c) for c in naive.clustering(n, arcs)]
    spectrum = triadic.clustering_spectrum(graph, threads=threads)
    expected = naive.clustering_spectrum(n, arcs)
    assert spectrum["degree"].tolist() == list(expected)
    assert spectrum["clustering"].tolist() == pytest.approx([float(mean) for mean, _ in expected.values()], abs=1e-14)
    assert spectrum["vertices"].tolist() == [count for _, count in expected.values()]


@given(network=networks(), over=st.sampled_from(["all", "defined", "positive"]))
def test_the_average_is_over_the_selected_vertices(network, over):
    expected = naive.average_clustering(network.vertices, network.arcs, over=over)
    found = triadic.average_clustering(network.graph(), over=over)
    assert np.isnan(found) if expected is None else found == pytest.approx(float(expected), abs=1e-13)


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_the_support_of_an_arc_is_that_of_its_edge(network, threads):
    graph = network.graph()
    expected = dict(zip(naive.edges(network.arcs), naive.edge_support(network.vertices, network.arcs), strict=True))
    support = triadic.edge_support(graph, threads=threads)
    source, target = graph.edges()
    assert support.tolist() == [
        expected[min(u, v), max(u, v)] for u, v in zip(source.tolist(), target.tolist(), strict=True)
    ]


@given(network=networks(directed=False))
def test_the_counts_of_one_graph_agree_with_each_other(network):
    graph = network.graph()
    at_vertex, support = triadic.triangles(graph), triadic.edge_support(graph)
    assert at_vertex.sum() == support.sum() == 3 * triadic.triangle_count(graph)
    source, target = graph.edges()
    twice = np.zeros(graph.num_vertices, dtype=np.int64)
    np.add.at(twice, source, support)
    np.add.at(twice, target, support)
    np.testing.assert_array_equal(twice, 2 * at_vertex)


@given(network=networks(directed=True))
def test_a_directed_graph_is_taken_as_its_skeleton(network):
    graph = network.graph()
    skeleton = graph.to_undirected()
    np.testing.assert_array_equal(triadic.triangles(graph), triadic.triangles(skeleton))
    assert triadic.transitivity(graph) == triadic.transitivity(skeleton)


@given(shape=st.one_of(stars(), bipartite()))
def test_a_star_or_a_bipartite_graph_has_no_triangle(shape):
    n, arcs = shape
    graph = Graph.from_edges([u for u, _ in arcs], [v for _, v in arcs], num_vertices=n)
    assert triadic.triangle_count(graph) == 0
    assert triadic.transitivity(graph) == 0
    assert not triadic.triangles(graph).any()
    assert not triadic.edge_support(graph).any()
    assert not triadic.clustering(graph).any()


@pytest.mark.parametrize("n", [3, 4, 25, 26, 65, 129, 700])
def test_a_complete_graph_has_clustering_1_everywhere(n):
    graph = complete(n)
    assert triadic.triangle_count(graph) == comb(n, 3)
    assert set(triadic.triangles(graph).tolist()) == {comb(n - 1, 2)}
    assert set(triadic.edge_support(graph).tolist()) == {n - 2}
    assert triadic.transitivity(graph) == triadic.average_clustering(graph) == 1.0
    spectrum = triadic.clustering_spectrum(graph)
    assert spectrum.to_dict() == {"degree": [n - 1], "clustering": [1.0], "vertices": [n]}


def test_a_wheel_has_a_triangle_at_each_spoke():
    graph = wheel(1000)
    assert triadic.triangles(graph).tolist() == [1000] + [2] * 1000
    assert triadic.clustering(graph).tolist() == [1000 / comb(1000, 2)] + [2 / 3] * 1000


def test_the_wedges_of_a_hub_pass_32_bits():
    leaves = 100_000
    graph = Graph.from_edges(np.r_[np.zeros(leaves, int), 1], np.r_[1 : leaves + 1, 2])
    assert comb(leaves, 2) > 2**32
    assert triadic.transitivity(graph) == 3 / (comb(leaves, 2) + 2)
    assert triadic.clustering(graph)[0] == 1 / comb(leaves, 2)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [False, True])
def test_a_random_graph_has_the_results_of_networkx(seed, directed):
    network = nx.gnp_random_graph(300, 0.06, seed=seed, directed=directed)
    network.add_edges_from([(0, v) for v in range(1, 250)])
    graph = Graph.from_edges(*np.array(network.edges).T, num_vertices=300, directed=directed)
    skeleton = network.to_undirected()
    assert triadic.triangles(graph).tolist() == list(nx.triangles(skeleton).values())
    assert triadic.transitivity(graph) == pytest.approx(nx.transitivity(skeleton), abs=1e-14)
    np.testing.assert_allclose(triadic.clustering(graph), list(nx.clustering(skeleton).values()), atol=1e-14)
    assert triadic.average_clustering(graph) == pytest.approx(nx.average_clustering(skeleton), abs=1e-13)


MODELS = {
    "scale-free": lambda: nx.barabasi_albert_graph(500, 8, seed=1),
    "small world": lambda: nx.watts_strogatz_graph(500, 10, 0.1, seed=1),
    "karate club": nx.karate_club_graph,
    "caves of friends": lambda: nx.caveman_graph(20, 12),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_network_has_the_results_of_networkx(name):
    network = MODELS[name]()
    graph = Graph.from_edges(*np.array(network.edges).T, num_vertices=len(network))
    assert triadic.triangles(graph).tolist() == [nx.triangles(network, v) for v in range(len(network))]
    local = nx.clustering(network)
    np.testing.assert_allclose(triadic.clustering(graph), [local[v] for v in range(len(network))], atol=1e-14)
    assert triadic.transitivity(graph) == pytest.approx(nx.transitivity(network), abs=1e-14)


EMPTY = {
    "no vertices": ([], [], 0),
    "one vertex": ([], [], 1),
    "vertices without edges": ([], [], 70),
    "one vertex with a loop": ([0], [0], 1),
    "only loops": ([0, 1, 1, 3], [0, 1, 1, 3], 5),
    "one edge": ([0], [1], 2),
}


@pytest.mark.parametrize("case", EMPTY)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("threads", [1, 16])
def test_a_network_without_triangles_has_results(case, directed, threads):
    source, target, n = EMPTY[case]
    graph = Graph.from_edges(source, target, num_vertices=n, directed=directed)
    assert triadic.triangles(graph, threads=threads).tolist() == [0] * n
    assert triadic.triangle_count(graph, threads=threads) == 0
    assert triadic.edge_support(graph, threads=threads).tolist() == [0] * graph.num_edges
    assert triadic.transitivity(graph, threads=threads) == 0.0
    assert triadic.clustering(graph, threads=threads).tolist() == [0.0] * n
    average = triadic.average_clustering(graph, threads=threads)
    assert average == 0.0 if n else np.isnan(average)
    spectrum = triadic.clustering_spectrum(graph, threads=threads)
    assert spectrum["vertices"].sum() == n
    assert not spectrum["clustering"].any()


def test_results_have_the_documented_types():
    graph = wheel(5)
    assert type(triadic.triangle_count(graph)) is int
    assert type(triadic.transitivity(graph)) is type(triadic.average_clustering(graph)) is float
    assert triadic.triangles(graph).dtype == triadic.edge_support(graph).dtype == np.int64
    assert triadic.clustering(graph).dtype == np.float64
    spectrum = triadic.clustering_spectrum(graph)
    assert [spectrum[name].dtype for name in ("degree", *spectrum)] == [np.int64, np.float64, np.int64]


def test_results_belong_to_the_caller():
    graph = wheel(5)
    for measure in (triadic.triangles, triadic.edge_support, triadic.clustering):
        measure(graph)[:] = 7
        assert 7 not in measure(graph)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"threads": 0}, ArgumentError, "threads=0: expected None or a whole number of at least 1"),
        ({"threads": -1}, ArgumentError, "threads=-1"),
        ({"threads": 2.0}, ArgumentError, r"threads=2\.0"),
        ({"threads": True}, ArgumentError, "threads=True"),
        ({"device": "tpu"}, ArgumentError, "device='tpu': expected"),
        ({"device": None}, ArgumentError, "device=None: expected"),
        ({"progress": "yes"}, ArgumentError, "progress='yes': expected False, True or a function"),
    ],
)
def test_an_invalid_argument_is_named(measure, keywords, error, words):
    with pytest.raises(error, match=words) as raised:
        measure(wheel(5), **keywords)
    assert "\n" not in str(raised.value)


def test_an_average_over_unknown_vertices_is_an_error():
    with pytest.raises(ArgumentError, match="over='some': expected one of 'all', 'defined', 'positive'"):
        triadic.average_clustering(wheel(5), over="some")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("threads", [1, 3])
def test_progress_rises_from_zero_to_the_total(measure, threads):
    seen = []
    graph = complete(300)
    measure(graph, threads=threads, progress=lambda done, total: seen.append((done, total)))
    done, totals = zip(*seen, strict=True)
    assert len(set(totals)) == 1
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (0, totals[0])
    assert totals[0] > 0


def test_a_bar_goes_to_standard_error_only(capfd):
    triadic.triangles(complete(300), progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "triangles" in err
