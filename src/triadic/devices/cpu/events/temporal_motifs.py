"""Motifs of two and three timed events on the CPU, in total and by vertex.

Stars and pairs are counted by the kernels of `timed_pairs`, and triangles by those of `timed_triangles`; here their
work is cut into blocks, and their sums are put together.

Motifs by their first event.

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
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import kernel
from triadic.core.oriented import int_zeros, starts_of
from triadic.core.triad_types import AB, AC, BA, BC, MOTIFS, PAIRS, STARS, TWO_EVENTS
from triadic.devices.cpu.events import timed_pairs, timed_triangles
from triadic.devices.cpu.events.event_order import (
    check_number_of_triples,
    count_by_vertex,
    find_windows,
    list_by_vertex,
    too_many_triples,
    window_of,
)
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.events.event_order import Block, Window

    TimedEvents = tuple[Ids, Ids, Ids, Int64Array, Int64Array, Ids, Ids]
    """Source, target, last event in the window and first tied event of each event; `indptr`, codes and places."""
    Scratch = tuple[bool, Int64Array, Int64Array]
    """Whether motifs have three events; room for the events of a walk; counters of vertices, zero and left so."""


_LEAST_BLOCK, _MOST_BLOCK, _BLOCKS = 1 << 12, 1 << 15, 16  # events of a block; blocks of few events
_TRIANGLE_BLOCK = 1 << 15  # estimated tests
_PAIR_WORK, _LONE_WORK, _TRIANGLE_WORK = 2, 1, 2  # estimated shares of the work
_WALK_BLOCK = 1 << 17  # events that are walked over in a block
_MOST_TRIPLES = 2.0**62


def motifs(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    by_vertex: bool = False,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of three events by their place in the matrix: int64, shape (36,), or at each rank (n, 36).

    Parameters
    ----------
    oriented : OrientedEvents
    delta : int or float
        Longest time from the first event to the last, in the unit of the times.
    simultaneous : bool
        Whether events at the same time never follow one another.
    by_vertex : bool, default False
        Whether to count the motifs of each rank.
    """
    window = window_of(oriented, delta, simultaneous)
    check_number_of_triples(oriented, window)
    lists, pairs = oriented.lists, oriented.pairs
    shares = (_PAIR_WORK, _LONE_WORK if by_vertex else 0, _TRIANGLE_WORK)
    pair_progress, lone_progress, triangle_progress = blocks.split(progress, shares)
    tables = zeros(threads, (oriented.num_vertices if by_vertex else 1, MOTIFS), np.int64)
    if oriented.num_pairs < oriented.num_edges:  # stars, and three events of a pair, need a pair with several events
        rows = oriented.num_edges if by_vertex else oriented.longest_pair
        near = zeros(1 if by_vertex else threads, (rows, 4), oriented.events.dtype.type)
        sums = int_zeros((threads, 4, 8))

        def count(worker: int, block: Block) -> None:
            stars = sums[worker], tables[worker]
            timed_pairs.count_pairs(lists, pairs, window, block, near[worker % len(near)], stars)

        _over(oriented.event_indptr, count, threads, pair_progress)
        if by_vertex:

            def add_lone(worker: int, block: Block) -> None:
                timed_pairs.count_lone(lists, near[0], window, block, tables[worker])

            _over(oriented.indptr, add_lone, threads, lone_progress)
        else:
            found = sums.sum(axis=0)
            np.add.at(tables[0][0], PAIRS, found[0])
            # Three events of one pair are stars of both centres.
            np.add.at(tables[0][0], STARS, found[1:] - found[0] - found[0, ::-1])
    _triangles(oriented, window, tables, threads, triangle_progress)
    table = summed(tables, threads=threads)
    return table if by_vertex else table[0]


def two_events(
    oriented: OrientedEvents,
    delta: float,
    simultaneous: bool,
    *,
    by_vertex: bool = False,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the motifs of two events, as `motifs` counts those of three: int64, shape (6,), or at each rank (n, 6)."""
    window = window_of(oriented, delta, simultaneous)
    lists, pairs = oriented.lists, oriented.pairs
    near = np.zeros((oriented.num_edges, 4), oriented.events.dtype)
    tables = zeros(threads, (oriented.num_vertices if by_vertex else 1, TWO_EVENTS), np.int64)
    pair_progress, star_progress = blocks.split(progress, (1, 1))

    def count_near(_: int, block: Block) -> None:
        timed_pairs.count_pairs(lists, pairs, window, block, near, None)

    def count(worker: int, block: Block) -> None:
        timed_pairs.count_two(lists, near, window, block, tables[worker])

    _over(oriented.event_indptr, count_near, threads, pair_progress)
    _over(oriented.indptr, count, threads, star_progress)
    table = summed(tables, threads=threads)
    if by_vertex:
        return table
    table[0, :2] //= 2  # pairs of events of two vertices are counted at both
    return table[0]


def _triangles(
    oriented: OrientedEvents, window: Window, tables: list[Int64Array], threads: int, progress: Progress | None
) -> None:
    """Add the triangles to the tables."""
    lists, pairs, m = oriented.lists, oriented.pairs, oriented.num_edges
    work = timed_triangles.work_of_triangles(oriented, window)
    if work is None:
        cuts = blocks.cut_pieces(m, _events_of_a_block(m))

        def close(worker: int, block: Block) -> None:
            timed_triangles.close_wedges(lists, pairs, window, block, tables[worker])

        blocks.run_cuts(close, cuts, threads=threads, progress=progress)
        return
    cost, spans = work
    cuts = blocks.cut(cost, _TRIANGLE_BLOCK, most=1 << 14)
    marks = zeros(threads, oriented.num_vertices, np.int64)
    merged = zeros(threads, (3 * oriented.longest_pair, 3), np.int64)

    def count(worker: int, block: Block) -> None:
        scratch = spans, marks[worker], merged[worker]
        timed_triangles.count_triangles(pairs, window, scratch, block, tables[worker])

    blocks.run_cuts(count, cuts, threads=threads, costs=np.diff(cost[cuts]), progress=progress)


def _events_of_a_block(events: int) -> int:
    return min(_MOST_BLOCK, max(_LEAST_BLOCK, events // _BLOCKS))


def _over(indptr: Int64Array, count: Callable[[int, Block], None], threads: int, progress: Progress | None) -> None:
    """Call ``count(worker, block)`` for blocks of ranks with about the same number of events."""
    cuts = blocks.cut(indptr, _events_of_a_block(int(indptr[-1])), most=1 << 16)
    blocks.run_cuts(count, cuts, threads=threads, progress=progress)


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
    walks = int_zeros(m)
    measure_walks(timed, walks)
    if float(np.dot(walks.astype(np.float64), walks)) >= _MOST_TRIPLES:
        raise too_many_triples()
    cost = starts_of(walks)
    cuts = blocks.cut(cost, _WALK_BLOCK, most=1 << 14)
    workers = max(1, min(threads, len(cuts) - 1))
    tables = zeros(workers, (groups, MOTIFS if events == 3 else 6), np.int64)
    counters = zeros(workers, (n, 4), np.int64)
    walked = zeros(workers, (int(walks.max(initial=0)) + 1, 3), np.int64)
    ends = np.array([source, target], np.int64)
    rows = 2 * ends + np.array([[0], [1]]) if group is None else group[None]

    def count(worker: int, block: Block) -> None:
        scratch = events == 3, walked[worker], counters[worker]
        count_from(timed, rows, scratch, block, tables[worker])

    blocks.run_cuts(count, cuts, threads=workers, costs=np.diff(cost[cuts]), progress=progress)
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
def count_from(timed: TimedEvents, rows: Int64Array, scratch: Scratch, block: Block, table: Int64Array) -> None:
    """Count the motifs that begin with each event of the block at its rows of the table, those of -1 nowhere."""
    source, _, _, tie, _, codes, places = timed
    three, walked, counters = scratch
    found = np.zeros(MOTIFS, np.int64)
    seen = np.zeros(6, np.int64)  # events so far, by kind
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
