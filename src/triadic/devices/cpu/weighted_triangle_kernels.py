"""Kernels that add up over the triangles at each vertex the product of what their three edges have.

Computes: of the triangles {u, v, w}, u > v > w, the products x_uv x_uw x_vw: at each entry of the rows, in two arrays
  that `fold` then adds up by vertex.
Requires: `oriented.Oriented` and a finite float64 for each entry; what `triangle_work` prepares, words and columns
  viewed as unsigned; middle lists in parts; marks and sums all zero, and left so.
Idea: that of `triangle_kernels`, except that every triangle is touched.
  - v and w hubs: the words of the hub matrix that rows u and v share are gone through bit by bit. A hub's row in the
    matrix has its entries in their order, so that x_vw stands where a population count says. What v and w have is kept
    at the entries (u, v) and (u, w).
  - v no hub: mark N+(v), walk each row u of v's list up to v. What u has is kept at the entry (u, v), what v and w have
    of all u at (v, w).
  So nothing is written by two workers, each place is added to in one order, and the sums are the same to the bit for
  any number of threads.
Cost: the tests of `triangle_kernels`, and some ten instructions a triangle. 20 bytes an entry, 17 a vertex and worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import popcount, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]
    Words = NDArray[np.uint64]

# As in `triangle_kernels`.
DENSE = 16
AHEAD_PLACE = 12
AHEAD_ENTRIES = 4
# How many entries ahead the sum at a column is fetched.
AHEAD_SUM = 16

_ONE = np.int64(1)
# Places are unsigned, which spares a test for a negative one each time.
_NEXT = np.uint64(1)
_NONE = np.uint64(0)
_SIX = np.uint64(6)
_WORD = np.uint64(63)


@kernel
def entries_before(bits: Words, first: int, last: int, before: NDArray[np.uint32]) -> None:
    """Count in the hubs' rows `first` .. `last` - 1 of the matrix the entries before each word up to their own."""
    for v in range(first, last):
        count = 0
        for j in range((v >> 6) + 1):
            before[v, j] = count
            count += popcount(bits[v, j])


@kernel
def hub_products(
    indptr: NDArray[np.int64],
    indices: Ids,
    x: NDArray[np.float64],
    split: NDArray[np.int64],
    bits: Words,
    before: NDArray[np.uint32],
    first: int,
    last: int,
    mark: Words,
    used: Words,
    value: NDArray[np.float64],
    collected: NDArray[np.float64],
    near: NDArray[np.float64],
) -> None:
    """Write at the hub entries of rows `first` .. `last` - 1 the products of the triangles whose v and w are hubs.

    Each stands at two entries of its row, (u, v) and (u, w). `used` is room for the words that are marked.
    """
    for u in range(first, last):
        start = np.uint64(indptr[u])
        stop = np.uint64(split[u])
        if stop < start + _NEXT + _NEXT:
            continue
        words = _NONE
        # Marks grow as v rises: row v then meets only the w below it.
        i = start
        while i < stop:
            v = np.uint64(indices[i])
            row = bits[v]
            before_word = before[v]
            base = np.uint64(indptr[v])
            x_uv = x[i]
            even, odd = 0.0, 0.0  # two sums: an addition waits for the one before it in its own alone
            k = _NONE
            while k < words:
                j = used[k]
                shared = row[j] & mark[j]
                place = base + np.uint64(before_word[j])
                while shared != _NONE:
                    below = (shared & (_NONE - shared)) - _NEXT
                    w = (j << _SIX) + np.uint64(popcount(below))
                    x_vw = x[place + np.uint64(popcount(row[j] & below))]
                    even += value[w] * x_vw
                    collected[w] += x_uv * x_vw
                    shared &= shared - _NEXT
                    if shared == _NONE:
                        break
                    below = (shared & (_NONE - shared)) - _NEXT
                    w = (j << _SIX) + np.uint64(popcount(below))
                    x_vw = x[place + np.uint64(popcount(row[j] & below))]
                    odd += value[w] * x_vw
                    collected[w] += x_uv * x_vw
                    shared &= shared - _NEXT
                k += _NEXT
            near[i] = (even + odd) * x_uv
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
    indptr: NDArray[np.int64],
    indices: Ids,
    x: NDArray[np.float64],
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    vertex: NDArray[np.int64],
    begin: NDArray[np.int64],
    room: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
    hit: Words,
    value: NDArray[np.float64],
    collected: NDArray[np.float64],
    near: NDArray[np.float64],
    far: NDArray[np.float64],
) -> None:
    """Write the products of the triangles of the parts `first` .. `last` - 1 of middle lists, whose v are no hubs.

    At the entry (u, v) of `near` stands what u has by v, at the entry (v, w) of `far` what v and w have: that of part t
    from room[t] on. Part t is of vertex[t] and begins at begin[t]; it ends where the next begins or the list ends.
    `hit` is room for a row's places.
    """
    dense = False
    for t in range(first, last):
        v = vertex[t]
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] |= _ONE << (w & 63)
            value[w] = x[i]
        stop = min(begin[t + 1], middle_ptr[v + 1])
        for k in range(begin[t], stop):
            if k + AHEAD_PLACE < stop:
                prefetch(indptr, np.int64(ends[k + AHEAD_PLACE]))
                row = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
                prefetch(indices, row)
                prefetch(indices, row + 16)
                prefetch(indices, row + 32)
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
                    hits += np.uint64((mark[w >> 6] >> (w & 63)) & 1)
                    p += _NEXT
                    w = np.int64(indices[p])
            else:
                while w < v:
                    if (mark[w >> 6] >> (w & 63)) & 1:
                        hit[hits] = p
                        hits += _NEXT
                    p += _NEXT
                    w = np.int64(indices[p])
            dense = bool(DENSE * np.int64(hits) > np.int64(p - start))
            if hits > _NONE:
                near[p] = x[p] * meet(indices, x, hit, hits, x[p], value, collected)
        place = room[t]
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] = 0
            far[place] = collected[w] * x[i]
            collected[w] = 0.0
            place += 1


@kernel
def meet(
    indices: Ids,
    x: NDArray[np.float64],
    hit: Words,
    hits: np.uint64,
    x_uv: float,
    value: NDArray[np.float64],
    collected: NDArray[np.float64],
) -> float:
    """Add up x_uw x_vw over the entries of row u that were hit, and add x_uv x_uw to what each w collects."""
    even, odd = 0.0, 0.0  # as above
    h = _NONE
    while h + _NEXT < hits:
        q = hit[h]
        w = np.int64(indices[q])
        even += x[q] * value[w]
        collected[w] += x[q] * x_uv
        q = hit[h + _NEXT]
        w = np.int64(indices[q])
        odd += x[q] * value[w]
        collected[w] += x[q] * x_uv
        h += _NEXT + _NEXT
    if h < hits:
        q = hit[h]
        w = np.int64(indices[q])
        even += x[q] * value[w]
        collected[w] += x[q] * x_uv
    return even + odd


@kernel
def join_parts(
    indptr: NDArray[np.int64], vertex: NDArray[np.int64], room: NDArray[np.int64], far: NDArray[np.float64]
) -> None:
    """Add what later parts of a list have to what the first has, in their order."""
    for t in range(1, room.size):
        v = vertex[t]
        if vertex[t - 1] == v:
            place = room[t]
            for i in range(indptr[v], indptr[v + 1]):
                far[i] += far[place]
                place += 1


@kernel
def fold(
    indptr: NDArray[np.int64],
    indices: Ids,
    split: NDArray[np.int64],
    near: NDArray[np.float64],
    far: NDArray[np.float64],
    first: int,
    last: int,
    sums: NDArray[np.float64],
) -> None:
    """Add what stands at the entries of rows `first` .. `last` - 1 to the sums of their vertices."""
    for u in range(first, last):
        own = 0.0
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD_SUM < indices.size:
                prefetch(sums, np.int64(indices[i + AHEAD_SUM]))
            here = far[i]
            if i < split[u]:  # each triangle of the row and two hubs stands here at two entries
                own += 0.5 * near[i] + here
                here += near[i]
            else:
                own += near[i] + here
            sums[np.int64(indices[i])] += here
        sums[u] += own
