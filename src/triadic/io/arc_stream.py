"""Streams of arcs, which are read twice and never held as a whole, and the streams of arcs that lie in memory.

The streams of files that are read in pieces are in the modules of their formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from triadic.core.arcs import Origin
from triadic.io.blocks import ProgressCount
from triadic.io.id_tallies import count_ends, longer_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Ids, Int64Array, ObjectArray
    from triadic.core.blocks import Progress

    Piece = tuple[AnyArray, ...]


Part = TypeVar("Part")

PIECE_ARCS = 1 << 20


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


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The vertices of a stream and their degrees, as the first pass finds them.

    Attributes
    ----------
    vertices : int
        Number of vertices, the same as :func:`triadic.read_arcs` returns.
    labels : int64 array or object array of str, or None
        Labels of the vertices 0, 1, ...; vertices past its end have no label.
    arcs : int
        Number of arcs, loops and repeats included.
    degree : int64 array, shape (vertices,)
        Number of ends of arcs at each vertex. Repeats count and a loop counts twice, so that it is never less than the
        degree in the graph. The stream keeps no reference to it.
    """

    vertices: int
    labels: Int64Array | ObjectArray | None
    arcs: int
    degree: Int64Array


class ArcStream(Protocol):
    r"""Arcs that can be read any number of times, a piece at a time.

    ``survey`` reads all arcs once and finds the vertices, and ``pieces`` then yields the arcs between these vertices.
    The survey is a method of the stream because it may have to begin again: if the last row of a text holds a name,
    all its ids are names.

    Attributes
    ----------
    directed : bool
        Whether source and target mean a direction. Known before the first pass.
    origin : Origin
        Which columns of the file are read. Known before the first pass.
    both_ends : bool
        Whether an undirected source stores an edge at both its ends, as in `triadic.Arcs`.
    held_bytes : int
        Bytes of the first pass that are kept for the next one.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("edges.txt").write_text("10 20\n10 30\n")
    >>> from triadic.io.streaming import stream_arcs
    >>> stream = stream_arcs("edges.txt")
    >>> survey = stream.survey()
    >>> survey.vertices, survey.labels.tolist(), survey.degree.tolist()
    (3, [10, 20, 30], [2, 1, 1])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 0], [1, 2])]
    """

    @property
    def directed(self) -> bool:
        """Whether source and target mean a direction."""

    @property
    def origin(self) -> Origin:
        """Which columns of the file are read, and how the direction was decided."""

    @property
    def both_ends(self) -> bool:
        """Whether an undirected source stores an edge at both its ends."""

    @property
    def held_bytes(self) -> int:
        """Bytes of the first pass that are kept for the next one."""

    def forget(self) -> None:
        """Drop these bytes: the next pass reads the file again."""

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once, and return the vertices and their degrees.

        Parameters
        ----------
        progress : callable, optional
            Called as ``progress(done, total)``, in bytes or arcs; ``total`` is an estimate for a packed text.

        Raises
        ------
        ReadError
            The file is damaged; the message is that of :func:`triadic.read_arcs`.
        OutOfMemoryError
            The labels and degrees of all vertices do not fit in memory.
        """

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read all arcs again and yield them in pieces; call ``survey`` first if it was not called.

        Yields
        ------
        source, target : int32 or int64 arrays, shape (piece_arcs,) or shorter
            Together they are the arcs of :func:`triadic.read_arcs`, in the same order and with the same dtype. The
            caller must not write to them.
        weights : float64 array, shape (piece_arcs,) or shorter
            Finite weights, if the options ask for them; else a piece has two arrays.

        Raises
        ------
        ReadError
            The file has changed since it was surveyed, or is gone.
        """


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
        """Read all arcs once; see :class:`ArcStream`."""
        degree = longer_table(np.zeros(0, dtype=np.int64), self._vertices, exactly=True)
        for piece in self.pieces(progress):
            for end in piece[:2]:
                count_ends(end, degree)
        return Survey(self._vertices, self._labels, self._arcs, degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`ArcStream`."""
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
        """Read all arcs once; see :class:`ArcStream`."""
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
        """Yield all arcs again; see :class:`ArcStream`."""
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


def slices(arcs: tuple[AnyArray, ...], piece_arcs: int) -> Iterator[tuple[AnyArray, ...]]:
    """Yield arcs, which are sources, targets and perhaps weights, in slices of at most `piece_arcs`."""
    for start in range(0, len(arcs[0]), piece_arcs):
        yield tuple(array[start : start + piece_arcs] for array in arcs)
