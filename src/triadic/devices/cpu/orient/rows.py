"""Arcs as sources of rows, and passes over arcs and rows: degrees, ranks, columns, checks, positions of edges.

Computes: degrees and column counts; ranks by falling degree; for each edge {a, b} the entry that holds it; the first
  row that breaks the order.
Requires: vertex ids below the number of vertices, except in `tally_ends`, which checks them.
Idea: each worker counts into an array of its own. The entry of an edge is found by binary search for the smaller rank
  in the row of the larger rank.
Cost: one random access an arc end; for the entry of an edge O(log of the row's length).
"""

from __future__ import annotations

from secrets import token_bytes
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, mix
from triadic.devices.cpu.intrinsics import AHEAD_DEGREE, position, prefetch
from triadic.devices.cpu.orient.row_sort import arcs_of

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Ids, Int64Array, Uint8Array, Uint64Array
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.orient.row_sort import ArcSource


class ArcList:
    """Arcs given as two arrays."""

    def __init__(self, source: Ids, target: Ids) -> None:
        self._source, self._target = source, target
        self.arcs = len(source)
        self._cuts = blocks.cut_pieces(self.arcs)
        self.pieces = len(self._cuts) - 1

    def part(self, i: int) -> slice:
        """Return the positions of the arcs of piece `i`."""
        return slice(int(self._cuts[i]), int(self._cuts[i + 1]))

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Return source and target of the arcs of piece `i`."""
        part = self.part(i)
        return self._source[part], self._target[part]


class CsrArcs:
    """Arcs given as rows: from each row to its columns; or the arcs of the dyads of an oriented directed graph.

    Parameters
    ----------
    indptr, indices : arrays
    dyads : tuple of (uint8 array, shape (entries,), and bool array, shape (2,)), optional
        State of each entry, and whether asymmetric and mutual dyads are taken; a mutual dyad is two arcs.
    """

    def __init__(self, indptr: Int64Array, indices: Ids, dyads: tuple[Uint8Array, BoolArray] | None = None) -> None:
        self._indptr, self._indices, self._dyads = indptr, indices, dyads
        self.arcs = len(indices)
        self._cuts = blocks.cut(indptr)
        self.pieces = len(self._cuts) - 1

    def part(self, i: int) -> slice:
        """Return the positions of the entries of piece `i`."""
        return slice(int(self._indptr[self._cuts[i]]), int(self._indptr[self._cuts[i + 1]]))

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Return source and target of the arcs of piece `i`."""
        columns, (first, last) = self._indices[self.part(i)], self._cuts[i : i + 2].tolist()
        if self._dyads is None:
            row = np.empty(len(columns), columns.dtype)
            expand_rows(self._indptr, first, last, row)
            return row, columns
        source, target = np.empty((2, 2 * len(columns)), columns.dtype)
        used = expand_dyads(self._indptr, self._indices, self._dyads, (first, last), source, target)
        return source[:used], target[:used]


def degrees(source: ArcSource, n: int, *, threads: int) -> Int64Array:
    """Count the ends of arcs at each of `n` vertices, with repeats, without loops: int64, shape (n,)."""
    threads = blocks.counting_threads(source.arcs, threads)
    partial = zeros(threads, n, np.int64)
    blocks.run(lambda worker, i: add_degrees(*arcs_of(source, i), partial[worker]), source.pieces, threads=threads)
    return summed(partial)


def column_counts(indices: Ids, n: int, *, threads: int) -> Int64Array:
    """Count how often each of `n` columns occurs: int64, shape (n,)."""
    cuts = blocks.cut_pieces(len(indices))
    threads = blocks.counting_threads(len(indices), threads)
    partial = zeros(threads, n, np.int64)
    blocks.run_cuts(lambda worker, bounds: tally_ends(indices[slice(*bounds)], partial[worker]), cuts, threads=threads)
    return summed(partial)


def first_wrong_row(indptr: Int64Array, indices: Ids, *, threads: int) -> int:
    """Return a row that does not rise, has a column outside 0 .. n - 1, or holds itself; -1 if all rows are right."""
    cuts = blocks.cut(indptr)

    def check(_: int, b: int) -> int:
        return wrong_row_among(indptr, indices, cuts[b], cuts[b + 1], len(indptr) - 1)

    return next((row for row in blocks.results(check, len(cuts) - 1, threads=threads) if row >= 0), -1)


def is_symmetric(indptr: Int64Array, indices: Ids, *, threads: int) -> bool:
    """Return whether each entry has its mirror entry; the rows must have passed `first_wrong_row`.

    The pairs above the diagonal are compared with the mirrored pairs below it by the sums of a random hash of each
    pair. Different pairs have equal sums with a probability of about 2**-64. Nobody can prepare rows with equal sums,
    since each call draws another hash.
    """
    cuts = blocks.cut(indptr)
    seed = np.frombuffer(token_bytes(16), np.uint64)

    def add(_: int, b: int) -> np.uint64:
        return mirror_sum(indptr, indices, cuts[b], cuts[b + 1], seed)

    return int(np.sum(blocks.results(add, len(cuts) - 1, threads=threads), dtype=np.uint64)) == 0


def slots_of_edges(oriented: Oriented, source: Ids, target: Ids, *, threads: int) -> Int64Array:
    """Return the entry that holds each edge of an oriented graph: int64, shape (edges,)."""
    slot = np.empty(len(source), np.int64)
    cuts = blocks.cut_pieces(len(source))

    def find(_: int, bounds: tuple[int, int]) -> None:
        part = slice(*bounds)
        find_slots(oriented.rank, oriented.indptr, oriented.indices, source[part], target[part], slot[part])

    blocks.run_cuts(find, cuts, threads=threads)
    return slot


@kernel
def find_slots(rank: Ids, indptr: Int64Array, indices: Ids, source: Ids, target: Ids, slot: Int64Array) -> None:
    """Find the entry of each edge: the smaller rank in the row of the larger rank."""
    for i in range(source.size):
        a = rank[source[i]]
        b = rank[target[i]]
        u = max(a, b)
        v = min(a, b)
        slot[i] = position(indices, indptr[u], indptr[u + 1], v)


@kernel
def add_degrees(source: Ids, target: Ids, degree: Int64Array) -> int:
    """Add to `degree` the ends of each arc that is not a loop; return the number of loops."""
    loops = 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            loops += 1
        else:
            degree[a] += 1
            degree[b] += 1
    return loops


@kernel
def tally_ends(ids: Ids, degree: Ids) -> int:
    """Count the ids up to the first that is negative or beyond the table; return how many were counted.

    The check against the length of the table does the work of a bounds check, so that finding a wrong id is free.
    """
    size = len(ids)
    for i in range(size):
        if i + AHEAD_DEGREE < size:
            prefetch(degree, ids[i + AHEAD_DEGREE])
        if ids[i] < 0 or ids[i] >= len(degree):
            return i
        degree[ids[i]] += 1
    return len(ids)


@kernel
def rank_by_degree(degree: Int64Array, rank: Ids) -> None:
    """Rank vertices by falling degree, ties by rising id: a counting sort."""
    most = 0
    for v in range(degree.size):
        most = max(most, degree[v])
    start = [0] * (most + 2)
    for v in range(degree.size):
        start[most - degree[v] + 1] += 1
    for d in range(1, most + 2):
        start[d] += start[d - 1]
    for v in range(degree.size):
        d = most - degree[v]
        rank[v] = start[d]
        start[d] += 1


@kernel
def expand_rows(indptr: Int64Array, first: int, last: int, row: Ids) -> None:
    """Write the row of each entry of the rows `first` .. `last` - 1."""
    base = indptr[first]
    for r in range(first, last):
        for i in range(indptr[r] - base, indptr[r + 1] - base):
            row[i] = r


@kernel
def expand_dyads(
    indptr: Int64Array,
    indices: Ids,
    dyads: tuple[Uint8Array, BoolArray],
    bounds: tuple[int, int],
    source: Ids,
    target: Ids,
) -> int:
    """Write the arcs of the dyads of the rows `first` .. `last` - 1; return their number."""
    state, wanted = dyads
    first, last = bounds
    used = 0
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            s = state[i]
            if not wanted[int(s == 3)]:
                continue
            if s & 1:
                source[used] = u
                target[used] = indices[i]
                used += 1
            if s & 2:
                source[used] = indices[i]
                target[used] = u
                used += 1
    return used


@kernel
def mirror_sum(indptr: Int64Array, indices: Ids, first: int, last: int, seed: Uint64Array) -> np.uint64:
    """Return the sum, modulo 2**64, of the hashes of the pairs above the diagonal minus those below it."""
    total = np.uint64(0)
    for row in range(first, last):
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            low, high = (row, column) if row < column else (column, row)
            pair = mix(mix(np.uint64(low) + seed[0]) + np.uint64(high) * GOLDEN + seed[1])
            if row < column:
                total += pair
            else:
                total -= pair
    return total


@kernel
def wrong_row_among(indptr: Int64Array, indices: Ids, first: int, last: int, n: int) -> int:
    """Return the first row of `first` .. `last` - 1 that does not rise within 0 .. n - 1, or holds itself; else -1."""
    for row in range(first, last):
        previous = -1
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            if column <= previous or column >= n or column == row:
                return row
            previous = column
    return -1
