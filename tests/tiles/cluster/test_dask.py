"""A Dask cluster returns the same counts as one thread, even if workers die."""

from __future__ import annotations

import os
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from strategies import NIGHTLY, examples
from tiles_of_clusters import kill_a_worker, on_two_processes
from triadic.devices.runtimes import registry
from triadic.devices.runtimes.registry import is_installed
from triadic.errors import ArgumentError, DeviceError, MissingExtraError, MissingFileError, ReadError, TriadicError
from triadic.measures.directed_clustering import cycle_transitivity
from triadic.tiles.cluster import cluster_count, dask_cluster
from triadic.tiles.cluster.client import _cards, connect, enough_ranges, new_processes
from triadic.tiles.cluster.tile_transfer import TileAddress, open_stored
from triadic.tiles.cluster.worker_watch import ATTEMPTS, LostDataError
from triadic.tiles.sums import PartCounter
from triadic.tiles.tile_file import tile_name

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def rmat(tmp_path_factory):
    """Return a directed R-MAT graph, and a folder with its tiles in five ranges."""
    model = triadic.generate.RMat(9, seed=3, directed=True)
    tiles = tmp_path_factory.mktemp("rmat") / "tiles"
    triadic.tile(model, tiles, ranges=5)
    return triadic.generate.make_graph(model), tiles


def assert_equal(tiled, graph):
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))
    assert triadic.triad_census(tiled) == triadic.triad_census(graph)
    assert np.array_equal(triadic.triad_census(tiled, by="vertex"), triadic.triad_census(graph, by="vertex"))


@given(ranges=st.integers(1, 9))
@examples(4)
def test_a_graph_in_memory_in_any_number_of_ranges(here, rmat, ranges):
    graph, _ = rmat
    tiled = triadic.TiledGraph.of(graph, client=here, ranges=ranges)
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))


def test_one_worker(rmat, tmp_path):
    graph, tiles = rmat
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert_equal(triadic.TiledGraph(tiles, client=client, results=tmp_path), graph)
        tiled = triadic.TiledGraph.of(graph, client=client)
        assert tiled.oriented().layout.ranges == enough_ranges(client) == 4
        assert_equal(tiled, graph)


MODELS = {
    "R-MAT": triadic.generate.RMat(8, seed=5, directed=True),
    "small world": triadic.generate.WattsStrogatz(120, 8, 0.1, seed=2),
}


# Other tests count with one and with two workers.
@pytest.mark.parametrize(
    ("workers", "cuts"),
    [
        (4, [("R-MAT", 3), ("small world", 8)]),
        *(
            pytest.param(workers, [*product(MODELS, (1, 3, 8))], marks=pytest.mark.nightly, id=f"{workers} workers")
            for workers in (1, 2, 4)
        ),
    ],
)
def test_any_number_of_workers_and_ranges(workers, cuts, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    monkeypatch.setattr(cluster_count, "_GROUP_SECONDS", 1e-4)
    monkeypatch.setattr(cluster_count, "_SHORT_SECONDS", 0.0)  # tasks are near to the tiles of their range
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for name, ranges in cuts:
            tiles = tmp_path / f"{name}-{ranges}"
            triadic.tile(MODELS[name], tiles, ranges=ranges)
            assert_equal(triadic.TiledGraph(tiles, client=client), triadic.generate.make_graph(MODELS[name]))


def killing_one(client, killed):
    """Return a function for `progress` that kills one worker, and notes it."""

    def kill_one(done, total):
        if not killed and 0 < done < total and kill_a_worker(client):
            killed.append(done)

    return kill_one


@pytest.mark.nightly  # test_workers_are_killed, of tiling on a cluster, kills a worker during a count in every run
def test_processes_count_tiles_on_disk_and_a_worker_is_killed_during_a_count(rmat, tmp_path):
    graph, tiles = rmat
    killed = []

    def count(client):
        tiled = triadic.TiledGraph(tiles, client=client, results=tmp_path / "counted")
        assert_equal(tiled, graph)
        assert np.array_equal(triadic.clustering(tiled), triadic.clustering(graph))
        assert triadic.transitivity(tiled) == triadic.transitivity(graph)
        again = triadic.TiledGraph(tiles, client=client, results=tmp_path / "killed")
        return triadic.triangles(again, progress=killing_one(client, killed))

    assert np.array_equal(on_two_processes(count), triadic.triangles(graph))
    assert killed
    assert_equal(triadic.TiledGraph(tiles, results=tmp_path / "counted"), graph)  # from stored results


@pytest.mark.nightly
def test_a_worker_is_killed_during_a_count_of_a_graph_in_memory(rmat):
    graph, _ = rmat
    killed = []

    def count(client):
        tiled = triadic.TiledGraph.of(graph, client=client, ranges=5)
        return triadic.triangles(tiled, progress=killing_one(client, killed))

    assert np.array_equal(on_two_processes(count), triadic.triangles(graph))
    assert killed


def test_a_damaged_tile_is_named_at_once(here, rmat, tmp_path):
    graph, tiles = rmat
    damaged = tiles / tile_name(3, 1)
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    try:
        with pytest.raises(ReadError, match=damaged.name):
            triadic.triangles(tiled)
    finally:
        damaged.write_bytes(whole)
    assert np.array_equal(triadic.triangles(tiled), triadic.triangles(graph))


def test_a_worker_that_does_not_see_the_tiles(here, rmat, tmp_path):
    _, tiles = rmat
    with pytest.raises(
        MissingFileError, match=r"on the worker inproc.*expected a path or URL that all workers can read"
    ):
        here.submit(open_stored, TileAddress(str(tmp_path / "elsewhere"), "", 0)).result()
    with pytest.raises(ReadError, match="holds other tiles on the worker"):
        here.submit(open_stored, TileAddress(str(tiles), "of another graph", 0)).result()


def test_an_interrupted_count_leaves_no_task_behind(here, rmat):
    graph, _ = rmat
    tiled = triadic.TiledGraph.of(graph, client=here, ranges=4)

    def interrupt(done, total):
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        triadic.triangles(tiled, progress=interrupt)
    deadline = time.monotonic() + 60
    while any("triadic" in key for keys in here.processing().values() for key in keys):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert triadic.triangle_count(tiled) == triadic.triangle_count(graph)


def test_data_that_is_lost_after_every_group(here, rmat, monkeypatch):
    class Losing(cluster_count.ClusterCount):
        def _add(self, groups, group, sums):
            super()._add(groups, group, sums)
            losses.append(len(groups))
            raise LostDataError

    graph, _ = rmat
    losses = []
    monkeypatch.setattr(cluster_count, "_MOST_TASKS", 1)
    monkeypatch.setattr(cluster_count, "SHORTEST", 1.0)
    monkeypatch.setattr(dask_cluster, "ClusterCount", Losing)
    found = triadic.triangles(triadic.TiledGraph.of(graph, client=here, ranges=6))
    assert np.array_equal(found, triadic.triangles(graph))
    assert len(losses) > ATTEMPTS


def test_data_that_is_lost_again_and_again(here, rmat, monkeypatch):
    def lose(count, groups, sums, report):
        raise LostDataError

    graph, _ = rmat
    monkeypatch.setattr(cluster_count.ClusterCount, "_count_groups", lose)
    with pytest.raises(DeviceError, match=f"data was lost with its worker {ATTEMPTS} times in a row"):
        triadic.triangles(triadic.TiledGraph.of(graph, client=here, ranges=2))


def test_progress_rises_to_the_whole(here, rmat):
    graph, _ = rmat
    reports = []
    triadic.triangles(
        triadic.TiledGraph.of(graph, client=here, ranges=3), progress=lambda *report: reports.append(report)
    )
    assert [done for done, _ in reports] == sorted(done for done, _ in reports)
    assert reports[0][0] == 0
    assert reports[-1][0] == reports[-1][1]


def count_broken(part, progress, *, threads):
    raise RuntimeError("no such luck")


def test_an_unexpected_error_in_a_task_is_a_device_error(here, rmat):
    graph, _ = rmat
    tiles = triadic.TiledGraph.of(graph, client=here, ranges=2).oriented()
    with pytest.raises(DeviceError, match="a task failed on its worker: RuntimeError: no such luck"):
        tiles.sum_over_triples(PartCounter("broken", count_broken, 1, per_rank=True), threads=1, progress=None)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("local:0", "at least 1"),
        ("local:two", "at least 1"),
        ("local-gpu:0", "expected local-gpu:N with a whole number N of at least 1"),
        ("four cores", "expected local:N"),
        ("", "expected local"),
    ],
)
def test_an_invalid_address_is_refused(address, message):
    with pytest.raises(ArgumentError, match=message), connect(address):
        pass


def test_an_address_without_a_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr("triadic.tiles.cluster.client._SECONDS", 0.2)
    with pytest.raises(DeviceError, match="no Dask scheduler answers within"), connect("tcp://127.0.0.1:1"):
        pass


def test_totals_of_ranges(here, rmat, tmp_path):
    graph, tiles = rmat
    tiled = triadic.TiledGraph(tiles, client=here, results=tmp_path)
    for measure in (
        triadic.transitivity, triadic.directed_transitivity, cycle_transitivity, triadic.triad_census,
        triadic.dyad_census,
    ):  # fmt: skip
        assert measure(tiled) == measure(graph)
    # Neither degrees nor dyads of all vertices came to the client.
    assert {path.name for path in tmp_path.iterdir()} == {"triangles", "closed-triads"}


def test_a_client_that_is_closed(rmat, tmp_path):
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
    ) as cluster:
        with distributed.Client(cluster) as client:
            tiled = triadic.TiledGraph(rmat[1], client=client, results=tmp_path)
        with pytest.raises(DeviceError, match="is closed, or its scheduler is gone; expected a running client"):
            triadic.triangle_count(tiled)


def test_a_worker_for_each_card(rmat, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_count, "SHORTEST", 1e3)
    monkeypatch.setattr(cluster_count, "_DEVICE_SPEED", 1.0)
    graph, tiles = rmat
    # Dask does not look for these cards, which this machine need not have.
    cards = [{"CUDA_VISIBLE_DEVICES": card} for card in ("4", "7")]
    with dask.config.set({"distributed.diagnostics.nvml": False}), new_processes("local-gpu", cards) as client:
        cards = client.run(os.getenv, "CUDA_VISIBLE_DEVICES")
        assert sorted(cards.values()) == ["4", "7"]
        assert set(client.nthreads().values()) == {1}
        tiled = triadic.TiledGraph(tiles, client=client, results=tmp_path)
        # Each worker compiles the kernels. NVIDIA's OpenCL hides the cards that CUDA hides.
        if NIGHTLY and is_installed("opencl") and all(client.run(registry.count, "opencl").values()):
            assert np.array_equal(triadic.triangles(tiled, device="opencl"), triadic.triangles(graph))
        with pytest.raises(TriadicError, match=r"'cuda'|CuPy"):  # an error of a worker, which has no such card
            triadic.triangle_count(tiled, device="cuda")


def test_cards_that_this_machine_does_not_have_are_refused(monkeypatch):
    monkeypatch.setattr("triadic.devices.runtimes.registry.count", lambda kind: 1)
    with pytest.raises(DeviceError, match=r"'local-gpu:2': CUDA sees 1 card on this machine"), connect("local-gpu:2"):
        pass
    monkeypatch.setattr("triadic.devices.runtimes.registry.count", lambda kind: 0)
    with pytest.raises(DeviceError, match=r"'local-gpu': CUDA sees no cards on this machine"), connect("local-gpu"):
        pass


def test_cards_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr("triadic.devices.runtimes.registry.count", lambda kind: 3)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert _cards("local-gpu", 0) == ["0", "1", "2"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,2,GPU-1")
    assert _cards("local-gpu:2", 2) == ["5", "2"]


def test_without_dask(monkeypatch):
    monkeypatch.setattr("triadic.core.checked.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'triadic\[dask\]'"), connect("local:2"):
        pass


def test_an_object_that_is_no_client_is_refused(rmat):
    graph, tiles = rmat
    with pytest.raises(ArgumentError, match=r"expected a dask.distributed.Client"):
        triadic.TiledGraph(tiles, client="local:2")
    with pytest.raises(TriadicError, match=r"expected a dask.distributed.Client"):
        triadic.TiledGraph.of(graph, client=None)


def test_the_number_of_ranges_is_at_least_1(here, rmat):
    with pytest.raises(ArgumentError, match="ranges=0"):
        triadic.TiledGraph.of(rmat[0], client=here, ranges=0)
