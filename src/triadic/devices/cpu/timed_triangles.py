"""Triangles of three timed events on the CPU, and all motifs of three events.

Computes: the triples of events i before j before k, with t_k - t_i at most delta, that join three vertices by three
  different pairs; with the stars and pairs of `timed_events`, all 36 motifs.
Requires: the lists of `timed_events`, and for each event and end whether an event of the end with a third vertex lies
  in its window.
Idea: only events that have such events at both ends can be in a triangle; drop the others. Orient the pairs that are
  left from lower to higher degree, and find each static triangle once by marks; skip pairs whose first and last events
  are further apart than delta. In a static triangle only the windows
  around the events of the pair with the fewest events matter: merge the three lists there, and slide a window over the
  merged list with counters of one event and of two events of different pairs, by direction.
Cost: O(m^1.5) tests for m pairs with such events, and O(1) for each event of a static triangle that lies within delta
  of an event of its rarest pair. A worker takes 8 bytes a vertex of marks, and 16 bytes an event of the longest lists.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, section 4.3; Gao, Cheng, Yu, Cao, Huang and
Dong (2022), "Scalable motif counting for large-scale temporal graphs", ICDE (FAST), for counting by static triangle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.exact import exact_column_sums
from triadic.devices.cpu.timed_events import (
    AC,
    BC,
    CA,
    CB,
    ENDS,
    FIRST,
    LAST,
    LIMIT,
    MOTIFS,
    PAIRS,
    STARS,
    TIE,
    count_pairs,
    count_stars,
    count_two,
    event_lists,
    place,
)
from triadic.devices.cpu.vertex_arrays import summed, zeros
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.devices.cpu.timed_events import EventLists

    Ids = NDArray[np.integer[Any]]

_BLOCK = 1 << 15  # aimed events or tests of a block
_STAR_WORK, _TRIANGLE_WORK = 2, 1  # estimated shares of the work
# Sides 0, 1 and 2 of a triangle of vertices 0 < 1 < 2 join 0 and 1, 0 and 2, 1 and 2. Ordered pairs of sides:
_ORDERS = ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
_SIDES = ((0, 1), (0, 2), (1, 2))
# For each side the ordered pairs in which it is first and second, and the two other sides.
_ORDER_OF = np.array([[-1, 0, 1], [2, -1, 3], [4, 5, -1]], dtype=np.int64)


def _triangle_places() -> NDArray[np.int64]:
    """Return the places of triangles by the order of their sides and by directions, 0 from the lower vertex."""
    places = np.empty((6, 2, 2, 2), dtype=np.int64)
    for order, (one, two) in enumerate(_ORDERS):
        sides = (one, two, 3 - one - two)
        for directions in np.ndindex(2, 2, 2):
            (a, b), *others = (
                _SIDES[side][::-1] if d else _SIDES[side] for side, d in zip(sides, directions, strict=True)
            )
            c = 3 - a - b
            kinds = {(a, c): AC, (c, a): CA, (b, c): BC, (c, b): CB}
            places[(order, *directions)] = place(kinds[others[0]], kinds[others[1]])
    return places.reshape(48)


TRIANGLES = _triangle_places()


def temporal_motifs(
    source: Ids,
    target: Ids,
    time: NDArray[Any],
    delta: Any,  # noqa: ANN401 - a number of the type of `time`
    n: int,
    *,
    simultaneous: bool,
    by_vertex: bool,
    threads: int,
    progress: Progress | None = None,
) -> tuple[list[int], NDArray[np.int64] | None]:
    """Count the motifs of three events.

    Returns
    -------
    list of 36 int
        Number of each motif, row by row of the matrix.
    int64 array, shape (n, 36), or None
        Number of each motif at each vertex, with `by_vertex`.

    Raises
    ------
    UnsupportedError
        If 2**62 or more motifs may lie within `delta`.
    """
    pair_progress, triangle_progress = blocks.split(progress, (_STAR_WORK, _TRIANGLE_WORK))
    lists = event_lists(source, target, time, delta, n, simultaneous=simultaneous)
    tables = zeros(threads, (n if by_vertex else 0, MOTIFS), np.int64)
    pair_cuts = blocks.cut(lists.pair_indptr, _BLOCK, most=1 << 16)
    cuts = blocks.cut(lists.indptr, _BLOCK, most=1 << 16)
    pairs = np.zeros((len(pair_cuts), 8), dtype=np.int64)
    stars = np.zeros((len(cuts), 3, 8), dtype=np.int64)
    bounds = np.zeros(len(cuts), dtype=np.int64)
    busy = np.zeros(2 * len(time), dtype=np.uint8)

    def task_of_pairs(worker: int, b: int) -> None:
        count_pairs(
            lists.pair_indptr, lists.pairs, lists.record, pair_cuts[b], pair_cuts[b + 1],
            tables[worker], pairs[b],
        )  # fmt: skip

    def task_of_stars(worker: int, b: int) -> None:
        bounds[b] = count_stars(
            lists.indptr, lists.events, lists.record, cuts[b], cuts[b + 1], tables[worker],
            stars[b], busy,
        )  # fmt: skip

    blocks.run(task_of_pairs, len(pair_cuts) - 1, threads=threads)
    blocks.run(task_of_stars, len(cuts) - 1, threads=threads, progress=pair_progress)
    triangles, triangle_bounds = _triangles(lists, busy, tables, threads=threads, progress=triangle_progress)
    highest = [*bounds.tolist(), *triangle_bounds.tolist()]
    if (sum(highest) if by_vertex else max(highest)) >= LIMIT:
        raise UnsupportedError(
            "delta: 2**62 or more triples of events may lie within it, too many for counts of 64 bits; "
            "expected a smaller delta"
        )
    totals = [0] * MOTIFS
    by_directions = exact_column_sums(pairs)
    for x, count in enumerate(by_directions):
        totals[PAIRS[x]] += count
    for lone, counts in enumerate(np.split(np.array(exact_column_sums(stars.reshape(-1, 24)), dtype=object), 3)):
        for x, count in enumerate(counts):
            totals[STARS[lone, x]] += count - by_directions[x] - by_directions[7 - x]
    for x, count in enumerate(exact_column_sums(triangles)):
        totals[TRIANGLES[x]] += count
    return totals, summed(tables, threads=threads) if by_vertex else None


def temporal_pairs(
    source: Ids,
    target: Ids,
    time: NDArray[Any],
    delta: Any,  # noqa: ANN401 - a number of the type of `time`
    n: int,
    *,
    simultaneous: bool,
    by_vertex: bool,
    threads: int,
    progress: Progress | None = None,
) -> tuple[list[int], NDArray[np.int64] | None]:
    """Count the motifs of two events, as `temporal_motifs` counts those of three: 6 in place of 36."""
    lists = event_lists(source, target, time, delta, n, simultaneous=simultaneous)
    tables = zeros(threads, (n if by_vertex else 0, 6), np.int64)
    none = np.zeros((0, MOTIFS), dtype=np.int64)
    pair_cuts = blocks.cut(lists.pair_indptr, _BLOCK, most=1 << 16)
    cuts = blocks.cut(lists.indptr, _BLOCK, most=1 << 16)
    ignored = np.zeros((len(pair_cuts), 8), dtype=np.int64)
    found = np.zeros((len(cuts), 6), dtype=np.int64)

    def task_of_pairs(_: int, b: int) -> None:
        count_pairs(lists.pair_indptr, lists.pairs, lists.record, pair_cuts[b], pair_cuts[b + 1], none, ignored[b])

    def task_of_stars(worker: int, b: int) -> None:
        count_two(lists.indptr, lists.events, lists.record, cuts[b], cuts[b + 1], tables[worker], found[b])

    blocks.run(task_of_pairs, len(pair_cuts) - 1, threads=threads)
    blocks.run(task_of_stars, len(cuts) - 1, threads=threads, progress=progress)
    totals = exact_column_sums(found)
    totals[:2] = [count // 2 for count in totals[:2]]  # pairs of events of two vertices are counted at both
    return totals, summed(tables, threads=threads) if by_vertex else None


class _Sides(NamedTuple):
    """The pairs of vertices with events that may be in triangles, oriented from lower to higher degree."""

    indptr: NDArray[np.int64]  # first place of each vertex in `head` and `side`
    head: Ids
    side: Ids  # number of the pair
    span: Ids  # first event of the pair, and last event of the window of its last event
    starts: NDArray[np.int64]  # first event of each pair in `events`
    events: Ids  # entries of `EventLists.pairs`
    cost: NDArray[np.int64]  # estimated tests before each vertex


def _triangles(
    lists: EventLists,
    busy: NDArray[np.uint8],
    tables: list[NDArray[np.int64]],
    *,
    threads: int,
    progress: Progress | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the triangles by the order of their sides and by directions, in each block, and bound their number."""
    sides = _sides(lists, busy)
    n = len(lists.indptr) - 1
    cuts = blocks.cut(sides.cost, _BLOCK, most=1 << 14)
    found = np.zeros((len(cuts), 48), dtype=np.int64)
    bounds = np.zeros(len(cuts), dtype=np.int64)
    if len(sides.events) == 0:
        if progress is not None:
            progress(1, 1)
        return found, bounds
    workers = max(1, min(threads, len(cuts) - 1))
    marks = zeros(workers, n, np.int64)
    longest = 3 * int(np.diff(sides.starts).max())
    merged = zeros(workers, (longest, 2), np.int64)

    def task(worker: int, b: int) -> None:
        bounds[b] = count_triangles(
            sides.indptr, sides.head, sides.side, sides.span, sides.starts,
            sides.events, lists.record, cuts[b], cuts[b + 1],
            marks[worker], merged[worker], tables[worker], found[b],
        )  # fmt: skip

    costs = np.diff(sides.cost[cuts])
    blocks.run(task, len(cuts) - 1, threads=workers, costs=costs, progress=progress)
    return found, bounds


def _sides(lists: EventLists, busy: NDArray[np.uint8]) -> _Sides:
    n, dtype = len(lists.indptr) - 1, lists.pairs.dtype
    left = int(count_left(lists.pairs, busy))
    events, ends = np.empty(left, dtype=dtype), np.empty((left, 2), dtype=dtype)
    starts = np.empty(left + 1, dtype=np.int64)
    degree = np.zeros(n, dtype=np.int64)
    number = int(select_events(lists.pair_indptr, lists.pairs, lists.record, busy, events, starts, ends, degree))
    indptr, cost = np.zeros((2, n + 1), dtype=np.int64)
    head, side = np.empty((2, number), dtype=dtype)
    span = np.empty((number, 2), dtype=dtype)
    orient_pairs(ends[:number], degree, lists.record, events, starts, indptr, head, side, span, cost)
    return _Sides(indptr, head, side, span, starts[: number + 1], events, cost)


@kernel
def count_left(pairs: Ids, busy: NDArray[np.uint8]) -> np.int64:
    """Count the events that may be in a triangle."""
    left = np.int64(0)
    for p in range(len(pairs)):
        left += np.int64(busy[pairs[p]] & busy[pairs[p] ^ 1])
    return left


@kernel
def select_events(
    lists_of: NDArray[np.int64], pairs: Ids, record: Ids, busy: NDArray[np.uint8], events: Ids,
    starts: NDArray[np.int64], ends: Ids, degree: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write the events that may be in a triangle by pair, and the ends of the pairs; return the number of pairs."""
    number = 0
    at = 0
    for u in range(len(lists_of) - 1):
        last = np.int64(-1)
        for p in range(lists_of[u], lists_of[u + 1]):
            entry = np.int64(pairs[p])
            if busy[entry] & busy[entry ^ 1]:
                v = np.int64(record[entry >> 1, ENDS]) ^ u
                if v != last:
                    ends[number, 0] = u
                    ends[number, 1] = v
                    starts[number] = at
                    degree[u] += 1
                    degree[v] += 1
                    number += 1
                    last = v
                events[at] = entry
                at += 1
    starts[number] = at
    return number


@kernel
def orient_pairs(
    ends: Ids, degree: NDArray[np.int64], record: Ids, events: Ids, starts: NDArray[np.int64],
    indptr: NDArray[np.int64], head: Ids, side: Ids, span: Ids, cost: NDArray[np.int64],
) -> None:  # fmt: skip
    """Sort the pairs by their end of lower degree, and estimate the tests of each vertex."""
    n = len(degree)
    for e in range(len(ends)):
        u, v = np.int64(ends[e, 0]), np.int64(ends[e, 1])
        tail = v if degree[v] < degree[u] else u
        indptr[tail] += 1
    at = 0
    for w in range(n):
        count = indptr[w]
        indptr[w] = at
        at += count
    for e in range(len(ends)):
        u, v = np.int64(ends[e, 0]), np.int64(ends[e, 1])
        swapped = degree[v] < degree[u]
        tail = v if swapped else u
        head[indptr[tail]] = u if swapped else v
        side[indptr[tail]] = e
        span[indptr[tail], 0] = events[starts[e]] >> 1
        span[indptr[tail], 1] = record[events[starts[e + 1] - 1] >> 1, LAST]
        indptr[tail] += 1
    for w in range(n, 0, -1):
        indptr[w] = indptr[w - 1]
    indptr[0] = 0
    total = 0
    for w in range(n):
        cost[w] = total
        if indptr[w + 1] - indptr[w] > 1:
            for p in range(indptr[w], indptr[w + 1]):
                v = np.int64(head[p])
                total += 1 + indptr[v + 1] - indptr[v] + starts[side[p] + 1] - starts[side[p]]
    cost[n] = total


@kernel
def first_from(events: Ids, start: int, stop: int, k: np.int64) -> int:
    """Return the first place in ``events[start:stop]`` of an event from number `k` on, by doubling steps."""
    step = 1
    low = start
    while low + step <= stop and (events[low + step - 1] >> 1) < k:
        low += step
        step *= 2
    high = min(stop, low + step - 1)
    while low < high:
        middle = (low + high) >> 1
        if (events[middle] >> 1) < k:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def count_triangles(  # noqa: PLR0915 - all loops of a kernel are in one function
    indptr: NDArray[np.int64], head: Ids, side: Ids, span: Ids, starts: NDArray[np.int64], events: Ids, record: Ids,
    first: int, last: int, mark: NDArray[np.int64], merged: NDArray[np.int64],
    by_vertex: NDArray[np.int64], found: NDArray[np.int64],
) -> np.int64:  # fmt: skip
    """Count the triangles of events in the static triangles whose vertices of lowest degree are in the block.

    `found`, shape (48,), has the triangles by the order of their sides and by directions. If `by_vertex` has rows, they
    are added at the three vertices. `mark` is zero, and is left so. Returns an upper bound of their number,
    at most `LIMIT`.
    """
    at_vertices = len(by_vertex) > 0
    one = np.zeros(6, dtype=np.int64)  # events in the window, by side and direction
    two = np.zeros(24, dtype=np.int64)  # pairs of events in the window, by ordered sides and directions
    here = np.zeros(48, dtype=np.int64)
    places = np.zeros(3, dtype=np.int64)
    stops = np.zeros(3, dtype=np.int64)
    untils = np.zeros(3, dtype=np.int64)
    bound = np.int64(0)
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
                xy, xz, yz = np.int64(side[p]), np.int64(side[r]), np.int64(side[q])
                # Pairs are numbered by their lower vertex, then by their higher: sides 0, 1 and 2 in rising order.
                s0 = min(xy, xz, yz)
                s2 = max(xy, xz, yz)
                s1 = xy + xz + yz - s0 - s2
                places[0], places[1], places[2] = starts[s0], starts[s1], starts[s2]
                stops[0], stops[1], stops[2] = starts[s0 + 1], starts[s1 + 1], starts[s2 + 1]
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
                    k = np.int64(events[at] >> 1)
                    low = np.int64(record[k, FIRST])
                    high = np.int64(record[k, LAST])
                    at += 1
                    while at < end and np.int64(record[events[at] >> 1, FIRST]) <= high:
                        high = np.int64(record[events[at] >> 1, LAST])
                        at += 1
                    size = np.int64(1)
                    for i in range(3):
                        places[i] = first_from(events, places[i], stops[i], low)
                        untils[i] = first_from(events, places[i], stops[i], high + 1)
                        length = untils[i] - places[i]
                        size = LIMIT if length > 0 and size > LIMIT // length else size * length
                    if size == 0:
                        continue
                    bound = min(bound, LIMIT - size) + size
                    # Merge the three lists; a list at its end has the number of no event.
                    none = np.int64(1) << 62
                    length = 0
                    k0 = np.int64(events[places[0]] >> 1)
                    k1 = np.int64(events[places[1]] >> 1)
                    k2 = np.int64(events[places[2]] >> 1)
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
                        merged[length, 0] = k
                        merged[length, 1] = 2 * i + np.int64(events[places[i]] & 1)
                        length += 1
                        places[i] += 1
                        k = np.int64(events[places[i]] >> 1) if places[i] < untils[i] else none
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
                        k = merged[m, 0]
                        # Tied events enter and leave together, and form no pairs with one another.
                        tie = np.int64(record[k, TIE])
                        group = entered
                        while merged[group, 0] < tie:
                            s = merged[group, 1]
                            for j in range(3):
                                if j != s >> 1:
                                    o = 4 * _ORDER_OF[j, s >> 1] + (s & 1)
                                    two[o] += one[2 * j]
                                    two[o + 2] += one[2 * j + 1]
                            group += 1
                        while entered < group:
                            one[merged[entered, 1]] += 1
                            entered += 1
                        window = np.int64(record[k, FIRST])
                        while merged[begin, 0] < window:
                            tie = np.int64(record[merged[begin, 0], TIE])
                            group = begin
                            while merged[group, 0] < window and np.int64(record[merged[group, 0], TIE]) == tie:
                                one[merged[group, 1]] -= 1
                                group += 1
                            while begin < group:
                                s = merged[begin, 1]
                                for j in range(3):
                                    if j != s >> 1:
                                        o = 4 * _ORDER_OF[s >> 1, j] + 2 * (s & 1)
                                        two[o] -= one[2 * j]
                                        two[o + 1] -= one[2 * j + 1]
                                begin += 1
                        s = merged[m, 1]
                        i = 1 if s >> 1 == 0 else 0
                        j = 1 if s >> 1 == 2 else 2
                        o = _ORDER_OF[i, j]
                        back = _ORDER_OF[j, i]
                        for c in range(4):
                            here[8 * o + 2 * c + (s & 1)] += two[4 * o + c]
                            here[8 * back + 2 * c + (s & 1)] += two[4 * back + c]
                    any_here = True
                if any_here:
                    for c in range(48):
                        count = here[c]
                        if count != 0:
                            found[c] += count
                            if at_vertices:
                                by_vertex[x, TRIANGLES[c]] += count
                                by_vertex[y, TRIANGLES[c]] += count
                                by_vertex[z, TRIANGLES[c]] += count
                            here[c] = 0
        for p in range(indptr[x], indptr[x + 1]):
            mark[head[p]] = 0
    return bound
