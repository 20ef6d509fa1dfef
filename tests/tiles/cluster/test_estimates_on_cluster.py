"""Wedges that workers of a Dask cluster draw are those of one machine."""

from __future__ import annotations

import numpy as np
import pytest

import triadic
from pairs import by_night
from tiles_of_clusters import kill_a_worker, on_two_processes
from triadic.devices.cpu.draws import wedge_sampling
from triadic.errors import CountOverflowError, ReadError, UnsupportedError
from triadic.tiles import wedge_draws
from triadic.tiles.cluster import dask_cluster
from triadic.tiles.cluster.tile_transfer import drop_cached_tiles
from triadic.tiles.tile_file import tile_name

distributed = pytest.importorskip("distributed")
QUANTITIES = ("transitivity", "average_clustering", "triangles", "triads")


@pytest.fixture(scope="module")
def rmat(tmp_path_factory):
    """Return a directed R-MAT graph, and a folder with its tiles in four ranges."""
    graph = triadic.generate.rmat(9, seed=3, directed=True)
    folder = tmp_path_factory.mktemp("rmat")
    triadic.write(graph, folder / "network.triadic")
    triadic.tile(folder / "network.triadic", folder / "tiles", ranges=4)
    return graph, folder / "tiles"


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(wedge_draws, "_BATCH", 1 << 12)


def assert_same(found, expected):
    for name in ("value", "low", "high"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert (found.samples, found.pilot, found.stopped) == (expected.samples, expected.pilot, expected.stopped)


@pytest.mark.parametrize("of", QUANTITIES)
def test_a_cluster_estimates_what_one_machine_does(here, rmat, of, tmp_path):
    _, tiles = rmat
    one = triadic.TiledGraph(tiles, results=tmp_path / "one")
    cluster = triadic.TiledGraph(tiles, client=here, results=tmp_path / "cluster")
    for goal in ({"samples": 15_000}, {"error": 0.1, "max_samples": 40_000}):
        assert_same(triadic.estimate(cluster, of=of, seed=5, **goal), triadic.estimate(one, of=of, seed=5, **goal))
    assert not list((tmp_path / "cluster").rglob("degree.npy"))  # of all vertices, on the client


@pytest.mark.parametrize(
    ("of", "ranges"),
    by_night([*zip(QUANTITIES, (1, 3, 7, 3), strict=True)], QUANTITIES, (1, 3, 7)),
)
def test_a_graph_in_memory_is_estimated_by_a_cluster_as_without_one(here, rmat, of, ranges):
    for graph in rmat[0], rmat[0].to_undirected():
        tiled = triadic.TiledGraph.of(graph, client=here, ranges=ranges)
        found = triadic.estimate(tiled, of=of, samples=10_000, seed=7)
        assert_same(found, triadic.estimate(graph, of=of, samples=10_000, seed=7))


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("together", [1, 3])
def test_every_draw_of_a_cluster_is_that_of_the_graph(here, rmat, local, together, monkeypatch):
    monkeypatch.setattr(dask_cluster, "_TOGETHER", together)
    graph = rmat[0]
    draws = triadic.TiledGraph.of(graph, client=here, ranges=5).oriented().wedge_draws
    oriented = graph.oriented()
    table = wedge_sampling.row_table(oriented.indptr, oriented.degree, local=local, threads=1)
    assert draws.total(local=local) == table.total
    for first, stop in ((0, 9), (3, 4), (4000, 20_000), (19_000, 19_500)):
        np.testing.assert_array_equal(
            draws.tally(11, first, stop, local, None),
            wedge_sampling.tally(graph.oriented(), table, 11, first, stop, local, threads=1),
        )


@pytest.mark.parametrize("edges", [([], []), ([0], [1]), ([0, 0, 0], [1, 2, 3]), ([0, 1, 2], [1, 2, 0])])
@pytest.mark.parametrize("of", QUANTITIES)
def test_graphs_with_hardly_an_edge(here, edges, of):
    graph = triadic.Graph.from_edges(*edges, num_vertices=6)
    tiled = triadic.TiledGraph.of(graph, client=here, ranges=3)
    assert_same(
        triadic.estimate(tiled, of=of, samples=100, seed=1), triadic.estimate(graph, of=of, samples=100, seed=1)
    )


@pytest.mark.nightly
@pytest.mark.parametrize("stored", [True, False])
def test_a_worker_is_killed_between_two_passes(rmat, tmp_path, stored, monkeypatch):
    graph, tiles = rmat
    killed, find = [], wedge_draws.members_of

    def estimate(client):
        def kill_one(*arguments):
            if not killed and kill_a_worker(client):
                killed.append(True)
            return find(*arguments)

        monkeypatch.setattr(wedge_draws, "members_of", kill_one)
        tiled = (
            triadic.TiledGraph(tiles, client=client, results=tmp_path)
            if stored
            else triadic.TiledGraph.of(graph, client=client, ranges=4)
        )
        return triadic.estimate(tiled, of="average_clustering", samples=9000, seed=3)

    found = on_two_processes(estimate)
    assert killed
    one = triadic.TiledGraph(tiles, results=tmp_path) if stored else graph
    assert_same(found, triadic.estimate(one, of="average_clustering", samples=9000, seed=3))


def test_a_damaged_tile_is_named(here, rmat, tmp_path):
    _, tiles = rmat
    damaged = tiles / tile_name(2, 1)
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    here.run(drop_cached_tiles)
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    try:
        with pytest.raises(ReadError, match=damaged.name):
            triadic.estimate(tiled, of="triangles", samples=100, seed=1)
    finally:
        damaged.write_bytes(whole)
    assert triadic.estimate(tiled, of="triangles", samples=100, seed=1).value > 0


def test_more_wedges_than_can_be_drawn_from_are_refused(here, rmat, monkeypatch):
    monkeypatch.setattr(wedge_draws, "_LARGEST", 1000)
    tiled = triadic.TiledGraph.of(rmat[0], client=here, ranges=2)
    with pytest.raises(CountOverflowError, match=r"the number of wedges exceeds 2\*\*62"):
        triadic.estimate(tiled, of="triangles", samples=100, seed=1)


def test_paths_of_a_graph_on_a_cluster_are_refused(here, rmat):
    tiled = triadic.TiledGraph.of(rmat[0], client=here, ranges=2)
    with pytest.raises(UnsupportedError, match="random paths, cliques, and wedges"):
        triadic.estimate(tiled, of="graphlets", samples=100, seed=1)
