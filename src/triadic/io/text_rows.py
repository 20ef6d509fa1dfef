"""Text rows into columns, by Arrow's CSV parser.

Two ways. A file that is regular from its first row to its last is parsed as it streams in. Anything else (comments
between rows, runs of blanks, commas and tabs mixed, names) is first made regular, one chunk of whole lines at a time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv as pacsv

from triadic.io.text_layout import Layout, Separator

if TYPE_CHECKING:
    from triadic.io.file_source import Source

Table = Any
"""A ``pyarrow.Table`` with the columns source, target and, if the layout has one, weight."""

_BLOCK_BYTES = 1 << 20
_BLANK = " "

NOT_TEXT = bytes(set(range(32)) - set(b"\t\n\r") | {127})
"""Bytes that no line of a text file holds."""

_COMMENT_LINES = re.compile(rb"^[ \t]*[#%][^\n]*\n?", re.MULTILINE)
_RUNS_OF_BLANKS = re.compile(rb" {2,}")
_MISSING_CELL = re.compile(rb"[,;] *(?:[,;]|$)|^ *[,;]", re.MULTILINE)
_BLANK_LINES = re.compile(rb"\n{2,}")
_OUTER_BLANKS = re.compile(rb"^ +| +$", re.MULTILINE)
_BLANKS_BEFORE_QUOTE = re.compile(rb'([,;\t]) +(?=")')
# Quoted cells are matched as well, and put back, so that what looks the same inside one is left alone.
_OUTSIDE_QUOTES = re.compile(rb'("(?:[^"\n]|"")*+")|([,;\t]) +(?=")')
_BLANKS_TO_SPACE = bytes.maketrans(b"\t", b" ")
_SEPARATORS_TO_SPACE = bytes.maketrans(b"\t,;", b"   ")


class IrregularError(Exception):
    """The rows do not have the layout that they were parsed with."""


def streamed(source: Source, layout: Layout, *, exact: bool = False) -> Table:
    """Parse numeric rows straight from the file.

    Parameters
    ----------
    source : Source
    layout : Layout
    exact : bool
        Whether blanks before the end of each line, which look like further columns, are refused.

    Returns
    -------
    pyarrow.Table
        int64 ``source`` and ``target``, float64 ``weight``.

    Raises
    ------
    IrregularError
        A row does not have the layout.
    """
    delimiter = _BLANK if layout.separator is Separator.BLANKS else layout.separator.value
    options = pacsv.ReadOptions(skip_rows=layout.skip, block_size=_BLOCK_BYTES)
    if exact:
        options.column_names = _names(layout)
    else:
        options.autogenerate_column_names = True
    with source.stream() as stream:
        try:
            return _parsed(stream, layout, delimiter, pa.int64(), options, quoted=False)
        except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise IrregularError(str(error)) from None


def unchanged_rows(lines: bytes, layout: Layout, *, columns: int) -> Table:
    """Parse whole lines of numeric rows as :func:`streamed` does a file whose first row has so many columns."""
    if not lines or lines.isspace():
        return _no_rows(layout, pa.int64())
    delimiter = _BLANK if layout.separator is Separator.BLANKS else layout.separator.value
    names = [f"f{column}" for column in range(columns)]
    options = pacsv.ReadOptions(column_names=names, block_size=_BLOCK_BYTES)
    try:
        return _parsed(pa.BufferReader(lines), layout, delimiter, pa.int64(), options, quoted=False)
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise IrregularError(str(error)) from None


def made_regular(source: Source, layout: Layout, *, numeric: bool) -> Table:
    """Parse the rows after making them regular.

    Parameters
    ----------
    source : Source
    layout : Layout
    numeric : bool
        Whether ids become int64, or strings encoded by a dictionary.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    IrregularError
        A row does not have the layout, or the file holds bytes that are not text.
    """
    tables = []
    skip, first = layout.skip, True
    for chunk in source.chunks():
        lines = chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk
        first = False
        while skip and lines:
            lines = lines.partition(b"\n")[2]
            skip -= 1
        tables.append(regular_rows(lines, layout, numeric=numeric))
    return pa.concat_tables(tables)


def regular_rows(lines: bytes, layout: Layout, *, numeric: bool) -> Table:
    """Parse whole lines after making them regular, as :func:`made_regular` does a file."""
    kind = pa.int64() if numeric else pa.dictionary(pa.int32(), pa.string())
    quoted = layout.quoted and not numeric
    runs = layout.separator in (Separator.BLANKS, Separator.ANY)
    regular = _BLANK_LINES.sub(b"\n", _regular(lines, layout.separator, quoted=quoted)).lstrip(b"\n")
    if not regular:
        return _no_rows(layout, kind)
    table = _parsed_chunk(regular, layout, _BLANK if runs else layout.separator.value, kind, quoted=quoted)
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
        if (b"," in lines or b";" in lines) and _MISSING_CELL.search(lines.translate(_BLANKS_TO_SPACE)):
            raise IrregularError("an empty cell")
        lines = _single_blanks(lines.translate(_SEPARATORS_TO_SPACE))
    elif separator is Separator.BLANKS:
        lines = _single_blanks(lines.translate(_BLANKS_TO_SPACE))
    elif quoted and b'"' in lines:
        lines = _OUTER_BLANKS.sub(b"", lines)
        if _BLANKS_BEFORE_QUOTE.search(lines):
            lines = _OUTSIDE_QUOTES.sub(rb"\1\2", lines)
    elif b" " in lines:
        mark = re.escape(separator.value.encode())
        lines = re.sub(rb" *%b *" % mark, separator.value.encode(), _OUTER_BLANKS.sub(b"", lines))
    return lines if lines.endswith(b"\n") else lines + b"\n"


def _single_blanks(lines: bytes) -> bytes:
    lines = _RUNS_OF_BLANKS.sub(b" ", lines)
    return lines.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _parsed_chunk(chunk: bytes, layout: Layout, delimiter: str, kind: pa.DataType, *, quoted: bool) -> Table:
    # Each chunk is parsed by itself, so all of them have to be told how many columns there are.
    names = _names(layout)
    try:
        options = pacsv.ReadOptions(column_names=names, block_size=_BLOCK_BYTES)
        return _parsed(pa.BufferReader(chunk), layout, delimiter, kind, options, quoted=quoted)
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        # A row longer than a block, or one astride two, may be all that is wrong: once more in a single block.
        pass
    try:
        options = pacsv.ReadOptions(column_names=names, block_size=len(chunk) + 1)
        return _parsed(pa.BufferReader(chunk), layout, delimiter, kind, options, quoted=quoted)
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise IrregularError(str(error)) from None


def _parsed(
    stream: pa.NativeFile,
    layout: Layout,
    delimiter: str,
    kind: pa.DataType,
    options: pacsv.ReadOptions,
    *,
    quoted: bool,
) -> Table:
    names = ["source", "target"]
    columns = [layout.source, layout.target]
    kinds: list[pa.DataType] = [kind, kind]
    if layout.weight is not None:
        names.append("weight")
        columns.append(layout.weight)
        kinds.append(pa.float64())
    fields = [f"f{column}" for column in columns]
    table = pacsv.read_csv(
        stream,
        read_options=options,
        parse_options=pacsv.ParseOptions(delimiter=delimiter, quote_char='"' if quoted else False),
        convert_options=pacsv.ConvertOptions(
            column_types=dict(zip(fields, kinds, strict=True)),
            include_columns=list(dict.fromkeys(fields)),
            null_values=[],
            strings_can_be_null=False,
            check_utf8=kind != pa.int64(),
        ),
    )
    return pa.table([table[name] for name in fields], names=names)


def _names(layout: Layout) -> list[str]:
    """Return the names that Arrow gives to columns without one."""
    return [f"f{column}" for column in range(layout.columns)]


def _no_rows(layout: Layout, kind: pa.DataType) -> Table:
    columns = {"source": pa.chunked_array([], kind), "target": pa.chunked_array([], kind)}
    if layout.weight is not None:
        columns["weight"] = pa.chunked_array([], pa.float64())
    return pa.table(columns)
