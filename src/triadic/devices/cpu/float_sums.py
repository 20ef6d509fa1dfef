"""Sums of floating-point numbers over runs of an array, the same for every way to count.

Computes: the sum of each run of values, as if in twice the precision.
Requires: the first value of each run, and the number of values.
Idea: the rounding error of each addition is added up beside the sum. NumPy's sum depends on where a run begins in
  memory; this one depends on its values and their order alone, so that a graph has one mean, alone and in a batch.
Cost: O(values), five additions each.

References
----------
Neumaier (1974), Zeitschrift für Angewandte Mathematik und Mechanik 54, 39.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


def sums_of_runs(values: NDArray[np.float64], first: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the sum of each run of values: float64, shape (runs,).

    Parameters
    ----------
    values : float64 array, shape (n,)
    first : int64 array, shape (runs + 1,)
        First value of each run, and n.
    """
    sums = np.empty(len(first) - 1, dtype=np.float64)
    add_runs(np.ascontiguousarray(values), first, sums)
    return sums


@kernel
def add_runs(values: NDArray[np.float64], first: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Write the sum of each run of values."""
    for run in range(sums.size):
        total = 0.0
        lost = 0.0
        for i in range(first[run], first[run + 1]):
            value = values[i]
            more = total + value
            if abs(total) >= abs(value):
                lost += (total - more) + value
            else:
                lost += (value - more) + total
            total = more
        sums[run] = total + lost
