"""Clustering coefficients of directed graphs, which respect the directions of arcs, and their patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Unpack, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, table_of_vertices
from triadic.core.checked import check_option
from triadic.core.exact import exact_sum
from triadic.core.triad_types import CLOSED_ROLES, MUTUAL, ROLE_OF_CODE, TRIAD_NAMES, states
from triadic.counts.count import at_vertices, run
from triadic.counts.triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS, DYADS, sum_over_dyads, types_of
from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.batch import GraphBatch, vertex_columns
from triadic.graph.graph import Graph
from triadic.measures.batches import one_row_a_graph, ratio
from triadic.measures.weighted_clustering import onnela, scales_of, weighted_clustering_of_tiles
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import Machine, ProgressKeyword


Method = Literal["fagiolo", "ldbc"]
PARTS = ("total", "cycle", "middle", "into", "out")


@overload
def directed_clustering(
    graph: GraphLike,
    *,
    method: Method = "fagiolo",
    weights: str | bool = False,
    largest: float | None = None,
    parts: Literal[False] = False,
    **machine: Unpack[Machine],
) -> Float64Array: ...


@overload
def directed_clustering(
    graph: GraphLike,
    *,
    method: Literal["fagiolo"] = "fagiolo",
    weights: Literal[False] = False,
    largest: None = None,
    parts: Literal[True],
    **machine: Unpack[Machine],
) -> Table: ...


def directed_clustering(
    graph: GraphLike,
    *,
    method: Method = "fagiolo",
    weights: str | bool = False,
    largest: float | None = None,
    parts: bool = False,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array | Table:
    """Compute the directed clustering coefficient of each vertex: the share of possible directed triangles.

    Three vertices that are joined by arcs in both directions form eight directed triangles: for each vertex two
    cycles, two with the vertex in the middle of a path, two whose arcs lead to the vertex, and two whose arcs lead
    away from it.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        For an undirected graph, whose edges count as arcs in both directions, the result equals `clustering`, and with
        weights the method "onnela" of `weighted_clustering`.
    method : {"fagiolo", "ldbc"}, default "fagiolo"
        Coefficient: that of Fagiolo, as above, or that of LDBC Graphalytics, the share of ordered pairs of neighbours,
        in either direction, that are joined by an arc. "ldbc" has no weights and no parts.
    weights : bool or str, default False
        Whether each directed triangle counts as the geometric mean of its three weights, each divided by the largest
        weight, as by `networkx.clustering` of a digraph with a weight. The name of the weights of a graph or a table of
        another library reads them.
    largest : float, optional
        Number by which the weights are divided; by default the largest weight of the graph, in a `GraphBatch` that of
        each graph.
    parts : bool, default False
        Whether to return the coefficients of the four patterns as well, without weights: a table with the columns
        "total"; "cycle", over cycles i -> j -> k -> i at vertex i; "middle", over paths j -> i -> k with the shortcut
        j -> k; "into", over triangles whose two arcs at i lead to i; and "out", whose two arcs lead away from i.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float64 array, shape (n,), or Table if `parts` is True
        Coefficients between 0 and 1; 0 for a vertex at which no directed triangle is possible. With weights below 0 or
        above `largest` they may lie outside.

    Raises
    ------
    ArgumentError
        If `weights` are asked for and the graph has none, if `largest` is given without `weights`, is 0 or not finite,
        or if another argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    clustering : Compute the coefficient without regard to directions.
    weighted_clustering : Compute coefficients from weights without regard to directions.

    Notes
    -----
    The cost is that of `triad_census` by vertex, with weights that of `weighted_clustering`. `networkx.clustering` of a
    digraph returns the same total. With weights w, largest weight W and e(ij) the sum of the cube roots of w(ij) / W
    and w(ji) / W, the coefficient of vertex i is Σ e(ij) e(ih) e(jh) over its triangles {i, j, h}, divided by the
    number of directed triangles that its arcs could be in.

    References
    ----------
    Fagiolo (2007), "Clustering in complex directed networks", Physical Review E 76, 026107, table I.
    Onnela, Saramäki, Kertész and Kaski (2005), Physical Review E 71, 065103, for the weights.
    Iosup et al. (2020), "The LDBC Graphalytics Benchmark", arXiv:2011.15028, algorithm LCC, for "ldbc".

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True)
    >>> triadic.directed_clustering(graph).round(3)
    array([0.5  , 0.5  , 0.167, 0.   ])
    >>> triadic.directed_clustering(graph, parts=True)["out"]
    array([0.5, 0. , 0. , 0. ])
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], weights=[1, 8, 1, 4], directed=True)
    >>> triadic.directed_clustering(graph, weights=True).round(3)
    array([0.125, 0.125, 0.042, 0.   ])
    """
    check_option("method", method, Method)
    weighted = weights is not False
    if (weighted or method == "ldbc") and parts:
        raise UnsupportedError("parts=True: the four patterns are those of 'fagiolo' without weights")
    if weighted and method == "ldbc":
        raise UnsupportedError("method='ldbc': it has no weights; expected weights=False, or method='fagiolo'")
    if largest is not None and not weighted:
        raise ArgumentError(f"largest={largest!r}: expected weights=True, got weights=False")
    batch = graph if isinstance(graph, GraphBatch) else None
    if weighted and not isinstance(graph, Graph | TiledGraph | GraphBatch):
        graph = Graph(graph, weights=weights)
    elif weighted and weights is not True:
        kind = type(graph).__name__
        raise ArgumentError(f"weights={weights!r}: expected True or False for a {kind}, which has weights of its own")
    graph = as_graph(graph, tiled=True, batch=True, directions="counted")
    if weighted and isinstance(graph, TiledGraph):
        return weighted_clustering_of_tiles(
            graph, "onnela", largest, threads=threads, device=device, progress=progress, directions=True
        )
    if weighted and isinstance(graph, Graph):
        return onnela(graph, scales_of(graph, batch, largest)[0], threads, device, progress)
    oriented = graph.oriented(threads=threads)
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, threads=threads, device=device, progress=progress)
    if method == "ldbc":
        return at_vertices(oriented, ldbc_ratio(roles, oriented.degree), threads=threads)
    ratios = directed_ratios(roles, run(DYADS, oriented, threads=threads), parts=parts)
    found = [at_vertices(oriented, ratio, threads=threads) for ratio in ratios]
    if not parts:
        return found[0]
    rows = vertex_columns(graph.labels, graph.num_vertices, batch)
    return table_of_vertices(dict(zip(PARTS, found, strict=True)), rows)


@one_row_a_graph("directed_transitivity")
def directed_transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Compute the directed transitivity: the share of pairs of arcs of a vertex whose ends are joined by an arc.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        For an undirected graph, whose edges count as arcs in both directions, the result equals `transitivity`.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float
        Between 0 and 1; 0 if no vertex has two arcs that lead away from it.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    transitivity : Compute the transitivity without regard to directions.

    Notes
    -----
    The number of transitive triples u -> v, u -> w, v -> w is divided by the number of ordered pairs of arcs u -> v and
    u -> w. The cost is that of `triad_census`. `networkx.transitivity` of a digraph returns the same.

    References
    ----------
    Holland and Leinhardt (1971), "Transitivity in structural models of small groups", Comparative Group Studies 2, 107,
    for transitive triples.

    Examples
    --------
    >>> import triadic
    >>> triadic.directed_transitivity(triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True))
    0.5
    """
    return _share_closed(graph, _TRANSITIVE, _pairs_of_arcs_out, threads, device, progress)


def _pairs_of_arcs_out(dyads: Int64Array) -> list[int]:
    mutual, out, _ = dyads.T
    return [exact_sum((mutual + out) * (mutual + out - 1))]


@one_row_a_graph("cycle_transitivity")
def cycle_transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Compute the cycle transitivity: the share of directed paths of length two that an arc closes to a cycle.

    Parameters
    ----------
    graph : Graph, TiledGraph, or any input that `Graph` accepts
        For an undirected graph, whose edges count as arcs in both directions, the result equals `transitivity`.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float
        Between 0 and 1; 0 if the graph has no directed path of length two.

    Raises
    ------
    ArgumentError
        If an argument does not have one of the accepted values.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.

    See Also
    --------
    transitivity : Compute the transitivity without regard to directions.
    directed_transitivity : Compute the share of pairs of arcs of a vertex whose ends are joined by an arc.

    Notes
    -----
    Three times the number of directed cycles of length three is divided by the number of directed paths of length two
    between different vertices. The cost is that of `triad_census`.

    References
    ----------
    Leist, Hawick and Playne (2011), "GP-GPU and multi-core architectures for computing clustering coefficients of
    irregular graphs", CSTN-117, section 1 and algorithm 1.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True)
    >>> triadic.count(graph, "cycle_transitivity")
    0.75
    """
    return _share_closed(graph, _PATHS_ON_CYCLES, _directed_paths, threads, device, progress)


def _directed_paths(dyads: Int64Array) -> list[int]:
    """Return the number of directed paths of length two between different vertices, by their middle vertex."""
    mutual, out, into = dyads.T
    return [exact_sum((mutual + into) * (mutual + out) - mutual)]


def _share_closed(
    graph: GraphLike,
    closed: dict[str, int],
    possible: Callable[[Int64Array], list[int]],
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> float:
    """Return the share of possible pairs of arcs, which the dyads tell, that are closed in triads of some types."""
    oriented = as_graph(graph, tiled=True, directions="counted").oriented(threads=threads)
    types = types_of(run(CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress)).tolist()
    pairs = sum_over_dyads(possible, oriented, threads=threads)[0]
    return sum(times * types[TRIAD_NAMES.index(name)] for name, times in closed.items()) / pairs if pairs else 0.0


def directed_ratios(roles: Int64Array, dyads: Int64Array, *, parts: bool) -> Iterator[Float64Array]:
    """Yield the directed clustering of ranks, in total and by pattern, from their closed roles and their dyads."""
    mutual, out, into = dyads.T
    out, into = mutual + out, mutual + into
    closed = roles @ _PARTS_OF_ROLE
    paths = out * into - mutual
    possible = np.stack([paths, paths, into * (into - 1), out * (out - 1)], axis=1)
    yield ratio(closed.sum(axis=1), possible.sum(axis=1))
    if parts:
        yield from map(ratio, closed.T, possible.T)


def ldbc_ratio(roles: Int64Array, degree: Int64Array) -> Float64Array:
    """Return the coefficients of LDBC of ranks from their closed roles and their degrees."""
    return ratio(roles @ _ARCS_ACROSS, degree * (degree - 1))


def _parts_of_role() -> Int64Array:
    """Count the directed triangles in each closed role by pattern: cycle, middle, into, out."""
    parts = np.zeros((len(CLOSED_ROLES), 4), np.int64)
    for code in range(64):
        (x, x_back), (y, y_back), (z, z_back) = ((state & 1, state >> 1) for state in states(code))
        if 0 not in states(code):
            parts[ROLE_OF_CODE[0, code]] = (
                x * z * y_back + y * z_back * x_back,
                x * y_back * z_back + y * x_back * z,
                x_back * y_back * (z + z_back),
                x * y * (z + z_back),
            )
    return parts


_PARTS_OF_ROLE = _parts_of_role()
# Arcs between the other two vertices of each closed role: two if their dyad is mutual.
_ARCS_ACROSS = np.array([1 + MUTUAL[name] - mutual for name, mutual, *_ in CLOSED_ROLES], np.int64)
# Transitive triples, and directed paths of length two on cycles, in each closed type.
_TRANSITIVE = {"030T": 1, "120D": 2, "120U": 2, "120C": 1, "210": 3, "300": 6}
_PATHS_ON_CYCLES = {"030C": 3, "120C": 3, "210": 3, "300": 6}
