"""The paper's table of a network: a row of one width for each vertex, filled up with -1 (its figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import OutOfMemoryError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_BYTES = 10**9  # the memory of the paper's card (its table 1)
EMPTY = -1


def check_table(indptr: NDArray[np.int64]) -> tuple[int, int]:
    """Give the rows and the width of the table, and refuse one that would pass 1 GB.

    Raises
    ------
    OutOfMemoryError
        With the bytes.
    """
    n, width = len(indptr) - 1, 1 + int(np.diff(indptr).max(initial=0))
    needed = 4 * n * width
    if needed > MOST_BYTES:
        raise OutOfMemoryError(
            f"the padded table takes {needed:,} bytes, {n:,} rows of {width:,} numbers, and {MOST_BYTES:,} are "
            f"allowed: use an algorithm that pads no rows, such as triadic.clustering"
        )
    return n, width


def padded_table(indptr: NDArray[np.int64], indices: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Make the table: in each row the degree, the neighbours, and -1 up to the longest row.

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
        It would pass 1 GB; the message has the bytes.

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
    # Entry x of the rows comes after as many of its own row as x is past the row's beginning.
    of = np.repeat(np.arange(n), degree)
    table[of, 1 + np.arange(len(indices)) - indptr[of]] = indices
    return table
