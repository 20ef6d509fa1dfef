"""Streams and samples of the coordinate format of Matrix Market, read in chunks of whole lines.

If a symmetric matrix is read as a directed network, each pass reads the file twice: for the entries, and then for their
mirror images, which :func:`triadic.read_arcs` appends to the entries.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.arc_stream import Survey
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.id_tallies import count_ends, longer_table
from triadic.io.identifiers import Column, index_dtype, to_array
from triadic.io.matrix_market_lines import check_count, line_of_entry, outside, unparsable
from triadic.io.sampling import NUMBER_COLUMNS, FileSample, SampledSource
from triadic.io.stream_passes import MOST_THREADS, UNPACKED, CachingStream, FileStamp, PassCache, ProgressCount, slices
from triadic.io.text_layout import IrregularError, ParseMode
from triadic.io.text_stream import BYTES_A_ROW, table_bytes, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.io.file_source import Source
    from triadic.io.matrix_market_lines import Header
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import StreamLimits
    from triadic.io.text_layout import Layout
    from triadic.io.text_rows import Table

    Piece = tuple[NDArray[Any], ...]

_ENDS = ("source", "target")


class MatrixMarketStream(CachingStream):
    """The arcs of the entries of a matrix."""

    lists_twice = False  # a symmetric matrix stores one of the entries of an edge

    def __init__(self, source: Source, header: Header, options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self._header, self._options, self._piece_arcs = source, header, options, limits.piece_arcs
        self._threads = min(limits.threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, BYTES_A_ROW * limits.piece_arcs)
        self._file = FileStamp(source)
        self._mirrored = header.symmetry != "general" and not header.is_undirected(options)
        self._cache: PassCache[Table] = PassCache(limits.keep, table_bytes)
        self._mode: ParseMode | None = None
        self._weighted = header.wants_values(source, options)
        self.directed = not header.is_undirected(options)
        self.both_ends = header.symmetry != "general" and not self.directed

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        self._file.check()
        layout = self._header.layout(weighted=self._weighted)
        for mode in _modes(layout):
            try:
                entries, loops, degree = self._count(mode, self._reported(progress))
            except IrregularError as error:
                problem = str(error)
                continue
            self._file.check()
            self._mode = mode
            vertices = self._options.vertices_at_least(self._source, self._header.vertices)
            degree = degree if len(degree) == vertices else longer_table(degree, vertices, exactly=True)
            return Survey(vertices, self._header.labels, entries + (entries - loops if self._mirrored else 0), degree)
        raise unparsable(self._source, layout, problem)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if self._mode is None:
            self.survey()
        self._file.check()
        reported = self._reported(progress, passes=1 + self._mirrored)
        try:
            for mirrored in (False, True)[: 1 + self._mirrored]:
                for table in self._cache.parts_or(lambda: self._tables(self._mode, reported)):
                    yield from slices(self._arcs(table, mirrored=mirrored), self._piece_arcs)
        except IrregularError:
            raise self._file.error() from None
        self._file.check()

    def _arcs(self, table: Table, *, mirrored: bool) -> Piece:
        """Return the entries of a table, or their mirror images, as arcs."""
        row, column = self._vertices(table["source"]), self._vertices(table["target"])
        arcs: Piece = (row, column)
        if self._weighted:
            arcs = (row, column, to_array(table["weight"], np.float64))
        if not mirrored:
            return arcs
        proper = row != column
        ends = column[proper], row[proper]
        return (*ends, self._header.mirrored_sign * arcs[2][proper]) if self._weighted else ends

    def _count(self, mode: ParseMode, reported: ProgressCount) -> tuple[int, int, NDArray[np.int64]]:
        """Return the number of entries, the number of loops among them, and the degrees."""
        n = self._header.vertices
        degree = longer_table(np.zeros(0, dtype=np.int64), n, exactly=True)
        on_diagonal = longer_table(np.zeros(0, dtype=np.int64), n if self._mirrored else 0, exactly=True)
        entries = loops = 0
        wrong: dict[str, tuple[int, int]] = {}
        for table in self._cache.record(self._checked(self._tables(mode, reported))):
            ends = {end: to_array(table[end], np.int64, lambda ids: ids - 1) for end in _ENDS}
            for end, ids in ends.items():
                bad = (ids < 0) | (ids >= n)
                if end not in wrong and bad.any():
                    place = int(np.argmax(bad))
                    wrong[end] = entries + place, int(ids[place]) + 1
            entries += len(table)
            if not wrong:
                on_loops = ends["source"][ends["source"] == ends["target"]]
                loops += len(on_loops)
                for ids in ends.values():
                    count_ends(ids, degree)
                if self._mirrored:
                    count_ends(on_loops, on_diagonal)
        check_count(self._source, self._header, entries)
        for end in _ENDS:
            if end in wrong:
                raise outside(self._source, self._header, end, *wrong[end])
        if self._mirrored:
            degree *= 2
            degree -= 2 * on_diagonal
        return entries, loops, degree

    def _checked(self, parts: Iterator[Table]) -> Iterator[Table]:
        """Yield tables of entries; raise a ReadError if a weight is not a finite number."""
        before = 0
        for table in parts:
            weights = to_array(table["weight"], np.float64) if self._weighted else np.empty(0)
            if not np.isfinite(weights).all():
                place = int(np.argmin(np.isfinite(weights)))
                problem = f"found the weight {weights[place]}, expected a finite number"
                raise self._source.error(problem, line=line_of_entry(self._source, before + place))
            before += len(table)
            yield table

    def _tables(self, mode: ParseMode | None, reported: ProgressCount) -> Iterator[Table]:
        if mode is None or not self._header.entries:
            return iter(())
        return tables(self._source, mode, chunk_bytes=self._chunk_bytes, threads=self._threads, reported=reported)

    def _vertices(self, ids: Column) -> NDArray[Any]:
        return to_array(ids, index_dtype(self._header.vertices), lambda some: some - 1)

    def _reported(self, progress: Progress | None, passes: int = 1) -> ProgressCount:
        return ProgressCount(progress, passes * self._file.size * (1 if self._source.packing is None else UNPACKED))


def _modes(layout: Layout) -> tuple[ParseMode, ParseMode]:
    """Return the two ways to parse entries: unchanged, and made regular first."""
    return ParseMode(layout, numeric=True, unchanged=True, columns=layout.columns), ParseMode(layout, numeric=True)


def sample_entries(source: Source, header: Header, options: ReadOptions, threads: int) -> FileSample:
    """Read the entries of a coordinate file in random places."""
    header.wants_values(source, options)  # an error if the file has none
    layout = header.layout(weighted=False)
    problem = ""
    for mode in _modes(layout):
        part = SampledSource(source)
        started = time.perf_counter()
        try:
            chunks = list(tables(part, mode, chunk_bytes=0, threads=threads, reported=ProgressCount(None, 0)))
        except IrregularError as error:
            problem = str(error)
            continue
        parts: list[Piece] = [
            (to_array(chunk["source"], np.int64), to_array(chunk["target"], np.int64)) for chunk in chunks
        ]
        seconds = (time.perf_counter() - started) / max(1, sum(len(row) for row, _ in parts))
        directed = not header.is_undirected(options)
        mirrored = header.symmetry != "general" and directed
        if mirrored:
            parts = [(np.concatenate([row, column]), np.concatenate([column, row])) for row, column in parts]
        return FileSample(
            parts=parts,
            arcs=(header.entries or 0) * (1 + mirrored),
            vertices=options.vertices_at_least(source, header.vertices),
            directed=directed,
            labels=None,
            input_bytes=part.size,
            survey=seconds,
            again=seconds,
            reads=2 + mirrored,
            kept=NUMBER_COLUMNS // (1 + mirrored),
        )
    raise unparsable(source, layout, problem)
