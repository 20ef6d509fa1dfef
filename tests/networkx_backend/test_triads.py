from __future__ import annotations

from itertools import combinations, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from networkx_graphs import assert_same, networkx_graphs
from strategies import examples
from triadic.errors import UnsupportedError
from triadic.networkx_backend import dispatch as backend

_ARCS = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]


@examples(20)
@given(networkx_graphs(directed=True))
def test_the_census_is_that_of_networkx(graph):
    assert_same(backend.triadic_census(graph), nx.triadic_census(graph))


@examples(20)
@given(networkx_graphs(directed=True, loops=False), st.data())
def test_the_census_of_some_nodes_is_that_of_networkx(graph, data):
    nodes = list(graph)
    chosen = data.draw(st.lists(st.sampled_from(nodes), unique=True)) if nodes else []
    assert_same(backend.triadic_census(graph, chosen), nx.triadic_census(graph, chosen))


def test_loops_outside_the_list_change_nothing_as_they_do_in_networkx():
    graph = nx.gnp_random_graph(8, 0.3, seed=4, directed=True)
    expected = nx.triadic_census(graph, [0, 1])
    graph.add_edges_from([(5, 5), (6, 6), (7, 7)])
    assert nx.triadic_census(graph, [0, 1]) != expected
    assert_same(backend.triadic_census(graph, [0, 1]), expected)


@pytest.mark.parametrize("nodes", [[0, 0], [0, 99], "ab"])
def test_a_list_with_repeats_or_strangers_fails_as_in_networkx(nodes):
    graph = nx.DiGraph([(0, 1), (1, 2)])
    for library in (backend, nx):
        with pytest.raises(ValueError, match="duplicate nodes or nodes not in G"):
            library.triadic_census(graph, nodes)


def test_parallel_arcs_count_once_in_the_census():
    arcs = [(0, 1), (0, 1), (1, 2), (2, 0), (0, 3)]
    assert_same(backend.triadic_census(nx.MultiDiGraph(arcs)), nx.triadic_census(nx.DiGraph(arcs)))


def test_each_of_the_64_triads_has_the_type_that_networkx_gives_it():
    for kept in product([False, True], repeat=6):
        graph = nx.DiGraph()
        graph.add_nodes_from("cab")
        graph.add_edges_from(("cab"[u], "cab"[v]) for (u, v), keep in zip(_ARCS, kept, strict=True) if keep)
        assert_same(backend.triad_type(graph), nx.triad_type(graph))
        assert backend.is_triad(graph) is True


def test_parallel_arcs_do_not_change_the_type_of_a_triad_as_they_do_in_networkx():
    graph = nx.MultiDiGraph([(0, 1), (0, 1), (1, 2)])
    assert nx.triad_type(graph) != "021C"
    assert backend.triad_type(graph) == "021C"


@pytest.mark.parametrize(
    "graph",
    [nx.Graph([(0, 1), (1, 2)]), nx.DiGraph([(0, 1)]), nx.DiGraph([(0, 1), (1, 2), (2, 2)]), nx.DiGraph(), 7, "abc"],
)
def test_is_triad_is_that_of_networkx(graph):
    assert backend.is_triad(graph) is nx.is_triad(graph) is False


def test_a_loop_with_a_key_makes_a_graph_no_triad():
    graph = nx.MultiDiGraph([(0, 1), (1, 2)])
    graph.add_edge(2, 2, key="once more")
    assert backend.is_triad(graph) is False


def test_the_type_of_a_graph_that_is_no_triad_is_an_error_as_in_networkx():
    graph = nx.path_graph(4, create_using=nx.DiGraph)
    for library in (backend, nx):
        with pytest.raises(nx.NetworkXAlgorithmError, match="not a triad"):
            library.triad_type(graph)


@pytest.mark.parametrize("name", ["all_triads", "triads_by_type"])
def test_lists_of_graphs_are_left_to_networkx_with_a_reason(name):
    graph = nx.DiGraph([(0, 1), (1, 2)])
    assert "making those is all the work" in backend.can_run(name, (graph,), {})
    with pytest.raises(UnsupportedError, match="making those"):
        getattr(backend, name)(graph)
    with nx.config.backend_priority(algos=["triadic"], generators=["triadic"]):
        assert len(list(nx.all_triads(graph))) == 1
        assert list(nx.triads_by_type(graph)) == ["021C"]


def test_triples_of_a_census_are_all_triples():
    graph = nx.gnp_random_graph(12, 0.3, seed=2, directed=True)
    census = dict.fromkeys(backend.triadic_census(graph), 0)
    for three in combinations(graph, 3):
        census[backend.triad_type(graph.subgraph(three))] += 1
    assert backend.triadic_census(graph) == census
