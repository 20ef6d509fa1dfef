"""Matrix Market: a square matrix whose entry (i, j) is the arc from i to j.

Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). A symmetric or
hermitian matrix is an undirected network; a general matrix is a directed one, and so is a skew-symmetric matrix, with
both arcs of each pair. In the coordinate format each entry is an arc, even if its value is zero; in the array format
each value that is not zero.

The body is parsed like the rows of other text, by Arrow. ``scipy.io.mmread`` (up to 1.17 at least) is faster by a
quarter, but reads a wrong matrix without an error where an entry is followed by more in its line, such as ``2 1.5 1``
(column 1, value 0.5), ``1 2 3x`` or ``1 2 3 4``, and ends the process where a value holds a zero byte or such a line is
the last one (scipy issue 19949). The matrix is written by ``scipy.io.mmwrite``; labels are listed in comments
(:mod:`triadic.io.edge_blocks`).
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.oriented import index_dtype, starts_of
from triadic.io.blocks import MOST_THREADS, map_ahead
from triadic.io.edge_blocks import list_lines, stated_labels
from triadic.io.file_source import lines_of, short
from triadic.io.format import Format, Keeps
from triadic.io.graph_names import VERTEX_LIST, listed_part
from triadic.io.identifiers import arrays_of, read_list, to_array
from triadic.io.number_rows import NotNumbersError, not_a_number, number_rows, text_lines, without_comments
from triadic.io.temporary_files import whole_stream
from triadic.io.text_layout import IrregularError, Layout, lines_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.blocks import Rows
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

    Entries = tuple[AnyArray, AnyArray, Float64Array | None]

_HEADER_BYTES = 1 << 16  # read at a time until the size line
_BANNER = re.compile(
    r"%%MatrixMarket(?i:[ \t]+matrix[ \t]+(coordinate|array)"
    r"[ \t]+(real|double|integer|unsigned-integer|complex|pattern)"
    r"[ \t]+(general|symmetric|skew-symmetric|hermitian)[ \t]*)\Z"
)


class _Header(NamedTuple):
    """The banner and the size line, which is line ``line`` of the file; ``entries`` is None in the array format.

    The labels are those of the comments above the size line (:mod:`triadic.io.edge_blocks`).
    """

    field: str
    symmetry: str
    vertices: int
    entries: int | None
    line: int
    labels: Labels | None

    @property
    def words(self) -> int:
        """How many numbers stand for one value."""
        return {"pattern": 0, "complex": 2}.get(self.field, 1)


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
    weighted = options.wants_natural_weights(source, "a Matrix Market file")
    if weighted and header.words != 1:
        raise source.error(f"weights=True: its values are of the kind {header.field!r}, expected real or integer")
    read = _array if header.entries is None else _coordinates
    row, column, weights = read(source, header, weighted=weighted)
    mirrored = header.symmetry != "general"
    directed, _ = options.direction(header.symmetry in ("general", "skew-symmetric"))
    if mirrored and directed:
        proper = row != column
        if weights is not None:
            back = weights[proper]
            weights = np.concatenate([weights, -back if header.symmetry == "skew-symmetric" else back])
        row, column = np.concatenate([row, column[proper]]), np.concatenate([column, row[proper]])
    return Arcs(
        source=row,
        target=column,
        vertices=options.vertices_at_least(source, header.vertices),
        directed=directed,
        weights=weights,
        labels=header.labels,
        both_ends=mirrored and not directed,
    )


def _read_header(source: Source) -> _Header:
    """Read the banner and the size line."""
    first = (source.head[:1024].splitlines() or [b""])[0].decode("latin-1")
    banner = _BANNER.match(first)
    if banner is None:
        problem = f"found {short(first)}, expected the banner '%%MatrixMarket matrix ...' of Matrix Market"
        raise source.error(problem, line=1)
    layout, kind, symmetry = map(str.lower, banner.groups())
    lists, line, text = [], None, b""
    for number, words in enumerate((line for chunk in source.chunks(_HEADER_BYTES) for line in lines_of(chunk)), 1):
        if words.strip() and not words.lstrip(b" \t").startswith(b"%"):
            line, text = number, words
            break
        listed = listed_part(words.decode("utf-8", "replace").strip())
        if listed is not None:
            lists.append(listed.removeprefix(VERTEX_LIST))
    expected, sizes = "rows columns entries" if layout == "coordinate" else "rows columns", text.split()
    whole = all(size.isdigit() and len(size) < 19 for size in sizes)
    if line is None or len(sizes) != len(expected.split()) or not whole:
        found = short(text[:60].decode("latin-1").strip())
        raise source.error(f"found the size line {found}, expected '{expected}'", line=line)
    rows, columns, *entries = map(int, sizes)
    if rows != columns:
        problem = f"found a matrix of {rows} rows and {columns} columns, expected as many rows as columns"
        raise source.error(problem, line=line)
    if layout == "array" and kind == "pattern":
        raise source.error("found the kinds 'array' and 'pattern', which exclude each other", line=1)
    labels = read_list(source, lists, different=False)
    if labels is not None and len(labels) > rows:
        raise source.error(f"its comments list {len(labels)} vertices, expected {rows} at most by its size line")
    return _Header(kind, symmetry, rows, entries[0] if entries else None, line, labels)


def _line_of_entry(source: Source, entry: int) -> int | None:
    """Return the number of the line of an entry, counted from 0; None if the file has fewer entries."""
    numbers = (number for number, line in text_lines(source.chunks()) if line.strip())
    return next(islice(numbers, entry + 1, None), None)


def _coordinates(source: Source, header: _Header, *, weighted: bool) -> Entries:
    layout = Layout(columns=2 + header.words, weight=2 if weighted else None, skip=header.line)
    table, expected = _rows(source, layout), header.entries or 0
    if len(table) != expected:
        found = "more" if len(table) > expected else f"{len(table)}"
        line = _line_of_entry(source, expected)
        raise source.error(f"found {found} entries, expected {expected} by its size line", line=line)
    for end, name in (("source", "row"), ("target", "column")):
        start = 0
        for chunk in arrays_of(table[end]):
            wrong = (chunk < 1) | (chunk > header.vertices)
            if wrong.any():
                place = int(np.argmax(wrong))
                problem = f"found the {name} {chunk[place]}, expected 1 to {header.vertices} by its size line"
                raise source.error(problem, line=_line_of_entry(source, start + place))
            start += len(chunk)
    dtype = index_dtype(header.vertices)
    row, column = (to_array(table[end], dtype, lambda chunk: chunk - 1) for end in ("source", "target"))
    weights = to_array(table["weight"], np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        place = int(np.argmin(np.isfinite(weights)))
        problem = f"found the weight {weights[place]}, expected a finite number"
        raise source.error(problem, line=_line_of_entry(source, place))
    return row, column, weights


def _rows(source: Source, layout: Layout) -> Rows:
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    from triadic.io import text_blocks as text  # noqa: PLC0415 - as Arrow

    def of_chunks(parse: Callable[[bytes], Rows]) -> Rows:
        chunks = (lines for _, lines in lines_below(text.checked_chunks(source), layout.skip))
        return pa.concat_tables(map_ahead(parse, chunks, threads=MOST_THREADS))

    try:
        if source.packing is None:
            return text.streamed(source, layout, exact=True)
        return of_chunks(partial(text.unchanged_rows, layout=layout, columns=layout.columns))
    except IrregularError:
        pass
    try:
        return of_chunks(partial(text.regular_rows, layout=layout))
    except IrregularError as error:
        fault = text.first_fault(source, layout)
        raise fault or source.error(f"its body cannot be parsed ({' '.join(str(error).split())[:200]})") from None


def _array(source: Source, header: _Header, *, weighted: bool) -> Entries:
    """Read all values, column by column; of a matrix with a symmetry those on and below the diagonal."""
    body = (without_comments(lines) for _, lines in lines_below(source.chunks(), header.line))
    try:
        values = number_rows(body, integers=False, source=source).values
    except NotNumbersError:
        raise not_a_number(source) from None
    if header.words > 1 and len(values) % 2:
        raise source.error(f"found {len(values)} numbers, expected two for each complex value")
    if header.words > 1:
        values = np.any(values.reshape(-1, 2), axis=1)
    n, strict = header.vertices, int(header.symmetry == "skew-symmetric")
    # Python's own integers: the size line may say anything.
    expected = n * n if header.symmetry == "general" else n * (n + 1 - 2 * strict) // 2
    if len(values) != expected:
        raise source.error(f"found {len(values)} values, expected {expected} by its size line", line=header.line)
    place = np.flatnonzero(values)
    if header.symmetry == "general":
        column, row = np.divmod(place, max(n, 1))
    else:
        begins = starts_of(np.arange(n, 0, -1) - strict)
        column = np.searchsorted(begins, place, side="right") - 1
        row = place - begins[column] + column + strict
    weights = values[place].astype(np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        raise source.error("found a value that is not finite, expected finite numbers as weights")
    dtype = index_dtype(n)
    return row.astype(dtype), column.astype(dtype), weights


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
    from scipy.sparse import csc_array, csr_array  # noqa: PLC0415 - slow to import

    labels, n = stated_labels(graph), graph.num_vertices
    # A symmetric matrix is written by its lower triangle, column by column.
    kind = csr_array if graph.directed else csc_array
    values = np.ones(len(graph.indices)) if graph.weights is None else graph.weights
    with whole_stream(path) as stream:
        scipy.io.mmwrite(
            SimpleNamespace(write=stream.write),  # a complete stream is asked for its position, which gzip has not
            kind((values, graph.indices, graph.indptr), shape=(n, n)),
            comment="\n".join(["written by triadic", *([] if labels is None else list_lines(labels))]),
            field="real" if graph.is_weighted else "pattern",
            symmetry="general" if graph.directed else "symmetric",
        )


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
