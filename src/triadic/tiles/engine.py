"""Count a tiled graph on one machine, triple by triple.

Triples are counted in groups. All triples of a group have the same range i of u, so that the tiles (i, *) stay in
memory while other tiles come and go. The most costly groups come first, and the tiles of the next triple are loaded
while one triple is counted. The counts of a group are added to the sums in one step; after an interruption, counting
resumes with the first group that was not added.
"""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import OutOfMemoryError
from triadic.tiles.device_tiles import free_tiles
from triadic.tiles.rows_of_tiles import RowsOfTiles
from triadic.tiles.tile import CachedTiles
from triadic.tiles.triple_part import join, split_by_range
from triadic.tiles.triples import triples
from triadic.tiles.work import most_needed, nanoseconds, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

    OnDevice = Callable[..., "NDArray[np.int64] | None"]
    # The counted rows of u, None for all rows, and the counts at local ranks or of the whole graph.
    SliceCounts = tuple[tuple[int, int] | None, NDArray[np.int64]]

_MOST_SLICES = 64  # of a triple that a device does not have enough memory for
_DEVICE_ENTRIES = 1 << 32  # of the rows of u that a device counts before their counts are added to the sums
_GROUP_SECONDS = 60.0  # aim for the duration of a group on one thread, the longest work that a crash can lose


class Group:
    """Counts of the triples of one group, before they are added to the sums."""

    def __init__(self, layout: Layout, counter: PartCounter) -> None:
        self._layout, self._counter = layout, counter
        self._clear()

    def add(self, triple: Triple, slices: list[SliceCounts]) -> None:
        """Add the counts of the slices of a triple."""
        for rows, counts in slices:
            if self._counter.per_rank:
                for i, start, part in split_by_range(self._layout, triple, rows, counts):
                    self._add_at(i, start, part)
            else:
                for column, total in enumerate(counts):
                    self._totals[column] += int(total)
        self._triples.append(triple)

    def flush(self, sums: PartialSums) -> None:
        """Add all counts to the sums and start an empty group.

        The counts are added once, even if an earlier call was interrupted after it had added them.
        """
        if self._triples and self._triples[0] not in sums.counted_triples():
            sums.add(self._triples, self._totals, self._range_sums)
        self._clear()

    def _add_at(self, i: int, start: int, counts: NDArray[np.int64]) -> None:
        if i in self._range_sums:
            self._range_sums[i][start : start + len(counts)] += counts
        elif len(counts) == self._layout.length(i):
            self._range_sums[i] = counts.copy()  # a view would keep the counts of the other ranges in memory
        else:
            self._range_sums[i] = np.zeros((self._layout.length(i), *counts.shape[1:]), dtype=np.int64)
            self._add_at(i, start, counts)

    def _clear(self) -> None:
        self._triples: list[Triple] = []
        self._totals = [0] * self._counter.columns
        self._range_sums: dict[int, NDArray[np.int64]] = {}


def count(
    source: TileSource,
    counter: PartCounter,
    sums: PartialSums,
    *,
    tests: Callable[[TileSource], NDArray[np.float64]],
    memory: int,
    threads: int,
    progress: Progress | None = None,
    on_device: OnDevice | None = None,
) -> None:
    """Count every triple that is not in `sums` yet, and add its counts to `sums`.

    Parameters
    ----------
    source : TileSource
        The source of the tiles.
    counter : PartCounter
        The count.
    sums : PartialSums
        The sums of triples counted so far.
    tests : callable
        ``tests(source)`` returns `triadic.tiles.work.entries_tested` of the source; called only if triples remain.
    memory : int
        Bytes to use at most, for tiles and for counting a triple.
    threads : int
        Number of threads.
    progress : callable, optional
        Called with the estimated work done and in total, in nanoseconds.
    on_device : callable, optional
        ``on_device(rows, first=, progress=)`` counts the triangles with u from rank `first` on in all ranges at once,
        and returns counts by column or by rank, or None if it cannot. It counts all ranges of which no triple is in
        `sums`; the triples of the other ranges are counted one by one.

    Raises
    ------
    OutOfMemoryError
        If one triple takes more than `memory`.
    """
    layout, counted = source.layout, sums.counted_triples()
    every = list(triples(layout))
    remaining = [triple for triple in every if triple not in counted]
    if not remaining:
        if progress is not None:
            progress(1, 1)
        return
    if on_device is not None:
        _count_ranges(source, counter, sums, remaining, on_device, memory, progress)
        remaining = [triple for triple in remaining if triple not in sums.counted_triples()]
        if not remaining:
            return
        counted = sums.counted_triples()
    with CachedTiles(source, _room(layout, remaining, counter, memory, threads)) as tiles:
        numbers = tests(tiles)
        cost = {triple: nanoseconds(layout, triple, numbers) for triple in every}
        total, done = int(sum(cost.values())), int(sum(cost[triple] for triple in counted))
        order = [triple for group in groups(remaining, cost) for triple in (*group, None)]
        group = Group(layout, counter)
        with ThreadPoolExecutor(1, thread_name_prefix="triadic-sums") as adder:
            addition: Future[None] = adder.submit(lambda: None)
            try:
                for place, triple in enumerate(order):
                    if triple is None:
                        addition.result()
                        group.flush(sums)
                        continue
                    following = next((other for other in order[place + 1 :] if other is not None), None)
                    tiles.fetch(triple.tiles, () if following is None else following.tiles)
                    share = _share(progress, done, int(cost[triple]), total)
                    counts = _count_triple(tiles, triple, counter, threads, share)
                    addition.result()
                    addition = adder.submit(group.add, triple, counts)  # while the next triple is counted
                    done += int(cost[triple])
            except KeyboardInterrupt:
                adder.shutdown()  # waits also for a triple that was submitted when the interrupt came
                addition.result()
                group.flush(sums)
                raise
    if progress is not None:
        progress(total, total)


def _count_ranges(
    source: TileSource,
    counter: PartCounter,
    sums: PartialSums,
    remaining: list[Triple],
    on_device: OnDevice,
    memory: int,
    progress: Progress | None,
) -> None:
    """Count on a device all triples of the ranges of u of which none is counted yet, some ranges at a time."""
    layout, counted = source.layout, {triple.i for triple in sums.counted_triples()}
    of_range: dict[int, list[Triple]] = defaultdict(list)
    for triple in remaining:
        of_range[triple.i].append(triple)
    edges = layout.tile_edges.sum(axis=1)
    columns = counter.columns if counter.per_rank else 0
    room = memory - 16 * columns * layout.vertices
    if max(sum(layout.tile_bytes(i, j) for j in range(i + 1)) for i in of_range) > room:
        return
    total, done = int(edges[list(of_range)].sum()), 0
    with CachedTiles(source, room) as tiles:
        for ranges in _neighbours([i for i in of_range if i not in counted], edges):
            cost = int(edges[ranges].sum())
            first, rows = int(layout.cuts[ranges[0]]), RowsOfTiles(tiles, ranges[-1] + 1)
            counts = on_device(rows, first=first, progress=_share(progress, done, cost, total))
            if counts is None:
                return
            found = [triple for i in ranges for triple in of_range[i]]
            if counter.per_rank:
                parts = {i: counts[layout.cuts[i] : layout.cuts[i + 1]] for i in range(ranges[-1] + 1)}
                sums.add(found, [0] * counter.columns, {i: part for i, part in parts.items() if len(part)})
            else:
                sums.add(found, [int(count) for count in counts], {})
            done += cost


def _neighbours(ranges: list[int], edges: NDArray[np.int64]) -> list[list[int]]:
    """Return consecutive ranges together, in lists that have no more entries than one step of a device."""
    result: list[list[int]] = []
    for i in ranges:
        if result and result[-1][-1] == i - 1 and edges[[*result[-1], i]].sum() <= _DEVICE_ENTRIES:
            result[-1].append(i)
        else:
            result.append([i])
    return result


def _count_triple(
    tiles: TileSource, triple: Triple, counter: PartCounter, threads: int, progress: Progress | None, slices: int = 1
) -> list[SliceCounts]:
    """Count a triple; if a device runs out of memory, count it in slices of the rows of u."""
    counts: list[SliceCounts] = []
    try:
        for number in range(slices):
            rows = None if slices == 1 else slice_of_rows(tiles, triple, number, slices)
            if rows is None or rows[0] < rows[1]:
                counts.append((rows, counter.count(join(tiles, triple, threads=threads, rows=rows), progress)))
    except OutOfMemoryError:
        if 2 * slices > _MOST_SLICES:
            raise
        free_tiles()
    else:
        return counts
    return _count_triple(tiles, triple, counter, threads, progress, 2 * slices)


def groups(remaining: list[Triple], cost: dict[Triple, float]) -> list[list[Triple]]:
    """Return triples in groups of one range of u, each of about a minute at most; the most costly group first."""
    by_range: dict[int, list[Triple]] = defaultdict(list)
    for triple in remaining:
        by_range[triple.i].append(triple)
    result = []
    for range_triples in by_range.values():
        group: list[Triple] = []
        group_cost = 0.0
        for triple in sorted(range_triples, key=lambda triple: (triple.j, triple.k), reverse=True):
            group.append(triple)
            group_cost += cost[triple]
            if group_cost > _GROUP_SECONDS * 1e9:
                result.append(group)
                group, group_cost = [], 0.0
        if group:
            result.append(group)
    return sorted(result, key=lambda group: -sum(cost[triple] for triple in group))


def _room(layout: Layout, remaining: list[Triple], counter: PartCounter, memory: int, threads: int) -> int:
    """Return the bytes that remain for tiles beside the triple that takes the most memory."""
    columns = counter.columns if counter.per_rank else 0
    needed = most_needed(layout, remaining, threads=threads, columns=columns)
    if sum(needed) > memory:
        raise OutOfMemoryError(
            f"memory: counting {layout.ranges} ranges of tiles takes {show_bytes(sum(needed))} and "
            f"{show_bytes(memory)} are allowed; cut the graph into more ranges, or allow more memory"
        )
    return memory - needed.working - needed.sums


def _share(progress: Progress | None, done: int, cost: int, total: int) -> Progress | None:
    """Return a function that reports the progress of one triple as progress of the whole count."""
    if progress is None:
        return None
    report = progress

    def of_triple(triple_done: int, triple_total: int) -> None:
        report(done + (cost * triple_done // triple_total if triple_total else cost), total)

    return of_triple
