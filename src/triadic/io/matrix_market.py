"""Matrix Market: a square matrix whose entry (i, j) is the arc from i to j.

Format: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996). The body is parsed
by ``scipy.io.mmread``. A symmetric or hermitian matrix is an undirected network, any other a directed one; a
skew-symmetric one has both arcs of each pair. In the coordinate format each entry is an arc, be its value zero; in the
array format each value that is not zero.
"""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
import scipy.io
from scipy.sparse import coo_array

from triadic.arcs import Arcs
from triadic.errors import ReadError
from triadic.io.edge_blocks import edge_blocks
from triadic.io.identifiers import index_dtype
from triadic.io.text_layout import short
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    import pyarrow as pa
    from numpy.typing import NDArray
    from scipy.sparse import coo_matrix

    from triadic.graph import Graph
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source

_BANNER = re.compile(
    rb"%%MatrixMarket(?i:[ \t]+matrix[ \t]+(?:coordinate|array)[ \t]+"
    rb"(?:real|double|integer|unsigned-integer|complex|pattern)[ \t]+"
    rb"(?:general|symmetric|skew-symmetric|hermitian)[ \t]*)\Z"
)
_SCIPY_LINE = re.compile(r"Line (\d+): (.*)", re.DOTALL)
_SHORTEST_ENTRY = 4
_SHORTEST_VALUE = 2
_ENDS = ("source", "target")


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
    _check_banner(source)
    weighted = asked.wants_natural_weights(source, "a Matrix Market file")
    size, opened = _opener(source)
    with _named_errors(source):
        with opened() as stream:
            rows, columns, entries, layout, field, symmetry = scipy.io.mminfo(stream)
        _check_size(source, (rows, columns, entries), size, dense=layout == "array", square=symmetry != "general")
        if weighted and field in ("complex", "pattern"):
            raise source.error(f"weights=True: its values are of the kind {field!r}, expected real or integer")
        with opened() as stream:
            matrix = scipy.io.mmread(stream)
    mirrored = symmetry != "general"
    undirected = symmetry in ("symmetric", "hermitian") if asked.directed is None else not asked.directed
    row, column, value = _entries(matrix, entries, once=mirrored and undirected)
    weights = value.astype(np.float64) if weighted else None
    if weights is not None and not np.isfinite(weights).all():
        place = int(np.argmin(np.isfinite(weights)))
        line = _line_of_entry(source, place) if layout == "coordinate" and place < entries else None
        raise source.error(f"found the weight {weights[place]}, expected a finite number", line=line)
    dtype = index_dtype(rows)
    return Arcs(
        source=row.astype(dtype, copy=False),
        target=column.astype(dtype, copy=False),
        vertices=asked.vertices_at_least(source, rows),
        directed=not undirected,
        weights=weights,
        both_ends=undirected and mirrored,
    )


def write_matrix_market(graph: Graph, path: str) -> None:
    """Write a graph as a square matrix: symmetric if it is undirected, of pattern kind if it has no weights.

    Parameters
    ----------
    graph : Graph
        Its labels are not written: the format has no place for them.
    path : str

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    blocks = list(edge_blocks(graph))
    nothing = np.empty(0, dtype=np.int32)
    source, target = (np.concatenate([getattr(block, end) for block in blocks] or [nothing]) for end in _ENDS)
    weights = [np.ones(len(block.source)) if block.weights is None else block.weights for block in blocks]
    # A symmetric matrix is written by its lower triangle, and an undirected edge has the smaller vertex first.
    ends = (source, target) if graph.directed else (target, source)
    shape = (graph.num_vertices, graph.num_vertices)
    matrix = coo_array((np.concatenate(weights or [np.empty(0)]), ends), shape=shape)
    with whole_stream(path) as stream:
        scipy.io.mmwrite(
            cast("BinaryIO", _OnlyWrite(stream)),
            matrix,
            comment="written by triadic",
            field="pattern" if graph.weights is None else "real",
            symmetry="general" if graph.directed else "symmetric",
        )


class _OnlyWrite:
    """What scipy needs of a stream; of a whole one it would ask for its place, which a packed stream does not know."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream

    def write(self, part: bytes) -> int:
        self._stream.write(part)
        return len(part)


def _check_banner(source: Source) -> None:
    first = source.head[:1024].splitlines()[0] if source.head else b""
    if not _BANNER.match(first):
        raise source.error(
            f"found {short(first.decode('latin-1'))}, expected the banner '%%MatrixMarket matrix ...' of Matrix Market",
            line=1,
        )


def _opener(source: Source) -> tuple[int, Callable[[], AbstractContextManager[Any]]]:
    """Return the number of bytes and a way to open them; what is packed has to be unpacked to know."""
    if source.packing is None and not source.whole:
        with source.stream() as stream:
            return stream.size(), source.stream
    everything = source.everything()
    return len(everything), lambda: io.BytesIO(everything)


def _check_size(source: Source, size_line: tuple[int, int, int], size: int, *, dense: bool, square: bool) -> None:
    """Refuse a size line before memory is laid out for what it promises."""
    rows, columns, entries = size_line
    line = _size_line(source)
    if rows != columns:
        problem = f"found a matrix of {rows} rows and {columns} columns, expected as many rows as columns"
        raise source.error(problem, line=line)
    needed = (
        (rows * (rows - 1) // 2 if square else rows * rows) * _SHORTEST_VALUE if dense else entries * _SHORTEST_ENTRY
    )
    if needed > size:
        promised = f"{rows} x {rows} values" if dense else f"{entries} entries"
        raise source.error(f"its size line promises {promised}, more than its {size} bytes can hold", line=line)


def _entries(
    matrix: NDArray[Any] | coo_matrix, entries: int, *, once: bool
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return row, column and value of each entry; ``once`` leaves out those that scipy mirrored."""
    if isinstance(matrix, np.ndarray):
        row, column = np.nonzero(np.tril(matrix) if once else matrix)
        return row, column, matrix[row, column]
    # scipy appends the mirrored entries to those of the file.
    part = slice(entries) if once else slice(None)
    return matrix.row[part], matrix.col[part], matrix.data[part]


@contextmanager
def _named_errors(source: Source) -> Iterator[None]:
    try:
        yield
    except ReadError:
        raise
    except (ValueError, OverflowError, MemoryError, RuntimeError) as error:
        words = " ".join(str(error).split())[:200]
        numbered = _SCIPY_LINE.match(words)
        problem = numbered[2] if numbered else words
        raise source.error(
            f"does not agree with its banner and size line: {problem}", line=int(numbered[1]) if numbered else None
        ) from None


def _body_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the size line and the entries with their line numbers."""
    number = 0
    for chunk in source.chunks():
        for line in chunk.splitlines():
            number += 1
            if line.strip() and not line.lstrip().startswith(b"%"):
                yield number, line


def _size_line(source: Source) -> int | None:
    return next((number for number, _ in _body_lines(source)), None)


def _line_of_entry(source: Source, entry: int) -> int | None:
    return next((number for number, _ in islice(_body_lines(source), entry + 1, None)), None)
