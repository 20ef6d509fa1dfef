"""Rows of the live edges, those that are not peeled yet; a row drops its peeled edges once they are many.

Computes: for each vertex its neighbours by live edges, each with the entry of the edge; the same rows without the edges
  that were peeled since.
Requires: the entries of an oriented graph whose edges are live, in rising order; the support of each entry, at least
  `GONE` once its edge is peeled.
Idea: a row is shortened when more than one in eight of its edges are peeled, so that all shortening takes a few times
  as long as writing the rows. The rows to shorten are listed first, each once, and several workers shorten them.
Cost: three passes over the entries to write the rows; for each edge two vertices and two entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray

    Ids = UnsignedArray
    Whole = int | np.integer[Any]  # the same to numba
    Bounds = tuple[Whole, Whole]
    # Plain tuples: numba takes about a microsecond longer to see the type of a named one.
    # The ends of the edge of each entry: the vertex of its row, and its column.
    Ends = tuple[Ids, Ids]
    # Starts and ends of rows, peeled edges that are still in each row, neighbours, and entries of the edges.
    LiveRows = tuple[Int64Array, Int64Array, Int64Array, Ids, Ids]

# A support of at least this number is that of a peeled edge.
GONE = 1 << 30

# A row drops its peeled edges once they are more than one in this many.
_MANY = 8


@kernel
def rows_of_live(live: Ids, ends: Ends, rows: LiveRows) -> None:
    """Write the rows of all vertices: neighbours by live edges, and the entries of these edges."""
    row, indices = ends
    indptr, free, _, columns, edges = rows
    indptr[:] = 0
    for i in range(live.size):
        e = np.int64(live[i])
        indptr[np.int64(row[e]) + 1] += 1
        indptr[np.int64(indices[e]) + 1] += 1
    for vertex in range(free.size):
        free[vertex] = indptr[vertex]
        indptr[vertex + 1] += indptr[vertex]
    for i in range(live.size):
        e = np.int64(live[i])
        u = np.int64(row[e])
        columns[free[u]] = indices[e]
        edges[free[u]] = e
        free[u] += 1
    for i in range(live.size):  # larger neighbours follow the smaller ones, and rise too
        e = np.int64(live[i])
        v = np.int64(indices[e])
        columns[free[v]] = row[e]
        edges[free[v]] = e
        free[v] += 1


@kernel
def rows_to_shorten(ends: Ends, rows: LiveRows, queue: Ids, bounds: Bounds, vertices: Int64Array) -> np.int64:
    """List the ends of the queue's places in whose rows many edges are peeled; return how many.

    Their rows count as without peeled edges from now on, so that each is listed once.
    """
    row, indices = ends
    start, stop, gone, _, _ = rows
    first, last = bounds
    found = np.int64(0)
    for k in range(first, last):
        e = np.int64(queue[k])
        for side in range(2):
            vertex = np.int64(row[e]) if side == 0 else np.int64(indices[e])
            if _MANY * gone[vertex] > stop[vertex] - start[vertex]:
                vertices[found] = vertex
                found += 1
                gone[vertex] = 0
    return found


@kernel
def shorten(rows: LiveRows, vertices: Int64Array, bounds: Bounds, support: Int32Array) -> None:
    """Drop peeled edges from the rows of some places of `vertices`."""
    start, stop, _, columns, edges = rows
    first, last = bounds
    for i in range(first, last):
        vertex = vertices[i]
        place = start[vertex]
        for p in range(start[vertex], stop[vertex]):
            columns[place] = columns[p]
            edges[place] = edges[p]
            place += np.int64(support[np.int64(edges[p])] < GONE)
        stop[vertex] = place
