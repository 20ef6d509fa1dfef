"""Graphs that networkx itself refuses, with its own error and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from triadic.networkx_backend.backend_graph import BackendGraph


def refuse_multigraph(graph: BackendGraph) -> None:
    """Refuse a graph that could hold parallel edges, as networkx does."""
    if graph.is_multigraph():
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def refuse_directed(graph: BackendGraph) -> None:
    """Refuse a directed graph, as networkx does before it asks a backend."""
    if graph.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")


def refuse_undirected(graph: BackendGraph) -> None:
    """Refuse an undirected graph, as networkx does before it asks a backend."""
    if not graph.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for undirected type")
