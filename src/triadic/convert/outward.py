"""Convert a `Graph` to another library's object; `triadic.graph.exports` documents these functions as its methods.

Vertices go by their labels if every vertex has a label of its own, and by their numbers otherwise.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import frame
from triadic.errors import MissingExtraError
from triadic.graph.graph import edge_arcs
from triadic.graph.weights import WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import igraph
    import networkx as nx

    from triadic.convert.result_table import Backend
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph


def to_networkx(graph: Graph) -> nx.Graph:
    """Return a networkx Graph or DiGraph; weights become the edge attribute "weight"."""
    package = _import("networkx", "to_networkx")
    converted: nx.Graph = package.DiGraph() if graph.directed else package.Graph()
    names = vertex_names(graph.labels, graph.num_vertices)
    # Nodes and edges without attributes are added by themselves: a dictionary for each takes time.
    nodes, ends = names.tolist(), [names[end].tolist() for end in graph.edges()]
    of_nodes, of_edges = _records(graph.vertex_columns), _records(_columns(graph))
    converted.add_nodes_from(zip(nodes, of_nodes, strict=True) if of_nodes else nodes)
    converted.add_edges_from(zip(*ends, *([of_edges] if of_edges else []), strict=True))
    return converted


def _records(columns: Mapping[str, AnyArray]) -> Iterator[dict[str, object]] | None:
    """Return the values of each row by name, without missing ones; None without columns."""
    if not columns:
        return None
    pairs = (zip(columns, row, strict=True) for row in zip(*map(_values, columns.values()), strict=True))
    return ({name: value for name, value in row if value is not None and value == value} for row in pairs)  # noqa: PLR0124 - NaN


def _values(column: AnyArray) -> list[Any]:
    """Return the values of a column; dates as those of Python, which have microseconds."""
    values: list[Any] = (column.astype("M8[us]") if column.dtype == "M8[ns]" else column).tolist()
    return values


def to_igraph(graph: Graph) -> igraph.Graph:
    """Return an igraph Graph; labels become the vertex attribute "name", weights the edge attribute "weight"."""
    package = _import("igraph", "to_igraph")
    ends = np.column_stack(graph.edges()).tolist()
    converted: igraph.Graph = package.Graph(n=graph.num_vertices, edges=ends, directed=graph.directed)
    names = vertex_names(graph.labels, graph.num_vertices)
    if names is graph.labels:
        converted.vs["name"] = names.tolist()
    for name, column in graph.vertex_columns.items():
        converted.vs[name] = _values(column)
    for name, column in _columns(graph).items():
        converted.es[name] = _values(column)
    return converted


def to_edge_index(graph: Graph) -> Int64Array:
    """Return source and target of each arc, an undirected edge as two arcs: int64, shape (2, num_arcs)."""
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return np.stack([source, graph.indices.astype(np.int64)])


def to_frame(graph: Graph, backend: Backend) -> Any:  # noqa: ANN401 - a table of the library named
    """Return the edges as a table of one of the libraries."""
    names = vertex_names(graph.labels, graph.num_vertices)
    source, target = graph.edges()
    return frame({"source": names[source], "target": names[target]} | _columns(graph), backend)


def vertex_names(labels: AnyArray | None, vertices: int) -> AnyArray:
    """Return the labels if every vertex has a label of its own, and the numbers 0 .. n - 1 otherwise."""
    if labels is not None and len(labels) == vertices and len(set(labels.tolist())) == vertices:
        return labels
    return np.arange(vertices)


def vertex_columns(labels: AnyArray | None, vertices: int, batch: GraphBatch | None) -> dict[str, AnyArray]:
    """Return the columns that name the vertices in a table: "label" and, of a batch, "graph" before it.

    The vertices of a batch go by their labels if these differ within each graph, and by their numbers in their graphs
    otherwise.
    """
    if batch is None:
        return {"label": vertex_names(labels, vertices)}
    graph = batch.graph_of_vertex
    if labels is None or len(set(zip(graph.tolist(), labels.tolist(), strict=False))) < vertices:
        labels = batch.number_of_vertex
    return {"graph": batch.names[graph], "label": labels}


def _columns(graph: Graph) -> dict[str, AnyArray]:
    """Return the columns of the edges in the order of ``graph.edges()``, weights first."""
    arcs = edge_arcs(graph)
    weights = {} if arcs.weights is None else {WEIGHT: arcs.weights}
    return {name: np.array(values) for name, values in (weights | dict(arcs.columns)).items()}


def _import(package: str, method: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(f"{method} needs {package}, which is not installed: pip install {package}") from error
