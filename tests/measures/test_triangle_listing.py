"""Listing triangles: all of them, in order, as an array or part by part; no more than a limit."""

from __future__ import annotations

from functools import partial

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_triangles
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.counts import triangles as counts
from triadic.devices.cpu.triangles import triangle_listing as cpu
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.generate import rmat


@pytest.fixture(autouse=True)
def blocks_are_small(monkeypatch):
    """Otherwise a network of a test is one block."""
    monkeypatch.setattr(cpu, "_BLOCK", 16)
    monkeypatch.setattr(counts, "_LARGEST_PART", 4)


def triples(parts):
    return [tuple(row) for part in parts for row in part.tolist()]


@examples(20)
@given(network=networks(), threads=st.sampled_from([1, 2, 5]))
def test_every_triangle_is_listed_once_in_order(network, threads):
    expected = naive_triangles.all_triangles(network.vertices, network.arcs)
    found = triadic.list_triangles(network.graph(), threads=threads)
    assert (found.dtype, found.shape) == (np.int64, (len(expected), 3))
    assert triples([found]) == expected
    parts = list(triadic.list_triangles(network.graph(), batch=1000, threads=threads))
    assert triples(parts) == expected
    assert all(len(part) for part in parts)


@examples(20)
@given(network=networks(), limit=st.integers(0, 200))
def test_a_limit_returns_the_first_triangles(network, limit):
    expected = naive_triangles.all_triangles(network.vertices, network.arcs)[:limit]
    graph = network.graph()
    found = triadic.list_triangles(graph, limit=limit)
    assert found.shape == (len(expected), 3)
    assert triples([found]) == triples(triadic.list_triangles(graph, batch=1000, limit=limit)) == expected


@pytest.mark.parametrize("there", [nx.karate_club_graph(), nx.gnp_random_graph(60, 0.3, seed=1)])
def test_the_triangles_are_those_of_networkx(there):
    graph = Graph.from_edges(*np.array(there.edges).T, num_vertices=len(there))
    cliques = nx.enumerate_all_cliques(there)
    assert triples([triadic.list_triangles(graph)]) == sorted(tuple(sorted(c)) for c in cliques if len(c) == 3)


@pytest.mark.parametrize("hub", [0, 150, 300])
def test_a_hub_of_any_id_is_searched_and_not_walked(hub):
    """Its row is much longer than those of its neighbours, which are paired."""
    others = np.setdiff1d(np.arange(301), [hub])
    graph = Graph.from_edges(np.r_[np.full(300, hub), others[::2]], np.r_[others, others[1::2]])
    expected = [tuple(sorted((hub, v, w))) for v, w in zip(others[::2].tolist(), others[1::2].tolist(), strict=True)]
    assert triples([triadic.list_triangles(graph)]) == sorted(expected)


def test_there_are_as_many_as_are_counted():
    graph = rmat(12, seed=1)
    found = triadic.list_triangles(graph)
    np.testing.assert_array_equal(np.bincount(found.ravel(), minlength=graph.num_vertices), triadic.triangles(graph))


def test_the_first_few_of_many_need_no_search_of_the_whole(monkeypatch):
    graph, walked = rmat(12, seed=1), []
    walk = cpu.TriangleListing._walk
    monkeypatch.setattr(cpu.TriangleListing, "_walk", lambda *a: walked.append(a) or walk(*a))
    whole = cpu.TriangleListing(graph.oriented(), threads=1).blocks
    assert len(triadic.list_triangles(graph, limit=3)) == 3
    assert 0 < len(walked) < whole / 10


@pytest.mark.parametrize("limit", [-1, True, 2.0, "3"])
@pytest.mark.parametrize("list_them", [triadic.list_triangles, partial(triadic.list_triangles, batch=1000)])
def test_an_invalid_limit_is_named_at_the_call(list_them, limit):
    with pytest.raises(ArgumentError, match=f"limit={limit!r}: expected None or a whole number of at least 0"):
        list_them(Graph.from_edges([0], [1]), limit=limit)


def test_an_array_that_does_not_fit_is_an_error_with_advice(monkeypatch):
    graph = rmat(10, seed=1)
    available = {"counting": 1 << 40}
    monkeypatch.setattr("triadic.core.memory._SECONDS", 0)  # the limit changes while triangles are counted
    monkeypatch.setattr("triadic.core.memory.available_bytes", lambda: available["counting"])
    written = cpu.TriangleListing.count

    def count(*arguments):
        found = written(*arguments)
        available["counting"] = 1000
        return found

    monkeypatch.setattr(cpu.TriangleListing, "count", count)
    with pytest.raises(OutOfMemoryError, match=r"an array of [\d,]+ triangles takes about .*batch.*limit"):
        triadic.list_triangles(graph)


def test_listing_on_a_gpu_is_an_error():
    for limit in (None, 3):
        with pytest.raises(UnsupportedError, match="listed triangles are counted on 'cpu'"):
            triadic.list_triangles(Graph.from_edges([0], [1]), limit=limit, device="cuda")


@pytest.mark.parametrize("limit", [None, 0, 5, 10**9])
def test_progress_rises_to_the_end(limit):
    told = []
    triadic.list_triangles(rmat(10, seed=2), limit=limit, progress=lambda done, total: told.append((done, total)))
    shares = [done / total for done, total in told if total]
    assert shares == sorted(shares)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_network_without_edges_has_nothing_to_list(n):
    graph = Graph.from_edges([], [], num_vertices=n)
    assert triadic.list_triangles(graph).shape == (0, 3)
    assert list(triadic.list_triangles(graph, batch=1000)) == []


def test_progress_of_parts_rises_to_the_end():
    seen = []
    graph = rmat(10, seed=1)
    found = list(triadic.list_triangles(graph, batch=1000, progress=lambda *at: seen.append(at)))
    assert triples(found) == triples([triadic.list_triangles(graph)])
    assert sorted(set(seen)) == seen
    assert seen[-1][0] == seen[-1][1]
