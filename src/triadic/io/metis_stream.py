"""Streams and samples of METIS adjacency lists, read in pieces; a long line may be in several pieces."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.errors import OutOfMemoryError
from triadic.io.arc_stream import Survey
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.id_tallies import count_ends, longer_table
from triadic.io.metis_lines import (
    Tally,
    entries,
    entries_of_pieces,
    not_a_number,
    one_sided,
    read_header,
    rows_of,
    wants_weights,
)
from triadic.io.number_rows import NotNumbersError, pieces_without_comments
from triadic.io.sampling import ENTRIES, FileSample
from triadic.io.stream_passes import (
    MOST_THREADS,
    UNPACKED,
    CachingStream,
    FileStamp,
    PassCache,
    ProgressCount,
    map_ahead,
    slices,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import AnyArray
    from triadic.core.blocks import Progress
    from triadic.io.file_source import Source
    from triadic.io.metis_lines import Entries
    from triadic.io.number_rows import NumberRows
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import StreamLimits

    Piece = tuple[AnyArray, ...]

# Bytes of text for a neighbour's number and a blank, about.
_BYTES_AN_ENTRY = 8
_WHOLE_PER_ENTRY = 64


class MetisStream(CachingStream):
    """The arcs from each vertex to its neighbours."""

    def __init__(self, source: Source, options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self._options, self._piece_arcs = source, options, limits.piece_arcs
        self._threads = min(limits.threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, _BYTES_AN_ENTRY * limits.piece_arcs)
        self._file = FileStamp(source)
        self._total = self._file.size * (1 if source.packing is None else UNPACKED)
        self._cache: PassCache[Entries] = PassCache(limits.keep, lambda part: sum(array.nbytes for array in part.arcs))
        self._header = read_header(source)
        self._weighted = wants_weights(source, self._header, options)
        self._surveyed = False
        self._vertices = options.vertices_at_least(source, self._header.vertices)
        self.directed = options.directed is True
        self.both_ends = not self.directed

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        self._file.check()
        # Every line has at least one byte. If the header states more vertices than the file has bytes, no table is
        # allocated for them: the missing lines raise an error at the end of the file.
        fit = self._source.packing is not None or not self._file.size or self._header.vertices <= self._file.size
        degree = longer_table(np.zeros(0, dtype=np.int64), self._vertices if fit else 0, exactly=True)
        tally = Tally(self._header)
        for part in self._cache.record(self._entries(ProgressCount(progress, self._total))):
            tally.add(part)
            for ends in (part.vertex, part.neighbour):
                degree = count_ends(ends, degree)
        tally.check_number(self._source, directed=self.directed)
        if not self.directed and not tally.both_ends:
            raise self._one_sided(tally.entries)
        self._file.check()
        self._surveyed = True
        return Survey(self._vertices, None, tally.entries, degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if not self._surveyed:
            self.survey()
        self._file.check()
        for part in self._cache.parts_or(lambda: self._entries(ProgressCount(progress, self._total))):
            yield from slices(part.arcs, self._piece_arcs)
        self._file.check()

    def _entries(self, reported: ProgressCount) -> Iterator[Entries]:
        def pieces() -> Iterator[bytes]:
            for piece in self._source.pieces(self._chunk_bytes):
                yield piece
                reported.add(len(piece))

        rows = map_ahead(_rows_of_piece, pieces_without_comments(pieces()), threads=self._threads)
        return entries_of_pieces(self._source, self._header, rows, weighted=self._weighted)

    def _one_sided(self, count: int) -> Exception:
        """Return the error for an edge in the line of one end only; with enough memory it names the edge."""
        with suppress(OutOfMemoryError):
            check_memory(_WHOLE_PER_ENTRY * count, f"reading {self._source.name}")
            rows = map(rows_of, self._source.chunks())
            parts = list(entries(self._source, self._header, rows, weighted=False))
            return one_sided(self._source, self._header, parts)
        return self._source.error("an edge is in the line of one of its ends only, expected it in the lines of both")


def _rows_of_piece(piece: bytes) -> tuple[NumberRows, bool]:
    """Parse a piece of text, and return whether its last line goes on in the next piece."""
    return rows_of(piece), bool(piece) and not piece.endswith(b"\n")


def sample_header(source: Source, options: ReadOptions) -> FileSample:
    """Return the sizes in the header of a large file, and the time to read it, measured on one chunk of lines.

    A line does not state which vertex it belongs to, so that lines from the middle of the file are no sample.
    """
    header, size = read_header(source), Path(source.path).stat().st_size
    wants_weights(source, header, options)  # an error if the file has none
    if source.packing is None and header.vertices > size:
        raise source.error(f"is too short for a line of each of the {header.vertices} vertices of its header")
    vertices = options.vertices_at_least(source, header.vertices)
    chunk = next(source.chunks())
    started = time.perf_counter()
    try:
        numbers = len(rows_of(chunk).values)
    except NotNumbersError:
        raise not_a_number(source) from None
    seconds = (1 + header.weighted) * (time.perf_counter() - started) / max(1, numbers)
    return FileSample(
        parts=None,
        arcs=2 * header.edges,
        vertices=vertices,
        directed=options.directed is True,
        labels=None,
        input_bytes=size,
        survey=2 * seconds,
        again=2 * seconds,
        kept=ENTRIES,
        both_ends=options.directed is not True,
    )
