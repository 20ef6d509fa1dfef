"""``stream_arcs``: the arcs of a network, read twice in pieces and never held as a whole.

``stream_arcs(path)`` returns an `ArcStream`. Its ``survey()`` reads the file once and
returns the number of vertices, their labels and their degrees; its ``pieces()`` then yields the arcs as vertices, as
often as it is called. Together they return exactly what :func:`triadic.read_arcs` returns.

A stream holds, besides a few pieces, some bytes for each vertex, the names where ids are names, and a table of the ids
where they are numbers with gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core.arcs import Origin
from triadic.core.blocks import resolve_threads
from triadic.core.memory import check_memory, named_memory_errors
from triadic.errors import ArgumentError
from triadic.io.blocks import ProgressCount
from triadic.io.file_source import LESS_MEMORY, UNPACKED
from triadic.io.format import ReadOptions
from triadic.io.formats import check_columns, open_network

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Ids, Int64Array, ObjectArray
    from triadic.core.blocks import Progress
    from triadic.io.file_source import NetworkInput, Source
    from triadic.io.format import Format

    Piece = tuple[AnyArray, ...]

PIECE_ARCS = 1 << 20
_MOST_PIECE_ARCS = 1 << 40
# The text, its words or numbers, and the arcs are in memory at the same time.
_WHOLE_PER_BYTE = 6


def stream_arcs(
    network: NetworkInput,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read_arcs
    vertices: int | None = None,
    weights: bool | str | int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    piece_arcs: int = PIECE_ARCS,
    keep: int = 0,
    threads: int | None = None,
) -> ArcStream:
    r"""Open a network as a stream of arcs.

    Parameters
    ----------
    network : path-like, list of path-like, binary file or table
        What :func:`triadic.read_arcs` reads.
    directed : bool, optional
        None takes the direction that the format or the header of the file states, and True where neither does.
    format : str, optional
        A key of ``triadic.io.FORMATS``; None chooses by the first bytes and the suffix.
    vertices : int, optional
        Number of vertices 0, 1, ...; every id has to be below it.
    weights : bool, str or int, optional
        Which weights to read, as in :func:`triadic.read`; None and False read none.
    source, target : str or int, optional
        Names or indices of the columns of the two ends, as in :func:`triadic.read`.
    header : bool, optional
        Whether the first row of a text holds the names of the columns, as in :func:`triadic.read`.
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    keep : int, default 0
        Bytes: if the decoded columns of text or METIS files are not larger, they are kept for the second pass.
    threads : int, optional
        Threads that parse or decode; by default as many as the process may use.

    Returns
    -------
    ArcStream

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file is damaged or of another format; most damage is found by ``survey`` only.
    ArgumentError
        An argument has a value that cannot be used.
    OutOfMemoryError
        The format is read whole, and the file does not fit in memory.

    Notes
    -----
    Text, Parquet, METIS, ``.sg`` and triadic's own format are read in pieces. Files of other formats are read whole
    when the stream is opened.

    An Arrow dataset, a polars LazyFrame and a DuckDB relation are read in batches. A query is executed three times, to
    count its rows and for the two passes; its rows must be the same each time, which a digest checks. A LazyFrame of
    polars before 1.34 and a stream that can be read only once, such as a ``pyarrow.RecordBatchReader``, are copied to a
    temporary Parquet file with the two columns first.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("edges.txt").write_text("a b\nb c\nc c\n")
    >>> stream = stream_arcs("edges.txt", piece_arcs=2)
    >>> survey = stream.survey()
    >>> survey.vertices, survey.arcs, survey.degree.tolist()
    (3, 3, [1, 2, 3])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 1], [1, 2]), ([2], [2])]
    """
    options = ReadOptions(directed, vertices, False if weights is None else weights, source, target, header)
    if type(piece_arcs) is not int or not 1 <= piece_arcs <= _MOST_PIECE_ARCS:
        raise ArgumentError(f"piece_arcs={piece_arcs!r}: expected a whole number from 1 to 2**40")
    limits = StreamLimits(piece_arcs, resolve_threads(threads), keep)
    file, known = open_network(network, format)
    check_columns(known, options)
    with named_memory_errors(f"{file.name}: reading the network", LESS_MEMORY):
        stream = opened_stream(file, known, options, limits)
        lists_twice = stream is not None and stream.both_ends
        opened = _stream_of_whole(file, options, known, piece_arcs) if stream is None else stream
        return _NamedStream(opened, file, weighted=options.wants_weights, lists_twice=lists_twice)


class _NamedStream:
    """A stream in whose passes memory that runs out is an `OutOfMemoryError` that names the file."""

    def __init__(self, stream: ArcStream, file: Source, *, weighted: bool, lists_twice: bool) -> None:
        self._stream, self._work = stream, f"{file.name}: reading the network"
        self._file, self._columns = file, 3 if weighted else 2
        self.directed, self.origin, self.both_ends = stream.directed, stream.origin, stream.both_ends
        # Whether an edge has an arc at each of its ends, so that there are twice as many arcs as edges.
        self.lists_twice = lists_twice

    @property
    def held_bytes(self) -> int:
        """Bytes of the first pass that are kept for the next one."""
        return self._stream.held_bytes

    def forget(self) -> None:
        """Drop what is kept of the first pass."""
        self._stream.forget()

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`ArcStream`."""
        with named_memory_errors(self._work, LESS_MEMORY):
            return self._stream.survey(progress)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`ArcStream`."""
        with named_memory_errors(self._work, LESS_MEMORY):
            for piece in self._stream.pieces(progress):
                if len(piece) != self._columns:  # a format that a user has registered
                    raise self._file.error("its format reads no weights in pieces; expected weights=None")
                yield piece


def opened_stream(file: Source, known: Format, options: ReadOptions, limits: StreamLimits) -> ArcStream | None:
    """Open a network as a stream; return None if it has to be read whole."""
    if known.stream is not None:
        return known.stream(file, options, limits)
    if known.read is not None:
        return None
    from triadic.io.block_stream import BlockStream  # noqa: PLC0415 - Arrow takes long to import

    return BlockStream(file, file.blocks(known, options, limits.threads), options, limits)


def _stream_of_whole(file: Source, options: ReadOptions, known: Format, piece_arcs: int) -> ArcStream:
    size = file.stored_bytes * (1 if file.packing is None else UNPACKED)
    check_memory(
        _WHOLE_PER_BYTE * size,
        f"reading {file.name}, whose format ({known.name}) is read whole,",
        LESS_MEMORY,
    )
    arcs = known.read(file, options)
    if arcs.weights is None and options.wants_weights:
        raise file.error(f"weights={options.weights!r}: the file has no weights")
    return stream_of_arcs(arcs, piece_arcs=piece_arcs)


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
        from triadic.io.id_tallies import count_ends, longer_table  # noqa: PLC0415 - kernels take long to import

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
        from triadic.io.id_tallies import count_ends, longer_table  # noqa: PLC0415 - kernels take long to import

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
