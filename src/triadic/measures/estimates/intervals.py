"""Confidence intervals for the mean of draws between zero and a known largest value.

Draws that are zero or one have the interval of Clopper and Pearson, which holds the mean with at least the given
confidence for any number of draws. Draws of several values have the same interval of a matched binomial: draws of
``w`` or zero with the mean and the mean square of the draws. The upper end counts one more draw, of the largest value,
as Fay and Feuer do for sums of Poisson numbers with weights; if all values are equal, both ends are Clopper's and
Pearson's. That this interval holds is not proven; it did in all simulations, Fay's and Feuer's and those of the tests.

References
----------
Clopper and Pearson (1934), Biometrika 26, 404. Fay and Feuer (1997), Statistics in Medicine 16, 791. Korn and Graubard
(1998), Survey Methodology 24, 193, who match a binomial likewise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def mean_interval(
    draws: ArrayLike, sums: ArrayLike, squares: ArrayLike, largest: ArrayLike, alpha: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends of the intervals that hold the means with confidence 1 - alpha.

    Parameters
    ----------
    draws, sums, squares : array_like
        Number of draws, their sum and the sum of their squares.
    largest : array_like
        Largest possible value of a draw; 0 for draws that are always zero.
    alpha : array_like
        Probability that an interval misses.

    Returns
    -------
    low, high : float64 arrays
        Of the common shape of the arguments; 0 and the largest value without draws.

    Examples
    --------
    >>> low, high = mean_interval(10, 0, 0, 1, 0.05)
    >>> float(low), round(float(high), 4)
    (0.0, 0.3085)
    >>> low, high = mean_interval([100, 1000], [10, 100], [10, 100], 1, 0.05)
    >>> low.round(4), high.round(4)
    (array([0.049 , 0.0821]), array([0.1762, 0.1203]))
    """
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to import

    n, y, q, most, tail = np.broadcast_arrays(
        *(np.asarray(each, dtype=np.float64) for each in (draws, sums, squares, largest, np.asarray(alpha) / 2))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        hits = np.minimum(y * y / q, n)
        low = np.where(y > 0, q / y * betaincinv(hits, n - hits + 1, tail), 0.0)
        y, q = y + most, q + most * most
        hits = np.minimum(y * y / q, n + 1)
        high = np.where(hits <= n, q / y * betaincinv(hits, n - hits + 1, 1 - tail), most)
    high = np.where((n > 0) & (most > 0), np.minimum(high, most), most)
    return np.where(most > 0, np.minimum(low, high), 0.0), high
