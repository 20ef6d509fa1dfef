"""Counts that add up over edges: one pass over the tiles, each as a small oriented graph of its two ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import Oriented

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCount
    from triadic.tiles.tile import Tile, TileSource

    Inputs = tuple[NDArray[Any], ...]
    # What a tile adds at consecutive ranks from the first one on.
    Shares = list[tuple[int, NDArray[np.int64]]]


def tiles_with_edges(layout: Layout) -> list[tuple[int, int]]:
    """Return the tiles (i, j) that hold edges."""
    return [(i, j) for i in range(layout.ranges) for j in range(i + 1) if layout.tile_edges[i, j]]


def count_tile(source: TileSource, i: int, j: int, counter: PartCount, inputs: Inputs, **keywords: int) -> Shares:
    """Count one tile: what it adds at the ranks of its ranges, or one share of the total at "rank" 0.

    Parameters
    ----------
    source : TileSource
    i, j : int
        Ranges of the tile's rows and columns.
    counter : PartCount
    inputs : tuple of array
        Rows for the ranks of range `j`, then of range `i`; of the one range if they are the same.
    **keywords : int
        ``threads``, in place of the counter's own.
    """
    layout = source.layout
    below = 0 if i == j else layout.length(j)
    found = counter.count(_oriented(source.tile(i, j), below), None, *inputs, **keywords)
    if not counter.at_ranks:
        return [(0, found)]
    if i == j:
        return [(int(layout.cuts[i]), found)]
    return [(int(layout.cuts[j]), found[:below]), (int(layout.cuts[i]), found[below:])]


def rows_of_tile(layout: Layout, i: int, j: int, inputs: Inputs) -> Inputs:
    """Return the rows of the inputs that belong to the ranks of a tile, those of its columns first."""
    ranges = (i,) if i == j else (j, i)
    slices = [slice(int(layout.cuts[r]), int(layout.cuts[r + 1])) for r in ranges]
    return tuple(np.concatenate([values[ranks] for ranks in slices]) for values in inputs)


def sum_over_edges(
    source: TileSource,
    counter: PartCount,
    inputs: Inputs,
    result: Callable[[tuple[int, ...]], NDArray[np.int64]],
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count every tile and add up.

    Parameters
    ----------
    source : TileSource
    counter : PartCount
    inputs : tuple of array
        A row for each rank.
    result : callable
        Returns zeros of a shape: for the sums.
    progress : callable, optional
    """
    layout = source.layout
    tiles = tiles_with_edges(layout)
    sums = Accumulator(layout, counter, result)
    for done, (i, j) in enumerate(tiles):
        if progress is not None:
            progress(done, len(tiles))
        sums.add(count_tile(source, i, j, counter, rows_of_tile(layout, i, j, inputs)))
    if progress is not None:
        progress(len(tiles), len(tiles))
    return sums.total()


class Accumulator:
    """The sums of all tiles, as wide as what the first tile adds."""

    def __init__(
        self, layout: Layout, counter: PartCount, result: Callable[[tuple[int, ...]], NDArray[np.int64]]
    ) -> None:
        self._layout, self._counter, self._result = layout, counter, result
        self._sums: NDArray[np.int64] | None = None

    def add(self, shares: Sequence[tuple[int, NDArray[np.int64]]]) -> None:
        """Add what one tile counts."""
        for first, found in shares:
            if self._sums is None:
                self._sums = self._zeros(found.shape[1:])
            self._sums[first : first + len(found)] += found

    def total(self) -> NDArray[np.int64]:
        """Return the sums."""
        if self._sums is None:
            columns = self._counter.columns
            self._sums = self._zeros(() if columns == 1 else (columns,))
        return self._sums

    def _zeros(self, row: tuple[int, ...]) -> NDArray[np.int64]:
        if self._counter.at_ranks:
            return self._result((self._layout.vertices, *row))
        return np.zeros(self._counter.columns, dtype=np.int64)


def _oriented(tile: Tile, below: int) -> Oriented:
    """Return a tile as an oriented graph whose rows come after `below` empty ones."""
    indptr = np.concatenate([np.zeros(below, dtype=np.int64), tile.indptr]) if below else tile.indptr
    unused: Any = np.broadcast_to(np.int32(0), len(indptr) - 1)
    return Oriented(unused, indptr, tile.indices, tile.state, unused)
