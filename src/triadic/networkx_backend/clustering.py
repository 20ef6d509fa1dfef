"""Triangles and clustering, as `networkx.algorithms.cluster` gives them: the same keys, types and errors."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import triadic
from triadic.errors import ArgumentError, UnsupportedError
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.options import options
from triadic.networkx_backend.refusals import refuse_directed, refuse_multigraph

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

_COUNTS_LOOPS = nx.__version__.startswith("3.4")

# `nodes` is one node, any iterable of nodes, or None: networkx tells them apart by looking.


def triangles(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401
    """Count the triangles of nodes, as `networkx.triangles`."""
    graph = BackendGraph.of(G)
    refuse_directed(graph)
    if nodes is not None:  # without, networkx takes a multigraph
        refuse_multigraph(graph)
    return graph.at(nodes, _triangles(graph))


def clustering(G: nx.Graph, nodes: Any = None, weight: Hashable | None = None) -> Any:  # noqa: ANN401
    """Give local clustering coefficients, directed and weighted ones too, as `networkx.clustering`."""
    graph = BackendGraph.of(G, weight=weight)
    refuse_multigraph(graph)
    if weight is not None:
        return _weighted_clustering(graph, nodes, weight)
    return graph.at(nodes, graph.kept("clustering", lambda: _clustering(graph)))


def average_clustering(
    G: nx.Graph,
    nodes: Any = None,  # noqa: ANN401
    weight: Hashable | None = None,
    count_zeros: bool = True,
) -> float:
    """Give the mean of local clustering coefficients, as `networkx.average_clustering`, its failures included."""
    values = clustering(G, nodes, weight=weight).values()
    if not count_zeros:
        values = [value for value in values if abs(value) > 0]
    mean: float = sum(values) / len(values)
    return mean


def transitivity(G: nx.Graph) -> float:
    """Give the share of paths of length two that are closed, as `networkx.transitivity`; directed ones follow arcs."""
    graph = BackendGraph.of(G)
    refuse_multigraph(graph)
    measure = triadic.directed_transitivity if graph.is_directed() else triadic.transitivity
    [value] = graph.kept("transitivity", lambda: [measure(graph.graph, **options(graph)) or 0])
    return value


def square_clustering(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401
    """Give square clustering coefficients, as `networkx.square_clustering`."""
    graph = BackendGraph.of(G)
    if graph.is_directed():
        raise UnsupportedError("square_clustering: networkx follows arcs forward only; expected an undirected graph")
    if _COUNTS_LOOPS and graph.loops.any():
        raise UnsupportedError("square_clustering: networkx before 3.5 counts loops; expected a graph without")
    return graph.at(nodes, graph.kept("square clustering", lambda: _square_clustering(graph)))


def generalized_degree(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401
    """Count the edges of nodes by the triangles that they are in, as `networkx.generalized_degree`."""
    graph = BackendGraph.of(G)
    refuse_directed(graph)
    refuse_multigraph(graph)
    ends, support, edges = graph.kept("generalized degree", lambda: _generalized_degree(graph))

    def row(vertex: int) -> Counter[int]:  # a new one at every call: a Counter can be changed
        part = slice(ends[vertex], ends[vertex + 1])
        return Counter(dict(zip(support[part], edges[part], strict=True)))

    places = graph.at(nodes, range(len(graph)))
    return {node: row(vertex) for node, vertex in places.items()} if isinstance(places, dict) else row(places)


def _triangles(graph: BackendGraph) -> list[int]:
    return graph.kept("triangles", lambda: triadic.triangles(graph.graph, **options(graph)).tolist())


def _clustering(graph: BackendGraph) -> list[float]:
    measure = triadic.directed_clustering if graph.is_directed() else triadic.clustering
    return _with_whole_zeros(measure(graph.graph, **options(graph)))


def _square_clustering(graph: BackendGraph) -> list[float]:
    coefficient = triadic.square_clustering(graph.graph, **options(graph))
    values: list[float] = coefficient.tolist()
    # 0 where no square is possible, 0.0 where there is none.
    for vertex in np.flatnonzero((coefficient == 0) & ~_has_possible_squares(graph)).tolist():
        values[vertex] = 0
    return values


def _generalized_degree(graph: BackendGraph) -> list[list[int]]:
    table = triadic.generalized_degree(graph.graph, **options(graph))
    return [table.indptr.tolist(), table.indices.tolist(), table.data.tolist()]


def _weighted_clustering(graph: BackendGraph, nodes: Any, weight: Hashable) -> Any:  # noqa: ANN401
    weighted, largest = graph.weighted(weight)
    if largest == 0:
        _refuse_division_by_zero(graph, nodes)
        return graph.at(nodes, [0] * len(graph))

    def coefficients() -> list[float]:
        try:
            return _with_whole_zeros(triadic.weighted_clustering(weighted, largest=largest, **options(graph)))
        except ArgumentError as error:  # quotients past what a float holds, which networkx may get round
            raise UnsupportedError(str(error)) from error

    return graph.at(nodes, graph.kept(("weighted clustering", weight), coefficients))


def _refuse_division_by_zero(graph: BackendGraph, nodes: Any) -> None:  # noqa: ANN401
    """Fail as networkx, which divides by the largest weight: at every edge, of a directed graph at every triangle."""
    met = np.array(_triangles(graph)) if graph.is_directed() else graph.graph.degree
    if met[graph.chosen(nodes)].any():
        raise ZeroDivisionError("float division by zero")


def _has_possible_squares(graph: BackendGraph) -> NDArray[np.bool_]:
    """Find, of vertices without squares, those where some are possible."""
    degree, of = graph.graph.degree, graph.graph
    near = np.bincount(np.repeat(np.arange(len(degree)), np.diff(of.indptr)), degree[of.indices], len(degree))
    closed = 2 * np.array(_triangles(graph))
    possible: NDArray[np.bool_] = (degree - 1) * near - degree * (degree - 1) > closed
    return possible & (degree > 1)


def _with_whole_zeros(coefficient: NDArray[np.float64]) -> list[float]:
    """Give Python's numbers; where there is no triangle networkx gives the whole number 0."""
    return [value or 0 for value in coefficient.tolist()]
