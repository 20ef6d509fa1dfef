"""Kernels for tiles with weights.

Computes: the keys of a tile's cells grouped by rows, as `tiling_kernels.group_by_rows` does, each with its weight.
Requires: what `tiling_kernels` requires.
Cost: two passes over keys and weights together, 16 bytes an arc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def group_weighted_by_rows(
    keys: NDArray[np.int64],
    weights: NDArray[np.int64],
    first_row: int,
    first_column: int,
    group_shift: int,
    bucket_of: NDArray[np.uint16],
    bucket_row: NDArray[np.int64],
    column_bits: int,
    position: NDArray[np.int64],
    grouped: NDArray[np.int64],
    grouped_weights: NDArray[np.int64],
) -> None:
    """Write the keys of a cell as keys of its tile, each with its weight at the next free position of its bucket.

    Weights are int64 with the bits of the floats, which are only moved.
    """
    for i in range(keys.size):
        key = keys[i]
        row = (key >> 32) + first_row
        column = ((key & 0xFFFFFFFF) >> 1) + first_column
        bucket = bucket_of[row >> group_shift]
        free = position[bucket]
        grouped[free] = ((row - bucket_row[bucket]) << (column_bits + 1)) | (column << 1) | (key & 1)
        grouped_weights[free] = weights[i]
        position[bucket] = free + 1
