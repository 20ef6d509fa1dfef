"""Clustering coefficients that tell in which directions the arcs of a triangle run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, overload

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.exact import exact_sum
from triadic.core.triad_types import CLOSED_ROLES, MUTUAL, ROLE_OF_CODE, TRIAD_NAMES, states
from triadic.counts.closed_triads import CLOSED_ROLES_OF_VERTICES, CLOSED_TRIADS, types_of
from triadic.counts.count import run
from triadic.counts.dyads import DYADS
from triadic.counts.placement import at_vertices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword


class DirectedClustering(NamedTuple):
    """Directed clustering of each vertex i, and its parts by the way the arcs of a triangle run.

    Attributes
    ----------
    total : float64 array, shape (n,)
        Of all directed triangles.
    cycle : float64 array, shape (n,)
        Of cycles i -> j -> k -> i.
    middle : float64 array, shape (n,)
        Of triangles in which i stands in the middle of a path j -> i -> k that the arc j -> k cuts short.
    into : float64 array, shape (n,)
        Of triangles in which both arcs at i lead to it.
    out : float64 array, shape (n,)
        Of triangles in which both arcs at i lead from it.
    """

    total: NDArray[np.float64]
    cycle: NDArray[np.float64]
    middle: NDArray[np.float64]
    into: NDArray[np.float64]
    out: NDArray[np.float64]


@overload
def directed_clustering(
    graph: GraphLike,
    *,
    parts: Literal[False] = False,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64]: ...


@overload
def directed_clustering(
    graph: GraphLike,
    *,
    parts: Literal[True],
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> DirectedClustering: ...


def directed_clustering(
    graph: GraphLike,
    *,
    parts: bool = False,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64] | DirectedClustering:
    """Give each vertex's directed clustering coefficient: its directed triangles over those that it could have.

    Three vertices that are all joined by arcs both ways hold eight directed triangles: two cycles, and two each with
    the vertex in the middle, with both its arcs leading in and with both leading out.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census_by_vertex`; of an undirected graph, where all arcs run both ways, it is `clustering`.
    parts : bool, default False
        Whether to give the four kinds of triangles too, each over those of its kind that the vertex could have.

    Returns
    -------
    float64 array, shape (n,), or DirectedClustering
        Between 0 and 1; 0 where no triangle is possible.

    See Also
    --------
    weighted_clustering : of directed graphs with weights.

    References
    ----------
    Fagiolo (2007), Physical Review E 76, 026107, table I; `networkx.clustering` of a digraph.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True)
    >>> triadic.directed_clustering(graph).round(3)
    array([0.5  , 0.5  , 0.167, 0.   ])
    >>> triadic.directed_clustering(graph, parts=True).out
    array([0.5, 0. , 0. , 0. ])
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, threads=threads, device=device, progress=progress)
    mutual, out, into = run(DYADS, oriented, threads=threads).T
    out, into = mutual + out, mutual + into
    found = roles @ _PARTS_OF_ROLE
    possible = np.stack([out * into - mutual, out * into - mutual, into * (into - 1), out * (out - 1)], axis=1)
    total = at_vertices(oriented, _share(found.sum(axis=1), possible.sum(axis=1)), threads=threads)
    if not parts:
        return total
    each = (_share(found[:, kind], possible[:, kind]) for kind in range(4))
    return DirectedClustering(total, *(at_vertices(oriented, part, threads=threads) for part in each))


def directed_transitivity(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> float:
    """Give the share of pairs of arcs from one vertex whose ends an arc joins, in a given order.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census`.

    Returns
    -------
    float
        Transitive triples u -> v, u -> w, v -> w over ordered pairs of arcs u -> v, u -> w; 0 where there is none. What
        `networkx.transitivity` gives for a digraph, and of an undirected graph its `transitivity`.

    See Also
    --------
    cycle_transitivity : closed to a cycle instead.

    Examples
    --------
    >>> import triadic
    >>> triadic.directed_transitivity(triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True))
    0.5
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    types = types_of(run(CLOSED_TRIADS, oriented, threads=threads, device=device, progress=progress)).tolist()
    transitive = sum(times * types[TRIAD_NAMES.index(name)] for name, times in _TRANSITIVE.items())
    mutual, out, _ = run(DYADS, oriented, threads=threads).T
    pairs = exact_sum((mutual + out) * (mutual + out - 1))
    return transitive / pairs if pairs else 0.0


def ldbc_clustering(
    graph: GraphLike, *, threads: int | None = None, device: str = "auto", progress: ProgressKeyword = False
) -> NDArray[np.float64]:
    """Give each vertex's local clustering coefficient as LDBC Graphalytics defines it for directed graphs.

    Neighbours are those that an arc either way joins. Of all ordered pairs of them it is the share that an arc joins.

    Parameters
    ----------
    graph, threads, device, progress
        As for `triad_census_by_vertex`; of an undirected graph it is `clustering`.

    Returns
    -------
    float64 array, shape (n,)
        Between 0 and 1; 0 for a vertex with fewer than two neighbours.

    References
    ----------
    Iosup et al. (2020), "The LDBC Graphalytics Benchmark", arXiv:2011.15028, LCC.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True)
    >>> triadic.ldbc_clustering(graph).round(3)
    array([0.5  , 0.5  , 0.167, 0.   ])
    """
    graph = as_graph(graph)
    oriented = graph.oriented(threads=threads)
    roles = run(CLOSED_ROLES_OF_VERTICES, oriented, threads=threads, device=device, progress=progress)
    pairs = oriented.degree * (oriented.degree - 1)
    return at_vertices(oriented, _share(roles @ _ARCS_ACROSS, pairs), threads=threads)


def _share(found: NDArray[np.int64], possible: NDArray[np.int64]) -> NDArray[np.float64]:
    share = np.zeros(len(found))
    np.divide(found, possible, out=share, where=possible > 0)
    return share


def _parts_of_role() -> NDArray[np.int64]:
    """Count in each closed role the directed triangles of the four kinds at a vertex: cycle, middle, into, out."""
    parts = np.zeros((len(CLOSED_ROLES), 4), dtype=np.int64)
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
# Arcs between the other two vertices: two where the mutual dyad that is not at the vertex is there.
_ARCS_ACROSS = np.array([1 + MUTUAL[name] - mutual for name, mutual, *_ in CLOSED_ROLES], dtype=np.int64)
# Transitive triples in each closed type.
_TRANSITIVE = {"030T": 1, "120D": 2, "120U": 2, "120C": 1, "210": 3, "300": 6}
