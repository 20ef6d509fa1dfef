"""Matrix Market: a square matrix whose entry (i, j) is the arc from i to j.

Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). A symmetric or
hermitian matrix is an undirected network, any other a directed one; a skew-symmetric one has both arcs of each pair.
In the coordinate format each entry is an arc, be its value zero; in the array format each value that is not zero.

The body is parsed as the rows of any other text. ``scipy.io.mmread`` would be at hand, but (up to 1.17 at least) it
reads past the end of its memory where a last line goes on after its entry or a value holds a zero byte
(scipy issue 19949), and a bad file must not end the process.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.arrow_arrays import arrays_of, to_array
from triadic.io.identifiers import index_dtype
from triadic.io.number_rows import NotNumbersError, is_number, number_rows, without_comments
from triadic.io.text_faults import first_fault
from triadic.io.text_layout import Layout, Separator, short
from triadic.io.text_rows import IrregularError, made_regular, streamed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.errors import ReadError
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.text_rows import Table

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
    """The banner and the size line, which is line ``line`` of the file; ``entries`` is None in the array format."""

    field: str
    symmetry: str
    vertices: int
    entries: int | None
    line: int

    @property
    def words(self) -> int:
        """How many numbers stand for one value."""
        return {"pattern": 0, "complex": 2}.get(self.field, 1)

    def is_undirected(self, asked: Asked) -> bool:
        """Whether the matrix is an undirected network, or asked for as one."""
        return self.symmetry in ("symmetric", "hermitian") if asked.directed is None else not asked.directed

    def layout(self, *, weighted: bool) -> Layout:
        """Return where the rows of the coordinate format hold what."""
        return Layout(
            separator=Separator.BLANKS, columns=2 + self.words, weight=2 if weighted else None, skip=self.line
        )


@dataclass(frozen=True, slots=True)
class _Entries:
    row: NDArray[Any]
    column: NDArray[Any]
    weights: NDArray[np.float64] | None


def read_matrix_market(source: Source, asked: Asked) -> Arcs:
    """Read a matrix as a network.

    Parameters
    ----------
    source : Source
    asked : Asked
        ``weights=True`` takes the values.

    Returns
    -------
    Arcs
        Entries of a symmetric matrix are given once, as in the file, unless they are asked for as directed.

    Raises
    ------
    ReadError
        There is no exact banner, the matrix is not square, or its body does not agree with the size line.
    """
    weighted = asked.wants_natural_weights(source, "a Matrix Market file")
    header = read_header(source)
    if weighted and header.words != 1:
        raise source.error(f"weights=True: its values are of the kind {header.field!r}, expected real or integer")
    read = _array if header.entries is None else _coordinates
    entries = read(source, header, weighted=weighted)
    mirrored = header.symmetry != "general"
    undirected = header.is_undirected(asked)
    if mirrored and not undirected:
        entries = _with_mirrored(entries, sign=-1 if header.symmetry == "skew-symmetric" else 1)
    return Arcs(
        source=entries.row,
        target=entries.column,
        vertices=asked.vertices_at_least(source, header.vertices),
        directed=not undirected,
        weights=entries.weights,
        both_ends=undirected and mirrored,
    )


def read_header(source: Source) -> Header:
    """Read the banner and the size line."""
    first = source.head[:1024].splitlines()[0] if source.head else b""
    banner = _BANNER.match(first.decode("latin-1"))
    if banner is None:
        found = short(first.decode("latin-1"))
        raise source.error(f"found {found}, expected the banner '%%MatrixMarket matrix ...' of Matrix Market", line=1)
    layout, field, symmetry = (banner[name].lower() for name in ("layout", "field", "symmetry"))
    expected, pattern = _SIZE_LINES[layout]
    line, words = next(_lines(source), (None, b""))
    size = pattern.match(words)
    if size is None or line is None:
        found = short(words[:60].decode("latin-1").strip())
        raise source.error(f"found the size line {found}, expected '{expected}'", line=line)
    rows, columns = int(size[1]), int(size[2])
    if rows != columns:
        problem = f"found a matrix of {rows} rows and {columns} columns, expected as many rows as columns"
        raise source.error(problem, line=line)
    if layout == "array" and field == "pattern":
        raise source.error("found the kinds 'array' and 'pattern', which exclude each other", line=1)
    return Header(field, symmetry, rows, int(size[3]) if layout == "coordinate" else None, line)


def _coordinates(source: Source, header: Header, *, weighted: bool) -> _Entries:
    table = _rows(source, header.layout(weighted=weighted)) if header.entries else None
    check_count(source, header, 0 if table is None else len(table))
    dtype = index_dtype(header.vertices)
    if table is None:
        nothing = np.empty(0, dtype=dtype)
        return _Entries(nothing, nothing, np.empty(0) if weighted else None)
    for end in ("source", "target"):
        _check_range(source, header, table, end)
    row, column = (to_array(table[end], dtype, lambda chunk: chunk - 1) for end in ("source", "target"))
    weights = to_array(table["weight"], np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        place = int(np.argmin(np.isfinite(weights)))
        problem = f"found the weight {weights[place]}, expected a finite number"
        raise source.error(problem, line=_line_of_entry(source, place))
    return _Entries(row, column, weights)


def check_count(source: Source, header: Header, found: int) -> None:
    """Raise a ReadError if so many entries are not what the size line says; where that is none, look for one."""
    if not header.entries and next(islice(_lines(source), 1, None), None) is not None:
        found = 1
    if found != header.entries:
        line = None if found < (header.entries or 0) else _line_of_entry(source, header.entries or 0)
        told = f"{found}" if line is None else "more"
        raise source.error(f"found {told} entries, expected {header.entries} by its size line", line=line)


def outside(source: Source, header: Header, end: str, entry: int, found: int) -> ReadError:
    """Return the error for the row or column of an entry that the matrix does not have."""
    problem = f"found the {'row' if end == 'source' else 'column'} {found}"
    line = _line_of_entry(source, entry)
    return source.error(f"{problem}, expected 1 to {header.vertices} by its size line", line=line)


def unparsable(source: Source, layout: Layout, problem: str) -> ReadError:
    """Return the error for a body that is not rows of the layout."""
    fault = first_fault(source, layout, numeric=True)
    return fault or source.error(f"its body cannot be parsed ({' '.join(problem.split())[:200]})")


def _rows(source: Source, layout: Layout) -> Table:
    try:
        return streamed(source, layout, exact=True)
    except IrregularError:
        pass
    try:
        return made_regular(source, layout, numeric=True)
    except IrregularError as error:
        raise unparsable(source, layout, str(error)) from None


def _check_range(source: Source, header: Header, table: Table, end: str) -> None:
    start = 0
    for chunk in arrays_of(table[end]):
        if len(chunk) and not 1 <= chunk.min() <= chunk.max() <= header.vertices:
            place = int(np.argmax((chunk < 1) | (chunk > header.vertices)))
            raise outside(source, header, end, start + place, int(chunk[place]))
        start += len(chunk)


def _array(source: Source, header: Header, *, weighted: bool) -> _Entries:
    """Read all values, column by column; of a matrix with a symmetry those on and below the diagonal."""
    values = _values(source, header)
    n, strict = header.vertices, header.symmetry == "skew-symmetric"
    # Python's own integers: the size line may say anything.
    expected = n * n if header.symmetry == "general" else n * (n - 1 if strict else n + 1) // 2
    if len(values) != expected:
        raise source.error(f"found {len(values)} values, expected {expected} by its size line", line=header.line)
    place = np.flatnonzero(values)
    if header.symmetry == "general":
        column, row = np.divmod(place, max(n, 1))
    else:
        begins = np.concatenate([[0], np.cumsum(np.arange(n, 0, -1) - strict)])
        column = np.searchsorted(begins, place, side="right") - 1
        row = place - begins[column] + column + strict
    weights = values[place].astype(np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        raise source.error("found a value that is not finite, expected finite numbers as weights")
    dtype = index_dtype(n)
    return _Entries(row.astype(dtype), column.astype(dtype), weights)


def _values(source: Source, header: Header) -> NDArray[Any]:
    """Return the values of an array, complex ones as true where they are not zero."""

    def body() -> Iterator[bytes]:
        skip = header.line
        for chunk in source.chunks():
            lines = chunk
            while skip and lines:
                lines = lines.partition(b"\n")[2]
                skip -= 1
            yield without_comments(lines)

    try:
        values = number_rows(body(), integers=False).values
    except NotNumbersError:
        for number, line in islice(_lines(source), 1, None):
            for word in line.split():
                if not is_number(word):
                    found = short(word.decode("latin-1"))
                    raise source.error(f"found {found}, expected a number", line=number) from None
        raise source.error("its values cannot be parsed as numbers") from None
    if header.words == 1:
        return values
    if len(values) % 2:
        raise source.error(f"found {len(values)} numbers, expected two for each complex value")
    whole: NDArray[Any] = (values.reshape(-1, 2) != 0).any(axis=1)
    return whole


def _with_mirrored(entries: _Entries, *, sign: int) -> _Entries:
    """Add the entry (j, i) for each entry (i, j) off the diagonal."""
    proper = entries.row != entries.column
    weights = entries.weights
    return _Entries(
        np.concatenate([entries.row, entries.column[proper]]),
        np.concatenate([entries.column, entries.row[proper]]),
        None if weights is None else np.concatenate([weights, sign * weights[proper]]),
    )


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the size line and the lines of entries with their numbers in the file."""
    number = 0
    for chunk in source.chunks():
        for line in chunk.splitlines():
            number += 1
            if line.strip() and not line.lstrip().startswith(b"%"):
                yield number, line


def _line_of_entry(source: Source, entry: int) -> int | None:
    return next((number for number, _ in islice(_lines(source), entry + 1, None)), None)
