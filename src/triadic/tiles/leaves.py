"""Tiles of a graph without its vertices of degree under 2, which are in no triangle.

These vertices have the last ranks. In many networks most vertices are such leaves, and each of them would take memory
in every triple of its range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource


class WithoutLeaves:
    """A source of tiles without the last ranks of another source.

    Parameters
    ----------
    source : TileSource
        The tiles of all ranks.
    ranks : int
        Number of first ranks that remain.
    """

    def __init__(self, source: TileSource, ranks: int) -> None:
        self.source, self.ranks = source, ranks
        self._layout = source.layout.first_ranks(ranks)

    @property
    def layout(self) -> Layout:
        """The layout of the remaining ranks; ranges may be empty, and numbers of edges are upper bounds."""
        return self._layout

    def tile(self, i: int, j: int) -> Tile:
        """Return the remaining rows of tile (i, j); none of them has a column of a removed rank."""
        whole, rows = self.source.tile(i, j), self._layout.length(i)
        if rows == len(whole.indptr) - 1:
            return whole
        # Copies, so that the memory of the whole tile can be freed.
        indptr = whole.indptr[: rows + 1].copy()
        state = None if whole.state is None else whole.state[: indptr[-1]].copy()
        return Tile(indptr, whole.indices[: indptr[-1]].copy(), state)

    def degree(self, i: int) -> NDArray[np.int64]:
        """Return the degrees of the remaining ranks of range `i`: int64, shape (ranks of the range,)."""
        return self.source.degree(i)[: self._layout.length(i)]


def ranks_without_leaves(source: TileSource) -> int:
    """Return the number of ranks up to the last one of degree 2 or more."""
    layout = source.layout
    for i in reversed(range(layout.ranges)):
        inner = np.flatnonzero(source.degree(i) >= 2)
        if len(inner):
            return int(layout.cuts[i] + inner[-1]) + 1
    return 0
