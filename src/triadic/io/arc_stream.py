"""Streams of arcs, which are read twice and never held as a whole; the stream of any network in blocks.

A network of one set of vertices counts the ids of both columns together. A bipartite network numbers its sources and
its targets separately, and the targets follow the sources. All files share one numbering, so that the stream is the one
of the concatenated files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from triadic.core.arcs import Origin
from triadic.core.memory import named_memory_errors
from triadic.core.records import record, value_class
from triadic.io.blocks import IdCheck, ProgressCount, names_of
from triadic.io.file_source import CHUNK_BYTES, LESS_MEMORY
from triadic.io.id_tallies import NameTally, NumberTally, count_ends, no_counts
from triadic.io.identifiers import (
    UnusableIdError,
    listed_positions,
    to_array,
    two_sets,
)
from triadic.io.text_layout import IrregularError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray, Int64Array, ObjectArray
    from triadic.core.blocks import Progress
    from triadic.io.blocks import BlockFiles, Rows
    from triadic.io.identifiers import Column

    Piece = tuple[AnyArray, ...]
    Tally = NumberTally | NameTally
    Numbering = tuple["Survey", Callable[[Column, Column], Piece]]


@value_class
class StreamLimits:
    """How much a stream may hold.

    Attributes
    ----------
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    keep : int, default 0
        Bytes of decoded columns that may be kept from the first pass for the next one.
    """

    piece_arcs: int = 1 << 20
    keep: int = 0


@record
class Survey:
    """The vertices of a stream and their degrees, as the first pass finds them.

    Attributes
    ----------
    vertices : int
        Number of vertices, the same as :func:`triadic.io.read_arcs` returns.
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


class ArcStream:
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
        Whether an undirected source stores an edge at both its ends, as in `triadic.core.arcs.Arcs`.
    lists_twice : bool
        Whether an edge has an arc at each of its ends, so that there are twice as many arcs as edges.
    held_bytes : int
        Bytes of the first pass that are kept for the next one.
    work : str
        What a pass does, for the error if memory runs out in it.

    Examples
    --------
    >>> from triadic.io.reading import stream_arcs
    >>> from pathlib import Path
    >>> _ = Path("edges.txt").write_text("10 20\n10 30\n")
    >>> stream = stream_arcs("edges.txt")
    >>> survey = stream.survey()
    >>> survey.vertices, survey.labels.tolist(), survey.degree.tolist()
    (3, [10, 20, 30], [2, 1, 1])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 0], [1, 2])]
    """

    directed: bool
    origin = Origin()
    both_ends = lists_twice = False
    work = "reading the network"
    _kept: list[Rows] | None = None

    @property
    def held_bytes(self) -> int:
        """Bytes of the first pass that are kept for the next one; 0 for a stream that keeps nothing."""
        return sum(int(rows.nbytes) for rows in self._kept or ())

    def forget(self) -> None:
        """Drop these bytes: the next pass reads the files again."""
        self._kept = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once, and return the vertices and their degrees.

        Parameters
        ----------
        progress : callable, optional
            Called as ``progress(done, total)``, in bytes or arcs; ``total`` is an estimate for a packed text.

        Raises
        ------
        ReadError
            The file is damaged; the message is that of :func:`triadic.io.read_arcs`.
        OutOfMemoryError
            The labels and degrees of all vertices do not fit in memory.
        """
        with named_memory_errors(self.work, LESS_MEMORY):
            return self._survey(progress)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read all arcs again and yield them in pieces; call ``survey`` first if it was not called.

        Yields
        ------
        source, target : int32 or int64 arrays, shape (piece_arcs,) or shorter
            Together they are the arcs of :func:`triadic.io.read_arcs`, in the same order and with the same dtype. The
            caller must not write to them.
        weights : float64 array, shape (piece_arcs,) or shorter
            Finite weights, if the options ask for them; else a piece has two arrays.

        Raises
        ------
        ReadError
            The file has changed since it was surveyed, or is gone.
        """
        with named_memory_errors(self.work, LESS_MEMORY):
            yield from self._pieces(progress)

    def _survey(self, progress: Progress | None) -> Survey:
        raise NotImplementedError

    def _pieces(self, progress: Progress | None) -> Iterator[Piece]:
        raise NotImplementedError


class BlockStream(ArcStream):
    """The arcs of one file, of several, or of a table.

    Parameters
    ----------
    network : BlockFiles
        Its files are also an attribute, `files`.
    limits : StreamLimits
    """

    def __init__(self, network: BlockFiles, limits: StreamLimits) -> None:
        self._network, self.files = network, network.files
        self.directed, self.origin = network.direction()
        self.both_ends = self.lists_twice = network.first.both_ends
        self._limits = limits
        network.chunk_bytes = min(CHUNK_BYTES, network.first.row_bytes * limits.piece_arcs)
        self._numeric: bool | None = None

    def _survey(self, progress: Progress | None) -> Survey:
        sides: list[Tally] = []
        kept: list[Rows] = []
        arcs = room = 0
        check: IdCheck | None = None
        self._kept = None
        is_parsed = self._network.first.is_parsed
        # Text takes long to parse; columns of Parquet and of tables are decoded again.
        most = self._limits.keep if is_parsed else 0

        def begin(numeric: bool) -> Callable[[Rows], None]:
            nonlocal sides, arcs, check, room
            sides, arcs, room = self._sides(numeric=numeric), 0, most
            kept.clear()
            check = IdCheck() if is_parsed and not numeric else None
            return add

        def add(rows: Rows) -> None:
            nonlocal arcs, room
            room -= int(rows.nbytes)
            if room >= 0:
                kept.append(rows)
            else:
                kept.clear()
            if check is not None:
                for names in names_of(rows):
                    check.add(names)
            if len(sides) == 1:
                sides[0].add(rows["source"], rows["target"])
            else:
                sides[0].add(rows["source"])
                sides[1].add(rows["target"])
            arcs += len(rows)

        numeric = self._network.gather(begin, progress)
        if room >= 0 and most:
            self._kept = kept
        if check is not None:
            self._network.refuse_damaged(check)
        survey, self._vertices = self._numbering(sides, arcs, numeric=numeric)
        self._numeric = numeric
        return survey

    def _pieces(self, progress: Progress | None) -> Iterator[Piece]:
        if self._numeric is None:
            self.survey()
        vertices = self._vertices

        def changed(rows: Rows) -> Piece:
            ends = vertices(rows["source"], rows["target"])
            return (*ends, to_array(rows["weight"], np.float64)) if "weight" in rows.column_names else ends

        for file in self.files:
            file.check(after=False)
        read = self._network.tables(self._network.progress_count(progress), numeric=bool(self._numeric), change=changed)
        try:
            for piece in read if self._kept is None else map(changed, self._kept):
                yield from slices(piece, self._limits.piece_arcs)
        except IrregularError as error:
            raise self.files[error.place].changed() from None
        for file in self.files:
            file.check(after=True)

    def _sides(self, *, numeric: bool) -> list[Tally]:
        network = self._network
        declared = None if network.bipartite or network.listed is not None else network.options.num_vertices
        declared = network.first.vertices if declared is None else declared
        arcs = sum(file.arcs for file in self.files)
        return [
            NumberTally(declared=declared, ends=2 * arcs) if numeric else NameTally(declared=declared)
            for _ in range(2 if network.bipartite else 1)
        ]

    def _numbering(self, sides: list[Tally], arcs: int, *, numeric: bool) -> Numbering:
        network = self._network
        names = [side for side in sides if isinstance(side, NameTally)]
        if names and arcs and network.first.is_parsed and all(side.all_integers for side in names):
            numeric = True
            for side in names:
                side.as_integers = True
        try:
            return self._two_sets(*sides, arcs=arcs) if network.bipartite else self._one_set(*sides, arcs=arcs)
        except UnusableIdError as error:
            raise network.first_fault(error, numeric=numeric, vertices=network.options.num_vertices) from None
        except pa.ArrowInvalid as error:
            raise network.first_fault(error) from None

    def _one_set(self, ids: Tally, *, arcs: int) -> Numbering:
        """Return the survey, and the function from columns of ids to vertices."""
        sizes, listed = self._network.sizes, self._network.listed
        stated = sizes[0] if sizes else None
        found = ids.numbered(stated if listed is None else None)
        vertices_in = found.vertices_in  # not `found`, which refers to the degrees
        if listed is None:
            survey = Survey(found.count, found.labels, arcs, found.degree)
            return survey, lambda *ends: tuple(map(vertices_in, ends))
        positions, count, labels = listed_positions(
            found.labels, found.count, listed, stated=stated, declared=self._network.options.num_vertices
        )
        degree = no_counts(count)
        degree[positions] = found.degree[: len(positions)]
        return Survey(count, labels, arcs, degree), lambda *ends: tuple(positions[vertices_in(end)] for end in ends)

    def _two_sets(self, *tallies: Tally, arcs: int) -> Numbering:
        """Return the same of a bipartite network: its sources are numbered first, followed by its targets."""
        left, right = (tally.numbered(None) for tally in tallies)
        count, dtype, labels = two_sets(
            (left.count, left.labels),
            (right.count, right.labels),
            declared=self._network.options.num_vertices,
            stated=sum(self._network.sizes),
        )
        degree, first = no_counts(count), left.count
        degree[:first] = left.degree
        degree[first : first + right.count] = right.degree
        of_left, of_right = left.vertices_in, right.vertices_in

        def vertices(source: Column, target: Column) -> Piece:
            return of_left(source).astype(dtype, copy=False), np.add(of_right(target), first, dtype=dtype)

        return Survey(count, labels, arcs, degree), vertices


def slices(arcs: tuple[AnyArray, ...], piece_arcs: int) -> Iterator[tuple[AnyArray, ...]]:
    """Yield arcs, which are sources, targets and perhaps weights, in slices of at most `piece_arcs`."""
    for start in range(0, len(arcs[0]), piece_arcs):
        yield tuple(array[start : start + piece_arcs] for array in arcs)


class VertexStream(ArcStream):
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
        self.directed, self.both_ends, self.lists_twice = directed, both_ends, both_ends
        self._begin, self._vertices, self._arcs, self._labels = begin, vertices, arcs, labels

    def _survey(self, progress: Progress | None) -> Survey:
        degree = no_counts(self._vertices)
        for piece in self.pieces(progress):
            for end in piece[:2]:
                count_ends(end, degree)
        return Survey(self._vertices, self._labels, self._arcs, degree)

    def _pieces(self, progress: Progress | None) -> Iterator[Piece]:
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
    stream.origin, stream.lists_twice = arcs.origin, False
    return stream
