"""Rows written to files: edge lists as text (text, CSV and TSV), and tables of results as CSV, Parquet or NumPy.

How edge lists are read stands in :mod:`triadic.io.text_layout`. SNAP's comments are written for ``.txt`` and keep the
direction and the number of vertices. CSV and TSV are written as rows below one header row, as other programs expect.
The column ``type`` of Gephi states that a network is undirected. Comments are written above the header row only if the
rows cannot hold the network: for vertices without edges, for a network without edges, and for labels in another order
(:mod:`triadic.io.edge_blocks`).

Tables of vertices and of edges are written part by part: columns of vertices may be memory-mapped and larger than
memory, and labels of the ends of edges are looked up for a part at a time.
"""

# ruff: noqa: PLC0415 - pyarrow is slow to import, and many callers do not write tables

from __future__ import annotations

import io
import os
from csv import writer as csv_writer
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from triadic.core.formatting import PLAIN_CSV, CsvStyle
from triadic.core.oriented import NO_NUMBERS
from triadic.errors import ArgumentError, WriteError
from triadic.io.edge_blocks import (
    blocks_by_appearance,
    cell_problem,
    degrees,
    edge_blocks,
    list_lines,
    named_edges,
    needs_list,
    stated_labels,
    without_formulas,
)
from triadic.io.format import Format, Keeps, later
from triadic.io.temporary_files import BYTE_ORDER_MARK, whole_file, whole_stream
from triadic.io.text_layout import Separator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import pyarrow as pa

    from triadic.core.array_types import AnyArray, BoolArray, Int64Array
    from triadic.graph.graph import Graph
    from triadic.graph.temporal import TemporalGraph

    Columns = Mapping[str, AnyArray]
    # Numbers of vertices; their labels, if there are any; and which of them have none.
    SomeVertices = tuple[Int64Array, AnyArray | None, BoolArray]

SUFFIXES = (".csv", ".parquet", ".npy")

# Label in .npy of a vertex without a label; the labels of a file are not negative.
UNLABELLED = -1

_NUMBERS = NO_NUMBERS
_ROWS = 1 << 16
"""Rows of a part, and of a row group of Parquet."""
_SET_ROWS = 1 << 20  # of a row group of a data set
_COPIES = 2  # of a part: as Arrow's columns or rows, and encoded


def check_table(path: Path, suffixes: Sequence[str] = SUFFIXES, csv: CsvStyle = PLAIN_CSV) -> None:
    """Raise an error if a table cannot be written to the file; called before the count. ``-`` is standard output."""
    if str(path) == "-":
        return
    if csv.given and path.suffix != ".csv":
        raise ArgumentError(f"{csv.option}: the table is {path}; expected a name that ends in .csv")
    if path.suffix not in suffixes:
        raise ArgumentError(f"{path}: tables are not written as {path.suffix!r}; expected {' '.join(suffixes)}")
    if path.is_dir():
        raise WriteError(f"{path}: expected a file, found a folder")
    if not path.parent.is_dir():
        raise WriteError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise WriteError(f"{path}: no permission to write in the folder {path.parent}")


def write_vertices(
    path: Path,
    graph: Graph | TemporalGraph,
    columns: Columns,
    *,
    labels: AnyArray | None = None,
    graphs: AnyArray | None = None,
    csv: CsvStyle = PLAIN_CSV,
) -> None:
    """Write a row for each vertex, with its label and `columns`; the file appears only when it is complete.

    The labels are by default those of the graph. The names of `graphs`, if given, are the first column, "graph": the
    graph of each vertex of a batch.
    Without labels, vertices are numbered 0 to n-1. Isolated vertices that a file declares but does not name have an
    empty label (null in Parquet); in ``.npy``, where labels are int64 or text of fixed width, -1 or the empty text.
    """
    labels = without_formulas(graph.labels if labels is None else labels, csv)
    graphs = without_formulas(graphs, csv)
    first = {} if graphs is None else {"graph": _Column.of(graphs)}
    label = (
        _Column.of(labels) if labels is not None else _Column(_NUMBERS, lambda part: np.arange(part.start, part.stop))
    )
    _write_table(path, graph.num_vertices, first | {"label": label}, columns, csv)


def write_edges(
    path: Path,
    graph: Graph,
    columns: Columns,
    *,
    csv: CsvStyle = PLAIN_CSV,
) -> None:
    """Write a row for each edge, with the labels of its ends, "source" and "target", and `columns`.

    Edges are in the order of ``graph.edges()``. Labels and files are as for `write_vertices`.
    """
    source, target = graph.edges()
    labels = without_formulas(graph.labels, csv)
    _write_table(path, len(source), {"source": _end(source, labels), "target": _end(target, labels)}, columns, csv)


class _Column(NamedTuple):
    """A column that is written part by part: values of its type, for texts all that occur, and those of some rows.

    If there are fewer values than rows, the last rows have none: null, or in ``.npy`` -1 or the empty text.
    """

    kinds: AnyArray
    part: Callable[[slice], AnyArray]

    @classmethod
    def of(cls, values: AnyArray) -> Self:
        return cls(values, values.__getitem__)


def _end(vertices: AnyArray, labels: AnyArray | None) -> _Column:
    if labels is None:
        return _Column(_NUMBERS, vertices.__getitem__)
    return _Column(labels, lambda part: labels[vertices[part]])


def _write_table(path: Path, rows: int, first: Mapping[str, _Column], columns: Columns, csv: CsvStyle) -> None:
    """Write columns side by side; the file appears only when it is complete."""
    every = {**first, **{name: _Column.of(values) for name, values in columns.items()}}
    if path.suffix == ".npy":
        with whole_file(path) as temporary:
            _write_structured_array(temporary, rows, every)
        return
    import pyarrow as pa

    kinds = {
        name: pa.string() if column.kinds.dtype.kind in "OU" else pa.from_numpy_dtype(column.kinds.dtype)
        for name, column in every.items()
    }

    def table(part: slice) -> pa.Table:
        arrays = {}
        for name, column in every.items():
            some = pa.array(column.part(part), type=kinds[name])
            missing = pa.nulls(part.stop - part.start - len(some), type=kinds[name])
            arrays[name] = pa.concat_arrays([some, missing]) if len(missing) else some
        return pa.table(arrays)

    _write_arrow(path, pa.schema(list(kinds.items())), map(table, _parts(rows)), csv)


def parquet_of_vertices(
    vertices: Int64Array, labels: AnyArray | None, unlabelled: BoolArray, columns: Columns
) -> memoryview:
    """Return the bytes of a Parquet file with a row for each of some vertices, for one file of a data set.

    The columns are "vertex"; "label", the number of the vertex if the graph has no labels, and null for `unlabelled`
    vertices; and `columns`.
    """
    return _parquet({"vertex": vertices, "label": _label_column(vertices, labels, unlabelled)}, columns)


def parquet_of_edges(ends: Mapping[str, SomeVertices], columns: Columns) -> memoryview:
    """Return the bytes of a Parquet file with a row for each of some edges, for one file of a data set.

    The first columns are the labels of the `ends`, as `parquet_of_vertices` writes them: vertices, labels and which
    vertices have no label, by the name of the column.
    """
    return _parquet({name: _label_column(*end) for name, end in ends.items()}, columns)


def _label_column(vertices: Int64Array, labels: AnyArray | None, unlabelled: BoolArray) -> pa.Array[Any]:
    import pyarrow as pa

    if labels is None:
        return pa.array(vertices)
    kind = pa.string() if labels.dtype == object else pa.int64()
    return pa.array(labels, type=kind, mask=unlabelled if unlabelled.any() else None)


def _parquet(first: Mapping[str, Any], columns: Columns) -> memoryview:
    """Return the bytes of a file; only counts have dictionaries, because few other values occur twice."""
    import pyarrow as pa
    import pyarrow.parquet

    counts = [name for name, column in columns.items() if column.dtype.kind == "i"]
    sink = pa.BufferOutputStream()
    table = pa.table({**first, **columns})
    pa.parquet.write_table(table, sink, row_group_size=_SET_ROWS, use_dictionary=counts or False)
    return memoryview(sink.getvalue())


def bytes_to_write(vertices: int, columns: int) -> int:
    """Return the bytes that writing a table of vertices holds beside its columns of 8 bytes a vertex."""
    return _COPIES * 8 * (1 + columns) * min(vertices, _ROWS)


def write_rows(path: Path, columns: Mapping[str, Sequence[Any] | AnyArray], csv: CsvStyle = PLAIN_CSV) -> None:
    """Write a small table as CSV or Parquet: NaN as null, whole numbers past 64 bits as decimals.

    Whole numbers in a column with other numbers become floats, as a column has one type.
    """
    import pyarrow as pa

    def column(values: Sequence[Any] | AnyArray) -> pa.Array[Any]:
        if any(isinstance(value, float) for value in values):
            return pa.array([float(value) for value in values], from_pandas=True)
        wide = any(isinstance(value, int) and value >= 2**63 for value in values)
        return pa.array(values, type=pa.decimal128(38, 0) if wide else None, from_pandas=True)

    table = pa.table({name: column(values) for name, values in columns.items()})
    _write_arrow(path, table.schema, [table], csv)


def _write_arrow(path: Path, schema: pa.Schema, tables: Iterable[pa.Table], csv: CsvStyle) -> None:
    """Write tables of one schema below each other as CSV or Parquet; the file appears only when it is complete."""
    import pyarrow.csv
    import pyarrow.parquet

    options = pyarrow.csv.WriteOptions(delimiter=csv.separator or ",")
    of_csv = partial(pyarrow.csv.CSVWriter, write_options=options)
    writer = pyarrow.parquet.ParquetWriter if path.suffix == ".parquet" else of_csv
    with whole_stream(path) as stream:
        stream.write(BYTE_ORDER_MARK * csv.excel)
        with writer(stream, schema) as file:
            for table in tables:
                file.write_table(table)


def _parts(n: int) -> Iterator[slice]:
    """Cut `n` rows into parts, at least one."""
    for start in range(0, max(1, n), _ROWS):
        yield slice(start, min(start + _ROWS, n))


def _write_structured_array(path: Path, rows: int, columns: Mapping[str, _Column]) -> None:
    """Write one structured array without Python objects, so that it can be read without pickle."""
    kinds = {
        name: f"<U{max(1, max(map(len, kinds), default=1))}" if kinds.dtype == object else kinds.dtype
        for name, (kinds, _) in columns.items()
    }
    dtype = np.dtype(list(kinds.items()))
    with path.open("wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (rows,)}
        np.lib.format.write_array_header_1_0(file, header)
        for part in _parts(rows):
            block = np.empty(part.stop - part.start, dtype)
            for name, column in columns.items():
                some = column.part(part)
                block[name][: len(some)] = some
                block[name][len(some) :] = "" if block[name].dtype.kind == "U" else UNLABELLED
            block.tofile(file)


DELIMITERS = {"csv": ",", "tsv": "\t"}
"""Characters between two columns of the formats that spreadsheets open."""


def write_text(graph: Graph, path: str, *, delimiter: str, header: bool = False, style: CsvStyle = PLAIN_CSV) -> None:
    """Write one line for each edge.

    Parameters
    ----------
    graph : Graph
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.
    delimiter : str
        Character between two columns.
    header : bool, default False
        Whether the first row names the columns, as in CSV and TSV. Otherwise comments in the layout of SNAP state the
        direction and the number of vertices.
    style : CsvStyle, optional
        How CSV is written for spreadsheets. By default as for other programs.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.csv

    labels = without_formulas(stated_labels(graph), style)
    has_names = labels is not None and labels.dtype == np.object_
    delimiter = style.separator or delimiter
    others = [name for name in graph.columns if header or name == "weight"]
    names = ["source", "target", *others, *(["type"] if header and not graph.directed else [])]
    row = io.StringIO()
    csv_writer(row, delimiter=delimiter, lineterminator="").writerow(names)
    first = row.getvalue()
    # A name of a column among the labels makes the header look like an edge; the list tells that it is none.
    listed = labels is not None and (
        needs_list(graph, labels, text=True) or (header and not set(names).isdisjoint(labels.tolist()))
    )
    comments = _csv_comments(graph) if header else _snap_comments(graph)
    if labels is not None and listed:
        comments += list_lines(labels)
    above = [f"# {comment}" for comment in comments] + [first if header else f"# {first}"]
    texts = has_names or any(graph.columns[name].dtype.kind in "OU" for name in others)
    options = pyarrow.csv.WriteOptions(
        include_header=False,
        delimiter=delimiter,
        quoting_style="needed" if texts else "none",
    )
    with whole_stream(path) as stream:
        stream.write(BYTE_ORDER_MARK * style.excel + "".join(f"{line}\n" for line in above).encode())
        for block in blocks_by_appearance(graph) if has_names and not listed else edge_blocks(graph):
            written = named_edges(block, labels)
            columns = pa.table({name: pa.array(written[name], from_pandas=True) for name in names if name in written})
            if header and not graph.directed:
                columns = columns.append_column("type", pa.repeat("Undirected", len(columns)))
            pyarrow.csv.write_csv(columns, stream, options)


def _snap_comments(graph: Graph) -> list[str]:
    direction = "Directed graph" if graph.directed else "Undirected graph"
    if graph.origin.direction == "assumed":  # nothing states it, and the file must not
        direction = "Edge list"
    edges = graph.num_arcs if graph.directed else graph.num_edges
    return [
        f"{direction}, one line for each {'arc' if graph.directed else 'edge'}, written by triadic",
        f"Nodes: {graph.num_vertices} Edges: {edges}",
    ]


def _csv_comments(graph: Graph) -> list[str]:
    """Return the comments that the rows need: none for a network in which every vertex has an edge."""
    comments = []
    if not graph.directed and graph.num_edges == 0:
        comments.append("Undirected graph")
    if not degrees(graph).all():
        comments.append(f"Nodes: {graph.num_vertices}")
    return comments


_COMMENTED = Keeps(
    isolated_vertices="comment `# Nodes: N`",
    direction="comment `# Directed graph`",
    assumed_direction="no comment",
    weights="third column",
    labels="ids",
    numbering="order of the rows, or comment `# triadic vertices: [...]`",
)

TEXT = Format(
    name="text",
    suffixes=(".txt", ".el", ".wel", ".edges", ".edgelist"),
    blocks=later("text_blocks", "TextBlocks"),
    write=partial(write_text, delimiter="\t"),
    keeps=_COMMENTED,
    label_problem=cell_problem,
    columns=True,
)
CSV = replace(
    TEXT,
    name="csv",
    suffixes=(".csv",),
    blocks=later("text_blocks", "TextBlocks", prefer=Separator.COMMA),
    write=partial(write_text, delimiter=DELIMITERS["csv"], header=True),
    keeps=replace(
        _COMMENTED,
        direction="column `type` if undirected",
        assumed_direction="no column `type`",
        weights="column `weight`",
        columns="columns",
    ),
    column_problem=later("arrow_columns", "cells_problem"),
)
TSV = replace(
    CSV,
    name="tsv",
    suffixes=(".tsv",),
    blocks=TEXT.blocks,
    write=partial(write_text, delimiter=DELIMITERS["tsv"], header=True),
)
