"""Weighted arcs sorted into rows, with the weights of repeated arcs combined.

Few counts need weights, so NumPy sorts the arcs: O(a log(a)) for a arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arcs import Dropped
from triadic.core.arguments import take_weights
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs


class WeightedRows(NamedTuple):
    """Sorted rows with weights, symmetric if undirected, and what was dropped."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.integer[Any]]
    weights: NDArray[np.float64]
    dropped: Dropped


def weighted_rows(arcs: Arcs, *, directed: bool, combine: str) -> WeightedRows:
    """Sort weighted arcs into rows and combine the weights of repeated arcs.

    The two directions of an undirected edge are repeats of each other, unless ``arcs.both_ends`` is set: then the two
    weights must agree.
    """
    assert arcs.weights is not None  # noqa: S101 - for the type checker; callers have checked it
    proper = np.flatnonzero(arcs.source != arcs.target)
    source, target = arcs.source[proper].astype(np.int64), arcs.target[proper].astype(np.int64)
    weights = take_weights(arcs.weights, len(arcs))[proper]
    loops = len(arcs) - len(proper)
    reverse = np.zeros(len(proper), dtype=bool) if directed else source > target
    low, high = np.where(reverse, target, source), np.where(reverse, source, target)

    n = arcs.vertices
    order = _order([(low, n), (high, n), (reverse, 2)]) if arcs.both_ends else _order([(low, n), (high, n)])
    low, high, reverse, weights = low[order], high[order], reverse[order], weights[order]
    new_edge = _starts(low, high)
    new_arc = _starts(low, high, reverse) if arcs.both_ends else new_edge
    weights = _combine(weights, np.flatnonzero(new_arc), combine, arcs, low, high)
    if arcs.both_ends:
        low, high, new_edge = low[new_arc], high[new_arc], new_edge[new_arc]
        _check_both_ends(weights, new_edge, arcs, low, high)
        weights = weights[new_edge]
        distinct = len(low)
    else:
        distinct = _distinct_arcs(np.flatnonzero(new_edge), reverse)
    low, high = low[new_edge], high[new_edge]
    # A source that names each edge at both its ends loses nothing when the two mentions are merged.
    dropped = Dropped(loops, len(proper) - distinct, 0 if arcs.both_ends else distinct - len(low))
    del proper, source, target, reverse, order, new_edge, new_arc  # memory is at its peak below

    if directed:
        indptr, indices = _row_ends(low, n), high.astype(arcs.source.dtype)
    else:
        indptr, indices, weights = _symmetric_rows(low, high.astype(arcs.source.dtype), weights, n)
    return WeightedRows(indptr, indices, weights, dropped)


def _starts(*keys: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the first entry of each run of equal keys."""
    start = np.ones(len(keys[0]), dtype=bool)
    if len(start):
        start[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return start


def _order(keys: Sequence[tuple[NDArray[Any], int]]) -> NDArray[np.int64]:
    """Return the stable order by several keys, the most significant first, each with an upper bound of its values.

    If the keys and the position fit 63 bits, they are packed into one number and sorted, in a tenth of lexsort's time.
    """
    size = len(keys[0][0])
    bits = [max(bound - 1, 0).bit_length() for _, bound in [*keys, (None, size)]]
    if sum(bits) > 63:
        return np.lexsort([key for key, _ in reversed(keys)])
    packed = np.zeros(size, dtype=np.int64)
    for (key, _), width in zip([*keys, (np.arange(size), size)], bits, strict=True):
        packed <<= width
        packed |= key
    packed.sort()
    packed &= (1 << bits[-1]) - 1
    return packed


def _symmetric_rows(
    low: NDArray[np.int64], high: NDArray[np.integer[Any]], weights: NDArray[np.float64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]], NDArray[np.float64]]:
    """Return indptr, indices and weights of sorted edges, each edge in the rows of both its ends.

    A row holds its lower neighbours, then its higher ones. The edges are sorted by `low`, so only the lower neighbours
    need sorting, by `high`.
    """
    out, into = _row_ends(low, n), _row_ends(high, n)
    indices, both = np.empty(2 * len(low), dtype=high.dtype), np.empty(2 * len(low))
    position = np.arange(len(low))
    slot = position + into[1:][low]  # after the lower neighbours of all rows up to this one
    indices[slot], both[slot] = high, weights
    order = _order([(high, n)])
    slot = position + out[high[order]]  # after the higher neighbours of all rows before this one
    indices[slot], both[slot] = low[order], weights[order]
    return out + into, indices, both


def _row_ends(row: NDArray[np.integer[Any]], n: int) -> NDArray[np.int64]:
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=n), out=indptr[1:])
    return indptr


def _distinct_arcs(starts: NDArray[np.intp], reverse: NDArray[np.bool_]) -> int:
    """Count the distinct arcs: one for an edge that occurs in one direction, two for both."""
    if len(starts) == 0:
        return 0
    directions = np.logical_or.reduceat(reverse, starts).sum() + np.logical_or.reduceat(~reverse, starts).sum()
    return int(directions)


def _combine(
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
            sums: NDArray[np.float64] = np.add.reduceat(weights, starts)
        wrong = starts[~np.isfinite(sums)]
        if len(wrong):
            ends = f"{_name(arcs, low[wrong[0]])} and {_name(arcs, high[wrong[0]])}"
            raise ArgumentError(f'combine="sum": the weights between {ends} add up to more than a float64 can hold')
        return sums
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
