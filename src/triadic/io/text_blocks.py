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
in the next one, from the beginning, and ids that are not all numbers as names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.formatting import plural
from triadic.errors import ReadError
from triadic.io.blocks import MOST_THREADS, Blocks
from triadic.io.file_source import Source
from triadic.io.graph_names import refuse_mixed_kinds
from triadic.io.identifiers import read_list
from triadic.io.sampling import NAME_COLUMNS, NUMBER_COLUMNS, SampledSource, most_text, random_places
from triadic.io.text_layout import (
    IrregularError,
    Layout,
    ParseMode,
    Separator,
    first_row,
    parse_modes,
    read_layout,
    skip_lines,
)
from triadic.io.text_rows import (
    SUSPECT_BYTES,
    checked_chunks,
    first_fault,
    no_layout_fits,
    readable_rows,
    regular_rows,
    streamed,
    unchanged_rows,
    unusable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.io.blocks import ProgressCount, Rows
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample

# Bytes of the shortest row: two digits, a separator and a line end.
_SHORTEST_ROW = 4
# Of a sample: bytes to read of a file at least, and the largest number of files to read.
_FILE_BYTES = 1 << 22
_MOST_FILES = 64
_ROW = re.compile(rb"[^\n]+")


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

    integer_names = is_parsed = True
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
        mode = self._modes[numeric][0]
        if mode.unchanged and chunk_bytes is None:
            yield partial(self._checked, partial(streamed, self.source, mode.layout), mode)
            return
        skip, columns, number = mode.layout.skip, 0, mode.layout.skip + 1
        self._skipped.clear()
        if mode.skips:
            chunk_bytes = SUSPECT_BYTES
        chunks = checked_chunks(self.source) if chunk_bytes is None else self.source.chunks(chunk_bytes)
        for i, chunk in enumerate(chunks):
            lines, skip = skip_lines(chunk if i else chunk.removeprefix(b"\xef\xbb\xbf"), skip)
            columns = columns or _columns(lines, mode.layout)
            part = partial(regular_rows, lines, mode.layout, numeric=numeric)
            if mode.skips:
                part = partial(readable_rows, lines, mode.layout, number, self._skipped, numeric=numeric)
                number += lines.count(b"\n")
            elif mode.unchanged:
                part = partial(unchanged_rows, lines, mode.layout, columns=columns)
            yield partial(self._checked, part, mode)
            reported.add(len(chunk))

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
            raise no_layout_fits(self.source, self._layouts, problem)
        self._use(following.layout)
        return following.numeric is numeric

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `Blocks`
        mode = self._mode(numeric=numeric) or self._mode(numeric=not numeric)
        return None if mode is None else first_fault(self.source, mode.layout, numeric=numeric, vertices=vertices)

    def sampled(  # noqa: D102 - documented in `Blocks`
        self, files: Sequence[TextBlocks]
    ) -> tuple[Sequence[TextBlocks], Callable[[FileSample], FileSample]]:
        sizes = np.array([file.source.stored_bytes for file in files], dtype=np.int64)
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

    def _mode(self, *, numeric: bool) -> ParseMode | None:
        return next(iter(self._modes[numeric]), None)

    def _use(self, layout: Layout) -> None:
        self.layout, self.taken = layout, layout.taken
        self.weight = layout.names[layout.weight] if layout.names and layout.weight is not None else None
        self.directed = layout.directed if self._directed is None else self._directed
        self.columns = (layout.source, layout.target, layout.weight, *layout.others) if self._layouts else ()

    def _checked(self, part: Callable[[], Rows], mode: ParseMode) -> Rows:
        rows, layout = part(), mode.layout
        problem = unusable(rows, layout, numeric=mode.numeric, limit=2**63 if self._skips else None)
        if problem is not None:
            raise IrregularError(problem)
        if layout.kind is not None:
            refuse_mixed_kinds(self.source, rows, directed=layout.directed)
            rows = rows.drop_columns(["kind"])
        return rows


def _columns(lines: bytes, layout: Layout) -> int:
    """Return the number of columns of the first row, as Arrow counts them; 0 if there is none."""
    row = _ROW.search(lines)
    return 0 if row is None else row[0].count(layout.delimiter.encode()) + 1
