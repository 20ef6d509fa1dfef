"""Refuse the graphs that networkx refuses, with networkx's error and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from triadic.networkx_backend.backend_graph import BackendGraph


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
