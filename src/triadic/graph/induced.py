"""The arcs of an induced subgraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.arguments import take_vertices
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def induced(arcs: Arcs, vertices: ArrayLike) -> Arcs:
    """Return the arcs between some of the vertices. O(arcs + vertices).

    The new vertex i is ``vertices[i]``; its label is the old label, or the old number if the arcs have no labels.

    Raises
    ------
    ArgumentError
        If a vertex does not exist or is given twice, or if a vertex without a label comes before one with a label.
    """
    n = arcs.vertices
    chosen = np.asarray(vertices)
    if chosen.dtype == bool:
        if chosen.shape != (n,):
            raise ArgumentError(f"vertices: expected a mask of shape ({n},), got {chosen.shape}")
        chosen = np.flatnonzero(chosen)
    chosen, least = take_vertices("vertices", chosen)
    if least > n:
        raise ArgumentError(f"vertices: expected numbers below {n}, got {least - 1}")
    new = np.full(n, -1, dtype=arcs.source.dtype)
    new[chosen] = np.arange(len(chosen))
    if np.count_nonzero(new >= 0) != len(chosen):
        repeated = np.flatnonzero(np.bincount(chosen) > 1)[0]
        raise ArgumentError(f"vertices: {repeated} is given more than once")
    inside = (new[arcs.source] >= 0) & (new[arcs.target] >= 0)
    names = np.arange(n) if arcs.labels is None else arcs.labels
    named = chosen < len(names)
    if not named[: np.count_nonzero(named)].all():
        raise ArgumentError("vertices: expected the vertices without a label last")
    return Arcs(
        new[arcs.source[inside]],
        new[arcs.target[inside]],
        len(chosen),
        arcs.directed,
        None if arcs.weights is None else arcs.weights[inside],
        names[chosen[named]],
    )
