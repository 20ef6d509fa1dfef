"""Check the argument `vertices`, which selects some vertices of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arguments import take_vertices
from triadic.errors import ArgumentError
from triadic.graph.labels import replace_labels

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from numpy.typing import ArrayLike, NDArray

    from triadic.graph.graph import Graph
    from triadic.tiles.tiled_graph import TiledGraph

    Vertices = ArrayLike | AbstractSet[int | str]

_MOST_SHOWN = 5  # vertices that an error message lists


def selection_mask(name: str, vertices: Vertices, graph: Graph | TiledGraph) -> NDArray[np.bool_]:
    """Return a mask of shape (n,) for different vertices in any order, as numbers or as labels, or for a mask."""
    values, n = replace_labels(name, vertices, graph), graph.num_vertices
    if values.dtype == bool:
        return _mask(name, values, n)
    times = np.bincount(_vertices_below(name, values, n), minlength=n)
    if len(values) and times.max() > 1:
        raise ArgumentError(f"{name}: expected each vertex once, got more often {_shown(np.flatnonzero(times > 1))}")
    return times > 0


def selected_ids(name: str, vertices: Vertices, graph: Graph | TiledGraph) -> NDArray[np.int64]:
    """Return the numbers of vertices in their order, with repeats; those of a mask or a set in rising order."""
    values, n = replace_labels(name, vertices, graph), graph.num_vertices
    if values.dtype == bool:
        return np.flatnonzero(_mask(name, values, n))
    return _vertices_below(name, values, n).astype(np.int64)


def _mask(name: str, values: NDArray[np.bool_], n: int) -> NDArray[np.bool_]:
    if values.shape != (n,):
        raise ArgumentError(f"{name}: expected a mask of shape ({n},), got {values.shape}")
    return values


def _vertices_below(name: str, values: NDArray[np.integer], n: int) -> NDArray[np.integer]:
    vertices, least = take_vertices(name, values)
    if least > n:
        raise ArgumentError(f"{name}: expected numbers below {n}, got {_shown(vertices[vertices >= n])}")
    return vertices


def _shown(vertices: NDArray[np.integer]) -> str:
    """Return the first few vertices as text, and the number of the others."""
    different = list(dict.fromkeys(vertices.tolist()))
    more = f" and {len(different) - _MOST_SHOWN} more" if len(different) > _MOST_SHOWN else ""
    return ", ".join(map(str, different[:_MOST_SHOWN])) + more
