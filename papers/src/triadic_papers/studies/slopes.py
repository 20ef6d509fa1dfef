"""Scaling exponents as the papers report them: the slope of a straight line through logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def log_slope(sizes: Sequence[float], seconds: Sequence[float]) -> float | None:
    """Return the least-squares slope of log seconds over log size; None for fewer than two sizes.

    Examples
    --------
    >>> round(log_slope([1, 2, 4], [3, 12, 48]), 6)
    2.0
    >>> log_slope([5], [1]) is None
    True
    """
    if len(set(sizes)) < 2:
        return None
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log(np.asarray(seconds, dtype=float))
    x -= x.mean()
    return float(x @ (y - y.mean()) / (x @ x))
