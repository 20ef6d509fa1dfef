"""Free workers take tasks of the range whose tiles they hold, so that they read less, and still end together."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import triadic
from triadic.tiles.cluster import strips
from triadic.tiles.cluster.strips import RangeQueue, cut_into_tasks
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


@given(WORKS, st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=30), st.integers(1, 3))
def test_every_task_is_taken_once_in_the_order_of_its_range(works, calls, threads):
    queue = RangeQueue()
    queue.extend(works)
    taken = []
    for worker, leaves in calls:
        if leaves:
            queue.leave(worker)
        if queue:
            taken.append(queue.take(worker, threads))
    while queue:
        taken.append(queue.take("last"))
    assert sorted(taken, key=lambda work: work.name) == works
    for i in range(6):
        names = [work.name for work in taken if work.i == i]
        assert names == sorted(names)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(5, 20))
def test_workers_of_equal_ranges_keep_to_one_each(workers, ranges, tasks):
    queue = RangeQueue()
    queue.extend(Work(i, 1.0, name) for name in range(tasks) for i in range(ranges))
    seen = {worker: {queue.take(worker).i} for worker in range(workers) if queue}
    for _ in range(tasks // 2 - workers):
        for worker in range(min(workers, ranges)):
            seen[worker].add(queue.take(worker).i)
    if workers <= ranges:
        assert all(len(found) == 1 for found in seen.values())
        assert len(set().union(*seen.values())) == len(seen)


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
    queue = RangeQueue()
    queue.extend(tasks)
    before = simulated(source.layout, tasks, workers, lambda _: next(longest_first))
    after = simulated(source.layout, tasks, workers, queue.take)
    assert after[1] <= 0.9 * before[1]
    assert after[0] <= 1.02 * sum(cost.values()) / workers
