"""Count whole ranges of a tiled graph on a device, which cuts rows as its own memory allows.

All triples with u in a range are counted at once, from the tiles of that range and of all ranges before it.

The blocks of a card do not depend on the ranges of the tiles: a block may hold a part of a range, or several ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.row_blocks import RowPiece
from triadic.tiles.layout import triples
from triadic.tiles.tile import CachedTiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.sums import PartCounter, PartialSums
    from triadic.tiles.tile import TileSource

    OnDevice = Callable[..., "Int64Array | None"]


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
        self._cuts = [int(cut) for cut in layout.cuts[: self._ranges + 1]]
        edges = layout.tile_edges[: self._ranges].sum(axis=1)
        self._before = [0, *(int(end) for end in np.cumsum(edges))]
        self.vertices, self.edges = self._cuts[-1], self._before[-1]
        self.directed, self.most_pieces, self.marks = layout.directed, self._ranges, self._cuts

    def entries_before(self, rank: int) -> int:
        """Return the number of entries of the rows before a rank; at the start of a last range an upper bound."""
        i = min(bisect_right(self._cuts, rank) - 1, self._ranges - 1)
        if rank == self._cuts[i]:
            return self._before[i]
        if rank >= self._cuts[i + 1]:
            return self._before[i + 1]
        row = rank - self._cuts[i]
        return self._before[i] + sum(int(self._source.tile(i, j).indptr[row]) for j in range(i + 1))

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, Sequence[RowPiece]]]:
        """Yield the rows of each range with their parts of all tiles of the range."""
        for i in range(self._ranges):
            low, high = max(first, self._cuts[i]), min(last, self._cuts[i + 1])
            if low < high:
                rows = slice(low - self._cuts[i], high - self._cuts[i] + 1)
                yield low, high, [self._piece(i, j, rows) for j in range(i + 1) if self._source.layout.tile_edges[i, j]]

    def _piece(self, i: int, j: int, rows: slice) -> RowPiece:
        tile = self._source.tile(i, j)
        return RowPiece(tile.indptr[rows], tile.indices, tile.state, self._cuts[j])


_ENTRIES = 1 << 32  # of the rows of u that a device counts before their counts are added to the sums


def fit(layout: Layout, counter: PartCounter, memory: int) -> bool:
    """Return whether the tiles of each range of u and the sums fit into the memory of the host."""
    largest = max((sum(layout.tile_bytes(i, j) for j in range(i + 1)) for i in range(layout.ranges)), default=0)
    return largest + _bytes_of_sums(layout, counter) <= memory


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
    if not of_range or not fit(layout, counter, memory):
        return
    edges, room = layout.tile_edges.sum(axis=1), memory - _bytes_of_sums(layout, counter)
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
                parts = {i: counts[layout.cuts[i] : layout.cuts[i + 1]] for i in range(ranges[-1] + 1)}
                sums.add(found, [0] * counter.columns, {i: part for i, part in parts.items() if len(part)})
            else:
                sums.add(found, [int(count) for count in counts], {})
            done += cost


def _neighbours(ranges: list[int], edges: Int64Array) -> list[list[int]]:
    """Return consecutive ranges together, in lists that have no more entries than one step of a device."""
    result: list[list[int]] = []
    for i in ranges:
        if result and result[-1][-1] == i - 1 and edges[[*result[-1], i]].sum() <= _ENTRIES:
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


def _bytes_of_sums(layout: Layout, counter: PartCounter) -> int:
    return 16 * (counter.columns if counter.per_rank else 0) * layout.vertices
