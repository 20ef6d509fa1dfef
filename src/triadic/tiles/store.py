"""Where tiles lie: a folder, or anything that fsspec reaches by a URL; files are whole or not there."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.errors import MissingFileError, ReadError, TriadicError, WriteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Bytes = bytes | bytearray | memoryview | NDArray[Any]

TEMPORARY = ".tmp"
# The longest write that is asked of the system at once: one of 64 MiB took Linux three times as long a byte, or more.
# It may take less.
_LONGEST_WRITE = 1 << 20


class TileStore(Protocol):
    """Named files that are written whole, from several threads at once."""

    @property
    def place(self) -> str:
        """What to call it in messages: a path or a URL."""

    def get(self, name: str) -> NDArray[np.uint8]:
        """Give all bytes of a file.

        Raises
        ------
        MissingFileError
        ReadError
        """

    def newest(self, name: str) -> NDArray[np.uint8]:
        """Give all bytes of a file as it is now; if it changed, copies of this and all others are let go.

        Raises
        ------
        MissingFileError
        ReadError
        """

    def local(self, name: str) -> Path:
        """Give a file on this machine with the same bytes, to be mapped into memory.

        Raises
        ------
        MissingFileError
        ReadError
        """

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write a file of these parts, one after another; it replaces one of the same name.

        Raises
        ------
        WriteError
            It cannot be written. What stood there before is untouched and nothing is left beside it.
        """

    def list(self, prefix: str = "") -> list[str]:
        """Give the names that begin so, in order."""

    def size(self, names: Iterable[str]) -> int:
        """Give the bytes that these files take together."""

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""


class FolderStore:
    """Files in a folder.

    Parameters
    ----------
    folder : pathlib.Path
        Made by the first `put`.

    Examples
    --------
    >>> store = FolderStore(getfixture("tmp_path") / "tiles")
    >>> store.put("a", [b"one", b"two"])
    >>> store.get("a").tobytes(), store.list()
    (b'onetwo', ['a'])
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def place(self) -> str:
        """The path."""
        return str(self.folder)

    def get(self, name: str) -> NDArray[np.uint8]:
        """Give all bytes of a file, read without the GIL."""
        path = self.local(name)
        try:
            with path.open("rb", buffering=0) as file:
                content = np.empty(os.fstat(file.fileno()).st_size, dtype=np.uint8)
                view, filled = as_bytes(content), 0
                while filled < len(content):
                    step = file.readinto(view[filled:])
                    if not step:
                        raise ReadError(path, "became shorter while it was read")
                    filled += step
        except FileNotFoundError:
            raise MissingFileError(path, "there is no such file") from None
        except OSError as error:
            raise ReadError(path, f"cannot be read: {error.strerror}") from None
        return content

    def newest(self, name: str) -> NDArray[np.uint8]:
        """Do as `get`: there are no copies."""
        return self.get(name)

    def local(self, name: str) -> Path:
        """Give the file itself."""
        path = self.folder / name
        if not path.is_file():
            raise MissingFileError(path, "there is no such file")
        return path

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write under a temporary name, have the disk take it, and rename."""
        path = self.folder / name
        temporary = path.with_name(f".{name}{TEMPORARY}")
        with writing(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as descriptor:
                    offset = 0
                    for part in parts:
                        offset += write_bytes(descriptor, part, offset)
                    os.fsync(descriptor)
                temporary.replace(path)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
            if os.name == "posix":  # the name itself is a change of the folder
                with opened(self.folder, os.O_RDONLY) as descriptor:
                    os.fsync(descriptor)

    def list(self, prefix: str = "") -> list[str]:
        """Give the names that begin so, in order."""
        try:
            found = [entry.name for entry in os.scandir(self.folder) if entry.name.startswith(prefix)]
        except FileNotFoundError:
            return []
        return sorted(found)

    def size(self, names: Iterable[str]) -> int:
        """Give the bytes that these files take together."""
        return sum((self.folder / name).stat().st_size for name in names)

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        with writing(self.folder / name):
            (self.folder / name).unlink(missing_ok=True)


def write_bytes(descriptor: int, content: Bytes, offset: int) -> int:
    """Write at a place of an open file: everything about tiles goes through here. Gives the number of bytes."""
    view = as_bytes(content)
    written = 0
    while written < len(view):
        written += os.pwrite(descriptor, view[written : written + _LONGEST_WRITE], offset + written)
    return written


def as_bytes(content: Bytes) -> memoryview:
    """View a part of a file, contiguous if it is an array, as bytes."""
    if len(content) == 0:  # an array of no bytes cannot be viewed so
        return memoryview(b"")
    return (content.data if isinstance(content, np.ndarray) else memoryview(content)).cast("B")


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """Open a file as the system does, and close it."""
    descriptor = os.open(path, flags, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def writing(place: Path | str) -> Iterator[None]:
    """Make one error of what can go wrong while something is written."""
    try:
        yield
    except TriadicError:
        raise
    except OSError as error:
        raise WriteError(f"{place}: cannot be written: {error.strerror or ' '.join(str(error).split())}") from error
