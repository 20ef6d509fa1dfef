"""The layout of a text file, from its first lines: comments, separator, header row, columns."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import filterfalse, pairwise
from operator import methodcaller
from typing import TYPE_CHECKING

from triadic.core.records import value_class
from triadic.errors import ReadError
from triadic.io.columns import ColumnsError, end_pairs, plain_name
from triadic.io.file_source import short
from triadic.io.first_rows import (
    has_header,
    is_quoted_between_blanks,
    matrix_problem,
    may_state_sizes,
    row_names_problem,
    stated_sizes,
    unnamed_problem,
)
from triadic.io.graph_names import (
    GRAPH_NAMES,
    Comments,
    chosen_columns,
    listed_part,
    read_comments,
    stated_kind,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions


_SAMPLE_ROWS, _MOST_SAMPLE_ROWS, _MOST_TITLES = 200, 5000, 5
INTEGER = re.compile(r"-?[0-9]+\Z")
"""The pattern of an integer."""
NUMBER_ID = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
"""The pattern of an id that is a number; one with a leading zero, such as a postcode or ``007``, is a name."""


NOT_TEXT = bytes(set(range(32)) - set(b"\t\n\r") | {127})
"""Bytes that no line of a text file holds."""
# Blanks as the parsers of rows take them: other spaces of Unicode are letters of a name.
_BLANKS = " \t\r"
_BLANK_CELL = re.compile(f"[^{_BLANKS}]+")
_QUOTED_CELL = re.compile(f'"((?:[^"]|"")*)"|([^{_BLANKS}]+)')
_HASHTAGS = re.compile(rb"^#[^\s#,;]+[ \t,;]+#[^\s#,;]+[ \t\r]*$", re.MULTILINE)
_CONTROL = re.compile(b"[" + re.escape(NOT_TEXT) + b"]")


class IrregularError(Exception):
    """The rows do not have the layout that they were parsed with; `place` is that of their file in a sequence."""

    place = 0


class Separator(Enum):
    """The separator of two columns."""

    TAB = "\t"
    COMMA = ","
    SEMICOLON = ";"
    BLANKS = "blanks"
    """A run of blanks and tabs."""
    ANY = "blanks, tabs or commas"
    """A run of blanks and tabs, with or without one comma or semicolon in it."""


_BESIDE_COMMAS = (Separator.SEMICOLON, Separator.TAB)


@value_class
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
        Whether the ids of the first rows are integers; of a way to parse the rows, whether they are parsed as integers,
        otherwise as names.
    unchanged : bool
        Whether the lines are parsed as they stand, otherwise made regular first.
    skips : bool
        Whether rows that cannot be read are left out.
    names : tuple of str
        Names in the header.
    taken : str
        Which columns are read, in words.
    others : tuple of (str, int)
        Names and indices of further columns that are kept.
    kind : int or None
        Index of a column that states for each edge whether it is directed, as in Gephi's tables; None without one.
    directed : bool or None
        The direction that the column ``kind`` states in the first rows.
    decimal : str
        The character before the decimals of a weight.
    weight_type : {"float64", "int64", "string"}
        Arrow's type for the column of weights; times of events, which take its place, may be of another type.
    """

    separator: Separator = Separator.BLANKS
    quoted: bool = False
    columns: int = 2
    source: int = 0
    target: int = 1
    weight: int | None = None
    skip: int = 0
    numeric: bool = True
    unchanged: bool = False
    skips: bool = False
    names: tuple[str, ...] = ()
    taken: str = ""
    kind: int | None = None
    others: tuple[tuple[str, int], ...] = ()
    directed: bool | None = None
    decimal: str = "."
    weight_type: str = "float64"

    @property
    def delimiter(self) -> str:
        """The character between two columns of regular rows."""
        return " " if self.separator in (Separator.BLANKS, Separator.ANY) else self.separator.value

    def cells(self, line: str) -> list[str]:
        """Split a row into its cells, without the blanks around them."""
        if self.separator is Separator.BLANKS:
            if self.quoted and '"' in line:
                return [name.replace('""', '"') or cell for name, cell in _QUOTED_CELL.findall(line)]
            return _BLANK_CELL.findall(line)
        if self.separator is Separator.ANY:
            cells: list[str] = []
            for part in re.split("[,;]", line):
                cells += _BLANK_CELL.findall(part) or [""]
            return cells
        if self.quoted and '"' in line:
            try:
                return next(csv.reader([line], delimiter=self.separator.value, skipinitialspace=True), [])
            except csv.Error:
                return [line]
        return list(map(methodcaller("strip", _BLANKS), line.split(self.separator.value)))


def parse_modes(layouts: list[Layout], *, skips: bool) -> Iterator[Layout]:
    """Yield the ways to parse a file in the order in which they are tried; the last ones may skip rows."""
    first = layouts[0]
    if first.numeric and not (first.others and first.quoted):
        yield replace(first, unchanged=True)
    for layout in layouts:
        if layout.separator in (Separator.ANY, Separator.BLANKS) and layout.numeric:
            yield layout
    for layout in layouts:
        # Commas that separate columns in the first row must not become part of a name.
        if layout is first or (layout.separator is Separator.BLANKS and first.separator is Separator.TAB):
            yield replace(layout, numeric=False)
    for numeric in (True, False) if skips else ():
        yield replace(first, numeric=numeric, skips=True)


@dataclass
class _Sample:
    """The first lines of a file."""

    comments: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Numbers of the lines of the rows."""
    last_comment: int = 0
    separator: Separator | None = None
    above: str = ""
    """What stands above the rows, in words."""


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
        The file holds binary data, or its comments state 2**63 vertices or more. A column in the options does not
        exist, the first row holds only one cell, or the first rows do not tell which columns hold the ends or whether
        there is a header.
    """
    refuse_binary(source)
    sample = _first_sample(source)
    comments = _checked_comments(source, sample, options)
    if not sample.rows:
        return comments, []
    comments = _drop_sizes(source, sample, comments, options)
    first = sample.rows[0], sample.lines[0]
    has_title = _drop_title(sample, prefer)
    separator = sample.separator or _separator(sample.rows, prefer)
    delimited = separator is not Separator.BLANKS or prefer is Separator.COMMA
    likeliest = _layout(source, separator, sample, comments, options, delimited=delimited)
    if has_title and not likeliest.names:
        raise _one_id(source, *first)
    if likeliest.names and len(sample.rows) == 1 and source.whole:
        return comments, []
    layouts = [likeliest]
    for looser in (Separator.BLANKS, Separator.ANY):
        if looser is not separator:
            with suppress(ReadError):
                same = replace(options, header=bool(likeliest.names))
                layout = _layout(source, looser, sample, comments, same, delimited=delimited)
                if layout.taken == likeliest.taken:
                    layouts.append(layout)
    # Where every row has the likeliest layout, a looser one would cut names of digits and blanks.
    if not likeliest.numeric and all(len(likeliest.cells(row)) == likeliest.columns for row in sample.rows):
        layouts = [likeliest, *(layout for layout in layouts[1:] if not layout.numeric)]
    # Names between tabs may hold blanks; then blanks do not separate columns.
    if separator is not Separator.BLANKS and not _tabs_are_blanks(sample.rows):
        layouts = [layout for layout in layouts if layout.numeric or layout.separator is not Separator.BLANKS]
    return comments, layouts


def _first_sample(source: Source) -> _Sample:
    sample = _sample(source.head, whole=source.whole)
    while not sample.rows and not source.whole:
        source.grow_head(4 * len(source.head))
        sample = _sample(source.head, whole=source.whole)
    if len(_HASHTAGS.findall(source.head)) > 1:  # one such line may hold the names of the columns
        raise source.error("found names that begin with '#', which marks a comment; expected names without it")
    return sample


def _checked_comments(source: Source, sample: _Sample, options: ReadOptions) -> Comments:
    comments = read_comments(sample.comments)
    if comments.bipartite and options.graph is not None:
        raise source.error("is a bipartite network of KONECT, which is one graph; triadic.read reads it")
    if any(size >= 2**63 for size in comments.sizes):
        raise source.error("its header states 2**63 vertices or more, expected fewer")
    return comments


def _drop_sizes(source: Source, sample: _Sample, comments: Comments, options: ReadOptions) -> Comments:
    """Return the comments; if the first row holds the numbers of vertices and edges, they state them instead of it."""
    rows = list(map(str.split, sample.rows))
    if options.header is not None or comments.sizes or comments.lists or not may_state_sizes(rows):
        return comments
    sizes = stated_sizes(source, rows)
    if sizes is None:
        return comments
    what = "numbers of vertices and edges" if len(sizes) > 1 else "number of vertices"
    sample.above = f", {what} in row 1 ({' '.join(rows[0])})"
    del sample.rows[0], sample.lines[0]
    return replace(comments, sizes=sizes[:1])


def _drop_title(sample: _Sample, prefer: Separator) -> bool:
    """Return whether the first rows are a title, which fills one cell above several ones, and leave it out."""
    for i in range(1, min(len(sample.rows), _MOST_TITLES)):
        table = Layout(separator=sample.separator or _separator(sample.rows[i:], prefer), quoted=True)
        *above, names = (list(filter(None, table.cells(row))) for row in sample.rows[: i + 1])
        if any(len(cells) != 1 for cells in above):
            return False
        if len(names) > 1 and (table.separator.value in sample.rows[i - 1] or end_pairs(tuple(names))):
            sample.above = f", below the title in line {sample.lines[0]}"
            del sample.rows[:i], sample.lines[:i]
            return True
    return False


def _tabs_are_blanks(rows: list[str]) -> bool:
    """Whether columns are separated by tabs, and no cell between tabs holds a blank."""
    tabbed = [row for row in rows if "\t" in row]
    return bool(tabbed) and not any(" " in cell.strip() for row in tabbed for cell in row.split("\t"))


def _sample(head: bytes, *, whole: bool, most: int = _SAMPLE_ROWS) -> _Sample:
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if not whole:
        lines = lines[:-1]
    sample = _Sample()
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", "surrogateescape").strip(" \t")
        if number == 1 and line.strip(b'"')[:4].lower() == b"sep=":  # Excel's note of the separator
            mark = line.strip(b'"')[4:5].decode("latin-1")
            sample.separator = next((each for each in Separator if each.value == mark), None)
        elif text.startswith(("#", "%")):
            if not sample.rows:
                sample.comments.append(text)
                sample.last_comment = number
        elif text.strip(",; \t"):  # a row of empty cells is none
            sample.rows.append(text)
            sample.lines.append(number)
            if len(sample.rows) == most:
                break
    return sample


def _separator(rows: list[str], prefer: Separator) -> Separator:
    order = (prefer, Separator.TAB, Separator.COMMA, Separator.SEMICOLON)
    first = _outside_quotes(rows[0])
    found = next((separator for separator in order if separator.value in first), Separator.BLANKS)
    if found is not Separator.COMMA:
        return found
    if ";" in first and all(_has_decimal_commas(row) for row in rows):
        return Separator.SEMICOLON
    # The columns after the two ids may be text with commas, such as the attributes that networkx writes.
    ends = [row.partition("{")[0].split(None, 2) for row in rows]
    has_attributes = "{" in first and all(len(words) == 2 and "," not in "".join(words) for words in ends)
    are_integers = all(len(words) > 1 and all(map(INTEGER.match, words[:2])) for words in ends)
    return Separator.BLANKS if has_attributes or are_integers else found


def _outside_quotes(row: str) -> str:
    return row if row.count('"') % 2 else "".join(row.split('"')[::2])


def _has_decimal_commas(row: str) -> bool:
    """Whether every comma of a row stands between two digits."""
    parts = _outside_quotes(row).split(",")
    return all(left[-1:].isdigit() and right[:1].isdigit() for left, right in pairwise(parts))


def _layout(
    source: Source, separator: Separator, sample: _Sample, comments: Comments, options: ReadOptions, *, delimited: bool
) -> Layout:
    layout = Layout(separator=separator, quoted=_is_quoted(separator, sample.rows))
    rows = list(map(layout.cells, sample.rows))
    first = rows[0]
    if len(first) < 2:
        raise _one_id(source, sample.rows[0], sample.lines[0])
    names = _names_of_comment(layout, sample, comments, options, len(first))

    def refuse(problem: str | None) -> None:
        if problem is not None:
            raise source.error(f"{problem}; {_first_rows(sample)}")

    unnamed = len(first) > 2 and not names and options.graph is None
    if unnamed and not options.names_columns and not end_pairs(tuple(first)):
        refuse(matrix_problem(rows, complete=source.whole and len(sample.rows) < _SAMPLE_ROWS))
    header = _header(source, layout, rows, comments, options, described=bool(names), delimited=delimited)
    if header:
        refuse(row_names_problem(rows))
        names, rows = tuple(first), rows[1:]
    elif unnamed and options.source is None and options.target is None:
        commas = separator in (Separator.COMMA, Separator.SEMICOLON)
        refuse(unnamed_problem(rows, delimited=delimited, commas=commas))
    where = f"header in line {sample.lines[0]}" if header else f"named in line {sample.last_comment}"
    try:
        columns, others, taken = chosen_columns(names, len(first), options, where if names else "no header")
    except ColumnsError as error:
        raise source.error(f"{error}; {_first_rows(sample)}" if names else str(error)) from None
    kind, directed = None, None
    if header and options.directed is None:
        kind, directed = stated_kind(source, names, rows, columns.weight)
    return replace(
        layout,
        columns=len(first),
        source=columns.source,
        target=columns.target,
        weight=columns.weight,
        skip=sample.lines[0] - 1 + header,
        numeric=all(
            NUMBER_ID.match(row[end]) for row in rows for end in (columns.source, columns.target) if end < len(row)
        ),
        names=names if header else (),
        taken=taken + sample.above,
        kind=kind,
        directed=directed,
        others=others,
        decimal="," if separator in _BESIDE_COMMAS and _decimal_commas(rows, columns.weight) else ".",
    )


def _names_of_comment(
    layout: Layout, sample: _Sample, comments: Comments, options: ReadOptions, count: int
) -> tuple[str, ...]:
    """Return the names of the columns in the last comment; empty unless the names of two ends are among them."""
    if not comments.names:
        return ()
    last = next(filterfalse(listed_part, reversed(sample.comments)))
    written = tuple(layout.cells(last.lstrip("#% \t")))
    for names in (written, comments.names):
        if len(names) == count and (end_pairs(names) or _are_chosen(names, options)):
            return names
    return ()


def _are_chosen(names: Collection[str], options: ReadOptions) -> bool:
    """Return whether one of some names is that of a column in the options, or of a batch usually names a graph."""
    lower = {name.lower() for name in names}
    chosen = {options.source, options.target, options.weights, options.graph}
    return any(isinstance(each, str) and each.lower() in lower for each in chosen) or (
        options.graph is not None and not {*map(plain_name, names)}.isdisjoint(GRAPH_NAMES)
    )


def _header(
    source: Source,
    layout: Layout,
    rows: list[list[str]],
    comments: Comments,
    options: ReadOptions,
    *,
    described: bool,
    delimited: bool,
) -> bool:
    first = rows[0]
    if options.header is not None:
        return options.header
    if options.graph is not None and _are_chosen(first, options):
        return True
    if described or (all(map(INTEGER.match, first)) and (not delimited or first[:2] != ["0", "1"])):
        return False
    if comments.lists:  # triadic wrote the file: it names the columns in a comment or in a header
        return True
    described = comments.directed is not None or bool(comments.sizes)
    found = has_header(first, rows[1:], options, delimited=delimited, described=described)
    if found is None:  # more rows may hold a word of the first row again
        sample = _sample(source.head, whole=source.whole, most=_MOST_SAMPLE_ROWS)
        rows = list(map(layout.cells, sample.rows))
        below = rows[rows.index(first) + 1 :]
        found = has_header(first, below, options, delimited=delimited, described=described)
        if layout.quoted and any(row.count('"') % 2 for row in sample.rows):  # parsing finds the line of the quote
            found = False
    if found is None:
        raise source.error(
            f"the first row may be a header or an edge; {_first_rows(sample)}; "
            "pass header=True or header=False (--header or --no-header)"
        )
    return found


def _one_id(source: Source, row: str, line: int) -> ReadError:
    remedy = "; separate them by commas, tabs or blanks" if "|" in row else ""
    return source.error(f"found one id ({short(row)}), expected a source and a target{remedy}", line=line)


def first_row(source: Source, layout: Layout) -> tuple[str, ...]:
    """Return the cells of the first row in the head of a file; comments and empty rows are none."""
    rows = _sample(source.head, whole=source.whole, most=1).rows
    return tuple(layout.cells(rows[0])) if rows else ()


def rows_below(source: Source, layout: Layout) -> list[list[str]]:
    """Return the cells of the first rows below the header in the head of a file."""
    sample = _sample(source.head, whole=source.whole)
    return [layout.cells(row) for row, line in zip(sample.rows, sample.lines, strict=True) if line > layout.skip]


def _first_rows(sample: _Sample) -> str:
    rows = [short(row) for row in sample.rows[:2]]
    return f"the first rows are {' and '.join(rows)}" if len(rows) > 1 else f"the only row is {rows[0]}"


def _decimal_commas(rows: list[list[str]], weight: int | None) -> bool:
    if weight is None:
        return False
    cells = [row[weight] for row in rows if weight < len(row)]
    return any("," in cell for cell in cells) and not any("." in cell for cell in cells)


def _is_quoted(separator: Separator, rows: list[str]) -> bool:
    if separator is Separator.TAB:
        # Names with a single quote are common between tabs: quotes count only if they enclose a cell.
        cells = [cell.strip() for row in rows for cell in row.split("\t")]
        return any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)
    if separator is Separator.BLANKS:
        return '"' in rows[0] + rows[-1] and is_quoted_between_blanks(rows)
    return separator in (Separator.COMMA, Separator.SEMICOLON)


def lines_below(chunks: Iterable[bytes], skip: int) -> Iterator[tuple[int, bytes]]:
    r"""Yield the size of each chunk of whole lines, and its lines below the first `skip` of all; in linear time.

    Examples
    --------
    >>> list(lines_below([b"# a\n", b"# b\n1 2\n"], 2))
    [(4, b''), (8, b'1 2\n')]
    """
    for chunk in chunks:
        start = 0
        while skip and start < len(chunk):
            start = chunk.find(b"\n", start) + 1 or len(chunk)
            skip -= 1
        yield len(chunk), chunk[start:]


def refuse_binary(source: Source) -> None:
    """Raise a ReadError if the head is not text, with the line of the first bytes that are not."""
    if source.head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise source.error("is text in UTF-16, expected UTF-8; in a spreadsheet, save it as 'CSV UTF-8'")
    for number, line in enumerate(source.head.splitlines() if _CONTROL.search(source.head) else (), 1):
        problem = binary_problem(line)
        if problem is not None:
            raise source.error(problem, line=number)


def binary_problem(line: bytes) -> str | None:
    """Return what is wrong with a line that holds bytes other than text; None if it is text."""
    found = _CONTROL.search(line)
    return None if found is None else f"found binary data (the byte 0x{found[0][0]:02x}), expected lines of text"
