"""METIS files in blocks: the neighbours in some lines, or in a part of a long line.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

import re
import threading
import time
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from triadic.core.draws import mix
from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS, index_dtype
from triadic.errors import OutOfMemoryError
from triadic.io.blocks import MOST_THREADS, BlockFiles, Blocks, ProgressCount, map_ahead
from triadic.io.file_source import short
from triadic.io.number_rows import (
    NotNumbersError,
    not_a_number,
    number_rows,
    pieces_without_comments,
    text_lines,
    without_comments,
)
from triadic.io.sampling import ENTRIES, FileSample, is_small, sample_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.array_types import AnyArray, BoolArray, Int64Array
    from triadic.errors import ReadError
    from triadic.io.blocks import Rows
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.number_rows import NumberRows

# Bytes of memory that each neighbour takes when all rows are joined, and each byte of text while it is parsed.
_BYTES_AN_ENTRY, _PARSED_AT_ONCE = 24, 32
_WHOLE_PER_ENTRY = 64
_SHORTEST_ENTRY = 2  # a digit and a blank
_FMT = re.compile(r"[01]{1,3}\Z")
_MIXED_AT_ONCE = 1 << 22
_HEADER_BYTES = 1 << 16


class _Header(NamedTuple):
    """The first line of a file.

    Attributes
    ----------
    vertices, edges : int
    before : int
        Number of sizes and weights before the neighbours in the line of each vertex.
    step : int
        Numbers of a neighbour: 2 if a weight follows it, and else 1.
    first : int
        Number of the line of the first vertex among the lines that are not comments, from 0.
    line : int
        Number of the header among all lines, from 1.
    """

    vertices: int
    edges: int
    before: int
    step: int
    first: int
    line: int


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
        The header is damaged, or the options ask for weights and there are none. A word that is not a number, a
        neighbour that does not exist, and fewer or more lines than vertices are errors when they are read.
    """

    is_parsed = True
    row_bytes = 8
    kept = ENTRIES
    most_threads = MOST_THREADS

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source)
        self.header = header = _read_header(source)
        self._weighted = options.wants_natural_weights(source, "a METIS file")
        if self._weighted and header.step == 1:
            raise source.error("weights=True: by its header, edges have no weights", line=header.line)
        vertices = options.vertices_at_least(source, header.vertices)
        self.sizes = (vertices,)
        # Every line has at least one byte. If the header states more vertices than the file has bytes, no table is made
        # for them: the missing lines are an error at the end of the file.
        fit = source.packing is not None or not self._stamp[0] or header.vertices <= self._stamp[0]
        self.vertices = vertices if fit else None
        self.directed = options.directed is True
        self.both_ends = not self.directed
        self.work = source.unpacked_bytes
        self.arcs = self.work // _SHORTEST_ENTRY
        self._count = self._loops = self._balance = 0
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
                    self.source.check_memory(_BYTES_AN_ENTRY * self._count + _PARSED_AT_ONCE * len(piece), text)
                reported.add(len(piece))

        for entries in self._entries(pieces()):
            yield partial(self._rows, entries)

    def check(self, *, after: bool) -> None:  # noqa: D102 - documented in `Blocks`
        super().check(after=after)
        if self._is_checked:
            return
        if not after:
            self._count = self._loops = self._balance = 0
            return
        edges = self.header.edges
        if {self._count, self._count + self._loops}.isdisjoint({2 * edges, edges} if self.directed else {2 * edges}):
            raise self.source.error(
                f"its lines hold {self._count} neighbours, expected {2 * edges} by the header's {edges} edges"
            )
        if not self.directed and self._balance % 2**64:
            raise self._one_sided()
        self._is_checked = True

    def _rows(self, entries: dict[str, AnyArray]) -> Rows:
        if not self._is_checked:
            with self._lock:
                self._tally(entries["source"], entries["target"])
        return pa.table(entries)

    def _tally(self, source: AnyArray, target: AnyArray) -> None:
        """Count some neighbours, and add what tells whether each edge is in the lines of both its ends.

        A hash of each pair of vertices is added in the line of the smaller vertex and subtracted in the line of the
        larger one. The sum is 0 if every edge is in both lines, and almost surely not otherwise. This takes no sorting
        and no memory.
        """
        self._count += len(source)
        # The manual allows no loops; files that have them count one as an edge and list it once or twice.
        self._loops += int(np.count_nonzero(source == target))
        for start in range(0, len(source), _MIXED_AT_ONCE):
            own, other = (end[start : start + _MIXED_AT_ONCE].astype(np.uint64) for end in (source, target))
            keys = np.minimum(own, other) * np.uint64(self.header.vertices) + np.maximum(own, other)
            mixed = mix.py_func(keys)  # type: ignore[attr-defined]  # of all at once, without compilation
            self._balance += int(mixed[own < other].sum()) - int(mixed[own > other].sum())

    def _entries(self, pieces: Iterator[bytes]) -> Iterator[dict[str, AnyArray]]:
        """Yield the columns of the neighbours in all lines, from pieces of text that may end within a line."""
        header, row, goes_on = self.header, 0, False
        # Of the line that goes on from earlier pieces: how many numbers they hold, and a neighbour without its weight.
        seen, left = 0, NO_NUMBERS
        try:
            for rows, goes_on in map_ahead(_rows_of_piece, pieces_without_comments(pieces), threads=self.most_threads):
                if not len(rows):
                    continue
                vertex, ended, here = row - header.first, len(rows) - goes_on, rows.lengths
                start, stop = (min(max(place, 0), len(rows)) for place in (-vertex, header.vertices - vertex))
                if here[stop:].any():
                    line = self._line_of_vertex(vertex + stop + int(np.argmax(here[stop:] > 0)))
                    raise self._wrong_number("more", line)
                lengths = here.copy()
                lengths[0] += seen
                self._check_lengths(lengths[start : min(stop, ended)], vertex + start)
                neighbours = np.maximum(lengths - header.before, 0)
                neighbours[0] -= max(seen - header.before, 0)
                first, last = int(rows.starts[start]), int(rows.starts[stop])
                values = rows.values[first:last]
                if header.before:
                    begins = rows.starts[1:] - neighbours
                    values = values[np.arange(first, last) >= np.repeat(begins[start:stop], here[start:stop])]
                if len(left):
                    values, neighbours[0] = np.concatenate([left, values]), neighbours[0] + len(left)
                odd = int(neighbours[-1]) % header.step if goes_on and start < stop == len(rows) else 0
                left, neighbours[-1] = values[len(values) - odd :], neighbours[-1] - odd
                if start < stop:
                    yield self._columns(values[: len(values) - odd], neighbours[start:stop], vertex + start)
                row, seen = row + ended, int(lengths[-1]) if goes_on else 0
        except NotNumbersError:
            raise not_a_number(self.source) from None
        vertex = row - header.first
        if goes_on and 0 <= vertex < header.vertices:
            self._check_lengths(np.array([seen]), vertex)
        if vertex + goes_on < header.vertices:
            raise self._wrong_number(f"{max(vertex + goes_on, 0)}", None)

    def _columns(self, values: AnyArray, numbers: Int64Array, vertex: int) -> dict[str, AnyArray]:
        """Return the columns of the neighbours in the lines of `vertex` and those after it, which have some numbers."""
        step, vertices = self.header.step, self.header.vertices
        dtype = index_dtype(vertices)
        source = np.repeat(np.arange(vertex, vertex + len(numbers), dtype=dtype), numbers // step)
        target = values[::step]

        def check(right: BoolArray, name: str, found: AnyArray, expected: str) -> None:
            if not right.all():
                first = int(np.argmin(right))
                line = self._line_of_vertex(int(source[first]))
                raise self.source.error(f"found the {name} {found[first]:g}, expected {expected}", line=line)

        if target.dtype != np.int64:
            check(target == np.floor(target), "neighbour", target, "an integer")
        weights = {}
        if self._weighted:
            weights = {"weight": values[1::2].astype(np.float64)}
            check(np.isfinite(weights["weight"]), "weight", weights["weight"], "a finite number")
        check((target >= 1) & (target <= vertices), "neighbour", target, f"1 to {vertices}")
        target = target.astype(dtype)
        target -= 1
        return {"source": source, "target": target, **weights}

    def _check_lengths(self, lengths: Int64Array, vertex: int) -> None:
        """Raise a ReadError unless the lines of `vertex` and those after it, of these lengths, hold whole entries."""
        before, step = self.header.before, self.header.step
        wrong = (lengths < before) | ((lengths - before) % step != 0)
        if wrong.any():
            row = int(np.argmax(wrong))
            expected = f"{before} and then {'pairs of neighbour and weight' if step == 2 else 'neighbours'}"
            line = self._line_of_vertex(vertex + row)
            raise self.source.error(f"found {lengths[row]} numbers, expected {expected}", line=line)

    def _wrong_number(self, found: str, line: int | None) -> ReadError:
        expected = f"expected {self.header.vertices} by the header"
        return self.source.error(f"found {found} lines of neighbours, {expected}", line=line)

    def _line_of_vertex(self, vertex: int) -> int | None:
        """Return the number of the line of a vertex's neighbours, for an error message."""
        lines = islice(text_lines(self.source.chunks()), self.header.first + vertex, None)
        return next((number for number, _ in lines), None)

    def _one_sided(self) -> ReadError:
        """Return the error for the first edge that is in the line of one end only, for which all must be in memory."""
        with suppress(OutOfMemoryError):
            check_memory(_WHOLE_PER_ENTRY * self._count, f"reading {self.source.name}")
            parts = list(self._entries(self.source.pieces()))
            own, other = (np.concatenate([part[end] for part in parts]) for end in ("source", "target"))
            n = self.header.vertices
            forward = own.astype(np.int64) * n + other
            pairs, counts = np.unique(forward, return_counts=True)
            back = pairs % n * n + pairs // n
            place = np.minimum(np.searchsorted(pairs, back), len(pairs) - 1)
            missing = (pairs[place] != back) | (counts > counts[place])
            first = int(np.argmax(np.isin(forward, pairs[missing])))
            u, v = int(own[first]) + 1, int(other[first]) + 1
            problem = f"vertex {u} has the neighbour {v}, but {v} does not have {u}; expected both"
            return self.source.error(problem, line=self._line_of_vertex(u - 1))
        return self.source.error("an edge is in the line of one of its ends only, expected it in the lines of both")


def _rows_of_piece(piece: bytes) -> tuple[NumberRows, bool]:
    """Parse a piece of text without comments, and return whether its last line goes on in the next piece.

    Numbers are integers, or floats if one is not an integer.
    """
    try:
        rows = number_rows([piece], integers=True)
    except NotNumbersError:
        rows = number_rows([piece], integers=False)
    return rows, bool(piece) and not piece.endswith(b"\n")


def _read_header(source: Source) -> _Header:
    """Read the first line that is neither a comment nor blank.

    Raises
    ------
    ReadError
        The line is not ``n m [fmt [ncon]]``, or the file has no such line.
    """
    lines = (found for found in enumerate(text_lines(source.chunks(_HEADER_BYTES))) if found[1][1].strip())
    row, (line, text) = next(lines, (0, (0, b"")))
    words = text.decode("latin-1").split()
    if not words:
        raise source.error("there is no header line; expected 'n m [fmt [ncon]]'")
    values = [int(word) if word.isascii() and word.isdigit() and len(word) < 19 else -1 for word in words]
    if not 2 <= len(words) <= 4 or min(values) < 0:
        raise source.error(f"found the header {short(' '.join(words))}, expected 'n m [fmt [ncon]]'", line=line)
    fmt = words[2] if len(words) > 2 else "0"
    if not _FMT.match(fmt):
        raise source.error(f"found the fmt {short(fmt)} in the header, expected 0 or 1 at most three times", line=line)
    sizes, weights, edge_weights = map(int, fmt.zfill(3))
    constraints = values[3] if len(values) > 3 else 1
    return _Header(values[0], values[1], sizes + weights * constraints, 1 + edge_weights, row + 1, line)


def sample_metis(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - as of all formats
    """Sample a METIS file: all of a small one, the header of a large one, and the time to read a chunk of its lines.

    A line does not state which vertex it belongs to, so that lines from the middle of the file are no sample.
    """
    blocks = MetisBlocks(source, options)
    if is_small(source):
        return sample_blocks(BlockFiles(source, [blocks], options))
    header = blocks.header
    if blocks.vertices is None:
        raise source.error(f"is too short for a line of each of the {header.vertices} vertices of its header")
    chunk = next(source.chunks())
    started = time.perf_counter()
    try:
        numbers = len(_rows_of_piece(without_comments(chunk))[0].values)
    except NotNumbersError:
        raise not_a_number(source) from None
    seconds = header.step * (time.perf_counter() - started) / max(1, numbers)
    return FileSample(
        parts=None,
        arcs=2 * header.edges,
        vertices=blocks.vertices,
        directed=bool(blocks.directed),
        labels=None,
        input_bytes=source.stored_bytes,
        survey=2 * seconds,
        again=2 * seconds,
        kept=ENTRIES,
        both_ends=blocks.both_ends,
    )
