"""What the makers share: arcs of another library with its direction, names and weights, made into a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.graph.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from triadic.io.options import ReadOptions


def graph_of_edges(
    ends: tuple[ArrayLike, ArrayLike],
    vertices: int,
    asked: ReadOptions,
    combine: str,
    *,
    directed: bool,
    weights: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> Graph:
    """Make a graph of the edges of a library whose graphs know their direction and their number of vertices.

    Parameters
    ----------
    ends : pair of array_like of int, shape (edges,)
        Source and target.
    vertices : int
    asked : ReadOptions
    combine : str
    directed : bool
        Whether the library's graph is.
    weights, labels : array_like, optional
        As `Graph.from_edges` takes them.

    Raises
    ------
    ArgumentError
        Directions asked of a graph that has none; a number of vertices, or names of columns; what `Graph.from_edges`
        refuses.
    """
    refuse_columns(asked)
    refuse_vertices(asked)
    if asked.directed is True and not directed:
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    kept = directed if asked.directed is None else asked.directed
    return Graph.from_edges(*ends, vertices=vertices, directed=kept, weights=weights, labels=labels, combine=combine)


def refuse_columns(asked: ReadOptions) -> None:
    """Refuse names of columns where there is no table."""
    if asked.names_columns:
        raise ArgumentError(f"source={asked.source!r}, target={asked.target!r}: expected a table, which has columns")


def refuse_vertices(asked: ReadOptions) -> None:
    """Refuse a number of vertices where the graph has its own."""
    if asked.vertices is not None:
        raise ArgumentError(f"vertices={asked.vertices}: expected none, the graph has its own number of vertices")


def weight_name(asked: ReadOptions, default: str = "weight") -> str | None:
    """Give the name of the attribute that holds weights: the one asked for, or the usual one of ``weights=True``."""
    if not asked.wants_weights:
        return None
    if asked.weights is not True and not isinstance(asked.weights, str):
        raise ArgumentError(f"weights={asked.weights!r}: expected the name of an attribute, or True for {default!r}")
    return default if asked.weights is True else asked.weights


def usable_labels(names: Sequence[object]) -> NDArray[Any] | None:
    """Give names as labels if all are strings or all are whole numbers, and they say more than 0 .. n - 1."""
    if all(isinstance(name, str) for name in names):
        labels = np.empty(len(names), dtype=object)
        labels[:] = names
        return labels if len(names) else None
    if not all(isinstance(name, (int, np.integer)) and not isinstance(name, bool) for name in names):
        return None
    if any(not -(2**63) <= int(name) < 2**63 for name in names):  # type: ignore[call-overload]
        return None
    numbers = np.array(names, dtype=np.int64)
    return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers


def positions(ids: Iterable[int], bound: int) -> NDArray[np.int64]:
    """Give each id below `bound` its place among those there are: libraries leave holes where vertices were removed."""
    place = np.full(bound, -1, dtype=np.int64)
    there = np.fromiter(ids, dtype=np.int64)
    place[there] = np.arange(len(there))
    return place
