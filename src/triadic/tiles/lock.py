"""A lock on a folder that dies with the process that holds it."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from triadic.errors import WriteError
from triadic.tiles.store import writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for as long as the block runs.

    The system gives the lock back when the process ends, however it ends. The file is removed at the end, and says in
    between which process holds it.

    Parameters
    ----------
    folder : pathlib.Path

    Raises
    ------
    WriteError
        Another process holds it; the message has its number.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> with locked(folder):
    ...     [file.name for file in folder.iterdir()]
    ['lock']
    >>> list(folder.iterdir())
    []
    """
    path = folder / NAME
    descriptor = _take(path)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(descriptor)


def _take(path: Path) -> int:
    while True:
        with writing(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _flock(descriptor):
            error = _taken(path, descriptor)
            os.close(descriptor)
            raise error
        # Whoever held it may have removed the file between our opening and locking it.
        with suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.stat().st_ino:
                return descriptor
        os.close(descriptor)


def _taken(path: Path, descriptor: int) -> WriteError:
    holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip()
    who = f"process {holder}" if holder else "another process"
    return WriteError(f"{path.parent}: {who} is making tiles here; expected it to end first")


def _flock(descriptor: int) -> bool:
    """Lock an open file unless it is locked; whether it now is ours."""
    try:
        import fcntl  # noqa: PLC0415 - not everywhere
    except ImportError:  # no such locks: a second run is not told
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
