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

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu.intrinsics import fetch_add, prefetch
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.triangles import supports
from triadic.devices.cpu.triangles.live_rows import GONE, rows_of_live, rows_to_shorten, shorten
from triadic.devices.cpu.vertex_arrays import zeros
from triadic.errors import CountOverflowError

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Whole = int | np.integer[Any]  # the same to numba

# A support of at least `QUEUED` is that of an edge that is peeled in this round; of at least `GONE`, that of an edge
# that was peeled before.
QUEUED = 1 << 29

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
        if peeling is not None:
            peeling(int(peeled.head), m)
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
        self.support, self.threads, self._up_to = support, threads, up_to
        in_triangles = int(np.count_nonzero(support))
        longest = int(oriented.degree.max(initial=0))
        needed = 4 * m + 24 * in_triangles + (40 + 4 * threads) * n + 16 * threads * longest
        check_memory(needed, f"peeling {m:,} edges", "use more memory")
        most = int(support.max(initial=0))
        if most >= QUEUED:
            raise CountOverflowError(f"an edge is in {most:,} triangles: edges are peeled by fewer than {QUEUED:,}")
        self.indices = as_unsigned(oriented.indices)
        self._dtype = self.indices.dtype if m < 1 << 32 else np.dtype(np.uint64)
        self.row = np.repeat(np.arange(n, dtype=self.indices.dtype), np.diff(oriented.indptr))
        self.live = np.flatnonzero(support).astype(self._dtype)
        support[support == 0] = GONE
        self.left: Whole = len(self.live)
        self.queue = np.empty(len(self.live), dtype=self._dtype)
        self.head: Whole = 0
        self.tail = np.zeros(1, dtype=np.int64)
        self.level: Whole = 0
        self._number, self._vertices = np.zeros(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        self._gone = np.zeros(n, dtype=np.int64)  # peeled edges that are still in each row
        self.start, self.stop = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
        self.columns: Ids = np.empty(2 * self.left, dtype=self.indices.dtype)
        self.edges: Ids = np.empty(2 * self.left, dtype=self._dtype)
        rows_of_live(self.live, self.row, self.indices, self.start, self.stop, self.columns, self.edges)
        width = np.uint32 if 2 * self.left < 1 << 32 else np.uint64
        self._places: list[Ids] = [np.zeros(n, dtype=width) for _ in range(threads)]
        self._shared = zeros(threads, (longest + 1, 2), np.int64)

    def next_level(self) -> bool:
        """Queue the edges of least support; return False if there are none to peel."""
        if self.left == 0:
            return False
        self.left, level, tail = queue_level(self.live, self.left, self.support, self.queue, self.tail[0])
        if self.left == 0 or (self._up_to is not None and level >= self._up_to):
            return False
        self.level, self.tail[0] = level, tail
        return True

    def next_rounds(self) -> None:
        """Peel one long round on all workers, or some short rounds on this worker."""
        length = int(self.tail[0] - self.head)
        ends, rows = (self.row, self.indices), (self.start, self.stop)
        alone = self.threads == 1 or length <= _LONG
        grouped = np.empty(max(length, _LONG) if alone else length, dtype=self._dtype)
        if alone:
            self.head = peel_short_rounds(
                *ends, *rows, self._gone, self.columns, self.edges, self.level, self.queue, self.head,
                len(grouped), _AT_ONCE, self._number, self._vertices, grouped,
                self._places[0], self._shared[0], self.support, self.tail,
            )  # fmt: skip
            return
        head, middle = self.head, int(self.tail[0])
        self._shorten_rows(head, middle)
        group_round(*ends, *rows, self.queue, head, middle, self._number, self._vertices, grouped)
        cuts = blocks.cut_evenly(length, -(-length // _BLOCK)) + head
        blocks.run(
            lambda worker, b: take_down(
                *ends, *rows, self.columns, self.edges, self.level, self.queue, cuts[b], cuts[b + 1],
                self._places[worker], self._shared[worker], False, self.support, self.tail,
            ),
            len(cuts) - 1,
            threads=self.threads,
        )  # fmt: skip
        settle(*ends, self._gone, self.queue, head, middle, self.tail[0], self.level, self.support)
        self.head = middle

    def _shorten_rows(self, head: Whole, middle: Whole) -> None:
        """Shorten the rows of the ends of a long round's edges on all workers."""
        rows = self.start, self.stop
        found = int(
            rows_to_shorten(self.row, self.indices, *rows, self._gone, self.queue, head, middle, self._vertices)
        )
        cuts = blocks.cut_evenly(found, -(-found // _BLOCK))
        if len(cuts) > 1:
            blocks.run(
                lambda _, b: shorten(
                    *rows, self.columns, self.edges, self._vertices, cuts[b], cuts[b + 1], self.support
                ),
                len(cuts) - 1,
                threads=self.threads,
            )


@kernel
def queue_level(live: Ids, count: Whole, support: Int32Array, queue: Ids, tail: Whole) -> tuple[Whole, Whole, Whole]:
    """Drop peeled entries and queue the entries of least support; return the number left, that support and the tail."""
    left = np.int64(0)
    least = np.int64(GONE)
    for i in range(count):
        e = np.int64(live[i])
        if support[e] < GONE:
            live[left] = e
            left += 1
            least = min(least, np.int64(support[e]))
    for i in range(left):
        e = np.int64(live[i])
        if support[e] == least:
            support[e] = least | QUEUED
            queue[tail] = e
            tail += 1
    return left, least, tail


@kernel
def group_round(
    row: Ids,
    indices: Ids,
    start: Int64Array,
    stop: Int64Array,
    queue: Ids,
    first: Whole,
    last: Whole,
    number: Int64Array,
    vertices: Int64Array,
    grouped: Ids,
) -> None:
    """Put the queue's places `first` .. `last` - 1 in groups with the same end of more neighbours."""
    found = 0
    for k in range(first, last):
        v = longer_end(row, indices, start, stop, np.int64(queue[k]))
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
        v = longer_end(row, indices, start, stop, np.int64(queue[k]))
        grouped[number[v]] = queue[k]
        number[v] += 1
    for i in range(found):
        number[vertices[i]] = 0
    for k in range(first, last):
        queue[k] = grouped[k - first]


@kernel
def longer_end(row: Ids, indices: Ids, start: Int64Array, stop: Int64Array, e: Whole) -> Whole:
    """Return the end of an edge that has more neighbours in the rows; of equal ends that of higher rank."""
    u = np.int64(row[e])
    v = np.int64(indices[e])
    if stop[u] - start[u] > stop[v] - start[v]:
        return u
    return v


@kernel
def take_down(
    row: Ids,
    indices: Ids,
    start: Int64Array,
    stop: Int64Array,
    columns: Ids,
    edges: Ids,
    level: Whole,
    queue: Ids,
    first: Whole,
    last: Whole,
    place: Ids,
    shared: Int64Array,
    alone: bool,
    support: Int32Array,
    tail: Int64Array,
) -> None:
    """Take the triangles of the queue's places `first` .. `last` - 1 from their other edges; queue edges at `level`.

    The edges are in groups (`group_round`). `place` holds some place of each vertex in `columns` plus one, or zero.
    """
    k = first
    while k < last:
        v = np.int64(longer_end(row, indices, start, stop, np.int64(queue[k])))
        entries = 0
        until = k
        while until < last and longer_end(row, indices, start, stop, np.int64(queue[until])) == v:
            e = np.int64(queue[until])
            u = np.int64(row[e]) + np.int64(indices[e]) - v
            entries += stop[u] - start[u]
            until += 1
        search = stop[v] - start[v] > _MUCH_LONGER * entries
        if not search:
            mark_places(columns, start[v], stop[v], place)
        for i in range(k, until):
            e = np.int64(queue[i])
            u = np.int64(row[e]) + np.int64(indices[e]) - v
            if search:
                found = np.int64(find_shared(columns, start[u], stop[u], start[v], stop[v], shared))
            else:
                found = np.int64(read_shared(columns, start[u], stop[u], start[v], stop[v], place, shared))
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
                if at_f < QUEUED and (at_g < QUEUED or e < g) and lower(support, f, alone) == level + 1:
                    queue[next_place(tail, alone)] = f
                if at_g < QUEUED and (at_f < QUEUED or e < f) and lower(support, g, alone) == level + 1:
                    queue[next_place(tail, alone)] = g
        k = until


@kernel
def mark_places(columns: Ids, first: Whole, last: Whole, place: Ids) -> None:
    """Write one more than the place of each column among the places `first` .. `last` - 1."""
    for p in range(first, last):
        place[np.int64(columns[p])] = p + 1


@kernel
def read_shared(
    columns: Ids, first: Whole, last: Whole, start: Whole, stop: Whole, place: Ids, shared: Int64Array
) -> Whole:
    """List the places of the columns that a row shares with the row ``start:stop`` that is marked; return their number.

    A mark may be that of another row, or of this row before it became shorter.
    """
    near = np.int64(0)
    for p in range(first, last):
        q = np.int64(place[np.int64(columns[p])]) - 1
        shared[near, 0] = p
        shared[near, 1] = q
        near += np.int64((q >= start) & (q < stop))
    found = np.int64(0)
    for j in range(near):
        p = shared[j, 0]
        q = shared[j, 1]
        shared[found, 0] = p
        shared[found, 1] = q
        found += np.int64(columns[p] == columns[q])
    return found


@kernel
def find_shared(columns: Ids, first: Whole, last: Whole, start: Whole, stop: Whole, shared: Int64Array) -> int:
    """List the places of the columns that two rows share, the second much longer; return their number."""
    found = 0
    q = start
    for p in range(first, last):
        w = np.int64(columns[p])
        q = position(columns, q, stop, w)
        if q == stop:
            break
        if np.int64(columns[q]) == w:
            shared[found, 0] = p
            shared[found, 1] = q
            found += 1
    return found


@kernel
def lower(support: Int32Array, e: Whole, alone: bool) -> Whole:
    """Lower a support by one, and return it as it was before."""
    if alone:
        before = np.int64(support[e])
        support[e] = before - 1
        return before
    return np.int64(fetch_add(support, e, -1))


@kernel
def next_place(tail: Int64Array, alone: bool) -> Whole:
    """Return the next free place of the queue."""
    place = np.int64(tail[0])
    if alone:
        tail[0] = place + 1
    else:
        place = np.int64(fetch_add(tail, 0, 1))
    return place


@kernel
def settle(
    row: Ids,
    indices: Ids,
    gone: Int64Array,
    queue: Ids,
    head: Whole,
    middle: Whole,
    tail: Whole,
    level: Whole,
    support: Int32Array,
) -> None:
    """End a round: mark its edges as gone at this level, and the edges that it queued as queued."""
    for k in range(head, middle):
        e = np.int64(queue[k])
        support[e] = level | GONE
        gone[np.int64(row[e])] += 1
        gone[np.int64(indices[e])] += 1
    for k in range(middle, tail):
        support[np.int64(queue[k])] = level | QUEUED


@kernel
def peel_short_rounds(
    row: Ids,
    indices: Ids,
    start: Int64Array,
    stop: Int64Array,
    gone: Int64Array,
    columns: Ids,
    edges: Ids,
    level: Whole,
    queue: Ids,
    head: Whole,
    longest: Whole,
    most: Whole,
    number: Int64Array,
    vertices: Int64Array,
    grouped: Ids,
    place: Ids,
    shared: Int64Array,
    support: Int32Array,
    tail: Int64Array,
) -> Whole:
    """Peel rounds of at most `longest` edges until about `most` edges have gone; return the head of the queue."""
    limit = head + most
    while head < tail[0] and tail[0] - head <= longest and head < limit:
        middle = tail[0]
        found = rows_to_shorten(row, indices, start, stop, gone, queue, head, middle, vertices)
        shorten(start, stop, columns, edges, vertices, 0, found, support)
        group_round(row, indices, start, stop, queue, head, middle, number, vertices, grouped)
        take_down(
            row, indices, start, stop, columns, edges, level, queue, head, middle, place, shared, True, support, tail,
        )  # fmt: skip
        settle(row, indices, gone, queue, head, middle, tail[0], level, support)
        head = middle
    return head
