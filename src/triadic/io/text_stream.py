"""Streams and samples of edge lists as text, read in chunks of whole lines.

The first pass tries the same ways to parse as :mod:`triadic.io.text_rows`, one after another: if a chunk does not fit,
the pass begins again with the next way. The second pass uses the way that fits the whole file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from triadic.core.arcs import Origin
from triadic.io.damaged_ids import IdCheck
from triadic.io.edge_kinds import refuse_mixed_kinds
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.identifiers import UnusableIdError, arrays_of, read_list, to_array
from triadic.io.sampling import NAME_COLUMNS, NUMBER_COLUMNS, SampledSource, sample_stream
from triadic.io.stream_passes import (
    MOST_THREADS,
    UNPACKED,
    CachingStream,
    FileStamp,
    PassCache,
    ProgressCount,
    StreamLimits,
    map_ahead,
    slices,
)
from triadic.io.text_layout import IrregularError, Layout, ParseMode, Separator, parse_modes, read_layout, skip_lines
from triadic.io.text_rows import (
    first_fault,
    no_layout_fits,
    refuse_damaged,
    regular_rows,
    unchanged_rows,
)
from triadic.io.vertex_numbering import IntegerNameSet, NameSet, Numbering, NumberSet, number_one_set, number_two_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.blocks import Progress
    from triadic.io.arc_stream import Survey
    from triadic.io.file_source import Source
    from triadic.io.identifiers import Column
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.text_rows import Table
    from triadic.io.vertex_numbering import Piece, VertexSet

SHORTEST_ROW = 4
BYTES_A_ROW = 32
_ROW = re.compile(rb"[^\n]+")


def tables(
    source: Source, mode: ParseMode, *, chunk_bytes: int, threads: int, reported: ProgressCount
) -> Iterator[Table]:
    """Yield the rows of a text, a table for each chunk of lines.

    Raises
    ------
    IrregularError
        A row does not have the layout.
    """
    parts = table_parts(source, mode, chunk_bytes=chunk_bytes, reported=reported)
    yield from map_ahead(lambda part: part(), parts, threads=threads)


def table_parts(
    source: Source, mode: ParseMode, *, chunk_bytes: int, reported: ProgressCount
) -> Iterator[Callable[[], Table]]:
    """Yield functions that each parse a chunk of lines, in any thread, as :func:`tables` does."""
    skip, first, columns = mode.layout.skip, True, mode.columns
    for chunk in source.chunks(chunk_bytes):
        lines = chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
        first = False
        lines, skip = skip_lines(lines, skip)
        columns = columns or _columns(lines, mode.layout)
        if mode.unchanged:
            yield partial(unchanged_rows, lines, mode.layout, columns=columns)
        else:
            yield partial(regular_rows, lines, mode.layout, numeric=mode.numeric)
        reported.add(len(chunk))


def table_bytes(table: Table) -> int:
    """Return the bytes of the columns of ids and of weights."""
    return sum(int(table[name].nbytes) for name in table.column_names if name != "kind")


def arcs_of(table: Table, vertices: Callable[[Column, Column], Piece]) -> Piece:
    """Return the rows of a table as arcs between vertices, with weights if the table has any."""
    ends = vertices(table["source"], table["target"])
    return (*ends, to_array(table["weight"], np.float64)) if "weight" in table.column_names else ends


def refuse_infinite(source: Source, table: Table, layout: Layout) -> None:
    """Raise a ReadError, with the number of the line, if a weight is not a finite number."""
    if not all(np.isfinite(some).all() for some in arrays_of(table["weight"])):
        raise first_fault(source, layout, numeric=False) or source.error("a weight is not a finite number")


def _columns(lines: bytes, layout: Layout) -> int:
    """Count the columns of the first row as Arrow does; 0 without a row."""
    row = _ROW.search(lines)
    delimiter = " " if layout.separator is Separator.BLANKS else layout.separator.value
    return 0 if row is None else row[0].count(delimiter.encode()) + 1


class TextStream(CachingStream):
    """The arcs of an edge list.

    Attributes
    ----------
    layout : Layout
        The likeliest layout of the rows.
    """

    def __init__(self, source: Source, options: ReadOptions, limits: StreamLimits, *, prefer: Separator) -> None:
        self._comments, self._layouts = read_layout(source, options, prefer=prefer)
        self._listed = read_list(source, self._comments.lists)
        self.layout = likeliest = self._layouts[0] if self._layouts else Layout()
        stated = likeliest.directed if self._comments.directed is None else self._comments.directed
        self.directed, decided = options.direction(stated)
        self.origin = Origin(likeliest.taken or None, decided)
        self._source, self._options = source, options
        self._piece_arcs, self._threads = limits.piece_arcs, min(limits.threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, BYTES_A_ROW * limits.piece_arcs)
        self._file = FileStamp(source)
        self._total = self._file.size * (1 if source.packing is None else UNPACKED)
        self._cache: PassCache[Table] = PassCache(limits.keep, table_bytes)
        self._numbered: tuple[Callable[[Column, Column], Piece], ParseMode] | None = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        self._file.check()
        if not self._layouts:
            return self._numbering(self._sides(None), 0, None).survey
        problem = ""
        for mode in parse_modes(self._layouts):
            sides = self._sides(mode)
            try:
                arcs = self._gather(mode, sides, ProgressCount(progress, self._total))
            except IrregularError as error:
                problem = str(error)
                continue
            numbering = self._numbering(sides, arcs, mode)
            self._file.check()
            self._numbered = numbering.vertices, mode
            return numbering.survey
        raise no_layout_fits(self._source, self._layouts, problem)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if self._numbered is None:
            self.survey()
        if self._numbered is None:  # the file has no rows
            return
        vertices, mode = self._numbered
        self._file.check()
        try:
            for table in self._cache.parts_or(lambda: self._tables(mode, ProgressCount(progress, self._total))):
                yield from slices(arcs_of(table, vertices), self._piece_arcs)
        except (IrregularError, KeyError, IndexError):
            raise self._file.error() from None
        self._file.check()

    def _tables(self, mode: ParseMode, reported: ProgressCount) -> Iterator[Table]:
        return tables(self._source, mode, chunk_bytes=self._chunk_bytes, threads=self._threads, reported=reported)

    def _sides(self, mode: ParseMode | None) -> list[VertexSet]:
        bipartite = self._comments.bipartite
        declared = None if bipartite or self._listed is not None else self._options.vertices
        arcs = self._total // SHORTEST_ROW
        numeric = mode is None or mode.numeric
        return [
            NumberSet(declared=declared, arcs=arcs) if numeric else NameSet(declared=declared)
            for _ in range(2 if bipartite else 1)
        ]

    def _gather(self, mode: ParseMode, sides: list[VertexSet], reported: ProgressCount) -> int:
        arcs = 0
        check = None if mode.numeric else IdCheck()
        for table in self._cache.record(self._tables(mode, reported)):
            if mode.layout.kind is not None:
                refuse_mixed_kinds(self._source, table, directed=mode.layout.directed)
            if mode.layout.weight is not None:
                refuse_infinite(self._source, table, mode.layout)
            source, target = table["source"], table["target"]
            if check is not None:
                for chunk in (*source.chunks, *target.chunks):
                    names = chunk.dictionary.to_pylist()
                    if "" in names:
                        raise IrregularError("an empty id")
                    check.add(names)
            if len(sides) == 1:
                sides[0].add(source, target)
            else:
                sides[0].add(source, None)
                sides[1].add(target, None)
            arcs += len(table)
        if check is not None:
            refuse_damaged(self._source, mode.layout, check)
        return arcs

    def _numbering(self, sides: list[VertexSet], arcs: int, mode: ParseMode | None) -> Numbering:
        layout = Layout() if mode is None else mode.layout
        numeric = mode is None or mode.numeric
        names = [side for side in sides if isinstance(side, NameSet)]
        if names and all(side.tally.all_integers for side in names):
            sides, numeric = [IntegerNameSet(side) for side in names], True
        sizes = self._comments.sizes
        try:
            if len(sides) == 1:
                stated, declared = sizes[0] if sizes else None, self._options.vertices
                return number_one_set(sides[0], arcs, stated, listed=self._listed, declared=declared)
            return number_two_sets(sides[0], sides[1], arcs, declared=self._options.vertices, stated=sum(sizes))
        except UnusableIdError as error:
            found = first_fault(self._source, layout, numeric=numeric, vertices=self._options.vertices)
            raise found or self._source.error(str(error)) from None
        except pa.ArrowInvalid as error:
            fault = first_fault(self._source, layout, numeric=True)
            raise fault or self._source.error(" ".join(str(error).split())) from None


def sample_text(source: Source, options: ReadOptions, threads: int, *, prefer: Separator) -> FileSample:
    """Read a text in places at random."""
    part = SampledSource(source)
    sample = sample_stream(TextStream(part, options, StreamLimits(1 << 40, threads), prefer=prefer), source, options)
    kept = NAME_COLUMNS if sample.labels == "names" else NUMBER_COLUMNS
    return replace(sample, arcs=round(sample.arcs / part.share), kept=kept)
