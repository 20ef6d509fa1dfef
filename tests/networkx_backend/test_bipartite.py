from __future__ import annotations

import math
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms import bipartite

from networkx_graphs import assert_same, networkx_graphs, with_nodes
from strategies import bipartite as complete_bipartite
from strategies import examples
from triadic.errors import UnsupportedError
from triadic.networkx_backend import dispatch as backend

_MODES = ["dot", "min", "max"]

needs_butterflies = pytest.mark.skipif(not hasattr(bipartite, "butterflies"), reason="networkx has it from 3.7")


@given(networkx_graphs(directed=False), st.sampled_from(_MODES))
def test_latapy_clustering_is_that_of_networkx(graph, mode):
    try:
        expected = bipartite.latapy_clustering(graph, mode=mode)
    except nx.NetworkXError as error:
        with pytest.raises(nx.NetworkXError, match=str(error)):
            backend.latapy_clustering(graph, mode=mode)
        return
    _assert_close(backend.latapy_clustering(graph, mode=mode), expected)


@given(complete_bipartite(), st.sets(st.integers(0, 60)), st.sampled_from(_MODES))
def test_latapy_clustering_of_bipartite_graphs_is_that_of_networkx(shape, without, mode):
    n, arcs = shape
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(arc for place, arc in enumerate(arcs) if place not in without)
    nodes = list(graph)[::2]
    expected = bipartite.latapy_clustering(graph, nodes, mode=mode)
    _assert_close(backend.latapy_clustering(graph, nodes, mode=mode), expected)
    mean = backend.bipartite_average_clustering(graph, nodes, mode=mode)
    assert math.isclose(mean, bipartite.average_clustering(graph, nodes, mode=mode), rel_tol=1e-12)
    assert backend.robins_alexander_clustering(graph) == bipartite.robins_alexander_clustering(graph)


@examples(20)
@given(networkx_graphs(directed=False, loops=False))
def test_robins_alexander_clustering_is_that_of_networkx(graph):
    found, expected = backend.robins_alexander_clustering(graph), bipartite.robins_alexander_clustering(graph)
    assert found == expected
    assert type(found) is type(expected)


@examples(10, nightly=1000)
@given(with_nodes(networkx_graphs(directed=False, loops=False)))
def test_butterflies_are_the_cycles_of_four_nodes(drawn):
    graph, nodes = drawn
    expected, near = dict.fromkeys(graph, 0), {node: set(graph[node]) for node in graph}
    for four in combinations(graph, 4):
        a, b, c, d = four
        cycles = [(a, b, c, d), (a, b, d, c), (a, c, b, d)]
        found = sum(v in near[u] and w in near[v] and x in near[w] and u in near[x] for u, v, w, x in cycles)
        for node in four:
            expected[node] += found
    chosen = list(graph) if nodes is None else list(graph.nbunch_iter(nodes))
    assert_same(backend.butterflies(graph, nodes), {node: expected[node] for node in chosen})


@needs_butterflies
@given(with_nodes(networkx_graphs(directed=False, loops=False)))
def test_butterflies_are_those_of_networkx(drawn):
    graph, nodes = drawn
    assert_same(backend.butterflies(graph, nodes), bipartite.butterflies(graph, nodes))


def test_one_node_of_butterflies_is_a_dictionary_as_in_networkx():
    graph = nx.complete_bipartite_graph(3, 3)
    assert backend.butterflies(graph, 0) == {0: 6}
    assert backend.butterflies(graph, [0, 5, 99]) == {0: 6, 5: 6}
    assert sum(backend.butterflies(graph).values()) == 4 * 9


def test_butterflies_of_directed_graphs_are_refused_as_by_networkx():
    with pytest.raises(nx.NetworkXNotImplemented, match="directed"):
        backend.butterflies(nx.DiGraph([(0, 1)]))


def test_an_odd_cycle_is_not_bipartite_and_an_even_one_is():
    with pytest.raises(nx.NetworkXError, match="not bipartite"):
        backend.latapy_clustering(nx.cycle_graph(7))
    assert set(backend.latapy_clustering(nx.cycle_graph(8)).values()) == {1 / 3}


def test_an_unknown_mode_fails_as_in_networkx():
    for library in (backend, bipartite):
        with pytest.raises(nx.NetworkXError, match="dot, min or max"):
            library.latapy_clustering(nx.path_graph(3), mode="mean")


def test_a_stranger_fails_as_in_networkx():
    for library in (backend, bipartite):
        with pytest.raises(KeyError):
            library.latapy_clustering(nx.path_graph(3), [9])


def test_directed_graphs_and_loops_are_left_to_networkx():
    with pytest.raises(UnsupportedError, match="forward"):
        backend.latapy_clustering(nx.DiGraph([(0, 1)]))
    with pytest.raises(UnsupportedError, match="loops"):
        backend.robins_alexander_clustering(nx.Graph([(0, 1), (1, 2), (2, 3), (3, 3)]))
    with pytest.raises(UnsupportedError, match="butterflies: networkx counts loops"):
        backend.butterflies(nx.Graph([(0, 1), (1, 1)]))


def _assert_close(found, expected):
    assert list(found) == list(expected)
    for value, wanted in zip(found.values(), expected.values(), strict=True):
        assert type(value) is float
        assert math.isclose(value, wanted, rel_tol=1e-12)
