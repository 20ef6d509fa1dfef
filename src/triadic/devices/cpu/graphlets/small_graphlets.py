"""Squares, and all counts behind the graphlets, of small graphs, one graph after another in one thread.

Computes: for rows that hold whole graphs, the ten counts of `triadic.core.graphlets.GraphletCounts` at each rank,
  or the squares alone.
Requires: an oriented graph, and rows that no edge leaves, see `small_graphs`.
Idea: a small graph lies in the first-level cache with everything that is counted in it. Triangles are met once to
  count supports and tetrahedra, and a second time for diamonds, when supports are known. Squares are walked in
  whole rows (`cycle_walks`).
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
from triadic.devices.cpu.orbits import cycle_walks
from triadic.devices.cpu.orbits.whole_rows import WholeRows
from triadic.devices.cpu.triangles.small_graphs import add_supports

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.orbits.whole_rows import Block

    Rows = tuple[Int64Array, UnsignedArray]
    Cuts = Int64Array


def by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    rows, degree = (oriented.indptr, as_unsigned(oriented.indices)), oriented.degree
    counts = np.zeros((len(GraphletCounts._fields), oriented.num_vertices), dtype=np.int64)
    support = np.zeros(oriented.num_edges, dtype=np.int32)
    blocks.run(
        lambda _, b: add_all(rows, (cuts[b], cuts[b + 1]), degree, support, counts),
        len(cuts) - 1,
        threads=threads,
        progress=progress,
    )
    return GraphletCounts(*counts)


def squares_by_vertex(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the squares at each rank: int64, shape (n,)."""
    rows, degree = (oriented.indptr, as_unsigned(oriented.indices)), oriented.degree
    squares = np.zeros(oriented.num_vertices, dtype=np.int64)
    blocks.run(
        lambda _, b: add_squares(rows, (cuts[b], cuts[b + 1]), degree, squares),
        len(cuts) - 1,
        threads=threads,
        progress=progress,
    )
    return squares


@kernel
def add_all(rows: Rows, block: Block, degree: Int64Array, support: Int32Array, counts: Int64Array) -> None:
    """Add the ten counts at each vertex of the rows, in the order of `GraphletCounts`."""
    indptr, indices = rows
    first, last = block
    triangles, support_pairs, support_degrees = counts[0], counts[4], counts[5]
    near_degrees, near_pairs, near_triangles, path_ends = counts[6], counts[7], counts[8], counts[9]
    if add_supports(rows, block, support, counts[3]) > 0:
        add_off_chord(rows, block, support, counts[1])
    add_squares(rows, block, degree, counts[2])
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
def add_off_chord(rows: Rows, block: Block, support: Int32Array, off_chord: Int64Array) -> None:
    """Add at each vertex of a triangle the support of the edge across less one: diamonds with that edge as chord."""
    indptr, indices = rows
    first, last = block
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
def add_squares(rows: Rows, block: Block, degree: Int64Array, squares: Int64Array) -> None:
    """Write the squares at each vertex of the rows, from whole rows of numbers counted from the first."""
    indptr, indices = rows
    first, last = block
    n = last - first
    ptr = np.zeros(n + 1, dtype=np.int64)
    end = np.empty(n, dtype=np.int64)  # where the neighbours of a vertex end
    higher = np.empty(n, dtype=np.int64)
    ends = np.empty(2 * (indptr[last] - indptr[first]), dtype=np.int64)
    for u in range(n):
        end[u] = ptr[u]
        ptr[u + 1] = ptr[u] + degree[first + u]
        higher[u] = indptr[first + u + 1] - indptr[first + u]
    for u in range(n):
        for i in range(indptr[first + u], indptr[first + u + 1]):
            v = np.int64(indices[i]) - first
            ends[end[u]] = v
            end[u] += 1
            ends[end[v]] = u
            end[v] += 1
    paths = np.zeros((n, 2), dtype=np.int64)
    cycle_walks.add_squares((0, n), WholeRows(ptr, ends, ends, higher), paths, paths, None)
    for u in range(n):
        squares[first + u] = paths[u, 1] >> 1
