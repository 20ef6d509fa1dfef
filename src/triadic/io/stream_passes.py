"""What the streams of all formats share in their two passes over a file: threads, a cache, progress, a changed file."""

from __future__ import annotations

import stat
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from triadic.core.arcs import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from triadic.core.array_types import AnyArray
    from triadic.core.blocks import Progress
    from triadic.io.file_source import Source

Part = TypeVar("Part")
Item = TypeVar("Item")
Result = TypeVar("Result")

PIECE_ARCS = 1 << 20
# More threads that parse text only wait for each other.
MOST_THREADS = 4
# About how much shorter gzip makes a text.
UNPACKED = 4


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """How much a stream may hold.

    Attributes
    ----------
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    threads : int, default 1
        Threads that parse or decode.
    keep : int, default 0
        Bytes of decoded columns that may be kept from the first pass for the next one.
    """

    piece_arcs: int = PIECE_ARCS
    threads: int = 1
    keep: int = 0


class PassCache(Generic[Part]):
    """All decoded parts of a pass over a file, or none if they are larger than a limit.

    Parameters
    ----------
    room : int
        Largest number of bytes of all parts together.
    size : callable
        Returns the bytes of a part.

    Attributes
    ----------
    parts : list or None
        The parts of the last complete pass.
    nbytes : int
        Bytes of these parts.

    Examples
    --------
    >>> cache = PassCache(10, len)
    >>> list(cache.record([b"four", b"six"])), cache.nbytes, cache.parts
    ([b'four', b'six'], 7, [b'four', b'six'])
    >>> list(cache.record([b"four", b"and eight"])), cache.nbytes, cache.parts
    ([b'four', b'and eight'], 0, None)
    """

    def __init__(self, room: int, size: Callable[[Part], int]) -> None:
        self._room, self._size = room, size
        self.parts: list[Part] | None = None
        self.nbytes = 0

    def record(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Yield the parts of a pass, and keep them when it ends unless they exceed the limit."""
        self.clear()
        recorded: list[Part] | None = [] if self._room > 0 else None
        nbytes = 0
        for part in parts:
            if recorded is not None:
                recorded.append(part)
                nbytes += self._size(part)
                if nbytes > self._room:
                    recorded = None
            yield part
        if recorded is not None:
            self.parts, self.nbytes = recorded, nbytes

    def parts_or(self, read: Callable[[], Iterable[Part]]) -> Iterable[Part]:
        """Return the parts in the cache; call `read` for them if the cache is empty."""
        return read() if self.parts is None else self.parts

    def clear(self) -> None:
        """Drop all parts."""
        self.parts, self.nbytes = None, 0


class CachingStream:
    """A stream whose first pass fills the cache ``_cache``."""

    _cache: PassCache[Any]
    origin = Origin()
    both_ends = False

    @property
    def held_bytes(self) -> int:
        """Bytes of the first pass that are kept for the next one."""
        return self._cache.nbytes

    def forget(self) -> None:
        """Drop the cache: the next pass reads the file again."""
        self._cache.clear()


class UncachedStream:
    """A stream that keeps nothing of its first pass."""

    both_ends = False
    held_bytes = 0
    origin = Origin()

    def forget(self) -> None:
        """Do nothing; kept so that all streams have the same interface."""


def map_ahead(work: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """Yield ``work(item)`` for each item in order, computed in threads while the caller uses earlier results.

    Parameters
    ----------
    work : callable
        Runs in one of the threads.
    items : iterable
        Iterated in the caller's thread, at most ``threads + 1`` items ahead of the results.
    threads : int

    Examples
    --------
    >>> list(map_ahead(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="triadic-stream") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def slices(arcs: tuple[AnyArray, ...], piece_arcs: int) -> Iterator[tuple[AnyArray, ...]]:
    """Yield arcs, which are sources, targets and perhaps weights, in slices of at most `piece_arcs`."""
    for start in range(0, len(arcs[0]), piece_arcs):
        yield tuple(array[start : start + piece_arcs] for array in arcs)


class FileStamp:
    """The size and modification time of a file, by which a later pass notices that the file has changed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stamp = self._read()

    @property
    def size(self) -> int:
        """The size of the file in bytes; 0 of a pipe."""
        return 0 if self._stamp is None else self._stamp[0]

    def check(self) -> None:
        """Raise a ReadError if the file has changed."""
        if self._read() != self._stamp:
            raise self.error()

    def error(self) -> Exception:
        """Return the ReadError for a changed file."""
        return self._source.error("has changed since its vertices were counted; expected the same file")

    def _read(self) -> tuple[int, int] | None:
        try:
            status = Path(self._source.path).stat()
        except OSError:
            return None
        # A pipe is held in memory and cannot change.
        if not stat.S_ISREG(status.st_mode):
            return None
        return status.st_size, status.st_mtime_ns


class ProgressCount:
    """Calls a progress function with the amount done and a total, which may be an estimate."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, done: int) -> None:
        """Add to the amount done and report it."""
        self._done += done
        if self._progress is not None:
            self._progress(self._done, max(self._total, self._done))
