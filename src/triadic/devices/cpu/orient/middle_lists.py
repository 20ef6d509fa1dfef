"""Lists by middle vertex: for each v the larger ranks u joined to v; and when walking rows is faster than making them.

Computes: the columns of the oriented graph, sorted as its rows are, and the estimated cost of walking them.
Requires: rows of an oriented graph; for each row the entry from which on its columns are listed.
Idea: a column of the oriented graph holds the rows u that a list walk (`intrinsics`) reads for one set of marks. The
  cost of a walk is the number of entries before v in row u, summed while the lists are made.
Cost: one sort of the arcs (`row_sort`); 12 bytes an entry while it runs.

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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen, starts_of
from triadic.devices.cpu.orient.row_sort import FORWARD, sort_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.array_types import Float64Array, Int64Array, IntegerArray, UnsignedArray

    Ids = UnsignedArray

# Nanoseconds of the steps of a walk, as measured on one core (performance-diary.md).
TEST = 2.0  # an entry walked and tested against the marks
LIST = 60.0  # a list begun

_GROUPS = 1 << 13
_SMALL = 1 << 14  # entries below which one thread sorts them sooner than several do
_SORTED = 20.0  # nanoseconds for an entry that is sorted by middle vertex, as measured on one core
_SAMPLE_ROWS = 1 << 11
FEW_ENTRIES = 1 << 14  # below which lists are sorted by counting, and a sample is no better
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

    def cut(self, count: int) -> Int64Array:
        """Cut `ends` into about `count` blocks of about equal cost: int64, shape (blocks + 1,)."""
        marks = np.linspace(0, self.total_cost, count + 1)
        return np.unique(np.interp(marks, self._group_cost, self._group_start).astype(np.int64))


def middle_lists(indptr: Int64Array, indices: Ids, walked_from: Int64Array, *, threads: int) -> MiddleLists:
    """List by middle vertex the entries from `walked_from` on, int64 of shape (n,), to the end of each row."""
    n, walked_from = len(indptr) - 1, frozen(walked_from)
    if len(indices) < _SMALL:
        ptr, tests = np.zeros(n + 1, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
        ends = np.empty(int(np.maximum(indptr[1:] - walked_from, 0).sum()), dtype=indices.dtype)
        small_lists(indptr, indices, walked_from, ptr, ends, tests)
        return MiddleLists(ptr, frozen(ends), ptr, LIST * ptr + TEST * tests)
    arcs = _MiddleArcs(indptr, indices, walked_from)
    lists = sort_rows(arcs, n, None, FORWARD, with_state=False, threads=threads, columns_rise=True)
    # Lists of one group of middle vertices are taken to cost the same.
    first = np.minimum(np.arange(arcs.tests.shape[1] + 1) << arcs.group_shift, n)
    start = lists.indptr[first]
    cost = LIST * np.diff(start) + TEST * arcs.tests.sum(axis=0)
    return MiddleLists(lists.indptr, as_unsigned(lists.indices), start, np.concatenate([[0.0], np.cumsum(cost)]))


class Walked(NamedTuple):
    """The rows of an oriented graph, and the place in each from which on lists are walked."""

    indptr: Int64Array
    indices: Ids
    walked_from: Int64Array


class _MiddleArcs:
    """The listed entries as arcs from the middle vertex v to the end u."""

    def __init__(self, indptr: Int64Array, indices: Ids, walked_from: Int64Array) -> None:
        self._rows = Walked(indptr, indices, walked_from)
        self._ptr = starts_of(np.maximum(indptr[1:] - walked_from, 0))
        self.arcs = int(self._ptr[-1])
        self._cuts = blocks.cut(self._ptr, blocks.piece(self.arcs), most=1 << 20)
        self.pieces = len(self._cuts) - 1
        n = len(walked_from)
        self.group_shift = max(0, n.bit_length() - _GROUPS.bit_length() + 1)
        self.tests = np.zeros((self.pieces, (n >> self.group_shift) + 1), dtype=np.int64)
        self._dtype = np.int32 if indices.dtype.itemsize == 4 else np.int64

    def piece(self, i: int) -> tuple[IntegerArray, IntegerArray]:
        """Return middle and end vertex of piece `i`, and count its tests."""
        first, last = self._cuts[i], self._cuts[i + 1]
        middle = np.empty(self._ptr[last] - self._ptr[first], dtype=self._dtype)
        end = np.empty_like(middle)
        self.tests[i] = 0
        middle_arcs(self._rows, (first, last), self.group_shift, middle, end, self.tests[i])
        return middle, end


@kernel
def small_lists(
    indptr: Int64Array,
    indices: Ids,
    walked_from: Int64Array,
    ptr: Int64Array,
    ends: Ids,
    tests: Int64Array,
) -> None:
    """Write the lists of a small graph, sorted by counting, and the tests of the lists before each vertex.

    `ptr` and `tests` hold zeros, one more than there are vertices.
    """
    n = len(indptr) - 1
    for u in range(n):
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            ptr[v + 1] += 1
            tests[v + 1] += i - indptr[u]
    for k in range(n):
        ptr[k + 1] += ptr[k]
        tests[k + 1] += tests[k]
    place = ptr.copy()
    for u in range(n):
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            ends[place[v]] = u
            place[v] += 1


@kernel
def middle_arcs(
    rows: Walked,
    part: tuple[int, int],
    group_shift: int,
    middle: NDArray[np.signedinteger[Any]],
    end: NDArray[np.signedinteger[Any]],
    tests: Int64Array,
) -> None:
    """Write the listed entries of some rows as (v, u), and add up the tests of their walks by groups of v."""
    indptr, indices, walked_from = rows
    place = 0
    for u in range(part[0], part[1]):
        start = indptr[u]
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            middle[place] = v
            end[place] = u
            tests[v >> group_shift] += i - start
            place += 1


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
