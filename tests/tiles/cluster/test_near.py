"""Workers that are near the tasks of a range read fewer tiles, and still end together."""

from __future__ import annotations

import heapq
from collections import OrderedDict, deque
from math import frexp
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.tiles.cluster import strips
from triadic.tiles.cluster.strips import cut_into_tasks, near
from triadic.tiles.memory_tiles import MemoryTiles
from triadic.tiles.work import costs, entries_tested


class Work(NamedTuple):
    """A task of a range."""

    i: int
    cost: float
    name: int


WORKS = st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100)), min_size=1, max_size=60).map(
    lambda pairs: [Work(i, cost, name) for name, (i, cost) in enumerate(pairs)]
)


@given(WORKS, st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3)))
def test_every_range_has_workers_as_long_as_there_are_any(works, workers):
    found = near(works, workers)
    assert set(found) == {work.i for work in works}
    assert all(set(some) <= set(workers) and bool(some) == bool(workers) for some in found.values())


@given(WORKS, st.dictionaries(st.sampled_from("abcd"), st.integers(1, 3), min_size=1))
def test_workers_have_as_much_work_as_threads(works, workers):
    ranges, total = near(works, workers), sum(work.cost for work in works)
    for worker, threads in workers.items():
        alone = sum(work.cost for work in works if ranges[work.i] == [worker])
        shared = sum(work.cost for work in works if worker in ranges[work.i])
        share = total * threads / sum(workers.values())
        assert alone <= share * (1 + 1e-6) + 1e-6
        assert shared >= share * (1 - 1e-6) - 1e-6 or total < 1e-6


@given(st.integers(1, 6), st.integers(1, 6), st.integers(5, 20))
def test_workers_of_equal_ranges_keep_to_one_each(workers, ranges, tasks):
    works = [Work(i, 1.0, name) for name in range(tasks) for i in range(ranges)]
    found = near(works, dict.fromkeys(map(str, range(workers)), 1))
    if workers == ranges:
        assert sorted(found.values()) == [[str(worker)] for worker in range(workers)]
    if workers % ranges == 0:
        assert {len(some) for some in found.values()} == {workers // ranges}
    if ranges % workers == 0:
        assert all(len(some) == 1 for some in found.values())


class NearTasks:
    """Tasks that the workers near their range take, costly ones first; a worker that has none left takes others."""

    def __init__(self, tasks, workers):
        self.tasks, ranges = {}, near(tasks, dict.fromkeys(range(workers), 1))
        for task in tasks:
            self.tasks.setdefault(task.i, deque()).append(task)
        self.ranges = {worker: [i for i, some in ranges.items() if worker in some] for worker in range(workers)}

    def take(self, worker):
        left = [i for i, tasks in self.tasks.items() if tasks]
        own = [i for i in self.ranges[worker] if i in left]
        return self.tasks[max(own or left, key=lambda i: frexp(self.tasks[i][0].cost)[1])].popleft()


def simulated(layout, tasks, workers, take, share=0.3):
    """Return the seconds that a count takes, and the bytes that workers read, which hold a share of all tiles each."""
    room = share * sum(layout.tile_bytes(i, j) for i in range(layout.ranges) for j in range(i + 1))
    free = [(0.0, worker) for worker in range(workers)]
    held = [OrderedDict() for _ in range(workers)]
    read, end = 0, 0.0
    for _ in tasks:
        start, worker = heapq.heappop(free)
        task = take(worker)
        for tile in task.tiles:
            read += 0 if tile in held[worker] else layout.tile_bytes(*tile)
            held[worker][tile] = layout.tile_bytes(*tile)
            held[worker].move_to_end(tile)
            while sum(held[worker].values()) > room:
                held[worker].popitem(last=False)
        end = max(end, start + task.cost)
        heapq.heappush(free, (start + task.cost, worker))
    return end, read


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_workers_read_fewer_tiles_and_end_together(workers, monkeypatch):
    source = MemoryTiles(triadic.generate.rmat(15, seed=3).oriented(), 16)
    tests = entries_tested(source)
    cost = costs(source.layout, tests)
    monkeypatch.setattr(strips, "LONGEST", sum(cost.values()) / workers / 64)  # as of a count of a quarter of an hour
    tasks = cut_into_tasks(
        cost, cost, source.layout, threads=workers, workers=workers, columns=1, room=1 << 30, shortest=1.0
    )
    longest_first = iter(sorted(tasks, key=lambda task: -task.cost))
    before = simulated(source.layout, tasks, workers, lambda _: next(longest_first))
    after = simulated(source.layout, tasks, workers, NearTasks(tasks, workers).take)
    assert after[1] <= 0.9 * before[1]
    assert after[0] <= 1.02 * sum(cost.values()) / workers
