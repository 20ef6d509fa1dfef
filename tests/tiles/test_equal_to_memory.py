"""Counts in tiles equal counts in memory to the bit, in any cut of five networks, on the CPU, a GPU and a cluster."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import NIGHTLY, examples
from tiled_networks import cluster, cut_networks, network, store_tiles
from triadic.tiles.memory_tiles import MemoryTiles

COUNTS = (triadic.triangles, partial(triadic.triad_census, by="vertex"), triadic.clustering)


@pytest.fixture(scope="module")
def clients():
    """Clients of clusters with two workers, and in the nightly run with one and four, which all cases use."""
    with cluster(2) as two:
        if not NIGHTLY:
            yield [two]
            return
        with cluster(1) as one, cluster(4) as four:
            yield [one, two, four]


@cache
def expected(name, count):
    return count(network(name))


@contextmanager
def folder_of_tiles(cut):
    """Write the tiles of a cut to a folder; results of counts are kept in another."""
    name, cuts = cut
    graph = network(name)
    with tempfile.TemporaryDirectory() as folder:
        store_tiles(MemoryTiles(graph.oriented(), cuts, arcs=graph.num_arcs), Path(folder) / "tiles")
        yield folder


def assert_equal(tiled, name, count, **keywords):
    here, there = count(tiled, **keywords), expected(name, count)
    assert here.dtype == there.dtype
    assert np.array_equal(here, there)


@given(cut=cut_networks(), threads=st.integers(1, 3), count=st.sampled_from(COUNTS))
@examples(50)
def test_on_one_machine(cut, threads, count):
    with folder_of_tiles(cut) as folder:
        assert_equal(triadic.TiledGraph(f"{folder}/tiles"), cut[0], count, threads=threads)


@given(cut=cut_networks(), count=st.sampled_from(COUNTS))
@examples(20)
def test_on_a_gpu(gpu_device, cut, count):
    with folder_of_tiles(cut) as folder:
        assert_equal(triadic.TiledGraph(f"{folder}/tiles"), cut[0], count, device=gpu_device)


@given(cut=cut_networks(), count=st.sampled_from(COUNTS), data=st.data())
@examples(10)
def test_on_a_cluster(clients, cut, count, data):
    client = data.draw(st.sampled_from(clients)) if len(clients) > 1 else clients[0]
    with folder_of_tiles(cut) as folder:
        assert_equal(triadic.TiledGraph(f"{folder}/tiles", results=f"{folder}/results", client=client), cut[0], count)
