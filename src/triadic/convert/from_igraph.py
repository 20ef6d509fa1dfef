"""Graphs of igraph: edges in order, ``name`` as labels, an edge attribute as weights."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, usable_labels, weight_name
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - igraph.Graph
    """Make a graph of an `igraph.Graph`.

    Raises
    ------
    ArgumentError
        An object of igraph that is no graph; an edge attribute that is not there, or holds no finite numbers.
    """
    if not hasattr(given, "get_edgelist"):
        raise ArgumentError(f"graph: got {type(given).__name__} of igraph; expected a Graph")
    ends = np.fromiter(chain.from_iterable(given.get_edgelist()), dtype=np.int64).reshape(-1, 2)
    attribute, weights = weight_name(asked), None
    if attribute is not None:
        if attribute not in given.es.attributes():
            raise ArgumentError(f"weights={attribute!r}: the edges have {given.es.attributes() or 'no attributes'}")
        weights = given.es[attribute]
    labels = usable_labels(given.vs["name"]) if "name" in given.vs.attributes() else None
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        given.vcount(),
        asked,
        combine,
        directed=given.is_directed(),
        weights=weights,
        labels=labels,
    )
