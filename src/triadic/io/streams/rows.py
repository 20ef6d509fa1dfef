"""Graphs that lie in the file as rows, mapped into memory: triadic's own folder, and GAP's ``.sg``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.streams.columns import Reported
from triadic.io.streams.kept import KeepingNothing
from triadic.io.streams.numbers import counted, grown
from triadic.io.streams.protocol import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress

    Ids = NDArray[np.integer[Any]]


class RowStream(KeepingNothing):
    """The arcs of rows.

    Parameters
    ----------
    indptr : int64 array, shape (rows + 1,)
        Rises from 0 to the number of arcs.
    indices : int32 or int64 array, shape (arcs,)
    vertices : int
        At least as many as there are rows.
    directed : bool
    labels : array or None
    damaged : callable
        Makes the error for indices that go from a least to a greatest number beyond the rows.
    dtype : numpy type
        Of the vertices given.
    piece_arcs : int
    """

    def __init__(
        self,
        indptr: NDArray[np.int64],
        indices: Ids,
        *,
        vertices: int,
        directed: bool,
        labels: NDArray[Any] | None,
        damaged: Callable[[int, int], Exception],
        dtype: type[np.integer[Any]],
        piece_arcs: int,
    ) -> None:
        self.directed = directed
        self._indptr, self._indices, self._labels = indptr, indices, labels
        self._vertices, self._dtype, self._damaged, self._piece_arcs = vertices, dtype, damaged, piece_arcs

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once; see :class:`triadic.io.streams.ArcStream`."""
        rows = len(self._indptr) - 1
        self._check_range()
        degree = grown(np.zeros(0, dtype=np.int64), self._vertices, exactly=True)
        np.subtract(self._indptr[1:], self._indptr[:-1], out=degree[:rows])
        reported = Reported(progress, len(self._indices))
        for start in range(0, len(self._indices), self._piece_arcs):
            part = self._indices[start : start + self._piece_arcs]
            counted(part, degree)
            reported.add(len(part))
        return Survey(self._vertices, self._labels, len(self._indices), degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[tuple[Ids, Ids]]:
        """Read everything again; see :class:`triadic.io.streams.ArcStream`."""
        reported = Reported(progress, len(self._indices))
        for start in range(0, len(self._indices), self._piece_arcs):
            target = np.ascontiguousarray(self._indices[start : start + self._piece_arcs], dtype=self._dtype)
            yield self._sources(start, start + len(target)), target
            reported.add(len(target))

    def _sources(self, start: int, stop: int) -> Ids:
        first, after = np.searchsorted(self._indptr, [start, stop - 1], side="right") - np.array([1, 0])
        ends = np.clip(self._indptr[first : after + 1], start, stop)
        return np.repeat(np.arange(first, after, dtype=self._dtype), np.diff(ends))

    def _check_range(self) -> None:
        if len(self._indices) == 0:
            return
        least = greatest = int(self._indices[0])
        for start in range(0, len(self._indices), self._piece_arcs):
            part = self._indices[start : start + self._piece_arcs]
            least, greatest = min(least, int(part.min())), max(greatest, int(part.max()))
        if least < 0 or greatest >= len(self._indptr) - 1:
            raise self._damaged(least, greatest)
