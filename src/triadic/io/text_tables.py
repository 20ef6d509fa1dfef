"""An edge list as text that is one of the files of a network."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.identifiers import arrays_of
from triadic.io.stream_passes import MOST_THREADS, UNPACKED, FileStamp
from triadic.io.text_layout import INTEGER, IrregularError, ParseMode, Separator, binary_data, parse_modes, read_layout
from triadic.io.text_rows import first_fault, no_layout_fits
from triadic.io.text_stream import SHORTEST_ROW, table_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.errors import ReadError
    from triadic.io.edge_tables import Rows
    from triadic.io.file_source import Source
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

    Raises
    ------
    ReadError
        The first lines of the file are not the beginning of an edge list.
    """

    integer_names = True
    most_threads = MOST_THREADS

    def __init__(self, source: Source, options: ReadOptions, *, prefer: Separator) -> None:
        fault = binary_data(source)
        if fault is not None:
            raise fault
        comments, self._layouts = read_layout(source, options, prefer=prefer)
        if any(size >= 2**63 for size in comments.sizes):
            raise source.error("its header states 2**63 vertices or more, expected fewer")
        self.directed, self.bipartite, self.sizes = comments.directed, comments.bipartite, comments.sizes
        modes = list(parse_modes(self._layouts)) if self._layouts else []
        self._modes = {numeric: [mode for mode in modes if mode.numeric is numeric] for numeric in (True, False)}
        self.numeric = bool(self._modes[True]) or not modes
        first = self._layouts[0] if self._layouts else None
        self.columns: tuple[object, ...] = () if first is None else (first.source, first.target, first.weight)
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
        if mode.layout.weight is not None and not all(np.isfinite(some).all() for some in arrays_of(rows["weight"])):
            fault = first_fault(self.source, mode.layout, numeric=False)
            raise fault or self.source.error("a weight is not a finite number")
        return rows


def all_integers(rows: Rows) -> bool:
    """Return whether each name in a table is an integer."""
    return all(
        INTEGER.match(name)
        for end in ("source", "target")
        for chunk in rows[end].chunks
        for name in chunk.dictionary.to_pylist()
    )
