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
  own. A second pass adds what neighbours have. Vertices are numbered in the order of a search, so
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

Rows of both directions, in the order of a breadth-first search, which puts near vertices near in memory.

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
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC, which walks the same paths.
Cuthill and McKee (1969), "Reducing the bandwidth of sparse symmetric matrices", for the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.graphlets import GraphletCounts
from triadic.core.oriented import frozen, int_empty, int_zeros
from triadic.devices.cpu.intrinsics import Whole, popcount, prefetch, trailing_zeros
from triadic.devices.cpu.orbits.whole_rows import PADDING, both_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int32Array, Int64Array, Uint8Array, Uint16Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.orbits.whole_rows import Block

    Ids = UnsignedArray

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
MOST_PATHS = LARGEST_DEGREE**2 + PADDING
PLACES = 64 * (64 + 1) + 16  # neighbours and ends of 2-paths, and some that are copied idly

_HASH = np.int64(2654435761)  # 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)
_AHEAD_STARTS, _AHEAD_ENDS = 96, 48  # entries ahead of which the places of rows, and rows, are requested
_AHEAD_PTR, _AHEAD_ROW, _AHEAD_LABEL = 16, 8, 3  # vertices of the queue ahead of which their rows are requested
_FIRST = 6  # neighbours of a vertex that are requested ahead: most have no more
_LOW = np.int64((1 << 32) - 1)


def fits(sizes: Sizes) -> bool:
    """Return whether the degrees are known to be so small that these walks are the faster way."""
    if sizes.vertices == 0 or sizes.largest_degree > LARGEST_DEGREE:
        return False
    return sizes.degree_squares <= MOST_STEPS * sizes.edges


def bytes_of_walks(sizes: Sizes, threads: int) -> int:
    """Return the bytes of `by_vertex`: rows in order, all results, and the words of each worker."""
    return (100 + 8 * threads) * sizes.vertices + 8 * sizes.edges


class RowsInOrder(NamedTuple):
    """Rows of both directions.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the row of each place begins.
    ends : array of unsigned integers, shape (2 m + `PADDING`,)
        Places of the neighbours.
    order : array of unsigned integers, shape (n,)
        Rank of the vertex at each place.
    """

    ptr: Int64Array
    ends: Ids
    order: Ids


class Found(NamedTuple):
    """Counts at ranks, int64 of shape (n, 10), and triangles and 2-paths that end at each place, int32 of (n, 2)."""

    counts: Int64Array
    near: Int32Array


class OrderedRoom(NamedTuple):
    """Room of a worker: ends of 2-paths, their first steps; zeros at neighbours, and at all vertices."""

    path: Ids
    through: Uint8Array
    adjacent: Int64Array
    words: Int64Array


class HashedRoom(NamedTuple):
    """Room of a worker: ends of 2-paths, their first steps; a hash table of zeros, and its keys and values."""

    path: Ids
    through: Uint8Array
    table: Uint16Array
    keys: Ids
    masks: Int64Array


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    n = oriented.num_vertices
    rows, searched = rows_in_order(oriented, longest_queue=LONGEST_QUEUE, threads=threads)
    # The counts of a vertex lie side by side, since vertices come in no order of their ranks.
    found = Found(int_empty((n, len(GraphletCounts._fields))), np.empty((n, 2), np.int32))
    cuts = blocks.cut(rows.ptr, blocks.piece(len(rows.ends)), most=1 << 16)
    reports = split(progress, [4, 1])
    room = [_room(n, rows.ends.dtype, searched=searched) for _ in range(min(threads, len(cuts)))]
    walk: Callable[..., None] = walk_from if searched else walk_hashed
    blocks.run_cuts(
        lambda worker, block: walk(block, rows, found, room[worker]), cuts, threads=threads, progress=reports[0]
    )
    blocks.run_cuts(lambda _, block: add_near(block, rows, found), cuts, threads=threads, progress=reports[1])
    return GraphletCounts(*found.counts.T)


def _room(n: int, ids: np.dtype[Any], *, searched: bool) -> OrderedRoom | HashedRoom:
    """Return room for a worker."""
    paths = np.empty(MOST_PATHS, ids), np.empty(MOST_PATHS, np.uint8)
    if searched:
        return OrderedRoom(*paths, int_zeros(LARGEST_DEGREE), int_zeros(n))
    return HashedRoom(*paths, np.zeros(SLOTS, np.uint16), np.zeros(PLACES, ids), int_zeros(PLACES))


def rows_in_order(oriented: Oriented, *, longest_queue: int, threads: int) -> tuple[RowsInOrder, bool]:
    """Return the rows of both directions in the order of a search, and True.

    If the queue of the search is longer, it is given up; then the rows are in the order of the ranks, and False.
    """
    n = oriented.num_vertices
    ptr, ends = both_rows(oriented, None, threads=threads)
    label = np.empty(n, ends.dtype)
    found = RowsInOrder(np.empty_like(ptr), np.empty_like(ends), np.empty(n + 1, ends.dtype))
    if search(ptr, ends, longest_queue, label, found):
        return RowsInOrder(frozen(found.ptr), frozen(found.ends), frozen(found.order[:n])), True
    return RowsInOrder(ptr, ends, frozen(np.arange(n, dtype=ends.dtype))), False


@kernel
def search(ptr: Int64Array, ends: Ids, longest_queue: int, label: Ids, found: RowsInOrder) -> bool:
    """Write the vertices in the order of a breadth-first search, and their rows; return False if the queue is too long.

    `label` becomes the place of each vertex. The order has one more place, which is written idly.
    """
    new_ptr, new_ends, order = found
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


@kernel
def walk_from(block: Block, rows: RowsInOrder, found: Found, room: OrderedRoom) -> None:
    """Write the counts in the block that the 2-paths from there tell."""
    ptr, ends, order = rows
    path, through, adjacent, words = room
    for u in range(*block):
        if u + _AHEAD_COUNTS < order.size:
            prefetch(found.counts, 10 * np.int64(order[u + _AHEAD_COUNTS]))
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps, pairs_near = copy_rows((ptr, ends), start, degree, path, through, 0)
        for j in range(steps):
            words[np.int64(path[j])] |= _ONE << np.int64(through[j])
        at_support = 0
        pairs = 0
        degrees = 0
        for i in range(degree):
            v = np.int64(ends[start + i])
            adjacent[i] = words[v]
            words[v] |= _NEIGHBOUR
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
        squares = (bits - steps - degree * (degree - 1)) >> 1
        joined = (joined - at_support) >> 1
        write(
            found, u, order[u], degree, (at_support >> 1, joined, squares, tied // 6, pairs, degrees, steps, pairs_near)
        )


@kernel
def write(found: Found, u: int, rank: Whole, degree: Whole, values: tuple[Whole, ...]) -> None:
    """Write the first eight counts of vertex `u`."""
    counts, near = found
    at = counts[np.int64(rank)]
    for i in range(8):
        at[i] = values[i]
    near[u, 0] = values[0]
    near[u, 1] = values[6] - degree


@kernel
def add_near(block: Block, rows: RowsInOrder, found: Found) -> None:
    """Write the last two counts at the ranks of the block: sums over their neighbours."""
    ptr, ends, order = rows
    counts, near = found
    for u in range(*block):
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
def walk_hashed(  # noqa: PLR0915 - all loops of a kernel are in one function
    block: Block, rows: RowsInOrder, found: Found, room: HashedRoom
) -> None:
    """Write the counts in the block that the 2-paths from there tell; `table` is zero, and is left so."""
    ptr, ends, order = rows
    path, through, table, keys, masks = room
    for u in range(*block):
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps, pairs_near = copy_rows((ptr, ends), start, degree, path, through, ends.size - _AHEAD_STARTS)
        shift = 24  # a table of 256 slots
        while 4 * steps > 1 << (32 - shift):
            shift -= 1
        slots = (1 << (32 - shift)) - 1
        for i in range(degree + 1):  # the neighbours of u from place 1 on, and then u, without bits
            x = np.int64(ends[start + i]) if i < degree else u
            slot = slot_of(x, shift)
            while table[slot] != 0:
                slot = (slot + 1) & slots
            table[slot] = i + 1
            keys[i + 1] = x
            masks[i + 1] = 0
        others = degree + 2
        last: Whole = others
        for j in range(steps):  # the bit of each 2-path at its end, and new ends from place `others` on
            x = np.int64(path[j])
            slot = slot_of(x, shift)
            at = np.int64(table[slot])
            # Another vertex is there: seldom, since the table is mostly empty. An empty slot, which no predictor could
            # tell from one that holds x, makes the product 0 too.
            while at * (np.int64(keys[at]) ^ x) != 0:
                slot = (slot + 1) & slots
                at = np.int64(table[slot])
            masks[last] = 0
            new = np.int64(at == 0)
            at += new * last
            last += new
            table[slot] = at
            keys[at] = x
            masks[at] |= _ONE << np.int64(through[j])
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
        repeated = others
        for i in range(others, last):
            c = popcount(masks[i])
            at_squares += c * (c - 1) >> 1
            masks[repeated] = masks[i]
            repeated += c > 1
        if at_support > 0:
            for i in range(others, repeated):
                at_chords += joined_pairs(masks, masks[i])
        values = at_support >> 1, at_chords >> 1, at_squares, tied // 6, pairs, degrees, steps, pairs_near
        write(found, u, order[u], degree, values)
        for i in range(slots + 1):
            table[i] = 0


@kernel
def copy_rows(
    rows: tuple[Int64Array, Ids], start: int, degree: int, path: Ids, through: Uint8Array, until: int
) -> tuple[int, int]:
    """Write the ends of the 2-paths through the neighbours from `start` on, and the number of the neighbour of each.

    Return the number of paths, and the pairs of other neighbours of each neighbour. At entries below `until`, later
    rows are requested.
    """
    ptr, ends = rows
    steps = 0
    pairs = 0
    for i in range(degree):
        if start + i < until:
            prefetch(ptr, np.int64(ends[start + i + _AHEAD_STARTS]))
            prefetch(ends, ptr[np.int64(ends[start + i + _AHEAD_ENDS])])
        v = np.int64(ends[start + i])
        row = ptr[v]
        k = ptr[v + 1] - row
        for j in range(PADDING):  # as many as most rows have, so that no branch depends on the degree
            path[steps + j] = ends[row + j]
            through[steps + j] = i
        for j in range(PADDING, k):
            path[steps + j] = ends[row + j]
            through[steps + j] = i
        steps += k
        pairs += (k - 1) * (k - 2) >> 1
    return steps, pairs


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
        joined += popcount(masks[trailing_zeros(left) + 1] & near)
        left &= left - 1
    return joined
