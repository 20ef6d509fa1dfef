"""Whether the first row of a text holds the names of its columns: the evidence for and against.

* For: names that tables of edges have (:mod:`triadic.io.columns`), the names that the caller chose, words above a
  column of numbers or dates, a blank above the first cells of all other rows.
* Against: numbers, a word that occurs again in the rows below, comments that describe the network.

Rows of text alone may have neither, and some rows have both. In text between commas, semicolons or tabs this is an
error; rows between blanks have no header unless its names are known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triadic.io.columns import end_pairs, name_words

if TYPE_CHECKING:
    from triadic.io.columns import EndPair
    from triadic.io.format import ReadOptions

Rows = list[list[str]]

MISSING_VALUES = frozenset(("na", "n/a", "#n/a", "<na>", "nan", "null", "none", "-", "?"))
"""Lower-case words that stand for a missing value."""


_DATE = re.compile(r"([0-9]{4}([-./])[0-9]{1,2}\2[0-9]{1,2}|[0-9]{1,2}([-./])[0-9]{1,2}\3[0-9]{4})(?![0-9])")


def is_number(cell: str) -> bool:
    """Whether a cell holds a number, with a point or a comma before the decimals."""
    try:
        float(cell.replace(",", ".", 1))
    except ValueError:
        return False
    return True


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
        return _without_known_names(first, rows, above=above, recurs=recurs, certain=described or not delimited)
    if known.words:
        return None if recurs and not above else True
    if above:
        return None if recurs else True
    return _with_marks(first, rows, known, recurs=recurs, delimited=delimited)


def _without_known_names(first: list[str], rows: Rows, *, above: bool, recurs: bool, certain: bool) -> bool | None:
    """Decide where no names are known; `certain` if rows without evidence have no header."""
    if above and _begins_with_blank(first, rows):
        return True
    if _has_numbers(first, rows) or _has_missing_value(first, rows):
        return False
    if above:
        return None if recurs else True
    regular = all(len(row) == len(first) for row in rows)
    return False if recurs or certain or not regular else None


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
