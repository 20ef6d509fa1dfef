"""A call that waits for a cluster says what is wrong with its workers, and does not wait for ever."""

from __future__ import annotations

from logging import CRITICAL
from types import SimpleNamespace

import numpy as np
import pytest

import triadic
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError
from triadic.tiles.cluster import worker_watch
from triadic.tiles.cluster.client import closed_at_end
from triadic.tiles.cluster.worker_watch import WorkerState, WorkerWatch, states_of, worker_timeout

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

LIMIT = 150 << 20


def new_watch():
    client = SimpleNamespace(status="running", scheduler=SimpleNamespace(address="tcp://head:8786"))
    return WorkerWatch(client, "tasks")


def running(*names, limit=LIMIT):
    return {name: WorkerState(limit, paused=False, executing=1) for name in names}


def paused(*names, executing=0):
    return {name: WorkerState(LIMIT, paused=True, executing=executing) for name in names}


# Workers that die


def test_workers_that_die_again_and_again_have_too_little_memory():
    watch = new_watch()
    for second in range(6):
        watch.note(running(f"worker-{second}"), second)
    with pytest.raises(
        OutOfMemoryError, match=r"^tcp://head:8786: workers died or left 6 times before .* 157 MB.*more"
    ):
        watch.note(running("worker-6"), 6)


def test_workers_without_a_limit_die_for_another_reason():
    watch = new_watch()
    for second in range(6):
        watch.note(running(f"worker-{second}", limit=0), second)
    with pytest.raises(DeviceError, match="look at their logs") as found:
        watch.note({}, 6)
    assert not isinstance(found.value, OutOfMemoryError)


def test_deaths_between_finished_tasks_are_no_error():
    watch = new_watch()
    for second in range(50):
        watch.note(running(f"worker-{second}"), second)
        if second % 5 == 0:
            watch.finished()


def test_many_workers_may_leave_a_large_cluster_once():
    watch = new_watch()
    watch.note(running(*map(str, range(100))), 0)
    watch.note(running(*map(str, range(10))), 1)
    for second in range(2, 22):
        watch.note(running(*(f"{k}-{second}" for k in range(10))), second)
    with pytest.raises(OutOfMemoryError, match="300 times"):
        watch.note({}, 22)


# Workers that are full


def test_paused_workers_without_a_task_are_full():
    watch = new_watch()
    watch.note(paused("a", "b"), 0)
    watch.note(paused("a", "b"), 19)
    with pytest.raises(OutOfMemoryError, match=r"all workers are paused.*157 MB.*memory_limit="):
        watch.note(paused("a", "b"), 21)


@pytest.mark.parametrize("between", [paused("a", executing=1), running("a"), paused("a", executing=2)])
def test_workers_that_run_a_task_are_not_full(between):
    watch = new_watch()
    for second in range(100):
        watch.note(between if second % 10 == 0 else paused("a"), second)


# No workers


def test_a_warning_comes_before_the_error():
    watch = new_watch()
    watch.note({}, 0)
    watch.note({}, 9)
    with pytest.warns(
        RuntimeWarning, match=r"^tcp://head:8786: the cluster has no workers; waiting for tasks, at most 300"
    ):
        watch.note({}, 11)
    watch.note({}, 299)
    with pytest.raises(
        DeviceError, match=r"no workers for 301 seconds, while tasks were awaited.*triadic\.worker-timeout"
    ):
        watch.note({}, 301)


def test_a_worker_that_comes_back_ends_the_wait():
    watch = new_watch()
    for start in range(0, 1000, 100):
        watch.note({}, start)
        with pytest.warns(RuntimeWarning, match="no workers"):
            watch.note({}, start + 50)
        watch.note(running("a"), start + 60)
        watch.finished()


def test_the_setting_of_dask():
    with dask.config.set({"triadic.worker-timeout": "2 minutes"}):
        assert worker_timeout(5) == 120
    with dask.config.set({"triadic.worker-timeout": None}):
        assert worker_timeout(5) is None
    assert worker_timeout(5) == 5
    for wrong in ("soon", -1, [3]):
        with (
            dask.config.set({"triadic.worker-timeout": wrong}),
            pytest.raises(
                ArgumentError, match=r"triadic\.worker-timeout=.* expected None or a time such as '5 minutes'"
            ),
        ):
            worker_timeout(5)


# Clusters


def test_all_workers_leave_during_a_count(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_watch, "_WARN_AFTER", 0.0)
    monkeypatch.setattr(worker_watch, "_LOOK_EVERY", 0.1)
    graph = triadic.generate.make_graph(triadic.generate.RMat(9, seed=1))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
        dask.config.set({"triadic.worker-timeout": "1 s"}),
    ):
        tiled = triadic.TiledGraph.of(graph, client=client, ranges=4)

        def leave(done, total):
            if cluster.workers:
                cluster.scale(0)
                cluster.sync(cluster._correct_state)

        with (
            pytest.warns(RuntimeWarning, match="the cluster has no workers"),
            pytest.raises(
                DeviceError, match=rf"^{client.scheduler.address}: the cluster has had no workers for \d+ sec"
            ),
        ):
            triadic.triangles(tiled, progress=leave)
        cluster.scale(1)
        client.wait_for_workers(1, timeout=60)
        np.testing.assert_array_equal(triadic.triangles(tiled), triadic.triangles(graph))


def test_workers_with_hardly_more_memory_than_the_interpreter(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_watch, "_FULL_AFTER", 2.0)
    monkeypatch.setattr(worker_watch, "_DEATHS", 1)
    monkeypatch.setattr(worker_watch, "_DEATHS_OF_WORKER", 1)
    triadic.tile(triadic.generate.RMat(8, seed=1), tmp_path / "tiles", ranges=3)
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", memory_limit="140MB", silence_logs=CRITICAL
    )
    patient = {"triadic.worker-timeout": "2 minutes"}
    with dask.config.set(patient), closed_at_end(cluster), distributed.Client(cluster) as client:
        assert [state.limit for state in states_of(client).values()] in ([140_000_000], [])
        with pytest.raises((OutOfMemoryError, DeviceError), match="memory"):
            triadic.triangles(triadic.TiledGraph(tmp_path / "tiles", client=client))
