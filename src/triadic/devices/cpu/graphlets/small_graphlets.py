"""Squares, and all counts behind the graphlets, of small graphs, one graph after another in one thread.

Computes: for rows that hold whole graphs, the ten counts of `triadic.core.graphlets.GraphletCounts` at each rank,
  or the squares alone.
Requires: an oriented graph, and rows that no edge leaves, see `small_graphs`.
Idea: a small graph lies in the first-level cache with everything that is counted in it. Triangles are met once to
  count supports and tetrahedra, and a second time for diamonds, when supports are known. Squares are pairs of 2-paths
  from their vertex of the smallest rank, over rows that hold the neighbours on both sides.
Cost: two tests for each pair of an entry (u, v) and an entry of row v, and two for each 2-path whose first vertex has
  the smallest rank; 6 words a vertex and 2 an edge of the rows.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for 4-cycles and cliques.
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.graphlets import GraphletCounts
from triadic.core.oriented import as_unsigned

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = UnsignedArray
    Cuts = Int64Array


def by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    indptr, indices, degree = oriented.indptr, as_unsigned(oriented.indices), oriented.degree
    counts = GraphletCounts(*np.zeros((len(GraphletCounts._fields), oriented.num_vertices), dtype=np.int64))
    support = np.zeros(oriented.num_edges, dtype=np.int32)

    def count(_: int, b: int) -> None:
        add_all(indptr, indices, degree, cuts[b], cuts[b + 1], support, *counts)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return counts


def squares_by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the squares at each rank: int64, shape (n,)."""
    indptr, indices, degree = oriented.indptr, as_unsigned(oriented.indices), oriented.degree
    squares = np.zeros(oriented.num_vertices, dtype=np.int64)

    def count(_: int, b: int) -> None:
        add_squares(indptr, indices, degree, cuts[b], cuts[b + 1], squares)

    blocks.run(count, len(cuts) - 1, threads=threads, progress=progress)
    return squares


@kernel
def add_all(
    indptr: Int64Array,
    indices: Ids,
    degree: Int64Array,
    first: int,
    last: int,
    support: Int32Array,
    triangles: Int64Array,
    off_chord: Int64Array,
    squares: Int64Array,
    tetrahedra: Int64Array,
    support_pairs: Int64Array,
    support_degrees: Int64Array,
    near_degrees: Int64Array,
    near_pairs: Int64Array,
    near_triangles: Int64Array,
    path_ends: Int64Array,
) -> None:
    """Add the ten counts at each vertex of the rows."""
    if add_tetrahedra(indptr, indices, first, last, support, tetrahedra) > 0:
        add_off_chord(indptr, indices, first, last, support, off_chord)
    add_squares(indptr, indices, degree, first, last, squares)
    for u in range(first, last):
        ku = degree[u]
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            kv = degree[v]
            near_degrees[u] += kv
            near_degrees[v] += ku
            near_pairs[u] += (kv - 1) * (kv - 2) >> 1
            near_pairs[v] += (ku - 1) * (ku - 2) >> 1
            c = np.int64(support[i])
            if c > 0:
                pairs = c * (c - 1) >> 1
                triangles[u] += c
                triangles[v] += c
                support_pairs[u] += pairs
                support_pairs[v] += pairs
                support_degrees[u] += c * kv
                support_degrees[v] += c * ku
    for u in range(first, last):
        triangles[u] >>= 1
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            near_triangles[u] += triangles[v]
            near_triangles[v] += triangles[u]
            path_ends[u] += near_degrees[v] - degree[v]
            path_ends[v] += near_degrees[u] - degree[u]


@kernel
def add_tetrahedra(
    indptr: Int64Array,
    indices: Ids,
    first: int,
    last: int,
    support: Int32Array,
    tetrahedra: Int64Array,
) -> int:
    """Add the triangles of each entry to its support, and the tetrahedra at each vertex; return the triangles."""
    place = np.zeros(last - first, dtype=np.int64)  # one more than the entry of the vertex in row u, or 0
    joined = np.zeros(last - first, dtype=np.int64)  # one more than the last entry (u, v) with a triangle at the vertex
    third = np.empty(last - first, dtype=np.int64)
    found = 0
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = i + 1
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            thirds = 0
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                at = place[w - first]
                if at > 0:
                    support[p] += 1
                    support[at - 1] += 1
                    joined[w - first] = i + 1
                    third[thirds] = w
                    thirds += 1
            support[i] += thirds
            found += thirds
            for k in range(1, thirds):
                w = third[k]
                for p in range(indptr[w], indptr[w + 1]):
                    x = np.int64(indices[p])
                    if joined[x - first] == i + 1:
                        tetrahedra[u] += 1
                        tetrahedra[v] += 1
                        tetrahedra[w] += 1
                        tetrahedra[x] += 1
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = 0
    return found


@kernel
def add_off_chord(
    indptr: Int64Array,
    indices: Ids,
    first: int,
    last: int,
    support: Int32Array,
    off_chord: Int64Array,
) -> None:
    """Add at each vertex of a triangle the support of the edge across less one: diamonds with that edge as chord."""
    place = np.zeros(last - first, dtype=np.int64)
    for u in range(first, last):
        start, stop = indptr[u], indptr[u + 1]
        if stop - start < 2:
            continue
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = i + 1
        for i in range(start + 1, stop):
            v = np.int64(indices[i])
            if support[i] == 0:
                continue
            for p in range(indptr[v], indptr[v + 1]):
                w = np.int64(indices[p])
                at = place[w - first]
                if at > 0:
                    off_chord[u] += np.int64(support[p]) - 1
                    off_chord[v] += np.int64(support[at - 1]) - 1
                    off_chord[w] += np.int64(support[i]) - 1
        for i in range(start, stop):
            place[np.int64(indices[i]) - first] = 0


@kernel
def add_squares(
    indptr: Int64Array,
    indices: Ids,
    degree: Int64Array,
    first: int,
    last: int,
    squares: Int64Array,
) -> None:
    """Add the squares at each vertex of the rows; `four_vertex` holds zeros there."""
    n = last - first
    end = np.empty(n, dtype=np.int64)  # where the neighbours of a vertex end
    begin = np.empty(n, dtype=np.int64)
    both = np.empty(2 * (indptr[last] - indptr[first]), dtype=np.int64)  # neighbours, rising, counted from `first`
    running = 0
    for u in range(n):
        begin[u] = running
        end[u] = running
        running += degree[first + u]
    for u in range(n):
        for i in range(indptr[first + u], indptr[first + u + 1]):
            v = np.int64(indices[i]) - first
            both[end[u]] = v
            end[u] += 1
            both[end[v]] = u
            end[v] += 1
    paths = np.zeros(n, dtype=np.int64)
    tag = 0
    for u in range(n):
        middles = end[u] - begin[u] - (indptr[first + u + 1] - indptr[first + u])
        if middles < 2:
            continue
        # A vertex u with one larger neighbour is not the smallest of a square.
        for i in range(end[u] - middles, end[u]):
            v = both[i]
            p = end[v] - 1
            while both[p] > u:
                w = both[p]
                paths[w] = max(paths[w], tag) + 1
                p -= 1
        at_u = 0
        for i in range(end[u] - middles, end[u]):
            v = both[i]
            at_v = 0
            p = end[v] - 1
            while both[p] > u:
                w = both[p]
                others = paths[w] - tag - 1
                squares[first + w] += others
                at_v += others
                p -= 1
            squares[first + v] += 2 * at_v
            at_u += at_v
        squares[first + u] += at_u
        tag += middles
    for u in range(first, last):
        squares[u] >>= 1
