"""Sorting of a tile's keys to rows, strip by strip in the same memory.

A strip is the part of a tile in one fine range of rows. Its keys, and their weights if there are any, are read back in
chunks, put into buckets of rows, and sorted bucket by bucket; repeated edges are joined, and their weights combined, as
in memory.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import EntryValues, int_empty, int_zeros, rows_of_entries, starts_of
from triadic.core.records import record
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.devices.cpu.orient.bucket_keys import (
    BOTH_ENDS,
    EQUAL,
    FOUND,
    BucketKeys,
    WeightRule,
    WrongWeightsError,
    moved_bits,
)
from triadic.devices.cpu.orient.row_sort import RowBuckets
from triadic.graph.weights import edge_limits_of, limits_of, say_combined, wrong_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.arcs import Dropped
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, Uint8Array
    from triadic.devices.cpu.orient.bucket_keys import Wrong
    from triadic.errors import ArgumentError
    from triadic.tiles.partition import Grid
    from triadic.tiles.spill import Spill

# As in `devices.cpu.rows`: keys of a bucket fit a core's cache, and open pages the address translation cache.
_BUCKET, _MOST_BUCKETS, _MOST_GROUPS = 1 << 15, 1 << 10, 1 << 13
_LEAST_GROUPS = 1 << 4
_CHUNK = 1 << 18
_NO_STATE = np.empty(0, np.uint8)


# What a checkpoint has in place of one of the rules of `triadic.Graph`: none was given, and weights from both ends wait
# for a look at all tiles; and after it, if they count once. If they are added, it has "sum".
DEFAULT, ONCE = "default", "once"


def rule_of(combine: str, *, directed: bool, both_ends: bool) -> WeightRule:
    """Return the rule of a checkpoint, also of one that has `DEFAULT` or `ONCE`."""
    rule = "sum" if combine in (DEFAULT, ONCE) else combine
    return WeightRule(rule, directed, (both_ends or combine == ONCE) and not directed)


def origin_with_weights(origin: dict[str, Any], combine: str | None, dropped: Dropped) -> dict[str, Any]:
    """Return the origin of tiles, if they have weights with what was done with repeats and both ends, in words.

    Parameters
    ----------
    origin : dict
        Input and options, as in `triadic.tiles.layout.Header`.
    combine : str, optional
        Rule by which the tiles were made; None without weights.
    dropped : Dropped
        Number of repeats and of edges that were given from both ends.
    """
    if combine is None:
        return origin
    given, counts = origin["combine"], (dropped.duplicates, dropped.reciprocal_merged)
    words = say_combined(None if given == DEFAULT else given, *counts, once=combine == ONCE)
    return origin | {"combined": words}


def named_error(
    wrong: Wrong, ends: Sequence[tuple[int, int | str]], from_both: tuple[int, int], *, directed: bool
) -> ArgumentError:
    """Return the error for weights that cannot be combined.

    Parameters
    ----------
    wrong : Wrong
        What is wrong with them.
    ends : sequence of (int, int or str)
        The vertices of the row and of the column, each with its label or again.
    from_both : (int, int)
        Number of edges from both ends, and of those with equal weights.
    directed : bool
        Whether the graph is directed.
    """
    names, (both, equal) = dict(ends), from_both
    row, column = names
    return wrong_weights(
        wrong, (row, column), lambda end: f"vertex {names[end]}", directed=directed, both=both, equal=equal
    )


@record
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

    def about(self) -> dict[str, Any]:
        """Return what the header of tiles takes of the tile: numbers of edges and arcs, and limits of weights."""
        found: dict[str, Any] = {"edges": len(self.indices), "arcs": self.arcs}
        if self.weights is not None and len(self.indices):
            kinds = EntryValues(*self.weights)
            found |= {"weights": limits_of(kinds, self.state), "edge_weights": edge_limits_of(kinds, self.state)}
        return found


@record
class Chunk:
    """Runs of keys of cell (i, j) of a strip of fine range `i`, and the slice of its keys that they are read to."""

    j: int
    starts: Int64Array
    lengths: Int64Array
    keys: slice


@record
class Strip:
    """The part of a tile whose rows are in fine range `i`."""

    i: int
    chunks: list[Chunk]

    @property
    def size(self) -> int:
        """Number of keys."""
        return int(self.chunks[-1].keys.stop) if self.chunks else 0


def sort_tile(
    spill: Spill,
    grid: Grid,
    rows: range,
    columns: range,
    *,
    directed: bool,
    threads: int,
    rule: WeightRule | None = None,
) -> SortedTile:
    """Sort the keys of a tile and join repeated edges.

    Parameters
    ----------
    spill : Spill
        The keys, and their weights.
    grid : Grid
        The fine ranges.
    rows, columns : range
        Fine ranges that the tile joins.
    directed : bool
        Whether to return the directions of arcs.
    threads : int
        Number of threads.
    rule : WeightRule, optional
        How weights are combined. By default there are none.

    Raises
    ------
    ReadError
        The keys or weights are not those that were spilled.
    WrongWeightsError
        Weights cannot be combined; row and column of the entry are those of the tile.

    Notes
    -----
    Holds 4 bytes a key, 5 of a directed graph, 13 more a key of the longest strip, and the memory of the rows, which
    `partition.sorting_bytes` estimates. Weights are 8 bytes a key, 16 of a directed graph, and 24 (32) more a key of
    the longest strip. Results are written to the beginning of arrays with room for all keys; pages that are never
    touched cost nothing.
    """
    strips = [_strip(spill, i, columns) for i in rows]
    before = np.cumsum([0, *(strip.size for strip in strips)])
    total = int(before[-1])
    # Columns fill `memory` from its start. The keys of a strip are read behind the columns of earlier strips, and are
    # replaced by the strip's own columns: most pages are touched once, and untouched pages cost nothing. States are
    # stored behind all keys except those of the first strip.
    begin = (before[:-1] + 1) // 2
    end = begin + np.diff(before)
    first_state = max((total + 1) // 2, int(end[1:].max(initial=0)))
    states = -(-total // 8) if directed else 0
    memory = int_empty(max(first_state + states, int(end.max(initial=0))))
    indices, state = memory.view(np.int32), memory[first_state:].view(np.uint8) if directed else _NO_STATE
    keys = int_empty(int(np.diff(before).max(initial=0)))
    kinds = 0 if rule is None else 1 + rule.directed
    weights = np.empty((kinds, total))
    lengths = int_zeros(int(grid.cuts[rows.stop] - grid.cuts[rows.start]))
    edges, found = 0, int_zeros(FOUND)
    for s, strip in enumerate(strips):
        if strip.size:
            first, last = (grid.cuts[strip.i : strip.i + 2] - grid.cuts[rows.start]).tolist()
            bucket_keys = BucketKeys(keys[: strip.size], rule)
            sort = _StripSort(
                spill, grid, strip, columns, threads, memory[begin[s] : end[s]], bucket_keys, lengths[first:last]
            )
            try:
                found += sort.run(indices[edges:], state[edges:], [kind[edges:] for kind in weights])
            except WrongWeightsError as error:
                raise WrongWeightsError(error.wrong._replace(row=error.wrong.row + first)) from None
            edges = int(found[0])
    return SortedTile(
        lengths,
        indices[:edges],
        state[:edges] if directed else None,
        int(found[1]),
        weights[:, :edges] if kinds else None,
        int(found[BOTH_ENDS]),
        int(found[EQUAL]),
    )


def _strip(spill: Spill, i: int, columns: range) -> Strip:
    """Cut the runs of keys of fine range `i` of rows into chunks of about equal size, each of one cell."""
    chunks: list[Chunk] = []
    begin = 0
    for j in range(columns.start, min(columns.stop, i + 1)):
        starts, lengths = spill.runs(i, j)
        before = starts_of(lengths)
        cuts = blocks.cut(before, _CHUNK)
        for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            end = begin + int(before[last] - before[first])
            part = slice(first, last)
            chunks.append(Chunk(j, starts[part], lengths[part], slice(begin, end)))
            begin = end
    return Strip(i, chunks)


class _StripSort:
    """The sort of one strip: its keys are read to `raw`, put into buckets of rows in `keys`, and sorted there."""

    def __init__(
        self,
        spill: Spill,
        grid: Grid,
        strip: Strip,
        columns: range,
        threads: int,
        raw: Int64Array,
        keys: BucketKeys,
        lengths: Int64Array,
    ) -> None:
        self.spill, self.i, self.chunks, self.threads = spill, strip.i, strip.chunks, threads
        self.raw, self.keys, self.lengths, self.cuts = raw, keys, lengths, grid.cuts
        self.raw_weights = None if keys.rule is None else np.empty(strip.size)
        width = int(grid.cuts[columns.stop] - grid.cuts[columns.start])
        self.column_bits = max(1, (width - 1).bit_length())
        self.first_column = [int(grid.cuts[chunk.j] - grid.cuts[columns.start]) for chunk in self.chunks]

    def run(self, indices: Int32Array, state: Uint8Array, weights: list[Float64Array]) -> Int64Array:
        """Write columns, states and weights; return the sums of what `BucketKeys.sort` found."""
        group_shift, counts = self._read()
        group_keys = starts_of(counts.sum(axis=0))
        cuts = blocks.cut(group_keys, _BUCKET, most=_MOST_BUCKETS)
        start, bucket_row = group_keys[cuts], cuts << group_shift
        by_chunk = np.add.reduceat(counts, cuts[:-1], axis=1)
        position = start[:-1] + np.cumsum(by_chunk, axis=0) - by_chunk
        bucket_of = rows_of_entries(cuts, np.uint16)
        self._group(RowBuckets(group_shift, bucket_of, bucket_row, self.column_bits), position)
        found = self.keys.sort(start, bucket_row, self.column_bits, self.lengths, threads=self.threads)
        self.keys.unpack(start, found, self.column_bits, indices, state, weights, threads=self.threads)
        total: Int64Array = found.sum(axis=0)
        return total

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
        counts = int_zeros((len(chunks), ((height - 1) >> group_shift) + 1))
        sums = int_zeros(len(chunks))

        def read(_: int, c: int) -> None:
            chunk = chunks[c]
            keys = self.raw[chunk.keys]
            weights = () if self.raw_weights is None else (self.raw_weights[chunk.keys],)
            self.spill.read(self.i, chunk.starts, chunk.lengths, keys, *weights)
            columns = int(self.cuts[chunk.j + 1] - self.cuts[chunk.j])
            sums[c] = kernels.count_groups(keys, height, columns, 0, group_shift, counts[c])

        blocks.run(read, len(chunks), threads=self.threads)
        self._check(sums, counts.sum(axis=1))
        return group_shift, counts

    def _check(self, sums: Int64Array, inside: Int64Array) -> None:
        """Check the keys of each cell: their sums by chunk, and the number of keys of each chunk inside the cell."""
        chunks, weights = self.chunks, 0
        for j, of_cell in groupby(range(len(chunks)), key=lambda c: chunks[c].j):
            each = [*of_cell]  # the keys of a cell follow one another
            keys = slice(chunks[each[0]].keys.start, chunks[each[-1]].keys.stop)
            if self.raw_weights is not None:  # the sum of their bits, modulo 2**64
                weights = int(self.raw_weights[keys].view(np.int64).sum())
            are_inside = int(inside[each].sum()) == keys.stop - keys.start
            self.spill.check(self.i, j, int(sums[each].sum()), weights, inside=are_inside)

    def _group(self, buckets: RowBuckets, position: Int64Array) -> None:
        """Put the keys and their weights into buckets; within a bucket they keep their order."""

        def group(_: int, c: int) -> None:
            part, first = self.chunks[c].keys, (0, self.first_column[c])
            moved = None
            if self.raw_weights is not None and self.keys.weights is not None:
                moved = moved_bits(self.raw_weights[part], self.keys.weights)
            kernels.group_by_rows(self.raw[part], first, buckets, position[c], self.keys.keys, moved)

        blocks.run(group, len(self.chunks), threads=self.threads)
