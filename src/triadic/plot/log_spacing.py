"""Fewer points of a plot, evenly spaced on a logarithmic axis, where more would overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_POINTS = 400


def log_spaced(rising: NDArray[np.int64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Choose at most `most` of some rising positive values, evenly spaced on a logarithmic axis, with both ends.

    Returns
    -------
    int64 array
        Indices of the chosen values.

    Examples
    --------
    >>> log_spaced(np.arange(1, 100_001), 6)
    array([    0,     9,    99,   999,  9999, 99999])
    """
    positions = np.geomspace(rising[0], rising[-1], most)
    return np.unique(np.searchsorted(rising, positions * (1 - 1e-9)).clip(0, len(rising) - 1))


def log_groups(rising: NDArray[np.int64], most: int = MOST_POINTS) -> NDArray[np.int64]:
    """Split rising positive values into at most `most` groups with about the same ratio of last to first value.

    Returns
    -------
    int64 array
        Index of the first value of each group.

    Examples
    --------
    >>> log_groups(np.array([1, 2, 3, 50, 60, 1000]), 3)
    array([0, 3, 5])
    """
    edges = np.geomspace(rising[0], rising[-1], most + 1)[:-1]
    return np.unique(np.searchsorted(rising, edges * (1 - 1e-9)))
