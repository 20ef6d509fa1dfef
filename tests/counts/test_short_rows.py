"""One walk from each vertex where degrees are small: equal to the oracle and to the passes for any degrees."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
import naive_graphlets
from strategies import examples, networks
from triadic import Graph, generate
from triadic.core import blocks
from triadic.devices.cpu.orbits import four_vertex, short_rows

# Every degree is at most 63; cliques of 64 fill all bits of a word, and wheels with 63 spokes the table of ends.
SHAPES = {
    "one vertex": nx.empty_graph(1),
    "one edge": nx.path_graph(2),
    "clique of 63": nx.complete_graph(63),
    "clique of 64": nx.complete_graph(64),
    "two sides of 63": nx.complete_bipartite_graph(63, 63),
    "wheel": nx.wheel_graph(64),
    "star": nx.star_graph(63),
    "63 neighbours each": nx.random_regular_graph(63, 300, seed=1),
    "torus": nx.grid_2d_graph(17, 9, periodic=True),
    "octahedra in a ring": nx.circulant_graph(50, [1, 2]),
    "rows of 8 and 9": nx.union(nx.complete_graph(9), nx.complete_graph(10), rename=("a", "b")),
}


def oriented_of(network):
    network = nx.convert_node_labels_to_integers(network)
    ends = np.array(network.edges, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], num_vertices=len(network)).oriented()


def passes(oriented):
    """The counts by the passes for any degrees, in chunks so small that the walk is not chosen."""
    return four_vertex.by_vertex(oriented, threads=1, chunk_bytes=1 << 20)


def assert_same(found, expected):
    for name in expected._fields:
        assert getattr(found, name).dtype == np.int64
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@pytest.fixture(params=["ordered", "hashed"])
def way(request, monkeypatch):
    """Each way to walk: the search of an order is never given up, or at once."""
    monkeypatch.setattr(short_rows, "LONGEST_QUEUE", 1 << 62 if request.param == "ordered" else 0)


@pytest.mark.usefixtures("way")
@examples(25)
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


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("threads", [1, 2, 16])
def test_networks_of_degrees_up_to_63_have_the_counts_of_the_passes(name, threads, monkeypatch):
    monkeypatch.setattr(blocks, "piece", lambda _: 16)
    oriented = oriented_of(SHAPES[name])
    assert_same(short_rows.by_vertex(oriented, threads=threads), passes(oriented))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_mesh_and_a_sparse_random_network_have_the_counts_of_the_passes(threads):
    for oriented in (generate.delaunay(5000, seed=2).oriented(), oriented_of(nx.gnm_random_graph(3000, 5000, seed=1))):
        assert short_rows.fits(oriented.sizes)
        expected = passes(oriented)
        assert_same(short_rows.by_vertex(oriented, threads=threads), expected)
        assert_same(four_vertex.by_vertex(oriented, threads=threads), expected)


@pytest.mark.nightly  # the tests of triangles and of declared counts have 64-bit ids in every run
@pytest.mark.usefixtures("way")
def test_wide_ids_have_the_same_counts():
    oriented = generate.delaunay(500, seed=2).oriented()
    wide = replace(oriented, rank=oriented.rank.astype(np.int64), indices=oriented.indices.astype(np.int64))
    assert_same(short_rows.by_vertex(wide, threads=2), short_rows.by_vertex(oriented, threads=2))


def test_the_walk_is_chosen_for_small_degrees_alone(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("walked")

    monkeypatch.setattr(short_rows, "by_vertex", fail)
    hub = nx.star_graph(64)
    hub.add_edges_from((65 + i, 66 + i) for i in range(5000))
    for network in (hub, nx.complete_graph(40), nx.random_regular_graph(20, 100, seed=1), nx.empty_graph(0)):
        four_vertex.by_vertex(oriented_of(network), threads=1)
    with pytest.raises(AssertionError, match="walked"):
        four_vertex.by_vertex(oriented_of(nx.grid_2d_graph(10, 10)), threads=1)


@pytest.mark.parametrize(
    "network",
    [
        nx.grid_2d_graph(30, 20),
        nx.disjoint_union(nx.cycle_graph(9), nx.path_graph(5)),
        nx.empty_graph(4),
        nx.star_graph(9),
    ],
)
def test_the_search_numbers_vertices_by_their_distance_from_its_roots(network):
    oriented = oriented_of(network)
    n = oriented.num_vertices
    (ptr, ends, order), searched = short_rows.rows_in_order(oriented, longest_queue=n, threads=2)
    assert searched
    vertex = np.empty(n, dtype=np.int64)
    vertex[oriented.rank] = np.arange(n)
    at = vertex[order]
    assert sorted(at.tolist()) == list(range(n))
    network = nx.convert_node_labels_to_integers(network)
    order_met = at.tolist()
    for component in nx.connected_components(network):
        met = [vertex for vertex in order_met if vertex in component]
        distance = nx.single_source_shortest_path_length(network, met[0])
        assert [distance[vertex] for vertex in met] == sorted(distance.values())
    for place in range(n):
        row = at[ends[ptr[place] : ptr[place + 1]]]
        assert sorted(row.tolist()) == sorted(network[int(at[place])])


def test_the_search_is_given_up_if_its_queue_is_too_long():
    (ptr, ends, _), searched = short_rows.rows_in_order(oriented_of(nx.star_graph(40)), longest_queue=30, threads=1)
    assert not searched
    assert ends[: ptr[1]].tolist() == list(range(1, 41))
