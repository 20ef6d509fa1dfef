"""Counts over the edges of one tile on a worker, a few rows at a time if the tile is large for its memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import show_bytes
from triadic.errors import OutOfMemoryError
from triadic.tiles.edge_sums import TILE_SHARE, count_tile, row_parts

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray
    from triadic.tiles.edge_sums import Shares
    from triadic.tiles.layout import Layout
    from triadic.tiles.sums import PartCounter
    from triadic.tiles.tile import TileSource

_NOT_REFUSED = 1 << 26  # bytes that the estimate of the interpreter's memory leaves in any case
COPIES = 3  # of the counts at the ranks of a tile: the sums, those of some rows, and those that are being counted


def count_tile_in(
    source: TileSource, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...], allowed: int
) -> Shares:
    """Count one tile on one thread, and return what it adds, as `triadic.tiles.edge_sums.count_tile` does.

    Parameters
    ----------
    source : TileSource
        The source of the tile.
    i, j : int
        Ranges of the tile's rows and columns.
    counter : PartCounter
        The count.
    inputs : tuple of array
        The rows of the count's inputs at the ranks of the tile.
    allowed : int
        Bytes that the task may hold.

    Raises
    ------
    OutOfMemoryError
        The counts at the ranks of the tile take too much memory; the message has both sizes.
    """
    layout = source.layout
    _check(layout, i, j, counter, inputs, allowed)
    sums: Shares = []
    for rows in row_parts(source, i, j, allowed // TILE_SHARE):
        shares = count_tile(source, i, j, counter, inputs, rows, threads=1)
        if not sums:
            sums = [(first, counts if counts.flags.writeable else counts.copy()) for first, counts in shares]
            continue
        for (_, total), (_, counts) in zip(sums, shares, strict=True):
            np.add(total, counts, out=total)
    return sums


def _check(layout: Layout, i: int, j: int, counter: PartCounter, inputs: tuple[AnyArray, ...], allowed: int) -> None:
    ranks = layout.length(i) + (layout.length(j) if i != j else 0)
    columns = counter.columns if counter.per_rank else 0
    needed = sum(values.nbytes for values in inputs) + ranks * 8 * (COPIES * columns + 2)  # two arrays of row starts
    if needed > max(allowed, _NOT_REFUSED):
        raise OutOfMemoryError(
            f"counting over the edges of {ranks:,} vertices in two ranges takes at least {show_bytes(needed)}, and a "
            f"thread of a worker has {show_bytes(allowed)}: cut the graph into more ranges, or give workers more "
            "memory or fewer threads"
        )
