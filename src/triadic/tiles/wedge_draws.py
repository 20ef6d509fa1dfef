"""Random wedges of a tiled graph: the draws of many wedges are resolved together, in two passes over the tiles.

The rows and the places in them are chosen from the lengths of the rows alone. One pass over the tiles then finds the
two entries of each draw, and another whether they are joined. A graph in memory with the same ranks has the same draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.oriented import frozen
from triadic.devices.cpu.wedge_sampling import (
    CODES,
    COLUMNS,
    OPEN,
    SQUARES,
    UNIT,
    WEIGHTS,
    choose_places,
    weight_shift,
)
from triadic.tiles.edge_sums import tiles_with_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.devices.cpu.weighted_choice import ChoiceTable
    from triadic.tiles.oriented_tiles import OrientedTiles
    from triadic.tiles.tile import Tile

_BATCH = 1 << 18  # draws that are resolved together
_KEPT = 2  # batches in memory: of the pilot, and of the draws that count
_MUTUAL = 3


class TileDraws:
    """The lengths of the rows of a tiled graph, and its random wedges.

    Parameters
    ----------
    tiles : OrientedTiles

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
        Where each rank's row would begin if the rows followed one another.
    degree : int64 array, shape (n,)
    """

    def __init__(self, tiles: OrientedTiles) -> None:
        self._source, self.num_vertices = tiles.source, tiles.num_vertices
        layout = self._source.layout
        lengths = np.zeros(layout.vertices, dtype=np.int64)
        for i, j in tiles_with_edges(layout):
            lengths[layout.cuts[i] : layout.cuts[i + 1]] += np.diff(self._source.tile(i, j).indptr)
        self.indptr = frozen(np.concatenate([[0], np.cumsum(lengths)]))
        self.degree = frozen(np.asarray(tiles.degree))
        self._kept: dict[tuple[int, bool, int], tuple[NDArray[np.int64], NDArray[np.float64]]] = {}

    def tally(
        self, table: ChoiceTable, key: int, first: int, stop: int, local: bool, progress: Progress | None
    ) -> NDArray[np.int64]:
        """Add up the wedges `first` to `stop` - 1, see `triadic.devices.cpu.wedge_sampling.tally`."""
        sums = np.zeros(COLUMNS, dtype=np.int64)
        batches = range(first // _BATCH, -(-stop // _BATCH))
        for done, batch in enumerate(batches):
            if progress is not None:
                progress(done, len(batches))
            here = slice(max(first - batch * _BATCH, 0), min(stop - batch * _BATCH, _BATCH))
            codes, weights = (values[here] for values in self._batch(table, key, batch, local))
            closed = codes != OPEN
            sums[:CODES] += np.bincount(codes[closed], minlength=CODES)
            if local:
                sums[WEIGHTS] += int((weights[closed] * UNIT + 0.5).astype(np.int64).sum())
                sums[SQUARES] += int((weights[closed] * weights[closed] * UNIT + 0.5).astype(np.int64).sum())
        return sums

    def _batch(
        self, table: ChoiceTable, key: int, batch: int, local: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the codes of a batch of draws, and the weights of closed wedges; the latest batches are kept."""
        name = (key, local, batch)
        if name not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[name] = self._draw(table, key, batch * _BATCH, local)
        return self._kept[name]

    def _draw(
        self, table: ChoiceTable, key: int, first: int, local: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        ranks = np.empty((_BATCH, 3), dtype=np.int64)
        places = np.empty((_BATCH, 2), dtype=np.int64)
        shift = weight_shift(self.num_vertices, local=local)
        choose_places(
            self.indptr, self.degree, *table.arrays, np.uint64(table.total), shift, np.uint64(key), first, ranks, places
        )
        rest = places - self.indptr[ranks[:, :1]]  # the number of entries of the row before each place
        code = self._find_entries(ranks, rest)
        state = self._find_edges(ranks)
        closed = state > 0
        codes = np.where(closed, code + 16 * state, OPEN)
        weights = np.zeros(_BATCH)
        if local:
            u, v, w = (self.degree[ranks[closed, i]].astype(np.float64) for i in range(3))
            pairs = u * (u - 1)
            weights[closed] = 1.0 + (pairs / (v * (v - 1)) + pairs / (w * (w - 1)))
        return codes, weights

    def _find_entries(self, ranks: NDArray[np.int64], rest: NDArray[np.int64]) -> NDArray[np.int64]:
        """Write the two entries of each draw into `ranks`, and return the part of the code of their states."""
        layout = self._source.layout
        code = np.zeros(len(ranks), dtype=np.int64)
        range_of = np.searchsorted(layout.cuts, ranks[:, 0], side="right") - 1
        members = {i: np.flatnonzero(range_of == i) for i in range(layout.ranges)}
        for i, j in tiles_with_edges(layout):  # the columns of a row rise with j
            mine = members[i]
            if not len(mine):
                continue
            tile = self._source.tile(i, j)
            row = ranks[mine, 0] - layout.cuts[i]
            start, length = tile.indptr[row], tile.indptr[row + 1] - tile.indptr[row]
            for end in range(2):
                left = rest[mine, end]
                found = (left >= 0) & (left < length)
                entry = start[found] + left[found]
                ranks[mine[found], 1 + end] = tile.indices[entry] + layout.cuts[j]
                code[mine[found]] += _states(tile, entry) << 2 * end
                rest[mine, end] = np.where(found, -1, left - length)
        return code

    def _find_edges(self, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the state of the edge between the two entries of each draw, 0 if they are not joined."""
        layout = self._source.layout
        state = np.zeros(len(ranks), dtype=np.int64)
        rows, columns = (np.searchsorted(layout.cuts, ranks[:, i], side="right") - 1 for i in (1, 2))
        number = rows * layout.ranges + columns
        order = np.argsort(number, kind="stable")
        bounds = np.searchsorted(number[order], np.arange(layout.ranges**2 + 1))
        for i, j in tiles_with_edges(layout):
            mine = order[bounds[i * layout.ranges + j] : bounds[i * layout.ranges + j + 1]]
            if not len(mine):
                continue
            tile = self._source.tile(i, j)
            row = ranks[mine, 1] - layout.cuts[i]
            column = ranks[mine, 2] - layout.cuts[j]
            low, high = tile.indptr[row], tile.indptr[row + 1]
            end = high.copy()
            while (low < high).any():
                middle = (low + high) >> 1
                smaller = (low < high) & (tile.indices[np.minimum(middle, len(tile.indices) - 1)] < column)
                high = np.where((low < high) & ~smaller, middle, high)
                low = np.where(smaller, middle + 1, low)
            at = np.minimum(low, len(tile.indices) - 1)
            joined = (low < end) & (tile.indices[at] == column)
            state[mine[joined]] = _states(tile, at[joined])
        return state


def _states(tile: Tile, entries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the states of some entries; all edges of an undirected graph are mutual."""
    if tile.state is None:
        return np.full(len(entries), _MUTUAL, dtype=np.int64)
    return tile.state[entries].astype(np.int64)


_DRAWS: WeakKeyDictionary[OrientedTiles, TileDraws] = WeakKeyDictionary()


def draws_of(tiles: OrientedTiles) -> TileDraws:
    """Return the draws of a tiled graph, whose rows are measured once."""
    if tiles not in _DRAWS:
        _DRAWS[tiles] = TileDraws(tiles)
    return _DRAWS[tiles]
