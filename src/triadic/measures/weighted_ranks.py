"""Weighted clustering coefficients of the ranks of tiles, from sums in fixed point, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import at_vertices, run
from triadic.counts.dyads import DYADS
from triadic.counts.tile_weights import EXACT_PAIRS, EXACT_PRODUCTS, STRENGTHS
from triadic.devices.cpu.fixed_point import PRODUCT_FRACTION, VALUE_FRACTION, VALUE_LIMBS, rounded, rounded_pairs
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.weighted_orientation import counted_once, say_combined
from triadic.measures.weight_scale import checked_largest, largest_weight
from triadic.tiles.edge_values import EdgeValues, edge_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.counts.count import Count
    from triadic.tiles.edge_values import Joined
    from triadic.tiles.layout import Layout
    from triadic.tiles.tiled_graph import TiledGraph

    Sums = dict[Count[Any], NDArray[np.int64]]

Method = Literal["onnela", "barrat", "zhang-horvath"]


@dataclass(frozen=True, slots=True)
class WeightedRanks:
    """A weighted clustering coefficient of a tiled graph: the sums it takes, and the coefficients of some ranks.

    Attributes
    ----------
    method : {"onnela", "barrat", "zhang-horvath"}
    values : EdgeValues
        Values of edges, of which `triangles` and `STRENGTHS` are sums.
    directed : bool
        Whether the graph is directed.
    """

    method: Method
    values: EdgeValues
    directed: bool

    @property
    def triangles(self) -> Count[Any]:
        """The sum over triangles."""
        return EXACT_PAIRS if self.method == "barrat" else EXACT_PRODUCTS

    @property
    def edges(self) -> Count[Any] | None:
        """The sum over edges of which the denominator is made; None if it follows from the degrees."""
        if self.method == "onnela":
            return DYADS if self.directed else None
        return STRENGTHS

    @property
    def counts(self) -> tuple[Count[Any], ...]:
        """The sum over triangles and, if there is one, the sum over edges."""
        return (self.triangles,) if self.edges is None else (self.triangles, self.edges)

    def coefficients(
        self,
        triangles: NDArray[np.int64],
        edges: NDArray[np.int64] | None,
        degree: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Return the coefficients of some ranks from their sums and degrees: float64, shape (ranks,).

        Parameters
        ----------
        triangles : int64 array, shape (ranks, limbs)
        edges : int64 array, shape (ranks, columns), or None
        degree : int64 array, shape (ranks,)
        threads : int, default 1
        """
        joined = rounded(triangles, PRODUCT_FRACTION, threads=threads)
        if self.method == "barrat":  # the power of two of the values is that of the strengths
            assert edges is not None  # noqa: S101 - for the type checker
            strength = rounded(edges, VALUE_FRACTION, threads=threads, count=VALUE_LIMBS)
            return ratio(joined, strength * (degree - 1))
        joined = np.ldexp(joined, self.values.exponent)
        if self.method == "zhang-horvath":
            assert edges is not None  # noqa: S101 - for the type checker
            return ratio(joined, rounded_pairs(edges, threads=threads))
        joined = np.ldexp(joined, 2 * self.values.exponent)
        if edges is None:
            return ratio(2.0 * joined, degree * (degree - 1))
        return ratio(joined, directed_pairs(edges))


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
    stated = None if method == "barrat" else largest
    scale = largest_weight(limits) if stated is None else checked_largest(stated)
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
) -> NDArray[np.float64]:
    """Return the coefficient of each vertex of a tiled graph with weights: float64, shape (n,).

    Without `directions`, the weights of arcs both ways become one as by `Graph.to_undirected`.
    """
    weighted, plain = graph._weighted_oriented, graph.oriented(threads=threads)  # noqa: SLF001 - the form that only weighted counts take
    ranks = weighted_ranks(weighted.layout, method, largest, directions=directions)
    triangles = run(ranks.triangles, weighted, ranks.values, threads=threads, device=device, progress=progress)
    edges = None
    if ranks.edges is DYADS:
        edges = run(DYADS, plain, threads=threads)
    elif ranks.edges is not None:
        edges = run(ranks.edges, weighted, ranks.values, threads=threads)
    out = plain.result(f"{method}-clustering-of-ranks", (plain.num_vertices,), np.float64)
    mapped = [array for array in (triangles, edges, plain.degree, out) if array is not None]
    for piece in plain.pieces(*mapped):
        of_edges = None if edges is None else edges[piece]
        out[piece] = ranks.coefficients(
            triangles[piece], of_edges, plain.degree[piece], threads=resolve_threads(threads)
        )
    return at_vertices(plain, out, threads=threads, name=f"{method}-clustering-of-vertices")


def directed_pairs(dyads: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the denominator of Onnela's coefficient of directed graphs, from the dyads of vertices: shape (n,)."""
    mutual, out, into = dyads.T
    total = 2 * mutual + out + into
    return total * (total - 1) - 2 * mutual


def ratio(numerator: NDArray[np.float64], denominator: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
    """Divide the sums of each vertex; 0 if the denominator is not positive."""
    quotient = np.zeros(len(numerator))
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient
