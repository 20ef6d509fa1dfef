"""What the first rows of a text tell: whether the first one is a header, and whether the rows are edges at all.

Whether the first row holds the names of the columns:

* For: names that tables of edges have (:mod:`triadic.io.columns`), the names that the caller chose, words above a
  column of numbers or dates, a blank above the first cells of all other rows.
* Against: numbers, a word that occurs again in the rows below, comments that describe the network.

Rows of text alone may have neither, and some rows have both. In text between commas, semicolons or tabs this is an
error; rows between blanks have no header unless its names are known.

An edge list without names of columns has the two ends in its first two columns. The first rows of some tables tell that
theirs are elsewhere: adjacency matrices, tables with an index column, triples. Such a table is refused, because its
edges would be wrong. Two programs write rows of their own:

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

from triadic.io.columns import end_pairs, name_words
from triadic.io.number_rows import NotNumbersError, as_number, number_rows

if TYPE_CHECKING:
    from triadic.io.columns import EndPair
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

Rows = list[list[str]]

MISSING_VALUES = frozenset(("na", "n/a", "#n/a", "<na>", "nan", "null", "none", "-", "?"))
"""Lower-case words that stand for a missing value."""


_DATE = re.compile(r"([0-9]{4}([-./])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}([-./])[0-9]{1,2}\3[0-9]{4})(?![0-9])")


def is_number(cell: str) -> bool:
    """Whether a cell holds a number, with a point or a comma before the decimals."""
    return as_number(cell.replace(",", ".", 1)) is not None


def has_header(first: list[str], rows: Rows, options: ReadOptions, *, delimited: bool, described: bool) -> bool | None:
    """Return whether the first row is a header; None if the evidence does not tell.

    Parameters
    ----------
    first : list of str
        Cells of the first row.
    rows : list of list of str
        Cells of some rows below.
    options : ReadOptions
    delimited : bool
        Whether commas, semicolons or tabs separate the columns.
    described : bool
        Whether comments above the first row name the columns or state the direction or the sizes.

    Examples
    --------
    >>> from triadic.io.format import ReadOptions
    >>> def decide(first, *rows):
    ...     return has_header(first, list(rows), ReadOptions(), delimited=True, described=False)
    >>> decide(["gene1", "gene2"], ["BRCA1", "TP53"])
    True
    >>> decide(["anna", "bert"], ["bert", "carl"])
    False
    >>> decide(["anna", "bert"], ["carl", "dora"]) is None
    True
    """
    wanted = {name.lower() for name in (options.source, options.target) if isinstance(name, str)}
    if wanted and wanted <= {cell.lower() for cell in first}:
        return True
    if all(map(str.isdecimal, first)):
        return None if delimited and not described and _may_number_columns(first, rows) else False
    pairs = end_pairs(tuple(first))
    regular = all(len(row) == len(first) for row in rows)
    known = pairs[0] if pairs else None
    recurs = _recurs(first, rows, known)
    above = regular and bool(rows) and _above_others(first, rows)
    if known is None:
        certain = described or not delimited or not regular
        return _without_known_names(first, rows, above=above, recurs=recurs, certain=certain)
    if known.words:
        return None if recurs and not above else True
    if above:
        return None if recurs else True
    return _with_marks(first, rows, known, recurs=recurs, delimited=delimited)


def _without_known_names(first: list[str], rows: Rows, *, above: bool, recurs: bool, certain: bool) -> bool | None:
    """Decide where no names are known; `certain` if rows without evidence have no header, as irregular ones."""
    if above and _begins_with_blank(first, rows):
        return True
    if _has_numbers(first, rows) or _has_missing_value(first, rows):
        return False
    if above:
        return None if recurs else True
    return False if recurs or certain else None


def _with_marks(first: list[str], rows: Rows, pair: EndPair, *, recurs: bool, delimited: bool) -> bool | None:
    """Decide where the two names differ in a letter or a digit, as the ids of vertices do, too."""
    undecided = None if delimited else False
    if recurs:
        return False
    if not rows or any(is_number(cell) for cell in first):
        return undecided
    stems = {"".join(name_words(first[end]))[:-1] for end in (pair.source, pair.target)}
    for row in rows:
        for end in (pair.source, pair.target):
            cell = row[end].lower() if end < len(row) else ""
            if any(cell.startswith(stem) and 0 < len(cell) - len(stem) <= (3 if stem else 1) for stem in stems):
                return undecided
    return True


def _recurs(first: list[str], rows: Rows, known: EndPair | None) -> bool:
    """Whether a word of the first row occurs again as an end of an edge, or in its own column."""
    ends = (0, 1) if known is None else (0, 1, known.source, known.target)
    below = {row[end] for row in rows for end in ends if end < len(row)}
    words = {first[end] for end in ends if not is_number(first[end])} - {""}
    if not words.isdisjoint(below):
        return True
    texts = [i for i in range(2, len(first)) if first[i] and not is_number(first[i])]
    return any(row[i] == first[i] for row in rows for i in texts if i < len(row)) and known is None


def _above_others(first: list[str], rows: Rows) -> bool:
    """Whether a word stands above numbers or dates, or the row begins with a blank."""
    for cell, below in zip(first, zip(*rows, strict=True), strict=True):
        values = [value for value in below if value and value.lower() not in MISSING_VALUES]
        is_word = bool(cell) and cell.lower() not in MISSING_VALUES and not _is_value(cell)
        if is_word and values and all(map(_is_value, values)):
            return True
    return _begins_with_blank(first, rows)


def _is_value(cell: str) -> bool:
    return is_number(cell) or _DATE.match(cell) is not None


def _begins_with_blank(first: list[str], rows: Rows) -> bool:
    """Whether the row begins with the corner above an index: a blank above cells that are not blank."""
    return not first[0] and all(row[0] for row in rows)


def _has_numbers(first: list[str], rows: Rows) -> bool:
    """Whether the first row holds numbers, other than years above other numbers."""
    numbers = [i for i, cell in enumerate(first) if is_number(cell)]
    below = [row[i] for row in rows for i in numbers if i < len(row)]
    return bool(numbers) and (not all(_is_year(first[i]) for i in numbers) or all(map(_is_year, below)))


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isdecimal() and cell[:2] in ("17", "18", "19", "20")


def _has_missing_value(first: list[str], rows: Rows) -> bool:
    missing = [i for i, cell in enumerate(first) if cell.lower() in MISSING_VALUES]
    return any(i < len(row) and is_number(row[i]) for row in rows for i in missing)


def _may_number_columns(first: list[str], rows: Rows) -> bool:
    """Whether the first row counts the columns from 0, as pandas names them, and no edge has these ids."""
    if len(rows) < 2 or first != [str(i) for i in range(len(first))]:
        return False
    return {"0", "1"}.isdisjoint(cell for row in rows for cell in row[:2])


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
# A whole number below 10**18.
_is_number = re.compile(r"[0-9]{1,18}\Z").match
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
