"""Matrix Market: a square matrix whose entry (i, j) is the arc from i to j.

Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). A symmetric or
hermitian matrix is an undirected network; a general matrix is a directed one, and so is a skew-symmetric matrix, with
both arcs of each pair. In the coordinate format each entry is an arc, even if its value is zero; in the array format
each value that is not zero.

The body is parsed like the rows of other text. ``scipy.io.mmread`` (up to 1.17 at least) reads past the end of its
buffer if the last line goes on after its entry or a value holds a zero byte (scipy issue 19949), which ends the
process. It is written by ``scipy.io.mmwrite``; labels are listed in comments (:mod:`triadic.io.edge_blocks`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.edge_blocks import edge_blocks, list_lines, stated_labels
from triadic.io.file_source import lines_of
from triadic.io.format import Format, Keeps
from triadic.io.identifiers import arrays_of, index_dtype, read_list, to_array
from triadic.io.number_rows import NotNumbersError, first_text, number_rows, without_comments
from triadic.io.text_comments import VERTEX_LIST, listed_part
from triadic.io.text_layout import IrregularError, Layout, Separator, short, skip_lines
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.errors import ReadError
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.text_rows import Table

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
# Bytes of memory that each number and each line of the array format take besides the parsed number.
_BYTES_A_VALUE, _BYTES_A_ROW = 32, 8


@dataclass(frozen=True, slots=True)
class _Header:
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


@dataclass(frozen=True, slots=True)
class _Entries:
    row: AnyArray
    column: AnyArray
    weights: Float64Array | None


def read_matrix_market(source: Source, options: ReadOptions) -> Arcs:
    """Read a matrix as a network.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` takes the values.

    Returns
    -------
    Arcs
        Each entry of a symmetric matrix is one arc, unless the options ask for a directed network.

    Raises
    ------
    ReadError
        There is no exact banner, the matrix is not square, or its body does not agree with the size line.
    """
    header = _read_header(source)
    weighted = header.wants_values(source, options)
    read = _array if header.entries is None else _coordinates
    entries = read(source, header, weighted=weighted)
    mirrored = header.symmetry != "general"
    undirected = header.is_undirected(options)
    if mirrored and not undirected:
        entries = _with_mirrored(entries, sign=header.mirrored_sign)
    return Arcs(
        source=entries.row,
        target=entries.column,
        vertices=options.vertices_at_least(source, header.vertices),
        directed=not undirected,
        weights=entries.weights,
        labels=header.labels,
        both_ends=undirected and mirrored,
    )


def _coordinates(source: Source, header: _Header, *, weighted: bool) -> _Entries:
    table = _rows(source, header.layout(weighted=weighted)) if header.entries else None
    _check_count(source, header, 0 if table is None else len(table))
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


def _check_count(source: Source, header: _Header, found: int) -> None:
    """Raise a ReadError if `found` is not the number of entries in the size line; if that is 0, look for an entry."""
    if not header.entries and next(islice(_entry_lines(source), 1, None), None) is not None:
        found = 1
    if found != header.entries:
        line = None if found < (header.entries or 0) else _line_of_entry(source, header.entries or 0)
        number = f"{found}" if line is None else "more"
        raise source.error(f"found {number} entries, expected {header.entries} by its size line", line=line)


def _rows(source: Source, layout: Layout) -> Table:
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    from triadic.io.text_rows import checked_chunks, first_fault, regular_rows, streamed  # noqa: PLC0415 - as Arrow

    try:
        return streamed(source, layout, exact=True)
    except IrregularError:
        pass
    try:
        skip, tables = layout.skip, []
        for chunk in checked_chunks(source):
            lines, skip = skip_lines(chunk, skip)
            tables.append(regular_rows(lines, layout, numeric=True))
        return pa.concat_tables(tables)
    except IrregularError as error:
        fault = first_fault(source, layout, numeric=True)
        raise fault or source.error(f"its body cannot be parsed ({' '.join(str(error).split())[:200]})") from None


def _check_range(source: Source, header: _Header, table: Table, end: str) -> None:
    start = 0
    for chunk in arrays_of(table[end]):
        if len(chunk) and not 1 <= chunk.min() <= chunk.max() <= header.vertices:
            place = int(np.argmax((chunk < 1) | (chunk > header.vertices)))
            problem = f"found the {'row' if end == 'source' else 'column'} {chunk[place]}"
            line = _line_of_entry(source, start + place)
            raise source.error(f"{problem}, expected 1 to {header.vertices} by its size line", line=line)
        start += len(chunk)


def _array(source: Source, header: _Header, *, weighted: bool) -> _Entries:
    """Read all values, column by column; of a matrix with a symmetry those on and below the diagonal."""
    values = _values(source, header)
    n, strict = header.vertices, int(header.symmetry == "skew-symmetric")
    # Python's own integers: the size line may say anything.
    expected = n * n if header.symmetry == "general" else n * (n + 1 - 2 * strict) // 2
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
    dtype = index_dtype(header.vertices)
    return _Entries(row.astype(dtype), column.astype(dtype), weights)


def _values(source: Source, header: _Header) -> AnyArray:
    """Return the values of an array, complex ones as true where they are not zero."""

    def body() -> Iterator[bytes]:
        skip = header.line
        for chunk in source.chunks():
            lines, skip = skip_lines(chunk, skip)
            yield without_comments(lines)

    def check(numbers: int, rows: int) -> None:
        source.check_memory(_BYTES_A_VALUE * numbers + _BYTES_A_ROW * rows, 2 * numbers)

    try:
        values = number_rows(body(), integers=False, check=check).values
    except NotNumbersError:
        raise _not_a_number(source) from None
    if header.words == 1:
        return values
    if len(values) % 2:
        raise source.error(f"found {len(values)} numbers, expected two for each complex value")
    return (values.reshape(-1, 2) != 0).any(axis=1)


def _with_mirrored(entries: _Entries, *, sign: int) -> _Entries:
    """Add the entry (j, i) for each entry (i, j) off the diagonal."""
    proper = entries.row != entries.column
    weights = entries.weights
    return _Entries(
        np.concatenate([entries.row, entries.column[proper]]),
        np.concatenate([entries.column, entries.row[proper]]),
        None if weights is None else np.concatenate([weights, sign * weights[proper]]),
    )


def _read_header(source: Source) -> _Header:
    """Read the banner and the size line."""
    first = source.head[:1024].splitlines()[0] if source.head else b""
    banner = _BANNER.match(first.decode("latin-1"))
    if banner is None:
        found = short(first.decode("latin-1"))
        raise source.error(f"found {found}, expected the banner '%%MatrixMarket matrix ...' of Matrix Market", line=1)
    layout, kind, symmetry = (banner[name].lower() for name in ("layout", "field", "symmetry"))
    expected, pattern = _SIZE_LINES[layout]
    line, words = next(_entry_lines(source, _HEADER_BYTES), (None, b""))
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
    return _Header(kind, symmetry, rows, int(size[3]) if layout == "coordinate" else None, line, labels)


def _lists_above(source: Source) -> Iterator[str]:
    """Yield the lists of vertices in the comments above the size line."""
    for chunk in source.chunks(_HEADER_BYTES):
        for line in lines_of(chunk):
            if not line.lstrip().startswith(b"%") and line.strip():
                return
            listed = listed_part(line.decode("utf-8", "replace").strip())
            if listed is not None:
                yield listed.removeprefix(VERTEX_LIST)


def _entry_lines(source: Source, chunk_bytes: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield the size line and the lines of entries with their numbers in the file, read in chunks of some bytes."""
    number = 0
    for chunk in source.chunks(chunk_bytes):
        for line in lines_of(chunk):
            number += 1
            if line.strip() and not line.lstrip().startswith(b"%"):
                yield number, line


def _line_of_entry(source: Source, entry: int) -> int | None:
    """Return the number of the line of an entry, counted from 0; None if the file has fewer entries."""
    return next((number for number, _ in islice(_entry_lines(source), entry + 1, None)), None)


def _not_a_number(source: Source) -> ReadError:
    """Return the error for the first word of the array format that is not a number."""
    for number, line in islice(_entry_lines(source), 1, None):
        word = first_text(line)
        if word is not None:
            return source.error(f"found {short(word.decode('latin-1'))}, expected a number", line=number)
    return source.error("its values cannot be parsed as numbers")


def write_matrix_market(graph: Graph, path: str) -> None:
    """Write a graph as a square matrix: symmetric if it is undirected, of pattern kind if it has no weights.

    Parameters
    ----------
    graph : Graph
        Its labels are listed in comments, which other programs skip.
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    import scipy.io  # noqa: PLC0415 - slow to import
    from scipy.sparse import coo_array  # noqa: PLC0415 - slow to import

    labels, blocks = stated_labels(graph), list(edge_blocks(graph))
    nothing = np.empty(0, dtype=np.int32)
    source = np.concatenate([block.source for block in blocks] or [nothing])
    target = np.concatenate([block.target for block in blocks] or [nothing])
    weights = [np.ones(len(block.source)) if block.weights is None else block.weights for block in blocks]
    # A symmetric matrix is written by its lower triangle, and an undirected edge has the smaller vertex first.
    ends = (source, target) if graph.directed else (target, source)
    shape = (graph.num_vertices, graph.num_vertices)
    matrix = coo_array((np.concatenate(weights or [np.empty(0)]), ends), shape=shape)
    with whole_stream(path) as stream:
        scipy.io.mmwrite(
            cast("BinaryIO", _OnlyWrite(stream)),
            matrix,
            comment="\n".join(["written by triadic", *([] if labels is None else list_lines(labels))]),
            field="real" if graph.is_weighted else "pattern",
            symmetry="general" if graph.directed else "symmetric",
        )


class _OnlyWrite:
    """A stream that can only be written to: scipy asks a complete one for its position, which a packed one has not."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream

    def write(self, part: bytes) -> int:
        self._stream.write(part)
        return len(part)


# A damaged banner is recognised too, so that the reader refuses it.
_ANY_BANNER = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%+\s*matrix[ _-]?market", re.IGNORECASE)

MATRIX_MARKET = Format(
    name="matrix-market",
    suffixes=(".mtx",),
    suffix_decides=True,
    recognise=_ANY_BANNER.match,
    read=read_matrix_market,
    write=write_matrix_market,
    keeps=Keeps(
        isolated_vertices="size line",
        direction="symmetry",
        weights="values",
        labels="comment `% triadic vertices: [...]`",
        numbering="rows of the matrix",
    ),
)
