"""Triangles and local clustering coefficients on the CPU in the order of vertices.

Computes: for each vertex its triangles t; or 2 t / (k (k - 1)), where k is its degree, and 0 where k < 2.
Idea: for coefficients of a small graph one pass divides and reorders. Otherwise ranks are divided in blocks, in order,
  and the coefficients are then gathered by vertex, which reads one array at random places instead of two.
Cost: O(n) beside the triangles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import frozen
from triadic.devices.cpu import small_graphs
from triadic.devices.cpu import triangles as by_rank
from triadic.devices.cpu.vertex_arrays import divide_at_vertices, divide_by_pairs, take

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_BLOCK = 1 << 16  # vertices whose coefficients are computed at a time


def triangles(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Return the number of triangles at each vertex (not rank): int64, shape (n,)."""
    return triangles_from(oriented, by_rank.by_vertex(oriented, threads=threads, progress=progress), threads=threads)


def triangles_of_small(
    oriented: Oriented, *, cuts: NDArray[np.int64], threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Return the number of triangles at each vertex of small graphs, see `small_graphs`."""
    at_rank = small_graphs.by_vertex(oriented, cuts=cuts, threads=threads, progress=progress)
    return triangles_from(oriented, at_rank, threads=threads)


def triangles_from(oriented: Oriented, at_rank: NDArray[np.int64], *, threads: int) -> NDArray[np.int64]:
    """Return the number of triangles at each vertex from those at each rank."""
    return take(at_rank, oriented.rank, threads=threads)


def coefficients(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.float64]:
    """Return the local clustering coefficient of each vertex (not rank): float64, shape (n,)."""
    at_rank = by_rank.by_vertex(oriented, threads=threads, progress=progress)
    return coefficients_from(oriented, at_rank, threads=threads)


def coefficients_of_small(
    oriented: Oriented, *, cuts: NDArray[np.int64], threads: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Return the local clustering coefficient of each vertex of small graphs, see `small_graphs`."""
    at_rank = small_graphs.by_vertex(oriented, cuts=cuts, threads=threads, progress=progress)
    return coefficients_from(oriented, at_rank, threads=threads)


def coefficients_from(oriented: Oriented, at_rank: NDArray[np.int64], *, threads: int) -> NDArray[np.float64]:
    """Return the local clustering coefficient of each vertex from the triangles at each rank."""
    n = oriented.num_vertices
    if n <= _BLOCK:
        at_vertex = np.zeros(n)
        divide_at_vertices(frozen(at_rank), oriented.degree, oriented.rank, at_vertex)
        return at_vertex
    return take(divided(at_rank, oriented.degree, threads=threads), oriented.rank, threads=threads)


def divided(
    triangles_at: NDArray[np.int64],
    degree: NDArray[np.int64],
    *,
    threads: int,
    out: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return 2 t / (k (k - 1)) for triangles t and degrees k, and 0 for k < 2; `out` must hold zeros."""
    coefficient = np.zeros(len(degree)) if out is None else out
    cuts = blocks.cut_evenly(len(degree), -(-len(degree) // _BLOCK))
    triangles_at, degree = frozen(triangles_at), frozen(degree)  # one kernel, whoever owns the arrays

    def divide(_: int, b: int) -> None:
        divide_by_pairs(triangles_at, degree, cuts[b], cuts[b + 1], coefficient)

    blocks.run(divide, len(cuts) - 1, threads=threads)
    return coefficient
