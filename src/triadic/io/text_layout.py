"""How a text file is laid out, from its first lines: separator, header row, columns."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from triadic.errors import ReadError
from triadic.io.text_comments import Comments, read_comments

if TYPE_CHECKING:
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source

_SAMPLE_ROWS = 200
_KNOWN_ENDS = (
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("fromnodeid", "tonodeid"),
    ("from_node", "to_node"),
    ("source_id", "target_id"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id_1", "id_2"),
)
_KNOWN_WEIGHTS = ("weight", "weights", "value", "sign")
_NOT_A_VALUE = {"", "na", "n/a", "null", "none", "-", "?"}

INTEGER = re.compile(r"-?[0-9]+\Z")
"""What a numeric id looks like."""


class Separator(Enum):
    """What stands between two columns."""

    TAB = "\t"
    COMMA = ","
    SEMICOLON = ";"
    BLANKS = "blanks"
    """A run of blanks and tabs."""
    ANY = "blanks, tabs or commas"
    """A run of blanks and tabs, with or without one comma or semicolon in it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a text file holds what.

    Attributes
    ----------
    separator : Separator
    quoted : bool
        Whether a cell may stand in double quotes.
    columns : int
        Columns of every row.
    source, target : int
        Columns of the two ends, from 0.
    weight : int or None
        Column of the weight, if one is asked for.
    skip : int
        Lines before the first row.
    numeric : bool
        Whether the ids of the first rows are integers.
    """

    separator: Separator = Separator.BLANKS
    quoted: bool = False
    columns: int = 2
    source: int = 0
    target: int = 1
    weight: int | None = None
    skip: int = 0
    numeric: bool = True

    def cells(self, line: str) -> list[str]:
        """Split a row into its cells, without the blanks around them."""
        if self.separator is Separator.BLANKS:
            return line.split()
        if self.separator is Separator.ANY:
            return [cell for part in re.split("[,;]", line) for cell in part.split() or [""]]
        if self.quoted and '"' in line:
            try:
                return next(csv.reader([line], delimiter=self.separator.value, skipinitialspace=True), [])
            except csv.Error:
                return [line]
        return [cell.strip() for cell in line.split(self.separator.value)]


@dataclass
class _Sample:
    """The first lines of a file."""

    comments: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    skip: int = 0


def read_layout(source: Source, asked: Asked, *, prefer: Separator) -> tuple[Comments, list[Layout]]:
    """Find out how a text file is laid out.

    Parameters
    ----------
    source : Source
        Its head grows until it holds a row.
    asked : Asked
    prefer : Separator
        The separator to try first.

    Returns
    -------
    Comments
    list of Layout
        The likeliest first, then looser ones that later rows may need; none if there are no rows.

    Raises
    ------
    ReadError
        A column that is asked for does not exist, or the first row holds one cell.
    """
    sample = _sample(source.head, whole=source.whole)
    while not sample.rows and not source.whole:
        source.grow_head(4 * len(source.head))
        sample = _sample(source.head, whole=source.whole)
    comments = read_comments(sample.comments)
    if not sample.rows:
        return comments, []
    separator = _separator(sample.rows[0], prefer)
    likeliest = _layout(source, separator, sample, comments, asked)
    if likeliest.skip > sample.skip and len(sample.rows) == 1 and source.whole:
        return comments, []
    layouts = [likeliest]
    for looser in (Separator.BLANKS, Separator.ANY):
        if looser is not separator:
            with suppress(ReadError):
                layouts.append(_layout(source, looser, sample, comments, asked))
    # Names may hold blanks between tabs: then blanks separate nothing.
    if separator is not Separator.BLANKS and not _tabs_are_blanks(sample.rows):
        layouts = [layout for layout in layouts if layout.numeric or layout.separator is not Separator.BLANKS]
    return comments, layouts


def _tabs_are_blanks(rows: list[str]) -> bool:
    """Say whether rows are separated by tabs, and no cell between tabs holds a blank."""
    tabbed = [row for row in rows if "\t" in row]
    return bool(tabbed) and not any(" " in cell.strip() for row in tabbed for cell in row.split("\t"))


def _sample(head: bytes, *, whole: bool) -> _Sample:
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if not whole:
        lines = lines[:-1]
    sample = _Sample()
    for line in lines:
        text = line.decode("utf-8", "surrogateescape").strip(" \t")
        if text and text[0] not in "#%":
            sample.rows.append(text)
            if len(sample.rows) == _SAMPLE_ROWS:
                break
        elif not sample.rows:
            sample.skip += 1
            if text:
                sample.comments.append(text)
    return sample


def _separator(row: str, prefer: Separator) -> Separator:
    order = (prefer, Separator.TAB, Separator.COMMA, Separator.SEMICOLON)
    return next((separator for separator in order if separator.value in row), Separator.BLANKS)


def _layout(source: Source, separator: Separator, sample: _Sample, comments: Comments, asked: Asked) -> Layout:
    layout = Layout(separator=separator, quoted=_is_quoted(separator, sample.rows))
    first, *rest = (layout.cells(row) for row in sample.rows)
    columns = len(first)
    if columns < 2:
        problem = f"found one id ({short(sample.rows[0])}), expected a source and a target"
        raise source.error(problem, line=sample.skip + 1)
    names = list(comments.names) if len(comments.names) == columns else []
    header = _known_ends(names) is None and _is_header(first, rest, asked)
    if header:
        names = first
    ends = _ends(source, names, asked)
    rows = rest if header else [first, *rest]
    return replace(
        layout,
        columns=columns,
        source=ends[0],
        target=ends[1],
        weight=_weight_column(source, names, ends, columns, asked),
        skip=sample.skip + header,
        numeric=all(INTEGER.match(row[end]) for row in rows for end in ends if end < len(row)),
    )


def _is_quoted(separator: Separator, rows: list[str]) -> bool:
    if separator is Separator.TAB:
        # Names with a stray quote are common between tabs, so quotes count only where they enclose a cell.
        cells = [cell.strip() for row in rows for cell in row.split("\t")]
        return any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
    return separator in (Separator.COMMA, Separator.SEMICOLON)


def _is_header(first: list[str], rest: list[list[str]], asked: Asked) -> bool:
    if any(_is_number(cell) for cell in first):
        return False
    lower = [name.lower() for name in first]
    if _known_ends(lower) is not None or {asked.source.lower(), asked.target.lower()} <= set(lower):
        return True
    if not rest or any(len(row) != len(first) for row in rest):
        return False
    columns = zip(*rest, strict=True)
    return any(
        cell.lower() not in _NOT_A_VALUE and all(_is_number(below) for below in cells)
        for cell, cells in zip(first, columns, strict=True)
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _known_ends(names: tuple[str, ...] | list[str]) -> tuple[int, int] | None:
    lower = [name.lower() for name in names]
    return next(((lower.index(a), lower.index(b)) for a, b in _KNOWN_ENDS if a in lower and b in lower), None)


def _ends(source: Source, names: list[str], asked: Asked) -> tuple[int, int]:
    if asked.names_columns:
        return _column(source, names, asked.source), _column(source, names, asked.target)
    return _known_ends(names) or (0, 1)


def _weight_column(source: Source, names: list[str], ends: tuple[int, int], columns: int, asked: Asked) -> int | None:
    wanted = asked.weights
    if wanted is None or wanted is False:
        return None
    if isinstance(wanted, str):
        wanted = _column(source, names, wanted)
    elif wanted is True:
        lower = [name.lower() for name in names]
        wanted = next((lower.index(name) for name in _KNOWN_WEIGHTS if name in lower), 2)
    if wanted >= columns:
        raise source.error(f"weights={asked.weights!r}: no column {wanted}, rows have the columns 0 to {columns - 1}")
    if wanted in ends:
        raise source.error(f"weights={asked.weights!r}: the column {wanted} holds ids, expected another")
    return wanted


def _column(source: Source, names: list[str], name: str) -> int:
    if name in names:
        return names.index(name)
    lower = [each.lower() for each in names]
    if name.lower() in lower:
        return lower.index(name.lower())
    known = f"the columns are {', '.join(names)}" if names else "its columns have no names"
    raise source.error(f"there is no column {name!r}; {known}")


def short(text: str) -> str:
    """Return a line or a cell as an error message shows it."""
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return ascii(shown)
