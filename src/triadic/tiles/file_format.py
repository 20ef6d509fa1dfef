"""The file formats of tiles and of the arrays stored beside them; every file has checksums.

A tile's file is a header of 128 bytes, then columns, states and lengths of rows, each with a checksum. Most rows are
short, so a row's length is stored in one, two or four bytes instead of its start in eight. Columns come first, at a
multiple of 64 bytes, so that they are used in place without a copy.

Headers, checkpoints and the progress of counts are JSON objects with their own checksum.

Ranks, degrees and labels of vertices, and the numbers of entries that triples test, are ``.npy`` files, whose checksums
are in the header of the tiles (`triadic.tiles.header.Header`).

The weights of a tile are in a file beside the tile's own, which is read only if weights are needed: a header of 64
bytes and float64 numbers, all weights of one kind after those of the other, with a checksum. They are used in place as
well.

Tiles made on a cluster store for each range which vertex each of its ranks is, and the label of that vertex, so that no
array as long as the graph is needed. Tiles made on one machine store two whole arrays instead: the rank of each vertex,
and the labels of the vertices in their order.

::

    vertex-3.npy       vertex of each rank of range 3: int32, or int64 if there are 2**31 vertices or more
    label-3.npy        label of each rank of range 3: int64, or the bytes of all names in UTF-8, one after the other
    label_ends-3.npy   int64, where in these bytes each name ends; with names only

Vertices from the number `labelled` of the header on have no label; in these files 0 or an empty name stands for it.
"""

from __future__ import annotations

import io
import json
import os
import struct
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from xxhash import xxh3_64

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.io.folder import label_arrays, names_of
from triadic.tiles.store import as_bytes
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int32Array, Int64Array, ObjectArray, Uint8Array
    from triadic.tiles.layout import Layout
    from triadic.tiles.store import Bytes, TileStore

    Labels = Int64Array | ObjectArray
    T = TypeVar("T")


_MAGIC, _VERSION = b"TRIADTIL", 2
# Magic, version, bytes of a row's length, whether directed, ranges i and j, rows, edges, arcs; then checksums of
# columns, states, lengths, and of all preceding bytes of the header.
_HEADER = struct.Struct("<8sIHHIIqqqQQQ48xQ")
_OWN_AT = _HEADER.size - 8
HEAD_BYTES = _HEADER.size

RANK, TESTED = "rank.npy", "tested.npy"
LABELS, LABEL_ENDS = "labels.npy", "label_ends.npy"
_CHECKSUM = "checksum"  # its key in a sealed JSON object
_PIECE = 1 << 22
_HELD_BYTES = 1 << 26
RESULTS = "results"  # folder of counts, beside the tiles
WORK = "work"  # folder of the files that exist only while a cluster makes tiles


@dataclass(frozen=True, slots=True)
class TileHead:
    """The header of a tile's file.

    Attributes
    ----------
    i, j : int
        Ranges of the rows and of the columns.
    rows, edges : int
        Number of rows, and of edges.
    arcs : int
        Number of different arcs of the input in this tile, also if directions are not stored.
    directed : bool
        Whether the tile has states.
    width : int
        Bytes of a row's length: 1, 2 or 4.
    checksums : tuple of int
        Checksums of columns, states and lengths of rows.
    """

    i: int
    j: int
    rows: int
    edges: int
    arcs: int
    directed: bool
    width: int
    checksums: tuple[int, int, int]

    @property
    def size(self) -> int:
        """Number of bytes of the whole file."""
        return self.starts[-1]

    @property
    def starts(self) -> tuple[int, int, int, int]:
        """Places in the file where columns, states and lengths begin, and its end."""
        states = _HEADER.size + 4 * self.edges
        lengths = states + (self.edges if self.directed else 0)
        return _HEADER.size, states, lengths, lengths + self.width * self.rows


def tile_name(i: int, j: int) -> str:
    """Return the name of the file of tile (i, j)."""
    return f"tile-{i}-{j}"


def tile_parts(
    i: int,
    j: int,
    lengths: Int64Array,
    indices: Int32Array,
    state: Uint8Array | None,
    arcs: int,
) -> list[Bytes]:
    """Return the parts of the file of tile (i, j) in order: header, columns, states, lengths of rows.

    Parameters
    ----------
    i, j : int
        Ranges of the rows and of the columns.
    lengths : int64 array, shape (rows,)
        Number of edges of each row.
    indices : int32 array, shape (edges,)
        Columns, counted from the first of range `j`, rising within a row.
    state : uint8 array, shape (edges,), or None
        Directions of a directed graph's arcs, as in `triadic.core.oriented.Oriented`.
    arcs : int
        Number of different arcs of the input in this tile.
    """
    longest = int(lengths.max(initial=0))
    width = 1 if longest < 1 << 8 else 2 if longest < 1 << 16 else 4
    short = lengths.astype(f"<u{width}")
    states = np.empty(0, dtype=np.uint8) if state is None else state
    checksums = (checksum([as_bytes(part)]) for part in (indices, states, short))
    fields = (_MAGIC, _VERSION, width, int(state is not None), i, j, len(lengths), len(indices), arcs, *checksums)
    start = _HEADER.pack(*fields, 0)[:_OWN_AT]
    return [start + checksum([start]).to_bytes(8, "little"), indices, states, short]


def read_head(content: Uint8Array, i: int, j: int, where: str) -> TileHead:
    """Read the header of the file of tile (i, j).

    Raises
    ------
    ReadError
        The file is not a tile, is another tile, or is damaged.
    """
    return parse_head(content[: _HEADER.size].tobytes(), len(content), i, j, where)


def parse_head(start: bytes, size: int, i: int, j: int, where: str) -> TileHead:
    """Read the header of the file of tile (i, j) from its first `HEAD_BYTES` bytes; `size` is the file's.

    Raises
    ------
    ReadError
        The file is not a tile, is another tile, or is damaged.
    """
    if len(start) < _HEADER.size or not start.startswith(_MAGIC):
        raise ReadError(where, f"is damaged or no tile: expected {_HEADER.size} bytes that begin with {_MAGIC!r}")
    _, version, width, directed, own_i, own_j, rows, edges, arcs, *checksums, own = _HEADER.unpack(start)
    if version != _VERSION and version < 1 << 16:
        raise ReadError(where, f"is of version {version}, this triadic reads version {_VERSION}; make the tiles again")
    if checksum([start[:_OWN_AT]]) != own:
        raise ReadError(where, "is damaged: its header does not have its checksum")
    if (own_i, own_j) != (i, j):
        raise ReadError(where, f"is tile {own_i}-{own_j}, expected tile {i}-{j}")
    head = TileHead(i, j, rows, edges, arcs, bool(directed), width, (checksums[0], checksums[1], checksums[2]))
    if size != head.size:
        raise ReadError(where, f"is damaged: it has {size} bytes, expected {head.size}")
    return head


def read_tile(content: Uint8Array, i: int, j: int, where: str) -> Tile:
    """Read tile (i, j) from the bytes of its file; columns and states are views of these bytes.

    Parameters
    ----------
    content : uint8 array, shape (bytes,)
        The whole file.
    i, j : int
        Ranges of the rows and of the columns.
    where : str
        Path or URL of the file, for messages.

    Raises
    ------
    ReadError
        A checksum does not match, or bytes are missing.

    Examples
    --------
    >>> parts = tile_parts(0, 0, np.array([0, 1]), np.array([0], dtype=np.int32), None, 1)
    >>> content = np.concatenate([np.frombuffer(part, dtype=np.uint8) for part in parts if len(part)])
    >>> read_tile(content, 0, 0, "tile-0-0").indptr
    array([0, 0, 1])
    """
    head = read_head(content, i, j, where)
    ends = head.starts
    kinds: tuple[Any, ...] = (np.dtype("<i4"), np.dtype(np.uint8), np.dtype(f"<u{head.width}"))
    arrays: list[AnyArray] = []
    for part, kind, stated in zip(("columns", "states", "lengths"), kinds, head.checksums, strict=True):
        k = len(arrays)
        piece = content[ends[k] : ends[k + 1]]
        if checksum([as_bytes(piece)]) != stated:
            raise ReadError(where, f"is damaged: its {part} do not have their checksum")
        arrays.append(piece.view(kind))
    indptr = np.zeros(head.rows + 1, dtype=np.int64)
    np.cumsum(arrays[2], out=indptr[1:])
    if indptr[-1] != head.edges:
        raise ReadError(where, f"is damaged: its rows have {indptr[-1]} edges, expected {head.edges}")
    return Tile(indptr, arrays[0], arrays[1] if head.directed else None)


def degree_name(i: int) -> str:
    """Return the name of the file of the degrees of range `i`."""
    return f"degree-{i}.npy"


def vertex_name(i: int) -> str:
    """Return the name of the file of the vertices of range `i`; see `triadic.tiles.file_format`."""
    return f"vertex-{i}.npy"


def label_name(i: int) -> str:
    """Return the name of the file of the labels of range `i`."""
    return f"label-{i}.npy"


def label_ends_name(i: int) -> str:
    """Return the name of the file of the ends of the names of range `i`."""
    return f"label_ends-{i}.npy"


def put_array(store: TileStore, name: str, array: AnyArray) -> int:
    """Write a one-dimensional array and return the checksum of its file."""
    start = io.BytesIO()
    header: dict[str, Any] = {
        "descr": np.lib.format.dtype_to_descr(array.dtype),
        "fortran_order": False,
        "shape": array.shape,
    }
    np.lib.format.write_array_header_1_0(start, header)
    parts: list[Bytes] = [start.getvalue(), array]
    store.put(name, parts)
    return checksum([start.getvalue(), as_bytes(array)])


def read_array(store: TileStore, name: str, stated: int | None) -> AnyArray:
    """Check the checksum of an array's file and map the array into memory.

    If there is no room on this machine for a copy of a file at a URL, an array of up to 64 MiB is held in memory.

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        The file is damaged or cannot be read.
    WriteError
        There is no room for a copy of a larger file.
    """
    return read_again_without_copy(store, name, lambda: _read_array(store, name, stated))


def read_again_without_copy(store: TileStore, name: str, read: Callable[[], T]) -> T:
    """Return the result of ``read()``; if a file is damaged, read it again if its copy on this machine was to blame."""
    try:
        return read()
    except MissingFileError:
        raise
    except ReadError:
        if not store.drop_copy(name):
            raise
    return read()


def _read_array(store: TileStore, name: str, stated: int | None) -> AnyArray:
    where = f"{store.place}/{name}"
    try:
        path = store.local(name)
    except WriteError:  # the disk of copies has no room
        content = store.get(name)
        if len(content) > _HELD_BYTES:
            raise
        return _array_of(content, stated, where)
    try:
        if stated is None or file_checksum(path) != stated:
            raise ReadError(where, "is damaged: it does not have its checksum")
        with path.open("rb") as file:
            np.lib.format.read_magic(file)
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            offset = file.tell()
        if dtype.hasobject or path.stat().st_size != offset + dtype.itemsize * prod(shape):
            raise ReadError(where, "is damaged: its size is not the size of its array")
        if 0 in shape:
            return np.empty(shape, dtype=dtype)
        # Compiled kernels accept plain arrays only, not the subclass `memmap`.
        return np.asarray(np.memmap(path, dtype=dtype, mode="r", offset=offset, shape=shape))
    except (OSError, ValueError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(where, f"cannot be read: {' '.join(str(error).split())[:200]}") from None


def _array_of(content: Uint8Array, stated: int | None, where: str) -> AnyArray:
    """Check the checksum of the bytes of an array's file, and return the array."""
    if stated is None or checksum([as_bytes(content)]) != stated:
        raise ReadError(where, "is damaged: it does not have its checksum")
    try:
        array: AnyArray = np.load(io.BytesIO(content.tobytes()), allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ReadError(where, f"cannot be read: {' '.join(str(error).split())[:200]}") from None
    return array


def put_labels(store: TileStore, labels: Labels | None) -> tuple[str | None, dict[str, int]]:
    """Write the labels of vertices; return their kind (None, "numbers" or "names") and the checksums of their files.

    Names are stored as their bytes in UTF-8 and the end of each name.
    """
    if labels is None or len(labels) == 0:
        return None, {}
    arrays = {f"{name}.npy": array for name, array in label_arrays(labels).items() if array is not None}
    checksums = {name: put_array(store, name, array) for name, array in arrays.items()}
    return "names" if LABEL_ENDS in checksums else "numbers", checksums


def read_labels(store: TileStore, kind: str | None, checksums: dict[str, int]) -> Labels | None:
    """Read the labels that `put_labels` wrote; `kind` and `checksums` are the values that it returned.

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        A file is damaged or cannot be read.
    """
    if kind is None:
        return None
    content = read_array(store, LABELS, checksums.get(LABELS))
    if kind == "numbers":
        if content.dtype != np.int64:
            raise ReadError(f"{store.place}/{LABELS}", f"is damaged: expected int64, found {content.dtype}")
        return content
    ends = read_array(store, LABEL_ENDS, checksums.get(LABEL_ENDS))
    if ends.dtype != np.int64 or content.dtype != np.uint8 or not are_ends(ends, len(content)):
        raise ReadError(f"{store.place}/{LABEL_ENDS}", f"is damaged: expected numbers that rise to {len(content)}")
    try:
        return names_of(content, ends)
    except UnicodeDecodeError:
        raise ReadError(f"{store.place}/{LABELS}", "is damaged: expected names in UTF-8") from None


def are_ends(ends: Int64Array, size: int) -> bool:
    """Return whether numbers are the ends of names whose bytes are `size` in all."""
    return bool(len(ends) and ends[0] >= 0 and ends[-1] == size and (ends[1:] >= ends[:-1]).all())


def checksum(parts: Iterable[bytes | memoryview]) -> int:
    """Return the checksum of bytes that come in parts: XXH3 with 64 bits, from 0 to 2**64 - 1.

    XXH3 finds damage by a disk or by a network, but not a change that somebody made on purpose.

    Examples
    --------
    >>> checksum([b"ab", b"c"]) == checksum([b"abc"])
    True
    """
    state = xxh3_64()
    for part in parts:
        state.update(part)
    return state.intdigest()


def file_checksum(path: Path, *, size: int | None = None, before: bytes = b"") -> int:
    """Return the checksum of the first `size` bytes of a file, by default all, and of some bytes before them."""

    def parts() -> Iterator[bytes]:
        yield before
        with path.open("rb", buffering=0) as file:
            left = os.fstat(file.fileno()).st_size if size is None else size
            while left > 0 and (part := file.read(min(left, _PIECE))):
                left -= len(part)
                yield part

    return checksum(parts())


def seal(content: dict[str, Any]) -> bytes:
    """Return an object as JSON, with the checksum of its content.

    Examples
    --------
    >>> unseal(seal({"vertices": 3}))
    {'vertices': 3}
    """
    return f"{json.dumps({**content, _CHECKSUM: _json_checksum(content)}, indent=1)}\n".encode()


def unseal(text: bytes) -> dict[str, Any]:
    """Return the object that `seal` wrote.

    Raises
    ------
    ValueError
        If the text is not a JSON object, or does not have its checksum.

    Examples
    --------
    >>> unseal(seal({"vertices": 3}).replace(b"3", b"4"))
    Traceback (most recent call last):
    ValueError: it does not have its checksum
    """
    return verify(parse_json(text))


def parse_json(text: bytes) -> Any:  # noqa: ANN401 - whatever the JSON holds
    """Return the value of a JSON text; raise ValueError if it is damaged."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def verify(content: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    """Return a sealed object without its checksum; raise ValueError if it is no object or its checksum is wrong."""
    if not isinstance(content, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - all damage is a ValueError, as json.loads raises
    stated = content.pop(_CHECKSUM, None)
    if stated != _json_checksum(content):
        raise ValueError("it does not have its checksum")
    return content


def _json_checksum(content: dict[str, Any]) -> int:
    return checksum([json.dumps(content).encode()])


_WEIGHT_MAGIC, _WEIGHT_VERSION = b"TRIADWGT", 1
# Magic, version, kinds, ranges i and j, edges, checksum of the weights, checksum of all preceding bytes of the header.
_WEIGHT_HEADER = struct.Struct("<8sIIIIqQ16xQ")
_WEIGHT_OWN_AT = _WEIGHT_HEADER.size - 8
WEIGHT_HEAD_BYTES = _WEIGHT_HEADER.size


@dataclass(frozen=True, slots=True)
class WeightHead:
    """The header of a file of weights.

    Attributes
    ----------
    kinds : int
        Number of weights of an edge: 1 in an undirected graph, 2 in a directed one.
    edges : int
        Number of edges of the tile.
    checksum : int
        Checksum of the weights.
    """

    kinds: int
    edges: int
    checksum: int

    @property
    def size(self) -> int:
        """Number of bytes of the whole file."""
        return _WEIGHT_HEADER.size + 8 * self.kinds * self.edges

    def start(self, kind: int) -> int:
        """Return the place in the file where the weights of a kind begin."""
        return _WEIGHT_HEADER.size + 8 * kind * self.edges


def weight_name(i: int, j: int) -> str:
    """Return the name of the file of the weights of tile (i, j)."""
    return f"weight-{i}-{j}"


def weight_parts(i: int, j: int, weights: Float64Array) -> list[Bytes]:
    """Return the parts of the file of the weights of tile (i, j) in order: its header, and each kind of weight.

    Parameters
    ----------
    i, j : int
        Ranges of the rows and of the columns.
    weights : float64 array, shape (kinds, edges)
        Weights, as in `triadic.tiles.tile.Tile`.
    """
    kinds, edges = weights.shape
    rows = [np.ascontiguousarray(kind, dtype="<f8") for kind in weights]
    fields = (_WEIGHT_MAGIC, _WEIGHT_VERSION, kinds, i, j, edges, checksum(as_bytes(kind) for kind in rows))
    start = _WEIGHT_HEADER.pack(*fields, 0)[:_WEIGHT_OWN_AT]
    return [start + checksum([start]).to_bytes(8, "little"), *rows]


def parse_weight_head(start: bytes, size: int, i: int, j: int, where: str) -> WeightHead:
    """Read the header of the file of the weights of tile (i, j) from its first bytes; `size` is the file's.

    Raises
    ------
    ReadError
        The file has no weights, is of another tile, or is damaged.
    """
    if len(start) < _WEIGHT_HEADER.size or not start.startswith(_WEIGHT_MAGIC):
        raise ReadError(
            where,
            f"is damaged or has no weights: expected {_WEIGHT_HEADER.size} bytes that begin with {_WEIGHT_MAGIC!r}",
        )
    _, version, kinds, own_i, own_j, edges, stated, own = _WEIGHT_HEADER.unpack(start)
    if version != _WEIGHT_VERSION and version < 1 << 16:
        raise ReadError(
            where, f"is of version {version}, this triadic reads version {_WEIGHT_VERSION}; make the tiles again"
        )
    if checksum([start[:_WEIGHT_OWN_AT]]) != own:
        raise ReadError(where, "is damaged: its header does not have its checksum")
    if (own_i, own_j) != (i, j):
        raise ReadError(where, f"has the weights of tile {own_i}-{own_j}, expected those of tile {i}-{j}")
    head = WeightHead(kinds, edges, stated)
    if size != head.size:
        raise ReadError(where, f"is damaged: it has {size} bytes, expected {head.size}")
    return head


def read_weights(content: Uint8Array, i: int, j: int, where: str) -> tuple[Float64Array, int]:
    """Read the weights of tile (i, j) from the bytes of their file, as a view of these bytes, and their checksum.

    Parameters
    ----------
    content : uint8 array, shape (bytes,)
        The whole file.
    i, j : int
        Ranges of the rows and of the columns.
    where : str
        Path or URL of the file, for messages.

    Returns
    -------
    float64 array, shape (kinds, edges)
        The weights.
    int
        The checksum.

    Raises
    ------
    ReadError
        A checksum does not match, or bytes are missing.

    Examples
    --------
    >>> parts = weight_parts(1, 0, np.array([[0.5, 2.0]]))
    >>> content = np.concatenate([np.frombuffer(part, dtype=np.uint8) for part in parts])
    >>> read_weights(content, 1, 0, "weight-1-0")[0]
    array([[0.5, 2. ]])
    """
    head = parse_weight_head(content[: _WEIGHT_HEADER.size].tobytes(), len(content), i, j, where)
    numbers = content[_WEIGHT_HEADER.size :]
    if checksum([as_bytes(numbers)]) != head.checksum:
        raise ReadError(where, "is damaged: its weights do not have their checksum")
    weights: Float64Array = numbers.view("<f8").reshape(head.kinds, head.edges)
    return weights, head.checksum


def check_weights(weights: Float64Array, limits: tuple[float, float], where: str) -> None:
    """Raise a ReadError unless all weights are within the limits of the graph, or 0 for an arc that does not exist.

    Counts rely on that: sums of products of weights have room for weights within the limits only. A checksum does not
    tell it, since somebody who makes tiles can also make their checksums.
    """
    least, most = min(limits[0], 0.0), max(limits[1], 0.0)
    if weights.size and not (least <= weights.min() and weights.max() <= most):  # false for a weight that is no number
        raise ReadError(where, f"is damaged: expected weights from {least:g} to {most:g}")


_SCANNED = 1 << 22  # ranks that are compared with a range at a time


def put_vertices(
    store: TileStore, i: int, vertices: Ids, labels: Ids | tuple[Uint8Array, Int64Array] | None
) -> dict[str, int]:
    """Write the vertices and labels of range `i`, in order of ranks; return the checksums of the files.

    Parameters
    ----------
    store : TileStore
    i : int
    vertices : int array, shape (ranks of the range,)
    labels : int64 array, or (uint8 array, int64 array), or None
        Numbers, or the bytes of the names and the end of each, or no labels.
    """
    checksums = {vertex_name(i): put_array(store, vertex_name(i), vertices)}
    if labels is None:
        return checksums
    content, ends = labels if isinstance(labels, tuple) else (labels, None)
    checksums[label_name(i)] = put_array(store, label_name(i), content)
    if ends is not None:
        checksums[label_ends_name(i)] = put_array(store, label_ends_name(i), ends)
    return checksums


def read_vertices(store: TileStore, i: int, layout: Layout, checksums: Mapping[str, int]) -> Ids:
    """Return the vertex of each rank of range `i`, an int32 or int64 array, mapped into memory.

    Raises
    ------
    ReadError
        The file is missing or damaged.
    """
    name = vertex_name(i)
    found = read_array(store, name, checksums.get(name))
    n = layout.vertices
    valid = found.dtype in (np.int32, np.int64) and found.shape == (layout.length(i),)
    if not valid or (len(found) and not 0 <= int(found.min()) <= int(found.max()) < n):
        raise ReadError(f"{store.place}/{name}", f"is damaged: expected {layout.length(i)} vertices from 0 to {n - 1}")
    return found


def read_labels_of(store: TileStore, i: int, kind: str | None, length: int, checksums: Mapping[str, int]) -> Labels:
    """Return the label at each of the `length` ranks of range `i`; `kind` is "numbers" or "names".

    Raises
    ------
    ReadError
        A file is missing or damaged.
    """
    name = label_name(i)
    content = read_array(store, name, checksums.get(name))
    if kind == "numbers":
        if content.dtype != np.int64 or content.shape != (length,):
            raise ReadError(f"{store.place}/{name}", f"is damaged: expected {length} labels of int64")
        return content
    ends_name = label_ends_name(i)
    ends = read_array(store, ends_name, checksums.get(ends_name))
    if length == 0 and len(ends) == 0 and len(content) == 0:
        return np.empty(0, dtype=np.object_)
    if ends.dtype != np.int64 or content.dtype != np.uint8 or len(ends) != length or not are_ends(ends, len(content)):
        raise ReadError(f"{store.place}/{ends_name}", f"is damaged: expected numbers that rise to {len(content)}")
    try:
        return names_of(content, ends)
    except UnicodeDecodeError:
        raise ReadError(f"{store.place}/{name}", "is damaged: expected names in UTF-8") from None


def scatter_by_vertex(layout: Layout, of_range: Callable[[int], Ids], values: AnyArray) -> None:
    """Fill `values`, shape (n,), with the rank of each vertex; ``of_range(i)`` returns the vertices of range `i`."""
    for i in range(layout.ranges):
        values[of_range(i)] = np.arange(layout.cuts[i], layout.cuts[i + 1], dtype=values.dtype)


def ranks_are_different(rank: Ids) -> bool:
    """Return whether each of the ranks 0, 1, ... occurs once; -1 stands for a vertex without rank."""
    return len(rank) == 0 or int(rank.min()) >= 0


def vertices_in(rank: Ids, first: int, last: int) -> Int64Array:
    """Return the vertices whose ranks are `first` .. `last` - 1, in order of ranks, from the rank of each vertex."""
    vertices = np.empty(last - first, dtype=np.int64)
    for start, part in _parts(rank):
        inside = np.flatnonzero((part >= first) & (part < last))
        vertices[part[inside] - first] = inside + start
    return vertices


def _parts(rank: Ids) -> Iterator[tuple[int, Ids]]:
    for start in range(0, len(rank), _SCANNED):
        yield start, rank[start : start + _SCANNED]
