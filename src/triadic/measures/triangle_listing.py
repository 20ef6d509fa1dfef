"""Lists of the triangles of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.progress import reporting
from triadic.counts.count import check_device, run
from triadic.counts.triangle_listing import TRIANGLE_LIST, triangle_parts
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


def all_triangles(
    graph: GraphLike,
    *,
    limit: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.int64]:
    """List the triangles of a graph.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
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
        Vertices u < v < w of each triangle, as numbers from 0 to n - 1; the rows are in lexicographic order.

    Raises
    ------
    ArgumentError
        If `limit` is not a whole number of at least 0, or another argument does not have an accepted value.
    OutOfMemoryError
        If the array, which takes 24 bytes per triangle, needs more memory than is available.
    UnsupportedError
        If `device` names a GPU, or the graph is a `TiledGraph`.

    See Also
    --------
    iter_triangles : List more triangles than fit in memory, part by part.
    triangle_count : Count the triangles.
    list_triads : List the triads of one type.

    Notes
    -----
    One pass over the edges counts the triangles and another one writes them. Each takes at most O(m^1.5 log m) for m
    edges, and far less for most networks. With a limit, the list ends as soon as it is long enough.

    References
    ----------
    Chiba and Nishizeki (1985), "Arboricity and subgraph listing algorithms", SIAM Journal on Computing 14, 210.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3])
    >>> triadic.all_triangles(graph)
    array([[0, 1, 2],
           [1, 2, 3]])
    >>> triadic.all_triangles(graph, limit=1)
    array([[0, 1, 2]])
    """
    graph, most = as_graph(graph, not_tiled=TRIANGLE_LIST.not_tiled, batch=True), check_limit(limit)
    if most is None:
        oriented = graph.oriented(threads=threads)
        return run(TRIANGLE_LIST, oriented, threads=threads, device=device, progress=progress)
    check_device(TRIANGLE_LIST, device)
    with reporting(progress, "listing triangles") as report:
        parts, listed = [np.empty((0, 3), dtype=np.int64)], 0
        if report is not None:
            report(0, most)
        for part in triangle_parts(graph.oriented(threads=threads), most, threads=threads):
            parts.append(part)
            listed += len(part)
            if report is not None:
                report(listed, most)
        if report is not None and listed < most:
            report(most, most)
    return np.concatenate(parts)


def iter_triangles(
    graph: GraphLike,
    *,
    limit: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Iterator[NDArray[np.int64]]:
    """List the triangles of a graph part by part.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    limit : int, optional
        Largest number of triangles to list, the first ones in the order below; by default all.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    progress : bool or callable, default False
        True shows a progress bar on standard error while the parts are read; a callable is called with
        ``(done, total)``.

    Returns
    -------
    iterator of int64 array, shape (triangles of the part, 3)
        Vertices u < v < w of each triangle, as numbers from 0 to n - 1; the rows of all parts together are in
        lexicographic order. Each part has at least one row. The first part is small, and later parts grow to some
        millions of rows.

    Raises
    ------
    ArgumentError
        At the call: if `limit` is not a whole number of at least 0, or `threads` not one of at least 1.
    OutOfMemoryError
        At the first part: if sorting the edges needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    all_triangles : List all triangles in one array.

    Notes
    -----
    The edges are sorted by vertex before the first part, O(m). Beside the part, the iterator holds 4 bytes per edge and
    8 per vertex.

    References
    ----------
    Chiba and Nishizeki (1985), "Arboricity and subgraph listing algorithms", SIAM Journal on Computing 14, 210.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3])
    >>> for part in triadic.iter_triangles(graph):
    ...     for u, v, w in part.tolist():
    ...         print(u, v, w)
    0 1 2
    1 2 3
    """
    graph, most = as_graph(graph, not_tiled=TRIANGLE_LIST.not_tiled, batch=True), check_limit(limit)
    return _parts(graph, most, threads, progress)


def check_limit(limit: int | None) -> int | None:
    """Return the argument `limit` if it is None or a whole number of at least 0."""
    if limit is None:
        return None
    if type(limit) is not int or limit < 0:
        raise ArgumentError(f"limit={limit!r}: expected None or a whole number of at least 0")
    return limit


def _parts(
    graph: Graph, limit: int | None, threads: int | None, progress: ProgressKeyword
) -> Iterator[NDArray[np.int64]]:
    # A generator, so that the graph is oriented at the first part and not at the call.
    with reporting(progress, "listing triangles") as report:
        yield from triangle_parts(graph.oriented(threads=threads), limit, threads=threads, progress=report)
