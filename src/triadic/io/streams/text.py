"""Edge lists as text, a chunk of whole lines at a time.

:mod:`triadic.io.text` tries one way to parse after another, until one fits the whole file. So does the first pass here:
where a later chunk does not fit, it begins anew with the next way. The second pass takes the way that fitted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from triadic.io.file_source import CHUNK_BYTES
from triadic.io.identifiers import UnusableIdError
from triadic.io.streams.ahead import worked_ahead
from triadic.io.streams.columns import Reported, Unchanged, sliced
from triadic.io.streams.gathering import IntegerNames, Names, Numbering, Numbers, both_sets, one_set
from triadic.io.streams.kept import Keeping, Kept
from triadic.io.text import no_layout_fits
from triadic.io.text_faults import binary_data, first_fault
from triadic.io.text_layout import Layout, Separator, read_layout
from triadic.io.text_rows import IrregularError, regular_rows, unchanged_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.blocks import Progress
    from triadic.io.arrow_arrays import Column
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.streams.gathering import OneSide, Piece
    from triadic.io.streams.protocol import Survey
    from triadic.io.text_rows import Table

MOST_THREADS = 4
_SHORTEST_ROW = 4
BYTES_A_ROW = 32
# About how much shorter gzip makes an edge list.
UNPACKED = 4
_ROW = re.compile(rb"[^\n]+")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to parse a file: how, and whether its ids become numbers.

    Rows that are not made regular first have so many ``columns``, or as many as the first one.
    """

    layout: Layout
    numeric: bool
    unchanged: bool = False
    columns: int = 0


def ways(layouts: list[Layout]) -> Iterator[Way]:
    """Yield the ways in which :func:`triadic.io.text.read_text` tries to parse, in its order."""
    if layouts[0].numeric:
        yield Way(layouts[0], numeric=True, unchanged=True)
    for layout in layouts:
        if layout.separator in (Separator.ANY, Separator.BLANKS) and layout.numeric:
            yield Way(layout, numeric=True)
    for layout in layouts:
        if layout is layouts[0] or (layout.separator is Separator.BLANKS and layouts[0].separator is Separator.TAB):
            yield Way(layout, numeric=False)


def tables(source: Source, way: Way, *, chunk_bytes: int, threads: int, reported: Reported) -> Iterator[Table]:
    """Yield the rows of a text, a table for each chunk of lines.

    Raises
    ------
    IrregularError
        A row does not have the layout.
    """

    def bodies() -> Iterator[tuple[bytes, int]]:
        skip, first, columns = way.layout.skip, True, way.columns
        for chunk in source.chunks(chunk_bytes):
            lines = chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
            first = False
            while skip and lines:
                lines = lines.partition(b"\n")[2]
                skip -= 1
            columns = columns or _columns(lines, way.layout)
            yield lines, columns
            reported.add(len(chunk))

    def parsed(body: tuple[bytes, int]) -> Table:
        lines, columns = body
        if way.unchanged:
            return unchanged_rows(lines, way.layout, columns=columns)
        return regular_rows(lines, way.layout, numeric=way.numeric)

    yield from worked_ahead(parsed, bodies(), threads=threads)


def table_bytes(table: Table) -> int:
    """Give the bytes of the two columns of ids."""
    return sum(int(table[end].nbytes) for end in ("source", "target"))


def _columns(lines: bytes, layout: Layout) -> int:
    """Count the columns of the first row as Arrow does, 0 if there is none."""
    row = _ROW.search(lines)
    delimiter = " " if layout.separator is Separator.BLANKS else layout.separator.value
    return 0 if row is None else row[0].count(delimiter.encode()) + 1


class TextStream(Keeping):
    """The arcs of a text."""

    def __init__(
        self, source: Source, asked: Asked, *, prefer: Separator, piece_arcs: int, threads: int, keep: int = 0
    ) -> None:
        fault = binary_data(source)
        if fault is not None:
            raise fault
        self._comments, self._layouts = read_layout(source, asked, prefer=prefer)
        if any(size >= 2**63 for size in self._comments.sizes):
            raise source.error("its header says that there are 2**63 vertices or more, expected fewer")
        stated = self._comments.directed if asked.directed is None else asked.directed
        self.directed = True if stated is None else stated
        self._source, self._asked = source, asked
        self._piece_arcs, self._threads = piece_arcs, min(threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, BYTES_A_ROW * piece_arcs)
        self._file = Unchanged(source)
        self._total = self._file.size * (1 if source.packing is None else UNPACKED)
        self._kept: Kept[Table] = Kept(keep, table_bytes)
        self._numbered: tuple[Callable[[Column, Column], Piece], Way] | None = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once; see :class:`triadic.io.streams.ArcStream`."""
        self._file.check()
        if not self._layouts:
            return self._finished(self._sides(None), 0, None).survey
        problem = ""
        for way in ways(self._layouts):
            sides = self._sides(way)
            try:
                arcs = self._gather(way, sides, Reported(progress, self._total))
            except IrregularError as error:
                problem = str(error)
                continue
            numbering = self._finished(sides, arcs, way)
            self._file.check()
            self._numbered = numbering.vertices, way
            return numbering.survey
        raise no_layout_fits(self._source, self._layouts, problem)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read everything again; see :class:`triadic.io.streams.ArcStream`."""
        if self._numbered is None:
            self.survey()
        if self._numbered is None:  # there are no rows
            return
        vertices, way = self._numbered
        self._file.check()
        try:
            for table in self._kept.or_read(lambda: self._tables(way, Reported(progress, self._total))):
                yield from sliced(*vertices(table["source"], table["target"]), self._piece_arcs)
        except (IrregularError, KeyError, IndexError):
            raise self._file.error() from None
        self._file.check()

    def _tables(self, way: Way, reported: Reported) -> Iterator[Table]:
        return tables(self._source, way, chunk_bytes=self._chunk_bytes, threads=self._threads, reported=reported)

    def _sides(self, way: Way | None) -> list[OneSide]:
        bipartite = self._comments.bipartite
        declared = None if bipartite else self._asked.vertices
        arcs = self._total // _SHORTEST_ROW
        numeric = way is None or way.numeric
        return [
            Numbers(declared=declared, arcs=arcs) if numeric else Names(declared=declared)
            for _ in range(2 if bipartite else 1)
        ]

    def _gather(self, way: Way, sides: list[OneSide], reported: Reported) -> int:
        arcs = 0
        for table in self._kept.noting(self._tables(way, reported)):
            source, target = table["source"], table["target"]
            if not way.numeric and any(
                "" in chunk.dictionary.to_pylist() for chunk in (*source.chunks, *target.chunks)
            ):
                raise IrregularError("an empty id")
            if len(sides) == 1:
                sides[0].add(source, target)
            else:
                sides[0].add(source, None)
                sides[1].add(target, None)
            arcs += len(table)
        return arcs

    def _finished(self, sides: list[OneSide], arcs: int, way: Way | None) -> Numbering:
        layout = Layout() if way is None else way.layout
        numeric = way is None or way.numeric
        names = [side for side in sides if isinstance(side, Names)]
        if names and all(side.tally.all_integers for side in names):
            sides, numeric = [IntegerNames(side) for side in names], True
        sizes = self._comments.sizes
        try:
            if len(sides) == 1:
                return one_set(sides[0], arcs, sizes[0] if sizes else None)
            return both_sets(sides[0], sides[1], arcs, declared=self._asked.vertices, stated=sum(sizes))
        except UnusableIdError as error:
            found = first_fault(self._source, layout, numeric=numeric, vertices=self._asked.vertices)
            raise found or self._source.error(str(error)) from None
        except pa.ArrowInvalid as error:
            fault = first_fault(self._source, layout, numeric=True)
            raise fault or self._source.error(" ".join(str(error).split())) from None
