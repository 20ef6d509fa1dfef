"""Kernels that add up, over the triangles at each vertex, the product of the values of their three edges.

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

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ENTRIES, AHEAD_ROW, AHEAD_SUM, popcount, prefetch
from triadic.devices.cpu.list_walk import fetch_row_ahead, marked
from triadic.devices.cpu.triangles import DENSE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]
    Words = NDArray[np.uint64]

_ONE = np.int64(1)
# Places are unsigned, which spares a test for a negative place at each access.
_NEXT = np.uint64(1)
_NONE = np.uint64(0)
_SIX = np.uint64(6)
_WORD = np.uint64(63)


@kernel
def entries_before(bits: Words, first: int, last: int, before: NDArray[np.uint32]) -> None:
    """Count in the hubs' rows `first` .. `last` - 1 the entries before each word, up to the row's own."""
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

    Each product stands at two entries of its row, (u, v) and (u, w). `used` is room for the words that are marked.
    """
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
            even, odd = 0.0, 0.0  # two sums, so that an addition need not wait for the addition just before it
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

    The entry (u, v) of `near` holds the sum of u through v, the entry (v, w) of `far` the sum of v and w: for part t,
    from room[t] on. Part t is of vertex[t] and begins at begin[t]; it ends where the next part begins or the list ends.
    `hit` is room for the places of a row.
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
                near[p] = x[p] * add_hits(indices, x, hit, hits, x[p], value, collected)
        place = room[t]
        for i in range(indptr[v], indptr[v + 1]):
            w = np.int64(indices[i])
            mark[w >> 6] = 0
            far[place] = collected[w] * x[i]
            collected[w] = 0.0
            place += 1


@kernel
def add_hits(
    indices: Ids,
    x: NDArray[np.float64],
    hit: Words,
    hits: np.uint64,
    x_uv: float,
    value: NDArray[np.float64],
    collected: NDArray[np.float64],
) -> float:
    """Add up x_uw x_vw over the hits in row u, and add x_uv x_uw to the sum of each w."""
    even, odd = 0.0, 0.0  # two sums, as in `hub_products`
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
    indptr: NDArray[np.int64],
    indices: Ids,
    split: NDArray[np.int64],
    near: NDArray[np.float64],
    far: NDArray[np.float64],
    first: int,
    last: int,
    sums: NDArray[np.float64],
) -> None:
    """Add the sums at the entries of rows `first` .. `last` - 1 to the sums of their vertices."""
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
