"""Parquet files, read whole or a row group at a time: several threads unpack and decode different row groups.

Row groups of more than four million rows are decoded in batches, one after the other.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.core.arcs import Arcs, Origin
from triadic.core.blocks import resolve_threads
from triadic.io.arrow_columns import id_columns, weight_column
from triadic.io.columns import ColumnsError, columns_taken, shown
from triadic.io.edge_blocks import (
    blocks_by_appearance,
    edge_blocks,
    label_problem,
    named_edges,
    needs_list,
    stated_labels,
)
from triadic.io.graph_names import columns_of_network
from triadic.io.identifiers import UnusableIdError, as_listed, labels_of, vertices_of_names, vertices_of_numbers
from triadic.io.sampling import FileSample, sample_stream, sampled_groups
from triadic.io.stream_passes import FileStamp, ProgressCount, StreamLimits, UncachedStream, map_ahead, slices
from triadic.io.vertex_numbering import NameSet, NumberSet, number_one_set
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from triadic.core.array_types import Float64Array
    from triadic.core.blocks import Progress
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.arc_stream import Survey
    from triadic.io.file_source import Source
    from triadic.io.identifiers import Column
    from triadic.io.options import ReadOptions
    from triadic.io.vertex_numbering import Piece, VertexSet

    _Columns = tuple[tuple[Column, Column], Float64Array | None]  # the ids of both ends, and the weights
    _Change = Callable[[Column, Column], tuple[Any, Any]]

METADATA_KEY = b"triadic"
_MOST_THREADS = 8
# Arrow reads strings of up to 100 MB in a footer, which holds the metadata twice, once as base64.
_LONGEST_LIST = 1 << 26
# Rows of a group that is decoded whole: 64 MiB of ids.
_LONGEST_GROUP = 1 << 22
BATCH = 1 << 20


def read_parquet(source: Source, options: ReadOptions) -> Arcs:
    """Read the edges of a Parquet file.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` reads the column with a usual name of weights, such as ``weight``.

    Returns
    -------
    Arcs

    Raises
    ------
    ReadError
        A column is missing or holds neither integers nor strings, a value is missing, or an id is negative.
    """
    held = source.mapped()
    with named_errors(source), pa.BufferReader(held) as raw, pq.ParquetFile(raw) as file:
        columns, taken = edge_columns(source, options, file.schema_arrow)
        stated, written, listed = stated_metadata(source, file.schema_arrow.metadata)
        ends, weights = _read_columns(source, file, held, columns, resolve_threads(options.threads))
    maker = vertices_of_numbers if ends[0].type == pa.int64() else vertices_of_names
    try:
        if listed is None:
            vertices = maker(ends[0], ends[1], declared=options.vertices, stated=stated)
        else:
            found = maker(ends[0], ends[1], declared=None, stated=None)
            vertices = as_listed(found, listed, stated=stated, declared=options.vertices)
    except UnusableIdError as error:
        raise source.error(str(error)) from None
    directed, decided = options.direction(written)
    return Arcs(
        vertices.source,
        vertices.target,
        vertices.count,
        directed,
        weights,
        vertices.labels,
        origin=Origin(taken, decided),
    )


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
    listed = labels is not None and needs_list(graph, labels, text=False)
    if labels is not None and listed:
        about["labels"] = labels.tolist()
    kind = pa.string() if labels is not None and labels.dtype == np.object_ else pa.int64()
    fields = [pa.field("source", kind, nullable=False), pa.field("target", kind, nullable=False)]
    if graph.weights is not None:
        fields.append(pa.field("weight", pa.float64(), nullable=False))
    schema = pa.schema(fields, metadata={METADATA_KEY: json.dumps(about)})
    with whole_stream(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        by_names = labels is not None and labels.dtype == np.object_ and not listed
        for block in blocks_by_appearance(graph) if by_names else edge_blocks(graph):
            writer.write_table(pa.table(named_edges(block, labels), schema=schema))


def edge_columns(source: Source, options: ReadOptions, schema: pa.Schema) -> tuple[list[str], str]:
    """Return the names of the columns of source, target and, if the options ask for them, weights; and a description.

    Raises
    ------
    ReadError
        A column does not exist, or the names do not tell which columns hold the ends.
    """
    if options.header is not None:
        raise source.error(f"header={options.header}: the columns of Parquet always have names, expected no header=")
    names = tuple(schema.names)
    try:
        columns = columns_of_network(names, options)
    except ColumnsError as error:
        raise source.error(str(error)) from None
    chosen = [columns.source, columns.target, *([] if columns.weight is None else [columns.weight])]
    for i in chosen:
        if names.count(names[i]) > 1:
            raise source.error(
                f"there are {names.count(names[i])} columns of the name {shown(names[i])!r}, expected one"
            )
    return [names[i] for i in chosen], columns_taken(names, columns)


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


def _read_columns(
    source: Source,
    file: Any,  # noqa: ANN401 - pyarrow has no types
    held: memoryview,
    columns: list[str],
    threads: int,
) -> _Columns:
    """Return the ids of both ends and the weights; threads decode row groups, or the columns of a single group."""
    names, groups = list(dict.fromkeys(columns)), file.metadata.num_row_groups
    starts = np.cumsum([0, *(file.metadata.row_group(i).num_rows for i in range(groups))]).tolist()

    def used(table: pa.Table, start: int) -> _Columns:
        ends = id_columns(table, (columns[0], columns[1]), source.error, first_row=start)
        if len(columns) < 3:
            return ends, None
        return ends, weight_column(table, columns[2], source.error, first_row=start)

    def group(i: int) -> _Columns:
        # Two threads cannot share a file object.
        with pa.BufferReader(held) as raw, pq.ParquetFile(raw, metadata=file.metadata) as part:
            return used(part.read_row_group(i, columns=names, use_threads=False), starts[i])

    if threads == 1 or groups < 2:
        return used(file.read(columns=names, use_threads=threads > 1), 0)
    parts = list(map_ahead(group, range(groups), threads=min(threads, groups, _MOST_THREADS)))
    source_ids, target_ids = (
        pa.chunked_array([chunk for ends, _ in parts for chunk in ends[side].chunks], parts[0][0][side].type)
        for side in (0, 1)
    )
    weights = [part for _, part in parts if part is not None]
    return (source_ids, target_ids), np.concatenate(weights) if weights else None


class ParquetStream(UncachedStream):
    """The arcs of a Parquet file, decoded again for each pass.

    Attributes
    ----------
    rows : int
        Number of rows of the file.
    """

    def __init__(self, source: Source, options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self._options, self._piece_arcs = source, options, limits.piece_arcs
        self._threads = min(limits.threads, _MOST_THREADS)
        self._metadata: Any = None
        with named_errors(source):
            # Read and not mapped: the pages of a mapped file count as memory of the process.
            self._held = None if source.packing is None else source.mapped()
            with self._opened() as file:
                self._metadata = file.metadata
                schema = file.schema_arrow
                self.columns, taken = edge_columns(source, options, schema)
                self._ends = self.columns[:2]
                self.stated, self.written, self.listed = stated_metadata(source, schema.metadata)
                self.numeric = all(is_integer(schema.field(name).type) for name in self._ends)
        self.directed, decided = options.direction(self.written)
        self.origin = Origin(taken, decided)
        self.rows: int = self._metadata.num_rows
        self._file = FileStamp(source)
        self._vertices: Callable[[Column, Column], Piece] | None = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        rows, arcs = self._metadata.num_rows, 0
        declared = self._options.vertices if self.listed is None else None
        ids: VertexSet = NumberSet(declared=declared, arcs=rows) if self.numeric else NameSet(declared=declared)
        reported = ProgressCount(progress, rows)
        for source, target, *_ in self._read(lambda *ends: ends):
            ids.add(source, target)
            arcs += len(source)  # the metadata of a damaged file may state another number of rows
            reported.add(len(source))
        try:
            numbering = number_one_set(ids, arcs, self.stated, listed=self.listed, declared=self._options.vertices)
        except UnusableIdError as error:
            raise self._source.error(str(error)) from None
        self._vertices = numbering.vertices
        return numbering.survey

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if self._vertices is None:
            self.survey()
        reported = ProgressCount(progress, self._metadata.num_rows)
        try:
            for piece in self._read(cast("_Change", self._vertices)):
                yield from slices(piece, self._piece_arcs)
                reported.add(len(piece[0]))
        except (KeyError, IndexError):
            raise self._file.error() from None

    def _read(self, change: _Change) -> Iterator[tuple[Any, ...]]:
        """Yield the two columns of ids in parts, each changed by ``change``, and perhaps their weights."""
        self._file.check()

        def changed(part: Callable[[], tuple[int, pa.Table]]) -> tuple[Any, ...]:
            start, table = part()
            ends = change(*self._columns(table, start))
            if len(self.columns) < 3:
                return ends
            return *ends, weight_column(table, self.columns[2], self._source.error, first_row=start)

        threads = self._threads if max(self.group_rows, default=0) <= _LONGEST_GROUP else 1
        with named_errors(self._source):
            yield from map_ahead(changed, self.parts(), threads=threads)
        self._file.check()

    @property
    def group_rows(self) -> list[int]:
        """Number of rows of each row group."""
        return [self._metadata.row_group(i).num_rows for i in range(self._metadata.num_row_groups)]

    def parts(self, groups: Iterable[int] | None = None) -> Iterator[Callable[[], tuple[int, pa.Table]]]:
        """Yield functions that each return the number of a row and the columns of some rows from this one on.

        Parameters
        ----------
        groups : iterable of int, optional
            Row groups to read. By default all; if one of them is too long to be decoded whole, batches are decoded one
            after the other, and not by the functions.
        """
        rows, names = self.group_rows, list(dict.fromkeys(self.columns))
        starts = np.concatenate([[0], np.cumsum(rows, dtype=np.int64)])

        def group(i: int) -> tuple[int, pa.Table]:
            # Two threads cannot share a file object.
            with self._opened() as file:
                return int(starts[i]), file.read_row_group(i, columns=names, use_threads=False)

        if groups is not None or max(rows, default=0) <= _LONGEST_GROUP:
            for i in range(len(rows)) if groups is None else groups:
                yield partial(group, i)
            return
        start = 0
        with self._opened() as file:
            for batch in file.iter_batches(BATCH, columns=names):
                yield partial(_numbered_batch, start, batch)
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
        return id_columns(table, (self._ends[0], self._ends[1]), self._source.error, first_row=start)


def _numbered_batch(start: int, batch: pa.RecordBatch) -> tuple[int, pa.Table]:
    return start, pa.Table.from_batches([batch])


def is_integer(kind: pa.DataType) -> bool:
    """Return whether the values of a column are integers."""
    return bool(pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind))


class _SampledParquet(ParquetStream):
    """A Parquet file of which only some row groups are read."""

    def _read(self, change: _Change) -> Iterator[tuple[Any, ...]]:
        sampled = sampled_groups(self.group_rows)
        if sampled is None:
            yield from super()._read(change)
            return
        groups, length = sampled

        def changed(part: Callable[[], tuple[int, pa.Table]]) -> tuple[Any, Any]:
            return change(*self._columns(part()[1].slice(0, length), 0))

        yield from map_ahead(changed, self.parts(groups), threads=self._threads)


def sample_parquet(source: Source, options: ReadOptions, threads: int) -> FileSample:
    """Read some row groups at equal distances."""
    stream = _SampledParquet(source, options, StreamLimits(1 << 40, threads))
    return replace(sample_stream(stream, source, options), arcs=stream.rows)
