"""Convert graphs of NetworKit, whose node ids have holes after nodes were removed."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def convert(graph: Any, options: ReadOptions, combine: str | None) -> Graph:  # noqa: ANN401 - networkit.Graph
    """Convert a `networkit.Graph`; ``weights=True`` takes its weights.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if weights are requested by name or of a graph without weights.
    """
    if not hasattr(graph, "iterEdges"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of NetworKit; expected a Graph")
    ids = list(graph.iterNodes())
    position = positions(ids, graph.upperNodeIdBound())
    weights = None
    if options.wants_weights:
        if options.weights is not True or not graph.isWeighted():
            raise ArgumentError(f"weights={options.weights!r}: expected True, of a graph of NetworKit that has weights")
        entries = np.fromiter(chain.from_iterable(graph.iterEdgesWeights()), dtype=np.float64).reshape(-1, 3)
        ends, weights = entries[:, :2].astype(np.int64), entries[:, 2]
    else:
        ends = np.fromiter(chain.from_iterable(graph.iterEdges()), dtype=np.int64).reshape(-1, 2)
    ends = position[ends]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed=graph.isDirected(),
        weights=weights,
        labels=usable_labels(ids),
    )
