"""Tiles stored in a folder or at a URL, and their header.

The header is a JSON file that is written last: tiles with a header are complete.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from triadic.core.arcs import Dropped
from triadic.core.cached import cached_property
from triadic.errors import MissingFileError, ReadError
from triadic.tiles.file_format import (
    LABEL_ENDS,
    LABELS,
    RANK,
    TESTED,
    degree_name,
    parse_json,
    read_again_without_copy,
    read_array,
    read_head,
    read_labels,
    read_tile,
    seal,
    tile_name,
    verify,
    vertex_name,
)
from triadic.tiles.layout import Layout
from triadic.tiles.store import FolderStore
from triadic.tiles.tile_rows import REPAIR, StoredRows, check_rows, with_repair
from triadic.tiles.url_store import UrlStore
from triadic.tiles.vertex_parts import (
    ranks_are_different,
    read_labels_of,
    read_vertices,
    scatter_by_vertex,
    vertices_in,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.store import TileStore
    from triadic.tiles.tile import Tile

HEADER = "header.json"
# Version 3 has vertices and labels in parts, as a cluster writes them; one machine writes version 2.
FORMAT, VERSION, VERSION_IN_PARTS = "triadic tiles", 2, 3
_LABELS = (None, "numbers", "names")


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    """The content of the header.

    Attributes
    ----------
    layout : Layout
        The size of the graph and its ranges.
    labels : str or None
        Kind of the vertices' labels: None, ``"numbers"`` or ``"names"``.
    origin : dict
        The input and the options that tiling depends on; equal for the same call on the same input.
    checksums : dict of str to int
        Checksum of each file except the header and the tiles.
    fingerprint : str
        Hash of the header's file; empty before the header is written.
    labelled : int or None
        Number of first vertices that have labels, if vertices and labels are stored range by range
        (`triadic.tiles.vertex_parts`). None if they are stored as whole arrays.
    """

    layout: Layout
    labels: str | None
    origin: dict[str, Any]
    checksums: dict[str, int]
    fingerprint: str = ""
    labelled: int | None = None


class StoredTiles:
    r"""Tiles that `triadic.tile` wrote, as a `triadic.tiles.tile.TileSource`; only the header is held in memory.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.

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
        self._header = read_header(store)
        self._rows: dict[tuple[int, int], StoredRows] = {}
        self._checked: dict[tuple[int, int], tuple[int, ...]] = {}

    @property
    def layout(self) -> Layout:
        """The size of the graph and its ranges."""
        return self._header.layout

    @property
    def origin(self) -> dict[str, Any]:
        """The input and the options that tiling depends on."""
        return self._header.origin

    @property
    def fingerprint(self) -> str:
        """Hash of the header, which differs between different tiles."""
        return self._header.fingerprint

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
        name, layout = tile_name(i, j), self.layout
        where = f"{self.store.place}/{name}"
        try:
            tile, checksums = read_again_without_copy(self.store, name, lambda: self._read(i, j, name, where))
        except ReadError as error:
            raise with_repair(error) from None
        self._check_shape(len(tile.indptr) - 1, len(tile.indices), tile.state is not None, i, j, where)
        if self._checked.get((i, j)) != checksums:  # the rows of an unchanged tile are checked once
            check_rows(tile, layout.length(j), i == j, 0, where)
            self._checked[i, j] = checksums
        return tile

    def _read(self, i: int, j: int, name: str, where: str) -> tuple[Tile, tuple[int, ...]]:
        """Read a tile and its checksums."""
        content = self.store.get(name)
        return read_tile(content, i, j, where), read_head(content, i, j, where).checksums

    def tile_rows(self, i: int, j: int) -> StoredRows:
        """Return the rows of tile (i, j), which are read without the rest of the tile.

        Raises
        ------
        ReadError
            The tile is damaged or missing; the message has its name.
        """
        if (i, j) not in self._rows:
            rows = StoredRows(self.store, i, j, self.layout.length(j))
            where = f"{self.store.place}/{tile_name(i, j)}"
            self._check_shape(rows.head.rows, rows.head.edges, rows.head.directed, i, j, where)
            self._rows[i, j] = rows
        return self._rows[i, j]

    def _check_shape(self, rows: int, edges: int, directed: bool, i: int, j: int, where: str) -> None:
        layout = self.layout
        if (rows, edges, directed) != (layout.length(i), int(layout.tile_edges[i, j]), layout.directed):
            raise ReadError(where, f"is not the tile that the header describes; remove it, and {REPAIR}")

    @property
    def names(self) -> list[str]:
        """Names of all files, the header's first."""
        ranges = range(self.layout.ranges)
        return [HEADER, *self._header.checksums, *(tile_name(i, j) for i in ranges for j in range(i + 1))]

    def degree(self, i: int) -> NDArray[np.int64]:
        """Return the degrees, in the skeleton, of the ranks in range `i`: int64, shape (ranks of the range,).

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        name, length = degree_name(i), self.layout.length(i)
        degree = np.array(read_array(self.store, name, self._header.checksums.get(name)))
        if degree.dtype != np.int64 or degree.shape != (length,) or not _is_within(degree, self.layout.vertices):
            raise ReadError(f"{self.store.place}/{name}", f"is damaged: expected {length} degrees")
        return degree

    def tested(self) -> NDArray[np.float64] | None:
        """Return the result of `triadic.tiles.work.entries_tested`, or None if tiling had no memory for it.

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        checksums = self._header.checksums.get(TESTED)
        if checksums is None:
            return None
        found: NDArray[np.float64] = read_array(self.store, TESTED, checksums)
        ranges = self.layout.ranges
        if found.dtype != np.float64 or found.shape != (ranges**3,) or not np.isfinite(found).all():
            raise ReadError(f"{self.store.place}/{TESTED}", f"is damaged: expected {ranges}**3 numbers")
        return found.reshape((ranges,) * 3)

    @property
    def in_parts(self) -> bool:
        """Whether vertices and labels are stored range by range, and not as whole arrays."""
        return self._header.labelled is not None

    @cached_property
    def labelled(self) -> int:
        """Number of first vertices that have labels; the others have none."""
        if self._header.labelled is not None:
            return self._header.labelled
        if self._header.labels is None:
            return 0
        name = LABELS if self._header.labels == "numbers" else LABEL_ENDS
        return len(read_array(self.store, name, self._header.checksums.get(name)))

    @property
    def label_kind(self) -> str | None:
        """Kind of the labels: None, ``"numbers"`` or ``"names"``."""
        return self._header.labels

    def vertices_of(self, i: int) -> NDArray[np.integer[Any]]:
        """Return the vertex of each rank of range `i`: int32 or int64, shape (ranks of the range,).

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        if self.in_parts:
            return read_vertices(self.store, i, self.layout, self._header.checksums)
        return vertices_in(self.rank_of_vertices(), int(self.layout.cuts[i]), int(self.layout.cuts[i + 1]))

    def labels_of(self, i: int) -> NDArray[np.int64] | NDArray[np.object_] | None:
        """Return the label of each rank of range `i`, shape (ranks of the range,); None if no vertex has a label.

        Vertices from `labelled` on have no label; 0 or an empty name stands for it.

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        kind = self._header.labels
        if kind is None:
            return None
        if self.in_parts:
            return read_labels_of(self.store, i, kind, self.layout.length(i), self._header.checksums)
        whole, vertices = cast("NDArray[Any]", self.labels()), self.vertices_of(i)
        labels: NDArray[Any] = np.full(len(vertices), 0 if kind == "numbers" else "", dtype=whole.dtype)
        has_label = vertices < len(whole)
        labels[has_label] = whole[vertices[has_label]]
        return labels

    def fill_ranks(self, rank: NDArray[np.integer[Any]]) -> None:
        """Write the rank of each vertex to an array of shape (n,), from tiles that are stored in parts.

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        rank[:] = -1
        scatter_by_vertex(self.layout, self.vertices_of, rank)
        if not ranks_are_different(rank):
            raise ReadError(
                f"{self.store.place}/{vertex_name(0)}", "or another range is damaged: a vertex occurs twice"
            )

    def rank_of_vertices(self) -> NDArray[np.integer[Any]]:
        """Return the rank of each vertex, an int32 or int64 array of shape (n,).

        It is mapped into memory, or made in memory if the tiles are stored in parts.

        Raises
        ------
        ReadError
            The file is missing or damaged.
        """
        if self.in_parts:
            n = self.layout.vertices
            made: NDArray[np.integer[Any]] = np.empty(n, dtype=np.int32 if n < 2**31 else np.int64)
            self.fill_ranks(made)
            return made
        rank, n = read_array(self.store, RANK, self._header.checksums.get(RANK)), self.layout.vertices
        if rank.dtype not in (np.int32, np.int64) or rank.shape != (n,) or not _is_within(rank, n):
            raise ReadError(f"{self.store.place}/{RANK}", f"is damaged: expected {n} ranks from 0 to {n - 1}")
        return rank

    def labels(self) -> NDArray[np.int64] | NDArray[np.object_] | None:
        """Return the labels of the first vertices; vertices past the end of the array have none.

        Raises
        ------
        ReadError
            A file is missing or damaged.
        """
        if self.in_parts:
            return self._labels_in_parts()
        labels = read_labels(self.store, self._header.labels, self._header.checksums)
        if labels is not None and len(labels) > self.layout.vertices:
            raise ReadError(
                f"{self.store.place}/{LABELS}", f"is damaged: expected {self.layout.vertices} labels at most"
            )
        return labels

    def _labels_in_parts(self) -> NDArray[np.int64] | NDArray[np.object_] | None:
        """Return the labels of the first vertices from the labels of each range."""
        kind = self._header.labels
        if kind is None:
            return None
        whole: NDArray[Any] = np.empty(self.labelled, dtype=np.int64 if kind == "numbers" else np.object_)
        for i in range(self.layout.ranges):
            vertices, labels = self.vertices_of(i), cast("NDArray[Any]", self.labels_of(i))
            has_label = vertices < len(whole)
            whole[vertices[has_label]] = labels[has_label]
        return whole


def _is_within(values: NDArray[np.integer[Any]], limit: int) -> bool:
    """Return whether all values are from 0 to `limit` - 1."""
    return len(values) == 0 or 0 <= int(values.min()) <= int(values.max()) < limit


def open_store(where: str | os.PathLike[str], *, cache: Path | None = None, cache_bytes: int = 1 << 36) -> TileStore:
    """Return the store of a folder or a URL.

    Parameters
    ----------
    where : str or path-like
        A folder, or a URL that fsspec can open, such as ``s3://bucket/graph``.
    cache : pathlib.Path, optional
        Folder of the copies of files at a URL; by default one in the user's cache folder.
    cache_bytes : int, default 2**36
        Largest total size of the copies, in bytes; the least recently used ones are removed.

    Raises
    ------
    MissingExtraError
        fsspec, or the package it needs for this kind of URL, is not installed.
    """
    place = os.fspath(where)
    scheme, _, path = place.partition("://")
    if path and scheme in ("file", "local"):
        return FolderStore(Path(path))
    if is_url(place):
        return UrlStore(place, cache=cache, cache_bytes=cache_bytes)
    return FolderStore(Path(place))


def is_url(place: str) -> bool:
    """Return whether a place is a URL, not a path."""
    return "://" in place


def write_header(store: TileStore, header: Header) -> None:
    """Write the header; all other files must be complete."""
    layout = header.layout
    content = {
        "format": FORMAT,
        "version": VERSION if header.labelled is None else VERSION_IN_PARTS,
        "directed": layout.directed,
        "vertices": layout.vertices,
        "edges": layout.edges,
        "arcs": layout.arcs,
        "dropped": asdict(layout.dropped),
        "labels": header.labels,
        **({} if header.labelled is None else {"labelled": header.labelled}),
        "cuts": layout.cuts.tolist(),
        "tile_edges": [layout.tile_edges[i, : i + 1].tolist() for i in range(layout.ranges)],
        "origin": header.origin,
        "checksums": header.checksums,
    }
    store.put(HEADER, [seal(content)])


def read_header(store: TileStore) -> Header:
    """Read the header.

    Raises
    ------
    MissingFileError
        There is no header: there are no tiles, or they are not complete.
    ReadError
        The header is damaged, or of another format or version.
    """
    where = f"{store.place}/{HEADER}"
    try:
        written = store.refresh(HEADER).tobytes()
        content = parse_json(written)
        _check_version(content, where)
        content = verify(content)
    except (MissingFileError, ReadError):
        raise
    except ValueError as error:
        raise ReadError(where, f"is damaged: {' '.join(str(error).split())[:200]}") from None
    try:
        return _header(content, blake2b(written, digest_size=16).hexdigest())
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ReadError(where, f"is damaged: {' '.join(str(error).split())[:200]}") from None


def _check_version(content: Any, where: str) -> None:  # noqa: ANN401 - whatever the JSON of the file holds
    """Raise a ReadError if the content of a file is not the header of tiles, or of another version."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ReadError(where, f"is not the header of tiles; expected the format {FORMAT!r}")
    if content.get("version") not in (VERSION, VERSION_IN_PARTS):
        found = (
            f"is of version {content.get('version')!r}, this triadic reads versions {VERSION} and {VERSION_IN_PARTS}"
        )
        raise ReadError(where, f"{found}; make the tiles again")


def _header(content: dict[str, Any], fingerprint: str) -> Header:
    """Check the content of a header's file; raise an error of Python if it is damaged."""
    cuts = np.array(content["cuts"], dtype=np.int64)
    ranges = len(cuts) - 1
    if ranges < 1 or cuts[0] != 0 or cuts[-1] != content["vertices"] or (np.diff(cuts) < 0).any():
        raise ValueError(f"cuts should rise from 0 to {content['vertices']}")
    edges = np.zeros((ranges, ranges), dtype=np.int64)
    if len(content["tile_edges"]) != ranges:
        raise ValueError(f"tile_edges should have {ranges} rows")
    for i, row in enumerate(content["tile_edges"]):
        edges[i, : i + 1] = row
    if (edges < 0).any() or int(edges.sum()) != content["edges"]:
        raise ValueError(f"tile_edges should add up to {content['edges']}")
    lengths = np.diff(cuts)
    if (edges > np.outer(lengths, lengths).astype(np.float64)).any():
        raise ValueError("tile_edges should not exceed the pairs of vertices of a tile")
    if not content["edges"] <= content["arcs"] <= 2 * content["edges"]:
        raise ValueError(f"arcs should be from {content['edges']} to {2 * content['edges']}")
    counts, checksums = content["dropped"], content["checksums"]
    if not all(type(count) is int and count >= 0 for count in (*counts.values(), *checksums.values())):
        raise ValueError("dropped and checksums should be numbers of 0 or more")
    if content["labels"] not in _LABELS or type(content["directed"]) is not bool:
        raise ValueError(f"labels should be one of {_LABELS}, and directed true or false")
    labelled = content["labelled"] if content["version"] == VERSION_IN_PARTS else None
    if labelled is not None and not (type(labelled) is int and 0 <= labelled <= content["vertices"]):
        raise ValueError(f"labelled should be a number from 0 to {content['vertices']}")
    layout = Layout(cuts, edges, content["directed"], int(content["arcs"]), Dropped(**counts))
    return Header(layout, content["labels"], dict(content["origin"]), checksums, fingerprint, labelled)
