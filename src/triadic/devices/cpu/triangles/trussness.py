"""Trussness on the CPU: supports, then edges are peeled by their support, long rounds on all workers.

Computes: for each edge the largest s such that the edge is in a subgraph whose edges are all in at least s of the
  subgraph's triangles; plus 2, as the k of a k-truss counts.
Requires: an oriented graph; for the kernels columns viewed as unsigned, and the support of each entry.
Idea: level by level. The edges peeled at a level form a queue: first the edges whose support is that low, then edges
  whose support falls to it as their triangles go. A round peels the edges that the last round queued. States change
  only between rounds, so that of the edges of one triangle that are peeled in the same round the lowest alone takes the
  triangle from the others. To lower a support is one addition, atomic if several workers run; the worker whose addition
  brings the support to the level queues the edge, so that every edge is queued once. Rows hold the neighbours of both
  ends, and drop their peeled edges once these are many. The edges of a round are grouped by their end with more
  neighbours. A worker writes down the place of each of its neighbours in its row, once for the group, and looks up the
  neighbours of the other ends. Nothing is cleared: a place that lies in the row and holds the neighbour is right.
Cost: for each edge the shorter of its ends' rows; for each group the longer row once, or a search in it for each entry
  if that is less; at most O(m^1.5 log m). 8 bytes an edge, 24 for each edge in a triangle, and 32 a vertex with 4 for
  each worker.

References
----------
Cohen (2008), Trusses, for the definition; Wang and Cheng (2012), PVLDB 5, 812, for peeling by support; Kabir and
Madduri (2017), PKT, IEEE HPEC, for peeling each level in rounds in parallel, and the rule for edges of one triangle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split, zeros
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned, int_empty, int_zeros, rows_of_entries
from triadic.devices.cpu.intrinsics import Whole, fetch_add, position, prefetch
from triadic.devices.cpu.triangles import supports
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Bounds = tuple[Whole, Whole]
    # Plain tuples: numba takes about a microsecond longer to see the type of a named one.
    # The ends of the edge of each entry: the vertex of its row, and its column.
    Ends = tuple[Ids, Ids]
    # Starts and ends of rows, peeled edges that are still in each row, neighbours, and entries of the edges.
    LiveRows = tuple[Int64Array, Int64Array, Int64Array, Ids, Ids]
    # The support of each entry, the queue of edges, its end, shape (1,), and the entries not peeled at the last level.
    State = tuple[Int32Array, Ids, Int64Array, Ids]
    # Room to group edges: zeros by vertex, vertices, and the edges of a round.
    Groups = tuple[Int64Array, Int64Array, Ids]
    # Room of a worker: some place of each vertex among the neighbours plus one, or zero; and pairs of places.
    Room = tuple[Ids, Int64Array]

# A support of at least `QUEUED` is that of an edge that is peeled in this round; of at least `GONE`, that of an edge
# that was peeled before.
QUEUED, GONE = 1 << 29, 1 << 30

_MANY = 8  # a row drops its peeled edges once they are more than one in this many

# A row more than this many times as long as the entries that are compared with it is searched instead of marked.
_MUCH_LONGER = 16
# Edges of a round from which threads are worth starting, and edges that a worker takes at a time.
_LONG = 1 << 12
_BLOCK = 1 << 8
_AT_ONCE = 1 << 16  # edges peeled on one worker between two reports of progress and checks for Ctrl-C


def trussness(
    oriented: Oriented, *, up_to: int | None = None, threads: int, progress: Progress | None = None
) -> Int32Array:
    """Return the trussness of each entry's edge, 2 for an edge in no triangle: int32, shape (m,).

    With `up_to` peeling stops once all smaller values are known; the other edges then have at least that value.
    """
    m = oriented.num_edges
    counting, peeling = split(progress, [1, 2])
    support = supports.by_edge(oriented, threads=threads, progress=counting)
    peeled = _Peeling(oriented, support, threads, None if up_to is None else up_to - 2)
    while peeled.next_level():
        while peeled.head < peeled.tail[0]:
            peeled.next_rounds()
            if peeling is not None:
                peeling(int(peeled.head), m)
    if peeling is not None:
        peeling(m, m)
    support &= QUEUED - 1
    support += 2
    return support


class _Peeling:
    """The state of peeling; `support` is changed in place, and holds the level of each peeled edge below its flags."""

    def __init__(self, oriented: Oriented, support: Int32Array, threads: int, up_to: int | None) -> None:
        n, m = oriented.num_vertices, oriented.num_edges
        self.threads, self._up_to = threads, GONE if up_to is None else min(up_to, GONE)
        in_triangles = int(np.count_nonzero(support))
        longest = int(oriented.degree.max(initial=0))
        needed = 4 * m + 24 * in_triangles + (40 + 4 * threads) * n + 16 * threads * longest
        check_memory(needed, f"peeling {m:,} edges", "use more memory")
        most = int(support.max(initial=0))
        if most >= QUEUED:
            raise CountOverflowError(f"an edge is in {most:,} triangles: edges are peeled by fewer than {QUEUED:,}")
        indices = as_unsigned(oriented.indices)
        dtype = indices.dtype if m < 1 << 32 else np.dtype(np.uint64)
        self.ends = rows_of_entries(oriented.indptr, indices.dtype), indices
        live = np.flatnonzero(support).astype(dtype)
        support[support == 0] = GONE
        self.left: Whole = in_triangles
        self.tail = int_zeros(1)
        self.state = support, np.empty(in_triangles, dtype), self.tail, live
        self.head: Whole = 0
        self.level: Whole = 0
        self._number, self._vertices = int_zeros(n), int_empty(n)
        self.rows = (
            int_empty(n + 1),
            int_empty(n),
            int_zeros(n),
            np.empty(2 * in_triangles, indices.dtype),
            np.empty(2 * in_triangles, dtype),
        )
        rows_of_live(live, self.ends, self.rows)
        shared_places = zeros(threads, (longest + 1, 2), np.int64)
        width = np.uint32 if 2 * in_triangles < 1 << 32 else np.uint64
        self._rooms: list[Room] = [(np.zeros(n, width), shared) for shared in shared_places]

    def next_level(self) -> bool:
        """Queue the edges of least support; return False if there are none to peel."""
        self.left, self.level = queue_level(self.left, self.state)
        return bool(self.level < self._up_to)

    def next_rounds(self) -> None:
        """Peel one long round on all workers, or some short rounds on this worker."""
        ends, rows, state, threads = self.ends, self.rows, self.state, self.threads
        support, queue, _, _ = state
        head, middle = self.head, int(self.tail[0])
        length = int(middle - head)
        alone = threads == 1 or length <= _LONG
        grouped = np.empty(max(length, _LONG) if alone else length, queue.dtype)
        groups = self._number, self._vertices, grouped
        if alone:
            start = head, self.left, self.level, self._up_to
            self.head, self.left, self.level = peel_short_rounds(ends, rows, state, start, groups, self._rooms[0])
            return
        found = int(rows_to_shorten(ends, rows, queue, (head, middle), self._vertices))
        blocks.run_cuts(
            lambda _, bounds: shorten(rows, self._vertices, bounds, support),
            blocks.cut_pieces(found, _BLOCK),
            threads=threads,
        )
        group_round(ends, rows, queue, (head, middle), groups)
        blocks.run_cuts(
            lambda worker, bounds: take_down(ends, rows, state, (*bounds, self.level), self._rooms[worker], False),
            blocks.cut_pieces(length, _BLOCK) + head,
            threads=threads,
        )
        settle(ends, rows, state, (head, middle, self.level))
        self.head = middle


@kernel
def queue_level(count: Whole, state: State) -> tuple[Whole, Whole]:
    """Drop peeled entries and queue the entries of least support; return the number left and that support.

    If none are left, return 0 and `GONE`.
    """
    support, queue, tail, live = state
    left = np.int64(0)
    least = np.int64(GONE)
    for i in range(count):
        e = np.int64(live[i])
        if support[e] < GONE:
            live[left] = e
            left += 1
            least = min(least, np.int64(support[e]))
    place = tail[0]
    for i in range(left):
        e = np.int64(live[i])
        if support[e] == least:
            support[e] = least | QUEUED
            queue[place] = e
            place += 1
    tail[0] = place
    return left, least


@kernel
def group_round(ends: Ends, rows: LiveRows, queue: Ids, bounds: tuple[Whole, Whole], groups: Groups) -> None:
    """Put some places of the queue in groups with the same end of more neighbours."""
    first, last = bounds
    number, vertices, grouped = groups
    found = 0
    for k in range(first, last):
        v = longer_end(ends, rows, np.int64(queue[k]))
        if number[v] == 0:
            vertices[found] = v
            found += 1
        number[v] += 1
    place = 0
    for i in range(found):
        v = vertices[i]
        place += number[v]
        number[v] = place - number[v]
    for k in range(first, last):
        v = longer_end(ends, rows, np.int64(queue[k]))
        grouped[number[v]] = queue[k]
        number[v] += 1
    for i in range(found):
        number[vertices[i]] = 0
    for k in range(first, last):
        queue[k] = grouped[k - first]


@kernel
def longer_end(ends: Ends, rows: LiveRows, e: Whole) -> Whole:
    """Return the end of an edge that has more neighbours in the rows; of equal ends that of higher rank."""
    row, indices = ends
    start, stop, _, _, _ = rows
    u = np.int64(row[e])
    v = np.int64(indices[e])
    if stop[u] - start[u] > stop[v] - start[v]:
        return u
    return v


@kernel
def take_down(
    ends: Ends, rows: LiveRows, state: State, bounds: tuple[Whole, Whole, Whole], room: Room, alone: bool
) -> None:
    """Take the triangles of the queue's places `first` .. `last` - 1 from their other edges; queue edges at `level`.

    The edges are in groups (`group_round`).
    """
    row, indices = ends
    start, stop, _, columns, edges = rows
    support, queue, tail, _ = state
    k, last, level = bounds
    place, shared = room
    while k < last:
        v = np.int64(longer_end(ends, rows, np.int64(queue[k])))
        entries = 0
        until = k
        while until < last and longer_end(ends, rows, np.int64(queue[until])) == v:
            e = np.int64(queue[until])
            u = np.int64(row[e]) + np.int64(indices[e]) - v
            entries += stop[u] - start[u]
            until += 1
        search = stop[v] - start[v] > _MUCH_LONGER * entries
        if not search:
            for p in range(start[v], stop[v]):
                place[np.int64(columns[p])] = p + 1
        for i in range(k, until):
            e = np.int64(queue[i])
            u = np.int64(row[e]) + np.int64(indices[e]) - v
            if search:
                found = np.int64(find_shared(rows, u, v, shared))
            else:
                found = np.int64(read_shared(rows, u, v, place, shared))
            for j in range(found):
                f = np.int64(edges[shared[j, 0]])
                g = np.int64(edges[shared[j, 1]])
                shared[j, 0] = f
                shared[j, 1] = g
                prefetch(support, f)
                prefetch(support, g)
            for j in range(found):
                f = shared[j, 0]
                g = shared[j, 1]
                at_f = support[f]
                at_g = support[g]
                if (at_f | at_g) >= GONE:
                    continue
                if at_f < QUEUED and (at_g < QUEUED or e < g) and add(support, f, -1, alone) == level + 1:
                    queue[add(tail, 0, 1, alone)] = f
                if at_g < QUEUED and (at_f < QUEUED or e < f) and add(support, g, -1, alone) == level + 1:
                    queue[add(tail, 0, 1, alone)] = g
        k = until


@kernel
def read_shared(rows: LiveRows, u: Whole, v: Whole, place: Ids, shared: Int64Array) -> Whole:
    """List the places of the columns that row u shares with row v, which is marked; return their number.

    A mark may be that of another row, or of this row before it became shorter.
    """
    start, stop, _, columns, _ = rows
    first, last = start[v], stop[v]
    near = np.int64(0)
    for p in range(start[u], stop[u]):
        q = np.int64(place[np.int64(columns[p])]) - 1
        shared[near, 0] = p
        shared[near, 1] = q
        near += np.int64((q >= first) & (q < last))
    found = np.int64(0)
    for j in range(near):
        p = shared[j, 0]
        q = shared[j, 1]
        shared[found, 0] = p
        shared[found, 1] = q
        found += np.int64(columns[p] == columns[q])
    return found


@kernel
def find_shared(rows: LiveRows, u: Whole, v: Whole, shared: Int64Array) -> int:
    """List the places of the columns that row u shares with row v, which is much longer; return their number."""
    start, stop, _, columns, _ = rows
    q, last = start[v], stop[v]
    found = 0
    for p in range(start[u], stop[u]):
        w = np.int64(columns[p])
        q = position(columns, q, last, w)
        if q == last:
            break
        if np.int64(columns[q]) == w:
            shared[found, 0] = p
            shared[found, 1] = q
            found += 1
    return found


@kernel
def add(numbers: Int32Array | Int64Array, place: Whole, change: int, alone: bool) -> Whole:
    """Add to a number, which other workers change too unless `alone`, and return it as it was before."""
    if alone:
        before = np.int64(numbers[place])
        numbers[place] = before + change
        return before
    return np.int64(fetch_add(numbers, place, change))


@kernel
def settle(ends: Ends, rows: LiveRows, state: State, bounds: tuple[Whole, Whole, Whole]) -> None:
    """End a round: mark its edges as gone at this level, and the edges that it queued as queued."""
    row, indices = ends
    _, _, gone, _, _ = rows
    support, queue, tail, _ = state
    head, middle, level = bounds
    for k in range(head, middle):
        e = np.int64(queue[k])
        support[e] = level | GONE
        gone[np.int64(row[e])] += 1
        gone[np.int64(indices[e])] += 1
    for k in range(middle, tail[0]):
        support[np.int64(queue[k])] = level | QUEUED


@kernel
def peel_short_rounds(
    ends: Ends, rows: LiveRows, state: State, start: tuple[Whole, Whole, Whole, Whole], groups: Groups, room: Room
) -> tuple[Whole, Whole, Whole]:
    """Peel rounds that fit the room of groups, also of next levels below `up_to`, until about `_AT_ONCE` edges went.

    Each edge that is looked at for the next level counts as one that has gone. Returns the head of the queue, the
    entries left and the level; if no level is left, 0 entries and a queue without edges.
    """
    head, left, level, up_to = start
    support, queue, tail, _ = state
    _, vertices, grouped = groups
    limit = head + _AT_ONCE
    while head < limit:
        if head == tail[0]:
            limit -= left
            if head >= limit:
                break
            left, level = queue_level(left, state)
            if level >= up_to:
                tail[0] = head
                return head, np.int64(0), level
        if tail[0] - head > grouped.size:
            break
        bounds = head, tail[0]
        found = rows_to_shorten(ends, rows, queue, bounds, vertices)
        shorten(rows, vertices, (0, found), support)
        group_round(ends, rows, queue, bounds, groups)
        take_down(ends, rows, state, (*bounds, level), room, True)
        settle(ends, rows, state, (*bounds, level))
        head = bounds[1]
    return head, left, level


@kernel
def rows_of_live(live: Ids, ends: Ends, rows: LiveRows) -> None:
    """Write the rows of all vertices: neighbours by live edges, and the entries of these edges."""
    row, indices = ends
    indptr, free, _, columns, edges = rows
    indptr[:] = 0
    for i in range(live.size):
        e = np.int64(live[i])
        indptr[np.int64(row[e]) + 1] += 1
        indptr[np.int64(indices[e]) + 1] += 1
    for vertex in range(free.size):
        free[vertex] = indptr[vertex]
        indptr[vertex + 1] += indptr[vertex]
    for side in range(2):  # larger neighbours follow the smaller ones, and rise too
        for i in range(live.size):
            e = np.int64(live[i])
            larger, smaller = np.int64(row[e]), np.int64(indices[e])
            u, v = (larger, smaller) if side == 0 else (smaller, larger)
            columns[free[u]] = v
            edges[free[u]] = e
            free[u] += 1


@kernel
def rows_to_shorten(ends: Ends, rows: LiveRows, queue: Ids, bounds: Bounds, vertices: Int64Array) -> np.int64:
    """List the ends of the queue's places in whose rows many edges are peeled; return how many.

    Their rows count as without peeled edges from now on, so that each is listed once.
    """
    row, indices = ends
    start, stop, gone, _, _ = rows
    first, last = bounds
    found = np.int64(0)
    for k in range(first, last):
        e = np.int64(queue[k])
        for side in range(2):
            vertex = np.int64(row[e]) if side == 0 else np.int64(indices[e])
            if _MANY * gone[vertex] > stop[vertex] - start[vertex]:
                vertices[found] = vertex
                found += 1
                gone[vertex] = 0
    return found


@kernel
def shorten(rows: LiveRows, vertices: Int64Array, bounds: Bounds, support: Int32Array) -> None:
    """Drop peeled edges from the rows of some places of `vertices`."""
    start, stop, _, columns, edges = rows
    first, last = bounds
    for i in range(first, last):
        vertex = vertices[i]
        place = start[vertex]
        for p in range(start[vertex], stop[vertex]):
            columns[place] = columns[p]
            edges[place] = edges[p]
            place += np.int64(support[np.int64(edges[p])] < GONE)
        stop[vertex] = place
