"""The first five graphlets by rows: against brute force, what is known by hand, ORCA's figures, and the library."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import known_graphlets
import naive
import naive_graphlets
import triadic
from strategies import examples, networks
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError
from triadic.io import read_arcs
from triadic_papers.fglt import NET_OF_RAW, first_five


def raw_arcs(network):
    """The arcs as a file would give them, loops and repeats among them."""
    return Arcs(network.source.astype(np.int32), network.target.astype(np.int32), network.vertices, network.directed)


def small(network, most=10):
    """The network on its last vertices alone: every four of them can be looked at."""
    n = min(network.vertices, most)
    cut = network.vertices - n
    return network._replace(vertices=n, arcs=[(u - cut, v - cut) for u, v in network.arcs if min(u, v) >= cut])


@given(networks().map(small))
def test_raw_and_net_are_those_of_every_set_of_vertices(network):
    found = first_five(raw_arcs(network))
    assert found.raw.tolist() == [row[:5] for row in naive_graphlets.raw(network.vertices, network.arcs)]
    assert found.net.tolist() == [row[:5] for row in naive_graphlets.net(network.vertices, network.arcs)]


@given(networks())
def test_degrees_and_triangles_are_those_of_brute_force(network):
    found = first_five(network.graph()).raw.reshape(-1, 5)
    assert found[:, 1].tolist() == naive.degree(network.vertices, network.arcs)
    assert found[:, 4].tolist() == naive.triangles(network.vertices, network.arcs)


@pytest.mark.parametrize("network", known_graphlets.SMALL, ids=lambda network: network.name)
def test_networks_known_by_hand_have_their_graphlets(network):
    ends = np.array(network.edges, dtype=np.int64).reshape(-1, 2).T
    found = first_five(triadic.Graph.from_edges(*ends, num_vertices=network.vertices))
    assert found.net.sum(axis=0).tolist() == network.net_sums[:5]


@examples(25)
@given(networks(), st.sampled_from([1, 2, 3, 7, 1024]), st.sampled_from([1, 2, 5]))
def test_any_grid_and_any_number_of_threads_give_the_same(network, grid, threads):
    graph = network.graph()
    found, alone = first_five(graph, grid=grid, threads=threads), first_five(graph, grid=1, threads=1)
    np.testing.assert_array_equal(found.raw, alone.raw)
    np.testing.assert_array_equal(found.net, alone.net)


@given(networks())
def test_raw_arcs_and_their_graph_have_the_same_graphlets(network):
    np.testing.assert_array_equal(first_five(raw_arcs(network)).raw, first_five(network.graph()).raw)


def test_a_directed_network_is_taken_without_its_directions():
    arcs = [0, 1, 2, 2, 3], [1, 2, 0, 3, 2]
    with_them, without = (triadic.Graph.from_edges(*arcs, directed=directed) for directed in (True, False))
    np.testing.assert_array_equal(first_five(with_them).net, first_five(without).net)


def test_net_of_raw_undoes_what_a_triangle_holds():
    held = np.eye(5, dtype=np.int64)
    held[2, 4], held[3, 4] = 2, 1
    np.testing.assert_array_equal(NET_OF_RAW @ held, np.eye(5))


def test_the_counts_are_64_bit_integers_that_cannot_be_written_to():
    for counts in first_five(triadic.Graph.from_edges([0, 1], [1, 2])):
        assert counts.dtype == np.int64
        assert counts.shape == (3, 5)
        assert not counts.flags.writeable


def test_a_network_without_vertices_has_no_rows():
    found = first_five(triadic.Graph.from_edges([], [], num_vertices=0))
    assert found.raw.shape == found.net.shape == (0, 5)


def test_a_hub_of_a_hundred_thousand_has_more_pairs_than_32_bits_hold():
    n = 100_000
    found = first_five(triadic.Graph.from_edges(np.zeros(n, dtype=np.int64), np.arange(1, n + 1)))
    assert found.net[0].tolist() == [1, n, 0, n * (n - 1) // 2, 0]
    assert found.net[1].tolist() == [1, 1, n - 1, 0, 0]


@pytest.mark.parametrize("file", ["USAir97.net.gz", "celegans_metabolic.graph.gz", "delaunay_n16.graph.gz"])
def test_real_networks_have_the_net_graphlets_that_orca_found(real_networks, file):
    expected = json.loads((real_networks / "expected.json").read_text())[file]["net_graphlet_sums_d1_to_d15"]
    found = first_five(read_arcs(real_networks / file)).net
    assert found.sum(axis=0)[1:].tolist() == expected[:4]


def test_a_real_network_has_the_triangles_that_the_library_finds(real_networks):
    graph = triadic.read(real_networks / "wiki-Vote.txt.gz")
    np.testing.assert_array_equal(first_five(graph, threads=2).net[:, 4], triadic.triangles(graph))


@pytest.mark.parametrize("grid", [0, -1, 2.0, True, "all"])
def test_a_grid_without_blocks_is_refused(grid):
    with pytest.raises(ArgumentError, match=r"grid=.*: expected a whole number of at least 1"):
        first_five(triadic.Graph.from_edges([0], [1]), grid=grid)


def test_no_threads_are_refused():
    with pytest.raises(ArgumentError, match="threads=0"):
        first_five(triadic.Graph.from_edges([0], [1]), threads=0)
