"""The lines of a METIS file, a chunk at a time: its header, the neighbours in each line, and checks of both.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.file_source import lines_of
from triadic.io.identifiers import index_dtype
from triadic.io.number_rows import NotNumbersError, NumberRows, not_a_number, number_rows, text_lines, without_comments
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triadic.core.array_types import AnyArray, BoolArray, Float64Array, Int64Array, Uint64Array
    from triadic.errors import ReadError
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_FMT = re.compile(r"[01]{1,3}\Z")
_MIXED_AT_ONCE = 1 << 22
_HEADER_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file.

    Attributes
    ----------
    vertices, edges : int
    before : int
        Number of sizes and weights before the neighbours in the line of each vertex.
    weighted : bool
        Whether a weight follows each neighbour.
    row : int
        Number of the header among the lines that are not comments, from 0.
    """

    vertices: int
    edges: int
    before: int
    weighted: bool
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """Neighbours with the vertex in whose line each is, both numbered from 0, and the weights of the edges."""

    vertex: AnyArray
    neighbour: AnyArray
    weights: Float64Array | None

    def __len__(self) -> int:
        return len(self.vertex)


def wants_weights(source: Source, header: Header, options: ReadOptions) -> bool:
    """Return whether to read the weights of edges; raise a ReadError if there are none."""
    weighted = options.wants_natural_weights(source, "a METIS file")
    if weighted and not header.weighted:
        line = line_of_vertex(source, header, -1)
        raise source.error("weights=True: by its header, edges have no weights", line=line)
    return weighted


def read_header(source: Source) -> Header:
    """Read the first line that is neither a comment nor blank.

    Raises
    ------
    ReadError
        The line is not ``n m [fmt [ncon]]``, or the file has no such line.
    """
    row, line, text = _first_line(source)
    words = text.decode("latin-1").split()
    if not words:
        raise source.error("there is no header line; expected 'n m [fmt [ncon]]'")
    values = [int(word) if word.isascii() and word.isdigit() and len(word) < 19 else -1 for word in words]
    if not 2 <= len(words) <= 4 or min(values) < 0:
        raise source.error(f"found the header {short(' '.join(words))}, expected 'n m [fmt [ncon]]'", line=line)
    fmt = words[2] if len(words) > 2 else "0"
    if not _FMT.match(fmt):
        raise source.error(f"found the fmt {short(fmt)} in the header, expected 0 or 1 at most three times", line=line)
    sizes, weights, edge_weights = (digit == "1" for digit in fmt.zfill(3))
    constraints = values[3] if len(values) > 3 else 1
    return Header(values[0], values[1], sizes + (constraints if weights else 0), edge_weights, row)


def rows_of(chunk: bytes) -> NumberRows:
    """Parse whole lines of numbers: as integers, or as floats if one is not an integer.

    Raises
    ------
    NotNumbersError
    """
    lines = without_comments(chunk)
    try:
        return number_rows([lines], integers=True)
    except NotNumbersError:
        return number_rows([lines], integers=False)


def _entries_of_rows(
    source: Source, header: Header, chunk: NumberRows, row: int, *, weighted: bool
) -> Iterator[Entries]:
    """Yield the neighbours in some rows of the file, of which `row` is the first."""
    first, last = header.row + 1, header.row + 1 + header.vertices
    start, stop = (min(max(place - row, 0), len(chunk)) for place in (first, last))
    surplus = chunk.lengths[stop:] if row + stop >= last else chunk.lengths[:0]
    if surplus.any():
        line = _line_of(source, row + stop + int(np.argmax(surplus > 0)))
        raise _wrong_number(source, header, "more", line)
    if stop > start:
        begin, end = int(chunk.starts[start]), int(chunk.starts[stop])
        body = NumberRows(chunk.values[begin:end], chunk.starts[start : stop + 1] - begin)
        yield _entries(source, body, header, row + start - first, weighted=weighted)


def entries_of_pieces(
    source: Source, header: Header, pieces: Iterable[tuple[NumberRows, bool]], *, weighted: bool = False
) -> Iterator[Entries]:
    """Yield the neighbours in all lines, from pieces that may end within a line.

    Parameters
    ----------
    source : Source
    header : Header
    pieces : iterable of (NumberRows, bool)
        The rows of the file, and whether the last row of the piece goes on in the next one.
    weighted : bool, default False

    Raises
    ------
    ReadError
        A word is not a number, a neighbour does not exist, or there are fewer or more lines than vertices.
    """
    row, line = 0, _Line(source, header, weighted=weighted)
    try:
        for rows, goes_on in pieces:
            if not len(rows):
                continue
            begin, end = 0, len(rows) - goes_on
            if line.begun:
                yield from line.add(row, rows.values[: rows.starts[1]])
                if end == 0:
                    continue
                line.end(row)
                row, begin = row + 1, 1
            if end > begin:
                starts = rows.starts[begin : end + 1]
                complete = NumberRows(rows.values[starts[0] : starts[-1]], starts - starts[0])
                yield from _entries_of_rows(source, header, complete, row, weighted=weighted)
                row += end - begin
            if goes_on:
                yield from line.add(row, rows.values[rows.starts[-2] :])
    except NotNumbersError:
        raise not_a_number(source) from None
    if line.begun:
        line.end(row)
        row += 1
    if row < header.row + 1 + header.vertices:
        raise _wrong_number(source, header, f"{max(row - header.row - 1, 0)}", None)


class _Line:
    """The line of a vertex whose numbers come in several pieces."""

    def __init__(self, source: Source, header: Header, *, weighted: bool) -> None:
        self._source, self._header, self._weighted = source, header, weighted
        self._step = 2 if header.weighted else 1
        self._clear()

    def _clear(self) -> None:
        self.begun = False
        self._numbers = 0
        self._left: AnyArray = np.empty(0, dtype=np.int64)  # numbers that are no whole entry yet

    def add(self, row: int, values: AnyArray) -> Iterator[Entries]:
        """Add numbers of the line of this row, and yield the entries that they complete."""
        header, first = self._header, self._header.row + 1
        self.begun = True
        before = max(0, header.before - self._numbers)
        self._numbers += len(values)
        if row < first:
            return
        if row >= first + header.vertices:
            if len(values):
                raise _wrong_number(self._source, header, "more", _line_of(self._source, row))
            return
        numbers = np.concatenate([self._left, values[before:]])
        whole = len(numbers) - len(numbers) % self._step
        self._left = numbers[whole:]
        if whole:
            body = NumberRows(numbers[:whole], np.array([0, whole]))
            yield _entries(self._source, body, replace(header, before=0), row - first, weighted=self._weighted)

    def end(self, row: int) -> None:
        """End the line; raise a ReadError if its last entry is incomplete."""
        if 0 <= row - self._header.row - 1 < self._header.vertices:
            _check_lengths(self._source, self._header, np.array([self._numbers]), row - self._header.row - 1)
        self._clear()


class Tally:
    """Checks the number of neighbours, and that each edge is in the lines of both its ends.

    Attributes
    ----------
    both_ends : bool
        False if an edge is in the line of one end only; True almost surely means that there is no such edge.

    Notes
    -----
    A hash of each pair of vertices is added in the line of the smaller vertex and subtracted in the line of the larger
    one. The sum is 0 if every edge is in both lines. This takes no sorting and no memory.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._balance = 0
        self.entries = self._loops = 0

    def add(self, part: Entries) -> None:
        """Count the neighbours of a chunk."""
        self.entries += len(part)
        # The manual allows no loops; files that have them count one as an edge and list it once or twice.
        self._loops += int(np.count_nonzero(part.vertex == part.neighbour))
        for start in range(0, len(part), _MIXED_AT_ONCE):
            piece = slice(start, start + _MIXED_AT_ONCE)
            own, other = part.vertex[piece].astype(np.uint64), part.neighbour[piece].astype(np.uint64)
            mixed = _mixed(np.minimum(own, other) * np.uint64(self._header.vertices) + np.maximum(own, other))
            self._balance += int(mixed[own < other].sum()) - int(mixed[own > other].sum())

    @property
    def both_ends(self) -> bool:
        """Whether each edge is in the lines of both its ends."""
        return self._balance % 2**64 == 0

    def check_number(self, source: Source, *, directed: bool) -> None:
        """Raise a ReadError if the number of neighbours does not agree with the header."""
        edges = self._header.edges
        allowed = {2 * edges, edges} if directed else {2 * edges}
        if not {self.entries, self.entries + self._loops} & allowed:
            raise source.error(
                f"its lines hold {self.entries} neighbours, expected {2 * edges} by the header's {edges} edges"
            )


def _entries(source: Source, body: NumberRows, header: Header, vertex: int, *, weighted: bool) -> Entries:
    """Return the neighbours in the lines of `vertex` and those after it."""
    step = 2 if header.weighted else 1
    neighbours = _check_lengths(source, header, body.lengths, vertex)
    dtype = index_dtype(header.vertices)
    of_vertex = np.repeat(np.arange(vertex, vertex + len(body), dtype=dtype), neighbours // step)
    values = body.values
    if header.before:
        place = np.arange(len(values)) - np.repeat(body.starts[:-1], body.lengths)
        values = values[place >= header.before]
    target, weights = values[::step], None

    def check(right: BoolArray, name: str, found: AnyArray, expected: str) -> None:
        if not right.all():
            first = int(np.argmin(right))
            line = line_of_vertex(source, header, int(of_vertex[first]))
            raise source.error(f"found the {name} {found[first]:g}, expected {expected}", line=line)

    if target.dtype != np.int64:
        check(target == np.floor(target), "neighbour", target, "an integer")
    if weighted:
        weights = values[1::2].astype(np.float64)
        check(np.isfinite(weights), "weight", weights, "a finite number")
    check((target >= 1) & (target <= header.vertices), "neighbour", target, f"1 to {header.vertices}")
    target = target.astype(dtype)
    target -= 1
    return Entries(of_vertex, target, weights)


def _check_lengths(source: Source, header: Header, lengths: Int64Array, vertex: int) -> Int64Array:
    """Return the numbers that follow sizes and weights in the lines of `vertex` and those after it."""
    step = 2 if header.weighted else 1
    neighbours = lengths - header.before
    wrong = (neighbours < 0) | (neighbours % step != 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        expected = f"{header.before} and then {'pairs of neighbour and weight' if step == 2 else 'neighbours'}"
        problem = f"found {lengths[row]} numbers, expected {expected}"
        raise source.error(problem, line=line_of_vertex(source, header, vertex + row))
    return neighbours


def _wrong_number(source: Source, header: Header, found: str, line: int | None) -> ReadError:
    return source.error(f"found {found} lines of neighbours, expected {header.vertices} by the header", line=line)


def _mixed(keys: Uint64Array) -> Uint64Array:
    # The finalizer of splitmix64 (Steele, Lea, Flood 2014).
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _first_line(source: Source) -> tuple[int, int, bytes]:
    """Return the first line that is neither a comment nor blank; an empty one if there is none.

    Returns
    -------
    int
        Its row among the lines that are no comments.
    int
        Its number in the file.
    bytes
        Its text.
    """
    row = number = 0
    for chunk in source.chunks(_HEADER_BYTES):
        lines = chunk.lstrip(b"\n")  # many blank lines at once
        row, number = row + len(chunk) - len(lines), number + len(chunk) - len(lines)
        for line in lines_of(lines):
            number += 1
            if line.lstrip(b" \t").startswith(b"%"):
                continue
            if line.strip():
                return row, number, line
            row += 1
    return 0, 0, b""


def _line_of(source: Source, row: int) -> int | None:
    return next((number for number, _ in islice(text_lines(source.chunks()), row, None)), None)


def line_of_vertex(source: Source, header: Header, vertex: int) -> int | None:
    """Return the number of the line of a vertex's neighbours, for an error message; vertex -1 is the header."""
    return _line_of(source, header.row + 1 + vertex)


def one_sided(source: Source, header: Header, parts: list[Entries]) -> ReadError:
    """Return the error for the first neighbour whose reverse is listed less often."""
    own, other = (np.concatenate([getattr(part, end) for part in parts]) for end in ("vertex", "neighbour"))
    n = header.vertices
    forward = own.astype(np.int64) * n + other
    pairs, counts = np.unique(forward, return_counts=True)
    back = pairs % n * n + pairs // n
    place = np.minimum(np.searchsorted(pairs, back), len(pairs) - 1)
    missing = (pairs[place] != back) | (counts > counts[place])
    first = int(np.argmax(np.isin(forward, pairs[missing])))
    u, v = int(own[first]) + 1, int(other[first]) + 1
    problem = f"vertex {u} has the neighbour {v}, but {v} does not have {u}; expected both"
    return source.error(problem, line=line_of_vertex(source, header, u - 1))
