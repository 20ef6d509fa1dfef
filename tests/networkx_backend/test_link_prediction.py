from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from networkx_graphs import networkx_graphs
from strategies import examples
from triadic.networkx_backend import dispatch as backend
from triadic.networkx_backend import link_prediction

_INDICES = ["jaccard_coefficient", "adamic_adar_index", "resource_allocation_index"]


@pytest.mark.parametrize("index", _INDICES)
@examples(15)
@given(graph=networkx_graphs(directed=False))
def test_indices_of_all_pairs_without_an_edge_are_those_of_networkx(index, graph):
    _assert_equal(getattr(backend, index)(graph), getattr(nx, index)(graph))


@pytest.mark.parametrize("index", _INDICES)
@pytest.mark.parametrize("cells", [1, 100, 1000])
def test_batches_of_any_size_give_the_same_pairs_in_the_same_order(index, cells, monkeypatch):
    monkeypatch.setattr(link_prediction, "_CELLS", cells)
    graph = nx.gnm_random_graph(60, 200, seed=3)
    graph.add_edges_from([(5, 5), (0, 0)])
    graph = nx.relabel_nodes(graph, {v: (str(v), v)[v % 2] for v in graph})
    _assert_equal(getattr(backend, index)(graph), getattr(nx, index)(graph))


@pytest.mark.parametrize("index", _INDICES)
@examples(15)
@given(graph=networkx_graphs(directed=False), data=st.data())
def test_indices_of_given_pairs_are_those_of_networkx(index, graph, data):
    node = st.sampled_from(list(graph)) if len(graph) else st.nothing()
    pairs = data.draw(st.lists(st.tuples(node, node)))
    try:
        expected = list(getattr(nx, index)(graph, pairs))
    except ZeroDivisionError:  # a node with itself, by a neighbour of degree 1
        with pytest.raises(ZeroDivisionError):
            list(getattr(backend, index)(graph, pairs))
    else:
        _assert_equal(getattr(backend, index)(graph, pairs), expected)


@pytest.mark.parametrize("index", _INDICES)
def test_a_pair_with_a_stranger_fails_at_the_call_as_in_networkx(index):
    for library in (backend, nx):
        with pytest.raises(nx.NodeNotFound, match="Node 9 not in G"):
            getattr(library, index)(nx.complete_graph(3), [(0, 9)])


@pytest.mark.parametrize("index", _INDICES)
def test_pairs_may_come_from_an_iterator_which_networkx_uses_up(index):
    graph = nx.complete_graph(4)
    assert list(getattr(nx, index)(graph, iter([(0, 1)]))) == []
    assert len(list(getattr(backend, index)(graph, iter([(0, 1)])))) == 1


@pytest.mark.parametrize("index", _INDICES)
def test_graphs_that_networkx_refuses_are_refused(index):
    for graph in (nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1)])):
        for library in (backend, nx):
            with pytest.raises(nx.NetworkXNotImplemented):
                getattr(library, index)(graph)


def _assert_equal(found, expected):
    found, expected = list(found), list(expected)
    assert [pair[:2] for pair in found] == [pair[:2] for pair in expected]
    for (_, _, value), (_, _, wanted) in zip(found, expected, strict=True):
        assert type(value) is type(wanted)
        assert math.isclose(value, wanted, rel_tol=1e-12)
