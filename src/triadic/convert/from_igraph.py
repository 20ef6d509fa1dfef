"""Convert graphs of igraph."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, usable_labels, weight_name
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def convert(graph: Any, options: ReadOptions, combine: str | None) -> Graph:  # noqa: ANN401 - igraph.Graph
    """Convert an `igraph.Graph`; the vertex attribute "name" becomes the labels, as strings unless all are integers.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge attribute with the name of the weights is missing or does not hold
        finite numbers.
    """
    if not hasattr(graph, "get_edgelist"):
        raise ArgumentError(f"graph: got {type(graph).__name__} of igraph; expected a Graph")
    ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), dtype=np.int64).reshape(-1, 2)
    attribute, weights = weight_name(options), None
    if attribute is not None:
        if attribute not in graph.es.attributes():
            raise ArgumentError(f"weights={attribute!r}: the edges have {graph.es.attributes() or 'no attributes'}")
        weights = graph.es[attribute]
    names = graph.vs["name"] if "name" in graph.vs.attributes() else range(graph.vcount())
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        graph.vcount(),
        options,
        combine,
        directed=graph.is_directed(),
        weights=weights,
        # A vertex that was added without a name goes by its number.
        labels=usable_labels([number if name is None else name for number, name in enumerate(names)]),
    )
