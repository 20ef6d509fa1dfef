"""Tables of vertices and of edges that are written as data sets of Parquet files, on a cluster by its workers.

Workers compute the columns of a range from counts at its ranks; `MEASURES` has the measures for which that is enough.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.exact import exact_float_units, exact_sum, float_of_units
from triadic.core.oriented import frozen
from triadic.core.progress import reporting
from triadic.counts.count import part_counter
from triadic.counts.edges import SUPPORTS_OF_TILES
from triadic.counts.triads import (
    CLOSED_ROLES_OF_VERTICES,
    CLOSED_TRIADS_OF_VERTICES,
    DYADS,
    WEDGE_ENDS,
    census_of_ranks,
)
from triadic.counts.triangles import TRIANGLES
from triadic.devices.select import check_kind
from triadic.errors import WriteError
from triadic.io.tables import parquet_of_edges, parquet_of_vertices
from triadic.measures.directed_clustering import directed_ratios, ldbc_ratio
from triadic.measures.edge_support import edge_support
from triadic.measures.registry import DIRECTED_COLUMNS, TRIAD_COLUMNS, by_column, countable
from triadic.measures.vertex_table import vertex_table
from triadic.measures.weighted_clustering import weighted_layout, weighted_ranks
from triadic.tiles.file_format import seal
from triadic.tiles.stored_tiles import is_url, open_store
from triadic.tiles.sums import FLOAT, INT, EdgeCount, TablePlan
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.measures.registry import Countable
    from triadic.measures.weighted_clustering import WeightedRanks
    from triadic.tiles.sums import RangeValues


ROWS = 1 << 22  # of a file
_PART = re.compile(r"part-\d+\.parquet")
_SUCCESS = "_SUCCESS"

_CLUSTER_ONLY = "the support of edges of tiles is counted on a Dask cluster only: open the tiles with client="


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


def write_vertex_table(
    graph: GraphLike,
    output: str | os.PathLike[str],
    of: Sequence[Countable],
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> dict[str, int | float]:
    """Write measures of each vertex as a folder of Parquet files, as `vertex_table` describes it; return totals."""
    place, names = str(os.fspath(output)), [each.name for each in of]
    if isinstance(graph, TiledGraph) and set(names) <= {*MEASURES, WEIGHTED}:
        weighted = weighted_ranks(weighted_layout(graph), "onnela", None) if WEIGHTED in names else None
        plan = plan_of(names, threads=threads, device=device, weighted=weighted)
        found = graph.oriented(threads=threads).write_table(plan, place, partial(reporting, progress))
        if found is not None:
            return _as_numbers(found)
    return _write_here(graph, place, of, {"threads": threads, "device": device, "progress": progress})


def _write_here(
    graph: GraphLike, place: str, of: Sequence[Countable], keywords: dict[str, Any]
) -> dict[str, int | float]:
    """Write the table in this process, in the order of vertices."""
    network: Graph | TiledGraph = as_graph(graph, tiled=True, directions="unused")
    folder = TableFolder(place)
    size = next((each.size for each in of if each.size), None)
    columns = vertex_table(network, [each.name for each in of], size=size, **keywords)
    n, labels = network.num_vertices, network.labels
    totals = {"vertices": n, "wedges": 0}
    for part, start in enumerate(range(0, max(n, 1), ROWS)):
        rows = slice(start, min(start + ROWS, n))
        vertices = np.arange(rows.start, rows.stop)
        degree = network.degree[rows]
        totals["wedges"] += exact_sum(degree * (degree - 1) // 2)
        for name, column in columns.items():
            kind, add = (FLOAT, exact_float_units) if column.dtype.kind == "f" else (INT, exact_sum)
            totals[kind + name] = totals.get(kind + name, 0) + add(column[rows])
        named = None if labels is None else _padded(labels[rows], len(vertices))
        unlabelled = vertices >= (n if labels is None else len(labels))
        of_part = {name: column[rows] for name, column in columns.items()}
        folder.write(part, parquet_of_vertices(vertices, named, unlabelled, of_part))
    folder.finish(totals)
    return _as_numbers(totals)


def _padded(labels: AnyArray, rows: int) -> AnyArray:
    """Return labels filled up for the vertices at the end that have none."""
    padded = np.full(rows, "" if labels.dtype == object else 0, dtype=labels.dtype)
    padded[: len(labels)] = labels
    return padded


def _as_numbers(totals: Mapping[str, int]) -> dict[str, int | float]:
    """Return totals by the names of columns; those of floats are in units of `exact_float_units`."""
    return {
        name.removeprefix(INT).removeprefix(FLOAT): float_of_units(total) if name.startswith(FLOAT) else total
        for name, total in totals.items()
    }


def write_edge_support(
    graph: GraphLike,
    output: str | os.PathLike[str],
    *,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> dict[str, int]:
    """Write the triangles at each edge as a folder of Parquet files, as `edge_support` describes it; return totals."""
    place = str(os.fspath(output))
    if isinstance(graph, TiledGraph) and graph.oriented(threads=threads).on_cluster:
        if device != "auto":
            check_kind(device, kinds=("cpu",), name="triangles of edges of tiles")
        found = graph.oriented().write_table(_PLAN, place, partial(reporting, progress))
        if found is not None:
            return {name.removeprefix(INT): total for name, total in found.items()}
    network = as_graph(graph, not_tiled=_CLUSTER_ONLY).to_undirected(combine="first")
    folder = TableFolder(place)
    support = edge_support(network, threads=threads, device=device, progress=progress)
    ends, labels = dict(zip(("source", "target"), network.edges(), strict=True)), network.labels
    for part, start in enumerate(range(0, len(support), ROWS)):
        rows = slice(start, start + ROWS)
        of_part = {}
        for name, vertices in ends.items():
            numbers = vertices[rows].astype(np.int64)
            unlabelled = numbers >= (network.num_vertices if labels is None else len(labels))
            named = None if labels is None else labels[np.where(unlabelled, 0, numbers)]
            of_part[name] = (numbers, named, unlabelled)
        folder.write(part, parquet_of_edges(of_part, {"triangles": support[rows]}))
    totals = {"edges": len(support), "triangles": exact_sum(support)}
    folder.finish({"edges": totals["edges"], f"{INT}triangles": totals["triangles"]})
    return totals


def _no_columns(values: RangeValues) -> dict[str, np.ndarray]:  # noqa: ARG001 - of `TablePlan`
    return {}


_PLAN = TablePlan("edge support", (SUPPORTS_OF_TILES,), (), _no_columns, entries=True)


WEIGHTED = "weighted_clustering"
"""The measure of tiles with weights."""


def plan_of(
    measures: Sequence[str], *, threads: int | None, device: str, weighted: WeightedRanks | None = None
) -> TablePlan:
    """Return the plan of a table with the columns of some of `MEASURES` and of `WEIGHTED`, pickled by name.

    Parameters
    ----------
    measures : sequence of str
        Names of measures.
    threads : int, optional
    device : str
    weighted : WeightedRanks, optional
        The coefficient of `WEIGHTED`, if it is among the measures.

    Raises
    ------
    ArgumentError
        If `device` has not the form of a device's name, or `threads` is not a number of threads.
    UnsupportedError
        If the kind of device cannot count what the measures take.
    """
    needed = [count for name in measures if name != WEIGHTED for count in MEASURES[name]]
    triangles, edges = [], []
    for count in dict.fromkeys((*needed, *(() if weighted is None else weighted.counts))):
        over_triangles = count.adds_over == "triangles"
        if over_triangles and device != "auto":
            check_kind(device, kinds=count.kinds, name=count.name)
        counter = part_counter(
            count,
            {},
            threads=threads,
            device=device if over_triangles else "cpu",
            values=weighted.values if weighted is not None and count.takes_values else None,
        )
        if over_triangles:
            triangles.append(counter)
        else:
            edges.append(EdgeCount(counter, (_name(DYADS),) if count is WEDGE_ENDS else ()))
    return TablePlan(" ".join(measures), tuple(triangles), tuple(edges), partial(columns_of, tuple(measures), weighted))


def columns_of(measures: Sequence[str], weighted: WeightedRanks | None, values: RangeValues) -> dict[str, AnyArray]:
    """Return the columns of some measures at the ranks of a range."""
    columns: dict[str, AnyArray] = {}
    counts = _OfRange(values)
    for name in measures:
        if weighted is None or name != WEIGHTED:
            columns |= _COLUMNS[name](counts)
        else:
            columns[name] = _weighted_clustering(weighted, values)
    return columns


def _name(count: Count[Any]) -> str:
    return count.name.replace(" ", "-")


class _OfRange:
    """The counts of a range, with the names that `vertex_table` has for those of a graph."""

    threads = 1

    def __init__(self, values: RangeValues) -> None:
        self.values, self.degree = values, values.degree
        self.rank = np.arange(len(values.degree))  # ranks of a range are numbered from 0
        named = (DYADS, TRIANGLES, CLOSED_ROLES_OF_VERTICES)
        self.dyads, self.triangles, self.roles = (values.counts.get(_name(count)) for count in named)


def _weighted_clustering(weighted: WeightedRanks, values: RangeValues) -> Float64Array:
    triangles, *edges = (
        values.counts[part_counter(count, {}, threads=1, device="cpu", values=of_edges).name]
        for count in weighted.counts
        for of_edges in (weighted.values if count.takes_values else None,)
    )
    return weighted.coefficients(triangles, edges[0] if edges else None, values.degree)


def _directed_clustering(counts: Any) -> dict[str, AnyArray]:  # noqa: ANN401 - an `_OfRange` with roles and dyads
    return dict(zip(DIRECTED_COLUMNS, directed_ratios(counts.roles, counts.dyads, parts=True), strict=True))


def _triads(counts: Any) -> dict[str, AnyArray]:  # noqa: ANN401 - an `_OfRange`
    values = counts.values
    mutual = values.arcs - values.edges
    census = census_of_ranks(
        counts,
        (values.edges - mutual, mutual),
        *(frozen(values.counts[_name(count)]) for count in MEASURES["triads"]),
        threads=1,
        vertices=values.vertices,
    )
    return by_column(TRIAD_COLUMNS, census)


# Counts at ranks from which the columns of each measure follow; the inputs of a count come before it.
MEASURES: dict[str, tuple[Count[Any], ...]] = {
    "degree": (),
    **dict.fromkeys(("in_degree", "out_degree", "mutual_degree"), (DYADS,)),
    **dict.fromkeys(("triangles", "clustering"), (TRIANGLES,)),
    "directed_clustering": (CLOSED_ROLES_OF_VERTICES, DYADS),
    **dict.fromkeys(("ldbc_clustering", "roles"), (CLOSED_ROLES_OF_VERTICES,)),
    "triads": (DYADS, WEDGE_ENDS, CLOSED_TRIADS_OF_VERTICES),
}
_COLUMNS: dict[str, Callable[[Any], Mapping[str, AnyArray]]] = {
    **{name: columns for name in MEASURES if (columns := countable(name).columns) is not None},
    "directed_clustering": _directed_clustering,
    "ldbc_clustering": lambda counts: {"ldbc_clustering": ldbc_ratio(counts.roles, counts.degree)},
    "triads": _triads,
}
