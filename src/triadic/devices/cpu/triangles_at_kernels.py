"""Kernels that count the triangles at a few vertices, at a cost that follows from what is around them.

Computes: for each chosen vertex v the pairs of its neighbours that are joined; beforehand, what that will cost.
Requires: symmetric rows, rising, without loops and repeats; columns viewed as unsigned; marks all zero, and left so.
Idea: mark the row of v; walk the row of each neighbour and test each entry; where that row is much longer than v's,
  look up in it the neighbours of v. Each pair is met from both its ends.
Cost: over the neighbours u of v, the lesser of u's degree and a binary search for each neighbour of v.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.triangle_listing_kernels import MUCH_LONGER, place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

_ONE = np.int64(1)


@kernel
def costs_at(
    indptr: NDArray[np.int64], indices: Ids, chosen: NDArray[np.int64], first: int, last: int, cost: NDArray[np.int64]
) -> None:
    """Write for the chosen vertices `first` .. `last` - 1 about how many tests each takes."""
    for k in range(first, last):
        v = chosen[k]
        most = MUCH_LONGER * (indptr[v + 1] - indptr[v])
        tests = 4 + most
        for i in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[i])
            tests += min(indptr[u + 1] - indptr[u], most)
        cost[k] = tests


@kernel
def triangles_at(
    indptr: NDArray[np.int64],
    indices: Ids,
    chosen: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
    triangles: NDArray[np.int64],
) -> None:
    """Write the triangles at the chosen vertices `first` .. `last` - 1."""
    for k in range(first, last):
        v = chosen[k]
        start = indptr[v]
        stop = indptr[v + 1]
        for i in range(start, stop):
            w = np.int64(indices[i])
            mark[w >> 6] |= _ONE << (w & 63)
        hits = np.int64(0)
        for i in range(start, stop):
            u = np.int64(indices[i])
            p = indptr[u]
            end = indptr[u + 1]
            if end - p <= MUCH_LONGER * (stop - start):
                for q in range(p, end):
                    w = np.int64(indices[q])
                    hits += (mark[w >> 6] >> (w & 63)) & 1
            else:
                for q in range(start, stop):
                    w = np.int64(indices[q])
                    p = place_of(indices, p, end, w)
                    if p == end:
                        break
                    if np.int64(indices[p]) == w:
                        hits += 1
        for i in range(start, stop):
            mark[np.int64(indices[i]) >> 6] = 0
        triangles[k] = hits >> 1
