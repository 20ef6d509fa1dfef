"""Cliques of every size, and simplices, which are cliques in an order that all their arcs follow.

Computes: the cliques by the numbers of vertices that they hold and may hold (`tally`); or, by size, the cliques at each
  vertex, with directions the simplices that begin at it, that it stands within, and that end at it; and the cliques at
  each edge.
Requires: oriented rows, with directions if simplices are counted; the room of a worker, whose counts begin as zeros.
Idea: each clique is met at its vertex of largest rank, the root, among the neighbours in its row, whose adjacency is
  held as bits. A search holds vertices one after another; its candidates are the vertices that are joined to all of
  them. The pivot is the candidate joined to the most others: every clique of candidates has a vertex that is not joined
  to the pivot, or may take the pivot along. So candidates that are joined to the pivot need no branch of their own, and
  a leaf with h held vertices and p pivots stands for C(p, k - h) cliques of size k. A subtree is a polynomial in x,
  whose coefficients are its cliques by size, x^h (1 + x)^p for a leaf: the cliques that contain a held vertex are all
  of them, and those that contain a pivot the polynomial times x / (1 + x). Simplices are sequences, so all candidates
  are branches, and the root is a candidate like others, without which nothing counts.
Cost: Pivoter's tree, (candidates) x (words of bits) at each of its nodes; at vertices as many additions as sizes for
  each node, at edges times its depth. Numbers wrap modulo 2**64. A bit for each pair of entries of the longest row.

References
----------
Jain and Seshadhri (2020), The power of pivoting for exact clique counting, WSDM; Bron and Kerbosch (1973), Tomita,
Tanaka and Takahashi (2006) for pivots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import int_zeros, starts_of
from triadic.devices.cpu.intrinsics import Rows, fetch_add, popcount, trailing_zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, Uint8Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.intrinsics import Whole

SOURCE, INNER, SINK = range(3)  # places in a simplex; cliques have the first alone
# Columns of a frame: its vertex, whether that is a pivot, held vertices, pivots, whether the root is among them, the
# most vertices of a clique, and the pivot whose branch is to come, or -1.
_VERTEX, _PIVOTED, _HELD, _PIVOTS, _ROOTED, _MOST, _NEXT = range(7)
_FRAME = 7

_ONE, _ALL = np.int64(1), np.int64(-1)
_STEPS = 1 << 16  # nodes of the tree between two checks for Ctrl-C
_BLOCKS_PER_THREAD = 256


class Room(NamedTuple):
    """Room of a worker, for rows of at most d entries of w words.

    Attributes
    ----------
    place : int32 array, shape (n,)
        One more than the place of each neighbour of the root; zeros.
    bits : int64 array, shape (4, d + 2, w)
        The adjacency of the neighbours and of the root, the last one; the candidates of each frame; its branches; the
        pivots that it takes along without a branch.
    frames : int64 array, shape (d + 3, 7)
    tally : int64 array, shape (d + 3, d + 3)
        Receives the leaves by their numbers of held vertices and of pivots.
    at : int64 array, shape (2,)
        Root and depth at which the search goes on; a depth of -1 begins a root.
    """

    place: Int32Array
    bits: Int64Array
    frames: Int64Array
    tally: Int64Array
    at: Int64Array


class CliqueTables(NamedTuple):
    """Counts by size, wrapping modulo 2**64, and room of a worker.

    Attributes
    ----------
    at_rank : int64 array, shape (places, n, sizes + 1)
        Receives the counts of all workers at each rank.
    near : int64 array, shape (places, d + 1, sizes + 1)
        Counts at the neighbours of a root and at the root; zeros.
    sums : int64 array, shape (d + 3, sizes + 1)
        The polynomial of each frame; zeros.
    binomials : int64 array, shape (d + 3, sizes + 1)
    at_entry : int64 array, shape (m or 0, sizes + 1)
        Receives the counts of all workers at each entry, unless it is empty.
    entry : int64 array, shape (d + 1, d + 1)
        Entry of the edge of each two neighbours.
    """

    at_rank: Int64Array
    near: Int64Array
    sums: Int64Array
    binomials: Int64Array
    at_entry: Int64Array
    entry: Int64Array


class LargerCliqueError(Exception):
    """There is a clique of more vertices than the largest size that was asked for."""


def bytes_of_search(sizes: Sizes, threads: int) -> int:
    """Return the bytes of the bits of the longest row and of the leaves, for each thread."""
    row = sizes.longest_row + 3
    return threads * (4 * sizes.vertices + 32 * row * (row // 64 + 1) + 8 * row * (row + 7))


def search(
    oriented: Oriented,
    sizes: tuple[int, int],
    binomials: Int64Array | None = None,
    *,
    simplices: bool = False,
    edges: bool = False,
    complete: bool = False,
    threads: int,
    progress: Progress | None,
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Count cliques, or with `simplices` those of a directed graph, of sizes from the first to the second.

    Parameters
    ----------
    binomials : int64 array, shape (d + 3, sizes + 1), optional
        What a leaf adds to tables; without it only `tally` is counted.
    edges : bool, default False
        Whether to count at entries.
    complete : bool, default False
        Whether to end with a `LargerCliqueError` once a larger clique is met.

    Returns
    -------
    tally : int64 array, shape (d + 3, d + 3)
        Leaves of the search by their numbers of held vertices and of pivots.
    at_rank : int64 array, shape (1 or 3, n, sizes + 1)
        At each rank, simplices by their place `SOURCE`, `INNER` or `SINK`.
    at_entry : int64 array, shape (m, sizes + 1)
    """
    n, lengths = oriented.num_vertices, np.diff(oriented.indptr)
    row = oriented.sizes.longest_row
    low, high = sizes[0], min(sizes[1], row + 1)
    places, width = 3 if simplices else 1, 0 if binomials is None else high + 1
    m = oriented.num_edges if edges else 0
    what = f"counts of {high:,} sizes at {n:,} vertices{f' and {m:,} edges' * edges}"
    check_memory(8 * width * (2 * places * n + 3 * m), what, "count fewer sizes with size=(low, high)")
    at_rank, at_entry = int_zeros((places, n, width)), int_zeros((m, width))
    workers: list[tuple[Room, CliqueTables | None]] = []
    for _ in range(threads):
        tables = None
        if binomials is not None:
            near, sums = int_zeros((places, row + 1, width)), int_zeros((row + 3, width))
            entry = int_zeros((row + 1, row + 1) if edges else (0, 0))
            tables = CliqueTables(at_rank, near, sums, binomials, at_entry, entry)
        bits, frames = int_zeros((4, row + 2, (row >> 6) + 1)), int_zeros((row + 3, _FRAME))
        tally, at = int_zeros((row + 3, row + 3)), int_zeros(2)
        workers.append((Room(np.zeros(n, np.int32), bits, frames, tally, at), tables))
    cost = starts_of(1 + lengths * lengths)
    # A block of less work takes longer to begin than to count.
    cuts = blocks.cut(cost, 4096 + int(cost[-1]) // (threads * _BLOCKS_PER_THREAD))
    rows, state, begun = Rows(*oriented.unsigned_rows), oriented.state, [-1] * threads
    larger = np.add.outer(np.arange(row + 3), np.arange(row + 3)) > high

    def task(worker: int, block: int) -> object:
        room, tables = workers[worker]
        if begun[worker] != block:
            begun[worker], room.at[:] = block, (cuts[block], -1)
        if complete and room.tally[larger].any():
            raise LargerCliqueError
        done = walk_roots(rows, state if simplices else None, cuts[block + 1], (low, high), room, tables, _STEPS)
        return None if done else blocks.AGAIN

    costs = np.diff(cost[cuts])
    blocks.run(task, len(cuts) - 1, threads=threads, costs=costs, progress=progress)
    return np.sum([room.tally for room, _ in workers], axis=0), at_rank, at_entry


@kernel
def walk_roots(  # noqa: PLR0915 - all loops of a kernel are in one function
    rows: Rows,
    state: Uint8Array | None,
    last: Whole,
    sizes: tuple[Whole, Whole],
    room: Room,
    tables: CliqueTables | None,
    steps: Whole,
) -> bool:
    """Go on with the roots up to `last`, for about a number of steps; return whether they are done.

    With `state`, the directions of the entries, simplices are counted.
    """
    indptr, indices = rows
    low, high = sizes
    place, bits, frames, tally, at = room
    joined, candidates, branches, taken = bits[0], bits[1], bits[2], bits[3]
    if tables is not None:
        at_rank, near, sums, binomials, at_entry, entry = tables
    no_edges = tables is None or len(at_entry) == 0
    root, depth = at
    while root < last:
        start = indptr[root]
        length = indptr[root + 1] - start
        words = (length >> 6) + 1  # the root has a bit, too
        opened = depth < 0
        if opened:
            if length + 1 < low:
                root += 1
                continue
            for i in range(length + 1):
                joined[i, :words] = 0
            for i in range(length):
                place[np.int64(indices[start + i])] = i + 1
            for i in range(length + 1):
                u = root if i == length else np.int64(indices[start + i])
                for e in range(indptr[u], indptr[u + 1]):
                    j = np.int64(place[np.int64(indices[e])]) - 1
                    if j >= 0:
                        if state is None or state[e] & 1:
                            joined[i, j >> 6] |= _ONE << (j & 63)
                        if state is None or state[e] & 2:
                            joined[j, i >> 6] |= _ONE << (i & 63)
                        if tables is not None and len(at_entry):
                            entry[i, j] = entry[j, i] = e
            for i in range(length):
                place[np.int64(indices[start + i])] = 0
            for w in range(words):
                candidates[0, w] = joined[length, w]
            frame = frames[0]
            frame[_VERTEX], frame[_PIVOTED], frame[_HELD], frame[_PIVOTS] = length, 0, 1, 0
            frame[_ROOTED], frame[_MOST] = 1, length + 1
            if state is not None:  # no vertex is held, and all are candidates
                for w in range(words):
                    candidates[0, w] = _ALL
                candidates[0, length >> 6] = (_ONE << (length & 63)) - 1 | _ONE << (length & 63)
                frame[_VERTEX], frame[_HELD], frame[_ROOTED] = -1, 0, 0
            depth = 0
        while depth >= 0:
            steps -= 1
            if steps < 0 and not opened:
                at[0], at[1] = root, depth
                return False
            frame, inside = frames[depth], candidates[depth]
            held, pivots = frame[_HELD], frame[_PIVOTS]
            if opened:
                opened = False
                number = 0
                for w in range(words):
                    number += popcount(inside[w])
                frame[_MOST] = min(high, held + pivots + number)
                frame[_NEXT] = -1
                # The number of candidates that the best pivot is joined to; -1 closes the frame, a leaf.
                most, best = -1, -1
                if number > 0 and held < high and held + pivots + number >= low:
                    most = 0
                    if state is None and held < high - 1:
                        for w in range(words):
                            word = inside[w]
                            while word != 0 and (no_edges or most < number - 1):
                                i = (w << 6) + trailing_zeros(word)
                                bit = word & -word
                                word ^= bit
                                both = 0
                                for y in range(words):
                                    both += popcount(inside[y] & joined[i, y])
                                if no_edges and (both < 2 or both == number - 1):
                                    inside[w] ^= bit
                                    number -= 1
                                    if both == number:  # joined to all others, a pivot of all their cliques
                                        pivots, most = pivots + 1, max(0, most - 1)
                                        if tables is not None:  # cliques that were counted apart lack it
                                            taken[depth, w] |= bit
                                            without = np.int64(0)
                                            for k in range(held + 1, frame[_MOST] + 1):
                                                without = sums[depth, k - 1] - without
                                                near[SOURCE, i, k] -= without
                                        continue
                                    tally[held + 1, pivots + both] += 1  # in few cliques, which are counted apart
                                    if tables is not None:
                                        other = i
                                        for y in range(words):
                                            if inside[y] & joined[i, y] != 0:
                                                other = (y << 6) + trailing_zeros(inside[y] & joined[i, y])
                                        for k in range(held + 1, min(high, held + 1 + pivots + both) + 1):
                                            apart = binomials[pivots + both, k - held - 1]
                                            sums[depth, k] += apart
                                            near[SOURCE, i, k] += apart
                                            if both > 0 and k > held + 1:
                                                near[SOURCE, other, k] += binomials[pivots, k - held - 2]
                                elif both > most:
                                    most, best = both, i
                        frame[_PIVOTS] = pivots
                        most = most if number > 0 else -1
                for w in range(words):
                    branches[depth, w] = inside[w] if most >= 0 else 0
                if most > 0:
                    for w in range(words):
                        branches[depth, w] &= ~joined[best, w]
                    branches[depth, best >> 6] &= ~(_ONE << (best & 63))
                    frame[_NEXT] = best
                elif (
                    most == 0
                    and frame[_ROOTED]
                    and no_edges
                    and (held == high - 1 or (state is None and tables is None))
                ):  # each of the candidates alone
                    for w in range(words):
                        word, branches[depth, w] = branches[depth, w], 0
                        while tables is not None and word != 0:
                            near[len(near) - 1, (w << 6) + trailing_zeros(word), high] += binomials[0, 0]
                            word &= word - 1
                    if tables is not None:
                        sums[depth, high] += number * binomials[0, 0]
                    if tables is not None or state is None:
                        tally[held + 1, pivots] += number
                if tables is None:
                    if state is not None:  # a simplex for each candidate, without frames
                        tally[held + 1, 0] += number if frame[_ROOTED] else 1
                    elif most <= 0:
                        tally[held, pivots] += 1
                elif frame[_ROOTED] and (most <= 0 or state is not None):
                    tally[held, pivots] += 1
                    for k in range(held, min(high, held + pivots) + 1):
                        sums[depth, k] += binomials[pivots, k - held]
            # The next branch: that of the pivot, then those of the candidates that it is not joined to.
            child, is_pivot = frame[_NEXT], True
            if child < 0:
                is_pivot = False
                for w in range(words):
                    if branches[depth, w] != 0:
                        child = (w << 6) + trailing_zeros(branches[depth, w])
                        branches[depth, w] &= branches[depth, w] - 1
                        break
            frame[_NEXT] = -1
            if child >= 0:
                below = frames[depth + 1]
                below[_VERTEX], below[_PIVOTED] = child, is_pivot
                below[_HELD], below[_PIVOTS] = held + (not is_pivot), pivots + is_pivot
                below[_ROOTED] = frame[_ROOTED] | (child == length)
                if state is None and not is_pivot:
                    inside[child >> 6] &= ~(_ONE << (child & 63))
                some = np.int64(0)
                for w in range(words):
                    candidates[depth + 1, w] = inside[w] & joined[child, w]
                    some |= candidates[depth + 1, w]
                if tables is None and some == 0:
                    if state is None:
                        tally[below[_HELD], below[_PIVOTS]] += 1
                elif below[_ROOTED] or candidates[depth + 1, length >> 6] >> (length & 63) & 1:
                    depth += 1
                    opened = True
                continue
            # The frame ends: its cliques are counted at its vertex and go to the frame above.
            if tables is not None:
                vertex = frame[_VERTEX]
                first, most = held, frame[_MOST]
                sum_here = sums[depth]
                if vertex >= 0:
                    column = SOURCE
                    if state is not None and depth > 1:
                        column = INNER
                        if frame[_ROOTED]:
                            near[SINK, vertex, held] += binomials[0, 0]
                            near[INNER, vertex, held] -= binomials[0, 0]
                    with_vertex = np.int64(0)
                    for k in range(first, most + 1):
                        with_vertex = sum_here[k - 1] - with_vertex if frame[_PIVOTED] else sum_here[k]
                        near[column, vertex, k] += with_vertex
                    if len(at_entry):
                        for above in range(depth):
                            e = entry[vertex, frames[above, _VERTEX]]
                            one, two = np.int64(0), np.int64(0)
                            for k in range(first, most + 1):
                                before = one
                                one = sum_here[k - 1] - one if frame[_PIVOTED] else sum_here[k]
                                two = before - two if frames[above, _PIVOTED] else one
                                if two != 0:
                                    fetch_add(at_entry, e * at_entry.shape[1] + k, two)
                for w in range(words):
                    while taken[depth, w] != 0:
                        i = (w << 6) + trailing_zeros(taken[depth, w])
                        taken[depth, w] &= taken[depth, w] - 1
                        with_vertex = np.int64(0)
                        for k in range(first + 1, most + 1):
                            with_vertex = sum_here[k - 1] - with_vertex
                            near[SOURCE, i, k] += with_vertex
                if depth > 0:
                    for k in range(first, most + 1):
                        sums[depth - 1, k] += sum_here[k]
                sum_here[: most + 1] = 0
            depth -= 1
        if tables is not None:
            for column in range(len(near)):
                for i in range(length + 1):
                    v = root if i == length else np.int64(indices[start + i])
                    for k in range(1, min(high, length + 1) + 1):
                        found = near[column, i, k]
                        if found != 0:
                            fetch_add(at_rank, (column * at_rank.shape[1] + v) * at_rank.shape[2] + k, found)
                            near[column, i, k] = 0
        root += 1
    at[0], at[1] = root, -1
    return True
