"""Listing 1 of "Accelerating Clustering Coefficient Calculations on a GPU Using OpenCL": links between neighbours.

Computes: for each vertex, the number of adjacent pairs of its neighbours.
Requires: a table of rows of equal width: the degree, the neighbours, padding.
Idea: for each pair of entries of a row, one vertex is searched in the whole row of the other.
Cost: O(sum over vertices of squared degrees times the neighbours' degrees).

The loops for one thread and for OpenMP are in this one file, because numba considers a cached parallel kernel current
as long as its file is unchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numba

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


@kernel
def links_at(table: NDArray[np.int32], i: int, short: int) -> int:
    """Count the links between the neighbours of i; `short` is 1 for the printed loop bounds, 0 for the correct ones."""
    links = 0
    degree = table[i, 0]
    for j in range(1, degree + 1):
        for k in range(j + 1, degree + 1 - short):
            searched = table[i, k]
            for z in range(1, table[searched, 0] + 1 - short):
                if table[i, j] == table[searched, z]:
                    links += 1
    return links


@kernel
def links(table: NDArray[np.int32], first: int, last: int, short: int, found: NDArray[np.int64]) -> None:
    """Count the links at each vertex of a range."""
    for i in range(first, last):
        found[i] = links_at(table, i, short)


def _links_openmp(table: NDArray[np.int32], vertices: int, found: NDArray[np.int64]) -> None:
    for i in numba.prange(vertices):
        found[i] = links_at(table, i, 0)


def compile_parallel() -> Callable[[NDArray[np.int32], int, NDArray[np.int64]], None]:
    """Return the loop under ``#pragma omp parallel for``, for numba's current threading layer."""
    try:
        loop = numba.njit(parallel=True, nogil=True, cache=True)(_links_openmp)
    except RuntimeError:  # no folder for the cache
        loop = numba.njit(parallel=True, nogil=True)(_links_openmp)
    return cast("Callable[[NDArray[np.int32], int, NDArray[np.int64]], None]", loop)
