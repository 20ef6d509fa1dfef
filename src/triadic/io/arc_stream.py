"""Streams of arcs, which are read twice and never held as a whole; the stream of any network in blocks.

A network of one set of vertices counts the ids of both columns together. A bipartite network numbers its sources and
its targets separately, and the targets follow the sources. All files share one numbering, so that the stream is the one
of the concatenated files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
import pyarrow as pa

from triadic.io.blocks import (
    IrregularFileError,
    ProgressCount,
    direction_of,
    first_fault,
    gather,
    names_of,
    refuse_damaged,
    stated_list,
    stated_sizes,
    tables_of,
)
from triadic.io.damaged_ids import IdCheck
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.id_tallies import NameTally, NumberTally, VertexMap, longer_table
from triadic.io.identifiers import (
    UnusableIdError,
    Vertices,
    arrays_of,
    index_dtype,
    listed_positions,
    to_array,
    two_sets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.arcs import Origin
    from triadic.core.array_types import AnyArray, Int64Array, ObjectArray
    from triadic.core.blocks import Progress
    from triadic.graph.labels import Labels
    from triadic.io.blocks import Blocks, Rows
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.identifiers import Column

    Piece = tuple[AnyArray, ...]

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
    >>> from triadic.io.streaming import stream_arcs
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


class BlockStream:
    """The arcs of one file, of several, or of a table.

    Parameters
    ----------
    source : Source
        The whole network, for messages.
    files : sequence of Blocks
        Also an attribute.
    options : ReadOptions
    limits : StreamLimits
    """

    def __init__(self, source: Source, files: Sequence[Blocks], options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self.files, self._options = source, files, options
        self.directed, self.origin = direction_of(files, options)
        self.both_ends = files[0].both_ends
        self._is_bipartite = any(file.bipartite for file in files)
        self._sizes, self._listed = stated_sizes(files), stated_list(files)
        self._piece_arcs = limits.piece_arcs
        self._threads = min(limits.threads, files[0].most_threads)
        self._chunk_bytes = min(CHUNK_BYTES, files[0].row_bytes * limits.piece_arcs)
        self._total = sum(file.work for file in files)
        # Text takes long to parse; columns of Parquet and of tables are decoded again.
        self._room = limits.keep if files[0].is_parsed else 0
        self._kept: list[Rows] | None = None
        self._numbered: tuple[Callable[[Column, Column], Piece], bool] | None = None

    @property
    def held_bytes(self) -> int:
        """Bytes of the first pass that are kept for the next one."""
        return sum(int(rows.nbytes) for rows in self._kept or ())

    def forget(self) -> None:
        """Drop these bytes: the next pass reads the files again."""
        self._kept = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`ArcStream`."""
        sides: list[VertexSet] = []
        arcs = 0
        check: IdCheck | None = None

        def begin(numeric: bool) -> Callable[[Rows], None]:
            nonlocal sides, arcs, check
            sides, arcs = self._sides(numeric=numeric), 0
            check = None if numeric or not self.files[0].integer_names else IdCheck()
            return add

        def add(rows: Rows) -> None:
            nonlocal arcs
            if check is not None:
                for names in names_of(rows):
                    check.add(names)
            if len(sides) == 1:
                sides[0].add(rows["source"], rows["target"])
            else:
                sides[0].add(rows["source"], None)
                sides[1].add(rows["target"], None)
            arcs += len(rows)

        numeric = gather(
            self.files,
            begin,
            self._options,
            chunk_bytes=self._chunk_bytes,
            threads=self._threads,
            reported=lambda: ProgressCount(progress, self._total),
            recorded=self._recorded,
        )
        if check is not None:
            refuse_damaged(self._source, self.files, check)
        numbering = self._numbering(sides, arcs, numeric=numeric)
        self._numbered = numbering.vertices, numeric
        return numbering.survey

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`ArcStream`."""
        if self._numbered is None:
            self.survey()
        vertices, numeric = cast("tuple[Callable[[Column, Column], Piece], bool]", self._numbered)

        def changed(rows: Rows) -> Piece:
            ends = vertices(rows["source"], rows["target"])
            return (*ends, to_array(rows["weight"], np.float64)) if "weight" in rows.column_names else ends

        for file in self.files:
            file.check(after=False)
        if self._kept is not None:
            for rows in self._kept:
                yield from slices(changed(rows), self._piece_arcs)
            return
        try:
            for piece in tables_of(
                self.files,
                self._options,
                numeric=numeric,
                chunk_bytes=self._chunk_bytes,
                threads=self._threads,
                reported=ProgressCount(progress, self._total),
                change=changed,
            ):
                yield from slices(piece, self._piece_arcs)
        except IrregularFileError as error:
            raise self.files[error.place].changed() from None
        for file in self.files:
            file.check(after=True)

    def _recorded(self, tables: Iterator[Rows]) -> Iterator[Rows]:
        """Yield the rows of a pass, and keep them when it ends unless they are larger than the room for them."""
        kept: list[Rows] = []
        room, self._kept = self._room, None
        for rows in tables:
            room -= int(rows.nbytes)
            if room >= 0:
                kept.append(rows)
            else:
                kept.clear()
            yield rows
        if room >= 0 and self._room:
            self._kept = kept

    def _sides(self, *, numeric: bool) -> list[VertexSet]:
        declared = None if self._is_bipartite or self._listed is not None else self._options.vertices
        declared = self.files[0].vertices if declared is None else declared
        arcs = sum(file.arcs for file in self.files)
        return [
            NumberSet(declared=declared, arcs=arcs) if numeric else NameSet(declared=declared)
            for _ in range(2 if self._is_bipartite else 1)
        ]

    def _numbering(self, sides: list[VertexSet], arcs: int, *, numeric: bool) -> Numbering:
        names = [side for side in sides if isinstance(side, NameSet)]
        if names and arcs and self.files[0].integer_names and all(side.tally.all_integers for side in names):
            sides, numeric = [IntegerNameSet(side) for side in names], True
        declared = self._options.vertices
        try:
            if len(sides) == 1:
                stated = self._sizes[0] if self._sizes else None
                return number_one_set(sides[0], arcs, stated, listed=self._listed, declared=declared)
            return number_two_sets(sides[0], sides[1], arcs, declared=declared, stated=sum(self._sizes))
        except UnusableIdError as error:
            raise first_fault(self.files, numeric=numeric, vertices=declared) or self._source.error(
                str(error)
            ) from None
        except pa.ArrowInvalid as error:
            fault = first_fault(self.files, numeric=True, vertices=None)
            raise fault or self._source.error(" ".join(str(error).split())) from None


@dataclass(frozen=True, slots=True)
class Numbering:
    """The survey of the first pass, and the function that turns two columns of ids into vertices in the second."""

    survey: Survey
    vertices: Callable[[Column, Column], Piece]


class VertexSet(Protocol):
    """Ids of one set of vertices, as numbers or as names."""

    def add(self, source: Column, target: Column | None) -> None:
        """Count the ids of both columns, or of one."""

    def numbered(self, stated: int | None) -> VertexMap:
        """Return the vertices after all ids are counted; raise an UnusableIdError if an id cannot be a vertex."""

    def column(self, column: Column) -> Column:
        """Return a column of ids in the form that ``VertexMap.vertices`` takes."""


class NumberSet:
    """Ids that are numbers."""

    def __init__(self, *, declared: int | None, arcs: int) -> None:
        self._tally = NumberTally(declared=declared, ends=2 * arcs)

    def add(self, source: Column, target: Column | None) -> None:  # noqa: D102 - documented in `VertexSet`
        for chunk in arrays_of(source, *([] if target is None else [target])):
            self._tally.add(chunk)

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self._tally.numbered(stated)

    def column(self, column: Column) -> Column:  # noqa: D102 - documented in `VertexSet`
        return column


class NameSet:
    """Ids that are names."""

    def __init__(self, *, declared: int | None) -> None:
        self.tally = NameTally(declared=declared)

    def add(self, source: Column, target: Column | None) -> None:  # noqa: D102 - documented in `VertexSet`
        self.tally.add(source, target)

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self.tally.numbered(stated)

    def column(self, column: Column) -> Column:  # noqa: D102 - documented in `VertexSet`
        return self.tally.codes(column)


class IntegerNameSet(NameSet):
    """Ids that were counted as names, all of which are integers."""

    def __init__(self, names: NameSet) -> None:
        self.tally = names.tally

    def numbered(self, stated: int | None) -> VertexMap:  # noqa: D102 - documented in `VertexSet`
        return self.tally.numbered_as_integers(stated)


def number_one_set(
    ids: VertexSet, arcs: int, stated: int | None, *, listed: Labels | None = None, declared: int | None = None
) -> Numbering:
    """Return the numbering of a network of one set of vertices.

    Parameters
    ----------
    ids : VertexSet
        The ids of all rows; made without a declared number of vertices if there is a list.
    arcs : int
    stated : int or None
        Number of vertices in the header of the file.
    listed : array, optional
        The list of the vertices (:mod:`triadic.io.edge_blocks`). By default there is none.
    declared : int, optional
        Number of vertices in the options, for a network with a list.

    Raises
    ------
    UnusableIdError
        An id cannot be a vertex.
    """
    if listed is not None:
        return _number_by_list(ids, arcs, listed, stated=stated, declared=declared)
    found = ids.numbered(stated)
    survey = Survey(found.count, found.labels, arcs, found.degree)
    light = _without_degree(found)
    return Numbering(survey, lambda source, target: (light(ids.column(source)), light(ids.column(target))))


def _number_by_list(
    ids: VertexSet, arcs: int, listed: Labels, *, stated: int | None, declared: int | None
) -> Numbering:
    found = ids.numbered(None)
    positions, count, labels = listed_positions(found.labels, found.count, listed, stated=stated, declared=declared)
    degree = longer_table(np.zeros(0, dtype=np.int64), count, exactly=True)
    degree[positions] = found.degree[: len(positions)]
    light = _without_degree(found)

    def vertices(source: Column, target: Column) -> Piece:
        return positions[light(ids.column(source))], positions[light(ids.column(target))]

    return Numbering(Survey(count, labels, arcs, degree), vertices)


def number_two_sets(left: VertexSet, right: VertexSet, arcs: int, *, declared: int | None, stated: int) -> Numbering:
    """Return the numbering of a bipartite network: its sources, followed by its targets."""
    sides = [side.numbered(None) for side in (left, right)]
    nothing = np.empty(0, dtype=np.int32)
    both = two_sets(
        *(Vertices(nothing, nothing, side.count, side.labels) for side in sides), declared=declared, stated=stated
    )
    degree = longer_table(np.zeros(0, dtype=np.int64), both.count, exactly=True)
    first = sides[0].count
    degree[:first] = sides[0].degree
    degree[first : first + sides[1].count] = sides[1].degree
    dtype = index_dtype(first + sides[1].count)
    of_left, of_right = (_without_degree(side) for side in sides)

    def vertices(source: Column, target: Column) -> Piece:
        ends = of_left(left.column(source)).astype(dtype, copy=False)
        others: AnyArray = of_right(right.column(target)).astype(dtype)
        others += first
        return ends, others

    return Numbering(Survey(both.count, both.labels, arcs, degree), vertices)


def _without_degree(found: VertexMap) -> Callable[[Column], AnyArray]:
    """Return the function from ids to vertices, without a reference to the degrees."""
    return VertexMap(0, None, np.empty(0, dtype=np.int64), found.dtype, found.change).vertices


def slices(arcs: tuple[AnyArray, ...], piece_arcs: int) -> Iterator[tuple[AnyArray, ...]]:
    """Yield arcs, which are sources, targets and perhaps weights, in slices of at most `piece_arcs`."""
    for start in range(0, len(arcs[0]), piece_arcs):
        yield tuple(array[start : start + piece_arcs] for array in arcs)
