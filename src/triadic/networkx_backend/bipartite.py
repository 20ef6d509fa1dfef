"""Clustering and butterflies of bipartite graphs, as in `networkx.algorithms.bipartite`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import triadic
from triadic.core.exact import exact_sum
from triadic.core.oriented import rows_of_entries
from triadic.counts.count import at_vertices, run
from triadic.counts.graphlets import SQUARES
from triadic.errors import UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.reasons import algorithm, by_cost, refuse, refuse_loops, takes_undirected_graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    import scipy.sparse

    from triadic.core.array_types import Float64Array, Int64Array

_BATCH = 1 << 18  # paths of two edges, in memory at a time
_MODES = {"dot", "max", "min"}


@algorithm(can_run=takes_undirected_graph, should_run=by_cost("latapy_clustering"), note="Undirected graphs.")
def latapy_clustering(G: nx.Graph, nodes: Iterable[Hashable] | None = None, mode: str = "dot") -> dict[Hashable, float]:
    """Return the mean overlap of nodes with the nodes two steps away, as `networkx.bipartite.latapy_clustering`.

    Raises
    ------
    networkx.NetworkXError
        If the graph is not bipartite, or the mode is unknown.
    """
    graph = BackendGraph.of(G)
    matrix = _undirected(graph).to_scipy()
    if not graph.cached("bipartite", lambda: not graph.loops.any() and _is_bipartite(matrix)):
        raise nx.NetworkXError("Graph is not bipartite")
    if mode not in _MODES:
        raise nx.NetworkXError("Mode for bipartite clustering must be: dot, min or max")
    chosen = graph.nodes if nodes is None else list(nodes)
    vertices = np.array([graph.index[node] for node in chosen], dtype=np.int64)
    return dict(zip(chosen, _overlap(matrix, vertices, mode).tolist(), strict=True))


@algorithm(can_run=takes_undirected_graph, should_run=by_cost("latapy_clustering"))
def bipartite_average_clustering(G: nx.Graph, nodes: Iterable[Hashable] | None = None, mode: str = "dot") -> float:
    """Return the mean of `latapy_clustering`, as `networkx.bipartite.average_clustering`, with the same errors."""
    chosen: Any = G if nodes is None else nodes
    coefficients = latapy_clustering(G, nodes=chosen, mode=mode)
    return sum(coefficients[node] for node in chosen) / len(chosen)


@algorithm(
    can_run=takes_undirected_graph,
    should_run=by_cost("robins_alexander_clustering"),
    note="Undirected graphs without loops.",
)
def robins_alexander_clustering(G: nx.Graph) -> float:
    """Return the share of closed paths of three edges, as `networkx.bipartite.robins_alexander_clustering`."""
    graph = BackendGraph.of(G)
    _undirected(graph)
    refuse_loops(graph, "robins_alexander_clustering")
    return graph.cached("robins-alexander clustering", lambda: _closed_share(graph))


def _closed_share(graph: BackendGraph) -> float:
    """Return four times the number of squares, divided by the number of paths of three edges."""
    simple = graph.graph
    if simple.num_vertices < 4 or simple.num_edges < 3:
        return 0
    source, target = simple.edges()
    degree = simple.degree
    triangles = triadic.triangle_count(simple, **graph.options)
    paths = exact_sum((degree[source] - 1) * (degree[target] - 1)) - 3 * triangles
    return float(sum(_butterflies(graph))) / paths if paths else 0


@algorithm(should_run=by_cost("butterflies", local=False), note="Graphs without loops.")
def butterflies(G: nx.Graph, nodes: Any = None) -> dict[Hashable, int]:  # noqa: ANN401 - as in networkx
    """Count the squares of nodes, as `networkx.bipartite.butterflies`, in graphs that are not bipartite, too."""
    graph = BackendGraph.of(G)
    refuse(graph, "directed")
    refuse_loops(graph, "butterflies")
    values = _butterflies(graph)
    return {node: values[graph.index[node]] for node in graph.nbunch_iter(nodes)}


def _butterflies(graph: BackendGraph) -> list[int]:
    """Return the number of squares of each vertex, with or without chords."""

    def squares() -> list[int]:
        oriented = graph.graph.oriented(threads=graph.threads)
        found: list[int] = at_vertices(
            oriented, run(SQUARES, oriented, **graph.options), threads=graph.threads
        ).tolist()
        return found

    return graph.cached("butterflies", squares)


def _undirected(graph: BackendGraph) -> triadic.Graph:
    if graph.is_directed():
        raise UnsupportedError("bipartite clustering of a directed graph: networkx follows arcs forward only")
    return graph.graph


def _is_bipartite(matrix: scipy.sparse.csr_array[np.int64]) -> bool:
    """Return whether no vertex is connected to its own copy in the bipartite double cover of the graph."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - only this function needs it
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - slow to import

    n = matrix.shape[0]
    if n == 0:
        return True
    # The rows of v and of its copy n + v; `block_array` takes ten times as long for a small graph.
    indices = np.concatenate([matrix.indices.astype(np.int64) + n, matrix.indices])
    indptr = np.concatenate([matrix.indptr, matrix.indptr[1:] + np.int64(matrix.nnz)])
    cover = csr_array((np.ones(len(indices)), indices, indptr), shape=(2 * n, 2 * n))
    _, component = connected_components(cover, directed=False)
    return not bool((component[:n] == component[n:]).any())


def _overlap(matrix: scipy.sparse.csr_array[np.int64], vertices: Int64Array, mode: str) -> Float64Array:
    """Return the mean overlap of some vertices with the vertices with which they share a neighbour."""
    degree = np.diff(matrix.indptr).astype(np.int64)
    paths = np.cumsum(np.asarray(matrix @ degree)[vertices])
    cuts = np.flatnonzero(np.diff(paths // _BATCH, prepend=-1)).tolist()
    mean = np.zeros(len(vertices))
    for begin, end in pairwise([*cuts, len(vertices)]):
        chosen = vertices[begin:end]
        common = matrix[chosen] @ matrix
        row = rows_of_entries(common.indptr)
        other, shared = common.indices, common.data
        away = other != chosen[row]
        row, other, shared = row[away], other[away], shared[away]
        mine, theirs = degree[chosen[row]], degree[other]
        sizes = {"dot": mine + theirs - shared, "max": np.maximum(mine, theirs), "min": np.minimum(mine, theirs)}
        summed = np.bincount(row, shared / sizes[mode], minlength=end - begin)
        others = np.bincount(row, minlength=end - begin)
        np.divide(summed, others, out=mean[begin:end], where=others > 0)
    return mean
