"""The layout of a text file, from its first lines: comments, separator, header row, columns.

The comments before the first row may describe the network:

* SNAP: ``# Directed graph: name``, ``# Nodes: 82168 Edges: 948464``, ``# FromNodeId  ToNodeId  Sign``.
  (https://snap.stanford.edu/data)
* KONECT: ``% asym posweighted``, ``% 1899 20296 20296``: relationships, then the sizes of the two sets of vertices,
  the same one twice unless the network is ``bip``. (http://konect.cc, Handbook, section 9)
"""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from triadic.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions


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
"""The pattern of an integer id."""


NOT_TEXT = bytes(set(range(32)) - set(b"\t\n\r") | {127})
"""Bytes that no line of a text file holds."""
_CONTROL = re.compile(b"[" + re.escape(NOT_TEXT) + b"]")


class IrregularError(Exception):
    """The rows do not have the layout that they were parsed with."""


class Separator(Enum):
    """The separator of two columns."""

    TAB = "\t"
    COMMA = ","
    SEMICOLON = ";"
    BLANKS = "blanks"
    """A run of blanks and tabs."""
    ANY = "blanks, tabs or commas"
    """A run of blanks and tabs, with or without one comma or semicolon in it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a text file.

    Attributes
    ----------
    separator : Separator
    quoted : bool
        Whether cells may be enclosed in double quotes.
    columns : int
        Number of columns of every row.
    source, target : int
        Indices of the columns of the two ends, from 0.
    weight : int or None
        Index of the column of weights; None without weights.
    skip : int
        Number of lines before the first row.
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


@dataclass(frozen=True, slots=True)
class ParseMode:
    """One way to parse the rows of a file.

    Attributes
    ----------
    layout : Layout
    numeric : bool
        Whether ids are parsed as integers, otherwise as names.
    unchanged : bool
        Whether the lines are parsed as they stand, otherwise made regular first.
    columns : int
        Columns of lines that are parsed unchanged; 0 for the number of columns of the first row.
    """

    layout: Layout
    numeric: bool
    unchanged: bool = False
    columns: int = 0


def parse_modes(layouts: list[Layout]) -> Iterator[ParseMode]:
    """Yield the ways to parse a file in the order in which they are tried."""
    if layouts[0].numeric:
        yield ParseMode(layouts[0], numeric=True, unchanged=True)
    for layout in layouts:
        if layout.separator in (Separator.ANY, Separator.BLANKS) and layout.numeric:
            yield ParseMode(layout, numeric=True)
    for layout in layouts:
        # Commas that separate columns in the first row must not become part of a name.
        if layout is layouts[0] or (layout.separator is Separator.BLANKS and layouts[0].separator is Separator.TAB):
            yield ParseMode(layout, numeric=False)


@dataclass
class _Sample:
    """The first lines of a file."""

    comments: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    skip: int = 0


def read_layout(source: Source, options: ReadOptions, *, prefer: Separator) -> tuple[Comments, list[Layout]]:
    """Return the likely layouts of a text file.

    Parameters
    ----------
    source : Source
        Its head grows until it holds a row.
    options : ReadOptions
    prefer : Separator
        The separator to try first.

    Returns
    -------
    Comments
    list of Layout
        The likeliest layout first, then looser ones that later rows may need; empty if there are no rows.

    Raises
    ------
    ReadError
        A column in the options does not exist, or the first row holds only one cell.
    """
    sample = _sample(source.head, whole=source.whole)
    while not sample.rows and not source.whole:
        source.grow_head(4 * len(source.head))
        sample = _sample(source.head, whole=source.whole)
    comments = read_comments(sample.comments)
    if not sample.rows:
        return comments, []
    separator = _separator(sample.rows[0], prefer)
    likeliest = _layout(source, separator, sample, comments, options)
    if likeliest.skip > sample.skip and len(sample.rows) == 1 and source.whole:
        return comments, []
    layouts = [likeliest]
    for looser in (Separator.BLANKS, Separator.ANY):
        if looser is not separator:
            with suppress(ReadError):
                layouts.append(_layout(source, looser, sample, comments, options))
    # Names between tabs may hold blanks; then blanks do not separate columns.
    if separator is not Separator.BLANKS and not _tabs_are_blanks(sample.rows):
        layouts = [layout for layout in layouts if layout.numeric or layout.separator is not Separator.BLANKS]
    return comments, layouts


def _tabs_are_blanks(rows: list[str]) -> bool:
    """Whether columns are separated by tabs, and no cell between tabs holds a blank."""
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


def _layout(source: Source, separator: Separator, sample: _Sample, comments: Comments, options: ReadOptions) -> Layout:
    layout = Layout(separator=separator, quoted=_is_quoted(separator, sample.rows))
    first, *rest = (layout.cells(row) for row in sample.rows)
    columns = len(first)
    if columns < 2:
        problem = f"found one id ({short(sample.rows[0])}), expected a source and a target"
        raise source.error(problem, line=sample.skip + 1)
    names = list(comments.names) if len(comments.names) == columns else []
    header = _known_ends(names) is None and _is_header(first, rest, options)
    if header:
        names = first
    ends = _ends(source, names, options)
    rows = rest if header else [first, *rest]
    return replace(
        layout,
        columns=columns,
        source=ends[0],
        target=ends[1],
        weight=_weight_column(source, names, ends, columns, options),
        skip=sample.skip + header,
        numeric=all(INTEGER.match(row[end]) for row in rows for end in ends if end < len(row)),
    )


def _is_quoted(separator: Separator, rows: list[str]) -> bool:
    if separator is Separator.TAB:
        # Names with a single quote are common between tabs: quotes count only if they enclose a cell.
        cells = [cell.strip() for row in rows for cell in row.split("\t")]
        return any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
    return separator in (Separator.COMMA, Separator.SEMICOLON)


def _is_header(first: list[str], rest: list[list[str]], options: ReadOptions) -> bool:
    if any(_is_number(cell) for cell in first):
        return False
    lower = [name.lower() for name in first]
    if _known_ends(lower) is not None or {options.source.lower(), options.target.lower()} <= set(lower):
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


def _ends(source: Source, names: list[str], options: ReadOptions) -> tuple[int, int]:
    if options.names_columns:
        return _column(source, names, options.source), _column(source, names, options.target)
    return _known_ends(names) or (0, 1)


def _weight_column(
    source: Source, names: list[str], ends: tuple[int, int], columns: int, options: ReadOptions
) -> int | None:
    wanted = options.weights
    if wanted is None or wanted is False:
        return None
    if isinstance(wanted, str):
        wanted = _column(source, names, wanted)
    elif wanted is True:
        lower = [name.lower() for name in names]
        wanted = next((lower.index(name) for name in _KNOWN_WEIGHTS if name in lower), 2)
    if wanted >= columns:
        raise source.error(f"weights={options.weights!r}: there is no column {wanted}, expected 0 to {columns - 1}")
    if wanted in ends:
        raise source.error(f"weights={options.weights!r}: column {wanted} holds ids, expected another column")
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
    """Return a line or a cell in the form for error messages."""
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return ascii(shown)


_DIRECTION = re.compile(r"(un)?directed\b", re.IGNORECASE)
_DIRECTION_INSIDE = re.compile(r"\b(un)?directed (?:graph|network)\b", re.IGNORECASE)
_NODES = re.compile(r"\bnodes:\s*(\d+)\b", re.IGNORECASE)
_KONECT = re.compile(r"(sym|asym|bip)\b")
_KONECT_SIZES = re.compile(r"\d+\s+(\d+)\s+(\d+)\s*\Z")


@dataclass(frozen=True, slots=True)
class Comments:
    """The description of a network in the comments before the first row.

    Attributes
    ----------
    directed : bool or None
    bipartite : bool
        Whether sources and targets are two different sets of vertices.
    sizes : tuple of int
        Numbers of vertices: none, one, or one for each of the two sets.
    names : tuple of str
        Words of the last comment, which name the columns if there are as many words as columns.
    """

    directed: bool | None = None
    bipartite: bool = False
    sizes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


def read_comments(lines: list[str]) -> Comments:
    """Read the comments before the first row.

    Parameters
    ----------
    lines : list of str
        Each begins with ``#`` or ``%``.

    Returns
    -------
    Comments

    Examples
    --------
    >>> read_comments(["# Undirected graph: roads", "# Nodes: 12 Edges: 30", "# FromNodeId ToNodeId"])
    Comments(directed=False, bipartite=False, sizes=(12,), names=('FromNodeId', 'ToNodeId'))
    >>> read_comments(["% bip unweighted", "% 30 12 7"]).sizes
    (12, 7)
    """
    if not lines:
        return Comments()
    first = _KONECT.match(lines[0].lstrip("% \t")) if lines[0][0] == "%" else None
    if first:
        sizes = _KONECT_SIZES.match(lines[1].lstrip("% \t")) if len(lines) > 1 else None
        numbers = tuple(int(size[:20]) for size in sizes.groups()) if sizes else ()
        bipartite = first[1] == "bip"
        one = (max(numbers),) if numbers else ()
        return Comments(directed=first[1] == "asym", bipartite=bipartite, sizes=numbers if bipartite else one)
    words = [line.lstrip("#% \t") for line in lines]
    directed = next((match[1] is None for word in words if (match := _DIRECTION.match(word))), None)
    if directed is None:
        directed = next((match[1] is None for word in words if (match := _DIRECTION_INSIDE.search(word))), None)
    nodes = next((match[1] for word in words if (match := _NODES.search(word))), None)
    return Comments(
        directed=directed,
        sizes=() if nodes is None else (int(nodes[:20]),),
        names=tuple(part for part in re.split(r"[\s,;]+", words[-1]) if part),
    )


def binary_data(source: Source) -> ReadError | None:
    """Return the error for the first bytes of the head that are not text."""
    if _CONTROL.search(source.head) is None:
        return None
    for number, line in enumerate(source.head.splitlines(), 1):
        problem = binary_problem(line)
        if problem is not None:
            return source.error(problem, line=number)
    return None


def binary_problem(line: bytes) -> str | None:
    """Return what is wrong with a line that holds bytes other than text; None if it is text."""
    found = _CONTROL.search(line)
    return None if found is None else f"found binary data (the byte 0x{found[0][0]:02x}), expected lines of text"
