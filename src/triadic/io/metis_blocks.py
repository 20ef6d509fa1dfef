"""METIS files in blocks: the neighbours in some lines, or in a part of a long line."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from triadic.core.memory import check_memory
from triadic.errors import OutOfMemoryError
from triadic.io.blocks import MOST_THREADS, Blocks, ProgressCount, map_ahead
from triadic.io.file_source import UNPACKED
from triadic.io.metis_lines import (
    Tally,
    entries_of_pieces,
    one_sided,
    read_header,
    rows_of,
    wants_weights,
)
from triadic.io.number_rows import NotNumbersError, not_a_number, pieces_without_comments
from triadic.io.sampling import ENTRIES, FileSample, is_small, sample_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.io.blocks import Rows
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.metis_lines import Entries
    from triadic.io.number_rows import NumberRows

# Bytes of memory that each neighbour takes when all rows are joined, and each byte of text while it is parsed.
_BYTES_AN_ENTRY, _PARSED_AT_ONCE = 24, 32
_WHOLE_PER_ENTRY = 64
_SHORTEST_ENTRY = 2  # a digit and a blank


class MetisBlocks(Blocks):
    """The neighbours in a METIS file, each a row from the vertex in whose line it is.

    The first complete pass checks that every edge is in the lines of both its ends, and that there are as many as the
    header states.

    Parameters
    ----------
    source : Source
    options : ReadOptions

    Raises
    ------
    ReadError
        The header is damaged.
    """

    is_parsed = True
    row_bytes = 8
    most_threads = MOST_THREADS

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source)
        self._header = read_header(source)
        self._weighted = wants_weights(source, self._header, options)
        vertices = options.vertices_at_least(source, self._header.vertices)
        self.sizes = (vertices,)
        # Every line has at least one byte. If the header states more vertices than the file has bytes, no table is made
        # for them: the missing lines are an error at the end of the file.
        fit = source.packing is not None or not self._stamp.size or self._header.vertices <= self._stamp.size
        self.vertices = vertices if fit else None
        self.directed = options.directed is True
        self.both_ends = not self.directed
        self.work = self._stamp.size * (1 if source.packing is None else UNPACKED)
        self.arcs = self.work // _SHORTEST_ENTRY
        self._tally = Tally(self._header)
        self._is_checked = False
        self._lock = threading.Lock()

    def parts(  # noqa: D102 - documented in `Blocks`
        self,
        *,
        numeric: bool,  # noqa: ARG002 - neighbours are numbers
        chunk_bytes: int | None,
        reported: ProgressCount,
    ) -> Iterator[Callable[[], Rows]]:
        def pieces() -> Iterator[bytes]:
            text = 0
            for piece in self.source.pieces(chunk_bytes):
                yield piece
                text += len(piece)
                if chunk_bytes is None:  # all rows are held
                    self.source.check_memory(_BYTES_AN_ENTRY * self._tally.entries + _PARSED_AT_ONCE * len(piece), text)
                reported.add(len(piece))

        for part in self._entries(pieces(), weighted=self._weighted):
            yield partial(self._rows, part)

    def check(self, *, after: bool) -> None:  # noqa: D102 - documented in `Blocks`
        super().check(after=after)
        if self._is_checked:
            return
        if not after:
            self._tally = Tally(self._header)
            return
        self._tally.check_number(self.source, directed=self.directed is True)
        if not self.directed and not self._tally.both_ends:
            raise self._one_sided()
        self._is_checked = True

    def sampled(  # noqa: D102 - documented in `Blocks`
        self, files: Sequence[MetisBlocks]
    ) -> tuple[Sequence[MetisBlocks], Callable[[FileSample], FileSample]]:
        return files, lambda sample: replace(sample, kept=ENTRIES)

    def _entries(self, pieces: Iterator[bytes], *, weighted: bool) -> Iterator[Entries]:
        rows = map_ahead(_rows_of_piece, pieces_without_comments(pieces), threads=self.most_threads)
        return entries_of_pieces(self.source, self._header, rows, weighted=weighted)

    def _rows(self, part: Entries) -> Rows:
        if not self._is_checked:
            with self._lock:
                self._tally.add(part)
        rows = {"source": part.vertex, "target": part.neighbour}
        return pa.table(rows if part.weights is None else rows | {"weight": part.weights})

    def _one_sided(self) -> Exception:
        """Return the error for the first edge that is in the line of one end only, for which all must be in memory."""
        with suppress(OutOfMemoryError):
            check_memory(_WHOLE_PER_ENTRY * self._tally.entries, f"reading {self.source.name}")
            return one_sided(self.source, self._header, list(self._entries(self.source.pieces(), weighted=False)))
        return self.source.error("an edge is in the line of one of its ends only, expected it in the lines of both")


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


def sample_metis(source: Source, options: ReadOptions, threads: int) -> FileSample:
    """Sample a METIS file: all of a small one, the header of a large one."""
    if not is_small(source):
        return sample_header(source, options)
    return sample_blocks(source, [MetisBlocks(source, options)], options, threads)
