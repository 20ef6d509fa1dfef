"""Tiles stored in a folder or at a URL, and their header.

The header is a JSON file that is written last: tiles with a header are complete.
"""

from __future__ import annotations

import os
from copy import copy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from triadic.core.records import cached_property
from triadic.errors import ReadError
from triadic.tiles.file_format import (
    TESTED,
    are_within,
    degree_name,
    read_again_without_copy,
    read_array,
    read_labels,
    read_vertices,
    vertex_name,
)
from triadic.tiles.layout import HEADER, read_header
from triadic.tiles.store import FolderStore
from triadic.tiles.tile import TileSource
from triadic.tiles.tile_file import REPAIR, check_tile, read_file, tile_name, with_repair
from triadic.tiles.url_store import UrlStore

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array, Int64Array, IntegerArray, ObjectArray
    from triadic.tiles.tile import Tile
    from triadic.tiles.tile_file import TileFile
    from triadic.tiles.url_store import TileStore


class StoredTiles(TileSource):
    r"""Tiles that `triadic.tile` wrote, as a `triadic.tiles.tile.TileSource`; only the header is held in memory.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.

    Attributes
    ----------
    layout : Layout
        The size of the graph and its ranges, without weights.
    weight_limits : (float, float) or None
        Least and largest weight of the arcs; None if the tiles have no weights.
    origin : dict
        The input and the options that tiling depends on.
    fingerprint : str
        Hash of the header, which differs between different tiles.
    labelled : int
        Number of first vertices that have labels; the others have none.
    label_kind : str or None
        Kind of the labels: None, ``"numbers"`` or ``"names"``.

    Raises
    ------
    MissingFileError
        There are no tiles, or they are not complete.
    ReadError
        The header is damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from triadic.tiles.stored_tiles import open_store
    >>> from triadic.tiles.tiling import tile
    >>> _ = Path("kite.txt").write_text("1 2\n2 3\n1 3\n3 4\n")
    >>> _ = tile("kite.txt", "kite.tiles", directed=False, ranges=2)
    >>> tiles = StoredTiles(open_store("kite.tiles"))
    >>> tiles.layout.edges, tiles.layout.ranges, tiles.tile(1, 0).indices, tiles.labels()
    (4, 2, array([0, 1, 0], dtype=int32), array([1, 2, 3, 4]))
    """

    def __init__(self, store: TileStore) -> None:
        self.store = store
        header = read_header(store)
        self._whole_layout, self._checksums = header.layout, header.checksums
        self.weight_limits, self.layout = header.layout.weight_limits, replace(header.layout, weight_limits=None)
        self.origin, self.fingerprint = header.origin, header.fingerprint
        self.labelled, self.label_kind = header.labelled, header.labels
        self._states: dict[tuple[int, int], object] = {}
        self._checked: dict[tuple[int, int], dict[str, int]] = {}

    def with_weights(self) -> StoredTiles:
        """Return the same tiles with their weights; a `StoredTiles` that was opened by its store does not read them.

        Raises
        ------
        ReadError
            If the tiles have no weights.
        """
        if self.weight_limits is None:
            raise ReadError(self.store.place, "has no weights; expected tiles that were made with weights")
        weighted = copy(self)
        weighted.layout = self._whole_layout
        weighted._states, weighted._checked = {}, {}  # noqa: SLF001 - of its own class
        return weighted

    def has_weights_of(self, column: bool | str | int) -> bool:
        """Return whether the weights are those of a column; True means any, and a header may not name its column."""
        recorded = self.origin.get("weights")
        return column is True or recorded is None or str(column) == str(recorded)

    @cached_property
    def nbytes(self) -> int:
        """Total number of bytes of all files."""
        return self.store.size(self.names)

    def tile(self, i: int, j: int) -> Tile:
        """Return the tile of rows in range `i` and columns in range `j`, j <= i.

        Raises
        ------
        ReadError
            The tile is damaged or missing; the message has its name.
        """
        file, layout = self._file(i, j), self.layout
        tile = file.tile()
        if self._checked.get((i, j)) != file.checksums:  # the rows of an unchanged tile are checked once
            check_tile(tile, layout.length(j), i == j, 0, layout.weight_limits, self._where(i, j))
            self._checked[i, j] = file.checksums
        return tile

    def lengths(self, i: int, j: int) -> IntegerArray:
        """Return the number of entries of each row of tile (i, j), mapped into memory."""
        return self._file(i, j, verified=False).lists["lengths"]

    def rows(self, i: int, j: int, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1 of tile (i, j), of which only their own bytes are read.

        Raises
        ------
        ReadError
            The tile is damaged or missing; the message has its name.
        """
        # A copy, so that the pages of the file are not held.
        tile, layout = self._file(i, j, verified=False).some_rows(first, last).copy(), self.layout
        check_tile(tile, layout.length(j), i == j, first, layout.weight_limits, self._where(i, j))
        return tile

    def _file(self, i: int, j: int, *, verified: bool = True) -> TileFile:
        """Map the file of a tile into memory; its checksums are compared unless it is as they were compared before."""
        header, name, where = self._whole_layout, tile_name(i, j), self._where(i, j)

        def read() -> TileFile:
            content, state = self.store.mapped(name)
            again = verified or state is None or self._states.get((i, j)) != state
            file = read_file(content, i, j, where, weights=self.layout.weighted, verified=again)
            self._states[i, j] = state
            return file

        try:
            file = read_again_without_copy(self.store, name, read)
        except ReadError as error:
            raise with_repair(error) from None
        if file.shape != (header.length(i), int(header.tile_edges[i, j]), header.directed, header.kinds):
            raise ReadError(where, f"is not the tile that the header describes; remove it, and {REPAIR}")
        return file

    def _where(self, i: int, j: int) -> str:
        return f"{self.store.place}/{tile_name(i, j)}"

    @property
    def names(self) -> list[str]:
        """Names of all files, the header's first."""
        return [HEADER, *self._checksums, *(tile_name(*tile) for tile in self.layout.tiles)]

    def degree(self, i: int) -> Int64Array:
        """Return the degrees, in the skeleton, of the ranks in range `i`: int64, shape (ranks of the range,).

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        name, length = degree_name(i), self.layout.length(i)
        degree = np.array(read_array(self.store, name, self._checksums.get(name)))
        if degree.dtype != np.int64 or degree.shape != (length,) or not are_within(degree, self.layout.vertices):
            raise ReadError(f"{self.store.place}/{name}", f"is damaged: expected {length} degrees")
        return degree

    def tested(self) -> Float64Array | None:
        """Return the result of `triadic.tiles.work.entries_tested`, or None if tiling had no memory for it.

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        checksums = self._checksums.get(TESTED)
        if checksums is None:
            return None
        found: Float64Array = read_array(self.store, TESTED, checksums)
        ranges = self.layout.ranges
        if found.dtype != np.float64 or found.shape != (ranges**3,) or not np.isfinite(found).all():
            raise ReadError(f"{self.store.place}/{TESTED}", f"is damaged: expected {ranges}**3 numbers")
        return found.reshape((ranges,) * 3)

    def vertices_of(self, i: int) -> IntegerArray:
        """Return the vertex of each rank of range `i`: int32 or int64, shape (ranks of the range,).

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        layout = self.layout
        return read_vertices(self.store, i, layout.length(i), layout.vertices, self._checksums)

    def labels_of(self, i: int) -> Int64Array | ObjectArray | None:
        """Return the label of each rank of range `i`, shape (ranks of the range,); None if no vertex has a label.

        Vertices from `labelled` on have no label; 0 or an empty name stands for it.

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        if self.label_kind is None:
            return None
        return read_labels(self.store, i, self.label_kind, self.layout.length(i), self._checksums)

    def fill_ranks(self, rank: IntegerArray) -> None:
        """Write the rank of each vertex to an array of shape (n,).

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        rank[:] = -1
        for i, (first, last) in enumerate(pairwise(self.layout.cuts.tolist())):
            rank[self.vertices_of(i)] = np.arange(first, last, dtype=rank.dtype)
        if len(rank) and int(rank.min()) < 0:
            raise ReadError(
                f"{self.store.place}/{vertex_name(0)}", "or another range is damaged: a vertex occurs twice"
            )

    def labels(self) -> Int64Array | ObjectArray | None:
        """Return the labels of the first vertices; vertices past the end of the array have none.

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        if self.label_kind is None:
            return None
        whole: AnyArray = np.empty(self.labelled, np.int64 if self.label_kind == "numbers" else np.object_)
        for i in range(self.layout.ranges):
            vertices, labels = self.vertices_of(i), cast("AnyArray", self.labels_of(i))
            has_label = vertices < len(whole)
            whole[vertices[has_label]] = labels[has_label]
        return whole


def open_store(where: str | os.PathLike[str]) -> TileStore:
    """Return the store of a folder or a URL.

    Parameters
    ----------
    where : str or path-like
        A folder, or a URL that fsspec can open, such as ``s3://bucket/graph``.

    Raises
    ------
    MissingExtraError
        fsspec, or the package it needs for this kind of URL, is not installed.
    """
    place = os.fspath(where)
    scheme, _, path = place.partition("://")
    is_file = path and scheme in ("file", "local")
    if is_url(place) and not is_file:
        return UrlStore(place)
    return FolderStore(Path(path if is_file else place))


def is_url(place: str) -> bool:
    """Return whether a place is a URL, not a path."""
    return "://" in place


def absolute_place(place: str | os.PathLike[str]) -> str:
    """Return a URL as it is, and a path as an absolute one."""
    text = os.fspath(place)
    return text if is_url(text) else str(Path(text).resolve())
