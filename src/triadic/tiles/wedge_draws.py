"""Random wedges of a tiled graph: the draws of many wedges are resolved together, in two passes over the tiles.

The rows and the places in them are chosen from the lengths of the rows alone. One pass over the tiles then finds the
two entries of each draw, and another whether they are joined. On a Dask cluster, each range of rows is a task in both
passes. A graph in memory with the same ranks has the same draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from triadic.core.oriented import frozen, starts_of
from triadic.devices.cpu.draws.choice import Draws
from triadic.devices.cpu.draws.wedge_sampling import (
    CODES,
    COLUMNS,
    OPEN,
    SQUARES,
    UNIT,
    WEIGHTS,
    RowSizes,
    choose_places,
    row_table,
    weight_shift,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.tiles.tile import Tile, TileSource

    # Codes of closed wedges, `OPEN` for others, and weights of closed wedges, zero for others.
    Resolved = tuple[Int64Array, Float64Array]

_BATCH = 1 << 18  # draws that are resolved together
_KEPT = 2  # times the batches that are resolved together, in memory: of the pilot, and of the draws that count
_MUTUAL = 3


class WedgeSource(Protocol):
    """What wedges are drawn from: this machine, or the workers of a cluster.

    Attributes
    ----------
    together : int
        Number of batches that are best resolved together.
    """

    together: int

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows, see `triadic.devices.cpu.draws.wedge_sampling.row_table`."""

    def resolve(self, key: int, first: int, count: int, *, local: bool) -> Resolved:
        """Return the codes of `count` draws from the draw `first` on, and with `local` the weights of closed wedges."""


class TileDraws:
    """The random wedges of a tiled graph, resolved in batches of which the latest are kept.

    Parameters
    ----------
    source : WedgeSource
    """

    def __init__(self, source: WedgeSource) -> None:
        self._source = source
        self._kept: dict[tuple[int, bool, int], Resolved] = {}

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows."""
        return self._source.total(local=local)

    def tally(self, key: int, first: int, stop: int, local: bool, progress: Progress | None) -> Int64Array:
        """Add up the wedges `first` to `stop` - 1, see `triadic.devices.cpu.draws.wedge_sampling.tally`."""
        sums = np.zeros(COLUMNS, dtype=np.int64)
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
            number = min(self._source.together, wanted)
            codes, weights = self._source.resolve(key, batch * _BATCH, number * _BATCH, local=local)
            while len(self._kept) > _KEPT * self._source.together - number:
                self._kept.pop(next(iter(self._kept)))
            for each in range(number):
                part = slice(each * _BATCH, (each + 1) * _BATCH)
                self._kept[key, local, batch + each] = codes[part], weights[part]
        return self._kept[key, local, batch]


class RowsOfTiles:
    """The lengths of the rows of tiles, from which this machine draws: a `WedgeSource`.

    Parameters
    ----------
    source : TileSource
    degree : int64 array, shape (n,)

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
        Where each rank's row would begin if the rows followed one another.
    degree : int64 array, shape (n,)
    """

    together = 1

    def __init__(self, source: TileSource, degree: Int64Array) -> None:
        self._source, self.num_vertices = source, source.layout.vertices
        lengths = [row_lengths(source, i) for i in range(source.layout.ranges)]
        self.indptr = frozen(starts_of(np.concatenate(lengths)))
        self.degree = frozen(np.asarray(degree))
        self._tables: dict[bool, ChoiceTable] = {}

    def total(self, *, local: bool) -> int:
        """Return the sum of the weights of all rows."""
        return int(self._table(local).total)

    def _table(self, local: bool) -> ChoiceTable:
        if local not in self._tables:
            self._tables[local] = row_table(self.indptr, self.degree, local=local, threads=1)
        return self._tables[local]

    def resolve(self, key: int, first: int, count: int, *, local: bool) -> Resolved:
        """Return the codes of some draws, and with `local` the weights of the closed."""
        ranks = np.empty((count, 3), dtype=np.int64)
        places = np.empty((count, 2), dtype=np.int64)
        shift, table = weight_shift(self.num_vertices, local=local), self._table(local)
        draws = Draws(np.uint64(key), first, first + count)
        choose_places(RowSizes(self.indptr, self.degree), table, shift, draws, ranks, places)
        places -= self.indptr[ranks[:, :1]]
        code = np.zeros(count, dtype=np.int64)
        cuts = self._source.layout.cuts
        for i, mine in members_of(cuts, ranks[:, 0]):
            ranks[mine, 1:], code[mine] = find_entries(self._source, i, ranks[mine, 0] - cuts[i], places[mine])
        state = np.zeros(count, dtype=np.int64)
        for i, mine in members_of(cuts, ranks[:, 1]):
            state[mine] = find_states(self._source, i, ranks[mine, 1], ranks[mine, 2])
        return resolved(ranks, code, state, self.degree.take if local else None)


def resolved(
    ranks: Int64Array, code: Int64Array, state: Int64Array, degree_of: Callable[[Int64Array], Int64Array] | None
) -> Resolved:
    """Return the codes of draws, and the weights of the closed from the degrees of their ranks if they are wanted.

    The weights are those of `triadic.devices.cpu.draws.wedge_sampling.closed_weight`.
    """
    closed = state > 0
    weights = np.zeros(len(code))
    if degree_of is not None:
        x, y, z = degree_of(ranks[closed].reshape(-1)).reshape(-1, 3).T.astype(np.float64)
        pairs = x * (x - 1)
        weights[closed] = 1.0 + (pairs / (y * (y - 1)) + pairs / (z * (z - 1)))
    return np.where(closed, code + 16 * state, OPEN), weights


def row_lengths(source: TileSource, i: int) -> Int64Array:
    """Return the lengths of the rows of range `i`: int64, shape (ranks of the range,)."""
    lengths = np.zeros(source.layout.length(i), dtype=np.int64)
    for j in range(i + 1):
        if source.layout.tile_edges[i, j]:
            lengths += np.diff(source.tile(i, j).indptr)
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
    ranks, code = np.empty((len(rows), 2), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
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


def find_states(source: TileSource, i: int, larger: Int64Array, smaller: Int64Array) -> Int64Array:
    """Return the states of the edges between ranks of range `i` and smaller ranks; 0 if they are not joined."""
    layout = source.layout
    state = np.zeros(len(larger), dtype=np.int64)
    for j, mine in members_of(layout.cuts, smaller):
        if layout.tile_edges[i, j]:
            state[mine] = _states_in(source.tile(i, j), larger[mine] - layout.cuts[i], smaller[mine] - layout.cuts[j])
    return state


def _states_in(tile: Tile, rows: Int64Array, columns: Int64Array) -> Int64Array:
    """Return the states of entries of a tile, 0 where there is none; all searches step together."""
    state = np.zeros(len(rows), dtype=np.int64)
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
        return np.full(len(entries), _MUTUAL, dtype=np.int64)
    return tile.state[entries].astype(np.int64)
