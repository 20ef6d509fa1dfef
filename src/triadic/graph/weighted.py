"""The weights of a graph, in the order of its rows or of its oriented rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import frozen
from triadic.devices.cpu.rows import slots_of_edges
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.graph.graph import Graph


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


# Dropped together with the oriented graph that they belong to.
_CACHE: WeakKeyDictionary[Oriented, EntryWeights] = WeakKeyDictionary()


def weights_of(graph: Graph) -> NDArray[np.float64]:
    """Return a graph's weights, aligned with its rows.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    if graph.weights is None:
        raise ArgumentError(
            "graph: has no weights; expected a graph that was made with weights, as by "
            "Graph(object, weights=True) or Graph.from_edges(source, target, weights=...)"
        )
    return graph.weights


def entry_weights(graph: Graph, *, threads: int | None) -> EntryWeights:
    """Return a graph's weights in the order of its oriented rows, found once by a binary search for each arc.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    weights, oriented = weights_of(graph), graph.oriented(threads=threads)
    if oriented not in _CACHE:
        _CACHE[oriented] = _entry_weights(graph, oriented, weights, resolve_threads(threads))
    return _CACHE[oriented]


def _entry_weights(graph: Graph, oriented: Oriented, weights: NDArray[np.float64], threads: int) -> EntryWeights:
    source, target = graph.edges()
    slot = slots_of_edges(oriented, source, target, threads=threads)
    out = np.zeros(oriented.num_edges)
    if not graph.directed:
        row = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
        out[slot] = weights[row < graph.indices]
        return EntryWeights(frozen(out), None)
    into = np.zeros_like(out)
    down = oriented.rank[source] > oriented.rank[target]
    out[slot[down]], into[slot[~down]] = weights[down], weights[~down]
    return EntryWeights(frozen(out), frozen(into))
