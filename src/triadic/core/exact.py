"""Exact sums of int64 arrays, also beyond 2**63, and of float64 arrays."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array

_ROWS = 1 << 12  # rows that are added at a time, few enough to stay in the cache
_FLOATS = 1 << 25  # floats that are added at a time
_LEAST_EXPONENT = 1073  # with its sign changed, of a float64 as mantissa below 1 times a power of two


def exact_sum(values: Int64Array) -> int:
    """Return the exact sum of up to 2**31 non-negative int64 values. O(n).

    Examples
    --------
    >>> exact_sum(np.array([2**62, 2**62, 2**62]))
    13835058055282163712
    """
    return (int(np.sum(values >> 32)) << 32) + int(np.sum(values & 0xFFFFFFFF))


def exact_column_sums(table: Int64Array) -> list[int]:
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


def exact_float_units(values: Float64Array) -> int:
    """Return the exact sum of finite float64 values, in units of 2**-1126, which divide every float64. O(n).

    Sums of parts can be added in any order; `float_of_units` rounds once, at the end.

    Examples
    --------
    >>> float_of_units(exact_float_units(np.array([1e16, 1.0, -1e16, 0.5])))
    1.5
    """
    total = 0
    for start in range(0, len(values), _FLOATS):
        mantissa, exponent = np.frexp(values[start : start + _FLOATS])
        whole = np.ldexp(mantissa, 53).astype(np.int64)
        place = exponent.astype(np.int64) + _LEAST_EXPONENT
        # Sums of up to 2**25 numbers below 2**27, which float64 holds exactly.
        high, low = (np.bincount(place, weights=half) for half in (whole >> 26, whole & (1 << 26) - 1))
        for shift in np.flatnonzero((high != 0) | (low != 0)).tolist():
            total += ((int(high[shift]) << 26) + int(low[shift])) << shift
    return total


def float_of_units(total: int) -> float:
    """Return the float64 that is nearest to a sum of `exact_float_units`."""
    return float(Fraction(total, 1 << (_LEAST_EXPONENT + 53)))
