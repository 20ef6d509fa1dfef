"""A table of another library, read in batches, as the rows of a network."""

from __future__ import annotations

import math
import os
import sys
import threading
import uuid
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from triadic.core.draws import mix
from triadic.core.records import value_class
from triadic.errors import ArgumentError, ReadError, in_one_line
from triadic.io.arrow_columns import rows_of
from triadic.io.blocks import Blocks, BlockSource
from triadic.io.file_source import Source
from triadic.io.identifiers import numbers_of_names, to_array
from triadic.io.parquet_file import ParquetBlocks, decoded_columns, edge_columns, has_numbers
from triadic.io.sampling import MOST_ARCS
from triadic.io.temporary_files import temporary_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from triadic.io.blocks import ProgressCount, Rows, Sampled
    from triadic.io.format import ReadOptions

    Batches = Iterator[pa.RecordBatch]

BATCH_ROWS = 1 << 17


@value_class(weakref_slot=True)
class TableBatches:
    """A table of another library, read as batches of some of its columns.

    Attributes
    ----------
    name : str
        Kind of the table, for messages.
    schema : pyarrow.Schema
    read : callable
        ``read(columns)`` yields the columns of these names as batches, in the order of the rows. They may have other
        columns as well.
    count : callable or None
        Returns the number of rows. None for a table that can be read only once.
    write_parquet : callable, optional
        Writes columns to a Parquet file in bounded memory, for a library that has no batches. By default None.
    """

    name: str
    schema: pa.Schema
    read: Callable[[list[str]], Batches]
    count: Callable[[], int] | None
    write_parquet: Callable[[list[str], Path], None] | None = None

    def table(self, columns: list[str]) -> pa.Table:
        """Return columns as a whole."""
        names = list(dict.fromkeys(columns))
        schema = pa.schema([self.schema.field(name) for name in names])
        batches = [batch.select(names) for batch in self.read(names)]
        return pa.Table.from_batches(batches, batches[0].schema if batches else schema)

    def copied(self, columns: list[str]) -> Path:
        """Return a temporary Parquet file with some columns, which is removed with this object.

        Raises
        ------
        ReadError
            The file cannot be written.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415 - only tables that cannot be read twice need it

        path = temporary_file(self, ".parquet")
        try:
            if self.write_parquet is not None:
                self.write_parquet(columns, path)
                return path
            batches = self.read(columns)
            first = next(batches, None)
            fields = [(self.schema if first is None else first.schema).field(name) for name in columns]
            with (
                pa.OSFile(os.fsencode(path), "wb") as file,
                pq.ParquetWriter(file, pa.schema(fields), compression="zstd") as writer,
            ):
                while first is not None:
                    writer.write_batch(first.select(columns))
                    first = next(batches, None)
        except OSError as error:
            raise ReadError(self.name, f"cannot be copied to {path.parent}: {error}") from None
        return path


def batches_of(table: Any) -> TableBatches | None:  # noqa: ANN401 - a table of any library
    """Return a table of another library as batches; None for any other object.

    Parameters
    ----------
    table : object
        A ``pyarrow.dataset.Dataset``, a LazyFrame or DataFrame of polars, a relation of DuckDB, a DataFrame of pandas,
        a table of pyarrow, or another object with the method ``__arrow_c_stream__``, which is read only once.

    Examples
    --------
    >>> import pyarrow as pa
    >>> batches_of(pa.table({"source": [1], "target": [2]})).table(["target"]).to_pydict()
    {'target': [2]}
    """
    for kind in type(table).__mro__:
        package = kind.__module__.partition(".")[0]
        opened = _LIBRARIES.get((package.lstrip("_"), kind.__name__))
        if opened is not None:
            return opened(table)
    return _arrow_stream(table) if hasattr(table, "__arrow_c_stream__") else None


def _dataset(table: Any) -> TableBatches:  # noqa: ANN401 - pyarrow has no types
    def read(columns: list[str]) -> Batches:
        # Few fragments ahead: the whole dataset may be larger than memory.
        scanner = table.scanner(columns=columns, batch_size=BATCH_ROWS, batch_readahead=4, fragment_readahead=1)
        yield from scanner.to_batches()

    return TableBatches("Arrow dataset", table.schema, read, table.count_rows)


def _in_memory(name: str, schema: pa.Schema, rows: int, select: Callable[[list[str]], pa.Table]) -> TableBatches:
    def read(columns: list[str]) -> Batches:
        yield from select(columns).to_batches(max_chunksize=BATCH_ROWS)

    return TableBatches(name, schema, read, lambda: rows)


def _arrow_table(table: Any) -> TableBatches:  # noqa: ANN401 - pyarrow has no types
    whole = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
    return _in_memory("Arrow table", whole.schema, len(whole), whole.select)


def _arrow_stream(table: Any) -> TableBatches:  # noqa: ANN401 - an object of any library
    try:
        reader = table if isinstance(table, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(table)
    except pa.ArrowInvalid:  # a stream of one column, as that of a series
        raise ArgumentError("table: got one column; expected a table with a column for each end") from None
    return TableBatches("Arrow stream", reader.schema, lambda _: iter(reader), None)


def _pandas(table: Any) -> TableBatches:  # noqa: ANN401 - pandas is no dependency
    names = [str(name) for name in table.columns]
    named = table.set_axis(names, axis=1)

    def kind(name: str) -> pa.DataType:
        try:
            return pa.array(named[name], from_pandas=True).type
        except (pa.ArrowException, TypeError):  # values of several types, which no id or weight has
            return pa.null()

    schema = pa.schema([(name, kind(name) if names.count(name) == 1 else pa.null()) for name in names])
    return _in_memory(
        "pandas DataFrame",
        schema,
        len(table),
        lambda columns: pa.Table.from_pandas(named[columns], preserve_index=False),
    )


def _polars(table: Any) -> TableBatches:  # noqa: ANN401 - polars is no dependency
    schema = table.clear().to_arrow().schema
    return _in_memory("polars DataFrame", schema, len(table), lambda columns: table.select(columns).to_arrow())


def _polars_lazy(table: Any) -> TableBatches:  # noqa: ANN401 - polars is no dependency
    polars = sys.modules["polars"]
    schema = polars.DataFrame(schema=table.collect_schema()).to_arrow().schema

    has_batches = hasattr(table, "collect_batches")  # polars 1.34 and later

    def read(columns: list[str]) -> Batches:
        chosen = table.select(columns)
        in_batches = {"chunk_size": BATCH_ROWS, "maintain_order": True}
        for frame in chosen.collect_batches(**in_batches) if has_batches else [chosen.collect()]:
            yield from frame.to_arrow().to_batches()

    def write(columns: list[str], path: Path) -> None:
        table.select(columns).sink_parquet(path, maintain_order=True)

    def count() -> int:
        return int(table.select(polars.len()).collect().item())

    return TableBatches("polars LazyFrame", schema, read, count, None if has_batches else write)


def _duckdb(table: Any) -> TableBatches:  # noqa: ANN401 - DuckDB is no dependency
    def reader(relation: Any) -> Any:  # noqa: ANN401 - DuckDB is no dependency
        # The name of this method has changed with the versions of DuckDB.
        names = ("to_arrow_reader", "fetch_arrow_reader", "fetch_record_batch")
        return next(getattr(relation, name) for name in names if hasattr(relation, name))(BATCH_ROWS)

    def read(columns: list[str]) -> Batches:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in columns)
        yield from reader(table.project(quoted))

    def count() -> int:
        return int(table.aggregate("count(*)").fetchall()[0][0])

    return TableBatches("DuckDB relation", reader(table.limit(0)).schema, read, count)


# By the first part of the module, without an underscore before it, and the name of the type.
_LIBRARIES: dict[tuple[str, str], Callable[[Any], TableBatches]] = {
    ("pyarrow", "Dataset"): _dataset,
    ("pyarrow", "Table"): _arrow_table,
    ("pyarrow", "RecordBatch"): _arrow_table,
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("polars", "LazyFrame"): _polars_lazy,
    ("duckdb", "DuckDBPyRelation"): _duckdb,
}

# Odd numbers with bits in no pattern, for multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4).
_MIX, _MIX_TARGET = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_MIX_WEIGHT = np.uint64(0x165667B19E3779F9)


class TableSource(BlockSource):
    """A table of another library in the place of a file; its name is the kind of the table."""

    stored_bytes = 0  # the table is in memory, or the result of a query
    content_paths = ()  # a table is no file

    def __init__(self, batches: TableBatches) -> None:
        super().__init__(batches.name, folder=False)
        self.batches = batches

    def blocks(self, options: ReadOptions, *, twice: bool) -> list[Blocks]:
        """Return the rows; if a table can be read only once and is read twice, those of a temporary copy."""
        if not twice or (self.batches.count is not None and self.batches.write_parquet is None):
            return [TableBlocks(self, options)]
        columns, others, _ = edge_columns(self, options, self.batches.schema)
        copied = self.batches.copied(decoded_columns(columns, others))
        return [ParquetBlocks(Source(copied, self.name, self.batches), options)]

    def identity(self) -> dict[str, Any]:
        """Return a new identity: nothing tells whether the rows of two tables are the same."""
        return {"name": self.name, "table": uuid.uuid4().hex}


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
        self.weight = next(iter(self._names[2:]), None)
        self.numeric = has_numbers(schema, self._names)
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
        for batch in self._errors(self._batches.read(decoded_columns(self._names, self._others))):
            yield partial(self._rows, batch, first_row, numeric=numeric)
            first_row += len(batch)
            reported.add(len(batch))

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `Blocks`
        return None if self._batches.count is None else super().fault(numeric=numeric, vertices=vertices)

    def sampled(self, files: Sequence[TableBlocks]) -> Sampled:  # noqa: D102 - documented in `Blocks`
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
            words = in_one_line(error)[:200]
            raise self.source.error(f"cannot be read: {words}") from error


def _digest(rows: Rows) -> int:
    """Return a number that tells rows apart, whatever their order is."""
    names = pa.types.is_dictionary(rows["source"].type)
    source, target = (
        numbers_of_names(rows[end], hash) if names else to_array(rows[end], np.int64) for end in ("source", "target")
    )
    mixed = source.view(np.uint64) * _MIX + target.view(np.uint64) * _MIX_TARGET
    if "weight" in rows.column_names:
        mixed += to_array(rows["weight"], np.float64).view(np.uint64) * _MIX_WEIGHT
    return int(np.add.reduce(mix.py_func(mixed), dtype=np.uint64))  # type: ignore[attr-defined]  # of all at once
