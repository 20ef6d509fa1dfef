"""A graph as an object of another library: methods of `Graph`, each importing what it makes.

Vertices go by their labels where every vertex has one of its own, else by their numbers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.frames import frame
from triadic.errors import MissingExtraError

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph


def to_networkx(graph: Graph) -> nx.Graph:
    """Give a networkx Graph or DiGraph; weights as the attribute "weight".

    Returns
    -------
    networkx.Graph or networkx.DiGraph
        Its nodes are the labels, str or int, where every vertex has one of its own, else 0 .. n - 1.

    Raises
    ------
    MissingExtraError
        networkx is not installed.

    Examples
    --------
    >>> import triadic
    >>> triadic.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"]).to_networkx().edges
    EdgeView([('a', 'b'), ('b', 'c')])
    """
    package = _imported("networkx", "to_networkx")
    made: nx.Graph = package.DiGraph() if graph.directed else package.Graph()
    names = vertex_names(graph.labels, graph.num_vertices)
    made.add_nodes_from(names.tolist())
    source, target = (names[end].tolist() for end in graph.edges())
    if graph.weights is None:
        made.add_edges_from(zip(source, target, strict=True))
    else:
        made.add_weighted_edges_from(zip(source, target, edge_weights(graph).tolist(), strict=True))
    return made


def to_igraph(graph: Graph) -> igraph.Graph:
    """Give an igraph Graph; labels as the vertex attribute "name", weights as the edge attribute "weight".

    Returns
    -------
    igraph.Graph

    Raises
    ------
    MissingExtraError
        igraph is not installed.
    """
    package = _imported("igraph", "to_igraph")
    ends = np.column_stack(graph.edges()).tolist()
    made: igraph.Graph = package.Graph(n=graph.num_vertices, edges=ends, directed=graph.directed)
    names = vertex_names(graph.labels, graph.num_vertices)
    if names is graph.labels:
        made.vs["name"] = names.tolist()
    if graph.weights is not None:
        made.es["weight"] = edge_weights(graph).tolist()
    return made


def to_edge_index(graph: Graph) -> NDArray[np.int64]:
    """Give sources and targets as PyTorch Geometric has them, an undirected edge as two arcs.

    Returns
    -------
    int64 array, shape (2, num_arcs)
        In rising order; ``torch.from_numpy`` takes it. ``graph.weights`` has the same order.

    Examples
    --------
    >>> import triadic
    >>> triadic.Graph.from_edges([0, 1], [1, 2]).to_edge_index()
    array([[0, 1, 1, 2],
           [1, 0, 2, 1]])
    """
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return np.stack([source, graph.indices.astype(np.int64)])


def to_pandas(graph: Graph) -> pd.DataFrame:
    """Give the edges as a pandas DataFrame: "source", "target" and, where there are weights, "weight".

    Returns
    -------
    pandas.DataFrame
        A row an edge, in the order of ``edges()``; vertices without an edge are not in it.

    Raises
    ------
    MissingExtraError
        pandas is not installed.
    """
    made: pd.DataFrame = frame(_edge_columns(graph), "pandas")
    return made


def to_polars(graph: Graph) -> pl.DataFrame:
    """Give the edges as a polars DataFrame, as `to_pandas` does.

    Returns
    -------
    polars.DataFrame

    Raises
    ------
    MissingExtraError
        polars is not installed.
    """
    made: pl.DataFrame = frame(_edge_columns(graph), "polars")
    return made


def to_arrow(graph: Graph) -> pa.Table:
    """Give the edges as a pyarrow Table, as `to_pandas` does.

    Returns
    -------
    pyarrow.Table

    Examples
    --------
    >>> import triadic
    >>> triadic.Graph.from_edges([0, 1], [1, 2], labels=["a", "b", "c"]).to_arrow().to_pydict()
    {'source': ['a', 'b'], 'target': ['b', 'c']}
    """
    made: pa.Table = frame(_edge_columns(graph), "pyarrow")
    return made


def vertex_names(labels: NDArray[Any] | None, vertices: int) -> NDArray[Any]:
    """Give the labels where every vertex has one of its own, else the numbers 0 .. n - 1."""
    if labels is not None and len(labels) == vertices and len(set(labels.tolist())) == vertices:
        return labels
    return np.arange(vertices)


def edge_weights(graph: Graph) -> NDArray[np.float64]:
    """Give the weights of a graph that has them in the order of ``edges()``."""
    assert graph.weights is not None  # noqa: S101 - the caller asked before
    if graph.directed:
        return graph.weights
    row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return graph.weights[row < graph.indices]


def _edge_columns(graph: Graph) -> dict[str, NDArray[Any]]:
    names = vertex_names(graph.labels, graph.num_vertices)
    source, target = graph.edges()
    columns: dict[str, NDArray[Any]] = {"source": names[source], "target": names[target]}
    return columns if graph.weights is None else columns | {"weight": np.array(edge_weights(graph))}


def _imported(package: str, method: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(f"{method} needs {package}, which is not installed: pip install {package}") from error
