"""Triangles of three timed events, found from triangles of vertices, or from the first event of each.

Computes: the triples of events i before j before k, with t_k - t_i at most delta, that join three vertices by three
  different pairs.
Requires: oriented events, and the reach of the duration.
Idea: find each triangle of vertices once by marks, and skip pairs whose first and last events are further apart than
  the duration. In a triangle of vertices only the windows around the events of the pair with the fewest events matter:
  merge the three lists there, and slide a window over the merged list with counters of one event and of two events of
  different pairs, by direction.
Cost: O(p^1.5) tests for p pairs, and O(1) for each event of a triangle of vertices that lies within the duration of an
  event of its rarest pair. A worker takes 8 bytes a vertex of marks, and 24 bytes an event of the three longest lists.

Triangles of three timed events, found from the first event of each; and the choice between two ways to find them.

Computes: the triples of events within a duration that join three vertices by three different pairs.
Requires: oriented events, and the reach of the duration.
Idea: the second and third event of a triangle lie in the windows of both ends of the first. Walk the shorter of the two
  windows after the first event; each event in it has a third vertex, and the pair of that vertex with the other end is
  found in an oriented row. Its events within the window close the triangles. Where windows are long, finding
  each triangle of vertices once takes less time: `windows_are_long` estimates this from a sample of the events.
Cost: a search in an oriented row for each event in the shorter window after each event; of many events in one window,
  their number squared.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, section 4.3; Gao, Cheng, Yu, Cao, Huang and
Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE (FAST), for counting by static triangle.
Gao, Cheng, Yu, Cao, Huang and Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE (FAST), for
closing two events of a window by a look-up of the third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.motif_places import AC, BC, ORDER_OF, TRIANGLES
from triadic.devices.cpu.events.event_order import after_window
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.events.event_order import Reach

    Whole = int | np.integer[Any]

_SAMPLE = 2048  # events
# Nanoseconds of an event in a shorter window, of an entry of a row that is walked for triangles of vertices, and of an
# event in the lists that are then merged.
_LOOK_UP, _WALK, _MERGE = 15.0, 1.5, 15.0


@kernel
def estimate_work(row_indptr: Int64Array, heads: Ids, starts: Ids, cost: Int64Array) -> None:
    """Estimate the tests before each row."""
    n = len(row_indptr) - 1
    total = 0
    for x in range(n):
        cost[x] = total
        if row_indptr[x + 1] - row_indptr[x] > 1:
            for p in range(row_indptr[x], row_indptr[x + 1]):
                y = np.int64(heads[p])
                total += 1 + row_indptr[y + 1] - row_indptr[y] + np.int64(starts[p + 1] - starts[p])
    cost[n] = total


@kernel
def find_spans(starts: Ids, events: Ids, delta: Whole, limits: Ids, first: Whole, last: Whole, spans: Ids) -> None:
    """Write the first key of some pairs, and the last key in the window of the last event of each."""
    for p in range(first, last):
        spans[p, 0] = events[starts[p], 0]
        q = np.int64(starts[p + 1]) - 1
        spans[p, 1] = np.int64(events[q, 0]) + delta if len(limits) == 0 else np.int64(limits[q, 1])


@kernel
def count_triangles(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: Int64Array, head: Ids, starts: Ids, span: Int64Array, events: Ids, delta: Whole, limits: Ids,
    simultaneous: bool, first: Whole, last: Whole, mark: Int64Array, merged: Int64Array,
    by_vertex: Int64Array, found: Int64Array,
) -> None:  # fmt: skip
    """Count the triangles of events in the triangles of vertices whose largest rank is in the block.

    `found`, shape (36,), gets the triangles by the place of the motif. If `by_vertex` has rows, they are added at the
    three vertices. `mark` is zero, and is left so.
    """
    from_times = len(limits) == 0
    at_vertices = len(by_vertex) > 0
    one = np.zeros(6, dtype=np.int64)  # events in the window, by side and direction
    two = np.zeros(24, dtype=np.int64)  # pairs of events in the window, by ordered sides and directions
    here = np.zeros(48, dtype=np.int64)
    places = np.zeros(3, dtype=np.int64)
    stops = np.zeros(3, dtype=np.int64)
    untils = np.zeros(3, dtype=np.int64)
    for x in range(first, last):
        if indptr[x + 1] - indptr[x] < 2:
            continue
        for p in range(indptr[x], indptr[x + 1]):
            mark[head[p]] = p + 1
        for p in range(indptr[x], indptr[x + 1]):
            y = np.int64(head[p])
            begin_p = span[p, 0]
            end_p = span[p, 1]
            for q in range(indptr[y], indptr[y + 1]):
                # Pairs whose events are further apart than delta are in no triangle of events.
                if span[q, 0] > end_p or span[q, 1] < begin_p:
                    continue
                z = np.int64(head[q])
                r = mark[z] - 1
                if r < 0 or span[q, 0] > span[r, 1] or span[q, 1] < span[r, 0]:
                    continue
                if span[r, 0] > end_p or span[r, 1] < begin_p:
                    continue
                # Sides by their ends z < y < x: z and y, z and x, y and x.
                places[0], places[1], places[2] = starts[q], starts[r], starts[p]
                stops[0], stops[1], stops[2] = starts[q + 1], starts[r + 1], starts[p + 1]
                # Only windows around events of all three sides matter: skip to the latest of the first events.
                rare = 0
                for i in range(1, 3):
                    if stops[i] - places[i] < stops[rare] - places[rare]:
                        rare = i
                at = places[rare]
                end = stops[rare]
                any_here = False
                while at < end:
                    # Windows that overlap become one, from `low` to `high`.
                    low = np.int64(events[at, 0]) - delta if from_times else np.int64(limits[at, 0])
                    high = np.int64(events[at, 0]) + delta if from_times else np.int64(limits[at, 1])
                    at += 1
                    while at < end:
                        if (np.int64(events[at, 0]) - delta if from_times else np.int64(limits[at, 0])) > high:
                            break
                        high = np.int64(events[at, 0]) + delta if from_times else np.int64(limits[at, 1])
                        at += 1
                    is_empty = False
                    for i in range(3):
                        places[i] = after_window(events, places[i], stops[i], low - 1)
                        untils[i] = after_window(events, places[i], stops[i], high)
                        if untils[i] == places[i]:
                            is_empty = True
                            break
                    if is_empty:
                        continue
                    # Merge the three lists; a list at its end has the number of no event.
                    none = np.int64(1) << 62
                    length = 0
                    k0 = np.int64(events[places[0], 1]) >> 1
                    k1 = np.int64(events[places[1], 1]) >> 1
                    k2 = np.int64(events[places[2], 1]) >> 1
                    while True:
                        i = 0
                        k = k0
                        if k1 < k:
                            i = 1
                            k = k1
                        if k2 < k:
                            i = 2
                            k = k2
                        if k == none:
                            break
                        place = places[i]
                        merged[length, 0] = events[place, 0]
                        # An inward event of the row's vertex runs from the lower end.
                        merged[length, 1] = 2 * i + 1 - (np.int64(events[place, 1]) & 1)
                        merged[length, 2] = (
                            np.int64(events[place, 0]) - delta if from_times else np.int64(limits[place, 0])
                        )
                        length += 1
                        places[i] = place + 1
                        k = np.int64(events[place + 1, 1]) >> 1 if place + 1 < untils[i] else none
                        if i == 0:
                            k0 = k
                        elif i == 1:
                            k1 = k
                        else:
                            k2 = k
                    one[:] = 0
                    two[:] = 0
                    begin = 0
                    entered = 0
                    for m in range(length):
                        key = merged[m, 0]
                        # Tied events enter and leave together if they form no pairs with one another.
                        group = entered
                        while group < m and (not simultaneous or merged[group, 0] < key):
                            s = merged[group, 1]
                            for j in range(3):
                                if j != s >> 1:
                                    o = 4 * ORDER_OF[j, s >> 1] + (s & 1)
                                    two[o] += one[2 * j]
                                    two[o + 2] += one[2 * j + 1]
                            group += 1
                            if not simultaneous:
                                one[s] += 1
                                entered = group
                        while entered < group:
                            one[merged[entered, 1]] += 1
                            entered += 1
                        window = merged[m, 2]
                        while merged[begin, 0] < window:
                            group = begin + 1
                            one[merged[begin, 1]] -= 1
                            while simultaneous and merged[group, 0] == merged[begin, 0]:
                                one[merged[group, 1]] -= 1
                                group += 1
                            while begin < group:
                                s = merged[begin, 1]
                                for j in range(3):
                                    if j != s >> 1:
                                        o = 4 * ORDER_OF[s >> 1, j] + 2 * (s & 1)
                                        two[o] -= one[2 * j]
                                        two[o + 1] -= one[2 * j + 1]
                                begin += 1
                        s = merged[m, 1]
                        i = 1 if s >> 1 == 0 else 0
                        j = 1 if s >> 1 == 2 else 2
                        o = ORDER_OF[i, j]
                        back = ORDER_OF[j, i]
                        for c in range(4):
                            here[8 * o + 2 * c + (s & 1)] += two[4 * o + c]
                            here[8 * back + 2 * c + (s & 1)] += two[4 * back + c]
                    any_here = True
                if any_here:
                    for c in range(48):
                        count = here[c]
                        if count != 0:
                            found[TRIANGLES[c]] += count
                            if at_vertices:
                                by_vertex[x, TRIANGLES[c]] += count
                                by_vertex[y, TRIANGLES[c]] += count
                                by_vertex[z, TRIANGLES[c]] += count
                            here[c] = 0
        for p in range(indptr[x], indptr[x + 1]):
            mark[head[p]] = 0


def windows_are_long(oriented: OrientedEvents, reach: Reach) -> bool:
    """Return whether walking the windows would take longer than finding each triangle of vertices once."""
    looked_up, least = _LOOK_UP * looked_up_events(oriented, reach), (_MERGE + _WALK) * oriented.num_edges
    if looked_up <= least:
        return False
    return looked_up > _WALK * int(walked_entries(oriented.row_indptr, oriented.heads)) + least


def looked_up_events(oriented: OrientedEvents, reach: Reach) -> float:
    """Estimate the number of events in the shorter window after each event, from a sample."""
    m = oriented.num_edges
    step = max(1, m // _SAMPLE)
    seen = shorter_windows(oriented.indptr, oriented.moments, oriented.neighbours, oriented.events, *reach, step)
    return int(seen) * m / max(1, -(-m // step))


@kernel
def shorter_windows(
    indptr: Int64Array, moments: Ids, neighbours: Ids, events: Ids, delta: Whole, limits: Ids, step: Whole
) -> np.int64:
    """Return the length of the shorter window after each `step`-th event, added up."""
    total = np.int64(0)
    for q in range(0, len(events), step):
        p = np.int64(events[q, 2])
        r = np.int64(events[q, 3])
        x = neighbours[r]
        y = neighbours[p]
        high_key = np.int64(events[q, 0]) + delta if len(limits) == 0 else np.int64(limits[q, 1])
        total += (
            min(
                after_window(moments, p + 1, indptr[x + 1], high_key) - p,
                after_window(moments, r + 1, indptr[y + 1], high_key) - r,
            )
            - 1
        )
    return total


@kernel
def walked_entries(row_indptr: Int64Array, heads: Ids) -> np.int64:
    """Return the length of the rows of all heads, added up."""
    total = np.int64(0)
    for i in range(len(heads)):
        total += row_indptr[heads[i] + 1] - row_indptr[heads[i]]
    return total


@kernel
def pair_of(row_indptr: Int64Array, heads: Ids, u: Whole, v: Whole) -> np.int64:
    """Return the number of the pair of two ranks, or -1."""
    x = max(u, v)
    y = min(u, v)
    low = row_indptr[x]
    stop = row_indptr[x + 1]
    high = stop
    while high - low > 4:
        middle = (low + high) >> 1
        if heads[middle] <= y:
            low = middle
        else:
            high = middle
    while low < high:
        if heads[low] == y:
            return np.int64(low)
        low += 1
    return np.int64(-1)


@kernel
def close_wedges(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: Int64Array, moments: Ids, neighbours: Ids, places: Ids, row_indptr: Int64Array, heads: Ids,
    starts: Ids, events: Ids, delta: Whole, limits: Ids, simultaneous: bool, first: Whole, last: Whole,
    by_vertex: Int64Array, found: Int64Array,
) -> None:  # fmt: skip
    """Count the triangles whose first event is at a place from `first` to `last` in `events`.

    `found`, shape (36,), gets them by the place of the motif. If `by_vertex` has rows, they are added at the three
    vertices.
    """
    at_vertices = len(by_vertex) > 0
    from_times = len(limits) == 0
    end = len(events) - 1
    for q in range(first, last):
        far = min(q + AHEAD_SUM, end)
        prefetch(moments, 2 * np.int64(events[far, 3]) + 2)
        p = np.int64(events[q, 2]) + 1
        r = np.int64(events[q, 3]) + 1
        key = np.int64(events[q, 0])
        high_key = key + delta if from_times else np.int64(limits[q, 1])
        # The key after the last event of a list belongs to another vertex: it only costs the tests below.
        if moments[p, 0] > high_key or moments[r, 0] > high_key:
            continue
        y = np.int64(neighbours[p - 1])
        x = np.int64(neighbours[r - 1])
        end_p = indptr[x + 1]
        end_r = indptr[y + 1]
        if simultaneous:
            while p < end_p and moments[p, 0] == key:
                p += 1
            while r < end_r and moments[r, 0] == key:
                r += 1
        # Double both windows until one of them ends.
        step = 1
        while p + step <= end_p and r + step <= end_r:
            if moments[p + step - 1, 0] > high_key or moments[r + step - 1, 0] > high_key:
                break
            step *= 2
        walks_p = p + step > end_p or (r + step <= end_r and moments[p + step - 1, 0] > high_key)
        at = p if walks_p else r
        stop = end_p if walks_p else end_r
        near = x if walks_p else y  # the vertex whose window is walked, and the other end
        other = y if walks_p else x
        inward = np.int64(events[q, 1]) & 1  # at x
        k = np.int64(events[q, 1]) >> 1
        near_is_a = (inward == 0) == walks_p
        walked_kind = AC if near_is_a else BC
        closing_kind = BC if near_is_a else AC
        while at < stop and moments[at, 0] <= high_key:
            z = np.int64(neighbours[at])
            if z != other:
                pair = pair_of(row_indptr, heads, other, z)
                if pair >= 0:
                    walked_key = np.int64(moments[at, 0])
                    walked = walked_kind + np.int64(moments[at + 1, 1] - moments[at, 1])
                    turned = 0 if other > z else 1
                    number = np.int64(-1)
                    g = np.int64(starts[pair])
                    until = np.int64(starts[pair + 1])
                    low = g
                    high = until
                    while high - low > 4:  # skip the events before the first
                        middle = (low + high) >> 1
                        if events[middle, 0] < key:
                            low = middle + 1
                        else:
                            high = middle
                    g = low
                    while g < until:
                        closing_key = np.int64(events[g, 0])
                        if closing_key > high_key:
                            break
                        code = np.int64(events[g, 1])
                        if closing_key > key or (closing_key == key and not simultaneous and (code >> 1) > k):
                            closing = closing_kind + ((code & 1) ^ turned)
                            place = np.int64(-1)
                            if closing_key > walked_key:
                                place = (5 - walked) * 6 + closing
                            elif closing_key < walked_key:
                                place = (5 - closing) * 6 + walked
                            elif not simultaneous:
                                if number < 0:
                                    number = np.int64(events[places[at], 1]) >> 1
                                place = (
                                    (5 - walked) * 6 + closing if (code >> 1) > number else (5 - closing) * 6 + walked
                                )
                            if place >= 0:
                                found[place] += 1
                                if at_vertices:
                                    by_vertex[near, place] += 1
                                    by_vertex[other, place] += 1
                                    by_vertex[z, place] += 1
                        g += 1
            at += 1
