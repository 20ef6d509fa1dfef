"""Networks that are not one file: opened as a source and a format, whose functions read, stream and sample them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from triadic.errors import ArgumentError
from triadic.io.batch_tables import BatchTables, TableSource
from triadic.io.file_source import Source, path_text
from triadic.io.format import Format
from triadic.io.lake import Lake, read_tables
from triadic.io.lake_files import find_files
from triadic.io.lake_stream import LakeStream
from triadic.io.table_batches import TableBatches, batches_of
from triadic.io.temporary_copy import STANDARD_INPUT, TemporaryCopy, copy_of_file, copy_of_input

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.arcs import Arcs
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import NetworkInput
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits


def open_lake(
    network: NetworkInput,
    known: Format | None,
    detect: Callable[[Source], Format],
    format_of_name: Callable[[str], Format | None],
    suffixes: Sequence[str],
) -> tuple[Source, Format]:
    """Open a network that is not the path of one file.

    Parameters
    ----------
    network : NetworkInput
        A folder, a pattern, a list of paths, ``-`` for standard input, a binary file, or a table.
    known : Format or None
        The format that the caller states.
    detect, format_of_name : callable
        Return the format of an opened file, and of the name of a file.
    suffixes : sequence of str
        Suffixes of the files that a folder may hold, for messages.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.io.lake_files.find_files` raises them; a table is given together with a format.
    """
    network = recognised(network)
    if isinstance(network, TemporaryCopy):
        source = network.open()
        return source, detect(source) if known is None else known
    if isinstance(network, TableBatches):
        if known is not None:
            raise ArgumentError(f"format={known.name!r}: a table has no format of a file; leave it out")
        table = TableSource(network)
        return table, _format_of_table(table)

    def name_of_format(path: str) -> str | None:
        found = format_of_name(path)
        return None if found is None else found.name

    files = find_files(network, name_of_format if known is None else None, suffixes)
    if len(files.paths) == 1:
        source = Source(files.paths[0])
        return source, detect(source) if known is None else known
    lake = Lake(files, detect if known is None else lambda _: known)
    return lake, _format_of_lake(lake)


def recognised(network: NetworkInput) -> NetworkInput:
    """Return a copy of standard input or of a binary file, a table as batches, and any other object unchanged."""
    if isinstance(network, (str, bytes, os.PathLike)):
        return copy_of_input() if path_text(network) == STANDARD_INPUT else network
    if isinstance(network, (TemporaryCopy, TableBatches, list, tuple)):
        return network
    batches = batches_of(network)
    if batches is not None:
        return batches
    return copy_of_file(network) if hasattr(network, "read") else network


def _format_of_lake(lake: Lake) -> Format:
    def read(source: Source, options: ReadOptions) -> Arcs:
        return read_tables(source, lake.tables(options, options.threads), options)

    def stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
        return LakeStream(source, lake.tables(options, limits.threads), options, limits)

    def sample(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - it is the lake
        from triadic.io.lake_stream import sample_parquet_files, sample_texts  # noqa: PLC0415 - only plans need it
        from triadic.io.parquet_tables import ParquetTables  # noqa: PLC0415 - as above

        files: list[Any] = list(lake.tables(options, threads))
        sampled = sample_parquet_files if isinstance(files[0], ParquetTables) else sample_texts
        return sampled(lake, files, options, threads)

    return Format(name="files", read=read, stream=stream, sample=sample, columns=True)


def _format_of_table(table: TableSource) -> Format:
    def read(source: Source, options: ReadOptions) -> Arcs:
        return read_tables(source, [BatchTables(table, options)], options)

    def stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
        if not table.batches.needs_copy:
            return LakeStream(source, [BatchTables(table, options)], options, limits)
        from triadic.io.parquet_file import ParquetStream, edge_columns  # noqa: PLC0415 - only for tables read once

        path = table.batches.copied(edge_columns(source, options, table.batches.schema)[0])
        copy = Source(path, name=source.name)
        copy.keep(table.batches)
        return ParquetStream(copy, options, limits)

    def sample(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - it is the table
        from triadic.io.lake_stream import sample_batches  # noqa: PLC0415 - only plans need it

        return sample_batches(table, BatchTables(table, options), options, threads)

    return Format(name="table", read=read, stream=stream, sample=sample, columns=True)
