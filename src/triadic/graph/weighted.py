"""The weights of a graph, in the order of its rows or of its oriented rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.oriented import frozen
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.errors import ArgumentError
from triadic.graph.weighted_orientation import EntryWeights, by_direction

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array
    from triadic.core.oriented import Oriented
    from triadic.graph.graph import Graph


def check_weighted(graph: Graph) -> None:
    """Raise ArgumentError if the graph has no weights."""
    if not graph.is_weighted:
        raise ArgumentError(
            "graph: has no weights; expected a graph that was made with weights, as by "
            "Graph(object, weights=True) or Graph.from_edges(source, target, weights=...)"
        )


def weights_of(graph: Graph) -> Float64Array:
    """Return a graph's weights, aligned with its rows.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    weights = graph.weights
    assert weights is not None  # noqa: S101 - for the type checker
    return weights


def weight_limits(graph: Graph) -> tuple[float, float]:
    """Return the smallest and the largest weight of a graph, of whichever form is in memory; (inf, -inf) without edges.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    kept = graph._entry_weights  # noqa: SLF001 - as in `entry_weights`
    if kept is None:
        parts = [weights_of(graph)]
    else:
        parts = by_direction(kept, graph.oriented().state if graph.directed else None)
    least, most = min(part.min(initial=np.inf) for part in parts), max(part.max(initial=-np.inf) for part in parts)
    return float(least), float(most)


def entry_weights(graph: Graph, *, threads: int | None) -> EntryWeights:
    """Return a graph's weights in the order of its oriented rows.

    A graph that was made from rows finds them once, by a binary search for each arc.

    Raises
    ------
    ArgumentError
        If the graph has no weights.
    """
    check_weighted(graph)
    if graph._entry_weights is None:  # noqa: SLF001 - kept on the graph beside its oriented form
        oriented = graph.oriented(threads=threads)
        graph._entry_weights = _entry_weights(graph, oriented, weights_of(graph), resolve_threads(threads))  # noqa: SLF001
    return graph._entry_weights  # noqa: SLF001


def _entry_weights(graph: Graph, oriented: Oriented, weights: Float64Array, threads: int) -> EntryWeights:
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
