"""Edge lists as text in blocks: the rows of a file, parsed by Arrow in pieces of whole lines or all at once.

SNAP, KONECT, CSV, TSV and any other text with a source and a target on each line are read. Lines that begin with ``#``
or ``%`` are comments; the comments before the first row may state the direction and the number of vertices
(:mod:`triadic.io.graph_names`). Columns are separated by tabs, commas, semicolons or blanks. The first row may hold
their names (:mod:`triadic.io.first_rows`), which tell the columns of the ends (:mod:`triadic.io.columns`). Another
column is read only if it is chosen. Ids are integers from 0 to 2**63 - 1; if any id is not an integer, all ids are
names. Every row has as many columns as the first.

In a bipartite network of KONECT (``% bip``) the two sets of vertices are numbered separately: the sources are the
vertices 0, 1, ... and the targets follow, with the labels ``left:ID`` and ``right:ID``.

The first lines tell the likeliest layout (:mod:`triadic.io.text_layout`). Rows that cannot be parsed in it are parsed
in the next one, from the beginning, and ids that are not all numbers as names. A file that is regular from its first
row to its last is parsed while it is read. Any other file (comments between rows, runs of blanks, mixed commas and
tabs, names) is first made regular, one chunk of whole lines at a time.

Arrow reports that a block cannot be parsed, but not where. To find the line for an error message, the file is read a
second time in small chunks, and the first chunk that Arrow refuses is checked line by line in Python.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from triadic.core.formatting import plural
from triadic.core.memory import check_memory
from triadic.errors import ReadError
from triadic.io.arrow_columns import NAMES
from triadic.io.blocks import MOST_THREADS, SKIP, Blocks, IdCheck
from triadic.io.file_source import Source, lines_of, short
from triadic.io.graph_names import refuse_mixed_kinds
from triadic.io.identifiers import arrays_of, read_list
from triadic.io.number_rows import text_lines
from triadic.io.sampling import NAME_COLUMNS, NUMBER_COLUMNS, SampledSource, most_text, random_places
from triadic.io.text_layout import (
    INTEGER,
    NOT_TEXT,
    IrregularError,
    Layout,
    Separator,
    binary_problem,
    first_row,
    lines_below,
    parse_modes,
    read_layout,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.io.blocks import ProgressCount, Rows, Sampled
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample

# Bytes of the shortest row: two digits, a separator and a line end.
_SHORTEST_ROW = 4
# Of a sample: bytes to read of a file at least, and the largest number of files to read.
_FILE_BYTES = 1 << 22
_MOST_FILES = 64
_ROW = re.compile(rb"[^\n]+")

_BLOCK_BYTES = 1 << 20
_NAME_BLOCK_BYTES = 1 << 23  # each block has a dictionary of its own, in which names that others have are repeated
# Bytes of memory for each byte of text that arcs take besides the parsed columns, and for each byte of a chunk that is
# made regular.
_FURTHER, _REGULAR_AT_ONCE = 2, 8
_BYTES_A_PART = 96
_SUSPECT_BYTES = 1 << 18

_COMMENT_LINES = re.compile(rb"^[ \t]*[#%][^\n]*\n?", re.MULTILINE)
_RUNS_OF_BLANKS = re.compile(rb" {2,}")
_MISSING_CELL = re.compile(rb"[,;] *(?:[,;]|$)|^ *[,;]", re.MULTILINE)
_EMPTY_ROWS = re.compile(rb"^[,;\t ]*\n", re.MULTILINE)
_BLANKS_BEFORE_QUOTE = re.compile(rb'([,;\t]) +(?=")')
# Quoted cells are matched too and put back unchanged, so that only separators outside of quotes are replaced.
# A quote that is never closed extends to the end of its line, or each quote of the line would be tried in turn.
_OUTSIDE_QUOTES = re.compile(rb'("(?:[^"\n]|"")*+"?)|([,;\t]) +(?=")')
_BLANKS_OUTSIDE_QUOTES = re.compile(rb'("(?:[^"\n]|"")*+"?)|[ \t]+')
_BLANKS_TO_SPACE = bytes.maketrans(b"\t", b" ")
_SEPARATORS_TO_SPACE = bytes.maketrans(b"\t,;", b"   ")


class TextBlocks(Blocks):
    """The rows of an edge list.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    prefer : Separator
        The separator to try first.
    changed_by : callable, optional
        Returns a layout that is found in the first lines, changed. By default it stays as it is.

    Attributes
    ----------
    layout : Layout
        The layout of the rows; the likeliest one until they are read.
    header : tuple of str
        Names of the columns in the header row; empty without one.

    Raises
    ------
    ReadError
        The first lines of the file are not the beginning of an edge list.
    """

    is_parsed = True
    most_threads = MOST_THREADS

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        *,
        prefer: Separator = Separator.TAB,
        changed_by: Callable[[Layout], Layout] | None = None,
    ) -> None:
        super().__init__(source)
        self._prefer, self._skips = prefer, options.bad_rows == "skip"
        comments, self._layouts = read_layout(source, options, prefer=prefer)
        if changed_by is not None:
            self._layouts = list(map(changed_by, self._layouts))
        self._directed = comments.directed
        self.bipartite, self.sizes = comments.bipartite, comments.sizes
        self.listed = read_list(source, comments.lists)
        first = self._layouts[0] if self._layouts else Layout()
        self.header = first.names
        modes = list(parse_modes(self._layouts, skips=self._skips)) if self._layouts else []
        self._modes = {numeric: [mode for mode in modes if mode.numeric is numeric] for numeric in (True, False)}
        self.numeric = bool(self._modes[True]) or not modes
        self._use(first)
        self._skipped: dict[int, tuple[int, int, str]] = {}
        self.work = source.unpacked_bytes
        self.arcs = self.work // _SHORTEST_ROW

    def parts(  # noqa: D102 - documented in `Blocks`
        self, *, numeric: bool, chunk_bytes: int | None, reported: ProgressCount
    ) -> Iterator[Callable[[], Rows]]:
        if not self._modes[numeric]:
            return
        layout = self._modes[numeric][0]
        if layout.unchanged and chunk_bytes is None and self.source.packing is None:
            yield partial(self._checked, partial(streamed, self.source, layout), layout)
            return
        columns, number = 0, layout.skip + 1
        self._skipped.clear()
        if layout.skips:
            chunk_bytes = _SUSPECT_BYTES
        chunks = checked_chunks(self.source) if chunk_bytes is None else self.source.chunks(chunk_bytes)
        for i, (size, below) in enumerate(lines_below(chunks, layout.skip)):
            lines = below if i or layout.skip else below.removeprefix(b"\xef\xbb\xbf")
            columns = columns or _width(lines, layout)
            part = partial(regular_rows, lines, layout)
            if layout.skips:
                part = partial(_readable_rows, lines, layout, number, self._skipped)
                number += lines.count(b"\n")
            elif layout.unchanged:
                part = partial(unchanged_rows, lines, layout, columns=columns)
            yield partial(self._checked, part, layout)
            reported.add(size)

    def following(self, source: Source, options: ReadOptions, blocks: Callable[..., Blocks]) -> Blocks:
        """Open another file of the network; this first file may have named the columns of both.

        If a file was cut into parts, only its first part has a header, which names the columns of all parts. If each
        file has a header, it is the same row in all files.
        """
        if not self.header:
            return super().following(source, options, blocks)
        opened = partial(TextBlocks, prefer=self._prefer)
        row = first_row(source, self.layout)
        if row == self.header:
            return opened(source, replace(options, header=True))
        try:
            found = opened(source, replace(options, header=None))
        except ReadError:
            # A row with one of the names may be a header in another order, and is no row of ids.
            if not set(row).isdisjoint(self.header):
                raise
        else:
            if found.header or not found.columns:
                return found
        ends, weight = self.layout, options.weights if self.layout.weight is None else self.layout.weight
        same = replace(options, header=False, source=ends.source, target=ends.target, weights=weight, keep=None)
        return opened(
            Source(source.path),
            same,
            changed_by=lambda layout: replace(layout, kind=ends.kind, directed=ends.directed, others=ends.others),
        )

    def refuse(self, problem: str, *, numeric: bool) -> bool:  # noqa: D102 - documented in `Blocks`
        self._modes[numeric].pop(0)
        following = self._mode(numeric=numeric) or self._mode(numeric=False)
        if following is None:
            raise _no_layout_fits(self.source, self._layouts, problem)
        self._use(following)
        return following.numeric is numeric

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `Blocks`
        layout = self._mode(numeric=numeric) or self._mode(numeric=not numeric)
        return None if layout is None else first_fault(self.source, replace(layout, numeric=numeric), vertices)

    def sampled(self, files: Sequence[TextBlocks]) -> Sampled:  # noqa: D102 - documented in `Blocks`
        sizes = np.array([file.source.stored_bytes for file in files], np.int64)
        total = int(sizes.sum())
        most = most_text(total)
        if total <= most:
            chosen, each = np.arange(len(files)), np.full(len(files), 1 << 62)
        else:
            count = min(_MOST_FILES, max(1, most // _FILE_BYTES))
            places = np.searchsorted(np.cumsum(sizes), random_places(total - 1, count), side="right")
            chosen, times = np.unique(places, return_counts=True)
            each = times * (most // count)
        read = [files[i] for i in chosen.tolist()]
        parts = [SampledSource(file.source, limit) for file, limit in zip(read, each.tolist(), strict=True)]
        for file, part in zip(read, parts, strict=True):
            file.source = part

        def completed(sample: FileSample) -> FileSample:
            share = sum(part.share * part.size for part in parts) / total if total else 1.0
            kept = NAME_COLUMNS if sample.labels == "names" else NUMBER_COLUMNS
            return replace(sample, arcs=round(sample.arcs / share), kept=kept)

        return read, completed

    def check(self, *, after: bool) -> None:  # noqa: D102 - documented in `Blocks`
        super().check(after=after)
        if after and self._skipped and type(self.source) is Source:
            count, (_, line, problem) = sum(each[0] for each in self._skipped.values()), min(self._skipped.items())[1]
            self._skipped.clear()
            self.source.warn(f"skipped {plural(count, 'row')} that cannot be read, the first in line {line}: {problem}")

    def _mode(self, *, numeric: bool) -> Layout | None:
        return next(iter(self._modes[numeric]), None)

    def _use(self, layout: Layout) -> None:
        self.layout, self.taken = layout, layout.taken
        self.weight = layout.names[layout.weight] if layout.names and layout.weight is not None else None
        self.directed = layout.directed if self._directed is None else self._directed
        self.columns = (layout.source, layout.target, layout.weight, *layout.others) if self._layouts else ()

    def _checked(self, part: Callable[[], Rows], layout: Layout) -> Rows:
        rows = part()
        problem = _unusable(rows, layout, limit=2**63 if self._skips else None)
        if problem is not None:
            raise IrregularError(problem)
        if layout.kind is not None:
            refuse_mixed_kinds(self.source, rows, directed=layout.directed)
            rows = rows.drop_columns(["kind"])
        return rows


def _width(lines: bytes, layout: Layout) -> int:
    """Return the number of columns of the first row, as Arrow counts them; 0 if there is none."""
    row = _ROW.search(lines)
    return 0 if row is None else row[0].count(layout.delimiter.encode()) + 1


def _no_layout_fits(source: Source, layouts: list[Layout], problem: str) -> ReadError:
    """Return the error for rows that no layout fits; ``problem`` is the error of the last one."""
    # The error in the latest line is the most helpful one: its layout fits more of the file than the others.
    faults = [fault for layout in layouts if (fault := first_fault(source, replace(layout, numeric=False))) is not None]
    if faults:
        fault = max(faults, key=lambda fault: fault.line or 0)
        is_last = fault.line is not None and _is_last_row(source, fault.line)
        remedy = f"if it is a footer, remove it or begin it with '#'; {SKIP}" if is_last else SKIP
        return source.error(f"{fault.problem}; {remedy}", line=fault.line)
    return source.error(f"its rows cannot be parsed ({' '.join(problem.split())[:200]})")


def _is_last_row(source: Source, line: int) -> bool:
    """Return whether no row follows a line, and another row precedes it."""
    rows = [number for number, text in text_lines(source.chunks()) if text.strip() and text.lstrip()[:1] != b"#"]
    return len(rows) > 1 and rows[-1] == line


def streamed(source: Source, layout: Layout, *, exact: bool = False) -> Rows:
    """Parse numeric rows straight from the file.

    Parameters
    ----------
    source : Source
    layout : Layout
    exact : bool
        Whether to refuse blanks at the ends of lines, which look like further columns.

    Returns
    -------
    pyarrow.Table
        int64 ``source`` and ``target``, float64 ``weight``.

    Raises
    ------
    IrregularError
        A row does not have the layout.
    """
    options = pacsv.ReadOptions(skip_rows=layout.skip, block_size=_BLOCK_BYTES, autogenerate_column_names=not exact)
    if exact:
        options.column_names = _names(layout.columns)
    with source.stream() as stream:
        return _parsed(stream, layout, pa.int64(), options, quoted=False)


def unchanged_rows(lines: bytes, layout: Layout, *, columns: int) -> Rows:
    """Parse whole lines of numeric rows as :func:`streamed` parses a file whose first row has `columns` columns."""
    if not lines or lines.isspace():
        return _no_rows(layout, pa.int64())
    options = pacsv.ReadOptions(column_names=_names(columns), block_size=_BLOCK_BYTES)
    return _parsed(pa.BufferReader(lines), layout, pa.int64(), options, quoted=False)


def checked_chunks(source: Source) -> Iterator[bytes]:
    """Yield the text in chunks of whole lines, of which all rows are held, as long as they fit in memory."""
    text = 0
    for chunk in source.chunks():
        text += len(chunk)
        source.check_memory(_FURTHER * text + _REGULAR_AT_ONCE * len(chunk), text)
        yield chunk


def regular_rows(lines: bytes, layout: Layout) -> Rows:
    """Parse whole lines after making them regular, as :func:`made_regular` parses a file."""
    kind = pa.int64() if layout.numeric else NAMES
    quoted = layout.quoted and (not layout.numeric or bool(layout.others))
    regular = _regular(lines, layout.separator, quoted=quoted)
    empty = layout.delimiter.encode() * (layout.columns - 1) + b"\n"
    # Searching bytes is a hundred times as fast as a pattern that begins at each line.
    if b"\n\n" in regular or empty in regular:
        regular = _EMPTY_ROWS.sub(b"", regular)
    regular = regular.lstrip(b"\n")
    if not regular:
        return _no_rows(layout, kind)
    table = _parsed_chunk(regular, layout, kind, quoted=quoted)
    # A quote that is never closed would swallow the lines after it.
    if len(table) != regular.count(b"\n"):
        raise IrregularError("a quoted cell goes over several lines")
    return table


def _regular(lines: bytes, separator: Separator, *, quoted: bool) -> bytes:
    if len(lines.translate(None, NOT_TEXT)) != len(lines):
        raise IrregularError("binary data")
    if b"#" in lines or b"%" in lines:
        lines = _COMMENT_LINES.sub(b"", lines)
    if separator is Separator.ANY:
        lines = _single_blanks(_without_empty_cells(lines).translate(_SEPARATORS_TO_SPACE))
    elif separator is Separator.BLANKS:
        lines = _single_blanks(lines if quoted else lines.translate(_BLANKS_TO_SPACE), quoted=quoted)
    elif quoted and b'"' in lines:
        lines = _without_blanks_around(b"\n", lines)
        if _BLANKS_BEFORE_QUOTE.search(lines):
            lines = _OUTSIDE_QUOTES.sub(rb"\1\2", lines)
    elif b" " in lines:
        for mark in (b"\n", separator.value.encode()):
            lines = _without_blanks_around(mark, lines)
    return lines if lines.endswith(b"\n") else lines + b"\n"


def _without_empty_cells(lines: bytes) -> bytes:
    """Return rows without the empty ones; raise an IrregularError if another row has an empty cell."""
    if b"," not in lines and b";" not in lines:
        return lines
    for rows in (lines, _EMPTY_ROWS.sub(b"", lines)):
        if not _MISSING_CELL.search(rows.translate(_BLANKS_TO_SPACE)):
            return rows
    raise IrregularError("an empty cell")


def _without_blanks_around(mark: bytes, lines: bytes) -> bytes:
    """Remove the blanks before and after each separator; a pattern would take quadratic time on long runs of blanks."""
    marks = lines.count(mark)
    check_memory(_BYTES_A_PART * marks + 2 * len(lines), f"splitting {len(lines) / 2**20:,.1f} MiB of text into cells")
    return mark.join([part.strip(b" ") for part in lines.split(mark)])


def _single_blanks(lines: bytes, *, quoted: bool = False) -> bytes:
    if quoted:
        lines = _BLANKS_OUTSIDE_QUOTES.sub(lambda part: part[1] or b" ", lines)
    elif b"  " in lines:
        lines = _RUNS_OF_BLANKS.sub(b" ", lines)
    return lines.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _parsed_chunk(chunk: bytes, layout: Layout, kind: pa.DataType, *, quoted: bool) -> Rows:
    # Each chunk is parsed by itself, and needs the number of columns.
    options = pacsv.ReadOptions(column_names=_names(layout.columns))
    options.block_size = _NAME_BLOCK_BYTES if kind == NAMES else _BLOCK_BYTES
    with suppress(IrregularError):
        return _parsed(pa.BufferReader(chunk), layout, kind, options, quoted=quoted)
    # A row may be longer than a block or lie across two: parse once more in a single block.
    options.block_size = len(chunk) + 1
    return _parsed(pa.BufferReader(chunk), layout, kind, options, quoted=quoted)


def _parsed(
    stream: pa.NativeFile, layout: Layout, kind: pa.DataType, options: pacsv.ReadOptions, *, quoted: bool
) -> Rows:
    columns, kinds = _columns(layout, kind)
    fields = [f"f{column}" for column in columns.values()]
    try:
        table = pacsv.read_csv(
            stream,
            read_options=options,
            parse_options=pacsv.ParseOptions(delimiter=layout.delimiter, quote_char='"' if quoted else False),
            convert_options=pacsv.ConvertOptions(
                column_types=dict(zip(fields, kinds, strict=True)),
                include_columns=list(dict.fromkeys(fields)),
                null_values=[],
                strings_can_be_null=False,
                check_utf8=kind != pa.int64() or bool(layout.others),
                decimal_point=layout.decimal,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise IrregularError(str(error)) from None
    return pa.table([table[name] for name in fields], names=list(columns))


def _columns(layout: Layout, kind: pa.DataType) -> tuple[dict[str, int], list[pa.DataType]]:
    """Return the columns to parse by their names in the rows, and their types; ids are of a `kind`."""
    first = {"source": layout.source, "target": layout.target, "weight": layout.weight}
    named = first | {"kind": layout.kind, **dict(layout.others)}
    columns = {name: column for name, column in named.items() if column is not None}
    types = {layout.weight: pa.type_for_alias(layout.weight_type), layout.source: kind, layout.target: kind}
    return columns, [types.get(column, NAMES) for column in columns.values()]


def _names(columns: int) -> list[str]:
    """Return the names that Arrow gives to columns without one."""
    return [f"f{column}" for column in range(columns)]


def _no_rows(layout: Layout, kind: pa.DataType) -> Rows:
    columns, kinds = _columns(layout, kind)
    return pa.schema(list(zip(columns, kinds, strict=True))).empty_table()


def first_fault(source: Source, layout: Layout, vertices: int | None = None) -> ReadError | None:
    """Return the error for the first line that is wrong.

    Parameters
    ----------
    source : Source
    layout : Layout
        Where it is numeric, every id must be an integer from 0 to 2**63 - 1.
    vertices : int or None
        The number of vertices, which every id must be below; None without a limit.

    Returns
    -------
    ReadError or None
        None if no line breaks these rules.
    """
    number = 0
    for chunk in source.chunks(_SUSPECT_BYTES):
        if number > layout.skip and _is_sound(chunk, layout, vertices):
            number += chunk.count(b"\n")
            continue
        for line in lines_of(chunk):
            number += 1
            problem = binary_problem(line)
            if problem is None and number > layout.skip:
                problem = _row_problem(line, layout, vertices)
            if problem is not None:
                return source.error(problem, line=number)
    return None


def _is_sound(chunk: bytes, layout: Layout, vertices: int | None = None) -> bool:
    try:
        table = regular_rows(chunk, layout)
    except IrregularError:
        return False
    return _unusable(table, layout, limit=2**63 if vertices is None else vertices) is None


def _unusable(rows: Rows, layout: Layout, *, limit: int | None) -> str | None:
    """Return what is wrong with the ids or the weights of some rows; None if nothing is.

    Parameters
    ----------
    rows : pyarrow.Table
    layout : Layout
        Where it is not numeric, no name may be empty.
    limit : int or None
        What numbers have to be below, and not negative; None to leave this to later checks.
    """
    ends = (rows["source"], rows["target"])
    if not layout.numeric:
        chunks = (chunk.dictionary for end in ends for chunk in end.chunks)
        if any(pc.min(pc.binary_length(names)).as_py() == 0 for names in chunks):
            return "an empty id"
    elif limit is not None and any(
        ids.min(initial=0) < 0 or int(ids.max(initial=-1)) >= limit for ids in arrays_of(*ends)
    ):
        return "an id that is negative or too large"
    if layout.weight is None or layout.weight_type != "float64":
        return None
    is_finite = all(np.isfinite(weights).all() for weights in arrays_of(rows["weight"]))
    return None if is_finite else "a weight is not a finite number"


def _readable_rows(lines: bytes, layout: Layout, number: int, skipped: dict[int, tuple[int, int, str]]) -> Rows:
    """Parse whole lines without the rows that cannot be read.

    Parameters
    ----------
    lines : bytes
    layout : Layout
    number : int
        Number of the first line.
    skipped : dict
        Gets at this number how many rows are left out, and the line of the first one and what is wrong with it.

    Raises
    ------
    IrregularError
        An id is a name and not a damaged number.
    """
    bad: list[tuple[int, str]] = []
    if not _is_sound(lines, layout):
        kept = []
        for place, line in enumerate(lines_of(lines), number):
            problem = binary_problem(line) or _row_problem(line, layout)
            if problem is None:
                kept.append(line)
            elif layout.numeric and _is_named(line, layout):
                raise IrregularError(problem)
            else:
                bad.append((place, problem))
        lines = b"\n".join(kept)
        if bad:
            skipped[number] = len(bad), *bad[0]
    return regular_rows(lines, layout)


def _is_named(line: bytes, layout: Layout) -> bool:
    """Whether the ends of a row are two names, of which one is neither a number nor stands for something missing."""
    cells, check = layout.cells(line.decode("utf-8", "replace").strip(" \t")), IdCheck()
    ends = [cells[end] for end in (layout.source, layout.target)] if len(cells) == layout.columns else [""]
    check.add(ends)
    return all(ends) and not all(map(INTEGER.match, ends)) and check.problem() is None


def _row_problem(line: bytes, layout: Layout, vertices: int | None = None) -> str | None:
    stripped = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t")
    if not stripped.strip(b",; \t") or stripped[:1] in (b"#", b"%"):
        return None
    try:
        text = stripped.decode()
    except UnicodeDecodeError:
        return f"found bytes that are not UTF-8 ({_shown(line)}), expected text in UTF-8, such as 'CSV UTF-8' of Excel"
    cells, problem = layout.cells(text), None
    if layout.quoted and text.count('"') % 2:
        problem = f"found a quote that is not closed ({short(text)}), expected it to end"
    elif len(cells) == 1:
        problem = f"found one id ({short(text)}), expected a source and a target"
    elif len(cells) != layout.columns:
        problem = f"found {len(cells)} columns ({short(text)}), expected {layout.columns} as in the first row"
    else:
        ends = (
            _id_problem(cells[end], numeric=layout.numeric, vertices=vertices) for end in (layout.source, layout.target)
        )
        problem = next(ends) or next(ends)
    if problem is not None or layout.weight is None or layout.weight_type != "float64":
        return problem
    return _weight_problem(cells[layout.weight], layout.decimal)


def _id_problem(cell: str, *, numeric: bool, vertices: int | None) -> str | None:
    if not cell:
        return "found an empty id, expected a number or a name"
    if not numeric:
        return None
    if not INTEGER.match(cell):
        return f"found the id {short(cell)}, expected an integer"
    # Python refuses to convert very long integers, and 20 digits are past 2**63 anyway.
    value = int(cell.lstrip("-").lstrip("0")[:20] or "0")
    if value and cell.startswith("-"):
        return f"found the negative id {short(cell)}, expected 0 or more"
    limit = 2**63 if vertices is None else vertices
    expected = "2**63" if vertices is None else f"num_vertices={vertices}"
    return None if value < limit else f"found the id {short(cell)}, expected less than {expected}"


def _weight_problem(cell: str, decimal: str) -> str | None:
    try:
        value = float(cell.replace(decimal, "."))
    except ValueError:
        return f"found the weight {short(cell)}, expected a number"
    return None if math.isfinite(value) else f"found the weight {short(cell)}, expected a finite number"


def _shown(line: bytes) -> str:
    return short(line[:60].decode("utf-8", "backslashreplace"))
