"""Columns as a table of pandas, polars or pyarrow."""

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
    backend : {"pandas", "polars", "pyarrow"}

    Raises
    ------
    MissingExtraError
        The library is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> frame({"a": np.array([1, 2])}, "pyarrow").to_pydict()
    {'a': [1, 2]}
    """
    import narwhals.stable.v1 as nw  # noqa: PLC0415 - where a table is asked for

    try:
        import_module(backend)
    except ImportError as error:
        raise MissingExtraError(
            f"to_{backend} needs {backend}, which is not installed: pip install {backend}"
        ) from error
    # Strings lie in arrays of objects, which polars would keep as objects.
    given = {name: array.tolist() if array.dtype.kind == "O" else array for name, array in columns.items()}
    try:
        return nw.from_dict(given, backend=backend).to_native()
    except ImportError as error:
        raise MissingExtraError(
            f"to_{backend} needs {backend}, which is not installed: pip install {backend}"
        ) from error
