"""Triangles and clustering at chosen vertices: what all vertices have, taken; found around them where that is less."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.counts import triangles as counts
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError
from triadic.generate import rmat


@st.composite
def chosen_vertices(draw):
    network = draw(networks())
    vertex = st.integers(0, max(0, network.vertices - 1))
    return network, draw(st.lists(vertex, max_size=40 if network.vertices else 0))


@examples(20)
@given(given=chosen_vertices(), threads=st.sampled_from([1, 2, 5]))
def test_selected_vertices_have_the_results_of_all_vertices(given, threads):
    network, vertices = given
    graph = network.graph()
    at_all, local = naive.triangles(network.vertices, network.arcs), triadic.clustering(graph)
    found = triadic.triangles(graph, vertices=vertices, threads=threads)
    assert found.dtype == np.int64
    assert found.tolist() == [at_all[v] for v in vertices]
    assert triadic.clustering(graph, vertices=vertices, threads=threads).tolist() == [local[v] for v in vertices]


@given(given=chosen_vertices())
def test_local_counts_equal_the_oracle_for_any_number_of_vertices(given):
    network, vertices = given
    graph = network.graph().to_undirected()
    at_all = naive.triangles(network.vertices, network.arcs)
    chosen = np.array(vertices, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "_TESTS_PER_EDGE", float("inf"))
        found = counts.count_at(graph.indptr, graph.indices, chosen, threads=2, progress=False)
    if graph.num_edges:  # without edges even nothing is more than nothing
        assert found.tolist() == [at_all[v] for v in vertices]


@pytest.mark.parametrize("directed", [False, True])
def test_one_vertex_of_a_large_graph_is_counted_without_the_others(directed, monkeypatch):
    graph = rmat(14, seed=1, directed=directed)
    expected = triadic.triangles(graph)
    few = np.argsort(graph.degree)[-3000:-2990]
    monkeypatch.setattr(TRIANGLES, "cpu", lambda *_, **__: pytest.fail("all were counted"))
    assert triadic.triangles(graph, vertices=few).tolist() == expected[few].tolist()
    assert triadic.triangles(graph, vertices=few[:1], device="cpu").tolist() == expected[few[:1]].tolist()


def test_a_leaf_searches_the_row_of_its_hub_and_does_not_walk_it():
    """The hub's row is very long; two of its leaves are joined."""
    leaves = 5000
    graph = Graph.from_edges(np.r_[np.zeros(leaves, dtype=int), 1], np.r_[np.arange(1, leaves + 1), 4000])
    indptr, indices = graph.indptr, graph.indices
    chosen = np.array([1, 4000, 2])
    assert counts.count_at(indptr, indices, chosen, threads=1, progress=False).tolist() == [1, 1, 0]
    assert counts.triangle_listing.costs_at(indptr, indices, chosen, threads=1).max() < 100


def test_a_graph_made_of_rows_is_not_oriented_for_one_vertex(monkeypatch):
    graph = rmat(12, seed=1)
    again = Graph.from_csr(graph.indptr, graph.indices, trusted=True)
    monkeypatch.setattr("triadic.graph.graph.orient_csr", lambda *_, **__: pytest.fail("it was oriented"))
    assert triadic.triangles(again, vertices=[5]).tolist() == [triadic.triangles(graph)[5]]


def test_vertices_may_be_a_mask_a_set_or_one_more_than_once():
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], num_vertices=9)
    mask = np.zeros(9, dtype=bool)
    mask[[2, 3]] = True
    assert triadic.triangles(graph, vertices=mask).tolist() == [1, 0]
    assert triadic.triangles(graph, vertices={3, 0}).tolist() == [1, 0]
    assert triadic.triangles(graph, vertices=[3, 2, 2]).tolist() == [0, 1, 1]
    assert triadic.triangles(graph, vertices=[]).tolist() == []
    assert triadic.clustering(graph, vertices=np.array([2], dtype=np.uint16)).tolist() == [1 / 3]


@pytest.mark.parametrize("measure", [triadic.triangles, triadic.clustering])
def test_vertices_that_do_not_exist_are_named(measure):
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2])
    with pytest.raises(ArgumentError, match="vertices: expected numbers below 3, got 3, 7"):
        measure(graph, vertices=[0, 3, 7])
    with pytest.raises(ArgumentError, match=r"vertices\[1\] = -1: expected vertices of at least 0"):
        measure(graph, vertices=[0, -1])
    with pytest.raises(ArgumentError, match=r"vertices: expected a mask of shape \(3,\), got \(2,\)"):
        measure(graph, vertices=[True, False])
    with pytest.raises(ArgumentError, match="vertices: expected a 1-D array of whole numbers"):
        measure(graph, vertices=[0.5])
    with pytest.raises(ArgumentError, match="device='gpu': expected 'auto'"):
        measure(graph, vertices=[0], device="gpu")


def test_a_named_gpu_counts_all_vertices_and_returns_the_selected(gpu_device):
    graph = rmat(9, seed=1)
    expected = triadic.triangles(graph)
    assert triadic.triangles(graph, vertices=[5, 0], device=gpu_device).tolist() == expected[[5, 0]].tolist()
