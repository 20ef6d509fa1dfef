"""The first five graphlets at every vertex, as printed in the report "FGLT with CUDA", one block per row.

Section 1: with the adjacency matrix A and the degrees p1 = A e, the raw frequencies are d0 = e, d1 = p1,
d2 = A p1 - p1, d3 = p1 (p1 - 1) / 2 elementwise, and d4 = (A o A^2) e / 2, where o is the elementwise product. The net
frequencies are U5^-1 times the raw ones, where U5 holds the first five rows and columns of the transform's matrix.
Section 2.1: d0, d1 and d3 are loops over vertices. For d2 and d4, block b of a grid of B blocks processes the rows b,
b + B, b + 2 B, ...; it sums over the entries of a row and writes one number per row, independently of other blocks.

Differences from the report:

- The report does not print how the entry (i, j) of A^2 is computed; here it is the size of the intersection of the
  sorted rows i and j, found by merging them.
- A block is a task for the next free thread, and one thread sums a row; in the report the threads of a block share the
  entries of a row and add up in shared memory. That, and streams (section 2.2), are in `fglt_gpu`.
- Counts are 64-bit integers; the report uses doubles, which are exact up to 2**53.

References
----------
C. Athanasiadis (2023), "FGLT with CUDA", Parallel & Distributed Computer Systems, exercise 3, sections 1 and 2.1. D.
Floros, N. Pitsianis, X. Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.errors import ArgumentError
from triadic_papers.adjacency import adjacency

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

    Whole = int | np.int64  # the same to numba

# U5^-1: at each of its vertices, a triangle contains two 2-paths that end there and one with its middle there.
NET_OF_RAW = frozen(
    np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, -2], [0, 0, 0, 1, -1], [0, 0, 0, 0, 1]], dtype=np.int64)
)


class FirstFive(NamedTuple):
    """Frequencies of the graphlets vertex, degree, 2-path end, 2-path middle and triangle.

    Attributes
    ----------
    raw : int64 array, shape (n, 5)
        Subgraphs at each vertex, induced or not.
    net : int64 array, shape (n, 5)
        Induced subgraphs at each vertex.
    """

    raw: NDArray[np.int64]
    net: NDArray[np.int64]


def first_five(network: Graph | Arcs | Adjacency, *, grid: int = 1024, threads: int | None = None) -> FirstFive:
    """Count the first five graphlets at every vertex as in sections 1 and 2.1.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeated edges and directions are dropped.
    grid : int, default 1024
        Number of blocks; the report found little gain beyond 1024 (table 1a). The result does not depend on it.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result does not depend on it.

    Returns
    -------
    FirstFive

    Raises
    ------
    ArgumentError
        `grid` or `threads` is below 1.

    Notes
    -----
    Takes time proportional to the sum of squared degrees, and about 120 bytes per vertex in addition to the rows, 80 of
    them for the result.

    References
    ----------
    Athanasiadis (2023), sections 1 and 2.1.

    Examples
    --------
    >>> import triadic
    >>> result = first_five(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> result.raw[2].tolist(), result.net[2].tolist()
    ([1, 3, 2, 3, 1], [1, 3, 0, 2, 1])
    """
    grid = check_grid(grid)
    workers = blocks.resolve_threads(threads)
    rows = adjacency(network)
    size = min(grid, rows.n)
    p1 = np.diff(rows.indptr)
    d2, d4 = np.empty_like(p1), np.empty_like(p1)

    def count_d2(_: int, block: int) -> None:
        two_path_ends(rows.indptr, rows.indices, p1, block, size, d2)

    def count_d4(_: int, block: int) -> None:
        triangles(rows.indptr, rows.indices, block, size, d4)

    two_path_ends(rows.indptr, rows.indices, p1, rows.n, 1, d2)  # an empty range: compiles before the threads start
    triangles(rows.indptr, rows.indices, rows.n, 1, d4)
    blocks.run(count_d2, size, threads=workers)
    blocks.run(count_d4, size, threads=workers)
    raw = np.stack([np.ones_like(p1), p1, d2, p1 * (p1 - 1) // 2, d4], axis=1)
    return FirstFive(frozen(raw), frozen(raw @ NET_OF_RAW.T))


def check_grid(grid: int) -> int:
    """Return the number of blocks as int.

    Raises
    ------
    ArgumentError
        It is no whole number of at least 1.
    """
    if isinstance(grid, bool) or not isinstance(grid, (int, np.integer)) or grid < 1:
        raise ArgumentError(f"grid={grid!r}: expected a whole number of at least 1")
    return int(grid)


@kernel
def two_path_ends(
    col_ptr: NDArray[np.int64],
    row_idx: NDArray[np.integer[Any]],
    p1: NDArray[np.int64],
    block: int,
    grid: int,
    d2: NDArray[np.int64],
) -> None:
    """Write d2 = A p1 - p1 for the rows of a block: section 2.1.1."""
    for i in range(block, p1.size, grid):
        total = 0
        for j_ptr in range(col_ptr[i], col_ptr[i + 1]):
            total += p1[row_idx[j_ptr]]
        d2[i] = total - p1[i]


@kernel
def triangles(
    col_ptr: NDArray[np.int64], row_idx: NDArray[np.integer[Any]], block: int, grid: int, d4: NDArray[np.int64]
) -> None:
    """Write d4 = (A o A^2) e / 2 for the rows of a block: section 2.1.2."""
    for i in range(block, d4.size, grid):
        total = 0
        for j_ptr in range(col_ptr[i], col_ptr[i + 1]):
            total += entry_of_square(col_ptr, row_idx, i, row_idx[j_ptr])
        d4[i] = total // 2


@kernel
def entry_of_square(col_ptr: NDArray[np.int64], row_idx: NDArray[np.integer[Any]], i: Whole, j: Whole) -> int:
    """Return the entry (i, j) of A^2: the number of indices that the sorted rows i and j share."""
    k, last_k = col_ptr[i], col_ptr[i + 1]
    h, last_h = col_ptr[j], col_ptr[j + 1]
    shared = 0
    while k < last_k and h < last_h:
        if row_idx[k] < row_idx[h]:
            k += 1
        elif row_idx[h] < row_idx[k]:
            h += 1
        else:
            shared += 1
            k += 1
            h += 1
    return shared
