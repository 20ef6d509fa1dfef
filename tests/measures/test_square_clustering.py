"""Square clustering: equal to networkx, to the squares that sets count, and to closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import bipartite, examples, networks, stars
from triadic import Graph
from triadic.generate import grid, rmat


def by_pairs(vertices, arcs):
    """The share of squares that there are among those possible at each vertex, by pairs of its neighbours.

    As Zhang and others (2008) have it: a pair in q squares could be in as many more as either reaches others.
    """
    near = naive.neighbours(vertices, arcs)
    found = []
    for v in range(vertices):
        squares = possible = 0
        for u, w in combinations(sorted(near[v]), 2):
            q = len(near[u] & near[w] - {v})
            joined = w in near[u]
            squares += q
            possible += len(near[u]) - 1 - q - joined + len(near[w]) - 1 - q - joined + q
        found.append(Fraction(squares, possible) if possible else Fraction(0))
    return found


@examples(25)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_square_clustering_is_the_share_of_possible_squares(network, threads):
    found = triadic.square_clustering(network.graph(), threads=threads)
    assert found.tolist() == [float(share) for share in by_pairs(network.vertices, network.arcs)]
    assert found.dtype == np.float64


@examples(25)
@given(network=networks(directed=False))
def test_any_network_has_the_results_of_networkx(network):
    other = nx.Graph(naive.edges(network.arcs))
    other.add_nodes_from(range(network.vertices))
    expected = nx.square_clustering(other)
    np.testing.assert_allclose(
        triadic.square_clustering(network.graph()), [expected[v] for v in range(network.vertices)], atol=1e-15
    )


MODELS = {
    "random": lambda: nx.gnp_random_graph(150, 0.1, seed=1),
    "scale-free": lambda: nx.barabasi_albert_graph(200, 5, seed=1),
    "small world": lambda: nx.watts_strogatz_graph(200, 8, 0.1, seed=1),
    "karate club": nx.karate_club_graph,
    "southern women": nx.davis_southern_women_graph,
    "caves of friends": lambda: nx.caveman_graph(6, 10),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_network_has_the_results_of_networkx(name):
    network = nx.convert_node_labels_to_integers(MODELS[name]())
    graph = Graph.from_edges(*np.array(network.edges).T, num_vertices=len(network))
    expected = nx.square_clustering(network)
    np.testing.assert_allclose(
        triadic.square_clustering(graph), [expected[v] for v in range(len(network))], rtol=1e-14, atol=0
    )


@given(shape=bipartite())
def test_all_possible_squares_are_in_a_complete_bipartite_network(shape):
    n, arcs = shape
    left = len({u for u, _ in arcs})
    found = triadic.square_clustering(Graph.from_edges([u for u, _ in arcs], [v for _, v in arcs], num_vertices=n))
    assert set(found.tolist()) == ({1.0} if min(left, n - left) > 1 else {0.0})


@given(shape=stars())
def test_a_star_has_no_squares(shape):
    n, arcs = shape
    assert not triadic.square_clustering(
        Graph.from_edges([u for u, _ in arcs], [v for _, v in arcs], num_vertices=n)
    ).any()


@pytest.mark.parametrize("n", [4, 5, 70, 130])
def test_each_vertex_of_a_clique_has_the_same_share(n):
    """Each pair of neighbours is in n - 3 squares, and joined: nothing but these is possible."""
    found = triadic.square_clustering(Graph.from_edges(*np.triu_indices(n, k=1)))
    assert set(found.tolist()) == {1.0}


def test_each_vertex_of_a_torus_is_in_four_of_the_32_squares_that_could_be():
    """Its six pairs of neighbours reach 36 times for another vertex; in each of the four squares two of them meet."""
    assert set(triadic.square_clustering(grid(20, 20, periodic=True)).tolist()) == {4 / 32}


def test_square_clustering_follows_from_the_graphlets():
    graph = rmat(10, seed=2)
    raw = triadic.graphlet_transform(graph).raw
    squares, possible = raw[:, 12], raw[:, 6] - raw[:, 12]
    found = triadic.square_clustering(graph)
    np.testing.assert_array_equal(found, np.divide(squares, possible, out=np.zeros(len(found)), where=possible > 0))
    assert found.min() >= 0
    assert found.max() <= 1


@given(network=networks(directed=True))
def test_a_directed_graph_is_taken_as_its_skeleton(network):
    graph = network.graph()
    np.testing.assert_array_equal(triadic.square_clustering(graph), triadic.square_clustering(graph.to_undirected()))


@pytest.mark.parametrize("threads", [2, 5, 16])
def test_any_number_of_threads_returns_the_same(threads):
    graph = rmat(10, seed=2)
    np.testing.assert_array_equal(
        triadic.square_clustering(graph, threads=threads), triadic.square_clustering(graph, threads=1)
    )


@pytest.mark.parametrize(("source", "target", "n"), [([], [], 0), ([], [], 1), ([], [], 70), ([0, 1], [0, 1], 3)])
def test_no_square_is_possible_without_edges(source, target, n):
    assert triadic.square_clustering(Graph.from_edges(source, target, num_vertices=n), threads=16).tolist() == [0.0] * n


def test_no_square_is_possible_at_a_hub_of_millions():
    """Claws there pass 64 bits, squares do not."""
    n = 4_000_000
    found = triadic.square_clustering(Graph.from_edges(np.zeros(n, dtype=np.int32), np.arange(1, n + 1)))
    assert not found.any()
