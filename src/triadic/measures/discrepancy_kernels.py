"""Gaussian kernels of distances between distributions, summed exactly over all pairs of rows of two tables."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.core.exact import exact_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table = NDArray[np.float64]

Kernel = Literal["gaussian_tv", "gaussian_emd", "gaussian"]

# The distance of SciPy's cdist, and its factor. Between cumulative distributions the sum of absolute differences is the
# earth mover's distance: Vallender (1974), Theory of Probability and Its Applications 18, 784.
_DISTANCE: dict[Kernel, tuple[Literal["cityblock", "euclidean"], float]] = {
    "gaussian_tv": ("cityblock", 0.5),
    "gaussian_emd": ("cityblock", 1.0),
    "gaussian": ("euclidean", 1.0),
}

_PAIRS = 1 << 18  # pairs whose distances are in memory at a time: 2 MiB, which fit in a cache
_BITS = 60  # kernels are at most 1; as multiples of 2**-60 they are summed in whole numbers, in any order


def squared_discrepancy(a: Table, b: Table, kernel: Kernel, sigma: float) -> float:
    """Return the biased estimate of the squared maximum mean discrepancy of two tables, one row for each graph.

    For "gaussian_emd" the tables hold the distributions as `cumulative` returns them.
    """
    within_a, within_b, between = (_kernel_sum(x, y, kernel, sigma) for x, y in ((a, a), (b, b), (a, b)))
    n, m = len(a), len(b)
    return float(Fraction(within_a * m * m + within_b * n * n - 2 * between * n * m, (n * m) ** 2 << _BITS))


def cumulative(shares: Table, positions: Table) -> Table:
    """Return the cumulative distributions times the gaps between positions; rows differ by the earth mover's distance.

    Parameters
    ----------
    shares : float64 array, shape (rows, columns)
        Distributions; each row sums to 1.
    positions : float64 array, shape (columns,)
        Place of each column on the line, in rising order.

    Returns
    -------
    float64 array, shape (rows, columns - 1)
        The sum of absolute differences of two rows is the earth mover's distance of their distributions.
    """
    distributions = np.cumsum(shares, axis=1)[:, :-1]
    return distributions * np.diff(positions)


def _kernel_sum(a: Table, b: Table, kernel: Kernel, sigma: float) -> int:
    """Return the sum of the kernel over all pairs of a row of `a` and a row of `b`, in units of 2**-60."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - slow to import, and no other measure needs it

    metric, factor = _DISTANCE[kernel]
    rows = max(1, _PAIRS // len(b))
    total = 0
    for start in range(0, len(a), rows):
        distance = cdist(a[start : start + rows], b, metric) * factor
        with np.errstate(over="ignore"):  # infinitely many widths apart, for which the kernel is 0
            similarity = np.exp(-0.5 * np.square(distance / sigma))
        total += exact_sum(np.rint(np.ldexp(similarity, _BITS)).astype(np.int64))
    return total
