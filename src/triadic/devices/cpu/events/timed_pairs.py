"""Motifs of three timed events on two vertices, and stars, found at the events of each pair of vertices.

Computes: the triples of events i before j before k within a duration, between two vertices, and between three vertices
  of which one is in all three events; for the whole network or for each vertex.
Requires: oriented events, and the reach of the duration.
Idea: two events of a star have one neighbour. Let b and a be the numbers of events of the same pair before and after an
  event in its window, and N(p) the number of events before place p in the list of the centre. A pair of events (i, k)
  has N(k) - N(i + 1) events between them, so that the sum over all pairs of events needs only the products b(k) N(k)
  and a(i) N(i + 1) of single events, by directions. Lone events before i and after k are counted in the same way, with
  the ends of the windows. Events without another event of their pair in the window cost nothing more than that test.
  - By vertex, both ends of a pair get its stars. The vertex of the lone event gets its stars from a sweep over the list
    of the centre: running sums of b and a count the pairs of events that have ended and that have begun at a place.
  - Three events of one pair are counted in the list of the pair, and subtracted from the stars.
Cost: O(events) and two short searches for each event that has others of its pair in its window. Numbers of triples are
  exact modulo 2**64.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, algorithms 1 and 2, for counters in a
sliding window; Gao, Cheng, Yu, Cao, Huang and Dong (2022), "Scalable motif counting for large-scale temporal
graphs", ICDE (FAST), for counting all stars and pairs of a vertex at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.core.triad_types import AB, AC, BA, BC, PAIRS, STARS
from triadic.devices.cpu.events.event_order import after_window, begin_of_window, first_key, last_key, without_ties
from triadic.devices.cpu.intrinsics import AHEAD_SUM, Whole, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.oriented import EventLists, EventPairs
    from triadic.devices.cpu.events.event_order import Block, Window


@inline_kernel
def before(moments: Ids, p: Whole, direction: Whole) -> np.int64:
    """Return the number of events of a direction before a place of the lists of vertices; 1 is inward."""
    inward = np.int64(moments[p, 1])
    return inward if direction else p - inward


@inline_kernel
def add_near(near: Ids, q: Whole, turned: Whole, d: Whole, sums: Int64Array, row: Whole) -> None:
    """Add the pairs of events that end and that begin with an event of direction `d`, by both directions.

    Directions of `near` are those at the larger rank of the pair; at the smaller, `turned` is 1.
    """
    for e in range(2):
        sums[row, 2 * e + d] += near[q, turned ^ e]
        sums[row, 4 + 2 * d + e] += near[q, 2 + (turned ^ e)]


@inline_kernel
def add_stars(
    moments: Ids, places: tuple[Whole, Whole, Whole, Whole], d: Whole, near: Ids, at: tuple[Whole, Whole],
    sums: Int64Array,
) -> None:  # fmt: skip
    """Add the products of one event, with the direction `d`, at one of its ends.

    `places` of the end's list: the begin of the event's window, the end of the events before it, the first event after
    it, and the end of its window. `at` has the place of the event in `near`, and 1 at the smaller rank of the pair.
    """
    first, tied, passed, last = places
    q, turned = at
    for lone in range(2):  # direction of the lone event
        for x in range(2):  # direction of the other event of the pair
            b = np.int64(near[q, turned ^ x])
            a = np.int64(near[q, 2 + (turned ^ x)])
            if a != 0:
                sums[1, 4 * lone + 2 * d + x] += a * before(moments, tied, lone)
                sums[2, 4 * d + 2 * lone + x] -= a * before(moments, passed, lone)
                sums[3, 4 * d + 2 * x + lone] += a * before(moments, last, lone)
            if b != 0:
                sums[1, 4 * lone + 2 * x + d] -= b * before(moments, first, lone)
                sums[2, 4 * x + 2 * lone + d] += b * before(moments, tied, lone)
                sums[3, 4 * x + 2 * d + lone] -= b * before(moments, passed, lone)


@kernel
def count_pairs(  # noqa: PLR0915 - all loops of a kernel are in one function
    lists: EventLists,
    pairs: EventPairs,
    window: Window,
    block: Block,
    near: Ids,
    stars: tuple[Int64Array, Int64Array] | None,
) -> None:
    """Count the pairs, and the stars with two events of a pair, of the rows in the block; without `stars` only `near`.

    `near` gets the numbers of events of the pair in the window of each event: before it with direction 0 and 1, and
    after it. It is zero and has a row for each event, or has a row for each event of one pair.

    `stars` has two arrays. The first, shape (4, 8), gets, by directions, the triples of events of one pair, 0 from the
    larger rank; and the stars of all centres, by the place of the lone event. If the second has a row for each vertex,
    both are added at the two vertices of each pair, and the first is left zero.
    """
    indptr, moments, _, _ = lists
    row_indptr, heads, starts, events = pairs
    delta, limits, simultaneous = window
    if stars is not None:
        sums, by_vertex = stars
    changes = np.zeros((2, 8), np.int64)  # pairs that ended before, and began before, `before` and `low`
    inward = np.zeros(4, np.int64)
    firsts = np.zeros(2, np.int64)
    lasts = np.zeros(2, np.int64)
    for x in range(block[0], block[1]):
        for pair in range(row_indptr[x], row_indptr[x + 1]):
            start = starts[pair]
            stop = starts[pair + 1]
            if stop == start + 1:
                continue
            y = heads[pair]
            base = 0 if len(near) == len(events) else start
            # The window of an event is from `low` to `high`, without the tied events from `before` to `after`.
            low = entered = after = high = start
            inward[:] = 0
            lasts[:] = 0
            any_here = False
            for q in range(start, stop):
                prefetch(moments, 2 * np.int64(events[min(q + AHEAD_SUM, len(events) - 1), 3]))
                key = events[q, 0]
                d = events[q, 1] & 1
                low_key = first_key(delta, limits, key, q)
                high_key = last_key(delta, limits, key, q)
                while events[low, 0] < low_key:
                    e = events[low, 1] & 1
                    add_near(near, low - base, 0, e, changes, 0)
                    inward[0] += e
                    low += 1
                while entered < q and (not simultaneous or events[entered, 0] < key):
                    e = events[entered, 1] & 1
                    add_near(near, entered - base, 0, e, changes, 1)
                    inward[1] += e
                    entered += 1
                while after <= q or (simultaneous and after < stop and events[after, 0] == key):
                    inward[2] += events[after, 1] & 1
                    after += 1
                while high < stop and events[high, 0] <= high_key:
                    inward[3] += events[high, 1] & 1
                    high += 1
                at = q - base
                near[at, 1] = inward[1] - inward[0]
                near[at, 0] = entered - low - near[at, 1]
                near[at, 3] = inward[3] - inward[2]
                near[at, 2] = high - after - near[at, 3]
                if stars is None or entered - low + high - after == 0:
                    continue
                for c in range(4):
                    sums[0, 2 * c + d] += changes[1, c] - changes[0, 4 + c]
                for side in range(2):
                    u = y if side else x
                    p = np.int64(events[q, 2 + side])
                    end = indptr[u + 1]
                    if not any_here:  # windows move on from those of the event before
                        firsts[side] = begin_of_window(moments, indptr[u], p, low_key)
                    firsts[side] = after_window(moments, firsts[side], p, low_key - 1)
                    lasts[side] = after_window(moments, max(lasts[side], p + 1), end, high_key)
                    tied, passed = without_ties(moments, indptr[u], p, end, simultaneous)
                    places = firsts[side], tied, passed, lasts[side]
                    add_stars(moments, places, d ^ side, near, (at, side), sums)
                any_here = True
            if not any_here:
                continue
            changes[:] = 0
            if stars is not None and len(by_vertex) > 1:
                for c in range(8):
                    t = sums[0, c]
                    back = sums[0, 7 - c]
                    by_vertex[x, PAIRS[c]] += t
                    by_vertex[y, PAIRS[c]] += t
                    # Three events of one pair were counted as stars: at both ends of the pair, for both centres, and
                    # at the vertex of the lone event.
                    for lone in range(3):
                        count = sums[1 + lone, c] - t - back
                        by_vertex[x, STARS[lone, c]] += count - back
                        by_vertex[y, STARS[lone, c]] += count - t
                sums[:] = 0


@kernel
def count_lone(lists: EventLists, near: Ids, window: Window, block: Block, by_vertex: Int64Array) -> None:
    """Add each star with a centre in the block at the vertex of its lone event; `near` as `count_pairs` writes it."""
    indptr, moments, neighbours, places = lists
    delta, limits, simultaneous = window
    # Pairs of events that have ended, and begun, before the start of the window, the tied events and so on.
    changes = np.zeros((4, 8), np.int64)
    for u in range(block[0], block[1]):
        start = indptr[u]
        stop = indptr[u + 1]
        if stop - start < 3:
            continue
        low = entered = after = high = start
        any_here = False
        for p in range(start, stop):
            key = moments[p, 0]
            d = direction(moments, p)
            low_key = first_key(delta, limits, key, places[p])
            high_key = last_key(delta, limits, key, places[p])
            while high < stop and moments[high, 0] <= high_key:
                prefetch(near, 4 * np.int64(places[min(high + AHEAD_SUM, len(places) - 1)]))
                q = places[high]
                if near[q, 0] + near[q, 1] + near[q, 2] + near[q, 3] > 0:
                    any_here = True
                    add_near(near, q, neighbours[high] > u, direction(moments, high), changes, 3)
                high += 1
            if not any_here:
                # No event so far has another event of its pair in its window, so that all sums are 0.
                continue
            while moments[low, 0] < low_key:
                add_near(near, places[low], neighbours[low] > u, direction(moments, low), changes, 0)
                low += 1
            while entered < p and (not simultaneous or moments[entered, 0] < key):
                add_near(near, places[entered], neighbours[entered] > u, direction(moments, entered), changes, 1)
                entered += 1
            while after <= p or (simultaneous and after < stop and moments[after, 0] == key):
                add_near(near, places[after], neighbours[after] > u, direction(moments, after), changes, 2)
                after += 1
            if high - low < 3:
                continue
            row = by_vertex[neighbours[p]]
            for c in range(4):
                row[STARS[0, 4 * d + c]] += changes[3, c] - changes[2, 4 + c]
                row[STARS[1, (c & 2) * 2 + 2 * d + (c & 1)]] += changes[1, 4 + c] - changes[2, c]
                row[STARS[2, 2 * c + d]] += changes[1, c] - changes[0, 4 + c]
        if any_here:
            changes[:] = 0


@inline_kernel
def direction(moments: Ids, p: Whole) -> np.int64:
    """Return whether the event at a place of the lists of vertices is inward."""
    return np.int64(moments[p + 1, 1] - moments[p, 1])


@kernel
def count_two(lists: EventLists, near: Ids, window: Window, block: Block, table: Int64Array) -> None:
    """Count the pairs of events in one window whose common vertex is in the block, by the kind of the second event.

    If `table` has a row for each vertex, they are added there; else the pairs of events of the same two vertices count
    twice.
    """
    indptr, moments, neighbours, places = lists
    delta, limits, simultaneous = window
    at_vertices = len(table) > 1
    for u in range(block[0], block[1]):
        start = indptr[u]
        stop = indptr[u + 1]
        low = high = start
        row = u if at_vertices else 0
        for p in range(start, stop):
            prefetch(near, 4 * np.int64(places[min(p + AHEAD_SUM, len(places) - 1)]))
            key = moments[p, 0]
            d = direction(moments, p)
            q = places[p]
            low_key = first_key(delta, limits, key, q)
            high_key = last_key(delta, limits, key, q)
            while moments[low, 0] < low_key:
                low += 1
            while high < stop and moments[high, 0] <= high_key:
                high += 1
            tied, passed = without_ties(moments, start, p, stop, simultaneous)
            v = neighbours[p]
            for e in range(2):
                # The event is the second; the first has direction `e`, and the centre is a if that event leaves it.
                turned = e ^ (v > u)
                same = near[q, turned]
                count = before(moments, tied, e) - before(moments, low, e) - same
                kind = (BC if e else AC) + d
                table[row, AB if e == d else BA] += same
                table[row, kind] += count
                if at_vertices:
                    table[v, kind] += count
                    count = before(moments, high, e) - before(moments, passed, e) - near[q, 2 + turned]
                    table[v, (BC if d else AC) + e] += count
