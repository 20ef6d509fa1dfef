"""Triangles at vertices, at edges and in total. The directions of arcs are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.oriented import Oriented
from triadic.counts import local_triangles
from triadic.counts.count import at_vertices, run
from triadic.counts.edge_values import at_all_edges
from triadic.counts.triangles import EDGE_SUPPORT, TRIANGLE_COUNT, TRIANGLES
from triadic.counts.vertex_values import TRIANGLES_IN_ORDER
from triadic.graph.graph import Graph
from triadic.graph.vertex_arguments import chosen_vertices
from triadic.measures.batch_measures import triangle_counts
from triadic.measures.graph_table import one_row_a_graph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.vertex_arguments import Vertices
    from triadic.tiles.oriented_tiles import OrientedTiles
    from triadic.tiles.tiled_graph import TiledGraph


def triangles(
    graph: GraphLike,
    *,
    vertices: Vertices | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.int64]:
    """Count the triangles at each vertex.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    vertices : array_like or set of int or str, or a mask, optional
        The vertices to count at: labels, or numbers from 0 to n - 1 if the graph has no labels; by default all. A mask
        has a bool for each vertex: an array in the order of the vertices, or a mapping, Series or table that is aligned
        by label.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (n,) or (len(vertices),)
        Number of triangles at each vertex, or at each of `vertices` in their order (the vertices of a mask or a set in
        rising order). The result for a `TiledGraph` is mapped into memory.

    Raises
    ------
    ArgumentError
        If `vertices` holds a vertex that does not exist, or another argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    triangle_count : Count the triangles of the whole graph, in less time.
    edge_support : Count the triangles at each edge.
    clustering : Divide the triangles by the pairs of neighbours.

    Notes
    -----
    The cost is at most O(m^1.5) for m edges, and far less for most networks. With `vertices` the cost is at most the
    total length of their neighbours' rows, after the rows of the graph have been made once, O(m). If `device` names a
    GPU, or the graph is a `TiledGraph`, the triangles are counted at all vertices.

    References
    ----------
    Schank and Wagner (2005), "Finding, counting and listing all triangles in large graphs", WEA.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> triadic.triangles(graph)
    array([1, 1, 1, 0])
    >>> triadic.triangles(graph, vertices=[3, 2])
    array([0, 1])
    >>> named = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["Ann", "Bob", "Cid", "Dee"])
    >>> triadic.triangles(named, vertices=["Dee", "Cid"])
    array([0, 1])
    """
    if vertices is not None:
        selected = triangles_of(
            as_graph(graph, tiled=True, batch=True), vertices, threads=threads, device=device, progress=progress
        )
        return selected.triangles
    graph = as_graph(graph, tiled=True, batch=True)
    oriented = graph.oriented(threads=threads)
    if isinstance(oriented, Oriented):
        return run(TRIANGLES_IN_ORDER, oriented, threads=threads, device=device, progress=progress)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    return at_vertices(oriented, at_rank, threads=threads, name="triangles-of-vertices")


@one_row_a_graph("triangles", triangle_counts)
def triangle_count(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> int:
    """Count the triangles of a graph.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
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
    int
        Number of triangles.

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

    See Also
    --------
    triangles : Count the triangles at each vertex.
    all_triangles : List the triangles.

    Notes
    -----
    The cost is at most O(m^1.5) for m edges, and less than that of `triangles`.

    References
    ----------
    Schank and Wagner (2005), "Finding, counting and listing all triangles in large graphs", WEA.

    Examples
    --------
    >>> import triadic
    >>> triadic.triangle_count(triadic.Graph.from_edges([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3]))
    4
    """
    graph = as_graph(graph, tiled=True)
    return run(TRIANGLE_COUNT, graph.oriented(threads=threads), threads=threads, device=device, progress=progress)


def edge_support(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.int64]:
    """Count the triangles at each edge: the common neighbours of its two vertices.

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
    int64 array, shape (num_edges,), or (num_arcs,) for a directed graph
        Support of each edge, in the order of ``graph.edges()``. An arc has the support of the edge between its two
        vertices.

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
    generalized_degree : Count the edges of each vertex by their support.
    trussness : Compute the largest truss of each edge.

    Notes
    -----
    The cost is at most O(m^1.5) for m edges.

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
    """
    graph = as_graph(graph, not_tiled=EDGE_SUPPORT.not_tiled, batch=True)
    oriented = graph.oriented(threads=threads)
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    return at_all_edges(graph, support, EDGE_SUPPORT, threads=threads, device=device)


class VertexTriangles(NamedTuple):
    """Triangles and degrees of selected vertices: int64 arrays of shape (vertices,)."""

    triangles: NDArray[np.int64]
    degree: NDArray[np.int64]


def triangles_of(
    graph: Graph | TiledGraph,
    vertices: Vertices,
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> VertexTriangles:
    """Count the triangles at selected vertices: locally if that is less work, else at all vertices."""
    selected = chosen_vertices("vertices", vertices, graph)
    if not isinstance(graph, Graph):
        return _at_ranks(graph.oriented(threads=threads), selected, threads, device, progress)
    local = local_triangles.is_local(graph.oriented() if graph.is_oriented else None, device)
    if local and 2 * len(selected) <= graph.num_vertices:
        if graph.directed:
            indptr, indices = local_triangles.skeleton_rows(graph.oriented(threads=threads), threads=threads)
        else:
            indptr, indices = graph.indptr, graph.indices
        counts = local_triangles.count_at(indptr, indices, selected, threads=threads, progress=progress)
        if counts is not None:
            return VertexTriangles(counts, indptr[selected + 1] - indptr[selected])
    return _at_ranks(graph.oriented(threads=threads), selected, threads, device, progress)


def _at_ranks(
    oriented: Oriented | OrientedTiles,
    selected: NDArray[np.int64],
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> VertexTriangles:
    """Count the triangles at all ranks, and return those of the selected vertices."""
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    ranks = oriented.rank[selected]
    return VertexTriangles(at_rank[ranks], oriented.degree[ranks])
