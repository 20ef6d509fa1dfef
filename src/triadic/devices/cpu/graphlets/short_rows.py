"""Graphlets of four vertices where all degrees are small, as in meshes and road networks, in one walk from each vertex.

Computes: the ten counts of `triadic.core.graphlets.GraphletCounts` at each rank, as `four_vertex` does.
Requires: an oriented graph, of degree 63 at most.
Idea: let i number the neighbours of a vertex u, at most 63. The 2-paths from u are walked once, and M(x), a word with a
  bit for each neighbour i that is joined to x, is kept for each end x. If x is itself a neighbour, M(x) is its row in
  the graph between the neighbours of u. The paths are then read again. For the path over i to x,
    squares at u:    the other bits of M(x), each square at two paths;
    diamonds of u and x off the chord: the neighbours in M(x) that are joined to i, an AND and a population count, each
                     diamond at two paths;
    tetrahedra of u and x: the same count where x is a neighbour, each tetrahedron at six paths;
    support of the edge from u to x: the bits of M(x), where x is a neighbour.
  No step has a branch that depends on the network. Nothing is written but at u, so that workers need no sums of their
  own. A second pass adds what neighbours have. Vertices are numbered in the order of a search (`breadth_first`), so
  that x finds its word by its number, and the words of a walk lie in a few lines of cache. A network without such an
  order is walked with a hash table (`walk_hashed`).
Cost: the sum of the squares of the degrees, as each triangle and square is met from all its vertices. 16 bytes an edge
  and 24 a vertex while searching; then 8 bytes an edge, 20 a vertex, 8 a vertex for each worker, and a result of 80 a
  vertex.

The walk of `short_rows` with a hash table, for networks in which no order makes neighbours near.

Computes: the eight counts at each vertex that the 2-paths from there tell.
Requires: rows of both directions, of at most 64 entries.
Idea: M(x), the bits of the neighbours that are joined to x, is found through a hash table of the ends of the paths. It
  is as small as the neighbourhood, so that it stays in the first-level cache. Rows are requested ahead, as they come
  from all over memory. Squares and diamonds are read from each M(x) once.
Cost: the sum of the squares of the degrees.

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
from triadic.core.graphlets import GraphletCounts
from triadic.core.oriented import frozen
from triadic.devices.cpu.graphlets.breadth_first import PADDING, rows_in_order
from triadic.devices.cpu.intrinsics import popcount, prefetch
from triadic.devices.cpu.triangles.neighbourhoods import lowest
from triadic.devices.cpu.vertex_arrays import zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int32Array, Int64Array, Uint8Array, Uint16Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Walk = Callable[[int, int, int], object]
    Whole = int | np.integer[Any]  # the same to numba

LARGEST_DEGREE = 63  # neighbours whose bits fit a word, beside the bit of neighbours themselves
# Steps of the walks for each edge, up to which the walks are faster than the passes of `four_vertex`, by measurement:
# 8 in a road network, 12.6 in a triangulation of the plane, 20 in a ring of ten neighbours each.
MOST_STEPS = 24
# Vertices in the queue of the search from which it is given up: their words fill half a MiB of second-level cache.
LONGEST_QUEUE = 1 << 16

_ONE = np.int64(1)
_NEIGHBOUR = np.int64(-1) << 63  # the bit of a word of a neighbour
_AHEAD_NEAR = 48  # entries ahead of which the values of a neighbour are requested
_AHEAD_COUNTS = 8  # vertices ahead of which the counts at a rank are requested
SLOTS = 4 * 64**2  # slots, of which the ends of 2-paths fill a quarter at most
PLACES = 64 * (64 + 1) + 16  # neighbours and ends of 2-paths, and some that are copied idly

_HASH = np.int64(2654435761)  # 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)
_AHEAD_PTR, _AHEAD_ROW = 96, 48  # entries ahead of which the places of rows, and rows, are requested
_LOW = np.int64((1 << 32) - 1)


def fits(oriented: Oriented) -> bool:
    """Return whether the degrees are so small that these walks are the faster way."""
    degree = oriented.degree
    if len(degree) == 0 or int(degree.max()) > LARGEST_DEGREE:
        return False
    return int(np.dot(degree, degree)) <= MOST_STEPS * oriented.num_edges


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    n = oriented.num_vertices
    ptr, ends, order = rows_in_order(oriented, longest_queue=LONGEST_QUEUE, threads=threads)
    ranks = np.arange(n, dtype=ends.dtype) if order is None else order
    near = np.empty((n, 2), dtype=np.int32)
    # The counts of a vertex lie side by side, since vertices come in no order of their ranks.
    counts = np.empty((n, len(GraphletCounts._fields)), dtype=np.int64)
    cuts = blocks.cut(ptr, blocks.piece(len(ends)), most=1 << 16)
    reports = split(progress, [4, 1])
    walk = (_hashed if order is None else _ordered)(ptr, ends, frozen(ranks), near, counts, min(threads, len(cuts)))
    blocks.run(
        lambda worker, b: walk(worker, cuts[b], cuts[b + 1]), len(cuts) - 1, threads=threads, progress=reports[0]
    )

    def add(_: int, b: int) -> None:
        add_near(ptr, ends, frozen(ranks), frozen(near), cuts[b], cuts[b + 1], counts)

    blocks.run(add, len(cuts) - 1, threads=threads, progress=reports[1])
    return GraphletCounts(*counts.T)


def _ordered(ptr: Int64Array, ends: Ids, order: Ids, near: Int32Array, counts: Int64Array, threads: int) -> Walk:
    """Return a walk from a block of vertices, which are in the order of a search."""
    words, adjacent = zeros(threads, len(ptr) - 1, np.int64), zeros(threads, LARGEST_DEGREE, np.int64)
    path = zeros(threads, LARGEST_DEGREE**2 + PADDING, ends.dtype.type)
    through = zeros(threads, LARGEST_DEGREE**2 + PADDING, np.uint8)

    def walk(worker: int, first: int, last: int) -> None:
        scratch = path[worker], through[worker], adjacent[worker], words[worker]
        walk_from(ptr, ends, order, first, last, *scratch, near, counts)

    return walk


def _hashed(ptr: Int64Array, ends: Ids, order: Ids, near: Int32Array, counts: Int64Array, threads: int) -> Walk:
    """Return a walk from a block of vertices, which are in any order."""
    table, keys, path = zeros(threads, SLOTS, np.uint16), *(zeros(threads, PLACES, ends.dtype.type) for _ in range(2))
    masks, bit = (zeros(threads, PLACES, np.int64) for _ in range(2))

    def walk(worker: int, first: int, last: int) -> None:
        scratch = path[worker], bit[worker], table[worker], keys[worker], masks[worker]
        walk_hashed(ptr, ends, order, first, last, *scratch, near, counts)

    return walk


@kernel
def walk_from(
    ptr: Int64Array,
    ends: Ids,
    order: Ids,
    first: int,
    last: int,
    path: Ids,
    through: Uint8Array,
    adjacent: Int64Array,
    words: Int64Array,
    near: Int32Array,
    counts: Int64Array,
) -> None:
    """Write the counts at `first` .. `last` - 1 that the 2-paths from there tell; `words` is zero, and is left so."""
    for u in range(first, last):
        if u + _AHEAD_COUNTS < order.size:
            prefetch(counts, 10 * np.int64(order[u + _AHEAD_COUNTS]))
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps = 0
        pairs_near = 0
        for i in range(degree):
            v = np.int64(ends[start + i])
            row = ptr[v]
            k = ptr[v + 1] - row
            for j in range(PADDING):  # as many as most rows have, so that no branch depends on the degree
                path[steps + j] = ends[row + j]
                through[steps + j] = i
            for j in range(PADDING, k):
                path[steps + j] = ends[row + j]
                through[steps + j] = i
            words[v] = _NEIGHBOUR
            steps += k
            pairs_near += (k - 1) * (k - 2) >> 1
        for j in range(steps):
            words[np.int64(path[j])] |= _ONE << np.int64(through[j])
        at_support = 0
        pairs = 0
        degrees = 0
        for i in range(degree):
            v = np.int64(ends[start + i])
            adjacent[i] = words[v] & ~_NEIGHBOUR
            c = popcount(adjacent[i])
            at_support += c
            pairs += c * (c - 1) >> 1
            degrees += c * (ptr[v + 1] - ptr[v])
        bits = 0
        joined = 0
        tied = 0
        for j in range(steps):
            word = words[np.int64(path[j])]
            c = popcount(word & adjacent[np.int64(through[j])])
            bits += popcount(word & ~_NEIGHBOUR)
            joined += c
            tied += c & (word >> 63)
        for j in range(steps):
            words[np.int64(path[j])] = 0
        for i in range(degree):
            words[np.int64(ends[start + i])] = 0
        # The paths back to u are among them: their word has a bit for each neighbour.
        rank = np.int64(order[u])
        counts[rank, 0] = at_support >> 1
        counts[rank, 1] = (joined - at_support) >> 1
        counts[rank, 2] = (bits - steps - degree * (degree - 1)) >> 1
        counts[rank, 3] = tied // 6
        counts[rank, 4] = pairs
        counts[rank, 5] = degrees
        counts[rank, 6] = steps
        counts[rank, 7] = pairs_near
        near[u, 0] = at_support >> 1
        near[u, 1] = steps - degree


@kernel
def add_near(
    ptr: Int64Array,
    ends: Ids,
    order: Ids,
    near: Int32Array,
    first: int,
    last: int,
    counts: Int64Array,
) -> None:
    """Write the last two counts at the ranks of `first` .. `last` - 1: sums of `near` over their neighbours."""
    for u in range(first, last):
        if u + _AHEAD_COUNTS < order.size:
            prefetch(counts, 10 * np.int64(order[u + _AHEAD_COUNTS]) + 8)
        triangles = 0
        paths = 0
        for p in range(ptr[u], ptr[u + 1]):
            if p + _AHEAD_NEAR < ends.size:
                prefetch(near, 2 * np.int64(ends[p + _AHEAD_NEAR]))
            v = np.int64(ends[p])
            triangles += near[v, 0]
            paths += near[v, 1]
        rank = np.int64(order[u])
        counts[rank, 8] = triangles
        counts[rank, 9] = paths


@kernel
def walk_hashed(
    ptr: Int64Array,
    ends: Ids,
    order: Ids,
    first: int,
    last: int,
    path: Ids,
    bit: Int64Array,
    table: Uint16Array,
    keys: Ids,
    masks: Int64Array,
    near: Int32Array,
    counts: Int64Array,
) -> None:
    """Write the counts at `first` .. `last` - 1 that the 2-paths from there tell; `table` is zero, and is left so."""
    for u in range(first, last):
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps, pairs_near = copy_rows(ptr, ends, start, degree, path, bit)
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
        rank = np.int64(order[u])
        near[u, 0] = at_support >> 1
        near[u, 1] = steps - degree
        counts[rank, 0] = at_support >> 1
        counts[rank, 1] = at_chords >> 1
        counts[rank, 2] = at_squares
        counts[rank, 3] = tied // 6
        counts[rank, 4] = pairs
        counts[rank, 5] = degrees
        counts[rank, 6] = steps
        counts[rank, 7] = pairs_near
        for slot in range(1 << (32 - shift)):
            table[slot] = 0


@kernel
def copy_rows(ptr: Int64Array, ends: Ids, start: int, degree: int, path: Ids, bit: Int64Array) -> tuple[int, int]:
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
        for j in range(PADDING):  # as many as most rows have, so that no branch depends on the degree
            path[steps + j] = ends[row + j]
            bit[steps + j] = _ONE << i
        for j in range(PADDING, k):
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
    table: Uint16Array,
    keys: Ids,
    masks: Int64Array,
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
    bit: Int64Array,
    steps: int,
    found: Whole,
    shift: int,
    table: Uint16Array,
    keys: Ids,
    masks: Int64Array,
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
def joined_pairs(masks: Int64Array, near: int) -> int:
    """Return twice the number of edges between the neighbours whose bits are in `near`."""
    joined = 0
    left = near
    while left != 0:
        joined += popcount(masks[lowest(left) + 1] & near)
        left &= left - 1
    return joined
