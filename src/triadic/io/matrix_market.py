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
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.edge_blocks import edge_blocks, list_lines, stated_labels
from triadic.io.format import Format, Keeps
from triadic.io.identifiers import arrays_of, index_dtype, to_array
from triadic.io.matrix_market_lines import (
    ArrayPlaces,
    Header,
    check_count,
    line_of_entry,
    not_a_number,
    outside,
    read_header,
    unparsable,
    wrong_number_of_values,
)
from triadic.io.number_rows import NotNumbersError, number_rows, without_comments
from triadic.io.text_layout import IrregularError, Layout, skip_lines
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits
    from triadic.io.text_rows import Table

# Bytes of memory that each number and each line of the array format take besides the parsed number.
_BYTES_A_VALUE, _BYTES_A_ROW = 32, 8


@dataclass(frozen=True, slots=True)
class _Entries:
    row: NDArray[Any]
    column: NDArray[Any]
    weights: NDArray[np.float64] | None


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
    header = read_header(source)
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
        raise source.error(problem, line=line_of_entry(source, place))
    return _Entries(row, column, weights)


def _rows(source: Source, layout: Layout) -> Table:
    from triadic.io.text_rows import made_regular, streamed  # noqa: PLC0415 - Arrow takes long to import

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
    places = ArrayPlaces(header)
    if len(values) != places.expected:
        raise wrong_number_of_values(source, header, len(values))
    place = np.flatnonzero(values)
    row, column = places.of(place)
    weights = values[place].astype(np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        raise source.error("found a value that is not finite, expected finite numbers as weights")
    dtype = index_dtype(header.vertices)
    return _Entries(row.astype(dtype), column.astype(dtype), weights)


def _values(source: Source, header: Header) -> NDArray[Any]:
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
        raise not_a_number(source) from None
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


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.matrix_market_stream import MatrixMarketStream  # noqa: PLC0415 - Arrow takes long to import

    header = read_header(source)
    if header.entries is None:
        from triadic.io.matrix_market_array import ArrayStream  # noqa: PLC0415 - as above

        return ArrayStream(source, header, options, limits)
    return MatrixMarketStream(source, header, options, limits)


def _sample(source: Source, options: ReadOptions, threads: int) -> FileSample:
    from triadic.io.matrix_market_stream import sample_entries  # noqa: PLC0415 - Arrow takes long to import
    from triadic.io.sampling import NUMBER_COLUMNS, is_small, sample_whole  # noqa: PLC0415 - only plans need it

    header = None if is_small(source) else read_header(source)
    if header is None or header.entries is None:
        return sample_whole(
            "matrix-market", read_matrix_market, source, options, reads=2, kept=NUMBER_COLUMNS, streamed=True
        )
    return sample_entries(source, header, options, threads)


# A damaged banner is recognised too, so that the reader refuses it.
_ANY_BANNER = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%+\s*matrix[ _-]?market", re.IGNORECASE)

MATRIX_MARKET = Format(
    name="matrix-market",
    suffixes=(".mtx",),
    suffix_decides=True,
    recognise=_ANY_BANNER.match,
    read=read_matrix_market,
    stream=_stream,
    sample=_sample,
    write=write_matrix_market,
    keeps=Keeps(
        isolated_vertices="size line",
        direction="symmetry",
        weights="values",
        labels="comment `% triadic vertices: [...]`",
        numbering="rows of the matrix",
    ),
)
