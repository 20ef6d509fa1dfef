"""Cycles of four and five vertices, with or without chords, at each vertex and at each edge.

Computes: the raw frequency of orbit 34.
Requires: whole rows and triangles at each edge; `common`, `joined` and `other` of shape (n,), zero, which the kernel
  leaves so.
Idea: a cycle is met at its vertex u of highest degree, as an edge {w, x} and a 2-path from u to each of its ends; only
  ranks larger than u take part. With c the number of 2-paths from u to a vertex, an edge {w, x} closes
  (c(w) - [x ~ u]) (c(x) - [w ~ u]) pairs of 2-paths, of which some share their middle vertex a: walks u - a - w - x - a
  - u around a triangle at a. `add_cycles` counts the pairs, and how many pass each vertex, by sums of c over rows;
  `take_folded` takes away the walks around triangles, all at once.
Cost: for each u the rows of the vertices within two steps, larger ranks only, at most n m in all and far less on skewed
  graphs; twice the triangles at edges for the walks that fold. 36 bytes a vertex a worker.

Cycles of four and of five vertices, with or without chords, at each edge.

Computes: the squares at each edge; the raw frequency of edge orbit 28, the 5-cycles.
Requires: whole rows, for 5-cycles also triangles at each edge; `paths` and `other`, of shape (n,), zero, which the
  kernels leave so.
Idea: a cycle is met at its vertex u of highest degree, so that only ranks larger than u take part. A square is two
  2-paths from u to one w. A 5-cycle is an edge {w, x} and a 2-path from u to each of its ends. With c the number of
  2-paths from u to a vertex, {w, x} closes (c(w) - [x ~ u]) (c(x) - [w ~ u]) pairs of 2-paths, which is its count. At
  an edge {a, w} of a 2-path u - a - w it is the sum, over the neighbours x of w but a, of c(x) - [w ~ u]. Both include
  walks u - a - w - x - a - u around a triangle at a, which `take_folded` takes away, all at once.
Cost: squares: two sweeps over the 2-paths of larger ranks, at most the sum over edges of the smaller degree. 5-cycles:
  for each u the rows of the vertices within two steps, larger ranks only; twice the triangles at edges for the walks
  that fold. 8 and 16 bytes an edge a worker.

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for 5-cycles by 2-paths that an edge closes, with ordered degrees.
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210 (algorithm C4); Pinar, Seshadhri and Vishal (2017),
ESCAPE, WWW, for 5-cycles by 2-paths that an edge closes, with ordered degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import atomic_add

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray

    Ids = UnsignedArray

_ONE = np.int64(1)


@kernel
def beyond(ptr: Int64Array, ends: Ids, v: np.int64, u: int, cursor: Int64Array) -> np.int64:
    """Move the cursor of row v to the first neighbour of larger rank than u, and return it."""
    place: np.int64 = cursor[v]
    while place > ptr[v] and np.int64(ends[place - 1]) > u:
        place -= 1
    while place < ptr[v + 1] and np.int64(ends[place]) <= u:
        place += 1
    cursor[v] = place
    return place


@kernel
def add_cycles(
    ptr: Int64Array,
    ends: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    cursor: Int64Array,
    common: Int32Array,
    joined: Int64Array,
    other: Int64Array,
    reached: Int64Array,
    sums: Int64Array,
) -> None:
    """Add the 5-cycles whose vertex of highest degree is one of `first` .. `last` - 1, and walks that fold.

    Parameters
    ----------
    cursor : int64 array, shape (n,)
        A place in each whole row, or its end.
    common, joined, other : int32, int64 and int64 array, shape (n,)
        Zeros. Here 2-paths from u; one for a neighbour of u; sums over rows.
    reached : int64 array, shape (n,)
        Room for a list of vertices.
    sums : int64 array, shape (n,)
        Receives the counts, of one thread.
    """
    for u in range(first, last):
        start = ptr[u] + higher[u]
        stop = ptr[u + 1]
        if stop == start:
            continue
        found = 0
        for i in range(start, stop):
            a = np.int64(ends[i])
            joined[a] = 1
            for p in range(beyond(ptr, ends, a, u, cursor), ptr[a + 1]):
                w = np.int64(ends[p])
                if common[w] == 0:
                    reached[found] = w
                    found += 1
                common[w] += 1
        for i in range(start, stop):
            a = np.int64(ends[i])
            paths = np.int64(common[a])
            if paths > 0:
                for p in range(cursor[a], ptr[a + 1]):
                    other[np.int64(ends[p])] += paths
        halves = 0
        odd = 0
        for i in range(found):
            w = reached[i]
            begin = beyond(ptr, ends, w, u, cursor)
            paths = np.int64(0)
            for p in range(begin, ptr[w + 1]):
                paths += np.int64(common[np.int64(ends[p])])
            paths -= joined[w] * (ptr[w + 1] - begin)
            c = np.int64(common[w])
            at_w = c * paths - other[w] + joined[w] * c
            other[w] = paths
            sums[w] += at_w
            halves += at_w >> 1
            odd += at_w & 1
        sums[u] += halves + (odd >> 1)  # each edge {w, x} was met from both its ends
        for i in range(start, stop):
            a = np.int64(ends[i])
            at_a = 0
            for p in range(cursor[a], ptr[a + 1]):
                at_a += other[np.int64(ends[p])]
            sums[a] += at_a - (ptr[a + 1] - cursor[a] - 1) * np.int64(common[a])
        for i in range(found):
            common[reached[i]] = 0
            other[reached[i]] = 0
        for i in range(start, stop):
            joined[np.int64(ends[i])] = 0


@kernel
def take_folded(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    triangle_ptr: Int64Array,
    third: Ids,
    first: int,
    last: int,
    sums: Int64Array,
) -> None:
    """Take away the walks u - a - w - x - a - u around triangles {a, w, x}, for a in `first` .. `last` - 1.

    u is any neighbour of a whose rank is below a, w and x: the place in row a of the smaller of w and x, or the number
    of neighbours of a of smaller rank, is the number of such u.
    """
    for a in range(first, last):
        count = higher[a]
        if count == 0:
            continue
        folded = 0
        triangles = 0  # triangles at a with w and x of larger rank than the neighbour u
        for i in range(ptr[a + 1] - 1, ptr[a] - 1, -1):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            walks = min(i - ptr[a], count)
            if x < a:
                sums[x] -= triangles
            found = 0
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                w = np.int64(third[t])
                if w < x:
                    break
                found += 1
                sums[w] -= walks
            sums[x] -= walks * found
            folded += walks * found
            triangles += found
        sums[a] -= 2 * folded


@kernel
def add_squares(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    paths: Int64Array,
    sums: Int64Array,
) -> None:
    """Add to `sums`, of shape (m,), the squares whose vertex of highest degree is one of `first` .. `last` - 1."""
    for u in range(first, last):
        start = ptr[u] + higher[u]
        if ptr[u + 1] - start < 2:
            continue
        for i in range(start, ptr[u + 1]):
            v = np.int64(ends[i])
            for p in range(ptr[v + 1] - 1, ptr[v] - 1, -1):
                w = np.int64(ends[p])
                if w <= u:
                    break
                paths[w] += 1
        for i in range(start, ptr[u + 1]):
            v = np.int64(ends[i])
            at_v = np.int64(0)
            for p in range(ptr[v + 1] - 1, ptr[v] - 1, -1):
                w = np.int64(ends[p])
                if w <= u:
                    break
                others = paths[w] - 1
                if others > 0:
                    at_v += others
                    sums[np.int64(edges[p])] += others
            sums[np.int64(edges[i])] += at_v
        for i in range(start, ptr[u + 1]):
            v = np.int64(ends[i])
            for p in range(ptr[v + 1] - 1, ptr[v] - 1, -1):
                w = np.int64(ends[p])
                if w <= u:
                    break
                paths[w] = 0


@kernel
def add_cycles_at_edges(
    ptr: Int64Array,
    ends: Ids,
    higher: Int64Array,
    first: int,
    last: int,
    cursor: Int64Array,
    paths: Int64Array,
    other: Int64Array,
    reached: Int64Array,
    slots: Int64Array,
) -> None:
    """Add the 5-cycles whose vertex of highest degree is one of `first` .. `last` - 1, and walks that fold.

    Parameters
    ----------
    cursor : int64 array, shape (n,)
        A place in each whole row, or its end.
    paths, other : int64 array, shape (n,)
        Zeros. Here twice the 2-paths from u, plus one for a neighbour of u; sums over rows.
    reached : int64 array, shape (n,)
        Room for a list of vertices.
    slots : int64 array, shape (2 m,)
        Receives the counts at the entries of the whole rows, of one thread: those of an edge are the sum of both.
    """
    for u in range(first, last):
        start = ptr[u] + higher[u]
        stop = ptr[u + 1]
        if stop == start:  # a single neighbour has no cycle, but walks that fold
            continue
        found = 0
        for i in range(start, stop):
            a = np.int64(ends[i])
            paths[a] |= _ONE
            for p in range(beyond(ptr, ends, a, u, cursor), ptr[a + 1]):
                w = np.int64(ends[p])
                if paths[w] < 2:
                    reached[found] = w
                    found += 1
                paths[w] += 2
        for i in range(found):
            w = reached[i]
            begin = beyond(ptr, ends, w, u, cursor)
            middle = max(begin, ptr[w] + higher[w])
            c = paths[w] >> 1
            joined = paths[w] & 1
            ending = np.int64(0)
            for p in range(begin, middle):
                ending += paths[np.int64(ends[p])] >> 1
            for p in range(middle, ptr[w + 1]):
                x = paths[np.int64(ends[p])]
                if x > 1:
                    ending += x >> 1
                    slots[p] += (c - (x & 1)) * ((x >> 1) - joined)
            other[w] = ending - joined * (ptr[w + 1] - begin - 1)
        for i in range(start, stop):
            a = np.int64(ends[i])
            c = paths[a] >> 1
            at_a = np.int64(0)
            for p in range(cursor[a], ptr[a + 1]):
                at_w = other[np.int64(ends[p])] - c
                slots[p] += at_w
                at_a += at_w
            slots[i] += at_a
        for i in range(found):
            paths[reached[i]] = 0
            other[reached[i]] = 0
        for i in range(start, stop):
            paths[np.int64(ends[i])] = 0


@kernel
def add_slots(edges: Ids, slots: Int64Array, first: int, last: int, sums: Int64Array) -> None:
    """Add the values of the entries `first` .. `last` - 1 of the whole rows to their edges, from all threads."""
    for p in range(first, last):
        if slots[p] != 0:
            atomic_add(sums, np.int64(edges[p]), slots[p])


@kernel
def take_folded_at_edges(
    ptr: Int64Array,
    ends: Ids,
    edges: Ids,
    higher: Int64Array,
    triangle_ptr: Int64Array,
    third: Ids,
    low: Ids,
    high: Ids,
    first: int,
    last: int,
    sums: Int64Array,
) -> None:
    """Take away the walks u - a - w - x - a - u around triangles {a, w, x}, for a in `first` .. `last` - 1.

    u is any neighbour of a whose rank is below a, w and x: the place in row a of the smaller of w and x, or the number
    of neighbours of a of smaller rank, is the number of such u. All threads subtract from `sums`, of shape (m,).
    """
    for a in range(first, last):
        count = higher[a]
        if count == 0:
            continue
        triangles = np.int64(0)  # triangles at a with w and x of larger rank than the neighbour u
        for i in range(ptr[a + 1] - 1, ptr[a] - 1, -1):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            walks = np.int64(min(i - ptr[a], count))
            if x < a and triangles > 0:
                atomic_add(sums, e, -2 * triangles)
            found = np.int64(0)
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                if np.int64(third[t]) < x:
                    break
                found += 1
                if walks > 0:
                    atomic_add(sums, np.int64(low[t]), -walks)
                    atomic_add(sums, np.int64(high[t]), -walks)
            triangles += found
            if walks * found > 0:
                atomic_add(sums, e, -walks * found)
