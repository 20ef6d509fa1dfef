"""A strip of a tile: the keys of some rows, read back from where they were set aside, to sorted rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import row_sort
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
# Where one strip has more of a tile's keys, strips need as much room as the whole tile.
_MOST_OF_TILE = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Runs of keys of one cell, and the places among its strip's keys that they go to."""

    i: int
    j: int
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    keys: slice


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """Fine ranges of rows that are sorted at a time."""

    rows: range
    chunks: list[Chunk]

    @property
    def size(self) -> int:
        """Number of keys."""
        return int(self.chunks[-1].keys.stop) if self.chunks else 0


def strips_of(index: SpillIndex, rows: range, columns: range) -> list[Strip]:
    """Cut a tile into strips of one fine range of rows; it stays whole if one of them would have most of its keys."""
    strips = [Strip(range(i, i + 1), _chunks(index, range(i, i + 1), columns)) for i in rows]
    sizes = [strip.size for strip in strips]
    if max(sizes) > _MOST_OF_TILE * sum(sizes):
        return [Strip(rows, _chunks(index, rows, columns))]
    return strips


class StripSort:
    """One strip: read, its keys put into buckets of rows, each bucket sorted."""

    def __init__(
        self,
        index: SpillIndex,
        grid: Grid,
        strip: Strip,
        columns: range,
        threads: int,
        raw: NDArray[np.int64],
        keys: NDArray[np.int64],
        lengths: NDArray[np.int64],
    ) -> None:
        self.index, self.chunks, self.threads = index, strip.chunks, threads
        self.raw, self.keys, self.lengths, self.cuts = raw, keys, lengths, grid.cuts
        width = int(grid.cuts[columns.stop] - grid.cuts[columns.start])
        self.column_bits = max(1, (width - 1).bit_length())
        self.first_row = [int(grid.cuts[chunk.i] - grid.cuts[strip.rows.start]) for chunk in self.chunks]
        self.first_column = [int(grid.cuts[chunk.j] - grid.cuts[columns.start]) for chunk in self.chunks]

    def run(self, indices: NDArray[np.int32], state: NDArray[np.uint8]) -> tuple[int, int]:
        """Write columns and states; give the number of edges and of different arcs."""
        group_shift, counts = self._read()
        group_keys = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
        cuts = blocks.cut(group_keys, _BUCKET, most=_MOST_BUCKETS)
        start, bucket_row = group_keys[cuts], cuts << group_shift
        by_chunk = np.add.reduceat(counts, cuts[:-1], axis=1)
        position = start[:-1] + np.cumsum(by_chunk, axis=0) - by_chunk
        bucket_of = np.repeat(np.arange(len(cuts) - 1, dtype=np.uint16), np.diff(cuts))
        self._group(group_shift, bucket_of, bucket_row, position)
        found = self._sort(start, bucket_row)
        end = np.concatenate([[0], np.cumsum(found[:, 0])])

        def unpack(_: int, b: int) -> None:
            part = slice(end[b], end[b + 1])
            sorted_keys = self.keys[start[b] : start[b] + found[b, 0]]
            row_sort.unpack(sorted_keys, self.column_bits, indices[part], state[part])

        blocks.run(unpack, len(found), threads=self.threads)
        return int(end[-1]), int(found[:, 1].sum())

    def _read(self) -> tuple[int, NDArray[np.int64]]:
        """Read the keys; give what rows are shifted by to be groups, and how many keys of each are in each chunk."""
        chunks, height = self.chunks, len(self.lengths)
        # Each chunk counts its keys by group: a byte a key for all of them, where chunks are short.
        most_groups = min(max(len(self.raw) // (8 * len(chunks)), _LEAST_GROUPS), _MOST_GROUPS)
        group_shift = max(0, (height - 1).bit_length() - most_groups.bit_length() + 1)
        counts = np.zeros((len(chunks), ((height - 1) >> group_shift) + 1), dtype=np.int64)
        sums = np.zeros(len(chunks), dtype=np.int64)

        def read(_: int, c: int) -> None:
            chunk = chunks[c]
            self.index.read(chunk.i, chunk.starts, chunk.lengths, self.raw[chunk.keys])
            rows, columns = (int(self.cuts[r + 1] - self.cuts[r]) for r in (chunk.i, chunk.j))
            keys = self.raw[chunk.keys]
            sums[c] = kernels.count_groups(keys, rows, columns, self.first_row[c], group_shift, counts[c])

        blocks.run(read, len(chunks), threads=self.threads)
        _check_sums(self.index, chunks, sums, counts.sum(axis=1))
        return group_shift, counts

    def _group(
        self,
        group_shift: int,
        bucket_of: NDArray[np.uint16],
        bucket_row: NDArray[np.int64],
        position: NDArray[np.int64],
    ) -> None:
        def group(_: int, c: int) -> None:
            kernels.group_by_rows(
                self.raw[self.chunks[c].keys],
                self.first_row[c],
                self.first_column[c],
                group_shift,
                bucket_of,
                bucket_row,
                self.column_bits,
                position[c],
                self.keys,
            )

        blocks.run(group, len(self.chunks), threads=self.threads)

    def _sort(self, start: NDArray[np.int64], bucket_row: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sort each bucket; give the number of edges and of different arcs in each."""
        buckets, longest = len(start) - 1, int(np.diff(start).max())
        spare = [np.empty(longest, dtype=np.int64) for _ in range(min(self.threads, buckets))]
        digits = np.empty((len(spare), row_sort.PASSES, row_sort.DIGITS), dtype=np.int64)
        found = np.zeros((buckets, 2), dtype=np.int64)

        def sort(worker: int, b: int) -> None:
            row_bits = int(bucket_row[b + 1] - bucket_row[b] - 1).bit_length()
            row_sort.sort_bucket(
                self.keys,
                start[b],
                start[b + 1],
                0,
                row_bits + self.column_bits + 1,
                bucket_row[b],
                self.column_bits,
                spare[worker],
                digits[worker],
                self.lengths,
                found[b],
            )

        blocks.run(sort, buckets, threads=self.threads)
        return found


def _chunks(index: SpillIndex, rows: range, columns: range) -> list[Chunk]:
    """Cut the runs of some cells into chunks of one cell each, of about equal size."""
    chunks: list[Chunk] = []
    at = 0
    for i in rows:
        for j in range(columns.start, min(columns.stop, i + 1)):
            starts, lengths = index.runs(i, j)
            before = np.concatenate([[0], np.cumsum(lengths)])
            cuts = blocks.cut(before, _CHUNK, most=1 << 20)
            for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
                size = int(before[last] - before[first])
                part = slice(first, last)
                chunks.append(Chunk(i, j, starts[part], lengths[part], slice(at, at + size)))
                at += size
    return chunks


def _check_sums(index: SpillIndex, chunks: list[Chunk], sums: NDArray[np.int64], inside: NDArray[np.int64]) -> None:
    """Refuse keys that do not add up to what was set aside, or lie outside their cell."""
    left: dict[tuple[int, int], int] = {}
    sound: dict[tuple[int, int], bool] = {}
    for chunk, part, counted in zip(chunks, sums.tolist(), inside.tolist(), strict=True):
        cell = chunk.i, chunk.j
        left[cell] = left.get(cell, int(index.sums[chunk.i * (chunk.i + 1) // 2 + chunk.j])) - part
        sound[cell] = sound.get(cell, True) and counted == chunk.keys.stop - chunk.keys.start
    for (i, j), rest in left.items():
        if rest % (1 << 64) or not sound[i, j]:
            raise ReadError(index.folder / spill_name(i), "is damaged: its keys are not those that were set aside")
