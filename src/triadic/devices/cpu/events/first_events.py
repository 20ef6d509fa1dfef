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

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.motif_places import AB, AC, BA, BC, MOTIFS
from triadic.core.oriented import starts_of
from triadic.devices.cpu.events.event_order import count_by_vertex, find_windows, list_by_vertex
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch
from triadic.devices.cpu.vertex_arrays import summed, zeros
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.blocks import Progress

    TimedEvents = tuple[Ids, Ids, Ids, Int64Array, Int64Array, Ids, Ids]
    """Source, target, last event in the window and first tied event of each event; `indptr`, codes and places."""
    Scratch = tuple[bool, Int64Array, Int64Array]
    """Whether motifs have three events; room for the events of a walk; counters of vertices, zero and left so."""


_BLOCK = 1 << 17  # events that are walked over in a block
_MOST = 2.0**62


def motifs_by_first_event(
    source: Ids,
    target: Ids,
    time: AnyArray,
    delta: float,
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
    m = len(time)
    lists = list_by_vertex(source, target, *count_by_vertex(source, target, n, threads=1), None, threads=1)
    tie = np.arange(m)
    last = find_windows(time, delta, tie)[:, 1]
    if simultaneous:
        tie[1:][time[1:] == time[:-1]] = 0
        np.maximum.accumulate(tie, out=tie)
    timed = source, target, last, tie, *lists
    walks = np.zeros(m, dtype=np.int64)
    measure_walks(timed, walks)
    if float(np.dot(walks.astype(np.float64), walks)) >= _MOST:
        raise UnsupportedError(
            "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
            "expected a smaller delta"
        )
    cost = starts_of(walks)
    cuts = blocks.cut(cost, _BLOCK, most=1 << 14)
    workers = max(1, min(threads, len(cuts) - 1))
    tables = zeros(workers, (groups, MOTIFS if events == 3 else 6), np.int64)
    counters = zeros(workers, (n, 4), np.int64)
    walked = zeros(workers, (int(walks.max(initial=0)) + 1, 3), np.int64)
    ends = np.array([source, target], dtype=np.int64)
    rows = 2 * ends + np.array([[0], [1]]) if group is None else group[None]

    def task(worker: int, b: int) -> None:
        scratch = events == 3, walked[worker], counters[worker]
        count_from(timed, rows, scratch, cuts[b : b + 2], tables[worker])

    blocks.run(task, len(cuts) - 1, threads=workers, costs=np.diff(cost[cuts]), progress=progress)
    return summed(tables, threads=threads)


def bytes_by_first_event(events: int, n: int, groups: int, *, threads: int) -> int:
    """Estimate the largest number of bytes that counting by first events holds at a time."""
    return (104 + 48 * threads) * events + (16 + 32 * threads) * n + 8 * MOTIFS * groups * threads


@kernel
def measure_walks(timed: TimedEvents, walks: Int64Array) -> None:
    """Add up the events of both ends from each event to the end of its window; `walks` is zero."""
    _, _, last, _, indptr, codes, _ = timed
    for w in range(len(indptr) - 1):
        high = indptr[w]
        for p in range(indptr[w], indptr[w + 1]):
            k = codes[p] >> 1
            while high < indptr[w + 1] and (codes[high] >> 1) <= last[k]:
                high += 1
            walks[k] += high - p


@kernel
def count_from(timed: TimedEvents, rows: Int64Array, scratch: Scratch, block: Int64Array, table: Int64Array) -> None:
    """Count the motifs that begin with each event of the block at its rows of the table, those of -1 nowhere."""
    source, _, _, tie, _, codes, places = timed
    three, walked, counters = scratch
    found = np.zeros(MOTIFS, dtype=np.int64)
    seen = np.zeros(6, dtype=np.int64)  # events so far, by kind
    for i in range(block[0], block[1]):
        if rows[0, i] < 0:
            continue
        ahead = min(i + AHEAD_SUM, len(source) - 1)
        prefetch(codes, places[ahead, 0])
        prefetch(codes, places[ahead, 1])
        length = merge(i, timed, walked)
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
        for m in range(entered):
            if walked[m, 1] > BA:
                counters[walked[m, 2], walked[m, 1] - AC] = 0
        for side in range(len(rows)):
            row = table[rows[side, i]]  # read once: the table could share memory with the rows
            for x in range(len(row)):
                row[x] += found[x]


@kernel
def merge(i: int, timed: TimedEvents, walked: Int64Array) -> int:
    """Write the events of both ends of event i after it, up to the end of its window; return their number.

    A row has the number of the event, its kind, and its third vertex. Events that are tied with event i are left out.
    """
    source, target, last, tie, indptr, codes, places = timed
    a = source[i]
    b = target[i]
    none = last[i] + 1
    p = places[i, 0] + 1
    q = places[i, 1] + 1
    length = 0
    while True:
        of_a = codes[p] >> 1 if p < indptr[a + 1] else none
        of_b = codes[q] >> 1 if q < indptr[b + 1] else none
        k = min(of_a, of_b)
        if k >= none:
            return length
        c = source[k] + target[k]
        if k == of_a:
            kind = AC + (codes[p] & 1)
            c -= a
            p += 1
        else:
            kind = BC + (codes[q] & 1)
            c -= b
        if k == of_b:
            q += 1
            if k == of_a:
                kind -= AC - AB
        if tie[k] > i:
            walked[length, 0] = k
            walked[length, 1] = kind
            walked[length, 2] = c
            length += 1
