"""Triangles one by one, and trusses, as `networkx.all_triangles` and `networkx.k_truss` give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from triadic.measures.triangle_listing import iter_triangles
from triadic.measures.trussness import trussness
from triadic.networkx_backend.backend_graph import BackendGraph
from triadic.networkx_backend.interchange import convert_to_nx
from triadic.networkx_backend.options import options, threads_option
from triadic.networkx_backend.refusals import refuse_directed, refuse_multigraph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from numpy.typing import NDArray


def all_triangles(G: nx.Graph, nbunch: Any = None) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401
    """Give all triangles, or those at some nodes, one after the other, as `networkx.all_triangles`.

    In order of their vertices; with `nbunch` a triangle begins with its nodes, in their order.
    """
    graph = BackendGraph.of(G)
    refuse_directed(graph)
    return _triangles(graph, nbunch)


def _triangles(graph: BackendGraph, nbunch: Any) -> Iterator[tuple[Hashable, Hashable, Hashable]]:  # noqa: ANN401
    place = None
    if nbunch is not None:
        first = np.array(list(dict.fromkeys(graph.chosen(nbunch).tolist())), dtype=np.int64)
        place = np.arange(len(graph)) + len(first)
        place[first] = np.arange(len(first))
    nodes = graph.nodes
    for part in iter_triangles(graph.graph, threads=threads_option(graph)):
        chosen = part if place is None else _at_first(part, place, len(first))
        for u, v, w in chosen.tolist():
            yield nodes[u], nodes[v], nodes[w]


def _at_first(part: NDArray[np.int64], place: NDArray[np.int64], first: int) -> NDArray[np.int64]:
    """Keep the triangles that hold one of the first vertices, these in front."""
    places = place[part]
    found = (places < first).any(axis=1)
    order = np.argsort(places[found], axis=1, kind="stable")
    return np.take_along_axis(part[found], order, axis=1)


def k_truss(G: nx.Graph, k: int) -> nx.Graph:
    """Give the k-truss with all attributes, as `networkx.k_truss`: a copy of the graph, less edges and nodes.

    Raises
    ------
    networkx.NetworkXNotImplemented
        A graph with loops, or one that is directed or could hold parallel edges.
    """
    graph = BackendGraph.of(G) if isinstance(G, BackendGraph) else BackendGraph.read(G, {}, keep=True)
    refuse_directed(graph)
    refuse_multigraph(graph)
    if graph.loops.any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    source, target = graph.graph.edges()
    # Below 3 every edge stays; any k that networkx can compare is taken.
    stays = np.ones(len(source), dtype=bool) if k <= 2 else trussness(graph.graph, **options(graph)) >= k
    left = np.zeros(len(graph), dtype=bool)
    left[source[stays]] = left[target[stays]] = True
    truss, nodes = convert_to_nx(graph), graph.nodes
    drop = zip(source[~stays].tolist(), target[~stays].tolist(), strict=True)
    truss.remove_edges_from([(nodes[u], nodes[v]) for u, v in drop])
    truss.remove_nodes_from([nodes[v] for v in np.flatnonzero(~left).tolist()])
    return truss
