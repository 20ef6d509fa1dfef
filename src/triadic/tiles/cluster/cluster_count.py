"""One count on a Dask cluster: triples in groups, each triple or slice of a triple a task.

Each triple is a task. If that makes fewer than eight tasks for a thread of the cluster, or a task that is a large share
of a thread's work, the most costly triples are cut into slices, and only those, because every slice needs the tiles of
its triple in full. The most costly tasks run first, so that the last tasks end at about the same time.

The counts of tasks at a range are added in a tree, eight at a time, and the client downloads one array for each range.
A group takes the whole cluster about a minute, and its counts are added to the sums in one step. The tasks of the next
group are submitted before a group is finished.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.core.cached import cached_property
from triadic.errors import DeviceError
from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.slices import groups, largest_task, slices_of
from triadic.tiles.cluster.task_results import LostDataError, RangeSums, result, success
from triadic.tiles.edge_sums import rows_of_tile
from triadic.tiles.sums import MemorySums
from triadic.tiles.work import put_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from distributed import Client, Future
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.tile_transfer import TileProvider
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.triples import Triple

    Tests = NDArray[np.float64]

_GROUP_SECONDS = 60.0  # aim for the duration of a group on the whole cluster, the longest work that a crash can lose
_ARITY = 8
_RETRIES = 3
_ATTEMPTS = 5  # in a row that may fail because data was lost with a worker
_SECONDS_TO_WAIT = 30  # for the first worker
_SUM_PRIORITY = 2.0  # above the priorities of tasks, 0 to 1, because sums free memory


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """A group of triples that is being counted.

    Attributes
    ----------
    triples : list of Triple
        The triples.
    counts : list of Future
        Counts of each slice.
    sums : dict of int to Future
        Sums at each range, or the totals.
    cost : dict of str to int
        Cost of each task by its key.
    """

    triples: list[Triple]
    counts: list[Future]
    sums: dict[int, Future]
    cost: dict[str, int]


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
        self._groups = 0

    @cached_property
    def _threads(self) -> int:
        """Number of threads of all workers."""
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS_TO_WAIT)
        except TimeoutError:
            raise DeviceError(f"the cluster has no workers: waited {_SECONDS_TO_WAIT} seconds for one") from None
        return sum(self._client.nthreads().values())

    def tests(self) -> Tests:
        """Return the numbers of tests of triples, which workers compute."""
        ranges = range(self._layout.ranges)

        def submit() -> list[Future]:
            sent = [self._tiles.send([(i, j) for j in range(i + 1)]) for i in ranges]
            return [
                self._client.submit(
                    tasks.count_tests, self._tiles.origin, sent[i], i, pure=False, retries=_RETRIES, priority=i + 1
                )
                for i in ranges
            ]

        return put_together(self._results(submit))

    def count_tiles(self, tiles: list[tuple[int, int]], inputs: tuple[NDArray[Any], ...]) -> list[Shares]:
        """Return the counts of some tiles, each of which is a task."""

        def submit() -> list[Future]:
            return [
                self._client.submit(
                    tasks.count_whole_tile, self._tiles.origin, self._tiles.send([(i, j)]), i, j, self._counter,
                    rows_of_tile(self._layout, i, j, inputs), pure=False, retries=_RETRIES,
                )
                for i, j in tiles
            ]  # fmt: skip

        return self._results(submit)

    def _results(self, submit: Callable[[], list[Future]]) -> list[Any]:
        """Submit tasks and return their results; submit all of them again if data was lost with a worker."""
        _ = self._threads
        for remaining in reversed(range(_ATTEMPTS)):
            try:
                return [success(result(future)) for future in submit()]
            except LostDataError:
                self._renew(remaining)
        raise AssertionError

    def count(
        self, remaining: list[Triple], cost: dict[Triple, float], sums: PartialSums, progress: Progress | None
    ) -> None:
        """Count triples in groups, two of which run at a time."""
        total = int(sum(cost.values()))
        done = total - int(sum(cost[triple] for triple in remaining))
        most = largest_task([cost[triple] for triple in remaining], self._threads)
        waiting = deque(groups(remaining, cost, most, _GROUP_SECONDS * 1e9 * self._threads))
        running: deque[_Group] = deque()
        losses = 0
        try:
            while waiting or running:
                try:
                    while waiting and len(running) < 2:
                        running.append(self._submit(waiting[0], cost, most))
                        waiting.popleft()
                    self._wait(running[0], progress, done, total)
                    done += sum(running[0].cost.values())
                    self._flush(running[0], sums)
                    running.popleft()
                    losses = 0
                except LostDataError:
                    losses += 1
                    self._release(running)
                    waiting.extendleft([group.triples for group in reversed(running)])
                    running.clear()
                    self._renew(_ATTEMPTS - losses)
        except BaseException:
            self._release(running)
            raise
        if progress is not None:
            progress(total, total)

    def _submit(self, group: list[Triple], cost: dict[Triple, float], most: float) -> _Group:
        """Submit the tasks of a group, and the sums of their counts."""
        self._groups += 1
        name = f"triadic-{self._counter.name}-{uuid4().hex[:8]}"
        largest = max(cost[triple] for triple in group) or 1.0
        range_counts: dict[int, list[Future]] = defaultdict(list)
        counts, task_cost = [], {}
        for triple in sorted(group, key=lambda triple: -cost[triple]):
            slices = slices_of(cost[triple], most)
            sent = self._tiles.send(triple.tiles)
            for number in range(slices):
                key = f"{name}-{'-'.join(map(str, triple))}-{number}"
                future = self._client.submit(
                    tasks.count_slice, self._tiles.origin, sent, triple, number, slices, self._counter,
                    key=key, retries=_RETRIES, priority=cost[triple] / slices / largest - self._groups, pure=False,
                )  # fmt: skip
                counts.append(future)
                task_cost[key] = int(cost[triple] / slices)
                for i in triple.ranges if self._counter.per_rank else (tasks.TOTALS,):
                    range_counts[i].append(future)
        sums = {i: self._sum(f"{name}-at-{i}", i, futures) for i, futures in range_counts.items()}
        return _Group(group, counts, sums, task_cost)

    def _sum(self, name: str, i: int, counts: list[Future]) -> Future:
        """Submit the sum of the counts at a range, as a tree of tasks."""
        add = tasks.add_pieces if self._counter.per_rank else tasks.add_totals
        level = self._client.map(
            tasks.counts_of_range, counts, [i] * len(counts), key=[f"{name}-{n}" for n in range(len(counts))],
            priority=_SUM_PRIORITY, pure=False,
        )  # fmt: skip
        depth = 0
        while len(level) > 1 or depth == 0:
            depth += 1
            level = [
                self._client.submit(
                    add, level[n : n + _ARITY], key=f"{name}-sum-{depth}-{n}", priority=_SUM_PRIORITY, pure=False
                )
                for n in range(0, len(level), _ARITY)
            ]
        return level[0]

    def _wait(self, group: _Group, progress: Progress | None, done: int, total: int) -> None:
        """Wait until a group is finished; the counts of a task are released as soon as they are added."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        if progress is not None:
            progress(done, total)
        pending = as_completed([*group.counts, *group.sums.values()])
        group.counts.clear()
        try:
            for future in pending:
                if future.status != "finished":
                    result(future)
                done += group.cost.get(future.key, 0)
                if progress is not None:
                    progress(min(done, total), total)
        finally:
            group.counts.extend(pending.futures)  # unfinished ones after an error, which `_release` needs

    def _flush(self, group: _Group, sums: PartialSums) -> None:
        """Add the counts of a group to the sums."""
        totals = [0] * self._counter.columns
        range_sums: Mapping[int, NDArray[np.int64]] = {}
        if self._counter.per_rank:
            range_sums = RangeSums(group.sums, self._layout, self._counter)
            if isinstance(sums, MemorySums):  # download all before `add`, which cannot undo a part of its additions
                range_sums = dict(range_sums)
        elif group.sums:
            totals = result(group.sums[tasks.TOTALS])
        sums.add(group.triples, totals, range_sums)

    def _renew(self, remaining: int) -> None:
        """Prepare another attempt after a loss of data; raise DeviceError if there are no `remaining` attempts."""
        if self._client.status != "running":
            raise DeviceError("the Dask scheduler is gone")
        if remaining <= 0:
            raise DeviceError(f"data was lost with its worker {_ATTEMPTS} times in a row: are workers being killed?")
        self._tiles.renew()

    @staticmethod
    def _release(groups: Iterable[_Group]) -> None:
        """Make Dask drop unfinished tasks; `Client.cancel` fails for tasks whose sums have no future here."""
        for group in groups:
            for future in (*group.sums.values(), *group.counts):
                future.release()
