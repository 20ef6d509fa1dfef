"""Listing triads: all of them, in order, and no more than are asked for."""

from __future__ import annotations

import tracemalloc
from itertools import combinations, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.errors import ArgumentError
from triadic.generate import rmat


@examples(20)
@given(network=networks(), name=st.sampled_from(list(naive.TRIADS)))
def test_every_triad_of_a_type_is_listed_once_and_in_order(network, name):
    arcs = naive.simple(network.arcs, directed=network.directed).arcs
    found = list(triadic.list_triads(network.graph(), name))
    assert found == naive.list_triads(network.vertices, arcs, name)
    assert found == sorted(set(found))


@examples(20)
@given(network=networks(directed=True))
def test_as_many_triads_are_listed_as_the_census_counts(network):
    graph = network.graph()
    census = triadic.triad_census(graph)
    for name in triadic.TRIAD_NAMES:
        assert sum(1 for _ in triadic.list_triads(graph, name)) == census[name]


@examples(20)
@given(network=networks(), name=st.sampled_from(["021C", "030T", "201", "300", "102"]), limit=st.integers(0, 20))
def test_a_limit_gives_the_first_of_them(network, name, limit):
    graph = network.graph()
    expected = list(islice(triadic.list_triads(graph, name), limit))
    assert list(triadic.list_triads(graph, name, limit=limit)) == expected


def test_vertices_are_plain_integers():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    (triple,) = triadic.list_triads(graph, "030C")
    assert triple == (0, 1, 2)
    assert {type(v) for v in triple} == {int}


def test_the_first_of_very_many_is_there_at_once():
    hub = 100_000
    star = Graph.from_edges(np.full(hub, hub), np.arange(hub), directed=True)
    assert list(triadic.list_triads(star, "021D", limit=3)) == [(0, 1, hub), (0, 2, hub), (0, 3, hub)]
    assert list(triadic.list_triads(star, "003", limit=2)) == [(0, 1, 2), (0, 1, 3)]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_vertices_have_nothing_to_list(n):
    graph = Graph.from_edges([], [], num_vertices=n, directed=True)
    assert all(list(triadic.list_triads(graph, name)) == [] for name in triadic.TRIAD_NAMES)


@pytest.mark.parametrize("name", ["030X", "", None, 3])
def test_an_unknown_type_is_named_at_the_call(name):
    graph = Graph.from_edges([0], [1], directed=True)
    with pytest.raises(ArgumentError, match=f"of={name!r}: expected one of 003, 012, .*, 300"):
        triadic.list_triads(graph, name)


@pytest.mark.parametrize("limit", [-1, True, 2.0, "3"])
def test_an_invalid_limit_is_named_at_the_call(limit):
    with pytest.raises(ArgumentError, match=f"limit={limit!r}: expected None or a whole number of at least 0"):
        triadic.list_triads(Graph.from_edges([0], [1], directed=True), "003", limit=limit)


def test_a_limit_may_be_of_numpy():
    graph = Graph.from_edges([0], [1], num_vertices=9, directed=True)
    assert len(list(triadic.list_triads(graph, "012", limit=np.int32(4)))) == 4


@pytest.mark.parametrize("name", triadic.TRIAD_NAMES)
def test_a_type_that_a_network_has_too_few_dyads_for_needs_no_search(name, monkeypatch):
    """Two mutual and two asymmetric dyads."""
    graph = Graph.from_edges([0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 5], directed=True)
    searched = []
    monkeypatch.setattr("triadic.counts.triads.list_triads", lambda *_: searched.append(name) or iter(()))
    assert list(triadic.list_triads(graph, name)) == []
    assert bool(searched) == (int(name[0]) <= 2 and int(name[1]) <= 2)


def test_the_one_pair_among_very_many_vertices_is_found_at_once():
    n = 1_000_000
    graph = Graph.from_edges([n - 2], [n - 1], num_vertices=n, directed=True)
    assert list(triadic.list_triads(graph, "012", limit=1)) == [(0, n - 2, n - 1)]
    assert list(triadic.list_triads(graph, "021C")) == []


def test_hubs_are_searched_part_by_part():
    """The two-paths through a hub are far more than one part holds."""
    leaves = 400
    for hub in (0, leaves // 2, leaves):
        others = [v for v in range(leaves + 1) if v != hub]
        graph = Graph.from_edges([hub] * leaves, others, directed=True)
        expected = [tuple(sorted((hub, v, w))) for v, w in combinations(others, 2)]
        assert list(triadic.list_triads(graph, "021D")) == sorted(expected)


def test_a_listing_holds_no_more_than_its_rows():
    graph = triadic.generate.rmat(13, seed=1, directed=True)
    list(triadic.list_triads(graph, "021C", limit=1))
    tracemalloc.start()
    try:
        for _ in islice(triadic.list_triads(graph, "021C"), 200_000):
            pass
        assert tracemalloc.get_traced_memory()[1] <= 30 * graph.num_edges + 40 * graph.num_vertices + 2**22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["012", "030C", "003"])
def test_progress_rises_from_zero_to_the_number_of_vertices(name):
    graph = rmat(7, seed=1, directed=True)
    seen = []
    found = list(triadic.list_triads(graph, name, progress=lambda *at: seen.append(at)))
    assert found == list(triadic.list_triads(graph, name))
    assert seen[0] == (0, graph.num_vertices)
    assert seen[-1] == (graph.num_vertices, graph.num_vertices)
    assert sorted(set(seen)) == seen
    assert len(seen) > 10
