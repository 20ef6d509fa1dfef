from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from networkx_graphs import networkx_graphs, with_nodes
from strategies import examples
from triadic.networkx_backend import dispatch as backend
from triadic.networkx_backend import subgraphs

needs_all_triangles = pytest.mark.skipif(not hasattr(nx, "all_triangles"), reason="networkx has it from 3.6")


@needs_all_triangles
@examples(20)
@given(with_nodes(networkx_graphs(directed=False)))
def test_all_triangles_are_those_of_networkx(drawn):
    graph, nodes = drawn
    found = list(backend.all_triangles(graph, nodes))
    assert _as_sets(found) == _as_sets(nx.all_triangles(graph, nodes))
    assert all(type(triangle) is tuple for triangle in found)


@needs_all_triangles
def test_triangles_begin_with_the_nodes_of_nbunch():
    graph = nx.complete_graph(5)
    assert list(backend.all_triangles(graph, [3, 1]))[:2] == [(1, 0, 2), (3, 1, 0)]
    assert {triangle[0] for triangle in backend.all_triangles(graph, [3])} == {3}


def test_parallel_edges_do_not_repeat_a_triangle():
    assert list(backend.all_triangles(nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0)]))) == [(0, 1, 2)]


def test_a_wrong_nbunch_fails_at_the_first_triangle():
    triangles = backend.all_triangles(nx.complete_graph(3), 99)
    with pytest.raises(nx.NetworkXError, match=r"Node 99 is not in|not a node or a sequence"):
        next(triangles)


@examples(20)
@given(networkx_graphs(directed=False, loops=False), st.integers(-1, 9) | st.floats(1, 6))
def test_a_truss_is_that_of_networkx(graph, k):
    found, expected = backend.k_truss(graph, k), nx.k_truss(graph, k)
    assert found.edges == expected.edges
    assert list(found) == list(expected)


def test_a_truss_has_the_attributes_of_the_graph_and_shares_none():
    graph = nx.complete_graph(4)
    graph.add_edge(3, 4)
    graph.graph["name"] = "four and one"
    graph.nodes[1]["colour"] = "red"
    graph[0][1]["weight"] = 7
    truss = nx.k_truss(graph, 4, backend="triadic")
    expected = nx.k_truss(graph, 4)
    assert (truss.graph, truss._node, truss._adj) == (expected.graph, expected._node, expected._adj)
    truss[0][1]["weight"] = 8
    assert graph[0][1]["weight"] == 7


def test_the_trussness_of_a_converted_graph_is_counted_once(monkeypatch):
    graph, runs = nx.complete_graph(6), []
    count = subgraphs.trussness
    monkeypatch.setattr(subgraphs, "trussness", lambda *given, **options: runs.append(1) or count(*given, **options))
    assert [len(nx.k_truss(graph, k, backend="triadic")) for k in (3, 6, 7)] == [6, 6, 0]
    assert len(runs) == 1


def test_a_truss_keeps_the_class_of_the_graph():
    class Named(nx.Graph):
        pass

    assert type(nx.k_truss(Named([(0, 1), (1, 2), (2, 0)]), 3, backend="triadic")) is Named


def test_a_truss_of_a_graph_with_loops_is_refused_as_by_networkx():
    graph = nx.Graph([(0, 1), (1, 1)])
    for library in (backend, nx):
        with pytest.raises(nx.NetworkXNotImplemented, match="self loops"):
            library.k_truss(graph, 3)


def test_a_graph_changed_by_hand_after_it_was_converted_is_noticed():
    graph = nx.complete_graph(4)
    converted = backend.convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True)
    graph.remove_edge(0, 1)
    with pytest.raises(nx.NetworkXError, match="changed after it was converted"):
        backend.k_truss(converted, 3)


def _as_sets(triangles):
    found = [frozenset(triangle) for triangle in triangles]
    assert len(found) == len(set(found))
    return set(found)
