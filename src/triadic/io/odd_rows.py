"""First rows that are no edges, and quotes between blanks: what ORCA and R write.

* ORCA's files begin with a row ``n m``, and m rows with ids below n follow (https://github.com/thocevar/orca). The first
  row is taken for the two sizes if exactly this holds; the row alone looks like an edge.
* R's ``write.table`` encloses names in double quotes and separates them by blanks. By default it also writes the names
  of the rows, for which the first row has no cell.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from triadic.errors import ReadWarning

if TYPE_CHECKING:
    from triadic.io.file_source import Source
    from triadic.io.text_layout import Layout

_QUOTED_ROW = re.compile(r'(?:"[^"]*"|[^\s"]+)(?:[ \t]+(?:"[^"]*"|[^\s"]+))*[ \t\r]*\Z')


def stated_sizes(source: Source, layout: Layout, rows: list[list[str]]) -> tuple[int, int] | None:
    """Return the numbers of vertices and edges that the first row states; None if it is an edge.

    The whole file is read if the first rows may belong to such a file.

    Parameters
    ----------
    source : Source
    layout : Layout
        The layout of rows without a header.
    rows : list of list of str
        Cells of the first rows.
    """
    from triadic.io.identifiers import arrays_of  # noqa: PLC0415 - Arrow takes long to import
    from triadic.io.text_layout import IrregularError, skip_lines  # noqa: PLC0415 - which imports this module
    from triadic.io.text_rows import regular_rows  # noqa: PLC0415 - as above

    n, m = map(int, rows[0])
    edges, skip = -1, layout.skip  # the first row is none
    first = True
    for chunk in source.chunks():
        lines, skip = skip_lines(chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk, skip)
        first = False
        try:
            table = regular_rows(lines, layout, numeric=True)
        except IrregularError:
            return None
        ids = [array[1 if edges < 0 else 0 :] for array in arrays_of(table["source"], table["target"])]
        if len(table):
            if any(len(part) and not 0 <= part.min() <= part.max() < n for part in ids):
                return None
            edges += len(table)
        if edges > m:
            return None
    return (n, m) if edges == m else None


def may_state_sizes(rows: list[list[str]]) -> bool:
    """Return whether the first row may be the numbers of vertices and edges, as far as the next rows tell.

    Examples
    --------
    >>> may_state_sizes([["4", "3"], ["0", "1"], ["2", "3"]]), may_state_sizes([["4", "3"], ["4", "1"]])
    (True, False)
    """
    if len(rows) < 2 or any(len(row) != 2 or not all(map(_is_number, row)) for row in rows):
        return False
    n, m = map(int, rows[0])
    return m >= len(rows) - 1 and all(int(cell) < n for row in rows[1:] for cell in row)


def warn_of_sizes(source: Source, sizes: tuple[int, int]) -> None:
    """Warn that the first row is not read as an edge."""
    n, m = sizes
    problem = (
        f"{source.name}: the first row, {n} {m}, is read as the numbers of vertices and edges, because {m} rows with ids "
        f"below {n} follow; header=False (--no-header) reads it as an edge"
    )
    warnings.warn(ReadWarning(problem), stacklevel=6)


def is_quoted_between_blanks(rows: list[str]) -> bool:
    """Return whether double quotes enclose names between blanks in each row that has quotes.

    Examples
    --------
    >>> is_quoted_between_blanks(['"from" "to"', '"New York" "Rome"']), is_quoted_between_blanks(['5" 3'])
    (True, False)
    """
    return any('"' in row for row in rows) and all('"' not in row or _QUOTED_ROW.match(row) for row in rows)


def row_names_problem(rows: list[list[str]]) -> str | None:
    """Return what is wrong with rows that have one cell more than the first row; None if they do not."""
    if len(rows) < 2 or any(len(row) != len(rows[0]) + 1 for row in rows[1:]):
        return None
    return (
        "every row has one cell more than the first row, as R's write.table writes them with the names of rows; write "
        "the table with row.names = FALSE"
    )


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) < 19
