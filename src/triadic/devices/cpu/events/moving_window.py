"""Triangles and closed triads of the events in a window that moves over time, on the CPU.

Computes: for each of a series of windows, the numbers of edges, arcs, vertices with an edge, triangles and paths of two
  edges of the static graph of its events, and the mean clustering coefficient; or its mutual and asymmetric dyads, and
  its open and closed triads by type.
Requires: events sorted by time; windows whose first and last events never fall; pairs of vertices sorted by their end
  of lower rank, the one with fewer pairs in all, and then by their other end.
Idea: count the events of each arc in the window. When the window moves, only pairs whose state changes are counted: a
  pair that leaves and comes back in the same step costs nothing. If the pair u-v changes, walk the present neighbours
  of whichever has fewer, and look up the pair of each with the other end. The pairs of lower rank are in short rows (at
  most sqrt(2m) of m pairs), so a look-up is a binary search of a few steps. Present neighbours stand in no order, so
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
from triadic.core.triad_types import CLOSED_NAMES, OPEN_NAMES, TRIAD_NAMES, TYPE_OF_CODE
from triadic.devices.cpu.list_walk import position

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Int64Array, Uint8Array
    from triadic.core.blocks import Progress


CLUSTERING = ("vertices", "edges", "arcs", "triangles", "wedges")
TRIADS = ("mutual", "asymmetric", *OPEN_NAMES, *CLOSED_NAMES)

_INT32 = np.iinfo(np.int32).max
_BLOCK = 1 << 14  # events that enter or leave in a block of steps
_SHARE = 4  # a stretch of steps is at least as many windows long, since its first window is counted anew
# Places of the running sums, which are the columns of both results.
_VERTICES, _EDGES, _ARCS, _TRIANGLES, _WEDGES = range(5)
_MUTUAL, _ASYMMETRIC = 0, 1
_OPEN = {name: place for place, name in enumerate(TRIADS) if name in OPEN_NAMES}
_021D, _021U, _021C, _111D, _111U, _201 = (_OPEN[name] for name in ("021D", "021U", "021C", "111D", "111U", "201"))
# Place of the type of each closed code; open codes are never looked up.
_CLOSED = np.array([TRIADS.index(TRIAD_NAMES[t]) if TRIAD_NAMES[t] in CLOSED_NAMES else -1 for t in TYPE_OF_CODE])


class PairList(NamedTuple):
    """The pairs of vertices with events, and the pair of each event.

    Attributes
    ----------
    pair : int32 or int64 array, shape (events,)
        Pair of each event.
    direction : uint8 array, shape (events,)
        0 for an event from the end of lower rank, 1 for an event to it.
    low, high : int32 or int64 array, shape (pairs,)
        Ranks of the ends of each pair; pairs are sorted by `low`, then by `high`.
    up : int64 array, shape (n + 1,)
        First pair of each end of lower rank.
    rows : int64 array, shape (n + 1,)
        Sums of the numbers of pairs of each vertex.
    """

    pair: Ids
    direction: Uint8Array
    low: Ids
    high: Ids
    up: Int64Array
    rows: Int64Array


class _State(NamedTuple):
    """The static graph of the events in the window."""

    events: Int64Array  # shape (2 * pairs,): events of each arc
    state: Uint8Array  # of each pair: 1 for an arc from the lower rank, 2 for an arc to it, 3 for both
    present: Ids  # shape (2 * pairs,): rows of the present pairs of each vertex
    place: Int64Array  # shape (2 * pairs,): place of each pair in the rows of both its ends
    degree: Int64Array  # shape (4, n): of all pairs, and of those in state 3, 2 and 1; (1, n) without triads
    triangles: Int64Array  # shape (n,)
    of_degree: Int64Array  # sum of the triangles of the vertices of each degree
    sums: Int64Array  # the numbers of the result, and the largest degree with triangles
    touched: Ids  # pairs whose events have changed in a step
    range: Int64Array  # first and last event of the window


def pair_list(source: Ids, target: Ids, n: int) -> PairList:
    """Return the pairs of vertices that have events, numbered by the ranks of their ends. O(events log(events))."""
    low, high = np.minimum(source, target).astype(np.int64), np.maximum(source, target).astype(np.int64)
    keys, pair = np.unique(low * n + high, return_inverse=True)
    low, high = (keys // n, keys % n) if n else (keys, keys)
    degree = np.bincount(low, minlength=n) + np.bincount(high, minlength=n)
    rank = np.empty(n, dtype=np.int64)
    rank[np.argsort(degree, kind="stable")] = np.arange(n)
    ends = np.sort(np.stack([rank[low], rank[high]]), axis=0)
    order = np.lexsort(ends[::-1])
    place = np.empty(len(keys), dtype=np.int64)
    place[order] = np.arange(len(keys))
    dtype = np.int32 if max(n, len(keys)) <= _INT32 else np.int64
    up, rows = np.zeros((2, n + 1), dtype=np.int64)
    np.cumsum(np.bincount(ends[0], minlength=n), out=up[1:])
    np.cumsum(np.sort(degree), out=rows[1:])
    low, high = ends[:, order].astype(dtype)
    pair = place[pair].astype(dtype)
    return PairList(pair, (rank[source] != low[pair]).astype(np.uint8), low, high, up, rows)


def bytes_of_windows(events: int, n: int, windows: int, *, threads: int) -> int:
    """Estimate the largest number of bytes, if every event has a pair of its own."""
    return (80 + 45 * threads) * events + (40 + 48 * threads) * n + 8 * (len(TRIADS) + 1) * windows


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
    windows = len(first)
    counts = np.zeros((windows, len(TRIADS if triads else CLUSTERING)), dtype=np.int64)
    means = np.full(windows, np.nan)
    entered = np.maximum(last - np.maximum(first, np.concatenate([[0], last])[:-1]), 0)
    moved = np.concatenate([[0], np.cumsum(2 * entered + 1)]) if windows else np.zeros(1, dtype=np.int64)
    largest = 2 * int((last - first).max(initial=0))
    stretches = min(8 * threads, int(moved[-1]) // max(1, _SHARE * largest)) if threads > 1 else 1
    blocks_at_a_time = 1 << 20
    if stretches > 1:
        cuts = blocks.cut(moved, -(-int(moved[-1]) // stretches), most=stretches)
    else:
        cuts = blocks.cut(moved, _BLOCK, most=blocks_at_a_time)
    states: dict[int, _State] = {}

    def task(worker: int, b: int) -> None:
        if worker not in states or stretches > 1:
            states[worker] = _empty(pairs, triads=triads)
        steps, state = cuts[b : b + 2], states[worker]
        if stretches > 1:  # stop between parts of a stretch, too
            inner = blocks.cut(moved[steps[0] : steps[1] + 1] - moved[steps[0]], _BLOCK, most=blocks_at_a_time)
            steps = steps[0] + inner
        for k, end in pairwise(steps.tolist()):
            sweep(
                pairs.pair, pairs.direction, pairs.low, pairs.high, pairs.up, pairs.rows,
                state.events, state.state, state.present, state.place, state.degree, state.triangles, state.of_degree,
                state.sums, state.touched, state.range, first, last, k, end, triads, counts, means,
            )  # fmt: skip

    blocks.run(
        task, len(cuts) - 1, threads=threads if stretches > 1 else 1, costs=np.diff(moved[cuts]), progress=progress
    )
    return counts, means


def _empty(pairs: PairList, *, triads: bool) -> _State:
    """Return the state of an empty window."""
    m, n = len(pairs.low), len(pairs.up) - 1
    largest = int(np.diff(pairs.rows).max(initial=0))
    return _State(
        events=np.zeros(2 * m, dtype=np.int64),
        state=np.zeros(m, dtype=np.uint8),
        present=np.zeros(2 * m, dtype=pairs.low.dtype),
        place=np.zeros(2 * m, dtype=np.int64),
        degree=np.zeros((4 if triads else 1, n), dtype=np.int64),
        triangles=np.zeros(0 if triads else n, dtype=np.int64),
        of_degree=np.zeros(largest + 1, dtype=np.int64),
        sums=np.zeros(len(TRIADS) + 1, dtype=np.int64),
        touched=np.zeros(m, dtype=pairs.low.dtype),
        range=np.zeros(2, dtype=np.int64),
    )


@kernel
def sweep(
    pair: Ids, direction: Uint8Array, low: Ids, high: Ids, up: Int64Array, rows: Int64Array,
    events: Int64Array, state: Uint8Array, present: Ids, place: Int64Array,
    degree: Int64Array, triangles: Int64Array, of_degree: Int64Array, sums: Int64Array,
    touched: Ids, window: Int64Array, first: Int64Array, last: Int64Array, k: int, end: int,
    triads: bool, counts: Int64Array, means: Float64Array,
) -> None:  # fmt: skip
    """Move the window from step to step, and write the numbers of each."""
    for step in range(k, end):
        number = move(pair, direction, events, state, touched, window, first[step], last[step])
        for t in range(number):
            change(
                np.int64(touched[t]), low, high, up, rows, events, state, present, place, degree, triangles,
                of_degree, sums, triads,
            )  # fmt: skip
        for c in range(counts.shape[1]):
            counts[step, c] = sums[c]
        if not triads and sums[_VERTICES] > 0:
            means[step] = sum_of_coefficients(of_degree) / sums[_VERTICES]


@kernel
def sum_of_coefficients(of_degree: Int64Array) -> float:
    """Sum the clustering coefficients of all vertices, by rising degree, with the rounding errors added up beside."""
    total = 0.0
    lost = 0.0
    for d in range(2, len(of_degree)):
        if of_degree[d] != 0:
            term = of_degree[d] / (np.int64(d) * np.int64(d - 1) // 2)
            both = total + term
            lost += (total - both) + term if total >= term else (term - both) + total
            total = both
    return total + lost


@kernel
def move(
    pair: Ids, direction: Uint8Array, events: Int64Array, state: Uint8Array, touched: Ids,
    window: Int64Array, first: np.int64, last: np.int64,
) -> int:  # fmt: skip
    """Count the events that enter and leave, and list the pairs that they touch; return the number of pairs.

    A pair in the list has the bit 4 in its state.
    """
    number = 0
    # Events between two windows that do not overlap are in neither.
    for part in range(2):
        start = max(window[1], first) if part == 0 else window[0]
        stop = last if part == 0 else min(first, window[1])
        for k in range(start, stop):
            p = np.int64(pair[k])
            events[2 * p + direction[k]] += 1 - 2 * part
            if state[p] < 4:
                state[p] += np.uint8(4)
                touched[number] = p
                number += 1
    window[0] = first
    window[1] = max(first, last)
    return number


@kernel
def change(  # noqa: PLR0915 - a pair enters, leaves or turns in one function
    p: np.int64, low: Ids, high: Ids, up: Int64Array, rows: Int64Array, events: Int64Array,
    state: Uint8Array, present: Ids, place: Int64Array, degree: Int64Array,
    triangles: Int64Array, of_degree: Int64Array, sums: Int64Array, triads: bool,
) -> None:  # fmt: skip
    """Bring a touched pair to the state that its events have now."""
    old = np.int64(state[p]) - 4
    new = np.int64(events[2 * p] > 0) + 2 * np.int64(events[2 * p + 1] > 0)
    state[p] = new
    if old == new:
        return
    u = np.int64(low[p])
    v = np.int64(high[p])
    if not triads:
        sums[_ARCS] += (new & 1) + (new >> 1) - (old & 1) - (old >> 1)
        if old > 0 and new > 0:
            return
    x = u if degree[0, u] <= degree[0, v] else v
    y = u + v - x
    sign = np.int64(new > 0) - np.int64(old > 0)
    met = np.int64(0)
    for i in range(rows[x], rows[x] + degree[0, x]):
        q = np.int64(present[i])
        w = np.int64(low[q]) + np.int64(high[q]) - x
        if w == y:
            continue
        r = pair_of(min(w, y), max(w, y), high, up)
        if r < 0 or state[r] & 3 == 0:
            continue
        if triads:
            of_x = np.int64(state[q] & 3)
            of_y = np.int64(state[r] & 3)
            # Both states as seen from u and v; the pair itself is seen from u, its end of lower rank.
            of_x = of_x if x < w else turned(of_x)
            of_y = of_y if y < w else turned(of_y)
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
        dyads = np.int64(new == 3) - np.int64(old == 3)
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
            at = rows[z] + degree[0, z]
            present[at] = p
            place[2 * p + side] = at
            degree[0, z] += 1
    elif sign < 0:
        for side, z in enumerate((u, v)):
            degree[0, z] -= 1
            at = place[2 * p + side]
            end = rows[z] + degree[0, z]
            q = np.int64(present[end])
            present[at] = q
            place[2 * q + np.int64(np.int64(high[q]) == z)] = at


@kernel
def turned(state: np.int64) -> np.int64:
    """Return the state of a pair as seen from its other end."""
    return (state >> 1) | ((state & 1) << 1)


@kernel
def turn(z: np.int64, old: np.int64, new: np.int64, degree: Int64Array, sums: Int64Array) -> None:
    """Change the state of a pair at one of its ends, and the pairs of dyads centred there."""
    for part in range(2):
        sign = np.int64(2 * part - 1)
        if part == 1:
            if old > 0:
                degree[1 + 3 - old, z] -= 1
            if new > 0:
                degree[1 + 3 - new, z] += 1
        mutual = degree[1, z]  # state 3
        inward = degree[2, z]  # state 2
        outward = degree[3, z]  # state 1
        sums[_021D] += sign * (outward * (outward - 1) // 2)
        sums[_021U] += sign * (inward * (inward - 1) // 2)
        sums[_021C] += sign * outward * inward
        sums[_111D] += sign * mutual * inward
        sums[_111U] += sign * mutual * outward
        sums[_201] += sign * (mutual * (mutual - 1) // 2)


@kernel
def pair_of(a: np.int64, b: np.int64, high: Ids, up: Int64Array) -> np.int64:
    """Return the pair of two ranks a < b, or -1."""
    place = position(high, up[a], up[a + 1], b)
    return np.int64(place) if place < up[a + 1] and high[place] == b else np.int64(-1)
