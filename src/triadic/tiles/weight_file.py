"""The file of the weights of a tile, which stands beside the tile's own file and is read only if weights are needed.

It is a header of 64 bytes and float64 numbers, all weights of one kind after those of the other, with a checksum. They
begin at a multiple of 64 bytes, so that they are used in place without a copy. The file of the tile is the same as
without weights.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ReadError
from triadic.tiles.file_format import checksum
from triadic.tiles.store import as_bytes

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Uint8Array
    from triadic.tiles.store import Bytes

_MAGIC, _VERSION = b"TRIADWGT", 1
# Magic, version, kinds, ranges i and j, edges, checksum of the weights, checksum of all preceding bytes of the header.
_HEADER = struct.Struct("<8sIIIIqQ16xQ")
_OWN_AT = _HEADER.size - 8
WEIGHT_HEAD_BYTES = _HEADER.size


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
        return _HEADER.size + 8 * self.kinds * self.edges

    def start(self, kind: int) -> int:
        """Return the place in the file where the weights of a kind begin."""
        return _HEADER.size + 8 * kind * self.edges


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
    fields = (_MAGIC, _VERSION, kinds, i, j, edges, checksum(as_bytes(kind) for kind in rows))
    start = _HEADER.pack(*fields, 0)[:_OWN_AT]
    return [start + checksum([start]).to_bytes(8, "little"), *rows]


def parse_weight_head(start: bytes, size: int, i: int, j: int, where: str) -> WeightHead:
    """Read the header of the file of the weights of tile (i, j) from its first bytes; `size` is the file's.

    Raises
    ------
    ReadError
        The file has no weights, is of another tile, or is damaged.
    """
    if len(start) < _HEADER.size or not start.startswith(_MAGIC):
        raise ReadError(
            where, f"is damaged or has no weights: expected {_HEADER.size} bytes that begin with {_MAGIC!r}"
        )
    _, version, kinds, own_i, own_j, edges, stated, own = _HEADER.unpack(start)
    if version != _VERSION and version < 1 << 16:
        raise ReadError(where, f"is of version {version}, this triadic reads version {_VERSION}; make the tiles again")
    if checksum([start[:_OWN_AT]]) != own:
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
    head = parse_weight_head(content[: _HEADER.size].tobytes(), len(content), i, j, where)
    numbers = content[_HEADER.size :]
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
