"""A kernel that lists triangles in rising order of their vertices.

Computes: the triangles u < v < w whose edge (u, v) is among some entries of the rows, counted or written.
Requires: rows of higher neighbours by original id, rising; columns viewed as unsigned; marks all zero, and left so.
Idea: mark the row of u; for each v in it walk the row of v and test each w; where that row is much the longer, look up
  in it what stands behind v in the row of u. Either way w rises.
Cost: the lesser of a test for each entry of v's row and a binary search for each of u's, over all edges (u, v): at most
  O(m^1.5 log m), whatever ids hubs have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.int64  # the same to numba

# A row so many times as long as what is looked for in it is searched and not walked.
MUCH_LONGER = 8

_ONE = np.int64(1)


@kernel
def list_triangles(
    indptr: NDArray[np.int64],
    indices: Ids,
    u: Whole,
    first: Whole,
    last: Whole,
    mark: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """Write the triangles of entries `first` .. `last` - 1, the first in row `u`, as far as there is room; count all.

    `found` has the shape (room, 3).
    """
    room = found.shape[0]
    count = 0
    while first < last:
        end_u = indptr[u + 1]
        stop = min(last, end_u)
        if first < stop:
            for i in range(first + 1, end_u):
                w = np.int64(indices[i])
                mark[w >> 6] |= _ONE << (w & 63)
            for i in range(first, stop):
                v = np.int64(indices[i])
                p = indptr[v]
                end_v = indptr[v + 1]
                if end_v - p <= MUCH_LONGER * (end_u - i - 1):
                    for q in range(p, end_v):
                        w = np.int64(indices[q])
                        if (mark[w >> 6] >> (w & 63)) & 1:
                            if count < room:
                                found[count, 0] = u
                                found[count, 1] = v
                                found[count, 2] = w
                            count += 1
                else:
                    for q in range(i + 1, end_u):
                        w = np.int64(indices[q])
                        p = place_of(indices, p, end_v, w)
                        if p == end_v:
                            break
                        if np.int64(indices[p]) == w:
                            if count < room:
                                found[count, 0] = u
                                found[count, 1] = v
                                found[count, 2] = w
                            count += 1
            for i in range(first + 1, end_u):
                mark[np.int64(indices[i]) >> 6] = 0
        first = stop
        u += 1
    return count


@kernel
def add_costs(indptr: NDArray[np.int64], indices: Ids, first: int, last: int, cost: NDArray[np.int64]) -> None:
    """Write for each entry of the rows `first` .. `last` - 1 about what its triangles cost, and no less than they are.

    `cost` has one place before the entries.
    """
    for u in range(first, last):
        length = indptr[u + 1] - indptr[u]
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            cost[i + 1] = 4 + min(indptr[v + 1] - indptr[v], MUCH_LONGER * length)


@kernel
def place_of(row: Ids, first: Whole, last: Whole, value: Whole) -> Whole:
    """Give where `value` stands, or would stand, among the rising entries `first` .. `last` - 1 of `row`."""
    while first < last:
        middle = (first + last) >> 1
        if np.int64(row[middle]) < value:
            first = middle + 1
        else:
            last = middle
    return first
