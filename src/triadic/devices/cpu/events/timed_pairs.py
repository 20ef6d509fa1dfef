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

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.motif_places import AB, AC, BA, BC, PAIRS, STARS
from triadic.devices.cpu.events.event_order import after_window, begin_of_window
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array

    Whole = int | np.integer[Any]


@kernel
def add_stars(
    moments: Ids, begin: Whole, end: Whole, first: Whole, p: Whole, last: Whole, simultaneous: bool,
    d: Whole, b0: Whole, b1: Whole, a0: Whole, a1: Whole, stars: Int64Array,
) -> None:  # fmt: skip
    """Add the products of one event, with the direction `d`, at one of its ends, whose list is from `begin` to `end`.

    The event is at place `p`, and its window from `first` to `last`. `stars`, shape (24,), has the stars by the place
    of the lone event and by directions at the centre.
    """
    tied = p
    passed = p + 1
    if simultaneous:
        key = moments[p, 0]
        while tied > begin and moments[tied - 1, 0] == key:
            tied -= 1
        while passed < end and moments[passed, 0] == key:
            passed += 1
    # Inward and outward events before four places.
    in_first = np.int64(moments[first, 1])
    in_tied = np.int64(moments[tied, 1])
    in_passed = np.int64(moments[passed, 1])
    in_last = np.int64(moments[last, 1])
    out_first = first - in_first
    out_tied = tied - in_tied
    out_passed = passed - in_passed
    out_last = last - in_last
    for x in range(2):  # direction of the other event of the pair
        b = b1 if x else b0
        a = a1 if x else a0
        if a != 0:
            stars[2 * d + x] += a * out_tied
            stars[4 + 2 * d + x] += a * in_tied
            stars[8 + 4 * d + x] -= a * out_passed
            stars[10 + 4 * d + x] -= a * in_passed
            stars[16 + 4 * d + 2 * x] += a * out_last
            stars[17 + 4 * d + 2 * x] += a * in_last
        if b != 0:
            stars[2 * x + d] -= b * out_first
            stars[4 + 2 * x + d] -= b * in_first
            stars[8 + 4 * x + d] += b * out_tied
            stars[10 + 4 * x + d] += b * in_tied
            stars[16 + 4 * x + 2 * d] -= b * out_passed
            stars[17 + 4 * x + 2 * d] -= b * in_passed


@kernel
def count_pairs(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: Int64Array, moments: Ids, row_indptr: Int64Array, heads: Ids, starts: Ids, events: Ids,
    delta: Whole, limits: Ids, simultaneous: bool, first: Whole, last: Whole, near: Ids, by_vertex: Int64Array,
    found: Int64Array, sums: Int64Array,
) -> None:  # fmt: skip
    """Count the pairs, and the stars with two events of a pair, of the rows in the block.

    `found`, shape (8,), gets the triples of events of one pair by directions, 0 from the larger rank; `sums`, shape
    (24,), gets the stars of all centres. If `by_vertex` has rows, both are added at the two vertices of each pair.
    `near` gets the numbers of events of the pair in the window of each event: before it with direction 0 and 1, and
    after it. It has a row for each event, or for those of one pair.
    """
    triples = np.zeros(8, dtype=np.int64)
    here = np.zeros(24, dtype=np.int64)
    there = np.zeros(24, dtype=np.int64)
    ended = np.zeros(4, dtype=np.int64)
    begun = np.zeros(4, dtype=np.int64)
    at_vertices = len(by_vertex) > 0
    whole = len(near) == len(events)
    from_times = len(limits) == 0
    end = len(events) - 1
    for x in range(first, last):
        for pair in range(row_indptr[x], row_indptr[x + 1]):
            start = np.int64(starts[pair])
            stop = np.int64(starts[pair + 1])
            base = 0 if whole else start
            if stop == start + 1:
                if whole:
                    near[start, 0] = 0
                    near[start, 1] = 0
                    near[start, 2] = 0
                    near[start, 3] = 0
                continue
            y = np.int64(heads[pair])
            # The window of an event is from `low` to `high`, without the tied events from `before` to `after`.
            low = start
            before = start
            after = start
            high = start
            low_in = np.int64(0)
            before_in = np.int64(0)
            after_in = np.int64(0)
            high_in = np.int64(0)
            first_x = np.int64(0)
            first_y = np.int64(0)
            last_x = np.int64(0)
            last_y = np.int64(0)
            any_here = False
            for q in range(start, stop):
                prefetch(moments, 2 * np.int64(events[min(q + AHEAD_SUM, end), 3]))
                key = np.int64(events[q, 0])
                d = np.int64(events[q, 1]) & 1
                low_key = key - delta if from_times else np.int64(limits[q, 0])
                high_key = key + delta if from_times else np.int64(limits[q, 1])
                while events[low, 0] < low_key:
                    e = np.int64(events[low, 1]) & 1
                    begun[2 * e] += near[low - base, 2]
                    begun[2 * e + 1] += near[low - base, 3]
                    low_in += e
                    low += 1
                while before < q and (not simultaneous or events[before, 0] < key):
                    e = np.int64(events[before, 1]) & 1
                    ended[e] += near[before - base, 0]
                    ended[2 + e] += near[before - base, 1]
                    before_in += e
                    before += 1
                while after <= q or (simultaneous and after < stop and events[after, 0] == key):
                    after_in += np.int64(events[after, 1]) & 1
                    after += 1
                while high < stop and events[high, 0] <= high_key:
                    high_in += np.int64(events[high, 1]) & 1
                    high += 1
                b1 = before_in - low_in
                b0 = before - low - b1
                a1 = high_in - after_in
                a0 = high - after - a1
                near[q - base, 0] = b0
                near[q - base, 1] = b1
                near[q - base, 2] = a0
                near[q - base, 3] = a1
                if b0 + b1 + a0 + a1 == 0:
                    continue
                for c in range(4):
                    triples[2 * c + d] += ended[c] - begun[c]
                at_x = np.int64(events[q, 2])
                at_y = np.int64(events[q, 3])
                if any_here:  # windows move on from those of the event before
                    first_x = after_window(moments, first_x, at_x, low_key - 1)
                    first_y = after_window(moments, first_y, at_y, low_key - 1)
                else:
                    any_here = True
                    first_x = begin_of_window(moments, indptr[x], at_x, low_key)
                    first_y = begin_of_window(moments, indptr[y], at_y, low_key)
                last_x = after_window(moments, max(last_x, at_x + 1), indptr[x + 1], high_key)
                last_y = after_window(moments, max(last_y, at_y + 1), indptr[y + 1], high_key)
                add_stars(
                    moments, indptr[x], indptr[x + 1], first_x, at_x, last_x, simultaneous, d, b0, b1, a0, a1, here
                )
                add_stars(
                    moments, indptr[y], indptr[y + 1], first_y, at_y, last_y, simultaneous, 1 - d, b1, b0, a1, a0,
                    there,
                )  # fmt: skip
            if not any_here:
                continue
            ended[:] = 0
            begun[:] = 0
            if not at_vertices:
                continue
            for c in range(8):
                t = triples[c]
                found[c] += t
                triples[c] = 0
                if t != 0:
                    by_vertex[x, PAIRS[c]] += t
                    by_vertex[y, PAIRS[c]] += t
                    # Three events of one pair were counted as stars: at both ends of the pair, for both centres, and
                    # at the vertex of the lone event.
                    for lone in range(3):
                        by_vertex[x, STARS[lone, c]] -= t
                        by_vertex[y, STARS[lone, c]] -= 2 * t
                        by_vertex[x, STARS[lone, 7 - c]] -= 2 * t
                        by_vertex[y, STARS[lone, 7 - c]] -= t
            for c in range(24):
                t = here[c] + there[c]
                sums[c] += t
                here[c] = 0
                there[c] = 0
                by_vertex[x, STARS[c >> 3, c & 7]] += t
                by_vertex[y, STARS[c >> 3, c & 7]] += t
    for c in range(8):
        found[c] += triples[c]
    for c in range(24):
        sums[c] += here[c] + there[c]


@kernel
def count_lone(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: Int64Array, moments: Ids, neighbours: Ids, places: Ids, near: Ids, delta: Whole, limits: Ids,
    simultaneous: bool, first: Whole, last: Whole, by_vertex: Int64Array,
) -> None:  # fmt: skip
    """Add each star with a centre in the block at the vertex of its lone event; `near` as `count_pairs` writes it."""
    # Pairs of events that have ended before, and begun before, the start of the window, the tied events and so on.
    begun_low = np.zeros(4, dtype=np.int64)
    begun_before = np.zeros(4, dtype=np.int64)
    begun_after = np.zeros(4, dtype=np.int64)
    ended_before = np.zeros(4, dtype=np.int64)
    ended_after = np.zeros(4, dtype=np.int64)
    ended_high = np.zeros(4, dtype=np.int64)
    from_times = len(limits) == 0
    end = len(places) - 1
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        if stop - start < 3:
            continue
        low = start
        before = start
        after = start
        high = start
        any_here = False
        for p in range(start, stop):
            key = np.int64(moments[p, 0])
            d = np.int64(moments[p + 1, 1] - moments[p, 1])
            low_key = key - delta if from_times else np.int64(limits[places[p], 0])
            high_key = key + delta if from_times else np.int64(limits[places[p], 1])
            while high < stop and moments[high, 0] <= high_key:
                prefetch(near, 4 * np.int64(places[min(high + AHEAD_SUM, end)]))
                q = places[high]
                e = np.int64(moments[high + 1, 1] - moments[high, 1])
                # Directions of `near` are those at the larger rank of the pair.
                turned = 1 if neighbours[high] > u else 0
                b0 = np.int64(near[q, turned])
                b1 = np.int64(near[q, 1 - turned])
                if b0 + b1 + near[q, 2] + near[q, 3] > 0:
                    any_here = True
                    ended_high[e] += b0
                    ended_high[2 + e] += b1
                high += 1
            if not any_here:
                # No event so far has another event of its pair in its window, so that all sums are 0.
                continue
            while moments[low, 0] < low_key:
                q = places[low]
                e = np.int64(moments[low + 1, 1] - moments[low, 1])
                turned = 1 if neighbours[low] > u else 0
                begun_low[2 * e] += near[q, 2 + turned]
                begun_low[2 * e + 1] += near[q, 3 - turned]
                low += 1
            while before < p and (not simultaneous or moments[before, 0] < key):
                q = places[before]
                e = np.int64(moments[before + 1, 1] - moments[before, 1])
                turned = 1 if neighbours[before] > u else 0
                begun_before[2 * e] += near[q, 2 + turned]
                begun_before[2 * e + 1] += near[q, 3 - turned]
                ended_before[e] += near[q, turned]
                ended_before[2 + e] += near[q, 1 - turned]
                before += 1
            while after <= p or (simultaneous and after < stop and moments[after, 0] == key):
                q = places[after]
                e = np.int64(moments[after + 1, 1] - moments[after, 1])
                turned = 1 if neighbours[after] > u else 0
                begun_after[2 * e] += near[q, 2 + turned]
                begun_after[2 * e + 1] += near[q, 3 - turned]
                ended_after[e] += near[q, turned]
                ended_after[2 + e] += near[q, 1 - turned]
                after += 1
            if high - low < 3:
                continue
            row = by_vertex[neighbours[p]]
            for c in range(4):
                row[STARS[0, 4 * d + c]] += ended_high[c] - begun_after[c]
                row[STARS[1, (c & 2) * 2 + 2 * d + (c & 1)]] += begun_before[c] - ended_after[c]
                row[STARS[2, 2 * c + d]] += ended_before[c] - begun_low[c]
        if any_here:
            begun_low[:] = 0
            begun_before[:] = 0
            begun_after[:] = 0
            ended_before[:] = 0
            ended_after[:] = 0
            ended_high[:] = 0


@kernel
def count_near(
    row_indptr: Int64Array, starts: Ids, events: Ids, delta: Whole, limits: Ids, simultaneous: bool,
    first: Whole, last: Whole, near: Ids,
) -> None:  # fmt: skip
    """Write the numbers of events of the pair in the window of each event of the rows in the block."""
    from_times = len(limits) == 0
    inside = np.zeros(2, dtype=np.int64)
    for pair in range(row_indptr[first], row_indptr[last]):
        start = np.int64(starts[pair])
        stop = np.int64(starts[pair + 1])
        inside[:] = 0
        low = start
        entered = start
        for q in range(start, stop):
            key = np.int64(events[q, 0])
            low_key = key - delta if from_times else np.int64(limits[q, 0])
            while events[low, 0] < low_key:
                inside[np.int64(events[low, 1]) & 1] -= 1
                low += 1
            while entered < q and (not simultaneous or events[entered, 0] < key):
                inside[np.int64(events[entered, 1]) & 1] += 1
                entered += 1
            near[q, 0] = inside[0]
            near[q, 1] = inside[1]
        inside[:] = 0
        high = stop - 1
        entered = stop - 1
        for q in range(stop - 1, start - 1, -1):
            key = np.int64(events[q, 0])
            high_key = key + delta if from_times else np.int64(limits[q, 1])
            while events[high, 0] > high_key:
                inside[np.int64(events[high, 1]) & 1] -= 1
                high -= 1
            while entered > q and (not simultaneous or events[entered, 0] > key):
                inside[np.int64(events[entered, 1]) & 1] += 1
                entered -= 1
            near[q, 2] = inside[0]
            near[q, 3] = inside[1]


@kernel
def count_two(
    indptr: Int64Array, moments: Ids, neighbours: Ids, places: Ids, near: Ids, delta: Whole, limits: Ids,
    simultaneous: bool, first: Whole, last: Whole, by_vertex: Int64Array, found: Int64Array,
) -> None:  # fmt: skip
    """Count the pairs of events in one window whose common vertex is in the block.

    `found`, shape (6,), has them by the kind of the second event; the pairs of events of the same two vertices count
    twice. If `by_vertex` has rows, they are added at each vertex; the latter count once there.
    """
    at_vertices = len(by_vertex) > 0
    from_times = len(limits) == 0
    end = len(places) - 1
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        low = start
        before = start
        after = start
        high = start
        for p in range(start, stop):
            prefetch(near, 4 * np.int64(places[min(p + AHEAD_SUM, end)]))
            key = np.int64(moments[p, 0])
            d = np.int64(moments[p + 1, 1] - moments[p, 1])
            q = np.int64(places[p])
            low_key = key - delta if from_times else np.int64(limits[q, 0])
            high_key = key + delta if from_times else np.int64(limits[q, 1])
            while moments[low, 0] < low_key:
                low += 1
            while before < p and (not simultaneous or moments[before, 0] < key):
                before += 1
            while after <= p or (simultaneous and after < stop and moments[after, 0] == key):
                after += 1
            while high < stop and moments[high, 0] <= high_key:
                high += 1
            v = neighbours[p]
            turned = 1 if v > u else 0
            same = np.int64(near[q, turned if d == 0 else 1 - turned])
            other = np.int64(near[q, turned if d == 1 else 1 - turned])
            found[AB] += same
            found[BA] += other
            if at_vertices:
                by_vertex[u, AB] += same
                by_vertex[u, BA] += other
            for e in range(2):
                # The event is the second; the first has direction `e`, and the centre is a if that event leaves it.
                inward = np.int64(moments[before, 1] - moments[low, 1])
                count = (inward if e else before - low - inward) - (same if e == d else other)
                kind = (AC if e == 0 else BC) + d
                found[kind] += count
                if at_vertices:
                    by_vertex[u, kind] += count
                    by_vertex[v, kind] += count
                    own = np.int64(near[q, 2 + (turned if e == 0 else 1 - turned)])
                    inward = np.int64(moments[high, 1] - moments[after, 1])
                    by_vertex[v, (AC if d == 0 else BC) + e] += (inward if e else high - after - inward) - own
