"""Recognise the library of an object by the module of its type, so that no library is imported to find out.

Directions that may not mean what the caller expects are a warning.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from inspect import unwrap
from os import PathLike
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from triadic.convert.graph_libraries import ConvertOptions
from triadic.core.checked import type_name
from triadic.devices.select import warn
from triadic.errors import ArgumentError, DirectionWarning, UnsupportedError
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import Graph, GraphLike
from triadic.graph.makers import rules_of
from triadic.graph.temporal import TemporalGraph
from triadic.tiles.tiled_graph import TiledGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

__all__ = ["GraphLike", "as_graph", "graph_of"]

# The module and the function of triadic.convert that convert the objects of a package.
_CONVERTERS = {
    "networkx": "from_networkx:convert",
    "igraph": "graph_libraries:from_igraph",
    "rustworkx": "graph_libraries:from_rustworkx",
    "networkit": "graph_libraries:from_networkit",
    "graph_tool": "graph_libraries:from_graph_tool",
    "scipy": "graph_libraries:from_matrix",
    "cupyx": "graph_libraries:from_matrix",
    "torch_geometric": "graph_libraries:from_edge_index",
    "torch": "graph_libraries:from_edge_index",
    "numpy": "graph_libraries:from_edge_index",
    "cupy": "graph_libraries:from_edge_index",
    "pandas": "from_table:convert",
    "polars": "from_table:convert",
    "pyarrow": "from_table:convert",
    "duckdb": "from_table:convert",
    "_duckdb": "from_table:convert",
}
_ACCEPTED = (
    "a Graph, a graph of networkx, igraph, rustworkx, NetworKit or graph-tool, a sparse matrix of SciPy or CuPy, "
    "a table of pandas, polars, pyarrow or DuckDB, or an edge_index of shape (2, edges)"
)
_ONE_OF_BATCH = "pass one of its graphs, such as batch[0], or loop over them"

Directions = Literal["counted", "ignored", "unused"]
"""What a measure does with the directions of a directed graph."""

# Libraries of graphs, which state whether a graph is directed; an attribute of their graphs, and the classes of these.
_GRAPH_LIBRARIES = {
    "from_networkx:convert": ("networkx", "_adj", "Graph or DiGraph"),
    "graph_libraries:from_igraph": ("igraph", "get_edgelist", "Graph"),
    "graph_libraries:from_rustworkx": ("rustworkx", "weighted_edge_list", "PyGraph or PyDiGraph"),
    "graph_libraries:from_networkit": ("NetworKit", "iterEdges", "Graph"),
    "graph_libraries:from_graph_tool": ("graph-tool", "get_edges", "Graph or GraphView"),
}


@overload
def as_graph(
    graph: GraphLike,
    *,
    tiled: Literal[False] = False,
    not_tiled: str = "",
    batch: bool = False,
    directions: Directions = "ignored",
) -> Graph: ...


@overload
def as_graph(
    graph: GraphLike, *, tiled: Literal[True], batch: bool = False, directions: Directions = "ignored"
) -> Graph | TiledGraph: ...


def as_graph(
    graph: GraphLike,
    *,
    tiled: bool = False,
    not_tiled: str = "",
    batch: bool = False,
    directions: Directions = "ignored",
) -> Graph | TiledGraph:
    """Return a `Graph` unchanged, and convert any other object to one.

    The converted graph is not kept. To measure one network several times, make a `Graph` first.

    Parameters
    ----------
    graph : GraphLike
        A `Graph`, a `TiledGraph`, or an object that `Graph` converts.
    tiled : bool, default False
        Whether the caller can count a `TiledGraph`, which is then returned unchanged.
    not_tiled : str, optional
        Why the caller cannot, for the error.
    batch : bool, default False
        Whether the result of the caller for the disjoint union of graphs consists of its results for each of them. A
        `GraphBatch` is then replaced by the union of its graphs.
    directions : {"ignored", "counted", "unused"}, default "ignored"
        What the caller does with the directions of a directed graph, for the warnings below; "unused" issues none.

    Returns
    -------
    Graph, or TiledGraph if `tiled` is True

    Raises
    ------
    ArgumentError
        If the object is of an unknown type.
    UnsupportedError
        If the object is a `TiledGraph` and `tiled` is False, or a `GraphBatch` and `batch` is False.

    Warns
    -----
    DirectionWarning
        If the caller ignores directions and the object is a directed graph of another library; or if the caller counts
        directions, the graph was read as directed although nothing said so, and no arc has a reverse arc, or every arc.

    Examples
    --------
    >>> import numpy as np
    >>> as_graph(np.array([[0, 1, 2], [1, 2, 0]]))
    Graph(directed, 3 vertices, 3 arcs)
    """
    if isinstance(graph, TiledGraph):
        if not tiled:
            raise refusal_of_tiles(not_tiled)
        converted: Graph | TiledGraph = graph
    elif isinstance(graph, Graph):
        converted = graph
    elif isinstance(graph, GraphBatch):
        if not batch:
            raise _refusal("GraphBatch", _ONE_OF_BATCH, level=2)
        converted = graph.graph
    else:
        converted = Graph(graph)
    origin, counted = converted.origin, directions == "counted"
    doubtful = origin.direction == "assumed" if counted else origin.library is not None
    if doubtful and converted.directed and directions != "unused":
        check_directions(converted, counted=counted)
    return converted


def check_directions(graph: Graph | TiledGraph, *, counted: bool) -> None:
    """Warn if the directions of a directed graph may not mean what the caller of a measure expects.

    Parameters
    ----------
    graph : Graph or TiledGraph
        A directed graph.
    counted : bool
        Whether the measure counts directions; otherwise it ignores them.

    Warns
    -----
    DirectionWarning
        If the measure ignores directions and another library states them, whose function of the same name may count
        them. Or if the measure counts directions, the graph was read as directed although nothing said so, and no arc
        has a reverse arc, or every arc has one, as in a file that names each undirected edge once, or from both ends.

    Notes
    -----
    O(1) without a warning: a graph with a reverse arc has fewer edges than arcs.
    """
    origin = graph.origin
    if not counted:
        if origin.library is not None and origin.direction == "stated":
            warn(
                f"the directions of this {origin.library} graph are ignored, but a function of {origin.library} with "
                "the same name may count them; to count directions, see triadic.directed_clustering and "
                "triadic.triad_census; to ignore them without this warning, pass triadic.Graph(graph, directed=False)",
                DirectionWarning,
            )
    elif origin.direction == "assumed" and graph.num_arcs and graph.num_arcs in (graph.num_edges, 2 * graph.num_edges):
        which = f"each of the {graph.num_arcs:,} arcs has a reverse arc"
        if graph.num_arcs == graph.num_edges:
            # Tiles do not tell.
            rises = isinstance(graph, Graph) and bool(np.less(*graph.edges()).all())
            rising = ", and each runs from the smaller vertex to the larger" if rises else ""
            which = f"none of the {graph.num_arcs:,} arcs has a reverse arc{rising}"
        warn(
            f"read as directed, but nothing in the input says so, and the edges may be undirected: {which}; pass "
            "directed=False (--undirected) if the edges are undirected, or directed=True (--directed) if they are "
            "directed",
            DirectionWarning,
        )


def graph_of(
    graph: GraphLike,
    *,
    directed: bool | None = None,
    weights: str | bool = False,
    num_vertices: int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    columns: Sequence[str] | None = None,
    combine: str | Mapping[str, str] | None = None,
) -> Graph:
    """Convert an object to a `Graph`, with the parameters of `Graph`.

    Raises
    ------
    ArgumentError
        If the object is of an unknown type, or does not have the given weights, columns or direction.
    """
    options = ConvertOptions(
        directed=directed, num_vertices=num_vertices, weights=weights, source=source, target=target, keep=columns
    )
    options = replace(options, combine=options.rules(combine))
    rules_of(options.combine, options.keep or ())
    if isinstance(graph, Graph):
        return _of_graph(graph, options)
    if isinstance(graph, TiledGraph):
        raise refusal_of_tiles()
    if isinstance(graph, GraphBatch):
        raise ArgumentError("graph: got a GraphBatch; expected one of its graphs, or .graph, the union of them")
    if isinstance(graph, TemporalGraph):
        raise ArgumentError("graph: got a TemporalGraph; expected a graph without times, such as its window()")
    converter = _converter(graph)
    if converter is None:
        raise ArgumentError(f"graph: got {type_name(graph)}; expected {_ACCEPTED}{_hint(graph)}")
    library, attribute, classes = _GRAPH_LIBRARIES.get(converter, ("", "", ""))
    if library and not hasattr(graph, attribute):
        raise ArgumentError(f"graph: got {type(graph).__name__} of {library}; expected a {classes}")
    convert: Callable[[object, ConvertOptions], Graph] = resolve_name(f"triadic.convert.{converter}")
    converted = convert(graph, options)
    if not library:
        return converted
    direction: Literal["given", "stated"] = "stated" if directed is None else "given"
    weight = weights if isinstance(weights, str) else None
    origin = replace(converted.origin, library=library, direction=direction, weight=weight)
    return converted._with(origin=origin)  # noqa: SLF001 - for makers of graphs


def _hint(graph: GraphLike) -> str:
    """Return the function that accepts an object which is often passed by mistake."""
    if isinstance(graph, str | PathLike):
        return "; triadic.read takes the name of a file"
    if not isinstance(graph, list | tuple | dict):
        return ""
    first = next(iter(graph.values() if isinstance(graph, dict) else graph), None)
    if isinstance(first, Graph) or hasattr(first, "nodes") or hasattr(first, "edge_index"):
        return "; triadic.GraphBatch.from_graphs takes many graphs"
    return "; triadic.Graph.from_edges takes lists of ends" if isinstance(graph, list | tuple) else ""


def _converter(graph: GraphLike) -> str | None:
    # The base classes, so that a class derived from a library's class is recognised.
    for kind in type(graph).__mro__:
        converter = _CONVERTERS.get(kind.__module__.partition(".")[0])
        if converter is not None:
            return converter
    if hasattr(graph, "tocsr"):
        return "graph_libraries:from_matrix"
    if any(hasattr(graph, name) for name in ("__arrow_c_stream__", "__dataframe__", "__narwhals_dataframe__")):
        return "from_table:convert"
    return None


def _of_graph(graph: Graph, options: ConvertOptions) -> Graph:
    if options.directed is True and not graph.directed:
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    if options.wants_weights or options.num_vertices is not None or options.names_columns:
        raise UnsupportedError(
            "a Graph has its weights and vertices: expected no weights=, num_vertices=, source= or target="
        )
    return graph.to_undirected(combine=options.combine) if options.directed is False else graph


def refusal_of_tiles(reason: str = "") -> UnsupportedError:
    """Return the error of a function that does not take a `TiledGraph`, with the name of the function.

    Parameters
    ----------
    reason : str, optional
        Why the function does not take one.

    Returns
    -------
    UnsupportedError
        The error names the public function that the user called, also if that one called the function that refuses.
    """
    advice = "read the graph into memory, as triadic.read does"
    return _refusal("TiledGraph", f"{reason}; {advice}" if reason else advice, level=3)


def _refusal(kind: str, advice: str, *, level: int) -> UnsupportedError:
    """Return the error of a public function, `level` frames above, that does not take a kind of graph."""
    name = _public_function(sys._getframe(level))  # noqa: SLF001 - the documented way to the caller
    return UnsupportedError(f"{name} does not take a {kind}: {advice}")


def _public_function(frame: FrameType) -> str:
    """Return the name of the outermost public function of triadic, from a frame on; else that of the frame."""
    outermost, inner = frame.f_code.co_name, frame
    while str(inner.f_globals.get("__name__", "")).partition(".")[0] == "triadic":
        outermost = _public_name(inner) or outermost
        if inner.f_back is None:
            break
        inner = inner.f_back
    return outermost


def _public_name(frame: FrameType) -> str | None:
    """Return the name under which users know the function of a frame; None if it is not public."""
    owner, _, method = frame.f_code.co_qualname.rpartition(".")
    if method == "__new__":
        return owner
    for module, prefix in (("triadic", ""), ("triadic.plot", "plot.")):
        # A name alone does not suffice: modules of one package have functions of the same names as public ones.
        public = getattr(sys.modules.get(module), method, None)
        if public is not None and getattr(unwrap(public), "__code__", None) is frame.f_code:
            return f"{prefix}{method}"
    return None
