"""Timed events by vertex and by pair of vertices, and which events lie within a duration of an event.

Computes: the arrays of `triadic.core.oriented.OrientedEvents`.
Requires: events sorted by time, without loops; vertices ranked by falling number of events.
Idea: one counting sort puts the events into the lists of their two vertices. Each thread takes a range of events and
  begins, in each list, after the events of the threads before it, so that the order of time stays. The lists are then
  completed one after another, from an array of 8 bytes an event that is read ahead. The pairs of a row are sorted by
  themselves: only their distinct vertices need sorting, and the events follow by counting.
Cost: O(events + pairs log(pairs of a row)); 24 bytes an event beside the result, and 16 bytes a vertex for each thread.

Which events lie within a duration of an event.

Computes: the reach of a duration in the keys of the oriented events.
Requires: oriented events; their times rise, and no difference of whole times passes 2**63.
Idea: keys that are times need a difference only. Keys that number the distinct times get the smallest and the largest
  number within the duration, from one sweep over the times, so that kernels never see times of other types.
Cost: O(1) for keys that are times, else O(events) and 8 bytes an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ARC, AHEAD_SUM, prefetch
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Ids, Int64Array
    from triadic.core.oriented import OrientedEvents

    Whole = int | np.integer[Any]

# Numbers of triples from this limit on are refused. Pairs of that many events add at most half of the limit to a bound.
_LIMIT = np.int64(1 << 62)
_MOST_EVENTS = np.int64(1 << 31)


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
def count_entries(
    source: Ids, target: Ids, rank: Ids, first: int, last: int, entries: Int64Array, lower: Int64Array
) -> None:
    """Count the events of each rank, and those in which it is the larger rank."""
    for k in range(first, last):
        far = min(k + AHEAD_ARC, last - 1)
        prefetch(rank, source[far])
        prefetch(rank, target[far])
        x = np.int64(rank[source[k]])
        y = np.int64(rank[target[k]])
        entries[x] += 1
        entries[y] += 1
        lower[max(x, y)] += 1


@kernel
def begin_lists(counts: Int64Array, indptr: Int64Array) -> None:
    """Replace the numbers of entries of each thread, shape (threads, n), by its first places."""
    for u in range(len(indptr) - 1):
        at = indptr[u]
        for thread in range(len(counts)):
            count = counts[thread, u]
            counts[thread, u] = at
            at += count


@kernel
def fill_lists(
    source: Ids, target: Ids, rank: Ids, keys: Ids, first: int, last: int, begin: Int64Array, codes: Ids,
    others: Ids, positions: Ids,
) -> None:  # fmt: skip
    """Write the number and direction of each event into the lists of its vertices.

    `codes` has twice the number of the event, plus 1 if it is inward; `others` the key of each event and the exclusive
    or of its ranks; `positions` its places in the lists of its larger and of its smaller rank.
    """
    for k in range(first, last):
        far = min(k + 2 * AHEAD_SUM, last - 1)
        prefetch(rank, source[far])
        prefetch(rank, target[far])
        far = min(k + AHEAD_SUM, last - 1)
        prefetch(begin, rank[source[far]])
        prefetch(begin, rank[target[far]])
        far = min(k + AHEAD_SUM // 2, last - 1)
        prefetch(codes, begin[rank[source[far]]])
        prefetch(codes, begin[rank[target[far]]])
        x = np.int64(rank[source[k]])
        y = np.int64(rank[target[k]])
        at_x = begin[x]
        begin[x] = at_x + 1
        at_y = begin[y]
        begin[y] = at_y + 1
        codes[at_x] = 2 * k
        codes[at_y] = 2 * k + 1
        others[k, 0] = keys[k]
        others[k, 1] = x ^ y
        positions[k, 0] = at_x if x > y else at_y
        positions[k, 1] = at_y if x > y else at_x


@kernel
def complete_lists(
    indptr: Int64Array, inward_before: Int64Array, codes: Ids, others: Ids, first: int, last: int,
    moments: Ids, neighbours: Ids,
) -> None:  # fmt: skip
    """Write the key, the number of inward events before it, and the neighbour at each place of some lists."""
    end = indptr[last]
    for u in range(first, last):
        inward = inward_before[u]
        for p in range(indptr[u], indptr[u + 1]):
            prefetch(others, 2 * (np.int64(codes[min(p + AHEAD_SUM, end - 1)]) >> 1))
            k = np.int64(codes[p]) >> 1
            moments[p, 0] = others[k, 0]
            moments[p, 1] = inward
            neighbours[p] = others[k, 1] ^ u
            inward += np.int64(codes[p]) & 1


@kernel
def sort_pairs(
    indptr: Int64Array, event_indptr: Int64Array, moments: Ids, neighbours: Ids, codes: Ids,
    positions: Ids, first: int, last: int, next_of: Ids, events: Ids, heads: Ids, begins: Ids,
    pairs_of: Int64Array,
) -> None:  # fmt: skip
    """Sort the events of some rows by pair and time.

    `heads` and `begins` get the pairs of each row and their first places, from the row's first place in `events` on;
    `pairs_of` gets the number of pairs. `next_of` is zero, and is left so.
    """
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
            count = np.int64(next_of[y])
            next_of[y] = at
            at += count
        last_entry = indptr[x + 1] - 1
        for p in range(indptr[x], indptr[x + 1]):
            prefetch(positions, 2 * (np.int64(codes[min(p + AHEAD_SUM, last_entry)]) >> 1))
            y = neighbours[p]
            if y < x:
                q = np.int64(next_of[y])
                next_of[y] = q + 1
                events[q, 0] = moments[p, 0]
                events[q, 1] = codes[p]
                events[q, 2] = p
                events[q, 3] = positions[np.int64(codes[p]) >> 1, 1]
        for i in range(number):
            next_of[heads[row + i]] = 0


@kernel
def gather_pairs(
    event_indptr: Int64Array, row_indptr: Int64Array, heads: Ids, begins: Ids, first: int, last: int,
    out_heads: Ids, starts: Ids,
) -> None:  # fmt: skip
    """Copy the pairs of some rows to one list of all pairs."""
    for x in range(first, last):
        for i in range(row_indptr[x + 1] - row_indptr[x]):
            out_heads[row_indptr[x] + i] = heads[event_indptr[x] + i]
            starts[row_indptr[x] + i] = begins[event_indptr[x] + i]


@kernel
def place_events(events: Ids, first: int, last: int, places: Ids) -> None:
    """Write the place of each event at its places in the lists of its vertices."""
    for q in range(first, last):
        far = min(q + AHEAD_ARC, last - 1)
        prefetch(places, events[far, 2])
        prefetch(places, events[far, 3])
        places[events[q, 2]] = q
        places[events[q, 3]] = q


class Reach(NamedTuple):
    """Which keys lie within a duration.

    Attributes
    ----------
    delta : int
        If `limits` is empty, all keys whose difference is at most `delta`.
    limits : array of the type of the keys, shape (events, 2) or (0, 2)
        Smallest and largest key within the duration of each event, in the order of `OrientedEvents.events`.
    """

    delta: np.int64
    limits: Ids


def reach_of(oriented: OrientedEvents, delta: float) -> Reach:
    """Return the reach of a duration in the unit of the times, an int if the times are whole."""
    events = oriented.events
    none = np.empty((0, 2), dtype=events.dtype)
    if len(events) == 0:
        return Reach(np.int64(0), none)
    if oriented.times is None:
        return Reach(np.int64(min(delta // oriented.unit, 2**32)), none)  # all keys are below 2**31
    times = oriented.times
    span = times[-1].item() - times[0].item()  # a longer duration reaches no further
    by_number = np.empty((len(times), 2), dtype=events.dtype)
    find_limits(times, times.dtype.type(min(delta, span)), by_number)
    limits = np.empty_like(by_number)
    gather_limits(events, by_number, limits)
    return Reach(np.int64(0), limits)


@kernel
def find_limits(times: AnyArray, delta: Any, limits: Ids) -> None:  # noqa: ANN401 - a number of the type of `times`
    """Write the number of distinct times before the first and before the last event within `delta` of each event."""
    first = 0
    last = 0
    low = 0
    high = 0
    for k in range(len(times)):
        while times[k] - times[first] > delta:
            first += 1
            if times[first] != times[first - 1]:
                low += 1
        while last + 1 < len(times) and times[last + 1] - times[k] <= delta:
            last += 1
            if times[last] != times[last - 1]:
                high += 1
        limits[k, 0] = low
        limits[k, 1] = high


@kernel
def gather_limits(events: Ids, by_number: Ids, limits: Ids) -> None:
    """Put the limits of the events into the order of the pairs."""
    for q in range(len(events)):
        prefetch(by_number, 2 * (np.int64(events[min(q + AHEAD_SUM, len(events) - 1), 1]) >> 1))
        k = np.int64(events[q, 1]) >> 1
        limits[q, 0] = by_number[k, 0]
        limits[q, 1] = by_number[k, 1]


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


def check_number_of_triples(oriented: OrientedEvents, reach: Reach) -> None:
    """Raise UnsupportedError if 2**62 or more triples of events may lie within a duration.

    All events of a motif but one follow its first event at one of their vertices, or two of them precede its last event
    at different vertices, so that half the squared numbers of events in windows bound the number of motifs.
    """
    if oriented.num_edges == 0 or int(oriented.indptr[1]) ** 2 * oriented.num_edges < _LIMIT:  # rank 0 has the most
        return
    if int(bound_of_triples(oriented.indptr, oriented.moments, oriented.places, *reach)) >= _LIMIT:
        raise UnsupportedError(
            "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
            "expected a smaller delta"
        )


@kernel
def bound_of_triples(indptr: Int64Array, moments: Ids, places: Ids, delta: Whole, limits: Ids) -> np.int64:
    """Return half the squared number of events before each event in its window, added up, at most `_LIMIT`."""
    bound = np.int64(0)
    for u in range(len(indptr) - 1):
        low = indptr[u]
        for p in range(indptr[u], indptr[u + 1]):
            low_key = np.int64(moments[p, 0]) - delta if len(limits) == 0 else np.int64(limits[places[p], 0])
            while moments[low, 0] < low_key:
                low += 1
            width = min(np.int64(p - low), _MOST_EVENTS)
            bound = min(bound + ((width * width + 1) >> 1), _LIMIT)
    return bound
