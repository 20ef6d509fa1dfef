"""The file of a tile: a stream of Arrow with one record, whose columns are lists.

Any reader of Arrow opens it (``pyarrow.ipc.open_stream``). The lists have lengths of their own::

    lengths   number of edges of each row, in one, two or four bytes, since most rows are short
    columns   int32, the columns of the edges, row by row
    states    uint8, the directions of the edges, of a directed graph
    weights   float64, all weights of one kind after those of the other, of tiles with weights

The schema has the ranges and sizes of the tile and a checksum of each list, as a JSON object with its own checksum. The
file is mapped into memory and lists are used in place: a count that takes no weights never reads them.

Some rows are read without the rest of the tile. The file is read once as a whole, to compare its checksums. Later reads
compare the checksums again if the file has changed, and check that columns rise within their range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.oriented import starts_of
from triadic.devices.cpu.orient.tile_cuts import wrong_row_of_tile
from triadic.errors import MissingFileError, ReadError
from triadic.tiles.file_format import checksum_of, seal, unseal
from triadic.tiles.tile import Tile
from triadic.tiles.work import narrow

if TYPE_CHECKING:
    import pyarrow as pa

    from triadic.core.array_types import AnyArray, Uint8Array
    from triadic.tiles.sorting import SortedTile
    from triadic.tiles.store import Bytes

_END = b"\xff\xff\xff\xff\0\0\0\0"  # of a stream of Arrow
_ABOUT = "tile"  # key of the JSON object in the metadata of the schema
_MUTUAL = 3  # the state of an edge with arcs in both directions; see `triadic.core.oriented.Oriented`
REPAIR = "the same `triadic tile` makes the tiles again"
HEAD_BYTES, LIST_HEAD_BYTES = 390, 240  # of a file, and of each of its lists, about


def tile_name(i: int, j: int) -> str:
    """Return the name of the file of tile (i, j)."""
    return f"tile-{i}-{j}"


class _Parts:
    """What Arrow writes to a file, without copies of the lists."""

    closed = False

    def __init__(self) -> None:
        self.parts: list[Bytes] = []

    def write(self, part: pa.Buffer) -> int:
        self.parts.append(memoryview(part))
        return len(part)

    def flush(self) -> None: ...

    close = flush


def tile_parts(i: int, j: int, tile: SortedTile) -> list[Bytes]:
    """Return the parts of the file of tile (i, j) in order.

    Parameters
    ----------
    i, j : int
        Ranges of the rows and of the columns.
    tile : SortedTile
        The tile; its columns are counted from the first of range `j`.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    lengths, indices, state, weights = tile.lengths, tile.indices, tile.state, tile.weights
    lists: dict[str, AnyArray] = {"lengths": narrow(lengths), "columns": indices}
    if state is not None:
        lists["states"] = state
    if weights is not None:
        lists["weights"] = np.ascontiguousarray(weights).reshape(-1)
    about = {
        "ranges": [i, j],
        "rows": len(lengths),
        "edges": len(indices),
        "arcs": tile.arcs,
        "kinds": 0 if weights is None else len(weights),
        "checksums": {name: checksum_of(values) for name, values in lists.items()},
    }
    record = list(map(_one_list, lists.values()))
    schema = pa.schema(
        [pa.field(name, column.type) for name, column in zip(lists, record, strict=True)],
        metadata={_ABOUT: seal(about)},
    )
    sink = _Parts()
    with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), schema) as writer:
        writer.write_batch(pa.record_batch(record, schema=schema))
    return sink.parts


def _one_list(values: AnyArray) -> pa.Array:
    """Return an array of Arrow whose one list shares the memory of some numbers.

    `pyarrow.array` does so too, but imports pandas, which takes 45 MB.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and reading tiles in memory does without

    kind, ends = pa.from_numpy_dtype(values.dtype), np.array([0, len(values)])
    numbers = pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    return pa.Array.from_buffers(pa.large_list(kind), 1, [None, pa.py_buffer(ends)], children=[numbers])


class TileFile(NamedTuple):
    """What the file of a tile holds.

    Attributes
    ----------
    rows, edges : int
        Number of rows, and of edges.
    arcs : int
        Number of different arcs of the input in this tile, also if directions are not stored.
    kinds : int
        Number of weights of an edge.
    checksums : dict of str to int
        Checksum of each list.
    lists : dict of str to array
        The lists by name, views of the bytes of the file. Without weights if they were left out.
    """

    rows: int
    edges: int
    arcs: int
    kinds: int
    checksums: dict[str, int]
    lists: dict[str, AnyArray]

    @property
    def shape(self) -> tuple[int, int, bool, int]:
        """Number of rows and of edges, whether the tile has states, and number of weights of an edge."""
        return self.rows, self.edges, "states" in self.lists, self.kinds

    def tile(self) -> Tile:
        """Return the tile; its entries are views of the bytes of the file."""
        return self.some_rows(0, self.rows)

    def some_rows(self, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1; their entries are views of the bytes of the file."""
        lengths, weights = self.lists["lengths"], self.lists.get("weights")
        indptr = starts_of(lengths[first:last])
        start = int(lengths[:first].sum(dtype=np.int64))
        of_kinds = None if weights is None else weights.reshape(self.kinds, self.edges)
        whole = Tile(indptr, self.lists["columns"], self.lists.get("states"), of_kinds)
        return whole.of_entries(indptr, slice(start, start + int(indptr[-1])))


def read_file(
    content: Uint8Array, i: int, j: int, where: str, *, weights: bool = False, verified: bool = True
) -> TileFile:
    """Read the lists of tile (i, j) from the bytes of its file.

    Parameters
    ----------
    content : uint8 array, shape (bytes,)
        The whole file.
    i, j : int
        Ranges of the rows and of the columns.
    where : str
        Path or URL of the file, for messages.
    weights : bool, default False
        Whether to return the weights, if there are any.
    verified : bool, default True
        Whether to compare the checksums of the lists that are returned.

    Raises
    ------
    ReadError
        The file is not a tile, is another tile, or is damaged.

    Examples
    --------
    >>> from triadic.tiles.sorting import SortedTile
    >>> parts = tile_parts(0, 0, SortedTile(np.array([0, 1]), np.array([0], dtype=np.int32), None, 1))
    >>> content = np.concatenate([np.frombuffer(part, dtype=np.uint8) for part in parts if len(part)])
    >>> read_file(content, 0, 0, "tile-0-0").tile().indptr
    array([0, 0, 1])
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    try:
        source = pa.BufferReader(pa.py_buffer(content))
        reader = pa.ipc.open_stream(source)
        record = reader.read_next_batch()
        if next(reader, None) is not None or source.tell() != len(content) or content[-8:].tobytes() != _END:
            raise ReadError(where, "is damaged: it does not end with its lists")
        about = unseal(record.schema.metadata[_ABOUT.encode()])
        lists = {
            name: _view(content, record.column(name).values)
            for name in about["checksums"]
            if weights or name != "weights"
        }
        found = TileFile(about["rows"], about["edges"], about["arcs"], about["kinds"], about["checksums"], lists)
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        if isinstance(error, ReadError):
            raise
        raise ReadError(where, f"is damaged or no tile: {' '.join(str(error).split())[:200]}") from None
    if about["ranges"] != [i, j]:
        raise ReadError(where, f"is tile {'-'.join(map(str, about['ranges']))}, expected tile {i}-{j}")
    for name, values in lists.items():
        expected = {"lengths": found.rows, "weights": found.kinds * found.edges}.get(name, found.edges)
        if len(values) != expected or (verified and checksum_of(values) != found.checksums[name]):
            raise ReadError(where, f"is damaged: its {name} do not have their checksum")
    if verified and (edges := int(lists["lengths"].sum(dtype=np.int64))) != found.edges:
        raise ReadError(where, f"is damaged: its rows have {edges} edges, expected {found.edges}")
    return found


def _view(content: Uint8Array, values: pa.Array) -> AnyArray:
    """Return numbers of Arrow that lie in some bytes as a view of these bytes, which a kernel takes like any array."""
    dtype, data = values.type.to_pandas_dtype(), values.buffers()[1]
    if len(values) == 0:
        return np.empty(0, dtype)
    start = data.address - content.__array_interface__["data"][0]
    return content[start : start + len(values) * np.dtype(dtype).itemsize].view(dtype)


def with_repair(error: ReadError) -> ReadError:
    """Return an error about a tile's file that also states what repairs the tile."""
    if error.problem.startswith("cannot be read"):  # the store does not answer, or refuses access
        return error
    first = "" if isinstance(error, MissingFileError) else "remove it, and "
    return type(error)(error.path, f"{error.problem}; {first}{REPAIR}")


def check_tile(
    tile: Tile, columns: int, diagonal: bool, first: int, limits: tuple[float, float] | None, where: str
) -> None:
    """Raise a ReadError unless all columns, states and weights are valid, since counts use them without a check.

    A checksum does not tell that: somebody who makes tiles can also make their checksums.

    Parameters
    ----------
    tile : Tile
        Some rows of a tile.
    columns : int
        Number of ranks of the range of its columns.
    diagonal : bool
        Whether rows and columns are of the same range.
    first : int
        Number of the first of the rows in the whole tile.
    limits : (float, float) or None
        Least and largest weight of the graph. Sums of products have room for weights within them only, or 0 for an arc
        that does not exist.
    where : str
        Path or URL of the file, for the message.
    """
    row = wrong_row_of_tile(tile.indptr, tile.indices, columns, diagonal, first)
    if row >= 0:
        raise ReadError(where, f"is damaged: the columns of its row {first + row} do not rise within the range")
    if tile.state is not None and len(tile.state) and not 1 <= tile.state.min() <= tile.state.max() <= _MUTUAL:
        raise ReadError(where, f"is damaged: expected states from 1 to {_MUTUAL}")
    if limits is None or tile.weights is None or tile.weights.size == 0:
        return
    least, most = min(limits[0], 0.0), max(limits[1], 0.0)
    if not (least <= tile.weights.min() and tile.weights.max() <= most):  # false for a weight that is no number
        raise ReadError(where, f"is damaged: expected weights from {least:g} to {most:g}")
