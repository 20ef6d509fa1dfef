"""Graphs of NetworKit: its ids may have holes where vertices were removed; weights are its own."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - networkit.Graph
    """Make a graph of a `networkit.Graph`; ``weights=True`` takes its weights.

    Raises
    ------
    ArgumentError
        An object of NetworKit that is no graph; weights by name, or of a graph without.
    """
    if not hasattr(given, "iterEdges"):
        raise ArgumentError(f"graph: got {type(given).__name__} of NetworKit; expected a Graph")
    ids = list(given.iterNodes())
    place = positions(ids, given.upperNodeIdBound())
    weights = None
    if asked.wants_weights:
        if asked.weights is not True or not given.isWeighted():
            raise ArgumentError(f"weights={asked.weights!r}: expected True, of a graph of NetworKit that has weights")
        entries = np.fromiter(chain.from_iterable(given.iterEdgesWeights()), dtype=np.float64).reshape(-1, 3)
        ends, weights = entries[:, :2].astype(np.int64), entries[:, 2]
    else:
        ends = np.fromiter(chain.from_iterable(given.iterEdges()), dtype=np.int64).reshape(-1, 2)
    ends = place[ends]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        asked,
        combine,
        directed=given.isDirected(),
        weights=weights,
        labels=usable_labels(ids),
    )
