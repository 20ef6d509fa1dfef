"""Parquet files, read whole or a row group at a time: several threads unpack and decode different row groups.

Row groups of more than four million rows are decoded in batches, one after the other.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.core.records import value_class
from triadic.errors import in_one_line
from triadic.graph.weights import WEIGHT
from triadic.io import sampling
from triadic.io.arrow_columns import arrow_array, arrow_type, rows_of, values_of, values_type
from triadic.io.blocks import Blocks
from triadic.io.columns import ColumnsError, shown
from triadic.io.edge_blocks import (
    blocks_by_appearance,
    edge_blocks,
    label_problem,
    named_edges,
    needs_list,
    stated_labels,
)
from triadic.io.graph_names import choose_columns, chosen_columns
from triadic.io.identifiers import labels_of
from triadic.io.temporary_files import whole_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from triadic.core.array_types import AnyArray, Ids
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.blocks import ProgressCount, Rows, Sampled
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

METADATA_KEY, VERTICES_KEY = b"triadic", b"triadic vertices"
# Arrow reads strings of up to 100 MB in a footer, which holds the metadata twice, once as base64.
_LONGEST_LIST = 1 << 26
# Rows of a group that is decoded whole: 64 MiB of ids.
_LONGEST_GROUP = 1 << 22
BATCH = 1 << 20


@value_class
class Footer:
    """What the footer of a file says.

    Attributes
    ----------
    rows : tuple of int
        Number of rows of each row group.
    columns : tuple of str
        Names of the columns of source and target, and of weights if they are read.
    taken : str
        Which columns are read, in words.
    numeric : bool
        Whether both columns hold integers.
    vertices : int or None
        Number of vertices that triadic wrote.
    directed : bool or None
        Direction that triadic wrote.
    graphs : str or None
        Column that is not read and usually names the graph of each edge.
    others : mapping of str to str
        Further columns that are kept, by their marked names.
    listed : array or None
        Labels of the vertices that triadic wrote.
    vertex_columns : mapping of str to array
        Columns of the vertices that triadic wrote and that are kept.
    """

    rows: tuple[int, ...]
    columns: tuple[str, ...]
    taken: str
    numeric: bool
    vertices: int | None
    directed: bool | None
    graphs: str | None = None
    others: Mapping[str, str] = field(default_factory=dict)
    listed: Labels | None = None
    vertex_columns: Mapping[str, AnyArray] = field(default_factory=dict)


def footer_of(source: Source, options: ReadOptions, parquet: Any) -> Footer:  # noqa: ANN401 - pyarrow has no types
    """Return what the footer of an opened file says.

    Raises
    ------
    ReadError
        The columns cannot be chosen, or the metadata of triadic are damaged.
    """
    schema, about = parquet.schema_arrow, parquet.metadata
    # Columns of vertices are decoded once, and only where columns are asked for.
    kept = _unpacked(source, schema.metadata) if options.keep is None or options.keep else {}
    if options.keep:
        asked = [name for name in options.keep if name in schema.names or name not in kept]
        kept = {name: values for name, values in kept.items() if name in options.keep}
        options = replace(options, keep=asked)
    columns, others, taken = edge_columns(source, options, schema)
    vertices, directed, listed = stated_metadata(source, schema)
    rows = tuple(about.row_group(i).num_rows for i in range(about.num_row_groups))
    numeric = has_numbers(schema, columns)
    graphs = None
    if options.graph is None:
        graphs = choose_columns(tuple(schema.names), len(schema.names), *options.columns, options.timed)[1]
    return Footer(rows, tuple(columns), taken, numeric, vertices, directed, graphs, others, listed, kept)


def _packed(columns: Mapping[str, AnyArray]) -> bytes:
    """Return columns of vertices as a text for metadata: an Arrow stream in base64."""
    table = pa.table({name: arrow_array(values) for name, values in columns.items()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return b64encode(sink.getvalue())


def _unpacked(source: Source, metadata: dict[bytes, bytes] | None) -> dict[str, AnyArray]:
    """Return the columns of vertices in the metadata of a file that triadic wrote."""
    packed = (metadata or {}).get(VERTICES_KEY)
    if packed is None:
        return {}
    try:
        table = pa.ipc.open_stream(b64decode(packed, validate=True)).read_all()
        table.validate(full=True)
    except (pa.ArrowException, ValueError, OSError) as error:
        raise source.error(f"its columns of vertices are damaged ({' '.join(str(error).split())[:100]})") from None
    return {name: values_of(table[name], name, source.error) for name in table.column_names}


class ParquetBlocks(Blocks):
    """The rows of a Parquet file, a row group at a time; long row groups in batches, one after the other.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` reads the column with a usual name of weights, such as ``weight``.

    Attributes
    ----------
    group_rows : tuple of int
        Number of rows of each row group.

    Raises
    ------
    ReadError
        A column is missing, or the footer is damaged. A column that holds neither integers nor strings, or no value in
        some row, is an error when it is read.
    """

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source)
        with named_errors(source), self._opened(source.held()) as file:
            footer = footer_of(source, options, file)
        self.group_rows, self._edge_columns, self._others = footer.rows, footer.columns, footer.others
        self.taken, self.numeric = footer.taken, footer.numeric
        self.directed, self.listed = footer.directed, footer.listed
        self.columns: tuple[object, ...] = (*footer.columns, tuple(footer.others))
        self.weight = next(iter(footer.columns[2:]), None)
        self.vertex_columns = footer.vertex_columns
        self.sizes = () if footer.vertices is None else (footer.vertices,)
        self.arcs, self.work = sum(self.group_rows), self._stamp[0]
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

    def sampled(self, files: Sequence[ParquetBlocks]) -> Sampled:  # noqa: D102 - documented in `Blocks`
        rows = [count for file in files for count in file.group_rows]
        most = sampling.MOST_ARCS
        if sum(rows) > most:  # groups at equal distances, and as many rows of each
            count = min(len(rows), max(sampling.FEWEST_PLACES, round(most / max(1, *rows))))
            groups = np.unique(np.linspace(0, len(rows) - 1, count).astype(np.int64)).tolist()
            length = max(1, -(-most // len(groups)))
            starts = np.cumsum([0, *(len(file.group_rows) for file in files)])
            for file, start, stop in zip(files, starts, starts[1:], strict=False):
                file._sampled = [int(i - start) for i in groups if start <= i < stop], length  # noqa: SLF001 - of this class
        read = [file for file in files if file._sampled is None or file._sampled[0]]  # noqa: SLF001 - of this class
        return read, lambda sample: replace(sample, arcs=sum(rows))

    def _tables(self) -> Iterator[tuple[int, Callable[[], pa.Table]]]:
        """Yield the number of the first row of each part, and a function that decodes the part."""
        # Opened for each pass: the metadata of thousands of files would take much memory.
        names = decoded_columns(self._edge_columns, self._others)
        held, rows = self.source.held(), self.group_rows  # mapped pages would count as memory
        about = None
        if len(rows) > 1:  # a file of one row group is opened once
            with self._opened(held) as first:
                about = first.metadata

        def group(i: int) -> pa.Table:
            # Two threads cannot share a file object.
            with self._opened(held, about) as file:
                return file.read_row_group(i, columns=names, use_threads=len(rows) == 1).slice(0, most)

        groups, most = self._sampled or (range(len(rows)), None)
        if self._sampled or max(rows, default=0) <= _LONGEST_GROUP:
            starts = np.cumsum([0, *rows]).tolist()
            for i in groups:
                yield starts[i], partial(group, i)
            return
        start = 0
        with self._opened(held, about) as file:
            for batch in file.iter_batches(BATCH, columns=names):
                yield start, partial(pa.Table.from_batches, [batch])
                start += len(batch)

    def _rows(self, start: int, table: Callable[[], pa.Table], *, numeric: bool) -> Rows:
        with named_errors(self.source):
            return rows_of(
                table(), self._edge_columns, self.source.error, first_row=start, numeric=numeric, others=self._others
            )

    def _opened(self, held: memoryview | None, about: Any = None) -> Any:  # noqa: ANN401 - pyarrow has no types
        file = pa.OSFile(os.fsencode(self.source.path)) if held is None else pa.BufferReader(held)
        return pq.ParquetFile(file, metadata=about)


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
    listed = labels is not None and (bool(graph.vertex_columns) or needs_list(graph, labels, text=False))
    if labels is not None and listed:
        about["labels"] = labels.tolist()
    has_names = labels is not None and labels.dtype == np.object_
    kind = pa.string() if has_names else pa.int64()
    fields = [pa.field("source", kind, nullable=False), pa.field("target", kind, nullable=False)]
    if graph.weights is not None:
        fields.append(pa.field(WEIGHT, pa.float64(), nullable=False))
    fields += [pa.field(name, arrow_type(graph.columns[name])) for name in others]
    with parquet_writer(path, fields, about, graph.vertex_columns) as write:
        for block in blocks_by_appearance(graph) if has_names and not listed else edge_blocks(graph):
            columns = named_edges(block, labels)
            write([arrow_array(columns[field.name], field.type) for field in fields])


@contextmanager
def parquet_writer(
    path: str | os.PathLike[str],
    fields: Sequence[pa.Field],
    about: Mapping[str, object],
    vertex_columns: Mapping[str, AnyArray] | None = None,
    **options: Any,  # noqa: ANN401 - of pyarrow
) -> Iterator[Callable[[list[pa.Array]], None]]:
    """Open a Parquet file with metadata of triadic; yields the function that writes columns as a row group."""
    metadata: dict[bytes, str | bytes] = {METADATA_KEY: json.dumps(about)}
    if vertex_columns:
        metadata[VERTICES_KEY] = _packed(vertex_columns)
    schema = pa.schema(fields, metadata=metadata)
    with whole_stream(path) as stream, pq.ParquetWriter(stream, schema, compression="zstd", **options) as writer:
        yield lambda columns: writer.write_table(pa.table(columns, schema=schema))


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
    if options.keep is None:
        with suppress(TypeError):
            options = replace(options, keep=tuple(metadata_of(schema).get("columns", ())))
    try:
        columns, others, taken = chosen_columns(names, len(names), options)
    except ColumnsError as error:
        raise source.error(str(error)) from None
    for i in (*columns.places, *(place for name, place in others if name == "graph")):
        if names.count(names[i]) > 1:
            raise source.error(
                f"there are {names.count(names[i])} columns of the name {shown(names[i])!r}, expected one"
            )
    return [names[i] for i in columns.places], {name: names[i] for name, i in others}, taken


def decoded_columns(columns: Iterable[str], others: Mapping[str, str]) -> list[str]:
    """Return the names of the columns to decode, each once: the first two of `edge_columns`."""
    return list(dict.fromkeys((*columns, *others.values())))


def metadata_problem(graph: Graph) -> str | None:
    """Return why the labels of a graph cannot be written as Parquet, or None if they can."""
    problem, labels = label_problem(graph), stated_labels(graph)
    if problem is not None or labels is None or not (graph.vertex_columns or needs_list(graph, labels, text=False)):
        return problem
    size = len(json.dumps(labels.tolist()))
    if size > _LONGEST_LIST:
        return f"the list of its {len(labels):,} labels takes {size >> 20:,} MiB, more than metadata of Parquet hold"
    return None


def columns_problem(graph: Graph) -> str | None:
    """Return why the columns of the vertices of a graph cannot be written as Parquet, or None if they can."""
    size = len(_packed(graph.vertex_columns)) if graph.vertex_columns else 0
    if size > _LONGEST_LIST:
        return f"the columns of its vertices take {size >> 20:,} MiB, more than metadata of Parquet hold"
    return None


def metadata_of(schema: pa.Schema) -> dict[str, Any]:
    """Return what triadic wrote into the metadata of a schema; nothing if they are damaged or not there."""
    try:
        about = json.loads((schema.metadata or {}).get(METADATA_KEY, b"{}"))
    except (ValueError, RecursionError):
        about = None
    return about if isinstance(about, dict) else {}


def stated_metadata(source: Source, schema: pa.Schema) -> tuple[int | None, bool | None, Labels | None]:
    """Return the number of vertices, the direction and the labels in the metadata of a file that triadic wrote.

    The direction is None if it was assumed when the network was read, and the labels are None if the rows tell them.
    All three are None for any other file.
    """
    if METADATA_KEY not in (schema.metadata or {}):
        return None, None, None
    about = metadata_of(schema)
    vertices, directed, labels = about.get("vertices"), about.get("directed", ""), about.get("labels")
    if type(vertices) is not int or type(directed) not in (bool, NoneType) or not 0 <= vertices < 2**63:
        raise source.error("its metadata 'triadic' is damaged; expected a number of vertices and a direction")
    return vertices, directed, None if labels is None else labels_of(labels, source.error)


@contextmanager
def named_errors(source: Source) -> Iterator[None]:
    """Turn errors of Arrow into a ReadError of one line: Arrow raises ArrowInvalid, OSError and others for damage."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        words = in_one_line(error)[:200]
        raise source.error(f"cannot be read as Parquet: {words}") from None


def has_numbers(schema: pa.Schema, columns: Sequence[str]) -> bool:
    """Return whether the first two of some columns, the two ends, hold integers."""
    return all(pa.types.is_integer(values_type(schema.field(name).type)) for name in columns[:2])


def write_arc_blocks(
    path: str | os.PathLike[str],
    blocks: Iterable[tuple[Ids, Ids]],
    *,
    dtype: np.dtype[np.integer[Any]],
    metadata: Mapping[str, object],
) -> None:
    """Write blocks of arcs as the row groups of one Parquet file, which appears when it is complete.

    Parameters
    ----------
    path : path-like
    blocks : iterable of (source, target)
        Pairs of integer arrays of equal length.
    dtype : dtype
        Type of the ids in both columns.
    metadata : mapping
        Written as JSON into the schema under ``triadic``: ``vertices`` and ``directed``, which readers need, and
        anything else that describes the network.

    Raises
    ------
    WriteError
        The file cannot be written; a file that stood at `path` before is unchanged.
    """
    fields = [pa.field(name, pa.from_numpy_dtype(dtype), nullable=False) for name in ("source", "target")]
    # Random ids repeat too seldom for a dictionary to save time or space.
    with parquet_writer(path, fields, metadata, use_dictionary=False) as write:
        for source, target in blocks:
            write([pa.array(source), pa.array(target)])
