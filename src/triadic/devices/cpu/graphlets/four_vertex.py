"""Squares, and all counts of four vertices that the graphlet transform is made from, on the CPU.

Computes: triangles, diamonds off their chord, squares, tetrahedra, and sums over neighbours and edges, at each rank.
Requires: an oriented graph.
Idea: one preparation serves all passes but one: supports, tetrahedra, diamonds (`supports`), sums (`vertex_arrays`).
  Squares are walked in whole rows (`cycle_walks`). All other graphlets of up to four vertices follow by arithmetic.
  Where all degrees are small, one walk from each vertex is faster (`short_rows`).
Cost: the sum of the passes.

References
----------
Floros, Pitsianis and Sun (2020), Fast graphlet transform of sparse graphs, IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import split
from triadic.core.graphlets import GraphletCounts
from triadic.devices.cpu.graphlets import short_rows
from triadic.devices.cpu.orbits.cycle_walks import add_squares
from triadic.devices.cpu.orbits.whole_rows import VertexPasses
from triadic.devices.cpu.triangles.supports import Neighbourhoods, bytes_of_neighbourhoods
from triadic.devices.cpu.vertex_arrays import neighbour_sums, summed, support_sums, zeros

if TYPE_CHECKING:
    from triadic.core.array_types import Int32Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented, Sizes

_TRIANGLES, _SQUARES = 1.0, 1.0  # shares of the work, for progress
_NONE = np.empty(0, dtype=np.int32)


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
    support = np.zeros(m, dtype=np.int32)
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
