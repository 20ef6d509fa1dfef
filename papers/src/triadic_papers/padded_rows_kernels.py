"""Listing 1 of "Accelerating Clustering Coefficient Calculations on a GPU Using OpenCL": links between neighbours.

Computes: for each vertex, how many pairs of its neighbours are joined.
Requires: a table of rows of one width: the degree, the neighbours, padding.
Idea: for each pair of a row's entries, the one is looked for in the row of the other, from end to end.
Cost: O(sum over vertices of squared degrees times the neighbours' degrees).

The loops for one thread and for OpenMP's are in this one file, because numba takes what it has compiled for threads as
current as long as this file has not changed.
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
    """Count the links between the neighbours of i; `short` is 1 for the loop ends as printed, 0 for the mended ones."""
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


def compiled_for_threads() -> Callable[[NDArray[np.int32], int, NDArray[np.int64]], None]:
    """Give the loop under ``#pragma omp parallel for``: whichever layer numba has been told to use."""
    try:
        loop = numba.njit(parallel=True, nogil=True, cache=True)(_links_openmp)
    except RuntimeError:  # no folder to keep the cache in
        loop = numba.njit(parallel=True, nogil=True)(_links_openmp)
    return cast("Callable[[NDArray[np.int32], int, NDArray[np.int64]], None]", loop)
