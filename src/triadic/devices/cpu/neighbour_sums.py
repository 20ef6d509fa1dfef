"""Sums over the neighbours of each vertex, and over its edges.

Computes: what the neighbours of each vertex have in all; of the supports c of its edges, Sum c, Sum C(c, 2), and
  Sum c times what the neighbour has.
Requires: rows of an oriented graph; sums zero at first.
Idea: an edge adds to both its ends, so that the oriented rows are gone through once.
Cost: O(edges), a few additions each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.row_sums import sum_over_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]

# How many entries ahead what stands at a neighbour is fetched.
AHEAD = 16


def neighbour_sums(
    oriented: Oriented, values: NDArray[np.int64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Add up the values of each rank's neighbours, int64 of shape (n, width): int64, the same shape."""
    indices = as_unsigned(oriented.indices)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        add_neighbours(oriented.indptr, indices, first, last, values, sums)

    return sum_over_rows(oriented.indptr, values.shape[1], add, threads=threads, progress=progress)


def support_sums(oriented: Oriented, support: NDArray[np.int32], *, threads: int) -> NDArray[np.int64]:
    """Add up over the edges of each rank, of support c: c, C(c, 2), and c times the other end's degree.

    Returns
    -------
    int64 array, shape (n, 3)
    """
    indices = as_unsigned(oriented.indices)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        add_supports(oriented.indptr, indices, first, last, support, oriented.degree, sums)

    return sum_over_rows(oriented.indptr, 3, add, threads=threads)


@kernel
def add_neighbours(
    indptr: NDArray[np.int64],
    indices: Ids,
    first: int,
    last: int,
    values: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the values of each row's vertex to its entries, and theirs to it."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD < indices.size:
                v = np.int64(indices[i + AHEAD])
                prefetch(values, v * values.shape[1])
                prefetch(sums, v * values.shape[1])
            v = np.int64(indices[i])
            for column in range(values.shape[1]):
                sums[u, column] += values[v, column]
                sums[v, column] += values[u, column]


@kernel
def add_supports(
    indptr: NDArray[np.int64],
    indices: Ids,
    first: int,
    last: int,
    support: NDArray[np.int32],
    degree: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add what the support of each entry gives to both its ends."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD < indices.size:
                v = np.int64(indices[i + AHEAD])
                prefetch(degree, v)
                prefetch(sums, 3 * v)
            c = np.int64(support[i])
            if c > 0:
                v = np.int64(indices[i])
                pairs = c * (c - 1) >> 1
                sums[u, 0] += c
                sums[v, 0] += c
                sums[u, 1] += pairs
                sums[v, 1] += pairs
                sums[u, 2] += c * degree[v]
                sums[v, 2] += c * degree[u]
