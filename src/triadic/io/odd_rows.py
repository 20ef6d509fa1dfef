"""First rows that are no edges, and quotes between blanks: what ORCA and R write.

* ORCA's files begin with a row ``n m``, and m rows with ids below n follow (https://github.com/thocevar/orca). The
  first row is taken for the two sizes if exactly this holds and m is at least 3; the row alone looks like an edge.
* R's ``write.table`` encloses names in double quotes and separates them by blanks. By default it also writes the names
  of the rows, for which the first row has no cell.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ReadWarning
from triadic.io.number_rows import NotNumbersError, number_rows

if TYPE_CHECKING:
    from triadic.io.file_source import Source

_FEWEST_EDGES = 3  # with fewer, the ids of a list of edges fit by chance
_COMMENT_LINES = re.compile(rb"^[ \t]*[#%][^\n]*", re.MULTILINE)
_QUOTED_ROW = re.compile(r'(?:"[^"]*"|[^\s"]+)(?:[ \t]+(?:"[^"]*"|[^\s"]+))*[ \t\r]*\Z')


def stated_sizes(source: Source, rows: list[list[str]]) -> tuple[int, int] | None:
    """Return the numbers of vertices and edges that the first row states; None if it is an edge.

    The whole file is read.

    Parameters
    ----------
    source : Source
    rows : list of list of str
        Cells of the first rows, of which `may_state_sizes` is true.
    """
    n, m = map(int, rows[0])
    edges = -1  # the first row is none
    for chunk in source.chunks():
        try:
            found = number_rows([_COMMENT_LINES.sub(b"", chunk.removeprefix(b"\xef\xbb\xbf"))], integers=True)
        except NotNumbersError:
            return None
        lengths = found.lengths[found.lengths > 0]
        ids = found.values[2 if edges < 0 else 0 :]
        if np.any(lengths != 2) or np.any((ids < 0) | (ids >= n)):
            return None
        edges += len(lengths)
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
    return m >= max(len(rows) - 1, _FEWEST_EDGES) and all(int(cell) < n for row in rows[1:] for cell in row)


def warn_of_sizes(source: Source, sizes: tuple[int, int]) -> None:
    """Warn that the first row is not read as an edge."""
    n, m = sizes
    problem = (
        f"{source.name}: the first row, {n} {m}, is read as the numbers of vertices and edges, because {m} rows with "
        f"ids below {n} follow; header=False (--no-header) reads it as an edge"
    )
    warnings.warn(ReadWarning(problem), stacklevel=7)


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
