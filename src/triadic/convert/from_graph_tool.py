"""Graphs of graph-tool, filtered ones included; ``name`` as labels, an edge property as weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels, weight_name
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - graph_tool.Graph or GraphView
    """Make a graph of a `graph_tool.Graph` or `GraphView`.

    Raises
    ------
    ArgumentError
        An object of graph-tool that is no graph; an edge property that is not there.
    """
    if not hasattr(given, "get_edges"):
        raise ArgumentError(f"graph: got {type(given).__name__} of graph-tool; expected a Graph or GraphView")
    ids = np.asarray(given.get_vertices(), dtype=np.int64)
    name = weight_name(asked)
    if name is None:
        entries = np.asarray(given.get_edges())
    elif name in given.ep:
        entries = np.asarray(given.get_edges(eprops=[given.ep[name]]))
    else:
        raise ArgumentError(f"weights={name!r}: the edge properties are {', '.join(given.ep) or 'none'}")
    ends = positions(ids, int(ids.max(initial=-1)) + 1)[entries[:, :2].astype(np.int64)]
    names = [given.vp["name"][v] for v in ids.tolist()] if "name" in given.vp else ids.tolist()
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        asked,
        combine,
        directed=given.is_directed(),
        weights=None if name is None else entries[:, 2],
        labels=usable_labels(names),
    )
