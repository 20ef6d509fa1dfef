"""Kernels that put the rows of two tiles side by side.

Computes: rows of one tile, each followed by the row of the other, whose columns are moved past those of the first.
Requires: tiles of the same rows, columns rising; where the result's rows begin.
Idea: two copies a row.
Cost: O(entries + rows).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


@kernel
def interleave(
    near_ptr: NDArray[np.int64],
    near: NDArray[np.int32],
    near_state: NDArray[np.uint8],
    far_ptr: NDArray[np.int64],
    far: NDArray[np.int32],
    far_state: NDArray[np.uint8],
    shift: int,
    first: int,
    last: int,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    state: NDArray[np.uint8],
) -> None:
    """Write the rows `first` .. `last` - 1: `near`, then `far` with its columns moved by `shift`; states if any."""
    by = np.int32(shift)
    for row in range(first, last):
        at = indptr[row]
        for p in range(near_ptr[row], near_ptr[row + 1]):
            indices[at] = near[p]
            if state.size > 0:
                state[at] = near_state[p]
            at += 1
        for p in range(far_ptr[row], far_ptr[row + 1]):
            indices[at] = far[p] + by
            if state.size > 0:
                state[at] = far_state[p]
            at += 1
