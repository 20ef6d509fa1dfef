"""Sums of the values of the edges at each rank, and of their squares, as rows of integers in fixed point.

Computes: for each rank the limbs of the sum of its edges' values, and behind them those of the sum of their squares.
Requires: rows of an oriented graph, and a value of absolute value 1 at most for each entry.
Idea: each entry is split once and added at both its ends. The square of a sum less the sum of the squares is twice the
  sum of the products of all pairs; in fixed point that difference loses nothing.
Cost: some sixty instructions an entry; 192 bytes a rank and worker.

The papers that the sums come from are cited in `fixed_point` and `weight_sums`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.fixed_point import STRENGTH_LIMBS, VALUE_FRACTION, VALUE_LIMBS, add_square, split
from triadic.devices.cpu.vertex_arrays import sum_over_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]


def strengths(
    oriented: Oriented, values: NDArray[np.float64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Add up the values and the squares of the values of the edges of each rank: int64, shape (n, STRENGTH_LIMBS).

    Parameters
    ----------
    oriented : Oriented
    values : float64 array, shape (m,)
        By entry of the oriented rows.
    threads : int
    progress : callable, optional
    """
    indices, values = as_unsigned(oriented.indices), frozen(values)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        add_entries(oriented.indptr, indices, values, first, last, sums)

    return sum_over_rows(oriented.indptr, STRENGTH_LIMBS, add, threads=threads, progress=progress)


@kernel
def add_entries(
    indptr: NDArray[np.int64],
    indices: Ids,
    values: NDArray[np.float64],
    first: int,
    last: int,
    sums: NDArray[np.int64],
) -> None:
    """Add the entries of the rows `first` .. `last` - 1 at both their ends."""
    entry = np.zeros((1, STRENGTH_LIMBS), dtype=np.int64)
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            entry[:] = 0
            place, a, b, c = split(values[i], VALUE_FRACTION, VALUE_LIMBS)
            entry[0, place] = a
            entry[0, place + 1] = b
            entry[0, place + 2] = c
            add_square(values[i], entry, 0)
            for limb in range(STRENGTH_LIMBS):
                sums[u, limb] += entry[0, limb]
                sums[v, limb] += entry[0, limb]
