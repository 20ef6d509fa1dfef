"""Parquet files, read whole or a row group at a time: several threads unpack and decode different row groups.

Row groups of more than four million rows are decoded in batches, one after the other.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.graph.weights import WEIGHT
from triadic.io.arrow_columns import arrow_array, arrow_type, rows_of
from triadic.io.blocks import Blocks
from triadic.io.columns import ColumnsError, columns_taken, shown
from triadic.io.edge_blocks import (
    blocks_by_appearance,
    edge_blocks,
    label_problem,
    named_edges,
    needs_list,
    stated_labels,
)
from triadic.io.graph_names import columns_of_network, kept_columns
from triadic.io.identifiers import labels_of
from triadic.io.sampling import sampled_groups
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.blocks import ProgressCount, Rows
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample

METADATA_KEY = b"triadic"
# Arrow reads strings of up to 100 MB in a footer, which holds the metadata twice, once as base64.
_LONGEST_LIST = 1 << 26
# Rows of a group that is decoded whole: 64 MiB of ids.
_LONGEST_GROUP = 1 << 22
BATCH = 1 << 20


class ParquetBlocks(Blocks):
    """The rows of a Parquet file, a row group at a time; long row groups in batches, one after the other.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` reads the column with a usual name of weights, such as ``weight``.

    Attributes
    ----------
    group_rows : list of int
        Number of rows of each row group.

    Raises
    ------
    ReadError
        A column is missing, or the footer is damaged. A column that holds neither integers nor strings, or no value in
        some row, is an error when it is read.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source)
        with named_errors(source), self._opened(self._held()) as file:
            schema, about = file.schema_arrow, file.metadata
            columns, self._others, self.taken = edge_columns(source, options, schema)
            stated, self.directed, self.listed = stated_metadata(source, schema.metadata)
            self.group_rows = [about.row_group(i).num_rows for i in range(about.num_row_groups)]
        self._edge_columns = tuple(columns)
        self.columns: tuple[object, ...] = (*columns, tuple(self._others))
        self.sizes = () if stated is None else (stated,)
        self.numeric = all(is_integer(schema.field(name).type) for name in columns[:2])
        self.arcs, self.work = sum(self.group_rows), self._stamp.size
        self._sampled: tuple[list[int], int] | None = None

    def parts(  # noqa: D102 - documented in `Blocks`
        self,
        *,
        numeric: bool,
        chunk_bytes: int | None,  # noqa: ARG002 - row groups are not cut
        reported: ProgressCount,
    ) -> Iterator[Callable[[], Rows]]:
        done = 0
        with named_errors(self.source):
            expected = max(len(self.group_rows), self.arcs // BATCH)  # long row groups are read in batches
            for place, (start, table) in enumerate(self._tables(), 1):
                yield partial(self._rows, start, table, numeric=numeric)
                before, done = done, min(self.work, self.work * place // max(1, expected))
                reported.add(done - before)
            reported.add(self.work - done)

    def sampled(  # noqa: D102 - documented in `Blocks`
        self, files: Sequence[ParquetBlocks]
    ) -> tuple[Sequence[ParquetBlocks], Callable[[FileSample], FileSample]]:
        rows = [count for file in files for count in file.group_rows]
        found = sampled_groups(rows)
        if found is not None:
            groups, length = found
            starts = np.cumsum([0, *(len(file.group_rows) for file in files)])
            for file, start, stop in zip(files, starts, starts[1:], strict=False):
                file._sampled = [int(i - start) for i in groups if start <= i < stop], length  # noqa: SLF001 - of this class
        read = [file for file in files if file._sampled is None or file._sampled[0]]  # noqa: SLF001 - of this class
        return read, lambda sample: replace(sample, arcs=sum(rows))

    def _tables(self) -> Iterator[tuple[int, Callable[[], pa.Table]]]:
        """Yield the number of the first row of each part, and a function that decodes the part."""
        # Opened for each pass: the metadata of thousands of files would take much memory.
        names = list(dict.fromkeys((*self._edge_columns, *self._others.values())))
        held, rows = self._held(), self.group_rows
        with self._opened(held) as first:
            about = first.metadata

        def group(i: int) -> pa.Table:
            # Two threads cannot share a file object.
            with self._opened(held, about) as file:
                return file.read_row_group(i, columns=names, use_threads=len(rows) == 1)

        start = 0
        if self._sampled is not None:
            groups, most = self._sampled

            def some(i: int) -> pa.Table:
                return group(i).slice(0, most)

            for i in groups:
                yield 0, partial(some, i)
        elif max(rows, default=0) <= _LONGEST_GROUP:
            for i, length in enumerate(rows):
                yield start, partial(group, i)
                start += length
        else:
            with self._opened(held, about) as file:
                for batch in file.iter_batches(BATCH, columns=names):
                    yield start, partial(pa.Table.from_batches, [batch])
                    start += len(batch)

    def _rows(self, start: int, table: Callable[[], pa.Table], *, numeric: bool) -> Rows:
        with named_errors(self.source):
            return rows_of(
                table(), self._edge_columns, self.source.error, first_row=start, numeric=numeric, others=self._others
            )

    def _held(self) -> memoryview | None:
        """Return the bytes of a packed file; others are read on demand, since mapped pages count as memory."""
        return None if self.source.packing is None else self.source.mapped()

    def _opened(self, held: memoryview | None, about: Any = None) -> Any:  # noqa: ANN401 - pyarrow has no types
        return pq.ParquetFile(self.source.positioned() if held is None else pa.BufferReader(held), metadata=about)


def write_parquet(graph: Graph, path: str) -> None:
    """Write each edge of a graph as one row, row group by row group.

    Parameters
    ----------
    graph : Graph
    path : str

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    labels = stated_labels(graph)
    directed = None if graph.origin.direction == "assumed" else graph.directed
    about: dict[str, Any] = {"directed": directed, "vertices": graph.num_vertices}
    others = [name for name in graph.columns if name != WEIGHT]
    if others:
        about["columns"] = others
    listed = labels is not None and needs_list(graph, labels, text=False)
    if labels is not None and listed:
        about["labels"] = labels.tolist()
    kind = pa.string() if labels is not None and labels.dtype == np.object_ else pa.int64()
    fields = [pa.field("source", kind, nullable=False), pa.field("target", kind, nullable=False)]
    if graph.weights is not None:
        fields.append(pa.field(WEIGHT, pa.float64(), nullable=False))
    fields += [pa.field(name, arrow_type(graph.columns[name])) for name in others]
    schema = pa.schema(fields, metadata={METADATA_KEY: json.dumps(about)})
    with whole_stream(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        by_names = labels is not None and labels.dtype == np.object_ and not listed
        for block in blocks_by_appearance(graph) if by_names else edge_blocks(graph):
            columns = named_edges(block, labels)
            arrays = [arrow_array(columns[field.name], field.type) for field in schema]
            writer.write_table(pa.table(arrays, schema=schema))


def edge_columns(source: Source, options: ReadOptions, schema: pa.Schema) -> tuple[list[str], dict[str, str], str]:
    """Return which columns are read.

    Returns
    -------
    columns : list of str
        Source, target and, if the options ask for them, weights.
    others : dict of str to str
        Further columns by their marked names: those that the options name, or all that triadic has written.
    taken : str
        The first ones in words.

    Raises
    ------
    ReadError
        A column does not exist, or the names do not tell which columns hold the ends.
    """
    if options.header is not None:
        raise source.error(f"header={options.header}: the columns of Parquet always have names, expected no header=")
    names = tuple(schema.names)
    written = (schema.metadata or {}).get(METADATA_KEY)
    if options.keep is None and written is not None:
        with suppress(ValueError, TypeError, AttributeError):
            options = replace(options, keep=tuple(json.loads(written).get("columns", ())))
    try:
        columns = columns_of_network(names, options)
        others = kept_columns(names, columns, options)
    except ColumnsError as error:
        raise source.error(str(error)) from None
    chosen = [columns.source, columns.target, *([] if columns.weight is None else [columns.weight])]
    for i in chosen:
        if names.count(names[i]) > 1:
            raise source.error(
                f"there are {names.count(names[i])} columns of the name {shown(names[i])!r}, expected one"
            )
    return [names[i] for i in chosen], {name: names[i] for name, i in others}, columns_taken(names, columns)


def metadata_problem(graph: Graph) -> str | None:
    """Return why the labels of a graph cannot be written as Parquet, or None if they can."""
    problem, labels = label_problem(graph), stated_labels(graph)
    if problem is not None or labels is None or not needs_list(graph, labels, text=False):
        return problem
    size = len(json.dumps(labels.tolist()))
    if size > _LONGEST_LIST:
        return f"the list of its {len(labels):,} labels takes {size >> 20:,} MiB, more than metadata of Parquet hold"
    return None


def stated_metadata(
    source: Source, metadata: dict[bytes, bytes] | None
) -> tuple[int | None, bool | None, Labels | None]:
    """Return the number of vertices, the direction and the labels in the metadata of a file that triadic wrote.

    The direction is None if it was assumed when the network was read, and the labels are None if the rows tell them.
    All three are None for any other file.
    """
    if metadata is None or METADATA_KEY not in metadata:
        return None, None, None
    try:
        about = json.loads(metadata[METADATA_KEY])
        vertices, directed, labels = about["vertices"], about["directed"], about.get("labels")
    except (ValueError, TypeError, KeyError, AttributeError):
        vertices, directed, labels = None, None, None
    if type(vertices) is not int or type(directed) not in (bool, NoneType) or not 0 <= vertices < 2**63:
        raise source.error("its metadata 'triadic' is damaged; expected a number of vertices and a direction")
    return vertices, directed, None if labels is None else labels_of(source, labels)


@contextmanager
def named_errors(source: Source) -> Iterator[None]:
    """Turn errors of Arrow into a ReadError of one line: Arrow raises ArrowInvalid, OSError and others for damage."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        words = " ".join(str(error).split())[:200]
        raise source.error(f"cannot be read as Parquet: {words}") from None


def is_integer(kind: pa.DataType) -> bool:
    """Return whether the values of a column are integers."""
    return bool(pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind))
