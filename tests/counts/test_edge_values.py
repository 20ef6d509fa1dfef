"""Values of entries in the order of the edges: equal to a search for each edge, and to a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import examples, networks
from triadic import Graph, edge_support, generate, trussness
from triadic.counts.edges import _LEAST_EDGES, at_edges
from triadic.devices.cpu.orient import id_rows as edge_order
from triadic.devices.cpu.orient.id_rows import in_edge_order


def by_dictionary(graph, at_entry):
    """The value of each edge, from a dictionary of the entries by the vertices of their edge."""
    oriented = graph.oriented()
    row = np.repeat(np.arange(oriented.num_vertices), np.diff(oriented.indptr))
    ends = zip(oriented.order[row].tolist(), oriented.order[oriented.indices].tolist(), strict=True)
    value = {frozenset(edge): number for edge, number in zip(ends, at_entry.tolist(), strict=True)}
    return [value[frozenset(edge)] for edge in zip(*(ends.tolist() for ends in graph.edges()), strict=True)]


@examples(25)
@given(network=networks(directed=False), largest=st.sampled_from([0, 1, 100, 2**31 - 1]), seed=st.integers(0, 9))
@pytest.mark.parametrize("threads", [1, 2])
def test_each_edge_has_the_value_of_its_entry(network, largest, seed, threads):
    graph = network.graph()
    values = np.random.default_rng(seed).integers(0, largest, graph.num_edges, dtype=np.int32, endpoint=True)
    found = in_edge_order(graph.oriented(), values, threads=threads)
    assert found.dtype == np.int64
    assert found.tolist() == by_dictionary(graph, values)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_buckets_have_the_values_that_a_search_finds(threads):
    graph = generate.rmat(14, seed=3)
    oriented = graph.oriented()
    values = np.random.default_rng(1).integers(0, 1 << 20, graph.num_edges, dtype=np.int32)
    expected = at_edges(oriented, values, *graph.edges(), threads=1)
    np.testing.assert_array_equal(in_edge_order(oriented, values, threads=threads), expected)


def test_keys_of_too_many_bits_are_searched_for(monkeypatch):
    graph = generate.rmat(11, seed=3)
    expected = edge_support(graph), trussness(graph)
    assert graph.num_edges >= _LEAST_EDGES
    monkeypatch.setattr(edge_order, "_KEY_BITS", 8)
    assert in_edge_order(graph.oriented(), np.ones(graph.num_edges, dtype=np.int32), threads=1) is None
    for found, at_edge in zip((edge_support(graph), trussness(graph)), expected, strict=True):
        np.testing.assert_array_equal(found, at_edge)


def test_arcs_of_a_directed_graph_have_the_support_of_their_edge():
    undirected = generate.rmat(11, seed=3)
    source, target = undirected.edges()
    directed = Graph.from_edges(target, source, directed=True)
    by_edge = dict(zip(zip(source.tolist(), target.tolist(), strict=True), edge_support(undirected), strict=True))
    arcs = zip(*(ends.tolist() for ends in directed.edges()), strict=True)
    assert edge_support(directed).tolist() == [by_edge[v, u] for u, v in arcs]
