"""Triangles at each edge, the generalized degree that follows from them, and trusses."""

from __future__ import annotations

from functools import partial
from os import fspath
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_whole
from triadic.core.progress import reporting
from triadic.counts.count import run
from triadic.counts.edges import EDGE_SUPPORT, SUPPORTS_OF_TILES, TRUSSNESS, at_all_edges
from triadic.devices.select import check_kind
from triadic.graph.graph import Graph, edge_arcs
from triadic.graph.selection import induced, taken
from triadic.measures.table_folder import TableFolder, write_columns
from triadic.tiles.sums import INT, TablePlan
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from os import PathLike

    import scipy.sparse

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.counts.count import Count
    from triadic.tiles.sums import RangeValues


@overload
def edge_support(graph: GraphLike, *, output: None = None, **machine: Unpack[Machine]) -> Int64Array: ...


@overload
def edge_support(graph: GraphLike, *, output: str | PathLike[str], **machine: Unpack[Machine]) -> dict[str, int]: ...


def edge_support(
    graph: GraphLike,
    *,
    output: str | PathLike[str] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Int64Array | dict[str, int]:
    """Count the triangles at each edge: the common neighbours of its two vertices.

    With `output`, the counts are written. For a `TiledGraph` with a Dask client the workers of the cluster write them:
    nothing that is as long as the graph passes through this process.

    Parameters
    ----------
    graph : Graph, any input that `Graph` accepts, or with `output` a TiledGraph that has a Dask client
        The directions of a directed graph are ignored.
    output : str or path-like, optional
        Folder of Parquet files to make in place of the array, or a URL that fsspec can open, such as
        ``s3://bucket/edges``. Workers of a cluster must be able to write to it.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (num_edges,), or (num_arcs,) for a directed graph
        Support of each edge, in the order of ``graph.edges()``. An arc has the support of the edge between its two
        vertices.
    dict of str to int
        With `output`, the number of "edges", and the sum of "triangles" over the edges, three times the number of
        triangles.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`, but for one with a client and `output`, which `device` may then not send to a
        GPU.
    WriteError
        If `output` cannot be written to, or holds files of something else.

    See Also
    --------
    generalized_degree : Count the edges of each vertex by their support.
    trussness : Compute the largest truss of each edge.

    Notes
    -----
    The cost is at most O(m^1.5) for m edges.

    Each file of `output` has the columns "source" and "target", the labels of the two ends, or their numbers if the
    graph has no labels, and "triangles". Each edge has one row. Rows, and the two ends of an edge, are in no particular
    order. The file ``_SUCCESS``, which is written last, holds the totals. On a cluster, finished work is stored in the
    folder ``_sums`` of `output` about once a minute, and after any interruption the same call goes on.

    References
    ----------
    Cohen (2008), "Trusses: cohesive subgraphs for social network analysis", National Security Agency, defines the
    support of an edge.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> for source, target, support in zip(*graph.edges(), triadic.edge_support(graph)):
    ...     print(source, target, support)
    0 1 1
    0 2 1
    1 2 1
    2 3 0
    >>> triadic.edge_support(graph, output="edges.parquet")
    {'edges': 4, 'triangles': 3}
    """
    if output is None:
        graph = as_graph(graph, not_tiled=EDGE_SUPPORT.not_tiled, batch=True)
        return _at_edges(EDGE_SUPPORT, graph, threads, device, progress)
    found, place = None, str(fspath(output))
    if isinstance(graph, TiledGraph) and graph.oriented(threads=threads).on_cluster:  # its workers write
        check_kind(device, kinds=("cpu",), name="triangles of edges of tiles")
        found = graph.oriented().write_table(_PLAN, place, partial(reporting, progress))
    if found is None:
        network = as_graph(graph, not_tiled=_CLUSTER_ONLY).to_undirected(combine="first")
        folder = TableFolder(place)
        columns = {"triangles": _at_edges(EDGE_SUPPORT, network, threads, device, progress)}
        found = write_columns(folder, network, columns, dict(zip(("source", "target"), network.edges(), strict=True)))
    return {name.removeprefix(INT): total for name, total in found.items()}


def _no_columns(values: RangeValues) -> dict[str, AnyArray]:  # noqa: ARG001 - of `TablePlan`
    return {}


_PLAN = TablePlan("edge support", (SUPPORTS_OF_TILES,), (), _no_columns, entries=True)
_CLUSTER_ONLY = "the support of edges of tiles is counted on a Dask cluster only: open the tiles with client="


def generalized_degree(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> scipy.sparse.csr_array[np.int64]:
    """Count the edges of each vertex by the number of triangles at the edge.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    scipy.sparse.csr_array of int64, shape (n, largest support + 1)
        Element [v, s] is the number of edges of vertex v that are in s triangles. Row v adds up to the degree of v; its
        sum weighted by s is twice the number of triangles at v.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    edge_support : Count the triangles at each edge.
    triangles : Count the triangles at each vertex.

    Notes
    -----
    The cost is that of `edge_support` and O(m) for m edges. `networkx.generalized_degree` returns the same numbers as
    dictionaries.

    References
    ----------
    Fronczak (2014), "Theoretical approach to network cohesion", arXiv:1403.6327.

    Examples
    --------
    >>> import triadic
    >>> triadic.generalized_degree(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).toarray()
    array([[0, 2],
           [0, 2],
           [1, 2],
           [1, 0]])
    """
    graph = as_graph(graph, not_tiled=EDGE_SUPPORT.not_tiled, batch=True)
    import scipy.sparse  # noqa: PLC0415 - slow to import, and no other measure needs it

    oriented = graph.oriented(threads=threads)
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    order, n = oriented.order, oriented.num_vertices
    row = np.repeat(order, np.diff(oriented.indptr))
    shape = (n, int(support.max(initial=0)) + 1)
    # Each edge counts at both of its ends.
    ends, supports = np.concatenate([row, order[oriented.indices]]), np.concatenate([support, support])
    return scipy.sparse.coo_array((np.ones(len(ends), np.int64), (ends, supports)), shape=shape).tocsr()


def trussness(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Int64Array:
    """Compute the trussness of each edge: the largest k for which the edge is in the k-truss.

    The k-truss is the largest subgraph whose edges are all in at least k - 2 triangles of the subgraph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", or the same with "opencl"; of several GPUs the first one counts. "auto"
        uses a CUDA card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (num_edges,), or (num_arcs,) for a directed graph
        Trussness of each edge, at least 2, in the order of ``graph.edges()``. An arc has the trussness of the edge
        between its two vertices.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    k_truss : Return the truss itself.
    edge_support : Count the triangles at each edge of the whole graph.

    Notes
    -----
    The triangles at each edge are counted, and edges are removed in the order of rising support, all edges of a level
    in parallel; at most O(m^1.5 log m) for m edges.

    References
    ----------
    Cohen (2008), "Trusses: cohesive subgraphs for social network analysis", National Security Agency.
    Wang and Cheng (2012), "Truss decomposition in massive networks", PVLDB 5, 812.
    Kabir and Madduri (2017), "Parallel k-truss decomposition on multicore systems", IEEE HPEC.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 0, 1, 1, 2, 3, 3, 4], [1, 2, 3, 2, 3, 3, 4, 5, 5])
    >>> triadic.trussness(graph)
    array([4, 4, 4, 4, 4, 4, 3, 3, 3])
    """
    graph = as_graph(graph, not_tiled=TRUSSNESS.not_tiled, batch=True)
    return _at_edges(TRUSSNESS, graph, threads, device, progress)


def k_truss(
    graph: GraphLike, k: int, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Graph:
    """Return the k-truss: the largest subgraph whose edges are all in at least k - 2 triangles of the subgraph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph do not matter for the truss; the truss keeps all arcs of its edges.
    k : int
        Order of the truss, at least 0. The 0-, 1- and 2-truss contain all edges.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", or the same with "opencl"; of several GPUs the first one counts. "auto"
        uses a CUDA card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    Graph
        The edges of the truss and their vertices, with the labels and weights of `graph`. If `graph` has no labels,
        the numbers of its vertices become the labels of the truss.

    Raises
    ------
    ArgumentError
        If `k` is not a whole number of at least 0, or another argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    trussness : Compute the largest truss of each edge.

    Notes
    -----
    The cost is at most that of `trussness`: edges of a larger trussness than k are not removed one by one.
    `networkx.k_truss` returns the same subgraph.

    References
    ----------
    Cohen (2008), "Trusses: cohesive subgraphs for social network analysis", National Security Agency.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 0, 1, 1, 2, 3, 3, 4], [1, 2, 3, 2, 3, 3, 4, 5, 5])
    >>> triadic.k_truss(graph, 4)
    Graph(undirected, 4 vertices, 6 edges, with labels)
    """
    graph = as_graph(graph, not_tiled=TRUSSNESS.not_tiled)
    check_whole("k", k, 0)
    keep = _at_edges(TRUSSNESS, graph, threads, device, progress, up_to=k) >= k
    arcs, joined = taken(edge_arcs(graph), keep), np.zeros(graph.num_vertices, bool)
    joined[arcs.source] = joined[arcs.target] = True
    return Graph.from_arcs(induced(arcs, np.flatnonzero(joined)), threads=threads)


def _at_edges(
    count: Count[Any], graph: Graph, threads: int | None, device: str, progress: ProgressKeyword, **options: int
) -> Int64Array:
    """Return a count at the edges in the order of ``graph.edges()``."""
    oriented = graph.oriented(threads=threads)
    found = run(count, oriented, threads=threads, device=device, progress=progress, **options)
    return at_all_edges(graph, found, count, threads=threads, device=device)
