"""Transitivity, and the local clustering coefficient with its means. The directions of arcs are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_option
from triadic.core.exact import exact_sum
from triadic.core.formatting import plural
from triadic.core.memory import drop_pages
from triadic.core.oriented import Oriented
from triadic.counts.count import at_vertices, run
from triadic.counts.triangles import COEFFICIENTS, TRIANGLES, triangles_on_card
from triadic.devices.cpu.vertex_arrays import divided_by_pairs, sums_of_runs
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import Graph
from triadic.measures.batches import average_clusterings, one_row_a_graph, transitivities
from triadic.measures.triangles import triangle_count, triangles, triangles_of

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import Machine, ProgressKeyword
    from triadic.devices.gpu.rows import OrientedOnDevice
    from triadic.graph.selection import Vertices
    from triadic.tiles.sums import RangeValues
    from triadic.tiles.tiled_graph import TiledGraph

Over = Literal["all", "defined", "positive"]

_BLOCK = 1 << 16  # vertices whose paths are counted at a time


@one_row_a_graph("transitivity", transitivities)
def transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Compute the transitivity: three times the number of triangles, divided by the number of paths of length two.

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
    float
        Between 0 and 1; 0 if the graph has no path of length two.

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
    average_clustering : Compute the mean of the local coefficients instead.
    directed_transitivity : Compute the share of pairs of arcs of a vertex whose ends are joined by an arc.

    Notes
    -----
    Newman's clustering coefficient. The cost is that of `triangle_count`, and O(n) for n vertices.

    References
    ----------
    Newman, Strogatz and Watts (2001), Physical Review E 64, 026118.
    Leist, Hawick and Playne (2011), "GP-GPU and multi-core architectures for computing clustering coefficients of
    irregular graphs", CSTN-117, section 1.

    Examples
    --------
    >>> import triadic
    >>> triadic.transitivity(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    0.6
    """
    graph = as_graph(graph, tiled=True, directions="unused")  # `triangle_count` warns
    total = triangle_count(graph, threads=threads, device=device, progress=progress)
    return _transitivity(total, wedges_of(graph))


def clustering(
    graph: GraphLike,
    *,
    vertices: Vertices | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array:
    """Compute the local clustering coefficient of each vertex: the share of pairs of its neighbours that are joined.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    vertices : array_like or set of int or str, or a mask, optional
        The vertices whose coefficients are computed: labels, or numbers from 0 to n - 1 if the graph has no labels; by
        default all. A mask has a bool for each vertex: an array in the order of the vertices, or a mapping, Series or
        table that is aligned by label.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float64 array, shape (n,) or (len(vertices),)
        Coefficient of each vertex, or of each of `vertices` in their order (the vertices of a mask or a set in rising
        order), between 0 and 1. A vertex of degree 0 or 1 has coefficient 0; Watts and Strogatz leave it undefined.
        The result for a `TiledGraph` is mapped into memory.

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
    average_clustering : Compute the mean of the coefficients.
    weighted_clustering : Compute coefficients of graphs with weights, by three definitions.
    directed_clustering : Compute coefficients that respect the directions of arcs.
    directed_clustering : Compute coefficients that follow directions.
    local_closure : Compute the share of paths that start at a vertex and are closed to a triangle.

    Notes
    -----
    A vertex of degree k at t triangles has the coefficient 2 t / (k (k - 1)). The cost is that of `triangles`.

    References
    ----------
    Watts and Strogatz (1998), Nature 393, 440.
    Djinevski, Mishkovski and Trajanov, "Accelerating clustering coefficient calculations on a GPU using OpenCL",
    section 3, equation 1.
    Reza, Ripeanu and Asawat, "Parallel clustering coefficient computation using GPUs", poster.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["Ann", "Bob", "Cid", "Dee"])
    >>> triadic.clustering(graph).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    >>> triadic.clustering(graph, vertices=["Cid"]).round(3)
    array([0.333])
    """
    graph = as_graph(graph, tiled=True, batch=True)
    machine: Machine = {"threads": threads, "device": device, "progress": progress}
    if vertices is not None:
        return local_clustering(*triangles_of(graph, vertices, **machine), threads=threads)
    oriented = graph.oriented(threads=threads)
    if isinstance(oriented, Oriented):
        return run(COEFFICIENTS, oriented, **machine)
    at_rank = run(TRIANGLES, oriented, **machine)
    out = oriented.result("clustering-of-ranks", (oriented.num_vertices,), np.float64)
    for ranks in oriented.pieces(at_rank, oriented.degree, out):
        local_clustering(at_rank[ranks], oriented.degree[ranks], threads=threads, out=out[ranks])
    return at_vertices(oriented, out, threads=threads, name="clustering-of-vertices")


@one_row_a_graph("average_clustering", average_clusterings)
def average_clustering(
    graph: GraphLike,
    *,
    over: Over = "all",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the mean of the local clustering coefficients.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    over : {"all", "defined", "positive"}, default "all"
        The vertices over which the mean is taken:

        - "all": all vertices, with coefficient 0 for a degree of 0 or 1.
        - "defined": the vertices of degree 2 or more.
        - "positive": the vertices whose coefficient is positive.
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
    clustering : Compute the coefficient of each vertex.
    transitivity : Compute the share of all paths of length two that are closed.
    average_closure : Compute the mean of the local closure coefficients.

    Notes
    -----
    The cost is that of `clustering`.

    References
    ----------
    Watts and Strogatz (1998), Nature 393, 440.
    Djinevski, Mishkovski and Trajanov, "Accelerating clustering coefficient calculations on a GPU using OpenCL",
    section 3, equation 2.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> round(triadic.average_clustering(graph), 4), round(triadic.average_clustering(graph, over="defined"), 4)
    (0.5833, 0.7778)
    """
    graph = as_graph(graph, tiled=True, directions="unused")  # `clustering` warns
    check_option("over", over, Over)
    coefficient = clustering(graph, threads=threads, device=device, progress=progress)
    if over == "defined":
        coefficient = coefficient[graph.degree >= 2]
    elif over == "positive":
        coefficient = coefficient[coefficient > 0]
    return mean_clustering(coefficient)


def clustering_spectrum(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Any:  # noqa: ANN401 - a table, or of a batch a list of them
    """Compute the clustering spectrum C(k): the mean local clustering coefficient of the vertices of each degree k.

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
    Table
        The degrees that occur, the mean coefficient at each degree, and the number of vertices of each degree.

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
    clustering : Compute the coefficient of each vertex.
    triadic.plot.clustering_spectrum : Draw the spectrum.

    Notes
    -----
    The cost is that of `triangles`, and O(n) for n vertices.

    References
    ----------
    Vázquez, Pastor-Satorras and Vespignani (2002), Physical Review E 65, 066130.

    Examples
    --------
    >>> import triadic
    >>> spectrum = triadic.clustering_spectrum(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> spectrum["degree"], spectrum["clustering"].round(3), spectrum["vertices"]
    (array([1, 2, 3]), array([0.   , 1.   , 0.333]), array([1, 2, 1]))
    """
    if isinstance(graph, GraphBatch):
        return [clustering_spectrum(each, threads=threads, device=device, progress=progress) for each in graph]
    graph = as_graph(graph, tiled=True)
    return spectrum_of(triangles(graph, threads=threads, device=device, progress=progress), graph.degree)


def spectrum_of(triangles_at: Int64Array, degree: Int64Array) -> Table:
    """Return the clustering spectrum of a graph from the triangles and degrees of its vertices."""
    vertices = np.bincount(degree)
    closed = np.zeros(len(vertices), np.int64)
    np.add.at(closed, degree, triangles_at)
    occurs = np.flatnonzero(vertices)
    closed, vertices = closed[occurs], vertices[occurs]
    # Vertices of one degree share a denominator, so the mean is one division.
    means = local_clustering(closed, occurs) / vertices
    about = f", {plural(int(vertices.sum()), 'vertex', 'vertices')}"
    columns = {"clustering": means, "vertices": vertices}
    return Table(columns, {"degree": occurs}, nouns=("degree", "degrees"), about=about)


def local_clustering(
    triangles_at: Int64Array, degree: Int64Array, *, threads: int | None = None, out: Float64Array | None = None
) -> Float64Array:
    """Return 2 t / (k (k - 1)) for triangles t and degrees k, and 0 for k < 2; `out` must hold zeros."""
    return divided_by_pairs(triangles_at, degree, threads=resolve_threads(threads), out=out)


def transitivity_of(triangles_at: Int64Array, degree: Int64Array) -> float:
    """Return the transitivity of a graph from the triangles and degrees of its vertices."""
    return _transitivity(count_of(triangles_at), wedges_at(degree))


def count_of(triangles_at: Int64Array) -> int:
    """Return the number of triangles of a graph from the triangles at its vertices."""
    return exact_sum(triangles_at) // 3


def wedges_of(graph: Graph | TiledGraph) -> int:
    """Return the number of paths of length two of a graph, which workers of a cluster add up if they can."""
    if isinstance(graph, Graph):
        return wedges_at(graph.degree)
    return graph.oriented().total_over_ranks(_wedges_of_range)[0]


def _wedges_of_range(values: RangeValues) -> list[int]:
    return [wedges_at(values.degree)]


def wedges_at(degree: Int64Array) -> int:
    """Return the number of paths of length two around vertices of these degrees."""
    wedges = 0
    for start in range(0, len(degree), _BLOCK):
        part = degree[start : start + _BLOCK]
        wedges += exact_sum(part * (part - 1) // 2)
        drop_pages(degree)
    return wedges


def stars_at(degree: Int64Array) -> Int64Array:
    """Return the number of sets of three neighbours of each vertex, without a product above 64 bits on the way."""
    pairs = degree * (degree - 1) // 2
    return pairs // 3 * (degree - 2) + pairs % 3 * (degree - 2) // 3


def _transitivity(triangles: int, wedges: int) -> float:
    return 3 * triangles / wedges if wedges else 0.0


def mean_clustering(coefficient: Float64Array) -> float:
    """Return the mean of coefficients; nan if there is none."""
    whole = np.array([0, len(coefficient)])
    return float(sums_of_runs(coefficient, whole)[0]) / len(coefficient) if len(coefficient) else float("nan")


def clustering_on_card(oriented: OrientedOnDevice) -> Any:  # noqa: ANN401 - an array of `xp`
    """Compute the local clustering coefficient of each vertex of a graph on a device, where the result stays.

    Returns
    -------
    float64 array of the runtime's `xp`, shape (n,)

    Raises
    ------
    DeviceError, OutOfMemoryError
        If the device fails, or has too little memory.
    """
    runtime, arrays = oriented.runtime, oriented.arrays
    closed = triangles_on_card(oriented)
    with runtime.active():
        degree = runtime.view(arrays.degree)
        pairs = runtime.xp.maximum(degree * (degree - 1), 1)
        return (2.0 * closed / pairs)[runtime.view(arrays.rank).astype(np.int64)]
