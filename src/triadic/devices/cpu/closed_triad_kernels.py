"""Kernels that classify the triangles of an oriented directed graph.

Computes: for each triangle {u, v, w}, u > v > w, its code s(uv) + 4 s(uw) + 16 s(vw), where s is the state of the
  entry: 1 for an arc from the larger rank, 2 for one to it, 3 for both; in total by code and by the order of the three
  original ids, or by vertex and role.
Requires: `oriented.Oriented` with states; marks all zero, and left so.
Idea: the list walk of `triangle_kernels`, the mark of w being s(vw). A list is walked once to find whether it holds a
  triangle, and where v stands in it, which is what s(uv) is read from; only then, and in cache by then, a second time.
Cost: as the list kernels there; by vertex three more adds a triangle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

CODES = 64
ORDERS = 8

AHEAD_PLACE = 12
AHEAD_ENTRIES = 4


@kernel
def count_by_code(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    v: int,
    first: int,
    last: int,
    order: NDArray[np.integer[Any]],
    mark: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count by code the triangles of the lists `first` .. `last` - 1; the first is of vertex `v`.

    With `order` (the original id at each rank) not empty, at ``CODES * o + code``, where the bits of o say u < v,
    u < w and v < w by original id.
    """
    labelled = order.size > 0
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and indptr[v] < indptr[v + 1]:
            until = min(v, below)
            for i in range(indptr[v], indptr[v + 1]):
                mark[np.int64(indices[i])] = state[i]
            for k in range(first, stop):
                _fetch_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                end, hits = _walk(indptr, indices, u, until, mark)
                if hits == 0:
                    continue
                uv = np.int64(state[_place(indices, end, indptr[u + 1], v)])
                for p in range(indptr[u], end):
                    w = np.int64(indices[p])
                    vw = np.int64(mark[w])
                    if vw != 0:
                        code = uv + 4 * np.int64(state[p]) + 16 * vw
                        if labelled:
                            code += CODES * (
                                int(order[u] < order[v]) + 2 * int(order[u] < order[w]) + 4 * int(order[v] < order[w])
                            )
                        counts[code] += 1
            for i in range(indptr[v], indptr[v + 1]):
                mark[np.int64(indices[i])] = 0
        first = stop
        v += 1


@kernel
def count_by_role(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    v: int,
    first: int,
    last: int,
    roles: NDArray[np.int64],
    mark: NDArray[np.uint8],
    here: NDArray[np.int64],
    triads: NDArray[np.int64],
) -> None:
    """Count at each vertex, by role, the triangles of the lists `first` .. `last` - 1; the first is of vertex `v`.

    `roles`, shape (3, 64), holds the role of u, v and w for each code; `triads` has the shape (n, roles). `here`, of 64
    zeros, is room for the codes of one list.
    """
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and indptr[v] < indptr[v + 1]:
            until = min(v, below)
            for i in range(indptr[v], indptr[v + 1]):
                mark[np.int64(indices[i])] = state[i]
            for k in range(first, stop):
                _fetch_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                end, hits = _walk(indptr, indices, u, until, mark)
                if hits == 0:
                    continue
                uv = np.int64(state[_place(indices, end, indptr[u + 1], v)])
                for p in range(indptr[u], end):
                    w = np.int64(indices[p])
                    vw = np.int64(mark[w])
                    if vw != 0:
                        code = uv + 4 * np.int64(state[p]) + 16 * vw
                        here[code] += 1
                        triads[w, roles[2, code]] += 1
                for met in range(uv, CODES, 4):
                    count = here[met]
                    if count > 0:
                        triads[u, roles[0, met]] += count
                        triads[v, roles[1, met]] += count
                        here[met] = 0
            for i in range(indptr[v], indptr[v + 1]):
                mark[np.int64(indices[i])] = 0
        first = stop
        v += 1


@kernel
def _walk(
    indptr: NDArray[np.int64], indices: Ids, u: np.int64, until: int, mark: NDArray[np.uint8]
) -> tuple[np.int64, int]:
    """Walk row u up to `until`: where that is, and how many entries before it are marked."""
    hits = 0
    p = indptr[u]
    w = np.int64(indices[p])
    while w < until:
        if mark[w] != 0:
            hits += 1
        p += np.int64(1)
        w = np.int64(indices[p])
    return p, hits


@kernel
def _place(indices: Ids, low: np.int64, high: np.int64, v: int) -> np.int64:
    """Find where v stands from `low` on: there at once, unless a bound ended the walk before it."""
    if np.int64(indices[low]) == v:
        return low
    while low < high:
        middle = (low + high) >> np.int64(1)
        if np.int64(indices[middle]) < v:
            low = middle + np.int64(1)
        else:
            high = middle
    return low


@kernel
def _fetch_ahead(indptr: NDArray[np.int64], indices: Ids, ends: Ids, k: int, last: int) -> None:
    if k + AHEAD_PLACE < last:
        prefetch(indptr, np.int64(ends[k + AHEAD_PLACE]))
        start = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
        prefetch(indices, start)
        prefetch(indices, start + 16)
