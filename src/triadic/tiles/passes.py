"""Sums over the edges of a tiled graph: one pass over its tiles, each as a small oriented graph of its two ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import Oriented

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.tiles.tile import Tile
    from triadic.tiles.tiles import Tiles

    OfTile = Callable[[Oriented, NDArray[np.int64]], NDArray[np.int64]]


def sum_over_tiles(tiles: Tiles, values: NDArray[np.int64], of_tile: OfTile, sums: NDArray[np.int64]) -> None:
    """Add at each rank what its edges give.

    Parameters
    ----------
    tiles : Tiles
    values : int64 array, shape (n, given)
        What is known of each rank.
    of_tile : callable
        Given an oriented graph and the values of its ranks, gives what they get: shape (its ranks, got).
    sums : int64 array, shape (n, got)
        Added to.
    """
    layout = tiles.layout
    for i in range(layout.ranges):
        of_rows = slice(int(layout.cuts[i]), int(layout.cuts[i + 1]))
        for j in range(i + 1):
            if not layout.tile_edges[i, j]:
                continue
            tile = tiles.source.tile(i, j)
            if i == j:
                sums[of_rows] += of_tile(_oriented(tile, 0), values[of_rows])
                continue
            of_columns = slice(int(layout.cuts[j]), int(layout.cuts[j + 1]))
            below = layout.length(j)
            found = of_tile(_oriented(tile, below), np.concatenate([values[of_columns], values[of_rows]]))
            sums[of_columns] += found[:below]
            sums[of_rows] += found[below:]


def _oriented(tile: Tile, below: int) -> Oriented:
    """Give a tile as an oriented graph, its rows after so many empty ones."""
    indptr = np.concatenate([np.zeros(below, dtype=np.int64), tile.indptr]) if below else tile.indptr
    unused: Any = np.broadcast_to(np.int32(0), len(indptr) - 1)
    return Oriented(unused, indptr, tile.indices, tile.state, unused)
