"""An edge list as text that is one of the files of a network."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from triadic.errors import ReadError
from triadic.io.edge_kinds import refuse_mixed_kinds
from triadic.io.file_source import Source
from triadic.io.identifiers import read_list
from triadic.io.stream_passes import MOST_THREADS, UNPACKED, FileStamp
from triadic.io.text_layout import IrregularError, Layout, ParseMode, Separator, parse_modes, read_layout
from triadic.io.text_rows import first_fault, no_layout_fits
from triadic.io.text_stream import SHORTEST_ROW, refuse_infinite, table_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.io.edge_tables import EdgeTables, Rows
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import ProgressCount


class TextTables:
    """The rows of an edge list, as :class:`triadic.io.edge_tables.EdgeTables` describes them.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    prefer : Separator
        The separator to try first.
    kinds : Layout, optional
        Layout of another file of the network, whose header names the column of the directions of edges. By default the
        file's own header does.

    Attributes
    ----------
    layout : Layout
        The likeliest layout.
    header : list of str
        Names of the columns in the header row; empty without one.

    Raises
    ------
    ReadError
        The first lines of the file are not the beginning of an edge list.
    """

    integer_names = True
    most_threads = MOST_THREADS

    def __init__(self, source: Source, options: ReadOptions, *, prefer: Separator, kinds: Layout | None = None) -> None:
        comments, self._layouts = read_layout(source, options, prefer=prefer)
        if kinds is not None:
            kind, directed = kinds.kind, kinds.directed
            self._layouts = [replace(layout, kind=kind, directed=directed) for layout in self._layouts]
        first = self._layouts[0] if self._layouts else Layout()
        self.directed = first.directed if comments.directed is None else comments.directed
        self.bipartite, self.sizes, self.taken = comments.bipartite, comments.sizes, first.taken
        self.listed = read_list(source, comments.lists)
        self.layout, self.header = first, first_cells(source, first) if first.header else []
        modes = list(parse_modes(self._layouts)) if self._layouts else []
        self._modes = {numeric: [mode for mode in modes if mode.numeric is numeric] for numeric in (True, False)}
        self.numeric = bool(self._modes[True]) or not modes
        self.columns: tuple[object, ...] = (first.source, first.target, first.weight) if modes else ()
        source.forget_head()
        self.source, self._options = source, options
        self._stamp = FileStamp(source)
        self.work = self._stamp.size * (1 if source.packing is None else UNPACKED)
        self.arcs = self.work // SHORTEST_ROW

    def parts(  # noqa: D102 - documented in `EdgeTables`
        self, *, numeric: bool, chunk_bytes: int, reported: ProgressCount
    ) -> Iterator[Callable[[], Rows]]:
        mode = self._mode(numeric=numeric)
        if mode is not None:
            for part in table_parts(self.source, mode, chunk_bytes=chunk_bytes, reported=reported):
                yield partial(self._checked, part, mode)

    def refuse(self, problem: str, *, numeric: bool) -> bool:  # noqa: D102 - documented in `EdgeTables`
        self._modes[numeric].pop(0)
        if self._modes[numeric]:
            return True
        if numeric and self._modes[False]:
            return False
        raise no_layout_fits(self.source, self._layouts, problem)

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `EdgeTables`
        mode = self._mode(numeric=numeric) or self._mode(numeric=not numeric)
        return None if mode is None else first_fault(self.source, mode.layout, numeric=numeric, vertices=vertices)

    def check(self, *, after: bool) -> None:  # noqa: ARG002, D102 - documented in `EdgeTables`
        self._stamp.check()

    def changed(self) -> Exception:  # noqa: D102 - documented in `EdgeTables`
        return self._stamp.error()

    def _mode(self, *, numeric: bool) -> ParseMode | None:
        return next(iter(self._modes[numeric]), None)

    def _checked(self, part: Callable[[], Rows], mode: ParseMode) -> Rows:
        rows = part()
        if not mode.numeric and any(
            "" in chunk.dictionary.to_pylist() for end in ("source", "target") for chunk in rows[end].chunks
        ):
            raise IrregularError("an empty id")
        if mode.layout.kind is not None:
            refuse_mixed_kinds(self.source, rows, directed=mode.layout.directed)
            rows = rows.drop_columns(["kind"])
        if mode.layout.weight is not None:
            refuse_infinite(self.source, rows, mode.layout)
        return rows


def first_cells(source: Source, layout: Layout) -> list[str]:
    """Return the cells of the first row in the head of a file; comments and empty lines are no rows."""
    for line in source.head.removeprefix(b"\xef\xbb\xbf").splitlines():
        text = line.decode("utf-8", "replace").strip(" \t")
        if text and text[0] not in "#%" and text.strip('"')[:4].lower() != "sep=":
            return layout.cells(text)
    return []


def open_tables(source: Source, options: ReadOptions, before: EdgeTables | None, *, prefer: Separator) -> TextTables:
    """Open an edge list, of which the first file of the same network may have named the columns.

    If a file was cut into parts, only its first part has a header, which names the columns of all parts. If each file
    has a header, it is the same row in all files.
    """
    first = before if isinstance(before, TextTables) and before.header else None
    if first is None:
        return TextTables(source, options, prefer=prefer)
    row = first_cells(source, first.layout)
    if row == first.header:
        return TextTables(source, replace(options, header=True), prefer=prefer)
    try:
        found = TextTables(source, replace(options, header=None), prefer=prefer)
    except ReadError:
        # A row with one of the names may be a header in another order, and is no row of ids.
        if not set(row).isdisjoint(first.header):
            raise
    else:
        if found.header or not found.columns:
            return found
    ends, weight = first.layout, options.weights if first.layout.weight is None else first.layout.weight
    same = replace(options, header=False, source=ends.source, target=ends.target, weights=weight)
    return TextTables(Source(source.path), same, prefer=prefer, kinds=first.layout)
