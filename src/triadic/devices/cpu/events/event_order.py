"""Timed events by vertex and by pair of vertices, and which events lie within a duration of an event.

Computes: the arrays of `triadic.core.oriented.OrientedEvents`.
Requires: events sorted by time, without loops; vertices ranked by falling number of events.
Idea: one counting sort puts the events into the lists of their two vertices. Each thread takes a range of events and
  begins, in each list, after the events of the threads before it, so that the order of time stays. The lists are then
  completed one after another, from an array of 8 bytes an event that is read ahead. The pairs of a row are sorted by
  themselves: only their distinct vertices need sorting, and the events follow by counting.
Cost: O(events + pairs log(pairs of a row)); 24 bytes an event beside the result, and 16 bytes a vertex for each thread.

Which events lie within a duration of an event.

Computes: the window of a duration in the keys of the oriented events.
Requires: oriented events; their times rise, and no difference of whole times passes 2**63.
Idea: keys that are times need a difference only. Keys that number the distinct times get the smallest and the largest
  number within the duration, from one sweep over the times, so that kernels never see times of other types.
Cost: O(1) for keys that are times, else O(events) and 8 bytes an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import int_empty, int_zeros, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_ARC, AHEAD_SUM, Whole, prefetch
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.oriented import EventLists, OrientedEvents

    Block = tuple[int, int]
    """The first of some items that a worker takes, and the last plus one."""
    CodeLists = tuple[Int64Array, Ids, Ids]
    """The events of each vertex.

    - begin, shape (n,): next place of each vertex in `codes`
    - codes, shape (2 m,): twice the number of the event, plus 1 if it is inward
    - places, shape (m, 2): places of each event in the lists of its source and of its target
    """
    Ranked = tuple[Ids, Ids, Ids]
    """Rank of each vertex; key of each event; for each event, its key and the exclusive or of its ranks."""
    RowPairs = tuple[Int64Array, Ids, Ids, Ids, Int64Array]
    """The events by row and pair: first events of rows; heads and first events of pairs; events; pairs of rows.

    Heads and first events stand from the row's first place in `events` on.
    """
    Window = tuple[np.int64, Ids, bool]
    """Which events lie within a duration of an event.

    - delta: if `limits` is empty, all keys whose difference is at most `delta`
    - limits, shape (events, 2) or (0, 2), of the type of the keys: smallest and largest key within the duration of each
      event, in the order of `OrientedEvents.events`
    - simultaneous: whether events at the same time never follow one another
    """

# Numbers of triples from this limit on are refused. Pairs of that many events add at most half of the limit to a bound.
_LIMIT = np.int64(1 << 62)
_MOST_EVENTS = np.int64(1 << 31)
_PIECE = 1 << 22  # events of a part that are sorted at a time


def over_parts(cuts: Int64Array, work: Callable[[int, int, int], None], threads: int) -> None:
    """Call ``work(part, first, last)`` for one piece of each part after another, so that Ctrl-C finds its turn.

    The pieces of a part follow one another, in the order of the events.
    """
    longest = int(np.diff(cuts).max(initial=0))
    for start in range(0, longest, _PIECE):

        def task(_: int, part: int, start: int = start) -> None:
            first = min(cuts[part] + start, cuts[part + 1])
            work(part, first, min(first + _PIECE, cuts[part + 1]))

        blocks.run(task, len(cuts) - 1, threads=threads)


def count_by_vertex(source: Ids, target: Ids, n: int, *, threads: int) -> tuple[Int64Array, Int64Array]:
    """Return cuts between parts of the events, and the outward and inward events of each: shape (parts, 2, n)."""
    cuts = blocks.cut_evenly(len(source), threads)
    ends = int_zeros((max(1, len(cuts) - 1), 2, n))
    over_parts(cuts, lambda part, first, last: count_ends(source, target, first, last, ends[part]), threads)
    return cuts, ends


def list_by_vertex(
    source: Ids,
    target: Ids,
    cuts: Int64Array,
    ends: Int64Array,
    ranked: Ranked | None,
    *,
    threads: int,
) -> tuple[Int64Array, Ids, Ids]:
    """List the events of vertices in the order of their ranks, or of their numbers; `ends` is used up.

    Returns the first place of each list, and the arrays `codes` and `places` of `CodeLists`.
    """
    rank = slice(None) if ranked is None else ranked[0]
    counts, begin = ends[:, 0], ends[:, 1]
    counts += begin
    degree = int_empty(ends.shape[2])
    degree[rank] = counts.sum(axis=0)
    indptr = starts_of(degree)
    np.cumsum(counts, axis=0, out=begin)
    begin -= counts
    begin += indptr[:-1][rank]
    m, dtype = len(source), np.int64 if ranked is None else ranked[0].dtype
    codes, places = np.empty(2 * m, dtype), np.empty((m, 2), dtype)

    def fill(part: int, first: int, last: int) -> None:
        fill_lists(source, target, first, last, (begin[part], codes, places), ranked)

    over_parts(cuts, fill, threads)
    return indptr, codes, places


@kernel
def count_ends(source: Ids, target: Ids, first: int, last: int, ends: Int64Array) -> None:
    """Count the outward and the inward events of each vertex: `ends` has the shape (2, n)."""
    for k in range(first, last):
        far = min(k + AHEAD_ARC, last - 1)
        prefetch(ends, source[far])
        prefetch(ends, ends.shape[1] + target[far])
        ends[0, source[k]] += 1
        ends[1, target[k]] += 1


@kernel
def fill_lists(source: Ids, target: Ids, first: int, last: int, lists: CodeLists, ranked: Ranked | None) -> None:
    """Write the number and direction of each event into the lists of its vertices."""
    begin, codes, places = lists
    if ranked is not None:
        rank, keys, others = ranked
    for k in range(first, last):
        far = min(k + AHEAD_SUM, last - 1)
        prefetch(begin, source[far])
        prefetch(begin, target[far])
        if ranked is not None:
            prefetch(rank, source[far])
            prefetch(rank, target[far])
            others[k, 0] = keys[k]
            others[k, 1] = rank[source[k]] ^ rank[target[k]]
        far = min(k + AHEAD_SUM // 2, last - 1)
        prefetch(codes, begin[source[far]])
        prefetch(codes, begin[target[far]])
        for side in range(2):
            v = target[k] if side else source[k]
            codes[begin[v]] = 2 * k + side
            places[k, side] = begin[v]
            begin[v] += 1


@kernel
def complete_lists(
    lists: EventLists, others: Ids, inward_before: Int64Array, lower: Int64Array, first: int, last: int
) -> None:
    """Write the key, the number of inward events before it, and the neighbour at each place of some lists.

    `places` has the codes of `CodeLists`. `lower` gets the number of events with a neighbour of smaller rank.
    """
    indptr, moments, neighbours, codes = lists
    end = indptr[last]
    for u in range(first, last):
        inward = inward_before[u]
        number = 0
        for p in range(indptr[u], indptr[u + 1]):
            prefetch(others, 2 * (codes[min(p + AHEAD_SUM, end - 1)] >> 1))
            k = codes[p] >> 1
            moments[p, 0] = others[k, 0]
            moments[p, 1] = inward
            v = others[k, 1] ^ u
            neighbours[p] = v
            inward += codes[p] & 1
            number += v < u
        lower[u] = number


@kernel
def sort_pairs(lists: EventLists, positions: Ids, rows: RowPairs, next_of: Ids, first: int, last: int) -> None:
    """Sort the events of some rows by pair and time.

    `places` of the lists has the codes of `CodeLists`, and gets the places of events in `events`. `positions` is
    `CodeLists.places`. `next_of` is zero, and is left so.
    """
    indptr, moments, neighbours, places = lists
    event_indptr, heads, begins, events, pairs_of = rows
    for x in range(first, last):
        row = event_indptr[x]
        number = 0
        for p in range(indptr[x], indptr[x + 1]):
            y = neighbours[p]
            if y < x:
                if next_of[y] == 0:
                    heads[row + number] = y
                    number += 1
                next_of[y] += 1
        pairs_of[x] = number
        if number == 0:
            continue
        if number > 1:
            heads[row : row + number].sort()
        at = row
        for i in range(number):
            begins[row + i] = at
            y = heads[row + i]
            count = next_of[y]
            next_of[y] = at
            at += count
        last_entry = indptr[x + 1] - 1
        for p in range(indptr[x], indptr[x + 1]):
            prefetch(positions, 2 * (places[min(p + AHEAD_SUM, last_entry)] >> 1))
            y = neighbours[p]
            if y < x:
                q = next_of[y]
                next_of[y] = q + 1
                code = places[p]
                other = positions[code >> 1, 1 - (code & 1)]
                events[q, 0] = moments[p, 0]
                events[q, 1] = code
                events[q, 2] = p
                events[q, 3] = other
                places[p] = q
                places[other] = q
        for i in range(number):
            next_of[heads[row + i]] = 0


def window_of(oriented: OrientedEvents, delta: float, simultaneous: bool) -> Window:
    """Return the window of a duration in the unit of the times, an int if the times are whole."""
    times, dtype = oriented.times, oriented.events.dtype
    if times is None:  # all keys are below 2**31
        return np.int64(min(delta // oriented.unit, 2**32)), np.empty((0, 2), dtype), simultaneous
    span = times[-1].item() - times[0].item()  # a longer duration reaches no further
    number = starts_of(times[1:] != times[:-1]).astype(dtype)
    limits = find_windows(times, min(delta, span), number).take(oriented.events[:, 1] >> 1, axis=0)
    return np.int64(0), limits, simultaneous


def find_windows(times: AnyArray, delta: float, number: Ids) -> Ids:
    """Return the numbers of the first and of the last event within `delta` of each event: shape (events, 2)."""
    ends = np.empty((len(times), 2), number.dtype)
    find_ends(times, times.dtype.type(delta), number, ends)
    return ends


@kernel
def find_ends(times: AnyArray, delta: Any, number: Ids, ends: Ids) -> None:  # noqa: ANN401 - a number of the type of `times`
    """Write the numbers of the first and of the last event within `delta` of each event."""
    first = 0
    last = 0
    for k in range(len(times)):
        while times[k] - times[first] > delta:
            first += 1
        while last + 1 < len(times) and times[last + 1] - times[k] <= delta:
            last += 1
        ends[k, 0] = number[first]
        ends[k, 1] = number[last]


@inline_kernel
def first_key(delta: Whole, limits: Ids, key: Whole, q: Whole) -> Whole:
    """Return the smallest key in the window of the event at place `q` of `OrientedEvents.events`."""
    return key - delta if len(limits) == 0 else np.int64(limits[q, 0])


@inline_kernel
def last_key(delta: Whole, limits: Ids, key: Whole, q: Whole) -> Whole:
    """Return the largest key in the window of the event at place `q` of `OrientedEvents.events`."""
    return key + delta if len(limits) == 0 else np.int64(limits[q, 1])


@inline_kernel
def without_ties(moments: Ids, start: Whole, p: Whole, stop: Whole, simultaneous: bool) -> tuple[np.int64, np.int64]:
    """Return the end of the events before the event at place `p`, and the first event after it, from start to stop."""
    if simultaneous:
        return begin_of_window(moments, start, p, moments[p, 0]), after_window(moments, p + 1, stop, moments[p, 0])
    return np.int64(p), np.int64(p + 1)


@kernel
def after_window(moments: Ids, start: Whole, stop: Whole, key: Whole) -> np.int64:
    """Return the first place in ``moments[start:stop]`` with a key above `key`, by doubling steps."""
    low = np.int64(start)
    step = np.int64(1)
    while low + step <= stop and moments[low + step - 1, 0] <= key:
        low += step
        step *= 2
    high = min(np.int64(stop), low + step - 1)
    while low < high:
        middle = (low + high) >> 1
        if moments[middle, 0] <= key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def begin_of_window(moments: Ids, start: Whole, stop: Whole, key: Whole) -> np.int64:
    """Return the first place from `start` on with a key of at least `key`, by doubling steps back from `stop`."""
    high = np.int64(stop)
    step = np.int64(1)
    while high - step >= start and moments[high - step, 0] >= key:
        high -= step
        step *= 2
    low = max(np.int64(start), high - step + 1)
    while low < high:
        middle = (low + high) >> 1
        if moments[middle, 0] >= key:
            high = middle
        else:
            low = middle + 1
    return low


def check_number_of_triples(oriented: OrientedEvents, window: Window) -> None:
    """Raise UnsupportedError if 2**62 or more triples of events may lie within a duration.

    All events of a motif but one follow its first event at one of their vertices, or two of them precede its last event
    at different vertices, so that half the squared numbers of events in windows bound the number of motifs.
    """
    if oriented.num_edges == 0 or int(oriented.indptr[1]) ** 2 * oriented.num_edges < _LIMIT:  # rank 0 has the most
        return
    if int(bound_of_triples(oriented.lists, window)) >= _LIMIT:
        raise too_many_triples()


def too_many_triples() -> UnsupportedError:
    """Return the error for a duration within which 2**62 or more triples of events may lie."""
    return UnsupportedError(
        "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
        "expected a smaller delta"
    )


@kernel
def bound_of_triples(lists: EventLists, window: Window) -> np.int64:
    """Return half the squared number of events before each event in its window, added up, at most `_LIMIT`."""
    indptr, moments, _, places = lists
    delta, limits, _ = window
    bound = np.int64(0)
    for u in range(len(indptr) - 1):
        low = indptr[u]
        for p in range(indptr[u], indptr[u + 1]):
            low_key = first_key(delta, limits, moments[p, 0], places[p])
            while moments[low, 0] < low_key:
                low += 1
            width = min(np.int64(p - low), _MOST_EVENTS)
            bound = min(bound + ((width * width + 1) >> 1), _LIMIT)
    return bound
