"""Whole rows, the triangles at each edge, and passes over the vertices: what the counts of orbits and squares share.

Computes: rows of the skeleton, rising by rank, so that the neighbours of higher degree come first; sums over rows.
Requires: an oriented graph.
Idea: a whole row is the oriented row followed by the vertices in whose oriented rows the vertex is. All rows are read
  in order, and each entry is written at the next place of its column, so that both parts are sorted. An edge has the
  number of its entry in the oriented rows.
Cost: two random writes an edge; each of up to 8 workers reads all rows. 2 × 8 bytes an edge (16 beyond 2**32 vertices
  or edges), half of it without the numbers of edges.

The triangles at each edge: the third vertex, rising by rank, and the two other edges.

Computes: for each edge {u, v} of ranks u > v the common neighbours w of u and v, and the edges {u, w} and {v, w}.
Requires: whole rows (`whole_rows`); `mark`, of shape (n,), all zero, which the kernel leaves so.
Idea: mark the neighbours of v, which has the higher degree, with the numbers of their edges, and read the rows of its
  neighbours u of lower degree: once to count, and once more to list.
Cost: two sweeps over the sum over edges of the smaller degree. 12 bytes for each triangle at each of its three edges.

Passes over the vertices of a graph, each cut into blocks by an estimate of its work.

Computes: what the passes share: whole rows, sums over the edges of vertices, blocks of equal work.
Requires: an oriented graph.
Idea: each pass has its own cost for each vertex. Blocks take some tens of milliseconds, and there are enough of them
  that threads end at about the same time.
Cost: O(vertices) for a pass, beside its work.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for the bound on the sum of smaller degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, int_empty, int_zeros, starts_of
from triadic.devices.cpu.intrinsics import Rows, prefetch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Block = tuple[int, int]

PADDING = 8  # entries behind the last row, so that rows can be copied as many entries at a time

_READERS = 8  # workers that make rows: each reads the whole graph
_AHEAD_RANK = 48  # entries ahead of which the end of a row is requested
_BLOCK = 1 << 23  # aimed block, in entries of rows
_LEAST_BLOCK = 1 << 12  # takes longer than the call of a kernel
_BLOCKS_PER_THREAD = 64
_VERTEX = 8  # cost of a vertex beside its entries


class WholeRows(NamedTuple):
    """Rows of all neighbours.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the row of each rank begins.
    ends : uint32 or uint64 array, shape (2 m + PADDING,)
        Neighbours of each rank, rising within a row.
    edges : uint32 or uint64 array, shape (2 m,)
        Entry of the oriented rows that holds the edge.
    higher : int64 array, shape (n,)
        Number of neighbours of smaller rank, with which the row begins.
    """

    ptr: Int64Array
    ends: Ids
    edges: Ids
    higher: Int64Array


def whole_rows(oriented: Oriented, *, threads: int) -> WholeRows:
    """Return the whole rows of an oriented graph."""
    m = oriented.num_edges
    edges: Ids = np.empty(2 * m, np.uint32 if m < 1 << 32 else np.uint64)
    ptr, ends = both_rows(oriented, edges, threads=threads)
    return WholeRows(ptr, ends, frozen(edges), frozen(np.diff(oriented.indptr)))


def both_rows(oriented: Oriented, edges: Ids | None, *, threads: int) -> tuple[Int64Array, Ids]:
    """Return where the neighbours of each rank begin, and the neighbours, rising; write the entries to `edges`."""
    rows = Rows(*oriented.unsigned_rows)
    n = oriented.num_vertices
    ptr = frozen(starts_of(oriented.degree))
    ends: Ids = np.zeros(2 * oriented.num_edges + PADDING, rows.indices.dtype)
    place = int_empty(n)
    cuts = blocks.cut(ptr, max(1, -(-int(ptr[-1]) // min(threads, _READERS))), most=_READERS)
    blocks.run_cuts(lambda _, bounds: join_rows(rows, ptr, (*bounds, n), place, ends, edges), cuts, threads=threads)
    return ptr, frozen(ends)


@kernel
def join_rows(
    rows: Rows, ptr: Int64Array, bounds: tuple[int, int, int], place: Int64Array, ends: Ids, edges: Ids | None
) -> None:
    """Write the neighbours of the ranks `first` .. `last` - 1; the rows up to `stop` are read for it."""
    indptr, indices = rows
    first, last, stop = bounds
    for v in range(first, last):
        at = ptr[v]
        for p in range(indptr[v], indptr[v + 1]):
            ends[at] = indices[p]
            if edges is not None:
                edges[at] = p
            at += 1
        place[v] = at
    for u in range(first + 1, stop):
        for p in range(indptr[u], indptr[u + 1]):
            if p + _AHEAD_RANK < indices.size:
                prefetch(place, np.int64(indices[p + _AHEAD_RANK]))
            w = np.int64(indices[p])
            if first <= w < last:
                ends[place[w]] = u
                if edges is not None:
                    edges[place[w]] = p
                place[w] += 1


class EdgeTriangles(NamedTuple):
    """Triangles by edge; a place from ``ptr[e]`` to ``ptr[e + 1]`` stands for a triangle of edge e = {u, v}, u > v.

    Attributes
    ----------
    ptr : int64 array, shape (m + 1,)
        Where the triangles of each edge begin.
    third : uint32 or uint64 array, shape (3 triangles,)
        The third vertex w, rising within an edge.
    low, high : uint32 or uint64 array, shape (3 triangles,)
        The edges {u, w} and {v, w}: w with the end of lower and with the end of higher degree.
    support : int64 array, shape (m,)
        Number of triangles at each edge.
    """

    ptr: Int64Array
    third: Ids
    low: Ids
    high: Ids
    support: Int64Array


@inline_kernel
def other_edges(low: Ids, high: Ids, t: int, lower: bool | np.bool) -> tuple[np.int64, np.int64]:
    """Return the edges {x, y} and {u, y} of a triangle listed at {u, x}; `lower` if x is the end of lower degree."""
    across, beside = (low[t], high[t]) if lower else (high[t], low[t])
    return np.int64(across), np.int64(beside)


class VertexPasses:
    """Whole rows of a graph, and passes over its vertices.

    Parameters
    ----------
    oriented : Oriented
    threads : int

    Attributes
    ----------
    lower : int64 array, shape (n,)
        For each u the number of 2-paths u - a - w with ranks u < a < w.
    paths : int64 array, shape (n,)
        Sum of the degrees of the neighbours.
    """

    def __init__(self, oriented: Oriented, threads: int) -> None:
        self.threads, self.degree = threads, oriented.degree
        self.n, self.m = oriented.num_vertices, oriented.num_edges
        self.rows: WholeRows = whole_rows(oriented, threads=threads)
        self.lower = int_zeros(self.n)
        self.run(self.degree, count_larger_paths, self.rows, self.lower)
        self.paths = self.sums(self.rows.ends, self.degree)

    def run(
        self,
        cost: Int64Array,
        walk: Callable[..., object],
        *shared: object,
        own: Sequence[Sequence[object]] | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Run ``walk(block, *shared, *own[worker])`` over blocks of vertices, or edges, of about equal cost."""
        before = starts_of(cost + _VERTEX)
        aim = max(_LEAST_BLOCK, min(_BLOCK, int(before[-1]) // (self.threads * _BLOCKS_PER_THREAD)))
        cuts = blocks.cut(before, aim, most=1 << 16)
        of_worker = own or [()] * self.threads
        blocks.run_cuts(
            lambda worker, block: walk(block, *shared, *of_worker[worker]),
            cuts,
            threads=self.threads,
            costs=np.diff(before[cuts]),
            progress=progress,
        )

    def sums(self, places: Ids, values: Int64Array) -> Int64Array:
        """Add up for each vertex the values at the places of its row: `rows.ends` or `rows.edges`."""
        sums = int_empty(self.n)
        self.run(self.degree, sum_rows, self.rows.ptr, places, frozen(values), sums)
        return sums

    def at_edges(self, values: Int64Array) -> Int64Array:
        """Add up for each vertex the values of its edges."""
        return self.sums(self.rows.edges, values)

    def within_two_steps(self) -> Int64Array:
        """Return for each u about the entries of the rows of larger ranks within two steps, at most all of them."""
        beyond = np.concatenate([np.cumsum(self.rows.higher[::-1])[::-1][1:], [0]])
        mean = 2 * self.m // self.n + 1
        return 3 * self.lower + np.minimum(self.lower * mean, 2 * beyond)

    def edge_triangles(self, progress: Progress | None) -> EdgeTriangles:
        """List the triangles at each edge."""
        rows, reports = self.rows, split(progress, [1, 1])
        own = [(int_zeros(self.n),) for _ in range(self.threads)]
        support = int_zeros(self.m)
        self.run(self.paths, find_triangles, rows, support, None, own=own, progress=reports[0])
        ptr = starts_of(support)
        places = int(ptr[-1])
        check_memory(
            (rows.ends.itemsize + 2 * rows.edges.itemsize) * places,
            f"listing the {places // 3:,} triangles of a graph of {self.m:,} edges at each of their edges",
            "use more memory, or size=4",
        )
        third, low, high = (np.empty(places, ids.dtype) for ids in (rows.ends, rows.edges, rows.edges))
        listed = EdgeTriangles(ptr, third, low, high, support)
        self.run(self.paths, find_triangles, rows, support, listed, own=own, progress=reports[1])
        return EdgeTriangles._make(map(frozen, listed))


@kernel
def count_larger_paths(block: Block, rows: WholeRows, paths: Int64Array) -> None:
    """Write for each u the number of 2-paths u - a - w with ranks u < a < w: estimated work."""
    ptr, ends, _, higher = rows
    for u in range(*block):
        found = 0
        for i in range(ptr[u] + higher[u], ptr[u + 1]):
            a = np.int64(ends[i])
            found += ptr[a + 1] - ptr[a] - higher[a]
        paths[u] = found


@kernel
def sum_rows(block: Block, ptr: Int64Array, places: Ids, values: Int64Array, sums: Int64Array) -> None:
    """Write the sum of each row."""
    for v in range(*block):
        found = 0
        for p in range(ptr[v], ptr[v + 1]):
            found += values[np.int64(places[p])]
        sums[v] = found


@kernel
def find_triangles(
    block: Block, rows: WholeRows, support: Int64Array, listed: EdgeTriangles | None, mark: Int64Array
) -> None:
    """Count or list the triangles at the edges whose end of higher degree is in the block."""
    ptr, ends, edges, higher = rows
    if listed is not None:
        triangle_ptr, third, low, high, _ = listed
    for v in range(*block):
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = np.int64(edges[p]) + 1
        for p in range(ptr[v] + higher[v], ptr[v + 1]):
            u = np.int64(ends[p])
            e = np.int64(edges[p])
            if listed is None:
                found = 0
                for r in range(ptr[u], ptr[u + 1]):
                    found += mark[np.int64(ends[r])] > 0
                support[e] = found
            elif support[e] > 0:
                place = triangle_ptr[e]
                for r in range(ptr[u], ptr[u + 1]):
                    w = np.int64(ends[r])
                    if mark[w] > 0:
                        third[place] = ends[r]
                        low[place] = edges[r]
                        high[place] = mark[w] - 1
                        place += 1
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 0
