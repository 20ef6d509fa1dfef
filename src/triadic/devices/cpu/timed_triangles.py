"""Triangles of three timed events, found from the triangles of vertices.

Computes: the triples of events i before j before k, with t_k - t_i at most delta, that join three vertices by three
  different pairs.
Requires: oriented events, and the reach of the duration.
Idea: find each triangle of vertices once by marks, and skip pairs whose first and last events are further apart than
  the duration. In a triangle of vertices only the windows around the events of the pair with the fewest events matter:
  merge the three lists there, and slide a window over the merged list with counters of one event and of two events of
  different pairs, by direction.
Cost: O(p^1.5) tests for p pairs, and O(1) for each event of a triangle of vertices that lies within the duration of an
  event of its rarest pair. A worker takes 8 bytes a vertex of marks, and 24 bytes an event of the three longest lists.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, section 4.3; Gao, Cheng, Yu, Cao, Huang and
Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE (FAST), for counting by static triangle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.motif_places import ORDER_OF, TRIANGLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]
    Whole = int | np.integer[Any]


@kernel
def estimate_work(row_indptr: NDArray[np.int64], heads: Ids, starts: Ids, cost: NDArray[np.int64]) -> None:
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
def first_from(events: Ids, start: Whole, stop: Whole, key: Whole) -> Whole:
    """Return the first place in ``events[start:stop]`` with a key of at least `key`, by doubling steps."""
    step = 1
    low = start
    while low + step <= stop and events[low + step - 1, 0] < key:
        low += step
        step *= 2
    high = min(stop, low + step - 1)
    while low < high:
        middle = (low + high) >> 1
        if events[middle, 0] < key:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def count_triangles(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: NDArray[np.int64], head: Ids, starts: Ids, span: NDArray[np.int64], events: Ids, delta: Whole, limits: Ids,
    simultaneous: bool, first: Whole, last: Whole, mark: NDArray[np.int64], merged: NDArray[np.int64],
    by_vertex: NDArray[np.int64], found: NDArray[np.int64],
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
                        places[i] = first_from(events, places[i], stops[i], low)
                        untils[i] = first_from(events, places[i], stops[i], high + 1)
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
