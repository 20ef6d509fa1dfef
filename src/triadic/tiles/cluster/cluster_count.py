"""One count on a Dask cluster: runs of triples, and slices of costly triples, are tasks.

The client sends each worker a task for each of its threads and a few more, and the next one when a task is finished. So
it can choose tasks of the range whose tiles the worker holds (`strips.RangeQueue`). Dask may still move a task to an
idle worker, or away from a worker that dies.

The counts of tasks are added in trees, by block of ranges, so that no worker and no client receives the counts of a
single task (`SumTree`). The tasks that are sent within about a minute form a group; when its sums are complete, they
are added to the sums of the count in one step. Groups do not wait for each other: the tasks of the next group begin
while those of the previous one end.

Workers add counts while the tasks of a group are still counted: eight counts by a task, eight of its sums by the next
one, and so on. If the sums take much memory, there is a tree for each block of ranges, so that no worker holds the sums
of all ranges.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.strips import SHORTEST, RangeQueue, blocks_of_sums, cut_into_tasks
from triadic.tiles.cluster.worker_watch import ATTEMPTS, RETRIES, LostDataError, WorkerPool, result
from triadic.tiles.edge_sums import rows_of_tile
from triadic.tiles.work import put_together

if TYPE_CHECKING:
    from distributed import Client, Future

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.stored_sums import ClientSums, StoredSums
    from triadic.tiles.cluster.strips import Task
    from triadic.tiles.cluster.tile_transfer import TileProvider
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter

    Tests = Float64Array
    GroupSums = ClientSums | StoredSums  # the client downloads the sums of groups, or workers store them


_ARITY = 8
_PRIORITY = 1.0  # above the priorities of tasks, 0 and less, because sums free memory


class SumTree:
    """The sum of counts at a block of ranges.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    name : str
        Beginning of the keys of the tasks.
    block : range, optional
        Ranges, or numbers of tiles, whose counts are selected before they are sent to the worker that adds them. By
        default all counts are added.
    """

    def __init__(self, client: Client, name: str, block: range | None) -> None:
        self._client, self._name, self._block = client, name, block
        self._levels: list[list[Future]] = [[]]
        self._submitted = 0

    def add(self, counts: Future) -> list[Future]:
        """Add the counts of a task; return the futures of the tasks that are submitted for it."""
        submitted = []
        if self._block is not None:
            counts = self._submit([counts], self._block)
            submitted.append(counts)
        self._levels[0].append(counts)
        level = 0
        while len(self._levels[level]) == _ARITY:
            submitted.append(self._end_level(level))
            level += 1
        return submitted

    def total(self) -> Future:
        """Return the sum of all counts, of which none may be added any more."""
        parts = [future for level in self._levels for future in level]
        while len(parts) > 1 or not self._submitted:  # a count that may be a failure is added by a task, too
            parts = [self._submit(parts[n : n + _ARITY]) for n in range(0, max(1, len(parts)), _ARITY)]
        return parts[0]

    def release(self) -> None:
        """Make Dask drop the counts and sums."""
        for level in self._levels:
            for future in level:
                future.release()

    def _end_level(self, level: int) -> Future:
        """Submit the sum of a level, which becomes a part of the next level."""
        if level + 1 == len(self._levels):
            self._levels.append([])
        added = self._submit(self._levels[level])
        self._levels[level] = []
        self._levels[level + 1].append(added)
        return added

    def _submit(self, parts: list[Future], block: range | None = None) -> Future:
        self._submitted += 1
        key = f"{self._name}-{self._submitted}"
        return self._client.submit(tasks.add_counts, parts, block, key=key, priority=_PRIORITY, pure=False)


_GROUP_SECONDS = 60.0  # aim for the duration of a group on the whole cluster, the longest work that a crash can lose
_SHARE_OF_COUNT = 0.01  # of a long count that a group may be
_MOST_TASKS = 1 << 12  # of a group
_DEVICE_SPEED = 50.0  # of a device compared with one thread, for the length of tasks
_SHARE = 0.1  # of a thread's memory, for the tiles and sums of a run of triples
_AHEAD_OF_THREADS = 8  # a worker of fewer threads has one task that waits
_SECONDS = 1.0  # between looks at the workers of the cluster


class ClusterCount:
    """One count of a tiled graph on one cluster.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    layout : Layout
        The ranges.
    tiles : TileProvider
        The tiles.
    counter : PartCounter
        The count.
    """

    def __init__(self, client: Client, layout: Layout, tiles: TileProvider, counter: PartCounter) -> None:
        self._client, self._layout, self._tiles, self._counter = client, layout, tiles, counter
        self._pool = WorkerPool(client)
        self._columns = counter.columns if counter.per_rank else 0
        self._blocks: list[range | None] = [*blocks_of_sums(layout, counter)] if counter.per_rank else [None]
        self._submitted = 0

    def tests(self) -> Tests:
        """Return the numbers of tests of triples, which workers compute; each reads the tiles of a range."""

        def call(k: int) -> tuple[Any, ...]:
            i = self._layout.ranges - 1 - k  # the longest range first
            return tasks.count_tests, self._tiles.origin, self._tiles.send([(i, j) for j in range(i + 1)]), i

        return put_together(self._pool.results(self._layout.ranges, call, renew=self._tiles.renew)[::-1])

    def count_tiles(self, tiles: list[tuple[int, int]], inputs: tuple[AnyArray, ...]) -> list[Shares]:
        """Return the counts of some tiles, each of which is a task."""

        def call(k: int) -> tuple[Any, ...]:
            rows = rows_of_tile(self._layout, *tiles[k], inputs)
            return (
                tasks.count_whole_tile,
                self._tiles.origin,
                self._tiles.send([tiles[k]]),
                *tiles[k],
                self._counter,
                rows,
            )

        return self._pool.results(len(tiles), call, renew=self._tiles.renew)

    def count(
        self, remaining: list[Triple], cost: dict[Triple, float], sums: GroupSums, progress: Progress | None
    ) -> None:
        """Count triples in groups, and add the sums of each group when it is complete."""
        total = sum(cost.values())
        self._pool.watch.first_worker()
        tasks_to_count = cut_into_tasks(
            remaining,
            cost,
            self._layout,
            threads=self._pool.threads,
            workers=len(self._pool.members()),
            columns=self._columns,
            room=max(1 << 26, int(_SHARE * self._pool.thread_memory())),
            shortest=SHORTEST * (_DEVICE_SPEED if self._counter.device not in ("auto", "cpu") else 1.0),
        )
        aim = max(_GROUP_SECONDS * 1e9 * self._pool.threads, _SHARE_OF_COUNT * total)
        losses = 0  # since the last group was complete
        while tasks_to_count:
            run = _Run(self, tasks_to_count, aim, sums)
            try:
                run.count(total, progress)
            except LostDataError:
                losses = 1 if run.added else losses + 1
                self._pool.check_alive(ATTEMPTS - losses)
                self._tiles.renew()
            finally:
                run.release()
            tasks_to_count = [task for task in tasks_to_count if task not in run.added]
        if progress is not None:
            progress(int(total), int(total))

    def submit(self, task: Task, key: str, worker: str) -> Future:
        """Submit a task, to run on a worker unless another one is idle."""
        self._submitted += 1
        return self._client.submit(
            tasks.count_task, self._tiles.origin, self._tiles.send(task.tiles), task, self._counter, key=key,
            retries=RETRIES, priority=-self._submitted, pure=False, workers=[worker], allow_other_workers=True,
        )  # fmt: skip

    def group(self) -> _Group:
        """Return a group without tasks."""
        name = f"triadic-{self._counter.name}-{uuid4().hex[:8]}"
        return _Group(self._client, name, self._blocks, self._counter)

    @property
    def pool(self) -> WorkerPool:
        """The workers of the cluster."""
        return self._pool


class _Group:
    """A group of tasks that is being counted."""

    def __init__(self, client: Client, name: str, blocks: list[range | None], counter: PartCounter) -> None:
        self._client, self.name, self._blocks, self._counter = client, name, blocks, counter
        self.tasks: list[Task] = []
        self.cost, self.closed = 0.0, False
        self._slices, self._unfinished = 0, 0
        whole = len(blocks) == 1
        self._trees = [
            SumTree(client, f"{name}-sum-{number}", None if whole else block) for number, block in enumerate(blocks)
        ]
        self.finished: list[Future] = []
        self.pending: set[str] = set()

    @property
    def triples(self) -> list[Triple]:
        """The triples of the group, each once."""
        return list(dict.fromkeys(triple for task in self.tasks for triple in task.triples))

    @property
    def is_counted(self) -> bool:
        """Whether no task is added any more, and all are finished."""
        return self.closed and not self._unfinished and not self._slices

    def begin(self, task: Task) -> str:
        """Add a task that is submitted now; return its key."""
        self.tasks.append(task)
        self.cost += task.cost
        self._unfinished += 1
        self._slices += (task.slices if task.number == 0 else 0) - 1
        return f"{self.name}-{len(self.tasks)}"

    def add(self, task: Task, counts: Future) -> list[Future]:
        """Add the counts of a finished task; return the futures of the sums that are submitted for it."""
        at = task.sums(self._counter)
        submitted = []
        for block, tree in zip(self._blocks, self._trees, strict=True):
            if block is None or not at.isdisjoint(block):
                submitted += tree.add(counts)
        self._unfinished -= 1
        return submitted

    def finish(self, sums: GroupSums) -> list[Future]:
        """Submit what remains to be done after all tasks; return the futures that complete the group."""
        self.finished = sums.finish(self._client, self.name, self.triples, [tree.total() for tree in self._trees])
        self._trees.clear()
        self.pending = {future.key for future in self.finished}
        return self.finished

    def release(self) -> None:
        """Make Dask drop the sums."""
        for future in self.finished:
            future.release()
        for tree in self._trees:
            tree.release()


class _Run:
    """Tasks that are counted until none is left, or data is lost with a worker.

    Parameters
    ----------
    count : ClusterCount
        The count.
    waiting : list of Task
        The tasks.
    aim : float
        Cost of a group of tasks.
    sums : GroupSums
        The sums of complete groups.

    Attributes
    ----------
    added : set of Task
        The tasks of complete groups, whose sums are added.
    """

    def __init__(self, count: ClusterCount, waiting: list[Task], aim: float, sums: GroupSums) -> None:
        self._count, self._aim, self._sums = count, aim, sums
        self._left = sum(task.cost for task in waiting)
        self.added: set[Task] = set()
        self._queue: RangeQueue[Task] = RangeQueue()
        self._queue.extend(waiting)
        self._groups: list[_Group] = []
        self._group_of: dict[Triple, _Group] = {}  # of triples of which some slices wait
        self._running: dict[str, _Running] = {}
        self._workers: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._seen = 0.0
        self._futures: dict[str, Future] = {}

    def count(self, total: float, progress: Progress | None) -> None:
        """Count all tasks; raise LostDataError if data is lost with a worker."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        completed = as_completed(loop=self._count.pool.client.loop)
        if progress is not None:
            progress(int(total - self._left), int(total))
        while self._queue or self._groups:
            self._look_at_workers()
            self._watch(completed, self._send())
            self._watch(completed, self._finish_groups())
            if not self._futures:  # all workers have left
                self._count.pool.watch.wait_for_worker()
                continue
            self._count.pool.watch.wait_for_any(completed)
            future = next(completed)
            if future.status != "finished":
                result(future)
            self._futures.pop(future.key, None)
            running = self._running.pop(future.key, None)
            if running is not None:
                if running.worker in self._held:
                    self._held[running.worker] -= 1
                self._watch(completed, running.group.add(running.task, future))
                self._left -= running.task.cost
                if progress is not None:
                    progress(max(0, min(int(total - self._left), int(total))), int(total))
            del future
            self._watch(completed, self._finish_groups())
            self._add_groups()

    def release(self) -> None:
        """Make Dask drop unfinished tasks; `Client.cancel` fails for tasks whose sums have no future here."""
        for future in self._futures.values():
            future.release()
        for group in self._groups:
            group.release()

    def _look_at_workers(self) -> None:
        """Note the workers that have joined or left. Dask gives the tasks of those that have left to others."""
        now = time.monotonic()
        if self._workers and now < self._seen + _SECONDS:
            return
        self._seen = now
        self._workers = self._count.pool.members()
        for worker in self._held.keys() - self._workers.keys():
            del self._held[worker]
            self._queue.leave(worker)

    def _send(self) -> list[Future]:
        """Submit tasks to workers that have not got enough, one to each at a time; return the futures."""
        submitted = []
        while self._queue:
            free = [
                worker
                for worker, threads in self._workers.items()
                if self._held.get(worker, 0) < threads + max(1, threads // _AHEAD_OF_THREADS)
            ]
            if not free:
                break
            for worker in sorted(free, key=lambda worker: self._held.get(worker, 0) / self._workers[worker]):
                if self._queue:
                    task = self._queue.take(worker, self._workers[worker])
                    group = self._group_for(task)
                    key = group.begin(task)
                    submitted.append(self._count.submit(task, key, worker))
                    self._running[key] = _Running(group, task, worker)
                    self._held[worker] = self._held.get(worker, 0) + 1
        for group in self._groups if not self._queue else ():
            group.closed = True
        return submitted

    def _group_for(self, task: Task) -> _Group:
        """Return the group of a task that is submitted now: all slices of a triple are in one."""
        group = self._group_of.get(task.triples[0]) if task.slices > 1 else None
        if group is None:
            if not self._groups or self._groups[-1].closed:
                self._groups.append(self._count.group())
            group = self._groups[-1]
            if task.slices > 1:
                self._group_of[task.triples[0]] = group
        if task.number + 1 == task.slices:
            self._group_of.pop(task.triples[0], None)
        group.closed = group.closed or group.cost + task.cost >= self._aim or len(group.tasks) >= _MOST_TASKS
        return group

    def _finish_groups(self) -> list[Future]:
        """Submit what remains to be done for groups whose tasks are finished; return the futures."""
        counted = [group for group in self._groups if group.is_counted and not group.finished]
        return [future for group in counted for future in group.finish(self._sums)]

    def _add_groups(self) -> None:
        """Add the sums of complete groups."""
        for group in [group for group in self._groups if group.finished]:
            group.pending &= self._futures.keys()
            if not group.pending:
                self._sums.add(group.triples, group.finished)
                self._groups.remove(group)
                self.added.update(group.tasks)

    def _watch(self, completed: Any, futures: list[Future]) -> None:  # noqa: ANN401 - of an extra
        self._futures.update((future.key, future) for future in futures)
        completed.update(futures)


class _Running(NamedTuple):
    """A task that is submitted, its group, and the worker that it was sent to."""

    group: _Group
    task: Task
    worker: str
