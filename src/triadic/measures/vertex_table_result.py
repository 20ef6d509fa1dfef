"""What `triadic.vertex_table` gives: columns by name, and the same as a table of any library."""

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

_SHOWN = 10  # vertices that are printed
_WIDE = 8  # columns that are printed


class VertexTable(Mapping[str, "NDArray[Any]"]):
    """Measures of every vertex, a mapping from names of columns to arrays of shape (n,); it cannot be changed.

    NumPy takes it as a matrix of features, float64 of shape (n, columns).

    Parameters
    ----------
    columns : mapping of str to array, shape (n,)
    labels : array of int64 or of str, shape (n,)
        The vertices: their labels where each has one of its own, else their numbers.
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
        """The vertices: labels where each has one of its own, else numbers."""
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
        """Give the columns side by side: shape (n, columns), float64 unless asked otherwise."""
        features = np.empty((len(self._labels), len(self)), dtype=dtype)
        for place, column in enumerate(self._columns.values()):
            features[:, place] = column
        return features

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("columns of a VertexTable lie apart: expected copy=None or True")
        return self.to_numpy(np.float64 if dtype is None else dtype)

    def to_pandas(self) -> pd.DataFrame:
        """Give a pandas DataFrame, a row a vertex, indexed by "vertex".

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        made: pd.DataFrame = frame(self._with_vertex(), "pandas").set_index("vertex")
        return made

    def to_polars(self) -> pl.DataFrame:
        """Give a polars DataFrame, a row a vertex, its first column "vertex".

        Raises
        ------
        MissingExtraError
            polars is not installed.
        """
        made: pl.DataFrame = frame(self._with_vertex(), "polars")
        return made

    def to_arrow(self) -> pa.Table:
        """Give a pyarrow Table, a row a vertex, its first column "vertex"."""
        made: pa.Table = frame(self._with_vertex(), "pyarrow")
        return made

    def __repr__(self) -> str:
        head, shown, more = self._shown()
        cells = [head, *([str(row[0]), *(_short(value) for value in row[1:])] for row in shown)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
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
        """Give the names and rows to print, and a line about what is left out."""
        names = self.names[:_WIDE]
        rows = [
            [str(self._labels[v]), *(self._columns[name][v].item() for name in names)]
            for v in range(min(_SHOWN, len(self._labels)))
        ]
        left = {"vertices": len(self._labels) - len(rows), "columns": len(self) - len(names)}
        more = " and ".join(f"{number:,} more {what}" for what, number in left.items() if number)
        return ["vertex", *names], rows, more


def _short(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"{value:,}"
