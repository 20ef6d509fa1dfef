"""The graphlet transform and square clustering. The directions of arcs are ignored.

A graphlet is a connected graph of up to four vertices with a marked vertex. The transform counts, at each vertex of a
network, the subgraphs (raw) or induced subgraphs (net) in which the vertex has the marked place. Raw frequencies follow
from a few counts, and net frequencies from raw ones; docs/graphlets.md has the formulas and a picture of each graphlet.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
Athanasiadis (2023), "FGLT with CUDA", section 1, for the first five graphlets.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads, split
from triadic.core.progress import reporting
from triadic.counts.count import at_vertices, chosen_device, run
from triadic.counts.dyads import NEIGHBOUR_SUMS
from triadic.counts.four_vertices import FOUR_VERTEX_COUNTS, SQUARES
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError, CountOverflowError
from triadic.graph.batch import GraphBatch
from triadic.measures import graphlet_formulas as formulas
from triadic.measures.graphlet_result import GraphletTransform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.tiles.oriented_tiles import OrientedTiles

_LARGEST = 2**63 - 1
_PART = 1 << 16  # vertices of the graphs of a batch that are counted at a time
_NOT_TILED = FOUR_VERTEX_COUNTS.not_tiled


def graphlet_transform(
    graph: GraphLike,
    *,
    graphlets: int = 16,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> GraphletTransform:
    """Count the graphlets of up to four vertices at each vertex.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
        A `TiledGraph` has the first five graphlets only.
    graphlets : {16, 5}, default 16
        Number of graphlets: all 16, or the first five, which have up to three vertices and need only triangles.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    GraphletTransform
        Raw and net frequencies at each vertex, int64 arrays of shape (n, graphlets), and the number of induced
        subgraphs of each kind in the whole graph.

    Raises
    ------
    ArgumentError
        If `graphlets` is not 16 or 5, or another argument does not have an accepted value.
    CountOverflowError
        If a frequency could exceed 64 bits: the claws at a vertex with more than 3,810,779 neighbours.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If `graphlets` is 16 for a `TiledGraph`.

    See Also
    --------
    orbit_degrees : Count the orbits in ORCA's order.
    graphlet_correlation_distance, graphlet_degree_agreement, graphlet_frequency_distance : Compare two networks.
    vertex_table : Compute the frequencies and other measures as the columns of a table.

    Notes
    -----
    Counting 4-cycles takes most of the time: the sum over edges of the smaller of two degrees. While counting, about 25
    bytes per edge (up to 40 in very dense graphs) and 32 bytes per vertex and thread are held beside the graph. Raw and
    net frequencies take 128 bytes per vertex each; net frequencies are computed when they are first read. Beside the
    graphs of a batch, and the frequencies, 10 MB are held, or what its largest graph takes.

    References
    ----------
    Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
    Athanasiadis (2023), "FGLT with CUDA", section 1, for the first five graphlets.
    Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for 4-cycles.

    Examples
    --------
    >>> import triadic
    >>> transform = triadic.graphlet_transform(triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> transform.net[2].tolist()
    [1, 3, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    >>> transform.totals["paw"], transform.totals["2-path"]
    (1, 2)
    """
    batch = graph if isinstance(graph, GraphBatch) else None
    if graphlets == 5:
        tiled = as_graph(graph, tiled=True, batch=True)
        raw = _first_five(tiled.oriented(threads=threads), threads, device, progress)
        return GraphletTransform(raw, threads=threads, labels=tiled.labels, batch=batch)
    if graphlets != 16:
        raise ArgumentError(f"graphlets={graphlets!r}: expected 16 or 5")
    reason = f"only the first five graphlets are counted by tiles, as {_NOT_TILED}"
    graph = as_graph(graph, not_tiled=reason, batch=True)
    oriented = graph.oriented(threads=threads)
    check_width(graph, oriented)
    if batch is not None and oriented.num_vertices > _PART:
        raw = _of_large_batch(batch, threads, device, progress)
    else:
        counts = run(FOUR_VERTEX_COUNTS, oriented, threads=threads, device=device, progress=progress)
        raw = formulas.raw_of_sixteen(oriented, counts, threads=resolve_threads(threads))
    return GraphletTransform(raw, threads=threads, labels=graph.labels, batch=batch)


def square_clustering(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.float64]:
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
    coefficient = np.zeros(len(degree))
    np.divide(squares, possible, out=coefficient, where=possible > 0)
    return at_vertices(oriented, coefficient, threads=threads)


def _of_large_batch(
    batch: GraphBatch, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Return the raw frequencies at each vertex: int64, shape (n, 16).

    On the CPU the graphs are counted some at a time, so that of all numbers only the frequencies are in memory at once.
    """
    oriented = batch.oriented()
    on_cpu = chosen_device(FOUR_VERTEX_COUNTS, device, oriented) == "cpu"
    parts = list(batch.parts(_PART)) if on_cpu else [(0, oriented)]
    raw = np.empty((oriented.num_vertices, 16), dtype=np.int64)
    with reporting(progress, FOUR_VERTEX_COUNTS.label) as report:
        reports = split(report, [1.0] * len(parts))
        for (first, part), each in zip(parts, reports, strict=True):
            counts = run(FOUR_VERTEX_COUNTS, part, threads=threads, device=device, progress=each or False)
            out = raw[first : first + part.num_vertices]
            formulas.raw_of_sixteen(part, counts, threads=resolve_threads(threads), out=out)
    return raw


def _first_five(
    oriented: Oriented | OrientedTiles, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Return the raw frequencies of the first five graphlets at each vertex: int64, shape (n, 5)."""
    triangles = run(TRIANGLES, oriented, threads=threads, device=device, progress=progress)
    near = run(NEIGHBOUR_SUMS, oriented, oriented.degree[:, None], threads=threads, device=device)
    raw = oriented.result("graphlets", (oriented.num_vertices, 5), np.int64)
    return formulas.raw_of_five(oriented, triangles, near, threads=resolve_threads(threads), out=raw)


def exceeds_int64(largest: int, edges: int) -> bool:
    """Return whether a frequency could exceed 64 bits in a graph with this largest degree and number of edges."""
    # Every frequency but that of claws is at most the largest degree times the sum of all degrees.
    return max(comb(largest, 3), 2 * edges * largest) > _LARGEST


def check_width(graph: Graph, oriented: Oriented) -> None:
    """Raise if a frequency at some vertex could exceed 64 bits."""
    largest = int(oriented.degree.max(initial=0))
    if exceeds_int64(largest, oriented.num_edges):
        vertex = int(np.argmax(graph.degree))
        name = vertex if graph.labels is None or vertex >= len(graph.labels) else graph.labels[vertex]
        raise CountOverflowError(
            f"vertex {name} has {largest:,} neighbours: the number of claws with this root may exceed 2**63; "
            "graphlets=5 counts the graphlets of up to three vertices"
        )
