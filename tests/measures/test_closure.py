"""The local closure coefficient: paths of length two by the vertex that they start at."""

from __future__ import annotations

from fractions import Fraction
from math import isnan

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.errors import ArgumentError


def naive_closure(network):
    """For each vertex, the share of its paths v - u - w whose ends are joined; None where it has none."""
    near = [set() for _ in range(network.vertices)]
    for u, v in network.arcs:
        if u != v:
            near[u].add(v)
            near[v].add(u)
    found = []
    for v in range(network.vertices):
        ends = [w for u in near[v] for w in near[u] if w != v]
        found.append(Fraction(sum(w in near[v] for w in ends), len(ends)) if ends else None)
    return found


@examples(20)
@given(networks())
def test_closure_is_the_share_of_paths_from_a_vertex_that_are_closed(network):
    expected = naive_closure(network)
    graph = network.graph()
    assert triadic.local_closure(graph).tolist() == pytest.approx([float(share or 0) for share in expected])
    defined = [float(share) for share in expected if share is not None]
    if expected:
        assert triadic.average_closure(graph) == pytest.approx(sum(defined) / len(expected))
    if defined:
        assert triadic.average_closure(graph, over="defined") == pytest.approx(sum(defined) / len(defined))


def test_in_a_complete_graph_every_path_is_closed():
    assert triadic.local_closure(nx.complete_graph(6)).tolist() == [1.0] * 6


def test_a_star_is_never_closed_and_its_centre_starts_no_path():
    star = nx.star_graph(5)
    assert triadic.average_closure(star) == 0.0
    assert triadic.average_closure(star, over="defined") == 0.0


def test_the_mean_closure_of_no_vertices_is_nan():
    empty = Graph.from_edges([], [], num_vertices=0)
    assert isnan(triadic.average_closure(empty))
    assert isnan(triadic.average_closure(Graph.from_edges([], [], num_vertices=3), over="defined"))


def test_every_device_computes_the_same_closure(any_device):
    graph = triadic.generate.rmat(9, seed=2)
    np.testing.assert_array_equal(
        triadic.local_closure(graph, device=any_device), triadic.local_closure(graph, device="cpu")
    )


def test_a_tiled_graph_has_the_same_closure(tmp_path):
    graph = triadic.generate.rmat(9, seed=2)
    triadic.write(graph, tmp_path / "network.triadic")
    triadic.tile(tmp_path / "network.triadic", tmp_path / "network.tiles", ranges=3)
    tiled = triadic.TiledGraph(tmp_path / "network.tiles")
    np.testing.assert_array_equal(triadic.local_closure(tiled), triadic.local_closure(graph))
    assert triadic.average_closure(tiled) == triadic.average_closure(graph)


def test_an_unknown_choice_of_vertices_is_an_error():
    with pytest.raises(ArgumentError, match="over='positive': expected one of 'all', 'defined'"):
        triadic.average_closure(nx.path_graph(3), over="positive")
