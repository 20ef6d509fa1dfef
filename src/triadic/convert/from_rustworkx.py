"""Convert graphs of rustworkx, whose node indices have holes after nodes were removed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.edges import graph_of_edges, positions, usable_labels
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.io.options import ReadOptions


def convert(graph: Any, options: ReadOptions, combine: str | None) -> Graph:  # noqa: ANN401 - rustworkx.PyGraph or PyDiGraph
    """Convert a `rustworkx.PyGraph` or `PyDiGraph`; node payloads become the labels, edge payloads the weights.

    Payloads that are neither strings, numbers nor tuples are data, not labels.

    Raises
    ------
    ArgumentError
        If the object is not a graph, or if an edge has no such weight.
    """
    kinds = {kind.__name__ for kind in type(graph).__mro__}
    if not kinds & {"PyGraph", "PyDiGraph"}:
        raise ArgumentError(f"graph: got {type(graph).__name__} of rustworkx; expected a PyGraph or PyDiGraph")
    ids = list(graph.node_indices())
    position = positions(ids, max(ids, default=-1) + 1)
    ends = position[np.array(graph.edge_list(), dtype=np.int64).reshape(-1, 2)]
    weights: Any = None
    if options.wants_weights:
        weights = [_weight(payload, options.weights) for payload in graph.edges()]
    return graph_of_edges(
        (ends[:, 0], ends[:, 1]),
        len(ids),
        options,
        combine,
        directed="PyDiGraph" in kinds,
        weights=weights,
        labels=_names(graph.nodes()),
    )


def _names(payloads: Sequence[object]) -> NDArray[Any] | None:
    """Return the payloads of nodes as labels, unless some are no names but data, such as dictionaries."""
    if all(isinstance(payload, (str, int, float, tuple, np.generic)) for payload in payloads):
        return usable_labels(payloads)
    return None


def _weight(payload: object, name: bool | str | int | None) -> object:
    if name is True:
        return payload
    if isinstance(payload, Mapping) and name in payload:
        return payload[name]
    raise ArgumentError(f"weights={name!r}: an edge has {payload!r}; expected a mapping with that key on every edge")
