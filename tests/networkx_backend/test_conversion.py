from __future__ import annotations

import gc
import weakref

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from networkx_graphs import NAMES, networkx_graph, networkx_graphs
from strategies import examples, networks
from triadic.convert.from_networkx import arcs_of
from triadic.errors import UnsupportedError
from triadic.networkx_backend import dispatch as backend


@given(networks(), st.sampled_from(sorted(NAMES)), st.booleans())
def test_a_graph_converted_there_and_back_is_the_same(network, name, multigraph):
    graph = networkx_graph(network, NAMES[name], multigraph=multigraph)
    back = backend.convert_to_nx(backend.convert_from_nx(graph))
    assert type(back) is type(graph)
    assert list(back) == list(graph)
    assert _pairs(back) == _pairs(graph)


@examples(20)
@given(networkx_graphs(weights=st.floats(-9, 9)))
def test_weights_survive_the_conversion_there_and_back(graph):
    back = backend.convert_to_nx(backend.convert_from_nx(graph, edge_attrs={"weight": 2.5}))
    for u, v, data in graph.edges(data=True):
        assert back[u][v]["weight"] == data.get("weight", 2.5)


def test_a_graph_kept_whole_comes_back_with_everything_and_shares_nothing():
    graph = nx.Graph(name="two")
    graph.add_edge("a", "b", colour=["red"])
    graph.add_node("c", size=3)
    converted = backend.convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True)
    back = backend.convert_to_nx(converted)
    assert nx.utils.graphs_equal(back, graph)
    assert back is not graph


def test_an_object_that_is_no_graph_of_the_backend_is_returned_unchanged():
    graph = nx.path_graph(2)
    assert backend.convert_to_nx(graph) is graph
    assert backend.convert_to_nx({1: 2}) == {1: 2}
    converted = backend.convert_from_nx(graph)
    assert backend.convert_from_nx(converted) is converted


def test_an_edge_of_an_undirected_graph_and_a_loop_are_read_once():
    read = arcs_of(nx.Graph([(5, 3), (3, 3), (3, 9)]))
    assert read.nodes == [5, 3, 9]
    assert sorted(zip(read.arcs.source.tolist(), read.arcs.target.tolist(), strict=True)) == [(0, 1), (1, 1), (1, 2)]


def test_views_convert_to_the_graph_that_they_show():
    graph = nx.gnp_random_graph(30, 0.3, seed=1, directed=True)
    for view in (graph.subgraph(range(12)), graph.reverse(copy=False), graph.to_undirected(as_view=True)):
        assert backend.clustering(view) == nx.clustering(view)
        assert nx.clustering(view, backend="triadic") == nx.clustering(view)


@pytest.mark.parametrize("alike", [True, 1.0, np.int64(1), np.float64(1)])
def test_a_node_equal_to_an_integer_is_the_node_of_that_integer(alike):
    graph = nx.complete_graph(3)
    graph.add_edge(alike, 7)
    assert len(graph) == 4
    assert backend.triangles(graph) == nx.triangles(graph)
    assert backend.triangles(graph, [alike]) == nx.triangles(graph, [alike])


@pytest.mark.parametrize(
    "nodes", [range(6), [5, 4, 3, 2, 1, 0], range(1, 7), [9, -3, 0, 4, 1, 2], range(0, 6000, 1000)]
)
def test_integers_in_any_order_are_the_nodes_of_their_rows(nodes):
    graph = nx.Graph([(nodes[0], nodes[3]), (nodes[3], nodes[1]), (nodes[1], nodes[0]), (nodes[2], nodes[4])])
    graph.add_node(nodes[5])
    assert arcs_of(graph).nodes == list(graph)
    assert list(backend.triangles(graph).items()) == list(nx.triangles(graph).items())


def test_nodes_without_an_order_are_distinguished_by_hash():
    class Node:
        def __lt__(self, other):
            raise TypeError

    nodes = [Node() for _ in range(4)]
    graph = nx.Graph([(nodes[0], nodes[1]), (nodes[1], nodes[2]), (nodes[2], nodes[0]), (nodes[2], nodes[3])])
    assert backend.triangles(graph) == nx.triangles(graph)


def test_a_node_that_is_no_number_equals_only_itself():
    nan, other = float("nan"), float("nan")
    graph = nx.Graph([(nan, other), (other, 1), (1, nan)])
    assert list(backend.triangles(graph).values()) == [1, 1, 1]


def test_a_neighbour_that_is_no_node_is_an_error_that_names_it():
    for name in ("stranger", 77, -1, 2**32 + 1, 2**70):
        graph = nx.path_graph(3)
        graph._adj[0][name] = {}
        with pytest.raises(nx.NetworkXError, match=f"{name!r} is a neighbour but no node"):
            backend.triangles(graph)


def test_a_graph_that_changes_is_converted_again():
    graph = nx.path_graph(3)
    assert nx.triangles(graph, backend="triadic") == {0: 0, 1: 0, 2: 0}
    graph.add_edge(0, 2)
    assert nx.triangles(graph, backend="triadic") == {0: 1, 1: 1, 2: 1}


def test_a_graph_is_converted_once():
    graph = nx.complete_graph(5)
    nx.clustering(graph, backend="triadic")
    [converted] = graph.__networkx_cache__["backends"]["triadic"].values()
    nx.triangles(graph, backend="triadic")
    assert list(graph.__networkx_cache__["backends"]["triadic"].values()) == [converted]


def test_a_converted_graph_does_not_keep_the_graph_alive():
    graph = nx.complete_graph(5)
    converted, seen = backend.convert_from_nx(graph), weakref.ref(graph)
    del graph
    gc.collect()
    assert seen() is None
    assert backend.triangles(converted, 0) == 6


def test_networkx_accepts_a_converted_graph():
    converted = backend.convert_from_nx(nx.complete_graph(4))
    assert nx.clustering(converted) == dict.fromkeys(range(4), 1.0)
    with nx.config(fallback_to_nx=True):
        assert nx.core_number(converted) == dict.fromkeys(range(4), 3)


def test_weights_that_fail_to_convert_leave_the_graph_to_networkx():
    graph = nx.complete_graph(60)
    graph.add_edge(0, 1, weight=float("nan"))
    with nx.config.backend_priority(algos=["triadic"]):
        assert list(nx.clustering(graph, weight="weight")) == list(graph)
    with pytest.raises(NotImplementedError) as error:
        nx.clustering(graph, weight="weight", backend="triadic")
    assert isinstance(error.value.__cause__, UnsupportedError) or "previously failed" in str(error.value.__cause__)


def _pairs(graph):
    ends = [edge[:2] for edge in graph.edges()]
    return set(ends) if graph.is_directed() else {frozenset(pair) for pair in ends}
