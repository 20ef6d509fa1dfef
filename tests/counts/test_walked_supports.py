"""Supports by walks of rows: equal to the oracle, and to the way with lists, for any number of threads."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from strategies import examples, networks
from triadic import Graph, generate
from triadic.core.oriented import Sizes
from triadic.devices.cpu.triangles import supports
from triadic.devices.cpu.triangles.supports import MOST_WORKERS, by_walks

SHAPES = {
    "nothing": nx.empty_graph(0),
    "no edge": nx.empty_graph(5),
    "clique": nx.complete_graph(70),
    "two sides": nx.complete_bipartite_graph(9, 12),
    "star": nx.star_graph(40),
    "wheel": nx.wheel_graph(90),
    "torus": nx.grid_2d_graph(12, 9, periodic=True),
    "hubs with leaves": nx.compose(nx.complete_graph(30), nx.star_graph(400)),
    "cliques in a chain": nx.ring_of_cliques(8, 9),
}


def oriented_of(network):
    network = nx.convert_node_labels_to_integers(network)
    ends = np.array(network.edges, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(ends[:, 0], ends[:, 1], num_vertices=len(network)).oriented()


def by_lists(oriented, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(supports, "by_walks", lambda *_, **__: None)
        return supports.by_edge(oriented, threads=1)


@pytest.fixture
def always(monkeypatch):
    """Walks are chosen for graphs of any size and degrees."""
    monkeypatch.setattr(supports, "FEW_ENTRIES", 0)
    monkeypatch.setattr(supports, "_MADE", 1e12)


@pytest.mark.usefixtures("always")
@examples(25)
@given(network=networks(), threads=st.integers(1, MOST_WORKERS))
def test_supports_are_what_the_oracle_counts(network, threads):
    oriented = network.graph().oriented()
    found = by_walks(oriented, threads=threads)
    if oriented.num_edges == 0:
        return
    at_vertex = np.zeros(network.vertices, dtype=np.int64)
    rows = np.repeat(np.arange(network.vertices), np.diff(oriented.indptr))
    np.add.at(at_vertex, rows, found)
    np.add.at(at_vertex, oriented.indices, found)
    assert (at_vertex[oriented.rank] // 2).tolist() == naive.triangles(network.vertices, network.arcs)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("threads", range(1, MOST_WORKERS + 1))
def test_supports_are_those_by_lists(name, threads, monkeypatch):
    oriented = oriented_of(SHAPES[name])
    found = supports.by_edge(oriented, threads=threads)
    assert found.dtype == np.int32
    assert found.tolist() == by_lists(oriented, monkeypatch).tolist()


@pytest.mark.parametrize("threads", [1, 2, MOST_WORKERS])
def test_the_rows_of_a_mesh_are_walked(threads, monkeypatch):
    oriented = generate.delaunay(8000, seed=1).oriented()
    assert by_walks(oriented, threads=threads).tolist() == by_lists(oriented, monkeypatch).tolist()


def test_lists_are_made_for_many_workers_and_next_to_hubs():
    assert by_walks(generate.delaunay(8000, seed=1).oriented(), threads=MOST_WORKERS + 1) is None
    assert by_walks(generate.rmat(14, seed=1).oriented(), threads=1) is None


@pytest.mark.parametrize("name", SHAPES)
def test_the_entries_that_are_walked_are_known_from_rows_and_degrees(name):
    oriented = oriented_of(SHAPES[name])
    length = np.diff(oriented.indptr)
    walked = int(length[oriented.indices].sum())
    assert oriented.sizes.walked == walked
    assert Sizes(oriented.num_vertices, oriented.num_edges, indptr=oriented.indptr).walked >= walked
    assert oriented.sizes.degree_squares == sum(k * k for _, k in SHAPES[name].degree)


def test_predicted_memory_is_that_of_walks_where_rows_are_known_to_be_short():
    sizes = generate.barabasi_albert(20_000, 8, seed=1).oriented().sizes
    lists = supports.bytes_of_neighbourhoods(sizes, 1)
    assert supports.bytes_of_supports(sizes, 1) < lists / 2
    assert supports.bytes_of_supports(Sizes(sizes.vertices, sizes.edges), 1) >= lists
