"""Trusses: equal to networkx and to taking edges away one by one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_triangles
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.devices.cpu.triangles import trussness as cpu
from triadic.errors import ArgumentError
from triadic.generate import rmat


@pytest.fixture(autouse=True)
def short_rounds_are_shared_too(monkeypatch):
    """Otherwise only networks of thousands of edges would be peeled by several workers."""
    monkeypatch.setattr(cpu, "_LONG", 2)
    monkeypatch.setattr(cpu, "_BLOCK", 2)


def skeleton_order(graph):
    """Where the edge of each arc stands among the edges of the skeleton."""
    edges = dict.fromkeys(tuple(sorted(pair)) for pair in zip(*map(np.ndarray.tolist, graph.edges()), strict=True))
    place = {edge: i for i, edge in enumerate(sorted(edges))}
    return [place[tuple(sorted(pair))] for pair in zip(*map(np.ndarray.tolist, graph.edges()), strict=True)]


@examples(20)
@given(network=networks(), threads=st.sampled_from([1, 2, 5]))
def test_trussness_is_the_order_of_the_last_truss_with_the_edge(network, threads):
    graph = network.graph()
    expected = naive_triangles.trussness(network.vertices, network.arcs)
    found = triadic.trussness(graph, threads=threads)
    assert found.dtype == np.int64
    assert found.tolist() == [expected[i] for i in skeleton_order(graph)]


def named_edges(graph):
    """Edges by label, as networkx has them by node."""
    return {frozenset(pair) for pair in zip(*(graph.labels[end].tolist() for end in graph.edges()), strict=True)}


@examples(20)
@given(network=networks(directed=False), k=st.integers(0, 9))
def test_the_truss_is_the_one_of_networkx(network, k):
    graph = network.graph()
    there = nx.Graph()
    there.add_nodes_from(range(network.vertices))
    there.add_edges_from(naive.edges(network.arcs))
    expected, found = nx.k_truss(there, k), triadic.k_truss(graph, k)
    assert found.labels.tolist() == sorted(expected)
    assert named_edges(found) == {frozenset(edge) for edge in expected.edges}


MODELS = {
    "random": lambda: nx.gnp_random_graph(80, 0.2, seed=1),
    "scale-free": lambda: nx.barabasi_albert_graph(150, 8, seed=1),
    "karate club": nx.karate_club_graph,
    "caves of friends": lambda: nx.connected_caveman_graph(6, 8),
    "small world": lambda: nx.watts_strogatz_graph(100, 8, 0.1, seed=1),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_model_network_has_the_trusses_of_networkx(name, threads):
    there = MODELS[name]()
    graph = Graph.from_edges(*np.array(there.edges).T, num_vertices=len(there))
    source, target = graph.edges()
    found = triadic.trussness(graph, threads=threads)
    for k in range(2, found.max() + 2):
        expected = {frozenset(edge) for edge in nx.k_truss(there, k).edges}
        left = found >= k
        assert {frozenset(edge) for edge in zip(source[left].tolist(), target[left].tolist(), strict=True)} == expected


def test_a_clique_is_one_truss_and_a_tree_has_none():
    clique = Graph.from_edges(*np.triu_indices(20, k=1))
    assert set(triadic.trussness(clique)) == {20}
    tree = Graph.from_edges([0, 0, 1, 1], [1, 2, 3, 4])
    assert set(triadic.trussness(tree)) == {2}
    assert triadic.k_truss(tree, 3).num_vertices == 0


def test_a_strip_of_triangles_falls_from_its_ends():
    """One round after another takes two edges or four, on one worker as on many."""
    n = 500
    strip = Graph.from_edges(np.r_[np.arange(n - 1), np.arange(n - 2)], np.r_[np.arange(1, n), np.arange(2, n)])
    for threads in (1, 4):
        assert set(triadic.trussness(strip, threads=threads)) == {3}
    for k in (4, 1 << 31, 1 << 32, 1 << 62):
        assert triadic.k_truss(strip, k).num_edges == 0


@pytest.mark.parametrize("threads", [2, 5, 16])
def test_any_number_of_threads_returns_the_same(threads):
    graph = rmat(10, seed=2)
    np.testing.assert_array_equal(triadic.trussness(graph, threads=threads), triadic.trussness(graph, threads=1))


def test_an_edge_is_in_no_truss_beyond_its_support():
    graph = rmat(11, seed=3)
    found, support = triadic.trussness(graph), triadic.edge_support(graph)
    assert (found <= support + 2).all()
    assert ((found == 2) == (support == 0)).all()


@pytest.mark.parametrize("k", [3, 6, 10])
def test_within_a_truss_every_edge_has_its_triangles(k):
    truss = triadic.k_truss(rmat(11, seed=3), k)
    assert triadic.edge_support(truss).min() >= k - 2
    assert truss.degree.min() >= k - 1


def test_arcs_weights_and_labels_are_kept():
    graph = Graph.from_edges(
        [1, 0, 0, 2, 2], [0, 1, 2, 1, 3], directed=True, weights=[1, 2, 3, 4, 5], labels=["a", "b", "c", "d"]
    )
    truss = triadic.k_truss(graph, 3)
    assert (truss.directed, truss.labels.tolist()) == (True, ["a", "b", "c"])
    assert [end.tolist() for end in truss.edges()] == [[0, 0, 1, 2], [1, 2, 0, 1]]
    assert truss.weights.tolist() == [2, 3, 1, 4]
    assert triadic.trussness(graph).tolist() == [3, 3, 3, 3, 2]
    both = triadic.k_truss(graph.to_undirected(), 3)
    assert both.weights[both.indices > np.repeat(np.arange(3), 2)].tolist() == [3, 3, 4]


@pytest.mark.parametrize(("source", "target", "n"), [([], [], 0), ([], [], 4), ([0, 1], [0, 1], 3)])
def test_a_network_without_edges_has_no_truss(source, target, n):
    graph = Graph.from_edges(source, target, num_vertices=n)
    assert triadic.trussness(graph).tolist() == []
    assert triadic.k_truss(graph, 2).num_vertices == 0


@pytest.mark.parametrize("k", [-1, 2.0, True, "3", None])
def test_an_invalid_k_is_named(k):
    with pytest.raises(ArgumentError, match=r"k=.*: expected a whole number of at least 0"):
        triadic.k_truss(Graph.from_edges([0], [1]), k)


def test_progress_rises_to_the_end():
    told = []
    triadic.trussness(rmat(10, seed=2), progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1)
