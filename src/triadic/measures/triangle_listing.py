"""Which triples of vertices are triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
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
    graph, threads, device, progress
        As for `triangles`; a directed graph is taken as its skeleton. The CPU alone lists.
    limit : int, optional
        At most so many, the first ones; all by default.

    Returns
    -------
    int64 array, shape (triangles, 3)
        Vertices u < v < w, numbered from 0; rows in lexicographic order.

    Raises
    ------
    ArgumentError
        A limit that is no whole number of at least 0.
    OutOfMemoryError
        If the array takes more memory than there is: 24 bytes a triangle.

    See Also
    --------
    iter_triangles : part by part, for more of them than memory holds.

    Notes
    -----
    Two passes over the edges sorted by vertex, one that counts and one that writes, each O(m^1.5 log m) at most and in
    practice far less. With a limit no more is gone through than it takes.

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
    graph, most = as_graph(graph), _take_limit(limit)
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
    graph: GraphLike, *, limit: int | None = None, threads: int | None = None
) -> Iterator[NDArray[np.int64]]:
    """List the triangles of a graph part by part, in the order of `all_triangles`.

    Parameters
    ----------
    graph, limit, threads
        As for `all_triangles`.

    Returns
    -------
    iterator of int64 array, shape (triangles of the part, 3)
        No part is empty; the first is small, and the others grow to at most some millions of rows.

    Raises
    ------
    ArgumentError
        At the call: a limit that is no whole number of at least 0.
    OutOfMemoryError
        On the first part, if sorting the edges takes more memory than there is.

    Notes
    -----
    The first part waits for the edges to be sorted by vertex, O(m). Besides the part, 4 bytes an edge and 8 a vertex
    are held.

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
    graph, most = as_graph(graph), _take_limit(limit)
    resolve_threads(threads)
    return _parts(graph, most, threads)


def _parts(graph: Graph, limit: int | None, threads: int | None) -> Iterator[NDArray[np.int64]]:
    yield from triangle_parts(graph.oriented(threads=threads), limit, threads=threads)


def _take_limit(limit: int | None) -> int | None:
    if limit is None:
        return None
    if isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 0:
        raise ArgumentError(f"limit={limit!r}: expected None or a whole number of at least 0")
    return int(limit)
