"""Edge tables that Cytoscape exports as CSV: the two ends of an edge stand in its name, ``YKR026C (pp) YGL122C``.

The header has the column ``SUID``, a column ``interaction`` or ``shared interaction``, and a column ``name`` or
``shared name``. A table of nodes has no interaction; it is refused.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.columns import plain_name
from triadic.io.format import Format
from triadic.io.sif import arcs_of_names
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from triadic.core.arcs import Arcs
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions

_NAMES = ("sharedname", "name")
_INTERACTIONS = ("sharedinteraction", "interaction")

_CELL_BYTES, _ROWS_A_CHECK = 80, 1 << 13


def read_edge_table(source: Source, options: ReadOptions) -> Arcs:
    """Read an edge table of Cytoscape.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights`` is the name or the index of a column.

    Returns
    -------
    Arcs
        One for each row, with the names of the nodes as labels.

    Raises
    ------
    ReadError
        The table is one of nodes, or the name of an edge does not hold its interaction between two names.
    """
    header, rows = _header_and_rows(source)
    columns = {plain_name(name): i for i, name in reversed(list(enumerate(header)))}
    name, interaction = (
        next((columns[key] for key in keys if key in columns), None) for keys in (_NAMES, _INTERACTIONS)
    )
    if name is None or interaction is None:
        raise source.error("this is a table of the nodes of Cytoscape, expected its table of edges, or SIF or GraphML")
    weight = _weight(source, options, header, columns)
    codes: dict[str, int] = {}
    ends: list[int] = []
    weights: list[float] = []
    for line, row in rows:
        first, found, second = row[name].partition(f" ({row[interaction]}) ")
        if not found or f" ({row[interaction]}) " in second:
            problem = f"found the name {short(row[name])}, expected two names with ({row[interaction]}) between them"
            raise source.error(problem, line=line)
        ends += (codes.setdefault(end, len(codes)) for end in (first, second))
        if weight is not None:
            weights.append(_number(source, row[weight], line))
    taken = f"columns ends in {header[name]}, header in line 1"
    arcs = arcs_of_names(source, options, codes, ends, taken)
    if weight is None:
        return arcs
    return replace(arcs, weights=np.array(weights, dtype=np.float64))


def _header_and_rows(source: Source) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the names of the columns, and the cells of each row with the number of its line."""
    try:
        held = source.everything()
        # The text, and a copy of four bytes a letter that the CSV reader works on.
        source.check_memory((5 if held.isascii() else 8) * len(held), len(held))
        text = held.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise source.error("found bytes that are not UTF-8, expected text in UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    filled: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if row:
                filled.append((reader.line_num, row))
            if reader.line_num % _ROWS_A_CHECK == 0:
                cells = len(filled[0][1]) if filled else 1
                source.check_memory(_CELL_BYTES * cells * (_ROWS_A_CHECK + len(filled) // 4), len(held))
    except csv.Error as error:
        raise source.error(f"cannot be parsed as CSV ({error})", line=reader.line_num) from None
    (_, header), *rows = filled
    for line, row in rows:
        if len(row) != len(header):
            raise source.error(f"found {len(row)} columns, expected {len(header)} as in the header", line=line)
    return header, rows


def _delimiter(text: str) -> str:
    return max(",;\t", key=text.partition("\n")[0].count)


def _weight(source: Source, options: ReadOptions, header: list[str], columns: dict[str, int]) -> int | None:
    if not options.wants_weights:
        return None
    wanted = options.weights
    if wanted is True:
        found = columns.get("weight")
    elif wanted in header:
        found = header.index(str(wanted))
    else:
        index = int(str(wanted)) if str(wanted).isdecimal() else len(header)
        found = index if index < len(header) else None
    if found is None:
        raise source.error(f"weights={options.weights!r}: there is no such column; the columns are {', '.join(header)}")
    return found


def _number(source: Source, cell: str, line: int) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise source.error(f"found the weight {short(cell)}, expected a finite number", line=line)
    return value


# The first column of every table that Cytoscape exports is SUID.
CYTOSCAPE = Format(
    name="cytoscape",
    read=read_edge_table,
    recognise=re.compile(rb'(?:\xef\xbb\xbf)?"?SUID"?[,;\t][^\n]*\bname\b').match,
)
