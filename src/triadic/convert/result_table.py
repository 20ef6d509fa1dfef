"""Results whose columns are arrays of one length: how they are printed, shown in notebooks and converted to tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from triadic.convert.frames import frame
from triadic.core.notebook import html_table, text_table
from triadic.core.numbers import plural

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

_SHOWN_ROWS, _SHOWN_COLUMNS = 8, 8  # without the columns that name the rows


class ResultTable:
    """Base class of results that are tables.

    A class of results defines `_columns`, `_title` and `_rows`, and `_names_of_rows` if two columns name the rows.
    """

    __slots__ = ()

    def _columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name; the first one, or the first two, name the rows."""
        raise NotImplementedError

    def _names_of_rows(self) -> int:
        """Return the number of columns that name the rows: two for the vertices of a batch, "graph" and "label"."""
        return 1

    def _title(self) -> str:
        """Return a line about the result."""
        return type(self).__name__

    def _rows(self) -> str:
        """Return the noun for the rows, in the plural."""
        return "vertices"

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
        columns = self._columns()
        return frame(columns, "pandas", index=list(columns)[: self._names_of_rows()])

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
        shown = [_cells(columns[name][:_SHOWN_ROWS]) for name in names]
        rows = [[*map(str, row[:named]), *row[named:]] for row in zip(*shown, strict=True)]
        left = {self._rows(): total - len(rows), "columns": len(columns) - len(names)}
        more = " and ".join(plural(number, *_with_more(nouns)) for nouns, number in left.items() if number)
        return names, rows, more


def _cells(column: NDArray[Any]) -> list[Any]:
    """Return the values of a column as Python's, and dates as text, in seconds if they are whole."""
    if column.dtype.kind != "M":
        return list(column.tolist())
    return [str(value).removesuffix(".000000000") for value in column]


class ColumnTable(ResultTable, Mapping[str, "NDArray[Any]"]):
    """Base class of results that are mappings from the names of columns to arrays of one length, ``_arrays``."""

    __slots__ = ()

    _arrays: dict[str, NDArray[Any]]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._arrays)

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._arrays[name]
        except KeyError:
            raise KeyError(f"{name!r}: expected one of the names {', '.join(map(repr, self.names))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)


def _with_more(nouns: str) -> tuple[str, str]:
    """Return the singular and the plural of a noun such as "vertices", each after "more"."""
    return f"more {'vertex' if nouns == 'vertices' else nouns.removesuffix('s')}", f"more {nouns}"
