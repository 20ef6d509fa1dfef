"""The rows of a tiled graph, some at a time, put together from tiles: what a card counts over pairs of blocks.

The blocks of a card do not depend on the ranges of the tiles: a block may hold a part of a range, or several ranges.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.row_blocks import RowPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.tiles.tile import TileSource


class RowsOfTiles:
    """The rows of some ranges of a tiled graph and of all ranges before them.

    Parameters
    ----------
    source : TileSource
        The tiles.
    ranges : int, optional
        Number of ranges; by default all.
    """

    marks: Sequence[int]

    def __init__(self, source: TileSource, ranges: int | None = None) -> None:
        layout = source.layout
        self._source, self._ranges = source, layout.ranges if ranges is None else ranges
        self._cuts = [int(cut) for cut in layout.cuts[: self._ranges + 1]]
        edges = layout.tile_edges[: self._ranges].sum(axis=1)
        self._before = [0, *(int(end) for end in np.cumsum(edges))]
        self.vertices, self.edges = self._cuts[-1], self._before[-1]
        self.directed, self.most_pieces, self.marks = layout.directed, self._ranges, self._cuts

    def entries_before(self, rank: int) -> int:
        """Return the number of entries of the rows before a rank; at the start of a last range an upper bound."""
        i = min(bisect_right(self._cuts, rank) - 1, self._ranges - 1)
        if rank == self._cuts[i]:
            return self._before[i]
        if rank >= self._cuts[i + 1]:
            return self._before[i + 1]
        row = rank - self._cuts[i]
        return self._before[i] + sum(int(self._source.tile(i, j).indptr[row]) for j in range(i + 1))

    def rows(self, first: int, last: int) -> Iterator[tuple[int, int, Sequence[RowPiece]]]:
        """Yield the rows of each range with their parts of all tiles of the range."""
        for i in range(self._ranges):
            low, high = max(first, self._cuts[i]), min(last, self._cuts[i + 1])
            if low < high:
                rows = slice(low - self._cuts[i], high - self._cuts[i] + 1)
                yield low, high, [self._piece(i, j, rows) for j in range(i + 1) if self._source.layout.tile_edges[i, j]]

    def _piece(self, i: int, j: int, rows: slice) -> RowPiece:
        tile = self._source.tile(i, j)
        return RowPiece(tile.indptr[rows], tile.indices, tile.state, self._cuts[j])
