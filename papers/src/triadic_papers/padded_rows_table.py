"""The paper's table of a network: one row per vertex, all of equal width, padded with -1 (figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 10**9  # the memory of the paper's card (its table 1)
EMPTY = -1


def check_table(indptr: NDArray[np.int64]) -> tuple[int, int]:
    """Return the number of rows and the width of the table.

    Raises
    ------
    OutOfMemoryError
        The table would exceed 1 GB; the message contains its size in bytes.
    """
    n, width = len(indptr) - 1, 1 + int(np.diff(indptr).max(initial=0))
    needed = 4 * n * width
    if needed > MOST_BYTES:
        raise OutOfMemoryError(
            f"the padded table of {n:,} rows of {width:,} numbers takes {needed:,} bytes; the limit is {MOST_BYTES:,}: "
            "use an algorithm without padded rows, such as triadic.clustering"
        )
    return n, width


def padded_table(indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Return the table: in each row the degree, the neighbours, and -1 up to the longest row.

    Parameters
    ----------
    indptr, indices : arrays, shapes (n + 1,) and (2 * edges,)
        Rows of neighbours.

    Returns
    -------
    int32 array, shape (n, 1 + largest degree)

    Raises
    ------
    OutOfMemoryError
        The table would exceed 1 GB; the message contains its size in bytes.

    Examples
    --------
    >>> import numpy as np
    >>> padded_table(np.array([0, 1, 3, 4, 4]), np.array([1, 0, 2, 1])).tolist()
    [[1, 1, -1], [2, 0, 2], [1, 1, -1], [0, -1, -1]]
    """
    n, width = check_table(indptr)
    degree = np.diff(indptr)
    table = np.full((n, width), EMPTY, dtype=np.int32)
    table[:, 0] = degree
    # The column of entry x is its distance from the start of its row, plus one for the degree.
    row = np.repeat(np.arange(n), degree)
    table[row, 1 + np.arange(len(indices)) - indptr[row]] = indices
    return table
