"""The local closure coefficient of paths from a vertex, and the square clustering coefficient of 4-cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_option
from triadic.counts.count import at_vertices, run
from triadic.counts.graphlets import SQUARES
from triadic.counts.triads import NEIGHBOUR_SUMS
from triadic.counts.triangles import TRIANGLES
from triadic.measures.batches import one_row_a_graph, ratio

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array
    from triadic.core.progress import ProgressKeyword

Over = Literal["all", "defined"]


def local_closure(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Float64Array:
    """Compute the local closure coefficient of each vertex.

    The clustering coefficient of a vertex is the share of paths of length two around the vertex that are closed to a
    triangle. The closure coefficient is the share of paths of length two that start at the vertex and are closed.

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
    float64 array, shape (n,)
        Coefficient of each vertex, between 0 and 1. A vertex at which no path of length two starts has coefficient 0;
        the authors leave it undefined. The result for a `TiledGraph` is mapped into memory.

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
    clustering : Compute the share of closed paths that have the vertex in the middle.
    average_closure : Compute the mean of the coefficients.

    Notes
    -----
    The coefficient is twice the number of triangles at the vertex, divided by the sum of (degree - 1) over its
    neighbours. The cost is that of `triangles` and O(m) for m edges.

    References
    ----------
    Yin, Benson and Leskovec (2019), "The local closure coefficient: a new perspective on network clustering", WSDM
    '19, 303, equation 2.

    Examples
    --------
    >>> import triadic
    >>> triadic.local_closure(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3)
    array([0.667, 0.667, 1.   , 0.   ])
    """
    return _closure(graph, 0.0, threads, device, progress)


@one_row_a_graph("average_closure")
def average_closure(
    graph: GraphLike,
    *,
    over: Over = "all",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the mean of the local closure coefficients.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    over : {"all", "defined"}, default "all"
        The vertices over which the mean is taken:

        - "all": all vertices, with coefficient 0 if no path of length two starts at the vertex.
        - "defined": the vertices at which a path of length two starts, as the authors do.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float
        Between 0 and 1; nan if there is no vertex over which the mean can be taken.

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
    local_closure : Compute the coefficient of each vertex.
    average_clustering : Compute the mean of the local clustering coefficients.

    Notes
    -----
    The cost is that of `local_closure`.

    References
    ----------
    Yin, Benson and Leskovec (2019), "The local closure coefficient: a new perspective on network clustering", WSDM
    '19, 303, equation 3.

    Examples
    --------
    >>> import triadic
    >>> round(triadic.average_closure(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])), 4)
    0.5833
    """
    check_option("over", over, Over)
    coefficient = _closure(graph, 0.0 if over == "all" else float("nan"), threads, device, progress)
    if over == "defined":
        coefficient = coefficient[~np.isnan(coefficient)]
    return float(coefficient.mean()) if len(coefficient) else float("nan")


def _closure(
    graph: GraphLike, undefined: float, threads: int | None, device: str, progress: ProgressKeyword
) -> Float64Array:
    """Compute the coefficient of each vertex, or `undefined` where no path of length two starts."""
    oriented = as_graph(graph, tiled=True, batch=True).oriented(threads=threads)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    near = run(NEIGHBOUR_SUMS, oriented, oriented.degree[:, None], threads=threads, device=device)[:, 0]
    paths = near - oriented.degree
    coefficient = oriented.result("closure-of-ranks", (oriented.num_vertices,), np.float64)
    coefficient[:] = undefined
    np.divide(2 * triangles, paths, out=coefficient, where=paths > 0)
    return at_vertices(oriented, coefficient, threads=threads, name="closure-of-vertices")


def square_clustering(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Float64Array:
    """Compute the square clustering coefficient of each vertex: the share of possible 4-cycles that exist.

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
    float64 array, shape (n,)
        Coefficient of each vertex, between 0 and 1; 0 for a vertex at which no 4-cycle is possible.

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
    clustering : Compute the share of possible triangles.

    Notes
    -----
    A vertex of degree k at t triangles and q 4-cycles, with or without chords, has the coefficient
    q / ((k - 1) Σ k(u) - k (k - 1) - 2 t - q), where the sum is over its neighbours u. `networkx.square_clustering`
    returns the same. The cost is the sum over edges of the smaller of two degrees.

    References
    ----------
    Zhang, Wang, Wang and Zhu (2008), "Clustering coefficient and community structure of bipartite networks", Physica A
    387, 6869. Lind, González and Herrmann (2005), Physical Review E 72, 056127, define it with a product instead.

    Examples
    --------
    >>> import triadic
    >>> triadic.square_clustering(triadic.Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 4])).round(3)
    array([0.333, 0.5  , 1.   , 0.5  , 0.   ])
    """
    graph = as_graph(graph, not_tiled=SQUARES.not_tiled, batch=True)
    oriented = graph.oriented(threads=threads)
    degree = oriented.degree
    squares = run(SQUARES, oriented, threads=threads, device=device, progress=progress)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device, progress=False)
    near = run(NEIGHBOUR_SUMS, oriented, degree[:, None], threads=threads, device=device)[:, 0]
    possible = (degree - 1) * near - degree * (degree - 1) - 2 * triangles - squares
    return at_vertices(oriented, ratio(squares, possible), threads=threads)
