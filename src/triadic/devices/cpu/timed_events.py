"""Motifs of three timed events on the CPU: pairs and stars, and the lists of events that triangles need.

Computes: the triples of events i before j before k, with t_k - t_i at most delta, between two vertices and between
  three vertices of which one is in all three events; for the whole network, or for each vertex.
Requires: events sorted by time, without loops; vertices below the number of vertices.
Idea: a record of each event holds the first and last event of its window, so that the kernels compare numbers of events
  and never times. The events of each vertex and of each pair of vertices stand in the order of time.
  - Each event gets the numbers of events of its own pair within delta before and after it: four pointers into the list
    of the pair. Their running sums S(p) = sum of `before`, up to place p, and T(p) = sum of `after` count pairs of
    events that have ended, and that have begun. In a window of any list the pairs of events of one neighbour are
    differences of S and T: S(p) - T(s) of them lie between the start s of the window and p, T(p) - S(p) begin before p
    and end after it. Each of the three places of the lone event of a star takes one such difference.
  - At the neighbour whose two events are in the star, sum over both events the number of events of the centre before,
    between and after them: differences of prefix sums as well.
  - Three events of one pair are counted in the list of the pair, and subtracted from the stars.
Cost: O(events); 32 bytes of record and 12 bytes of lists an event. Numbers of triples are exact modulo 2**64, and an
  upper bound of all triples, which stops at 2**62, tells whether they are exact.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, algorithms 1 and 2, for counters in a
sliding window; Gao, Cheng, Yu, Cao, Huang and Dong (2022), "Scalable motif counting for large-scale temporal
graphs", ICDE (FAST), for one sweep for all stars and pairs of a vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

# Columns of a record.
FIRST, LAST, TIE, BEFORE_SAME, BEFORE_OTHER, AFTER_SAME, AFTER_OTHER, ENDS = range(8)
COLUMNS = 8
MOTIFS = 36
# Numbers of triples from this limit on are refused. Two events of so many add at most half of it to a bound.
LIMIT = np.int64(1 << 62)
_MOST_EVENTS = np.int64(1 << 31)
# Beyond these numbers, 32 bits do not hold a number of an event and a bit.
_MOST_EVENTS_32, _MOST_VERTICES_32 = 1 << 29, 1 << 31

# Event kinds, if the first event runs from a to b and c is the third vertex: the third event of a motif is the column
# of the matrix of Paranjape and others, and the second event counts rows from the bottom.
AB, BA, AC, CA, BC, CB = range(6)


def place(second: int, third: int) -> int:
    """Return the place of a motif in the matrix, row by row, from the kinds of its second and third event."""
    return (5 - second) * 6 + third


def _star_places() -> NDArray[np.int64]:
    """Return the places of stars by the position of the lone event and the directions at the centre, 0 for outward."""
    places = np.zeros((3, 2, 2, 2), dtype=np.int64)
    for d1 in range(2):
        lone = (AC, CA) if d1 == 0 else (BC, CB)  # the centre is a if the first event leaves it
        for d2 in range(2):
            for d3 in range(2):
                places[0, d1, d2, d3] = place((AC, CA)[d2] if d1 == 0 else (BC, CB)[d2], lone[d3])
                places[1, d1, d2, d3] = place(lone[d2], AB if d3 == d1 else BA)
                places[2, d1, d2, d3] = place(AB if d2 == d1 else BA, lone[d3])
    return places.reshape(3, 8)


STARS = _star_places()
PAIRS = np.array(
    [place(BA if (d >> 2) ^ (d >> 1 & 1) else AB, BA if (d >> 2) ^ (d & 1) else AB) for d in range(8)], dtype=np.int64
)


class EventLists(NamedTuple):
    """The events of each vertex and of each pair of vertices, in the order of time.

    Attributes
    ----------
    record : int32 or int64 array, shape (events, 8)
        For each event the first and last event of its window; the first event that is tied with it; the numbers of
        events of its pair in the window before and after it, in its own direction and in the other; and the exclusive
        or of its ends.
    indptr : int64 array, shape (n + 1,)
        First place of each vertex in `events`.
    events : int32 or int64 array, shape (2 * events,)
        Twice the number of the event, plus 1 if the vertex is its target.
    pair_indptr : int64 array, shape (n + 1,)
        First place of each vertex in `pairs`.
    pairs : int32 or int64 array, shape (events,)
        For each vertex its events with higher vertices, by vertex and time; numbers as in `events`.
    """

    record: Ids
    indptr: NDArray[np.int64]
    events: Ids
    pair_indptr: NDArray[np.int64]
    pairs: Ids


def event_lists(
    source: Ids,
    target: Ids,
    time: NDArray[Any],
    delta: Any,  # noqa: ANN401 - a number of the type of `time`
    n: int,
    *,
    simultaneous: bool,
) -> EventLists:
    """Sort the events by vertex and by pair, and find the window of each; times are int64 or float64 and rise."""
    wide = len(time) > _MOST_EVENTS_32 or n > _MOST_VERTICES_32
    dtype = np.int64 if wide else np.int32
    record: Ids = np.empty((len(time), COLUMNS), dtype=dtype)
    events: Ids = np.empty(2 * len(time), dtype=dtype)
    pairs: Ids = np.empty(len(time), dtype=dtype)
    indptr, pair_indptr = np.zeros((2, n + 1), dtype=np.int64)
    find_windows(time, time.dtype.type(delta), simultaneous, record)
    sort_events(source, target, record, indptr, events, pair_indptr, pairs)
    return EventLists(record, indptr, events, pair_indptr, pairs)


def bytes_of_motifs(events: int, n: int, *, by_vertex: bool, threads: int) -> int:
    """Estimate the largest number of bytes that counting motifs holds at a time, if all events may be in triangles."""
    item = 8 if events > _MOST_EVENTS_32 or n > _MOST_VERTICES_32 else 4
    lists = (COLUMNS + 3) * item * events + 16 * (n + 1)
    triangles = 35 * events + 8 * n * (threads + 2)
    return lists + triangles + (8 * MOTIFS * n * threads if by_vertex else 0)


@kernel
def find_windows(time: NDArray[Any], delta: Any, simultaneous: bool, record: Ids) -> None:  # noqa: ANN401 - as `time`
    """Write the first and last event within `delta` of each event, and the first event that is tied with it."""
    first = 0
    last = 0
    tie = 0
    for k in range(len(time)):
        while time[k] - time[first] > delta:
            first += 1
        last = max(last, k)
        while last + 1 < len(time) and time[last + 1] - time[k] <= delta:
            last += 1
        if not simultaneous or time[k] != time[tie]:
            tie = k
        record[k, FIRST] = first
        record[k, LAST] = last
        record[k, TIE] = tie


@kernel
def sort_events(
    source: Ids, target: Ids, record: Ids, indptr: NDArray[np.int64], events: Ids,
    pair_indptr: NDArray[np.int64], pairs: Ids,
) -> None:  # fmt: skip
    """Sort the events by vertex, and by pair of vertices, in the order of time."""
    n = len(indptr) - 1
    end = len(source) - 1
    for k in range(len(source)):
        far = min(k + 2 * AHEAD_SUM, end)
        prefetch(indptr, source[far])
        prefetch(indptr, target[far])
        u = np.int64(source[k])
        v = np.int64(target[k])
        record[k, ENDS] = u ^ v
        indptr[u] += 1
        indptr[v] += 1
        pair_indptr[min(u, v)] += 1
    at = 0
    pair_at = 0
    for w in range(n):  # the start of each vertex, which moves on as its events are written
        count = indptr[w]
        indptr[w] = at
        at += count
        count = pair_indptr[w]
        pair_indptr[w] = pair_at
        pair_at += count
    for k in range(len(source)):
        far = min(k + 2 * AHEAD_SUM, end)
        prefetch(indptr, source[far])
        prefetch(indptr, target[far])
        far = min(k + AHEAD_SUM, end)
        prefetch(events, indptr[source[far]])
        prefetch(events, indptr[target[far]])
        u = np.int64(source[k])
        v = np.int64(target[k])
        events[indptr[u]] = 2 * k
        indptr[u] += 1
        events[indptr[v]] = 2 * k + 1
        indptr[v] += 1
    for w in range(n, 0, -1):
        indptr[w] = indptr[w - 1]
    indptr[0] = 0
    # The events of the higher vertices, one vertex after another, fill the lists of the lower vertices.
    for w in range(n):
        for p in range(indptr[w], indptr[w + 1]):
            prefetch(record, COLUMNS * (np.int64(events[min(p + AHEAD_SUM, len(events) - 1)]) >> 1) + ENDS)
            entry = np.int64(events[p])
            u = np.int64(record[entry >> 1, ENDS]) ^ w
            if u < w:
                pairs[pair_indptr[u]] = entry ^ 1
                pair_indptr[u] += 1
    for w in range(n, 0, -1):
        pair_indptr[w] = pair_indptr[w - 1]
    pair_indptr[0] = 0


@kernel
def count_pairs(  # noqa: PLR0915 - all loops of a kernel are in one function
    lists_of: NDArray[np.int64], pairs: Ids, record: Ids, first: int, last: int, by_vertex: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the triples of events of each pair whose lower vertex is in the block, and complete the records.

    `found`, shape (8,), has the triples by the directions of their events, 0 from the lower vertex. If `by_vertex` has
    rows, the triples are added at both vertices, and subtracted from the stars of both.
    """
    begun = np.zeros(4, dtype=np.int64)  # S and T of the header are ended[] and begun[], by two directions
    ended = np.zeros(4, dtype=np.int64)
    triples = np.zeros(8, dtype=np.int64)
    at_vertices = len(by_vertex) > 0
    for u in range(first, last):
        start = lists_of[u]
        of_vertex = lists_of[u + 1]
        while start < of_vertex:
            ends = record[pairs[start] >> 1, ENDS]
            stop = start + 1
            while stop < of_vertex and record[pairs[stop] >> 1, ENDS] == ends:
                stop += 1
            if stop == start + 1:
                prefetch(record, COLUMNS * (np.int64(pairs[min(start + AHEAD_SUM, len(pairs) - 1)]) >> 1))
                k = pairs[start] >> 1
                record[k, BEFORE_SAME] = 0
                record[k, BEFORE_OTHER] = 0
                record[k, AFTER_SAME] = 0
                record[k, AFTER_OTHER] = 0
                start = stop
                continue
            begun[:] = 0
            ended[:] = 0
            triples[:] = 0
            # Inward events before the four places, and the places: start and end of the window, and of the tied events.
            low = start
            before = start
            after = start
            high = start
            low_in = np.int64(0)
            before_in = np.int64(0)
            after_in = np.int64(0)
            high_in = np.int64(0)
            for p in range(start, stop):
                prefetch(record, COLUMNS * (np.int64(pairs[min(p + AHEAD_SUM, len(pairs) - 1)]) >> 1))
                k = np.int64(pairs[p] >> 1)
                d = np.int64(pairs[p] & 1)
                window = np.int64(record[k, FIRST])
                while (pairs[low] >> 1) < window:
                    passed = pairs[low] >> 1
                    e = np.int64(pairs[low] & 1)
                    begun[3 * e] += record[passed, AFTER_SAME]
                    begun[1 + e] += record[passed, AFTER_OTHER]
                    low_in += e
                    low += 1
                tie = np.int64(record[k, TIE])
                while (pairs[before] >> 1) < tie:
                    passed = pairs[before] >> 1
                    e = np.int64(pairs[before] & 1)
                    ended[3 * e] += record[passed, BEFORE_SAME]
                    ended[2 - e] += record[passed, BEFORE_OTHER]
                    before_in += e
                    before += 1
                while after < stop and record[pairs[after] >> 1, TIE] <= k:
                    after_in += np.int64(pairs[after] & 1)
                    after += 1
                window = np.int64(record[k, LAST])
                while high < stop and (pairs[high] >> 1) <= window:
                    high_in += np.int64(pairs[high] & 1)
                    high += 1
                inward = before_in - low_in
                outward = before - low - inward
                record[k, BEFORE_SAME] = inward if d else outward
                record[k, BEFORE_OTHER] = outward if d else inward
                inward = high_in - after_in
                outward = high - after - inward
                record[k, AFTER_SAME] = inward if d else outward
                record[k, AFTER_OTHER] = outward if d else inward
                for x in range(4):
                    triples[2 * x + d] += ended[x] - begun[x]
            for x in range(8):
                found[x] += triples[x]
            if at_vertices:
                v = np.int64(ends) ^ u
                for x in range(8):
                    if triples[x] != 0:
                        by_vertex[u, PAIRS[x]] += triples[x]
                        by_vertex[v, PAIRS[x]] += triples[x]
                        # At the centre, and with the centre at the other end at both places of the neighbour.
                        for lone in range(3):
                            by_vertex[u, STARS[lone, x]] -= triples[x]
                            by_vertex[v, STARS[lone, x]] -= 2 * triples[x]
                            by_vertex[v, STARS[lone, 7 - x]] -= triples[x]
                            by_vertex[u, STARS[lone, 7 - x]] -= 2 * triples[x]
            start = stop


@kernel
def count_stars(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: NDArray[np.int64], events: Ids, record: Ids, first: int, last: int, by_vertex: NDArray[np.int64],
    found: NDArray[np.int64], busy: NDArray[np.uint8],
) -> np.int64:  # fmt: skip
    """Count the stars with a centre in the block, and the triples of events of one pair, 3 times.

    `found`, shape (3, 8), has the stars by the place of the lone event and by directions at the centre, 0 for outward.
    If `by_vertex` has rows, they are added at each vertex. For each event and end, `busy` tells whether the window of
    the event has an event of the end with a third vertex. Returns an upper bound of the number of triples of
    events, at most `LIMIT`.
    """
    begun_low = np.zeros(4, dtype=np.int64)
    begun_before = np.zeros(4, dtype=np.int64)
    begun_after = np.zeros(4, dtype=np.int64)
    ended_before = np.zeros(4, dtype=np.int64)
    ended_after = np.zeros(4, dtype=np.int64)
    ended_high = np.zeros(4, dtype=np.int64)
    stars = np.zeros((3, 8), dtype=np.int64)
    below = np.zeros((4, 2), dtype=np.int64)  # outward and inward events before the four places
    at_vertices = len(by_vertex) > 0
    bound = np.int64(0)
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        if stop == start:
            continue
        begun_low[:] = 0
        begun_before[:] = 0
        begun_after[:] = 0
        ended_before[:] = 0
        ended_after[:] = 0
        ended_high[:] = 0
        stars[:] = 0
        below[:] = 0
        low = start
        before = start
        after = start
        high = start
        for p in range(start, stop):
            ahead = np.int64(events[min(p + AHEAD_SUM, len(events) - 1)])
            prefetch(record, COLUMNS * (ahead >> 1))
            prefetch(busy, ahead)
            k = np.int64(events[p] >> 1)
            d = np.int64(events[p] & 1)
            window = np.int64(record[k, FIRST])
            while (events[low] >> 1) < window:
                passed = events[low] >> 1
                e = np.int64(events[low] & 1)
                begun_low[3 * e] += record[passed, AFTER_SAME]
                begun_low[1 + e] += record[passed, AFTER_OTHER]
                below[0, e] += 1
                low += 1
            tie = np.int64(record[k, TIE])
            while (events[before] >> 1) < tie:
                passed = events[before] >> 1
                e = np.int64(events[before] & 1)
                begun_before[3 * e] += record[passed, AFTER_SAME]
                begun_before[1 + e] += record[passed, AFTER_OTHER]
                ended_before[3 * e] += record[passed, BEFORE_SAME]
                ended_before[2 - e] += record[passed, BEFORE_OTHER]
                below[1, e] += 1
                before += 1
            while after < stop and record[events[after] >> 1, TIE] <= k:
                passed = events[after] >> 1
                e = np.int64(events[after] & 1)
                begun_after[3 * e] += record[passed, AFTER_SAME]
                begun_after[1 + e] += record[passed, AFTER_OTHER]
                ended_after[3 * e] += record[passed, BEFORE_SAME]
                ended_after[2 - e] += record[passed, BEFORE_OTHER]
                below[2, e] += 1
                after += 1
            window = np.int64(record[k, LAST])
            while high < stop and (events[high] >> 1) <= window:
                passed = events[high] >> 1
                e = np.int64(events[high] & 1)
                ended_high[3 * e] += record[passed, BEFORE_SAME]
                ended_high[2 - e] += record[passed, BEFORE_OTHER]
                below[3, e] += 1
                high += 1
            before_same = np.int64(record[k, BEFORE_SAME])
            before_other = np.int64(record[k, BEFORE_OTHER])
            after_same = np.int64(record[k, AFTER_SAME])
            after_other = np.int64(record[k, AFTER_OTHER])
            own = before_same + before_other + after_same + after_other + 1
            busy[events[p]] = high - low > own
            paired = at_vertices and own > 1  # sums over both events of a pair: neither may be left out
            if high - low < 3 and not paired:
                continue
            width = min(np.int64(before - low), _MOST_EVENTS)
            bound = min(bound + width * (width - 1) // 2, LIMIT)
            for x in range(4):
                stars[0, 4 * d + x] += ended_high[x] - begun_after[x]
                stars[1, (x & 2) * 2 + 2 * d + (x & 1)] += begun_before[x] - ended_after[x]
                stars[2, 2 * x + d] += ended_before[x] - begun_low[x]
            if at_vertices:
                v = np.int64(record[k, ENDS]) ^ u
                row = by_vertex[v]
                for x in range(4):
                    row[STARS[0, 4 * d + x]] += ended_high[x] - begun_after[x]
                    row[STARS[1, (x & 2) * 2 + 2 * d + (x & 1)]] += begun_before[x] - ended_after[x]
                    row[STARS[2, 2 * x + d]] += ended_before[x] - begun_low[x]
                if paired:
                    for lone_d in range(2):
                        # `lone_d` is the direction of the lone event, `other` that of the neighbour's other event.
                        for other in range(2):
                            starts = after_same if other == d else after_other
                            ends = before_same if other == d else before_other
                            row[STARS[0, 4 * lone_d + 2 * d + other]] += below[1, lone_d] * starts
                            row[STARS[0, 4 * lone_d + 2 * other + d]] -= below[0, lone_d] * ends
                            row[STARS[1, 4 * d + 2 * lone_d + other]] -= below[2, lone_d] * starts
                            row[STARS[1, 4 * other + 2 * lone_d + d]] += below[1, lone_d] * ends
                            row[STARS[2, 4 * d + 2 * other + lone_d]] += below[3, lone_d] * starts
                            row[STARS[2, 4 * other + 2 * d + lone_d]] -= below[2, lone_d] * ends
        for lone in range(3):
            for x in range(8):
                found[lone, x] += stars[lone, x]
                if at_vertices and stars[lone, x] != 0:
                    by_vertex[u, STARS[lone, x]] += stars[lone, x]
    return bound


@kernel
def count_two(
    indptr: NDArray[np.int64], events: Ids, record: Ids, first: int, last: int, by_vertex: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the pairs of events in one window whose common vertex is in the block.

    `found`, shape (6,), has them by the kind of the second event; the pairs of events of the same two vertices count
    twice. If `by_vertex` has rows, they are added at each vertex; the latter count once there.
    """
    below = np.zeros((4, 2), dtype=np.int64)
    at_vertices = len(by_vertex) > 0
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        below[:] = 0
        low = start
        before = start
        after = start
        high = start
        for p in range(start, stop):
            prefetch(record, COLUMNS * (np.int64(events[min(p + AHEAD_SUM, len(events) - 1)]) >> 1))
            k = np.int64(events[p] >> 1)
            d = np.int64(events[p] & 1)
            window = np.int64(record[k, FIRST])
            while (events[low] >> 1) < window:
                below[0, events[low] & 1] += 1
                low += 1
            tie = np.int64(record[k, TIE])
            while (events[before] >> 1) < tie:
                below[1, events[before] & 1] += 1
                before += 1
            while after < stop and record[events[after] >> 1, TIE] <= k:
                below[2, events[after] & 1] += 1
                after += 1
            window = np.int64(record[k, LAST])
            while high < stop and (events[high] >> 1) <= window:
                below[3, events[high] & 1] += 1
                high += 1
            same = np.int64(record[k, BEFORE_SAME])
            other = np.int64(record[k, BEFORE_OTHER])
            found[AB] += same
            found[BA] += other
            v = np.int64(record[k, ENDS]) ^ u
            if at_vertices:
                by_vertex[u, AB] += same
                by_vertex[u, BA] += other
            for e in range(2):
                # The event is the second; the first has direction `e`, and the centre is a if that event leaves it.
                count = below[1, e] - below[0, e] - (same if e == d else other)
                kind = (AC if e == 0 else BC) + d
                found[kind] += count
                if at_vertices:
                    by_vertex[u, kind] += count
                    by_vertex[v, kind] += count
                    own = record[k, AFTER_SAME] if e == d else record[k, AFTER_OTHER]
                    by_vertex[v, (AC if d == 0 else BC) + e] += below[3, e] - below[2, e] - own
