"""Triangles one by one, trusses and triads, as in networkx; triads are correct with loops and parallel arcs, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx
import numpy as np

import triadic
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE
from triadic.errors import UnsupportedError
from triadic.measures.edge_support import trussness
from triadic.measures.triangles import list_triangles
from triadic.networkx_backend.backend_graph import BackendGraph, convert_to_nx
from triadic.networkx_backend.reasons import algorithm, by_cost, refuse

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from triadic.measures.census import Census
    from triadic.networkx_backend.reasons import Answer

_BATCH = 1 << 20  # triangles that are held at a time
_RETURNS_GRAPHS = "the result is a networkx graph for every three nodes: making those is all the work"


@algorithm(
    should_run=by_cost("all_triangles"),
    note="Triangles in order of their vertices; with `nbunch`, beginning with its vertices.",
)
def all_triangles(G: nx.Graph, nbunch: Any = None) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401 - as in networkx
    """Iterate over the triangles of a graph, all or with a node of `nbunch`, as `networkx.all_triangles`.

    Triangles are sorted by their vertices. With `nbunch`, each triangle begins with its nodes of `nbunch`, in the order
    of `nbunch`.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "directed")
    return _triangles(graph, nbunch)


def _triangles(graph: BackendGraph, nbunch: Any) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401 - as in networkx
    position = None
    if nbunch is not None:
        first = np.array(list(dict.fromkeys(graph.vertices_of(nbunch).tolist())), dtype=np.int64)
        position = np.arange(len(graph)) + len(first)
        position[first] = np.arange(len(first))
    nodes = graph.nodes
    for triangles in list_triangles(graph.graph, batch=_BATCH, threads=graph.threads):
        chosen = triangles
        if position is not None:  # those with a vertex of `nbunch`, such vertices first
            positions = position[triangles]
            found = (positions < len(first)).any(axis=1)
            order = np.argsort(positions[found], axis=1, kind="stable")
            chosen = np.take_along_axis(triangles[found], order, axis=1)
        for u, v, w in chosen.tolist():
            yield nodes[u], nodes[v], nodes[w]


@algorithm(should_run=by_cost("k_truss", local=False))
def k_truss(G: nx.Graph, k: int) -> nx.Graph:
    """Return the k-truss with all attributes, as `networkx.k_truss`: a copy of the graph, less edges and nodes.

    Raises
    ------
    networkx.NetworkXNotImplemented
        If the graph has loops, is directed or can hold parallel edges.
    """
    graph = G if isinstance(G, BackendGraph) else BackendGraph.from_networkx(G, {}, keep=True)
    refuse(graph, "directed", "multigraph")
    if graph.loops.any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    source, target = graph.graph.edges()
    # Below 3 every edge stays. networkx accepts every k that can be compared, numbers that are not whole included.
    stays = np.ones(len(source), dtype=bool)
    if k > 2:  # trussness is computed once for trusses of every k
        stays = graph.cached("trussness", lambda: trussness(graph.graph, **graph.options)) >= k
    in_truss = np.zeros(len(graph), dtype=bool)
    in_truss[source[stays]] = in_truss[target[stays]] = True
    truss, nodes = convert_to_nx(graph), graph.nodes
    dropped = zip(source[~stays].tolist(), target[~stays].tolist(), strict=True)
    truss.remove_edges_from([(nodes[u], nodes[v]) for u, v in dropped])
    truss.remove_nodes_from([nodes[v] for v in np.flatnonzero(~in_truss).tolist()])
    return truss


def _left_to_networkx(G: Any) -> Answer:  # noqa: ANN401, ARG001 - any graph
    return _RETURNS_GRAPHS


def _should_run(G: Any) -> Answer:  # noqa: ANN401 - any object
    return isinstance(G, BackendGraph) or "a triad has three nodes: networkx is as fast"


@algorithm(should_run=by_cost("triadic_census"), note="Also correct with `nodelist` if nodes outside it have loops.")
def triadic_census(G: nx.DiGraph, nodelist: Sequence[Hashable] | None = None) -> dict[str, int]:
    """Count the triads of each type, all or with a node of a list, as `networkx.triadic_census`.

    Raises
    ------
    ValueError
        If the list has repeats, or nodes that are not in the graph.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if nodelist is None:
        return dict(graph.cached("triadic census", lambda: _census(graph, None)))
    chosen = set(graph.vertices_of(nodelist).tolist())
    if len(nodelist) != len(chosen):
        raise ValueError("nodelist includes duplicate nodes or nodes not in G")
    return _census(graph, chosen)


def _census(graph: BackendGraph, vertices: set[int] | None) -> dict[str, int]:
    census: Census = triadic.triad_census(graph.graph, vertices=vertices, **graph.options)
    return census.to_dict()


@algorithm(can_run=lambda G: True, should_run=_should_run)  # noqa: ARG005 - any object
def is_triad(G: Any) -> bool:  # noqa: ANN401 - any object
    """Return whether a graph is a triad, directed, of three nodes and without loops, as `networkx.is_triad`."""
    if not isinstance(G, nx.Graph | BackendGraph):
        return False
    graph = BackendGraph.of(G)
    return len(graph) == 3 and graph.is_directed() and not graph.loops.any()


@algorithm(should_run=_should_run, note="Parallel arcs count once.")
def triad_type(G: nx.DiGraph) -> str:
    """Return the type of a triad, as `networkx.triad_type`; parallel arcs count once.

    Raises
    ------
    networkx.NetworkXAlgorithmError
        If the graph is not a triad.
    """
    graph = BackendGraph.of(G)
    refuse(graph, "undirected")
    if not is_triad(graph):
        raise nx.NetworkXAlgorithmError("G is not a triad (order-3 DiGraph)")
    # Bits of the codes of triadic.core.triad_types: arcs 0 -> 1, 1 -> 0, 0 -> 2, 2 -> 0, 1 -> 2, 2 -> 1.
    bit = {(0, 1): 1, (1, 0): 2, (0, 2): 4, (2, 0): 8, (1, 2): 16, (2, 1): 32}
    arcs = zip(graph.arcs.source.tolist(), graph.arcs.target.tolist(), strict=True)
    return TRIAD_NAMES[TYPE_OF_CODE[sum(bit[arc] for arc in arcs)]]


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def all_triads(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"all_triads: {_RETURNS_GRAPHS}")


@algorithm(can_run=_left_to_networkx, should_run=_left_to_networkx, listed=False)
def triads_by_type(G: nx.DiGraph) -> NoReturn:  # noqa: ARG001 - networkx's signature
    """Raise, so that networkx runs its own code; `can_run` returns the reason."""
    raise UnsupportedError(f"triads_by_type: {_RETURNS_GRAPHS}")
