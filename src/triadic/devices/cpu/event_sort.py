"""Sort timed events by vertex and by pair of vertices, on several threads.

Computes: the arrays of `triadic.core.oriented.OrientedEvents`.
Requires: events sorted by time, without loops; vertices ranked by falling number of events.
Idea: one counting sort puts the events into the lists of their two vertices. Each thread takes a range of events and
  begins, in each list, after the events of the threads before it, so that the order of time stays. The lists are then
  completed one after another, from an array of 8 bytes an event that is read ahead. The pairs of a row are sorted by
  themselves: only their distinct vertices need sorting, and the events follow by counting.
Cost: O(events + pairs log(pairs of a row)); 24 bytes an event beside the result, and 16 bytes a vertex for each thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ARC, AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]


@kernel
def count_ends(source: Ids, target: Ids, first: int, last: int, ends: NDArray[np.int64]) -> None:
    """Count the outward and the inward events of each vertex: `ends` has the shape (2, n)."""
    for k in range(first, last):
        far = min(k + AHEAD_ARC, last - 1)
        prefetch(ends, source[far])
        prefetch(ends, ends.shape[1] + target[far])
        ends[0, source[k]] += 1
        ends[1, target[k]] += 1


@kernel
def count_entries(
    source: Ids, target: Ids, rank: Ids, first: int, last: int, entries: NDArray[np.int64], lower: NDArray[np.int64]
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
def begin_lists(counts: NDArray[np.int64], indptr: NDArray[np.int64]) -> None:
    """Replace the numbers of entries of each thread, shape (threads, n), by its first places."""
    for u in range(len(indptr) - 1):
        at = indptr[u]
        for thread in range(len(counts)):
            count = counts[thread, u]
            counts[thread, u] = at
            at += count


@kernel
def fill_lists(
    source: Ids, target: Ids, rank: Ids, keys: Ids, first: int, last: int, begin: NDArray[np.int64], codes: Ids,
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
    indptr: NDArray[np.int64], inward_before: NDArray[np.int64], codes: Ids, others: Ids, first: int, last: int,
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
    indptr: NDArray[np.int64], event_indptr: NDArray[np.int64], moments: Ids, neighbours: Ids, codes: Ids,
    positions: Ids, first: int, last: int, next_of: Ids, events: Ids, heads: Ids, begins: Ids,
    pairs_of: NDArray[np.int64],
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
    event_indptr: NDArray[np.int64], row_indptr: NDArray[np.int64], heads: Ids, begins: Ids, first: int, last: int,
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
