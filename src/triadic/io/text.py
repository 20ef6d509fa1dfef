"""Edge lists as text: SNAP, KONECT, CSV, TSV and whatever else has a source and a target on each line.

Lines that begin with ``#`` or ``%`` are comments, and the first ones may say the direction and the number of vertices
(:mod:`triadic.io.text_comments`). Columns stand between tabs, commas, semicolons or blanks; further columns are left
alone unless one is asked for as the weight. Ids are integers from 0 to 2**63 - 1 or, if one of them is something else,
all of them names. Every row has as many columns as the first.

A bipartite network of KONECT (``% bip``) numbers its two sets apart: its sources become the vertices 0, 1, ... and its
targets the vertices after them, with the labels ``left:ID`` and ``right:ID``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from triadic.core.arcs import Arcs
from triadic.io.arrow_arrays import to_array
from triadic.io.identifiers import (
    UnusableIdError,
    Vertices,
    two_sets,
    vertices_of_names,
    vertices_of_numbers,
)
from triadic.io.text_faults import binary_data, first_fault, open_quote
from triadic.io.text_layout import INTEGER, Layout, Separator, read_layout
from triadic.io.text_rows import IrregularError, made_regular, streamed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.errors import ReadError
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.text_comments import Comments
    from triadic.io.text_rows import Table

_ENDS = ("source", "target")


def read_text(source: Source, asked: Asked, *, prefer: Separator = Separator.TAB) -> Arcs:
    """Read an edge list.

    Parameters
    ----------
    source : Source
    asked : Asked
    prefer : Separator
        The separator to try first.

    Returns
    -------
    Arcs
        One for each row, in the order of the file.

    Raises
    ------
    ReadError
        With the number of the first line that is wrong.
    """
    fault = binary_data(source)
    if fault is not None:
        raise fault
    comments, layouts = read_layout(source, asked, prefer=prefer)
    if any(size >= 2**63 for size in comments.sizes):
        raise source.error("its header says that there are 2**63 vertices or more, expected fewer")
    table, layout = _rows(source, layouts) if layouts else (_no_rows(asked), Layout())
    weights = to_array(table["weight"], np.float64) if "weight" in table.column_names else None
    if weights is not None and not np.isfinite(weights).all():
        raise first_fault(source, layout, numeric=False) or source.error("a weight is not a finite number")
    try:
        vertices = _vertices(table, comments, asked)
    except UnusableIdError as error:
        found = first_fault(source, layout, numeric=_is_numeric(table), vertices=asked.vertices)
        raise found or source.error(str(error)) from None
    stated = comments.directed if asked.directed is None else asked.directed
    return Arcs(
        source=vertices.source,
        target=vertices.target,
        vertices=vertices.count,
        directed=True if stated is None else stated,
        weights=weights,
        labels=vertices.labels,
    )


def _rows(source: Source, layouts: list[Layout]) -> tuple[Table, Layout]:
    """Return the rows by the first way that fits the file, and the layout that it took."""
    problem = ""
    for layout, way in _ways(source, layouts):
        try:
            return way(layout), layout
        except IrregularError as error:
            problem = str(error)
    raise no_layout_fits(source, layouts, problem)


def no_layout_fits(source: Source, layouts: list[Layout], problem: str) -> ReadError:
    """Return the error for rows that no layout fits; ``problem`` is what the last one met."""
    # The layout that explains most of the file says best what is wrong with the rest.
    faults = [fault for layout in layouts if (fault := first_fault(source, layout, numeric=False)) is not None]
    if faults:
        return max(faults, key=lambda fault: fault.line or 0)
    unclosed = open_quote(source, layouts[0])
    return unclosed or source.error(f"its rows cannot be parsed ({' '.join(problem.split())[:200]})")


def _ways(source: Source, layouts: list[Layout]) -> Iterator[tuple[Layout, Callable[[Layout], Table]]]:
    if layouts[0].numeric:
        yield layouts[0], lambda layout: streamed(source, layout)
    for layout in layouts:
        if layout.separator in (Separator.ANY, Separator.BLANKS) and layout.numeric:
            yield layout, lambda layout: made_regular(source, layout, numeric=True)
    for layout in layouts:
        # Commas have meant something in the first row, so that they may not become part of a name.
        if layout is layouts[0] or (layout.separator is Separator.BLANKS and layouts[0].separator is Separator.TAB):
            yield layout, lambda layout: _names(source, layout)


def _names(source: Source, layout: Layout) -> Table:
    """Return the rows with names as ids, or with int64 ids if every name in them is an integer."""
    table = made_regular(source, layout, numeric=False)
    names = [chunk.dictionary.to_pylist() for end in _ENDS for chunk in table[end].chunks]
    if any("" in some for some in names):
        raise IrregularError("an empty id")
    if not all(INTEGER.match(name) for some in names for name in some):
        return table
    try:
        for column, end in enumerate(_ENDS):
            chunks = [chunk.dictionary.cast(pa.int64()).take(chunk.indices) for chunk in table[end].chunks]
            table = table.set_column(column, end, pa.chunked_array(chunks, pa.int64()))
    except pa.ArrowInvalid as error:
        raise first_fault(source, layout, numeric=True) or source.error(" ".join(str(error).split())) from None
    return table


def _no_rows(asked: Asked) -> Table:
    columns = {end: pa.chunked_array([], pa.int64()) for end in _ENDS}
    if asked.wants_weights:
        columns["weight"] = pa.chunked_array([], pa.float64())
    return pa.table(columns)


def _is_numeric(table: Table) -> bool:
    return bool(table["source"].type == pa.int64())


def _vertices(table: Table, comments: Comments, asked: Asked) -> Vertices:
    maker = vertices_of_numbers if _is_numeric(table) else vertices_of_names
    if not comments.bipartite:
        stated = comments.sizes[0] if comments.sizes else None
        return maker(table["source"], table["target"], declared=asked.vertices, stated=stated)
    left, right = (maker(table[end], table[end], declared=None, stated=None) for end in _ENDS)
    return two_sets(left, right, declared=asked.vertices, stated=sum(comments.sizes))
