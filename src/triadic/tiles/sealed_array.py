"""Arrays in files that verify themselves: results of counts, which a later process reads back.

A sealed file is an ordinary ``.npy`` file with 32 more bytes at its end, which NumPy does not read: a mark, the number
of bytes before the seal, and the checksum of these bytes together with the fingerprint of the graph that was counted. A
file that is damaged, incomplete or of another graph is therefore never taken for a result.
"""

from __future__ import annotations

import os
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import drop_pages
from triadic.core.oriented import frozen
from triadic.io.temporary_files import whole_file
from triadic.tiles.file_format import file_checksum
from triadic.tiles.store import FolderStore, write_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from triadic.core.array_types import AnyArray

_MARK = b"triadic seal\x00\x00\x00\x00"
_SEAL = struct.Struct("<16sQQ")


def write_sealed(
    path: Path,
    shape: tuple[int, ...],
    dtype: type[np.generic],
    fill: Callable[[AnyArray], None],
    *,
    graph: str,
) -> AnyArray:
    """Write an array to a file, and return it, mapped into memory and read-only.

    The file is flushed to the disk before it gets its name.

    Parameters
    ----------
    path : pathlib.Path
        The file; its folder is created.
    shape : tuple of int
        Shape of the array.
    dtype : type
        Type of the array's entries.
    fill : callable
        ``fill(array)`` fills the array, which has zeros.
    graph : str
        Fingerprint of the graph.

    Raises
    ------
    WriteError
        The file cannot be written; the message has the reason.

    Examples
    --------
    >>> from pathlib import Path
    >>> path = Path("ones.npy")
    >>> write_sealed(path, (3,), np.int64, lambda array: array.fill(1), graph="a")
    array([1, 1, 1])
    >>> read_sealed(path, graph="a"), read_sealed(path, graph="b")
    (array([1, 1, 1]), None)
    """
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    with new_file(path) as temporary:
        array = mapped_zeros(temporary, shape, dtype)
        fill(array)
        array.base.flush()  # type: ignore[union-attr] # the base of a mapped array is a memmap
        drop_pages(array)
        with temporary.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            sum_of_parts = file_checksum(temporary, before=graph.encode())
            file.seek(size)
            file.write(_SEAL.pack(_MARK, size, sum_of_parts))
            file.flush()
            os.fsync(file.fileno())
    FolderStore(path.parent).flush()
    return frozen(array)


def read_sealed(path: Path, *, graph: str) -> AnyArray | None:
    """Map an array into memory, read-only; return None if the file is missing, damaged or of another graph."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size - _SEAL.size
            if size < 0:
                return None
            file.seek(size)
            mark, stated, seal = _SEAL.unpack(file.read(_SEAL.size))
        if (mark, stated) != (_MARK, size) or seal != file_checksum(path, size=size, before=graph.encode()):
            return None
        # Compiled kernels accept plain arrays only, not the subclass `memmap`.
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError):
        return None


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path as `whole_file` does, in a folder that is created if needed.

    Raises
    ------
    WriteError
        The file cannot be written; the message has the reason.
    """
    with write_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary:
        yield temporary


def mapped_zeros(path: Path, shape: tuple[int, ...], dtype: type[np.generic]) -> AnyArray:
    """Return the zeros of a new ``.npy`` file, mapped into memory for writing.

    Raises
    ------
    OSError
        The file cannot be created, or the disk is full.
    """
    array = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    if hasattr(os, "posix_fallocate"):  # not on every system
        # Reserve the space now: on a full disk, writing to a mapped page would end the process.
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return np.asarray(array)
