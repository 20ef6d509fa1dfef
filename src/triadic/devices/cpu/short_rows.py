"""Graphlets of four vertices where all degrees are small, as in meshes and road networks, in one walk from each vertex.

Computes: the ten counts of `triadic.core.graphlet_types.GraphletCounts` at each rank, as `four_vertex` does.
Requires: an oriented graph, of degree 64 at most.
Idea: let i number the neighbours of a vertex u, at most 64. The 2-paths from u are walked once, and M(x), a word with a
  bit for each neighbour i that is joined to x, is kept for each end x. A hash table finds the word of x; it is as small
  as the neighbourhood, so that all this stays in the first-level cache. If x is itself a neighbour, M(x) is its row in
  the graph between the neighbours of u. Then
    squares at u:    the sum of C(|M(x)|, 2) over all x but u;
    diamonds of u and x off the chord: the edges between the neighbours in M(x), an AND and a population count for each;
    tetrahedra of u and x: the same edges, for each x that is a neighbour, each tetrahedron at three such x;
    support of the edge from u to x: |M(x)|, for each x that is a neighbour.
  Nothing is written but at u, so that workers need no sums of their own. A second pass adds what neighbours have.
Cost: the sum of the squares of the degrees, as each triangle and square is met from all its vertices. 8 bytes an edge
  and 32 a vertex beside the result.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC, which walks the same paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.graphlet_types import GraphletCounts
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import popcount, prefetch
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.neighbourhood_kernels import lowest
from triadic.devices.cpu.vertex_arrays import zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]  # the same to numba

LARGEST_DEGREE = 64  # neighbours whose bits fit a word
# Steps of the walks for each edge, up to which the walks are faster than the passes of `four_vertex`, by measurement:
# 8 in a road network, 12.6 in a triangulation of the plane.
MOST_STEPS = 16

_TABLE = 4 * LARGEST_DEGREE**2  # slots, of which the ends of 2-paths fill a quarter at most
_PLACES = LARGEST_DEGREE * (LARGEST_DEGREE + 1) + 16  # neighbours and ends of 2-paths, and some that are copied idly
_HASH = np.int64(2654435761)  # 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)
_READERS = 8  # workers that make rows: each reads the whole graph
_COPIED = 8  # entries of a row that are copied at once
_AHEAD_PTR, _AHEAD_ROW = 96, 48  # entries ahead of which the places of rows, and rows, are requested
_LOW = np.int64((1 << 32) - 1)
_ONE = np.int64(1)


def fits(oriented: Oriented) -> bool:
    """Return whether the degrees are so small that these walks are the faster way."""
    degree = oriented.degree
    if len(degree) == 0 or int(degree.max()) > LARGEST_DEGREE:
        return False
    return int(np.dot(degree, degree)) <= MOST_STEPS * oriented.num_edges


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    n = oriented.num_vertices
    ptr, ends = both_rows(oriented, threads=threads)
    counts = GraphletCounts(*(np.empty(n, dtype=np.int64) for _ in GraphletCounts._fields))
    table = zeros(threads, _TABLE, np.uint16)
    keys: list[Ids] = [np.zeros(_PLACES, dtype=ends.dtype) for _ in range(threads)]
    path: list[Ids] = [np.zeros(_PLACES, dtype=ends.dtype) for _ in range(threads)]
    masks, bit = (zeros(threads, _PLACES, np.int64) for _ in range(2))
    near = np.empty((n, 2), dtype=np.int64)
    cuts = blocks.cut(ptr, blocks.piece(len(ends)), most=1 << 16)
    reports = split(progress, [4, 1])

    def walk(worker: int, b: int) -> None:
        walk_from(
            ptr, ends, cuts[b], cuts[b + 1], path[worker], bit[worker], table[worker], keys[worker], masks[worker],
            near, counts.triangles, counts.off_chord, counts.squares, counts.tetrahedra, counts.support_pairs,
            counts.support_degrees, counts.near_degrees, counts.near_pairs,
        )  # fmt: skip

    def add(_: int, b: int) -> None:
        add_near(ptr, ends, near, cuts[b], cuts[b + 1], counts.near_triangles, counts.path_ends)

    blocks.run(walk, len(cuts) - 1, threads=threads, progress=reports[0])
    blocks.run(add, len(cuts) - 1, threads=threads, progress=reports[1])
    return counts


def both_rows(oriented: Oriented, *, threads: int) -> tuple[NDArray[np.int64], Ids]:
    """Return where the neighbours of each rank begin, and the neighbours, first those of smaller rank, rising."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    ptr = np.zeros(oriented.num_vertices + 1, dtype=np.int64)
    np.cumsum(oriented.degree, out=ptr[1:])
    # A row is copied in steps of several entries, which may end beyond it.
    ends: Ids = np.zeros(2 * oriented.num_edges + _COPIED, dtype=indices.dtype)
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
    indptr: NDArray[np.int64],
    indices: Ids,
    ptr: NDArray[np.int64],
    first: int,
    last: int,
    place: NDArray[np.int64],
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
            if p + _AHEAD_ROW < indices.size:
                prefetch(place, np.int64(indices[p + _AHEAD_ROW]))
            w = np.int64(indices[p])
            if first <= w < last:
                ends[place[w]] = u
                place[w] += 1


@kernel
def walk_from(
    ptr: NDArray[np.int64],
    ends: Ids,
    first: int,
    last: int,
    path: Ids,
    bit: NDArray[np.int64],
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
    near: NDArray[np.int64],
    triangles: NDArray[np.int64],
    off_chord: NDArray[np.int64],
    squares: NDArray[np.int64],
    tetrahedra: NDArray[np.int64],
    support_pairs: NDArray[np.int64],
    support_degrees: NDArray[np.int64],
    near_degrees: NDArray[np.int64],
    near_pairs: NDArray[np.int64],
) -> None:
    """Write the counts at `first` .. `last` - 1 that the 2-paths from there tell; `table` is zero, and is left so."""
    for u in range(first, last):
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps, pairs_near = copy_rows(ptr, ends, start, degree, path, bit)
        near_degrees[u] = steps
        near_pairs[u] = pairs_near
        shift = 24  # a table of 256 slots
        while 4 * steps > 1 << (32 - shift):
            shift -= 1
        others = enter_neighbours(ends, start, degree, u, shift, table, keys, masks)
        found = enter_paths(path, bit, steps, others, shift, table, keys, masks)
        at_support = 0
        pairs = 0
        degrees = 0
        tied = 0
        for i in range(1, degree + 1):
            v = np.int64(keys[i])
            c = popcount(masks[i])
            at_support += c
            pairs += c * (c - 1) >> 1
            degrees += c * (ptr[v + 1] - ptr[v])
            tied += joined_pairs(masks, masks[i])
        at_squares = pairs
        at_chords = tied
        repeated = 0
        for i in range(others, found):
            c = popcount(masks[i])
            at_squares += c * (c - 1) >> 1
            bit[repeated] = masks[i]
            repeated += c > 1
        if at_support > 0:
            for i in range(repeated):
                at_chords += joined_pairs(masks, bit[i])
        triangles[u] = at_support >> 1
        support_pairs[u] = pairs
        support_degrees[u] = degrees
        squares[u] = at_squares
        tetrahedra[u] = tied // 6
        off_chord[u] = at_chords >> 1
        near[u, 0] = at_support >> 1
        near[u, 1] = steps - degree
        for slot in range(1 << (32 - shift)):
            table[slot] = 0


@kernel
def copy_rows(
    ptr: NDArray[np.int64], ends: Ids, start: int, degree: int, path: Ids, bit: NDArray[np.int64]
) -> tuple[int, int]:
    """Write the ends of the 2-paths through the neighbours from `start` on, and the bit of the neighbour of each.

    Return the number of paths, and the pairs of other neighbours of each neighbour.
    """
    steps = 0
    pairs = 0
    for i in range(degree):
        if start + i + _AHEAD_PTR < ends.size:
            prefetch(ptr, np.int64(ends[start + i + _AHEAD_PTR]))
            prefetch(ends, ptr[np.int64(ends[start + i + _AHEAD_ROW])])
        v = np.int64(ends[start + i])
        row = ptr[v]
        k = ptr[v + 1] - row
        for j in range(_COPIED):  # as many as most rows have, so that no branch depends on the degree
            path[steps + j] = ends[row + j]
            bit[steps + j] = _ONE << i
        for j in range(_COPIED, k):
            path[steps + j] = ends[row + j]
            bit[steps + j] = _ONE << i
        steps += k
        pairs += (k - 1) * (k - 2) >> 1
    return steps, pairs


@kernel
def enter_neighbours(
    ends: Ids,
    start: int,
    degree: int,
    u: int,
    shift: int,
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
) -> int:
    """Enter the neighbours of `u` from place 1 on, and then `u`, without bits; return the place after `u`."""
    slots = (1 << (32 - shift)) - 1
    for i in range(degree + 1):
        x = np.int64(ends[start + i]) if i < degree else u
        slot = slot_of(x, shift)
        while table[slot] != 0:
            slot = (slot + 1) & slots
        table[slot] = i + 1
        keys[i + 1] = x
        masks[i + 1] = 0
    return degree + 2


@kernel
def enter_paths(
    path: Ids,
    bit: NDArray[np.int64],
    steps: int,
    found: Whole,
    shift: int,
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
) -> Whole:
    """Add the bit of each 2-path at its end, and enter new ends from place `found` on; return the place after them."""
    slots = (1 << (32 - shift)) - 1
    for j in range(steps):
        x = np.int64(path[j])
        slot = slot_of(x, shift)
        at = np.int64(table[slot])
        # Another vertex is there: seldom, since the table is mostly empty. An empty slot, which no predictor could tell
        # from one that holds x, makes the product 0 too.
        while at * (np.int64(keys[at]) ^ x) != 0:
            slot = (slot + 1) & slots
            at = np.int64(table[slot])
        masks[found] = 0
        new = np.int64(at == 0)
        at += new * found
        found += new
        table[slot] = at
        keys[at] = x
        masks[at] |= bit[j]
    return found


@kernel
def slot_of(x: Whole, shift: int) -> Whole:
    """Return the slot that the search for a vertex begins at."""
    return ((x * _HASH) & _LOW) >> shift


@kernel
def joined_pairs(masks: NDArray[np.int64], near: int) -> int:
    """Return twice the number of edges between the neighbours whose bits are in `near`."""
    joined = 0
    left = near
    while left != 0:
        joined += popcount(masks[lowest(left) + 1] & near)
        left &= left - 1
    return joined


@kernel
def add_near(
    ptr: NDArray[np.int64],
    ends: Ids,
    near: NDArray[np.int64],
    first: int,
    last: int,
    near_triangles: NDArray[np.int64],
    path_ends: NDArray[np.int64],
) -> None:
    """Add up at each of `first` .. `last` - 1 both columns of `near` over its neighbours."""
    for u in range(first, last):
        triangles = 0
        paths = 0
        for p in range(ptr[u], ptr[u + 1]):
            if p + _AHEAD_ROW < ends.size:
                prefetch(near, 2 * np.int64(ends[p + _AHEAD_ROW]))
            v = np.int64(ends[p])
            triangles += near[v, 0]
            paths += near[v, 1]
        near_triangles[u] = triangles
        path_ends[u] = paths
