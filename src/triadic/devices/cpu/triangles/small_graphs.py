"""Triangles and closed triads of small graphs, one graph after another in one thread.

Computes: for rows that hold whole graphs, the triangles in total, by vertex and by entry, and the closed triads by code
  in total, and by vertex and role.
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
from triadic.core.oriented import as_unsigned

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
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    found = np.zeros(len(cuts) - 1, dtype=np.int64)

    def count(_: int, b: int) -> None:
        found[b] = count_triangles(indptr, indices, cuts[b], cuts[b + 1])

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return int(found.sum())


def by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the triangles at each rank: int64, shape (n,)."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    triangles = np.zeros(oriented.num_vertices, dtype=np.int64)

    def count(_: int, b: int) -> None:
        add_triangles(indptr, indices, cuts[b], cuts[b + 1], triangles)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return triangles


def by_entry(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int32Array:
    """Count the triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    support = np.zeros(oriented.num_edges, dtype=np.int32)

    def count(_: int, b: int) -> None:
        add_supports(indptr, indices, cuts[b], cuts[b + 1], support)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return support


def by_code(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the closed triads by code: int64, shape (64,)."""
    rows = state_rows(oriented)
    found = np.zeros((threads, _CODES), dtype=np.int64)

    def count(worker: int, b: int) -> None:
        add_closed(rows, (cuts[b], cuts[b + 1]), found[worker], None, None)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return found.sum(axis=0)


def by_role(
    oriented: Oriented, roles: Int64Array, *, cuts: Cuts, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Count the closed triads at each rank by role: int64, shape (n, roles); `roles` is that of `closed_triads`."""
    rows = state_rows(oriented)
    triads = np.zeros((oriented.num_vertices, int(roles.max()) + 1), dtype=np.int64)

    def count(_: int, b: int) -> None:
        add_closed(rows, (cuts[b], cuts[b + 1]), None, roles, triads)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return triads


def state_rows(oriented: Oriented) -> StateRows:
    """Return the rows, and the state of each entry, or an empty array if the graph is undirected."""
    state = np.empty(0, dtype=np.uint8) if oriented.state is None else oriented.state
    return oriented.indptr, as_unsigned(oriented.indices), state


@kernel
def count_triangles(indptr: Int64Array, indices: Ids, first: int, last: int) -> np.int64:
    """Count the triangles of the graphs in the rows."""
    mark = np.zeros(last - first, dtype=np.uint8)
    found = np.int64(0)
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 1
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            for p in range(indptr[v], indptr[v + 1]):
                found += np.int64(mark[np.int64(indices[p]) - first])
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 0
    return found


@kernel
def add_triangles(indptr: Int64Array, indices: Ids, first: int, last: int, triangles: Int64Array) -> None:
    """Add at each vertex the triangles of the graphs in the rows."""
    mark = np.zeros(last - first, dtype=np.uint8)
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
                triangles[w] += hit
                at_v += hit
            triangles[v] += at_v
            at_u += at_v
        triangles[u] += at_u
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 0


@kernel
def add_supports(indptr: Int64Array, indices: Ids, first: int, last: int, support: Int32Array) -> None:
    """Add at each entry of the rows the triangles of its edge."""
    place = np.zeros(last - first, dtype=np.int64)  # one more than the entry of the vertex in row u, or 0
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = i + 1
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            for p in range(indptr[v], indptr[v + 1]):
                at = place[np.int64(indices[p]) - first]
                if at > 0:
                    support[i] += 1
                    support[p] += 1
                    support[at - 1] += 1
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = 0


@kernel
def add_closed(
    rows: StateRows,
    bounds: Bounds,
    counts: Int64Array | None,
    roles: Int64Array | None,
    triads: Int64Array | None,
) -> None:
    """Add the closed triads of the graphs in the rows by code, or at each vertex by role."""
    indptr, indices, state = rows
    first, last = bounds
    directed = state.size > 0
    mark = np.zeros(last - first, dtype=np.uint8)
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = state[i] if directed else 3
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            uv = np.int64(state[i] if directed else 3)
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                uw = np.int64(mark[w - first])
                if uw > 0:
                    code = uv + 4 * uw + 16 * np.int64(state[p] if directed else 3)
                    if counts is not None:
                        counts[code] += 1
                    if roles is not None and triads is not None:
                        triads[u, roles[0, code]] += 1
                        triads[v, roles[1, code]] += 1
                        triads[w, roles[2, code]] += 1
        for i in range(start, stop):
            mark[np.int64(indices[i]) - first] = 0
