"""Groups and coordinates of vertices from a table: CSV, TSV or columns apart by blanks, one row for each vertex."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from triadic.errors import MissingFileError, ReadError
from triadic.graph.weights import name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.graph.graph import Graph

_SEPARATORS = (",", "\t", ";")
_LEAST = 3  # columns of a table of coordinates: labels, x, y


def read_groups(path: Path, graph: Graph) -> tuple[list[str], int, str]:
    """Read the group of each vertex.

    Parameters
    ----------
    path : pathlib.Path
        Table whose first column has the labels of the vertices, or their numbers if they have none. The first row is a
        header if its first cell names no vertex. Lines that begin with "#" are comments. Where the table has more than
        two columns, ``FILE:COLUMN`` names the column of the groups, or its index from 0.
    graph : Graph

    Returns
    -------
    groups : list of str
        Group of each vertex.
    others : int
        Number of rows that name no vertex of the graph.
    taken : str
        The column of the groups, in words.

    Raises
    ------
    ReadError
        A row has fewer than two cells, a vertex has no row, two rows of a vertex differ, the table has several columns
        of which none is named, or does not have the one that is named.
    """
    file, mark, column = str(path).rpartition(":")
    if not mark or path.exists() or not Path(file).exists():
        file, column = str(path), ""
    _, first = next(_read_rows(Path(file)), (0, []))
    at = first.index(column) if column in first else int(column) if column.isdecimal() else 0 if column else 1
    if (not column and len(first) > 2) or (column and not 0 < at < len(first)):
        names = ", ".join(map(repr, first[1:]))
        raise ReadError(file, f"which column has the groups? expected {file}:COLUMN, and COLUMN is one of {names}")
    rows, others = _rows_of_vertices(Path(file), graph, at, at + 1)
    return [cells[0] for cells in rows], others, f"groups are in column {at}, which begins with {first[at]!r}"


def read_positions(path: Path, graph: Graph) -> tuple[list[list[float]], int]:
    """Read the coordinates of each vertex: two or three columns of numbers after the labels; see `read_groups`.

    Returns
    -------
    positions : list of list of float
    others : int
        Number of rows that name no vertex of the graph.

    Raises
    ------
    ReadError
        A row does not have two or three numbers, a vertex has no row, or two rows of a vertex differ.
    """
    rows, others = _rows_of_vertices(path, graph, 1, 4)
    positions = []
    for vertex, cells in enumerate(rows):
        try:
            positions.append([float(cell) for cell in cells])
        except ValueError:
            raise ReadError(
                path, f"{name_of(vertex, labels=graph.labels)} is at {', '.join(cells)}; expected numbers"
            ) from None
    if len({len(place) for place in positions}) > 1:
        raise ReadError(path, "some rows have two coordinates and others three; expected the same in all rows")
    return positions, others


def _rows_of_vertices(path: Path, graph: Graph, first: int, stop: int) -> tuple[list[list[str]], int]:
    """Return the cells of some columns for each vertex, and the number of rows of other vertices."""
    least = max(first + 1, min(stop, _LEAST))
    n = graph.num_vertices
    labels = list(range(n)) if graph.labels is None else graph.labels.tolist()
    vertex_of = {str(label): vertex for vertex, label in enumerate(labels)}
    found: list[list[str] | None] = [None] * n
    others = 0
    for number, (line, cells) in enumerate(_read_rows(path)):
        vertex = vertex_of.get(cells[0])
        if vertex is None:
            others += number > 0  # the first row may be a header
            continue
        if len(cells) < least:
            raise ReadError(path, f"expected at least {least} columns, got {len(cells)}", line=line)
        values = cells[first:stop]
        if found[vertex] is not None and found[vertex] != values:
            raise ReadError(path, f"the vertex {cells[0]!r} has another row with other values", line=line)
        found[vertex] = values
    missing = [vertex for vertex, values in enumerate(found) if values is None]
    if missing:
        raise ReadError(
            path,
            f"{len(missing):,} of {n:,} vertices have no row, such as {name_of(missing[0], labels=graph.labels)}; "
            "expected one row for each, with the label in the first column",
        )
    return [values for values in found if values is not None], others


def _read_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line and its cells, without blanks around them."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip() and line[0] != "#")
            first = next(lines, None)
            if first is None:
                return
            separator = next((mark for mark in _SEPARATORS if mark in first[1]), None)
            for number, line in (first, *lines):
                cells = line.split() if separator is None else next(csv.reader([line], delimiter=separator))
                yield number, [cell.strip() for cell in cells]
    except UnicodeDecodeError as error:
        raise ReadError(path, f"expected text in UTF-8, such as CSV; {error.reason}") from None
    except FileNotFoundError:
        raise MissingFileError(path, "there is no such file") from None
    except OSError as error:
        raise ReadError(path, f"the file cannot be read: {error.strerror}") from None
    except csv.Error as error:
        raise ReadError(path, f"expected a table such as CSV; {error}") from None
