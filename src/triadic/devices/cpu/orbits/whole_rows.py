"""Whole rows, the triangles at each edge, and passes over the vertices: what the counts of orbits share.

Computes: rows of the skeleton, rising by rank, so that the neighbours of higher degree come first; sums over rows.
Requires: an oriented graph.
Idea: a whole row is the oriented row followed by the list of the middle vertex (`middle_lists`); both are sorted. An
  edge has the number of its entry in the oriented rows.
Cost: the lists, and a binary search for each edge. 2 × 8 bytes an edge (16 beyond 2**32 vertices or edges).

The triangles at each edge: the third vertex, rising by rank, and the two other edges.

Computes: for each edge {u, v} of ranks u > v the common neighbours w of u and v, and the edges {u, w} and {v, w}.
Requires: whole rows (`whole_rows`); `mark`, of shape (n,), all zero, which the kernels leave so.
Idea: mark the neighbours of v, which has the higher degree, with the numbers of their edges, and read the rows of its
  neighbours u of lower degree.
Cost: two sweeps over the sum over edges of the smaller degree. 12 bytes for each triangle at each of its three edges.

Passes over the vertices of a graph, each cut into blocks by an estimate of its work.

Computes: what the passes of the orbits share: whole rows, sums over the edges of vertices, blocks of equal work.
Requires: an oriented graph with edges.
Idea: each pass has its own cost for each vertex. Blocks take some tens of milliseconds, and there are enough of them
  that threads end at about the same time.
Cost: O(vertices) for a pass, beside its work.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for the bound on the sum of smaller degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.orient.middle_lists import middle_lists
from triadic.devices.cpu.vertex_arrays import zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray

_LISTING_BLOCKS = 32
_BLOCK = 1 << 23  # aimed block, in entries of rows

_BLOCKS_PER_THREAD = 64
_VERTEX = 8  # cost of a vertex beside its entries


@dataclass(frozen=True, slots=True, eq=False)
class WholeRows:
    """Rows of all neighbours.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the row of each rank begins.
    ends : uint32 or uint64 array, shape (2 m,)
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
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    m = oriented.num_edges
    lists = middle_lists(indptr, indices, indptr[:-1], threads=threads)
    ptr = indptr + lists.ptr
    ends: Ids = np.empty(2 * m, dtype=indices.dtype)
    edges: Ids = np.empty(2 * m, dtype=np.uint32 if m < 1 << 32 else np.uint64)
    cuts = blocks.cut(ptr, blocks.piece(2 * m), most=1 << 16)

    def task(_: int, b: int) -> None:
        fill_rows(indptr, indices, lists.ptr, lists.ends, cuts[b], cuts[b + 1], ends, edges)

    blocks.run(task, len(cuts) - 1, threads=threads)
    return WholeRows(frozen(ptr), frozen(ends), frozen(edges), frozen(np.diff(indptr)))


def row_sums(ptr: Int64Array, places: Ids, values: Int64Array, *, threads: int) -> Int64Array:
    """Add up for each row the values at its places, such as its ends or edges: int64, shape (rows,)."""
    sums = np.empty(len(ptr) - 1, dtype=np.int64)
    cuts = blocks.cut(ptr, blocks.piece(int(ptr[-1])), most=1 << 16)
    values = frozen(values)
    blocks.run(lambda _, b: sum_rows(ptr, places, values, cuts[b], cuts[b + 1], sums), len(cuts) - 1, threads=threads)
    return sums


@kernel
def sum_rows(
    ptr: Int64Array,
    places: Ids,
    values: Int64Array,
    first: int,
    last: int,
    sums: Int64Array,
) -> None:
    """Write the sums of rows `first` .. `last` - 1."""
    for v in range(first, last):
        found = 0
        for p in range(ptr[v], ptr[v + 1]):
            found += values[np.int64(places[p])]
        sums[v] = found


@kernel
def fill_rows(
    indptr: Int64Array,
    indices: Ids,
    list_ptr: Int64Array,
    list_ends: Ids,
    first: int,
    last: int,
    ends: Ids,
    edges: Ids,
) -> None:
    """Write the whole rows of ranks `first` .. `last` - 1."""
    for v in range(first, last):
        place = indptr[v] + list_ptr[v]
        for p in range(indptr[v], indptr[v + 1]):
            ends[place] = indices[p]
            edges[place] = p
            place += 1
        for p in range(list_ptr[v], list_ptr[v + 1]):
            u = np.int64(list_ends[p])
            ends[place] = list_ends[p]
            edges[place] = position(indices, indptr[u], indptr[u + 1], v)
            place += 1


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTriangles:
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


def edge_triangles(
    oriented: Oriented, rows: WholeRows, *, threads: int, progress: Progress | None = None
) -> EdgeTriangles:
    """List the triangles at each edge."""
    n, m = oriented.num_vertices, oriented.num_edges
    cost = np.concatenate([[0], np.cumsum(4 + row_sums(rows.ptr, rows.ends, oriented.degree, threads=threads))])
    cuts = blocks.cut(cost, max(1, min(_BLOCK, int(cost[-1]) // (threads * _LISTING_BLOCKS))), most=1 << 16)
    costs = np.diff(cost[cuts])
    reports = split(progress, [1, 1])
    mark = zeros(threads, n, np.int64)
    support = np.zeros(m, dtype=np.int64)

    def count(worker: int, b: int) -> None:
        count_at_edges(rows.ptr, rows.ends, rows.edges, rows.higher, cuts[b], cuts[b + 1], mark[worker], support)

    blocks.run(count, len(cuts) - 1, threads=threads, costs=costs, progress=reports[0])
    ptr = np.concatenate([[0], np.cumsum(support)])
    places = int(ptr[-1])
    width = rows.ends.itemsize + 2 * rows.edges.itemsize
    check_memory(
        width * places,
        f"listing the {places // 3:,} triangles of a graph of {m:,} edges at each of their edges",
        "use more memory, or size=4",
    )

    third = np.empty(places, dtype=rows.ends.dtype)
    low, high = np.empty(places, dtype=rows.edges.dtype), np.empty(places, dtype=rows.edges.dtype)

    def fill(worker: int, b: int) -> None:
        list_at_edges(
            rows.ptr, rows.ends, rows.edges, rows.higher, cuts[b], cuts[b + 1], mark[worker], ptr, support,
            third, low, high,
        )  # fmt: skip

    blocks.run(fill, len(cuts) - 1, threads=threads, costs=costs, progress=reports[1])
    return EdgeTriangles(frozen(ptr), frozen(third), frozen(low), frozen(high), frozen(support))


@kernel
def count_at_edges(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    mark: Int64Array,
    support: Int64Array,
) -> None:
    """Count the triangles at the edges whose end of higher degree is one of `first` .. `last` - 1."""
    for v in range(first, last):
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 1
        for p in range(ptr[v] + higher[v], ptr[v + 1]):
            u = np.int64(ends[p])
            found = 0
            for r in range(ptr[u], ptr[u + 1]):
                found += mark[np.int64(ends[r])]
            support[np.int64(edges[p])] = found
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = 0


@kernel
def list_at_edges(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    mark: Int64Array,
    triangle_ptr: Int64Array,
    support: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
) -> None:
    """List the triangles at the edges whose end of higher degree is one of `first` .. `last` - 1."""
    for v in range(first, last):
        for p in range(ptr[v], ptr[v + 1]):
            mark[np.int64(ends[p])] = np.int64(edges[p]) + 1
        for p in range(ptr[v] + higher[v], ptr[v + 1]):
            u = np.int64(ends[p])
            e = np.int64(edges[p])
            if support[e] == 0:
                continue
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


class VertexPasses:
    """Whole rows of a graph, and passes over its vertices.

    Parameters
    ----------
    oriented : Oriented
        A graph with edges.
    threads : int
    """

    def __init__(self, oriented: Oriented, threads: int) -> None:
        self.threads, self.degree = threads, oriented.degree
        self.n, self.m = oriented.num_vertices, oriented.num_edges
        self.rows: WholeRows = whole_rows(oriented, threads=threads)

    def _larger_rank_paths(self) -> Int64Array:
        """Return for each u the number of 2-paths u - a - w with a and w of larger rank: int64, shape (n,)."""
        rows = self.rows
        found = np.zeros(self.n, dtype=np.int64)
        pieces = blocks.cut(rows.ptr, blocks.piece(2 * self.m), most=1 << 16)
        blocks.run(
            lambda _, b: count_larger_paths(rows.ptr, rows.ends, rows.higher, pieces[b], pieces[b + 1], found),
            len(pieces) - 1,
            threads=self.threads,
        )
        return found

    def _at_edges(self, values: Int64Array) -> Int64Array:
        """Add up for each vertex the values of its edges."""
        return row_sums(self.rows.ptr, self.rows.edges, values, threads=self.threads)

    def _within_two_steps(self, lower: Int64Array) -> Int64Array:
        """Return for each u about the entries of the rows of larger ranks within two steps, at most all of them.

        Parameters
        ----------
        lower : int64 array, shape (n,)
            2-paths from u over larger ranks.
        """
        beyond = np.concatenate([np.cumsum(self.rows.higher[::-1])[::-1][1:], [0]])
        mean = 2 * self.m // self.n + 1
        return 3 * lower + np.minimum(lower * mean, 2 * beyond)

    def _run(self, cost: Int64Array, task: Callable[[int, int, int], None], progress: Progress | None) -> None:
        """Run ``task(worker, first, last)`` over blocks of vertices of about equal cost."""
        before = np.concatenate([[0], np.cumsum(cost + _VERTEX)])
        aim = max(1, min(_BLOCK, int(before[-1]) // (self.threads * _BLOCKS_PER_THREAD)))
        cuts = blocks.cut(before, aim, most=1 << 16)
        blocks.run(
            lambda worker, b: task(worker, cuts[b], cuts[b + 1]),
            len(cuts) - 1,
            threads=self.threads,
            costs=np.diff(before[cuts]),
            progress=progress,
        )

    def _over_vertices(self, cost: Int64Array, task: Callable[[int, int], None]) -> None:
        """Run ``task(first, last)`` over blocks of vertices."""
        self._run(cost, lambda _, first, last: task(first, last), None)


@kernel
def count_larger_paths(
    ptr: Int64Array,
    ends: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    paths: Int64Array,
) -> None:
    """Write for u in `first` .. `last` - 1 the number of 2-paths u - a - w with ranks u < a < w: estimated work."""
    for u in range(first, last):
        found = 0
        for i in range(ptr[u] + higher[u], ptr[u + 1]):
            a = np.int64(ends[i])
            found += ptr[a + 1] - ptr[a] - higher[a]
        paths[u] = found
