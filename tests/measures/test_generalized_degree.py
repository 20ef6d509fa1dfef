"""Generalized degree: equal to networkx and to sets; its rows add up to degrees and to triangles."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import networks
from triadic import Graph
from triadic.generate import rmat


def as_counters(found):
    """What networkx gives: for each vertex how many of its edges are in how many triangles."""
    return [Counter({s: int(row[s]) for s in np.flatnonzero(row)}) for row in found.toarray()]


@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_generalized_degree_counts_common_neighbours_with_each_neighbour(network, threads):
    near = naive.neighbours(network.vertices, network.arcs)
    expected = [Counter(len(near[u] & near[v]) for u in near[v]) for v in range(network.vertices)]
    assert as_counters(triadic.generalized_degree(network.graph(), threads=threads)) == expected


MODELS = {
    "random": lambda: nx.gnp_random_graph(150, 0.1, seed=1),
    "scale-free": lambda: nx.barabasi_albert_graph(300, 5, seed=1),
    "karate club": nx.karate_club_graph,
    "caves of friends": lambda: nx.caveman_graph(6, 10),
    "clique": lambda: nx.complete_graph(140),
    "star": lambda: nx.star_graph(300),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_network_has_the_results_of_networkx(name):
    network = MODELS[name]()
    graph = Graph.from_edges(*np.array(network.edges).T, num_vertices=len(network))
    expected = nx.generalized_degree(network)
    assert as_counters(triadic.generalized_degree(graph)) == [expected[v] for v in range(len(network))]


@pytest.mark.parametrize("directed", [False, True])
def test_rows_add_up_to_degrees_and_to_triangles(directed):
    graph = rmat(11, seed=2, directed=directed)
    found = triadic.generalized_degree(graph)
    np.testing.assert_array_equal(found.sum(axis=1), graph.degree)
    np.testing.assert_array_equal(found @ np.arange(found.shape[1]), 2 * triadic.triangles(graph))
    assert found.sum() == 2 * graph.num_edges
    support = triadic.edge_support(graph.to_undirected())
    assert found.shape == (graph.num_vertices, support.max() + 1)
    np.testing.assert_array_equal(found.sum(axis=0), 2 * np.bincount(support))


def test_the_result_is_a_sorted_sparse_array_of_integers():
    found = triadic.generalized_degree(rmat(9, seed=2))
    assert isinstance(found, scipy.sparse.csr_array)
    assert found.dtype == np.int64
    assert found.has_canonical_format
    assert found.data.min() > 0


@given(network=networks(directed=True))
def test_a_directed_graph_is_taken_as_its_skeleton(network):
    graph = network.graph()
    found, of_skeleton = triadic.generalized_degree(graph), triadic.generalized_degree(graph.to_undirected())
    np.testing.assert_array_equal(found.toarray(), of_skeleton.toarray())


@pytest.mark.parametrize("threads", [2, 5, 16])
def test_any_number_of_threads_returns_the_same(threads):
    graph = rmat(10, seed=2)
    found, expected = (triadic.generalized_degree(graph, threads=t) for t in (threads, 1))
    np.testing.assert_array_equal(found.toarray(), expected.toarray())


@pytest.mark.parametrize(("source", "target", "n"), [([], [], 0), ([], [], 1), ([], [], 70), ([0, 1], [0, 1], 3)])
def test_vertices_without_edges_have_no_edge_in_a_triangle(source, target, n):
    found = triadic.generalized_degree(Graph.from_edges(source, target, num_vertices=n), threads=16)
    assert found.toarray().tolist() == [[0]] * n
    assert found.shape == (n, 1)
