"""Kernels that cut arcs of any order into tiles, a piece of arcs at a time.

Computes: from a piece of arcs, its keys grouped by cell of a grid of rank ranges; from the keys of a tile's cells, keys
  grouped by rows, ready for `sort_kernels.sort_bucket`.
Requires: ranges shorter than 2**31 and beginning at multiples of 2**shift; at most 256 ranges, 2**15 cells and
  2**16 buckets of rows.
Idea: a key holds an edge by its places within the two ranges, so that 64 bits are enough for any number of vertices.
  One pass over a piece ranks both ends and counts keys by cell, a second puts them side by side, so that what goes to
  one file is one long write. Keys are summed by cell as they go, whatever their order: who reads them back can tell.
Cost: two random reads of `rank` an arc, and two passes over the keys.

A key of a cell is (row << 32) | (column << 1) | turned, of a tile (row << (column_bits + 1)) | (column << 1) | turned;
turned is 1 where the arc runs from its column to its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import atomic_add, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

# Arcs ahead of the one that is ranked: two reads from memory are under way for each.
AHEAD = 24


@kernel
def count_columns(indices: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Count how often each column occurs; several threads may count in one array."""
    for i in range(indices.size):
        atomic_add(counts, indices[i], 1)


@kernel
def rank_arcs(
    source: Ids,
    target: Ids,
    rank: Ids,
    shift: int,
    range_of: NDArray[np.uint8],
    cuts: NDArray[np.int64],
    keys: NDArray[np.int64],
    cells: NDArray[np.uint16],
    counts: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> int:
    """Write each arc's key and cell, and count and sum keys by cell; give the number of keys, without loops."""
    n = 0
    size = source.size
    for i in range(size):
        if i + AHEAD < size:
            prefetch(rank, source[i + AHEAD])
            prefetch(rank, target[i + AHEAD])
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
def group_by_cell(
    keys: NDArray[np.int64], cells: NDArray[np.uint16], position: NDArray[np.int64], grouped: NDArray[np.int64]
) -> None:
    """Write each key at the next free position of its cell."""
    for i in range(keys.size):
        cell = cells[i]
        at = position[cell]
        grouped[at] = keys[i]
        position[cell] = at + 1


@kernel
def count_groups(
    keys: NDArray[np.int64], rows: int, columns: int, first_row: int, group_shift: int, counts: NDArray[np.int64]
) -> int:
    """Count the keys of a cell in each group of 2**group_shift rows of its tile; give their sum.

    A key that lies outside the cell, of so many rows and columns, is damaged and is counted in no group.
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
    keys: NDArray[np.int64],
    first_row: int,
    first_column: int,
    group_shift: int,
    bucket_of: NDArray[np.uint16],
    bucket_row: NDArray[np.int64],
    column_bits: int,
    position: NDArray[np.int64],
    grouped: NDArray[np.int64],
) -> None:
    """Write the keys of a cell as keys of its tile, each at the next free position of its bucket of rows."""
    for i in range(keys.size):
        key = keys[i]
        row = (key >> 32) + first_row
        column = ((key & 0xFFFFFFFF) >> 1) + first_column
        bucket = np.int64(bucket_of[row >> group_shift])
        at = position[bucket]
        grouped[at] = ((row - bucket_row[bucket]) << (column_bits + 1)) | (column << 1) | (key & 1)
        position[bucket] = at + 1
