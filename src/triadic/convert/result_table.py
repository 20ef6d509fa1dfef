"""Results whose columns are arrays of one length: how they are printed, shown in notebooks and converted to tables.

`frame` makes a table of pandas, polars or pyarrow of arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.formatting import html_table, plural, text_table
from triadic.core.oriented import frozen
from triadic.errors import ArgumentError, MissingExtraError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import DTypeLike

    from triadic.core.array_types import AnyArray

Backend = Literal["pandas", "polars", "pyarrow"]
_SHOWN_ROWS, _SHOWN_COLUMNS = 8, 8  # without the columns that name the rows


class ResultTable(Mapping[str, Any]):
    """Base class of results that are tables: immutable mappings from the names of columns to arrays.

    A class of results defines `_columns`, `_title` and `_rows`, and `_names_of_rows` if two columns name the rows.
    ``result[name]`` is also a column that names the rows; iteration is over the others.
    """

    __slots__ = ()

    def _columns(self) -> dict[str, AnyArray]:
        """Return the columns by name; the first one, or the first two, name the rows."""
        raise NotImplementedError

    def _names_of_rows(self) -> int:
        """Return the number of columns that name the rows: two for the vertices of a batch, "graph" and "label"."""
        return 1

    def _title(self) -> str:
        """Return a line about the result."""
        return type(self).__name__

    @property
    def _rows(self) -> str:
        """The noun for the rows, in the plural."""
        return "vertices"

    def __getitem__(self, name: Any) -> Any:  # noqa: ANN401 - of a subclass
        columns = self._columns()
        if name not in columns:
            raise KeyError(f"{name!r}: expected one of the names {', '.join(map(repr, columns))}")
        return columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._columns())[self._names_of_rows() :])

    def __len__(self) -> int:
        return len(self._columns()) - self._names_of_rows()

    def to_dict(self) -> dict[str, Any]:
        """Return the columns by name as lists of plain numbers and strings, with those that name the rows."""
        return {name: cells(column) for name, column in self._columns().items()}

    def to_arrow(self) -> pa.Table:
        """Return the result as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            The columns of the result by name, as `to_polars` has them.
        """
        return frame(self._columns(), "pyarrow")

    def to_pandas(self) -> pd.DataFrame:
        """Return the result as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns of the result by name; the first one, such as "label", is the index. A result at the vertices
            of a batch has the index "graph", "label".

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        columns, names = self._columns(), self._names_of_rows()
        return frame(columns, "pandas", index=list(columns)[:names] if names < len(columns) else None)

    def to_polars(self) -> pl.DataFrame:
        """Return the result as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            The columns of the result by name; the first one, such as "label", names the rows. A result at the vertices
            of a batch has "graph" before "label".

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        return frame(self._columns(), "polars")

    def __repr__(self) -> str:
        head, rows, more = self._shown()
        return "\n".join([self._title(), *text_table(head, rows), *([more] if more else [])])

    def _repr_html_(self) -> str:
        head, rows, more = self._shown()
        return html_table(self._title(), head, rows, below=more)

    def _shown(self) -> tuple[list[str], list[list[Any]], str]:
        """Return the header and the rows to print, and a line with the numbers of rows and columns that are not."""
        columns, named = self._columns(), self._names_of_rows()
        names = list(columns)[: named + _SHOWN_COLUMNS]
        total = len(columns[names[0]])
        shown = [cells(columns[name][:_SHOWN_ROWS]) for name in names]
        rows = [[*map(str, row[:named]), *row[named:]] for row in zip(*shown, strict=True)]
        left = {self._rows: total - len(rows), "columns": len(columns) - len(names)}
        more = " and ".join(plural(number, *_with_more(nouns)) for nouns, number in left.items() if number)
        return names, rows, more


def cells(column: AnyArray) -> list[Any]:
    """Return the values of a column as Python's, and dates as text, in seconds if they are whole."""
    if column.dtype.kind != "M":
        return list(column.tolist())
    return [str(value).removesuffix(".000000000") for value in column]


class Table(ResultTable):
    """Columns of numbers, and what their rows are: an immutable mapping from names to arrays of shape (rows,).

    ``table["triangles"]`` is a column of numbers; ``table["label"]`` names the rows of a table of vertices, "graph" and
    "label" those of a batch, "source" and "target" edges, "time" windows. Iteration is over the columns of numbers.
    ``numpy.asarray`` of a table returns a matrix of them. `to_pandas` and `to_polars` return a data frame whose first
    columns, the index in pandas, name the rows.

    Parameters
    ----------
    columns : mapping of str to array, shape (rows,)
        Columns by name.
    rows : mapping of str to array, shape (rows,), or None
        Columns that name the rows, and come first in tables; None leaves one out.
    nouns : tuple of str, default ("row", "rows")
        Word for a row, and for several.
    about : str, default ""
        What the title says further.
    attributes : mapping of str to object, optional
        What the numbers depend on, such as the "window" and the "step" of windows.

    See Also
    --------
    count, vertex_table, over_time : Compute a table.

    Examples
    --------
    >>> import numpy as np
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> table = triadic.vertex_table(graph, ["degree", "triangles"])
    >>> table.names, np.asarray(table).shape, table["label"].tolist()
    (('degree', 'triangles'), (4, 2), [0, 1, 2, 3])
    >>> batch = triadic.GraphBatch.from_arrays([0, 1, 2, 3], [1, 2, 0, 4], [0, 0, 0, 1, 1])
    >>> print(triadic.dyad_census(batch))
    Table of 2 graphs
    graph  mutual  asymmetric  null
    0           3           0     0
    1           1           0     0
    """

    def __init__(
        self,
        columns: Mapping[str, AnyArray],
        rows: Mapping[str, AnyArray | None],
        *,
        nouns: tuple[str, str] = ("row", "rows"),
        about: str = "",
        attributes: Mapping[str, Any] | None = None,
    ) -> None:
        self._arrays = {name: frozen(np.asarray(column)) for name, column in columns.items()}
        self._of_rows = {name: frozen(np.asarray(names)) for name, names in rows.items() if names is not None}
        self._nouns, self._about, self.attributes = nouns, about, dict(attributes or {})

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Table, nouns=self._nouns, about=self._about, attributes=self.attributes)
        return made, (self._arrays, self._of_rows)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of numbers."""
        return tuple(self._arrays)

    def to_numpy(self, dtype: DTypeLike | None = None) -> AnyArray:
        """Return the columns of numbers as a matrix.

        Parameters
        ----------
        dtype : dtype_like, optional
            Type of the elements; by default the smallest that holds all columns: int64 for counts, float64 if there is
            a coefficient.

        Returns
        -------
        array, shape (rows, columns)
            The columns in the order of `names`.
        """
        rows = len(next(iter(self._of_rows.values())))
        try:
            kind = np.result_type(*self._arrays.values()) if dtype is None and self._arrays else np.dtype(dtype)
            matrix = np.empty((rows, len(self._arrays)), kind)
        except (TypeError, ValueError):
            raise ArgumentError(f"dtype={shown(dtype)}: expected a type of NumPy's numbers") from None
        for index, column in enumerate(self._arrays.values()):
            matrix[:, index] = column
        return matrix

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> AnyArray:
        if copy is False:
            raise ValueError("the columns of a Table are separate arrays: expected copy=None or True")
        return self.to_numpy(dtype)

    def _columns(self) -> dict[str, AnyArray]:
        return self._of_rows | self._arrays

    def _names_of_rows(self) -> int:
        return len(self._of_rows)

    @property
    def _rows(self) -> str:
        return self._nouns[1]

    def _title(self) -> str:
        rows = len(next(iter(self._of_rows.values())))
        return f"Table of {plural(rows, *self._nouns)}{self._about}"


def table_of_vertices(columns: Mapping[str, AnyArray], rows: Mapping[str, AnyArray]) -> Table:
    """Return a table of vertices, whose `rows` `vertex_columns` returns."""
    return Table(columns, rows, nouns=("vertex", "vertices"))


def table_of_graphs(columns: Mapping[str, AnyArray], names: AnyArray) -> Table:
    """Return a table of the graphs of a batch."""
    return Table(columns, {"graph": names}, nouns=("graph", "graphs"))


def _with_more(nouns: str) -> tuple[str, str]:
    """Return the singular and the plural of a noun such as "vertices", each after "more"."""
    return f"more {'vertex' if nouns == 'vertices' else nouns.removesuffix('s')}", f"more {nouns}"


def frame(columns: Mapping[str, AnyArray], backend: Backend, *, index: list[str] | None = None) -> Any:  # noqa: ANN401 - a table of the library named
    """Make a table of one of the libraries.

    Parameters
    ----------
    columns : mapping of str to array, shape (rows,)
        Columns by name. An object array holds strings, or integers of any size, also beside floats. In polars, which
        has one type a column, wide integers are Int128, and integers beside floats Float64.
    backend : {"pandas", "polars", "pyarrow"}
        Library of the table.
    index : list of str, optional
        Names of the columns that become the index, for pandas.

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

    library = imported(backend, f"to_{backend}")
    values = {name: _values(array, library) for name, array in columns.items()}
    table = nw.from_dict(values, backend=backend).to_native()
    return table.set_index(index if len(index) > 1 else index[0]) if index else table


def imported(package: str, method: str) -> Any:  # noqa: ANN401 - a module
    """Return a package that a method needs; raise a MissingExtraError if it is not installed."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(f"{method} needs {package}, which is not installed: pip install {package}") from error


def counts_column(counts: Sequence[float]) -> AnyArray:
    """Return numbers as a column: int64 or float64, or objects if a count exceeds 64 bits or stands beside floats.

    Examples
    --------
    >>> counts_column([1, 2]).dtype, counts_column([1, 2**70]).dtype, counts_column([0.5]).dtype
    (dtype('int64'), dtype('O'), dtype('float64'))
    >>> counts_column([1, 0.5])  # the count stays exact
    array([1, 0.5], dtype=object)
    """
    kinds = {isinstance(count, int) for count in counts}
    if kinds == {True, False} or any(isinstance(count, int) and not -(2**63) <= count < 2**63 for count in counts):
        return np.array(counts, object)
    return np.array(counts, np.float64 if kinds == {False} else np.int64)


def _values(array: AnyArray, library: Any) -> Any:  # noqa: ANN401 - a module, and values that it accepts
    """Return the values of a column as the library takes them: an object array as a list of its elements."""
    if array.dtype.kind != "O":
        return array
    values = array.tolist()
    if any(isinstance(value, (str, bool)) for value in values):
        return values
    if library.__name__ == "pandas":
        return library.Series(values, dtype=object)
    if library.__name__ == "polars":
        mixed = any(isinstance(value, float) for value in values)
        return library.Series(values, dtype=library.Float64 if mixed else library.Int128, strict=False)
    return values
