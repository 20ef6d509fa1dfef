"""Kernels that peel the edges of a graph by their support.

Computes: for each edge the largest s such that it is in a subgraph whose edges are all in s of its triangles or more.
Requires: `oriented.Oriented`, columns viewed as unsigned; the support of each entry.
Idea: level by level. What is peeled at a level is a queue: first the edges whose support is that low, then those that
  come down to it as triangles fall with the edges before. A round goes through what the last one queued. States change
  only between rounds, so that of the edges of one triangle that fall in the same round the lowest alone takes it from
  the others; and to bring an edge down is one atomic addition, whose worker sees by what stood there that it is the one
  to queue the edge. Every edge is queued once. Rows hold both ends' neighbours, and are made anew as edges go.
Cost: for each edge the shorter of its ends' rows, walked with the other, or searched for in it where that is much
  longer; at most O(m^1.5 log m). 9 bytes an edge, and 24 for each that is in a triangle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import fetch_add
from triadic.devices.cpu.triangle_listing_kernels import MUCH_LONGER, place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.int64  # the same to numba

LIVE, QUEUED, GONE = 0, 1, 2


@kernel
def rows_of_live(
    live: Ids,
    row: Ids,
    indices: Ids,
    indptr: NDArray[np.int64],
    at: NDArray[np.int64],
    columns: Ids,
    edges: Ids,
) -> None:
    """Write symmetric rows of the live entries, which rise, and with each neighbour its edge's entry."""
    indptr[:] = 0
    for i in range(live.size):
        e = np.int64(live[i])
        indptr[np.int64(row[e]) + 1] += 1
        indptr[np.int64(indices[e]) + 1] += 1
    for vertex in range(at.size):
        at[vertex] = indptr[vertex]
        indptr[vertex + 1] += indptr[vertex]
    for i in range(live.size):
        e = np.int64(live[i])
        u = np.int64(row[e])
        columns[at[u]] = indices[e]
        edges[at[u]] = e
        at[u] += 1
    for i in range(live.size):  # all smaller neighbours are there: these are larger, and rise
        e = np.int64(live[i])
        v = np.int64(indices[e])
        columns[at[v]] = row[e]
        edges[at[v]] = e
        at[v] += 1


@kernel
def next_level(
    live: Ids, count: Whole, state: NDArray[np.uint8], support: NDArray[np.int32], queue: Ids, tail: Whole
) -> tuple[Whole, Whole, Whole]:
    """Forget entries that have gone, and queue those of least support: how many are left, that support, the tail."""
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
    """Take the triangles of the queue's places `first` .. `last` - 1 from their other edges; queue what comes down."""
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
                q = place_of(columns, q, end_v, w)
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
    """End a round: what it went through has gone, at this level; what it queued is next."""
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
    """Go through rounds while they are no longer than `longest`, until about `most` edges have gone; give the head."""
    stop = head + most
    while head < tail[0] and tail[0] - head <= longest and head < stop:
        middle = tail[0]
        take_down(row, indices, indptr, columns, edges, level, queue, head, middle, state, support, tail)
        settle(queue, head, middle, tail[0], level, state, support)
        head = middle
    return head
