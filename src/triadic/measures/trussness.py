"""Trusses: the parts of a graph whose every edge is in so many triangles of that part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.arcs import Arcs
from triadic.counts.count import run
from triadic.counts.placement import at_edges
from triadic.counts.trussness import TRUSSNESS
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.graph.induced import induced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword


def trussness(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.int64]:
    """Give each edge's trussness: the largest k of whose k-truss it is part.

    The k-truss is the largest subgraph whose every edge is in at least k - 2 of its triangles.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triangles`; a directed graph is taken as its skeleton. The CPU alone peels.

    Returns
    -------
    int64 array, shape (num_edges,), or (num_arcs,) if directed
        In the order of ``graph.edges()``, at least 2. An arc has the trussness of its edge in the skeleton.

    Notes
    -----
    `edge_support`, then edges are peeled from the least support up; at most O(m^1.5 log m).

    References
    ----------
    Cohen (2008), "Trusses: cohesive subgraphs for social network analysis", National Security Agency; Wang and Cheng
    (2012), PVLDB 5, 812; in parallel by levels: Kabir and Madduri (2017), IEEE HPEC.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 0, 1, 1, 2, 3, 3, 4], [1, 2, 3, 2, 3, 3, 4, 5, 5])
    >>> triadic.trussness(graph)
    array([4, 4, 4, 4, 4, 4, 3, 3, 3])
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    found = run(TRUSSNESS, oriented, threads=threads, device=device, progress=progress)
    return at_edges(oriented, found, *graph.edges(), threads=threads)


def k_truss(
    graph: GraphLike, k: int, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> Graph:
    """Give the k-truss: the largest subgraph whose every edge is in at least k - 2 of its triangles.

    Parameters
    ----------
    graph, threads, device, progress
        As for `trussness`; of a directed graph the arcs of those edges are kept.
    k : int
        At least 0; below 3 all edges are kept.

    Returns
    -------
    Graph
        Of the vertices that have an edge left, with their labels, or with their old numbers for labels where there were
        none; weights are kept. `networkx.k_truss` gives the same.

    Raises
    ------
    ArgumentError
        A k that is no whole number of at least 0.

    Notes
    -----
    The cost of `trussness`; edges beyond the k-th level are not peeled.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 0, 1, 1, 2, 3, 3, 4], [1, 2, 3, 2, 3, 3, 4, 5, 5])
    >>> triadic.k_truss(graph, 4)
    Graph(undirected, 4 vertices, 6 edges, with labels)
    """
    graph = as_graph(graph)
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 0:
        raise ArgumentError(f"k={k!r}: expected a whole number of at least 0")
    source, target = graph.edges()
    oriented = graph.oriented(threads=threads)
    found = run(TRUSSNESS, oriented, up_to=int(k), threads=threads, device=device, progress=progress)
    keep = at_edges(oriented, found, source, target, threads=threads) >= k
    source, target = source[keep], target[keep]
    n, weights = graph.num_vertices, graph.weights
    if weights is not None:
        if not graph.directed:
            weights = weights[np.repeat(np.arange(n), np.diff(graph.indptr)) < graph.indices]
        weights = weights[keep]
    joined = np.zeros(n, dtype=bool)
    joined[source] = joined[target] = True
    return Graph.from_arcs(
        induced(Arcs(source, target, n, graph.directed, weights, graph.labels), joined), threads=threads
    )
