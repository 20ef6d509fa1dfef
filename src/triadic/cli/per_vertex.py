"""Counts of every vertex as a file: CSV, Parquet or NumPy, by suffix."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError, WriteError
from triadic.io.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

    from triadic.graph import Graph

    Columns = Mapping[str, NDArray[Any]]

SUFFIXES = (".csv", ".parquet", ".npy")

# In .npy, the label of a vertex that has none; no label is negative.
UNLABELLED = -1


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
            with temporary.open("wb") as file:
                np.save(file, _rows(graph, columns), allow_pickle=False)
        elif path.suffix == ".parquet":
            import pyarrow.parquet

            pyarrow.parquet.write_table(_table(graph, columns), temporary)
        else:
            import pyarrow.csv

            pyarrow.csv.write_csv(_table(graph, columns), temporary)


def _table(graph: Graph, columns: Columns) -> pa.Table:
    import pyarrow as pa

    n, labels = graph.num_vertices, graph.labels
    label: pa.Array[Any]
    if labels is None:
        label = pa.array(np.arange(n))
    else:
        kind = pa.string() if labels.dtype == object else pa.int64()
        label = pa.concat_arrays([pa.array(labels, type=kind), pa.nulls(n - len(labels), type=kind)])
    return pa.table({"label": label, **columns})


def _rows(graph: Graph, columns: Columns) -> np.ndarray:
    """One structured array, without objects, so that it can be read without pickle."""
    n, labels = graph.num_vertices, graph.labels
    if labels is None:
        label = np.arange(n)
    elif labels.dtype == object:
        texts = labels.astype(np.str_)
        label = np.zeros(n, dtype=texts.dtype)
        label[: len(texts)] = texts
    else:
        label = np.full(n, UNLABELLED, dtype=np.int64)
        label[: len(labels)] = labels
    named = {"label": label, **columns}
    rows = np.empty(n, dtype=[(name, column.dtype) for name, column in named.items()])
    for name, column in named.items():
        rows[name] = column
    return rows
