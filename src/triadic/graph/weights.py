"""The weights of edges: their limits, how they are combined, and what is said of that."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.formatting import plural
from triadic.devices.cpu.orient.bucket_keys import COMBINE, OVERFLOW, REPEATED, agree
from triadic.devices.select import warn
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Uint8Array
    from triadic.core.oriented import EntryValues
    from triadic.devices.cpu.orient.bucket_keys import Wrong

WEIGHT = "weight"
"""Name of the column of weights."""


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


def limits_of(weights: EntryValues, state: Uint8Array | None) -> tuple[float, float]:
    """Return the least and the largest weight of the arcs; (0, 0) without arcs.

    Parameters
    ----------
    weights : EntryValues
        Weights at some entries.
    state : uint8 array, shape (entries,), or None
        Directions of these entries if the graph is directed; the 0 of an arc that does not exist is no weight.
    """
    given = weights.of_arcs(state)
    return (float(given.min()), float(given.max())) if len(given) else (0.0, 0.0)


def edge_limits_of(weights: EntryValues, state: Uint8Array | None) -> EdgeLimits | None:
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


def rules_in_words() -> str:
    """Return the rules that `combine` may name."""
    return ", ".join(map(repr, COMBINE))


def counted_once(edges: int, both: int, equal: int) -> bool | None:
    """Return whether weights that are given from both ends count once; None if the caller has to decide.

    They count once, as their mean, if every edge is given from both ends with weights that agree within 1e-9 of the
    larger one. They are added if at most half of the edges that are given from both ends have such weights, as in a
    list of messages, or if all have but others are given from one end alone.

    Parameters
    ----------
    edges, both, equal : int
        Number of edges, of those that are given from both ends, and of those whose two weights agree.

    Examples
    --------
    >>> counted_once(5, 5, 5), counted_once(5, 3, 1), counted_once(5, 2, 2), counted_once(5, 3, 2)
    (True, False, False, None)
    """
    if equal == both:
        return 0 < both == edges
    return None if 2 * equal > both else False


def say_combined(combine: str | None, repeats: int, merged: int, *, once: bool) -> str | None:
    """Return what was done with the weights of repeated arcs, and of reverse arcs that were merged; None if nothing.

    Warns
    -----
    UserWarning
        With the same words, if weights are added because no rule was given.

    Examples
    --------
    >>> say_combined(None, 0, 194, once=True)
    'weights of 194 edges given from both ends agree and count once'
    >>> say_combined("max", 2, 0, once=False)
    "weights of 2 repeated arcs are combined by combine='max'"
    """
    of_repeats = f"of {plural(repeats, 'repeated arc')}" if repeats else ""
    of_ends = f"of {plural(merged, 'edge')} given from both ends" if merged else ""
    both = " and ".join(filter(None, (of_repeats, of_ends)))
    if not both:
        return None
    if combine is not None:
        return f"weights {both} are combined by combine={combine!r}"
    words = f"weights {both} are added"
    if once:
        words = f"weights {of_ends} agree and count once" + (f"; weights {of_repeats} are added" if repeats else "")
    if repeats or not once:
        warn(words)
    return words


def wrong_weights(
    wrong: Wrong,
    vertices: tuple[int, int],
    name: Callable[[int], str],
    *,
    directed: bool,
    both: int,
    equal: int,
) -> ArgumentError:
    """Return the error for weights that cannot be combined.

    Parameters
    ----------
    wrong : Wrong
        What is wrong with them.
    vertices : (int, int)
        The vertices of its row and of its column.
    name : callable
        ``name(vertex)`` returns what the message calls a vertex.
    directed : bool
        Whether the graph is directed.
    both, equal : int
        Number of edges that are given from both ends, and with weights that agree, if most do but not all.
    """
    (a, b), out, into = vertices, wrong.out, wrong.into
    if wrong.backward if directed else a > b:
        a, b, out, into = b, a, into, out
    ends = f"{name(a)} and {name(b)}"
    if wrong.kind == OVERFLOW:
        return ArgumentError(f'combine="sum": the weights between {ends} add up to more than a float64 can hold')
    if wrong.kind == REPEATED:
        return ArgumentError(f'combine="error": {ends} are joined more than once')
    given = f"the edge between {ends} is given from both ends with weights {out:.12g} and {into:.12g}"
    if not both:
        return ArgumentError(f"{given}: expected the same, or directed=True (--directed), which keeps both")
    return ArgumentError(
        f"{given}, but {equal:,} of {both:,} such edges have equal weights; expected equal weights of all, or "
        f"combine= (--combine) with one of {rules_in_words()}"
    )


def name_of(vertex: int, *, labels: AnyArray | None) -> str:
    """Return what an error calls a vertex."""
    return f"vertex {vertex if labels is None or vertex >= len(labels) else labels[vertex]}"
