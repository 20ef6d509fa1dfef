"""Which tiles are read while triples are counted, by the cache that counting uses, over tiles that hold nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.tiles.tile import CachedTiles, Tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.triples import Triple

_NOTHING = Tile(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32), None)


class _Unread:
    """A source of tiles that counts the bytes which would be read."""

    def __init__(self, layout: Layout, file_bytes: NDArray[np.int64]) -> None:
        self.layout, self._file_bytes = layout, file_bytes
        self.read = 0

    def tile(self, i: int, j: int) -> Tile:
        self.read += int(self._file_bytes[i, j])
        return _NOTHING

    def degree(self, i: int) -> NDArray[np.int64]:
        return np.zeros(self.layout.length(i), dtype=np.int64)


def passed(layout: Layout, in_groups: list[list[Triple]], room: int, file_bytes: NDArray[np.int64]) -> tuple[int, int]:
    """Give the bytes of tiles that counting these groups reads, and the most that are held at once.

    Parameters
    ----------
    layout : Layout
    in_groups : list of list of Triple
        In the order that they are counted in.
    room : int
        Bytes of tiles to keep.
    file_bytes : int64 array, shape (P, P)
    """
    source = _Unread(layout, file_bytes)
    every = sum(layout.tile_bytes(i, j) for i in range(layout.ranges) for j in range(i + 1))
    with CachedTiles(source, room) as tiles:
        order = [triple for group in in_groups for triple in group]
        for triple, after in zip(order, [*order[1:], None], strict=True):
            tiles.fetch(triple.tiles, () if after is None else after.tiles)
            for tile in triple.tiles:
                tiles.tile(*tile)
    return source.read, min(max(room, 0), every)
