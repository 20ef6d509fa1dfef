"""Streams of arcs whose vertices are known: arcs and rows in memory or mapped into it, and arcs that are generated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Origin
from triadic.io.arc_stream import Survey, slices
from triadic.io.blocks import ProgressCount
from triadic.io.id_tallies import count_ends, longer_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.blocks import Progress
    from triadic.io.arc_stream import Piece


class UncachedStream:
    """A stream that keeps nothing of its first pass."""

    both_ends = False
    held_bytes = 0
    origin = Origin()

    def forget(self) -> None:
        """Do nothing; kept so that all streams have the same interface."""


class VertexStream(UncachedStream):
    """Arcs between a known number of vertices, from a function that starts a new iteration over them on each call."""

    def __init__(
        self,
        begin: Callable[[], Iterator[Piece]],
        *,
        vertices: int,
        arcs: int,
        directed: bool,
        labels: AnyArray | None = None,
        both_ends: bool = False,
    ) -> None:
        self.directed, self.both_ends = directed, both_ends
        self._begin, self._vertices, self._arcs, self._labels = begin, vertices, arcs, labels

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        degree = longer_table(np.zeros(0, dtype=np.int64), self._vertices, exactly=True)
        for piece in self.pieces(progress):
            for end in piece[:2]:
                count_ends(end, degree)
        return Survey(self._vertices, self._labels, self._arcs, degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        reported = ProgressCount(progress, self._arcs)
        for piece in self._begin():
            yield piece
            reported.add(len(piece[0]))


def stream_of_arcs(arcs: Arcs, *, piece_arcs: int) -> VertexStream:
    """Return arcs in memory as a stream."""
    columns = (arcs.source, arcs.target)
    stream = VertexStream(
        lambda: slices(columns if arcs.weights is None else (*columns, arcs.weights), piece_arcs),
        vertices=arcs.vertices,
        arcs=len(arcs),
        directed=arcs.directed,
        labels=arcs.labels,
        both_ends=arcs.both_ends,
    )
    stream.origin = arcs.origin
    return stream


class RowStream(UncachedStream):
    """The arcs of a graph whose rows are mapped into memory, as triadic's own folder and GAP's ``.sg`` store them.

    Parameters
    ----------
    indptr : int64 array, shape (rows + 1,)
        Rises from 0 to the number of arcs.
    indices : int32 or int64 array, shape (arcs,)
    vertices : int
        Number of vertices, at least the number of rows.
    directed : bool
    labels : array or None
    damaged : callable
        Called with the least and the greatest index if one is not a row; returns the error to raise.
    dtype : numpy type
        Dtype of the vertices in the pieces.
    piece_arcs : int
    both_ends : bool
        Whether each edge is in the rows of both its ends.
    weights : array, shape (arcs,), optional
        Weights of the arcs, finite numbers of any type. By default pieces have no weights.
    """

    def __init__(
        self,
        indptr: Int64Array,
        indices: Ids,
        *,
        vertices: int,
        directed: bool,
        labels: AnyArray | None,
        damaged: Callable[[int, int], Exception],
        dtype: type[np.integer[Any]],
        piece_arcs: int,
        both_ends: bool,
        weights: AnyArray | None = None,
    ) -> None:
        self.directed, self.both_ends, self._weights = directed, both_ends, weights
        self._indptr, self._indices, self._labels = indptr, indices, labels
        self._vertices, self._dtype, self._damaged, self._piece_arcs = vertices, dtype, damaged, piece_arcs

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        rows = len(self._indptr) - 1
        self._check_range()
        degree = longer_table(np.zeros(0, dtype=np.int64), self._vertices, exactly=True)
        np.subtract(self._indptr[1:], self._indptr[:-1], out=degree[:rows])
        reported = ProgressCount(progress, len(self._indices))
        for start in range(0, len(self._indices), self._piece_arcs):
            part = self._indices[start : start + self._piece_arcs]
            count_ends(part, degree)
            reported.add(len(part))
        return Survey(self._vertices, self._labels, len(self._indices), degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        reported = ProgressCount(progress, len(self._indices))
        for start in range(0, len(self._indices), self._piece_arcs):
            target = np.ascontiguousarray(self._indices[start : start + self._piece_arcs], dtype=self._dtype)
            ends = self._sources(start, start + len(target)), target
            if self._weights is None:
                yield ends
            else:
                weights = self._weights[start : start + len(target)].astype(np.float64)
                if not np.isfinite(weights).all():
                    raise self._damaged(0, 0)
                yield *ends, weights
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
