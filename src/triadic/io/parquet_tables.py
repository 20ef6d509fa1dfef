"""A Parquet file that is one of the files of a network."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from triadic.io.edge_tables import rows_of, unusable_number
from triadic.io.parquet_file import BATCH, ParquetStream, named_errors
from triadic.io.stream_passes import FileStamp, ProgressCount, StreamLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

    from triadic.errors import ReadError
    from triadic.io.edge_tables import Rows
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions

_PLAIN = StreamLimits()


class ParquetTables:
    """The rows of a Parquet file, as :class:`triadic.io.edge_tables.EdgeTables` describes them.

    Parameters
    ----------
    source : Source
    options : ReadOptions

    Attributes
    ----------
    group_rows : list of int
        Number of rows of each row group.
    sampled : tuple of (list of int, int), optional
        Row groups to read, and the number of rows to take of each. By default all.

    Raises
    ------
    ReadError
        The file is damaged, or a column is missing.
    """

    bipartite = False
    integer_names = False
    most_threads = 8

    def __init__(self, source: Source, options: ReadOptions) -> None:
        source.forget_head()
        self.source, self._options = source, options
        file = ParquetStream(source, options, _PLAIN)
        self.columns: tuple[object, ...] = tuple(file.columns)
        self.directed, self.taken = file.written, file.origin.columns or ""
        self.sizes: tuple[int, ...] = () if file.stated is None else (file.stated,)
        self.listed = file.listed
        self.numeric = file.numeric
        self.group_rows = file.group_rows
        self.sampled: tuple[list[int], int] | None = None
        self.arcs = sum(self.group_rows)
        self._stamp = FileStamp(source)
        self.work = self._stamp.size

    def parts(  # noqa: D102 - documented in `EdgeTables`
        self,
        *,
        numeric: bool,
        chunk_bytes: int,  # noqa: ARG002 - row groups are not cut
        reported: ProgressCount,
    ) -> Iterator[Callable[[], Rows]]:
        groups, most = self.sampled or (None, None)
        with named_errors(self.source):
            # Opened for each pass: the metadata of thousands of files would take much memory.
            file = ParquetStream(self.source, self._options, _PLAIN)
            expected = max(len(self.group_rows), self.arcs // BATCH)  # long row groups are read in batches
            done = 0
            for place, part in enumerate(file.parts(groups), 1):
                yield partial(self._rows, file.columns, part, most, numeric=numeric)
                before, done = done, min(self.work, self.work * place // max(1, expected))
                reported.add(done - before)
            reported.add(self.work - done)

    def refuse(self, problem: str, *, numeric: bool) -> bool:  # noqa: ARG002, D102 - documented in `EdgeTables`
        raise self.source.error(problem)

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:  # noqa: D102 - documented in `EdgeTables`
        if not numeric:
            return None
        parts = self.parts(numeric=True, chunk_bytes=0, reported=ProgressCount(None, 0))
        problem = unusable_number((part() for part in parts), vertices)
        return None if problem is None else self.source.error(problem)

    def check(self, *, after: bool) -> None:  # noqa: ARG002, D102 - documented in `EdgeTables`
        self._stamp.check()

    def changed(self) -> Exception:  # noqa: D102 - documented in `EdgeTables`
        return self._stamp.error()

    def _rows(
        self, columns: list[str], part: Callable[[], tuple[int, pa.Table]], most: int | None, *, numeric: bool
    ) -> Rows:
        with named_errors(self.source):
            start, table = part()
        table = table if most is None else table.slice(0, most)
        return rows_of(table, columns, self.source.error, first_row=start, numeric=numeric)
