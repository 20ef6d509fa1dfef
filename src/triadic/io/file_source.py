"""A file as unpacked bytes: gzip and Zstandard are recognised by their first bytes, whatever the name is.

Arrow unpacks while it parses, so that a reader which uses :meth:`Source.stream` never holds the whole text.
A pipe (``/dev/stdin``) can be read only once and is therefore held in memory.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

from triadic.core.memory import check_memory
from triadic.devices.select import warn
from triadic.errors import ArgumentError, MissingExtraError, MissingFileError, ReadError, ReadWarning, in_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

HEAD_BYTES = 1 << 16
CHUNK_BYTES = 1 << 24
LESS_MEMORY = (
    "use more memory, or write the network as an edge list or Parquet (triadic convert), which is read in pieces"
)
"""Advice in errors of files that are read whole and do not fit in memory."""
EMPTY = "the file is empty (0 bytes"
"""How the error for a file without a byte begins."""

_UNPACKED = 4  # about how much shorter gzip makes a text
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_PACKED_SUFFIXES = {".gz": "gzip", ".zst": "zstd"}
_OTHER_PACKERS = {
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"7z\xbc\xaf": "7-Zip",
    b"\x04\x22\x4d\x18": "lz4",
}


NetworkInput: TypeAlias = Any
"""What networks are read from.

The path of a file, of a folder or of files with ``*``; a list of paths; ``-``, standard input; a binary file; a
``pyarrow.dataset.Dataset``, a LazyFrame of polars, a relation of DuckDB, or another table or stream of Arrow.
"""


_BLANKS = tuple(bytes([blank]) for blank in b" \t\n\r\v\f")


class Source:
    """One file to read a graph from.

    Parameters
    ----------
    path : path-like
    name : str, optional
        Name of the file in error messages. By default its path.
    owner : object, optional
        Owner of a temporary file, which is kept as long as this source exists.

    Attributes
    ----------
    path : str
    name : str
    folder : bool
        Whether the path is a folder; the attributes below then have no meaning.
    head : bytes
        The first bytes, unpacked.
    whole : bool
        Whether ``head`` holds the whole file.
    packing : str or None
        ``"gzip"``, ``"zstd"`` or None.

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file cannot be opened, is empty, or is packed by a program other than gzip and Zstandard.
    """

    folder, head, whole = False, b"", True
    packing: str | None = None
    _held: bytes | None = None

    def __init__(self, path: str | bytes | os.PathLike[str], name: str | None = None, owner: object = None) -> None:
        self.path: str = path_text(path)
        self.name = name or self.path
        self._owner = owner
        try:
            status = Path(self.path).stat()
        except (FileNotFoundError, NotADirectoryError):
            raise MissingFileError(self.name, "there is no such file") from None
        except (OSError, ValueError) as error:
            raise self.error(f"cannot be opened: {_reason(error)}") from None
        self.folder = stat.S_ISDIR(status.st_mode)
        if not self.folder:
            self._open(regular=stat.S_ISREG(status.st_mode))

    def _open(self, *, regular: bool) -> None:
        try:
            if regular:
                with Path(self.path).open("rb") as file:
                    start = file.read(HEAD_BYTES)
            else:
                start = self._held = Path(self.path).read_bytes()
        except OSError as error:
            raise self.error(f"cannot be read: {_reason(error)}") from None
        if not start:
            raise self.error(f"{EMPTY})")
        for magic, name in _OTHER_PACKERS.items():
            if start.startswith(magic):
                if name == "zip" and self.path.lower().endswith((".xlsx", ".xlsm", ".ods")):
                    raise self.error("is a workbook, expected text; save its sheet of edges as 'CSV UTF-8'")
                if name == "zip" and self.path.lower().endswith((".cys", ".gephi")):
                    raise self.error("is a session or a project, expected a network; export the network as GraphML")
                raise self.error(f"is packed by {name}; expected a plain file, gzip or zstd")
        self.packing = next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)
        if self.packing is None:
            self.head, self.whole = start[:HEAD_BYTES], len(start) < HEAD_BYTES
        else:
            self.grow_head(HEAD_BYTES)
        if not self.head:
            raise self.error(f"{EMPTY} inside {self.packing})")

    def error(self, problem: str, *, line: int | None = None) -> ReadError:
        """Return the ReadError for a problem of this file, in one line."""
        return ReadError(self.name, problem, line=line)

    def warn(self, text: str) -> None:
        """Warn of a part of this file that is not read."""
        warn(ReadWarning(f"{self.name}: {text}"))

    @property
    def stored_bytes(self) -> int:
        """Size of the file as it is stored, packed or not; 0 of a pipe."""
        return Path(self.path).stat().st_size

    @property
    def unpacked_bytes(self) -> int:
        """About the size of the text that the file unpacks to; 0 of a pipe."""
        return self.stored_bytes * (1 if self.packing is None else _UNPACKED)

    def stamp(self) -> tuple[int, int]:
        """Return the size and the modification time of the file; zeros of a pipe, which is held and cannot change."""
        try:
            status = Path(self.path).stat()
        except OSError:
            return 0, 0
        return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else (0, 0)

    def identity(self) -> dict[str, Any]:
        """Return the name of this network, and what distinguishes it from others unless `content_paths` do."""
        return {"name": PurePath(self.name).name}

    @property
    def content_paths(self) -> tuple[str, ...]:
        """Paths of the files whose bytes distinguish this network from others; none if `identity` does."""
        if not self.folder:
            return (self.path,)
        return tuple(sorted(str(file) for file in Path(self.path).iterdir() if file.suffix in (".json", ".npy")))

    @property
    def stored_names(self) -> tuple[str, ...]:
        """Names of the files that hold the network."""
        return (self.path,)

    def forget_head(self) -> None:
        """Drop the first bytes, which are then read from the file again where they are needed."""
        if self._held is None:
            self.head, self.whole = b"", False

    def grow_head(self, size: int) -> None:
        """Make ``head`` the first ``size`` bytes."""
        with self.stream() as stream:
            self.head = stream.read(size)
        self.whole = len(self.head) < size

    @contextmanager
    def stream(self) -> Iterator[pa.NativeFile]:
        """Open the unpacked bytes; an error while they are read becomes a ReadError.

        Yields
        ------
        pyarrow.NativeFile
        """
        with self.raw_and_unpacked() as (_, unpacked):
            yield unpacked

    @contextmanager
    def raw_and_unpacked(self) -> Iterator[tuple[pa.NativeFile, pa.NativeFile]]:
        """Open the bytes of the file and the unpacked bytes, which are the same stream for a plain file."""
        import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for triadic's own format

        try:
            with pa.BufferReader(self._held) if self._held is not None else pa.OSFile(os.fsencode(self.path)) as raw:
                if self.packing is None:
                    yield raw, raw
                else:
                    with pa.CompressedInputStream(raw, self.packing) as unpacked:
                        yield raw, unpacked
        except ReadError:
            raise
        except OSError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: OSError) -> ReadError:
        if self.packing is None:
            return self.error(f"cannot be read: {_reason(error)}")
        if "runcated" in str(error):
            return self.error(f"the {self.packing} data breaks off before its end; the file is incomplete")
        return self.error(f"the {self.packing} data is damaged ({_reason(error)})")

    def check_memory(self, needed: int, text: int) -> None:
        """Raise an OutOfMemoryError if a reader cannot hold what it makes of the text.

        A packed file may unpack to a thousand times its size. A reader that keeps the whole text, or what it parses,
        calls this after each piece of the text, so that the error comes before the memory is taken.

        Parameters
        ----------
        needed : int
            Bytes of memory that the reader still takes for the text that is unpacked so far.
        text : int
            Bytes of this text.
        """
        part = "" if self.packing is None else f" that it unpacks to with {self.packing}"
        check_memory(needed, f"{self.name}: reading the first {text / 2**20:,.0f} MiB{part}", LESS_MEMORY)

    def everything(self, further: int = 1) -> bytes:
        """Return all bytes, unpacked, if they fit in memory.

        Parameters
        ----------
        further : int, default 1
            Bytes of memory that the caller takes besides the text, for each byte of it.
        """
        if self.whole:
            return self.head
        if self._held is not None and self.packing is None:
            return self._held
        blocks: list[bytes] = []
        # All blocks are joined at the end: the text is in memory twice before the caller takes memory.
        further = max(1, further)
        if self.packing is None:
            self.check_memory((1 + further) * self.stored_bytes, self.stored_bytes)
        size = 0
        with self.stream() as stream:
            while block := stream.read(CHUNK_BYTES):
                blocks.append(block)
                size += len(block)
                self.check_memory(further * size + len(block), size)
        return b"".join(blocks)

    def held(self) -> memoryview | None:
        """Return all bytes, unpacked, of a file that is in memory or packed; None of one that is read on demand."""
        if self.whole or self.packing is not None or self._held is not None:
            return memoryview(self.everything())
        return None

    def mapped(self) -> memoryview:
        """Return all bytes, unpacked; the bytes of a plain file are mapped into memory."""
        held = self.held()
        if held is not None:
            return held
        import pyarrow as pa  # noqa: PLC0415 - slow to import

        with pa.memory_map(os.fsencode(self.path)) as file:
            return memoryview(file.read_buffer())

    def chunks(self, size: int | None = None) -> Iterator[bytes]:
        r"""Yield the bytes in chunks of whole lines, with every line end as ``\n``.

        A chunk with a line longer than ``size`` bytes is longer.

        Raises
        ------
        OutOfMemoryError
            A line is so long that it does not fit in memory.
        """
        return self._parts(_last_line_end, size)

    def pieces(self, size: int | None = None) -> Iterator[bytes]:
        r"""Yield the bytes in pieces that end between two words, with every line end as ``\n``.

        A line may go on in the next piece. A piece with a word longer than ``size`` bytes is longer.

        Raises
        ------
        OutOfMemoryError
            A word is so long that it does not fit in memory.
        """
        return self._parts(_last_word_end, size)

    def _parts(self, cut_of: Callable[[bytes], int], size: int | None) -> Iterator[bytes]:
        """Yield the bytes in parts that end where `cut_of` cuts a block of `size` bytes."""
        held: list[bytes] = []
        text = uncut = checked = 0
        with self.stream() as stream:
            while block := stream.read(size or CHUNK_BYTES):
                text += len(block)
                cut = cut_of(block)
                if cut == 0:
                    held.append(block)
                    uncut += len(block)
                    if uncut >= checked + CHUNK_BYTES:
                        checked = uncut
                        # The joined part, its copy with other line ends, and the blocks before the next check.
                        self.check_memory(2 * uncut + 3 * CHUNK_BYTES, text)
                    continue
                held.append(block[:cut])
                yield _joined(held)
                held.append(block[cut:])
                uncut, checked = len(block) - cut, 0
        last = _joined(held)
        if last:
            yield last


def _last_line_end(block: bytes) -> int:
    cut = block.rfind(b"\n") + 1
    # A single carriage return ends a line too, but at the end of the block it may be half of a pair.
    return cut or block.rfind(b"\r", 0, len(block) - 1) + 1


def _last_word_end(block: bytes) -> int:
    # The last byte may be the first of a line end, which is two.
    cut = max(block.rfind(blank, 0, len(block) - 1) for blank in _BLANKS) + 1
    return cut + 1 if block[cut - 1 : cut + 1] == b"\r\n" else cut


def _joined(blocks: list[bytes]) -> bytes:
    r"""Join blocks with every line end as ``\n``, and empty the list, so that the text is not in memory twice."""
    chunk = b"".join(blocks)
    blocks.clear()
    return one_line_end(chunk)


def lines_of(chunk: bytes) -> Iterator[bytes]:
    r"""Yield the lines of a chunk, whose line ends are ``\n``, one at a time.

    ``splitlines`` makes an object for each line at once, which for short lines takes many times the memory of the text.

    Examples
    --------
    >>> list(lines_of(b"1 2\n\n3 4"))
    [b'1 2', b'', b'3 4']
    """
    for line in BytesIO(chunk):
        yield line.removesuffix(b"\n")


def one_line_end(chunk: bytes) -> bytes:
    r"""Return a chunk of text with every line end as ``\n``."""
    if b"\r" in chunk:
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return chunk


def short(text: str) -> str:
    """Return a line or a cell in the form for error messages."""
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return ascii(shown)


def path_text(path: str | bytes | os.PathLike[str]) -> str:
    """Return a path as a string; raise an ArgumentError for an object that is not a path."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise ArgumentError(f"path={path!r}: expected the path of a file") from None


def is_pattern(path: str | bytes | os.PathLike[str]) -> bool:
    """Return whether a path has a wildcard: ``*``, ``?`` or ``[``."""
    return any(mark in path_text(path) for mark in "*?[")


def _reason(error: Exception) -> str:
    """Return the message of an error in one line, without the path that Arrow and Python add."""
    if isinstance(error, OSError) and error.strerror:
        return in_one_line(error.strerror)
    return in_one_line(error)


def suffix_of(path: str) -> tuple[str, str | None]:
    """Return the lower-case suffix of a file name that tells the format, and the packing that the name states.

    Examples
    --------
    >>> suffix_of("web.txt.gz")
    ('.txt', 'gzip')
    >>> suffix_of("graph")
    ('', None)
    """
    name = PurePath(path)
    packing = _PACKED_SUFFIXES.get(name.suffix.lower())
    if packing is not None:
        name = name.with_suffix("")
    return name.suffix.lower(), packing


def file_system(place: str, **options: bool) -> tuple[Any, str]:
    """Return the file system of fsspec for a path or a URL, and the path in it; `options` are those of fsspec.

    Raises
    ------
    MissingExtraError
        fsspec, or the package it needs for this kind of URL, is not installed.
    ArgumentError
        fsspec does not know this kind of URL.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise MissingExtraError(f"{place}: needs fsspec, which is not installed: pip install fsspec") from None
    try:
        system, path = url_to_fs(place, **options)
    except ImportError as error:
        raise MissingExtraError(f"{place}: {in_one_line(error)}") from None
    except ValueError as error:
        raise ArgumentError(f"{place}: {in_one_line(error)}") from None
    return system, path
