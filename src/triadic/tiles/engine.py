"""Count a tiled graph on one machine, triple by triple.

On the CPU the triples of two ranges i and j are counted together, as many of them as fit into memory
(`triadic.tiles.spans`). A device joins the tiles of one triple at a time.

Triples are counted in groups. All triples of a group have the same range i of u, so that the tiles (i, *) stay in
memory while other tiles come and go. The most costly groups come first, and the tiles of the next span are loaded
while one span is counted. The counts of a group are added to the sums in one step; after an interruption, counting
resumes with the first group that was not added.
"""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import FreedMemory, show_bytes
from triadic.devices.cpu.triangles.parts import HubBits
from triadic.errors import OutOfMemoryError
from triadic.tiles import work
from triadic.tiles.device_ranges import count_ranges, share_of
from triadic.tiles.edge_values import valued
from triadic.tiles.layout import triples
from triadic.tiles.spans import OpenSpans, SpanPlan, split_span
from triadic.tiles.tile import CachedTiles
from triadic.tiles.triple_part import free_tiles, join, split_by_range
from triadic.tiles.work import most_needed, slice_of_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.triangles.parts import TileSpan
    from triadic.tiles.device_ranges import OnDevice
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.spans import Span
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.tile import TileSource
    from triadic.tiles.work import Needed

    # Counts of the whole graph; or a range, a first rank in it, and counts at consecutive ranks.
    Totals = Int64Array
    RangeCounts = tuple[int, int, Int64Array]

_MOST_SLICES = 64  # of a triple that a device does not have enough memory for
_GROUP_SECONDS = 60.0  # aim for the duration of a group on one thread, the longest work that a crash can lose


class Group:
    """Counts of the triples of one group, before they are added to the sums."""

    def __init__(self, layout: Layout, counter: PartCounter) -> None:
        self._layout, self._counter = layout, counter
        self._clear()

    def add(self, triples: Sequence[Triple], counts: list[Totals | RangeCounts]) -> None:
        """Add the counts of some triples."""
        for found in counts:
            if isinstance(found, tuple):
                self._add_at(*found)
            else:
                for column, total in enumerate(found):
                    self._totals[column] += int(total)
        self._triples.extend(triples)

    def flush(self, sums: PartialSums) -> None:
        """Add all counts to the sums and start an empty group.

        The counts are added once, even if an earlier call was interrupted after it had added them.
        """
        if self._triples and self._triples[0] not in sums.counted_triples():
            sums.add(self._triples, self._totals, self._range_sums)
        self._clear()

    def _add_at(self, i: int, start: int, counts: Int64Array) -> None:
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
        self._range_sums: dict[int, Int64Array] = {}


def count(
    source: TileSource,
    counter: PartCounter,
    sums: PartialSums,
    *,
    tests: Callable[[Callable[[], Float64Array]], Float64Array],
    memory: int,
    threads: int,
    progress: Progress | None = None,
    on_device: OnDevice | None = None,
) -> None:
    """Count every triple that is not in `sums` yet, and add its counts to `sums`.

    Parameters
    ----------
    source : TileSource
        The source of the tiles, with weights if the count takes values of them.
    counter : PartCounter
        The count.
    sums : PartialSums
        The sums of triples counted so far.
    tests : callable
        ``tests(compute)`` returns `triadic.tiles.work.entries_tested` of the source as it is stored, or the result of
        ``compute()`` if it is not; called only if triples remain.
    memory : int
        Bytes to use at most, for tiles and for counting a triple.
    threads : int
        Number of threads.
    progress : callable, optional
        Called with the estimated work done and in total, in nanoseconds.
    on_device : callable, optional
        Counts whole ranges of u on a device before any triple is counted, see `device_ranges.count_ranges`.

    Raises
    ------
    OutOfMemoryError
        If one triple takes more than `memory`.
    """
    if on_device is not None:
        count_ranges(source, counter, sums, on_device, memory, progress)
    layout, counted = source.layout, sums.counted_triples()
    every = list(triples(layout))
    remaining = [triple for triple in every if triple not in counted]
    if not remaining:
        if progress is not None:
            progress(1, 1)
        return
    needed = _needed(layout, counter, memory, threads)
    room = memory - needed.sums - work.COUNT_FLOOR
    spare = room - needed.tiles - needed.working if counter.in_place else 0
    plan = SpanPlan(layout, room, threads=threads, columns=_columns(counter), spare=spare)
    with CachedTiles(valued(source, counter.values), room - needed.working) as tiles:
        numbers = tests(lambda: work.entries_tested(tiles))
        cost = work.costs(layout, numbers)
        total, done = int(sum(cost.values())), int(sum(cost[triple] for triple in counted))
        planned = [plan.spans(group, in_place=counter.in_place) for group in groups(remaining, cost)]
        tiles.follow([span.tiles for spans in planned for span in spans])
        opened = OpenSpans(tiles, HubBits() if plan.keeps_hubs else None)
        group, freed = Group(layout, counter), FreedMemory(memory)
        with ThreadPoolExecutor(1, thread_name_prefix="triadic-sums") as adder:
            addition: Future[None] = adder.submit(lambda: None)
            try:
                for steps in plan.steps(planned, room - freed.step):
                    for span, following, rooms in steps:
                        opened.drop_others(span)
                        tiles.fetch(span.tiles, following, rooms=rooms)
                        span_cost = int(sum(cost[triple] for triple in span.triples))
                        share = share_of(progress, done, span_cost, total)
                        if counter.in_place:
                            counts = _count_in_place(opened.open(span), span, layout, counter, share)
                        else:
                            counts = _count_triple(tiles, span.triples[0], counter, threads, share)
                        addition.result()
                        addition = adder.submit(group.add, span.triples, counts)  # while the next span is counted
                        done += span_cost
                        del counts
                        freed.limit()
                    addition.result()
                    group.flush(sums)
            except KeyboardInterrupt:
                adder.shutdown()  # waits also for a triple that was submitted when the interrupt came
                addition.result()
                group.flush(sums)
                raise
    del opened, group
    freed.end()
    if progress is not None:
        progress(total, total)


def _count_in_place(
    tiles: TileSpan, span: Span, layout: Layout, counter: PartCounter, progress: Progress | None
) -> list[Totals | RangeCounts]:
    """Count the triples of a span without joining their tiles."""
    counts = counter.count(tiles, progress)
    return [*split_span(layout, span, counts)] if counter.per_rank else [counts]


def _count_triple(
    tiles: TileSource, triple: Triple, counter: PartCounter, threads: int, progress: Progress | None, slices: int = 1
) -> list[Totals | RangeCounts]:
    """Count a triple; if a device runs out of memory, count it in slices of the rows of u."""
    found: list[Totals | RangeCounts] = []
    try:
        for number in range(slices):
            rows = None if slices == 1 else slice_of_rows(tiles, triple, number, slices)
            if rows is None or rows[0] < rows[1]:
                counts = counter.count(join(tiles, triple, rows=rows), progress)
                found += split_by_range(tiles.layout, triple, rows, counts) if counter.per_rank else [counts]
    except OutOfMemoryError:
        if 2 * slices > _MOST_SLICES:
            raise
        free_tiles()
    else:
        return found
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


def _needed(layout: Layout, counter: PartCounter, memory: int, threads: int) -> Needed:
    """Return the bytes of the triple that takes the most memory."""
    needed = most_needed(layout, threads=threads, columns=_columns(counter))
    least = sum(needed) + work.COUNT_FLOOR
    if least > memory:
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: counting {layout.ranges} ranges of tiles on {threads} threads takes "
            f"{show_bytes(least)}; allow more, count on fewer threads, or tile again with a smaller memory= or more "
            "ranges="
        )
    return needed


def _columns(counter: PartCounter) -> int:
    """Return the number of counts at each rank."""
    return counter.columns if counter.per_rank else 0
