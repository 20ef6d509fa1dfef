"""Rows of tiles, read without the rest of the tile.

The columns of consecutive rows lie side by side in the file of a tile, so that rows are read with their own bytes.
A file is read once as a whole, in small pieces, when it is opened: its checksums are compared, and the places of some
rows are noted, its marks. Later reads compare the checksums again if the file has changed, and check that columns rise
within their range.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.tiling_kernels import wrong_row_of_tile
from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.file_format import HEAD_BYTES, checksum, parse_head, tile_name
from triadic.tiles.store import as_bytes
from triadic.tiles.tile import Tile, marks_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

    from numpy.typing import NDArray

    from triadic.tiles.file_format import TileHead
    from triadic.tiles.store import TileStore

REPAIR = "the same `triadic tile` makes the tiles again"
_MUTUAL = 3  # the state of an edge with arcs in both directions; see `triadic.core.oriented.Oriented`
_PIECE = 1 << 20  # bytes read at a time for the checksum
_ATTEMPTS = 3


class StoredRows:
    """The rows of a tile in a store.

    Parameters
    ----------
    store : TileStore
        The folder or URL of the tiles.
    i, j : int
        Ranges of the rows and of the columns.
    columns : int
        Number of ranks in range `j`.

    Raises
    ------
    ReadError
        The file is missing, damaged, or another tile.
    """

    def __init__(self, store: TileStore, i: int, j: int, columns: int) -> None:
        self._store, self._name = store, tile_name(i, j)
        self._where, self._columns, self._diagonal = f"{store.place}/{self._name}", columns, i == j
        with self._opened() as (file, status):
            self._identity = _identity(status)
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
            if _identity(status) != self._identity:
                self._verify(file)
                self._identity = _identity(status)
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
        return tile

    def _verify(self, file: FileIO) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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

    def _pieces(self, file: FileIO, start: int, stop: int) -> Iterator[memoryview]:
        for at in range(start, stop, _PIECE):
            yield as_bytes(self._read(file, "u1", at, min(_PIECE, stop - at)))

    def _read(self, file: FileIO, kind: str, offset: int, count: int) -> NDArray[Any]:
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


def with_repair(error: ReadError) -> ReadError:
    """Return an error about a tile's file that also states what repairs the tile."""
    if error.problem.startswith("cannot be read"):  # the store does not answer, or refuses access
        return error
    first = "" if isinstance(error, MissingFileError) else "remove it, and "
    return type(error)(error.path, f"{error.problem}; {first}{REPAIR}")


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ino
