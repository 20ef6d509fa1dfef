"""Sums that may pass 2**63."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def exact_sum(values: NDArray[np.int64]) -> int:
    """Add up non-negative int64 values as a Python int, exactly. O(n), for up to 2**31 values.

    Examples
    --------
    >>> exact_sum(np.array([2**62, 2**62, 2**62]))
    13835058055282163712
    """
    return (int(np.sum(values >> 32)) << 32) + int(np.sum(values & 0xFFFFFFFF))
