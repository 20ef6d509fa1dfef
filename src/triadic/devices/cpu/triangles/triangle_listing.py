"""Triangles listed on the CPU in rising order of their vertices, and counted at chosen vertices.

Computes: the triangles u < v < w in lexicographic order, counted or written, by blocks of edges (u, v).
Requires: an oriented graph without states; for the kernels rows of higher neighbours by original id, rising, columns
  viewed as unsigned, marks all zero, which they leave so.
Idea: mark the row of u; for each v in it walk the row of v and test each w. If the row of v is much the longer, search
  in it for the vertices after v in the row of u instead. Either way w rises. Blocks are counted first; their counts say
  where each block writes.
Cost: over all edges (u, v) the lesser of a test for each entry of v's row and a binary search for each entry of u's: at
  most O(m^1.5 log m), whatever ids the hubs have.

Triangles at chosen vertices on the CPU, at a cost that depends on their surroundings alone.

Computes: for each chosen vertex v the pairs of its neighbours that are joined; beforehand, the number of tests.
Requires: symmetric rows, rising, without loops and repeats; columns viewed as unsigned; marks all zero, which the
  kernels leave so.
Idea: mark the row of v; walk the row of each neighbour and test each entry. If that row is much longer than v's, search
  in it for the neighbours of v instead. Each pair is found from both its ends.
Cost: over the neighbours u of v, the lesser of u's degree and a binary search for each neighbour of v.

Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for marking a neighbourhood and walking the rows of its
neighbours.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210; Ortmann and Brandes (2014), Triangle listing algorithms:
back from the diversion, ALENEX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import zeros
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned, int_empty, int_zeros, starts_of
from triadic.devices.cpu.intrinsics import MUCH_LONGER, Rows, mark_row, marked, position, unmark_row
from triadic.devices.cpu.orient.id_rows import rows_above

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Row = int | np.int64  # the same to numba
    Bounds = tuple[int, int]

_BLOCK = 1 << 17  # aimed block, in tests; no block has more triangles, unless it is a single entry
_TESTS = 1 << 20  # aimed block, in tests
_CHOSEN = 1 << 12  # chosen vertices whose cost a worker estimates at a time


class TriangleListing:
    """The triangles of a graph in lexicographic order, by blocks of edges (u, v).

    Parameters
    ----------
    oriented : Oriented
        Without states.
    threads : int
    """

    def __init__(self, oriented: Oriented, *, threads: int) -> None:
        self.threads = threads
        skeleton = oriented if oriented.state is None else oriented.with_state(None)
        above = rows_above(skeleton, threads=threads)
        self._rows = Rows(above.indptr, as_unsigned(above.indices))
        n, m = oriented.num_vertices, oriented.num_edges
        check_memory(8 * m, f"listing the triangles of {m:,} edges", "use more memory")
        cost = int_zeros(m + 1)
        blocks.run_cuts(
            lambda _, bounds: add_costs(self._rows, bounds, cost),
            blocks.cut(above.indptr),
            threads=threads,
        )
        np.cumsum(cost, out=cost)
        # Each block marks the row of its first edge again, which is no more than the block's own work.
        longest = int(np.diff(above.indptr).max(initial=0))
        self._cuts = blocks.cut(cost, max(_BLOCK, longest))
        self._costs = np.diff(cost[self._cuts])
        self._row = np.searchsorted(above.indptr, self._cuts[:-1], side="right") - 1
        self._mark = zeros(threads, n // 64 + 1, np.int64)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self._cuts) - 1

    def count(self, first: int, last: int, progress: Progress | None = None) -> Int64Array:
        """Count the triangles of blocks `first` .. `last` - 1: int64, shape (blocks,)."""
        no_room, costs = int_empty((0, 3)), self._costs[first:last]
        found = blocks.results(
            lambda worker, b: self._walk(worker, first + b, no_room),
            last - first,
            threads=self.threads,
            costs=costs,
            progress=progress,
        )
        return np.array(found, np.int64)

    def write(self, first: int, counts: Int64Array, triangles: Int64Array, progress: Progress | None = None) -> None:
        """Write the triangles of consecutive blocks from `first` on; `counts` holds the triangles of each block.

        `triangles` has the shape (room, 3); triangles past its end are left out.
        """
        place = starts_of(counts)
        last = first + len(counts)

        def task(worker: int, b: int) -> None:
            if counts[b] and place[b] < len(triangles):
                self._walk(worker, first + b, triangles[place[b] : place[b + 1]])

        blocks.run(task, len(counts), threads=self.threads, costs=self._costs[first:last], progress=progress)

    def _walk(self, worker: int, block: int, found: Int64Array) -> int:
        bounds = self._cuts[block], self._cuts[block + 1]
        return list_triangles(self._rows, self._row[block], bounds, self._mark[worker], found)


@kernel
def list_triangles(rows: Rows, u: Row, bounds: tuple[Row, Row], mark: Int64Array, found: Int64Array) -> int:
    """Write the triangles of entries `first` .. `last` - 1, the first in row `u`, while there is room; count them all.

    `found` has the shape (room, 3).
    """
    indptr, indices = rows
    first, last = bounds
    room = found.shape[0]
    count = 0
    while first < last:
        end_u = indptr[u + 1]
        stop = min(last, end_u)
        if first < stop:
            mark_row(indices, first + 1, end_u, mark)
            for i in range(first, stop):
                v = np.int64(indices[i])
                p = indptr[v]
                end_v = indptr[v + 1]
                if end_v - p <= MUCH_LONGER * (end_u - i - 1):
                    for q in range(p, end_v):
                        w = np.int64(indices[q])
                        if marked(mark, w):
                            if count < room:
                                write_triple(u, v, w, found, count)
                            count += 1
                else:
                    for q in range(i + 1, end_u):
                        w = np.int64(indices[q])
                        p = position(indices, p, end_v, w)
                        if p == end_v:
                            break
                        if np.int64(indices[p]) == w:
                            if count < room:
                                write_triple(u, v, w, found, count)
                            count += 1
            unmark_row(indices, first + 1, end_u, mark)
        first = stop
        u += 1
    return count


@kernel
def write_triple(u: Row, v: Row, w: Row, found: Int64Array, filled: int) -> int:
    """Write three vertices to a row of `found`, and return the next row."""
    found[filled, 0] = u
    found[filled, 1] = v
    found[filled, 2] = w
    return filled + 1


@kernel
def add_costs(rows: Rows, bounds: Bounds, cost: Int64Array) -> None:
    """Write the estimated cost of each entry of some rows, at least its number of triangles.

    `cost` has one place before the entries.
    """
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        length = indptr[u + 1] - indptr[u]
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            cost[i + 1] = 4 + min(indptr[v + 1] - indptr[v], MUCH_LONGER * length)


def costs_at(indptr: Int64Array, indices: Ids, chosen: Int64Array, *, threads: int) -> Int64Array:
    """Estimate the number of tests that each of the chosen vertices takes: int64, shape (chosen,)."""
    cost, rows = int_empty(len(chosen)), Rows(indptr, as_unsigned(indices))
    cuts = blocks.cut_pieces(len(chosen), _CHOSEN)
    blocks.run_cuts(lambda _, bounds: estimate_tests(rows, chosen, bounds, cost), cuts, threads=threads)
    return cost


def triangles_at(
    indptr: Int64Array,
    indices: Ids,
    chosen: Int64Array,
    cost: Int64Array,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the triangles at each of the chosen vertices: int64, shape (chosen,).

    `cost` is the result of `costs_at` for the same vertices.
    """
    before, rows = starts_of(cost), Rows(indptr, as_unsigned(indices))
    cuts = blocks.cut(before, _TESTS, most=1 << 16)
    triangles = int_zeros(len(chosen))
    # Untouched pages of zeros take no memory: only the pages that hold the marks of neighbours do.
    mark = zeros(min(threads, max(1, len(cuts) - 1)), len(indptr) // 64 + 1, np.int64)
    blocks.run_cuts(
        lambda worker, bounds: count_at(rows, chosen, bounds, mark[worker], triangles),
        cuts,
        threads=threads,
        costs=np.diff(before[cuts]),
        progress=progress,
    )
    return triangles


@kernel
def estimate_tests(rows: Rows, chosen: Int64Array, bounds: Bounds, cost: Int64Array) -> None:
    """Write the estimated number of tests of some of the chosen vertices."""
    indptr, indices = rows
    first, last = bounds
    for k in range(first, last):
        v = chosen[k]
        most = MUCH_LONGER * (indptr[v + 1] - indptr[v])
        tests = 4 + most
        for i in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[i])
            tests += min(indptr[u + 1] - indptr[u], most)
        cost[k] = tests


@kernel
def count_at(rows: Rows, chosen: Int64Array, bounds: Bounds, mark: Int64Array, triangles: Int64Array) -> None:
    """Write the triangles at some of the chosen vertices."""
    indptr, indices = rows
    first, last = bounds
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
