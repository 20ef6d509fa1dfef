"""Weighted arcs to rows, repeats joined by a rule; and the weights of a graph in the order of its oriented rows.

Weights are not on the way of most counts, so that arcs are sorted with NumPy: O(a log a) for a arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.arguments import take_weights
from triadic.core.blocks import resolve_threads
from triadic.core.frozen import frozen
from triadic.devices.cpu.rows import slots_of_edges
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.core.oriented import Oriented
    from triadic.graph.graph import Graph

Combine = Literal["sum", "first", "max", "error"]


class EntryWeights(NamedTuple):
    """Weights at the entries of a graph's oriented rows.

    Attributes
    ----------
    out : float64 array, shape (m,)
        Of the arc from the row's vertex, the larger rank, 0 where there is none; of the edge, if undirected.
    into : float64 array, shape (m,), optional
        Of the arc to it, likewise; none if undirected.
    """

    out: NDArray[np.float64]
    into: NDArray[np.float64] | None


# Kept for as long as the oriented graph they belong to.
_KEPT: WeakKeyDictionary[Oriented, EntryWeights] = WeakKeyDictionary()


class WeightedRows(NamedTuple):
    """Sorted rows with weights, both ways if undirected, and what was joined on the way."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.integer[Any]]
    weights: NDArray[np.float64]
    loops: int
    duplicates: int
    reciprocal: int


def check_combine(combine: str) -> None:
    """Refuse an unknown rule for repeats."""
    if combine not in get_args(Combine):
        raise ArgumentError(f"combine={combine!r}: expected one of {', '.join(map(repr, get_args(Combine)))}")


def weighted_rows(arcs: Arcs, *, directed: bool, combine: str) -> WeightedRows:
    """Sort weighted arcs into rows, joining repeats.

    The two directions of an undirected edge are repeats of each other, except where the source may give an edge from
    both its ends: there the two weights must agree.
    """
    assert arcs.weights is not None  # noqa: S101 - for the type checker; the caller chose this path
    check_combine(combine)
    proper = np.flatnonzero(arcs.source != arcs.target)
    source, target = arcs.source[proper].astype(np.int64), arcs.target[proper].astype(np.int64)
    weights = take_weights(arcs.weights, len(arcs))[proper]
    loops = len(arcs) - len(proper)
    turned = np.zeros(len(proper), dtype=bool) if directed else source > target
    low, high = np.where(turned, target, source), np.where(turned, source, target)

    n = arcs.vertices
    order = _order([(low, n), (high, n), (turned, 2)]) if arcs.both_ends else _order([(low, n), (high, n)])
    low, high, turned, weights = low[order], high[order], turned[order], weights[order]
    new_edge = _starts(low, high)
    new_arc = _starts(low, high, turned) if arcs.both_ends else new_edge
    weights = _join(weights, np.flatnonzero(new_arc), combine, arcs, low, high)
    if arcs.both_ends:
        low, high, new_edge = low[new_arc], high[new_arc], new_edge[new_arc]
        _check_both_ends(weights, new_edge, arcs, low, high)
        weights = weights[new_edge]
        distinct = len(low)
    else:
        distinct = _distinct_arcs(np.flatnonzero(new_edge), turned)
    low, high = low[new_edge], high[new_edge]
    duplicates, reciprocal = len(proper) - distinct, distinct - len(low)
    del proper, source, target, turned, order, new_edge, new_arc  # what follows is the peak

    if directed:
        indptr, indices = _row_ends(low, n), high.astype(arcs.source.dtype)
    else:
        indptr, indices, weights = _both_ways(low, high.astype(arcs.source.dtype), weights, n)
    return WeightedRows(indptr, indices, weights, loops, duplicates, reciprocal)


def weights_of(graph: Graph) -> NDArray[np.float64]:
    """Give a graph's weights, aligned with its rows.

    Raises
    ------
    ArgumentError
        A graph that has none.
    """
    if graph.weights is None:
        raise ArgumentError(
            "graph: has no weights; expected one that was made with them, as by "
            "Graph(object, weights=True) or Graph.from_edges(source, target, weights=...)"
        )
    return graph.weights


def entry_weights(graph: Graph, *, threads: int | None) -> EntryWeights:
    """Give a graph's weights in the order of its oriented rows; found once, by a binary search for each arc.

    Raises
    ------
    ArgumentError
        A graph that has no weights.
    """
    weights, oriented = weights_of(graph), graph.oriented(threads=threads)
    if oriented not in _KEPT:
        _KEPT[oriented] = _entry_weights(graph, oriented, weights, resolve_threads(threads))
    return _KEPT[oriented]


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


def _starts(*keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark where a run of equal keys begins."""
    start = np.ones(len(keys[0]), dtype=bool)
    if len(start):
        start[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return start


def _order(keys: Sequence[tuple[NDArray[Any], int]]) -> NDArray[np.int64]:
    """Give the stable order by several keys, the first first, each given with what all of it lies below.

    Keys and place are put into one number and sorted as that, a tenth of lexsort's time, where 63 bits hold them.
    """
    size = len(keys[0][0])
    bits = [max(bound - 1, 0).bit_length() for _, bound in [*keys, (None, size)]]
    if sum(bits) > 63:
        return np.lexsort([key for key, _ in reversed(keys)])
    joined = np.zeros(size, dtype=np.int64)
    for (key, _), width in zip([*keys, (np.arange(size), size)], bits, strict=True):
        joined <<= width
        joined |= key
    joined.sort()
    joined &= (1 << bits[-1]) - 1
    return joined


def _both_ways(
    low: NDArray[np.int64], high: NDArray[np.integer[Any]], weights: NDArray[np.float64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]], NDArray[np.float64]]:
    """Give indptr, indices and weights of edges, sorted, in the rows of both their ends.

    A row is what comes to it from below, then what leaves it: so only the first has still to be sorted, by `high`.
    """
    out, into = _row_ends(low, n), _row_ends(high, n)
    indices, both = np.empty(2 * len(low), dtype=high.dtype), np.empty(2 * len(low))
    place = np.arange(len(low))
    at = place + into[1:][low]  # after all that comes to rows up to its own
    indices[at], both[at] = high, weights
    order = _order([(high, n)])
    at = place + out[high[order]]  # after all that leaves rows before its own
    indices[at], both[at] = low[order], weights[order]
    return out + into, indices, both


def _row_ends(row: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=n), out=indptr[1:])
    return indptr


def _distinct_arcs(starts: NDArray[np.intp], turned: NDArray[np.bool_]) -> int:
    """Count the edges that run one way or the other, those that run both twice."""
    if len(starts) == 0:
        return 0
    ways = np.logical_or.reduceat(turned, starts).sum() + np.logical_or.reduceat(~turned, starts).sum()
    return int(ways)


def _join(
    weights: NDArray[np.float64],
    starts: NDArray[np.intp],
    combine: str,
    arcs: Arcs,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> NDArray[np.float64]:
    if len(starts) == len(weights):
        return weights
    if combine == "first":
        return weights[starts]
    if combine == "max":
        return np.maximum.reduceat(weights, starts)
    if combine == "sum":
        with np.errstate(over="ignore"):
            summed: NDArray[np.float64] = np.add.reduceat(weights, starts)
        wrong = starts[~np.isfinite(summed)]
        if len(wrong):
            ends = f"{_name(arcs, low[wrong[0]])} and {_name(arcs, high[wrong[0]])}"
            raise ArgumentError(f'combine="sum": the weights between {ends} add up to more than a float64 can hold')
        return summed
    repeat = np.setdiff1d(np.arange(len(weights)), starts, assume_unique=True)[0]
    raise ArgumentError(
        f'combine="error": {_name(arcs, low[repeat])} and {_name(arcs, high[repeat])} are joined more than once'
    )


def _check_both_ends(
    weights: NDArray[np.float64],
    new_edge: NDArray[np.bool_],
    arcs: Arcs,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
) -> None:
    second = np.flatnonzero(~new_edge)
    wrong = second[weights[second] != weights[second - 1]]
    if len(wrong):
        i = wrong[0]
        raise ArgumentError(
            f"the edge between {_name(arcs, low[i])} and {_name(arcs, high[i])} is given from both ends "
            f"with weights {weights[i - 1]:g} and {weights[i]:g}: expected the same"
        )


def _name(arcs: Arcs, vertex: np.int64) -> str:
    if arcs.labels is not None and vertex < len(arcs.labels):
        return f"vertex {arcs.labels[vertex]}"
    return f"vertex {vertex}"
