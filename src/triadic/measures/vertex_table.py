"""A table of measures of vertices, such as the features of a statistical model: columns by name.

The workers of a cluster write such tables as data sets of Parquet files. They compute the columns of a range from
counts at its ranks; `MEASURES` has the measures for which that is enough.
"""

from __future__ import annotations

from functools import partial
from os import fspath
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, table_of_vertices
from triadic.core.oriented import frozen
from triadic.core.progress import reporting
from triadic.counts.count import check_kind, part_counter
from triadic.counts.triads import (
    CLOSED_ROLES_OF_VERTICES,
    CLOSED_TRIADS_OF_VERTICES,
    DYADS,
    WEDGE_ENDS,
    census_of_ranks,
)
from triadic.counts.triangles import TRIANGLES
from triadic.graph.batch import GraphBatch, vertex_columns
from triadic.measures.directed_clustering import directed_ratios, ldbc_ratio
from triadic.measures.registry import DIRECTED_COLUMNS, TRIAD_COLUMNS, Shared, by_column, countable, countables_of
from triadic.measures.table_folder import TableFolder, as_numbers, write_columns
from triadic.measures.weighted_clustering import weighted_layout, weighted_ranks
from triadic.tiles.sums import EdgeCount, TablePlan
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from triadic.core.array_types import AnyArray
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.counts.count import Count
    from triadic.measures.patterns.pattern import Pattern
    from triadic.measures.registry import Columns
    from triadic.measures.weighted_clustering import WeightedRanks
    from triadic.tiles.sums import RangeValues


@overload
def vertex_table(
    graph: GraphLike,
    of: str | Pattern | Sequence[str | Pattern] = ...,
    *,
    size: int | None = None,
    output: None = None,
    **machine: Unpack[Machine],
) -> Table: ...


@overload
def vertex_table(
    graph: GraphLike,
    of: str | Pattern | Sequence[str | Pattern] = ...,
    *,
    size: int | None = None,
    output: str | PathLike[str],
    **machine: Unpack[Machine],
) -> dict[str, int | float]: ...


def vertex_table(
    graph: GraphLike,
    of: str | Pattern | Sequence[str | Pattern] = ("degree", "triangles", "clustering", "graphlets"),
    *,
    size: int | None = None,
    output: str | PathLike[str] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Table | dict[str, int | float]:
    """Compute measures of each vertex as the columns of a table.

    With `output`, the table is written. For a `TiledGraph` with a Dask client the workers of the cluster write it:
    neither the columns nor anything else that is as long as the graph passes through this process.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The network whose vertices are the rows.
    of : str, Pattern or sequence of them, default ("degree", "triangles", "clustering", "graphlets")
        Measures in the order of their columns:

        - "degree": neighbours, in either direction; "in_degree", "out_degree": arcs; "mutual_degree": neighbours with
          arcs in both directions.
        - "triangles", "clustering", "square_clustering": as the functions of these names; "closure": `local_closure`.
        - "directed_clustering": five columns, the total and the four patterns of `directed_clustering`;
          "ldbc_clustering": `directed_clustering` with ``method="ldbc"``.
        - "weighted_clustering": the coefficient of Onnela, for a graph with weights; directions are ignored.
        - "graphlets": the 15 orbits of graphlets of up to four vertices by name, such as "graphlet paw tip"; with
          ``size=3`` the first four, with ``size=5`` all 73 by number, as "orbits".
        - "orbits": the orbits that `graphlets` counts by vertex, by their numbers, "orbit 0" to "orbit 14"; with
          ``size=5`` to "orbit 72".
        - "raw_graphlets": the 16 raw frequencies of `graphlet_transform`, such as "raw graphlet paw tip".
        - "triads": the 16 types of `triad_census` by vertex, such as "triad 030T".
        - "roles": the 15 roles in closed triads, such as "role 030T out 2 in 0 mutual 0".
        - a pattern, such as "A -> B; B -> C": a column for each of its roles, named by its first vertex; beside other
          measures the text of the pattern is before it.
    size : {3, 4, 5}, optional
        Number of vertices of the largest "graphlets" or "orbits"; by default 4.
    output : str or path-like, optional
        Folder of Parquet files to make in place of the table, or a URL that fsspec can open, such as
        ``s3://bucket/vertices``. Workers of a cluster must be able to write to it.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Table
        Mapping from the names of the columns to arrays of shape (n,), int64 for counts and float64 for coefficients.
        The data frames of a batch name the graph of each vertex in their first column, "graph".
    dict of str to int or float
        With `output`, the number of "vertices"; the number of "wedges", which are paths of length two; and the sum of
        each column by its name. Sums of floats are rounded once, so that they do not depend on the order of vertices.

    Raises
    ------
    ArgumentError
        If `of` is empty or contains another string, if the graph has no weights for "weighted_clustering", or if
        another argument does not have an accepted value.
    CountOverflowError
        If a graphlet frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If `device` names a GPU that cannot count a measure, or if the graph is a `TiledGraph` and `of` has
        "square_clustering", "raw_graphlets", or graphlets or orbits of more than three vertices, which are counted in
        memory only.

    WriteError
        If `output` cannot be written to, or holds files of something else.

    See Also
    --------
    triangles, clustering, graphlet_transform, graphlets, triad_census : Compute a single measure.

    Notes
    -----
    The cost is the sum of the costs of the measures, but triangles and graphlets are counted once for all columns.

    Each file of `output` has the column "vertex", the number of the vertex; "label", its label, or its number if the
    graph has no labels; and the columns of the measures. Rows are in no particular order. The file ``_SUCCESS``, which
    is written last, holds the totals. On a cluster, finished work is stored in the folder ``_sums`` of `output` about
    once a minute. After any interruption, even if this process or a worker was killed, the same call goes on; a table
    that is complete is not counted again.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])
    >>> table = triadic.vertex_table(graph, ["degree", "clustering"])
    >>> table["degree"]
    array([2, 2, 3, 1])
    >>> print(table)
    Table of 4 vertices
    label  degree  clustering
    a           2           1
    b           2           1
    c           3    0.333333
    d           1           0

    >>> triadic.vertex_table(graph, ["degree", "triangles"], output="vertices.parquet")
    {'vertices': 4, 'wedges': 5, 'degree': 8, 'triangles': 3}
    >>> import pyarrow.parquet
    >>> pyarrow.parquet.read_table("vertices.parquet").to_pydict()  # doctest: +NORMALIZE_WHITESPACE
    {'vertex': [0, 1, 2, 3], 'label': ['a', 'b', 'c', 'd'], 'degree': [2, 2, 3, 1], 'triangles': [1, 1, 1, 0]}
    """
    wanted = countables_of(of, size, having="columns")
    keywords: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
    place = None if output is None else str(fspath(output))
    if place is not None and isinstance(graph, TiledGraph):
        found = write_on_cluster(graph, place, [each.name for each in wanted], **keywords)
        if found is not None:
            return found
    for each in wanted:
        if each.in_memory is not None and isinstance(graph, TiledGraph):
            reason = f"of={each.name!r} is counted in memory only, as {each.in_memory.not_tiled}"
            as_graph(graph, not_tiled=f"{reason}; choose other measures")  # raises
    network: Any = as_graph(graph, tiled=True, batch=True, directions="unused")
    folder = None if place is None else TableFolder(place)  # refuses a place before anything is counted
    counts = Shared(network, keywords, [each.name for each in wanted], size)
    counts.batch = graph if isinstance(graph, GraphBatch) else None
    columns: Columns = {}
    for each in wanted:
        assert each.columns is not None  # noqa: S101 - `countables_of` has checked it
        columns |= each.columns(counts)
    if folder is not None:
        return as_numbers(write_columns(folder, network, columns))
    rows = vertex_columns(network.labels, network.num_vertices, counts.batch)
    return table_of_vertices(columns, rows)


def write_on_cluster(
    graph: TiledGraph, place: str, names: Sequence[str], *, threads: int | None, device: str, progress: ProgressKeyword
) -> dict[str, int | float] | None:
    """Let the workers of a cluster write measures of each vertex; return the totals, or None if they cannot."""
    if not set(names) <= {*MEASURES, WEIGHTED}:
        return None
    weighted = weighted_ranks(weighted_layout(graph), "onnela", None) if WEIGHTED in names else None
    plan = plan_of(names, threads=threads, device=device, weighted=weighted)
    found = graph.oriented(threads=threads).write_table(plan, place, partial(reporting, progress))
    return None if found is None else as_numbers(found)


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
        if over_triangles:
            check_kind(count, device)
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
    counts = _OfRange(values, weighted)
    for name in measures:
        columns |= _COLUMNS[name](counts)
    return columns


def _name(count: Count[Any]) -> str:
    return count.name.replace(" ", "-")


class _OfRange:
    """The counts of a range, with the names that `vertex_table` has for those of a graph."""

    threads = 1

    def __init__(self, values: RangeValues, weighted: WeightedRanks | None) -> None:
        self.values, self.weighted, self.degree = values, weighted, values.degree
        self.rank = np.arange(len(values.degree))  # ranks of a range are numbered from 0
        named = (DYADS, TRIANGLES, CLOSED_ROLES_OF_VERTICES)
        self.dyads, self.triangles, self.roles = (values.counts.get(_name(count)) for count in named)


def _weighted_clustering(counts: Any) -> dict[str, AnyArray]:  # noqa: ANN401 - an `_OfRange` with weights
    weighted: WeightedRanks = counts.weighted
    sums = [
        counts.values.counts[part_counter(count, {}, threads=1, device="cpu", values=of_edges).name]
        for count in weighted.counts
        for of_edges in (weighted.values if count.takes_values else None,)
    ]
    return {WEIGHTED: weighted.coefficients(sums, counts.degree)}


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
    WEIGHTED: _weighted_clustering,
}
