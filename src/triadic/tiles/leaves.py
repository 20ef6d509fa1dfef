"""A graph in tiles without the vertices that no triangle can hold: those of degree under 2.

They have the last ranks, and in many networks they are most vertices, each of which costs its share of memory in every
triple that its range is in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource


class WithoutLeaves:
    """A source of tiles whose last ranks are left out.

    Parameters
    ----------
    source : TileSource
    ranks : int
        So many are kept.
    """

    def __init__(self, source: TileSource, ranks: int) -> None:
        self.source, self.ranks = source, ranks
        self._layout = without_leaves(source.layout, ranks)

    @property
    def layout(self) -> Layout:
        """The figures and ranges of what is kept; ranges may be empty, and edges are at most so many."""
        return self._layout

    def tile(self, i: int, j: int) -> Tile:
        """Give the rows of a tile that are kept; no column that is left out is in any of them."""
        whole, rows = self.source.tile(i, j), self._layout.length(i)
        if rows == len(whole.indptr) - 1:
            return whole
        # Copies, so that the whole is let go.
        indptr = whole.indptr[: rows + 1].copy()
        state = None if whole.state is None else whole.state[: indptr[-1]].copy()
        return Tile(indptr, whole.indices[: indptr[-1]].copy(), state)

    def degree(self, i: int) -> NDArray[np.int64]:
        """Give the degrees of the ranks of range `i` that are kept."""
        return self.source.degree(i)[: self._layout.length(i)]


def ranks_without_leaves(source: TileSource) -> int:
    """Give how many ranks there are up to the last whose degree is 2 or more."""
    layout = source.layout
    for i in reversed(range(layout.ranges)):
        inner = np.flatnonzero(source.degree(i) >= 2)
        if len(inner):
            return int(layout.cuts[i] + inner[-1]) + 1
    return 0


def without_leaves(layout: Layout, ranks: int) -> Layout:
    """Give the layout of the first ranks alone: no edge is in the rows of a range that has none of them."""
    cuts = np.minimum(layout.cuts, ranks)
    kept = np.diff(cuts) > 0
    return replace(layout, cuts=cuts, tile_edges=layout.tile_edges * kept[:, None])
