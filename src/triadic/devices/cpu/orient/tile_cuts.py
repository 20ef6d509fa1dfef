"""Kernels for tiles: number the vertices of arcs, cut arcs of any order into tiles, and join the rows of tiles.

Computes: sums of counts of numbers; the place of each number in a rising list; a hash of 64 bits of each of some names.
  From a piece of arcs, its keys grouped by cell of a grid of rank ranges; from the keys of a tile's cells, keys
  grouped by rows with their weights, ready for `bucket_keys.BucketKeys`; from two tiles of the same rows, rows that
  hold both.
Requires: numbers of `add_counts` within the table; lists without repeats; `ends` of names rises to the size of
  `content` at most. Ranges shorter than 2**31 and beginning at multiples of 2**shift; at most 256 ranges, 2**15 cells
  and 2**16 buckets of rows.
Idea: a table of the first place of each value of a number's high bits leaves a short part of the list for a binary
  search. Names are spread evenly over partitions by FNV-1a over their bytes, then the finalizer of MurmurHash3, which
  spreads the bits of short names.
  A key holds an edge by its places within the two ranges, so that 64 bits are enough for any number of vertices.
  One pass over a piece ranks both ends and counts keys by cell, a second pass puts the keys of a cell side by side, so
  that each file gets one long write. Keys are also summed by cell: the reader compares the sum to find damage.
Cost: one random access a number, three or more for its place; one multiplication a byte of a name; two random reads of
  `rank` an arc, and two passes over the keys; joining copies each entry once.

Zhu, Han and Chen (2015), GridGraph, USENIX ATC, for edges on disk in a grid of ranges of vertices; Fowler, Noll and Vo
(1991), FNV hash; Appleby (2011), MurmurHash3.

A key of a cell is (row << 32) | (column << 1) | turned, of a tile (row << (column_bits + 1)) | (column << 1) | turned;
turned is 1 if the arc runs from its column to its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ARC, AHEAD_DEGREE, AHEAD_RANK, fetch_add, position, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int32Array, Int64Array, Uint8Array, Uint16Array, Uint64Array
    from triadic.devices.cpu.orient.bucket_keys import Moved
    from triadic.devices.cpu.orient.row_sort import RowBuckets

_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX_1, _MIX_2, _SHIFT = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)


@kernel
def add_counts(ids: Int64Array, counts: Int64Array, least: int, table: Int64Array) -> None:
    """Add the count of each id to the entry ``id - least`` of a table."""
    for i in range(ids.size):
        table[ids[i] - least] += counts[i]


@kernel
def index_numbers(numbers: Int64Array, shift: int, starts: Int64Array) -> None:
    """Write the first place of the numbers of each value of the high bits, and the number of numbers at the end."""
    bucket = 0
    for i in range(numbers.size):
        high = (numbers[i] - numbers[0]) >> shift
        while bucket <= high:
            starts[bucket] = i
            bucket += 1
    while bucket < starts.size:
        starts[bucket] = numbers.size
        bucket += 1


@kernel
def find_places(numbers: Int64Array, starts: Int64Array, shift: int, ids: Int64Array, places: Ids) -> int:
    """Write the place of each id in `numbers`, which rise; return how many ids are missing, whose place is 0.

    The numbers whose distance to the first one has the high bits h, ``distance >> shift``, are at the places
    ``starts[h]`` .. ``starts[h + 1] - 1``.
    """
    missing = 0
    first, last = numbers[0], numbers[-1]
    for i in range(ids.size):
        if i + AHEAD_DEGREE < ids.size:
            ahead = min(max(ids[i + AHEAD_DEGREE], first), last)
            prefetch(starts, (ahead - first) >> shift)
        if i + AHEAD_RANK < ids.size:
            ahead = min(max(ids[i + AHEAD_RANK], first), last)
            prefetch(numbers, min(starts[(ahead - first) >> shift], numbers.size - 1))
        number = ids[i]
        places[i] = 0
        if number < first or number > last:
            missing += 1
            continue
        bucket = (number - first) >> shift
        place = position(numbers, starts[bucket], starts[bucket + 1], number)
        if place < numbers.size and numbers[place] == number:
            places[i] = place
        else:
            missing += 1
    return missing


@kernel
def hash_names(content: Uint8Array, ends: Int64Array, hashes: Uint64Array) -> None:
    """Write the hash of each name; name k is ``content[ends[k - 1] : ends[k]]``."""
    start = 0
    for k in range(ends.size):
        found = _OFFSET
        for p in range(start, ends[k]):
            found = (found ^ np.uint64(content[p])) * _PRIME
        found = (found ^ (found >> _SHIFT)) * _MIX_1
        found = (found ^ (found >> _SHIFT)) * _MIX_2
        hashes[k] = found ^ (found >> _SHIFT)
        start = ends[k]


@kernel
def count_columns(indices: Int32Array, counts: Int64Array) -> None:
    """Count how often each column occurs; several threads may count in one array."""
    for i in range(indices.size):
        fetch_add(counts, indices[i], 1)


@kernel
def wrong_row_of_tile(indptr: Int64Array, indices: Int32Array, columns: int, diagonal: bool, first: int) -> int:
    """Return the first row whose columns do not rise within 0 .. columns - 1, or below the row on the diagonal; or -1.

    Row 0 of `indptr` is row `first` of the tile. Other kernels use the columns as indices without a check.
    """
    for row in range(indptr.size - 1):
        limit = row + first if diagonal else columns
        previous = -1
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            if column <= previous or column >= limit:
                return row
            previous = column
    return -1


@kernel
def rank_arcs(
    source: Ids,
    target: Ids,
    rank: Ids,
    shift: int,
    range_of: Uint8Array,
    cuts: Int64Array,
    keys: Int64Array,
    cells: Uint16Array,
    counts: Int64Array,
    sums: Int64Array,
) -> int:
    """Write each arc's key and cell, count and sum keys by cell; return the number of keys, without loops."""
    n = 0
    size = source.size
    for i in range(size):
        if i + AHEAD_ARC < size:
            prefetch(rank, source[i + AHEAD_ARC])
            prefetch(rank, target[i + AHEAD_ARC])
        a = source[i]
        b = target[i]
        if a == b:
            continue
        x = np.int64(rank[a])
        y = np.int64(rank[b])
        turned = int(x < y)
        x, y = max(x, y), min(x, y)
        row = np.int64(range_of[x >> shift])
        column = np.int64(range_of[y >> shift])
        cell = row * (row + 1) // 2 + column
        key = ((x - cuts[row]) << 32) | ((y - cuts[column]) << 1) | turned
        keys[n] = key
        cells[n] = cell
        counts[cell] += 1
        sums[cell] += key
        n += 1
    return n


@kernel
def group_by_cell(keys: Int64Array, cells: Uint16Array, position: Int64Array, grouped: Int64Array) -> None:
    """Write each key at the next free position of its cell."""
    for i in range(keys.size):
        cell = cells[i]
        free = position[cell]
        grouped[free] = keys[i]
        position[cell] = free + 1


@kernel
def count_groups(
    keys: Int64Array, rows: int, columns: int, first_row: int, group_shift: int, counts: Int64Array
) -> int:
    """Count the keys of a cell in each group of 2**group_shift rows of its tile; return the sum of the keys.

    A key outside the cell's `rows` and `columns` is damaged and is counted in no group.
    """
    total = 0
    for i in range(keys.size):
        key = keys[i]
        row = key >> 32
        total += key
        if 0 <= row < rows and (key & 0xFFFFFFFF) >> 1 < columns:
            counts[(row + first_row) >> group_shift] += 1
    return total


@kernel
def group_by_rows(
    keys: Int64Array,
    first: tuple[int, int],
    buckets: RowBuckets,
    position: Int64Array,
    grouped: Int64Array,
    moved: Moved | None,
) -> None:
    """Write the keys of a cell as keys of its tile, with their weights, at the next free positions of their buckets.

    `first` is the first row and the first column of the cell in its tile.
    """
    first_row, first_column = first
    group_shift, bucket_of, bucket_row, column_bits = buckets
    if moved is not None:
        weights, to = moved
    for i in range(keys.size):
        key = keys[i]
        row = (key >> 32) + first_row
        column = ((key & 0xFFFFFFFF) >> 1) + first_column
        bucket = np.int64(bucket_of[row >> group_shift])
        free = position[bucket]
        grouped[free] = ((row - bucket_row[bucket]) << (column_bits + 1)) | (column << 1) | (key & 1)
        if moved is not None:
            to[free] = weights[i]
        position[bucket] = free + 1
