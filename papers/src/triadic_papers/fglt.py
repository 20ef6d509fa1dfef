"""The first five graphlets at every vertex, as the report "FGLT with CUDA" prints them, a row to a block.

Section 1: with A the adjacency matrix and p1 = A e the degrees, the raw frequencies are d0 = e, d1 = p1,
d2 = A p1 - p1, d3 = p1 (p1 - 1) / 2 entry by entry, and d4 = (A o A^2) e / 2, where o goes entry by entry too. The net
ones are U5^-1 times the raw ones, with U5 the first five rows and columns of the transform's own matrix.
Section 2.1: d0, d1 and d3 go through the vertices. For d2 and d4, block b of a grid of B takes the rows b, b + B,
b + 2 B ..., adds up over the entries of its row, and writes one number for it; no block needs another.

Differs from the report:

- What it leaves open is the entry (i, j) of A^2; here it is where the sorted rows i and j meet, by walking both.
- A block is a task for whichever thread is free, and one thread adds up a row; there, a block's threads share the row's
  entries and add up in shared memory. That, and streams (section 2.2), are in `fglt_gpu`.
- Integers of 64 bits; its program has doubles, exact up to 2**53.

References
----------
Athanasiadis (2023), "FGLT with CUDA", Parallel & Distributed Computer Systems, exercise 3; Floros, Pitsianis and Sun
(2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.frozen import frozen
from triadic.errors import ArgumentError
from triadic_papers.adjacency import adjacency

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic_papers.adjacency import Adjacency

    Whole = int | np.int64  # the same to numba

# U5^-1: a triangle holds a 2-path that ends at a vertex of it twice, and one with its middle there once.
NET_OF_RAW = frozen(
    np.array([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, -2], [0, 0, 0, 1, -1], [0, 0, 0, 0, 1]], dtype=np.int64)
)


class FirstFive(NamedTuple):
    """Frequencies of the graphlets vertex, degree, 2-path end, 2-path middle and triangle.

    Attributes
    ----------
    raw : int64 array, shape (n, 5)
        Of the subgraphs at each vertex, induced or not.
    net : int64 array, shape (n, 5)
        Of the induced ones.
    """

    raw: NDArray[np.int64]
    net: NDArray[np.int64]


def first_five(network: Graph | Arcs | Adjacency, *, grid: int = 1024, threads: int | None = None) -> FirstFive:
    """Count the first five graphlets at every vertex by sections 1 and 2.1.

    Parameters
    ----------
    network : Graph, Arcs or Adjacency
        Loops, repeats and directions are left out.
    grid : int, default 1024
        Number of blocks; from here on the report found little more to gain (table 1a). The result is the same for any.
    threads : int, optional
        Number of threads; as many as the process may use by default. The result is the same for any number.

    Returns
    -------
    FirstFive

    Raises
    ------
    ArgumentError

    Notes
    -----
    O(sum of squared degrees). About 120 bytes a vertex beside the rows, 80 of them the result.

    Examples
    --------
    >>> import triadic
    >>> found = first_five(triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> found.raw[2].tolist(), found.net[2].tolist()
    ([1, 3, 2, 3, 1], [1, 3, 0, 2, 1])
    """
    grid = take_grid(grid)
    workers = blocks.resolve_threads(threads)
    rows = adjacency(network)
    size = min(grid, rows.n)
    p1 = np.diff(rows.indptr)
    d2, d4 = np.empty_like(p1), np.empty_like(p1)

    def count_d2(_: int, block: int) -> None:
        two_path_ends(rows.indptr, rows.indices, p1, block, size, d2)

    def count_d4(_: int, block: int) -> None:
        triangles(rows.indptr, rows.indices, block, size, d4)

    two_path_ends(rows.indptr, rows.indices, p1, rows.n, 1, d2)  # no row is left; compiles before threads start
    triangles(rows.indptr, rows.indices, rows.n, 1, d4)
    blocks.run(count_d2, size, threads=workers)
    blocks.run(count_d4, size, threads=workers)
    raw = np.stack([np.ones_like(p1), p1, d2, p1 * (p1 - 1) // 2, d4], axis=1)
    return FirstFive(frozen(raw), frozen(raw @ NET_OF_RAW.T))


def take_grid(grid: int) -> int:
    """Give the number of blocks, checked.

    Raises
    ------
    ArgumentError
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
    """Give the entry (i, j) of A^2: how many indices the sorted rows i and j share."""
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
