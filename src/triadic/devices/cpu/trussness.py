"""Trussness on the CPU: supports, then edges are peeled by their support, long rounds on all workers.

Computes: for each edge the largest s such that the edge is in a subgraph whose edges are all in at least s of the
  subgraph's triangles; plus 2, as the k of a k-truss counts.
Requires: an oriented graph; for the kernels columns viewed as unsigned, and the support of each entry.
Idea: level by level. The edges peeled at a level form a queue: first the edges whose support is that low, then edges
  whose support falls to it as their triangles go. A round peels the edges that the last round queued. States change
  only between rounds, so that of the edges of one triangle that are peeled in the same round the lowest alone takes the
  triangle from the others. To lower a support is one atomic addition; the worker whose addition brings the support to
  the level queues the edge, so that every edge is queued once. Rows hold the neighbours of both ends, and are made
  again without peeled edges as these become many.
Cost: for each edge the shorter of its ends' rows, walked with the other row, or searched for in it if that row is much
  longer; at most O(m^1.5 log m). 9 bytes an edge, and 24 for each edge in a triangle.

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
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu.intrinsics import fetch_add
from triadic.devices.cpu.list_walk import MUCH_LONGER, position
from triadic.devices.cpu.middle_lists import as_unsigned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]  # the same to numba

LIVE, QUEUED, GONE = 0, 1, 2

# Rows are made again once at most this share of their edges is left.
_STILL_LIVE = 0.75
# Edges of a round from which threads are worth starting, and edges that a worker takes at a time.
_LONG = 1 << 9
_BLOCK = 1 << 6
_AT_ONCE = 1 << 16  # edges peeled on one worker between two reports of progress and checks for Ctrl-C


def trussness(
    oriented: Oriented, *, up_to: int | None = None, threads: int, progress: Progress | None = None
) -> NDArray[np.int32]:
    """Return the trussness of each entry's edge, 2 for an edge in no triangle: int32, shape (m,).

    With `up_to` peeling stops once all smaller values are known; the other edges then have at least that value.
    """
    m = oriented.num_edges
    counting, peeling = split(progress, [1, 2])
    support = neighbourhoods.by_edge(oriented, threads=threads, progress=counting)
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
    support += 2
    return support


class _Peeling:
    """The state of peeling; `support` is changed in place, and holds the level of each peeled edge."""

    def __init__(self, oriented: Oriented, support: NDArray[np.int32], threads: int, up_to: int | None) -> None:
        n, m = oriented.num_vertices, oriented.num_edges
        self.support, self.threads, self._up_to = support, threads, up_to
        in_triangles = int(np.count_nonzero(support))
        check_memory(5 * m + 24 * in_triangles + 16 * n, f"peeling {m:,} edges", "use more memory")
        self.indices = as_unsigned(oriented.indices)
        self._dtype = self.indices.dtype if m < 1 << 32 else np.dtype(np.uint64)
        self.row = np.repeat(np.arange(n, dtype=self.indices.dtype), np.diff(oriented.indptr))
        self.state = np.where(support > 0, np.uint8(LIVE), np.uint8(GONE))
        self.live = np.flatnonzero(support).astype(self._dtype)
        self.left: Whole = len(self.live)
        self.queue = np.empty(len(self.live), dtype=self._dtype)
        self.head: Whole = 0
        self.tail = np.zeros(1, dtype=np.int64)
        self.level: Whole = 0
        self.indptr, self._next = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
        self._make_rows()

    def next_level(self) -> bool:
        """Queue the edges of least support; return False if there are none to peel."""
        if self.left == 0:
            return False
        self.left, level, tail = queue_level(self.live, self.left, self.state, self.support, self.queue, self.tail[0])
        if self.left == 0 or (self._up_to is not None and level >= self._up_to):
            return False
        self.level, self.tail[0] = level, tail
        if 2 * self.left <= _STILL_LIVE * len(self.columns):
            self._make_rows()
        return True

    def next_rounds(self) -> None:
        """Peel one long round on all workers, or some short rounds on this worker."""
        length = int(self.tail[0] - self.head)
        if self.threads == 1 or length <= _LONG:
            self.head = peel_short_rounds(
                self.row, self.indices, self.indptr, self.columns, self.edges, self.level, self.queue, self.head,
                length if self.threads == 1 else _LONG, _AT_ONCE, self.state, self.support, self.tail,
            )  # fmt: skip
            return
        middle = int(self.tail[0])
        cuts = blocks.cut_evenly(length, -(-length // _BLOCK)) + self.head
        blocks.run(
            lambda _, b: take_down(
                self.row, self.indices, self.indptr, self.columns, self.edges, self.level, self.queue, cuts[b],
                cuts[b + 1], self.state, self.support, self.tail,
            ),
            len(cuts) - 1,
            threads=self.threads,
        )  # fmt: skip
        settle(self.queue, self.head, middle, self.tail[0], self.level, self.state, self.support)
        self.head = middle

    def _make_rows(self) -> None:
        live = self.live[: self.left]
        self.columns: Ids = np.empty(2 * self.left, dtype=self.indices.dtype)
        self.edges: Ids = np.empty(2 * self.left, dtype=self._dtype)
        rows_of_live(live, self.row, self.indices, self.indptr, self._next, self.columns, self.edges)


@kernel
def rows_of_live(
    live: Ids,
    row: Ids,
    indices: Ids,
    indptr: NDArray[np.int64],
    free: NDArray[np.int64],
    columns: Ids,
    edges: Ids,
) -> None:
    """Write symmetric rows of the live entries, which rise, and the entry of the edge to each neighbour."""
    indptr[:] = 0
    for i in range(live.size):
        e = np.int64(live[i])
        indptr[np.int64(row[e]) + 1] += 1
        indptr[np.int64(indices[e]) + 1] += 1
    for vertex in range(free.size):
        free[vertex] = indptr[vertex]
        indptr[vertex + 1] += indptr[vertex]
    for i in range(live.size):
        e = np.int64(live[i])
        u = np.int64(row[e])
        columns[free[u]] = indices[e]
        edges[free[u]] = e
        free[u] += 1
    for i in range(live.size):  # larger neighbours follow the smaller ones, and rise too
        e = np.int64(live[i])
        v = np.int64(indices[e])
        columns[free[v]] = row[e]
        edges[free[v]] = e
        free[v] += 1


@kernel
def queue_level(
    live: Ids, count: Whole, state: NDArray[np.uint8], support: NDArray[np.int32], queue: Ids, tail: Whole
) -> tuple[Whole, Whole, Whole]:
    """Drop peeled entries and queue the entries of least support; return the number left, that support and the tail."""
    left = np.int64(0)
    least = np.int64(np.iinfo(np.int32).max)
    for i in range(count):
        e = np.int64(live[i])
        if state[e] == LIVE:
            live[left] = e
            left += 1
            least = min(least, np.int64(support[e]))
    for i in range(left):
        e = np.int64(live[i])
        if support[e] == least:
            state[e] = QUEUED
            queue[tail] = e
            tail += 1
    return left, least, tail


@kernel
def take_down(
    row: Ids,
    indices: Ids,
    indptr: NDArray[np.int64],
    columns: Ids,
    edges: Ids,
    level: Whole,
    queue: Ids,
    first: Whole,
    last: Whole,
    state: NDArray[np.uint8],
    support: NDArray[np.int32],
    tail: NDArray[np.int64],
) -> None:
    """Take the triangles of the queue's places `first` .. `last` - 1 from their other edges; queue edges at `level`."""
    for k in range(first, last):
        e = np.int64(queue[k])
        u = np.int64(row[e])
        v = np.int64(indices[e])
        if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
            u, v = v, u
        p = indptr[u]
        end_u = indptr[u + 1]
        q = indptr[v]
        end_v = indptr[v + 1]
        search = end_v - q > MUCH_LONGER * (end_u - p)
        while p < end_u and q < end_v:
            w = np.int64(columns[p])
            if search:
                q = position(columns, q, end_v, w)
            else:
                while q < end_v and np.int64(columns[q]) < w:
                    q += 1
            if q < end_v and np.int64(columns[q]) == w:
                f = np.int64(edges[p])
                g = np.int64(edges[q])
                if state[f] != GONE and state[g] != GONE:
                    take_f = state[f] == LIVE and (state[g] == LIVE or e < g)
                    take_g = state[g] == LIVE and (state[f] == LIVE or e < f)
                    if take_f and fetch_add(support, f, -1) == level + 1:
                        queue[fetch_add(tail, 0, 1)] = f
                    if take_g and fetch_add(support, g, -1) == level + 1:
                        queue[fetch_add(tail, 0, 1)] = g
                q += 1
            p += 1


@kernel
def settle(
    queue: Ids,
    head: Whole,
    middle: Whole,
    tail: Whole,
    level: Whole,
    state: NDArray[np.uint8],
    support: NDArray[np.int32],
) -> None:
    """End a round: mark its edges as gone at this level, and the edges that it queued as queued."""
    for k in range(head, middle):
        e = np.int64(queue[k])
        state[e] = GONE
        support[e] = level
    for k in range(middle, tail):
        state[np.int64(queue[k])] = QUEUED


@kernel
def peel_short_rounds(
    row: Ids,
    indices: Ids,
    indptr: NDArray[np.int64],
    columns: Ids,
    edges: Ids,
    level: Whole,
    queue: Ids,
    head: Whole,
    longest: Whole,
    most: Whole,
    state: NDArray[np.uint8],
    support: NDArray[np.int32],
    tail: NDArray[np.int64],
) -> Whole:
    """Peel rounds of at most `longest` edges until about `most` edges have gone; return the head of the queue."""
    stop = head + most
    while head < tail[0] and tail[0] - head <= longest and head < stop:
        middle = tail[0]
        take_down(row, indices, indptr, columns, edges, level, queue, head, middle, state, support, tail)
        settle(queue, head, middle, tail[0], level, state, support)
        head = middle
    return head
