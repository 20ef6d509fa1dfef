"""Sorting of a tile's keys to rows, strip by strip in the same memory.

A strip is the part of a tile in one fine range of rows. Its keys are read back in chunks, put into buckets of rows, and
sorted bucket by bucket; repeated edges are joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu.orient import row_sort as sort_kernels
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.tiles.partition import LARGEST_STRIP

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, Uint8Array, Uint16Array
    from triadic.tiles.partition import Grid
    from triadic.tiles.spill import Spill

# As in `devices.cpu.rows`: keys of a bucket fit a core's cache, and open pages the address translation cache.
_BUCKET, _MOST_BUCKETS, _MOST_GROUPS = 1 << 15, 1 << 10, 1 << 13
_LEAST_GROUPS = 1 << 4
_CHUNK = 1 << 18
_NO_STATE = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class SortedTile:
    """The sorted rows of a tile.

    Attributes
    ----------
    lengths : int64 array, shape (rows,)
        Number of edges of each row.
    indices : int32 array, shape (edges,)
        Columns, counted from the tile's first, rising within a row.
    state : uint8 array, shape (edges,), or None
        Directions of a directed graph's arcs, as in `triadic.core.oriented.Oriented`.
    arcs : int
        Number of different arcs.
    weights : float64 array, shape (kinds, edges), optional
        Weights, as in `triadic.tiles.tile.Tile`; None without.
    both, equal : int, default 0
        Of undirected edges whose weights are added: number of those from both ends, and of those with equal weights.
    """

    lengths: Int64Array
    indices: Int32Array
    state: Uint8Array | None
    arcs: int
    weights: Float64Array | None = None
    both: int = 0
    equal: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Runs of keys of cell (i, j), and the slice of the strip's keys that they are read to."""

    i: int
    j: int
    starts: Int64Array
    lengths: Int64Array
    keys: slice


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """Fine ranges of rows that are sorted together."""

    rows: range
    chunks: list[Chunk]

    @property
    def size(self) -> int:
        """Number of keys."""
        return int(self.chunks[-1].keys.stop) if self.chunks else 0


def sort_tile(spill: Spill, grid: Grid, rows: range, columns: range, *, directed: bool, threads: int) -> SortedTile:
    """Sort the keys of a tile and join repeated edges.

    Parameters
    ----------
    spill : Spill
        The keys.
    grid : Grid
        The fine ranges.
    rows, columns : range
        Fine ranges that the tile joins.
    directed : bool
        Whether to return the directions of arcs.
    threads : int
        Number of threads.

    Raises
    ------
    ReadError
        The keys are not those that were spilled.

    Notes
    -----
    Holds 4 bytes a key, 5 of a directed graph, 13 more a key of the longest strip, and the memory of the rows, which
    `partition.sorting_bytes` estimates.
    """
    strips = cut_strips(spill, rows, columns)
    before = np.cumsum([0, *(strip.size for strip in strips)])
    total = int(before[-1])
    # Columns fill `memory` from its start. The keys of a strip are read behind the columns of earlier strips, and are
    # replaced by the strip's own columns: most pages are touched once, and untouched pages cost nothing. States are
    # stored behind all keys except those of the first strip.
    begin = (before[:-1] + 1) // 2
    end = begin + np.diff(before)
    first_state = max((total + 1) // 2, int(end[1:].max(initial=0)))
    states = -(-total // 8) if directed else 0
    memory = np.empty(max(first_state + states, int(end.max(initial=0))), dtype=np.int64)
    indices, state = memory.view(np.int32), memory[first_state:].view(np.uint8) if directed else _NO_STATE
    keys = np.empty(int(np.diff(before).max(initial=0)), dtype=np.int64)
    lengths = np.zeros(int(grid.cuts[rows.stop] - grid.cuts[rows.start]), dtype=np.int64)
    edges = arcs = 0
    for s, strip in enumerate(strips):
        if strip.size:
            first, last = (int(grid.cuts[r] - grid.cuts[rows.start]) for r in (strip.rows.start, strip.rows.stop))
            raw = memory[begin[s] : end[s]]
            sort = StripSort(spill, grid, strip, columns, threads, raw, keys[: strip.size], lengths[first:last])
            strip_edges, strip_arcs = sort.run(indices[edges:], state[edges:])
            edges, arcs = edges + strip_edges, arcs + strip_arcs
    return SortedTile(lengths, indices[:edges], state[:edges] if directed else None, arcs)


def cut_strips(spill: Spill, rows: range, columns: range) -> list[Strip]:
    """Cut a tile into strips of one fine range each; return the tile as one strip if one has most of the keys."""
    strips = [Strip(range(i, i + 1), _chunks(spill, range(i, i + 1), columns)) for i in rows]
    sizes = [strip.size for strip in strips]
    if max(sizes) > LARGEST_STRIP * sum(sizes):
        return [Strip(rows, _chunks(spill, rows, columns))]
    return strips


def _chunks(spill: Spill, rows: range, columns: range) -> list[Chunk]:
    """Cut the runs of keys into chunks of about equal size, each of one cell."""
    chunks: list[Chunk] = []
    begin = 0
    for i in rows:
        for j in range(columns.start, min(columns.stop, i + 1)):
            starts, lengths = spill.runs(i, j)
            before = np.concatenate([[0], np.cumsum(lengths)])
            cuts = blocks.cut(before, _CHUNK, most=1 << 20)
            for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
                end = begin + int(before[last] - before[first])
                part = slice(first, last)
                chunks.append(Chunk(i, j, starts[part], lengths[part], slice(begin, end)))
                begin = end
    return chunks


class StripSort:
    """The sort of one strip: its keys are read to `raw`, put into buckets of rows in `keys`, and sorted there."""

    def __init__(
        self,
        spill: Spill,
        grid: Grid,
        strip: Strip,
        columns: range,
        threads: int,
        raw: Int64Array,
        keys: Int64Array,
        lengths: Int64Array,
    ) -> None:
        self.spill, self.chunks, self.threads = spill, strip.chunks, threads
        self.raw, self.keys, self.lengths, self.cuts = raw, keys, lengths, grid.cuts
        width = int(grid.cuts[columns.stop] - grid.cuts[columns.start])
        self.column_bits = max(1, (width - 1).bit_length())
        self.first_row = [int(grid.cuts[chunk.i] - grid.cuts[strip.rows.start]) for chunk in self.chunks]
        self.first_column = [int(grid.cuts[chunk.j] - grid.cuts[columns.start]) for chunk in self.chunks]

    def run(self, indices: Int32Array, state: Uint8Array) -> tuple[int, int]:
        """Write columns and states; return the number of edges and of different arcs."""
        start, bucket_row = self.fill_buckets()
        totals = self._sort(start, bucket_row)
        end = np.concatenate([[0], np.cumsum(totals[:, 0])])

        def unpack(_: int, b: int) -> None:
            part = slice(end[b], end[b + 1])
            sorted_keys = self.keys[start[b] : start[b] + totals[b, 0]]
            sort_kernels.unpack(sorted_keys, self.column_bits, indices[part], state[part])

        blocks.run(unpack, len(totals), threads=self.threads)
        return int(end[-1]), int(totals[:, 1].sum())

    def fill_buckets(self) -> tuple[Int64Array, Int64Array]:
        """Read the keys and put them into buckets of rows.

        Returns
        -------
        int64 arrays, shape (buckets + 1,)
            First key and first row of each bucket, and the numbers of keys and of rows.
        """
        group_shift, counts = self._read()
        group_keys = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
        cuts = blocks.cut(group_keys, _BUCKET, most=_MOST_BUCKETS)
        start, bucket_row = group_keys[cuts], cuts << group_shift
        by_chunk = np.add.reduceat(counts, cuts[:-1], axis=1)
        position = start[:-1] + np.cumsum(by_chunk, axis=0) - by_chunk
        bucket_of = np.repeat(np.arange(len(cuts) - 1, dtype=np.uint16), np.diff(cuts))
        self.group(group_shift, bucket_of, bucket_row, position)
        return start, bucket_row

    def _read(self) -> tuple[int, Int64Array]:
        """Read the keys and count them by group of 2**shift rows.

        Returns
        -------
        int, int64 array, shape (chunks, groups)
            The shift, and the number of keys of each group in each chunk.
        """
        chunks, height = self.chunks, len(self.lengths)
        # The counts of all chunks take at most a byte a key, unless chunks are short.
        most_groups = min(max(len(self.raw) // (8 * len(chunks)), _LEAST_GROUPS), _MOST_GROUPS)
        group_shift = max(0, (height - 1).bit_length() - most_groups.bit_length() + 1)
        counts = np.zeros((len(chunks), ((height - 1) >> group_shift) + 1), dtype=np.int64)
        sums = np.zeros(len(chunks), dtype=np.int64)

        def read(_: int, c: int) -> None:
            chunk = chunks[c]
            self.read_chunk(chunk)
            rows, columns = (int(self.cuts[r + 1] - self.cuts[r]) for r in (chunk.i, chunk.j))
            keys = self.raw[chunk.keys]
            sums[c] = kernels.count_groups(keys, rows, columns, self.first_row[c], group_shift, counts[c])

        blocks.run(read, len(chunks), threads=self.threads)
        self._check(sums, counts.sum(axis=1))
        return group_shift, counts

    def read_chunk(self, chunk: Chunk) -> None:
        """Read the keys of a chunk."""
        self.spill.read(chunk.i, chunk.starts, chunk.lengths, self.raw[chunk.keys])

    def weight_sum(self, chunk: Chunk) -> int:  # noqa: ARG002 - of `WeightedStripSort`
        """Return the sum of the bits of the weights of a chunk: 0 without weights."""
        return 0

    def _check(self, sums: Int64Array, inside: Int64Array) -> None:
        """Check the keys of each cell: their sums by chunk, and the number of keys of each chunk inside the cell."""
        totals: dict[tuple[int, int], int] = {}
        weights: dict[tuple[int, int], int] = {}
        valid: dict[tuple[int, int], bool] = {}
        for chunk, total, counted in zip(self.chunks, sums.tolist(), inside.tolist(), strict=True):
            cell = chunk.i, chunk.j
            totals[cell] = totals.get(cell, 0) + total
            weights[cell] = weights.get(cell, 0) + self.weight_sum(chunk)
            valid[cell] = valid.get(cell, True) and counted == chunk.keys.stop - chunk.keys.start
        for cell, total in totals.items():
            self.spill.check(*cell, total, weights[cell], inside=valid[cell])

    def group(
        self,
        group_shift: int,
        bucket_of: Uint16Array,
        bucket_row: Int64Array,
        position: Int64Array,
    ) -> None:
        """Put the keys into their buckets."""

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

    def _sort(self, start: Int64Array, bucket_row: Int64Array) -> Int64Array:
        """Sort each bucket; return its number of edges and of different arcs: int64, shape (buckets, 2)."""
        buckets, longest = len(start) - 1, int(np.diff(start).max())
        spare = [np.empty(longest, dtype=np.int64) for _ in range(min(self.threads, buckets))]
        digits = np.empty((len(spare), sort_kernels.PASSES, sort_kernels.DIGITS), dtype=np.int64)
        totals = np.zeros((buckets, 2), dtype=np.int64)

        def sort(worker: int, b: int) -> None:
            row_bits = int(bucket_row[b + 1] - bucket_row[b] - 1).bit_length()
            sort_kernels.sort_bucket(
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
                totals[b],
            )

        blocks.run(sort, buckets, threads=self.threads)
        return totals
