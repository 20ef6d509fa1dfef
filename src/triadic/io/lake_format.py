"""Networks that are not one file: many files, and tables of other libraries, read, streamed and sampled.

All files share one numbering of vertices, so that the stream is the one of the concatenated files. A sample reads some
files, some row groups of Parquet, or some rows of each batch.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from triadic.errors import ArgumentError
from triadic.io.batch_tables import BatchTables, TableSource
from triadic.io.damaged_ids import IdCheck
from triadic.io.edge_tables import IrregularFileError, gather, names_of, tables_of
from triadic.io.file_source import CHUNK_BYTES, Source, path_text
from triadic.io.format import Format
from triadic.io.identifiers import UnusableIdError
from triadic.io.lake import Lake, direction_of, first_fault, read_tables, refuse_damaged, stated_list, stated_sizes
from triadic.io.lake_files import find_files
from triadic.io.sampling import (
    MOST_ARCS,
    NAME_COLUMNS,
    NUMBER_COLUMNS,
    SampledSource,
    most_text,
    random_places,
    sample_stream,
    sampled_groups,
)
from triadic.io.stream_passes import CachingStream, PassCache, ProgressCount, StreamLimits, slices
from triadic.io.table_batches import TableBatches, batches_of
from triadic.io.temporary_copy import STANDARD_INPUT, TemporaryCopy, copy_of_file, copy_of_input
from triadic.io.text_stream import BYTES_A_ROW, arcs_of, table_bytes
from triadic.io.vertex_numbering import IntegerNameSet, NameSet, NumberSet, number_one_set, number_two_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.arcs import Arcs
    from triadic.core.blocks import Progress
    from triadic.io.arc_stream import ArcStream, Survey
    from triadic.io.edge_tables import EdgeTables, Rows
    from triadic.io.file_source import NetworkInput
    from triadic.io.identifiers import Column
    from triadic.io.options import ReadOptions
    from triadic.io.parquet_tables import ParquetTables
    from triadic.io.sampling import FileSample
    from triadic.io.text_tables import TextTables
    from triadic.io.vertex_numbering import Numbering, Piece, VertexSet


class LakeStream(CachingStream):
    """The arcs of several files or of a table.

    Parameters
    ----------
    source : Source
        The whole network, for messages.
    files : sequence of EdgeTables
    options : ReadOptions
    limits : StreamLimits
    """

    def __init__(self, source: Source, files: Sequence[EdgeTables], options: ReadOptions, limits: StreamLimits) -> None:
        self._source, self._files, self._options = source, files, options
        self.directed, self.origin = direction_of(files, options)
        self._is_bipartite = any(file.bipartite for file in files)
        self._sizes, self._listed = stated_sizes(files), stated_list(files)
        self._piece_arcs = limits.piece_arcs
        self._threads = min(limits.threads, files[0].most_threads)
        self._chunk_bytes = min(CHUNK_BYTES, BYTES_A_ROW * limits.piece_arcs)
        self._total = sum(file.work for file in files)
        # Text takes long to parse; columns of Parquet and of tables are decoded again.
        self._cache: PassCache[Rows] = PassCache(limits.keep if files[0].integer_names else 0, table_bytes)
        self._numbered: tuple[Callable[[Column, Column], Piece], bool] | None = None

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read all arcs once; see :class:`triadic.io.arc_stream.ArcStream`."""
        sides: list[VertexSet] = []
        arcs = 0
        check: IdCheck | None = None

        def begin(numeric: bool) -> Callable[[Rows], None]:
            nonlocal sides, arcs, check
            sides, arcs = self._sides(numeric=numeric), 0
            check = None if numeric or not self._files[0].integer_names else IdCheck()
            return add

        def add(rows: Rows) -> None:
            nonlocal arcs
            if check is not None:
                for names in names_of(rows):
                    check.add(names)
            if len(sides) == 1:
                sides[0].add(rows["source"], rows["target"])
            else:
                sides[0].add(rows["source"], None)
                sides[1].add(rows["target"], None)
            arcs += len(rows)

        numeric = gather(
            self._files,
            begin,
            chunk_bytes=self._chunk_bytes,
            threads=self._threads,
            reported=lambda: ProgressCount(progress, self._total),
            recorded=self._cache.record,
        )
        if check is not None:
            refuse_damaged(self._source, self._files, check)
        numbering = self._numbering(sides, arcs, numeric=numeric)
        self._numbered = numbering.vertices, numeric
        return numbering.survey

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Yield all arcs again; see :class:`triadic.io.arc_stream.ArcStream`."""
        if self._numbered is None:
            self.survey()
        vertices, numeric = cast("tuple[Callable[[Column, Column], Piece], bool]", self._numbered)

        def changed(rows: Rows) -> Piece:
            return arcs_of(rows, vertices)

        if self._cache.parts is not None:
            for file in self._files:
                file.check(after=False)
            for rows in self._cache.parts:
                yield from slices(changed(rows), self._piece_arcs)
            return
        try:
            for piece in tables_of(
                self._files,
                numeric=numeric,
                chunk_bytes=self._chunk_bytes,
                threads=self._threads,
                reported=ProgressCount(progress, self._total),
                change=changed,
            ):
                yield from slices(piece, self._piece_arcs)
        except IrregularFileError as error:
            raise self._files[error.place].changed() from None

    def _sides(self, *, numeric: bool) -> list[VertexSet]:
        declared = None if self._is_bipartite or self._listed is not None else self._options.vertices
        arcs = sum(file.arcs for file in self._files)
        return [
            NumberSet(declared=declared, arcs=arcs) if numeric else NameSet(declared=declared)
            for _ in range(2 if self._is_bipartite else 1)
        ]

    def _numbering(self, sides: list[VertexSet], arcs: int, *, numeric: bool) -> Numbering:
        names = [side for side in sides if isinstance(side, NameSet)]
        if names and arcs and self._files[0].integer_names and all(side.tally.all_integers for side in names):
            sides, numeric = [IntegerNameSet(side) for side in names], True
        declared = self._options.vertices
        try:
            if len(sides) == 1:
                stated = self._sizes[0] if self._sizes else None
                return number_one_set(sides[0], arcs, stated, listed=self._listed, declared=declared)
            return number_two_sets(sides[0], sides[1], arcs, declared=declared, stated=sum(self._sizes))
        except UnusableIdError as error:
            raise first_fault(self._files, numeric=numeric, vertices=declared) or self._source.error(
                str(error)
            ) from None
        except pa.ArrowInvalid as error:
            fault = first_fault(self._files, numeric=True, vertices=None)
            raise fault or self._source.error(" ".join(str(error).split())) from None


# Bytes to read of a file of text at least, and the largest number of files to read.
_FILE_BYTES = 1 << 22
_MOST_FILES = 64
_WHOLE_PIECES = 1 << 40


def sample_texts(lake: Lake, files: Sequence[TextTables], options: ReadOptions, threads: int) -> FileSample:
    """Read a part of some text files, of larger files more often."""
    sizes = np.array([file.source.stored_bytes for file in files], dtype=np.int64)
    total = int(sizes.sum())
    most = most_text(total)
    if total <= most:
        chosen, each = np.arange(len(files)), np.full(len(files), 1 << 62)
    else:
        count = min(_MOST_FILES, max(1, most // _FILE_BYTES))
        places = np.searchsorted(np.cumsum(sizes), random_places(total - 1, count), side="right")
        chosen, times = np.unique(places, return_counts=True)
        each = times * (most // count)
    parts = [SampledSource(files[i].source, limit) for i, limit in zip(chosen.tolist(), each.tolist(), strict=True)]
    sampled = [files[i] for i in chosen.tolist()]
    for file, part in zip(sampled, parts, strict=True):
        file.source = part
    sample = sample_stream(LakeStream(lake, sampled, options, StreamLimits(_WHOLE_PIECES, threads)), lake, options)
    share = sum(part.share * part.size for part in parts) / total
    kept = NAME_COLUMNS if sample.labels == "names" else NUMBER_COLUMNS
    return replace(sample, arcs=round(sample.arcs / share), kept=kept)


def sample_parquet_files(lake: Lake, files: Sequence[ParquetTables], options: ReadOptions, threads: int) -> FileSample:
    """Read some row groups of all files, at equal distances."""
    rows = [count for file in files for count in file.group_rows]
    found = sampled_groups(rows)
    chosen = list(files)
    if found is not None:
        groups, length = found
        starts = np.cumsum([0, *(len(file.group_rows) for file in files)])
        for file, start, stop in zip(files, starts, starts[1:], strict=False):
            file.sampled = [int(i - start) for i in groups if start <= i < stop], length
        chosen = [file for file in files if file.sampled is not None and file.sampled[0]]
    sample = sample_stream(LakeStream(lake, chosen, options, StreamLimits(_WHOLE_PIECES, threads)), lake, options)
    return replace(sample, arcs=sum(rows))


def sample_batches(source: TableSource, table: BatchTables, options: ReadOptions, threads: int) -> FileSample:
    """Read all batches of a table, and keep some rows of each.

    Raises
    ------
    ArgumentError
        The table can be read only once.
    """
    if source.batches.count is None:
        raise ArgumentError(f"{source.name}: it can be read only once, and a plan reads a part of it; expected a table")
    table.share = min(1.0, MOST_ARCS / max(1, table.arcs))
    sample = sample_stream(LakeStream(source, [table], options, StreamLimits(_WHOLE_PIECES, threads)), source, options)
    return replace(sample, arcs=table.arcs)


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

        return sample_batches(table, BatchTables(table, options), options, threads)

    return Format(name="table", read=read, stream=stream, sample=sample, columns=True)
