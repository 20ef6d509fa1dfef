"""The weights of a graph at the entries of its oriented rows."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.devices.cpu.orient.weighted_row_sort import agree

if TYPE_CHECKING:
    from numpy.typing import NDArray


class EntryWeights(NamedTuple):
    """Weights at the entries of a graph's oriented rows.

    Attributes
    ----------
    out : float64 array, shape (m,)
        Weight of the edge; in a directed graph, of the arc from the row's vertex, and 0 if there is no such arc.
    into : float64 array, shape (m,), optional
        In a directed graph, weight of the arc to the row's vertex, and 0 if there is no such arc.
    """

    out: NDArray[np.float64]
    into: NDArray[np.float64] | None


class EdgeLimits(NamedTuple):
    """Limits of the weights of edges if directions are left out and the weights of an arc and its reverse are added.

    Attributes
    ----------
    least, most : float
        Least and largest sum; 0 without edges.
    equal : int
        Number of edges with arcs in both directions whose weights agree.
    """

    least: float
    most: float
    equal: int


def limits_of(weights: EntryWeights, state: NDArray[np.uint8] | None) -> tuple[float, float]:
    """Return the least and the largest weight of the arcs; (0, 0) without arcs.

    Parameters
    ----------
    weights : EntryWeights
        Weights at some entries.
    state : uint8 array, shape (entries,), or None
        Directions of these entries if the graph is directed; the 0 of an arc that does not exist is no weight.
    """
    kinds = [weights.out]
    if weights.into is not None and state is not None:
        kinds = [weights.out[(state & 1) != 0], weights.into[(state & 2) != 0]]
    kinds = [kind for kind in kinds if len(kind)]
    if not kinds:
        return 0.0, 0.0
    return float(min(kind.min() for kind in kinds)), float(max(kind.max() for kind in kinds))


def edge_limits_of(weights: EntryWeights, state: NDArray[np.uint8] | None) -> EdgeLimits | None:
    """Return the limits of the weights of edges that have the sums of those of their arcs; None beyond float64."""
    if not len(weights.out):
        return EdgeLimits(0.0, 0.0, 0)
    with np.errstate(over="ignore"):
        sums = weights.out if weights.into is None else weights.out + weights.into
    equal = 0
    if weights.into is not None and state is not None:
        equal = int(np.count_nonzero(agree(weights.out, weights.into) & (state == 3)))
    found = EdgeLimits(float(sums.min()), float(sums.max()), equal)
    return found if isfinite(found.least) and isfinite(found.most) else None
