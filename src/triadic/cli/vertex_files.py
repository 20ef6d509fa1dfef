"""Counts of every vertex as a file: CSV, Parquet or NumPy, by suffix; written part by part, as they may be mapped."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError, WriteError
from triadic.io.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Columns = Mapping[str, NDArray[Any]]

SUFFIXES = (".csv", ".parquet", ".npy")

# In .npy, the label of a vertex that has none; no label is negative.
UNLABELLED = -1

# Rows that are written at a time.
_ROWS = 1 << 20


def check(path: Path) -> None:
    """Raise where `write` could not write, before any work is done for it."""
    if path.suffix not in SUFFIXES:
        raise ArgumentError(
            f"{path}: the suffix {path.suffix!r} is none that vertices are written to; expected {' '.join(SUFFIXES)}"
        )
    if path.is_dir():
        raise WriteError(f"{path}: expected a file, found a folder")
    if not path.parent.is_dir():
        raise WriteError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise WriteError(f"{path}: may not write in the folder {path.parent}")


def write(path: Path, graph: Graph, columns: Columns) -> None:
    """Write label and `columns`, a row a vertex; the file appears whole or not at all.

    Vertices are named by their label, 0 .. n-1 where the network has none. The isolated vertices that a file declares
    but does not name have an empty label (a null in Parquet); in ``.npy``, where labels are int64 or text of fixed
    width, -1 or the empty text.
    """
    with whole_file(path) as temporary:
        if path.suffix == ".npy":
            _write_rows(temporary, graph, columns)
        elif path.suffix == ".parquet":
            import pyarrow.parquet

            _write_tables(pyarrow.parquet.ParquetWriter, temporary, graph, columns)
        else:
            import pyarrow.csv

            _write_tables(pyarrow.csv.CSVWriter, temporary, graph, columns)


def _parts(n: int) -> Iterator[slice]:
    """Cut rows into parts, one at least."""
    for start in range(0, max(1, n), _ROWS):
        yield slice(start, min(start + _ROWS, n))


def _write_tables(kind: Any, path: Path, graph: Graph, columns: Columns) -> None:  # noqa: ANN401 - pyarrow has no types
    first = _table(graph, columns, slice(0, 0))
    with kind(path, first.schema) as writer:
        for part in _parts(graph.num_vertices):
            writer.write_table(_table(graph, columns, part))


def _table(graph: Graph, columns: Columns, part: slice) -> pa.Table:
    import pyarrow as pa

    labels = graph.labels
    label: pa.Array[Any]
    if labels is None:
        label = pa.array(np.arange(part.start, part.stop))
    else:
        kind = pa.string() if labels.dtype == object else pa.int64()
        named = pa.array(labels[part], type=kind)
        label = pa.concat_arrays([named, pa.nulls(part.stop - part.start - len(named), type=kind)])
    return pa.table({"label": label, **{name: column[part] for name, column in columns.items()}})


def _write_rows(path: Path, graph: Graph, columns: Columns) -> None:
    """Write one structured array, without objects, so that it can be read without pickle."""
    n, labels = graph.num_vertices, graph.labels
    if labels is None:
        kind: np.dtype[Any] = np.dtype(np.int64)
    elif labels.dtype == object:
        kind = np.dtype(f"<U{max(1, max(map(len, labels), default=1))}")
    else:
        kind = np.dtype(np.int64)
    fields = [("label", kind), *((name, column.dtype) for name, column in columns.items())]
    with path.open("wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(np.dtype(fields)), "fortran_order": False, "shape": (n,)}
        np.lib.format.write_array_header_1_0(file, header)
        for part in _parts(n):
            rows = np.empty(part.stop - part.start, dtype=fields)
            rows["label"] = _label(labels, part, kind)
            for name, column in columns.items():
                rows[name] = column[part]
            file.write(rows.tobytes())


def _label(labels: NDArray[Any] | None, part: slice, kind: np.dtype[Any]) -> NDArray[Any]:
    if labels is None:
        return np.arange(part.start, part.stop)
    named = labels[part]
    label = (
        np.zeros(part.stop - part.start, dtype=kind)
        if kind.kind == "U"
        else np.full(part.stop - part.start, UNLABELLED)
    )
    label[: len(named)] = named
    return label
