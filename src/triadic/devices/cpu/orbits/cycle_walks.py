"""Cycles of four and five vertices, with or without chords, at each vertex or at each edge.

Computes: the squares at each vertex or edge; the raw frequencies of orbit 34 or of edge orbit 28, the 5-cycles.
Requires: whole rows, for 5-cycles also triangles at each edge; `paths` and `other`, of shape (n,), zero, which the
  kernels of 5-cycles leave so; no loops, no repeats.
Idea: a cycle is met at its vertex u of highest degree, so that only ranks larger than u take part. The squares of u and
  w are the pairs of 2-paths between them. Count the 2-paths u - v - w; then read them again: at each, the other paths
  to the same w are squares. Counts of one u begin where its row begins, above all counts of the vertices before, so
  that nothing is cleared. A 5-cycle is an edge {w, x} and a 2-path from u to each of its ends. With c the number of
  2-paths from u to a vertex, {w, x} closes (c(w) - [x ~ u]) (c(x) - [w ~ u]) pairs of 2-paths, which is its count. At
  an edge {a, w} of a 2-path u - a - w it is the sum, over the neighbours x of w but a, of c(x) - [w ~ u]. Both include
  walks u - a - w - x - a - u around a triangle at a, which `take_folded` takes away, all at once. A vertex has the
  counts of its edges nearer to u.
Cost: squares: two sweeps over the 2-paths of larger ranks, at most the sum over edges of the smaller degree. 5-cycles:
  for each u the rows of the vertices within two steps, larger ranks only, at most n m in all and far less on skewed
  graphs; twice the triangles at edges for the walks that fold. 28 bytes a vertex a worker; for edges 16 bytes an edge
  a worker.

References
----------
Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for 5-cycles by 2-paths that an edge closes, with ordered degrees.
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210 (algorithm C4), for 2-paths from the vertex of highest
degree; Wang, Lin, Qin, Zhang and Zhang (2019), PVLDB 12, 1139, for the same priority on bipartite graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_PATH_ENTRIES, AHEAD_PATH_ROW, fetch_add, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.devices.cpu.orbits.whole_rows import Block, EdgeTriangles, WholeRows

    Ids = UnsignedArray


class CycleRoom(NamedTuple):
    """Room of a worker.

    Attributes
    ----------
    cursor : int64 array, shape (n,)
        A place in each whole row, or its end.
    paths, other : int32 and int64 array, shape (n,)
        Zeros. Here twice the 2-paths from u, plus one for a neighbour of u; sums over rows.
    reached : int64 array, shape (n,)
        Room for a list of vertices.
    """

    cursor: Int64Array
    paths: Int32Array
    other: Int64Array
    reached: Int64Array


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
def add_squares(
    block: Block, rows: WholeRows, paths: Int64Array, at_vertices: Int64Array | None, at_edges: Int64Array | None
) -> None:
    """Add the squares whose vertex of highest degree is in the block.

    Parameters
    ----------
    paths : int64 array, shape (n, 1) or (n, 2)
        In the first column zeros, or counts of blocks before this one.
    at_vertices : int64 array, shape (n, 2), optional
        `paths`, whose second column receives twice the squares at each vertex.
    at_edges : int64 array, shape (m,), optional
        Receives the squares at each edge.
    """
    ptr, ends, edges, higher = rows
    for u in range(*block):
        start, stop = ptr[u] + higher[u], ptr[u + 1]
        if stop - start < 2:
            continue
        before = ptr[u]
        for i in range(start, stop):
            if i + AHEAD_PATH_ROW < ends.size:
                prefetch(ptr, np.int64(ends[i + AHEAD_PATH_ROW]) + 1)
                prefetch(ends, ptr[np.int64(ends[i + AHEAD_PATH_ENTRIES]) + 1] - 1)
            p = ptr[np.int64(ends[i]) + 1] - 1
            w = np.int64(ends[p])
            while w > u:  # u itself is in the row
                paths[w, 0] = max(paths[w, 0], before) + 1
                p -= 1
                w = np.int64(ends[p])
        at_u = np.int64(0)
        for i in range(start, stop):
            v = np.int64(ends[i])
            at_v = np.int64(0)
            p = ptr[v + 1] - 1
            w = np.int64(ends[p])
            while w > u:
                others = paths[w, 0] - before - 1
                at_v += others
                if at_vertices is not None:
                    at_vertices[w, 1] += others
                if at_edges is not None:
                    at_edges[np.int64(edges[p])] += others
                p -= 1
                w = np.int64(ends[p])
            at_u += at_v
            if at_vertices is not None:
                at_vertices[v, 1] += 2 * at_v
            if at_edges is not None:
                at_edges[np.int64(edges[i])] += at_v
        if at_vertices is not None:
            at_vertices[u, 1] += at_u


@kernel
def add_cycles(
    block: Block, rows: WholeRows, room: CycleRoom, at_vertices: Int64Array | None, slots: Int64Array | None
) -> None:
    """Add the 5-cycles whose vertex of highest degree is in the block, and walks that fold.

    Parameters
    ----------
    at_vertices : int64 array, shape (n,), optional
        Receives the counts at vertices, of one thread.
    slots : int64 array, shape (2 m,), optional
        Receives the counts at the entries of the whole rows, of one thread: those of an edge are the sum of both.
    """
    ptr, ends, _, higher = rows
    cursor, paths, other, reached = room
    for u in range(*block):
        start, stop = ptr[u] + higher[u], ptr[u + 1]
        found = 0
        for i in range(start, stop):
            a = np.int64(ends[i])
            paths[a] |= 1
            for p in range(beyond(ptr, ends, a, u, cursor), ptr[a + 1]):
                w = np.int64(ends[p])
                if paths[w] < 2:
                    reached[found] = w
                    found += 1
                paths[w] += 2
        for i in range(found):
            w = reached[i]
            begin = beyond(ptr, ends, w, u, cursor)
            middle = ptr[w + 1]
            joined = np.int64(paths[w]) & 1
            if slots is not None:
                middle = max(begin, ptr[w] + higher[w])
            ending = np.int64(0)
            for p in range(begin, middle):
                ending += np.int64(paths[np.int64(ends[p])]) >> 1
            if slots is not None:
                c = np.int64(paths[w]) >> 1
                for p in range(middle, ptr[w + 1]):
                    x = np.int64(paths[np.int64(ends[p])])
                    if x > 1:
                        ending += x >> 1
                        slots[p] += (c - (x & 1)) * ((x >> 1) - joined)
            other[w] = ending - joined * (ptr[w + 1] - begin - 1)
        halves = np.int64(0)
        odd = np.int64(0)
        for i in range(start, stop):
            a = np.int64(ends[i])
            c = np.int64(paths[a]) >> 1
            at_a = np.int64(0)
            for p in range(cursor[a], ptr[a + 1]):
                w = np.int64(ends[p])
                at_w = other[w] - c
                at_a += at_w
                if at_vertices is not None:
                    at_vertices[w] += at_w
                if slots is not None:
                    slots[p] += at_w
            halves += at_a >> 1
            odd += at_a & 1
            if at_vertices is not None:
                at_vertices[a] += at_a
            if slots is not None:
                slots[i] += at_a
        if at_vertices is not None:
            at_vertices[u] += halves + (odd >> 1)  # each cycle was met from both neighbours of u
        for i in range(found):
            paths[reached[i]] = 0
            other[reached[i]] = 0
        for i in range(start, stop):
            paths[np.int64(ends[i])] = 0


@kernel
def add_slots(block: Block, rows: WholeRows, slots: Int64Array, sums: Int64Array) -> None:
    """Add the values of the entries of the whole rows to their edges, from all threads."""
    ptr, _, edges, _ = rows
    first, last = block
    for p in range(ptr[first], ptr[last]):
        if slots[p] != 0:
            fetch_add(sums, np.int64(edges[p]), slots[p])


@kernel
def take_folded(
    block: Block,
    rows: WholeRows,
    listed: EdgeTriangles,
    at_vertices: Int64Array | None,
    at_edges: Int64Array | None,
) -> None:
    """Take away the walks u - a - w - x - a - u around triangles {a, w, x}, for a in the block.

    u is any neighbour of a whose rank is below a, w and x: the place in row a of the smaller of w and x, or the number
    of neighbours of a of smaller rank, is the number of such u. All threads subtract from `at_edges`, of shape (m,).
    """
    ptr, ends, edges, higher = rows
    triangle_ptr, third, low, high, _ = listed
    for a in range(*block):
        count = higher[a]
        if count == 0:
            continue
        folded = np.int64(0)
        triangles = np.int64(0)  # triangles at a with w and x of larger rank than the neighbour u
        for i in range(ptr[a + 1] - 1, ptr[a] - 1, -1):
            x = np.int64(ends[i])
            e = np.int64(edges[i])
            walks = min(i - ptr[a], count)
            around = triangles if x < a else np.int64(0)
            found = np.int64(0)
            for t in range(triangle_ptr[e + 1] - 1, triangle_ptr[e] - 1, -1):
                w = np.int64(third[t])
                if w < x:
                    break
                found += 1
                if at_vertices is not None:
                    at_vertices[w] -= walks
                if at_edges is not None:
                    fetch_add(at_edges, np.int64(low[t]), -walks)
                    fetch_add(at_edges, np.int64(high[t]), -walks)
            taken = walks * found
            folded += taken
            triangles += found
            if at_vertices is not None:
                at_vertices[x] -= taken + around
            if at_edges is not None:
                fetch_add(at_edges, e, -taken - 2 * around)
        if at_vertices is not None:
            at_vertices[a] -= 2 * folded
