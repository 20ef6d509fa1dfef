"""Triangles of three timed events, found from the first event of each; and the choice between two ways to find them.

Computes: the triples of events within a duration that join three vertices by three different pairs.
Requires: oriented events, and the reach of the duration.
Idea: the second and third event of a triangle lie in the windows of both ends of the first. Walk the shorter of the two
  windows after the first event; each event in it has a third vertex, and the pair of that vertex with the other end is
  found in an oriented row. Its events within the window close the triangles. Where windows are long,
  `triadic.devices.cpu.timed_triangles` finds each triangle of vertices once instead: `windows_are_long` estimates
  which way takes less time from a sample of the events.
Cost: a search in an oriented row for each event in the shorter window after each event; of many events in one window,
  their number squared.

References
----------
Gao, Cheng, Yu, Cao, Huang and Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE (FAST), for
closing two events of a window by a look-up of the third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.motif_places import AC, BC
from triadic.devices.cpu.event_reach import after_window
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import OrientedEvents
    from triadic.devices.cpu.event_reach import Reach

    Ids = NDArray[np.integer[Any]]
    Whole = int | np.integer[Any]

_SAMPLE = 2048  # events
# Nanoseconds of an event in a shorter window, of an entry of a row that is walked for triangles of vertices, and of an
# event in the lists that are then merged.
_LOOK_UP, _WALK, _MERGE = 15.0, 1.5, 15.0


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
    indptr: NDArray[np.int64], moments: Ids, neighbours: Ids, events: Ids, delta: Whole, limits: Ids, step: Whole
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
def walked_entries(row_indptr: NDArray[np.int64], heads: Ids) -> np.int64:
    """Return the length of the rows of all heads, added up."""
    total = np.int64(0)
    for i in range(len(heads)):
        total += row_indptr[heads[i] + 1] - row_indptr[heads[i]]
    return total


@kernel
def pair_of(row_indptr: NDArray[np.int64], heads: Ids, u: Whole, v: Whole) -> np.int64:
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
    indptr: NDArray[np.int64], moments: Ids, neighbours: Ids, places: Ids, row_indptr: NDArray[np.int64], heads: Ids,
    starts: Ids, events: Ids, delta: Whole, limits: Ids, simultaneous: bool, first: Whole, last: Whole,
    by_vertex: NDArray[np.int64], found: NDArray[np.int64],
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
