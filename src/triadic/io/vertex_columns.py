"""Columns of vertices from tables, one row for each vertex: CSV, TSV, columns apart by blanks, Parquet, Arrow.

The rows are aligned by label: one column of the table, its key, has the labels of the vertices, or their numbers if
they have no labels. In text, lines that begin with "#" are comments, and the first row is a header unless its key is a
label.
"""

from __future__ import annotations

import csv
from io import TextIOWrapper
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triadic.core.formatting import plural
from triadic.errors import ReadError, in_one_line
from triadic.graph.weights import name_of
from triadic.io.arrow_columns import holds_texts, values_of, values_type
from triadic.io.columns import listed
from triadic.io.file_source import Source
from triadic.io.number_rows import as_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike
    from pathlib import Path

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.graph.graph import Graph

    Refusal = Callable[[str], Exception]

_SEPARATORS = (",", "\t", ";")
_KEY = "label"  # column that names the rows, as in the tables that triadic returns
_PARQUET = b"PAR1"


class VertexTable(NamedTuple):
    """Rows that have not been aligned yet.

    Attributes
    ----------
    rows : pyarrow.Table
        Of text all columns are strings, named by the cells of the first row, which is a row as well.
    is_text : bool
    refuse : callable
        Returns the error to raise for a problem in one line.
    """

    rows: pa.Table
    is_text: bool
    refuse: Refusal


class AtVertices(NamedTuple):
    """Columns of a table in the order of the vertices of a graph.

    Attributes
    ----------
    columns : dict of str to array, shape (n,)
    missing : int64 array
        Vertices that have no row; their values are missing.
    others : int
        Number of rows that name no vertex of the graph.
    """

    columns: dict[str, AnyArray]
    missing: Int64Array
    others: int

    def remark(self, graph: Graph) -> str | None:
        """Return how many vertices and rows have no partner, or None if all have one."""
        said = []
        if len(self.missing):
            first = name_of(int(self.missing[0]), labels=graph.labels)
            said = [f"{len(self.missing):,} of {graph.num_vertices:,} vertices have no row, such as {first}"]
        if self.others:
            said.append(f"{plural(self.others, 'row')} of vertices that are not in the network")
        return "; ".join(said) or None


def read_vertices(path: str | bytes | PathLike[str]) -> VertexTable:
    """Read a table of vertices from a file, which may be packed.

    Raises
    ------
    ReadError
        The file is neither text in UTF-8 nor Parquet, or a row has more or fewer cells than the first.
    """
    source = Source(path)
    if source.head.startswith(_PARQUET):
        import pyarrow.parquet as pq  # noqa: PLC0415 - slow to import, and seldom needed

        try:
            return VertexTable(pq.read_table(source.path), False, source.error)
        except (pa.ArrowException, OSError) as error:
            raise source.error(in_one_line(error)[:200]) from None
    try:
        with source.stream() as stream:
            columns = list(zip(*_cells(source, stream), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise source.error(f"expected text in UTF-8, such as CSV; {getattr(error, 'reason', error)}") from None
    arrays = [pa.array(column, pa.string()) for column in columns]
    return VertexTable(pa.table(arrays, names=[column[0] for column in columns]), True, source.error)


def _cells(source: Source, stream: pa.NativeFile) -> Iterator[list[str]]:
    """Yield the cells of each row, without blanks around them."""
    file = TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    separator, width = "", 0
    for number, line in enumerate(file, 1):
        if not line.strip() or line[0] == "#":
            continue
        if not width:
            separator = next((mark for mark in _SEPARATORS if mark in line), "")
        cells = next(csv.reader([line], delimiter=separator)) if separator else line.split()
        width = width or len(cells)
        if width < 2:
            raise source.error("expected at least 2 columns, got 1", line=number)
        if len(cells) != width:
            raise source.error(f"expected {width} columns as in the first row, got {len(cells)}", line=number)
        yield [cell.strip() for cell in cells]


def aligned(
    graph: Graph,
    table: VertexTable,
    key: str | int | None,
    wanted: Sequence[str] | None = None,
    *,
    named: bool = True,
    dayfirst: bool | None = None,
) -> AtVertices:
    """Return columns of a table in the order of the vertices of a graph.

    Parameters
    ----------
    graph : Graph
    table : VertexTable
    key : str, int or None
        Name or index of the column of the labels. None takes "label", or else the only column in which labels of
        the graph occur.
    wanted : sequence of str, optional
        Names of the columns. By default all but the key.
    named : bool, default True
        Whether a text has to have a header.
    dayfirst : bool, optional
        Whether written dates such as 01.03.2024 begin with the day. By default they tell.

    Raises
    ------
    ReadError or ArgumentError
        A column does not exist, or not one alone may be the key; no row names a vertex; two rows of a vertex differ; a
        value is of a type that no column has.
    """
    rows, refuse, names = table.rows, table.refuse, table.rows.column_names
    labels = np.arange(graph.num_vertices) if graph.labels is None else graph.labels
    known = pa.array(labels)
    if len(known.unique()) < len(known):
        raise refuse("several vertices of the graph have the same label, so that no row is of one vertex")
    key = _key(table, key, known)
    for name in (key, *(wanted or ())):
        if names.count(name) != 1:
            count = "more than one column" if name in names else "no column"
            raise refuse(f"there is {count} {name!r}; the columns are {listed(tuple(names))}")
    vertex = _vertices(rows[key], known).fill_null(-1).to_numpy()
    if table.is_text and vertex[0] < 0:
        rows, vertex = rows.slice(1), vertex[1:]
    elif table.is_text and named:
        raise refuse(f"the first row has {key!r}, the label of a vertex; expected the names of the columns")
    chosen = np.flatnonzero(vertex >= 0)
    if len(labels) and not len(chosen):
        raise refuse(f"no row of the column {key!r} has the label of a vertex, such as {known[0].as_py()!r}")
    row_of = np.full(graph.num_vertices, -1)
    row_of[vertex[chosen][::-1]] = chosen[::-1]
    rows = rows.select([name for name in names if name != key and (wanted is None or name in wanted)])
    again = chosen[row_of[vertex[chosen]] != chosen]
    before = row_of[vertex[again]]
    if not rows.take(again).equals(rows.take(before)):
        pairs = zip(again, before, strict=True)
        odd = next(row for row, first in pairs if not rows.slice(row, 1).equals(rows.slice(first, 1)))
        raise refuse(f"{name_of(int(vertex[odd]), labels=graph.labels)} has another row with other values")
    rows = rows.take(pa.array(row_of, mask=row_of < 0))
    columns = {
        name: values_of(column, name, refuse, is_text=table.is_text, dayfirst=dayfirst)
        for name, column in zip(rows.column_names, rows.columns, strict=True)
    }
    return AtVertices(columns, np.flatnonzero(row_of < 0), len(vertex) - len(chosen))


def _key(table: VertexTable, key: str | int | None, labels: pa.Array) -> str:
    """Return the name of the column that has the labels."""
    names = table.rows.column_names
    if key is None:
        rows = {name: _vertices(table.rows[name], labels).drop_null() for name in dict.fromkeys(names)}
        once = labels.type == pa.int64()  # columns of counts and groups hold labels that are numbers, too
        usable = [
            name
            for name, vertices in rows.items()
            if len(vertices) and names[1:] and not (once and len(vertices.unique()) < len(vertices))
        ]
        if _KEY not in names and len(usable) != 1:
            which = f"{listed(tuple(usable))} have" if usable else f"none of {listed(tuple(names))} has"
            such = f", such as {labels[0].as_py()!r}" if len(labels) else ""
            raise table.refuse(f"{which} labels of vertices{such}; pass key=, the column of the labels")
        return _KEY if _KEY in names else usable[0]
    return names[key] if isinstance(key, int) else key


def _vertices(column: pa.ChunkedArray, labels: pa.Array) -> pa.Array:
    """Return the vertex that each cell of a column names, null for none."""
    kind = values_type(column.type)
    if not (pa.types.is_integer(kind) or holds_texts(kind)):
        return pa.nulls(len(column), pa.int32())
    are_numbers = not holds_texts(kind) and kind != pa.uint64() and labels.type == pa.int64()
    common = pa.int64() if are_numbers else pa.string()
    vertices = pc.index_in(pc.cast(column, common), value_set=pc.cast(labels, common), skip_nulls=True)
    return vertices.combine_chunks() if isinstance(vertices, pa.ChunkedArray) else vertices


def read_groups(path: Path, graph: Graph) -> tuple[AnyArray, str | None, str]:
    """Read the group of each vertex.

    Parameters
    ----------
    path : pathlib.Path
        Table whose first column has the labels. Where it has more than two columns, ``FILE:COLUMN`` names the column of
        the groups, or its index from 0.
    graph : Graph

    Returns
    -------
    groups : array, shape (n,)
        Group of each vertex.
    remark : str or None
        How many rows name no vertex of the graph.
    taken : str
        The column of the groups, in words.

    Raises
    ------
    ReadError
        The file is no table, a vertex has no row, two rows of a vertex differ, the table has several columns of which
        none is named, or does not have the one that is named.
    """
    file, mark, column = str(path).rpartition(":")
    if not mark or path.exists():
        file, column = str(path), ""
    table = read_vertices(file)
    first = table.rows.column_names
    at = first.index(column) if column in first else int(column) if column.isdecimal() else 0 if column else 1
    if (not column and len(first) > 2) or (column and not 0 < at < len(first)):
        names = ", ".join(map(repr, first[1:]))
        raise ReadError(file, f"which column has the groups? expected {file}:COLUMN, and COLUMN is one of {names}")
    found = _for_all(graph, table, table.rows.select([0, at]))
    (groups,) = found.columns.values()
    return groups, found.remark(graph), f"groups are in column {at}, which begins with {first[at]!r}"


def read_positions(path: Path, graph: Graph) -> tuple[Float64Array, str | None]:
    """Read the coordinates of each vertex: two or three columns of numbers after the labels; see `read_groups`.

    Returns
    -------
    positions : float64 array, shape (n, 2) or (n, 3)
    remark : str or None
        How many rows name no vertex of the graph.

    Raises
    ------
    ReadError
        The file is no table, does not have two or three columns of numbers, a vertex has no row, or two rows of a
        vertex differ.
    """
    table = read_vertices(path)
    columns = table.rows.num_columns
    if columns < 3:
        raise table.refuse(f"expected at least 3 columns, got {columns}")
    found = _for_all(graph, table, table.rows.select(range(min(4, columns))))
    for values in found.columns.values():
        if values.dtype.kind not in "iuf":
            wrong = next((i for i, value in enumerate(values) if as_number(str(value)) is None), 0)
            at = ", ".join(str(each[wrong]) for each in found.columns.values())
            raise table.refuse(f"{name_of(wrong, labels=graph.labels)} is at {at}; expected numbers")
    return np.stack(list(found.columns.values()), axis=1).astype(np.float64), found.remark(graph)


def _for_all(graph: Graph, table: VertexTable, rows: pa.Table) -> AtVertices:
    """Return columns of a table whose first column has the labels, if every vertex has a row."""
    found = aligned(graph, table._replace(rows=rows), 0, named=False)
    if len(found.missing):
        expected = "expected one row for each, with the label in the first column"
        raise table.refuse(f"{found._replace(others=0).remark(graph)}; {expected}")
    return found
