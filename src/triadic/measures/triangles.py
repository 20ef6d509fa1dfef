"""Triangles at vertices and in total, and lists of them. The directions of arcs are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_whole
from triadic.core.oriented import Oriented
from triadic.core.progress import reporting
from triadic.counts.count import at_vertices, check_device, run
from triadic.counts.triangles import (
    TRIANGLE_COUNT,
    TRIANGLE_LIST,
    TRIANGLES,
    TRIANGLES_IN_ORDER,
    count_at,
    is_local,
    skeleton_rows,
    triangle_parts,
)
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.graph.selection import chosen_vertices
from triadic.measures.batches import one_row_a_graph, triangle_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Int64Array
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.graph.selection import Vertices
    from triadic.tiles.tiled_graph import TiledGraph


def triangles(
    graph: GraphLike,
    *,
    vertices: Vertices | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Int64Array:
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
    graph = as_graph(graph, tiled=True, batch=True)
    machine: Machine = {"threads": threads, "device": device, "progress": progress}
    if vertices is not None:
        return triangles_of(graph, vertices, **machine)[0]
    oriented = graph.oriented(threads=threads)
    if isinstance(oriented, Oriented):
        return run(TRIANGLES_IN_ORDER, oriented, **machine)
    return at_vertices(oriented, run(TRIANGLES, oriented, **machine), threads=threads, name="triangles-of-vertices")


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
    list_triangles : List the triangles.

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


def triangles_of(
    graph: Graph | TiledGraph, vertices: Vertices, *, threads: int | None, device: str, progress: ProgressKeyword
) -> tuple[Int64Array, Int64Array]:
    """Return the triangles and degrees of selected vertices; count locally if that is less work than at all of them."""
    selected = chosen_vertices(vertices, graph)
    few = 2 * len(selected) <= graph.num_vertices
    if isinstance(graph, Graph) and few and is_local(graph.oriented() if graph.is_oriented else None, device):
        indptr, indices = graph.indptr, graph.indices
        if graph.directed:
            indptr, indices = skeleton_rows(graph.oriented(threads=threads), threads=threads)
        counts = count_at(indptr, indices, selected, threads=threads, progress=progress)
        if counts is not None:
            return counts, indptr[selected + 1] - indptr[selected]
    oriented = graph.oriented(threads=threads)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    ranks = oriented.rank[selected]
    return at_rank[ranks], oriented.degree[ranks]


def list_triangles(
    graph: GraphLike,
    *,
    batch: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Int64Array | Iterator[Int64Array]:
    """List the triangles of a graph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    batch : int, optional
        List the triangles in arrays of at most this number of rows, one after another, so that more triangles than fit
        in memory can be listed.
    limit : int, optional
        Largest number of triangles to list, the first ones in the order below; by default all.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        "auto" or "cpu": GPUs do not list triangles.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int64 array, shape (triangles, 3)
        Vertices u < v < w of each triangle, as numbers from 0 to n - 1; the rows are in lexicographic order. With
        `batch`, an iterator of such arrays, each of which has a row at least.

    Raises
    ------
    ArgumentError
        If `limit` is not a whole number of at least 0, or `batch` none of at least 1; or if another argument does not
        have an accepted value.
    OutOfMemoryError
        If the array, which takes 24 bytes per triangle, needs more memory than is available; with `batch` at the first
        array, if sorting the edges does.
    UnsupportedError
        If `device` names a GPU, or the graph is a `TiledGraph`.

    See Also
    --------
    triangle_count : Count the triangles.
    list_triads : List the triads of one type.

    Notes
    -----
    One pass over the edges counts the triangles and another one writes them. Each takes at most O(m^1.5 log m) for m
    edges, and far less for most networks. With a limit, the list ends as soon as it is long enough.
    With `batch`, the edges are sorted by vertex before the first array, O(m); beside an array, 4 bytes per edge and 8
    per vertex are held, and up to some millions of triangles that come next.

    References
    ----------
    Chiba and Nishizeki (1985), "Arboricity and subgraph listing algorithms", SIAM Journal on Computing 14, 210.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3])
    >>> triadic.list_triangles(graph)
    array([[0, 1, 2],
           [1, 2, 3]])
    >>> for part in triadic.list_triangles(graph, batch=1):
    ...     print(part.tolist())
    [[0, 1, 2]]
    [[1, 2, 3]]
    """
    graph, most = as_graph(graph, not_tiled=TRIANGLE_LIST.not_tiled, batch=True), check_limit(limit)
    check_device(TRIANGLE_LIST, device)
    if batch is not None:
        check_whole("batch", batch, 1, 1 << 40)
        return _in_batches(graph, batch, most, threads, progress)
    if most is None:
        oriented = graph.oriented(threads=threads)
        return run(TRIANGLE_LIST, oriented, threads=threads, device=device, progress=progress)
    return np.concatenate([np.empty((0, 3), np.int64), *_in_batches(graph, most, most, threads, progress)])


def check_limit(limit: int | None) -> int | None:
    """Return the argument `limit` if it is None or a whole number of at least 0."""
    if limit is None:
        return None
    if type(limit) is not int or limit < 0:
        raise ArgumentError(f"limit={limit!r}: expected None or a whole number of at least 0")
    return limit


def _in_batches(
    graph: Graph, batch: int, limit: int | None, threads: int | None, progress: ProgressKeyword
) -> Iterator[Int64Array]:
    # A generator, so that the graph is oriented at the first array and not at the call.
    resolve_threads(threads)
    with reporting(progress, "listing triangles") as report:
        for part in triangle_parts(graph.oriented(threads=threads), limit, threads=threads, progress=report):
            for start in range(0, len(part), batch):
                yield part[start : start + batch]
