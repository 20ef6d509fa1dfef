"""Parquet files at paths or URLs, read in chunks by many processes: each chunk is a few row groups.

No process opens all files. `find_parquet` lists them, `inspect` reads the footer of one, `chunks_of` joins row groups
to chunks of about equal size, and `read_chunk` reads the two columns of the ends of a chunk. Whoever opens a file
compares its state, size and times or an etag, with the state when the files were listed.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from triadic.core.records import value_class
from triadic.errors import (
    ArgumentError,
    MissingExtraError,
    MissingFileError,
    ReadError,
    TriadicError,
    UnsupportedError,
)
from triadic.io.arrow_columns import no_rows, rows_of
from triadic.io.file_source import file_system, is_pattern, path_text, suffix_of
from triadic.io.networks import find_files, natural
from triadic.io.parquet_file import BATCH, Footer, footer_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.io.blocks import Rows
    from triadic.io.file_source import NetworkInput, Source
    from triadic.io.format import ReadOptions

_SUFFIXES = (".parquet", ".pq")
_HIDDEN = re.compile(r"(^|/)[._]")
_REMEDY = "a cluster reads Parquet; `triadic convert` writes it, and without a cluster any format is tiled"
# What the information of a file system may hold that changes with the content of a file.
_STATE = (
    *("ETag", "etag", "md5Hash", "crc32c", "generation", "versionId", "version_id"),
    *("LastModified", "last_modified", "mtime", "updated", "created", "ino"),
)


@value_class
class SetFile:
    """A file of a data set, and its state when the files were listed.

    Attributes
    ----------
    path : str
        Absolute path or URL.
    size : int
        Bytes.
    state : str
        Times, numbers or an etag, which differ after every change of the file.
    """

    path: str
    size: int
    state: str

    def error(self, problem: str) -> ReadError:
        """Return a ReadError for this file."""
        return ReadError(self.path, problem)


@value_class
class ChunkPart:
    """Rows `start` .. `stop` - 1 of one row group; `first_row` is the number of rows of the file before the group."""

    file: SetFile
    group: int
    start: int
    stop: int
    first_row: int


def find_parquet(network: NetworkInput, format: str | None) -> list[SetFile]:  # noqa: A002 - as in triadic.read
    """Return the Parquet files of a network: a file, a folder, a pattern, or a list of them, at paths or URLs.

    Raises
    ------
    UnsupportedError
        The network is not made of Parquet files.
    MissingFileError
        A path does not exist, or no file matches a pattern.
    """
    if format not in (None, "parquet"):
        raise UnsupportedError(f"format={format!r}: {_REMEDY}")
    if isinstance(network, (str, os.PathLike)):
        paths = [path_text(network)]
    elif isinstance(network, (list, tuple)) and network:
        paths = [path_text(path) for path in network]
    else:
        raise UnsupportedError(f"{type(network).__name__}: {_REMEDY}")
    files: list[SetFile] = []
    for path in paths:
        files += _at_url(path) if "://" in path else _at_path(path)
    twice = {file.path for file in files}
    if len(twice) < len(files):
        raise ArgumentError(f"{paths[0]}: a file occurs more than once in the list; expected every file once")
    for file in files:
        if format is None and suffix_of(file.path)[0] not in _SUFFIXES and not _is_parquet(file):
            raise UnsupportedError(f"{file.path}: {_REMEDY}")
    return files


def inspect(file: SetFile, options: ReadOptions) -> Footer:
    """Read the footer of a file.

    Raises
    ------
    ReadError
        The file is damaged or has changed, or its columns cannot be chosen.
    UnsupportedError
        The metadata of the file list the labels of its vertices.
    """
    with _opened(file) as parquet:
        footer = footer_of(cast("Source", file), options, parquet)
        if footer.listed is not None:
            raise UnsupportedError(
                f"{file.path}: its metadata list the labels of its vertices, which a cluster does not read; "
                "tile it without a cluster"
            )
    return footer


def chunks_of(files: Sequence[SetFile], lengths: Sequence[Sequence[int]], rows: int) -> list[list[ChunkPart]]:
    """Join row groups, of some lengths in each file, to chunks of at most `rows` rows, in order; cut longer groups."""
    chunks: list[list[ChunkPart]] = []
    held = rows
    for file, of_groups in zip(files, lengths, strict=True):
        first_row = 0
        for group, length in enumerate(of_groups):
            pieces = max(1, -(-length // rows))
            for piece in range(pieces if length else 0):
                start, stop = length * piece // pieces, length * (piece + 1) // pieces
                if held + stop - start > rows:
                    chunks.append([])
                    held = 0
                chunks[-1].append(ChunkPart(file, group, start, stop, first_row))
                held += stop - start
            first_row += length
    return chunks


def read_chunk(parts: Sequence[ChunkPart], columns: Sequence[str]) -> Rows:
    """Read the edges of a chunk by names: columns source and target, and weight if three are named.

    Raises
    ------
    ReadError
        A file is damaged or has changed.
    """
    tables = list(tables_of_chunk(parts, columns, numeric=False))
    return pa.concat_tables(tables) if tables else no_rows(weights=len(columns) > 2)


def tables_of_chunk(parts: Sequence[ChunkPart], columns: Sequence[str], *, numeric: bool) -> Iterator[Rows]:
    """Yield a chunk's edges as tables of source, target and perhaps weight, one or more for each row group.

    Raises
    ------
    ReadError
        A file is damaged or has changed.
    """
    names = list(dict.fromkeys(columns))
    for file, some in groupby(parts, key=lambda part: part.file):
        with _opened(file) as parquet:
            for part in some:
                first = part.first_row + part.start
                for table in _tables(parquet, part, names):
                    yield rows_of(table, columns, file.error, first_row=first, numeric=numeric)
                    first += len(table)


def rows_in(parts: Sequence[ChunkPart]) -> int:
    """Return the number of rows of a chunk."""
    return sum(part.stop - part.start for part in parts)


def _tables(parquet: Any, part: ChunkPart, names: list[str]) -> Iterator[Any]:  # noqa: ANN401 - pyarrow has no types
    """Yield the rows of a part of a row group, batch by batch."""
    if part.stop > parquet.metadata.row_group(part.group).num_rows:
        raise part.file.error("was changed while it was read; run the same command again")
    read = before = 0
    size = min(BATCH, part.stop)  # a batch is decoded as a whole
    for batch in parquet.iter_batches(size, row_groups=[part.group], columns=names, use_threads=False):
        start, stop = max(part.start - before, 0), min(part.stop - before, len(batch))
        if start < stop:
            read += stop - start
            yield pa.Table.from_batches([batch.slice(start, stop - start)])
        before += len(batch)
        if before >= part.stop:
            break
    if read != part.stop - part.start:
        raise part.file.error(f"is damaged: its row group {part.group} has fewer rows than its footer says")


@contextmanager
def _opened(file: SetFile) -> Iterator[Any]:
    """Open a file that has not changed since it was listed; turn errors of all kinds into a ReadError of one line."""
    _check_state(file)
    try:
        with _raw(file.path) as raw, pq.ParquetFile(raw) as parquet:
            yield parquet
    except TriadicError:
        raise
    except Exception as error:
        _check_state(file)
        raise file.error(f"cannot be read as Parquet: {' '.join(str(error).split())[:200]}") from error
    _check_state(file)


def _raw(path: str) -> Any:  # noqa: ANN401 - pyarrow and fsspec have no types
    """Return the bytes of a file at a path or a URL as a context."""
    if "://" not in path:
        return pa.OSFile(os.fsencode(path))
    system, place = file_system(path)
    return system.open(place, "rb")


def _check_state(file: SetFile) -> None:
    if _state(file.path) != file:
        raise file.error("was changed while it was read; run the same command again")


def _at_path(path: str) -> list[SetFile]:
    _, paths = find_files(path, lambda name: "parquet" if suffix_of(name)[0] in _SUFFIXES else None, _SUFFIXES)
    return [_state(str(Path(name).absolute())) for name in paths]


def _at_url(url: str) -> list[SetFile]:
    system, path = file_system(url)
    try:
        if is_pattern(path):
            found = [name for name in system.glob(path) if not system.isdir(name)]
        elif system.isdir(path):
            visible = [name for name in map(str, system.find(path)) if not _HIDDEN.search(name[len(path) :])]
            found = [name for name in visible if suffix_of(name)[0] in _SUFFIXES]
        else:
            found = [path]
        files = [_state(str(system.unstrip_protocol(name))) for name in sorted(found, key=natural)]
    except (ReadError, MissingExtraError):
        raise
    except Exception as error:
        raise ReadError(url, f"cannot be listed: {' '.join(str(error).split())[:200]}") from error
    if not files:
        raise MissingFileError(url, "no Parquet file matches")
    return files


def _state(place: str) -> SetFile:
    """Return the state of the file at a path or a URL."""
    system, path = file_system(place)
    try:
        system.invalidate_cache()
        about = system.info(path)
    except FileNotFoundError:
        raise MissingFileError(place, "there is no such file; expected one that all workers can read") from None
    except Exception as error:
        raise ReadError(place, f"cannot be read: {' '.join(str(error).split())[:200]}") from error
    return SetFile(place, int(about["size"] or 0), " ".join(str(about[name]) for name in _STATE if name in about))


def _is_parquet(file: SetFile) -> bool:
    try:
        with _raw(file.path) as raw:
            return bool(raw.read(4) == b"PAR1")
    except Exception as error:
        raise file.error(f"cannot be read: {' '.join(str(error).split())[:200]}") from error
