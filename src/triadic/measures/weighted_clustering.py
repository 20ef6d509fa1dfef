"""Local clustering coefficients of graphs with weights, by three definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.counts.count import at_vertices, run
from triadic.counts.dyads import DYADS
from triadic.counts.weighted_triangles import WEIGHTED_TRIANGLES, sums_of_pairs
from triadic.devices.cpu.weight_sums import sums_and_pairs
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.graph.weighted import check_weighted, entry_weights, weights_of
from triadic.measures.weight_scale import Scale, check_not_negative
from triadic.measures.weighted_ranks import Method, directed_pairs, ratio, weighted_clustering_of_tiles
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


def weighted_clustering(
    graph: GraphLike,
    *,
    method: Method = "onnela",
    largest: float | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64]:
    """Compute the local clustering coefficient of each vertex of a graph with weights.

    Directions are ignored, as by `clustering`, and the weights of an arc and its reverse become one weight as by
    `Graph.to_undirected`. If all weights are equal, each method returns the unweighted coefficient. An edge of weight 0
    counts in the degree.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        A graph with weights.
    method : {"onnela", "barrat", "zhang-horvath"}, default "onnela"
        Definition of the coefficient:

        - "onnela": the mean over pairs of neighbours of the geometric mean of the triangle's three weights, each
          divided by the largest weight; 0 for a pair that is not joined. `networkx.clustering` of an undirected graph
          with a weight returns the same, also for negative weights: the cube root of a negative product is negative.
        - "barrat": the share of pairs of neighbours that are joined, where each pair counts as the mean of its two
          weights.
        - "zhang-horvath": the share of pairs of neighbours that are joined, where each pair counts as the product of
          its two weights, and a joined pair is multiplied by the weight that joins it divided by the largest weight.
    largest : float, optional
        Number by which "onnela" and "zhang-horvath" divide the weights; by default the largest weight of the graph, in
        a `GraphBatch` that of each graph. "barrat" ignores it.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough. A `TiledGraph` is counted on CPUs.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float64 array, shape (n,)
        Coefficient of each vertex, between 0 and 1 if no weight is negative or larger than `largest`. A vertex of
        degree 0 or 1, or whose weights are all 0, has coefficient 0. The result for a `TiledGraph` is mapped into
        memory.

    Raises
    ------
    ArgumentError
        If the graph has no weights, or `Graph.to_undirected` refuses the weights of arcs both ways; if `method` is
        another name, or is not "onnela" for negative weights; if `largest` is 0 or not finite, or the largest weight is
        0 and others are negative; or if another argument does not have an accepted value.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph` and `device` names a GPU.

    See Also
    --------
    clustering : Compute the unweighted coefficient.
    directed_clustering : Compute the coefficient of directed graphs, also with weights.

    Notes
    -----
    With weights w, largest weight W, degree k and strength s (the sum of weights) of vertex i, and sums over the
    triangles {i, j, h} at i:

    - "onnela": 2 Σ (w(ij) w(ih) w(jh))^(1/3) / (W k (k - 1));
    - "barrat": Σ (w(ij) + w(ih)) / (s (k - 1));
    - "zhang-horvath": 2 Σ w(ij) w(ih) w(jh) / (W (s^2 - Σ w(ij)^2)), where the last sum is over neighbours j.

    At the first call for a graph, its weights are sorted into the order of its oriented rows, O(m log k) for rows of
    length k. The count takes about twice as long as `triangles` for graphs without hubs, and four to five times as long
    if most triangles are among hubs. Any number of threads returns the same bits; GPUs return the same within 1e-12 of
    the sum of absolute values.

    The sums of a `TiledGraph` are exact sums of rounded products: any cut into tiles, any number of threads and workers
    and any interruption return the same bits, which agree with those of the graph in memory within 1e-12 of the sum of
    absolute values. Only bits below 2^-230 of the largest weight, or of the largest possible product of three, are cut
    off. So precision is lost where the three weights of a triangle are all below 1e-18 of the largest weight, or in
    strengths where all weights of a vertex are below 1e-53 of it. Strengths take 192 bytes a vertex, triangles 64.

    References
    ----------
    Onnela, Saramäki, Kertész and Kaski (2005), Physical Review E 71, 065103.
    Barrat, Barthélemy, Pastor-Satorras and Vespignani (2004), PNAS 101, 3747.
    Zhang and Horvath (2005), Statistical Applications in Genetics and Molecular Biology 4, 17.
    Saramäki, Kivelä, Onnela, Kaski and Kertész (2007), Physical Review E 75, 027105, for a comparison.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], weights=[1, 8, 1, 4])
    >>> triadic.weighted_clustering(graph).round(3)
    array([0.25 , 0.25 , 0.083, 0.   ])
    >>> triadic.weighted_clustering(graph, method="barrat").round(3)
    array([1.   , 1.   , 0.346, 0.   ])
    >>> triadic.weighted_clustering(graph, method="zhang-horvath").round(3)
    array([0.125, 1.   , 0.023, 0.   ])
    """
    batch = graph if isinstance(graph, GraphBatch) else None
    graph = as_graph(graph, tiled=True, batch=True)
    if method not in get_args(Method):
        raise ArgumentError(f"method={method!r}: expected one of {', '.join(map(repr, get_args(Method)))}")
    if isinstance(graph, TiledGraph):
        return weighted_clustering_of_tiles(graph, method, largest, threads=threads, device=device, progress=progress)
    check_weighted(graph)
    if batch is not None:
        batch = batch.to_undirected()
    graph = graph.to_undirected() if batch is None else batch.graph
    if method != "onnela":
        check_not_negative(graph, batch, method)
    # The coefficient of Barrat et al. does not depend on the scale; after the division no sum overflows.
    scale = Scale(graph, batch, None if method == "barrat" else largest)
    if method == "onnela":
        return onnela(graph, scale, threads, device, progress)
    if method == "barrat":
        return _barrat(graph, scale, threads, device, progress)
    return _zhang_horvath(graph, scale, threads, device, progress)


def onnela(
    graph: Graph, scale: Scale, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    """Return the coefficient of Onnela of each vertex, or that of Fagiolo if the graph is directed."""
    oriented = graph.oriented(threads=threads)
    weights = entry_weights(graph, threads=threads)
    # The cube root of a product is the product of cube roots, whatever their signs.
    values = np.cbrt(scale.entries(weights.out))
    if weights.into is None:
        denominator = oriented.degree * (oriented.degree - 1)
        factor = 2.0
    else:
        values += np.cbrt(scale.entries(weights.into))
        denominator = directed_pairs(run(DYADS, oriented, threads=threads))
        factor = 1.0
    at_rank = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    return at_vertices(oriented, ratio(factor * at_rank, denominator), threads=threads)


def _barrat(
    graph: Graph, scale: Scale, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    oriented = graph.oriented(threads=threads)
    values = scale.entries(entry_weights(graph, threads=threads).out)
    joined = sums_of_pairs(oriented, values, threads=threads, device=device, progress=progress)
    strength, _ = _sums_and_pairs(graph, scale, threads)
    return ratio(at_vertices(oriented, joined, threads=threads), strength * (graph.degree - 1))


def _zhang_horvath(
    graph: Graph, scale: Scale, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    oriented = graph.oriented(threads=threads)
    values = scale.entries(entry_weights(graph, threads=threads).out)
    joined = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    _, pairs = _sums_and_pairs(graph, scale, threads)
    return ratio(at_vertices(oriented, joined, threads=threads), pairs)


def _sums_and_pairs(graph: Graph, scale: Scale, threads: int | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum of the weights of each vertex, and the sum of the products of all pairs of them."""
    return sums_and_pairs(graph.indptr, scale.rows(weights_of(graph)), threads=resolve_threads(threads))
