"""Tables of other libraries as Arrow batches: Arrow datasets, polars, pandas, DuckDB, and any Arrow stream.

A table is recognised by the module of its type, so that no library is imported to find out.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from triadic.errors import ArgumentError, ReadError
from triadic.io.temporary_copy import temporary_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Batches = Iterator[pa.RecordBatch]

BATCH_ROWS = 1 << 17


@dataclass(frozen=True, slots=True, weakref_slot=True)
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

    @property
    def needs_copy(self) -> bool:
        """Whether the table has to be copied to be read twice."""
        return self.count is None or self.write_parquet is not None

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


def _arrow_table(table: Any) -> TableBatches:  # noqa: ANN401 - pyarrow has no types
    def read(columns: list[str]) -> Batches:
        whole = table if isinstance(table, pa.Table) else pa.Table.from_batches([table])
        yield from whole.select(columns).to_batches(max_chunksize=BATCH_ROWS)

    return TableBatches("Arrow table", table.schema, read, lambda: len(table))


def _arrow_stream(table: Any) -> TableBatches:  # noqa: ANN401 - an object of any library
    try:
        reader = table if isinstance(table, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(table)
    except pa.ArrowInvalid:  # a stream of one column, as that of a series
        raise ArgumentError("table: got one column; expected a table with a column for each end") from None
    return TableBatches("Arrow stream", reader.schema, lambda _: iter(reader), None)


def _pandas(table: Any) -> TableBatches:  # noqa: ANN401 - pandas is no dependency
    names = [str(name) for name in table.columns]
    named = table.set_axis(names, axis=1)

    def read(columns: list[str]) -> Batches:
        yield from pa.Table.from_pandas(named[columns], preserve_index=False).to_batches(max_chunksize=BATCH_ROWS)

    def kind(name: str) -> pa.DataType:
        try:
            return pa.from_numpy_dtype(named[name].dtype)
        except (pa.ArrowException, TypeError):
            pass
        try:
            return pa.array(named[name], from_pandas=True).type
        except pa.ArrowException:  # values of several types, which no id or weight has
            return pa.null()

    schema = pa.schema([(name, kind(name) if names.count(name) == 1 else pa.null()) for name in names])
    return TableBatches("pandas DataFrame", schema, read, lambda: len(table))


def _polars(table: Any) -> TableBatches:  # noqa: ANN401 - polars is no dependency
    def read(columns: list[str]) -> Batches:
        yield from table.select(columns).to_arrow().to_batches(max_chunksize=BATCH_ROWS)

    return TableBatches("polars DataFrame", table.clear().to_arrow().schema, read, lambda: len(table))


def _polars_lazy(table: Any) -> TableBatches:  # noqa: ANN401 - polars is no dependency
    polars = sys.modules["polars"]
    schema = polars.DataFrame(schema=table.collect_schema()).to_arrow().schema

    def read(columns: list[str]) -> Batches:
        for frame in table.select(columns).collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield from frame.to_arrow().to_batches()

    def read_whole(columns: list[str]) -> Batches:
        yield from table.select(columns).collect().to_arrow().to_batches()

    def write(columns: list[str], path: Path) -> None:
        table.select(columns).sink_parquet(path, maintain_order=True)

    def count() -> int:
        return int(table.select(polars.len()).collect().item())

    if hasattr(table, "collect_batches"):  # polars 1.34 and later
        return TableBatches("polars LazyFrame", schema, read, count)
    return TableBatches("polars LazyFrame", schema, read_whole, count, write)


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
