"""Sorting of a tile's keys with their weights, strip by strip as in `triadic.tiles.sorting`.

Weights of repeated arcs are combined as in memory, by the kernels of `triadic.devices.cpu.orient.weighted_row_sort`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu.orient import row_sort as sort_kernels
from triadic.devices.cpu.orient import weighted_row_sort as weighted
from triadic.devices.cpu.orient.tile_cuts import group_weighted_by_rows
from triadic.graph.weighted_orientation import say_combined
from triadic.tiles.sorting import SortedTile, StripSort, cut_strips

if TYPE_CHECKING:
    from triadic.core.arcs import Dropped
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, Uint8Array, Uint16Array
    from triadic.tiles.partition import Grid
    from triadic.tiles.sorting import Chunk, Strip
    from triadic.tiles.spill import Spill

_NOTHING = np.empty(0)

# What a checkpoint has in place of one of the rules of `triadic.Graph`: none was given, and weights from both ends wait
# for a look at all tiles; and after it, if they count once. If they are added, it has "sum".
DEFAULT, ONCE = "default", "once"


@dataclass(frozen=True, slots=True)
class WeightRule:
    """How weights are combined.

    Attributes
    ----------
    combine : {"sum", "max", "min", "mean", "first", "error"}
        What is done with the weights of an arc that occurs several times.
    directed : bool
        Whether the two directions of an edge have weights of their own.
    mirrored : bool
        Whether an undirected input has each edge from both its ends, with the same weight.
    """

    combine: str
    directed: bool
    mirrored: bool

    @classmethod
    def of(cls, combine: str, *, directed: bool, both_ends: bool) -> WeightRule:
        """Return the rule of a checkpoint, also of one that has `DEFAULT` or `ONCE`."""
        rule = "sum" if combine in (DEFAULT, ONCE) else combine
        return cls(rule, directed, (both_ends or combine == ONCE) and not directed)


def origin_with_weights(origin: dict[str, Any], combine: str | None, dropped: Dropped) -> dict[str, Any]:
    """Return the origin of tiles, if they have weights with what was done with repeats and both ends, in words.

    Parameters
    ----------
    origin : dict
        Input and options, as in `triadic.tiles.header.Header`.
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


class WrongWeightsError(Exception):
    """The weights of an edge cannot be combined.

    Attributes
    ----------
    wrong : triadic.devices.cpu.orient.weighted_row_sort.Wrong
        What is wrong; row and column are those of the tile.
    """

    def __init__(self, wrong: weighted.Wrong) -> None:
        super().__init__(wrong.kind)
        self.wrong = wrong


def sort_weighted_tile(
    spill: Spill, grid: Grid, rows: range, columns: range, *, rule: WeightRule, threads: int
) -> SortedTile:
    """Sort the keys of a tile and combine the weights of repeated edges.

    Parameters
    ----------
    spill : Spill
        The keys and their weights.
    grid : Grid
        The fine ranges.
    rows, columns : range
        Fine ranges that the tile joins.
    rule : WeightRule
        How weights are combined.
    threads : int
        Number of threads.

    Raises
    ------
    ReadError
        The keys or weights are not those that were spilled.
    WrongWeightsError
        Weights cannot be combined.

    Notes
    -----
    Holds 12 bytes a key, 21 of a directed graph, 33 (41) more a key of the longest strip, and the memory of the rows,
    which `partition.sorting_bytes` estimates. Columns, states and weights are written to the beginning of arrays with
    room for all keys; pages that are never touched cost nothing.
    """
    strips = cut_strips(spill, rows, columns)
    total = sum(strip.size for strip in strips)
    indices = np.empty(total, dtype=np.int32)
    state = np.empty(total if rule.directed else 0, dtype=np.uint8)
    weights = np.empty((2 if rule.directed else 1, total))
    lengths = np.zeros(int(grid.cuts[rows.stop] - grid.cuts[rows.start]), dtype=np.int64)
    edges = arcs = 0
    ends = np.zeros(2, dtype=np.int64)
    for strip in strips:
        if strip.size:
            first, last = (int(grid.cuts[r] - grid.cuts[rows.start]) for r in (strip.rows.start, strip.rows.stop))
            sort = _WeightedStripSort(spill, grid, strip, columns, threads, lengths[first:last], rule)
            try:
                strip_edges, strip_arcs, strip_ends = sort.write(indices[edges:], state[edges:], weights[:, edges:])
            except WrongWeightsError as error:
                raise WrongWeightsError(error.wrong._replace(row=error.wrong.row + first)) from None
            edges, arcs, ends = edges + strip_edges, arcs + strip_arcs, ends + strip_ends
    states = state[:edges] if rule.directed else None
    return SortedTile(lengths, indices[:edges], states, arcs, weights[:, :edges], *ends.tolist())


class _WeightedStripSort(StripSort):
    """The sort of one strip with weights, in memory of its own."""

    def __init__(
        self,
        spill: Spill,
        grid: Grid,
        strip: Strip,
        columns: range,
        threads: int,
        lengths: Int64Array,
        rule: WeightRule,
    ) -> None:
        size = strip.size
        raw, keys = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        super().__init__(spill, grid, strip, columns, threads, raw, keys, lengths)
        self._raw_weights, self._weights, self._rule = np.empty(size), np.empty(size), rule
        self._backward = np.empty(size if rule.directed else 0)

    def read_chunk(self, chunk: Chunk) -> None:
        """Read the keys of a chunk and their weights."""
        super().read_chunk(chunk)
        self.spill.read_weights(chunk.i, chunk.starts, chunk.lengths, self._raw_weights[chunk.keys])

    def weight_sum(self, chunk: Chunk) -> int:
        """Return the sum of the bits of the weights of a chunk, modulo 2**64."""
        return int(self._raw_weights[chunk.keys].view(np.int64).sum())

    def group(
        self,
        group_shift: int,
        bucket_of: Uint16Array,
        bucket_row: Int64Array,
        position: Int64Array,
    ) -> None:
        """Put the keys and their weights into buckets; within a bucket they keep their order."""

        def group(_: int, c: int) -> None:
            part = self.chunks[c].keys
            group_weighted_by_rows(
                self.raw[part], self._raw_weights[part].view(np.int64),
                self.first_row[c], self.first_column[c], group_shift, bucket_of, bucket_row, self.column_bits,
                position[c], self.keys, self._weights.view(np.int64),
            )  # fmt: skip

        blocks.run(group, len(self.chunks), threads=self.threads)

    def write(self, indices: Int32Array, state: Uint8Array, weights: Float64Array) -> tuple[int, int, Int64Array]:
        """Write columns, states and weights; return the numbers of edges, different arcs, and edges from both ends."""
        start, bucket_row = self.fill_buckets()
        found = self._combine(start, bucket_row)
        wrong = np.flatnonzero(found[:, 2])
        if len(wrong):
            raise WrongWeightsError(self._wrong(found[wrong[0]], int(start[wrong[0]]), int(bucket_row[wrong[0]])))
        end = np.concatenate([[0], np.cumsum(found[:, 0])])

        def unpack(_: int, b: int) -> None:
            part, kept = slice(end[b], end[b + 1]), slice(start[b], start[b] + found[b, 0])
            sort_kernels.unpack(self.keys[kept], self.column_bits, indices[part], state[part])
            weights[0, part] = self._weights[kept]
            if self._rule.directed:
                weights[1, part] = self._backward[kept]

        blocks.run(unpack, len(found), threads=self.threads)
        return int(end[-1]), int(found[:, 1].sum()), found[:, 5:].sum(axis=0)

    def _combine(self, start: Int64Array, bucket_row: Int64Array) -> Int64Array:
        """Sort each bucket and combine repeats; see `weighted_row_sort.combine_repeats` for what it returns."""
        buckets, longest, rule = len(start) - 1, int(np.diff(start).max()), self._rule
        workers = min(self.threads, buckets)
        spare = [(np.empty(longest, dtype=np.int64), np.empty(longest)) for _ in range(workers)]
        digits = np.empty((workers, sort_kernels.PASSES, sort_kernels.DIGITS), dtype=np.int64)
        found = np.zeros((buckets, weighted.FOUND), dtype=np.int64)
        combine = weighted.COMBINE[rule.combine]

        def sort(worker: int, b: int) -> None:
            part, size = slice(start[b], start[b + 1]), start[b + 1] - start[b]
            here = self.keys[part], self._weights[part]
            there = spare[worker][0][:size], spare[worker][1][:size]
            row_bits = int(bucket_row[b + 1] - bucket_row[b] - 1).bit_length()
            in_place = weighted.sort_by_key(*here, *there, row_bits + self.column_bits + 1, digits[worker])
            backward = self._backward[part] if rule.directed else _NOTHING
            weighted.combine_repeats(
                *(here if in_place else there), bucket_row[b], self.column_bits, combine, rule.mirrored,
                *here, backward, self.lengths, found[b],
            )  # fmt: skip

        blocks.run(sort, buckets, threads=self.threads)
        return found

    def _wrong(self, found: Int64Array, start: int, first_row: int) -> weighted.Wrong:
        kind, entry, way = found[2:5].tolist()
        at = start + int(found[0])
        out, into = float(self._weights[at]), float(self._weights[at + 1]) if kind == weighted.DIFFERENT else 0.0
        column = entry & ((1 << self.column_bits) - 1)
        return weighted.Wrong(kind, first_row + (entry >> self.column_bits), column, bool(way), out, into)
