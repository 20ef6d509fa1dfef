"""Which library an object is of, told by the module of its type, so that nothing is imported to find out."""

from __future__ import annotations

import sys
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, cast

from triadic.errors import ArgumentError, UnsupportedError
from triadic.graph.graph import Graph
from triadic.graph.weighted import check_combine
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.io.options import ReadOptions

GraphLike: TypeAlias = object
"""A `Graph`, or what `Graph` takes: a graph of another library, a sparse matrix, a table of edges, an edge index."""

# The module here that knows the objects of a package.
_MAKERS = {
    "networkx": "from_networkx",
    "igraph": "from_igraph",
    "rustworkx": "from_rustworkx",
    "networkit": "from_networkit",
    "graph_tool": "from_graph_tool",
    "scipy": "from_matrix",
    "cupyx": "from_matrix",
    "torch_geometric": "from_edge_index",
    "torch": "from_edge_index",
    "numpy": "from_edge_index",
    "cupy": "from_edge_index",
    "pandas": "from_table",
    "polars": "from_table",
    "pyarrow": "from_table",
}
_TAKEN = (
    "a Graph, a graph of networkx, igraph, rustworkx, NetworKit or graph-tool, a sparse matrix of SciPy or CuPy, "
    "a table of pandas, polars or pyarrow, or an edge_index of shape (2, edges)"
)


def as_graph(graph: GraphLike, *, tiled: bool = False) -> Graph:
    """Take a graph as it is, or make one of another library's object.

    A `TiledGraph` is taken as it is where the caller says that it can be counted in tiles.

    What is made is not kept: for several measures of one network make a `Graph` first.

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 1, 2], [1, 2, 0]]))
    Graph(directed, 3 vertices, 3 arcs)
    """
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, TiledGraph):
        if not tiled:
            measure = sys._getframe(1).f_code.co_name  # noqa: SLF001 - the one who asks, for the message
            raise UnsupportedError(f"{measure} does not take a TiledGraph yet: read the graph into memory")
        return cast("Graph", graph)  # it has what these measures ask of one
    return Graph(graph)


def graph_of(given: GraphLike, asked: ReadOptions, *, combine: str = "sum") -> Graph:
    """Make a graph of another library's object.

    Parameters
    ----------
    given : GraphLike
    asked : ReadOptions
    combine : {"sum", "first", "max", "error"}, default "sum"
        What becomes of the weights of repeated edges.

    Raises
    ------
    ArgumentError
        An object of none of the kinds that are taken, or one that says something else than is asked for.
    """
    check_combine(combine)
    if isinstance(given, Graph):
        return _of_graph(given, asked, combine)
    module = _maker(given)
    if module is None:
        raise ArgumentError(
            f"graph: got {type(given).__module__}.{type(given).__qualname__}; expected {_TAKEN}{_elsewhere(given)}"
        )
    make: Callable[[object, ReadOptions, str], Graph] = import_module(f"triadic.convert.{module}").make
    return make(given, asked, combine)


def _elsewhere(given: GraphLike) -> str:
    """Say what takes things that are often tried."""
    if isinstance(given, str | PathLike):
        return "; triadic.read takes the name of a file"
    return "; triadic.Graph.from_edges takes lists of ends" if isinstance(given, list | tuple) else ""


def _maker(given: GraphLike) -> str | None:
    # Along the line of descent, so that a class derived from a library's own is known by it.
    for kind in type(given).__mro__:
        module = _MAKERS.get(kind.__module__.partition(".")[0])
        if module is not None:
            return module
    if hasattr(given, "tocsr"):
        return "from_matrix"
    if (
        hasattr(given, "__arrow_c_stream__")
        or hasattr(given, "__dataframe__")
        or hasattr(given, "__narwhals_dataframe__")
    ):
        return "from_table"
    return None


def _of_graph(graph: Graph, asked: ReadOptions, combine: str) -> Graph:
    if asked.directed is True and not graph.directed:
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    if asked.wants_weights or asked.vertices is not None or asked.names_columns:
        raise UnsupportedError(
            "a Graph has its weights and vertices: expected no weights=, vertices=, source= or target="
        )
    return graph.to_undirected(combine=combine) if asked.directed is False else graph
