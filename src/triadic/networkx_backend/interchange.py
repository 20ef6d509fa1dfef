"""The two functions that networkx calls to convert its graphs to the backend's, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from triadic.networkx_backend.backend_graph import BackendGraph

if TYPE_CHECKING:
    from collections.abc import Hashable


def convert_from_nx(
    graph: nx.Graph,
    edge_attrs: dict[Hashable, Any] | None = None,
    node_attrs: dict[Hashable, Any] | None = None,  # noqa: ARG001 - no algorithm here reads attributes of nodes
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,  # noqa: ARG001 - set whenever networkx caches
    name: str | None = None,  # noqa: ARG001 - networkx passes the name of the algorithm
    graph_name: str | None = None,  # noqa: ARG001 - networkx passes the name of the parameter
) -> BackendGraph:
    """Convert a networkx graph; networkx keeps the result in the graph's cache until the graph changes.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        The graph to convert.
    edge_attrs : dict, optional
        The edge attributes that hold weights, each with the weight of an edge without the attribute.
    node_attrs, preserve_graph_attrs, name, graph_name
        Part of networkx's interface; without effect.
    preserve_edge_attrs, preserve_node_attrs : bool, default False
        Whether to keep the networkx graph as well, with all its attributes.

    Returns
    -------
    BackendGraph

    Raises
    ------
    UnsupportedError
        If a weight is not a finite real number.

    Examples
    --------
    >>> import networkx as nx
    >>> convert_from_nx(nx.path_graph(3))
    BackendGraph(undirected graph, 3 nodes)
    """
    if isinstance(graph, BackendGraph):
        return graph
    weights = {} if edge_attrs is None else edge_attrs
    return BackendGraph.from_networkx(graph, weights, keep=preserve_edge_attrs or preserve_node_attrs)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:  # noqa: ANN401, ARG001 - networkx's interface
    """Convert a graph of the backend to networkx; any other object is returned unchanged.

    A graph that was converted with all its attributes is returned as a copy with all of them. Other graphs have their
    nodes, their edges and the attributes that were converted as weights.

    Examples
    --------
    >>> import networkx as nx
    >>> convert_to_nx(convert_from_nx(nx.path_graph(3))).edges
    EdgeView([(0, 1), (1, 2)])
    """
    if not isinstance(result, BackendGraph):
        return result
    if result.source is not None:
        result.check_unchanged(result.source)
        return result.source.copy()
    kinds = ((nx.Graph, nx.MultiGraph), (nx.DiGraph, nx.MultiDiGraph))
    graph = kinds[result.is_directed()][result.is_multigraph()]()
    nodes = result.nodes
    graph.add_nodes_from(nodes)
    ends = zip(result.arcs.source.tolist(), result.arcs.target.tolist(), strict=True)
    edges = [(nodes[u], nodes[v]) for u, v in ends]
    graph.add_edges_from(edges)
    for attribute, weights in result.attributes.items():
        nx.set_edge_attributes(graph, dict(zip(edges, weights.tolist(), strict=True)), attribute)
    return graph
