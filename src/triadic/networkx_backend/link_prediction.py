"""Indices of pairs of nodes from their common neighbours, as in `networkx.algorithms.link_prediction`.

For all pairs without an edge, the adjacency matrix is multiplied by itself, a batch of rows at a time. For given pairs,
its rows are multiplied entry by entry, a batch of pairs at a time.

Networkx counts a loop twice in the degree of its node, and takes the node for its own neighbour.
"""

from __future__ import annotations

from collections.abc import Sized
from itertools import chain, repeat
from math import log
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.reasons import Answer, algorithm, few_items, networkx_is_faster, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    import scipy.sparse

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array

    Pairs = Iterable[tuple[Hashable, Hashable]] | None
    Indices = Iterator[tuple[Hashable, Hashable, float]]
    OfDegree = Callable[[int], float] | None  # the weight of a common neighbour; None for the index of Jaccard

_BATCH = 1 << 14  # pairs
_CELLS = 1 << 18  # of a dense part of the matrix of common neighbours
_NOTE = "Common neighbours of all pairs at once, by sparse rows."


def _should_run(G: Any, ebunch: Any = None) -> Answer:  # noqa: ANN401 - any arguments
    n = len(G)
    share = min(1, 2 * len(ebunch) / max(1, n * n)) if isinstance(ebunch, Sized) else 1
    return few_items(G, ebunch, "pairs") or networkx_is_faster("link prediction", G, share=share) or True


class _Index:
    """The index of pairs of vertices: common neighbours with weights by degree, or Jaccard's without."""

    def __init__(self, graph: BackendGraph, of_degree: OfDegree) -> None:
        self.nodes, self.number, self.loops, self.of_degree = graph.nodes, graph.index, graph.loops, of_degree
        self.matrix = graph.graph.to_scipy()  # without loops
        self.size = np.diff(self.matrix.indptr).astype(np.int64) + self.loops
        self.degree = self.size + self.loops
        degree, inverse = np.unique(self.degree, return_inverse=True)
        # No pair of different nodes has a common neighbour of degree below 2.
        weight = (lambda _: 1.0) if of_degree is None else lambda k: of_degree(k) if k > 1 else 0.0
        self.weights = np.array(list(map(weight, degree.tolist())), np.float64)[inverse]

    def near(self, u: int) -> AnyArray:
        """Return the neighbours of a vertex."""
        return self.matrix.indices[self.matrix.indptr[u] : self.matrix.indptr[u + 1]]

    def values(self, u: Int64Array, v: Int64Array, summed: Float64Array) -> list[float]:
        """Return the index of each pair from the summed weights of its common neighbours, u and v left out."""
        if self.of_degree is not None:
            values: list[float] = [value or 0 for value in summed.tolist()]
            # For a pair (u, u) every neighbour is a common neighbour, also a neighbour of degree 1.
            for i in np.flatnonzero(u == v).tolist():
                values[i] = sum(map(self.of_degree, self.degree[self.near(u[i])].tolist()))
            return values
        # A loop at u and the edge (u, v) make u a common neighbour, too; the same holds for v.
        loops = self.loops[u].astype(int) + self.loops[v]
        joined = np.asarray(self.matrix[u, v]).ravel() > 0 if loops.any() else 0
        both = np.where(u == v, self.size[u], summed + joined * loops)
        union = self.size[u] + self.size[v] - both
        share = np.divide(summed, union, out=np.zeros(len(u)), where=union > 0)
        return [value if nonempty else 0 for value, nonempty in zip(share.tolist(), (union > 0).tolist(), strict=True)]

    def of_pairs(self, pairs: list[tuple[Hashable, Hashable]]) -> Indices:
        """Iterate over given pairs."""
        for begin in range(0, len(pairs), _BATCH):
            batch = pairs[begin : begin + _BATCH]
            u, v = (np.array([self.number[pair[end]] for pair in batch]) for end in (0, 1))
            shared: scipy.sparse.csr_array[np.int64] = self.matrix[u].multiply(self.matrix[v]).tocsr()
            for pair, value in zip(batch, self.values(u, v, np.asarray(shared @ self.weights)), strict=True):
                yield pair[0], pair[1], value

    def of_all_pairs(self) -> Indices:
        """Iterate over the pairs without an edge in the order of `networkx.non_edges`, which is that of sets."""
        number, nodes = self.number, self.nodes
        weighted = self.matrix.astype(np.float64)
        weighted.data = self.weights[self.matrix.indices]
        others = set(nodes)
        while others:
            rows: list[int] = []
            rests: list[set[Hashable]] = []
            while others and (len(rows) + 1) * len(nodes) <= max(_CELLS, len(nodes)):
                u = number[others.pop()]
                near = self.near(u).tolist()
                rows.append(u)
                # The difference of sets with the same members as networkx's, so that the pairs have the same order.
                rests.append(others - {nodes[w] for w in ((*near, u) if self.loops[u] else near)})
            widths = list(map(len, rests))
            v = np.fromiter(map(number.__getitem__, chain.from_iterable(rests)), np.int64, count=sum(widths))
            summed = (weighted[rows] @ self.matrix).toarray()[np.repeat(np.arange(len(rows)), widths), v]
            values = self.values(np.repeat(rows, widths), v, summed)
            first = chain.from_iterable(repeat(nodes[u], width) for u, width in zip(rows, widths, strict=True))
            yield from zip(first, chain.from_iterable(rests), values, strict=True)


@algorithm(should_run=_should_run, note=_NOTE)
def jaccard_coefficient(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Return the share of common neighbours in the neighbours of pairs, as `networkx.jaccard_coefficient`."""
    return _indices(G, ebunch, None)


@algorithm(should_run=_should_run, note=_NOTE)
def adamic_adar_index(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Add up 1 / log(degree) over the common neighbours of pairs, as `networkx.adamic_adar_index`."""
    return _indices(G, ebunch, lambda degree: 1 / log(degree))


@algorithm(should_run=_should_run, note=_NOTE)
def resource_allocation_index(G: nx.Graph, ebunch: Pairs = None) -> Indices:
    """Add up 1 / degree over the common neighbours of pairs, as `networkx.resource_allocation_index`."""
    return _indices(G, ebunch, lambda degree: 1 / degree)


def _indices(G: nx.Graph, ebunch: Pairs, of_degree: OfDegree) -> Indices:
    graph = BackendGraph.of(G)
    refuse(graph, "directed", "multigraph")
    pairs = None if ebunch is None else list(ebunch)
    for u, v in pairs or ():
        for node in (u, v):
            if node not in graph:
                raise nx.NodeNotFound(f"Node {node} not in G.")
    index = _Index(graph, of_degree)
    return index.of_all_pairs() if pairs is None else index.of_pairs(pairs)
