"""Rows of both directions, in the order of a breadth-first search, which puts near vertices near in memory.

Computes: the neighbours of each rank; then the ranks in the order in which a search meets them, and the rows again,
  with each vertex numbered by its place in that order.
Requires: an oriented graph.
Idea: a search knows long before which row it reads next, so that rows are requested ahead; a walk over neighbours of
  neighbours knows too late. In a mesh or a road network the neighbours of a vertex are in the layers of the search
  next to its own: some thousand places away even among millions of vertices, so that all later reads are from the first
  or the second level of cache. Random networks have no such order; there the queue becomes so long that the search is
  given up.
Cost: three random reads a vertex and two an arc, in one thread for the search; 8 bytes an edge and 8 a vertex for each
  of the two sets of rows, and 8 bytes a vertex while searching.

References
----------
Cuthill and McKee (1969), "Reducing the bandwidth of sparse symmetric matrices", for the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen, starts_of
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, UnsignedArray
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Whole = int | np.integer[Any]  # the same to numba

PADDING = 8  # entries behind the last row, so that rows can be copied as many entries at a time

_READERS = 8  # workers that make rows: each reads the whole graph
_AHEAD_RANK = 48  # entries ahead of which the end of a row is requested
_AHEAD_PTR, _AHEAD_ROW, _AHEAD_LABEL = 16, 8, 3  # vertices of the queue ahead of which their rows are requested
_FIRST = 6  # neighbours of a vertex that are requested ahead: most have no more


def rows_in_order(oriented: Oriented, *, longest_queue: int, threads: int) -> tuple[Int64Array, Ids, Ids | None]:
    """Return the rows of both directions in the order of a search, which is given up if its queue is longer.

    Returns
    -------
    ptr : int64 array, shape (n + 1,)
        Where the row of each place begins.
    ends : array of unsigned integers, shape (2 m + `PADDING`,)
        Places of the neighbours.
    order : array of unsigned integers, shape (n,), or None
        Rank of the vertex at each place; None if the search was given up, and the rows are in the order of the ranks.
    """
    n = oriented.num_vertices
    ptr, ends = both_rows(oriented, threads=threads)
    label = np.empty(n, dtype=ends.dtype)
    order, new_ptr, new_ends = np.empty(n + 1, dtype=ends.dtype), np.empty_like(ptr), np.empty_like(ends)
    if not search(ptr, ends, longest_queue, label, order, new_ptr, new_ends):
        return ptr, ends, None
    return frozen(new_ptr), frozen(new_ends), frozen(order[:n])


def both_rows(oriented: Oriented, *, threads: int) -> tuple[Int64Array, Ids]:
    """Return where the neighbours of each rank begin, and the neighbours, first those of smaller rank, rising."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    ptr = starts_of(oriented.degree)
    ends: Ids = np.zeros(2 * oriented.num_edges + PADDING, dtype=indices.dtype)
    place = np.empty(oriented.num_vertices, dtype=np.int64)
    cuts = blocks.cut(ptr, max(1, -(-int(ptr[-1]) // min(threads, _READERS))), most=_READERS)
    blocks.run(
        lambda _, b: join_rows(indptr, indices, frozen(ptr), cuts[b], cuts[b + 1], place, ends),
        len(cuts) - 1,
        threads=threads,
    )
    return frozen(ptr), frozen(ends)


@kernel
def join_rows(
    indptr: Int64Array,
    indices: Ids,
    ptr: Int64Array,
    first: int,
    last: int,
    place: Int64Array,
    ends: Ids,
) -> None:
    """Write the neighbours of the ranks `first` .. `last` - 1; all rows after `first` are read for it."""
    for v in range(first, last):
        at = ptr[v]
        for p in range(indptr[v], indptr[v + 1]):
            ends[at] = indices[p]
            at += 1
        place[v] = at
    for u in range(first + 1, indptr.size - 1):
        for p in range(indptr[u], indptr[u + 1]):
            if p + _AHEAD_RANK < indices.size:
                prefetch(place, np.int64(indices[p + _AHEAD_RANK]))
            w = np.int64(indices[p])
            if first <= w < last:
                ends[place[w]] = u
                place[w] += 1


@kernel
def search(
    ptr: Int64Array,
    ends: Ids,
    longest_queue: int,
    label: Ids,
    order: Ids,
    new_ptr: Int64Array,
    new_ends: Ids,
) -> bool:
    """Write the vertices in the order of a breadth-first search, and their rows; return False if the queue is too long.

    `label` becomes the place of each vertex. `order` has one more place, which is written idly.
    """
    n = ptr.size - 1
    label[:] = n
    tail: Whole = 0
    root = 0
    at = 0
    for head in range(n):
        if head == tail:
            while np.int64(label[root]) < n:
                root += 1
            label[root] = tail
            order[tail] = root
            tail += 1
        if tail - head > longest_queue:
            return False
        if head + _AHEAD_PTR < tail:
            prefetch(ptr, np.int64(order[head + _AHEAD_PTR]))
            prefetch(ends, ptr[np.int64(order[head + _AHEAD_ROW])])
            row = ptr[np.int64(order[head + _AHEAD_LABEL])]
            for i in range(_FIRST):  # of a shorter row also what follows it, which does no harm
                prefetch(label, np.int64(ends[row + i]))
        u = np.int64(order[head])
        new_ptr[head] = at
        for p in range(ptr[u], ptr[u + 1]):
            x = np.int64(ends[p])
            place: Whole = np.int64(label[x])
            order[tail] = x  # counts only if x is new
            new = np.int64(place == n)
            place = tail if new else place
            tail += new
            label[x] = place
            new_ends[at] = place
            at += 1
    new_ptr[n] = at
    new_ends[at:] = 0
    return True
