"""Make a table of pandas, polars or pyarrow of arrays."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from triadic.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

Backend = Literal["pandas", "polars", "pyarrow"]


def frame(columns: Mapping[str, NDArray[Any]], backend: Backend) -> Any:  # noqa: ANN401 - a table of the library named
    """Make a table of one of the libraries.

    Parameters
    ----------
    columns : mapping of str to array, shape (rows,)
        Columns by name.
    backend : {"pandas", "polars", "pyarrow"}
        Library of the table.

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

    # polars would keep an object array of strings as a column of objects.
    lists = {name: array.tolist() if array.dtype.kind == "O" else array for name, array in columns.items()}
    try:
        import_module(backend)
        return nw.from_dict(lists, backend=backend).to_native()
    except ImportError as error:
        raise MissingExtraError(
            f"to_{backend} needs {backend}, which is not installed: pip install {backend}"
        ) from error
