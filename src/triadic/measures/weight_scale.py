"""The number by which the weights of a graph are divided, and checks of weights."""

from __future__ import annotations

from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.graph.weighted import weight_limits, weights_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph


class Scale:
    """Numbers by which the weights are divided: one for a graph, one for each graph of a batch."""

    def __init__(self, graph: Graph, batch: GraphBatch | None, largest: object) -> None:
        self._of_entries: float | NDArray[np.float64]
        self._of_rows: float | NDArray[np.float64]
        if largest is not None:
            self._of_entries = self._of_rows = checked_largest(largest)
            return
        if batch is None:
            self._of_entries = self._of_rows = largest_weight(weight_limits(graph))
            return
        weights = weights_of(graph)
        of_row = np.repeat(batch.graph_of_vertex, np.diff(graph.indptr))
        largest_of, smallest_of = np.full(batch.num_graphs, -np.inf), np.full(batch.num_graphs, np.inf)
        np.maximum.at(largest_of, of_row, weights)
        np.minimum.at(smallest_of, of_row, weights)
        scale = _largest(largest_of, smallest_of, batch.names)
        self._of_rows = scale[of_row]
        # The ranks of a graph of a batch follow one another, and so do the entries of their rows.
        self._of_entries = np.repeat(scale, batch.edges_of_graphs)

    def entries(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scaled weights of the entries of the oriented rows."""
        return _divided(weights, self._of_entries)

    def rows(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the scaled weights of the rows of the graph."""
        return _divided(weights, self._of_rows)


def checked_largest(largest: object) -> float:
    """Return the argument `largest` as a number; raise ArgumentError if it is not finite, or 0."""
    if not isinstance(largest, Real) or not isfinite(largest) or largest == 0:
        raise ArgumentError(f"largest={largest!r}: expected a finite number other than 0")
    return float(largest)


def largest_weight(limits: tuple[float, float]) -> float:
    """Return the largest weight of a graph from the limits of its weights; 1 if all are 0 or there is no edge."""
    least, most = limits
    return float(_largest(np.array([most]), np.array([least]), [])[0])


def _largest(
    most: NDArray[np.float64], least: NDArray[np.float64], names: NDArray[Any] | list[Any]
) -> NDArray[np.float64]:
    """Return the largest weight of each graph; 1 for a graph without edges, or whose weights are all 0."""
    bad = np.flatnonzero((most == 0) & (least < 0))
    if len(bad):
        where = f"graph {names[bad[0]]}: " if len(names) else ""
        raise ArgumentError(
            f"{where}weights: the largest is 0 and others are negative; expected largest=, by which weights are divided"
        )
    return np.where(np.isfinite(most) & (most != 0), most, 1.0)


def _divided(weights: NDArray[np.float64], scale: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights divided by the scale, if all are finite."""
    with np.errstate(over="ignore"):
        values: NDArray[np.float64] = weights / scale
    finite = np.isfinite(values)
    if not finite.all():
        by = np.broadcast_to(scale, values.shape)[np.argmin(finite)]
        raise ArgumentError(f"weights: after division by {by:g}, some exceed the range of float64")
    return values


def check_not_negative(graph: Graph, batch: GraphBatch | None, method: str) -> None:
    """Raise if a weight is negative."""
    if weight_limits(graph)[0] >= 0:
        return
    weights = weights_of(graph)
    arc = int(weights.argmin())
    row = int(np.searchsorted(graph.indptr, arc, side="right")) - 1
    where = "" if batch is None else f" in graph {batch.names[batch.graph_of_vertex[row]]}"
    raise ArgumentError(f"method={method!r}: expected weights of at least 0, got {weights[arc]:g}{where}")
