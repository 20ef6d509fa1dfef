"""One count on a Dask cluster: runs of triples, and slices of costly triples, are tasks.

All tasks of about a minute form a group, and are submitted together. Dask starts the tasks of a range on the workers
that `strips.near` chooses, which then hold its tiles, and moves them to others that are idle; those of a short count go
to any worker. Further tasks add up the counts, eight at a time, those of the same range first: so no worker and no
client receives the counts of a single task. If sums take much memory, there is such a tree for each block of ranges,
and no worker holds the sums of all ranges.

The sums of a group are added to those of the count in one step. Two groups are submitted at a time, so that the tasks
of the next one begin while those of the first end.

Workers store the sums of a table of vertices, whose columns they compute; the client sees neither counts nor sums. A
group is counted when its own file exists, which the client writes after the files of its sums; the group's file names
them. All names are new, so that a worker that is thought to be dead cannot damage what another one writes. If two
clients count at one place, groups may have triples in common: of these, one group is used::

    PLACE/group-4be1….json    triples of a group; file, first rank and checksum of the sums of each range
    PLACE/sums-9c0d….npy      sums of a group at the ranks of one range, in the smallest type that holds them
"""

from __future__ import annotations

from itertools import groupby
from math import frexp
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from uuid import uuid4

import numpy as np

from triadic.errors import ReadError
from triadic.tiles.cluster import tasks, tile_transfer
from triadic.tiles.cluster.strips import SHORTEST, blocks_of_sums, cut_into_tasks, near
from triadic.tiles.cluster.tasks import TOTALS, Counts
from triadic.tiles.cluster.worker_watch import ATTEMPTS, LostDataError, WorkerPool, result, success
from triadic.tiles.edge_sums import rows_of_tile
from triadic.tiles.file_format import put_array, read_array, seal, unseal
from triadic.tiles.layout import Triple
from triadic.tiles.stored_tiles import open_store
from triadic.tiles.sums import MemorySums
from triadic.tiles.work import entries_tested_in, put_together

if TYPE_CHECKING:
    from collections.abc import Callable

    from distributed import Client, Future

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.strips import Task
    from triadic.tiles.cluster.tile_transfer import TileProvider
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.sums import PartCounter, PartialSums

    Tests = Float64Array
    GroupSums: TypeAlias = "ClientSums | StoredSums"  # the client downloads the sums of groups, or workers store them


_ARITY = 8  # counts that a task adds up
# Priorities above those of tasks, which are less than 0, because sums free memory; and between those of two groups.
_SUMMING, _STORING, _GROUP_PRIORITY = 1.0, 2.0, 100
_GROUP_SECONDS = 60.0  # aim for the duration of a group on the whole cluster, the longest work that a crash can lose
_SHARE_OF_COUNT = 0.01  # of a long count that a group may be
_MOST_TASKS = 1 << 12  # of a group
_AT_A_TIME = 2  # groups
_SHORT_SECONDS = 5.0  # of each thread, for a group whose tasks go to any worker
_DEVICE_SPEED = 50.0  # of a device compared with one thread, for the length of tasks
_SHARE = 0.1  # of a thread's memory, for the tiles and sums of a run of triples
_GROUP = "group-"

StoredFile = tuple[str, int, int]  # the file of the sums at a range, their first rank and their checksum
Block = dict[int, StoredFile]


class TaskGroup:
    """Tasks whose sums are added to those of the count in one step.

    Parameters
    ----------
    tasks : list of Task
        The tasks.

    Attributes
    ----------
    pending : dict of str to (Future, float)
        Tasks of Dask that are not finished, by their keys, each with its estimated cost.
    finished : list of Future
        The tasks that complete the group.
    """

    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks
        self.pending: dict[str, tuple[Future, float]] = {}
        self.finished: list[Future] = []

    @property
    def cost(self) -> float:
        """Estimated nanoseconds of all tasks on one thread."""
        return sum(task.cost for task in self.tasks)

    @property
    def triples(self) -> list[Triple]:
        """The triples of the group, each once."""
        return list(dict.fromkeys(triple for task in self.tasks for triple in task.triples))

    def release(self) -> None:
        """Make Dask drop the counts and sums, and unfinished tasks."""
        for future in [*self.finished, *(future for future, _ in self.pending.values())]:
            future.release()
        self.pending, self.finished = {}, []


class ClusterCount:
    """One count of a tiled graph on one cluster.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    tiles : TileProvider
        The tiles.
    counter : PartCounter
        The count.
    """

    def __init__(self, client: Client, tiles: TileProvider, counter: PartCounter) -> None:
        self._client, self._layout, self._tiles, self._counter = client, tiles.layout, tiles, counter
        self._pool = WorkerPool(client)
        self._submitted = 0

    def tests(self) -> Tests:
        """Return the numbers of tests of triples, which workers compute; each reads the tiles of a range."""
        calls = [(i, ()) for i in reversed(range(self._layout.ranges))]  # the longest range first
        return put_together(tasks.over_ranges(self._pool, self._tiles, entries_tested_in, calls)[::-1])

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
        self,
        remaining: list[Triple],
        cost: dict[Triple, float],
        sums: GroupSums,
        progress: Progress | None,
    ) -> None:
        """Count triples in groups, and add the sums of each group when it is complete."""
        total = sum(cost.values())

        def report(left: float) -> None:
            if progress is not None:
                progress(int(total - left), int(total))

        groups = self._groups(remaining, cost, total)
        losses = 0  # since the sums of a group were added
        while groups:
            before = len(groups)
            try:
                self._count_groups(groups, sums, report)
            except LostDataError:
                losses = 1 if len(groups) < before else losses + 1
                self._pool.check_alive(ATTEMPTS - losses)
                self._tiles.renew()
            finally:
                for group in groups:
                    group.release()
        report(0.0)

    def _groups(self, remaining: list[Triple], cost: dict[Triple, float], total: float) -> list[TaskGroup]:
        """Return the tasks of some triples in groups; all slices of a triple are in one group."""
        pool, counter = self._pool, self._counter
        threads = pool.threads
        every = cut_into_tasks(
            remaining,
            cost,
            self._layout,
            threads=threads,
            workers=len(pool.members()),
            columns=counter.rank_columns,
            room=max(1 << 26, int(_SHARE * pool.thread_memory())),
            shortest=SHORTEST * (_DEVICE_SPEED if counter.device not in ("auto", "cpu") else 1.0),
        )
        aim = max(_GROUP_SECONDS * 1e9 * threads, _SHARE_OF_COUNT * total)
        groups: list[list[Task]] = []
        held = aim
        for task in every:
            if task.number == 0 and (held >= aim or len(groups[-1]) >= _MOST_TASKS):
                groups.append([])
                held = 0.0
            groups[-1].append(task)
            held += task.cost
        return [TaskGroup(of_group) for of_group in groups]

    def _count_groups(self, groups: list[TaskGroup], sums: GroupSums, report: Callable[[float], None]) -> None:
        """Count groups, and remove each when its sums are added; raise LostDataError if data is lost with a worker."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        completed = as_completed(loop=self._client.loop)
        left = sum(group.cost for group in groups)
        report(left)
        while groups:
            for group in groups[:_AT_A_TIME]:
                if not group.finished:
                    self._submit(group, sums)
                    completed.update([future for future, _ in group.pending.values()])
            self._pool.watch.wait_for_any(completed)
            for future in completed.next_batch(block=True):
                if future.status != "finished":
                    result(future)
                for group in groups[:_AT_A_TIME]:
                    left -= group.pending.pop(future.key, (future, 0.0))[1]
                if not any(future is kept for group in groups[:_AT_A_TIME] for kept in group.finished):
                    future.release()
            report(max(0.0, left))
            for group in groups[:_AT_A_TIME]:
                if not group.pending:
                    self._add(groups, group, sums)

    def _add(self, groups: list[TaskGroup], group: TaskGroup, sums: GroupSums) -> None:
        """Add the sums of a complete group, and remove it from the groups."""
        sums.add(group.triples, group.finished)
        group.release()
        groups.remove(group)

    def _submit(self, group: TaskGroup, sums: GroupSums) -> None:
        """Submit the tasks of a group, and the tasks that add up their counts."""
        self._submitted += 1
        pool = self._pool
        if not pool.members():  # tiles cannot be sent
            pool.watch.wait_for_worker()
        together = self._near(group.tasks)
        if group.cost < _SHORT_SECONDS * 1e9 * pool.threads:
            # Dask gives each worker that is free the next task of a call; restricted tasks it moves ten times a second.
            together = [(sorted(group.tasks, key=lambda task: -task.cost), {})]
        counts: list[Future] = []
        for some, options in together:
            calls = [
                (tasks.count_task, self._tiles.origin, self._tiles.send(task.tiles), task, self._counter)
                for task in some
            ]
            options["priority"] = options.get("priority", 0) - _GROUP_PRIORITY * self._submitted
            counts += pool.submit(calls, "count", **options)
        ordered = [task for some, _ in together for task in some]
        group.finished = sums.finish(pool, self._sums(ordered, counts))
        group.pending = {future.key: (future, task.cost) for future, task in zip(counts, ordered, strict=True)}
        group.pending |= {future.key: (future, 0.0) for future in group.finished}

    def _near(self, of_tasks: list[Task]) -> list[tuple[list[Task], dict[str, Any]]]:
        """Return tasks that are submitted together, with arguments of ``Client.map``: near to the tiles of a range.

        Costly tasks start first, so that none is last; of similar ones, a worker counts those of a range together.
        """
        by_range = sorted(of_tasks, key=attrgetter("i"))
        workers = near(by_range, self._pool.members())
        return [
            (list(some), {"priority": size, "workers": workers[i], "allow_other_workers": True})
            for (i, size), some in groupby(by_range, key=lambda task: (task.i, frexp(task.cost)[1]))
        ]

    def _sums(self, of_tasks: list[Task], counts: list[Future]) -> list[Future]:
        """Submit tasks that add up the counts of some tasks in a tree, for each block of sums; return the sums."""
        counter = self._counter
        blocks = blocks_of_sums(self._layout, counter) if counter.per_rank else []
        if len(blocks) < 2:
            return [self._sum(counts)]
        at = [task.sums(counter) for task in of_tasks]
        sums = []
        for block in blocks:
            parts = [future for future, ranges in zip(counts, at, strict=True) if not ranges.isdisjoint(block)]
            # Select the counts before they are sent to the worker that adds them.
            selected = self._pool.submit(
                [(tasks.add_counts, [part], block) for part in parts], "sum", priority=_SUMMING
            )
            sums.append(self._sum(selected))
        return sums

    def _sum(self, parts: list[Future]) -> Future:
        """Submit tasks that add up counts, which may be failures; return the sum."""
        while True:
            together = [(tasks.add_counts, parts[n : n + _ARITY]) for n in range(0, max(1, len(parts)), _ARITY)]
            parts = self._pool.submit(together, "sum", priority=_SUMMING)
            if len(parts) == 1:
                return parts[0]


class StoredGroup(NamedTuple):
    """A group of triples whose sums are stored.

    Attributes
    ----------
    triples : tuple of Triple
        The triples.
    files : dict of int to (str, int, int)
        File, first rank and checksum of the sums at each range; ranges without counts have none.
    """

    triples: tuple[Triple, ...]
    files: Block


class StoredSums:
    """The sums of a count at a place that all workers can write to.

    Parameters
    ----------
    place : str
        Path or URL of the folder of this count.
    graph : str
        Fingerprint of the tiles.
    """

    def __init__(self, place: str, graph: str) -> None:
        self._place, self._graph = place, graph
        self.groups: list[StoredGroup] = []
        store, counted = open_store(place), set[Triple]()
        for name in store.list(_GROUP):
            try:
                content = unseal(store.get(name).tobytes())
            except (ReadError, ValueError):  # damaged: its triples are counted again
                continue
            triples = tuple(Triple(*ranges) for ranges in content["triples"])
            if content["graph"] == graph and counted.isdisjoint(triples):
                counted.update(triples)
                files = {int(i): (file, first, check) for i, (file, first, check) in content["files"].items()}
                self.groups.append(StoredGroup(triples, files))

    def counted_triples(self) -> set[Triple]:
        """Return the triples of the stored groups."""
        return {triple for group in self.groups for triple in group.triples}

    def finish(self, pool: WorkerPool, sums: list[Future]) -> list[Future]:
        """Submit tasks that store the sums of a group."""
        return pool.submit([(store_block, self._place, block) for block in sums], "store", priority=_STORING)

    def add(self, triples: list[Triple], finished: list[Future]) -> None:
        """Store the file of a group whose sums are stored."""
        files: Block = {}
        for future in finished:
            files |= success(result(future))
        content = {"graph": self._graph, "triples": triples, "files": files}
        open_store(self._place).put(f"{_GROUP}{uuid4().hex}.json", [seal(content)])
        self.groups.append(StoredGroup(tuple(triples), files))


@tile_transfer.task
def store_block(place: str, counts: Counts) -> Block:
    """Store the sums of a group at a block of ranges."""
    store, block = open_store(place), {}
    for i, piece in counts.items():
        name = f"sums-{uuid4().hex}.npy"
        block[i] = (name, piece.first, put_array(store, name, np.ascontiguousarray(piece.counts)))
    return block


def add_stored(place: str, files: list[StoredFile], sums: Int64Array) -> None:
    """Add the sums of some files at one range to an int64 array of shape (ranks of the range,) or (..., columns).

    Raises
    ------
    ReadError
        If a file is missing or damaged.
    """
    store = open_store(place)
    for name, first, checksum in files:
        found: AnyArray = read_array(store, name, checksum)
        part = sums[first : first + len(found)]
        if found.shape != part.shape or found.dtype.kind not in "iu":
            raise ReadError(f"{place}/{name}", "does not hold the sums that its group describes; remove the folder")
        part += found


class ClientSums:
    """Sums that the client downloads, one group at a time.

    Parameters
    ----------
    sums : PartialSums
        The sums of the groups that are complete, in memory or in a folder on the client.
    """

    def __init__(self, sums: PartialSums) -> None:
        self._sums = sums

    def finish(self, pool: WorkerPool, sums: list[Future]) -> list[Future]:  # noqa: ARG002 - as `StoredSums`
        """Return the sums, of which nothing remains to be computed."""
        return sums

    def add(self, triples: list[Triple], finished: list[Future]) -> None:
        """Download the sums of a group, one block of ranges at a time, and add them."""
        counts = (
            piece if i == TOTALS else (i, piece.first, piece.counts)
            for future in finished
            for i, piece in result(future).items()
        )
        # Download all before `add` of sums in memory, which cannot undo a part of its additions.
        self._sums.add(triples, list(counts) if isinstance(self._sums, MemorySums) else counts)
