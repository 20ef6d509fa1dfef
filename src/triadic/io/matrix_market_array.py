"""Streams of the array format of Matrix Market, read in pieces that may end within a line.

The values are in the order of the columns. A value that is not zero is an arc, whose row and column follow from its
place among the values.

If a symmetric matrix is read as a directed network, each pass reads the file twice: for the entries, and then for their
mirror images, which :func:`triadic.read_arcs` appends to the entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.arc_stream import Survey
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.id_tallies import count_ends, longer_table
from triadic.io.identifiers import index_dtype
from triadic.io.matrix_market_lines import ArrayPlaces, not_a_number, wrong_number_of_values
from triadic.io.number_rows import NotNumbersError, number_rows, pieces_without_comments
from triadic.io.stream_passes import MOST_THREADS, UNPACKED, FileStamp, ProgressCount, UncachedStream, map_ahead, slices
from triadic.io.text_layout import skip_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.io.file_source import Source
    from triadic.io.matrix_market_lines import Header
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import StreamLimits

    Piece = tuple[NDArray[Any], ...]

_BYTES_A_VALUE = 4  # of text, about, as many as make a piece


class ArrayStream(UncachedStream):
    """The arcs of the values of a dense matrix that are not zero."""

    lists_twice = False  # a symmetric matrix stores one of the entries of an edge

    def __init__(self, source: Source, header: Header, options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self._header, self._options, self._piece_arcs = source, header, options, limits.piece_arcs
        self._threads = min(limits.threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, _BYTES_A_VALUE * limits.piece_arcs)
        self._file = FileStamp(source)
        self._mirrored = header.symmetry != "general" and not header.is_undirected(options)
        self._surveyed = False
        self._weighted = header.wants_values(source, options)
        self.directed = not header.is_undirected(options)
        self.both_ends = header.symmetry != "general" and not self.directed

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all values once; see :class:`triadic.io.arc_stream.ArcStream`."""
        self._file.check()
        degree: NDArray[np.int64] | None = None
        arcs = 0
        for row, column, *_ in self._entries(self._reported(progress)):
            if degree is None:
                degree = longer_table(np.zeros(0, dtype=np.int64), self._header.vertices, exactly=True)
            proper = row != column
            arcs += len(row) + (int(np.count_nonzero(proper)) if self._mirrored else 0)
            for end in (row, column):
                count_ends(end, degree)
                if self._mirrored:
                    count_ends(end[proper], degree)
        self._file.check()
        self._surveyed = True
        vertices = self._options.vertices_at_least(self._source, self._header.vertices)
        found = np.zeros(0, dtype=np.int64) if degree is None else degree
        if len(found) != vertices:
            found = longer_table(found, vertices, exactly=True)
        return Survey(vertices, self._header.labels, arcs, found)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if not self._surveyed:
            self.survey()
        self._file.check()
        reported = self._reported(progress, passes=1 + self._mirrored)
        for mirrored in (False, True)[: 1 + self._mirrored]:
            for row, column, *values in self._entries(reported):
                if mirrored:
                    proper = row != column
                    weights = [self._header.mirrored_sign * some[proper] for some in values]
                    yield from slices((column[proper], row[proper], *weights), self._piece_arcs)
                else:
                    yield from slices((row, column, *values), self._piece_arcs)
        self._file.check()

    def _entries(self, reported: ProgressCount) -> Iterator[Piece]:
        """Yield rows and columns of the values that are not zero, and perhaps the values."""
        places, dtype, words = ArrayPlaces(self._header), index_dtype(self._header.vertices), self._header.words
        # Each value has at least one byte. No table is allocated for more vertices than the file has values of.
        possible = self._source.packing is not None or not self._file.size or places.expected <= self._file.size
        found, left = 0, np.empty(0)  # numbers, and those of a complex value that goes on in the next piece
        try:
            for values in map_ahead(_values, self._pieces(reported), threads=self._threads):
                numbers = np.concatenate([left, values]) if len(left) else values
                whole = len(numbers) - len(numbers) % words
                numbers, left = numbers[:whole], numbers[whole:]
                nonzero = numbers != 0 if words == 1 else (numbers.reshape(-1, words) != 0).any(axis=1)
                if possible and found + len(nonzero) <= places.expected:
                    row, column = places.of(np.flatnonzero(nonzero) + found)
                    ends = row.astype(dtype), column.astype(dtype)
                    yield (*ends, self._finite(numbers[nonzero])) if self._weighted else ends
                found += len(nonzero)
        except NotNumbersError:
            raise not_a_number(self._source) from None
        if len(left):
            problem = f"found {found * words + len(left)} numbers, expected two for each complex value"
            raise self._source.error(problem)
        if found != places.expected:
            raise wrong_number_of_values(self._source, self._header, found)

    def _finite(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if not np.isfinite(values).all():
            raise self._source.error("found a value that is not finite, expected finite numbers as weights")
        return values

    def _pieces(self, reported: ProgressCount) -> Iterator[bytes]:
        def body() -> Iterator[bytes]:
            skip = self._header.line
            for piece in self._source.pieces(self._chunk_bytes):
                reported.add(len(piece))
                lines, skip = _skip_line_ends(piece, skip)
                yield lines

        return pieces_without_comments(body())

    def _reported(self, progress: Progress | None, passes: int = 1) -> ProgressCount:
        return ProgressCount(progress, passes * self._file.size * (1 if self._source.packing is None else UNPACKED))


def _skip_line_ends(piece: bytes, count: int) -> tuple[bytes, int]:
    """Return a piece without its first lines, as `skip_lines`; a line that goes on in the next piece does not end."""
    if not count:
        return piece, 0
    ends = piece.count(b"\n")
    return (b"", count - ends) if ends < count else skip_lines(piece, count)


def _values(piece: bytes) -> NDArray[Any]:
    return number_rows([piece], integers=False).values
