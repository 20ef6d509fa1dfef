"""Indices of pairs of nodes from their common neighbours, as `networkx.algorithms.link_prediction` gives them.

All pairs without an edge, one node after the other: what its neighbours weigh is added up at their neighbours. Pairs
that are given: rows of the adjacency matrix times each other, entry by entry, a batch of pairs at a time.

Networkx counts loops here: in degrees twice, and a node with a loop is its own neighbour.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import networkx as nx
import numpy as np

from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.refusals import refuse_directed, refuse_multigraph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    import scipy.sparse
    from numpy.typing import NDArray

    Pairs = Iterable[tuple[Hashable, Hashable]] | None
    Indices = Iterator[tuple[Hashable, Hashable, float]]

_BATCH = 1 << 14  # pairs


class Adjacency(NamedTuple):
    """What indices are made of: the matrix without loops, where loops are, and degrees without them."""

    matrix: scipy.sparse.csr_array[np.int64]
    loops: NDArray[np.bool_]
    degree: NDArray[np.int64]


class Index(Protocol):
    """An index by its two parts: what a common neighbour weighs, and what becomes of the sums."""

    def weights(self, of: Adjacency) -> NDArray[np.float64]:
        """Give what each vertex weighs as a common neighbour: float64, shape (n,)."""

    def values(
        self, of: Adjacency, u: NDArray[np.int64], v: NDArray[np.int64], summed: NDArray[np.float64]
    ) -> list[float]:
        """Give the index of each pair from the sum over its common neighbours, which are neither u nor v."""


class _Jaccard:
    def weights(self, of: Adjacency) -> NDArray[np.float64]:
        return np.ones(len(of.degree))

    def values(
        self, of: Adjacency, u: NDArray[np.int64], v: NDArray[np.int64], summed: NDArray[np.float64]
    ) -> list[float]:
        size = of.degree + of.loops
        # In both neighbourhoods: common neighbours, and u and v themselves where a loop and their edge put them there.
        joined = _entries(of.matrix, u, v) > 0
        both = np.where(u == v, size[u], summed + joined * (of.loops[u].astype(int) + of.loops[v]))
        union = size[u] + size[v] - both
        share = np.divide(summed, union, out=np.zeros(len(u)), where=union > 0)
        return [value if there else 0 for value, there in zip(share.tolist(), (union > 0).tolist(), strict=True)]


class _Degrees:
    """A sum over common neighbours of something of their degrees."""

    def __init__(self, of_degree: Any) -> None:  # noqa: ANN401 - a function of one number
        self._of_degree = of_degree

    def weights(self, of: Adjacency) -> NDArray[np.float64]:
        degree, where = np.unique(of.degree + 2 * of.loops, return_inverse=True)
        # No pair of different nodes has a common neighbour of degree below 2.
        return np.array([self._of_degree(k) if k > 1 else 0.0 for k in degree.tolist()], dtype=np.float64)[where]

    def values(
        self, of: Adjacency, u: NDArray[np.int64], v: NDArray[np.int64], summed: NDArray[np.float64]
    ) -> list[float]:
        values: list[float] = [value or 0 for value in summed.tolist()]
        # Of a node and itself every neighbour is common, one without other edges among them.
        for place in np.flatnonzero(u == v).tolist():
            near = of.matrix.indices[of.matrix.indptr[u[place]] : of.matrix.indptr[u[place] + 1]]
            values[place] = sum(self._of_degree(k) for k in (of.degree + 2 * of.loops)[near].tolist())
        return values


def jaccard_coefficient(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Give the common neighbours of pairs over all their neighbours, as `networkx.jaccard_coefficient`."""
    return _indices(G, ebunch, _Jaccard())


def adamic_adar_index(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Add up 1 / log(degree) over the common neighbours of pairs, as `networkx.adamic_adar_index`."""
    return _indices(G, ebunch, _Degrees(lambda degree: 1 / log(degree)))


def resource_allocation_index(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Add up 1 / degree over the common neighbours of pairs, as `networkx.resource_allocation_index`."""
    return _indices(G, ebunch, _Degrees(lambda degree: 1 / degree))


def _indices(G: nx.Graph, ebunch: Pairs, index: Index) -> Indices:
    graph = BackendGraph.of(G)
    refuse_directed(graph)
    refuse_multigraph(graph)
    if ebunch is None:
        return _of_all_pairs(graph, index)
    pairs = list(ebunch)
    for u, v in pairs:
        for node in (u, v):
            if node not in graph:
                raise nx.NodeNotFound(f"Node {node} not in G.")
    return _of_pairs(graph, pairs, index)


def _of_pairs(graph: BackendGraph, pairs: list[tuple[Hashable, Hashable]], index: Index) -> Indices:
    of, number = _adjacency(graph), graph.index
    weights = index.weights(of)
    for begin in range(0, len(pairs), _BATCH):
        batch = pairs[begin : begin + _BATCH]
        u = np.array([number[pair[0]] for pair in batch])
        v = np.array([number[pair[1]] for pair in batch])
        shared: scipy.sparse.csr_array[np.int64] = of.matrix[u].multiply(of.matrix[v]).tocsr()
        summed: NDArray[np.float64] = np.asarray(shared @ weights)
        for pair, value in zip(batch, index.values(of, u, v, summed), strict=True):
            yield pair[0], pair[1], value


def _of_all_pairs(graph: BackendGraph, index: Index) -> Indices:
    """Go through the pairs without an edge in the order of `networkx.non_edges`, that of its sets."""
    of, number, nodes = _adjacency(graph), graph.index, graph.nodes
    weights, indptr, indices = index.weights(of), of.matrix.indptr, of.matrix.indices
    others = set(nodes)
    while others:
        node = others.pop()
        u = number[node]
        near = indices[indptr[u] : indptr[u + 1]]
        # A set with the same members as networkx's, or the difference would come in another order.
        rest = others - {nodes[w] for w in (*near.tolist(), *([u] if of.loops[u] else []))}
        if not rest:
            continue
        v = np.array([number[other] for other in rest])
        rows = of.matrix[near]
        summed = np.bincount(rows.indices, np.repeat(weights[near], np.diff(rows.indptr)), minlength=len(nodes))
        for other, value in zip(rest, index.values(of, np.full(len(v), u), v, summed[v]), strict=True):
            yield node, other, value


def _adjacency(graph: BackendGraph) -> Adjacency:
    matrix = graph.graph.to_scipy()
    return Adjacency(matrix, graph.loops, np.diff(matrix.indptr).astype(np.int64))


def _entries(matrix: scipy.sparse.csr_array[np.int64], u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(matrix[u, v]).ravel()
