"""A table of measures of vertices, such as the features of a statistical model: columns by name."""

from __future__ import annotations

from os import fspath
from typing import TYPE_CHECKING, Any, overload

from triadic.convert.outward import vertex_columns
from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, table_of_vertices
from triadic.graph.batch import GraphBatch
from triadic.measures.registry import Shared, countables_of
from triadic.measures.table_files import write_on_cluster
from triadic.measures.table_folder import TableFolder, as_numbers, write_columns
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.measures.patterns.pattern import Pattern
    from triadic.measures.registry import Columns


@overload
def vertex_table(
    graph: GraphLike,
    of: str | Pattern | Sequence[str | Pattern] = ...,
    *,
    size: int | None = None,
    output: None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Table: ...


@overload
def vertex_table(
    graph: GraphLike,
    of: str | Pattern | Sequence[str | Pattern] = ...,
    *,
    size: int | None = None,
    output: str | PathLike[str],
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
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
    in_memory = next((each for each in wanted if each.in_memory is not None), None)
    if in_memory is not None and in_memory.in_memory is not None:  # each measure warns of directions for itself
        reason = f"of={in_memory.name!r} is counted in memory only, as {in_memory.in_memory.not_tiled}"
        network: Graph | TiledGraph = as_graph(
            graph, not_tiled=f"{reason}; choose other measures", batch=True, directions="unused"
        )
    else:
        network = as_graph(graph, tiled=True, batch=True, directions="unused")
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
