"""Triangles at chosen vertices on the CPU, at a cost that depends on their surroundings alone.

Computes: for each chosen vertex v the pairs of its neighbours that are joined; beforehand, the number of tests.
Requires: symmetric rows, rising, without loops and repeats; columns viewed as unsigned; marks all zero, which the
  kernels leave so.
Idea: mark the row of v; walk the row of each neighbour and test each entry. If that row is much longer than v's, search
  in it for the neighbours of v instead. Each pair is found from both its ends.
Cost: over the neighbours u of v, the lesser of u's degree and a binary search for each neighbour of v.

Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for marking a neighbourhood and walking the rows of its
neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu.list_walk import MUCH_LONGER, mark_row, marked, position, unmark_row
from triadic.devices.cpu.vertex_arrays import zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress

    Ids = NDArray[np.integer[Any]]

_BLOCK = 1 << 20  # aimed block, in tests
_CHOSEN = 1 << 12  # chosen vertices whose cost a worker estimates at a time


def costs_at(indptr: NDArray[np.int64], indices: Ids, chosen: NDArray[np.int64], *, threads: int) -> NDArray[np.int64]:
    """Estimate the number of tests that each of the chosen vertices takes: int64, shape (chosen,)."""
    cost, columns = np.empty(len(chosen), dtype=np.int64), as_unsigned(indices)
    cuts = blocks.cut_evenly(len(chosen), -(-len(chosen) // _CHOSEN))
    blocks.run(
        lambda _, b: estimate_tests(indptr, columns, chosen, cuts[b], cuts[b + 1], cost),
        len(cuts) - 1,
        threads=threads,
    )
    return cost


def triangles_at(
    indptr: NDArray[np.int64],
    indices: Ids,
    chosen: NDArray[np.int64],
    cost: NDArray[np.int64],
    *,
    threads: int,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count the triangles at each of the chosen vertices: int64, shape (chosen,).

    `cost` is the result of `costs_at` for the same vertices.
    """
    before, columns = np.concatenate([[0], np.cumsum(cost)]), as_unsigned(indices)
    cuts = blocks.cut(before, _BLOCK, most=1 << 16)
    triangles = np.zeros(len(chosen), dtype=np.int64)
    # Untouched pages of zeros take no memory: only the pages that hold the marks of neighbours do.
    mark = zeros(min(threads, max(1, len(cuts) - 1)), len(indptr) // 64 + 1, np.int64)
    blocks.run(
        lambda worker, b: count_at(indptr, columns, chosen, cuts[b], cuts[b + 1], mark[worker], triangles),
        len(cuts) - 1,
        threads=threads,
        costs=np.diff(before[cuts]),
        progress=progress,
    )
    return triangles


@kernel
def estimate_tests(
    indptr: NDArray[np.int64], indices: Ids, chosen: NDArray[np.int64], first: int, last: int, cost: NDArray[np.int64]
) -> None:
    """Write the estimated number of tests of the chosen vertices `first` .. `last` - 1."""
    for k in range(first, last):
        v = chosen[k]
        most = MUCH_LONGER * (indptr[v + 1] - indptr[v])
        tests = 4 + most
        for i in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[i])
            tests += min(indptr[u + 1] - indptr[u], most)
        cost[k] = tests


@kernel
def count_at(
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
        mark_row(indices, start, stop, mark)
        hits = np.int64(0)
        for i in range(start, stop):
            u = np.int64(indices[i])
            p = indptr[u]
            end = indptr[u + 1]
            if end - p <= MUCH_LONGER * (stop - start):
                for q in range(p, end):
                    w = np.int64(indices[q])
                    hits += marked(mark, w)
            else:
                for q in range(start, stop):
                    w = np.int64(indices[q])
                    p = position(indices, p, end, w)
                    if p == end:
                        break
                    if np.int64(indices[p]) == w:
                        hits += 1
        unmark_row(indices, start, stop, mark)
        triangles[k] = hits >> 1
