"""PartCount a tiled graph on a cluster: groups of triples, cut into slices, each a task; what they count added up.

Idea: a triple is a task. Where threads of the cluster would have less than eight, or one task were a large share of
what a thread has to do, the most costly are cut into slices, and no more than that: a slice takes its triple's other
tiles as a whole. The largest go first, so that the last ones end together. What tasks found at a range is added eight
by eight, and one array for each range comes back, one after another. A group is about a minute of the whole cluster:
with it what is kept changes in one step. The next group is handed out before one is done.
"""

from __future__ import annotations

from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from triadic.errors import DeviceError
from triadic.tiles.cluster import tasks
from triadic.tiles.cluster.answers import AtRanges, LostError, checked, result
from triadic.tiles.cluster.connecting import check_client
from triadic.tiles.cluster.slices import groups, largest_task, slices_of
from triadic.tiles.cluster.tiles_for_workers import ScatteredTiles, StoredForWorkers
from triadic.tiles.cluster.tiles_of_worker import forget_soon
from triadic.tiles.edge_sums import Accumulator, rows_of_tile, tiles_with_edges
from triadic.tiles.stored_tiles import StoredTiles
from triadic.tiles.sums import SumsInMemory
from triadic.tiles.triples import triples
from triadic.tiles.work import nanoseconds, put_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import numpy as np
    from distributed import Client, Future
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.cluster.tiles_for_workers import TilesForWorkers
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.leaves import WithoutLeaves
    from triadic.tiles.of_graph import TilesOfGraph
    from triadic.tiles.sums import PartCount, Sums
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

_GROUP_SECONDS = 60.0  # of the whole cluster, and so what a crash can cost
_ARITY = 8
_RETRIES = 3
_TIMES_LOST = 5  # data lost with a worker in so many groups in a row
_SECONDS_TO_COME = 30  # for a first worker
_SUMS_FIRST = 2.0  # priority: sums set memory free; tasks are between 0 and 1


def count(
    client: Client,
    layout: Layout,
    tiles: TilesForWorkers,
    counting: PartCount,
    sums: Sums,
    *,
    tested: Callable[[Callable[[], NDArray[np.float64]]], NDArray[np.float64]],
    progress: Progress | None = None,
) -> None:
    """Count on a cluster every triple whose counts are not in `sums` yet.

    Parameters
    ----------
    client : distributed.Client
    layout : Layout
    tiles : TilesForWorkers
    counting : PartCount
        Its function takes ``threads``.
    sums : Sums
    tested : callable
        Gives `triadic.tiles.work.entries_tested`, by the function that it is given where it is not known.
    progress : callable, optional

    Raises
    ------
    DeviceError
        There are no workers, they die over and over, or a task fails for a reason that is none of triadic's errors.
    TriadicError
        What a task raised.
    """
    done = sums.done()
    every = list(triples(layout))
    if all(triple in done for triple in every):
        if progress is not None:
            progress(1, 1)
        return
    run = _Run(client, layout, tiles, counting)
    walked = tested(run.tested)
    cost = {triple: nanoseconds(layout, triple, walked) for triple in every}
    try:
        run.count([triple for triple in every if triple not in done], cost, sums, progress)
    finally:
        with suppress(Exception):  # of a cluster that is gone, which is told already
            client.run(forget_soon, wait=False, on_error="ignore")


class DaskCluster:
    """A Dask cluster that counts the tiles of a graph: a `triadic.tiles.tiles.Cluster`.

    Parameters
    ----------
    client : distributed.Client

    Raises
    ------
    ArgumentError, MissingExtraError
        If `client` is no synchronous client, or Dask is not installed.
    """

    def __init__(self, client: Client) -> None:
        check_client(client)
        self._client = client

    def sum_over_triples(
        self,
        tiles: WithoutLeaves,
        counter: PartCount,
        sums: Sums,
        *,
        tested: Callable[[Callable[[], NDArray[np.float64]]], NDArray[np.float64]],
        progress: Progress | None,
    ) -> None:
        """Count every triple of tiles whose counts are not in `sums` yet."""
        for_workers = self._for_workers(tiles.source, tiles, tiles.ranks)
        count(self._client, tiles.layout, for_workers, counter, sums, tested=tested, progress=progress)

    def sum_over_edges(
        self,
        tiles: StoredTiles | TilesOfGraph,
        counter: PartCount,
        inputs: tuple[NDArray[Any], ...],
        result: Callable[[tuple[int, ...]], NDArray[np.int64]],
        *,
        progress: Progress | None,
    ) -> NDArray[np.int64]:
        """Count every tile, a task each, and add up here, a row of tiles at a time."""
        layout = tiles.layout
        for_workers = self._for_workers(tiles, tiles, layout.vertices)
        run = _Run(self._client, layout, for_workers, counter)
        sums = Accumulator(layout, counter, result)
        every = tiles_with_edges(layout)
        for done, i in enumerate(sorted({i for i, _ in every})):
            if progress is not None:
                progress(done, layout.ranges)
            for shares in run.count_tiles([tile for tile in every if tile[0] == i], inputs):
                sums.add(shares)
        if progress is not None:
            progress(layout.ranges, layout.ranges)
        return sums.total()

    def _for_workers(self, stored: TileSource, tiles: TileSource, ranks: int) -> StoredForWorkers | ScatteredTiles:
        if isinstance(stored, StoredTiles):
            return StoredForWorkers(stored, ranks)
        return ScatteredTiles(tiles, self._client)


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Triples that are being counted: futures of what they give at each range, and cost by the key of each task."""

    triples: list[Triple]
    counts: list[Future]
    at: dict[int, Future]
    cost: dict[str, int]


class _Run:
    """One count on one cluster."""

    def __init__(self, client: Client, layout: Layout, tiles: TilesForWorkers, counting: PartCount) -> None:
        self._client, self._layout, self._tiles, self._counting = client, layout, tiles, counting
        self._groups = 0

    @cached_property
    def _threads(self) -> int:
        """Threads of all workers."""
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS_TO_COME)
        except TimeoutError:
            raise DeviceError(f"the cluster has no workers: waited {_SECONDS_TO_COME} seconds for one") from None
        return sum(self._client.nthreads().values())

    def tested(self) -> NDArray[np.float64]:
        """Have workers count the entries that triples test."""
        _ = self._threads
        ranges = range(self._layout.ranges)
        for left in reversed(range(_TIMES_LOST)):
            try:
                given = [self._tiles.given([(i, j) for j in range(i + 1)]) for i in ranges]
                futures = [
                    self._client.submit(
                        tasks.tested_in, self._tiles.where, given[i], i, pure=False, retries=_RETRIES, priority=i + 1
                    )
                    for i in ranges
                ]
                return put_together([checked(result(future)) for future in futures])
            except LostError:
                self._renew(left)
        raise AssertionError

    def count_tiles(self, every: list[tuple[int, int]], inputs: tuple[NDArray[Any], ...]) -> list[Shares]:
        """Have workers count some tiles, each as a whole."""
        _ = self._threads
        for left in reversed(range(_TIMES_LOST)):
            try:
                futures = [
                    self._client.submit(
                        tasks.count_whole_tile, self._tiles.where, self._tiles.given([(i, j)]), i, j, self._counting,
                        rows_of_tile(self._layout, i, j, inputs), pure=False, retries=_RETRIES,
                    )
                    for i, j in every
                ]  # fmt: skip
                return [checked(result(future)) for future in futures]
            except LostError:
                self._renew(left)
        raise AssertionError

    def count(self, left: list[Triple], cost: dict[Triple, float], sums: Sums, progress: Progress | None) -> None:
        """Count triples in groups, two of them at work at a time."""
        whole = int(sum(cost.values()))
        behind = whole - int(sum(cost[triple] for triple in left))
        most = largest_task([cost[triple] for triple in left], self._threads)
        waiting = deque(groups(left, cost, most, _GROUP_SECONDS * 1e9 * self._threads))
        running: deque[_Group] = deque()
        lost = 0
        try:
            while waiting or running:
                try:
                    while waiting and len(running) < 2:
                        running.append(self._submit(waiting[0], cost, most))
                        waiting.popleft()
                    self._wait(running[0], progress, behind, whole)
                    behind += sum(running[0].cost.values())
                    self._flush(running[0], sums)
                    running.popleft()
                    lost = 0
                except LostError:
                    lost += 1
                    self._let_go(running)
                    waiting.extendleft([group.triples for group in reversed(running)])
                    running.clear()
                    self._renew(_TIMES_LOST - lost)
        except BaseException:
            self._let_go(running)
            raise
        if progress is not None:
            progress(whole, whole)

    def _submit(self, group: list[Triple], cost: dict[Triple, float], most: float) -> _Group:
        """Hand out the tasks of a group, and the sums of what they give."""
        self._groups += 1
        name = f"triadic-{self._counting.name}-{uuid4().hex[:8]}"
        largest = max(cost[triple] for triple in group) or 1.0
        found: dict[int, list[Future]] = defaultdict(list)
        counts, of_task = [], {}
        for triple in sorted(group, key=lambda each: -cost[each]):
            slices = slices_of(cost[triple], most)
            given = self._tiles.given(triple.tiles)
            for at in range(slices):
                key = f"{name}-{'-'.join(map(str, triple))}-{at}"
                future = self._client.submit(
                    tasks.count_slice, self._tiles.where, given, triple, at, slices, self._counting,
                    key=key, retries=_RETRIES, priority=cost[triple] / slices / largest - self._groups, pure=False,
                )  # fmt: skip
                counts.append(future)
                of_task[key] = int(cost[triple] / slices)
                for i in triple.ranges if self._counting.at_ranks else (tasks.TOTALS,):
                    found[i].append(future)
        return _Group(
            group, counts, {i: self._sum(f"{name}-at-{i}", i, of_range) for i, of_range in found.items()}, of_task
        )

    def _sum(self, name: str, i: int, counts: list[Future]) -> Future:
        """Add what tasks found at a range, in a tree."""
        add = tasks.add_pieces if self._counting.at_ranks else tasks.add_totals
        level = self._client.map(
            tasks.found_at, counts, [i] * len(counts), key=[f"{name}-{n}" for n in range(len(counts))],
            priority=_SUMS_FIRST, pure=False,
        )  # fmt: skip
        depth = 0
        while len(level) > 1 or depth == 0:
            depth += 1
            level = [
                self._client.submit(
                    add, level[n : n + _ARITY], key=f"{name}-sum-{depth}-{n}", priority=_SUMS_FIRST, pure=False
                )
                for n in range(0, len(level), _ARITY)
            ]
        return level[0]

    def _wait(self, group: _Group, progress: Progress | None, behind: int, whole: int) -> None:
        """Wait until a group is done; what tasks found is let go as soon as it is added up."""
        from distributed import as_completed  # noqa: PLC0415 - of an extra

        if progress is not None:
            progress(behind, whole)
        coming = as_completed([*group.counts, *group.at.values()])
        group.counts.clear()
        try:
            for future in coming:
                if future.status != "finished":
                    result(future)
                behind += group.cost.get(future.key, 0)
                if progress is not None:
                    progress(min(behind, whole), whole)
        finally:
            group.counts.extend(coming.futures)  # those that are left, to be let go

    def _flush(self, group: _Group, sums: Sums) -> None:
        """Add a group to what is kept."""
        totals = [0] * self._counting.columns
        at_ranges: Mapping[int, NDArray[np.int64]] = {}
        if self._counting.at_ranks:
            at_ranges = AtRanges(group.at, self._layout, self._counting)
            if isinstance(sums, SumsInMemory):  # which changes as it goes on
                at_ranges = dict(at_ranges)
        elif group.at:
            totals = result(group.at[tasks.TOTALS])
        sums.add(group.triples, totals, at_ranges)

    def _renew(self, left: int) -> None:
        if self._client.status != "running":
            raise DeviceError("the Dask scheduler is gone")
        if left <= 0:
            raise DeviceError(f"data was lost with its worker {_TIMES_LOST} times in a row: are workers being killed?")
        self._tiles.renew()

    @staticmethod
    def _let_go(groups: Iterable[_Group]) -> None:
        """Have Dask drop what is not counted yet; its own cancelling fails where sums of a task are not asked for."""
        for group in groups:
            for future in (*group.at.values(), *group.counts):
                future.release()
