"""Graphs of rustworkx: its indices may have holes; what is attached to a vertex is its label, to an edge its weight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - rustworkx.PyGraph or PyDiGraph
    """Make a graph of a `rustworkx.PyGraph` or `PyDiGraph`; ``weights=True`` takes numbers that are attached to edges.

    Raises
    ------
    ArgumentError
        An object of rustworkx that is no graph; an edge that has no such weight.
    """
    kinds = {kind.__name__ for kind in type(given).__mro__}
    if not kinds & {"PyGraph", "PyDiGraph"}:
        raise ArgumentError(f"graph: got {type(given).__name__} of rustworkx; expected a PyGraph or PyDiGraph")
    ids = list(given.node_indices())
    place = positions(ids, max(ids, default=-1) + 1)
    ends = place[np.array(given.edge_list(), dtype=np.int64).reshape(-1, 2)]
    weights: Any = None
    if asked.wants_weights:
        weights = [_weight(attached, asked.weights) for attached in given.edges()]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        asked,
        combine,
        directed="PyDiGraph" in kinds,
        weights=weights,
        labels=usable_labels(given.nodes()),
    )


def _weight(attached: object, name: bool | str | int | None) -> object:
    if name is True:
        return attached
    if isinstance(attached, Mapping) and name in attached:
        return attached[name]
    raise ArgumentError(f"weights={name!r}: an edge has {attached!r}; expected a mapping with that key on every edge")
