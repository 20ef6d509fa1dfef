"""The counts of subgraphs of four vertices that the graphlet transform is made from, on the CPU.

Computes: triangles, diamonds off their chord, squares, tetrahedra, and sums over neighbours and edges, at each rank.
Requires: an oriented graph.
Idea: one preparation serves all passes: supports, tetrahedra, diamonds (`neighbourhoods`), squares (`squares`), sums
  (`vertex_arrays`). All other graphlets of up to four vertices follow by arithmetic. Where all degrees are small, one
  walk from each vertex is faster (`short_rows`).
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
from triadic.devices.cpu import short_rows, squares
from triadic.devices.cpu.neighbourhoods import Neighbourhoods, bytes_of_neighbourhoods
from triadic.devices.cpu.vertex_arrays import neighbour_sums, summed, support_sums, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    if chunk_bytes is None and short_rows.fits(oriented):
        return short_rows.by_vertex(oriented, threads=threads, progress=progress)
    n, m = oriented.num_vertices, oriented.num_edges
    neighbourhoods = Neighbourhoods(oriented, threads=threads, chunk_bytes=chunk_bytes)
    report = split(progress, [_TRIANGLES, _SQUARES])
    support, off_chord, tetrahedra = _by_triangles(neighbourhoods, n, m, report[0])
    lists, place = neighbourhoods.lists, neighbourhoods.place
    del neighbourhoods  # frees the bits before squares take memory
    at_squares = squares.by_vertex_from(oriented, lists, place, threads=threads, progress=report[1])
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
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
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
