"""A tile as bytes: a header of 64, then columns, states and lengths of rows, each with its checksum.

Rows are short in most tiles, so their lengths are kept in one, two or four bytes each instead of where they begin in
eight. Columns come first so that they lie at a multiple of 64 and are used where they were read.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from triadic.errors import ReadError
from triadic.tiles.store import as_bytes
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.store import Bytes

_MAGIC, _VERSION = b"TRIADTIL", 1
# Magic, version, bytes of a row's length, whether directed, ranges i and j, rows, edges, arcs; then checksums of
# columns, states, lengths and of the header before.
_HEADER = struct.Struct("<8sIHHIIqqqIIII")
_CRC_AT = _HEADER.size - 4


@dataclass(frozen=True, slots=True)
class TileHead:
    """What the header of a tile's file says.

    Attributes
    ----------
    i, j : int
        Ranges of its rows and columns.
    rows, edges : int
    arcs : int
        Different arcs met when it was made, also where directions are not kept.
    directed : bool
    width : int
        Bytes of a row's length: 1, 2 or 4.
    crcs : tuple of int
        Of columns, states and lengths of rows.
    """

    i: int
    j: int
    rows: int
    edges: int
    arcs: int
    directed: bool
    width: int
    crcs: tuple[int, int, int]

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return _HEADER.size + (5 if self.directed else 4) * self.edges + self.width * self.rows


def tile_name(i: int, j: int) -> str:
    """Give the name of a tile's file."""
    return f"tile-{i}-{j}"


def tile_parts(
    i: int,
    j: int,
    lengths: NDArray[np.int64],
    indices: NDArray[np.int32],
    state: NDArray[np.uint8] | None,
    arcs: int,
) -> list[Bytes]:
    """Give the parts of a tile's file, in order.

    Parameters
    ----------
    i, j : int
        Ranges of its rows and columns.
    lengths : int64 array, shape (rows,)
        Edges of each row.
    indices, state
        As of `Tile`.
    arcs : int
        Different arcs met.
    """
    longest = int(lengths.max(initial=0))
    width = 1 if longest < 1 << 8 else 2 if longest < 1 << 16 else 4
    short = lengths.astype(f"<u{width}")
    states = np.empty(0, dtype=np.uint8) if state is None else state
    crcs = (crc32(as_bytes(indices)), crc32(as_bytes(states)), crc32(as_bytes(short)))
    fields = (_MAGIC, _VERSION, width, int(state is not None), i, j, len(lengths), len(indices), arcs, *crcs)
    start = _HEADER.pack(*fields, 0)[:_CRC_AT]
    return [start + crc32(start).to_bytes(4, "little"), indices, states, short]


def read_head(content: NDArray[np.uint8], i: int, j: int, where: str) -> TileHead:
    """Read the header of the file of tile (i, j).

    Raises
    ------
    ReadError
        It is no tile, another tile, or damaged.
    """
    start = content[: _HEADER.size].tobytes()
    if len(start) < _HEADER.size or not start.startswith(_MAGIC):
        raise ReadError(where, f"is damaged or no tile: expected {_HEADER.size} bytes that begin with {_MAGIC!r}")
    _, version, width, directed, own_i, own_j, rows, edges, arcs, *crcs, own = _HEADER.unpack(start)
    if crc32(start[:_CRC_AT]) != own:
        raise ReadError(where, "is damaged: its header does not have its checksum")
    if version != _VERSION:
        raise ReadError(where, f"is of version {version}, this triadic reads version {_VERSION}")
    if (own_i, own_j) != (i, j):
        raise ReadError(where, f"is tile {own_i}-{own_j}, expected tile {i}-{j}")
    head = TileHead(i, j, rows, edges, arcs, bool(directed), width, (crcs[0], crcs[1], crcs[2]))
    if len(content) != head.size:
        raise ReadError(where, f"is damaged: it has {len(content)} bytes, expected {head.size}")
    return head


def read_tile(content: NDArray[np.uint8], i: int, j: int, where: str) -> Tile:
    """Read the tile of ranges `i` and `j` from the bytes of its file, whose columns and states are used in place.

    Parameters
    ----------
    content : uint8 array
        The whole file.
    i, j : int
    where : str
        What to call the file in errors.

    Raises
    ------
    ReadError
        A byte is not what was written, or some are missing.

    Examples
    --------
    >>> parts = tile_parts(0, 0, np.array([0, 1]), np.array([0], dtype=np.int32), None, 1)
    >>> content = np.concatenate([np.frombuffer(part, dtype=np.uint8) for part in parts if len(part)])
    >>> read_tile(content, 0, 0, "tile-0-0").indptr
    array([0, 0, 1])
    """
    head = read_head(content, i, j, where)
    ends = np.cumsum([_HEADER.size, 4 * head.edges, head.edges if head.directed else 0, head.width * head.rows])
    kinds: tuple[Any, ...] = (np.dtype("<i4"), np.dtype(np.uint8), np.dtype(f"<u{head.width}"))
    arrays: list[NDArray[Any]] = []
    for part, kind, crc in zip(("columns", "states", "lengths"), kinds, head.crcs, strict=True):
        k = len(arrays)
        piece = content[ends[k] : ends[k + 1]]
        if crc32(as_bytes(piece)) != crc:
            raise ReadError(where, f"is damaged: its {part} do not have their checksum")
        arrays.append(piece.view(kind))
    indptr = np.zeros(head.rows + 1, dtype=np.int64)
    np.cumsum(arrays[2], out=indptr[1:])
    if indptr[-1] != head.edges:
        raise ReadError(where, f"is damaged: its rows have {indptr[-1]} edges, expected {head.edges}")
    return Tile(indptr, arrays[0], arrays[1] if head.directed else None)
