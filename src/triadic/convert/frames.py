"""Make a table of pandas, polars or pyarrow of arrays."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

Backend = Literal["pandas", "polars", "pyarrow"]


def frame(columns: Mapping[str, NDArray[Any]], backend: Backend, *, index: str | Sequence[str] | None = None) -> Any:  # noqa: ANN401 - a table of the library named
    """Make a table of one of the libraries.

    Parameters
    ----------
    columns : mapping of str to array, shape (rows,)
        Columns by name. An object array holds strings, or integers of any size, also beside floats. In polars, which
        has one type a column, wide integers are Int128, and integers beside floats Float64.
    backend : {"pandas", "polars", "pyarrow"}
        Library of the table.
    index : str or sequence of str, optional
        Names of the columns that become the index of a pandas table; other libraries have no index.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame or pyarrow.Table

    Raises
    ------
    MissingExtraError
        If the library is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> frame({"a": np.array([1, 2])}, "pyarrow").to_pydict()
    {'a': [1, 2]}
    """
    import narwhals.stable.v1 as nw  # noqa: PLC0415 - only tables need it

    try:
        library = import_module(backend)
        values = {name: _values(array, library) for name, array in columns.items()}
        table = nw.from_dict(values, backend=backend).to_native()
    except ImportError as error:
        raise MissingExtraError(
            f"to_{backend} needs {backend}, which is not installed: pip install {backend}"
        ) from error
    if index is None or backend != "pandas":
        return table
    names = [index] if isinstance(index, str) else [*index]
    return table.set_index(names if len(names) > 1 else names[0])


def counts_column(counts: Sequence[float]) -> NDArray[Any]:
    """Return numbers as a column: int64 or float64, or objects if a count exceeds 64 bits or stands beside floats.

    Examples
    --------
    >>> counts_column([1, 2]).dtype, counts_column([1, 2**70]).dtype, counts_column([0.5]).dtype
    (dtype('int64'), dtype('O'), dtype('float64'))
    >>> counts_column([1, 0.5])  # the count stays exact
    array([1, 0.5], dtype=object)
    """
    kinds = {isinstance(count, int) for count in counts}
    if kinds == {True, False} or any(map(_is_wide, counts)):
        return np.array(counts, dtype=object)
    return np.array(counts, dtype=np.float64 if kinds == {False} else np.int64)


def _is_wide(count: float) -> bool:
    return isinstance(count, int) and not -(2**63) <= count < 2**63


def _values(array: NDArray[Any], library: Any) -> Any:  # noqa: ANN401 - a module, and values that it accepts
    """Return the values of a column as the library takes them: an object array as a list of its elements."""
    if array.dtype.kind != "O":
        return array
    values = array.tolist()
    if any(isinstance(value, str) for value in values):
        return values
    if library.__name__ == "pandas":
        return library.Series(values, dtype=object)
    if library.__name__ == "polars":
        mixed = any(isinstance(value, float) for value in values)
        return library.Series(values, dtype=library.Float64 if mixed else library.Int128, strict=False)
    return values
