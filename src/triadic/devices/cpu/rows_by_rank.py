"""Symmetric rows to the rows of the oriented graph, without sorting.

Computes: for each rank the smaller ranks joined to it, in rising order.
Requires: sorted rows without loops and repeats, symmetric; the rank of each vertex.
Idea: the rows are read in the order of the ranks, and the rank r of the row is written to the row of each neighbour of
  larger rank. So each row receives its columns in rising order, and nothing is sorted. Writing to a million rows at
  once would miss the cache each time: keys (row, column) are scattered into buckets of rows that fit a core's cache
  (`row_buckets`), and each bucket is then put into its rows, whose places follow from counts.
Cost: one look-up of a rank an entry, one key and two reads of it an edge; in working memory a rank an entry and a key
  of 4 or 8 bytes an edge.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import AHEAD_KEY, AHEAD_RANKED_ENTRIES, AHEAD_RANKED_ROW, prefetch
from triadic.devices.cpu.row_buckets import join_groups, row_groups
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.row_buckets import Buckets

    Ids = NDArray[np.integer[Any]]
    Keys = NDArray[np.unsignedinteger[Any]]

_KEY_BITS = 32  # of a short key, which halves what is written and read between two passes


def oriented_rows(
    indptr: NDArray[np.int64], indices: Ids, rank: Ids, degree: NDArray[np.int64], *, threads: int
) -> tuple[NDArray[np.int64], Ids]:
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
    plan, keys, column_bits = _bucketed_keys(indptr, indices, frozen(rank), degree, threads=threads)
    last = int(plan.first_row[-1])
    row_start = np.empty(n + 1, dtype=np.int64)
    row_start[last:] = len(keys)
    free = np.empty(last, dtype=np.int64)
    columns = np.empty(len(keys), dtype=rank.dtype)
    start, first = plan.start, plan.first_row

    def fill(_: int, b: int) -> None:
        fill_rows(keys, start[b], start[b + 1], first[b], first[b + 1], column_bits, row_start, free, columns)

    blocks.run(fill, plan.buckets, threads=threads)
    return row_start, columns


def _bucketed_keys(
    indptr: NDArray[np.int64], indices: Ids, rank: Ids, degree: NDArray[np.int64], *, threads: int
) -> tuple[Buckets, Keys, int]:
    """Return the buckets of the rows that have entries, the keys in them, and the number of bits of a column."""
    n = len(rank)
    order = np.empty_like(rank)
    order[rank] = np.arange(n, dtype=rank.dtype)
    order = frozen(order)
    group_shift, groups = row_groups(n)
    counted = -(-int(np.count_nonzero(degree)) >> group_shift)  # groups: vertices without edges have the last ranks
    last = min(n, counted << group_shift)
    entries_before = np.concatenate([[0], np.cumsum(degree)])
    cuts = blocks.cut(entries_before[: last + 1], blocks.piece(len(indices)), most=1 << 20)

    larger = np.empty(len(indices), dtype=rank.dtype)  # of each row the neighbours of larger rank, and gaps
    length = np.empty(last, dtype=rank.dtype)
    counts = np.zeros((len(cuts) - 1, groups), dtype=np.int64)

    def part(i: int) -> tuple[int, int, NDArray[np.integer[Any]]]:
        return cuts[i], cuts[i + 1], larger[entries_before[cuts[i]] : entries_before[cuts[i + 1]]]

    def choose(_: int, i: int) -> None:
        larger_ranks(indptr, indices, rank, order, group_shift, *part(i), length, counts[i])

    blocks.run(choose, len(counts), threads=threads)
    if np.any(counts[:, counted:]) or 2 * int(counts.sum()) != len(indices):
        raise ArgumentError("indices: the rows of an undirected graph are not symmetric")
    column_bits = max(1, (n - 1).bit_length())
    plan = join_groups(counts[:, :counted], n, rank, most_rows=3 << max(0, _KEY_BITS - 2 - column_bits))
    plan = replace(plan, first_row=np.minimum(plan.first_row, last))
    row_bits = int(np.diff(plan.first_row).max(initial=1) - 1).bit_length()
    short = row_bits + column_bits <= _KEY_BITS
    keys: Keys = np.empty(plan.keys, dtype=np.uint32) if short else np.empty(plan.keys, dtype=np.uint64)

    def scatter(_: int, i: int) -> None:
        scatter_columns(
            *part(i), length, plan.group_shift, plan.bucket_of, plan.first_row, column_bits, plan.position[i], keys
        )

    blocks.run(scatter, len(counts), threads=threads)
    return plan, keys, column_bits


@kernel
def larger_ranks(
    indptr: NDArray[np.int64],
    indices: Ids,
    rank: Ids,
    order: Ids,
    group_shift: int,
    first: int,
    last: int,
    larger: Ids,
    length: Ids,
    counts: NDArray[np.int64],
) -> None:
    """Write the neighbours of larger rank of each rank `first` .. `last` - 1, and count them by group of rows."""
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
def scatter_columns(
    first: int,
    last: int,
    larger: Ids,
    length: Ids,
    group_shift: int,
    bucket_of: NDArray[np.int64],
    first_row: NDArray[np.int64],
    column_bits: int,
    place: NDArray[np.int64],
    keys: Keys,
) -> None:
    """Write the key (row within its bucket, column) of each pair (larger rank, rank) to the bucket of the larger."""
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
    keys: Keys,
    start: int,
    stop: int,
    first: int,
    last: int,
    column_bits: int,
    row_start: NDArray[np.int64],
    free: NDArray[np.int64],
    columns: Ids,
) -> None:
    """Put the columns of one bucket into its rows `first` .. `last` - 1, in the order of the keys."""
    mask = (np.int64(1) << column_bits) - 1
    for row in range(first, last):
        free[row] = 0
    for i in range(start, stop):
        free[first + (np.int64(keys[i]) >> column_bits)] += 1
    place = start
    for row in range(first, last):
        row_start[row] = place
        place += free[row]
        free[row] = row_start[row]
    for i in range(start, stop):
        key = np.int64(keys[i])
        row = first + int(key >> column_bits)
        columns[free[row]] = key & mask
        free[row] += 1
