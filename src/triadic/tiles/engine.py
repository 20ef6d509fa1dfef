"""Count a tiled graph on one machine, triple by triple.

On the CPU the triples of two ranges i and j are counted together, as many of them as fit into memory
(`triadic.tiles.work`). A device counts whole ranges: all triples with u in a range at once, from the tiles of that
range and of all ranges before it. Its blocks of rows do not depend on the ranges of the tiles: a block may hold a part
of a range, or several ranges. Where its memory is too little for that, it joins the tiles of one triple at a time.

Triples are counted in groups. All triples of a group have the same range i of u, so that the tiles (i, *) stay in
memory while other tiles come and go. The most costly groups come first, and the tiles of the next span are loaded
while one span is counted. The counts of a group are added to the sums in one step; after an interruption, counting
resumes with the first group that was not added.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import FreedMemory
from triadic.devices.cpu.triangles.parts import HubBits
from triadic.devices.gpu.row_blocks import RowPiece
from triadic.errors import OutOfMemoryError
from triadic.tiles import work
from triadic.tiles.layout import triples
from triadic.tiles.sums import MemorySums
from triadic.tiles.tile import CachedTiles, valued
from triadic.tiles.triple_part import free_tiles, join, split_by_range
from triadic.tiles.work import OpenSpans, SpanPlan, halves_of_rows, most_needed, split_span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.triangles.parts import TileSpan
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter, PartialSums, RangeCounts, Totals
    from triadic.tiles.tile import TileSource
    from triadic.tiles.work import Span

    OnDevice = Callable[..., "Int64Array | None"]

_MOST_SLICES = 64  # of rows that a device does not have enough memory for
GROUP_SECONDS = 60.0  # aim for the duration of a group on one thread, the longest work that a crash can lose


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
        Counts whole ranges of u on a device before any triple is counted, see `count_ranges`.

    Raises
    ------
    OutOfMemoryError
        If one triple takes more than `memory`.
    """
    if on_device is not None:
        count_ranges(source, counter, sums, on_device, memory, progress)
    layout, counted = source.layout, sums.counted_triples()
    remaining = [triple for triple in triples(layout) if triple not in counted]
    if not remaining:
        if progress is not None:
            progress(1, 1)
        return
    needed = most_needed(layout, threads=threads, columns=counter.rank_columns)
    work.check_count(layout, needed, memory, threads)
    room = memory - needed.sums - work.COUNT_FLOOR
    spare = room - needed.tiles - needed.working if counter.in_place else 0
    plan = SpanPlan(layout, room, threads=threads, columns=counter.rank_columns, spare=spare)
    with CachedTiles(valued(source, counter.values), room - needed.working) as tiles:
        numbers = tests(lambda: work.entries_tested(tiles))
        cost = work.costs(layout, numbers)
        total, done = int(sum(cost.values())), int(sum(cost[triple] for triple in counted))
        planned = [plan.spans(group, in_place=counter.in_place) for group in groups(remaining, cost)]
        opened = OpenSpans(tiles, HubBits() if plan.kept_bytes else None)
        group, freed = MemorySums(layout, counter), FreedMemory(memory)
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
                            counts = count_in_place(opened.open(span), span, layout, counter, share)
                        else:
                            counts = [*count_triple(tiles, span.triples[0], counter, share)]
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


def count_in_place(
    tiles: TileSpan, span: Span, layout: Layout, counter: PartCounter, progress: Progress | None, **keywords: int
) -> list[Totals | RangeCounts]:
    """Count the triples of a span without joining their tiles; ``threads`` may replace those of the counter."""
    counts = counter.count(tiles, progress, **keywords)
    return [*split_span(layout, span, counts)] if counter.per_rank else [counts]


def count_triple(
    tiles: TileSource,
    triple: Triple,
    counter: PartCounter,
    progress: Progress | None,
    *,
    rows: tuple[int, int] | None = None,
    hub_bits: HubBits | None = None,
    most: int = _MOST_SLICES,
    **keywords: int,
) -> Iterator[Totals | RangeCounts]:
    """Yield the counts of a triple, in halves of its rows if a device runs out of memory.

    Parameters
    ----------
    tiles : TileSource
        The source of the tiles.
    triple : Triple
        The ranges.
    counter : PartCounter
        The count.
    progress : callable or None
        Called with the work done and in total, of each half.
    rows : tuple of int, optional
        First row of u and the row past the last; by default all rows.
    hub_bits : HubBits, optional
        Kept bits of hubs, with which tiles are counted in place.
    most : int, optional
        Largest number of parts.
    **keywords : int
        ``threads``, in place of the counter's own.
    """
    if rows is not None and rows[0] == rows[1]:
        return
    try:
        part = join(tiles, triple, rows=rows)
        of_part = part if hub_bits is None else replace(part.span, hub_bits=hub_bits)
        counts = counter.count(of_part, progress, **keywords)
    except OutOfMemoryError:
        if most == 1:
            raise
        free_tiles()
    else:
        yield from split_by_range(tiles.layout, triple, rows, counts) if counter.per_rank else [counts]
        return
    for half in halves_of_rows(tiles, triple, rows):
        yield from count_triple(
            tiles, triple, counter, progress, rows=half, hub_bits=hub_bits, most=most // 2, **keywords
        )


def groups(remaining: list[Triple], cost: dict[Triple, float]) -> list[list[Triple]]:
    """Return triples in groups of one range of u, each of about a minute at most; the most costly group first."""
    result: list[list[Triple]] = []
    group_cost = 0.0
    for triple in sorted(remaining, reverse=True):
        if not result or result[-1][0].i != triple.i or group_cost > GROUP_SECONDS * 1e9:
            result.append([])
            group_cost = 0.0
        result[-1].append(triple)
        group_cost += cost[triple]
    return sorted(result, key=lambda group: -sum(cost[triple] for triple in group))


class RowsOfTiles:
    """The rows of some ranges of a tiled graph and of all ranges before them.

    Parameters
    ----------
    source : TileSource
        The tiles.
    ranges : int, optional
        Number of ranges; by default all.
    """

    marks: Sequence[int]

    def __init__(self, source: TileSource, ranges: int | None = None) -> None:
        layout = source.layout
        self._source, self._ranges = source, layout.ranges if ranges is None else ranges
        self.marks = layout.cuts[: self._ranges + 1].tolist()
        edges = layout.tile_edges[: self._ranges].sum(axis=1)
        self._before = [0, *(int(end) for end in np.cumsum(edges))]
        self.vertices, self.edges = self.marks[-1], self._before[-1]
        self.directed, self.most_pieces = layout.directed, self._ranges

    def entries_before(self, rank: int) -> int:
        """Return the number of entries of the rows before a rank; at the start of a last range an upper bound."""
        i = min(bisect_right(self.marks, rank) - 1, self._ranges - 1)
        if rank == self.marks[i]:
            return self._before[i]
        if rank >= self.marks[i + 1]:
            return self._before[i + 1]
        row = rank - self.marks[i]
        return self._before[i] + sum(int(self._source.tile(i, j).indptr[row]) for j in range(i + 1))

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, Sequence[RowPiece]]]:
        """Yield the rows of each range with their parts of all tiles of the range."""
        for i in range(self._ranges):
            low, high = max(first, self.marks[i]), min(last, self.marks[i + 1])
            if low < high:
                rows = slice(low - self.marks[i], high - self.marks[i] + 1)
                columns = np.flatnonzero(self._source.layout.tile_edges[i]).tolist()
                tiles = [(self._source.tile(i, j), self.marks[j]) for j in columns]
                yield low, high, [RowPiece(tile.indptr[rows], tile.indices, tile.state, at) for tile, at in tiles]


_DEVICE_ENTRIES = 1 << 32  # of the rows of u that a device counts before their counts are added to the sums


def count_ranges(
    source: TileSource,
    counter: PartCounter,
    sums: PartialSums,
    on_device: OnDevice,
    memory: int,
    progress: Progress | None,
) -> None:
    """Count all triples of the ranges of u of which none is counted yet, some ranges at a time.

    Parameters
    ----------
    source : TileSource
        The source of the tiles.
    counter : PartCounter
        The count.
    sums : PartialSums
        The sums of triples counted so far, to which counts are added.
    on_device : callable
        ``on_device(rows, first=, progress=)`` counts the triangles with u from rank `first` on, and returns counts by
        column or by rank; or None if the device cannot, and no further ranges are counted.
    memory : int
        Bytes of the host to use at most. Nothing is counted unless the tiles of each range of u fit.
    progress : callable, optional
        Called with the entries of rows counted and in total.
    """
    layout, counted = source.layout, {triple.i for triple in sums.counted_triples()}
    of_range: dict[int, list[Triple]] = defaultdict(list)
    for triple in triples(layout):
        if triple.i not in counted:
            of_range[triple.i].append(triple)
    room = memory - 16 * counter.rank_columns * layout.vertices
    largest = max(sum(layout.tile_bytes(i, j) for j in range(i + 1)) for i in range(layout.ranges))
    if not of_range or largest > room:
        return
    edges = layout.tile_edges.sum(axis=1)
    total, done = int(edges[list(of_range)].sum()), 0
    with CachedTiles(source, room) as tiles:
        for ranges in _neighbours(list(of_range), edges):
            cost = int(edges[ranges].sum())
            first, rows = int(layout.cuts[ranges[0]]), RowsOfTiles(tiles, ranges[-1] + 1)
            counts = on_device(rows, first=first, progress=share_of(progress, done, cost, total))
            if counts is None:
                return
            found = [triple for i in ranges for triple in of_range[i]]
            if counter.per_rank:
                parts = np.split(counts, layout.cuts[1 : ranges[-1] + 1])
                sums.add(found, [(i, 0, part) for i, part in enumerate(parts) if len(part)])
            else:
                sums.add(found, [counts])
            done += cost


def _neighbours(ranges: list[int], edges: Int64Array) -> list[list[int]]:
    """Return consecutive ranges together, in lists that have no more entries than one step of a device."""
    result: list[list[int]] = []
    for i in ranges:
        if result and result[-1][-1] == i - 1 and edges[[*result[-1], i]].sum() <= _DEVICE_ENTRIES:
            result[-1].append(i)
        else:
            result.append([i])
    return result


def share_of(progress: Progress | None, done: int, cost: int, total: int) -> Progress | None:
    """Return a function that reports the progress of one step as progress of the whole count."""
    if progress is None:
        return None
    report = progress

    def of_step(step_done: int, step_total: int) -> None:
        report(done + (cost * step_done // step_total if step_total else cost), total)

    return of_step
