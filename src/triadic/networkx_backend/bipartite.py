"""Clustering of bipartite graphs, as `networkx.algorithms.bipartite` gives it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import triadic
from triadic.core.exact import exact_sum
from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.options import options

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import scipy.sparse
    from numpy.typing import NDArray

_BATCH = 1 << 18  # paths of two edges that are gone through at a time
_MODES = {"dot", "max", "min"}


def latapy_clustering(G: nx.Graph, nodes: Iterable[Hashable] | None = None, mode: str = "dot") -> dict[Hashable, float]:
    """Give the mean overlap of nodes with those two steps away, as `networkx.bipartite.latapy_clustering`.

    Raises
    ------
    networkx.NetworkXError
        A graph that is not bipartite; an unknown mode.
    """
    graph = BackendGraph.of(G)
    matrix = _undirected(graph).to_scipy()
    if graph.loops.any() or not _is_bipartite(matrix):
        raise nx.NetworkXError("Graph is not bipartite")
    if mode not in _MODES:
        raise nx.NetworkXError("Mode for bipartite clustering must be: dot, min or max")
    asked = graph.nodes if nodes is None else list(nodes)
    vertices = np.array([graph.index[node] for node in asked], dtype=np.int64)
    return dict(zip(asked, _overlap(matrix, vertices, mode).tolist(), strict=True))


def bipartite_average_clustering(G: nx.Graph, nodes: Iterable[Hashable] | None = None, mode: str = "dot") -> float:
    """Give the mean of `latapy_clustering`, as `networkx.bipartite.average_clustering`, its failures included."""
    chosen: Any = G if nodes is None else nodes
    found = latapy_clustering(G, nodes=chosen, mode=mode)
    mean: float = sum(found[node] for node in chosen) / len(chosen)
    return mean


def robins_alexander_clustering(G: nx.Graph) -> float:
    """Give the share of paths of three edges that close, as `networkx.bipartite.robins_alexander_clustering`."""
    graph = BackendGraph.of(G)
    of = _undirected(graph)
    if graph.loops.any():
        raise UnsupportedError(
            "robins_alexander_clustering: expected a graph without loops, which networkx takes along"
        )
    if of.num_vertices < 4 or of.num_edges < 3:
        return 0
    source, target = of.edges()
    degree = of.degree
    raw = triadic.graphlet_transform(of, **options(graph)).raw
    triangles, squares = exact_sum(raw[:, 4]) // 3, exact_sum(raw[:, 12]) // 4
    paths = exact_sum((degree[source] - 1) * (degree[target] - 1)) - 3 * triangles
    return 4.0 * squares / paths if paths else 0


def _undirected(graph: BackendGraph) -> triadic.Graph:
    if graph.is_directed():
        raise UnsupportedError("bipartite clustering of a directed graph: networkx follows arcs forward only")
    return graph.graph


def _is_bipartite(matrix: scipy.sparse.csr_array[np.int64]) -> bool:
    """Look in the graph on two copies of the vertices, edges from copy to copy: a cycle of odd length joins the two."""
    from scipy.sparse import block_array  # noqa: PLC0415 - needed for this alone
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    n = matrix.shape[0]
    if n == 0:
        return True
    _, part = connected_components(block_array([[None, matrix], [matrix, None]]), directed=False)
    return not bool((part[:n] == part[n:]).any())


def _overlap(matrix: scipy.sparse.csr_array[np.int64], vertices: NDArray[np.int64], mode: str) -> NDArray[np.float64]:
    """Give the mean overlap of some vertices with those that they share a neighbour with."""
    degree = np.diff(matrix.indptr).astype(np.int64)
    paths = np.cumsum(np.asarray(matrix @ degree)[vertices])
    cuts = np.flatnonzero(np.diff(paths // _BATCH, prepend=-1)).tolist()
    mean = np.zeros(len(vertices))
    for begin, end in pairwise([*cuts, len(vertices)]):
        chosen = vertices[begin:end]
        common = (matrix[chosen] @ matrix).tocoo()
        row, other, shared = common.row, common.col, common.data
        away = other != chosen[row]
        row, other, shared = row[away], other[away], shared[away]
        mine, theirs = degree[chosen[row]], degree[other]
        sizes = {"dot": mine + theirs - shared, "max": np.maximum(mine, theirs), "min": np.minimum(mine, theirs)}
        summed = np.bincount(row, shared / sizes[mode], minlength=end - begin)
        met = np.bincount(row, minlength=end - begin)
        np.divide(summed, met, out=mean[begin:end], where=met > 0)
    return mean
