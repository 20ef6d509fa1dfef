"""Weights of repeated edges are combined by a rule, and an edge in both directions counts once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import networks
from triadic import Arcs, Dropped, Graph
from triadic.errors import ArgumentError
from triadic.graph.weighted_rows import _order as order_of

RULES = ["sum", "first", "max", "error"]


def weights_of(graph):
    """Return the weight of each arc, or of each undirected edge u < v; check that both directions agree."""
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    found = dict(zip(zip(row.tolist(), graph.indices.tolist(), strict=True), graph.weights.tolist(), strict=True))
    if graph.directed:
        return found
    assert all(found[v, u] == weight for (u, v), weight in found.items())
    return {(u, v): weight for (u, v), weight in found.items() if u < v}


def arcs_of(network, weights, *, both_ends=False):
    return Arcs(
        network.source.astype(np.int32),
        network.target.astype(np.int32),
        network.vertices,
        network.directed,
        weights,
        both_ends=both_ends,
    )


@st.composite
def weighted_networks(draw, directed=None):
    network = draw(networks(directed=directed))
    # Multiples of 1/8 add up exactly in any order. With few values, both directions of an edge often agree.
    count = len(network.arcs)
    eighths = draw(st.lists(st.integers(-3, 3), min_size=count, max_size=count))
    return network, np.array(eighths, dtype=np.float64) / 8


@given(weighted=weighted_networks(), combine=st.sampled_from(RULES))
def test_weights_of_repeated_edges_are_combined_by_the_rule(weighted, combine):
    network, weights = weighted
    expected = naive.weighted(network.arcs, weights.tolist(), directed=network.directed, combine=combine)
    if expected is None:
        with pytest.raises(ArgumentError, match="are joined more than once"):
            network.graph(weights=weights, combine=combine)
    else:
        assert weights_of(network.graph(weights=weights, combine=combine)) == expected


@given(weighted=weighted_networks(directed=False), combine=st.sampled_from(RULES))
def test_an_edge_in_both_directions_counts_once(weighted, combine):
    network, weights = weighted
    arcs = arcs_of(network, weights, both_ends=True)
    expected = naive.weighted(network.arcs, weights.tolist(), directed=False, combine=combine, both_ends=True)
    if expected is None:
        with pytest.raises(ArgumentError, match=r"is given from both ends|are joined more than once"):
            Graph.from_arcs(arcs, combine=combine)
    else:
        assert weights_of(Graph.from_arcs(arcs, combine=combine)) == expected


@given(weighted=weighted_networks(), combine=st.sampled_from(["sum", "first", "max"]), both_ends=st.booleans())
def test_weights_do_not_change_the_edges(weighted, combine, both_ends):
    network, weights = weighted
    both_ends = both_ends and not network.directed
    arcs = arcs_of(network, np.ones_like(weights) if both_ends and combine != "sum" else weights, both_ends=both_ends)
    if both_ends and combine == "sum":  # with the same number of arcs in both directions the sums agree
        arcs = arcs_of(network, np.zeros_like(weights), both_ends=True)
    graph, plain = Graph.from_arcs(arcs, combine=combine), Graph.from_arcs(replace(arcs, weights=None))
    np.testing.assert_array_equal(graph.indptr, plain.indptr)
    np.testing.assert_array_equal(graph.indices, plain.indices)
    assert graph.indices.dtype == plain.indices.dtype
    assert graph.dropped == plain.dropped
    assert (graph.num_arcs, graph.num_edges) == (plain.num_arcs, plain.num_edges)
    np.testing.assert_array_equal(triadic.triangles(graph), triadic.triangles(plain))


@given(weighted=weighted_networks(directed=True))
def test_weights_survive_conversion_to_a_matrix_and_back(weighted):
    network, weights = weighted
    graph = network.graph(weights=weights)
    assert weights_of(Graph.from_scipy(graph.to_scipy(), directed=True, weights=True)) == weights_of(graph)
    skeleton = graph.to_undirected()
    assert weights_of(Graph.from_scipy(skeleton.to_scipy(), weights=True)) == weights_of(skeleton)


@given(
    pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans())),
    bound=st.sampled_from([6, 1 << 20, 1 << 31, 1 << 40]),
)
def test_arcs_with_ends_of_any_size_are_sorted_stably(pairs, bound):
    low, high = (np.array([pair[end] for pair in pairs], dtype=np.int64) * (bound // 6) for end in (0, 1))
    turned = np.array([pair[2] for pair in pairs], dtype=bool)
    np.testing.assert_array_equal(order_of([(low, bound), (high, bound)]), np.lexsort((high, low)))
    np.testing.assert_array_equal(order_of([(low, bound), (turned, 2)]), np.lexsort((turned, low)))


def test_the_first_weight_is_the_weight_of_the_first_entry():
    graph = Graph.from_edges([2, 0, 0], [0, 2, 2], weights=[5, 6, 7], combine="first")
    assert graph.weights.tolist() == [5, 5]
    assert graph.dropped == Dropped(duplicates=1, reciprocal_merged=1)


def test_the_weight_of_a_loop_is_dropped_with_the_loop():
    graph = Graph.from_edges([0, 1, 1], [0, 1, 0], weights=[100, 200, 3])
    assert graph.weights.tolist() == [3, 3]
    assert graph.dropped == Dropped(loops=2)


def test_repeated_edges_that_are_refused_are_named_by_their_labels():
    with pytest.raises(ArgumentError, match='combine="error": vertex Rome and vertex Oslo are joined more than once'):
        Graph.from_edges([0, 0], [1, 1], weights=[1, 1], combine="error", labels=["Rome", "Oslo"])


def test_edges_with_two_weights_are_named_by_their_labels():
    arcs = Arcs(
        np.array([0, 1], np.int32),
        np.array([1, 0], np.int32),
        3,
        directed=False,
        weights=np.array([2.5, 4.0]),
        labels=np.array([70]),
        both_ends=True,
    )
    with pytest.raises(ArgumentError, match=r"between vertex 70 and vertex 1 is given from both ends .* 2\.5 and 4"):
        Graph.from_arcs(arcs)


def test_weights_of_no_edges_are_an_empty_array():
    graph = Graph.from_edges([], [], vertices=4, weights=[])
    assert graph.weights.tolist() == []
    assert graph.weights.dtype == np.float64
    assert graph.degree.tolist() == [0, 0, 0, 0]


def test_weights_may_be_integers_negative_or_zero():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=np.array([0, -4, 7], dtype=np.int16))
    assert graph.weights.tolist() == [0, 0, -4, -4, 7, 7]


def test_a_sum_beyond_float64_is_refused():
    with pytest.raises(ArgumentError, match="weights"):
        Graph.from_edges([0, 0], [1, 1], weights=[1.5e308, 1.5e308])
