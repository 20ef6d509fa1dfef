"""Files of timed events: text and Parquet with a column of times, and tables in memory.

The ends of the events are found as in edge lists. The time is a number, a date or a date with the time of day, as ISO
8601 writes them. Parquet files that triadic writes keep the number of vertices, the labels, and how ties are ordered in
the metadata of the schema, under ``triadic``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from os import PathLike
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from triadic.core.memory import named_memory_errors
from triadic.errors import ArgumentError, ReadError
from triadic.graph.temporal import TemporalGraph
from triadic.io.arrow_columns import can_be, dates_of, holds_texts, id_columns, refuse_nulls, values_type, without_empty
from triadic.io.blocks import BlockFiles
from triadic.io.columns import ColumnsError, shown
from triadic.io.file_source import LESS_MEMORY, Source, path_text
from triadic.io.format import ReadOptions
from triadic.io.formats import PARQUET
from triadic.io.graph_names import chosen_columns
from triadic.io.identifiers import labels_of, to_array, vertices_of
from triadic.io.networks import recognised
from triadic.io.parquet_file import metadata_of, named_errors, parquet_writer
from triadic.io.reading import joined_rows
from triadic.io.table_blocks import batches_of
from triadic.io.text_blocks import TextBlocks
from triadic.io.text_layout import INTEGER, Separator, read_layout, rows_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray
    from triadic.io.identifiers import Column

    Refusal = Callable[[str], Exception]

_ROWS = 1 << 20  # rows of a row group


def read_temporal(
    path: Any,  # noqa: ANN401 - a path, a binary file, or a table of another library
    *,
    time: str | int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    num_vertices: int | None = None,
    ties: str | None = None,
    unit: str | None = None,
    bad_rows: str = "error",
    dayfirst: bool | None = None,
) -> TemporalGraph:
    r"""Read timed events from a text, a Parquet file or a table.

    Parameters
    ----------
    path : path-like, binary file or table
        A text such as CSV or one of SNAP's temporal networks, which may be packed by gzip or Zstandard; a Parquet file;
        ``"-"`` for standard input; a binary file; or a table of pandas, polars or pyarrow.
    time : str or int, optional
        Column of the times: its name, or its index from 0. By default it is found by its name, such as "timestamp"; in
        a text of three columns without names it is the third. Times are numbers, dates, or dates with a time of day, as
        ISO 8601 writes them; those with a time zone become UTC. Dates such as 01.03.2024 13:08 and 3/14/2024 are read
        as well, if `dayfirst` or the column tells which number is the day.
    source, target : str or int, optional
        Columns of the two ends of an event: names, or indices from 0. By default they are found by their names, such as
        "from_user" and "to_user"; columns without names are taken in their order.
    header : bool, optional
        Whether the first row of a text holds the names of the columns. By default the first rows tell.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every id must be below it. By default the ids that occur, or the vertices that a
        file of `TemporalGraph.to_parquet` states.
    ties : {"order", "simultaneous"}, optional
        Whether events at the same time follow one another in the order of the file, or never follow one another. By
        default as a file of `TemporalGraph.to_parquet` states, or "order", and counts of motifs warn if most events are
        tied.
    unit : {"s", "ms", "us", "ns"}, optional
        Unit of times that are numbers. By default as a file of `TemporalGraph.to_parquet` states, or seconds; numbers
        that are milliseconds, microseconds or nanoseconds since 1970 by their size are taken as such, with a warning.
    bad_rows : {"error", "skip"}, default "error"
        Whether a row of a text whose columns or ends cannot be read is an error, or is left out; a warning then tells
        how many were, and what is wrong with the first one.
    dayfirst : bool, optional
        Whether dates such as 01.03.2024 begin with the day. By default the column tells; if all its dates may be
        read in both ways, they are an error.

    Returns
    -------
    TemporalGraph
        Events between the vertices 0 .. n - 1. If the ids of the file are not these numbers, they are the labels.

    Raises
    ------
    MissingFileError
        If the file does not exist.
    ReadError
        If the file is damaged or of another kind, if a column is missing or cannot be told, if an id is negative, or if
        a value in the column of times is no time, not finite, or more than 2**63 ns from 1970.
    ArgumentError
        If an argument has a value that cannot be used.
    OutOfMemoryError
        If the events do not fit in memory.

    See Also
    --------
    TemporalGraph.from_edges : Make a temporal graph from arrays.
    read : Read a network without times.

    Notes
    -----
    Reading takes about as long as Arrow takes to parse the file into columns, and a sort if the events are not sorted
    by time.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("calls.csv").write_text("caller,callee,date\nann,bob,2024-05-01 09:30\nbob,cem,2024-05-02 10:00\n")
    >>> graph = triadic.read_temporal("calls.csv")
    >>> graph, graph.labels.tolist()
    (TemporalGraph(3 vertices, 2 events, from 2024-05-01T09:30:00 to 2024-05-02T10:00:00), ['ann', 'bob', 'cem'])
    """
    # A column of times is chosen by the rules for columns of weights.
    options = ReadOptions(
        None, num_vertices, _checked_time(time), source, target, header, None, True, None, bad_rows, dayfirst
    )
    if not isinstance(path, (str, bytes, PathLike)) and not hasattr(path, "read"):
        return _events_of_table(_table_of(path), options, ties, unit, partial(ReadError, "table"))
    network = recognised(path)
    file = network if isinstance(network, Source) else Source(network)
    with named_memory_errors(f"{file.name}: reading the events", LESS_MEMORY):
        if file.folder:
            raise file.error("is a folder, expected a file of events; tiles and folders of triadic hold no times")
        if PARQUET.recognise is not None and PARQUET.recognise(file.head):
            with named_errors(file):
                table = pq.read_table(pa.BufferReader(file.mapped()))
            return _events_of_table(table, options, ties, unit, file.error)
        return _events_of_text(file, options, ties, unit)


def to_parquet(graph: TemporalGraph, path: str | PathLike[str]) -> None:
    """Write the events of a temporal graph, row group by row group.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    ties = graph._ties  # noqa: SLF001 - None, if nobody has stated what rows ordered
    about: dict[str, Any] = {"vertices": graph.num_vertices, "ties": ties, "unit": graph.unit}
    labels = graph.labels
    if labels is not None and len(labels):
        about["labels"] = labels.tolist()
    # Only labels that are all different tell the vertices.
    if labels is None or len(labels) < graph.num_vertices or len(set(labels.tolist())) < len(labels):
        labels, about["ids"] = None, "vertices"
    kind = pa.string() if labels is not None and labels.dtype == object else pa.int64()
    time = pa.timestamp("ns") if graph.time.dtype.kind == "M" else pa.from_numpy_dtype(graph.time.dtype)
    fields = [pa.field("source", kind), pa.field("target", kind), pa.field("time", time)]
    with parquet_writer(path_text(path), fields, about) as write:
        for start in range(0, max(1, graph.num_events), _ROWS):
            part = slice(start, start + _ROWS)
            ends = [graph.source[part], graph.target[part]]
            columns = [*(ends if labels is None else [labels[end] for end in ends]), graph.time[part]]
            write([pa.array(column, type=field.type) for column, field in zip(columns, fields, strict=True)])


def _checked_time(time: str | int | None) -> str | int | None:
    if type(time) not in (str, int, NoneType):
        raise ArgumentError(f"time={time!r}: expected the name or the index of a column")
    if isinstance(time, int) and time < 0:
        raise ArgumentError(f"time={time!r}: expected the name or the index of a column, from 0")
    return time


def _table_of(table: Any) -> pa.Table:  # noqa: ANN401 - a table of another library
    batches = batches_of(table)
    if batches is None:
        raise ArgumentError(
            f"path: read_temporal got a {type(table).__name__}; expected a path, a binary file, or a table of pandas, "
            "polars or pyarrow"
        )
    return batches.table(batches.schema.names)


def _events_of_text(file: Source, options: ReadOptions, ties: str | None, unit: str | None) -> TemporalGraph:
    """Read the events of a text: times as integers if those of the first rows are, and as text otherwise."""
    try:
        _, layouts = read_layout(file, options, prefer=Separator.TAB)
    except ReadError as error:
        raise file.error(_of_times(error.problem), line=error.line) from None
    if not layouts:
        raise file.error("has no rows, expected events with a source, a target and a time")
    names, place = layouts[0].names, layouts[0].weight or 0
    cells = [row[place] for row in rows_below(file, layouts[0]) if len(row) > place]
    whole = bool(cells) and all(map(INTEGER.match, cells))
    for kind in ("int64", "string") if whole else ("string",):
        blocks = TextBlocks(file, options, changed_by=partial(replace, weight_type=kind))
        try:
            table, _ = joined_rows(BlockFiles(file, [blocks], options))
            break
        except ReadError:
            if kind == "string":
                raise
    column = table["weight"]
    if blocks.layout.decimal == "," and pa.types.is_string(column.type):
        column = pc.replace_substring(column, ",", ".")
    times = _times(column, names[place] if names else "time", file.error, options.dayfirst)
    return _graph((table["source"], table["target"]), times, {}, options, ties, unit, file.error)


def _of_times(problem: str) -> str:
    return problem.replace("weights=", "time=")


def _events_of_table(
    table: pa.Table, options: ReadOptions, ties: str | None, unit: str | None, refuse: Refusal
) -> TemporalGraph:
    """Make the graph of a table with names of columns, and perhaps metadata of triadic."""
    names = tuple(table.column_names)
    try:
        columns, _, _ = chosen_columns(names, len(names), options)
    except ColumnsError as error:
        raise refuse(_of_times(str(error))) from None
    source, target, time = (names[place] for place in columns.places)
    ends = id_columns(table, (source, target), refuse)
    times = _times(table[time], time, refuse, options.dayfirst)
    about = metadata_of(table.schema)
    return _graph(ends, times, about if "ties" in about else {}, options, ties, unit, refuse)


def _graph(
    ends: tuple[Column, Column],
    times: AnyArray,
    about: dict[str, Any],
    options: ReadOptions,
    ties: str | None,
    unit: str | None,
    refuse: Refusal,
) -> TemporalGraph:
    """Make the graph of columns of ids and times, with what the metadata of triadic say about it."""
    stated = about.get("vertices")
    if type(stated) is not int or not 0 <= stated < 2**63:
        stated = None
    labels = labels_of(about["labels"], refuse, different=False) if "labels" in about else None
    listed = None if about.get("ids") == "vertices" else labels
    declared = stated if options.num_vertices is None and listed is None else options.num_vertices
    found = vertices_of(*ends, refuse, declared=declared, stated=stated, listed=listed)
    if listed is None and labels is not None:
        found = replace(found, labels=labels)
    if unit is None and times.dtype.kind != "M":
        unit = about.get("unit")
    try:
        return TemporalGraph.from_edges(
            found.source,
            found.target,
            times,
            num_vertices=found.count,
            labels=found.labels,
            ties=about.get("ties") if ties is None else ties,
            unit=unit,
        )
    except ArgumentError as error:
        if str(error).startswith(("ties=", "unit=")):
            raise
        raise refuse(str(error)) from None


def _times(column: Column, name: str, refuse: Refusal, dayfirst: bool | None) -> AnyArray:
    """Return a column of times as int64, float64 or datetime64[ns]."""
    kind = values_type(column.type)
    column = pc.cast(column, kind)
    refuse_nulls(column, shown(name), refuse, what="time")
    if pa.types.is_integer(kind):
        return _array(column, name, pa.int64(), refuse)
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _finite(_array(column, name, pa.float64(), refuse), name, refuse)
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return _array(column, name, pa.timestamp("ns", getattr(kind, "tz", None)), refuse)
    if holds_texts(kind):
        column = without_empty(pc.utf8_trim(pc.cast(column, pa.string()), characters=' \t"'))
        refuse_nulls(column, shown(name), refuse, what="time")
        dates = dates_of(column, shown(name), refuse, dayfirst)
        return (
            _times_of_text(column, name, refuse) if dates is None else _array(dates, name, pa.timestamp("ns"), refuse)
        )
    raise refuse(f"the column {shown(name)!r} holds {kind}, expected times: numbers, dates or dates with a time of day")


def _finite(times: AnyArray, name: str, refuse: Refusal) -> AnyArray:
    finite = np.isfinite(times)
    if not finite.all():
        row = int(np.argmin(finite))
        raise refuse(
            f"found the time {times[row]} in row {row + 1} of the column {shown(name)!r}, expected a finite time"
        )
    return times


def _times_of_text(column: Column, name: str, refuse: Refusal) -> AnyArray:
    """Parse times that are texts: whole numbers, other numbers, or dates of one form of ISO 8601."""
    for kind in (pa.int64(), pa.float64(), pa.timestamp("ns"), pa.timestamp("ns", "UTC")):
        try:
            parsed = pc.cast(column, kind)
        except pa.ArrowInvalid:
            continue
        times = _numpy(parsed)
        if times.dtype.kind != "f":
            return times
        row = pc.index(pc.match_substring_regex(column, r"^[-+]?[0-9]{19,}$"), True).as_py()
        if row >= 0:  # a float would not be exact
            found = f"found the time {column[row].as_py()[:40]} in row {row + 1} of the column {shown(name)!r}"
            raise refuse(f"{found}, expected whole numbers below 2**63")
        return _finite(times, name, refuse)
    # The first row that is not of the form of the first row is wrong.
    forms = (pa.float64(), pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.timestamp("s"), pa.timestamp("s", "UTC"))
    form = next((each for each in forms if can_be(column.slice(0, 1), each)), pa.timestamp("ns"))
    row = _first_wrong(column, form)
    text = column[row].as_py()
    _, *is_date = (can_be(column.slice(row, 1), each) for each in forms)
    if any(is_date[2:]) and not any(is_date[:2]):
        raise refuse(f"found the time {text[:40]!r} in row {row + 1}, more than 2**63 ns from 1970")
    expected = "a number" if form == pa.float64() else "a date or a date with a time of day, as in ISO 8601"
    same = "" if row == 0 else f" in the form of the first row, {column[0].as_py()[:40]!r}"
    raise refuse(
        f"found the time {text[:40]!r} in row {row + 1} of the column {shown(name)!r}, expected {expected}{same}"
    )


def _first_wrong(column: Column, kind: pa.DataType) -> int:
    """Return the first row that is not of a form, by halving: at least one is not."""
    low, high = 0, len(column)
    while high - low > 1:
        middle = (low + high) // 2
        if can_be(column.slice(low, middle - low), kind):
            low = middle
        else:
            high = middle
    # All rows are of the form if the last step found no wrong row: then the form of the first row misled.
    return low


def _array(column: Column, name: str, kind: pa.DataType, refuse: Refusal) -> AnyArray:
    try:
        return _numpy(pc.cast(column, kind))
    except pa.ArrowInvalid:
        row = _first_wrong(column, kind)
        found = f"found the time {column[row].cast(pa.string()).as_py()[:40]} in row {row + 1}"
        limit = "2**63 ns from 1970" if pa.types.is_timestamp(kind) else "2**63"
        raise refuse(f"{found} of the column {shown(name)!r}, expected less than {limit}") from None


def _numpy(column: Column) -> AnyArray:
    """Return a column of numbers or timestamps as one NumPy array; Arrow's own conversion imports pandas."""
    if pa.types.is_timestamp(column.type):
        return to_array(pc.cast(column, pa.int64()), np.int64).view("datetime64[ns]")
    return to_array(column, np.int64 if column.type == pa.int64() else np.float64)
