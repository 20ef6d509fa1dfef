"""Triangles, clustering and butterflies, exact or approximate, with the keys, types and errors of networkx."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import triadic
from triadic.core.blocks import resolve_threads
from triadic.core.exact import exact_sum
from triadic.core.oriented import int_zeros, rows_of_entries
from triadic.counts.count import at_vertices, run
from triadic.counts.graphlets import SQUARES
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
    from collections.abc import Hashable, Iterable

    import scipy.sparse

    from triadic.core.array_types import Float64Array, Int64Array

_COUNTS_LOOPS = nx.__version__.startswith("3.4")  # in square_clustering
# Networkx takes two microseconds for a trial, and a conversion takes about one for each edge.
_TRIALS_PER_EDGE = 0.5
_BATCH = 1 << 18  # paths of two edges, in memory at a time
_MODES = {"dot", "max", "min"}

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
    _undirected(graph, "square_clustering")
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
    closed, _ = sampler.moments(key, int_zeros(1), np.array([trials]))
    return float(closed[0]) / trials


# Bipartite graphs, as in `networkx.algorithms.bipartite`


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
    vertices = np.array([graph.index[node] for node in chosen], np.int64)
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
    oriented = graph.graph.oriented(threads=graph.threads)
    counted = partial(run, SQUARES, oriented, **graph.options)
    return graph.cached("butterflies", lambda: at_vertices(oriented, counted(), threads=graph.threads).tolist())


def _undirected(graph: BackendGraph, name: str = "bipartite clustering") -> triadic.Graph:
    if graph.is_directed():
        raise UnsupportedError(f"{name}: networkx follows arcs forward only; expected an undirected graph")
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
