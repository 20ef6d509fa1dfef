"""Lists by middle vertex: for every v the larger ranks u joined to it, whose rows are to be walked up to v.

They are the columns of the oriented graph, sorted as its rows were, and come with what walking them costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

# What the steps of a walk take, in nanoseconds, as measured on one core (docs/performance.md).
TEST = 2.0  # an entry walked and tested against the marks
LIST = 60.0  # a list begun

_GROUPS = 1 << 13


@dataclass(frozen=True, slots=True, eq=False)
class MiddleLists:
    """Lists of ends by middle vertex.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the list of each v begins.
    ends : uint32 or uint64 array, shape (lists,)
        The row u of each list's entry, rising within a list.
    """

    ptr: NDArray[np.int64]
    ends: Ids
    _group_start: NDArray[np.int64]
    _group_cost: NDArray[np.float64]

    @property
    def total_cost(self) -> float:
        """What walking all lists costs, in nanoseconds."""
        return float(self._group_cost[-1])

    def cost_before(self, entries: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give what the lists before each of these places in `ends` cost; rising with the place."""
        return np.interp(entries, self._group_start, self._group_cost)

    def cut(self, count: int) -> NDArray[np.int64]:
        """Cut `ends` into about `count` blocks of about equal cost: int64, shape (blocks + 1,)."""
        marks = np.linspace(0, self.total_cost, count + 1)
        return np.unique(np.interp(marks, self._group_cost, self._group_start).astype(np.int64))


def middle_lists(
    indptr: NDArray[np.int64], indices: Ids, walked_from: NDArray[np.int64], *, threads: int
) -> MiddleLists:
    """List by middle vertex the entries from `walked_from` on, int64 of shape (n,), to the end of each row."""
    n = len(indptr) - 1
    arcs = _MiddleArcs(indptr, indices, walked_from)
    lists = rows.sort_rows(arcs, n, None, rows.FORWARD, with_state=False, threads=threads, columns_rise=True)
    # Within a group of middle vertices lists cost the same.
    first = np.minimum(np.arange(arcs.tests.shape[1] + 1) << arcs.group_shift, n)
    start = lists.indptr[first]
    cost = LIST * np.diff(start) + TEST * arcs.tests.sum(axis=0)
    return MiddleLists(lists.indptr, as_unsigned(lists.indices), start, np.concatenate([[0.0], np.cumsum(cost)]))


def as_unsigned(ids: NDArray[np.integer[Any]]) -> Ids:
    """View vertex ids as unsigned integers of the same width."""
    return ids.view(np.uint32 if ids.dtype.itemsize == 4 else np.uint64)


class _MiddleArcs:
    """Entries whose row is to be walked, as arcs from the middle vertex v to the end u."""

    def __init__(self, indptr: NDArray[np.int64], indices: Ids, walked_from: NDArray[np.int64]) -> None:
        self._indptr, self._indices, self._from = indptr, indices, walked_from
        self._ptr = np.concatenate([[0], np.cumsum(np.maximum(indptr[1:] - walked_from, 0))])
        self.arcs = int(self._ptr[-1])
        self._cuts = blocks.cut(self._ptr, blocks.piece(self.arcs), most=1 << 20)
        self.pieces = len(self._cuts) - 1
        n = len(walked_from)
        self.group_shift = max(0, n.bit_length() - _GROUPS.bit_length() + 1)
        self.tests = np.zeros((self.pieces, (n >> self.group_shift) + 1), dtype=np.int64)
        self._dtype = np.int32 if indices.dtype.itemsize == 4 else np.int64

    def piece(self, i: int) -> tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]:
        """Give middle and end vertex of piece `i`, and note its tests."""
        first, last = self._cuts[i], self._cuts[i + 1]
        middle = np.empty(self._ptr[last] - self._ptr[first], dtype=self._dtype)
        end = np.empty_like(middle)
        self.tests[i] = 0
        middle_arcs(self._indptr, self._indices, self._from, first, last, self.group_shift, middle, end, self.tests[i])
        return middle, end


@kernel
def middle_arcs(
    indptr: NDArray[np.int64],
    indices: Ids,
    walked_from: NDArray[np.int64],
    first: int,
    last: int,
    group_shift: int,
    middle: NDArray[np.signedinteger[Any]],
    end: NDArray[np.signedinteger[Any]],
    tests: NDArray[np.int64],
) -> None:
    """List as (v, u) the entries whose row is to be walked up to v, and add up the tests by groups of v."""
    at = 0
    for u in range(first, last):
        start = indptr[u]
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            middle[at] = v
            end[at] = u
            tests[v >> group_shift] += i - start
            at += 1
