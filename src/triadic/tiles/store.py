"""Storage of tiles: named files in a folder, written completely or not at all, and a lock on the folder."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from triadic.errors import MissingFileError, ReadError, TriadicError, WriteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Uint8Array

    Bytes = bytes | bytearray | memoryview | AnyArray

TEMPORARY, LOCK = ".tmp", "lock"
# Bytes of one system call: a single write of 64 MiB took Linux at least three times as long per byte.
_LONGEST_WRITE = 1 << 20


class FolderStore:
    """Files in a folder, written completely or not at all; safe to use from several threads.

    `triadic.tiles.url_store.UrlStore` has the same methods. Of both, methods that read raise MissingFileError if there
    is no file of a name, and ReadError if it cannot be read; methods that write raise WriteError, and then an older
    file of the same name is unchanged and no partial file remains. A list of a URL may lag behind; `exists` does not.

    Parameters
    ----------
    folder : pathlib.Path
        The folder; the first `put` creates it.
    flushed : bool, default True
        Whether files are flushed to the disk. Temporary files need not survive a power failure.

    Examples
    --------
    >>> from pathlib import Path
    >>> store = FolderStore(Path("kite.tiles"))
    >>> store.put("a", [b"one", b"two"])
    >>> store.get("a").tobytes(), store.list()
    (b'onetwo', ['a'])
    """

    _shared = False  # whether several processes write to the folder

    def __init__(self, folder: Path, *, flushed: bool = True) -> None:
        self.folder, self._flushed = folder, flushed

    @property
    def place(self) -> str:
        """Path of the folder, for messages."""
        return str(self.folder)

    def get(self, name: str) -> Uint8Array:
        """Return the bytes of a file; the GIL is released while they are read."""
        path = self.folder / name
        with _read_errors(path):
            return np.fromfile(path, dtype=np.uint8)

    def read(self, spans: Sequence[tuple[str, int, int]]) -> list[bytes]:
        """Return the bytes of some spans ``(name, start, stop)`` of files, fewer if a file ends before."""
        found = []
        for name, start, stop in spans:
            path = self.folder / name
            with _read_errors(path), path.open("rb") as file:
                file.seek(start)
                # A length beyond the end of the file would reserve memory for it.
                found.append(file.read(max(0, min(stop, os.fstat(file.fileno()).st_size) - start)))
        return found

    def refresh(self, name: str) -> Uint8Array:
        """Return the bytes of a file, as `get` does: a folder has no cached copies."""
        return self.get(name)

    def mapped(self, name: str) -> tuple[Uint8Array, object]:
        """Return the bytes of a file, mapped into memory, and its size, time of modification and number."""
        path = self.folder / name
        with _read_errors(path), path.open("rb") as file:
            status = os.fstat(file.fileno())
            # Writable, so that kernels take the same type of array from files and from memory; nothing is written.
            whole = np.memmap(file, dtype=np.uint8, mode="c") if status.st_size else np.empty(0, np.uint8)
        return np.asarray(whole), (status.st_size, status.st_mtime_ns, status.st_ino)

    def drop_copy(self, name: str) -> bool:  # noqa: ARG002 - of `TileStore`
        """Return False: a folder has no copies, so that reading a file again does not help."""
        return False

    def put(self, name: str, parts: Sequence[Bytes]) -> None:
        """Write a file under a temporary name, flush it to the disk, and rename it."""
        path = self.folder / name
        writer = f".{uuid4().hex[:8]}" if self._shared else ""
        temporary = path.with_name(f".{name}{writer}{TEMPORARY}")
        with write_errors(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                with open_descriptor(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as descriptor:
                    offset = 0
                    for part in parts:
                        offset += write_bytes(descriptor, part, offset)
                    if self._flushed:
                        os.fsync(descriptor)
                temporary.replace(path)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
            if self._flushed and not self._shared:  # it would wait for the files that other processes are writing
                self.flush()

    def flush(self) -> None:
        """Flush the names of the files to the disk: a new name is a change of the folder."""
        if os.name == "posix":
            with open_descriptor(self.folder, os.O_RDONLY) as descriptor:
                os.fsync(descriptor)

    def list(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that begin with `prefix`."""
        try:
            return sorted(entry.name for entry in os.scandir(self.folder) if entry.name.startswith(prefix))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def exists(self, name: str) -> bool:
        """Return whether there is a file of this name."""
        return (self.folder / name).is_file()

    def size(self, names: Iterable[str]) -> int:
        """Return the total number of bytes of the named files."""
        return sum((self.folder / name).stat().st_size for name in names)

    def delete(self, name: str) -> None:
        """Remove a file if it exists."""
        with write_errors(self.folder / name):
            (self.folder / name).unlink(missing_ok=True)

    def remove_folder(self) -> None:
        """Remove the folder if it is empty."""
        with suppress(OSError):
            self.folder.rmdir()


class SharedFolderStore(FolderStore):
    """Files in a folder that several processes write to, perhaps the same file with the same content.

    The names of its files are flushed to the disk by `flush`, which is called once for all files.
    """

    _shared = True


def write_bytes(descriptor: int, content: Bytes, offset: int) -> int:
    """Write at an offset of an open file and return the number of bytes; every write of tiles uses this function."""
    view = as_bytes(content)
    written = 0
    while written < len(view):
        written += os.pwrite(descriptor, view[written : written + _LONGEST_WRITE], offset + written)
    return written


def as_bytes(content: Bytes) -> memoryview:
    """Return a view of the bytes of a part of a file; an array must be contiguous."""
    if len(content) == 0:  # `cast` refuses an empty array
        return memoryview(b"")
    return (content.data if isinstance(content, np.ndarray) else memoryview(content)).cast("B")


@contextmanager
def open_descriptor(path: Path, flags: int) -> Iterator[int]:
    """Open a file by `os.open` for the duration of the block."""
    descriptor = os.open(path, flags, 0o644)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _read_errors(path: Path) -> Iterator[None]:
    """Raise MissingFileError or ReadError with the path of a file if the block raises an OSError."""
    try:
        yield
    except FileNotFoundError:
        raise MissingFileError(path, "there is no such file") from None
    except OSError as error:
        raise ReadError(path, f"cannot be read: {error.strerror}") from None


@contextmanager
def write_errors(place: Path | str) -> Iterator[None]:
    """Raise WriteError with the name of the place if the block raises an OSError."""
    try:
        yield
    except TriadicError:
        raise
    except OSError as error:
        raise WriteError.of(place, error) from error


def make_folder(folder: Path, argument: str = "") -> None:
    """Make a folder for results; raise a WriteError that names the argument it comes from if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(
            f"{folder}: cannot be created: {error.strerror}; expected {argument}a folder that can be written to"
        ) from None


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Make a folder for the block; if it was made here and is empty at the end, as after an error, remove it.

    Raises
    ------
    WriteError
        The folder cannot be made.
    """
    is_new = not folder.exists()
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder for the duration of the block.

    The operating system releases the lock when the process ends, even if it is killed. A file in the folder holds the
    number of the process; it is removed at the end of the block.

    Parameters
    ----------
    folder : pathlib.Path
        An existing folder.

    Raises
    ------
    WriteError
        Another process holds the lock; the message has its number.

    Examples
    --------
    >>> from pathlib import Path
    >>> folder = Path("kite.tiles")
    >>> folder.mkdir()
    >>> with locked(folder):
    ...     [file.name for file in folder.iterdir()]
    ['lock']
    >>> list(folder.iterdir())
    []
    """
    path = folder / LOCK
    descriptor = _lock_file(path)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(descriptor)


def _lock_file(path: Path) -> int:
    """Open and lock a file; return its descriptor."""
    while True:
        with write_errors(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            import fcntl  # noqa: PLC0415 - Windows does not have it

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # without file locks, two runs at the same time are not noticed
            pass
        except BlockingIOError:
            process = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
            os.close(descriptor)
            holder = f"process {process}" if process else "another process"
            raise WriteError(f"{path.parent}: {holder} is making tiles here; expected it to end first") from None
        # The process that held the lock may have removed the file after this one opened it.
        with suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return descriptor
        os.close(descriptor)
