"""The banner and the size line of Matrix Market, and errors for single entries.

The format is described in :mod:`triadic.io.matrix_market`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.file_source import lines_of
from triadic.io.identifiers import read_list
from triadic.io.number_rows import first_text
from triadic.io.text_comments import VERTEX_LIST, listed_part
from triadic.io.text_layout import Layout, Separator, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.errors import ReadError
    from triadic.graph.labels import Labels
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions

_HEADER_BYTES = 1 << 16  # read at a time until the size line
_BANNER = re.compile(
    r"%%MatrixMarket(?i:[ \t]+matrix[ \t]+(?P<layout>coordinate|array)"
    r"[ \t]+(?P<field>real|double|integer|unsigned-integer|complex|pattern)"
    r"[ \t]+(?P<symmetry>general|symmetric|skew-symmetric|hermitian)[ \t]*)\Z"
)
_SIZE_LINES = {
    "coordinate": ("rows columns entries", re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})\s+(\d{1,18})\s*\Z")),
    "array": ("rows columns", re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})()\s*\Z")),
}


@dataclass(frozen=True, slots=True)
class Header:
    """The banner and the size line, which is line ``line`` of the file; ``entries`` is None in the array format.

    The labels are those of the comments above the size line (:mod:`triadic.io.edge_blocks`).
    """

    field: str
    symmetry: str
    vertices: int
    entries: int | None
    line: int
    labels: Labels | None = None

    @property
    def words(self) -> int:
        """How many numbers stand for one value."""
        return {"pattern": 0, "complex": 2}.get(self.field, 1)

    def wants_values(self, source: Source, options: ReadOptions) -> bool:
        """Return whether to read the values as weights; raise a ReadError if they cannot be weights."""
        weighted = options.wants_natural_weights(source, "a Matrix Market file")
        if weighted and self.words != 1:
            raise source.error(f"weights=True: its values are of the kind {self.field!r}, expected real or integer")
        return weighted

    @property
    def mirrored_sign(self) -> int:
        """Factor from the value of an entry to the value of its mirror image."""
        return -1 if self.symmetry == "skew-symmetric" else 1

    def is_undirected(self, options: ReadOptions) -> bool:
        """Whether the matrix is read as an undirected network."""
        return self.symmetry in ("symmetric", "hermitian") if options.directed is None else not options.directed

    def layout(self, *, weighted: bool) -> Layout:
        """Return the layout of the rows of the coordinate format."""
        return Layout(
            separator=Separator.BLANKS, columns=2 + self.words, weight=2 if weighted else None, skip=self.line
        )


def read_header(source: Source) -> Header:
    """Read the banner and the size line."""
    first = source.head[:1024].splitlines()[0] if source.head else b""
    banner = _BANNER.match(first.decode("latin-1"))
    if banner is None:
        found = short(first.decode("latin-1"))
        raise source.error(f"found {found}, expected the banner '%%MatrixMarket matrix ...' of Matrix Market", line=1)
    layout, kind, symmetry = (banner[name].lower() for name in ("layout", "field", "symmetry"))
    expected, pattern = _SIZE_LINES[layout]
    line, words = next(entry_lines(source, _HEADER_BYTES), (None, b""))
    size = pattern.match(words)
    if size is None or line is None:
        found = short(words[:60].decode("latin-1").strip())
        raise source.error(f"found the size line {found}, expected '{expected}'", line=line)
    rows, columns = int(size[1]), int(size[2])
    if rows != columns:
        problem = f"found a matrix of {rows} rows and {columns} columns, expected as many rows as columns"
        raise source.error(problem, line=line)
    if layout == "array" and kind == "pattern":
        raise source.error("found the kinds 'array' and 'pattern', which exclude each other", line=1)
    labels = read_list(source, _lists_above(source), different=False)
    if labels is not None and len(labels) > rows:
        raise source.error(f"its comments list {len(labels)} vertices, expected {rows} at most by its size line")
    return Header(kind, symmetry, rows, int(size[3]) if layout == "coordinate" else None, line, labels)


def _lists_above(source: Source) -> Iterator[str]:
    """Yield the lists of vertices in the comments above the size line."""
    for chunk in source.chunks(_HEADER_BYTES):
        for line in lines_of(chunk):
            if not line.lstrip().startswith(b"%") and line.strip():
                return
            listed = listed_part(line.decode("utf-8", "replace").strip())
            if listed is not None:
                yield listed.removeprefix(VERTEX_LIST)


def check_count(source: Source, header: Header, found: int) -> None:
    """Raise a ReadError if `found` is not the number of entries in the size line; if that is 0, look for an entry."""
    if not header.entries and next(islice(entry_lines(source), 1, None), None) is not None:
        found = 1
    if found != header.entries:
        line = None if found < (header.entries or 0) else line_of_entry(source, header.entries or 0)
        number = f"{found}" if line is None else "more"
        raise source.error(f"found {number} entries, expected {header.entries} by its size line", line=line)


def outside(source: Source, header: Header, end: str, entry: int, found: int) -> ReadError:
    """Return the error for the row or column of an entry that the matrix does not have."""
    problem = f"found the {'row' if end == 'source' else 'column'} {found}"
    line = line_of_entry(source, entry)
    return source.error(f"{problem}, expected 1 to {header.vertices} by its size line", line=line)


def unparsable(source: Source, layout: Layout, problem: str) -> ReadError:
    """Return the error for a body that is not rows of the layout."""
    from triadic.io.text_rows import first_fault  # noqa: PLC0415 - Arrow takes long to import

    fault = first_fault(source, layout, numeric=True)
    return fault or source.error(f"its body cannot be parsed ({' '.join(problem.split())[:200]})")


def entry_lines(source: Source, chunk_bytes: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the size line and the lines of entries with their numbers in the file, read in chunks of some bytes."""
    number = 0
    for chunk in source.chunks(chunk_bytes):
        for line in lines_of(chunk):
            number += 1
            if line.strip() and not line.lstrip().startswith(b"%"):
                yield number, line


def line_of_entry(source: Source, entry: int) -> int | None:
    """Return the number of the line of an entry, counted from 0; None if the file has fewer entries."""
    return next((number for number, _ in islice(entry_lines(source), entry + 1, None)), None)


class ArrayPlaces:
    """The rows and columns of the values of the array format, which are in the order of the columns.

    Of a matrix with a symmetry, the values on and below the diagonal are in the file, or those below it.

    Attributes
    ----------
    expected : int
        Number of values.
    """

    def __init__(self, header: Header) -> None:
        n, strict = header.vertices, header.symmetry == "skew-symmetric"
        self._n, self._strict, self._general = n, int(strict), header.symmetry == "general"
        # Python's own integers: the size line may say anything.
        self.expected = n * n if self._general else n * (n - 1 if strict else n + 1) // 2
        self._begins: NDArray[np.int64] | None = None

    def of(self, place: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the row and the column of each value, from its place among the values."""
        if self._general:
            column, row = np.divmod(place, max(self._n, 1))
            return row, column
        if self._begins is None:
            self._begins = np.concatenate([[0], np.cumsum(np.arange(self._n, 0, -1) - self._strict)])
        column = np.searchsorted(self._begins, place, side="right") - 1
        return place - self._begins[column] + column + self._strict, column


def wrong_number_of_values(source: Source, header: Header, found: int) -> ReadError:
    """Return the error for another number of values than the size line states."""
    expected = ArrayPlaces(header).expected
    return source.error(f"found {found} values, expected {expected} by its size line", line=header.line)


def not_a_number(source: Source) -> ReadError:
    """Return the error for the first word of the array format that is not a number."""
    for number, line in islice(entry_lines(source), 1, None):
        word = first_text(line)
        if word is not None:
            return source.error(f"found {short(word.decode('latin-1'))}, expected a number", line=number)
    return source.error("its values cannot be parsed as numbers")
