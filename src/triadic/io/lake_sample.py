"""Samples of networks of many files and of tables: some files, some row groups of Parquet, some rows of each batch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ArgumentError
from triadic.io.lake_stream import LakeStream
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
from triadic.io.stream_passes import StreamLimits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.io.batch_tables import BatchTables, TableSource
    from triadic.io.lake import Lake
    from triadic.io.options import ReadOptions
    from triadic.io.parquet_tables import ParquetTables
    from triadic.io.sampling import FileSample
    from triadic.io.text_tables import TextTables

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
