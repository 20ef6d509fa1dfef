"""Generated networks in place of the FGLT report's matrices: a mesh of tetrahedra, and a map of roads."""

from __future__ import annotations

from itertools import product

import numpy as np

from triadic.graph.graph import Graph


def mesh(side: int) -> Graph:
    """Return the mesh of a cube of side³ points, each cell cut into six tetrahedra: inner points have 14 neighbours.

    Examples
    --------
    >>> mesh(2).num_edges
    19
    """
    points = np.arange(side**3, dtype=np.int64).reshape(side, side, side)
    ends = []
    for step in product((0, 1), repeat=3):
        if any(step):
            near = points[tuple(slice(0, side - by) for by in step)]
            far = points[tuple(slice(by, side) for by in step)]
            ends.append((near.ravel(), far.ravel()))
    source, target = (np.concatenate(vertices) for vertices in zip(*ends, strict=True))
    return Graph.from_edges(source, target, num_vertices=side**3)


def roads(side: int, pieces: int) -> Graph:
    """Return a grid of side² crossings whose streets have several pieces each: most vertices have two neighbours.

    Parameters
    ----------
    side : int
        Crossings in each direction.
    pieces : int
        Edges per street.

    Examples
    --------
    >>> graph = roads(2, 3)
    >>> graph.num_vertices, graph.num_edges
    (12, 12)
    """
    crossings = np.arange(side * side, dtype=np.int64).reshape(side, side)
    left = np.concatenate([crossings[:, :-1].ravel(), crossings[:-1].ravel()])
    right = np.concatenate([crossings[:, 1:].ravel(), crossings[1:].ravel()])
    inner = side * side + np.arange(len(left) * (pieces - 1), dtype=np.int64).reshape(len(left), pieces - 1)
    along = np.column_stack([left, inner, right])
    return Graph.from_edges(along[:, :-1].ravel(), along[:, 1:].ravel(), num_vertices=side * side + inner.size)
