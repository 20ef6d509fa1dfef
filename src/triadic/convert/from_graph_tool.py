"""Convert graphs of graph-tool, filtered graphs included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels, weight_name
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def convert(graph: Any, options: ReadOptions, combine: str | None) -> Graph:  # noqa: ANN401 - graph_tool.Graph or GraphView
    """Convert a `graph_tool.Graph` or `GraphView`; the vertex property "name" becomes the labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or has no edge property with the name of the weights.
    """
    if not hasattr(graph, "get_edges"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of graph-tool; expected a Graph or GraphView")
    ids = np.asarray(graph.get_vertices(), dtype=np.int64)
    name = weight_name(options)
    if name is None:
        entries = np.asarray(graph.get_edges())
    elif name in graph.ep:
        entries = np.asarray(graph.get_edges(eprops=[graph.ep[name]]))
    else:
        raise ArgumentError(f"weights={name!r}: the edge properties are {', '.join(graph.ep) or 'none'}")
    ends = positions(ids, int(ids.max(initial=-1)) + 1)[entries[:, :2].astype(np.int64)]
    names = [graph.vp["name"][v] for v in ids.tolist()] if "name" in graph.vp else ids.tolist()
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed=graph.is_directed(),
        weights=None if name is None else entries[:, 2],
        labels=usable_labels(names),
    )
