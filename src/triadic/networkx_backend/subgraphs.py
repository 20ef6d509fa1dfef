"""Triangles one by one, and trusses, as `networkx.all_triangles` and `networkx.k_truss`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from triadic.measures.edge_support import trussness
from triadic.measures.triangles import list_triangles
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.interchange import convert_to_nx
from triadic.networkx_backend.reasons import algorithm, by_cost, refuse

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from triadic.core.array_types import Int64Array


_BATCH = 1 << 20  # triangles that are held at a time


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
    for batch in list_triangles(graph.graph, batch=_BATCH, threads=graph.threads):
        triangles = batch if position is None else _with_one_of(batch, position, len(first))
        for u, v, w in triangles.tolist():
            yield nodes[u], nodes[v], nodes[w]


def _with_one_of(triangles: Int64Array, position: Int64Array, first: int) -> Int64Array:
    """Return the triangles with a vertex at one of the `first` positions, such vertices first."""
    positions = position[triangles]
    found = (positions < first).any(axis=1)
    order = np.argsort(positions[found], axis=1, kind="stable")
    return np.take_along_axis(triangles[found], order, axis=1)


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
