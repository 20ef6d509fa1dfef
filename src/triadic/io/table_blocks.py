"""A table of another library, read in batches, as the rows of a network."""

from __future__ import annotations

import math
import threading
import uuid
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from triadic.errors import ArgumentError
from triadic.io.arrow_columns import rows_of
from triadic.io.blocks import Blocks, BlockSource
from triadic.io.file_source import Source
from triadic.io.identifiers import array_of
from triadic.io.parquet_file import ParquetBlocks, edge_columns, is_integer
from triadic.io.sampling import MOST_ARCS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Uint64Array
    from triadic.errors import ReadError
    from triadic.io.blocks import ProgressCount, Rows
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.table_batches import TableBatches

# Odd numbers with bits in no pattern, for multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
_MIX, _MIX_TARGET = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MIX_WEIGHT = np.uint64(0x165667B19E3779F9)
_HALF = np.uint64(32)


class TableSource(BlockSource):
    """A table of another library in the place of a file; its name is the kind of the table."""

    def __init__(self, batches: TableBatches) -> None:
        self.path = self.name = batches.name
        self.packing, self.folder, self.head, self.whole = None, False, b"", True
        self.batches = batches

    @property
    def stored_bytes(self) -> int:
        """0: the table is in memory, or the result of a query."""
        return 0

    def blocks(self, options: ReadOptions, threads: int | None, *, twice: bool) -> list[Blocks]:  # noqa: ARG002 - of files
        """Return the rows; if a table can be read only once and is read twice, those of a temporary copy."""
        if not twice or not self.batches.needs_copy:
            return [TableBlocks(self, options)]
        columns, others, _ = edge_columns(self, options, self.batches.schema)
        copied = self.batches.copied(list(dict.fromkeys((*columns, *others.values()))))
        copy = Source(copied, name=self.name)
        copy.keep(self.batches)
        return [ParquetBlocks(copy, options)]

    def identity(self) -> dict[str, Any]:
        """Return a new identity: nothing tells whether the rows of two tables are the same."""
        return {"name": self.name, "table": uuid.uuid4().hex}

    @property
    def content_paths(self) -> tuple[str, ...]:
        """No path: a table is no file."""
        return ()


class TableBlocks(Blocks):
    """The rows of a table of another library.

    Parameters
    ----------
    source : TableSource
    options : ReadOptions

    Raises
    ------
    ReadError
        A column is missing.
    """

    def __init__(self, source: TableSource, options: ReadOptions) -> None:
        super().__init__(source)
        self._batches = source.batches
        schema = self._batches.schema
        self._names, self._others, self.taken = edge_columns(source, options, schema)
        self.columns: tuple[object, ...] = tuple(self._names)
        self.numeric = all(is_integer(schema.field(name).type) for name in self._names[:2])
        # A table that is read once is read whole, and needs no bound.
        self.arcs = 0 if self._batches.count is None else self._batches.count()
        self.work = self.arcs
        self._share = 1.0
        self._lock = threading.Lock()
        self._read = (0, 0)
        self._first: tuple[int, int] | None = None

    def parts(  # noqa: D102 - documented in `Blocks`
        self,
        *,
        numeric: bool,
        chunk_bytes: int | None,  # noqa: ARG002 - batches have their own size
        reported: ProgressCount,
    ) -> Iterator[Callable[[], Rows]]:
        first_row, self._read = 0, (0, 0)
        for batch in self._errors(self._batches.read(list(dict.fromkeys((*self._names, *self._others.values()))))):
            yield partial(self._rows, batch, first_row, numeric=numeric)
            first_row += len(batch)
            reported.add(len(batch))

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `Blocks`
        return None if self._batches.count is None else super().fault(numeric=numeric, vertices=vertices)

    def sampled(  # noqa: D102 - documented in `Blocks`
        self, files: Sequence[TableBlocks]
    ) -> tuple[Sequence[TableBlocks], Callable[[FileSample], FileSample]]:
        if self._batches.count is None:
            raise ArgumentError(
                f"{self.source.name}: it can be read only once, and a plan reads a part of it; expected a table"
            )
        self._share = min(1.0, MOST_ARCS / max(1, self.arcs))
        return files, lambda sample: replace(sample, arcs=self.arcs)

    def check(self, *, after: bool) -> None:  # noqa: D102 - documented in `Blocks`
        if after and self._first is None:
            self._first = self._read
        elif after and self._read != self._first:
            raise self.changed()

    def changed(self) -> Exception:  # noqa: D102 - documented in `Blocks`
        return self.source.error(
            "returned other rows when it was read again; expected the same rows each time, as of a query without a "
            "random sample"
        )

    def _rows(self, batch: pa.RecordBatch, first_row: int, *, numeric: bool) -> Rows:
        table = pa.Table.from_batches([batch])
        if self._share < 1:
            table = table.slice(0, math.ceil(len(table) * self._share))
        rows = rows_of(table, self._names, self.source.error, first_row=first_row, numeric=numeric, others=self._others)
        if self._batches.count is not None:
            digest = _digest(rows)
            with self._lock:
                self._read = self._read[0] + len(rows), (self._read[1] + digest) % 2**64
        return rows

    def _errors(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Turn the errors of the library into a ReadError of one line."""
        try:
            yield from batches
        except Exception as error:  # each library has exceptions of its own
            words = " ".join(str(error).split())[:200]
            raise self.source.error(f"cannot be read: {words}") from error


def _digest(rows: Rows) -> int:
    """Return a number that tells rows apart, whatever their order is."""
    if len(rows) == 0:
        return 0
    source, target = (np.concatenate([_hashed(chunk) for chunk in rows[end].chunks]) for end in ("source", "target"))
    mixed: AnyArray = source * _MIX + target * _MIX_TARGET
    if "weight" in rows.column_names:
        mixed += np.concatenate([array_of(chunk).view(np.uint64) for chunk in rows["weight"].chunks]) * _MIX_WEIGHT
    mixed ^= mixed >> _HALF
    mixed *= _MIX
    return int(np.add.reduce(mixed ^ (mixed >> _HALF), dtype=np.uint64))


def _hashed(chunk: pa.Array) -> Uint64Array:
    if not isinstance(chunk, pa.DictionaryArray):
        return array_of(chunk).astype(np.int64, copy=False).view(np.uint64)
    names = np.array([hash(name) for name in chunk.dictionary.to_pylist()], dtype=np.int64).view(np.uint64)
    return names[array_of(chunk.indices)]
