"""Clustering coefficients of weighted graphs: three generalizations of the local coefficient."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.counts.count import run
from triadic.counts.dyads import DYADS
from triadic.counts.placement import at_vertices
from triadic.counts.weighted_triangles import WEIGHTED_TRIANGLES, sums_of_pairs
from triadic.devices.cpu.weight_sums import sums_and_pairs
from triadic.errors import ArgumentError
from triadic.graph.weighted import entry_weights, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

Method = Literal["onnela", "barrat", "zhang-horvath"]


def weighted_clustering(
    graph: GraphLike,
    *,
    method: Method = "onnela",
    largest: float | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64]:
    """Give each vertex's local clustering coefficient with weights.

    Each method gives the unweighted coefficient where all weights are equal. An edge of weight 0 is an edge: it counts
    in the degree.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`; a graph with weights. A directed one has "onnela" alone.
    method : {"onnela", "barrat", "zhang-horvath"}, default "onnela"
        - "onnela": the mean over pairs of neighbours of the geometric mean of the triangle's three weights, each
          divided by the largest; 0 for a pair that is not joined. As `networkx.clustering` with a weight, directed
          graphs and weights below 0 included: the cube root of a negative product is negative.
        - "barrat": the share of pairs of neighbours that are joined, each pair by the mean of its two weights.
        - "zhang-horvath": the same, each pair by the product of its two weights, and one that is joined by the weight
          that joins it, divided by the largest.
    largest : float, optional
        What "onnela" and "zhang-horvath" divide weights by; the largest weight of the graph by default. "barrat" needs
        none.

    Returns
    -------
    float64 array, shape (n,)
        Between 0 and 1 where no weight is below 0 or above `largest`; 0 for a degree under 2, or where all weights at a
        vertex are 0.

    Raises
    ------
    ArgumentError
        A graph without weights; an unknown method; another than "onnela" on a directed graph, or with a weight below 0;
        weights whose largest is 0 while others are below 0, or a `largest` that cannot be divided by.

    Notes
    -----
    Once a graph, its weights are put in the order of its oriented rows: O(m log k) for rows of k. Then one pass that
    touches every triangle, where `triangles` takes 64 pairs of hubs at a time: about twice as long where there are no
    hubs, four to five times where they have most of the triangles. The same to the bit for any number of threads; on
    GPUs within 1e-12 of that, relative to the sum of absolute values.

    References
    ----------
    Onnela, Saramäki, Kertész and Kaski (2005), Physical Review E 71, 065103; directed: Fagiolo (2007), Physical Review
    E 76, 026107. Barrat, Barthélemy, Pastor-Satorras and Vespignani (2004), PNAS 101, 3747. Zhang and Horvath (2005),
    Statistical Applications in Genetics and Molecular Biology 4, 17. Compared: Saramäki, Kivelä, Onnela, Kaski and
    Kertész (2007), Physical Review E 75, 027105.

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
    graph = as_graph(graph)
    if method not in get_args(Method):
        raise ArgumentError(f"method={method!r}: expected one of {', '.join(map(repr, get_args(Method)))}")
    weights_of(graph)
    if method == "onnela":
        return _onnela(graph, largest, threads, device, progress)
    if graph.directed:
        raise ArgumentError(
            f"method={method!r}: expected 'onnela' on a directed graph; the others take graph.to_undirected()"
        )
    _check_not_negative(graph, method)
    if method == "barrat":
        return _barrat(graph, threads, device, progress)
    return _zhang_horvath(graph, largest, threads, device, progress)


def _onnela(
    graph: Graph, largest: float | None, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    scale, oriented = _scale(graph, largest), graph.oriented(threads=threads)
    weights = entry_weights(graph, threads=threads)
    # The cube root of a product is the product of cube roots, whatever their signs.
    values = np.cbrt(_divided(weights.out, scale))
    if weights.into is None:
        denominator = oriented.degree * (oriented.degree - 1)
        factor = 2.0
    else:
        values += np.cbrt(_divided(weights.into, scale))
        mutual, out, into = run(DYADS, oriented, threads=threads).T
        total = 2 * mutual + out + into
        denominator = total * (total - 1) - 2 * mutual
        factor = 1.0
    at_rank = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    return at_vertices(oriented, _share(factor * at_rank, denominator), threads=threads)


def _barrat(graph: Graph, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.float64]:
    oriented, scale = graph.oriented(threads=threads), _scale(graph, None)
    # It is the same for all weights times anything; divided, no sum passes what a float64 holds.
    values = _divided(entry_weights(graph, threads=threads).out, scale)
    joined = sums_of_pairs(oriented, values, threads=threads, device=device, progress=progress)
    strength, _ = _sums_and_pairs(graph, scale, threads)
    return _share(at_vertices(oriented, joined, threads=threads), strength * (graph.degree - 1))


def _zhang_horvath(
    graph: Graph, largest: float | None, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    oriented, scale = graph.oriented(threads=threads), _scale(graph, largest)
    values = _divided(entry_weights(graph, threads=threads).out, scale)
    joined = run(WEIGHTED_TRIANGLES, oriented, values, threads=threads, device=device, progress=progress)
    _, pairs = _sums_and_pairs(graph, scale, threads)
    return _share(at_vertices(oriented, joined, threads=threads), pairs)


def _sums_and_pairs(graph: Graph, scale: float, threads: int | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up each vertex's weights, and the products of all pairs of them."""
    return sums_and_pairs(graph.indptr, _divided(weights_of(graph), scale), threads=resolve_threads(threads))


def _share(numerator: NDArray[np.float64], denominator: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
    """Divide; 0 where there is nothing to divide by."""
    share = np.zeros(len(numerator))
    np.divide(numerator, denominator, out=share, where=denominator > 0)
    return share


def _scale(graph: Graph, largest: object) -> float:
    """Give what weights are divided by."""
    if largest is not None:
        if not isinstance(largest, Real) or not isfinite(largest) or largest == 0:
            raise ArgumentError(f"largest={largest!r}: expected a finite number other than 0")
        return float(largest)
    weights = weights_of(graph)
    found = float(weights.max(initial=-np.inf))
    if found == 0 and weights.min() < 0:
        raise ArgumentError("weights: the largest is 0 and others are below; expected largest= to divide them by")
    return found if len(weights) and found != 0 else 1.0


def _divided(weights: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        values = weights / scale
    if not np.isfinite(values).all():
        raise ArgumentError(f"weights: divided by {scale:g} some are more than a float64 can hold")
    return values


def _check_not_negative(graph: Graph, method: str) -> None:
    weights = weights_of(graph)
    least = float(weights.min(initial=0.0))
    if least < 0:
        raise ArgumentError(f"method={method!r}: expected weights of at least 0, got {least:g}")
