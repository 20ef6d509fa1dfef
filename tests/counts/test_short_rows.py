"""One walk from each vertex where degrees are small: equal to the oracle and to the passes for any degrees."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import naive_graphlets
from strategies import networks
from triadic import Graph, generate
from triadic.core import blocks
from triadic.devices.cpu import four_vertex, short_rows

# Every degree is at most 64; cliques of 65 fill all bits of a word, and wheels with 64 spokes the table of ends.
SHAPES = {
    "one vertex": nx.empty_graph(1),
    "one edge": nx.path_graph(2),
    "clique of 64": nx.complete_graph(64),
    "clique of 65": nx.complete_graph(65),
    "two sides of 64": nx.complete_bipartite_graph(64, 64),
    "wheel": nx.wheel_graph(65),
    "star": nx.star_graph(64),
    "64 neighbours each": nx.random_regular_graph(64, 300, seed=1),
    "torus": nx.grid_2d_graph(17, 9, periodic=True),
    "octahedra in a ring": nx.circulant_graph(50, [1, 2]),
    "rows of 8 and 9": nx.union(nx.complete_graph(9), nx.complete_graph(10), rename=("a", "b")),
}


def oriented_of(network):
    network = nx.convert_node_labels_to_integers(network)
    ends = np.array(network.edges, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], vertices=len(network)).oriented()


def passes(oriented):
    """The counts by the passes for any degrees, in chunks so small that the walk is not chosen."""
    return four_vertex.by_vertex(oriented, threads=1, chunk_bytes=1 << 20)


def assert_same(found, expected):
    for name in expected._fields:
        assert getattr(found, name).dtype == np.int64
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@settings(max_examples=80)
@given(network=networks(), threads=st.sampled_from([1, 2, 16]))
def test_every_count_is_what_the_oracle_counts(network, threads):
    n, arcs = network.vertices, network.arcs
    oriented = network.graph().oriented()
    if int(oriented.degree.max(initial=0)) > short_rows.LARGEST_DEGREE:
        return
    found, rank = short_rows.by_vertex(oriented, threads=threads), oriented.rank
    assert found.triangles[rank].tolist() == naive.triangles(n, arcs)
    assert found.squares[rank].tolist() == naive_graphlets.squares(n, arcs)
    assert found.tetrahedra[rank].tolist() == naive_graphlets.tetrahedra(n, arcs)
    assert found.off_chord[rank].tolist() == naive_graphlets.diamonds_off_chord(n, arcs)
    assert found.support_pairs[rank].tolist() == naive_graphlets.diamonds_on_chord(n, arcs)
    assert_same(found, passes(oriented))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_networks_of_degrees_up_to_64_have_the_counts_of_the_passes(name, threads, monkeypatch):
    monkeypatch.setattr(blocks, "piece", lambda _: 16)
    oriented = oriented_of(SHAPES[name])
    assert_same(short_rows.by_vertex(oriented, threads=threads), passes(oriented))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_mesh_and_a_sparse_random_network_have_the_counts_of_the_passes(threads):
    for oriented in (generate.delaunay(5000, seed=2).oriented(), oriented_of(nx.gnm_random_graph(3000, 5000, seed=1))):
        assert short_rows.fits(oriented)
        expected = passes(oriented)
        assert_same(short_rows.by_vertex(oriented, threads=threads), expected)
        assert_same(four_vertex.by_vertex(oriented, threads=threads), expected)


def test_wide_ids_have_the_same_counts():
    oriented = generate.delaunay(500, seed=2).oriented()
    wide = replace(oriented, rank=oriented.rank.astype(np.int64), indices=oriented.indices.astype(np.int64))
    assert_same(short_rows.by_vertex(wide, threads=2), short_rows.by_vertex(oriented, threads=2))


def test_the_walk_is_chosen_for_small_degrees_alone(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("walked")

    monkeypatch.setattr(short_rows, "by_vertex", fail)
    hub = nx.star_graph(65)
    hub.add_edges_from((66 + i, 67 + i) for i in range(5000))
    for network in (hub, nx.complete_graph(40), nx.random_regular_graph(20, 100, seed=1), nx.empty_graph(0)):
        four_vertex.by_vertex(oriented_of(network), threads=1)
    with pytest.raises(AssertionError, match="walked"):
        four_vertex.by_vertex(oriented_of(nx.grid_2d_graph(10, 10)), threads=1)
