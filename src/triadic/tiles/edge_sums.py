"""Counts that add up over edges: one pass over the tiles, each as a small oriented graph of its two ranges.

A tile that is large for the memory is counted in parts of some rows and some columns, each of which is such a graph.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import FreedMemory
from triadic.core.oriented import Oriented, int_zeros
from triadic.tiles.tile import Tile, columns_of, valued

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.tile import TileSource

    Inputs = tuple[AnyArray, ...]
    # The first rank of some consecutive ranks, and what a tile adds there.
    Shares = list[tuple[int, Int64Array]]


TILE_SHARE = 16  # of the memory, for the entries of a tile; counting them takes as much again
_RANK_SHARE = 4  # of the memory, for the counts at the ranks of a tile
_ROWS = 1 << 20  # whose lengths are added up at a time
_LEAST_RANKS = 1 << 14  # that are counted at a time with any memory, since the number of parts grows with its square


def most_ranks(columns: int, memory: int) -> int:
    """Return the most ranks that are counted at a time; without a limit for a count in total, of 0 columns.

    Parameters
    ----------
    columns : int
        Numbers of 8 bytes that are held for each rank: of the counts, and of the inputs.
    memory : int
        Bytes that may be held.
    """
    return max(_LEAST_RANKS, memory // _RANK_SHARE // (8 * columns + 16)) if columns else 1 << 62


def tiles_with_edges(layout: Layout) -> list[tuple[int, int]]:
    """Return the tiles (i, j) that hold edges."""
    return [tile for tile in layout.tiles if layout.tile_edges[tile]]


def count_tile(
    source: TileSource,
    i: int,
    j: int,
    counter: PartCounter,
    inputs: Inputs,
    rows: tuple[int, int] | None = None,
    **keywords: int,
) -> Shares:
    """Count one tile, or some of its rows, and return what they add: at the ranks of its ranges, or in total at 0.

    Parameters
    ----------
    source : TileSource
        The source of the tile, with the values that the count takes.
    i, j : int
        Ranges of the tile's rows and columns.
    counter : PartCounter
        The count.
    inputs : tuple of array
        The rows of the count's inputs at the ranks of range `j`, then of range `i`; once if the ranges are the same.
    rows : tuple of int, optional
        First row that is counted and the row past the last; by default all rows.
    **keywords : int
        ``threads``, in place of the counter's own.

    Returns
    -------
    list of (rank, counts)
        The first rank of some consecutive ranks, and int64 counts there.
    """
    layout = source.layout
    below = 0 if i == j else layout.length(j)
    if rows is None:
        tile = source.tile(i, j)
    else:  # other rows have no entries
        part = source.rows(i, j, *rows)
        tile = replace(part, indptr=np.pad(part.indptr, (rows[0], layout.length(i) - rows[1]), mode="edge"))
    counts = _counts(counter, tile, below, inputs, **keywords)
    if not counter.per_rank:
        return [(0, counts)]
    if i == j:
        return [(int(layout.cuts[i]), counts)]
    return [(int(layout.cuts[j]), counts[:below]), (int(layout.cuts[i]), counts[below:])]


def row_parts(source: TileSource, i: int, j: int, most_bytes: int) -> list[tuple[int, int] | None]:
    """Return parts of the rows of a tile with about this many bytes at most; None, for all rows, if the tile has."""
    layout = source.layout
    if layout.tile_bytes(i, j) <= most_bytes:
        return [None]
    lengths, most = source.lengths(i, j), max(1, most_bytes // layout.edge_bytes)
    ends, before = {0, len(lengths)}, 0
    for row in range(0, len(lengths), _ROWS):
        entries = before + np.cumsum(lengths[row : row + _ROWS], dtype=np.int64)
        ends |= {row + int(end) + 1 for end in np.flatnonzero(np.diff(entries // most, prepend=before // most))}
        before = int(entries[-1])
    return list(pairwise(sorted(ends)))


def rows_of_tile(layout: Layout, i: int, j: int, inputs: Inputs) -> Inputs:
    """Return the rows of the inputs at the ranks of a tile: the ranks of its columns first, then of its rows."""
    ranges = (i,) if i == j else (j, i)
    slices = [slice(int(layout.cuts[r]), int(layout.cuts[r + 1])) for r in ranges]
    return tuple(np.concatenate([values[ranks] for ranks in slices]) for values in inputs)


def sum_over_edges(
    source: TileSource,
    counter: PartCounter,
    inputs: Inputs,
    result: Callable[[tuple[int, ...]], Int64Array],
    progress: Progress | None = None,
    *,
    memory: int,
) -> Int64Array:
    """Count every tile and return the sums; a tile that is large for the memory is counted in parts.

    Parameters
    ----------
    source : TileSource
        The source of the tiles.
    counter : PartCounter
        The count.
    inputs : tuple of array
        Inputs of the count, each with a row for each rank.
    result : callable
        ``result(shape)`` returns an array of zeros for the sums at ranks.
    progress : callable, optional
        Called with the number of tiles counted and their total number.
    memory : int
        Bytes that may be held; a tile may take a part of them.

    Returns
    -------
    int64 array
        Shape (columns,), or (n,) or (n, columns) at ranks.
    """
    layout, source = source.layout, valued(source, counter.values)
    tiles = tiles_with_edges(layout)
    report, freed = progress or (lambda _done, _total: None), FreedMemory(memory)

    def counted() -> Iterator[Shares]:
        for done, (i, j) in enumerate(tiles):
            report(done, len(tiles))
            for shares in _count_in_parts(source, i, j, counter, inputs, memory):
                yield shares
                freed.limit()

    sums = add_up(layout, counter, result, counted())
    freed.end()
    report(len(tiles), len(tiles))
    return sums


def _count_in_parts(
    source: TileSource, i: int, j: int, counter: PartCounter, inputs: Inputs, memory: int
) -> Iterator[Shares]:
    """Count one tile, a few rows at a time if it has many entries, and a few columns too if it has many ranks."""
    layout, parts = source.layout, row_parts(source, i, j, memory // TILE_SHARE)
    columns = counter.columns + sum(values[:1].size for values in inputs) if counter.per_rank else 0
    most = most_ranks(columns, memory)
    if layout.length(i) + (layout.length(j) if i != j else 0) <= most:
        at_ranks = rows_of_tile(layout, i, j, inputs)
        for rows in parts:
            yield count_tile(source, i, j, counter, at_ranks, rows)
        return
    ends = [rows[1] for rows in parts if rows is not None]
    half = most // 2
    for first, last in _pieces(layout.length(i), half, ends):
        of_rows = source.rows(i, j, first, last)
        row = int(layout.cuts[i]) + first
        for left, right in _pieces(layout.length(j), half):
            part = columns_of(of_rows, left, right)
            if len(part.indices) == 0:
                continue
            # A rank that is a row and a column of the part is counted as two ranks, whose counts are added up.
            column, width = int(layout.cuts[j]) + left, right - left
            ranks = slice(column, column + width), slice(row, row + last - first)
            at_ranks = tuple(np.concatenate([values[some] for some in ranks]) for values in inputs)
            counts = _counts(counter, part, width, at_ranks)
            yield [(column, counts[:width]), (row, counts[width:])]


def _counts(counter: PartCounter, tile: Tile, below: int, inputs: Inputs, **keywords: int) -> Int64Array:
    """Count a tile, or a part of one, behind `below` empty rows for the ranks of its columns."""
    values = () if counter.values is None or tile.weights is None else (tile.weights[0],)
    indptr = np.pad(tile.indptr, (below, 0))
    unused: Any = np.broadcast_to(np.int32(0), len(indptr) - 1)
    oriented = Oriented(unused, indptr, tile.indices, tile.state, unused)
    return counter.count(oriented, None, *values, *inputs, **keywords)


def _pieces(length: int, most: int, ends: Sequence[int] = ()) -> Iterator[tuple[int, int]]:
    """Cut the numbers from 0 to `length` - 1 at multiples of `most` and at `ends`."""
    return pairwise(sorted({*range(0, length, most), *ends, length}))


def add_up(
    layout: Layout,
    counter: PartCounter,
    result: Callable[[tuple[int, ...]], Int64Array],
    counted: Iterable[Shares],
) -> Int64Array:
    """Return the sums of what tiles add; at ranks, the counts of the first tile determine the number of columns.

    Parameters
    ----------
    layout : Layout
        The ranges.
    counter : PartCounter
        The count whose results are added.
    result : callable
        ``result(shape)`` returns an array of zeros for the sums at ranks.
    counted : iterable of Shares
        The counts of each tile, as `count_tile` returns them.
    """

    def zeros(row: tuple[int, ...]) -> Int64Array:
        return result((layout.vertices, *row)) if counter.per_rank else int_zeros(counter.columns)

    sums: Int64Array | None = None
    for first, counts in chain.from_iterable(counted):
        sums = zeros(counts.shape[1:]) if sums is None else sums
        sums[first : first + len(counts)] += counts
    return zeros(() if counter.columns == 1 else (counter.columns,)) if sums is None else sums
