"""Random wedges of a tiled graph: the draws of many wedges are resolved together, in two passes over the tiles.

The rows and the places in them are chosen from the lengths of the rows alone. In the first pass, each range finds the
draws whose middle it holds, and the two entries of each; in the second, it finds the edges between the ends, of which
the larger is its own. This machine looks at one range after another; on a Dask cluster, each range is a task in both
passes, and between both the draws pass through the client, some 20 bytes each. A graph in memory with the same ranks
has the same draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import int_empty, int_zeros
from triadic.core.records import record, value_class
from triadic.devices.cpu.draws.star_sampling import add_up_rows, choose_in_range
from triadic.devices.cpu.draws.wedge_sampling import CODES, COLUMNS, OPEN, SQUARES, UNIT, WEIGHTS, weight_shift
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, IntegerArray, Uint8Array, Uint64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import Tile, TileSource

    # Codes of closed wedges, `OPEN` for others, and weights of closed wedges, zero for others.
    Resolved = tuple[Int64Array, Float64Array]
    Calls = list[tuple[int, tuple[Any, ...]]]  # a range, and arguments of a function

_BATCH = 1 << 18  # draws that are resolved together
_KEPT = 2  # times the batches that are resolved together, in memory: of the pilot, and of the draws that count
_MUTUAL = 3
_LARGEST = 1 << 62


class TileDraws:
    """The random wedges of a tiled graph, resolved in batches of which the latest are kept.

    Parameters
    ----------
    layout : Layout
        The ranges.
    of_ranges : callable
        ``of_ranges(function, calls, degrees=)`` returns the list of ``function(tiles, i, *arguments)`` for each range
        `i` and its arguments in `calls`; `tiles` are those of its rows, perhaps with degrees.
    together : int, default 1
        Number of batches that are resolved together, so that a look at a range has enough to do.
    """

    def __init__(self, layout: Layout, of_ranges: Callable[..., list[Any]], together: int = 1) -> None:
        self._layout, self._of_ranges, self._together = layout, of_ranges, together
        self._kept: dict[tuple[int, bool, int], Resolved] = {}
        self._weights: dict[bool, list[int]] = {}

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows."""
        if local not in self._weights:
            calls = [(i, (local,)) for i in range(self._layout.ranges)]
            weights = self._of_ranges(weight_of_rows, calls, degrees=local)
            if sum(weights) >= _LARGEST:
                raise CountOverflowError("graph: the number of wedges exceeds 2**62, more than can be sampled from")
            self._weights[local] = weights
        return sum(self._weights[local])

    def tally(self, key: int, first: int, stop: int, local: bool, progress: Progress | None) -> Int64Array:
        """Add up the wedges `first` to `stop` - 1, see `triadic.devices.cpu.draws.wedge_sampling.tally`."""
        sums = int_zeros(COLUMNS)
        batches = range(first // _BATCH, -(-stop // _BATCH))
        for done, batch in enumerate(batches):
            if progress is not None:
                progress(done, len(batches))
            here = slice(max(first - batch * _BATCH, 0), min(stop - batch * _BATCH, _BATCH))
            codes, weights = (values[here] for values in self._batch(key, batch, len(batches) - done, local))
            closed = codes != OPEN
            sums[:CODES] += np.bincount(codes[closed], minlength=CODES)
            if local:
                sums[WEIGHTS] += int((weights[closed] * UNIT + 0.5).astype(np.int64).sum())
                sums[SQUARES] += int((weights[closed] * weights[closed] * UNIT + 0.5).astype(np.int64).sum())
        return sums

    def _batch(self, key: int, batch: int, wanted: int, local: bool) -> Resolved:
        """Return a batch of draws; it is resolved with as many of the `wanted` batches from it on as are best."""
        if (key, local, batch) not in self._kept:
            number = min(self._together, wanted)
            total = self.total(local=local)
            codes, weights = self._resolved(DrawBatch(key, batch * _BATCH, number * _BATCH, total, local))
            while len(self._kept) > _KEPT * self._together - number:
                self._kept.pop(next(iter(self._kept)))
            for each in range(number):
                part = slice(each * _BATCH, (each + 1) * _BATCH)
                self._kept[key, local, batch + each] = codes[part], weights[part]
        return self._kept[key, local, batch]

    def _resolved(self, batch: DrawBatch) -> Resolved:
        """Return the codes of some draws, and the weights of the closed ones if they are wanted.

        The weights are those of `triadic.devices.cpu.draws.wedge_sampling.closed_weight`.
        """
        before, calls = 0, []
        for i, weight in enumerate(self._weights[batch.local]):
            if weight:
                calls.append((i, (before, batch)))
            before += weight
        ranks, code = int_empty((batch.count, 3)), int_zeros(batch.count)
        for chosen in self._of_ranges(choose_wedges, calls, degrees=batch.local):
            ranks[chosen.draws], code[chosen.draws] = chosen.ranks, chosen.code
        narrow = np.int32 if self._layout.vertices < 1 << 31 else np.int64
        state = self._found(states_of_ends, ranks[:, 1], ranks[:, 1:].astype(narrow))
        closed, weights = state > 0, np.zeros(batch.count)
        if batch.local:
            ends = ranks[closed].reshape(-1)
            x, y, z = self._found(degrees_of, ends, ends, degrees=True).reshape(-1, 3).T.astype(np.float64)
            pairs = x * (x - 1)
            weights[closed] = 1.0 + (pairs / (y * (y - 1)) + pairs / (z * (z - 1)))
        return np.where(closed, code + 16 * state, OPEN), weights

    def _found(
        self, function: Callable[..., Any], ranks: Int64Array, values: IntegerArray, *, degrees: bool = False
    ) -> Int64Array:
        """Return what a function of the range of each rank, and of some values at each, finds there."""
        found, members = int_zeros(len(ranks)), members_of(self._layout.cuts, ranks)
        calls = [(i, (values[mine],)) for i, mine in members]
        for (_, mine), part in zip(members, self._of_ranges(function, calls, degrees=degrees), strict=True):
            found[mine] = part
        return found


def draws_of(source: TileSource) -> TileDraws:
    """Return the random wedges of tiles that this machine draws."""

    def of_ranges(function: Callable[..., Any], calls: Calls, *, degrees: bool) -> list[Any]:  # noqa: ARG001 - of tasks
        return [function(source, i, *arguments) for i, arguments in calls]

    return TileDraws(source.layout, of_ranges)


@value_class
class DrawBatch:
    """Draws that are resolved together.

    Attributes
    ----------
    key : int
    first, count : int
        Number of the first draw, and the number of draws.
    total : int
        Sum of the weights of all rows.
    local : bool
        Whether rows have the weights for local coefficients.
    """

    key: int
    first: int
    count: int
    total: int
    local: bool


@record
class Wedges:
    """The draws of a batch whose middle is in one range.

    Attributes
    ----------
    draws : int32 array, shape (draws,)
        Their numbers, counted from the first of the batch.
    ranks : int32 or int64 array, shape (draws, 3)
        The ranks u > v > w of each.
    code : uint8 array, shape (draws,)
        The states of the edges to v and w, as in the code of a triad.
    """

    draws: Int32Array
    ranks: IntegerArray
    code: Uint8Array


def weight_of_rows(tiles: TileSource, i: int, local: bool) -> int:
    """Return the sum of the weights of the rows of range `i`."""
    return int(_weights_before(tiles, i, row_lengths(tiles, i), local)[-1])


def choose_wedges(tiles: TileSource, i: int, weight_before: int, batch: DrawBatch) -> Wedges:
    """Return the draws of a batch whose row is in range `i`; the rows of ranges before it weigh `weight_before`."""
    lengths = row_lengths(tiles, i)
    before = _weights_before(tiles, i, lengths, batch.local)
    draws, rows = int_empty(batch.count), int_empty(batch.count)
    places = int_empty((batch.count, 2))
    weights = np.uint64(weight_before), np.uint64(batch.total)
    found = choose_in_range(lengths, before, weights, np.uint64(batch.key), batch.first, (draws, rows, places))
    rows = rows[:found]
    ends, code = find_entries(tiles, i, rows, places[:found])
    ranks = np.column_stack([rows + tiles.layout.cuts[i], ends])
    narrow = np.int32 if tiles.layout.vertices < 1 << 31 else np.int64
    return Wedges(draws[:found].astype(np.int32), ranks.astype(narrow), code.astype(np.uint8))


def degrees_of(tiles: TileSource, i: int, ranks: Int64Array) -> Int64Array:
    """Return the degrees of some ranks of range `i`."""
    return tiles.degree(i)[ranks - tiles.layout.cuts[i]]


def _weights_before(tiles: TileSource, i: int, lengths: Int64Array, local: bool) -> Uint64Array:
    """Return the sum of the weights of the rows of range `i` before each of them, and of all."""
    shift = weight_shift(tiles.layout.vertices, local=local)
    before = np.empty(len(lengths) + 1, np.uint64)
    add_up_rows(lengths, tiles.degree(i) if local else lengths, shift, before)
    return before


def row_lengths(source: TileSource, i: int) -> Int64Array:
    """Return the lengths of the rows of range `i`: int64, shape (ranks of the range,)."""
    lengths = int_zeros(source.layout.length(i))
    for j in range(i + 1):
        if source.layout.tile_edges[i, j]:
            lengths += source.lengths(i, j)
    return lengths


def members_of(cuts: Int64Array, ranks: Int64Array) -> list[tuple[int, Int64Array]]:
    """Return for each range with some of the ranks its number, and the places of these ranks."""
    range_of = np.searchsorted(cuts, ranks, side="right") - 1
    order = np.argsort(range_of, kind="stable")
    bounds = np.searchsorted(range_of[order], np.arange(len(cuts)))
    return [(i, order[bounds[i] : bounds[i + 1]]) for i in range(len(cuts) - 1) if bounds[i] < bounds[i + 1]]


def find_entries(source: TileSource, i: int, rows: Int64Array, places: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return two entries of some rows of range `i`, and the part of the code of their states.

    Parameters
    ----------
    source : TileSource
    i : int
    rows : int64 array, shape (draws,)
        Rows of the draws, counted from the first rank of the range.
    places : int64 array, shape (draws, 2)
        The number of entries of the row before each of the two.

    Returns
    -------
    ranks : int64 array, shape (draws, 2)
    code : int64 array, shape (draws,)
    """
    layout = source.layout
    ranks, code = int_empty((len(rows), 2)), int_zeros(len(rows))
    rest = places.copy()
    for j in range(i + 1):  # the columns of a row rise with j
        if not layout.tile_edges[i, j]:
            continue
        tile = source.tile(i, j)
        start, length = tile.indptr[rows], tile.indptr[rows + 1] - tile.indptr[rows]
        for end in range(2):
            left = rest[:, end]
            found = (left >= 0) & (left < length)
            entry = start[found] + left[found]
            ranks[found, end] = tile.indices[entry] + layout.cuts[j]
            code[found] += _states(tile, entry) << 2 * end
            rest[:, end] = np.where(found, -1, left - length)
    return ranks, code


def states_of_ends(tiles: TileSource, i: int, ends: IntegerArray) -> Uint8Array:
    """Return the states of the edges between ranks of range `i` and smaller ranks, shape (edges, 2); 0 without one."""
    layout = tiles.layout
    larger, smaller = ends.astype(np.int64).T
    state = np.zeros(len(larger), np.uint8)
    for j, mine in members_of(layout.cuts, smaller):
        if layout.tile_edges[i, j]:
            state[mine] = _states_in(tiles.tile(i, j), larger[mine] - layout.cuts[i], smaller[mine] - layout.cuts[j])
    return state


def _states_in(tile: Tile, rows: Int64Array, columns: Int64Array) -> Int64Array:
    """Return the states of entries of a tile, 0 where there is none; all searches step together."""
    state = int_zeros(len(rows))
    low, high = tile.indptr[rows], tile.indptr[rows + 1]
    end = high.copy()
    while (low < high).any():
        middle = (low + high) >> 1
        smaller = (low < high) & (tile.indices[np.minimum(middle, len(tile.indices) - 1)] < columns)
        high = np.where((low < high) & ~smaller, middle, high)
        low = np.where(smaller, middle + 1, low)
    at = np.minimum(low, len(tile.indices) - 1)
    joined = (low < end) & (tile.indices[at] == columns)
    state[joined] = _states(tile, at[joined])
    return state


def _states(tile: Tile, entries: Int64Array) -> Int64Array:
    """Return the states of some entries; all edges of an undirected graph are mutual."""
    if tile.state is None:
        return np.full(len(entries), _MUTUAL, np.int64)
    return tile.state[entries].astype(np.int64)
