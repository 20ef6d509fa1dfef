"""Squares, and all counts of four vertices that the graphlet transform is made from, on the CPU.

Computes: triangles, diamonds off their chord, squares, tetrahedra, and sums over neighbours and edges, at each rank.
Requires: an oriented graph.
Idea: one preparation serves all passes but one: supports, tetrahedra, diamonds (`supports`), sums (`vertex_arrays`).
  Squares are walked in whole rows (`cycle_walks`). All other graphlets of up to four vertices follow by arithmetic.
  Where all degrees are small, one walk from each vertex is faster (`short_rows`). A small graph lies in the first-level
  cache with everything that is counted in it: one thread meets its triangles once to count supports and tetrahedra
  (`small_graphs`), and a second time for diamonds, when supports are known.
Cost: the sum of the passes. In small graphs two tests for each pair of an entry (u, v) and an entry of row v, and two
  for each 2-path whose first vertex has the smallest rank; 6 words a vertex and 2 an edge.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for 4-cycles and cliques.
Floros, Pitsianis and Sun (2020), Fast graphlet transform of sparse graphs, IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import split, summed, zeros
from triadic.core.compiled import kernel
from triadic.core.graphlets import GraphletCounts
from triadic.core.oriented import int_zeros
from triadic.devices.cpu.orbits import short_rows
from triadic.devices.cpu.orbits.cycle_walks import add_squares
from triadic.devices.cpu.orbits.whole_rows import VertexPasses, WholeRows
from triadic.devices.cpu.triangles.small_graphs import add_supports
from triadic.devices.cpu.triangles.supports import Neighbourhoods, bytes_of_neighbourhoods
from triadic.devices.cpu.vertex_arrays import neighbour_sums, support_sums

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.orbits.whole_rows import Block

    Rows = tuple[Int64Array, UnsignedArray]
    Cuts = Int64Array

_TRIANGLES, _SQUARES = 1.0, 1.0  # shares of the work, for progress
_NONE = np.empty(0, np.int32)


def bytes_by_triangles(sizes: Sizes, threads: int) -> int:
    """Return the bytes of supports, with four times as much for each thread: diamonds, tetrahedra and neighbours."""
    return bytes_of_neighbourhoods(sizes, 4 * threads)


def by_vertex(
    oriented: Oriented, *, threads: int, progress: Progress | None = None, chunk_bytes: int | None = None
) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    if chunk_bytes is None and short_rows.fits(oriented.sizes):
        return short_rows.by_vertex(oriented, threads=threads, progress=progress)
    n, m = oriented.num_vertices, oriented.num_edges
    neighbourhoods = Neighbourhoods(oriented, threads=threads, chunk_bytes=chunk_bytes)
    report = split(progress, [_TRIANGLES, _SQUARES])
    support, off_chord, tetrahedra = _by_triangles(neighbourhoods, n, m, report[0])
    del neighbourhoods  # frees the bits before squares take memory
    at_squares = squares_by_vertex(oriented, threads=threads, progress=report[1])
    edge_sums = support_sums(oriented, support, threads=threads)
    k, triangles = oriented.degree, edge_sums[:, 0] >> 1
    near = neighbour_sums(oriented, np.stack([k, (k - 1) * (k - 2) // 2, triangles], axis=1), threads=threads)
    ends = neighbour_sums(oriented, (near[:, 0] - k)[:, None], threads=threads)
    return GraphletCounts(
        triangles=triangles,
        off_chord=off_chord,
        squares=at_squares,
        tetrahedra=tetrahedra,
        support_pairs=edge_sums[:, 1],
        support_degrees=edge_sums[:, 2],
        near_degrees=near[:, 0],
        near_pairs=near[:, 1],
        near_triangles=near[:, 2],
        path_ends=ends[:, 0],
    )


def _by_triangles(
    neighbourhoods: Neighbourhoods, n: int, m: int, progress: Progress | None
) -> tuple[Int32Array, Int64Array, Int64Array]:
    """Return the support of each entry, and the off-chord diamonds and the tetrahedra at each rank."""
    chunks, threads = range(neighbourhoods.chunks), neighbourhoods.threads
    reports = iter(split(progress, [1.0] * 4 * len(chunks)))
    support = np.zeros(m, np.int32)
    tetrahedra, off_chord = zeros(threads, n, np.int64), zeros(threads, n, np.int64)
    for number in chunks:
        chunk = neighbourhoods.join(number, support, next(reports))
        neighbourhoods.add_supports(chunk, support)
        neighbourhoods.add_tetrahedra(chunk, tetrahedra, next(reports))
    for number in chunks:  # diamonds need the supports of all chunks
        chunk = neighbourhoods.join(number, _NONE, next(reports))
        neighbourhoods.add_off_chord(chunk, support, off_chord, next(reports))
    return support, summed(off_chord), summed(tetrahedra)


def squares_by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the squares at each rank: int64, shape (n,)."""
    passes = VertexPasses(oriented, threads)
    paths = zeros(threads, (oriented.num_vertices, 2), np.int64)
    own = [(worker, worker, None) for worker in paths]
    passes.run(passes.lower, add_squares, passes.rows, own=own, progress=progress)
    return summed([worker[:, 1] for worker in paths]) >> 1


def of_small(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> GraphletCounts:
    """Count at each rank the subgraphs that all graphlets of up to four vertices follow from."""
    rows, degree = oriented.unsigned_rows, oriented.degree
    counts = int_zeros((len(GraphletCounts._fields), oriented.num_vertices))
    support = np.zeros(oriented.num_edges, np.int32)
    blocks.run_cuts(
        lambda _, block: add_all(rows, block, degree, support, counts), cuts, threads=threads, progress=progress
    )
    return GraphletCounts(*counts)


def squares_of_small(oriented: Oriented, *, cuts: Cuts, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the squares at each rank: int64, shape (n,)."""
    rows, degree = oriented.unsigned_rows, oriented.degree
    squares = int_zeros(oriented.num_vertices)
    blocks.run_cuts(
        lambda _, block: write_squares(rows, block, degree, squares), cuts, threads=threads, progress=progress
    )
    return squares


@kernel
def add_all(rows: Rows, block: Block, degree: Int64Array, support: Int32Array, counts: Int64Array) -> None:
    """Add the ten counts at each vertex of the rows, in the order of `GraphletCounts`."""
    indptr, indices = rows
    first, last = block
    triangles, support_pairs, support_degrees = counts[0], counts[4], counts[5]
    near_degrees, near_pairs, near_triangles, path_ends = counts[6], counts[7], counts[8], counts[9]
    if add_supports(indptr, indices, first, last, support, counts[3]) > 0:
        add_off_chord(rows, block, support, counts[1])
    write_squares(rows, block, degree, counts[2])
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
    place = np.zeros(last - first, np.int64)
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
def write_squares(rows: Rows, block: Block, degree: Int64Array, squares: Int64Array) -> None:
    """Write the squares at each vertex of the rows, from whole rows of numbers counted from the first."""
    indptr, indices = rows
    first, last = block
    n = last - first
    ptr = np.zeros(n + 1, np.int64)
    end = np.empty(n, np.int64)  # where the neighbours of a vertex end
    higher = np.empty(n, np.int64)
    ends = np.empty(2 * (indptr[last] - indptr[first]), np.int64)
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
    paths = np.zeros((n, 2), np.int64)
    add_squares((0, n), WholeRows(ptr, ends, ends, higher), paths, paths, None)
    for u in range(n):
        squares[first + u] = paths[u, 1] >> 1
