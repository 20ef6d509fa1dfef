"""A stream over columns of ids, whatever file they come from: gathered in the first pass, numbered in the second."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.io.file_source import Source


def sliced(source: NDArray[Any], target: NDArray[Any], piece_arcs: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield arcs in slices of at most so many."""
    for start in range(0, len(source), piece_arcs):
        yield source[start : start + piece_arcs], target[start : start + piece_arcs]


class Unchanged:
    """Whether a file is still the one that was surveyed, by its length and its time of writing."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stamp = self._now()

    @property
    def size(self) -> int:
        """The file's length in bytes, 0 where it is not a file that can be read again."""
        return 0 if self._stamp is None else self._stamp[0]

    def check(self) -> None:
        """Raise a ReadError if it is not."""
        if self._now() != self._stamp:
            raise self.error()

    def error(self) -> Exception:
        """Return the error."""
        return self._source.error("has changed since its vertices were counted; expected the same file")

    def _now(self) -> tuple[int, int] | None:
        try:
            status = Path(self._source.path).stat()
        except OSError:
            return None
        # A pipe was read into memory, and stays as it was read.
        if not stat.S_ISREG(status.st_mode):
            return None
        return status.st_size, status.st_mtime_ns


class Reported:
    """Progress through something of which ``total`` is known or guessed."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, done: int) -> None:
        """Report that so much more is done."""
        self._done += done
        if self._progress is not None:
            self._progress(self._done, max(self._total, self._done))
