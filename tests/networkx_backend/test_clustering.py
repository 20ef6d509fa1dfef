from __future__ import annotations

import math
from collections import Counter

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from networkx_graphs import assert_same, networkx_graphs, with_nodes
from strategies import examples
from triadic.errors import ArgumentError, UnsupportedError
from triadic.networkx_backend import dispatch as backend


@given(with_nodes(networkx_graphs(directed=False)))
def test_triangles_are_those_of_networkx(drawn):
    graph, nodes = drawn
    assert_same(backend.triangles(graph, nodes), nx.triangles(graph, nodes))


@examples(20)
@given(with_nodes(networkx_graphs()))
def test_clustering_is_that_of_networkx(drawn):
    graph, nodes = drawn
    assert_same(backend.clustering(graph, nodes), nx.clustering(graph, nodes))


@examples(20)
@given(networkx_graphs(), st.booleans())
def test_average_clustering_is_that_of_networkx(graph, count_zeros):
    try:
        expected = nx.average_clustering(graph, count_zeros=count_zeros)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            backend.average_clustering(graph, count_zeros=count_zeros)
    else:
        assert_same(backend.average_clustering(graph, count_zeros=count_zeros), expected)


def test_average_clustering_of_one_node_fails_as_in_networkx():
    graph = nx.complete_graph(4)
    with pytest.raises(AttributeError):
        nx.average_clustering(graph, 0)
    with pytest.raises(AttributeError):
        backend.average_clustering(graph, 0)


@given(networkx_graphs())
def test_transitivity_is_that_of_networkx(graph):
    assert_same(backend.transitivity(graph), nx.transitivity(graph))


@examples(20)
@given(with_nodes(networkx_graphs(directed=False, loops=False)))
def test_square_clustering_is_that_of_networkx(drawn):
    graph, nodes = drawn
    assert_same(backend.square_clustering(graph, nodes), nx.square_clustering(graph, nodes))


def test_loops_are_not_part_of_squares():
    graph = nx.path_graph(5)
    graph.add_edges_from([(0, 0), (1, 1), (2, 2)])
    if nx.__version__.startswith("3.4"):
        with pytest.raises(UnsupportedError, match="counts loops"):
            backend.square_clustering(graph)
    else:
        assert_same(backend.square_clustering(graph), nx.square_clustering(graph))


@examples(20)
@given(with_nodes(networkx_graphs(directed=False)))
def test_generalized_degree_is_that_of_networkx(drawn):
    graph, nodes = drawn
    found, expected = backend.generalized_degree(graph, nodes), nx.generalized_degree(graph, nodes)
    assert found == expected
    assert type(found) is type(expected)
    rows = [found] if isinstance(found, Counter) else found.values()
    assert {type(number) for row in rows for entry in row.items() for number in entry} <= {int}
    if not isinstance(found, Counter):  # networkx fills a Counter in the order of a set
        assert list(found) == list(expected)


def test_changing_a_result_does_not_change_the_next_result():
    graph = backend.convert_from_nx(nx.complete_graph(4))
    for measure in (backend.triangles, backend.clustering, backend.generalized_degree, backend.square_clustering):
        first = measure(graph)
        first.clear()
        assert len(measure(graph)) == 4
    backend.generalized_degree(graph, 0).clear()
    assert backend.generalized_degree(graph, 0) == {2: 3}


@examples(20)
@given(networkx_graphs(weights=st.floats(0.125, 64) | st.integers(1, 5)))
def test_weighted_clustering_is_that_of_networkx(graph):
    _assert_close(backend.clustering(graph, weight="weight"), nx.clustering(graph, weight="weight"))


@examples(20)
@given(networkx_graphs(weights=st.integers(-4, 4)))
def test_negative_and_zero_weights_are_as_in_networkx(graph):
    try:
        expected = nx.clustering(graph, weight="weight")
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            backend.clustering(graph, weight="weight")
    else:
        _assert_close(backend.clustering(graph, weight="weight"), expected)


@examples(20)
@given(networkx_graphs(directed=False, weights=st.floats(0.125, 64)))
def test_the_weighted_coefficient_of_one_node_is_that_of_networkx(graph):
    assume(len(graph))
    node = list(graph)[-1]
    found = backend.clustering(graph, node, weight="weight")
    assert math.isclose(found, nx.clustering(graph, node, weight="weight"), rel_tol=1e-12, abs_tol=1e-15)


def test_the_weight_of_a_loop_counts_among_the_largest():
    graph = nx.complete_graph(3)
    graph.add_edge(0, 0, weight=8)
    _assert_close(backend.clustering(graph, weight="weight"), nx.clustering(graph, weight="weight"))
    assert backend.clustering(graph, weight="weight")[1] < 0.2


def test_an_attribute_that_no_edge_has_weighs_one():
    graph = nx.complete_graph(4)
    _assert_close(backend.clustering(graph, weight="nothing"), nx.clustering(graph))


@pytest.mark.parametrize("weight", [math.nan, math.inf, None, "7", 1j, 10**400])
def test_weights_that_are_not_finite_numbers_are_left_to_networkx(weight):
    graph = nx.complete_graph(3)
    graph.add_edge(0, 1, weight=weight)
    with pytest.raises(UnsupportedError, match="weight='weight': expected"):
        backend.clustering(graph, weight="weight")
    assert backend.clustering(graph) == {0: 1, 1: 1, 2: 1}


def test_a_weight_that_was_not_converted_is_an_error_that_says_how():
    graph = backend.convert_from_nx(nx.complete_graph(3))
    with pytest.raises(ArgumentError, match=r"edge_attrs=\{'weight': 1\}"):
        backend.clustering(graph, weight="weight")


@pytest.mark.parametrize("measure", ["clustering", "transitivity", "generalized_degree", "average_clustering"])
@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_multigraphs_are_refused_as_by_networkx(measure, kind):
    graph = kind([(0, 1), (1, 2), (2, 0)])
    for library in (backend, nx):
        with pytest.raises(nx.NetworkXNotImplemented, match="not implemented for"):
            getattr(library, measure)(graph)


def test_triangles_of_a_multigraph_are_those_of_networkx():
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 2)])
    assert_same(backend.triangles(graph), nx.triangles(graph))
    for library in (backend, nx):
        with pytest.raises(nx.NetworkXNotImplemented, match="multigraph"):
            library.triangles(graph, [0])


@pytest.mark.parametrize("nodes", [99, [[1], 2], 3.5, object()])
def test_nodes_that_are_not_in_the_graph_fail_as_in_networkx(nodes):
    graph = nx.complete_graph(4)
    with pytest.raises(nx.NetworkXError) as expected:
        nx.clustering(graph, nodes)
    with pytest.raises(nx.NetworkXError) as found:
        backend.clustering(graph, nodes)
    assert str(found.value) == str(expected.value)


def test_squares_of_directed_graphs_are_left_to_networkx():
    with pytest.raises(UnsupportedError, match="forward"):
        backend.square_clustering(nx.DiGraph([(0, 1)]))


def _assert_close(found, expected):
    assert list(found) == list(expected)
    for value, wanted in zip(found.values(), expected.values(), strict=True):
        assert type(value) in (int, float)
        # Sums of cube roots of either sign, in another order.
        assert math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-12)
