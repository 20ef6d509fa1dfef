"""A file of a store of which parts are read; errors state what repairs it."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import MissingFileError, ReadError, WriteError
from triadic.tiles.store import as_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

    from triadic.core.array_types import AnyArray
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
