"""Parquet: a row an edge, in the columns ``source`` and ``target`` and, where there are weights, ``weight``.

Format: https://parquet.apache.org/docs/file-format. Ids are integers or strings, as in text. What columns cannot say,
the direction and the number of vertices, stands in the schema's metadata under ``triadic``; files without it are read
as text without a header is.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from triadic.io.format import Format

if TYPE_CHECKING:
    import pyarrow as pa

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits

METADATA_KEY = b"triadic"


def edge_columns(source: Source, options: ReadOptions, schema: pa.Schema) -> list[str]:
    """Return the names of the columns that are read: the two ends and, if asked for, the weights."""
    columns = [options.source, options.target]
    if options.weights is True:
        columns.append("weight")
    elif isinstance(options.weights, str):
        columns.append(options.weights)
    elif options.weights is not None and options.weights is not False:
        if options.weights >= len(schema.names):
            raise source.error(f"weights={options.weights}: no column {options.weights}, there are {len(schema.names)}")
        columns.append(schema.names[options.weights])
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


def _read(source: Source, options: ReadOptions) -> Arcs:
    from triadic.io.parquet_file import read_parquet  # noqa: PLC0415 - Arrow takes long to import

    return read_parquet(source, options)


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.parquet_file import ParquetStream  # noqa: PLC0415 - likewise

    return ParquetStream(source, options, limits)


def _sample(source: Source, options: ReadOptions, threads: int) -> FileSample:
    from triadic.io.parquet_file import sample_parquet  # noqa: PLC0415 - likewise

    return sample_parquet(source, options, threads)


def _write(graph: Graph, path: str) -> None:
    from triadic.io.parquet_file import write_parquet  # noqa: PLC0415 - likewise

    write_parquet(graph, path)


PARQUET = Format(
    name="parquet",
    suffixes=(".parquet", ".pq"),
    recognise=lambda head: head.startswith(b"PAR1"),
    read=_read,
    stream=_stream,
    sample=_sample,
    write=_write,
    packed=False,
)
