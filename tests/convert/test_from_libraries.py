"""Graphs from other libraries' objects: the same network whichever library holds it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given

from strategies import examples, networks
from triadic import Graph
from triadic.core.arcs import Dropped
from triadic.errors import ArgumentError, UnsupportedError

FEW = examples(20)


def same(one, other, *, labels=False):
    assert one.directed == other.directed
    np.testing.assert_array_equal(one.indptr, other.indptr)
    np.testing.assert_array_equal(one.indices, other.indices)
    np.testing.assert_array_equal(one.weights, other.weights)
    if labels:
        np.testing.assert_array_equal(one.labels, other.labels)
    return True


def refuse(words, given, **keywords):
    with pytest.raises(ArgumentError) as caught:
        Graph(given, **keywords)
    assert "\n" not in str(caught.value)
    assert words in str(caught.value)


def in_networkx(network):
    nx = pytest.importorskip("networkx")
    made = (nx.MultiDiGraph if network.directed else nx.MultiGraph)()
    made.add_nodes_from(range(network.vertices))
    made.add_edges_from(network.arcs)
    return made


def in_igraph(network):
    return pytest.importorskip("igraph").Graph(network.vertices, network.arcs, directed=network.directed)


def in_rustworkx(network):
    rx = pytest.importorskip("rustworkx")
    made = (rx.PyDiGraph if network.directed else rx.PyGraph)()
    made.add_nodes_from(range(network.vertices))
    made.add_edges_from_no_data(network.arcs)
    return made


def in_networkit(network):
    made = pytest.importorskip("networkit").Graph(network.vertices, directed=network.directed)
    for u, v in network.arcs:
        made.addEdge(u, v)
    return made


class GraphToolGraph:
    """What is called of a graph of graph-tool, which pip cannot install."""

    __module__ = "graph_tool"

    def __init__(self, vertices, edges, *, directed, vp=None, ep=None):
        self.vertices, self.edges, self.directed = vertices, np.array(edges, dtype=np.int64).reshape(-1, 2), directed
        self.vp, self.ep = vp or {}, ep or {}

    def get_vertices(self):
        return np.array(self.vertices, dtype=np.int64)

    def get_edges(self, eprops=()):
        return np.column_stack([self.edges, *eprops])

    def is_directed(self):
        return self.directed


def in_graph_tool(network):
    return GraphToolGraph(range(network.vertices), network.arcs, directed=network.directed)


LIBRARIES = [in_networkx, in_igraph, in_rustworkx, in_networkit, in_graph_tool]


@pytest.mark.parametrize("library", LIBRARIES)
@FEW
@given(network=networks())
def test_a_graph_of_any_library_is_the_network_it_holds(library, network):
    graph = Graph(library(network))
    expected = network.graph()
    assert same(graph, expected)
    assert graph.labels is None
    dropped, loops, repeats = graph.dropped, expected.dropped.loops, expected.dropped.duplicates
    if network.directed:
        assert dropped == expected.dropped
    else:  # not every library keeps which way an edge was added
        assert dropped.loops == loops
        assert dropped.duplicates + dropped.reciprocal_merged == repeats + expected.dropped.reciprocal_merged


@pytest.mark.parametrize("library", LIBRARIES)
@FEW
@given(network=networks(directed=True))
def test_directions_can_be_left_out(library, network):
    assert same(Graph(library(network), directed=False), network._replace(directed=False).graph())


@pytest.mark.parametrize("library", LIBRARIES)
@given(network=networks(directed=False))
@examples(3)
def test_directions_of_an_undirected_graph_are_refused(library, network):
    refuse("directed=True: the graph is undirected", library(network), directed=True)


@pytest.mark.parametrize("library", LIBRARIES)
@given(network=networks())
@examples(3)
def test_a_graph_has_its_own_number_of_vertices_and_no_columns(library, network):
    refuse("vertices=99: expected none", library(network), num_vertices=99)
    refuse("expected a table", library(network), source="from")


def test_names_and_weights_come_from_networkx():
    nx = pytest.importorskip("networkx")
    given = nx.DiGraph()
    given.add_weighted_edges_from([("b", "a", 2), ("a", "c", 0.5)])
    graph = Graph(given, weights="weight")
    assert graph.labels.tolist() == ["b", "a", "c"]
    assert graph.directed
    assert graph.to_scipy().toarray().tolist() == [[0, 2, 0], [0, 0, 0.5], [0, 0, 0]]
    assert Graph(given).weights is None


def test_parallel_edges_of_networkx_combine_by_the_rule():
    nx = pytest.importorskip("networkx")
    given = nx.MultiGraph()
    given.add_weighted_edges_from([(0, 1, 2), (1, 0, 3), (1, 1, 9), (1, 1, 9)])
    assert Graph(given, weights=True).weights.tolist() == [5, 5]
    assert Graph(given, weights=True, combine="max").weights.tolist() == [3, 3]
    refuse('combine="error"', given, weights=True, combine="error")
    assert Graph(given).dropped == Dropped(loops=2, duplicates=1)


def test_an_edge_without_the_attribute_has_weight_one():
    nx = pytest.importorskip("networkx")
    given = nx.path_graph(6000)
    given[5500][5501]["cost"] = 7
    weights = Graph(given, weights="cost", directed=False).weights
    assert sorted(weights.tolist())[-3:] == [1, 7, 7]
    assert given[0][1] == {}


def test_reading_weights_does_not_change_the_graph():
    nx = pytest.importorskip("networkx")

    class Counting(nx.Graph):
        edge_attr_dict_factory = lambda _: defaultdict(int)  # noqa: E731

    given = Counting([(0, 1, {"cost": 2}), (1, 2)])
    assert Graph(given, weights="cost").weights.tolist() == [2, 2, 1, 1]
    assert dict(given[1][2]) == {}


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (float("nan"), "weights='cost': expected finite numbers, got nan"),
        ("3", "weights='cost': expected numbers, got str"),
        (10**400, "weights='cost': expected numbers below 1.8e308"),
    ],
)
def test_weights_of_networkx_that_are_no_finite_numbers_are_refused(weight, words):
    nx = pytest.importorskip("networkx")
    refuse(words, nx.Graph([(0, 1, {"cost": weight})]), weights="cost")


def test_an_attribute_that_no_edge_has_is_refused():
    nx = pytest.importorskip("networkx")
    refuse("weights='cots': no edge has that attribute", nx.Graph([(0, 1, {"cost": 1})]), weights="cots")
    assert Graph(nx.empty_graph(2), weights="cost").weights.tolist() == []


@pytest.mark.parametrize(
    ("nodes", "labels"),
    [
        (["a", 1], ["a", "1"]),
        ([5, 2**70], ["5", "1180591620717411303424"]),
        ([True, False], ["True", "False"]),
        ([(0, 1), frozenset({3}), 2.5], ["(0, 1)", "frozenset({3})", "2.5"]),
        ([1, "1", "2", 2.0], ["int(1)", "1", "2", "2.0"]),
        ([np.int64(7), "7", "x"], ["int(7)", "7", "x"]),
    ],
)
def test_nodes_of_any_kind_keep_their_names(nodes, labels):
    nx = pytest.importorskip("networkx")
    given = nx.path_graph(nodes)
    graph = Graph(given)
    assert graph.labels.tolist() == labels
    assert [graph.index(node) for node in nodes] == list(range(len(nodes)))
    assert graph.index(nodes).tolist() == list(range(len(nodes)))
    assert list(graph.to_networkx()) == labels


def test_nodes_from_0_to_n_are_numbers_of_vertices_and_need_no_labels():
    nx = pytest.importorskip("networkx")
    assert Graph(nx.path_graph(4)).labels is None
    assert Graph(nx.empty_graph(0)).labels is None
    assert Graph(nx.path_graph([3, 1, 2])).labels.tolist() == [3, 1, 2]


def test_a_vertex_of_igraph_without_a_name_goes_by_its_number():
    igraph = pytest.importorskip("igraph")
    given = igraph.Graph(3, [(0, 1), (1, 2)])
    given.vs["name"] = ["x", None, 7]
    assert Graph(given).labels.tolist() == ["x", "1", "7"]
    given.vs["name"] = [None] * 3
    assert Graph(given).labels is None


def test_nodes_of_rustworkx_that_hold_data_have_no_names():
    rx = pytest.importorskip("rustworkx")
    given = rx.PyGraph()
    given.add_nodes_from(["a", 1, (0, 1)])
    assert Graph(given).labels.tolist() == ["a", "1", "(0, 1)"]
    given.add_node({"colour": "red"})
    assert Graph(given).labels is None


def test_a_class_derived_from_a_library_s_class_is_recognised():
    nx = pytest.importorskip("networkx")

    class Mine(nx.Graph):
        pass

    assert Graph(Mine([(0, 1)])).num_edges == 1


def test_names_and_weights_come_from_igraph():
    igraph = pytest.importorskip("igraph")
    given = igraph.Graph([(0, 1), (1, 2)])
    given.vs["name"] = ["x", "y", "z"]
    given.es["cost"] = [1.5, 2]
    graph = Graph(given, weights="cost")
    assert graph.labels.tolist() == ["x", "y", "z"]
    assert graph.weights.tolist() == [1.5, 1.5, 2, 2]
    refuse("weights='weight': the edges have ['cost']", given, weights=True)
    given.es["cost"] = [1.5, None]
    refuse("weights", given, weights="cost")


def test_rustworkx_has_holes_where_vertices_were_removed():
    rx = pytest.importorskip("rustworkx")
    given = rx.PyDiGraph()
    given.add_nodes_from(["a", "b", "c", "d"])
    given.add_edges_from([(1, 3, 2.0), (3, 2, {"cost": 3}), (0, 1, 7.0)])
    given.remove_node(0)
    graph = Graph(given)
    assert graph.labels.tolist() == ["b", "c", "d"]
    assert [end.tolist() for end in graph.edges()] == [[0, 2], [2, 1]]
    refuse("weights='cost': an edge has 2.0", given, weights="cost")
    given.update_edge(1, 3, {"cost": 4})
    assert Graph(given, weights="cost").weights.tolist() == [4, 3]
    refuse("got EdgeList of rustworkx", given.edge_list())


def test_networkit_has_holes_where_vertices_were_removed():
    nk = pytest.importorskip("networkit")
    given = nk.Graph(4, weighted=True)
    given.addEdge(0, 3, 2.5)
    given.addEdge(3, 1)
    given.removeNode(2)
    graph = Graph(given, weights=True)
    assert graph.labels.tolist() == [0, 1, 3]
    assert graph.weights.tolist() == [2.5, 1, 2.5, 1]
    refuse("weights='cost': expected True", given, weights="cost")
    refuse("weights=True: expected True", nk.Graph(4), weights=True)


def test_a_filtered_view_of_graph_tool_has_its_own_vertices():
    given = GraphToolGraph(
        [1, 4, 5],
        [(5, 1), (4, 5)],
        directed=True,
        vp={"name": {1: "x", 4: "y", 5: "z"}},
        ep={"weight": np.array([0.5, 2.0])},
    )
    graph = Graph(given, weights=True)
    assert graph.labels.tolist() == ["x", "y", "z"]
    assert graph.to_scipy().toarray().tolist() == [[0, 0, 0], [0, 0, 2], [0.5, 0, 0]]
    refuse("weights='cost': the edge properties are weight", given, weights="cost")


# A Graph, and what is none


def test_a_graph_is_returned_unchanged():
    graph = Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True)
    assert Graph(graph) is graph
    assert same(Graph(graph, directed=False), graph.to_undirected())
    refuse("directed=True", graph.to_undirected(), directed=True)
    with pytest.raises(UnsupportedError, match="expected no weights="):
        Graph(graph, weights="weight")


@pytest.mark.parametrize("wrong", [None, 5, "graph.txt", {0: [1]}, [(0, 1)], {(0, 1)}, object()])
def test_an_object_that_is_no_graph_is_refused_with_the_accepted_kinds(wrong):
    name = "None" if wrong is None else type(wrong).__name__
    refuse(f"got {name}; expected a Graph, a graph of networkx, igraph", wrong)


@pytest.mark.parametrize("name", ["networkx", "igraph", "networkit", "graph_tool"])
def test_objects_of_a_library_that_are_no_graphs_are_refused(name):
    refuse("expected a Graph", type("Thing", (), {"__module__": name})())


@pytest.mark.parametrize(("keyword", "value"), [("directed", "yes"), ("combine", "median"), ("num_vertices", -1)])
def test_wrong_keywords_are_refused(keyword, value):
    refuse(keyword, np.zeros((2, 0), dtype=int), **{keyword: value})
