"""Parquet, a row group at a time: several threads unpack and decode different ones.

Row groups that are too long for that are decoded in batches, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.io.arrow_columns import id_columns
from triadic.io.identifiers import UnusableIdError
from triadic.io.parquet import edge_columns, named_errors, stated_metadata
from triadic.io.streams.ahead import worked_ahead
from triadic.io.streams.columns import Reported, Unchanged, sliced
from triadic.io.streams.gathering import Names, Numbers, one_set
from triadic.io.streams.kept import KeepingNothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.blocks import Progress
    from triadic.io.arrow_arrays import Column
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source
    from triadic.io.streams.gathering import OneSide, Piece
    from triadic.io.streams.protocol import Survey

    _Change = Callable[[Column, Column], tuple[Any, Any]]

_MOST_THREADS = 8
# Rows of a group that is decoded whole: 64 MiB of ids.
_LONGEST_GROUP = 1 << 22
_BATCH = 1 << 20


class ParquetStream(KeepingNothing):
    """The arcs of a Parquet file, decoded for each pass: that takes no longer than memory to keep them in."""

    def __init__(self, source: Source, asked: Asked, *, piece_arcs: int, threads: int) -> None:
        self._source, self._asked, self._piece_arcs = source, asked, piece_arcs
        self._threads = min(threads, _MOST_THREADS)
        self._metadata: Any = None
        with named_errors(source):
            # Read, and not mapped: pages of a mapped file count as memory held for as long as nobody else wants them.
            self._held = None if source.packing is None else source.mapped()
            with self._opened() as file:
                self._metadata = file.metadata
                schema = file.schema_arrow
                self._ends = edge_columns(source, asked, schema)[:2]
                self._stated, directed = stated_metadata(source, schema.metadata)
                self._numeric = all(_is_integer(schema.field(name).type) for name in self._ends)
        self.directed = directed if asked.directed is None else asked.directed
        self._file = Unchanged(source)
        self._vertices: Callable[[Column, Column], Piece] | None = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once; see :class:`triadic.io.streams.ArcStream`."""
        arcs = self._metadata.num_rows
        declared = self._asked.vertices
        ids: OneSide = Numbers(declared=declared, arcs=arcs) if self._numeric else Names(declared=declared)
        reported = Reported(progress, arcs)
        for source, target in self._read(lambda *ends: ends):
            ids.add(source, target)
            reported.add(len(source))
        try:
            numbering = one_set(ids, arcs, self._stated)
        except UnusableIdError as error:
            raise self._source.error(str(error)) from None
        self._vertices = numbering.vertices
        return numbering.survey

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Read everything again; see :class:`triadic.io.streams.ArcStream`."""
        if self._vertices is None:
            self.survey()
        reported = Reported(progress, self._metadata.num_rows)
        try:
            for source, target in self._read(cast("_Change", self._vertices)):
                yield from sliced(source, target, self._piece_arcs)
                reported.add(len(source))
        except (KeyError, IndexError):
            raise self._file.error() from None

    def _read(self, change: _Change) -> Iterator[tuple[Any, Any]]:
        """Yield the two columns, in parts, as ``change`` makes them."""
        self._file.check()
        rows = [self._metadata.row_group(i).num_rows for i in range(self._metadata.num_row_groups)]
        starts = np.concatenate([[0], np.cumsum(rows, dtype=np.int64)])

        def changed(part: tuple[int, pa.Table]) -> tuple[Any, Any]:
            return change(*self._columns(part[1], part[0]))

        def group(i: int) -> tuple[Any, Any]:
            # A file object is not to be used by two threads.
            with self._opened() as file:
                table = file.read_row_group(i, columns=self._ends, use_threads=False)
            return changed((int(starts[i]), table))

        with named_errors(self._source):
            if max(rows, default=0) <= _LONGEST_GROUP:
                yield from worked_ahead(group, range(len(rows)), threads=self._threads)
            else:
                yield from worked_ahead(changed, self._batches(), threads=1)
        self._file.check()

    def _batches(self) -> Iterator[tuple[int, pa.Table]]:
        start = 0
        with self._opened() as file:
            for batch in file.iter_batches(_BATCH, columns=self._ends):
                yield start, pa.Table.from_batches([batch])
                start += len(batch)

    def _opened(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        raw = self._source.positioned() if self._held is None else pa.BufferReader(self._held)
        return pq.ParquetFile(raw, metadata=self._metadata)

    def _columns(self, table: pa.Table, start: int) -> tuple[Column, Column]:
        for name in self._ends:
            if table[name].null_count:
                row = table[name].is_null().index(True).as_py()
                raise self._source.error(f"the column {name!r} has no value in row {start + row + 1}")
        if all(table[name].type in (pa.int32(), pa.int64()) for name in self._ends):
            return table[self._ends[0]], table[self._ends[1]]
        return id_columns(table, (self._ends[0], self._ends[1]), self._source.error)


def _is_integer(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind))
