"""Counts in tiles equal counts in memory to the bit: 20 cuts of five networks, on the CPU, a GPU and a cluster."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from tiled_networks import CUTS, NETWORKS, NIGHTLY, cluster, draw_cuts, store_tiles
from triadic.tiles.memory_tiles import MemoryTiles


@pytest.fixture(scope="module")
def clients():
    """Clients of clusters with one, two and four workers, which all cases use."""
    with cluster(1) as one, cluster(2) as two, cluster(4) as four:
        yield {1: one, 2: two, 4: four}


@pytest.fixture(scope="module", params=NETWORKS)
def case(request, tmp_path_factory):
    """A network, its tiles in 20 cuts, and its counts in memory."""
    graph = NETWORKS[request.param]()
    oriented = graph.oriented()
    folders = []
    for number in range(CUTS):
        folder = tmp_path_factory.mktemp("tiles") / "tiles"
        source = MemoryTiles(oriented, draw_cuts(graph.num_vertices, number), arcs=graph.num_arcs)
        store_tiles(source, folder)
        folders.append(folder)
    expected = triadic.triangles(graph), triadic.triad_census_by_vertex(graph), triadic.clustering(graph)
    return folders, expected


def assert_equal(tiled, expected, **keywords):
    """Compare triangles; in the nightly run also triads and coefficients."""
    counts = (triadic.triangles, triadic.triad_census_by_vertex, triadic.clustering)
    for count, there in zip(counts[: 3 if NIGHTLY else 1], expected, strict=False):
        here = count(tiled, **keywords)
        assert here.dtype == there.dtype
        assert np.array_equal(here, there)


@pytest.mark.parametrize("number", range(CUTS))
def test_on_one_machine(case, number, tmp_path):
    folders, expected = case
    for threads in (1, 2, 3) if NIGHTLY else (number % 3 + 1,):
        assert_equal(triadic.TiledGraph(folders[number], results=tmp_path / f"{threads}"), expected, threads=threads)
    if number % 4 == 0:
        tiled = triadic.TiledGraph(folders[number], results=tmp_path / "triads")
        assert np.array_equal(triadic.triad_census_by_vertex(tiled), expected[1])


@pytest.mark.parametrize("number", range(CUTS))
def test_on_a_gpu(case, number, tmp_path, gpu_device):
    folders, expected = case
    assert_equal(triadic.TiledGraph(folders[number], results=tmp_path), expected, device=gpu_device)


@pytest.mark.parametrize("number", range(CUTS))
def test_on_a_cluster(case, clients, number, tmp_path):
    """In the nightly run each cut on each cluster, otherwise on one of them in turn."""
    folders, expected = case
    for workers in clients if NIGHTLY else (list(clients)[number % 3],):
        tiled = triadic.TiledGraph(folders[number], results=tmp_path / f"{workers}", client=clients[workers])
        assert_equal(tiled, expected)
