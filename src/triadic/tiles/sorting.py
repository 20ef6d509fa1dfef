"""A tile's keys, read back from where they were set aside, to sorted rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic import blocks
from triadic.devices.cpu import sort_kernels
from triadic.devices.cpu import tiling_kernels as kernels
from triadic.errors import ReadError
from triadic.tiles.spill import spill_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.plan import Grid
    from triadic.tiles.spill import SpillIndex

# As in `devices.cpu.rows`: keys of a bucket fit a core's cache, and open pages the address translation cache.
_BUCKET, _MOST_BUCKETS, _MOST_GROUPS = 1 << 15, 1 << 10, 1 << 13
_LEAST_GROUPS = 1 << 4
_CHUNK = 1 << 18
_NO_STATE = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class SortedTile:
    """A tile made.

    Attributes
    ----------
    lengths : int64 array, shape (rows,)
        Edges of each row.
    indices : int32 array, shape (edges,)
    state : uint8 array, shape (edges,), or None
    arcs : int
        Different arcs.
    """

    lengths: NDArray[np.int64]
    indices: NDArray[np.int32]
    state: NDArray[np.uint8] | None
    arcs: int


@dataclass(frozen=True, slots=True, eq=False)
class _Chunk:
    """Runs of keys of one cell, and the places that they go to."""

    i: int
    j: int
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    keys: slice


def sort_tile(
    index: SpillIndex, grid: Grid, rows: range, columns: range, *, directed: bool, threads: int
) -> SortedTile:
    """Sort the keys of a tile and join repeats.

    Parameters
    ----------
    index : SpillIndex
    grid : Grid
    rows, columns : range
        Fine ranges that the tile joins.
    directed : bool
        Whether to keep which way arcs run.
    threads : int

    Raises
    ------
    ReadError
        The keys are not those that were set aside.
    """
    chunks = _chunks(index, rows, columns)
    total = chunks[-1].keys.stop if chunks else 0
    height = int(grid.cuts[rows.stop] - grid.cuts[rows.start])
    width = int(grid.cuts[columns.stop] - grid.cuts[columns.start])
    column_bits = max(1, (width - 1).bit_length())
    # Each chunk counts its keys by group: a byte a key for all of them, where chunks are short.
    most_groups = min(max(total // (8 * max(1, len(chunks))), _LEAST_GROUPS), _MOST_GROUPS)
    group_shift = max(0, (height - 1).bit_length() - most_groups.bit_length() + 1)
    groups = ((height - 1) >> group_shift) + 1 if height else 0

    raw = np.empty(total, dtype=np.int64)
    counts = np.zeros((len(chunks), groups), dtype=np.int64)
    sums = np.zeros(len(chunks), dtype=np.int64)
    first_row = [int(grid.cuts[chunk.i] - grid.cuts[rows.start]) for chunk in chunks]
    first_column = [int(grid.cuts[chunk.j] - grid.cuts[columns.start]) for chunk in chunks]

    def read(_: int, c: int) -> None:
        chunk = chunks[c]
        index.read(chunk.i, chunk.starts, chunk.lengths, raw[chunk.keys])
        sums[c] = kernels.count_groups(raw[chunk.keys], first_row[c], group_shift, counts[c])

    blocks.run(read, len(chunks), threads=threads)
    _check_sums(index, chunks, sums)

    group_keys = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    cuts = blocks.cut(group_keys, _BUCKET, most=_MOST_BUCKETS)
    buckets = len(cuts) - 1
    bucket_of = np.repeat(np.arange(buckets), np.diff(cuts))
    bucket_row = cuts << group_shift
    start = group_keys[cuts]
    by_chunk = np.add.reduceat(counts, cuts[:-1], axis=1) if buckets else counts
    position = start[:-1] + np.cumsum(by_chunk, axis=0) - by_chunk
    keys = np.empty(total, dtype=np.int64)

    def group(_: int, c: int) -> None:
        kernels.group_by_rows(
            raw[chunks[c].keys],
            first_row[c],
            first_column[c],
            group_shift,
            bucket_of,
            bucket_row,
            column_bits,
            position[c],
            keys,
        )

    blocks.run(group, len(chunks), threads=threads)

    longest = int(np.diff(start).max(initial=0))
    spare = [np.empty(longest, dtype=np.int64) for _ in range(min(threads, max(1, buckets)))]
    digits = np.empty((len(spare), sort_kernels.PASSES, sort_kernels.DIGITS), dtype=np.int64)
    lengths = np.zeros(height, dtype=np.int64)
    found = np.zeros((buckets, 2), dtype=np.int64)

    def sort(worker: int, b: int) -> None:
        row_bits = int(bucket_row[b + 1] - bucket_row[b] - 1).bit_length()
        sort_kernels.sort_bucket(
            keys,
            start[b],
            start[b + 1],
            0,
            row_bits + column_bits + 1,
            bucket_row[b],
            column_bits,
            spare[worker],
            digits[worker],
            lengths,
            found[b],
        )

    blocks.run(sort, buckets, threads=threads)
    end = np.concatenate([[0], np.cumsum(found[:, 0])])
    edges = int(end[-1])
    # The keys as they were read are done with: columns and states take their place.
    indices = raw.view(np.int32)[:edges]
    state = raw.view(np.uint8)[4 * edges : 5 * edges] if directed else None

    def unpack(_: int, b: int) -> None:
        part = slice(end[b], end[b + 1])
        sorted_keys = keys[start[b] : start[b] + found[b, 0]]
        sort_kernels.unpack(sorted_keys, column_bits, indices[part], _NO_STATE if state is None else state[part])

    blocks.run(unpack, buckets, threads=threads)
    return SortedTile(lengths, indices, state, int(found[:, 1].sum()))


def _chunks(index: SpillIndex, rows: range, columns: range) -> list[_Chunk]:
    """Cut the runs of a tile's cells into chunks of one cell each, of about equal size."""
    chunks: list[_Chunk] = []
    at = 0
    for i in rows:
        for j in range(columns.start, min(columns.stop, i + 1)):
            starts, lengths = index.runs(i, j)
            before = np.concatenate([[0], np.cumsum(lengths)])
            cuts = blocks.cut(before, _CHUNK, most=1 << 20)
            for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
                size = int(before[last] - before[first])
                part = slice(first, last)
                chunks.append(_Chunk(i, j, starts[part], lengths[part], slice(at, at + size)))
                at += size
    return chunks


def _check_sums(index: SpillIndex, chunks: list[_Chunk], sums: NDArray[np.int64]) -> None:
    found: dict[tuple[int, int], int] = {}
    for chunk, part in zip(chunks, sums.tolist(), strict=True):
        found[chunk.i, chunk.j] = found.get((chunk.i, chunk.j), 0) + part
    for (i, j), total in found.items():
        if (total - int(index.sums[i * (i + 1) // 2 + j])) % (1 << 64):
            raise ReadError(index.folder / spill_name(i), "is damaged: its keys are not those that were set aside")
