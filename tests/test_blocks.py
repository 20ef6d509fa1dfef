"""Blocks: each block runs once, on the first free worker, and no thread outlives the run."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import Counter
from textwrap import dedent
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic import Graph
from triadic.core import blocks
from triadic.core import memory as cgroup_module
from triadic.errors import ArgumentError

_EARLIER = set()


@pytest.fixture(autouse=True)
def _earlier_threads():
    """Note the threads that other tests have left, such as those that read tiles ahead or copy to a card."""
    _EARLIER.clear()
    _EARLIER.update(threading.enumerate())


def triadic_threads():
    """Return the names of the threads of triadic that a test has started."""
    return [thread.name for thread in set(threading.enumerate()) - _EARLIER if thread.name.startswith("triadic")]


# Cutting


@given(
    costs=st.lists(st.integers(0, 50), max_size=200),
    block_cost=st.integers(1, 300),
    most=st.sampled_from([1, 7, 10**6]),
)
def test_blocks_cover_all_items_and_cost_about_the_same(costs, block_cost, most):
    before = np.concatenate([[0], np.cumsum(costs)]).astype(np.int64)
    cuts = blocks.cut(before, block_cost, most=most)
    assert (cuts[0], cuts[-1]) == (0, len(costs))
    assert np.all(np.diff(cuts) > 0)
    assert len(cuts) - 1 <= most
    cost = np.diff(before[cuts])
    aim = max(block_cost, sum(costs) / min(most, max(1, len(costs))))
    for first, last, total in zip(cuts[:-1], cuts[1:], cost, strict=True):
        assert total <= aim + max(costs[first:last])


@given(n=st.integers(0, 1000), count=st.integers(0, 50))
def test_even_blocks_differ_by_one_item_at_most(n, count):
    cuts = blocks.cut_evenly(n, count)
    lengths = np.diff(cuts)
    assert (cuts[0], cuts[-1]) == (0, n)
    assert len(lengths) == min(n, max(1, count))
    if n:
        assert lengths.max() - lengths.min() <= 1


# Running


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("count", [0, 1, 2, 15, 500])
def test_every_block_is_run_once_and_no_worker_twice_at_a_time(threads, count):
    seen, busy, overlaps = [], Counter(), []

    def task(worker, block):
        busy[worker] += 1
        overlaps.append(busy[worker])
        seen.append((worker, block))
        busy[worker] -= 1

    blocks.run(task, count, threads=threads)
    assert sorted(block for _, block in seen) == list(range(count))
    assert {worker for worker, _ in seen} <= set(range(threads))
    assert set(overlaps) <= {1}
    assert triadic_threads() == []


def test_passes_of_one_team_share_threads_that_end_with_it():
    seen = []
    meet = threading.Barrier(3, timeout=30)

    def task(worker, block):
        meet.wait()
        seen.append((worker, threading.get_ident()))

    with blocks.one_team():
        for _ in range(20):
            blocks.run(task, 3, threads=3)
        assert len(triadic_threads()) == 2
    assert triadic_threads() == []
    assert len(set(seen)) == 3
    assert Counter(worker for worker, _ in seen) == {0: 20, 1: 20, 2: 20}


def test_a_team_grows_and_serves_passes_of_fewer_workers():
    seen = Counter()
    with blocks.one_team(), blocks.one_team():
        for threads in (1, 2, 5, 3, 16):
            blocks.run(lambda worker, block, t=threads: seen.update([(t, block)]), 40, threads=threads)
    assert seen == {(threads, block): 1 for threads in (1, 2, 5, 3, 16) for block in range(40)}
    assert triadic_threads() == []


def test_a_pass_within_a_pass_has_threads_of_its_own():
    inner = []

    def task(worker, block):
        blocks.run(lambda w, b: inner.append((block, b)), 4, threads=2)

    with blocks.one_team():
        blocks.run(task, 6, threads=2)
    assert sorted(inner) == [(block, b) for block in range(6) for b in range(4)]
    assert triadic_threads() == []


def test_a_team_does_not_hold_the_arrays_of_a_pass_that_has_ended():
    class Task:
        def __call__(self, worker, block):
            pass

    task = Task()
    watch = weakref.ref(task)
    with blocks.one_team():
        blocks.run(task, 10, threads=2)
        del task
        gc.collect()
        assert watch() is None


def test_a_helper_that_is_slow_to_tell_its_end_serves_the_next_passes(monkeypatch):
    lock_of, here = threading.Lock, threading.get_ident()

    class SlowLock:
        def __init__(self):
            self._lock = lock_of()
            self.acquire, self.locked = self._lock.acquire, self._lock.locked

        def release(self):
            if threading.get_ident() != here:
                time.sleep(0.05)
            self._lock.release()

    class Work:
        def work(self, worker):
            seen.append(worker)

    seen = []
    monkeypatch.setattr(blocks, "threading", SimpleNamespace(Lock=SlowLock, Thread=threading.Thread))
    helper = blocks.Helper(1)
    for _ in range(3):
        helper.give(Work())
        while not helper.has_ended(0):
            time.sleep(0.001)
    helper.dismiss()
    assert seen == [1, 1, 1]


def test_a_helper_that_was_given_a_pass_and_has_not_begun_it_ends(monkeypatch):
    class LateThread(threading.Thread):
        def run(self):
            time.sleep(0.1)
            super().run()

    monkeypatch.setattr(blocks, "threading", SimpleNamespace(Lock=threading.Lock, Thread=LateThread))
    helper = blocks.Helper(1)
    helper.give(SimpleNamespace(work=lambda worker: None))
    helper.dismiss()  # as after a second Ctrl-C
    assert triadic_threads() == []


def test_ctrl_c_while_a_team_waits_for_the_end_of_its_threads_leaves_no_thread(monkeypatch):
    class InterruptedThread(threading.Thread):
        waits = 0

        def run(self):
            super().run()
            time.sleep(0.05)

        def join(self, timeout=None):
            InterruptedThread.waits += 1
            if InterruptedThread.waits == 1:
                raise KeyboardInterrupt
            super().join(timeout)

    monkeypatch.setattr(blocks, "threading", SimpleNamespace(Lock=threading.Lock, Thread=InterruptedThread))
    with pytest.raises(KeyboardInterrupt), blocks.one_team():
        blocks.run(lambda worker, block: None, 8, threads=3)
    assert triadic_threads() == []


@pytest.mark.skipif(os.name != "posix", reason="a process cannot send itself Ctrl-C")
def test_ctrl_c_while_a_thread_starts_leaves_no_thread(monkeypatch):
    class LateThread(threading.Thread):
        def _bootstrap(self):  # the first that Python calls in the new thread
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            super()._bootstrap()

    monkeypatch.setattr(blocks, "threading", SimpleNamespace(Lock=threading.Lock, Thread=LateThread))
    with pytest.raises(KeyboardInterrupt):
        blocks.run(lambda worker, block: None, 8, threads=2)
    until = time.monotonic() + 30
    while triadic_threads() and time.monotonic() < until:
        time.sleep(0.01)  # the thread itself sleeps before it ends
    assert triadic_threads() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_during_a_call_counts_with_threads_of_its_own():
    code = """
        import os
        from triadic.core import blocks

        with blocks.one_team():
            blocks.run(lambda worker, block: None, 8, threads=2)
            if (child := os.fork()) == 0:
                seen = []
                blocks.run(lambda worker, block: seen.append(block), 8, threads=2)
                os._exit(sorted(seen) != list(range(8)))
            _, status = os.waitpid(child, 0)
        print("exit", os.waitstatus_to_exitcode(status))
    """
    found = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout == "exit 0\n"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("failing", [0, 1], ids=["the caller fails", "a helper fails"])
def test_a_team_counts_on_after_an_error(error, failing):
    meet = threading.Barrier(2, timeout=30)

    def fail(worker, block):
        meet.wait()
        if worker == failing:
            raise error("enough")

    seen = []
    with blocks.one_team():
        with pytest.raises(error, match="enough"):
            blocks.run(fail, 2, threads=2)
        blocks.run(lambda worker, block: seen.append(block), 10, threads=2)
    assert sorted(seen) == list(range(10))
    assert triadic_threads() == []


def test_counting_leaves_no_thread_and_starts_few():
    started = Counter()
    graph = triadic.generate.rmat(13, seed=1)
    run = threading.Thread.run

    def counted(thread):
        started[thread.name] += 1
        run(thread)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(threading.Thread, "run", counted)
        triadic.clustering(graph, threads=2)
    assert started["triadic-1"] <= 2  # one for counting, and one for the values of vertices
    assert triadic_threads() == []


def test_one_thread_runs_in_the_caller():
    seen = []
    blocks.run(lambda worker, block: seen.append(threading.current_thread()), 3, threads=1)
    assert set(seen) == {threading.current_thread()}


def test_workers_run_at_the_same_time():
    meet = threading.Barrier(8, timeout=30)
    blocks.run(lambda worker, block: meet.wait(), 8, threads=8)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("costs", [None, [5, 0, 1, 10, 3, 3]])
def test_progress_rises_to_the_total_in_the_calling_thread(threads, costs):
    seen = []
    total = sum(costs) if costs else 6

    def report(done, all_of_it):
        assert threading.current_thread() is threading.main_thread()
        seen.append((done, all_of_it))

    blocks.run(lambda worker, block: None, 6, threads=threads, costs=costs, progress=report)
    done = [found for found, _ in seen]
    assert {all_of_it for _, all_of_it in seen} == {total}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, total)


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("error", [ValueError, MemoryError, KeyboardInterrupt, SystemExit])
def test_an_error_of_a_task_is_raised_and_stops_the_others(threads, error):
    started = []

    def task(worker, block):
        started.append(block)
        if block == 20:
            raise error("block 20")

    with pytest.raises(error, match="block 20"):
        blocks.run(task, 1_000_000, threads=threads)
    assert len(started) < 1_000_000
    assert triadic_threads() == []


@pytest.mark.parametrize("threads", [1, 2, 16])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_error_of_progress_stops_the_workers(threads, error):
    def report(done, total):
        if done:
            raise error("enough")

    stop = threading.Event()
    with pytest.raises(error, match="enough"):
        blocks.run(lambda worker, block: stop.wait(0.001), 1_000_000, threads=threads, progress=report)
    assert triadic_threads() == []


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_ctrl_c_during_a_count_leaves_no_thread_and_a_graph_that_still_counts(threads):
    graph = Graph.from_edges(*np.triu_indices(600, k=1))
    expected = triadic.edge_support(graph, threads=1)

    def report(done, total):
        if done:
            raise KeyboardInterrupt

    for measure in (triadic.edge_support, triadic.triangles, triadic.triangle_count):
        with pytest.raises(KeyboardInterrupt):
            measure(graph, threads=threads, progress=report)
        assert triadic_threads() == []
    np.testing.assert_array_equal(triadic.edge_support(graph, threads=threads), expected)


@pytest.fixture
def ctrl_c_soon():
    """A function that schedules a KeyboardInterrupt in the main thread after a tenth of a second."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("there is no timer signal on this system")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.1)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_ctrl_c_lets_the_blocks_under_way_finish_before_it_is_raised(threads, ctrl_c_soon, monkeypatch):
    begun, ended, queues = [], [], []
    all_began = threading.Barrier(threads, timeout=60)

    class WatchedQueue(blocks._Queue):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            queues.append(self)

    def until(is_reached):
        end = time.monotonic() + 60
        while not is_reached() and time.monotonic() < end:
            time.sleep(0.01)

    def task(worker, block):
        begun.append(block)
        all_began.wait()
        try:
            if worker == 0:  # the caller, which Ctrl-C interrupts
                ctrl_c_soon()
                until(lambda: False)
            else:  # like a kernel, it does not end because the run is stopped
                until(lambda: queues[0].stopped)
                time.sleep(0.05)
        finally:
            ended.append(block)

    monkeypatch.setattr(blocks, "_Queue", WatchedQueue)
    with pytest.raises(KeyboardInterrupt):
        blocks.run(task, 1000, threads=threads)
    assert len(begun) == threads
    assert sorted(ended) == sorted(begun)
    assert triadic_threads() == []


COUNT_AND_INTERRUPT = """
    import signal, sys, threading
    import numpy as np
    import triadic

    small = triadic.Graph.from_edges(*np.triu_indices(50, k=1))
    triadic.edge_support(small, threads=2)  # compiled
    graph = triadic.Graph.from_edges(*np.triu_indices(1800, k=1))
    graph.oriented()

    def report(done, total):
        global begun, counted
        counted = done / total
        if not begun and done:
            begun = True
            signal.setitimer(signal.ITIMER_REAL, 0.02)

    def on_alarm(number, frame):
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGALRM, on_alarm)
    for threads in map(int, sys.argv[1:]):
        begun = False
        try:
            triadic.edge_support(graph, threads=threads, progress=report)
        except KeyboardInterrupt:
            print(threads, counted, threading.active_count())
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer signal on this system")
def test_a_real_ctrl_c_stops_a_long_count_before_half_of_it():
    script = [sys.executable, "-c", dedent(COUNT_AND_INTERRUPT), "1", "2", "16"]
    result = subprocess.run(script, capture_output=True, text=True, timeout=150, check=False)
    assert result.stderr == ""
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [threads for threads, _, _ in lines] == ["1", "2", "16"]
    for threads, counted, threads_left in lines:
        assert float(counted) < 0.5, f"{threads} threads"
        assert threads_left == "1", f"{threads} threads"


# How many threads


@pytest.mark.parametrize("threads", [0, -2, 1.0, "2", True])
def test_an_invalid_number_of_threads_is_named(threads):
    with pytest.raises(ArgumentError, match=f"threads={threads!r}: expected None or a whole number of at least 1"):
        blocks.resolve_threads(threads)


def test_more_threads_than_processors_are_accepted():
    assert blocks.resolve_threads(16) == blocks.resolve_threads(np.int32(16)) == 16
    assert blocks.resolve_threads(None) == blocks.allowed_threads() >= 1


@pytest.fixture
def cgroup(tmp_path, monkeypatch):
    """A folder in place of /sys/fs/cgroup, on a machine with 64 CPUs."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(cgroup_module, "ROOT", tmp_path)
    monkeypatch.setattr(cgroup_module, "MEMBERSHIP", tmp_path / "membership")
    (tmp_path / "cpu").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("limit", "threads"),
    [
        ("max 100000\n", 64),
        ("200000 100000\n", 2),
        ("150000 100000\n", 2),
        ("10000 100000\n", 1),
        ("6400000 100000\n", 64),
        ("junk", 64),
    ],
)
def test_the_control_group_limits_threads(cgroup, limit, threads):
    (cgroup / "cpu.max").write_text(limit)
    assert blocks.allowed_threads() == threads


@pytest.mark.parametrize(("quota", "threads"), [("-1\n", 64), ("300000\n", 3), ("50000\n", 1)])
def test_the_older_control_group_limits_threads(cgroup, quota, threads):
    (cgroup / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (cgroup / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert blocks.allowed_threads() == threads


def test_the_tightest_of_nested_control_groups_limits_threads(cgroup):
    (cgroup / "membership").write_text("0::/outer/inner\n")
    inner = cgroup / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "cpu.max").write_text("800000 100000\n")
    assert blocks.allowed_threads() == 8
    (inner.parent / "cpu.max").write_text("300000 100000\n")
    assert blocks.allowed_threads() == 3
    (inner / "cpu.max").write_text("max 100000\n")
    assert blocks.allowed_threads() == 3


def test_without_a_control_group_affinity_decides(cgroup, monkeypatch):
    assert blocks.allowed_threads() == 64
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert blocks.allowed_threads() == 2


def test_without_affinity_the_number_of_cores_decides(cgroup, monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert blocks.allowed_threads() == 6
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert blocks.allowed_threads() == 1


@pytest.mark.parametrize("threads", [10**8, 2**63, pytest.param(10**30, marks=pytest.mark.nightly)])
def test_more_threads_than_machines_have_are_not_started(threads):
    graph = triadic.generate.rmat(8, seed=1)
    signed = triadic.Graph.from_edges(*graph.edges(), weights=np.where(np.arange(graph.num_edges) % 3, 1, -1))
    events = triadic.generate.bursts(20, 60, seed=1)
    assert triadic.signed_triangles(signed, threads=threads) == triadic.signed_triangles(signed)
    assert np.concatenate(list(triadic.list_triangles(graph, batch=1000, threads=threads))).shape[
        0
    ] == triadic.triangle_count(graph)
    assert triadic.temporal_motifs(events, 100, threads=threads) == triadic.temporal_motifs(events, 100)


def test_where_the_system_starts_no_more_threads_those_that_run_take_all_blocks(monkeypatch):
    start, started = threading.Thread.start, []

    def start_two(thread):
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    done = []
    blocks.run(lambda _, block: done.append(block), 50, threads=9)
    assert sorted(done) == list(range(50))
    assert len(started) == 2
