"""Triangles and closed triads of the events in a window that moves over time, on the CPU.

Computes: for each of a series of windows, the numbers of edges, arcs, vertices with an edge, triangles and paths of two
  edges of the static graph of its events, and the mean clustering coefficient; or its mutual and asymmetric dyads, and
  its open and closed triads by type.
Requires: oriented events; windows whose first and last events never fall.
Idea: count the events of each arc in the window. When the window moves, only pairs whose state changes are counted: a
  pair that leaves and comes back in the same step costs nothing. If the pair u-v changes, walk the present neighbours
  of whichever has fewer, and look up the pair of each with the other end. A pair is in the row of its end with fewer
  events, which is short, so a look-up is a binary search of a few steps. Present neighbours stand in no order, so
  that one enters or leaves in O(1). Triangles are summed by degree: the mean coefficient is computed from these
  integers, not from earlier means, so that no rounding error builds up.
Cost: O(1) for an event that repeats, O(min(d(u), d(v)) log(m)) for a pair that changes, and O(largest degree) for the
  mean of a step. 45 bytes per pair of vertices, and 9 bytes per event.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import int_zeros, rows_of_entries, starts_of
from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES, TYPE_OF_CODE
from triadic.devices.cpu.draws.choice import entry_of
from triadic.devices.cpu.triads.closed_triads import open_pairs

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Int64Array, Uint8Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents


CLUSTERING = ("vertices", "edges", "arcs", "triangles", "wedges")
TRIADS = ("mutual", "asymmetric", *OPEN_NAMES, *CLOSED_NAMES)

_BLOCK = 1 << 14  # events that enter or leave in a block of steps
_MOST_BLOCKS = 1 << 20
_SHARE = 4  # a stretch of steps is at least as many windows long, since its first window is counted anew
# Places of the running sums, which are the columns of both results.
_VERTICES, _EDGES, _ARCS, _TRIANGLES, _WEDGES = range(5)
_MUTUAL, _ASYMMETRIC = 0, 1
_OPEN = 2  # the first of `OPEN_NAMES`
# Place of the type of each closed code; open codes are never looked up.
_CLOSED = np.array([TRIADS.index(TRIAD_NAMES[t]) if TRIAD_NAMES[t] in CLOSED_NAMES else -1 for t in TYPE_OF_CODE])


class PairList(NamedTuple):
    """The pairs of vertices with events, and the arc of each event.

    Attributes
    ----------
    arcs : int32 or int64 array, shape (events,)
        Twice the pair of each event, plus 1 for an event to the end of larger rank.
    tails, heads : int32 or int64 array, shape (pairs,)
        Larger and smaller rank of each pair; pairs are sorted by `tails`, then by `heads`.
    row_indptr : int64 array, shape (n + 1,)
        First pair of each end of larger rank.
    begins : int64 array, shape (n + 1,)
        Sums of the numbers of pairs of each rank.
    """

    arcs: Ids
    tails: Ids
    heads: Ids
    row_indptr: Int64Array
    begins: Int64Array


class _State(NamedTuple):
    """The static graph of the events in the window."""

    events: Int64Array  # shape (2 * pairs,): events of each arc
    state: Uint8Array  # of each pair: 1 for an arc from the larger rank, 2 for an arc to it, 3 for both
    present: Ids  # shape (2 * pairs,): rows of the present pairs of each vertex
    place: Int64Array  # shape (2 * pairs,): place of each pair in the rows of both its ends
    degree: Int64Array  # shape (5, n): of all pairs, and of those in state 3, 2, 1 and 0; (1, n) without triads
    triangles: Int64Array  # shape (n,)
    of_degree: Int64Array  # sum of the triangles of the vertices of each degree
    sums: Int64Array  # the numbers of the result
    touched: Ids  # pairs whose events have changed in a step
    range: Int64Array  # first and last event of the window


def pair_list(oriented: OrientedEvents) -> PairList:
    """Return the pairs of vertices that have events. O(events)."""
    codes, heads, n = oriented.events[:, 1], oriented.heads, oriented.num_vertices
    arcs = np.empty_like(codes)
    arcs[codes >> 1] = 2 * rows_of_entries(oriented.starts, codes.dtype) + (codes & 1)
    lengths = np.diff(oriented.row_indptr)
    tails = rows_of_entries(oriented.row_indptr, heads.dtype)
    return PairList(arcs, tails, heads, oriented.row_indptr, starts_of(lengths + np.bincount(heads, minlength=n)))


def bytes_of_windows(events: int, n: int, windows: int, *, threads: int) -> int:
    """Estimate the largest number of bytes beside the oriented events, if every event has a pair of its own."""
    return (24 + 45 * threads) * events + (40 + 48 * threads) * n + 8 * (len(TRIADS) + 1) * windows


def count_windows(
    pairs: PairList,
    first: Int64Array,
    last: Int64Array,
    *,
    triads: bool,
    threads: int,
    progress: Progress | None = None,
) -> tuple[Int64Array, Float64Array]:
    """Count the static graphs of windows of events.

    Parameters
    ----------
    pairs : PairList
    first, last : int64 array, shape (windows,)
        The events of each window are ``first`` to ``last - 1``; neither falls.
    triads : bool
        Whether to count triads rather than triangles.
    threads : int
        Number of threads. Each takes stretches of windows, if these are much longer than a window.
    progress : callable, optional

    Returns
    -------
    int64 array, shape (windows, columns)
        The columns `TRIADS` or `CLUSTERING`.
    float64 array, shape (windows,)
        Mean clustering coefficient of the vertices with an edge, nan if there is none; all nan for `triads`.
    """
    counts = int_zeros((len(first), len(TRIADS if triads else CLUSTERING)))
    means = np.full(len(first), np.nan)
    entered = np.maximum(last - np.maximum(first, np.concatenate([[0], last])[:-1]), 0)
    moved = starts_of(2 * entered + 1)
    largest = 2 * int((last - first).max(initial=0))
    stretches = min(8 * threads, int(moved[-1]) // max(1, _SHARE * largest)) if threads > 1 else 1
    block, most = (-(-int(moved[-1]) // stretches), stretches) if stretches > 1 else (_BLOCK, _MOST_BLOCKS)
    cuts = blocks.cut(moved, block, most=most)
    states: dict[int, _State] = {}

    def task(worker: int, steps: tuple[int, int]) -> None:
        if worker not in states or stretches > 1:
            states[worker] = _empty(pairs, triads=triads)
        begin, end = steps
        parts = begin + blocks.cut(moved[begin : end + 1] - moved[begin], _BLOCK, most=_MOST_BLOCKS)
        for part in pairwise(parts.tolist()):  # stop between parts of a stretch, too
            sweep(pairs, states[worker], first, last, part, (counts, means))

    workers = threads if stretches > 1 else 1
    blocks.run_cuts(task, cuts, threads=workers, costs=np.diff(moved[cuts]), progress=progress)
    return counts, means


def _empty(pairs: PairList, *, triads: bool) -> _State:
    """Return the state of an empty window."""
    m, n, dtype = len(pairs.heads), len(pairs.begins) - 1, pairs.heads.dtype
    largest = int(np.diff(pairs.begins).max(initial=0))
    events, place = int_zeros((2, 2 * m))
    degree, triangles, of_degree, sums, inside = (
        int_zeros(shape) for shape in ((5 if triads else 1, n), 0 if triads else n, largest + 1, len(TRIADS), 2)
    )
    present, touched = np.zeros(2 * m, dtype), np.zeros(m, dtype)
    state = np.zeros(m, np.uint8)
    return _State(events, state, present, place, degree, triangles, of_degree, sums, touched, inside)


@kernel
def sweep(
    pairs: PairList, graph: _State, first: Int64Array, last: Int64Array, steps: tuple[int, int],
    results: tuple[Int64Array, Float64Array],
) -> None:  # fmt: skip
    """Move the window from step to step, and write the numbers of each.

    A pair whose events change in a step has the bit 4 in its state, until all events have entered and left.
    """
    counts, means = results
    arcs, sums, of_degree, events, state, touched, window = (
        pairs.arcs, graph.sums, graph.of_degree, graph.events, graph.state, graph.touched, graph.range
    )  # fmt: skip
    for step in range(steps[0], steps[1]):
        number = 0
        # Events between two windows that do not overlap are in neither.
        for part in range(2):
            start = max(window[1], first[step]) if part == 0 else window[0]
            stop = last[step] if part == 0 else min(first[step], window[1])
            for k in range(start, stop):
                p = arcs[k] >> 1
                events[arcs[k]] += 1 - 2 * part
                if state[p] < 4:
                    state[p] += np.uint8(4)
                    touched[number] = p
                    number += 1
        window[0] = first[step]
        window[1] = max(first[step], last[step])
        for t in range(number):
            change(touched[t], pairs, graph)
        counts[step] = sums[: counts.shape[1]]
        if len(graph.degree) == 1 and sums[_VERTICES] > 0:
            means[step] = sum_of_coefficients(of_degree) / sums[_VERTICES]


@kernel
def sum_of_coefficients(of_degree: Int64Array) -> float:
    """Sum the clustering coefficients of all vertices, by rising degree, with the rounding errors added up beside."""
    total = 0.0
    lost = 0.0
    for d in range(2, len(of_degree)):
        if of_degree[d] != 0:
            term = of_degree[d] / (d * (d - 1) // 2)
            both = total + term
            lost += (total - both) + term if total >= term else (term - both) + total
            total = both
    return total + lost


@kernel
def change(p: np.int64, pairs: PairList, graph: _State) -> None:  # noqa: PLR0915 - a pair enters, leaves or turns in one function
    """Bring a touched pair to the state that its events have now."""
    _, tails, heads, row_indptr, begins = pairs
    events, state, present, place, degree, triangles, of_degree, sums, _, _ = graph
    triads = len(degree) > 1
    old = state[p] - 4
    new = (events[2 * p] > 0) + 2 * (events[2 * p + 1] > 0)
    state[p] = new
    if old == new:
        return
    u = tails[p]
    v = heads[p]
    if not triads:
        sums[_ARCS] += (new & 1) + (new >> 1) - (old & 1) - (old >> 1)
        if old > 0 and new > 0:
            return
    x = u if degree[0, u] <= degree[0, v] else v
    y = u + v - x
    sign = (new > 0) - (old > 0)
    met = np.int64(0)
    for i in range(begins[x], begins[x] + degree[0, x]):
        q = present[i]
        w = tails[q] + heads[q] - x
        if w == y:
            continue
        r = entry_of(row_indptr, heads, w, y)
        if r < 0 or state[r] & 3 == 0:
            continue
        if triads:
            of_x = state[q] & 3
            of_y = state[r] & 3
            # Both states as seen from u and v; the pair itself is seen from u, its end of larger rank.
            of_x = of_x if x > w else turned(of_x)
            of_y = of_y if y > w else turned(of_y)
            code = 4 * of_x + 16 * of_y if x == u else 4 * of_y + 16 * of_x
            if old > 0:
                sums[_CLOSED[old + code]] -= 1
            if new > 0:
                sums[_CLOSED[new + code]] += 1
        else:
            met += 1
            triangles[w] += sign
            of_degree[degree[0, w]] += sign
    if triads:
        dyads = (new == 3) - (old == 3)
        sums[_MUTUAL] += dyads
        sums[_ASYMMETRIC] += sign - dyads
        turn(u, old, new, degree, sums)
        turn(v, turned(old), turned(new), degree, sums)
    else:
        sums[_EDGES] += sign
        sums[_TRIANGLES] += sign * met
        for z in (u, v):
            d = degree[0, z]
            of_degree[d] -= triangles[z]
            triangles[z] += sign * met
            of_degree[d + sign] += triangles[z]
            sums[_WEDGES] += d if sign > 0 else 1 - d
            if d + sign == 0 or d == 0:
                sums[_VERTICES] += sign
    if sign > 0:
        for side, z in enumerate((u, v)):
            at = begins[z] + degree[0, z]
            present[at] = p
            place[2 * p + side] = at
            degree[0, z] += 1
    elif sign < 0:
        for side, z in enumerate((u, v)):
            degree[0, z] -= 1
            at = place[2 * p + side]
            end = begins[z] + degree[0, z]
            q = present[end]
            present[at] = q
            place[2 * q + (heads[q] == z)] = at


@kernel
def turned(state: np.int64) -> np.int64:
    """Return the state of a pair as seen from its other end."""
    return (state >> 1) | ((state & 1) << 1)


@kernel
def turn(z: np.int64, old: np.int64, new: np.int64, degree: Int64Array, sums: Int64Array) -> None:
    """Change the state of a pair at one of its ends, and the pairs of dyads centred there."""
    before = open_pairs(degree[1, z], degree[3, z], degree[2, z])  # of the states 3, 1 and 2
    degree[4 - old, z] -= 1
    degree[4 - new, z] += 1
    after = open_pairs(degree[1, z], degree[3, z], degree[2, z])
    for kind in range(6):
        sums[_OPEN + kind] += after[kind] - before[kind]
