"""Exact sums of int64 arrays, also beyond 2**63."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS = 1 << 12  # rows that are added at a time, few enough to stay in the cache


def exact_sum(values: NDArray[np.int64]) -> int:
    """Return the exact sum of up to 2**31 non-negative int64 values. O(n).

    Examples
    --------
    >>> exact_sum(np.array([2**62, 2**62, 2**62]))
    13835058055282163712
    """
    return (int(np.sum(values >> 32)) << 32) + int(np.sum(values & 0xFFFFFFFF))


def exact_column_sums(table: NDArray[np.int64]) -> list[int]:
    """Return the exact sum of each column of a table of up to 2**31 rows of non-negative int64 values.

    Examples
    --------
    >>> exact_column_sums(np.array([[2**62, 1], [2**62, 2], [2**62, 3]]))
    [13835058055282163712, 6]
    """
    sums = [0] * table.shape[1]
    for start in range(0, len(table), _ROWS):
        part = table[start : start + _ROWS]
        high, low = (part >> 32).sum(axis=0), (part & 0xFFFFFFFF).sum(axis=0)
        sums = [s + (h << 32) + x for s, h, x in zip(sums, high.tolist(), low.tolist(), strict=True)]
    return sums
