"""Triangles and closed triads of small graphs, one graph after another in one thread.

Computes: for rows that hold whole graphs, the triangles in total, by vertex and by entry, the tetrahedra by vertex, and
  the closed triads by code in total, and by vertex and role.
Requires: an oriented graph, and rows `first` .. `last` - 1 that no edge leaves: all rows of a graph, or the rows of
  some graphs of a batch, whose ranks follow one another.
Idea: a small graph lies in the first-level cache, so preparing blocks, hubs or lists costs more than it saves. The
  entries of row u are marked, and the row of each neighbour v is read once: a marked entry w closes a triangle. Threads
  share out graphs, so that each number is written by one thread and nothing is added up afterwards.
Cost: one test for each pair of an entry (u, v) and an entry of row v; one mark a vertex of the rows.

References
----------
Schank and Wagner (2005), WEA ("forward"), for triangles from the rows of both ends of an edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import int_zeros, state_rows

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, Uint8Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Bounds = tuple[int, int]
    Cuts = Int64Array
    StateRows = tuple[Int64Array, Ids, Uint8Array]

_CODES = 64


def total(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> int:
    """Count all triangles."""
    indptr, indices = oriented.unsigned_rows

    def count(_: int, b: int) -> np.int64:
        return add_triangles(indptr, indices, cuts[b], cuts[b + 1], None)

    return int(sum(blocks.results(count, len(cuts) - 1, threads=threads, progress=progress)))


def by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the triangles at each rank: int64, shape (n,)."""
    indptr, indices = oriented.unsigned_rows
    triangles = int_zeros(oriented.num_vertices)

    blocks.run_cuts(
        lambda _, block: add_triangles(indptr, indices, *block, triangles), cuts, threads=threads, progress=progress
    )
    return triangles


def by_entry(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int32Array:
    """Count the triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
    indptr, indices = oriented.unsigned_rows
    support = np.zeros(oriented.num_edges, np.int32)

    blocks.run_cuts(
        lambda _, block: add_supports(indptr, indices, *block, support, None), cuts, threads=threads, progress=progress
    )
    return support


def closed_triads(
    oriented: Oriented,
    roles: Int64Array | None = None,
    *,
    cuts: Cuts,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the closed triads by code: int64, shape (64,).

    With `roles`, an array as of `triads.closed_triads`, they are counted at each rank by role: int64, shape (n, roles).
    """
    rows = state_rows(oriented)
    shape = (threads, _CODES) if roles is None else (oriented.num_vertices, int(roles.max()) + 1)
    found = int_zeros(shape)
    blocks.run_cuts(
        lambda worker, block: add_closed(rows, block, roles, found[worker] if roles is None else found),
        cuts,
        threads=threads,
        progress=progress,
    )
    return found.sum(axis=0) if roles is None else found


@kernel
def add_triangles(indptr: Int64Array, indices: Ids, first: int, last: int, triangles: Int64Array | None) -> np.int64:
    """Count the triangles of the graphs in the rows, and add them at each vertex unless `triangles` is None."""
    mark = np.zeros(last - first, np.uint8)
    found = np.int64(0)
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 1
        at_u = np.int64(0)
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            at_v = np.int64(0)
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                hit = np.int64(mark[w - first])
                if triangles is not None:
                    triangles[w] += hit
                at_v += hit
            if triangles is not None:
                triangles[v] += at_v
            at_u += at_v
        if triangles is not None:
            triangles[u] += at_u
        found += at_u
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 0
    return found


@kernel
def add_supports(
    indptr: Int64Array, indices: Ids, first: int, last: int, support: Int32Array, tetrahedra: Int64Array | None
) -> int:
    """Add at each entry the triangles of its edge, and unless `tetrahedra` is None, at each vertex the tetrahedra.

    With tetrahedra, return the number of triangles.
    """
    place = np.zeros(last - first, np.int64)  # one more than the entry of the vertex in row u, or 0
    if tetrahedra is not None:
        joined = np.zeros(last - first, np.int64)  # one more than the last entry (u, v) with a triangle at it
        third = np.empty(last - first, np.int64)
    found = 0
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = i + 1
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            thirds = 0
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                at = place[w - first]
                if at > 0:
                    support[p] += 1
                    support[at - 1] += 1
                    if tetrahedra is None:
                        support[i] += 1
                    else:
                        joined[w - first] = i + 1
                        third[thirds] = w
                        thirds += 1
            if tetrahedra is not None:
                support[i] += thirds
                found += thirds
                for k in range(1, thirds):
                    w = third[k]
                    for p in range(indptr[w], indptr[w + 1]):
                        x = np.int64(indices[p])
                        if joined[x - first] == i + 1:
                            for vertex in (u, v, w, x):
                                tetrahedra[vertex] += 1
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = 0
    return found


@kernel
def add_closed(
    rows: StateRows,
    bounds: Bounds,
    roles: Int64Array | None,
    found: Int64Array,
) -> None:
    """Add the closed triads of the graphs in the rows by code, or at each vertex by role unless `roles` is None."""
    indptr, indices, state = rows
    first, last = bounds
    mark = np.zeros(last - first, np.uint8)
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = state[i]
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            uv = np.int64(state[i])
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                uw = np.int64(mark[w - first])
                if uw > 0:
                    code = uv + 4 * uw + 16 * np.int64(state[p])
                    if roles is None:
                        found[code] += 1
                    else:
                        found[u, roles[0, code]] += 1
                        found[v, roles[1, code]] += 1
                        found[w, roles[2, code]] += 1
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 0
