"""Arrow's columns as NumPy arrays.

Arrow's own ``to_numpy`` imports pandas where it is installed, which takes longer than reading most files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from numpy.typing import NDArray

Column = Any
"""A ``pyarrow.ChunkedArray`` without nulls."""


def array_of(chunk: pa.Array) -> NDArray[Any]:
    """Return one Arrow array of numbers without nulls as a NumPy array that shares its memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> array_of(pa.array([5, 6, 7])[1:])
    array([6, 7])
    """
    dtype = np.dtype(str(chunk.type).replace("double", "float64"))
    if len(chunk) == 0:
        return np.empty(0, dtype=dtype)
    return np.frombuffer(chunk.buffers()[1], dtype=dtype, count=len(chunk), offset=chunk.offset * dtype.itemsize)


def arrays_of(*columns: Column) -> Iterator[NDArray[Any]]:
    """Yield the chunks of columns of numbers as NumPy arrays."""
    for column in columns:
        for chunk in column.chunks:
            yield array_of(chunk)


def to_array(
    column: Column, dtype: type[np.generic], change: Callable[[NDArray[Any]], Any] | None = None
) -> NDArray[Any]:
    """Return a column of numbers as one array.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
    dtype : numpy type
    change : callable, optional
        What to do to each chunk on the way.

    Returns
    -------
    array of dtype
    """
    array = np.empty(len(column), dtype=dtype)
    start = 0
    for chunk in arrays_of(column):
        array[start : start + len(chunk)] = chunk if change is None else change(chunk)
        start += len(chunk)
    return array
