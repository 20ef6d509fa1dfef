"""Sums over weighted triangles on the CPU: at each vertex the products of the values of the three edges.

Computes: at each rank the sum over its triangles of the product of the values of their edges.
Requires: an oriented graph and a finite float64 for each entry of its rows.
Idea: lists are cut into parts by the graph alone, and each part is summed by one worker; the parts of a list are then
  added up in order, so that the sums are the same to the bit for any number of threads.
Cost: as the kernels.

Kernels that add up, over the triangles at each vertex, the product of the values of their three edges.

Computes: for the triangles {u, v, w}, u > v > w, the products x_uv x_uw x_vw: at each entry of the rows, in two arrays
  that `fold` then adds up by vertex.
Requires: `oriented.Oriented` and a finite float64 for each entry; the preparation of `triangle_work`, words and columns
  viewed as unsigned; middle lists in parts; marks and sums all zero, which the kernels leave so.
Idea: as in `triangles`, except that every triangle is read.
  - v and w hubs: the words of the hub matrix that rows u and v share are read bit by bit. A hub's row in the matrix has
    its entries in their order, so that a population count gives the place of x_vw. The sums of v and w stand at the
    entries (u, v) and (u, w).
  - v no hub: mark N+(v), walk each row u of v's list up to v. The sum of u stands at the entry (u, v), the sums of v
    and w over all u at (v, w).
  So no two workers write to one place, each place is added to in one order, and the sums are the same to the bit for
  any number of threads.
Cost: the tests of `triangles`, and some ten instructions a triangle. 20 bytes an entry, 17 a vertex and worker.

References
----------
Onnela, Saramäki, Kertész and Kaski (2005), Physical Review E 71, 065103 (values are cube roots of weights), and Zhang
and Horvath (2005), Statistical Applications in Genetics and Molecular Biology 4, 17 (values are weights), for
coefficients made from these sums.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import zeros
from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import (
    AHEAD_ENTRIES,
    AHEAD_ROW,
    AHEAD_SUM,
    fetch_row_ahead,
    marked,
    popcount,
    prefetch,
)
from triadic.devices.cpu.triangles.parts import prepare
from triadic.devices.cpu.triangles.triangle_work import HUB_ROWS
from triadic.devices.cpu.triangles.triangles import DENSE
from triadic.devices.cpu.triangles.weight_sums import sum_over_cuts

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array, Uint32Array, Uint64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import Rows

    Ids = UnsignedArray
    Words = Uint64Array
    Bounds = tuple[int, int]
    ValueRows = tuple[Int64Array, Ids, Float64Array]  # rows of rising columns, and the values of their entries
    # Room of a worker: words or places of a row, and values and sums by vertex.
    Room = tuple[Words, Float64Array, Float64Array]

# Largest number of lists in a part. The ends of parts decide the order of addition, so they depend on the graph alone
# and not on the number of threads.
PART = 1 << 12
_BLOCKS_PER_THREAD = 8
_BLOCK = 20_000_000  # aimed block, in the nanoseconds of `triangle_work`
_ONE = np.int64(1)
# Places are unsigned, which spares a test for a negative place at each access.
_NEXT = np.uint64(1)
_NONE = np.uint64(0)
_SIX = np.uint64(6)
_WORD = np.uint64(63)


class Parts(NamedTuple):
    """Middle lists in parts.

    Attributes
    ----------
    vertex : int64 array, shape (parts,)
    begin : int64 array, shape (parts + 1,)
        Where each part begins in the lists, and where the last list ends.
    room : int64 array, shape (parts,)
        Where each part writes: a vertex's first part at its own entries, other parts behind all entries.
    places : int
        Number of entries and of places behind them.
    """

    vertex: Int64Array
    begin: Int64Array
    room: Int64Array
    places: int


def by_vertex(
    oriented: Oriented,
    values: Float64Array,
    *,
    threads: int,
    progress: Progress | None = None,
    hubs: int | None = None,
) -> Float64Array:
    """Add up at each rank, over its triangles, the product of the values of their three edges.

    Parameters
    ----------
    oriented : Oriented
    values : float64 array, shape (m,)
        Finite, one for each entry of the rows.
    threads : int
    progress : callable, optional
    hubs : int, optional
        Number of hubs; chosen by the cost model by default.

    Returns
    -------
    float64 array, shape (n,)
        The same to the bit for any number of threads.

    Raises
    ------
    OutOfMemoryError
        If the count needs more memory than is available.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    work = prepare(oriented, threads=threads, hubs=hubs)
    plain, split, bits = work.tiles[0].rows, work.tiles[0].split, work.tiles[0].bits.view(np.uint64)
    before = np.empty((len(bits), len(bits) // 64 + 1), np.uint32)
    cuts = blocks.cut_evenly(len(bits), 4 * threads)
    blocks.run_cuts(lambda _, bounds: entries_before(bits, bounds, before), cuts, threads=threads)
    rows, parts = (*plain, values), cut_lists(plain.indptr, work.middle.ptr, m)
    cost_before = work.middle.cost_before(parts.begin).astype(np.int64)
    cost_before -= cost_before[0]
    aim = max(1, min(_BLOCK, int(cost_before[-1]) // (threads * _BLOCKS_PER_THREAD)))
    list_blocks = blocks.cut(cost_before, aim, most=1 << 16)
    hub_blocks = [block.bounds for block in work.blocks if block.kind == HUB_ROWS]
    costs = np.concatenate([work.costs[: len(hub_blocks)], np.diff(cost_before[list_blocks])])

    mark = zeros(threads, n // 64 + 1, np.int64)
    used = zeros(threads, int(np.diff(plain.indptr).max(initial=0)) + 1, np.uint64)
    value, collected = zeros(threads, n, np.float64), zeros(threads, n, np.float64)
    near, far = np.zeros(m), np.zeros(parts.places)
    hubs_at, sums = (split, bits, before), (near, far)

    def task(worker: int, b: int) -> None:
        room = used[worker], value[worker], collected[worker]
        if b < len(hub_blocks):
            hub_products(rows, hubs_at, hub_blocks[b], mark[worker].view(np.uint64), room, near)
        else:
            number = b - len(hub_blocks)
            bounds = list_blocks[number], list_blocks[number + 1]
            list_products(rows, work.lists, (*parts[:3], *bounds), mark[worker], room, sums)

    blocks.run(task, len(costs), threads=threads, costs=costs, progress=progress)
    if len(far) > m:
        join_parts(plain.indptr, parts.vertex, parts.room, far)
    return sum_over_cuts(plain.indptr, partial(fold, plain, split, sums), threads=threads)


def cut_lists(indptr: Int64Array, middle_ptr: Int64Array, m: int) -> Parts:
    """Cut the lists of vertices that have both a list and a row into parts of at most `PART` lists."""
    length = np.diff(indptr)
    count = -(-np.diff(middle_ptr) // PART)
    count[length == 0] = 0
    vertex = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(vertex)) - (np.cumsum(count) - count)[vertex]
    length_behind = np.where(number > 0, length[vertex], 0)
    behind = np.cumsum(length_behind) - length_behind
    return Parts(
        vertex,
        np.append(middle_ptr[vertex] + number * PART, middle_ptr[-1]),
        np.where(number > 0, m + behind, indptr[vertex]),
        m + int(length_behind.sum()),
    )


@kernel
def entries_before(bits: Words, bounds: Bounds, before: Uint32Array) -> None:
    """Count in some of the hubs' rows the entries before each word, up to the row's own."""
    first, last = bounds
    for v in range(first, last):
        count = 0
        for j in range((v >> 6) + 1):
            before[v, j] = count
            count += popcount(bits[v, j])


@kernel
def hub_products(
    rows: ValueRows,
    hubs: tuple[Int64Array, Words, Uint32Array],
    bounds: tuple[int, ...],
    mark: Words,
    room: Room,
    near: Float64Array,
) -> None:
    """Write at the hub entries of rows `first` .. `last` - 1 the products of the triangles whose v and w are hubs.

    Each product stands at two entries of its row, (u, v) and (u, w). The hubs are where they end in each row, their
    adjacency, and the entries before each word of it.
    """
    indptr, indices, x = rows
    split, bits, before = hubs
    first, last = bounds
    used, value, collected = room
    for u in range(first, last):
        start = np.uint64(indptr[u])
        stop = np.uint64(split[u])
        if stop < start + _NEXT + _NEXT:
            continue
        words = _NONE
        # Marks grow as v rises: row v then shares only the w below v.
        i = start
        while i < stop:
            v = np.uint64(indices[i])
            row = bits[v]
            before_word = before[v]
            base = np.uint64(indptr[v])
            x_uv = x[i]
            total = 0.0
            k = _NONE
            while k < words:
                j = used[k]
                shared = row[j] & mark[j]
                place = base + np.uint64(before_word[j])
                while shared != _NONE:
                    below = (shared & (_NONE - shared)) - _NEXT
                    w = (j << _SIX) + np.uint64(popcount(below))
                    x_vw = x[place + np.uint64(popcount(row[j] & below))]
                    total += value[w] * x_vw
                    collected[w] += x_uv * x_vw
                    shared &= shared - _NEXT
                k += _NEXT
            near[i] = total * x_uv
            value[v] = x_uv
            j = v >> _SIX
            if mark[j] == _NONE:
                used[words] = j
                words += _NEXT
            mark[j] |= _NEXT << (v & _WORD)
            i += _NEXT
        i = start
        while i < stop:
            w = np.uint64(indices[i])
            near[i] += value[w] * collected[w]
            collected[w] = 0.0
            mark[w >> _SIX] = _NONE
            i += _NEXT


@kernel
def list_products(
    rows: ValueRows,
    lists: Rows,
    parts: tuple[Int64Array, Int64Array, Int64Array, int, int],
    mark: Int64Array,
    room: Room,
    sums: tuple[Float64Array, Float64Array],
) -> None:
    """Write the products of the triangles of the parts `first` .. `last` - 1 of middle lists, whose v are no hubs.

    The entry (u, v) of `near` holds the sum of u through v, the entry (v, w) of `far` the sum of v and w: for part t,
    from place_of[t] on. Part t is of vertex[t] and begins at begin[t]; it ends where the next part begins or the list
    ends.
    """
    indptr, indices, x = rows
    middle_ptr, ends = lists
    vertex, begin, place_of, first, last = parts
    hit, value, collected = room
    near, far = sums
    dense = False
    for t in range(first, last):
        v = vertex[t]
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] |= _ONE << (w & 63)
            value[w] = x[i]
        stop = min(begin[t + 1], middle_ptr[v + 1])
        for k in range(begin[t], stop):
            fetch_row_ahead(indptr, indices, ends, k, stop)
            if k + AHEAD_ROW < stop:
                row = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
                prefetch(x, row)
                prefetch(x, row + 8)
                prefetch(x, row + 16)
            p = np.uint64(indptr[np.int64(ends[k])])
            start = p
            w = np.int64(indices[p])
            hits = _NONE
            if dense:
                while w < v:
                    hit[hits] = p
                    hits += np.uint64(marked(mark, w))
                    p += _NEXT
                    w = np.int64(indices[p])
            else:
                while w < v:
                    if marked(mark, w):
                        hit[hits] = p
                        hits += _NEXT
                    p += _NEXT
                    w = np.int64(indices[p])
            dense = bool(DENSE * np.int64(hits) > np.int64(p - start))
            if hits > _NONE:
                total = 0.0
                for h in range(hits):
                    q = hit[h]
                    w = np.int64(indices[q])
                    total += x[q] * value[w]
                    collected[w] += x[q] * x[p]
                near[p] = x[p] * total
        place = place_of[t]
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] = 0
            far[place] = collected[w] * x[i]
            collected[w] = 0.0
            place += 1


@kernel
def join_parts(indptr: Int64Array, vertex: Int64Array, room: Int64Array, far: Float64Array) -> None:
    """Add the sums of a list's later parts to the sums of its first part, in their order."""
    for t in range(1, room.size):
        v = vertex[t]
        if vertex[t - 1] == v:
            place = room[t]
            for i in range(indptr[v], indptr[v + 1]):
                far[i] += far[place]
                place += 1


@kernel
def fold(
    rows: Rows,
    split: Int64Array,
    edges: tuple[Float64Array, Float64Array],
    bounds: Bounds,
    sums: Float64Array,
) -> None:
    """Add the sums at the entries of some rows to the sums of their vertices."""
    indptr, indices = rows
    near, far = edges
    first, last = bounds
    for u in range(first, last):
        own = 0.0
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD_SUM < indices.size:
                prefetch(sums, np.int64(indices[i + AHEAD_SUM]))
            at_column = far[i]
            if i < split[u]:  # a triangle of the row's vertex and two hubs stands at two entries
                own += 0.5 * near[i] + at_column
                at_column += near[i]
            else:
                own += near[i] + at_column
            sums[np.int64(indices[i])] += at_column
        sums[u] += own
