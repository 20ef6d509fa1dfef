"""The result of `triadic.vertex_table`: columns by name, which convert to the tables of other libraries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.frames import frame
from triadic.core.notebook import html_table
from triadic.core.oriented import frozen

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import DTypeLike, NDArray

_SHOWN_VERTICES, _SHOWN_COLUMNS = 10, 8  # in the printed table


class VertexTable(Mapping[str, "NDArray[Any]"]):
    """Measures of each vertex: an immutable mapping from the names of columns to arrays of shape (n,).

    ``numpy.asarray`` of a table returns a matrix of features, float64 of shape (n, columns).

    Parameters
    ----------
    columns : mapping of str to array, shape (n,)
        Columns of the table by name.
    labels : array of int64 or of str, shape (n,)
        Labels of the vertices, or their numbers if the labels are not all different.

    See Also
    --------
    vertex_table : Compute a table.

    Examples
    --------
    >>> import numpy as np
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> table = triadic.vertex_table(graph, ["degree", "triangles"])
    >>> table.names, np.asarray(table).shape
    (('degree', 'triangles'), (4, 2))
    """

    __slots__ = ("_columns", "_labels")

    def __init__(self, columns: Mapping[str, NDArray[Any]], labels: NDArray[Any]) -> None:
        self._columns = {name: frozen(column) for name, column in columns.items()}
        self._labels = frozen(labels)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    @property
    def labels(self) -> NDArray[Any]:
        """Labels of the vertices, or their numbers if the labels are not all different."""
        return self._labels

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"{name!r}: expected one of the names {', '.join(map(repr, self.names))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._columns, self._labels)

    def to_numpy(self, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """Return the columns as a matrix.

        Parameters
        ----------
        dtype : dtype_like, default float64
            Type of the elements.

        Returns
        -------
        array of `dtype`, shape (n, columns)
            The columns in the order of `names`.
        """
        features = np.empty((len(self._labels), len(self)), dtype=dtype)
        for index, column in enumerate(self._columns.values()):
            features[:, index] = column
        return features

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the columns of a VertexTable are separate arrays: expected copy=None or True")
        return self.to_numpy(np.float64 if dtype is None else dtype)

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per vertex and one column per measure; the index "vertex" is `labels`.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        table: pd.DataFrame = frame(self._with_vertex(), "pandas").set_index("vertex")
        return table

    def to_polars(self) -> pl.DataFrame:
        """Return the table as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            One row per vertex; the first column "vertex" holds `labels`, the others the measures.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        table: pl.DataFrame = frame(self._with_vertex(), "polars")
        return table

    def to_arrow(self) -> pa.Table:
        """Return the table as a pyarrow Table.

        Returns
        -------
        pyarrow.Table
            One row per vertex; the first column "vertex" holds `labels`, the others the measures.
        """
        table: pa.Table = frame(self._with_vertex(), "pyarrow")
        return table

    def __repr__(self) -> str:
        head, shown, more = self._shown()
        cells = [head, *([str(row[0]), *(_short(value) for value in row[1:])] for row in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if index == 0 else cell.rjust(width)
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        return "\n".join([f"VertexTable of {len(self._labels):,} vertices", *lines, *([more] if more else [])])

    def _repr_html_(self) -> str:
        head, shown, more = self._shown()
        return html_table(f"Vertex table, {len(self._labels):,} vertices", head, shown, below=more)

    def _with_vertex(self) -> dict[str, NDArray[Any]]:
        return {"vertex": self._labels} | self._columns

    def _shown(self) -> tuple[list[str], list[list[Any]], str]:
        """Return the header and rows to print, and a line with the numbers of vertices and columns that are not."""
        names = self.names[:_SHOWN_COLUMNS]
        rows = [
            [str(self._labels[v]), *(self._columns[name][v].item() for name in names)]
            for v in range(min(_SHOWN_VERTICES, len(self._labels)))
        ]
        left = {"vertices": len(self._labels) - len(rows), "columns": len(self) - len(names)}
        more = " and ".join(f"{number:,} more {noun}" for noun, number in left.items() if number)
        return ["vertex", *names], rows, more


def _short(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"{value:,}"
