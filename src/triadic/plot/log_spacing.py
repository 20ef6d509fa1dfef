"""Fewer points where more would lie on one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_POINTS = 400


def spread(rising: NDArray[np.int64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Choose at most so many of rising positive values, about evenly on a logarithmic axis, both ends among them.

    Returns
    -------
    int64 array
        Their places.

    Examples
    --------
    >>> spread(np.arange(1, 100_001), 6)
    array([    0,     9,    99,   999,  9999, 99999])
    """
    wanted = np.geomspace(rising[0], rising[-1], most)
    return np.unique(np.searchsorted(rising, wanted * (1 - 1e-9)).clip(0, len(rising) - 1))


def groups(rising: NDArray[np.int64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Cut rising positive values into at most so many groups of about the same ratio of last to first.

    Returns
    -------
    int64 array
        Where each group begins.

    Examples
    --------
    >>> groups(np.array([1, 2, 3, 50, 60, 1000]), 3)
    array([0, 3, 5])
    """
    edges = np.geomspace(rising[0], rising[-1], most + 1)[:-1]
    return np.unique(np.searchsorted(rising, edges * (1 - 1e-9)))
