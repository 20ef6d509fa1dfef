"""Tiles that lie in a folder or at a URL, as counting takes them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import MissingFileError, ReadError
from triadic.tiles.header import HEADER, read_header
from triadic.tiles.tile_file import read_tile, tile_name
from triadic.tiles.vectors import RANK, TESTED, degree_name, read_array, read_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.store import TileStore
    from triadic.tiles.tile import Tile


_AGAIN = "the same `triadic tile` makes the tiles again"


class StoredTiles:
    r"""A `triadic.tiles.tile.TileSource` of what `triadic.tile` wrote. Nothing is held but the header.

    Parameters
    ----------
    store : TileStore

    Raises
    ------
    MissingFileError
        No tiles are there, or they are not all made yet.
    ReadError
        The header is damaged.

    Examples
    --------
    >>> from triadic.tiles.opening import open_store
    >>> from triadic.tiles.tiling import tile
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "kite.txt").write_text("1 2\n2 3\n1 3\n3 4\n")
    >>> _ = tile(folder / "kite.txt", folder / "kite.tiles", directed=False, ranges=2)
    >>> tiles = StoredTiles(open_store(folder / "kite.tiles"))
    >>> tiles.layout.edges, tiles.layout.ranges, tiles.tile(1, 0).indices, tiles.labels()
    (4, 2, array([0, 1, 0], dtype=int32), array([1, 2, 3, 4]))
    """

    def __init__(self, store: TileStore) -> None:
        self.store = store
        self._header = read_header(store)

    @property
    def layout(self) -> Layout:
        """The graph's figures and ranges."""
        return self._header.layout

    @property
    def origin(self) -> dict[str, Any]:
        """What was tiled, and how it was asked for."""
        return self._header.origin

    @property
    def fingerprint(self) -> str:
        """What tells these tiles from any others."""
        return self._header.fingerprint

    @cached_property
    def nbytes(self) -> int:
        """Bytes of all files."""
        return self.store.size(self.names)

    def tile(self, i: int, j: int) -> Tile:
        """Give the tile of rows in range `i` and columns in range `j`, j <= i.

        Raises
        ------
        ReadError
            It is damaged or gone; the message names it.
        """
        name, layout = tile_name(i, j), self.layout
        where = f"{self.store.place}/{name}"
        try:
            tile = read_tile(self.store.get(name), i, j, where)
        except ReadError as error:
            first = "" if isinstance(error, MissingFileError) else "remove it, and "
            raise type(error)(error.path, f"{error.problem}; {first}{_AGAIN}") from None
        found = (len(tile.indptr) - 1, len(tile.indices), tile.state is not None)
        if found != (layout.length(i), int(layout.tile_edges[i, j]), layout.directed):
            raise ReadError(where, f"is not the tile that the header speaks of; remove it, and {_AGAIN}")
        return tile

    @property
    def names(self) -> list[str]:
        """Names of all files, the header's first."""
        ranges = range(self.layout.ranges)
        return [HEADER, *self._header.crc, *(tile_name(i, j) for i in ranges for j in range(i + 1))]

    def degree(self, i: int) -> NDArray[np.int64]:
        """Give the degrees in the skeleton of the ranks in range `i`.

        Raises
        ------
        ReadError
        """
        name = degree_name(i)
        return np.array(read_array(self.store, name, self._header.crc.get(name)))

    def tested(self) -> NDArray[np.float64] | None:
        """Give `triadic.tiles.work.entries_tested`, if tiling noted it.

        Raises
        ------
        ReadError
        """
        crc = self._header.crc.get(TESTED)
        if crc is None:
            return None
        found: NDArray[np.float64] = read_array(self.store, TESTED, crc)
        return found.reshape((self.layout.ranges,) * 3)

    def rank_of_vertices(self) -> NDArray[np.integer[Any]]:
        """Give the rank of each vertex, an int32 or int64 array of shape (n,), mapped into memory.

        Raises
        ------
        ReadError
        """
        return read_array(self.store, RANK, self._header.crc.get(RANK))

    def labels(self) -> NDArray[np.int64] | NDArray[np.object_] | None:
        """Give the names of the vertices 0, 1, ...; vertices past its end have none.

        Raises
        ------
        ReadError
        """
        return read_labels(self.store, self._header.labels, self._header.crc)
