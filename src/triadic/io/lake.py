"""A network that is stored in many files: a folder, a pattern or a list of files.

The network is the one of the concatenated files: all ids are numbers or all are names, names are numbered in order of
appearance, and a direction or a number of vertices that one file states holds for all files. If files state different
numbers of vertices, the largest one holds. Empty files, such as those that Spark writes for empty
partitions.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.core.blocks import resolve_threads
from triadic.errors import ArgumentError, ReadError
from triadic.io.blocks import BlockSource, map_ahead
from triadic.io.file_source import EMPTY, Source, path_text, suffix_of
from triadic.io.format import Format
from triadic.io.lake_files import find_files
from triadic.io.table_batches import TableBatches, batches_of
from triadic.io.table_blocks import TableSource
from triadic.io.temporary_copy import STANDARD_INPUT, TemporaryCopy, copy_of_file, copy_of_input

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.io.blocks import Blocks
    from triadic.io.file_source import NetworkInput
    from triadic.io.format import ReadOptions
    from triadic.io.lake_files import FoundFiles

_MOST_THREADS = 8
_FILES, _TABLE = (Format(name=name, columns=True) for name in ("files", "table"))


class Lake(BlockSource):
    """The files of a network.

    Parameters
    ----------
    files : FoundFiles
    format_of : callable
        Returns the format of an opened file.

    Attributes
    ----------
    paths : tuple of str
        The files, in order.
    """

    def __init__(self, files: FoundFiles, format_of: Callable[[Source], Format]) -> None:
        self.path = self.name = files.name
        self.packing, self.folder, self.head, self.whole = None, True, b"", True
        self.paths = files.paths
        self._format_of = format_of

    @property
    def stored_bytes(self) -> int:
        """Size of all files."""
        return sum(Path(path).stat().st_size for path in self.paths)

    @property
    def stored_names(self) -> tuple[str, ...]:
        """Names of all files."""
        return self.paths

    def blocks(self, options: ReadOptions, threads: int | None, *, twice: bool) -> list[Blocks]:  # noqa: ARG002 - of tables
        """Open all files.

        Raises
        ------
        ReadError
            A file cannot be opened, all are empty, or the files have different formats, columns or directions.
        """
        used = min(_MOST_THREADS, resolve_threads(threads))
        paths = iter(self.paths)
        found = next((file for path in paths if (file := self._opened(path, options, None)) is not None), None)
        if found is None:
            raise self.error(f"all {len(self.paths):,} files are empty (0 bytes)")
        later = map_ahead(lambda path: self._opened(path, options, found), paths, threads=used)
        files = [found, *(file for file in later if file is not None)]
        first, known = files[0]
        for other, format_ in files:
            if format_.name != known.name:
                before = first.source.name
                raise other.source.error(f"is of the format {format_.name}; expected {known.name}, as {before} is")
        tables = [file for file, _ in files]
        _check_agreement(tables, options)
        return tables

    def _opened(
        self, path: str, options: ReadOptions, first: tuple[Blocks, Format] | None
    ) -> tuple[Blocks, Format] | None:
        """Open a file; return None for a file without a byte."""
        try:
            source = Source(path)
            known = self._format_of(source)
        except ReadError as error:
            # A Parquet file has a footer even without rows, so that an empty one is damaged.
            if not error.problem.startswith(EMPTY) or suffix_of(path)[0] in (".parquet", ".pq"):
                raise
            return None
        if known.blocks is None or known.alone:
            raise self.error(
                f"holds {len(self.paths):,} files, and {path} is of the format {known.name}, whose files are networks "
                "of their own; expected one file, or edge lists or Parquet"
            )
        if first is None or first[1] is not known:
            blocks: Blocks = known.blocks(source, options)
        else:
            blocks = first[0].following(source, options, known)
        blocks.source.forget_head()  # of thousands of files
        return blocks, known

    def identity(self) -> dict[str, Any]:
        """Return the name of the network and its number of files."""
        return {"name": Path(self.path).name, "files": len(self.paths)}

    @property
    def content_paths(self) -> tuple[str, ...]:
        """Paths of all files."""
        return self.paths


def _check_agreement(files: Sequence[Blocks], options: ReadOptions) -> None:
    """Raise a ReadError unless all files have the same columns and state no different directions."""
    _check_same(files, "columns", lambda file: file.columns or None, "name the columns with source= and target=")
    if options.directed is None:
        _check_same(files, "directions", _direction, "state one with directed=True or directed=False")
    _check_same(
        [file for file in files if file.directed is not None or file.sizes],
        "sets of vertices",
        lambda file: "bipartite" if file.bipartite else "of one set",
        "read the files one by one",
    )


def _direction(file: Blocks) -> str | None:
    return None if file.directed is None else "directed" if file.directed else "undirected"


def _check_same(files: Sequence[Blocks], what: str, of: Callable[[Blocks], object | None], advice: str) -> None:
    stating = [(file, stated) for file in files if (stated := of(file)) is not None]
    for file, stated in stating:
        first, before = stating[0]
        if stated != before:
            raise file.source.error(
                f"has other {what} than {first.source.name} ({_shown(stated)}, not {_shown(before)}); {advice}"
            )


def _shown(stated: object) -> str:
    parts = [part for part in stated if part is not None] if isinstance(stated, tuple) else [stated]
    return " and ".join(map(str, parts))


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
        return table, _TABLE

    def name_of_format(path: str) -> str | None:
        found = format_of_name(path)
        return None if found is None else found.name

    files = find_files(network, name_of_format if known is None else None, suffixes)
    if len(files.paths) == 1:
        source = Source(files.paths[0])
        return source, detect(source) if known is None else known
    lake = Lake(files, detect if known is None else lambda _: known)
    return lake, _FILES


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
