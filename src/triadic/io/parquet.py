"""Parquet: a row an edge, in the columns ``source`` and ``target`` and, where there are weights, ``weight``.

Format: https://parquet.apache.org/docs/file-format. Ids are integers or strings, as in text. What columns cannot say,
the direction and the number of vertices, stands in the schema's metadata under ``triadic``; files without it are read
as text without a header is.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.core.arcs import Arcs
from triadic.io.arrow_columns import id_columns, weight_column
from triadic.io.edge_blocks import edge_blocks, named_edges, writable_labels
from triadic.io.identifiers import UnusableIdError, vertices_of_names, vertices_of_numbers
from triadic.io.whole_file import whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.graph.graph import Graph
    from triadic.io.asked import Asked
    from triadic.io.file_source import Source

METADATA_KEY = b"triadic"


def read_parquet(source: Source, asked: Asked) -> Arcs:
    """Read the edges of a Parquet file.

    Parameters
    ----------
    source : Source
    asked : Asked
        ``weights=True`` is the column ``weight``.

    Returns
    -------
    Arcs

    Raises
    ------
    ReadError
        A column is missing, or holds something else than integers or strings; a value is missing; an id is negative.
    """
    with named_errors(source), _opened(source) as file:
        columns = edge_columns(source, asked, file.schema_arrow)
        stated, directed = stated_metadata(source, file.schema_arrow.metadata)
        table = file.read(columns=list(dict.fromkeys(columns)))
        ends = id_columns(table, (columns[0], columns[1]), source.error)
        weights = weight_column(table, columns[2], source.error) if len(columns) > 2 else None
        del table
    maker = vertices_of_numbers if ends[0].type == pa.int64() else vertices_of_names
    try:
        vertices = maker(ends[0], ends[1], declared=asked.vertices, stated=stated)
    except UnusableIdError as error:
        raise source.error(str(error)) from None
    if asked.directed is not None:
        directed = asked.directed
    return Arcs(vertices.source, vertices.target, vertices.count, directed, weights, vertices.labels)


def write_parquet(graph: Graph, path: str) -> None:
    """Write each edge of a graph as one row, row group by row group.

    Parameters
    ----------
    graph : Graph
    path : str

    Raises
    ------
    WriteError
        The file cannot be written, or the labels do not tell the vertices apart.
    """
    labels = writable_labels(graph, path, printable=False)
    about = {"directed": graph.directed, "vertices": graph.num_vertices}
    kind = pa.string() if labels is not None and labels.dtype == np.object_ else pa.int64()
    fields = [pa.field("source", kind, nullable=False), pa.field("target", kind, nullable=False)]
    if graph.weights is not None:
        fields.append(pa.field("weight", pa.float64(), nullable=False))
    schema = pa.schema(fields, metadata={METADATA_KEY: json.dumps(about)})
    with whole_file(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for block in edge_blocks(graph):
            writer.write_table(pa.table(named_edges(block, labels), schema=schema))


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    with pa.BufferReader(source.mapped()) as raw, pq.ParquetFile(raw) as file:
        yield file


@contextmanager
def named_errors(source: Source) -> Iterator[None]:
    """Say in one line what Arrow found wrong: it raises ArrowInvalid, OSError and others for damaged files."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        words = " ".join(str(error).split())[:200]
        raise source.error(f"cannot be read as Parquet: {words}") from None


def edge_columns(source: Source, asked: Asked, schema: pa.Schema) -> list[str]:
    """Return the names of the columns that are read: the two ends and, if asked for, the weights."""
    columns = [asked.source, asked.target]
    if asked.weights is True:
        columns.append("weight")
    elif isinstance(asked.weights, str):
        columns.append(asked.weights)
    elif asked.weights is not None and asked.weights is not False:
        if asked.weights >= len(schema.names):
            raise source.error(f"weights={asked.weights}: no column {asked.weights}, there are {len(schema.names)}")
        columns.append(schema.names[asked.weights])
    for name in columns:
        found = schema.names.count(name)
        if found != 1:
            state = "there is no" if found == 0 else f"there are {found} of the"
            raise source.error(f"{state} column {name!r}; the columns are {', '.join(schema.names) or 'none'}")
    return columns


def stated_metadata(source: Source, metadata: dict[bytes, bytes] | None) -> tuple[int | None, bool]:
    """Return the number of vertices and the direction that a file of triadic's own writing states."""
    if metadata is None or METADATA_KEY not in metadata:
        return None, True
    try:
        about = json.loads(metadata[METADATA_KEY])
        vertices, directed = about["vertices"], about["directed"]
    except (ValueError, TypeError, KeyError):
        vertices, directed = None, None
    if type(vertices) is not int or type(directed) is not bool or not 0 <= vertices < 2**63:
        raise source.error("its metadata 'triadic' is damaged; expected a number of vertices and a direction")
    return vertices, directed
