"""The arcs within a set of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.arguments import take_vertices
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def induced(arcs: Arcs, vertices: ArrayLike) -> Arcs:
    """Give the arcs between some of the vertices; the new vertex i is ``vertices[i]``, and keeps its label.

    Without labels it gets its old number for one. O(arcs + vertices).

    Raises
    ------
    ArgumentError
        A vertex that does not exist, or is given twice.
    """
    n = arcs.vertices
    keep = np.asarray(vertices)
    if keep.dtype == bool:
        if keep.shape != (n,):
            raise ArgumentError(f"vertices: expected a mask of shape ({n},), got {keep.shape}")
        keep = np.flatnonzero(keep)
    keep, least = take_vertices("vertices", keep)
    if least > n:
        raise ArgumentError(f"vertices: expected numbers below {n}, got {least - 1}")
    new = np.full(n, -1, dtype=arcs.source.dtype)
    new[keep] = np.arange(len(keep))
    if np.count_nonzero(new >= 0) != len(keep):
        twice = np.flatnonzero(np.bincount(keep) > 1)[0]
        raise ArgumentError(f"vertices: {twice} is given more than once")
    inside = (new[arcs.source] >= 0) & (new[arcs.target] >= 0)
    names = np.arange(n) if arcs.labels is None else arcs.labels
    named = keep < len(names)
    if not named[: np.count_nonzero(named)].all():
        raise ArgumentError("vertices: those without a label have to come last")
    return Arcs(
        new[arcs.source[inside]],
        new[arcs.target[inside]],
        len(keep),
        arcs.directed,
        None if arcs.weights is None else arcs.weights[inside],
        names[keep[named]],
    )
