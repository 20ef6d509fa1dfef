"""Temporary files: those that become the file that is written, and copies of what can be read only once.

A written file appears complete or not at all: it is written under a temporary name in the same folder, then renamed.
The writer holds a lock on the temporary file or folder. A temporary file without a lock was left by a process that was
killed, and the next writer of the same name removes it.

A copy of standard input or of an opened file can be read any number of times in bounded memory. It is in the folder for
temporary files, which the environment variable ``TMPDIR`` names, and is removed when nothing refers to it any more.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
import weakref
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError, ReadError, TriadicError, WriteError, in_one_line
from triadic.io.file_source import Source, suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    import pyarrow as pa

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TEMPORARY, _OLD = ".tmp", ".old"
_OLD_SECONDS = 3600.0


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path to write to; the file replaces ``path`` when the block ends without an error.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pathlib.Path
        Path in the same folder.

    Raises
    ------
    WriteError
        The file cannot be written. A file that was at ``path`` is untouched, and no temporary file is left.

    Examples
    --------
    >>> with whole_file("edges.txt") as temporary:
    ...     _ = temporary.write_text("1 2")
    >>> Path("edges.txt").read_text()
    '1 2'
    """
    target = Path(path)
    if target.is_dir():
        raise WriteError(f"{target}: is a folder; expected the name of a file to write")
    with _named_errors(target), _temporary(target, folder=False) as temporary:
        yield temporary
        temporary.replace(target)


@contextmanager
def whole_stream(path: str | os.PathLike[str]) -> Iterator[pa.NativeFile]:
    """Yield a stream to write a file to, packed if its name ends in ``.gz`` or ``.zst``, as :func:`whole_file` does.

    The path ``-`` is standard output.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pyarrow.NativeFile

    Raises
    ------
    WriteError
        The file cannot be written. A file that was at ``path`` is untouched, and no temporary file is left.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for triadic's own format

    if os.fspath(path) == "-":
        with _named_errors(Path(path)), os.fdopen(1, "wb", closefd=False) as output, pa.PythonFile(output) as stream:
            yield stream
        return
    with (
        whole_file(path) as temporary,
        pa.OSFile(os.fsencode(temporary), "wb") as file,  # Arrow takes strings that are UTF-8 only
        pa.output_stream(file, compression=suffix_of(os.fspath(path))[1]) as stream,
    ):
        yield stream


@contextmanager
def whole_folder(path: str | os.PathLike[str], *, replaceable: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield a temporary folder to fill; it replaces ``path`` when the block ends without an error.

    The old and the new folder are exchanged in one step on Linux and macOS. Elsewhere the old folder is renamed first.
    If the process ends before the new one takes its place, `recover` renames the old folder back.

    Parameters
    ----------
    path : path-like
    replaceable : callable
        Called with ``path``; returns whether the file or folder there may be replaced.

    Yields
    ------
    pathlib.Path
        Empty folder in the same folder as ``path``.

    Raises
    ------
    WriteError
        The folder cannot be written, or ``path`` may not be replaced. A file or folder that was there is untouched.
    """
    target = Path(path)
    with _named_errors(target):
        recover(target)
        if target.exists() and not replaceable(target):
            raise WriteError(f"{target}: exists and is not a graph in triadic's own format; expected a new name")
        with _temporary(target, folder=True) as temporary:
            yield temporary
            _put_in_place(temporary, target)


def recover(target: Path) -> None:
    """Rename a folder back that was renamed to make room for a new one, if its writer was killed in between."""
    if os.path.lexists(target):
        return
    for left in _left_behind(target, _OLD):
        left.replace(target)
        return


def _put_in_place(new: Path, target: Path) -> None:
    """Rename a folder to the name of another folder, which is removed."""
    if not target.exists():
        new.replace(target)
        return
    if _exchange(new, target):  # `new` is the old folder now, which the caller removes
        return
    old = _new_name(target, _OLD)
    target.replace(old)
    try:
        new.replace(target)
    except OSError:
        old.replace(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange the names of two folders in one step; return False where the system cannot do that."""
    call = {"linux": "renameat2", "darwin": "renameatx_np"}.get(sys.platform)
    function = None if call is None else getattr(ctypes.CDLL(None, use_errno=True), call, None)
    if function is None:
        return False
    here = -100 if sys.platform == "linux" else -2  # AT_FDCWD
    exchange = 2  # RENAME_EXCHANGE and RENAME_SWAP
    return bool(function(here, os.fsencode(first), here, os.fsencode(second), ctypes.c_uint(exchange)) == 0)


@contextmanager
def _temporary(target: Path, *, folder: bool) -> Iterator[Path]:
    """Yield an empty temporary file or folder beside `target`, locked, and remove what is left of it at the end."""
    for left in _left_behind(target, _TEMPORARY):
        _remove(left)
    path, lock = _create(target, folder=folder)
    try:
        yield path
    finally:
        if lock is not None:
            os.close(lock)
        _remove(path)


def _create(target: Path, *, folder: bool) -> tuple[Path, int | None]:
    """Create an empty temporary file or folder, and return its path and the descriptor of its lock."""
    while True:
        path = _new_name(target, _TEMPORARY)
        if folder:
            path.mkdir()
        else:
            path.touch(exist_ok=False)
        lock = _lock(path)
        if path.exists():  # another writer may have removed it before it was locked
            return path, lock
        if lock is not None:
            os.close(lock)


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _left_behind(target: Path, suffix: str) -> list[Path]:
    """Return the temporary files and folders of writers of `target` that were killed."""
    own_name = re.compile(rf"{re.escape(_prefix(target))}\d+-[0-9a-f]{{8}}{re.escape(suffix)}")
    with suppress(OSError):
        names = [entry.name for entry in os.scandir(target.parent) if own_name.fullmatch(entry.name)]
        return [path for name in names if _is_left_behind(path := target.with_name(name))]
    return []


def _is_left_behind(path: Path) -> bool:
    """Whether no process holds the lock of a temporary file or folder; where there are no locks, whether it is old."""
    if importlib.util.find_spec("fcntl") is None:
        return time.time() - path.stat().st_mtime > _OLD_SECONDS
    lock = _lock(path)
    if lock is not None:
        os.close(lock)
    return lock is not None


def _lock(path: Path) -> int | None:
    """Lock a file or folder; return its descriptor, or None if another process holds the lock or there are no locks."""
    try:
        import fcntl  # noqa: PLC0415 - Windows does not have it

        descriptor = os.open(path, os.O_RDONLY)
    except (ImportError, OSError):
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _prefix(target: Path) -> str:
    return f".{target.name[:100]}."


def _new_name(target: Path, suffix: str) -> Path:
    return target.with_name(f"{_prefix(target)}{os.getpid()}-{secrets.token_hex(4)}{suffix}")


@contextmanager
def _named_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except TriadicError:
        raise
    except (OSError, UnicodeEncodeError) as error:
        raise WriteError.of(target, error) from error


STANDARD_INPUT = "-"
"""The path that stands for standard input."""

_BLOCK = 1 << 20
# Standard input is read once, and a plan, the tiles and the count all need it.
_copies_of_input: weakref.WeakKeyDictionary[Any, CopiedSource] = weakref.WeakKeyDictionary()


class CopiedSource(Source):
    """A temporary file with the rest of the bytes of an opened file, which is removed with this object.

    It is the same network as another copy of the same bytes.

    Parameters
    ----------
    file : binary file
    name : str
        Name of the network in messages. Its suffix is the suffix of the temporary file.

    Raises
    ------
    ArgumentError
        The file is opened as text.
    ReadError
        The file cannot be read or is empty, or its copy cannot be written.
    """

    content_paths = ()  # the digest of the bytes is known

    def __init__(self, file: IO[Any], name: str) -> None:
        suffix, packing = suffix_of(name)
        path = temporary_file(self, f"{suffix}{PurePath(name).suffix if packing else ''}")
        digest = hashlib.blake2b(digest_size=16)
        try:
            with path.open("wb") as copy:
                while (block := file.read(_BLOCK)) and not isinstance(block, str):
                    digest.update(block)
                    copy.write(block)
        except (OSError, ValueError) as error:
            words = in_one_line(error)
            raise ReadError(name, f"cannot be copied to {path.parent}: {words}") from None
        if isinstance(block, str):
            raise ArgumentError(f"path={name}: the file is opened as text; expected a binary file, of mode 'rb'")
        self._digest = digest.hexdigest()
        super().__init__(path, name)

    @property
    def stored_names(self) -> tuple[str, ...]:
        """The name of the copy with the suffix of how it is packed."""
        return (f"{self.path}.{self.packing}",)

    def identity(self) -> dict[str, Any]:
        """Return the name, the size and the digest of the bytes."""
        return {"name": self.name, "bytes": self.stored_bytes, "digest": self._digest}


def temporary_file(owner: object, suffix: str) -> Path:
    """Return a new, empty file that is removed when its owner is, or when Python ends."""
    descriptor, path = tempfile.mkstemp(prefix="triadic-", suffix=suffix)
    os.close(descriptor)
    weakref.finalize(owner, Path(path).unlink, missing_ok=True)
    return Path(path)


def copy_of_input() -> CopiedSource:
    """Return the copy of standard input, which is made on the first call."""
    if not hasattr(sys.stdin, "buffer"):  # such as None in a program without a terminal
        raise ReadError(STANDARD_INPUT, "there is no standard input")
    copy = _copies_of_input.get(sys.stdin)
    if copy is None:
        copy = _copies_of_input[sys.stdin] = CopiedSource(sys.stdin.buffer, "standard input")
    return copy


def copy_of_file(file: IO[Any]) -> CopiedSource:
    """Return a copy of the rest of an opened file."""
    name = getattr(file, "name", None)
    return CopiedSource(file, name if isinstance(name, str) else f"a {type(file).__name__}")
