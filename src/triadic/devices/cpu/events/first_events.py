"""Motifs of timed events by their first event, on the CPU.

Computes: for each event i, the motifs of three events (or of two) whose first event is i: added up over groups of
  events, such as those of a window of time, and at the source and at the target of the first event.
Requires: events sorted by time, without loops; vertices below the number of vertices.
Idea: the other two events of a motif have an end in common with its first event, from a to b. Merge the lists of a and
  of b from that event on to the end of its window, and count while walking: an event between a and b comes third after
  every event before it, by kind; an event with a third vertex c comes third after the events between a and b, and after
  the events with c, for which each vertex has four counters.
Cost: O(d) for each event, where d is the number of events of its two ends within its window: linear in all for short
  windows, and quadratic in the events of a vertex for long ones. A worker takes 32 bytes a vertex of counters, and a
  table of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch
from triadic.devices.cpu.vertex_arrays import summed, zeros
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.blocks import Progress


# Kinds of the later events, if the first one runs from a to b and c is the third vertex.
AB, BA, AC, CA, BC, CB = range(6)
MOTIFS = 36
SOURCE, TARGET = 0, 1  # places of a vertex in the rows of a table by vertex
_BLOCK = 1 << 17  # events that are walked over in a block
_MOST = 2.0**62


def motifs_by_first_event(
    source: Ids,
    target: Ids,
    time: AnyArray,
    delta: Any,  # noqa: ANN401 - a number of the type of `time`
    n: int,
    group: Int64Array | None,
    groups: int,
    *,
    events: int,
    simultaneous: bool,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count motifs by the group of their first event, or by its source and its target.

    Parameters
    ----------
    source, target : int32 or int64 array, shape (events,)
    time : int64 or float64 array, shape (events,)
        Rising.
    delta : number
    n : int
        Number of vertices.
    group : int64 array, shape (events,), optional
        Group of each event, -1 for an event that is the first of no motif that is counted. By default the groups are
        the vertices: twice the source, and twice the target plus 1.
    groups : int
        Number of groups.
    events : {3, 2}
        Number of events of a motif.
    simultaneous : bool
        Whether tied events never follow one another.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (groups, 36) or (groups, 6)

    Raises
    ------
    UnsupportedError
        If 2**62 or more triples of events may lie within `delta`.
    """
    last, tie = np.empty((2, len(time)), dtype=np.int64)
    find_ends_of_windows(time, time.dtype.type(delta), simultaneous, last, tie)
    indptr = np.zeros(n + 1, dtype=np.int64)
    by_vertex, place = np.empty(2 * len(time), dtype=np.int64), np.empty((len(time), 2), dtype=np.int64)
    cost = np.zeros(len(time) + 1, dtype=np.int64)
    sort_by_vertex(source, target, last, indptr, by_vertex, place, cost)
    longest = np.diff(cost).astype(np.float64)
    if float(np.dot(longest, longest)) >= _MOST:
        raise UnsupportedError(
            "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
            "expected a smaller delta"
        )
    cuts = blocks.cut(cost, _BLOCK, most=1 << 14)
    workers = max(1, min(threads, len(cuts) - 1))
    tables = zeros(workers, (groups, MOTIFS if events == 3 else 6), np.int64)
    counters = zeros(workers, (n, 4), np.int64)
    walked = zeros(workers, (int(longest.max(initial=0)) + 1, 3), np.int64)
    chosen = np.zeros(0, dtype=np.int64) if group is None else group

    def task(worker: int, b: int) -> None:
        count_from(
            source, target, last, tie, indptr, by_vertex, place, chosen, cuts[b], cuts[b + 1],
            events == 3, walked[worker], counters[worker], tables[worker],
        )  # fmt: skip

    blocks.run(task, len(cuts) - 1, threads=workers, costs=np.diff(cost[cuts]), progress=progress)
    return summed(tables, threads=threads)


def bytes_by_first_event(events: int, n: int, groups: int, *, threads: int) -> int:
    """Estimate the largest number of bytes that counting by first events holds at a time."""
    return (88 + 48 * threads) * events + (16 + 32 * threads) * n + 8 * MOTIFS * groups * threads


@kernel
def find_ends_of_windows(
    time: AnyArray, delta: Any, simultaneous: bool, last: Int64Array, tie: Int64Array  # noqa: ANN401 - as `time`
) -> None:  # fmt: skip
    """Write the last event within `delta` after each event, and the first event that is tied with it."""
    end = 0
    first = 0
    for k in range(len(time)):
        while end + 1 < len(time) and time[end + 1] - time[k] <= delta:
            end += 1
        if not simultaneous or time[k] != time[first]:
            first = k
        last[k] = end
        tie[k] = first


@kernel
def sort_by_vertex(
    source: Ids, target: Ids, last: Int64Array, indptr: Int64Array, events: Int64Array,
    place: Int64Array, cost: Int64Array,
) -> None:  # fmt: skip
    """List the events of each vertex, and find the place of each event in the lists of its ends.

    `events` has twice the number of the event, plus 1 if the vertex is its target. `cost` has the events of both ends
    from each event to the end of its window, added up.
    """
    n = len(indptr) - 1
    for k in range(len(source)):
        indptr[source[k]] += 1
        indptr[target[k]] += 1
    at = 0
    for w in range(n):  # the start of each vertex, which moves on as its events are written
        count = indptr[w]
        indptr[w] = at
        at += count
    for k in range(len(source)):
        u = np.int64(source[k])
        v = np.int64(target[k])
        events[indptr[u]] = 2 * k
        place[k, SOURCE] = indptr[u]
        indptr[u] += 1
        events[indptr[v]] = 2 * k + 1
        place[k, TARGET] = indptr[v]
        indptr[v] += 1
    for w in range(n, 0, -1):
        indptr[w] = indptr[w - 1]
    indptr[0] = 0
    for w in range(n):
        high = indptr[w]
        for p in range(indptr[w], indptr[w + 1]):
            k = events[p] >> 1
            while high < indptr[w + 1] and (events[high] >> 1) <= last[k]:
                high += 1
            cost[k + 1] += high - p
    for i in range(len(source)):
        cost[i + 1] += cost[i]


@kernel
def count_from(
    source: Ids, target: Ids, last: Int64Array, tie: Int64Array, indptr: Int64Array,
    events: Int64Array, place: Int64Array, group: Int64Array, begin: int, stop: int, three: bool,
    walked: Int64Array, counters: Int64Array, table: Int64Array,
) -> None:  # fmt: skip
    """Count the motifs that begin with each event of the block. `counters` is zero, and is left so."""
    found = np.zeros(MOTIFS, dtype=np.int64)
    seen = np.zeros(6, dtype=np.int64)  # events so far, by kind
    end = len(source) - 1
    for i in range(begin, stop):
        if len(group) > 0 and group[i] < 0:
            continue
        ahead = min(i + AHEAD_SUM, end)
        prefetch(events, place[ahead, 0])
        prefetch(events, place[ahead, 1])
        length = merge(i, source, target, last, tie, indptr, events, place, walked)
        found[:] = 0
        seen[:] = 0
        entered = 0
        for m in range(length):
            x = walked[m, 1]
            if not three:
                found[x] += 1
                continue
            # Tied events enter together, after their last one.
            tied = tie[walked[m, 0]]
            while walked[entered, 0] < tied:
                y = walked[entered, 1]
                seen[y] += 1
                if y > BA:
                    counters[walked[entered, 2], y - AC] += 1
                entered += 1
            if x <= BA:
                for y in range(6):
                    found[(5 - y) * 6 + x] += seen[y]
            else:
                c = walked[m, 2]
                found[30 + x] += seen[AB]
                found[24 + x] += seen[BA]
                for y in range(4):
                    found[(3 - y) * 6 + x] += counters[c, y]
        if three:
            for m in range(entered):
                if walked[m, 1] > BA:
                    counters[walked[m, 2], walked[m, 1] - AC] = 0
        if len(group) > 0:
            for x in range(table.shape[1]):
                table[group[i], x] += found[x]
        else:
            for x in range(table.shape[1]):
                table[2 * np.int64(source[i]) + SOURCE, x] += found[x]
                table[2 * np.int64(target[i]) + TARGET, x] += found[x]


@kernel
def merge(
    i: int, source: Ids, target: Ids, last: Int64Array, tie: Int64Array, indptr: Int64Array,
    events: Int64Array, place: Int64Array, walked: Int64Array,
) -> int:  # fmt: skip
    """Write the events of both ends of event i after it, up to the end of its window; return their number.

    A row has the number of the event, its kind, and its third vertex. Events that are tied with event i are left out.
    """
    a = np.int64(source[i])
    b = np.int64(target[i])
    none = last[i] + 1
    p = place[i, SOURCE] + 1
    q = place[i, TARGET] + 1
    length = 0
    while True:
        of_a = events[p] >> 1 if p < indptr[a + 1] else none
        of_b = events[q] >> 1 if q < indptr[b + 1] else none
        k = min(of_a, of_b)
        if k >= none:
            return length
        ends = np.int64(source[k]) + np.int64(target[k])
        if of_a == of_b:
            kind = np.int64(AB) if source[k] == a else np.int64(BA)
            c = np.int64(0)
            p += 1
            q += 1
        elif k == of_a:
            kind = AC + (events[p] & 1)
            c = ends - a
            p += 1
        else:
            kind = BC + (events[q] & 1)
            c = ends - b
            q += 1
        if tie[k] > i:
            walked[length, 0] = k
            walked[length, 1] = kind
            walked[length, 2] = c
            length += 1
