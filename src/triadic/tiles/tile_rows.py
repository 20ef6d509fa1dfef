"""Rows of tiles, read without the rest of the tile.

The columns of consecutive rows lie side by side in the file of a tile, so that rows are read with their own bytes.
A file is read once as a whole, in small pieces, when it is opened: its checksums are compared, and the places of some
rows are noted, its marks. Later reads compare the checksums again if the file has changed, and check that columns rise
within their range.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.orient.tile_cuts import wrong_row_of_tile
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.file_format import (
    HEAD_BYTES,
    WEIGHT_HEAD_BYTES,
    check_weights,
    checksum,
    parse_head,
    parse_weight_head,
    tile_name,
    weight_name,
)
from triadic.tiles.store import as_bytes
from triadic.tiles.tile import Tile, marks_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.tiles.file_format import TileHead, WeightHead
    from triadic.tiles.store import TileStore


REPAIR = "the same `triadic tile` makes the tiles again"
_PIECE = 1 << 20  # bytes read at a time for the checksum
_ATTEMPTS = 3


class StoredFile:
    """A file of tiles in a store, which is opened again at every use.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.
    name : str
        Name of the file.
    """

    def __init__(self, store: TileStore, name: str) -> None:
        self._store, self._name, self._where = store, name, f"{store.place}/{name}"

    def _pieces(self, file: FileIO, start: int, stop: int) -> Iterator[memoryview]:
        for at in range(start, stop, _PIECE):
            yield as_bytes(self._read(file, "u1", at, min(_PIECE, stop - at)))

    def _read(self, file: FileIO, kind: str, offset: int, count: int) -> AnyArray:
        """Return `count` numbers from a place in the file on."""
        content = np.empty(count, dtype=kind)
        view, filled = as_bytes(content), 0
        file.seek(offset)
        while filled < len(view):
            step = file.readinto(view[filled:])
            if not step:
                raise ReadError(self._where, "became shorter while it was read")
            filled += step
        return content

    def _open(self) -> FileIO:
        """Open the file, or its copy on this machine, which another process may remove to make room for others."""
        for _ in range(_ATTEMPTS):
            path = self._store.local(self._name)
            with suppress(FileNotFoundError):
                return path.open("rb", buffering=0)
        raise FileNotFoundError

    @contextmanager
    def _opened(self) -> Iterator[tuple[FileIO, os.stat_result]]:
        """Open the file for the duration of the block; errors state what repairs the tile."""
        try:
            with self._open() as file:
                yield file, os.fstat(file.fileno())
        except WriteError:  # there is no room on this machine for a copy of the file
            raise
        except ReadError as error:
            raise with_repair(error) from None
        except FileNotFoundError:
            raise with_repair(MissingFileError(self._where, "there is no such file")) from None
        except OSError as error:
            raise ReadError(self._where, f"cannot be read: {error.strerror}") from None


def with_repair(error: ReadError) -> ReadError:
    """Return an error about a tile's file that also states what repairs the tile."""
    if error.problem.startswith("cannot be read"):  # the store does not answer, or refuses access
        return error
    first = "" if isinstance(error, MissingFileError) else "remove it, and "
    return type(error)(error.path, f"{error.problem}; {first}{REPAIR}")


def identity_of(status: os.stat_result) -> tuple[int, int, int]:
    """Return size, time of modification and number of a file, which differ if it was replaced."""
    return status.st_size, status.st_mtime_ns, status.st_ino


_MUTUAL = 3  # the state of an edge with arcs in both directions; see `triadic.core.oriented.Oriented`


class StoredRows(StoredFile):
    """The rows of a tile in a store.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.
    i, j : int
        Ranges of the rows and of the columns.
    columns : int
        Number of ranks in range `j`.
    limits : (float, float), optional
        Least and largest weight, if the rows shall come with weights.

    Raises
    ------
    ReadError
        The file is missing, damaged, or another tile.
    """

    def __init__(
        self, store: TileStore, i: int, j: int, columns: int, limits: tuple[float, float] | None = None
    ) -> None:
        super().__init__(store, tile_name(i, j))
        self.weights = None if limits is None else StoredWeights(store, i, j, limits)
        self._columns, self._diagonal = columns, i == j
        with self._opened() as (file, status):
            self._identity = identity_of(status)
            self.head: TileHead = parse_head(file.read(HEAD_BYTES) or b"", status.st_size, i, j, self._where)
            self.marks, self._starts = self._verify(file)

    def rows(self, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1, of which only their own bytes are read.

        Raises
        ------
        ReadError
            The file is missing or damaged, or holds another tile than when it was opened.
        """
        head = self.head
        columns, states, lengths, _ = head.starts
        mark = int(np.searchsorted(self.marks, first, side="right")) - 1
        with self._opened() as (file, status):
            if identity_of(status) != self._identity:
                self._verify(file)
                self._identity = identity_of(status)
            before = int(self.marks[mark])
            row_lengths = self._read(file, f"<u{head.width}", lengths + head.width * before, last - before)
            start = int(self._starts[mark]) + int(row_lengths[: first - before].sum(dtype=np.int64))
            indptr = np.zeros(last - first + 1, dtype=np.int64)
            np.cumsum(row_lengths[first - before :], out=indptr[1:])
            entries = int(indptr[-1])
            indices = self._read(file, "<i4", columns + 4 * start, entries)
            state = self._read(file, "u1", states + start, entries) if head.directed else None
            tile = Tile(indptr, indices, state)
            check_rows(tile, self._columns, self._diagonal, first, self._where)
        return tile if self.weights is None else replace(tile, weights=self.weights.read(start, entries))

    def _verify(self, file: FileIO) -> tuple[Int64Array, Int64Array]:
        """Compare all checksums; return the marks, and the number of entries before each."""
        head = self.head
        for part, place, stated in zip(("columns", "states", "lengths"), range(3), head.checksums, strict=True):
            if checksum(self._pieces(file, *head.starts[place : place + 2])) != stated:
                raise ReadError(self._where, f"is damaged: its {part} do not have their checksum")
        marks, starts, row, entries = [0], [0], 0, 0
        for piece in self._pieces(file, *head.starts[2:]):
            lengths = np.frombuffer(piece, dtype=f"<u{head.width}")
            indptr = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
            inner = marks_of(indptr)[1:]
            marks.extend((row + inner).tolist())
            starts.extend((entries + indptr[inner]).tolist())
            row, entries = row + len(lengths), entries + int(indptr[-1])
        if entries != head.edges:
            raise ReadError(self._where, f"is damaged: its rows have {entries} edges, expected {head.edges}")
        return np.array(marks, dtype=np.int64), np.array(starts, dtype=np.int64)


class StoredWeights(StoredFile):
    """The weights of a tile in a store.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.
    i, j : int
        Ranges of the rows and of the columns.
    limits : (float, float)
        Least and largest weight of the graph.

    Raises
    ------
    ReadError
        The file is missing, damaged, or of another tile.
    """

    def __init__(self, store: TileStore, i: int, j: int, limits: tuple[float, float]) -> None:
        super().__init__(store, weight_name(i, j))
        self._limits = limits
        with self._opened() as (file, status):
            self._identity = identity_of(status)
            start = file.read(WEIGHT_HEAD_BYTES) or b""
            self.head: WeightHead = parse_weight_head(start, status.st_size, i, j, self._where)
            self._verify(file)

    def read(self, start: int, count: int) -> Float64Array:
        """Return the weights of `count` edges from number `start` on: float64, shape (kinds, count).

        Raises
        ------
        ReadError
            The file is missing or damaged, or holds other weights than when it was opened.
        """
        head = self.head
        weights = np.empty((head.kinds, count))
        with self._opened() as (file, status):
            if identity_of(status) != self._identity:
                self._verify(file)
                self._identity = identity_of(status)
            for kind in range(head.kinds):
                weights[kind] = self._read(file, "<f8", head.start(kind) + 8 * start, count)
            check_weights(weights, self._limits, self._where)
        return weights

    def _verify(self, file: FileIO) -> None:
        if checksum(self._pieces(file, self.head.start(0), self.head.size)) != self.head.checksum:
            raise ReadError(self._where, "is damaged: its weights do not have their checksum")


def check_rows(tile: Tile, columns: int, diagonal: bool, first: int, where: str) -> None:
    """Raise a ReadError unless all columns and states are valid, since kernels use them without a check.

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
    where : str
        Path or URL of the file, for the message.
    """
    row = wrong_row_of_tile(tile.indptr, tile.indices, columns, diagonal, first)
    if row >= 0:
        raise ReadError(where, f"is damaged: the columns of its row {first + row} do not rise within the range")
    if tile.state is not None and len(tile.state) and not 1 <= tile.state.min() <= tile.state.max() <= _MUTUAL:
        raise ReadError(where, f"is damaged: expected states from 1 to {_MUTUAL}")
