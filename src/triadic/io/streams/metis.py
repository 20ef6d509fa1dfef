"""METIS adjacency lists, a chunk of whole lines at a time."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import check_memory
from triadic.errors import OutOfMemoryError
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.metis import read_metis
from triadic.io.metis_lines import Tally, entries, read_header, rows_of
from triadic.io.streams.ahead import worked_ahead
from triadic.io.streams.columns import Reported, Unchanged, sliced
from triadic.io.streams.kept import Keeping, Kept
from triadic.io.streams.numbers import counted, grown
from triadic.io.streams.protocol import Survey
from triadic.io.streams.text import MOST_THREADS, UNPACKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.metis_lines import Entries

    Piece = tuple[NDArray[Any], NDArray[Any]]

# Of text, about: a neighbour's number and a blank. The line of a hub may be longer than a chunk, and is held whole.
_BYTES_AN_ENTRY = 8
_WHOLE_PER_ENTRY = 64


class MetisStream(Keeping):
    """The arcs from each vertex to its neighbours."""

    def __init__(self, source: Source, asked: Asked, *, piece_arcs: int, threads: int, keep: int = 0) -> None:
        self._source, self._asked, self._piece_arcs = source, asked, piece_arcs
        self._threads = min(threads, MOST_THREADS)
        self._chunk_bytes = min(CHUNK_BYTES, _BYTES_AN_ENTRY * piece_arcs)
        self._file = Unchanged(source)
        self._total = self._file.size * (1 if source.packing is None else UNPACKED)
        self._kept: Kept[Entries] = Kept(keep, lambda part: part.vertex.nbytes + part.neighbour.nbytes)
        self._header = read_header(source)
        self._surveyed = False
        self._vertices = asked.vertices_at_least(source, self._header.vertices)
        self.directed = asked.directed is True

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once; see :class:`triadic.io.streams.ArcStream`."""
        self._file.check()
        # A line takes a byte at least: a header that speaks of more vertices is wrong, which the last line tells.
        fit = self._source.packing is not None or not self._file.size or self._header.vertices <= self._file.size
        degree = grown(np.zeros(0, dtype=np.int64), self._vertices if fit else 0, exactly=True)
        tally = Tally(self._header)
        for part in self._kept.noting(self._entries(Reported(progress, self._total))):
            tally.add(part)
            for ends in (part.vertex, part.neighbour):
                degree = counted(ends, degree)
        tally.check_number(self._source, directed=self.directed)
        if not self.directed and not tally.both_ends:
            raise self._one_sided(tally.entries)
        self._file.check()
        self._surveyed = True
        return Survey(self._vertices, None, tally.entries, degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read everything again; see :class:`triadic.io.streams.ArcStream`."""
        if not self._surveyed:
            self.survey()
        self._file.check()
        for part in self._kept.or_read(lambda: self._entries(Reported(progress, self._total))):
            yield from sliced(part.vertex, part.neighbour, self._piece_arcs)
        self._file.check()

    def _entries(self, reported: Reported) -> Iterator[Entries]:
        def chunks() -> Iterator[bytes]:
            for chunk in self._source.chunks(self._chunk_bytes):
                yield chunk
                reported.add(len(chunk))

        rows = worked_ahead(rows_of, chunks(), threads=self._threads)
        return entries(self._source, self._header, rows, weighted=False)

    def _one_sided(self, count: int) -> Exception:
        """Return the error for an edge in the line of one end only: which, where memory allows to find out."""
        with suppress(OutOfMemoryError):
            check_memory(_WHOLE_PER_ENTRY * count, f"reading {self._source.path}")
            read_metis(self._source, self._asked)  # says which
        return self._source.error("an edge stands in the line of one of its ends, expected it in those of both")
