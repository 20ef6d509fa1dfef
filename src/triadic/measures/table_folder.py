"""Tables of vertices and of edges as folders of Parquet files, which this process writes.

The file ``_SUCCESS`` is written last, and holds the totals.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.exact import exact_float_units, exact_sum, float_of_units
from triadic.errors import WriteError
from triadic.io.tables import parquet_of_edges, parquet_of_vertices
from triadic.measures.clustering import wedges_of
from triadic.tiles.file_format import seal
from triadic.tiles.stored_tiles import is_url, open_store
from triadic.tiles.sums import FLOAT, INT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import AnyArray, BoolArray, Ids, Int64Array
    from triadic.graph.graph import Graph
    from triadic.tiles.tiled_graph import TiledGraph


ROWS = 1 << 22  # of a file
_PART = re.compile(r"part-\d+\.parquet")
_SUCCESS = "_SUCCESS"


class TableFolder:
    """A folder or URL that receives the files of a table; files of a table that was interrupted are replaced.

    Parameters
    ----------
    place : str
        Path or URL.

    Raises
    ------
    WriteError
        If it is a file, or holds a complete table or something else.
    """

    def __init__(self, place: str) -> None:
        self._store = open_store(place)
        if not is_url(place) and Path(place).exists() and not Path(place).is_dir():
            raise WriteError(f"{place}: is a file; expected the name of a folder to make")
        self._old = set(self._store.list())
        if not all(_PART.fullmatch(name) for name in self._old):
            raise WriteError(f"{place}: holds a complete table or files of something else; choose a new name")

    def write(self, part: int, content: memoryview) -> None:
        """Write a file."""
        name = f"part-{part:05d}.parquet"
        self._store.put(name, [content])
        self._old.discard(name)

    def finish(self, totals: Mapping[str, int]) -> None:
        """Remove files that were there before and were not replaced, and write the totals."""
        for name in self._old:
            self._store.delete(name)
        self._store.put(_SUCCESS, [seal({"totals": dict(totals)})])


def write_columns(
    folder: TableFolder,
    network: Graph | TiledGraph,
    columns: Mapping[str, AnyArray],
    ends: Mapping[str, Ids] | None = None,
) -> dict[str, int]:
    """Write columns at vertices in their order, or at edges with the given ends; return totals, of floats in units."""
    last = len(ends["source"]) if ends else network.num_vertices
    totals = {"edges": last} if ends else {"vertices": last, "wedges": wedges_of(network)}
    for part, start in enumerate(range(0, max(last, 1), ROWS)):
        rows = slice(start, min(start + ROWS, last))
        of_part = {name: column[rows] for name, column in columns.items()}
        for name, column in of_part.items():
            kind, add = (FLOAT, exact_float_units) if column.dtype.kind == "f" else (INT, exact_sum)
            totals[kind + name] = totals.get(kind + name, 0) + add(column)
        if ends:
            named = {name: _named(network, vertices[rows].astype(np.int64)) for name, vertices in ends.items()}
            folder.write(part, parquet_of_edges(named, of_part))
        else:
            folder.write(part, parquet_of_vertices(*_named(network, np.arange(start, rows.stop)), of_part))
    folder.finish(totals)
    return totals


def _named(network: Graph | TiledGraph, vertices: Int64Array) -> tuple[Int64Array, AnyArray | None, BoolArray]:
    """Return some vertices with their labels, and which of them have none: those at the end of a graph with labels."""
    labels = network.labels
    if labels is None or not len(labels):
        return vertices, None, np.zeros(len(vertices), np.bool_)
    unlabelled = vertices >= len(labels)
    return vertices, labels[np.where(unlabelled, 0, vertices)], unlabelled


def as_numbers(totals: Mapping[str, int]) -> dict[str, int | float]:
    """Return totals by the names of columns; those of floats are in units of `exact_float_units`."""
    return {
        name.removeprefix(INT).removeprefix(FLOAT): float_of_units(total) if name.startswith(FLOAT) else total
        for name, total in totals.items()
    }
