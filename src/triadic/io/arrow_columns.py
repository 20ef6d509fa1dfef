"""Columns of an Arrow table as ids and as weights; a column that cannot be used is refused in one line."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triadic.core.oriented import NO_NUMBERS
from triadic.errors import ArgumentError
from triadic.io.columns import ColumnsError, EdgeColumns, named_columns
from triadic.io.first_rows import MISSING_VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.graph.graph import Graph
    from triadic.io.format import ReadOptions
    from triadic.io.identifiers import Column

    Refusal = Callable[[str], Exception]
    Rows = Any  # a table of Arrow, as of `triadic.io.blocks`

_HELD = "numbers, texts, booleans or dates"
NAMES = pa.dictionary(pa.int32(), pa.string())
"""The type of a column of names."""
_ENDS = ("source", "target")
# Types of written values in the order in which they are tried, and what all cells of them look like: a cast of other
# cells is slow, since Arrow does not stop at the first one.
_ISO = "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
_WRITTEN = (
    (pa.int64(), "^-?(0|[1-9][0-9]*)$"),
    (pa.float64(), "^-?([1-9.]|0$|0[.eE]|inf|nan|NaN)"),
    (pa.bool_(), "^(true|false|True|False|TRUE|FALSE)$"),
    (pa.date32(), f"{_ISO}$"),
    (pa.timestamp("us", "UTC"), f"{_ISO}[ T].*(Z|[+-][0-9]{{2}}:?[0-9]{{2}})$"),
    (pa.timestamp("us"), f"{_ISO}([ T]|$)"),
    (pa.timestamp("ns"), f"{_ISO}([ T]|$)"),
)
# Numbers with a comma before the decimals, and those of them in which it cannot stand between thousands.
_COMMA = "^-?(0|[1-9][0-9]*)(,[0-9]+)?$"
_POINT = "^-?(0|[0-9]{4,}),|,([0-9]{1,2}|[0-9]{4,})$"
_DAY = "^([0-9]{1,2})([./-])([0-9]{1,2})[./-]([0-9]{4}),?(?: |$)"


def id_columns(table: pa.Table, names: Sequence[str], refuse: Refusal, *, first_row: int = 0) -> tuple[Column, Column]:
    """Return two columns as ids of one type: int64, or strings encoded by a dictionary.

    Parameters
    ----------
    table : pyarrow.Table
    names : sequence of str, length 2
    refuse : callable
        Returns the error to raise for a problem in one line.
    first_row : int, default 0
        Rows before the table, for the numbers of rows in errors.
    """
    source, target = (_ids(table, name, refuse, first_row) for name in names)
    if source.type != target.type:
        source, target = (
            pc.cast(end, pa.string()).cast(NAMES) if end.type == pa.int64() else end for end in (source, target)
        )
    return source, target


def weight_column(table: pa.Table, name: str, refuse: Refusal, first_row: int = 0) -> Column:
    """Return a column as finite weights: float64."""
    column = table[name]
    refuse_nulls(column, name, refuse, first_row)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type)):
        raise refuse(f"the column {name!r} holds {column.type}, expected numbers")
    column = pc.cast(column, pa.float64(), safe=False)
    wrong = pc.indices_nonzero(pc.invert(pc.is_finite(column)))
    for row in wrong[:1].to_pylist():
        raise refuse(f"found the weight {column[row]} in row {first_row + row + 1}, expected a finite number")
    return column


def rows_of(
    table: pa.Table,
    columns: Sequence[str],
    refuse: Callable[[str], Exception],
    *,
    first_row: int,
    numeric: bool,
    others: Mapping[str, str] = {},
) -> Rows:
    """Return the columns of an Arrow table as rows of numbers or of names.

    Parameters
    ----------
    table : pyarrow.Table
    columns : sequence of str
        Names of the source, the target and, if weights are read, the weight.
    refuse : callable
        Returns the error to raise for a problem in one line.
    first_row : int
        Rows before the table, for the numbers of rows in errors.
    numeric : bool
        Whether the ids are numbers; otherwise numbers become names.
    others : mapping of str to str, optional
        Further columns: their names in the rows, with a mark before them, and in the table. By default none.
    """
    ends = table.select(columns[:2]).columns  # not copied, which would take much memory, if they are usual numbers
    if not numeric or any(end.type not in (pa.int32(), pa.int64()) or end.null_count for end in ends):
        ends = id_columns(table, columns[:2], refuse, first_row=first_row)
    found = dict(zip(_ENDS, ends if numeric else map(_as_names, ends), strict=True))
    if len(columns) > 2:
        found["weight"] = weight_column(table, columns[2], refuse, first_row)
    found |= {marked: table[name] for marked, name in others.items()}
    return pa.table(found)


def _as_names(column: Column) -> Column:
    return column if column.type == NAMES else pc.cast(pc.cast(column, pa.string()), NAMES)


def _ids(table: pa.Table, name: str, refuse: Refusal, first_row: int) -> Column:
    column = table[name]
    refuse_nulls(column, name, refuse, first_row)
    kind = values_type(column.type)
    if pa.types.is_integer(kind):
        try:
            return pc.cast(column, pa.int64())
        except pa.ArrowInvalid:
            raise refuse(f"the column {name!r} holds an id of 2**63 or more, expected less") from None
    if holds_texts(kind):
        strings = pc.cast(column, pa.string())
        _refuse_other_bytes(strings, name, refuse, first_row)
        return pc.cast(strings, NAMES)
    if pa.types.is_floating(kind):
        remedy = "drop the rows without a value and convert it to integers, such as by .astype('int64') in pandas"
        raise refuse(f"the column {name!r} holds {column.type}, expected integers or strings; {remedy}")
    raise refuse(f"the column {name!r} holds {column.type}, expected integers or strings")


def values_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of the values of a column, which may be encoded by a dictionary."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def holds_texts(kind: pa.DataType) -> bool:
    """Return whether the values of a column are texts."""
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _refuse_other_bytes(column: Column, name: str, refuse: Refusal, first_row: int) -> None:
    """Raise the error for the first string that is not UTF-8, which Arrow does not look for when it reads a file."""
    start = first_row
    for chunk in column.chunks:
        try:
            chunk.validate(full=True)
        except pa.ArrowInvalid:
            for row, value in enumerate(chunk, start + 1):
                try:
                    value.as_py()
                except UnicodeDecodeError as error:
                    found = f"holds bytes that are not UTF-8 in row {row} ({error.object[:40]!r})"
                    raise refuse(f"the column {name!r} {found}, expected strings in UTF-8") from None
            raise refuse(f"the column {name!r} holds damaged strings, expected strings in UTF-8") from None
        start += len(chunk)


def refuse_nulls(column: Column, name: str, refuse: Refusal, first_row: int = 0, *, what: str = "value") -> None:
    """Raise the error for the first row in which a column has no value."""
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise refuse(f"the column {name!r} has no {what} in row {first_row + row + 1}")


def no_rows(*, weights: bool) -> Rows:
    """Return a table of numbers without rows."""
    nothing = pa.array(NO_NUMBERS)
    table = pa.table({"source": nothing, "target": nothing})
    return table.append_column("weight", pa.array(np.empty(0))) if weights else table


def as_integers(rows: Rows) -> Rows:
    """Return rows of names as rows of the integers that they are; raise a ``pyarrow.ArrowInvalid`` for other names."""
    for place, end in enumerate(_ENDS):
        numbers = [chunk.dictionary.cast(pa.int64()).take(chunk.indices) for chunk in rows[end].chunks]
        rows = rows.set_column(place, end, pa.chunked_array(numbers, pa.int64()))
    return rows


def with_one_dictionary(rows: Rows) -> Rows:
    """Return rows of names with a single dictionary for both ends, and each end in one chunk."""
    every = pa.chunked_array([chunk for end in _ENDS for chunk in rows[end].chunks], NAMES)
    names = every.unify_dictionaries().combine_chunks()
    for place, end in enumerate(_ENDS):
        rows = rows.set_column(place, end, pa.chunked_array([names.slice(place * len(rows), len(rows))]))
    return rows


def values_of(
    column: Column,
    name: str,
    refuse: Refusal,
    *,
    is_text: bool = False,
    written: bool = True,
    dayfirst: bool | None = None,
) -> AnyArray:
    """Return the values of a column of edges, one for each row.

    Missing values are NaN among numbers, NaT among dates, and None among texts and booleans.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
    name : str
    refuse : callable
        Returns the error to raise for a problem in one line.
    is_text : bool, default False
        Whether the cells are texts, encoded by a dictionary, that may be written numbers, booleans or dates. They are
        if all of them are: of numbers, one with a leading zero is a text. Empty cells are missing.
    written : bool, default True
        Whether such texts are read as what they write.
    dayfirst : bool, optional
        Whether written dates such as 01.03.2024 begin with the day. By default they tell.
    """
    if is_text and not pa.types.is_primitive(column.type):
        column = without_empty(pc.utf8_trim_whitespace(pc.cast(column, pa.string())))
        if written:
            dates = dates_of(column, name, refuse, dayfirst)
            column = _as_written(column) if dates is None else dates
    kind = values_type(column.type)
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        raise refuse(f"the column {name!r} holds {column.type}, expected {_HELD}")
    if pa.types.is_null(kind):
        column = pc.cast(column, pa.string())
    if pa.types.is_integer(kind) and column.null_count and not can_be(column, pa.float64()):
        found = "lacks values, and has whole numbers past 2**53 that are no floats"
        raise refuse(f"the column {name!r} {found}; give all rows a value, or make them texts")
    if pa.types.is_decimal(kind):
        column = pc.cast(column, pa.float64(), safe=False)
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        column = pc.cast(column, pa.timestamp(kind.unit))
    array: AnyArray = column.to_numpy(zero_copy_only=False)
    return array


def without_empty(column: Column) -> Column:
    """Return texts, of which empty ones are missing."""
    is_empty = pc.equal(column, "")
    return pc.if_else(is_empty, None, column) if pc.any(is_empty).as_py() else column


def can_be(column: Column, kind: pa.DataType) -> bool:
    """Return whether all values of a column can be converted to a type without loss."""
    try:
        pc.cast(column, kind)
    except pa.ArrowInvalid:
        return False
    return True


def _match(column: Column, pattern: str) -> bool:
    """Whether all cells match a pattern, of which the first ones most often tell."""
    parts = (pc.match_substring_regex(cells, pattern) for cells in (column.slice(0, 1000), column))
    return all(pc.all(part).as_py() is not False for part in parts)


def _as_written(column: Column) -> Column:
    """Return texts as the numbers, booleans or dates that all of them are, but for words for missing values."""
    is_missing = pc.is_in(pc.utf8_lower(column), pa.array(sorted(MISSING_VALUES)))
    cells = pc.if_else(is_missing, None, column)
    if _match(cells, _COMMA) and pc.any(pc.match_substring_regex(cells, _POINT)).as_py():
        cells = pc.replace_substring(cells, ",", ".")
    if cells.null_count < len(cells):
        for kind, pattern in _WRITTEN:
            if _match(cells, pattern):
                with suppress(pa.ArrowInvalid):
                    return pc.cast(cells, kind)
    return column


def dates_of(column: Column, name: str, refuse: Refusal, dayfirst: bool | None) -> Column | None:
    """Return texts such as 01.03.2024 13:08 as dates; None for other texts.

    The refusal is raised if all of them may begin with the day and with the month, and nobody says which.
    """
    if column.null_count == len(column) or not _match(column, _DAY):
        return None
    padded = pc.replace_substring_regex(column, r"\b([0-9])\b", r"0\1")
    orders = [r"\4-\3-\1 "] * (dayfirst is not False) + [r"\4-\1-\3 "] * (dayfirst is not True)
    texts = [pc.utf8_trim_whitespace(pc.replace_substring_regex(padded, _DAY, order)) for order in orders]
    readings = [found for found in map(_as_dates, texts) if not pa.types.is_string(found.type)]
    if len(readings) > 1 and not readings[0].equals(readings[1]):
        row = pc.index(pc.equal(*readings), False).as_py()
        found, *both = (each[row].as_py() for each in (column, *readings))
        raise refuse(
            f"the dates of the column {name!r} may be read in two ways: {found!r} is {both[0]} or {both[1]}; pass "
            "dayfirst=True or dayfirst=False (--dayfirst or --no-dayfirst)"
        )
    return readings[0] if readings else None


def _as_dates(column: Column) -> Column:
    """Return texts that begin with 2024-03-01 as dates, also those with an hour of 12, such as 01:08 PM."""
    for clock in ("%I:%M %p", "%I:%M:%S %p"):
        dates = pc.strptime(column, format=f"%Y-%m-%d {clock}", unit="us", error_is_null=True)
        if dates.null_count == column.null_count:
            return dates
    return _as_written(column)


def lengthened(values: AnyArray, length: int, name: str, refuse: Refusal) -> AnyArray:
    """Return the values of a column, followed by missing ones up to a length."""
    if len(values) >= length:
        return values
    known = arrow_array(values)
    return values_of(pa.chunked_array([known, pa.nulls(length - len(known), known.type)]), name, refuse)


def chosen_rows(rows: Rows, options: ReadOptions, refuse: Refusal, *, is_text: bool) -> Rows:
    """Return the rows in which columns hold what the options ask for, without these columns, marked by ``?``."""
    from triadic.graph.selection import holding  # noqa: PLC0415 - its kernels take long to import

    where = options.where or {}
    for name, wanted in where.items():
        items = wanted if isinstance(wanted, (list, AbstractSet)) else [wanted]
        written, dayfirst = not any(isinstance(item, str) for item in items), options.dayfirst
        values = values_of(rows[f"?{name}"], name, refuse, is_text=is_text, written=written, dayfirst=dayfirst)
        has_values = values.dtype.kind != "O" or any(value is not None for value in values.tolist())
        keep = holding(name, values, wanted) if has_values else np.full(len(values), None in items)
        rows = rows.filter(pa.array(keep))
    for end in _ENDS:  # names of other rows are no vertices
        if pa.types.is_dictionary(rows[end].type):
            names = pc.cast(rows[end], pa.string()).dictionary_encode()
            rows = rows.set_column(rows.column_names.index(end), end, names)
    return rows.drop_columns([f"?{name}" for name in where])


def arrow_type(values: AnyArray) -> pa.DataType:
    """Return the type of the column of Arrow that holds the values of edges."""
    kind: pa.DataType = arrow_array(values if values.dtype.kind == "O" else values[:0]).type
    return kind


def arrow_array(values: AnyArray, kind: pa.DataType | None = None) -> pa.Array:
    """Return values of edges as a column of Arrow, whose type they tell by default; None is a missing value."""
    try:
        array = pa.array(values, type=kind, from_pandas=values.dtype.kind == "O")
    except pa.ArrowException as error:
        raise ArgumentError(f"a column holds {values.dtype}: {error}; expected {_HELD}") from None
    if pa.types.is_binary(array.type):
        raise ArgumentError(f"a column holds bytes ({values.dtype}); expected {_HELD}")
    return array


def cells_problem(graph: Graph) -> str | None:
    """Return why rows of text cannot hold the columns of the edges of a graph, or None if they can."""
    others = tuple(name for name in graph.columns if name != "weight")
    names = ("source", "target", *others)
    try:
        ends = named_columns(names, None, None, None)
    except ColumnsError:
        ends = EdgeColumns(2, 2)
    if (ends.source, ends.target) != (0, 1) or (not graph.directed and "type" in others):
        return f"one of the columns {', '.join(others)} would be taken for an end or the direction of the edges"
    for name in others:
        values = graph.columns[name]
        column = arrow_array(values)
        if pa.types.is_string(column.type):
            texts = pa.chunked_array([column.drop_null().unique()])
            dates = (dates_of(texts, name, ArgumentError, dayfirst) for dayfirst in (True, False))
            if any(found is not None and found.type != pa.string() for found in (_as_written(texts), *dates)):
                return f"texts of the column {name!r} would be taken for numbers, booleans or dates"
            if any(text != text.strip() or not text or not text.isprintable() for text in texts.to_pylist()):
                return f"a text of the column {name!r} is empty, begins or ends with a blank, or cannot be printed"
        elif pa.types.is_null(column.type):
            return f"the column {name!r} has no values"
        elif pa.types.is_duration(column.type) or (column.type == pa.uint64() and values.max(initial=0) >= 2**63):
            return f"the column {name!r} holds {values.dtype}, which would come back as other numbers"
    return None
