"""Networks for tests of tiles, cuts of them, their tiles in a folder, and clusters that count them."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from hypothesis import strategies as st

import triadic
from stored_edges import ranks_of
from triadic.tiles.file_format import degree_name, put_all_vertices, put_array
from triadic.tiles.layout import Header, write_header
from triadic.tiles.sorting import SortedTile
from triadic.tiles.store import FolderStore
from triadic.tiles.tile_file import tile_name, tile_parts


def of_arcs(source, target, vertices):
    return triadic.Graph.from_edges(source, target, num_vertices=vertices, directed=True)


def clique_with_leaves():
    """A clique of 40 with 160 leaves and 20 isolated vertices."""
    u, v = np.triu_indices(40, 1)
    leaves = np.arange(40, 200)
    return of_arcs(np.concatenate([u, leaves]), np.concatenate([v, leaves % 40]), 220)


def hubs():
    """Ends drawn from a distribution with a long tail: loops and repeats, and a vertex with most of the edges."""
    source, target = np.random.default_rng(7).zipf(1.5, (2, 1500)) % 150
    return of_arcs(source, target, 150)


def two_sides():
    """No triangle, except for three edges on one side."""
    source, target = np.random.default_rng(8).integers(0, 60, (2, 700))
    return of_arcs(np.concatenate([source, [0, 1, 2]]), np.concatenate([60 + target, [1, 2, 0]]), 120)


NETWORKS = {
    "R-MAT": lambda: triadic.generate.rmat(8, seed=5, directed=True),
    "sparse": lambda: triadic.generate.make_graph(triadic.generate.RMat(9, edge_factor=2, seed=6, directed=True)),
    "clique with leaves": clique_with_leaves,
    "hubs": hubs,
    "two sides": two_sides,
}


@cache
def network(name):
    """Return one of the networks, made once."""
    return NETWORKS[name]()


@st.composite
def cuts(draw, vertices):
    """The first ranks of ranges and n: even ranges, ranges of one rank (hubs), empty ranges, and random ones."""
    inner = draw(
        st.one_of(
            st.integers(1, 6).map(lambda ranges: [i * vertices // ranges for i in range(1, ranges)]),
            st.integers(1, 8).map(lambda hubs: list(range(1, hubs))),
            st.lists(st.integers(0, vertices), max_size=6).map(sorted),
        )
    )
    return np.array([0, *np.minimum(inner, vertices), vertices], dtype=np.int64)


@st.composite
def cut_networks(draw):
    """The name of a network, and cuts of it."""
    name = draw(st.sampled_from(list(NETWORKS)))
    return name, draw(cuts(network(name).num_vertices))


def store_tiles(source, folder):
    """Write tiles with any cuts to a folder."""
    store, layout = FolderStore(folder), source.layout
    checksums = put_all_vertices(store, store, ranks_of(source), layout.cuts, None)
    for i in range(layout.ranges):
        checksums[degree_name(i)] = put_array(store, degree_name(i), np.ascontiguousarray(source.degree(i)))
        for j in range(i + 1):
            tile = source.tile(i, j)
            parts = tile_parts(
                i, j, SortedTile(np.diff(tile.indptr), tile.indices, tile.state, len(tile.indices), tile.weights)
            )
            store.put(tile_name(i, j), parts)
    write_header(store, Header(layout, None, {}, checksums))


@contextmanager
def cluster(workers):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=False,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield client
