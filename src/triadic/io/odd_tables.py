"""Tables and rows that look like edge lists and are none: adjacency matrices, tables with an index column, triples.

An edge list without names of columns has the two ends in its first two columns. The first rows of some tables tell that
theirs are elsewhere; such a table is refused, because its edges would be wrong. Two programs write rows of their own:

* ORCA's files begin with a row ``n m``, and m rows with ids below n follow (https://github.com/thocevar/orca). The
  first row is taken for the two sizes if exactly this holds and m is at least 3; the row alone looks like an edge.
  Other programs count from 1, add a column of weights, or state n alone.
* R's ``write.table`` encloses names in double quotes and separates them by blanks. By default it also writes the names
  of the rows, for which the first row has no cell.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.header_row import is_number
from triadic.io.number_rows import NotNumbersError, number_rows

if TYPE_CHECKING:
    from triadic.io.file_source import Source

Rows = list[list[str]]

_CHOOSE = "pass source= and target= (--source and --target)"
_MATRIX = (
    "this looks like an adjacency matrix, expected a row for each edge; read it with NumPy or pandas and pass "
    "scipy.sparse.csr_array(matrix) to triadic.Graph"
)
_FEWEST_ROWS = 3
_ROWS_OF_IDS = 10


def matrix_problem(rows: Rows, *, complete: bool) -> str | None:
    """Return the problem if the rows are those of an adjacency matrix, with or without names.

    Parameters
    ----------
    rows : list of list of str
        Cells of the first rows; a row of blanks alone may have none.
    complete : bool
        Whether these are all the rows of the file.

    Examples
    --------
    >>> matrix_problem([["", "a", "b"], ["a", "0", "1"], ["b", "1", "0"]], complete=True) is None
    False
    >>> matrix_problem([["0", "1", "7"], ["1", "2", "7"]], complete=True) is None
    True
    """
    first, below = rows[0], rows[1:]
    for names in (first[1:], first):  # the corner above the names of the rows is a cell of its own, or missing
        named = ["".join(row[:1]) for row in below]
        as_many = len(named) == len(names) or (not complete and len(named) <= len(names))
        fewest = _FEWEST_ROWS if all(map(is_number, named)) else 2
        if as_many and len(named) >= fewest and named == names[: len(named)] and (not first[0] or fewest == 2):
            return _MATRIX
    return _MATRIX if _is_square(rows, complete) or _is_square(below, complete) else None


def _is_square(rows: Rows, complete: bool) -> bool:
    """Whether rows of numbers have a constant diagonal, and are as many as the columns, as far as they are known."""
    n = len(rows[0]) if rows else 0
    if n < _FEWEST_ROWS or not _FEWEST_ROWS <= len(rows) <= n or (complete and len(rows) != n):
        return False
    if any(len(row) != n for row in rows):
        return False
    diagonal = {row[i] for i, row in enumerate(rows)}
    if len(diagonal) != 1 or (n == _FEWEST_ROWS and diagonal != {"0"}):
        return False
    return all(is_number(cell) for row in rows for cell in row)


def unnamed_problem(rows: Rows, *, delimited: bool, commas: bool) -> str | None:
    """Return the problem if the first two columns of three or more are not plainly the ends.

    Parameters
    ----------
    rows : list of list of str
        Cells of the first rows.
    delimited : bool
        Whether commas, semicolons or tabs separate the columns.
    commas : bool
        Whether commas or semicolons do.

    Examples
    --------
    >>> unnamed_problem([["0", "7", "9"], ["1", "9", "5"], ["2", "5", "7"]], delimited=True, commas=True)[:60]
    'column 0 numbers the rows, so that columns 1 and 2 may be th'
    """
    if any(len(row) != len(rows[0]) for row in rows):  # the error of the row that differs is plainer
        return None
    columns = [[row[i] for row in rows] for i in range(3)]
    first, second, third = columns
    digits = [all(cell[:1].isdigit() for cell in column) for column in columns]
    texts = [not any(cell[:1].isdigit() or cell[:1] in ("", "{", "[", "-") for cell in column) for column in columns]
    numbers = [all(map(is_number, column)) for column in columns]
    problem = None
    if commas and ((digits[0] and texts[1] and texts[2]) or _are_row_ids(first, second, third)):
        problem = "column 0 numbers the rows, so that columns 1 and 2 may be the ends"
    elif _are_times(first, second, third):
        problem = "column 0 may hold times, and columns 1 and 2 the ends"
    elif all(cell and not any(map(str.isalnum, cell)) for cell in second):
        problem = f"column 1 holds marks such as {second[0]!r}, so that columns 0 and 2 may be the ends"
    elif delimited and numbers[0] != numbers[1]:
        problem = f"column {0 if numbers[0] else 1} holds numbers and column {1 if numbers[0] else 0} names"
    elif all(texts) and set(first).isdisjoint(second):
        kinds, ends = len(set(second)), min(len(set(first)), len(set(third)))
        if delimited or not set(first).isdisjoint(third) or kinds < ends:
            problem = "column 1 may be a relation between the names in columns 0 and 2"
    return problem and f"{problem}; {_CHOOSE}"


def _are_row_ids(first: list[str], second: list[str], third: list[str]) -> bool:
    """Whether the first of three columns of whole numbers numbers the rows, and the third may hold ends."""
    if not _are_whole_numbers(first, second, third):
        return False
    numbers = [int(cell) for cell in first]
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) >= _FEWEST_ROWS and steps == {1} and len(set(third)) > 1:
        return True
    rising = len(numbers) >= _ROWS_OF_IDS and min(steps) > 0 and set(first).isdisjoint(second)
    ends = set(third)
    return rising and 4 * len(ends) > len(numbers) and 2 * len(ends & set(second)) >= len(ends)


def _are_times(first: list[str], second: list[str], third: list[str]) -> bool:
    """Whether the first column never falls and is above the others, and the third holds ids of the second."""
    if len(first) < _ROWS_OF_IDS or not _are_whole_numbers(first, second, third):
        return False
    times = [int(cell) for cell in first]
    if times[0] == times[-1] or any(after < before for before, after in pairwise(times)):
        return False
    targets = set(third)
    as_ids = 8 * len(targets) > len(third) and 2 * len(targets & set(second)) >= len(targets)
    return as_ids and times[0] > max(int(cell) for cell in (*second, *third))


def _are_whole_numbers(*columns: list[str]) -> bool:
    return all(_is_number(cell) for column in columns for cell in column)


_FEWEST_EDGES, _CERTAIN_EDGES = 3, 20  # with fewer, the ids of a list of edges fit by chance
_COMMENT_LINES = re.compile(rb"^[ \t]*[#%][^\n]*", re.MULTILINE)
_QUOTED_ROW = re.compile(r'(?:"[^"]*"|[^\s"]+)(?:[ \t]+(?:"[^"]*"|[^\s"]+))*[ \t\r]*\Z')


def stated_sizes(source: Source, rows: list[list[str]]) -> tuple[int, ...] | None:
    """Return the numbers of vertices and edges that the first row states, or the first of them; None if it is an edge.

    The whole file is read. If the first row has as many cells as the others, a warning tells that it is none.

    Parameters
    ----------
    source : Source
    rows : list of list of str
        Cells of the first rows, of which `may_state_sizes` is true.

    Raises
    ------
    ReadError
        The first row may be an edge as well.
    """
    sizes, width = tuple(map(int, rows[0])), len(rows[1])
    n, edges, least, most = sizes[0], -1, 1, 0
    for chunk in source.chunks():
        try:
            lines = _COMMENT_LINES.sub(b"", chunk.removeprefix(b"\xef\xbb\xbf"))
            found = number_rows([lines], integers=width == 2)
        except NotNumbersError:
            return None
        first = int(edges < 0 < len(found.values))  # the first row is no edge
        lengths, ids = found.lengths[found.lengths > 0][first:], found.values[first * len(sizes) :]
        edges += len(lengths) + first
        if np.any(lengths != width) or (len(sizes) > 1 and edges > sizes[1]):
            return None
        ids = ids.reshape(-1, width)[:, :2]
        least, most = min(least, ids.min(initial=1)), max(most, ids.max(initial=0))
        if least < 0 or most > n - (least < 1):
            return None
    if edges != sizes[-1] and len(sizes) > 1:
        return None
    if len(sizes) == width:
        stated, edge = f"the first row, {' '.join(rows[0])},", "header=False (--no-header) reads it as an edge"
        if most == n and edges < _CERTAIN_EDGES:
            raise source.error(
                f"{stated} may be the numbers of vertices and edges, because {edges} rows with ids up to {n} follow, "
                f"or an edge; header=True (--header) leaves it out, and {edge}"
            )
        source.warn(
            f"{stated} is read as the numbers of vertices and edges, because {edges} rows with ids "
            f"{f'up to {n}' if most == n else f'below {n}'} follow; {edge}"
        )
    return sizes


def may_state_sizes(rows: list[list[str]]) -> bool:
    """Return whether the first row may be the numbers of vertices and edges, as far as the next rows tell.

    Examples
    --------
    >>> may_state_sizes([["4", "3"], ["0", "1"], ["2", "3"]]), may_state_sizes([["4", "3"], ["5", "1"]])
    (True, False)
    """
    first, below = rows[0], rows[1:]
    if len(first) not in (1, 2) or not below or len(below[0]) < max(2, len(first)) or not all(map(_is_number, first)):
        return False
    n, m = int(first[0]), int(first[1]) if len(first) > 1 else len(below)
    if m < max(len(below), _FEWEST_EDGES) or any(len(row) != len(below[0]) for row in below):
        return False
    return all(_is_number(cell) and int(cell) <= n for row in below for cell in row[:2])


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
