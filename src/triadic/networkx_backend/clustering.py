"""Triangles and clustering, exact or approximate, with the keys, types and errors of networkx."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import triadic
from triadic.core.blocks import resolve_threads
from triadic.core.oriented import rows_of_entries
from triadic.errors import ArgumentError, UnsupportedError
from triadic.measures.estimates.samplers import LocalWedges
from triadic.networkx_backend.backend_graph import BackendGraph, is_converted
from triadic.networkx_backend.reasons import (
    Answer,
    algorithm,
    by_cost,
    refuse,
    refuse_loops,
    takes_undirected_graph,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from triadic.core.array_types import Float64Array

_COUNTS_LOOPS = nx.__version__.startswith("3.4")  # in square_clustering
# Networkx takes two microseconds for a trial, and a conversion takes about one for each edge.
_TRIALS_PER_EDGE = 0.5

# `nodes` is one node, any iterable of nodes, or None, as in networkx.


@algorithm(should_run=by_cost("triangles"))
def triangles(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401 - as in networkx
    """Count the triangles of nodes, as `networkx.triangles`."""
    graph = BackendGraph.of(G)
    refuse(graph, "directed", *(["multigraph"] if nodes is not None else []))  # all nodes: networkx takes multigraphs
    return graph.values_at(nodes, _triangles(graph))


@algorithm(
    should_run=by_cost("clustering"),
    note="Weighted (Onnela) and directed (Fagiolo) as networkx; weights that are not finite are left to it.",
)
def clustering(G: nx.Graph, nodes: Any = None, weight: Hashable | None = None) -> Any:  # noqa: ANN401 - as in networkx
    """Return local clustering coefficients, also directed and weighted, as `networkx.clustering`."""
    graph = BackendGraph.of(G, weight=weight)
    refuse(graph, "multigraph")
    if weight is not None:
        return _weighted_clustering(graph, nodes, weight)
    measure = triadic.directed_clustering if graph.is_directed() else triadic.clustering
    values = graph.cached("clustering", lambda: _with_whole_zeros(measure(graph.graph, **graph.options)))
    return graph.values_at(nodes, values)


@algorithm(should_run=by_cost("clustering"))
def average_clustering(
    G: nx.Graph,
    nodes: Any = None,  # noqa: ANN401 - as in networkx
    weight: Hashable | None = None,
    count_zeros: bool = True,
) -> float:
    """Return the mean of local clustering coefficients, as `networkx.average_clustering`, with the same errors."""
    values = clustering(G, nodes, weight=weight).values()
    if not count_zeros:
        values = [value for value in values if abs(value) > 0]
    return sum(values) / len(values)


@algorithm(should_run=by_cost("transitivity", local=False))
def transitivity(G: nx.Graph) -> float:
    """Return the share of paths of length two that are closed, as `networkx.transitivity`, which follows arcs."""
    graph = BackendGraph.of(G)
    refuse(graph, "multigraph")
    measure = triadic.directed_transitivity if graph.is_directed() else triadic.transitivity
    return graph.cached("transitivity", lambda: measure(graph.graph, **graph.options) or 0)


@algorithm(can_run=takes_undirected_graph, should_run=by_cost("square_clustering"), note="Undirected graphs.")
def square_clustering(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401 - as in networkx
    """Return square clustering coefficients, as `networkx.square_clustering`."""
    graph = BackendGraph.of(G)
    if graph.is_directed():
        raise UnsupportedError("square_clustering: networkx follows arcs forward only; expected an undirected graph")
    if _COUNTS_LOOPS and graph.loops.any():
        raise UnsupportedError("square_clustering: networkx before 3.5 counts loops; expected a graph without loops")
    return graph.values_at(nodes, graph.cached("square clustering", lambda: _square_clustering(graph)))


@algorithm(should_run=by_cost("generalized_degree"))
def generalized_degree(G: nx.Graph, nodes: Any = None) -> Any:  # noqa: ANN401 - as in networkx
    """Count the edges of nodes by their number of triangles, as `networkx.generalized_degree`."""
    graph = BackendGraph.of(G)
    refuse(graph, "directed", "multigraph")
    ends, support, edges = graph.cached("generalized degree", lambda: _generalized_degree(graph))

    def row(vertex: int) -> Counter[int]:  # a new Counter for every call: callers may change it
        part = slice(ends[vertex], ends[vertex + 1])
        counter: Counter[int] = Counter()
        dict.update(counter, zip(support[part], edges[part], strict=True))  # three times as fast as `Counter.update`
        return counter

    vertices = graph.values_at(nodes, range(len(graph)))
    return {node: row(v) for node, v in vertices.items()} if isinstance(vertices, dict) else row(vertices)


def _triangles(graph: BackendGraph) -> list[int]:
    return graph.cached("triangles", lambda: triadic.triangles(graph.graph, **graph.options).tolist())


def _square_clustering(graph: BackendGraph) -> list[float]:
    simple, degree = graph.graph, graph.graph.degree
    coefficient = triadic.square_clustering(simple, **graph.options)
    values: list[float] = coefficient.tolist()
    near_degrees = np.bincount(rows_of_entries(simple.indptr), degree[simple.indices], len(degree))
    closed = 2 * np.array(_triangles(graph))
    possible = (degree > 1) & ((degree - 1) * near_degrees - degree * (degree - 1) > closed)
    # Networkx returns 0 if no square is possible, and 0.0 if squares are possible but none exists.
    for vertex in np.flatnonzero((coefficient == 0) & ~possible).tolist():
        values[vertex] = 0
    return values


def _generalized_degree(graph: BackendGraph) -> list[list[int]]:
    table = triadic.generalized_degree(graph.graph, **graph.options)
    return [table.indptr.tolist(), table.indices.tolist(), table.data.tolist()]


def _weighted_clustering(graph: BackendGraph, nodes: Any, weight: Hashable) -> Any:  # noqa: ANN401 - as in networkx
    weighted, largest = graph.weighted(weight)
    measure = partial(triadic.directed_clustering, weights=True) if weighted.directed else triadic.weighted_clustering
    if largest == 0:
        # Networkx divides by the largest weight at every edge, or directed at every triangle.
        divisions = np.array(_triangles(graph)) if graph.is_directed() else graph.graph.degree
        if divisions[graph.vertices_of(nodes)].any():
            raise ZeroDivisionError("float division by zero")
        return graph.values_at(nodes, [0] * len(graph))

    def coefficients() -> list[float]:
        try:
            return _with_whole_zeros(measure(weighted, largest=largest, **graph.options))
        except ArgumentError as error:  # a quotient beyond float64, which networkx may avoid
            raise UnsupportedError(str(error)) from error

    return graph.values_at(nodes, graph.cached(("weighted clustering", weight), coefficients))


def _with_whole_zeros(coefficient: Float64Array) -> list[float]:
    """Return Python numbers, with the integer 0 of networkx at vertices without a triangle."""
    return [value or 0 for value in coefficient.tolist()]


def _should_run(G: Any, trials: int = 1000, seed: Any = None) -> Answer:  # noqa: ANN401, ARG001 - as in networkx
    if is_converted(G) or trials >= _TRIALS_PER_EDGE * G.number_of_edges():
        return True
    return f"{trials} trials: networkx reads the neighbours of so few nodes only"


@algorithm(
    should_run=_should_run,
    note="Graphs without loops. A seed gives other draws than in networkx. `triadic.estimate` returns intervals, too.",
)
def approximate_average_clustering(
    G: nx.Graph,
    trials: int = 1000,
    seed: Any = None,  # noqa: ANN401 - as in networkx
) -> float:
    """Return the share of random wedges at random nodes that are closed, as `approximation.average_clustering`."""
    graph = BackendGraph.of(G)
    refuse(graph, "directed")
    refuse_loops(graph, "approximation.average_clustering")
    key = nx.utils.create_py_random_state(seed).getrandbits(63)
    if not len(graph) or trials < 1:
        return 0 / trials  # networkx's error without trials
    threads = resolve_threads(graph.threads)
    sampler = graph.cached(
        ("local wedges", threads), lambda: LocalWedges(graph.graph, threads=threads, by_degree=False)
    )
    closed, _ = sampler.moments(key, np.zeros(1, dtype=np.int64), np.array([trials]))
    return float(closed[0]) / trials
