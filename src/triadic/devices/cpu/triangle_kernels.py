"""Kernels that count triangles in an oriented graph.

Computes: the triangles {u, v, w}, u > v > w: their number, or how many each vertex is in.
Requires: `oriented.Oriented`: rows sorted, no loops, no repeats, every column smaller than its row; columns viewed
  as unsigned, so that no index can be negative; marks and slots all zero, and left so.
Idea: the first ranks are the hubs, and what ties hubs together is dense.
  - v and w hubs: each hub's row is a row of bits, and so are the hubs in N+(u). AND and a population count find what
    they share 64 at a time, or 512 where the machine has AVX-512. The bit matrix is symmetric: the bits that row x
    shares with u are the triangles at u through x, so nothing is written but one count for each entry.
  - v no hub: mark N+(v) in a bitmap, then for each u that has v in its row walk that row up to v and test each entry.
    A row is walked as far as it can matter and no further, up to `below` where no w is beyond that: over all v that is
    Sum C(|N+(u)|, 2) tests, which on skewed graphs is a quarter of what walking N+(v) for each u would take. The rows
    come from all over memory, so those of the next u are fetched ahead.
Cost: hub part, Sum over entries (u, x) of hubs / 512 vector operations; the rest one test for each two entries of a
  row that are not both hubs. 1/8 byte a vertex of marks and 4 bytes of slots a worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import popcount, prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

# Up to so many hubs in a row, testing single bits of the matrix beats going through its words.
FEW = 24
# Words of a matrix row are taken by so many at a time: four AVX-512 registers, the compiler's unrolled loop.
WORDS = 32
# After a list in which one test in so many or more was a hit, the next is gone through without a branch: its hits are
# not to be foreseen. Elsewhere a branch that is seldom taken is better than a write for each test.
DENSE = 16
# How many lists ahead a row's place is fetched, then its first entries.
AHEAD_PLACE = 12
AHEAD_ENTRIES = 4

_ONE = np.int64(1)


@kernel
def split_rows(
    indptr: NDArray[np.int64], indices: Ids, hubs: int, first: int, last: int, split: NDArray[np.int64]
) -> None:
    """Find where the hubs of each row end."""
    for u in range(first, last):
        low = indptr[u]
        high = indptr[u + 1]
        while low < high:
            middle = (low + high) >> 1
            if indices[middle] < hubs:
                low = middle + 1
            else:
                high = middle
        split[u] = low


@kernel
def fill_bits(
    indptr: NDArray[np.int64], indices: Ids, first: int, last: int, hubs: int, bits: NDArray[np.int64]
) -> None:
    """Write the hub matrix's rows `first` .. `last` - 1: smaller hubs from their own rows, larger ones from theirs."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            bits[u, v >> 6] |= _ONE << (v & 63)
    for u in range(first, hubs):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            if v >= last:
                break
            if v >= first:
                bits[v, u >> 6] |= _ONE << np.int64(u & 63)


@kernel
def hubs_by_vertex(
    indptr: NDArray[np.int64],
    indices: Ids,
    split: NDArray[np.int64],
    bits: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
    triangles: NDArray[np.int64],
) -> None:
    """Add at each vertex the triangles {u, v, w}, v and w hubs, of the rows u in the block."""
    for u in range(first, last):
        start = indptr[u]
        stop = split[u]
        if stop - start < 2:
            continue
        hits = 0
        if stop - start > FEW:
            for i in range(start, stop):
                v = np.int64(indices[i])
                mark[v >> 6] |= _ONE << (v & 63)
            words = ((np.int64(indices[stop - 1]) >> 6) // WORDS + 1) * WORDS
            for i in range(start, stop):
                x = np.int64(indices[i])
                row = bits[x]
                shared = 0
                for j in range(words):
                    shared += popcount(row[j] & mark[j])
                triangles[x] += shared
                hits += shared
            for i in range(start, stop):
                mark[np.int64(indices[i]) >> 6] = 0
            hits >>= 1  # each was met at v and at w
        else:
            for i in range(start + 1, stop):
                v = np.int64(indices[i])
                row = bits[v]
                for j in range(start, i):
                    w = np.int64(indices[j])
                    if (row[w >> 6] >> (w & 63)) & 1:
                        triangles[w] += 1
                        triangles[v] += 1
                        hits += 1
        triangles[u] += hits


@kernel
def hubs_total(
    indptr: NDArray[np.int64],
    indices: Ids,
    split: NDArray[np.int64],
    bits: NDArray[np.int64],
    first: int,
    last: int,
    mark: NDArray[np.int64],
) -> int:
    """Count the triangles {u, v, w}, v and w hubs, of the rows u in the block."""
    total = 0
    for u in range(first, last):
        start = indptr[u]
        stop = split[u]
        if stop - start > FEW:
            # Marks grow as v rises: row v then meets only the w below it, and its words above v's are not needed.
            for i in range(start, stop):
                v = np.int64(indices[i])
                row = bits[v]
                words = ((v >> 6) // WORDS + 1) * WORDS
                shared = 0
                for j in range(words):
                    shared += popcount(row[j] & mark[j])
                total += shared
                mark[v >> 6] |= _ONE << (v & 63)
            for i in range(start, stop):
                mark[np.int64(indices[i]) >> 6] = 0
        else:
            for i in range(start + 1, stop):
                row = bits[np.int64(indices[i])]
                for j in range(start, i):
                    w = np.int64(indices[j])
                    total += (row[w >> 6] >> (w & 63)) & 1
    return total


@kernel
def lists_by_vertex(
    indptr: NDArray[np.int64],
    indices: Ids,
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    v: int,
    first: int,
    last: int,
    mark: NDArray[np.int64],
    slot: NDArray[np.int32],
    triangles: NDArray[np.int64],
) -> None:
    """Add at each vertex the triangles {u, v, w} of the lists `first` .. `last` - 1; the first is of vertex `v`."""
    dense = False
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and indptr[v] < indptr[v + 1]:
            _mark(indices, indptr[v], indptr[v + 1], mark)
            until = min(v, below)
            at_v = 0
            for k in range(first, stop):
                _fetch_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                hits = 0
                start = indptr[u]
                p = start
                w = np.int64(indices[p])
                if dense:
                    while w < until:
                        bit = (mark[w >> 6] >> (w & 63)) & 1
                        slot[w] += bit
                        hits += bit
                        p += 1
                        w = np.int64(indices[p])
                else:
                    while w < until:
                        if (mark[w >> 6] >> (w & 63)) & 1:
                            slot[w] += 1
                            hits += 1
                        p += 1
                        w = np.int64(indices[p])
                dense = DENSE * hits > p - start
                if hits > 0:
                    triangles[u] += hits
                    at_v += hits
            _unmark(indices, indptr[v], indptr[v + 1], mark)
            if at_v > 0:
                triangles[v] += at_v
                for i in range(indptr[v], indptr[v + 1]):
                    w = np.int64(indices[i])
                    triangles[w] += slot[w]
                    slot[w] = 0
        first = stop
        v += 1


@kernel
def lists_total(
    indptr: NDArray[np.int64],
    indices: Ids,
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    v: int,
    first: int,
    last: int,
    mark: NDArray[np.int64],
) -> int:
    """Count the triangles {u, v, w} of the lists `first` .. `last` - 1; the first is of vertex `v`."""
    total = 0
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and indptr[v] < indptr[v + 1]:
            _mark(indices, indptr[v], indptr[v + 1], mark)
            until = min(v, below)
            for k in range(first, stop):
                _fetch_ahead(indptr, indices, ends, k, last)
                p = indptr[np.int64(ends[k])]
                w = np.int64(indices[p])
                while w < until:
                    total += (mark[w >> 6] >> (w & 63)) & 1
                    p += 1
                    w = np.int64(indices[p])
            _unmark(indices, indptr[v], indptr[v + 1], mark)
        first = stop
        v += 1
    return total


@kernel
def _mark(indices: Ids, start: int, stop: int, mark: NDArray[np.int64]) -> None:
    for i in range(start, stop):
        w = np.int64(indices[i])
        mark[w >> 6] |= _ONE << (w & 63)


@kernel
def _unmark(indices: Ids, start: int, stop: int, mark: NDArray[np.int64]) -> None:
    for i in range(start, stop):
        mark[np.int64(indices[i]) >> 6] = 0


@kernel
def _fetch_ahead(indptr: NDArray[np.int64], indices: Ids, ends: Ids, k: int, last: int) -> None:
    """Ask for the place of the row of a list further on, and for the entries of one less far."""
    if k + AHEAD_PLACE < last:
        prefetch(indptr, np.int64(ends[k + AHEAD_PLACE]))
        start = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
        prefetch(indices, start)
        prefetch(indices, start + 16)
        prefetch(indices, start + 32)
