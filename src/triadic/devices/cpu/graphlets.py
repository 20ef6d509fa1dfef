"""What the graphlet transform counts, on the CPU: one preparation, every pass over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.graphlet_types import GraphletCounts
from triadic.core.progress import split
from triadic.devices.cpu import squares
from triadic.devices.cpu.neighbour_sums import neighbour_sums, support_sums
from triadic.devices.cpu.neighbourhoods import Neighbourhoods
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_TRIANGLES, _SQUARES = 1.0, 1.0  # what part of the work each is, for progress
_NONE = np.empty(0, dtype=np.int32)


def by_vertex(
    oriented: Oriented, *, threads: int, progress: Progress | None = None, chunk_bytes: int | None = None
) -> GraphletCounts:
    """Count what all graphlets of up to four vertices follow from, at each rank."""
    n, m = oriented.num_vertices, oriented.num_edges
    neighbourhoods = Neighbourhoods(oriented, threads=threads, chunk_bytes=chunk_bytes)
    report = split(progress, [_TRIANGLES, _SQUARES])
    support, off_chord, tetrahedra = _by_triangles(neighbourhoods, n, m, report[0])
    lists, place = neighbourhoods.lists, neighbourhoods.place
    del neighbourhoods  # and its bits, before squares take their own memory
    at_squares = squares.by_vertex_from(oriented, lists, place, threads=threads, progress=report[1])
    of_edges = support_sums(oriented, support, threads=threads)
    k, triangles = oriented.degree, of_edges[:, 0] >> 1
    near = neighbour_sums(oriented, np.stack([k, (k - 1) * (k - 2) // 2, triangles], axis=1), threads=threads)
    ends = neighbour_sums(oriented, (near[:, 0] - k)[:, None], threads=threads)
    return GraphletCounts(
        triangles=triangles,
        off_chord=off_chord,
        squares=at_squares,
        tetrahedra=tetrahedra,
        support_pairs=of_edges[:, 1],
        support_degrees=of_edges[:, 2],
        near_degrees=near[:, 0],
        near_pairs=near[:, 1],
        near_triangles=near[:, 2],
        path_ends=ends[:, 0],
    )


def _by_triangles(
    neighbourhoods: Neighbourhoods, n: int, m: int, progress: Progress | None
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    """Give the support of each entry, and the off-chord diamonds and the tetrahedra at each rank."""
    chunks, threads = range(neighbourhoods.chunks), neighbourhoods.threads
    report = iter(split(progress, [1.0] * 4 * len(chunks)))
    support = np.zeros(m, dtype=np.int32)
    tetrahedra, off_chord = zeros(threads, n, np.int64), zeros(threads, n, np.int64)
    for number in chunks:
        chunk = neighbourhoods.join(number, support, next(report))
        neighbourhoods.add_supports(chunk, support)
        neighbourhoods.add_tetrahedra(chunk, tetrahedra, next(report))
    for number in chunks:  # all supports are known now
        chunk = neighbourhoods.join(number, _NONE, next(report))
        neighbourhoods.add_off_chord(chunk, support, off_chord, next(report))
    return support, summed(off_chord), summed(tetrahedra)
