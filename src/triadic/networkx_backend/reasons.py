"""Reasons, in words, to leave a call to networkx, and the refusals of graphs that networkx refuses, in its words."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, TypeAlias

import networkx as nx

from triadic.networkx_backend.backend_graph import BackendGraph

Answer: TypeAlias = bool | str
"""True, or a reason in words."""

# Converting a graph and starting a count take about as long as networkx takes for this many edges.
_ENOUGH_EDGES = 100
# Networkx reads the rows of one node's neighbours only; a count here reads the whole graph.
_ENOUGH_NODES = 1 / 50


def takes_graph(G: Any, *_args: Any, **_kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
    """Answer for an algorithm that runs on every graph of networkx."""
    return isinstance(G, (nx.Graph, BackendGraph)) or f"{type(G).__name__} is no graph of networkx"


def takes_undirected_graph(G: Any, *_args: Any, **_kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
    """Answer for an algorithm that runs on undirected graphs, and for which networkx follows arcs forward only."""
    answer = takes_graph(G)
    if answer is True and G.is_directed():
        return "networkx follows the arcs of a directed graph forward only"
    return answer


def enough_edges(G: nx.Graph | BackendGraph, *_args: Any, **_kwargs: Any) -> Answer:  # noqa: ANN401 - any arguments
    """Answer for an algorithm that is worth running on every graph but the smallest ones."""
    return few_edges(G) or True


def few_edges(graph: nx.Graph | BackendGraph, enough: int = _ENOUGH_EDGES) -> str | None:
    """Return the reason why a graph with at most `enough` edges is left to networkx, and None for larger graphs."""
    if is_converted(graph) or _has_more_edges(graph, enough):
        return None
    return f"with at most {enough} edges networkx is as fast"


def few_nodes(graph: nx.Graph | BackendGraph, nodes: Any) -> str | None:  # noqa: ANN401 - one node, nodes or None
    """Return the reason why a call for few nodes is left to networkx, and None for more nodes."""
    if not is_converted(graph) and nodes in graph:
        return "one node: networkx reads its neighbours only"
    return few_items(graph, nodes, "nodes")


def few_items(graph: nx.Graph | BackendGraph, items: Any, what: str) -> str | None:  # noqa: ANN401 - a collection or None
    """Return the reason why a call for few nodes or pairs is left to networkx, and None for more of them."""
    if is_converted(graph) or not isinstance(items, Sized) or len(items) >= _ENOUGH_NODES * len(graph):
        return None
    return f"{len(items)} {what} in a graph of {len(graph)}: networkx reads their neighbours only"


def is_converted(graph: nx.Graph | BackendGraph) -> bool:
    """Return whether a call needs no conversion: networkx has cached the converted graph, or passes it."""
    if isinstance(graph, BackendGraph):
        return True
    cache = getattr(graph, "__networkx_cache__", None)
    return bool(cache and nx.config.cache_converted_graphs and cache.get("backends", {}).get("triadic"))


def _has_more_edges(graph: nx.Graph, enough: int) -> bool:
    """Return whether a graph has more than `enough` edges, reading no more of it than that takes."""
    entries, most = 0, enough * (1 if graph.is_directed() else 2)
    for row in graph._adj.values():  # noqa: SLF001 - number_of_edges reads the whole graph
        entries += len(row)
        if entries > most:
            return True
    return False


def refuse_multigraph(graph: BackendGraph) -> None:
    """Raise networkx's error for a graph that can hold parallel edges."""
    if graph.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def refuse_directed(graph: BackendGraph) -> None:
    """Raise networkx's error for a directed graph."""
    if graph.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")


def refuse_undirected(graph: BackendGraph) -> None:
    """Raise networkx's error for an undirected graph."""
    if not graph.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for undirected type")
