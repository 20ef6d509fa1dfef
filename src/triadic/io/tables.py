"""Tables written to files: CSV, Parquet or NumPy, as the suffix says.

Tables of vertices and of edges are written part by part: columns of vertices may be memory-mapped and larger than
memory, and labels of the ends of edges are looked up for a part at a time.
"""

# ruff: noqa: PLC0415 - pyarrow is slow to import, and many callers do not write tables

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.formatting import PLAIN_CSV, CsvStyle
from triadic.errors import ArgumentError, WriteError
from triadic.io.edge_blocks import without_formulas
from triadic.io.whole_file import BYTE_ORDER_MARK, whole_file, whole_stream

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
    labels = graph.labels if labels is None else labels
    if path.suffix == ".npy":
        with whole_file(path) as temporary:
            _write_structured_array(temporary, graph.num_vertices, labels, columns, graphs)
    else:
        if csv.spreadsheet_safe:
            labels, graphs = without_formulas(labels), without_formulas(graphs)
        schema = _arrow_table(labels, columns, slice(0, 0), graphs).schema
        tables = (_arrow_table(labels, columns, part, graphs) for part in _parts(graph.num_vertices))
        _write_arrow(path, schema, tables, csv)


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
    labels = graph.labels
    if csv.spreadsheet_safe:
        labels = without_formulas(labels)
    ends = {"source": source, "target": target}
    if path.suffix != ".npy":
        schema = _edge_table(labels, ends, columns, slice(0, 0)).schema
        _write_arrow(path, schema, (_edge_table(labels, ends, columns, part) for part in _parts(len(source))), csv)
        return
    kind = np.dtype(np.int64) if labels is None or labels.dtype != object else _text_type(labels)
    with whole_file(path) as temporary:
        fields = [*((name, kind) for name in ends), *((name, column.dtype) for name, column in columns.items())]

        def rows_of(part: slice) -> AnyArray:
            rows = np.empty(part.stop - part.start, dtype=fields)
            for name, end in ends.items():
                rows[name] = end[part] if labels is None else labels[end[part]]
            for name, column in columns.items():
                rows[name] = column[part]
            return rows

        _write_array(temporary, np.dtype(fields), len(source), rows_of)


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


def _arrow_table(labels: AnyArray | None, columns: Columns, part: slice, graphs: AnyArray | None) -> pa.Table:
    import pyarrow as pa

    first: dict[str, pa.Array[Any]] = {}
    if graphs is not None:
        first["graph"] = pa.array(graphs[part], type=pa.string() if graphs.dtype == object else pa.int64())
    label: pa.Array[Any]
    if labels is None:
        label = pa.array(np.arange(part.start, part.stop))
    else:
        kind = pa.string() if labels.dtype == object else pa.int64()
        named = pa.array(labels[part], type=kind)
        label = pa.concat_arrays([named, pa.nulls(part.stop - part.start - len(named), type=kind)])
    return pa.table({**first, "label": label, **{name: column[part] for name, column in columns.items()}})


def _edge_table(labels: AnyArray | None, ends: Mapping[str, AnyArray], columns: Columns, part: slice) -> pa.Table:
    import pyarrow as pa

    kind = pa.string() if labels is not None and labels.dtype == object else pa.int64()
    named = {
        name: pa.array(end[part] if labels is None else labels[end[part]], type=kind) for name, end in ends.items()
    }
    return pa.table({**named, **{name: column[part] for name, column in columns.items()}})


def _write_structured_array(
    path: Path, n: int, labels: AnyArray | None, columns: Columns, graphs: AnyArray | None
) -> None:
    """Write one structured array without Python objects, so that it can be read without pickle."""
    kind: np.dtype[Any] = np.dtype(np.int64)
    if labels is not None and labels.dtype == object:
        kind = _text_type(labels)
    first = {} if graphs is None else {"graph": graphs}
    types = [(name, _text_type(array) if array.dtype == object else array.dtype) for name, array in first.items()]
    fields = [*types, ("label", kind), *((name, column.dtype) for name, column in columns.items())]

    def rows_of(part: slice) -> AnyArray:
        rows = np.empty(part.stop - part.start, dtype=fields)
        rows["label"] = np.arange(part.start, part.stop) if labels is None else _filled(labels, part, kind)
        for name, column in (first | dict(columns)).items():
            rows[name] = column[part]
        return rows

    _write_array(path, np.dtype(fields), n, rows_of)


def _write_array(path: Path, kind: np.dtype[Any], n: int, rows_of: Callable[[slice], AnyArray]) -> None:
    """Write an array of `n` rows, whose parts `rows_of` returns, in NumPy's format."""
    with path.open("wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (n,)}
        np.lib.format.write_array_header_1_0(file, header)
        for part in _parts(n):
            rows_of(part).tofile(file)


def _text_type(names: AnyArray) -> np.dtype[Any]:
    """Return the type of text of fixed width that holds all names."""
    return np.dtype(f"<U{max(1, max(map(len, names), default=1))}")


def _filled(labels: AnyArray, part: slice, kind: np.dtype[Any]) -> AnyArray:
    """Return the labels of a part, filled up for the vertices without a label."""
    named = labels[part]
    label = np.full(part.stop - part.start, "" if kind.kind == "U" else UNLABELLED, dtype=kind)
    label[: len(named)] = named
    return label
