"""Oriented rows without sorting: of few arcs in one thread, and of symmetric rows on all threads.

Computes: from arcs in any order, with loops and repeats, the rows of the oriented graph and the degrees in it.
Requires: ids below the number of vertices, and fewer than 2^31 vertices.
Idea: the arcs are sorted by the smaller rank of their ends, then by the larger, each time by counting. Columns then
  rise within rows, and the repeats of an arc follow one another. `row_sort` does so in buckets, on several threads.
  One call of a kernel does everything: each further call would cost as much as sorting twenty arcs.
Cost: four passes over arcs and three over vertices; 8 bytes an arc and 8 bytes a vertex of working memory.

Symmetric rows to the rows of the oriented graph, without sorting.

Computes: for each rank the smaller ranks joined to it, in rising order.
Requires: sorted rows without loops and repeats, symmetric; the rank of each vertex.
Idea: the rows are read in the order of the ranks, and the rank r of the row is written to the row of each neighbour of
  larger rank. So each row receives its columns in rising order, and nothing is sorted. Writing to a million rows at
  once would miss the cache each time: keys (row, column) are scattered into buckets of rows that fit a core's cache
  (`row_sort`), and each bucket is then put into its rows, whose places follow from counts.
Cost: one look-up of a rank an entry, one key and two reads of it an edge; in working memory a rank an entry and a key
  of 4 or 8 bytes an edge.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, int_empty, int_zeros, inverse, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_KEY, AHEAD_RANKED_ENTRIES, AHEAD_RANKED_ROW, prefetch
from triadic.devices.cpu.orient.row_sort import join_groups, row_groups
from triadic.devices.cpu.orient.rows import add_degrees, rank_by_degree
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int32Array, Int64Array, Uint8Array, UnsignedArray
    from triadic.devices.cpu.orient.row_sort import Buckets, RowBuckets

    Keys = UnsignedArray


class RankedRows(NamedTuple):
    """Symmetric rows by vertex, the rank of each vertex, and the vertex of each rank."""

    indptr: Int64Array
    indices: Ids
    rank: Ids
    order: Ids


class LargerRanks(NamedTuple):
    """Of the ranks `first` .. `last` - 1, room for the neighbours of larger rank; and their number for all ranks."""

    first: int
    last: int
    larger: Ids
    length: Ids


class Filled(NamedTuple):
    """Where each row of the oriented graph starts, and its columns."""

    row_start: Int64Array
    columns: Ids


_KEY_BITS = 32  # of a short key, which halves what is written and read between two passes


@kernel
def orient(  # noqa: PLR0915 - all loops of a kernel are in one function
    source: Ids,
    target: Ids,
    n: int,
    with_state: bool,
    graph: Int64Array,
    first_rank: Int64Array,
) -> tuple[Int32Array, Int64Array, Int32Array, Uint8Array, Int64Array, tuple[int, int]]:
    """Orient arcs between n vertices; return rank, indptr, indices, state, degree and (loops, different arcs).

    `graph` and `first_rank` are those of `rank_in_graphs`, or empty if the vertices are those of one graph. The state
    is empty unless `with_state`: 1 for an arc from the entry's row, 2 for one to its row, and 3 for both.
    """
    ends = np.zeros(n, np.int64)
    loops = add_degrees(source, target, ends)
    rank = np.empty(n, np.int32)
    rank_by_degree(ends, rank)
    if graph.size > 0:
        rank_in_graphs(graph, first_rank, rank)
    indptr = np.zeros(n + 1, np.int64)
    degree = np.zeros(n, np.int64)
    indices = np.empty(source.size, np.int32)
    state = np.empty(source.size if with_state else 0, np.uint8)
    by_column = np.zeros(n + 1, np.int64)
    for i in range(source.size):
        x = rank[source[i]]
        y = rank[target[i]]
        if x != y:
            by_column[min(x, y) + 1] += 1
            indptr[max(x, y) + 1] += 1
    for r in range(n):
        by_column[r + 1] += by_column[r]
        indptr[r + 1] += indptr[r]
    # Each arc as its row and, in the lowest bit, whether it runs to its row; sorted by columns.
    size = by_column[n]
    row = np.empty(size, np.int64)
    free = by_column.copy()
    for i in range(source.size):
        x = np.int64(rank[source[i]])
        y = np.int64(rank[target[i]])
        if x != y:
            low = min(x, y)
            row[free[low]] = 2 * max(x, y) + np.int64(x < y)
            free[low] += 1
    entry = np.empty(size, np.int64)
    for r in range(n + 1):  # `free[:] = indptr` takes numba seconds to compile: it can raise an error about shapes
        free[r] = indptr[r]
    for place in range(n):
        for k in range(by_column[place], by_column[place + 1]):
            high = row[k] >> 1
            entry[free[high]] = 2 * place + (row[k] & 1)
            free[high] += 1
    entries = 0
    arcs = 0
    start = np.int64(0)
    for r in range(n):
        stop = indptr[r + 1]
        last = np.int64(-1)
        seen = np.int64(0)
        begin = entries
        for k in range(start, stop):
            column = entry[k] >> 1
            bit = np.int64(1 + (entry[k] & 1))
            if column != last:
                last = column
                seen = np.int64(0)
                indices[entries] = column
                degree[column] += 1
                entries += 1
            arcs += seen & bit == 0
            seen |= bit
            if state.size > 0:
                state[entries - 1] = seen
        degree[r] += entries - begin
        start = stop
        indptr[r + 1] = entries
    return rank, indptr, indices[:entries].copy(), state[:entries].copy(), degree, (loops, arcs)


@kernel
def rank_in_graphs(graph: Int64Array, first_rank: Int64Array, rank: Ids) -> None:
    """Rank vertices by graph, in each graph as they are ranked in all.

    `graph` holds the graph of each vertex, and `first_rank` the first rank of each graph.
    """
    order = np.empty(rank.size, np.int64)
    for v in range(rank.size):
        order[rank[v]] = v
    free = first_rank.copy()
    for vertex in order:
        g = graph[vertex]
        rank[vertex] = free[g]
        free[g] += 1


@kernel
def first_between_graphs(source: Ids, target: Ids, graph: Int64Array) -> int:
    """Return the first arc between vertices of two graphs, or -1."""
    for i in range(source.size):
        if graph[source[i]] != graph[target[i]]:
            return i
    return -1


def oriented_rows(
    indptr: Int64Array, indices: Ids, rank: Ids, degree: Int64Array, *, threads: int
) -> tuple[Int64Array, Ids]:
    """Return `indptr` and `indices` of the oriented graph.

    Parameters
    ----------
    indptr, indices : arrays, shape (n + 1,) and (entries,)
        Rows by vertex.
    rank : int32 or int64 array, shape (n,)
        Rank of each vertex; the result's columns have its dtype.
    degree : int64 array, shape (n,)
        Length of the row at each rank.
    threads : int

    Raises
    ------
    ArgumentError
        If the rows cannot be symmetric, by their number of entries.
    """
    n = len(rank)
    plan, keys = _bucketed_keys(indptr, indices, frozen(rank), degree, threads=threads)
    last = int(plan.first_row[-1])
    row_start = int_empty(n + 1)
    row_start[last:] = len(keys)
    free = int_empty(last)
    columns = np.empty(len(keys), rank.dtype)
    filled = Filled(row_start, columns)
    start, first = plan.start, plan.first_row

    def fill(_: int, b: int) -> None:
        fill_rows(keys[start[b] : start[b + 1]], start[b], (first[b], first[b + 1]), plan.column_bits, free, filled)

    blocks.run(fill, plan.buckets, threads=threads)
    return row_start, columns


def _bucketed_keys(
    indptr: Int64Array, indices: Ids, rank: Ids, degree: Int64Array, *, threads: int
) -> tuple[Buckets, Keys]:
    """Return the buckets of the rows that have entries, and the keys in them."""
    n = len(rank)
    ranked = RankedRows(indptr, indices, rank, frozen(inverse(rank)))
    group_shift, groups = row_groups(n)
    counted = -(-int(np.count_nonzero(degree)) >> group_shift)  # groups: vertices without edges have the last ranks
    last = min(n, counted << group_shift)
    entries_before = starts_of(degree)
    cuts = blocks.cut(entries_before[: last + 1])

    larger = np.empty(len(indices), rank.dtype)  # of each row the neighbours of larger rank, and gaps
    length = np.empty(last, rank.dtype)
    counts = int_zeros((len(cuts) - 1, groups))

    def part(i: int) -> LargerRanks:
        return LargerRanks(cuts[i], cuts[i + 1], larger[entries_before[cuts[i]] : entries_before[cuts[i + 1]]], length)

    def choose(_: int, i: int) -> None:
        larger_ranks(ranked, part(i), group_shift, counts[i])

    blocks.run(choose, len(counts), threads=threads)
    if np.any(counts[:, counted:]) or 2 * int(counts.sum()) != len(indices):
        raise ArgumentError("indices: the rows of an undirected graph are not symmetric")
    column_bits = max(1, (n - 1).bit_length())
    plan = join_groups(counts[:, :counted], n, rank, most_rows=3 << max(0, _KEY_BITS - 2 - column_bits))
    plan = replace(plan, first_row=np.minimum(plan.first_row, last))
    buckets = plan.of_rows
    row_bits = int(np.diff(plan.first_row).max(initial=1) - 1).bit_length()
    short = row_bits + column_bits <= _KEY_BITS
    keys: Keys = np.empty(plan.keys, np.uint32) if short else np.empty(plan.keys, np.uint64)

    def scatter(_: int, i: int) -> None:
        scatter_columns(part(i), buckets, plan.position[i], keys)

    blocks.run(scatter, len(counts), threads=threads)
    return plan, keys


@kernel
def larger_ranks(rows: RankedRows, part: LargerRanks, group_shift: int, counts: Int64Array) -> None:
    """Write the neighbours of larger rank of each rank of the part, and count them by group of rows."""
    indptr, indices, rank, order = rows
    first, last, larger, length = part
    end = 0
    for r in range(first, last):
        if r + AHEAD_RANKED_ROW < last:
            prefetch(indptr, order[r + AHEAD_RANKED_ROW])
            near = indptr[order[r + AHEAD_RANKED_ENTRIES]]
            prefetch(indices, near)
            prefetch(indices, near + 16)
            prefetch(indices, near + 32)
        v = order[r]
        begin = end
        for i in range(indptr[v], indptr[v + 1]):
            x = rank[indices[i]]
            larger[end] = x
            end += int(x > r)
        length[r] = end - begin
        for i in range(begin, end):
            counts[larger[i] >> group_shift] += 1


@kernel
def scatter_columns(part: LargerRanks, buckets: RowBuckets, place: Int64Array, keys: Keys) -> None:
    """Write the key (row within its bucket, column) of each pair (larger rank, rank) to the bucket of the larger."""
    first, last, larger, length = part
    group_shift, bucket_of, first_row, column_bits = buckets
    i = 0
    for column in range(first, last):
        for _ in range(length[column]):
            row = np.int64(larger[i])
            i += 1
            bucket = bucket_of[row >> group_shift]
            free = place[bucket]
            keys[free] = ((row - first_row[bucket]) << column_bits) | column
            place[bucket] = free + 1
            prefetch(keys, free + AHEAD_KEY)


@kernel
def fill_rows(
    keys: Keys, start: int, rows: tuple[int, int], column_bits: int, free: Int64Array, filled: Filled
) -> None:
    """Put the columns of one bucket, of which the first is column `start`, into its rows, in the order of the keys."""
    first, last = rows
    row_start, columns = filled
    mask = (np.int64(1) << column_bits) - 1
    for row in range(first, last):
        free[row] = 0
    for i in range(keys.size):
        free[first + (np.int64(keys[i]) >> column_bits)] += 1
    place = start
    for row in range(first, last):
        row_start[row] = place
        place += free[row]
        free[row] = row_start[row]
    for i in range(keys.size):
        key = np.int64(keys[i])
        row = first + int(key >> column_bits)
        columns[free[row]] = key & mask
        free[row] += 1
