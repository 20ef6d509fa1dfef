"""Local clustering coefficients of graphs with weights, by three definitions, in memory and of tiles.

Weights are divided by one number, mostly the largest of them. The coefficients of tiles follow from sums in fixed
point, piece by piece.
"""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_option
from triadic.core.records import value_class
from triadic.counts.count import at_vertices, run
from triadic.counts.edges import EXACT_PAIRS, EXACT_PRODUCTS, STRENGTHS, WEIGHTED_TRIANGLES, sums_of_pairs
from triadic.counts.triads import DYADS
from triadic.devices.cpu.triangles.weight_sums import (
    PRODUCT_FRACTION,
    VALUE_FRACTION,
    VALUE_LIMBS,
    rounded,
    rounded_pairs,
    sums_and_pairs,
)
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import entry_weights, weight_limits, weights_of
from triadic.graph.weights import WEIGHT, counted_once, say_combined
from triadic.measures.batches import ratio
from triadic.tiles.tile import EdgeValues, edge_values
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import Joined

    Scale = float | Float64Array  # what divides weights: one number, or one for each weight


Method = Literal["onnela", "barrat", "zhang-horvath"]


def scales_of(graph: Graph, batch: GraphBatch | None, largest: object) -> tuple[Scale, Scale]:
    """Return what divides the weights of the entries of the oriented rows, and those of the rows of the graph."""
    if batch is None or largest is not None:
        scale = scale_of(largest, weight_limits(graph) if largest is None else None)
        return scale, scale
    weights = weights_of(graph)
    of_row = np.repeat(batch.graph_of_vertex, np.diff(graph.indptr))
    largest_of, smallest_of = np.full(batch.num_graphs, -np.inf), np.full(batch.num_graphs, np.inf)
    np.maximum.at(largest_of, of_row, weights)
    np.minimum.at(smallest_of, of_row, weights)
    of_graphs = _largest(largest_of, smallest_of, batch.names)
    # The ranks of a graph of a batch follow one another, and so do the entries of their rows.
    return np.repeat(of_graphs, batch.edges_of_graphs), of_graphs[of_row]


def scale_of(largest: object, limits: tuple[float, float] | None) -> float:
    """Return what divides the weights of a graph: `largest`, or the largest weight of these limits.

    Raises
    ------
    ArgumentError
        If `largest` is not finite, or 0; or if the largest weight is 0, and others are negative.
    """
    if largest is None and limits is not None:
        least, most = limits
        return float(_largest(np.array([most]), np.array([least]), [])[0])
    if not isinstance(largest, Real) or not isfinite(largest) or largest == 0:
        raise ArgumentError(f"largest={largest!r}: expected a finite number other than 0")
    return float(largest)


def _largest(most: Float64Array, least: Float64Array, names: AnyArray | list[Any]) -> Float64Array:
    """Return the largest weight of each graph; 1 for a graph without edges, or whose weights are all 0."""
    bad = np.flatnonzero((most == 0) & (least < 0))
    if len(bad):
        where = f"graph {names[bad[0]]}: " if len(names) else ""
        raise ArgumentError(
            f"{where}weights: the largest is 0 and others are negative; expected largest=, by which weights are divided"
        )
    return np.where(np.isfinite(most) & (most != 0), most, 1.0)


def _divided(weights: Float64Array, scale: Scale) -> Float64Array:
    """Return the weights divided by the scale, if all are finite."""
    with np.errstate(over="ignore"):
        values: Float64Array = weights / scale
    finite = np.isfinite(values)
    if not finite.all():
        by = np.broadcast_to(scale, values.shape)[np.argmin(finite)]
        raise ArgumentError(f"weights: after division by {by:g}, some exceed the range of float64")
    return values


def check_not_negative(graph: Graph, batch: GraphBatch | None, method: str) -> None:
    """Raise if a weight is negative."""
    if weight_limits(graph)[0] >= 0:
        return
    weights = weights_of(graph)
    arc = int(weights.argmin())
    row = int(np.searchsorted(graph.indptr, arc, side="right")) - 1
    where = "" if batch is None else f" in graph {batch.names[batch.graph_of_vertex[row]]}"
    raise ArgumentError(f"method={method!r}: expected weights of at least 0, got {weights[arc]:g}{where}")


@value_class
class WeightedRanks:
    """A weighted clustering coefficient of a tiled graph: the sums it takes, and the coefficients of some ranks.

    Attributes
    ----------
    method : {"onnela", "barrat", "zhang-horvath"}
    values : EdgeValues
        Values of edges, of which the sums of `counts` are taken.
    directed : bool
        Whether the graph is directed.
    """

    method: Method
    values: EdgeValues
    directed: bool

    @property
    def counts(self) -> tuple[Count[Any], ...]:
        """The sum over triangles and, unless the denominator follows from the degrees, the sum over edges."""
        triangles = EXACT_PAIRS if self.method == "barrat" else EXACT_PRODUCTS
        if self.method != "onnela":
            return triangles, STRENGTHS
        return (triangles, DYADS) if self.directed else (triangles,)

    def coefficients(self, sums: Sequence[Int64Array], degree: Int64Array, *, threads: int = 1) -> Float64Array:
        """Return the coefficients of some ranks from their sums and degrees: float64, shape (ranks,).

        Parameters
        ----------
        sums : sequence of int64 array, shape (ranks, columns)
            The sums of `counts`.
        degree : int64 array, shape (ranks,)
        threads : int, default 1
        """
        triangles, *edges = sums
        joined = rounded(triangles, PRODUCT_FRACTION, threads=threads)
        if self.method == "barrat":  # the power of two of the values is that of the strengths
            strength = rounded(edges[0], VALUE_FRACTION, threads=threads, count=VALUE_LIMBS)
            return ratio(joined, strength * (degree - 1))
        joined = np.ldexp(joined, self.values.exponent)
        if self.method == "zhang-horvath":
            return ratio(joined, rounded_pairs(edges[0], threads=threads))
        joined = np.ldexp(joined, 2 * self.values.exponent)
        return ratio(joined, directed_pairs(edges[0])) if edges else ratio(2.0 * joined, degree * (degree - 1))


def weighted_layout(graph: TiledGraph) -> Layout:
    """Return the layout of tiles with their weights; raise ArgumentError if they have none."""
    return graph._weighted_oriented.layout  # noqa: SLF001 - the form that only weighted counts take


def without_directions(layout: Layout) -> tuple[tuple[float, float], Joined | None]:
    """Return the least and the largest weight of the edges of tiles, and what becomes of weights of arcs both ways.

    Raises
    ------
    ArgumentError
        If the tiles are of a directed network, and most of the weights of arcs both ways are equal, but not all.
    UnsupportedError
        If the tiles are of a directed network, and their header does not have these limits.
    """
    assert layout.weight_limits is not None  # noqa: S101 - of tiles with weights
    again = "make the tiles again with directed=False (--undirected)"
    if not layout.directed:
        return layout.weight_limits, None
    if layout.edge_limits is None:
        raise UnsupportedError(
            f"graph: the header of the tiles lacks the largest weight of arcs both ways together; {again}"
        )
    least, most, equal = layout.edge_limits
    both = layout.arcs - layout.edges
    once = counted_once(layout.edges, both, equal)
    if once is None:
        raise ArgumentError(
            f"graph: {equal:,} of {both:,} edges with arcs both ways have equal weights, but not all; {again} and "
            "combine= (--combine)"
        )
    say_combined(None, 0, both, once=once)
    return ((least / 2, most / 2), "once") if once else ((least, most), "sum")


def weighted_ranks(layout: Layout, method: Method, largest: float | None, *, directions: bool = False) -> WeightedRanks:
    """Return the coefficient of a method for tiles with weights.

    Parameters
    ----------
    layout : Layout
        The layout of the tiles, with the limits of their weights.
    method : {"onnela", "barrat", "zhang-horvath"}
    largest : float, optional
        As for `triadic.weighted_clustering`.
    directions : bool, default False
        Whether directions count. If not, the weights of arcs both ways become one as by `Graph.to_undirected`.

    Raises
    ------
    ArgumentError
        As `without_directions`; or if the weights are negative and `method` does not allow it, or a quotient of weights
        exceeds float64.
    UnsupportedError
        As `without_directions`.
    """
    assert layout.weight_limits is not None  # noqa: S101 - of tiles with weights
    limits, joined = (layout.weight_limits, None) if directions else without_directions(layout)
    if method != "onnela" and limits[0] < 0:
        raise ArgumentError(f"method={method!r}: expected weights of at least 0, got {limits[0]:g}")
    scale = scale_of(None if method == "barrat" else largest, limits)
    values = edge_values(layout, scale, cube_root=method == "onnela", joined=joined)
    return WeightedRanks(method, values, layout.directed and directions)


def weighted_clustering_of_tiles(
    graph: TiledGraph,
    method: Method,
    largest: float | None,
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
    directions: bool = False,
) -> Float64Array:
    """Return the coefficient of each vertex of a tiled graph with weights: float64, shape (n,).

    Without `directions`, the weights of arcs both ways become one as by `Graph.to_undirected`.
    """
    weighted, plain = graph._weighted_oriented, graph.oriented(threads=threads)  # noqa: SLF001 - the form that only weighted counts take
    ranks = weighted_ranks(weighted.layout, method, largest, directions=directions)
    sums = []
    for count in ranks.counts:
        tiles = (weighted, ranks.values) if count.takes_values else (plain,)
        shown = progress if count.adds_over == "triangles" else False
        sums.append(run(count, *tiles, threads=threads, device=device, progress=shown))
    out = plain.result(f"{method}-clustering-of-ranks", (plain.num_vertices,), np.float64)
    for piece in plain.pieces(*sums, plain.degree, out):
        of_piece = [each[piece] for each in sums]
        out[piece] = ranks.coefficients(of_piece, plain.degree[piece], threads=resolve_threads(threads))
    return at_vertices(plain, out, threads=threads, name=f"{method}-clustering-of-vertices")


def directed_pairs(dyads: Int64Array) -> Int64Array:
    """Return the denominator of Onnela's coefficient of directed graphs, from the dyads of vertices: shape (n,)."""
    mutual, out, into = dyads.T
    total = 2 * mutual + out + into
    return total * (total - 1) - 2 * mutual


def weighted_clustering(
    graph: GraphLike,
    *,
    method: Method = "onnela",
    largest: float | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array:
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
    check_option("method", method, Method)
    if isinstance(graph, TiledGraph):
        return weighted_clustering_of_tiles(graph, method, largest, threads=threads, device=device, progress=progress)
    if batch is not None:
        batch = batch.to_undirected()
    # An arc and its reverse may differ in the other columns.
    rules = dict.fromkeys(graph.columns.keys() - {WEIGHT}, "first")
    graph = graph.to_undirected(combine=rules) if batch is None else batch.graph
    if method != "onnela":
        check_not_negative(graph, batch, method)
    # The coefficient of Barrat et al. does not depend on the scale; after the division no sum overflows.
    of_entries, of_rows = scales_of(graph, batch, None if method == "barrat" else largest)
    if method == "onnela":
        return onnela(graph, of_entries, threads, device, progress)
    oriented = graph.oriented(threads=threads)
    values = _divided(entry_weights(graph, threads=threads).out, of_entries)
    rows = _divided(weights_of(graph), of_rows)
    strength, pairs = sums_and_pairs(graph.indptr, rows, threads=resolve_threads(threads))
    if method == "barrat":
        joined = sums_of_pairs(oriented, values, threads=threads, device=device, progress=progress)
        pairs = strength * (graph.degree - 1)
    else:
        joined = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    return ratio(at_vertices(oriented, joined, threads=threads), pairs)


def onnela(graph: Graph, scale: Scale, threads: int | None, device: str, progress: ProgressKeyword) -> Float64Array:
    """Return the coefficient of Onnela of each vertex, or that of Fagiolo if the graph is directed."""
    oriented = graph.oriented(threads=threads)
    weights = entry_weights(graph, threads=threads)
    # The cube root of a product is the product of cube roots, whatever their signs.
    values, factor = np.cbrt(_divided(weights.out, scale)), 2.0
    if weights.into is None:
        denominator = oriented.degree * (oriented.degree - 1)
    else:
        values += np.cbrt(_divided(weights.into, scale))
        denominator, factor = directed_pairs(run(DYADS, oriented, threads=threads)), 1.0
    at_rank = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    return at_vertices(oriented, ratio(factor * at_rank, denominator), threads=threads)
