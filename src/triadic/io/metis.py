"""METIS: a line for each vertex that lists its neighbours, numbered from 1.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.arcs import Arcs
from triadic.io.identifiers import index_dtype
from triadic.io.number_rows import NotNumbersError, NumberRows, number_rows
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.io.asked import Asked
    from triadic.io.file_source import Source

_COMMENT_LINES = re.compile(rb"^[ \t]*%[^\n]*(?:\n|\Z)", re.MULTILINE)
_FMT = re.compile(r"[01]{1,3}\Z")
_MIXED_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class _Header:
    """The first line: ``before`` numbers stand before a vertex's neighbours, ``row`` is the line's row."""

    vertices: int
    edges: int
    before: int
    weighted: bool
    row: int


def read_metis(source: Source, asked: Asked) -> Arcs:
    """Read adjacency lists.

    Parameters
    ----------
    source : Source
    asked : Asked
        ``weights=True`` takes the weights of edges. With ``directed=True`` a line lists the targets of its vertex's
        arcs, which then need not come back, and the header may count arcs.

    Returns
    -------
    Arcs
        Each edge from both its ends.

    Raises
    ------
    ReadError
        The lines do not agree with the header or with each other.
    """
    weighted = asked.wants_natural_weights(source, "a METIS file")
    rows = _numbers(source)
    header = _header(source, rows)
    if weighted and not header.weighted:
        raise source.error(
            "weights=True: its header says that edges have no weights", line=_line_of(source, header.row)
        )
    body = _body(source, rows, header)
    of_vertex, target, weights = _columns(source, body, header, weighted=weighted)
    outside = (target < 1) | (target > header.vertices)
    if outside.any():
        place = int(np.argmax(outside))
        problem = f"found the neighbour {target[place]:g}, expected 1 to {header.vertices}"
        raise source.error(problem, line=_line_of(source, header.row + 1 + int(of_vertex[place])))
    dtype = index_dtype(header.vertices)
    target = target.astype(dtype)
    target -= 1
    arcs = Arcs(
        source=of_vertex,
        target=target,
        vertices=asked.vertices_at_least(source, header.vertices),
        directed=asked.directed is True,
        weights=weights,
        both_ends=asked.directed is not True,
    )
    _check_edges(source, arcs, header)
    return arcs


def _numbers(source: Source) -> NumberRows:
    def lines() -> Iterator[bytes]:
        for chunk in source.chunks():
            yield _COMMENT_LINES.sub(b"", chunk) if b"%" in chunk else chunk

    for integers in (True, False):
        try:
            return number_rows(lines(), integers=integers)
        except NotNumbersError:
            continue
    for number, line in _lines(source):
        for word in line.decode("latin-1").split():
            if not _is_number(word):
                raise source.error(f"found {short(word)}, expected a number", line=number)
    raise source.error("its lines cannot be parsed as numbers")


def _header(source: Source, rows: NumberRows) -> _Header:
    lengths = rows.lengths
    if not lengths.any():
        raise source.error("there is no header line; expected 'n m [fmt [ncon]]'")
    row = int(np.argmax(lengths > 0))
    line = _line_of(source, row)
    words = next(text for number, text in _lines(source) if number == line).decode("latin-1").split()
    values = [int(word) if word.isascii() and word.isdigit() and len(word) < 19 else -1 for word in words]
    if not 2 <= len(words) <= 4 or min(values) < 0:
        raise source.error(f"found the header {short(' '.join(words))}, expected 'n m [fmt [ncon]]'", line=line)
    fmt = words[2] if len(words) > 2 else "0"
    if not _FMT.match(fmt):
        raise source.error(f"found the fmt {short(fmt)} in the header, expected 0 or 1 at most three times", line=line)
    sizes, weights, edge_weights = (digit == "1" for digit in fmt.zfill(3))
    constraints = values[3] if len(values) > 3 else 1
    return _Header(values[0], values[1], sizes + (constraints if weights else 0), edge_weights, row)


def _body(source: Source, rows: NumberRows, header: _Header) -> NumberRows:
    """Return one row for each vertex, once sure that there are as many."""
    first = header.row + 1
    last = first + header.vertices
    found = len(rows) - first
    surplus = rows.lengths[last:]
    if found < header.vertices or surplus.any():
        line = None if found < header.vertices else _line_of(source, last + int(np.argmax(surplus > 0)))
        told = f"{found}" if found < header.vertices else "more"
        raise source.error(f"found {told} lines of neighbours, expected {header.vertices} by the header", line=line)
    start = int(rows.starts[first])
    return NumberRows(rows.values[start : int(rows.starts[last])], rows.starts[first : last + 1] - start)


def _columns(
    source: Source, body: NumberRows, header: _Header, *, weighted: bool
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64] | None]:
    """Return the vertex, the neighbour (from 1) and the weight of each entry."""
    step = 2 if header.weighted else 1
    neighbours = body.lengths - header.before
    wrong = (neighbours < 0) | (neighbours % step != 0)
    if wrong.any():
        row = int(np.argmax(wrong))
        expected = f"{header.before} and then {'pairs of neighbour and weight' if step == 2 else 'neighbours'}"
        problem = f"found {body.lengths[row]} numbers, expected {expected}"
        raise source.error(problem, line=_line_of(source, header.row + 1 + row))
    vertex = np.arange(header.vertices, dtype=index_dtype(header.vertices))
    of_vertex = np.repeat(vertex, neighbours // step)
    values = body.values
    if header.before:
        place = np.arange(len(values)) - np.repeat(body.starts[:-1], body.lengths)
        values = values[place >= header.before]
    target, weights = values[::step], None
    if target.dtype != np.int64 and (target != np.floor(target)).any():
        first = int(np.argmax(target != np.floor(target)))
        line = _line_of(source, header.row + 1 + int(of_vertex[first]))
        raise source.error(f"found the neighbour {target[first]:g}, expected an integer", line=line)
    if weighted:
        weights = values[1::2].astype(np.float64)
        if not np.isfinite(weights).all():
            first = int(np.argmin(np.isfinite(weights)))
            line = _line_of(source, header.row + 1 + int(of_vertex[first]))
            raise source.error(f"found the weight {weights[first]}, expected a finite number", line=line)
    return of_vertex, target, weights


def _check_edges(source: Source, arcs: Arcs, header: _Header) -> None:
    entries = len(arcs)
    # The manual allows no loops; files that have them count one as an edge and list it once or twice.
    loops = int(np.count_nonzero(arcs.source == arcs.target))
    allowed = {2 * header.edges, header.edges} if arcs.directed else {2 * header.edges}
    if not {entries, entries + loops} & allowed:
        problem = (
            f"its lines hold {entries} neighbours, expected {2 * header.edges} by the header's {header.edges} edges"
        )
        raise source.error(problem)
    if not arcs.directed and _balance(arcs) != 0:
        place = _one_sided(arcs)
        u, v = int(arcs.source[place]) + 1, int(arcs.target[place]) + 1
        line = _line_of(source, header.row + u)
        raise source.error(f"vertex {u} has the neighbour {v}, but {v} does not have {u}; expected both", line=line)


def _balance(arcs: Arcs) -> int:
    """Return 0 if each edge stands in the lines of both its ends, and almost surely something else if not.

    Adding what a mixing function gives for the pair where the smaller end comes first, and subtracting it where the
    larger does, needs no sorting.
    """
    balance = 0
    for start in range(0, len(arcs), _MIXED_AT_ONCE):
        part = slice(start, start + _MIXED_AT_ONCE)
        source, target = arcs.source[part].astype(np.uint64), arcs.target[part].astype(np.uint64)
        mixed = _mixed(np.minimum(source, target) * np.uint64(arcs.vertices) + np.maximum(source, target))
        balance += int(mixed[source < target].sum()) - int(mixed[source > target].sum())
    return balance % 2**64


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    # The finalizer of splitmix64 (Steele, Lea, Flood 2014).
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))


def _one_sided(arcs: Arcs) -> int:
    """Return the place of the first entry whose reverse is given less often."""
    n = arcs.vertices
    forward = arcs.source.astype(np.int64) * n + arcs.target
    backward = arcs.target.astype(np.int64) * n + arcs.source
    pairs, counts = np.unique(forward, return_counts=True)
    back, back_counts = np.unique(backward, return_counts=True)
    place = np.searchsorted(back, pairs)
    place[place == len(back)] = 0
    missing = np.where(back[place] == pairs, counts > back_counts[place], True)
    return int(np.argmax(np.isin(forward, pairs[missing])))


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not comments, with their numbers in the file."""
    number = 0
    for chunk in source.chunks():
        for line in chunk.splitlines():
            number += 1
            if not line.lstrip(b" \t").startswith(b"%"):
                yield number, line


def _line_of(source: Source, row: int) -> int | None:
    return next((number for number, _ in islice(_lines(source), row, None)), None)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word
