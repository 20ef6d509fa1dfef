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
  each triangle of vertices once takes less time: `work_of_triangles` estimates this from a sample of the events.
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

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import int_empty
from triadic.core.triad_types import AC, BC, ORDER_OF, TRIANGLES
from triadic.devices.cpu.draws.choice import entry_of
from triadic.devices.cpu.events.event_order import after_window, first_key, last_key, without_ties
from triadic.devices.cpu.intrinsics import AHEAD_SUM, Whole, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array
    from triadic.core.oriented import EventLists, EventPairs, OrientedEvents
    from triadic.devices.cpu.events.event_order import Block, Window


_SAMPLE = 2048  # events
# Nanoseconds of an event in a shorter window, of an entry of a row that is walked for triangles of vertices, and of an
# event in the lists that are then merged.
_LOOK_UP, _WALK, _MERGE = 15.0, 1.5, 15.0


def work_of_triangles(oriented: OrientedEvents, window: Window) -> tuple[Int64Array, Int64Array] | None:
    """Estimate the work of finding each triangle of vertices once; None if walking the windows takes less time.

    Returns
    -------
    cost : int64 array, shape (n + 1,)
        Tests before each row.
    spans : int64 array, shape (pairs, 2)
        First and last key in the windows of the events of each pair.
    """
    m, looked_up = oriented.num_edges, _LOOK_UP * looked_up_events(oriented, window)
    if looked_up <= (_MERGE + _WALK) * m:
        return None
    cost = int_empty(oriented.num_vertices + 1)
    spans = int_empty((oriented.num_pairs, 2))
    estimate_work(oriented.pairs, window, cost, spans)
    return (cost, spans) if looked_up > _MERGE * m + _WALK * int(cost[-1]) else None


@kernel
def estimate_work(pairs: EventPairs, window: Window, cost: Int64Array, spans: Int64Array) -> None:
    """Write the arrays of `work_of_triangles`."""
    row_indptr, heads, starts, events = pairs
    delta, limits, _ = window
    total = 0
    for x in range(len(row_indptr) - 1):
        cost[x] = total
        for p in range(row_indptr[x], row_indptr[x + 1]):
            y = heads[p]
            q = starts[p + 1] - 1
            total += 2 + row_indptr[y + 1] - row_indptr[y] + q - starts[p]
            spans[p, 0] = events[starts[p], 0]
            spans[p, 1] = last_key(delta, limits, events[q, 0], q)
    cost[-1] = total


@kernel
def count_triangles(  # noqa: PLR0915 - all loops of a kernel are in one function
    pairs: EventPairs,
    window: Window,
    scratch: tuple[Int64Array, Int64Array, Int64Array],
    block: Block,
    table: Int64Array,
) -> None:
    """Count the triangles of events in the triangles of vertices whose largest rank is in the block.

    `scratch` has the first and last key in the windows of each pair; marks of vertices, zero and left so; and room to
    merge events.

    If `table` has a row for each vertex, they are added at the three vertices.
    """
    indptr, head, starts, events = pairs
    delta, limits, simultaneous = window
    span, mark, merged = scratch
    one = np.zeros(6, np.int64)  # events in the window, by side and direction
    two = np.zeros(24, np.int64)  # pairs of events in the window, by ordered sides and directions
    here = np.zeros(48, np.int64)
    places = np.zeros(3, np.int64)
    stops = np.zeros(3, np.int64)
    untils = np.zeros(3, np.int64)
    for x in range(block[0], block[1]):
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
                    low = first_key(delta, limits, events[at, 0], at)
                    high = low
                    while at < end and first_key(delta, limits, events[at, 0], at) <= high:
                        high = last_key(delta, limits, events[at, 0], at)
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
                    k0, k1, k2 = events[places[0], 1] >> 1, events[places[1], 1] >> 1, events[places[2], 1] >> 1
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
                        merged[length, 1] = 2 * i + 1 - (events[place, 1] & 1)
                        merged[length, 2] = first_key(delta, limits, merged[length, 0], place)
                        length += 1
                        places[i] = place + 1
                        k = events[place + 1, 1] >> 1 if place + 1 < untils[i] else none
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
                        while merged[begin, 0] < merged[m, 2]:
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
                            add_motifs(table, (x, y, z), TRIANGLES[c], count)
                            here[c] = 0
        for p in range(indptr[x], indptr[x + 1]):
            mark[head[p]] = 0


@inline_kernel
def add_motifs(table: Int64Array, vertices: tuple[Whole, Whole, Whole], place: Whole, count: Whole) -> None:
    """Add motifs at their vertices if the table has a row for each, else to its only row."""
    if len(table) == 1:
        table[0, place] += count
    else:
        for v in vertices:
            table[v, place] += count


def looked_up_events(oriented: OrientedEvents, window: Window) -> float:
    """Estimate the number of events in the shorter window after each event, from a sample."""
    m = oriented.num_edges
    step = max(1, m // _SAMPLE)
    return int(shorter_windows(oriented.lists, oriented.events, window, step)) * m / max(1, -(-m // step))


@kernel
def shorter_windows(lists: EventLists, events: Ids, window: Window, step: Whole) -> np.int64:
    """Return the length of the shorter window after each `step`-th event, added up."""
    indptr, moments, neighbours, _ = lists
    delta, limits, _ = window
    total = np.int64(0)
    for q in range(0, len(events), step):
        high_key = last_key(delta, limits, events[q, 0], q)
        shorter = np.int64(len(moments))
        for side in range(2):
            p = events[q, 2 + side]
            u = neighbours[events[q, 3 - side]]
            shorter = min(shorter, after_window(moments, p + 1, indptr[u + 1], high_key) - p - 1)
        total += shorter
    return total


@kernel
def close_wedges(  # noqa: PLR0915 - all loops of a kernel are in one function
    lists: EventLists, pairs: EventPairs, window: Window, block: Block, table: Int64Array
) -> None:
    """Count the triangles whose first event is at a place of the block in `events`.

    If `table` has a row for each vertex, they are added at the three vertices.
    """
    indptr, moments, neighbours, places = lists
    row_indptr, heads, starts, events = pairs
    delta, limits, simultaneous = window
    for q in range(block[0], block[1]):
        far = min(q + AHEAD_SUM, len(events) - 1)
        prefetch(moments, 2 * events[far, 3] + 2)
        p = np.int64(events[q, 2]) + 1
        r = np.int64(events[q, 3]) + 1
        key = np.int64(events[q, 0])
        high_key = last_key(delta, limits, key, q)
        # The key after the last event of a list belongs to another vertex: it only costs the tests below.
        if moments[p, 0] > high_key or moments[r, 0] > high_key:
            continue
        y = neighbours[p - 1]
        x = neighbours[r - 1]
        end_p = indptr[x + 1]
        end_r = indptr[y + 1]
        _, p = without_ties(moments, p - 1, p - 1, end_p, simultaneous)
        _, r = without_ties(moments, r - 1, r - 1, end_r, simultaneous)
        # Double both windows until one of them ends.
        step = 1
        while p + step <= end_p and r + step <= end_r:
            if moments[p + step - 1, 0] > high_key or moments[r + step - 1, 0] > high_key:
                break
            step *= 2
        walks_p = p + step > end_p or (r + step <= end_r and moments[p + step - 1, 0] > high_key)
        # The window of one end is walked, and pairs with the other end are looked up.
        near, other = (x, y) if walks_p else (y, x)
        at, stop = (p, end_p) if walks_p else (r, end_r)
        k = events[q, 1] >> 1
        walked_kind = AC if events[q, 1] & 1 != walks_p else BC  # inward at x
        while at < stop and moments[at, 0] <= high_key:
            z = neighbours[at]
            pair = entry_of(row_indptr, heads, other, z)
            if pair >= 0:
                walked_key = moments[at, 0]
                walked = walked_kind + moments[at + 1, 1] - moments[at, 1]
                until = np.int64(starts[pair + 1])
                begin = np.int64(starts[pair])
                if events[begin, 0] < key:
                    begin = after_window(events, begin, until, key - 1)
                for g in range(begin, until):
                    closing_key = events[g, 0]
                    if closing_key > high_key:
                        break
                    code = events[g, 1]
                    if closing_key == key and (simultaneous or code >> 1 < k):
                        continue
                    closing = AC + BC - walked_kind + ((code & 1) ^ (other < z))
                    is_last = closing_key > walked_key
                    if closing_key == walked_key:
                        if simultaneous:
                            continue
                        is_last = code > events[places[at], 1]
                    place = (5 - walked) * 6 + closing if is_last else (5 - closing) * 6 + walked
                    add_motifs(table, (near, other, z), place, 1)
            at += 1
