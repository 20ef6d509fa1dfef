"""Signed triangles: equal to looking at every triple; balance is their share with an even number of negative edges."""

from __future__ import annotations

import json
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_triangles
import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.errors import ArgumentError
from triadic.generate import rmat
from triadic.measures.weighted_triads import SIGNED_TRIANGLE_NAMES


@st.composite
def signed_networks(draw):
    network = draw(networks(directed=False))
    random = draw(st.randoms(use_true_random=False))
    return network.vertices, {edge: random.choice((1, -1)) for edge in naive.edges(network.arcs)}


def signed(vertices, sign):
    source, target = np.array(list(sign), dtype=np.int64).reshape(-1, 2).T
    return Graph.from_edges(source, target, num_vertices=vertices, weights=list(sign.values()))


@examples(20)
@given(network=signed_networks(), threads=st.sampled_from([1, 2, 5]))
def test_triangles_are_counted_by_their_negative_edges(network, threads):
    expected = np.array(naive_triangles.signed_triangles(*network), dtype=np.int64).reshape(-1, 4)
    found = triadic.signed_triangles(signed(*network), threads=threads)
    np.testing.assert_array_equal(found.by_vertex, expected)
    assert found.by_vertex.dtype == np.int64
    assert found.total == dict(zip(SIGNED_TRIANGLE_NAMES, (expected.sum(axis=0) // 3).tolist(), strict=True))
    assert {type(count) for count in found.total.values()} == {int}


@examples(20)
@given(network=signed_networks())
def test_balance_is_the_share_of_triangles_with_an_even_number_of_negative_edges(network):
    found = triadic.signed_triangles(signed(*network))
    balance = triadic.structural_balance(signed(*network))
    if sum(found.total.values()) == 0:
        assert isnan(balance)
        assert isnan(found.balance)
    else:
        assert balance == found.balance
        assert balance == (found.total["+++"] + found.total["+--"]) / sum(found.total.values())


def test_two_camps_are_in_balance():
    """All friends within, all enemies across: Harary's theorem."""
    u, v = np.triu_indices(30, k=1)
    sign = np.where((u < 12) == (v < 12), 1, -1)
    graph = Graph.from_edges(u, v, weights=sign)
    assert triadic.structural_balance(graph) == 1.0
    assert triadic.structural_balance(Graph.from_edges(u, v, weights=-sign)) < 1.0


def test_changing_every_sign_reverses_the_types():
    source, target = rmat(10, seed=1).edges()
    sign = np.random.default_rng(1).choice([1, -1], len(source))
    found, turned = (triadic.signed_triangles(Graph.from_edges(source, target, weights=s)) for s in (sign, -sign))
    np.testing.assert_array_equal(found.by_vertex[:, ::-1], turned.by_vertex)
    np.testing.assert_array_equal(
        found.by_vertex.sum(axis=1),
        triadic.triangles(Graph.from_edges(source, target, num_vertices=len(found.by_vertex))),
    )


@pytest.mark.parametrize("threads", [2, 16])
def test_any_number_of_threads_returns_the_same(threads):
    source, target = rmat(9, seed=1).edges()
    graph = Graph.from_edges(source, target, weights=np.where((source + target) % 3 == 0, -1, 1))
    np.testing.assert_array_equal(
        triadic.signed_triangles(graph, threads=threads).by_vertex, triadic.signed_triangles(graph, threads=1).by_vertex
    )


@pytest.mark.parametrize("measure", [triadic.signed_triangles, triadic.structural_balance])
class TestBadInput:
    @pytest.mark.parametrize("weight", [0, 2, -0.5])
    def test_weights_that_are_no_signs(self, measure, weight):
        graph = Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, weight, -1])
        with pytest.raises(ArgumentError, match=rf"expected \+1 and -1 alone, got {weight:g} between vertices 1 and 2"):
            measure(graph)

    def test_no_weights(self, measure):
        with pytest.raises(ArgumentError, match="graph: has no weights"):
            measure(Graph.from_edges([0, 1, 2], [1, 2, 0]))

    def test_directions(self, measure):
        with pytest.raises(ArgumentError, match=r"graph\.to_undirected.* returns one"):
            measure(Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 1, -1], directed=True))

    def test_a_device_that_there_is_not(self, measure):
        graph = Graph.from_edges([0, 1, 2], [1, 2, 0], weights=[1, 1, -1])
        with pytest.raises(ArgumentError, match="device='gpu': expected 'auto'"):
            measure(graph, device="gpu")


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_network_without_edges_has_no_signed_triangle(n):
    found = triadic.signed_triangles(Graph.from_edges([], [], num_vertices=n, weights=[]))
    assert found.by_vertex.tolist() == [[0] * 4] * n
    assert set(found.total.values()) == {0}
    assert isnan(found.balance)


def test_the_slashdot_zoo_is_mostly_in_balance(real_networks):
    """Where two disagree on being friends, friendship counts."""
    name = "soc-sign-Slashdot090221.txt.gz"
    graph = triadic.read(real_networks / name, weights=True).to_undirected(combine="max")
    found = triadic.signed_triangles(graph)
    expected = json.loads((real_networks / "expected.json").read_text())[name]
    assert sum(found.total.values()) == expected["triangles"]
    assert found.total["+++"] > found.total["+--"] > found.total["++-"] > found.total["---"]
    assert 0.86 < triadic.structural_balance(graph) == found.balance < 0.87


def test_a_gpu_returns_the_same_counts(gpu_device):
    source, target = rmat(9, seed=1).edges()
    graph = Graph.from_edges(source, target, weights=np.where((source + target) % 3 == 0, -1, 1))
    found, expected = (triadic.signed_triangles(graph, device=device) for device in (gpu_device, "cpu"))
    np.testing.assert_array_equal(found.by_vertex, expected.by_vertex)
    assert triadic.structural_balance(graph, device=gpu_device) == expected.balance
