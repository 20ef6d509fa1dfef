"""Matrix Market's coordinate format, a chunk of whole lines at a time.

Where a symmetric matrix is asked for as directed, a pass reads the file twice: for the entries, then for their mirror
images, which :func:`triadic.read_arcs` puts behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.arrow_arrays import Column, to_array
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.identifiers import index_dtype
from triadic.io.matrix_market import check_count, outside, unparsable
from triadic.io.streams.columns import Reported, Unchanged, sliced
from triadic.io.streams.kept import Keeping, Kept
from triadic.io.streams.numbers import counted, grown
from triadic.io.streams.protocol import Survey
from triadic.io.streams.text import BYTES_A_ROW, MOST_THREADS, UNPACKED, Way, table_bytes, tables
from triadic.io.text_rows import IrregularError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.matrix_market import Header
    from triadic.io.text_rows import Table

    Piece = tuple[NDArray[Any], NDArray[Any]]

_ENDS = ("source", "target")


class MatrixMarketStream(Keeping):
    """The arcs of a matrix's entries."""

    def __init__(
        self, source: Source, header: Header, asked: Asked, *, piece_arcs: int, threads: int, keep: int = 0
    ) -> None:
        self._source, self._header, self._asked, self._piece_arcs = source, header, asked, piece_arcs
        self._threads = min(threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, BYTES_A_ROW * piece_arcs)
        self._file = Unchanged(source)
        self._mirrored = header.symmetry != "general" and not header.is_undirected(asked)
        self._kept: Kept[Table] = Kept(keep, table_bytes)
        self._way: Way | None = None
        self.directed = not header.is_undirected(asked)

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once; see :class:`triadic.io.streams.ArcStream`."""
        self._file.check()
        layout = self._header.layout(weighted=False)
        for way in (Way(layout, numeric=True, unchanged=True, columns=layout.columns), Way(layout, numeric=True)):
            try:
                entries, loops, degree = self._counted(way, self._reported(progress))
            except IrregularError as error:
                problem = str(error)
                continue
            self._file.check()
            self._way = way
            vertices = self._asked.vertices_at_least(self._source, self._header.vertices)
            degree = degree if len(degree) == vertices else grown(degree, vertices, exactly=True)
            return Survey(vertices, None, entries + (entries - loops if self._mirrored else 0), degree)
        raise unparsable(self._source, layout, problem)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read everything again; see :class:`triadic.io.streams.ArcStream`."""
        if self._way is None:
            self.survey()
        self._file.check()
        reported = self._reported(progress, passes=1 + self._mirrored)
        try:
            for mirrored in (False, True)[: 1 + self._mirrored]:
                for table in self._kept.or_read(lambda: self._tables(self._way, reported)):
                    row, column = self._vertices(table["source"]), self._vertices(table["target"])
                    if mirrored:
                        proper = row != column
                        row, column = column[proper], row[proper]
                    yield from sliced(row, column, self._piece_arcs)
        except IrregularError:
            raise self._file.error() from None
        self._file.check()

    def _counted(self, way: Way, reported: Reported) -> tuple[int, int, NDArray[np.int64]]:
        """Give the number of entries, how many of them are loops, and the degrees."""
        n = self._header.vertices
        degree = grown(np.zeros(0, dtype=np.int64), n, exactly=True)
        on_diagonal: NDArray[np.int64] = np.zeros(n if self._mirrored else 0, dtype=np.int64)
        entries = loops = 0
        wrong: dict[str, tuple[int, int]] = {}
        for table in self._kept.noting(self._tables(way, reported)):
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
                    counted(ids, degree)
                if self._mirrored:
                    counted(on_loops, on_diagonal)
        check_count(self._source, self._header, entries)
        for end in _ENDS:
            if end in wrong:
                raise outside(self._source, self._header, end, *wrong[end])
        if self._mirrored:
            degree *= 2
            degree -= 2 * on_diagonal
        return entries, loops, degree

    def _tables(self, way: Way | None, reported: Reported) -> Iterator[Table]:
        if way is None or not self._header.entries:
            return iter(())
        return tables(self._source, way, chunk_bytes=self._chunk_bytes, threads=self._threads, reported=reported)

    def _vertices(self, ids: Column) -> NDArray[Any]:
        return to_array(ids, index_dtype(self._header.vertices), lambda some: some - 1)

    def _reported(self, progress: Progress | None, passes: int = 1) -> Reported:
        return Reported(progress, passes * self._file.size * (1 if self._source.packing is None else UNPACKED))
