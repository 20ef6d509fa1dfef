"""Kernels that cut tiles: the entries of some rows whose columns are within a range.

Computes: where the columns of a range lie in each row; the entries there, written to the rows of another tile; the
  number of entries of rows in each of several ranges of columns.
Requires: rows that rise.
Idea: rows rise, so that a range of columns is consecutive in each row and two binary searches find it.
Cost: the logarithm of its length for each row, and one copy of each entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@kernel
def first_at_least(indices: NDArray[np.int32], start: int, stop: int, value: int) -> int:
    """Return the first place from `start` to `stop` whose column is at least `value`; `stop` if there is none."""
    while start < stop:
        middle = (start + stop) >> 1
        if indices[middle] < value:
            start = middle + 1
        else:
            stop = middle
    return start


@kernel
def find_columns(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    low: int,
    high: int,
    first: NDArray[np.int64],
    length: NDArray[np.int64],
) -> None:
    """Write the first entry of each row with a column of at least `low`, and the number of those below `high`."""
    for row in range(indptr.size - 1):
        start = first_at_least(indices, indptr[row], indptr[row + 1], low)
        first[row] = start
        length[row] = first_at_least(indices, start, indptr[row + 1], high) - start


@kernel
def copy_columns(
    indices: NDArray[np.int32],
    state: NDArray[np.uint8],
    weights: NDArray[np.int64],
    first: NDArray[np.int64],
    length: NDArray[np.int64],
    shift: int,
    place: NDArray[np.int64],
    out: NDArray[np.int32],
    out_state: NDArray[np.uint8],
    out_weights: NDArray[np.int64],
) -> None:
    """Copy entries of each row to `place`, with `shift` added to their columns, and move `place` past them.

    States are copied unless `out_state` is empty, and the bits of each kind of weight that `out_weights` has.
    """
    for row in range(first.size):
        start, to = first[row], place[row]
        for p in range(length[row]):
            out[to + p] = indices[start + p] + shift
        if out_state.size > 0:
            for p in range(length[row]):
                out_state[to + p] = state[start + p]
        for kind in range(out_weights.shape[0]):
            for p in range(length[row]):
                out_weights[kind, to + p] = weights[kind, start + p]
        place[row] = to + length[row]


@kernel
def count_columns_of_ranges(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], cuts: NDArray[np.int64], lengths: NDArray[np.float64]
) -> None:
    """Write the number of entries of each row in each range of columns; `lengths` has a row for each range."""
    for row in range(indptr.size - 1):
        start = indptr[row]
        for k in range(cuts.size - 1):
            if start == indptr[row + 1]:
                break
            stop = first_at_least(indices, start, indptr[row + 1], cuts[k + 1])
            lengths[k, row] = stop - start
            start = stop
