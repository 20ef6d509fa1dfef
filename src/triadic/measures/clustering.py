"""Triangles and clustering coefficients of the skeleton.

A directed graph is taken as its skeleton: an edge wherever there is an arc either way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core import blocks
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_sum
from triadic.counts.count import run
from triadic.counts.placement import at_edges, at_vertices
from triadic.counts.triangles import EDGE_SUPPORT, TRIANGLE_COUNT, TRIANGLES
from triadic.errors import ArgumentError
from triadic.measures.triangles_at import triangles_at

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import ArrayLike, NDArray

    from triadic.core.progress import ProgressKeyword

Over = Literal["all", "defined", "positive"]

_PIECE = 1 << 16  # vertices whose coefficients are worked out at a time


class ClusteringSpectrum(NamedTuple):
    """Clustering by degree.

    Attributes
    ----------
    degree : int64 array, shape (k,)
        The degrees that occur, rising.
    clustering : float64 array, shape (k,)
        Mean local clustering coefficient of the vertices of each degree.
    vertices : int64 array, shape (k,)
        Number of vertices of each degree.
    """

    degree: NDArray[np.int64]
    clustering: NDArray[np.float64]
    vertices: NDArray[np.int64]


def triangles(
    graph: GraphLike,
    *,
    vertices: ArrayLike | AbstractSet[int] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.int64]:
    """Count the triangles that each vertex is in.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        A directed graph is taken as its skeleton.
    vertices : array_like or set of int, or array_like of bool with shape (n,), optional
        Count at these alone, and give them in this order; all by default.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", the same with "opencl"; "auto" takes a CUDA
        card where there is one and the graph is large enough for it to pay.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``.

    Returns
    -------
    int64 array, shape (n,) or (vertices,)

    Raises
    ------
    ArgumentError
        A vertex that does not exist.

    Notes
    -----
    O(m^1.5) at most, and in practice far less: see `triadic.devices.cpu.triangles`. With `vertices` the cost is
    what their neighbours' rows hold, at most; before that the rows of the graph are made where it has none yet, O(m),
    and kept. A device named other than "cpu" counts at all vertices.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> triadic.triangles(graph)
    array([1, 1, 1, 0])
    >>> triadic.triangles(graph, vertices=[3, 2])
    array([0, 1])
    """
    graph = as_graph(graph, tiled=vertices is None)
    if vertices is not None:
        return triangles_at(graph, vertices, threads=threads, device=device, progress=progress).triangles
    oriented = graph.oriented(threads=threads)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    return at_vertices(oriented, at_rank, threads=threads, name="triangles-of-vertices")


def triangle_count(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> int:
    """Count all triangles of a graph. Takes less time than `triangles`.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`.

    Returns
    -------
    int

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
    """Count the triangles that each edge is in: the common neighbours of its ends.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`.

    Returns
    -------
    int64 array, shape (num_edges,), or (num_arcs,) if directed
        In the order of ``graph.edges()``. An arc has the support of its edge in the skeleton.

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
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    support = run(EDGE_SUPPORT, oriented, threads=threads, device=device, progress=progress)
    return at_edges(oriented, support, *graph.edges(), threads=threads)


def transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Give Newman's clustering coefficient: three times the triangles over the paths of length two.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`.

    Returns
    -------
    float
        Between 0 and 1; 0 where there is no path of length two.

    See Also
    --------
    directed_transitivity, cycle_transitivity : of directed graphs, by the ways that arcs run.

    References
    ----------
    Newman, Strogatz and Watts (2001), Physical Review E 64, 026118; Leist, Hawick and Playne (2011), CSTN-117,
    section 1.

    Examples
    --------
    >>> import triadic
    >>> triadic.transitivity(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    0.6
    """
    graph = as_graph(graph, tiled=True)
    return _transitivity(triangle_count(graph, threads=threads, device=device, progress=progress), graph.degree)


def clustering(
    graph: GraphLike,
    *,
    vertices: ArrayLike | AbstractSet[int] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64]:
    """Give each vertex's local clustering coefficient: the share of pairs of its neighbours that are joined.

    Parameters
    ----------
    graph, vertices, threads, device, progress
        As for `triangles`.

    Returns
    -------
    float64 array, shape (n,) or (vertices,)
        Between 0 and 1; 0 for a vertex of degree under 2, where Watts and Strogatz leave it undefined.

    See Also
    --------
    weighted_clustering : by the weights of edges, three ways.
    directed_clustering : by the directions of arcs.
    ldbc_clustering : as LDBC Graphalytics takes directed graphs.

    References
    ----------
    Watts and Strogatz (1998), Nature 393, 440; Djinevski, Mishkovski and Trajanov, equation 1.

    Examples
    --------
    >>> import triadic
    >>> triadic.clustering(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    """
    graph = as_graph(graph, tiled=vertices is None)
    if vertices is not None:
        chosen = triangles_at(graph, vertices, threads=threads, device=device, progress=progress)
        return local_clustering(chosen.triangles, chosen.degree, threads=threads)
    oriented = graph.oriented(threads=threads)
    at_rank = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    out = oriented.result("clustering-of-ranks", (oriented.num_vertices,), np.float64)
    coefficient = local_clustering(at_rank, oriented.degree, threads=threads, out=out)
    return at_vertices(oriented, coefficient, threads=threads, name="clustering-of-vertices")


def average_clustering(
    graph: GraphLike,
    *,
    over: Over = "all",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Give the mean of the local clustering coefficients.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`.
    over : {"all", "defined", "positive"}, default "all"
        Which vertices the mean is over: all, with 0 for degree under 2; those of degree at least 2; those whose
        coefficient is positive.

    Returns
    -------
    float
        Between 0 and 1; nan where there is no such vertex.

    References
    ----------
    Watts and Strogatz (1998), Nature 393, 440; Djinevski, Mishkovski and Trajanov, equation 2.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> round(triadic.average_clustering(graph), 4), round(triadic.average_clustering(graph, over="defined"), 4)
    (0.5833, 0.7778)
    """
    graph = as_graph(graph, tiled=True)
    if over not in get_args(Over):
        raise ArgumentError(f"over={over!r}: expected one of {', '.join(map(repr, get_args(Over)))}")
    coefficient = clustering(graph, threads=threads, device=device, progress=progress)
    if over == "defined":
        coefficient = coefficient[graph.degree >= 2]
    elif over == "positive":
        coefficient = coefficient[coefficient > 0]
    return mean_clustering(coefficient)


def clustering_spectrum(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> ClusteringSpectrum:
    """Give the mean local clustering coefficient of the vertices of each degree, C(k).

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`.

    Returns
    -------
    ClusteringSpectrum
        The degrees that occur, the mean at each, and how many vertices have it.

    References
    ----------
    Vázquez, Pastor-Satorras and Vespignani (2002), Physical Review E 65, 066130.

    Examples
    --------
    >>> import triadic
    >>> spectrum = triadic.clustering_spectrum(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> spectrum.degree, spectrum.clustering.round(3), spectrum.vertices
    (array([1, 2, 3]), array([0.   , 1.   , 0.333]), array([1, 2, 1]))
    """
    graph = as_graph(graph)
    return spectrum_of(triangles(graph, threads=threads, device=device, progress=progress), graph.degree)


def spectrum_of(triangles_at: NDArray[np.int64], degree: NDArray[np.int64]) -> ClusteringSpectrum:
    """Give the clustering spectrum of a graph from the triangles and degrees of its vertices."""
    vertices = np.bincount(degree)
    closed = np.zeros(len(vertices), dtype=np.int64)
    np.add.at(closed, degree, triangles_at)
    occurs = np.flatnonzero(vertices)
    closed, vertices = closed[occurs], vertices[occurs]
    # Vertices of one degree share a denominator, so that the mean is one division.
    return ClusteringSpectrum(occurs, local_clustering(closed, occurs) / vertices, vertices)


def local_clustering(
    triangles_at: NDArray[np.int64],
    degree: NDArray[np.int64],
    *,
    threads: int | None = None,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Give 2 t / (k (k - 1)) for triangles t and degrees k; 0 for a degree under 2. Written to `out`, if any, zeros."""
    coefficient = np.zeros(len(degree)) if out is None else out
    cuts = blocks.cut_evenly(len(degree), -(-len(degree) // _PIECE))

    def divide(_: int, b: int) -> None:
        part = slice(cuts[b], cuts[b + 1])
        pairs = degree[part] * (degree[part] - 1)
        np.divide(2.0 * triangles_at[part], pairs, out=coefficient[part], where=pairs > 0)

    blocks.run(divide, len(cuts) - 1, threads=resolve_threads(threads))
    return coefficient


def transitivity_of(triangles_at: NDArray[np.int64], degree: NDArray[np.int64]) -> float:
    """Give the transitivity of a graph from the triangles and degrees of its vertices."""
    return _transitivity(count_of(triangles_at), degree)


def count_of(triangles_at: NDArray[np.int64]) -> int:
    """Give the number of triangles from those at each vertex."""
    return exact_sum(triangles_at) // 3


def mean_clustering(coefficient: NDArray[np.float64]) -> float:
    """Give the mean; nan of nothing."""
    return float(coefficient.mean()) if len(coefficient) else float("nan")


def _transitivity(triangles_in_all: int, degree: NDArray[np.int64]) -> float:
    pieces = (degree[start : start + _PIECE] for start in range(0, len(degree), _PIECE))
    wedges = sum(exact_sum(piece * (piece - 1) // 2) for piece in pieces)
    return 3 * triangles_in_all / wedges if wedges else 0.0
