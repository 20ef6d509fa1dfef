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
    by_vertex = triadic.signed_triangles(signed(*network), by="vertex", threads=threads).to_numpy()
    np.testing.assert_array_equal(by_vertex, expected)
    assert by_vertex.dtype == np.int64
    total = triadic.signed_triangles(signed(*network), threads=threads)
    assert total == dict(zip(SIGNED_TRIANGLE_NAMES, (expected.sum(axis=0) // 3).tolist(), strict=True))
    assert {type(count) for count in total.values()} == {int}


@examples(20)
@given(network=signed_networks())
def test_balance_is_the_share_of_triangles_with_an_even_number_of_negative_edges(network):
    found = triadic.signed_triangles(signed(*network))
    balance = triadic.structural_balance(signed(*network))
    if sum(found.values()) == 0:
        assert isnan(balance)
    else:
        assert balance == (found["+++"] + found["+--"]) / sum(found.values())


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
    graphs = (Graph.from_edges(source, target, weights=s) for s in (sign, -sign))
    found, turned = (triadic.signed_triangles(graph, by="vertex").to_numpy() for graph in graphs)
    np.testing.assert_array_equal(found[:, ::-1], turned)
    graph = Graph.from_edges(source, target, num_vertices=len(found))
    np.testing.assert_array_equal(found.sum(axis=1), triadic.triangles(graph))


@pytest.mark.parametrize("threads", [2, 16])
def test_any_number_of_threads_returns_the_same(threads):
    source, target = rmat(9, seed=1).edges()
    graph = Graph.from_edges(source, target, weights=np.where((source + target) % 3 == 0, -1, 1))
    np.testing.assert_array_equal(
        *(triadic.signed_triangles(graph, by="vertex", threads=count).to_numpy() for count in (threads, 1))
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
    graph = Graph.from_edges([], [], num_vertices=n, weights=[])
    assert triadic.signed_triangles(graph, by="vertex").to_numpy().tolist() == [[0] * 4] * n
    assert set(triadic.signed_triangles(graph).values()) == {0}
    assert isnan(triadic.structural_balance(graph))


def test_the_slashdot_zoo_is_mostly_in_balance(real_networks):
    """Where two disagree on being friends, friendship counts."""
    name = "soc-sign-Slashdot090221.txt.gz"
    graph = triadic.read(real_networks / name, weights=True).to_undirected(combine="max")
    found = triadic.signed_triangles(graph)
    expected = json.loads((real_networks / "expected.json").read_text())[name]
    assert sum(found.values()) == expected["triangles"]
    assert found["+++"] > found["+--"] > found["++-"] > found["---"]
    assert 0.86 < triadic.structural_balance(graph) < 0.87


def test_a_gpu_returns_the_same_counts(gpu_device):
    source, target = rmat(9, seed=1).edges()
    graph = Graph.from_edges(source, target, weights=np.where((source + target) % 3 == 0, -1, 1))
    devices = gpu_device, "cpu"
    found, expected = (triadic.signed_triangles(graph, by="vertex", device=device).to_numpy() for device in devices)
    np.testing.assert_array_equal(found, expected)
    assert triadic.structural_balance(graph, device=gpu_device) == triadic.structural_balance(graph)
