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

# A support of at least this number is that of a peeled edge.
GONE = 1 << 30

# A row drops its peeled edges once they are more than one in this many.
_MANY = 8


@kernel
def rows_of_live(
    live: Ids,
    row: Ids,
    indices: Ids,
    indptr: Int64Array,
    free: Int64Array,
    columns: Ids,
    edges: Ids,
) -> None:
    """Write the rows of all vertices: neighbours by live edges in `columns`, the entries of these edges in `edges`."""
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
def rows_to_shorten(
    row: Ids,
    indices: Ids,
    start: Int64Array,
    stop: Int64Array,
    gone: Int64Array,
    queue: Ids,
    first: Whole,
    last: Whole,
    vertices: Int64Array,
) -> Whole:
    """List the ends of the queue's places `first` .. `last` - 1 in whose rows many edges are peeled; return how many.

    Their rows count as without peeled edges from now on, so that each is listed once.
    """
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
def shorten(
    start: Int64Array,
    stop: Int64Array,
    columns: Ids,
    edges: Ids,
    vertices: Int64Array,
    first: Whole,
    last: Whole,
    support: Int32Array,
) -> None:
    """Drop peeled edges from the rows of the places `first` .. `last` - 1 of `vertices`."""
    for i in range(first, last):
        vertex = vertices[i]
        place = start[vertex]
        for p in range(start[vertex], stop[vertex]):
            columns[place] = columns[p]
            edges[place] = edges[p]
            place += np.int64(support[np.int64(edges[p])] < GONE)
        stop[vertex] = place
