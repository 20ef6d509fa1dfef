"""Lists by middle vertex: for each v the larger ranks u joined to v; and when walking rows is faster than making them.

Computes: the columns of the oriented graph, or of a tile, sorted as its rows are, and the estimated cost of walking
  them.
Requires: rows of rising columns; for each row the entry from which on its columns are listed.
Idea: a column of the oriented graph holds the rows u that a list walk (`intrinsics`) reads for one set of marks. The
  entries are sorted by counting: one pass counts the columns, one writes each row at the next place of its column. The
  cost of a walk is the number of entries before v in row u, summed while columns are counted.
Cost: two passes over the rows; 4 bytes an entry, and 8 bytes a column for each piece of the rows.

The papers that the walk comes from are cited in `intrinsics`.

When to walk the rows of a row's entries, instead of lists by middle vertex.

Computes: the estimated cost of walking N+(v) for each entry v of a row u, and whether it is below that of sorting the
  entries by v (`middle_lists`) and walking row u up to v.
Requires: rows of an oriented graph; for each row the entry from which on the rows of its entries are walked.
Idea: where degrees differ little, N+(v) is about as long as the part of row u below v, and the lists are not worth
  their sort. Next to hubs, N+(v) is much longer. The model weighs both on a sample of rows.
Cost: a sample of 2,048 rows, and one sum for each row. Sums over all rows are as good where all entries are walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_KEY, Rows, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array, UnsignedArray

    Bounds = tuple[int, int]
    Ids = UnsignedArray

# Nanoseconds of the steps of a walk, as measured on one core (performance-diary.md).
TEST = 2.0  # an entry walked and tested against the marks
LIST = 60.0  # a list begun

_GROUPS = 1 << 10
_CACHED = 1 << 14  # columns whose counters are in a core's cache, and are not fetched ahead
_PIECE = 1 << 18  # entries that make a further piece of rows pay
_SORTED = 20.0  # nanoseconds for an entry that is sorted by middle vertex, as measured on one core
_SAMPLE_ROWS = 1 << 11
FEW_ENTRIES = 1 << 14  # below which lists are made sooner than a sample is drawn
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class MiddleLists:
    """Lists of ends by middle vertex.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the list of each v begins.
    ends : uint32 or uint64 array, shape (lists,)
        The row u of each entry of the lists, rising within a list.
    """

    ptr: Int64Array
    ends: Ids
    _group_start: Int64Array
    _group_cost: Float64Array

    @property
    def total_cost(self) -> float:
        """Estimated cost of walking all lists, in nanoseconds."""
        return float(self._group_cost[-1])

    def cost_before(self, entries: Int64Array) -> Float64Array:
        """Return the estimated cost of the lists before each of these places in `ends`; rising with the place."""
        return np.interp(entries, self._group_start, self._group_cost)

    def cut(self, count: int, first: int = 0) -> Int64Array:
        """Cut `ends` from `first` on into about `count` blocks of about equal cost: int64, shape (blocks + 1,)."""
        begin = np.interp(first, self._group_start, self._group_cost)
        marks = np.linspace(begin, self.total_cost, count + 1)
        cuts = np.interp(marks, self._group_cost, self._group_start).astype(np.int64)
        cuts[0] = first
        return np.unique(np.maximum(cuts, first))


def middle_lists(
    indptr: Int64Array, indices: Ids, walked_from: Int64Array, *, columns: int | None = None, threads: int
) -> MiddleLists:
    """List by middle vertex the entries from `walked_from` on, int64 of shape (rows,), to the end of each row.

    `columns` is the number of middle vertices, by default that of rows.
    """
    rows, walked_from, entries = Rows(indptr, indices), frozen(walked_from), len(indices)
    columns = len(walked_from) if columns is None else columns
    cuts = blocks.cut(indptr, 1, most=int(max(1, min(threads, entries // max(_PIECE, columns)))))
    place = np.zeros((max(1, len(cuts) - 1), columns), dtype=np.int64)
    # Lists of one group of middle vertices are taken to cost the same.
    group_shift = max(0, columns.bit_length() - _GROUPS.bit_length() + 1)
    first = np.minimum(np.arange((columns >> group_shift) + 2) << group_shift, columns)
    tests = np.zeros((len(place), len(first) - 1), dtype=np.int64)

    def count(_: int, b: int) -> None:
        count_columns(rows, walked_from, (cuts[b], cuts[b + 1]), group_shift, place[b], tests[b])

    blocks.run(count, len(cuts) - 1, threads=threads)
    ptr = starts_of(sum(place[1:], start=place[0]))
    begin = ptr[:-1]
    for piece in place:
        begin, piece[:] = begin + piece, begin
    ends = np.empty(int(ptr[-1]), dtype=indices.dtype)

    def write(_: int, b: int) -> None:
        write_rows(rows, walked_from, (cuts[b], cuts[b + 1]), place[b], ends)

    blocks.run(write, len(cuts) - 1, threads=threads)
    start = ptr[first]
    cost = LIST * np.diff(start) + TEST * tests.sum(axis=0)
    return MiddleLists(ptr, frozen(ends), start, np.concatenate([[0.0], np.cumsum(cost)]))


@kernel
def count_columns(
    rows: Rows, walked_from: Int64Array, bounds: Bounds, group_shift: int, counts: Int64Array, tests: Int64Array
) -> None:
    """Count the listed entries of some rows by column, and the tests of their walks by groups of columns."""
    indptr, indices = rows
    first, last = bounds
    until = indices.size - AHEAD_KEY if counts.size > _CACHED else 0
    for u in range(first, last):
        for i in range(walked_from[u], indptr[u + 1]):
            if i < until:
                prefetch(counts, np.int64(indices[i + AHEAD_KEY]))
            v = np.int64(indices[i])
            counts[v] += 1
            tests[v >> group_shift] += i - indptr[u]


@kernel
def write_rows(rows: Rows, walked_from: Int64Array, bounds: Bounds, place: Int64Array, ends: Ids) -> None:
    """Write the row of each listed entry at the next free place of its column."""
    indptr, indices = rows
    first, last = bounds
    until = indices.size - 2 * AHEAD_KEY if place.size > _CACHED else 0
    for u in range(first, last):
        for i in range(walked_from[u], indptr[u + 1]):
            if i < until:
                prefetch(place, np.int64(indices[i + 2 * AHEAD_KEY]))
                prefetch(ends, place[np.int64(indices[i + AHEAD_KEY])])
            v = np.int64(indices[i])
            free = place[v]
            ends[free] = u
            place[v] = free + 1


def row_walks(indptr: Int64Array, indices: Ids, walked_from: Int64Array) -> MiddleLists | None:
    """Return the walks of rows, or None if lists by middle vertex take less time, by a sample of the rows."""
    if len(indices) < FEW_ENTRIES:
        return None
    n = len(walked_from)
    step = max(1, -(-n // _SAMPLE_ROWS))
    entries, length, below = sampled_walks(indptr, indices, frozen(walked_from), step)
    if TEST * length >= TEST * below + _SORTED * entries:
        return None
    return walks_from(indptr, indices, walked_from, length / entries)


def walks_from(indptr: Int64Array, indices: Ids, walked_from: Int64Array, length: float) -> MiddleLists:
    """Return the walks of the rows of all entries from `walked_from` on, whose mean length is given.

    They have no lists: their costs, and the places that they are cut at, are those of rows.
    """
    listed = np.maximum(indptr[1:] - walked_from, 0)
    cost = np.concatenate([[0.0], np.cumsum(listed * (LIST + TEST * length))])
    return MiddleLists(_NONE, indices[:0], np.arange(len(cost)), cost)


@kernel
def sampled_walks(indptr: Int64Array, indices: Ids, walked_from: Int64Array, step: int) -> tuple[int, int, int]:
    """Return, of each `step`th row, the entries from `walked_from` on, and the tests of their walks in both ways.

    The tests are the lengths of the entries' rows, and the numbers of entries before them in their own row.
    """
    entries = 0
    length = 0
    below = 0
    for u in range(step // 2, walked_from.size, step):
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            entries += 1
            length += indptr[v + 1] - indptr[v]
            below += i - indptr[u]
    return entries, length, below
