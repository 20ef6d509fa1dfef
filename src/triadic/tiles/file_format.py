"""The arrays that are stored beside tiles, and checksums; the tiles themselves are in `triadic.tiles.tile_file`.

Headers, checkpoints and the progress of counts are JSON objects with their own checksum.

Degrees, vertices and labels of each range, and the numbers of entries that triples test, are ``.npy`` files, whose
checksums are in the header of the tiles (`triadic.tiles.layout.Header`)::

    degree-3.npy       int64, degree of each rank of range 3
    vertex-3.npy       vertex of each rank of range 3: int32, or int64 if there are 2**31 vertices or more
    label-3.npy        label of each rank of range 3: int64, or the bytes of all names in UTF-8, one after the other
    label_ends-3.npy   int64, where in these bytes each name ends; with names only
    tested.npy         float64, numbers of tests of all triples of ranges

No array is as long as the graph. Vertices from the number `labelled` of the header on have no label; in these files 0
or an empty name stands for it.
"""

from __future__ import annotations

import io
import json
import os
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from xxhash import xxh3_64

from triadic.core.memory import drop_pages
from triadic.core.oriented import NO_NUMBERS, int_zeros
from triadic.errors import MissingFileError, ReadError
from triadic.io.stored_graphs import label_arrays, names_of
from triadic.tiles.store import as_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Ids, Int64Array, IntegerArray, ObjectArray, Uint8Array
    from triadic.tiles.store import FolderStore
    from triadic.tiles.url_store import TileStore

    Labels = Int64Array | ObjectArray
    T = TypeVar("T")


TESTED = "tested.npy"
KEPT = "kept-"  # beginning of the names of the files of labels in the order of vertices, in the work folder
_CHECKSUM = "checksum"  # its key in a sealed JSON object
_PIECE = 1 << 22
_NO_LABELS: AnyArray = NO_NUMBERS
_ARRAY_HEAD = 1 << 10  # bytes of a file that have the header of its array
RESULTS = "results"  # folder of counts, beside the tiles
WORK = "work"  # folder of the files that exist only while a cluster makes tiles


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
    np.lib.format.write_array_header_1_0(start, np.lib.format.header_data_from_array_1_0(array))
    parts: list[bytes | memoryview] = [start.getvalue(), as_bytes(array)]
    store.put(name, parts)
    return checksum(parts)


def are_stored(store: TileStore, checksums: Mapping[str, int]) -> bool:
    """Return whether a store has the arrays of some names with their checksums."""
    try:
        for name, stated in checksums.items():
            read_array(store, name, stated)
    except ReadError as error:
        if error.problem.startswith("cannot be read"):  # the store does not answer, or refuses access
            raise
        return False
    return True


def read_array(store: TileStore, name: str, stated: int | None) -> AnyArray:
    """Map an array into memory, and check the checksum of its file.

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        The file is damaged or cannot be read.
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
    where, (content, _) = f"{store.place}/{name}", store.mapped(name)
    if stated is None or checksum_of(content) != stated:
        raise ReadError(where, "is damaged: it does not have its checksum")
    try:
        file = io.BytesIO(content[:_ARRAY_HEAD].tobytes())
        np.lib.format.read_magic(file)
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    except ValueError as error:
        raise ReadError(where, f"cannot be read: {' '.join(str(error).split())[:200]}") from None
    values = content[file.tell() :]
    values.flags.writeable = False
    if dtype.hasobject or len(values) != dtype.itemsize * prod(shape):
        raise ReadError(where, "is damaged: its size is not the size of its array")
    return values.view(dtype).reshape(shape)


def are_within(values: IntegerArray, limit: int) -> bool:
    """Return whether all values are from 0 to `limit` - 1."""
    return len(values) == 0 or 0 <= int(values.min()) <= int(values.max()) < limit


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


def checksum_of(values: AnyArray) -> int:
    """Return the checksum of the bytes of an array; of one that is mapped from a file, no pages are held."""
    state, view = xxh3_64(), as_bytes(values)
    for start in range(0, len(view), _PIECE):
        state.update(view[start : start + _PIECE])
        drop_pages(values)
    return state.intdigest()


def file_checksum(path: Path, *, size: int | None = None, before: bytes = b"") -> int:
    """Return the checksum of the first `size` bytes of a file, by default all, and of some bytes before them."""
    state = xxh3_64(before)
    with path.open("rb", buffering=0) as file:
        left = os.fstat(file.fileno()).st_size if size is None else size
        while left > 0 and (part := file.read(min(left, _PIECE))):
            left -= len(part)
            state.update(part)
    return state.intdigest()


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


def read_vertices(store: TileStore, i: int, length: int, n: int, checksums: Mapping[str, int]) -> Ids:
    """Return the vertex, of `n`, of each of the `length` ranks of range `i`: int32 or int64, mapped into memory.

    Raises
    ------
    ReadError
        The file is missing or damaged.
    """
    name = vertex_name(i)
    found = read_array(store, name, checksums.get(name))
    if found.dtype not in (np.int32, np.int64) or found.shape != (length,) or not are_within(found, n):
        raise ReadError(f"{store.place}/{name}", f"is damaged: expected {length} vertices from 0 to {n - 1}")
    return found


def read_labels(store: TileStore, i: int, kind: str | None, length: int, checksums: Mapping[str, int]) -> Labels:
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
        return np.empty(0, np.object_)
    are_int64 = ends.dtype == np.int64 and content.dtype == np.uint8 and len(ends) == length
    if not are_int64 or (np.diff(ends, prepend=0) < 0).any() or ends.max(initial=0) != len(content):
        raise ReadError(f"{store.place}/{ends_name}", f"is damaged: expected numbers that rise to {len(content)}")
    try:
        return names_of(content, ends)
    except UnicodeDecodeError:
        raise ReadError(f"{store.place}/{name}", "is damaged: expected names in UTF-8") from None


def vertex_at(
    store: TileStore, cuts: Int64Array, i: int, row: int, kind: str | None, labelled: int, checksums: Mapping[str, int]
) -> tuple[int, int | str]:
    """Return the vertex of a row of range `i`, and its label or, without one, the vertex again; for messages."""
    length = int(cuts[i + 1] - cuts[i])
    vertex = int(read_vertices(store, i, length, int(cuts[-1]), checksums)[row])
    return vertex, vertex if vertex >= labelled else read_labels(store, i, kind, length, checksums)[row]


def keep_labels(work: TileStore, labels: Labels | None) -> tuple[str | None, int]:
    """Write labels in the order of their vertices to the work folder; return their kind and their number."""
    if labels is None or len(labels) == 0:
        return None, 0
    for name, array in label_arrays(labels).items():
        if array is not None:
            put_array(work, f"{KEPT}{name}.npy", array)
    return "names" if labels.dtype == np.object_ else "numbers", len(labels)


def put_all_vertices(
    store: TileStore, work: FolderStore, rank: Ids, cuts: Int64Array, kind: str | None
) -> dict[str, int]:
    """Write the vertices of all ranges, and their labels, which `keep_labels` wrote; return the checksums of the files.

    Parameters
    ----------
    store : TileStore
    work : FolderStore
        The work folder; the labels in it are removed.
    rank : int array, shape (n,)
        Rank of each vertex.
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and n.
    kind : str or None
        Kind of the labels.
    """
    from triadic.io.id_tallies import take_names  # noqa: PLC0415 - imports Arrow, which counting does without

    order = np.empty_like(rank)
    order[rank] = np.arange(len(rank), dtype=rank.dtype)
    checksums: dict[str, int] = {}
    kept = [work.folder / f"{KEPT}{name}.npy" for name in ("labels", "label_ends")]
    whole, ends = (np.load(path, mmap_mode="r") if path.exists() else _NO_LABELS for path in kept)
    for i, (first, last) in enumerate(pairwise(cuts.tolist())):
        vertices = order[first:last]
        known = vertices < len(whole if kind == "numbers" else ends)
        labels: Ids | tuple[Uint8Array, Int64Array] | None = None
        if kind == "numbers":
            labels = int_zeros(last - first)
            labels[known] = whole[vertices[known]]
        elif kind == "names":
            content, of_known = take_names(whole, ends, vertices[known].astype(np.int64))
            lengths = int_zeros(last - first)
            lengths[known] = np.diff(of_known, prepend=0)
            labels = content, np.cumsum(lengths)
        checksums |= put_vertices(store, i, vertices, labels)
    del whole
    for path in kept:
        work.delete(path.name)
    return checksums
