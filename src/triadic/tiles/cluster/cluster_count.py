"""One count on a Dask cluster: runs of triples, and slices of costly triples, are tasks.

The counts of tasks are added in a tree, eight at a time, by block of ranges, so that no worker and no client receives
the counts of a single task. A group of tasks takes the whole cluster about a minute; when its sums are complete, they
are added to the sums of the count in one step. Groups do not wait for each other: the tasks of the next group are
submitted while those of the previous one run, so that no worker is idle at the end of a group.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from uuid import uuid4

from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.strips import SHORTEST, blocks_of_sums, cut_into_tasks, groups
from triadic.tiles.cluster.task_results import LostDataError, result
from triadic.tiles.cluster.worker_pool import ATTEMPTS, RETRIES, WorkerPool
from triadic.tiles.edge_sums import rows_of_tile
from triadic.tiles.work import put_together

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from distributed import Client, Future
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.strips import Task
    from triadic.tiles.cluster.tile_transfer import TileProvider
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.triples import Triple

    Tests = NDArray[np.float64]

_GROUP_SECONDS = 60.0  # aim for the duration of a group on the whole cluster, the longest work that a crash can lose
_SHARE_OF_COUNT = 0.01  # of a long count that a group may be
_AHEAD = 0.5  # submit the next group when less than this share of a group is unfinished
_DEVICE_SPEED = 50.0  # of a device compared with one thread, for the length of tasks
_SHARE = 0.1  # of a thread's memory, for the tiles and sums of a run of triples
_ARITY = 8
_SUM_PRIORITY = 1.0  # above the priorities of tasks, 0 and less, because sums free memory


class GroupSums(Protocol):
    """What becomes of the sums of groups: the client downloads them, or workers store them."""

    def counted_triples(self) -> set[Triple]:
        """Return the triples whose counts are in the sums."""

    def finish(self, client: Client, name: str, triples: list[Triple], sums: list[Future]) -> list[Future]:
        """Submit what remains to be done with the sums of a group, and return the futures that complete the group."""

    def add(self, triples: list[Triple], finished: list[Future]) -> None:
        """Add the sums of a complete group, all of them or, if it fails, none."""


@dataclass(slots=True, eq=False)
class _Group:
    """A group of tasks that is being counted.

    Attributes
    ----------
    tasks : list of Task
        The tasks.
    counts : dict of str to Future
        Counts of unfinished tasks by key.
    finished : list of Future
        The futures that complete the group.
    pending : set of str
        Keys of those that are not complete.
    cost : dict of str to float
        Cost of each task by key.
    """

    tasks: list[Task]
    counts: dict[str, Future] = field(default_factory=dict)
    finished: list[Future] = field(default_factory=list)
    pending: set[str] = field(default_factory=set)
    cost: dict[str, float] = field(default_factory=dict)

    @property
    def triples(self) -> list[Triple]:
        """The triples of the group, each once."""
        return list(dict.fromkeys(triple for task in self.tasks for triple in task.triples))


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
        """Return the numbers of tests of triples, which workers compute."""
        ranges = range(self._layout.ranges)

        def submit() -> list[Future]:
            sent = [self._tiles.send([(i, j) for j in range(i + 1)]) for i in ranges]
            return [
                self._client.submit(
                    tasks.count_tests, self._tiles.origin, sent[i], i, pure=False, retries=RETRIES, priority=i + 1
                )
                for i in ranges
            ]

        return put_together(self._pool.results(submit, renew=self._tiles.renew))

    def count_tiles(self, tiles: list[tuple[int, int]], inputs: tuple[NDArray[Any], ...]) -> list[Shares]:
        """Return the counts of some tiles, each of which is a task."""

        def submit() -> list[Future]:
            return [
                self._client.submit(
                    tasks.count_whole_tile, self._tiles.origin, self._tiles.send([(i, j)]), i, j, self._counter,
                    rows_of_tile(self._layout, i, j, inputs), pure=False, retries=RETRIES,
                )
                for i, j in tiles
            ]  # fmt: skip

        return self._pool.results(submit, renew=self._tiles.renew)

    def count(
        self, remaining: list[Triple], cost: dict[Triple, float], sums: GroupSums, progress: Progress | None
    ) -> None:
        """Count triples in groups, and add the sums of each group when it is complete."""
        total = sum(cost.values())
        tasks_to_count = cut_into_tasks(
            remaining,
            cost,
            self._layout,
            threads=self._pool.threads,
            columns=self._columns,
            room=max(1 << 26, int(_SHARE * self._pool.thread_memory())),
            shortest=SHORTEST * (_DEVICE_SPEED if self._counter.device not in ("auto", "cpu") else 1.0),
        )
        aim = max(_GROUP_SECONDS * 1e9 * self._pool.threads, _SHARE_OF_COUNT * total)
        waiting = deque(groups(tasks_to_count, aim))
        running: list[_Group] = []
        losses = 0
        try:
            while waiting or running:
                try:
                    self._run(waiting, running, aim, sums, total, progress)
                except LostDataError:
                    losses += 1
                    self._release(running)
                    waiting.extendleft([group.tasks for group in reversed(running)])
                    running.clear()
                    self._pool.check_alive(ATTEMPTS - losses)
                    self._tiles.renew()
        except BaseException:
            self._release(running)
            raise
        if progress is not None:
            progress(int(total), int(total))

    def _run(
        self,
        waiting: deque[list[Task]],
        running: list[_Group],
        aim: float,
        sums: GroupSums,
        total: float,
        progress: Progress | None,
    ) -> None:
        """Submit groups and wait for their tasks, until none is left or data is lost with a worker."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        finished = as_completed(loop=self._client.loop)
        left = sum(task.cost for group in waiting for task in group)
        unfinished = 0.0
        if progress is not None:
            progress(int(total - left), int(total))
        while waiting or running:
            while waiting and unfinished <= _AHEAD * aim:
                group = _Group(waiting[0])
                running.append(group)
                waiting.popleft()
                unfinished += self._submit(group, sums)
                finished.update([*group.counts.values(), *group.finished])
            future = next(finished)
            if future.status != "finished":
                result(future)
            group = next(group for group in running if future.key in group.cost or future.key in group.pending)
            done = group.cost.pop(future.key, 0.0)
            group.counts.pop(future.key, None)  # its counts are released as soon as they are added
            unfinished, left = unfinished - done, left - done
            if done and progress is not None:
                progress(max(0, min(int(total - left), int(total))), int(total))
            group.pending.discard(future.key)
            del future
            if not group.pending:
                sums.add(group.triples, group.finished)
                running.remove(group)

    def _submit(self, group: _Group, sums: GroupSums) -> float:
        """Submit the tasks of a group and the sums of their counts; return the cost of the tasks."""
        name = f"triadic-{self._counter.name}-{uuid4().hex[:8]}"
        for number, task in enumerate(group.tasks):
            key = f"{name}-{number}"
            group.counts[key] = self._client.submit(
                tasks.count_task, self._tiles.origin, self._tiles.send(task.tiles), task, self._counter,
                key=key, retries=RETRIES, priority=-self._submitted, pure=False,
            )  # fmt: skip
            group.cost[key] = task.cost
            self._submitted += 1
        touched = [task.sums(self._counter) for task in group.tasks]
        added = []
        for number, block in enumerate(self._blocks):
            counts = [
                future
                for future, at in zip(group.counts.values(), touched, strict=True)
                if block is None or not at.isdisjoint(block)
            ]
            added.append(self._sum(f"{name}-sum-{number}", block, counts))
        group.finished = sums.finish(self._client, name, group.triples, added)
        group.pending = {future.key for future in group.finished}
        return sum(group.cost.values())

    def _sum(self, name: str, block: range | None, counts: list[Future]) -> Future:
        """Submit the sum of counts at a block of ranges, as a tree of tasks."""
        level, depth = counts, 0
        if len(self._blocks) > 1:  # send only the counts of the block to the worker that adds them
            level = [
                self._client.submit(
                    tasks.add_counts, [future], block, key=f"{name}-0-{n}", priority=_SUM_PRIORITY, pure=False
                )
                for n, future in enumerate(counts)
            ]
        while len(level) > 1 or depth == 0:
            depth += 1
            level = [
                self._client.submit(
                    tasks.add_counts, level[n : n + _ARITY], key=f"{name}-{depth}-{n}", priority=_SUM_PRIORITY,
                    pure=False,
                )
                for n in range(0, max(1, len(level)), _ARITY)
            ]  # fmt: skip
        return level[0]

    @staticmethod
    def _release(groups: Iterable[_Group]) -> None:
        """Make Dask drop unfinished tasks; `Client.cancel` fails for tasks whose sums have no future here."""
        for group in groups:
            for future in (*group.finished, *group.counts.values()):
                future.release()
