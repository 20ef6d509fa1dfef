"""From what a caller passes to a source of a network: a file, a copy of an opened file, a table, or many files.

The network of a folder, a pattern or a list of files is the one of the concatenated files: all ids are numbers or all
are names, names are numbered in order of appearance, and a direction or a number of vertices that one file states holds
for all files. If files state different numbers of vertices, the largest one holds. Empty files, such as those that
Spark writes for empty partitions, are skipped.

The first bytes of a file outweigh the suffix of its name, with one exception: a file named ``.mtx`` is Matrix Market
or an error, because a Matrix Market body without its banner looks like an edge list and would be read with wrong ids.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from triadic.core.blocks import resolve_threads
from triadic.core.checked import type_name
from triadic.errors import ArgumentError, MissingFileError, ReadError
from triadic.io.blocks import BlockSource, map_ahead
from triadic.io.file_source import EMPTY, Source, is_pattern, path_text, suffix_of
from triadic.io.format import FORMATS, Format, format_of_name, format_of_suffix, known_format
from triadic.io.stored_graphs import TRIADIC, is_stored
from triadic.io.tables import TEXT
from triadic.io.temporary_files import STANDARD_INPUT, copy_of_file, copy_of_input
from triadic.io.tu_dataset import PARTS, refuse_folders, refuse_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.io.blocks import Blocks
    from triadic.io.file_source import NetworkInput
    from triadic.io.format import ReadOptions

# Folders in which a table format keeps its log: some files beside the log hold rows that were deleted.
_TABLE_LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}
_MOST_NAMED = 3
_HEAD_BYTES = 1 << 14
# The first column of every table that Cytoscape exports is SUID.
_CYTOSCAPE_TABLE = re.compile(rb'(?:\xef\xbb\xbf)?"?SUID"?[,;\t][^\n]*\bname\b')
_NOT_READ = {
    ".cyjs": "is a network of Cytoscape in JSON, which is not read; export it as GraphML or SIF",
    ".cx": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".cx2": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".xgmml": "is a network of Cytoscape in XGMML, which is not read; export it as GraphML or SIF",
    ".xls": "is a workbook, which is not read; save its sheet of edges as 'CSV UTF-8'",
    ".gdf": "is GDF, which is not read; export it from Gephi as GEXF or GraphML",
    ".dot": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".gv": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".json": "is JSON, which is not read; export it as GraphML, GML or an edge list",
}
"""Suffixes of networks that would be misread as edge lists, and what to do with them."""


def find_files(
    network: object, formats: Callable[[str], str | None] | None, suffixes: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the files of a folder, of a pattern, or of a list of files, folders and patterns.

    Parameters
    ----------
    network : path-like, or list or tuple of path-like
    formats : callable or None
        Returns the name of the format of a file name, or None. It is called for each file of a folder, and files of
        several formats are an error. None accepts every file.
    suffixes : sequence of str
        Suffixes of the files that are looked for, for messages.

    Returns
    -------
    name : str
        The folder, the pattern or the list, for messages.
    paths : tuple of str
        The files, in natural order.

    Raises
    ------
    MissingFileError
        A path does not exist, or no file matches a pattern.
    ReadError
        A folder cannot be read, or holds no edge files, files of several formats, a data set of TU Dortmund, or a table
        of Delta Lake, Iceberg or Hudi.
    ArgumentError
        A path is not a path, the list is empty, or a file occurs twice.
    """

    def files_of(path: str) -> list[str]:
        """Return the files that one path leads to."""
        exists = os.path.exists(path)  # noqa: PTH110 - pathlib raises errors for names that are too long
        if not exists and is_pattern(path):
            matches = dict.fromkeys(_matches(path))
            found = [file for match in matches for file in (_below(match, match) if Path(match).is_dir() else [match])]
            if not found:
                raise MissingFileError(path, "no file matches this pattern")
            refuse_folders(found)
            return sorted(found, key=natural)
        if not exists:
            raise MissingFileError(path, "there is no such file")
        if not Path(path).is_dir():
            return [path]
        found = sorted(_below(path, path), key=natural)
        refuse_folders(found, alone=formats is not None)
        _check_formats(path, found, formats, suffixes)
        return found

    if isinstance(network, (str, bytes, os.PathLike)):
        path = path_text(network)
        return path, tuple(files_of(path))
    if not isinstance(network, (list, tuple)):
        raise ArgumentError(
            f"path: got {type_name(network)}; expected a path, a list of paths, a binary file, or a table of Arrow, "
            "polars, pandas or DuckDB"
        )
    if not network:
        raise ArgumentError(f"path={network!r}: expected at least one path")
    texts = [path_text(path) for path in network]
    paths = [file for text in texts for file in files_of(text)]
    refuse_folders(paths)
    twice = [path for path, times in Counter(map(os.path.realpath, paths)).items() if times > 1]
    if twice:
        raise ArgumentError(f"{twice[0]}: the file occurs more than once in the list; expected every file once")
    more = len(texts) - 1
    return texts[0] if not more else f"{texts[0]} and {more} more", tuple(paths)


def _matches(pattern: str) -> Iterator[str]:
    """Yield the visible files and folders that match a pattern; ``**`` stands for any number of folders."""
    fixed = 0  # leading parts without a wildcard, in which hidden folders are allowed
    parts = PurePath(pattern).parts
    while not is_pattern(parts[fixed]):
        fixed += 1
    marks = tuple(mark for mark in "._" if not any(part.startswith(mark) for part in parts[fixed:]))
    is_deep = "**" in parts
    for path in glob.iglob(pattern, recursive=True):  # noqa: PTH207 - pathlib has no pattern with a root
        if path.endswith(".crc") or any(part.startswith(marks) for part in PurePath(path).parts[fixed:]):
            continue
        if not (is_deep and Path(path).is_dir()):  # the files in this folder match by themselves
            yield path


def _below(folder: str, root: str) -> Iterator[str]:
    """Yield the visible files in a folder and in the folders below it."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise ReadError(root, f"the folder {folder} cannot be read: {error.strerror}") from None
    _refuse_tables(root, folder, entries)
    for entry in entries:
        if entry.name.startswith((".", "_")) or entry.name.endswith(".crc"):
            continue
        if not entry.is_dir():
            yield entry.path
            continue
        if entry.is_symlink() and Path(folder).resolve().is_relative_to(Path(entry.path).resolve()):
            raise ReadError(root, f"{entry.path} is a link to a folder above it; expected no circle of folders")
        yield from _below(entry.path, root)


def _refuse_tables(root: str, folder: str, entries: list[os.DirEntry[str]]) -> None:
    for entry in entries:
        kind = _TABLE_LOGS.get(entry.name)
        if entry.name == "metadata" and entry.is_dir() and any(Path(entry.path).glob("*.metadata.json")):
            kind = "Iceberg"
        if kind is not None and entry.is_dir():
            where = "" if folder == root else f"{folder} "
            raise ReadError(
                root,
                f"{where}is a table of {kind}, some of whose files hold deleted rows; expected an Arrow dataset, a "
                "polars LazyFrame or a DuckDB relation of the table",
            )


def _check_formats(
    folder: str, paths: list[str], formats: Callable[[str], str | None] | None, suffixes: Sequence[str]
) -> None:
    """Raise a ReadError unless all files of a folder have one format."""
    if formats is None and paths:
        return
    kinds: dict[tuple[str | None, str], list[str]] = {}
    for path in paths:
        suffix = suffix_of(path)[0]
        known = formats and formats(path)
        # Spark writes text to files without a suffix, such as part-00000.
        kinds.setdefault((known or ("text" if not suffix else None), suffix if known is None else ""), []).append(path)
    usual = f"{' '.join(suffixes)}, also with .gz or .zst"
    names = {name for name, _ in kinds}
    if names <= {None}:
        others = "" if not paths else f", but {_named(folder, paths)}"
        raise ReadError(folder, f"holds no file of edges{others}; looked for {usual}")
    if len(names) > 1:
        parts = [
            f"{len(files):,} {name or suffix} ({_named(folder, files)})" for (name, suffix), files in kinds.items()
        ]
        most = max((files for (name, _), files in kinds.items() if name is not None), key=len)
        raise ReadError(
            folder,
            f"holds files of several formats: {', '.join(parts)}; expected one format, or a pattern such as "
            f"{str(Path(folder, _pattern(folder, most[0])))!r}",
        )


def _pattern(folder: str, path: str) -> str:
    """Return a pattern, within a folder, of the files with the same suffix as one of them."""
    suffixes = PurePath(path).suffixes[-2 if suffix_of(path)[1] else -1 :]
    return f"{'' if Path(path).parent == Path(folder) else '**/'}*{''.join(suffixes)}"


def _named(folder: str, paths: list[str]) -> str:
    names = [os.path.relpath(path, folder) for path in paths[:_MOST_NAMED]]
    return ", ".join(names) + (", …" if len(paths) > _MOST_NAMED else "")


def natural(path: str) -> list[list[tuple[int, int, str]]]:
    """Return the key of a natural order, in which numbers within names are compared as numbers."""
    return [
        [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in re.split(r"([0-9]+)", name) if part]
        for name in PurePath(path).parts
    ]


_MOST_THREADS = 8
_FILES, _TABLE = (Format(name=name, columns=True) for name in ("files", "table"))


class Lake(BlockSource):
    """The files of a network.

    Parameters
    ----------
    name : str
        The folder, the pattern or the list, for messages.
    paths : tuple of str
        The files, in order; also an attribute.
    format_of : callable
        Returns the format of an opened file.
    """

    def __init__(self, name: str, paths: tuple[str, ...], format_of: Callable[[Source], Format]) -> None:
        super().__init__(name, folder=True)
        self.paths = paths
        self._format_of = format_of

    @property
    def stored_bytes(self) -> int:
        """Size of all files."""
        return sum(Path(path).stat().st_size for path in self.paths)

    @property
    def stored_names(self) -> tuple[str, ...]:
        """Names of all files."""
        return self.paths

    content_paths = stored_names

    def blocks(self, options: ReadOptions, *, twice: bool) -> list[Blocks]:  # noqa: ARG002 - of tables
        """Open all files.

        Raises
        ------
        ReadError
            A file cannot be opened, all are empty, or the files have different formats, columns or directions.
        """
        used = min(_MOST_THREADS, resolve_threads(options.threads))
        paths = iter(self.paths)
        found = next((file for path in paths if (file := self._opened(path, options, None)) is not None), None)
        if found is None:
            raise self.error(f"all {len(self.paths):,} files are empty (0 bytes)")
        further = map_ahead(lambda path: self._opened(path, options, found), paths, threads=used)
        files = [found, *(file for file in further if file is not None)]
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
            blocks = first[0].following(source, options, known.blocks)
        blocks.source.forget_head()  # of thousands of files
        return blocks, known

    def identity(self) -> dict[str, Any]:
        """Return the name of the network and its number of files."""
        return {"name": Path(self.path).name, "files": len(self.paths)}


def _check_agreement(files: Sequence[Blocks], options: ReadOptions) -> None:
    """Raise a ReadError unless all files have the same columns and state no different directions."""
    _check_same(files, "columns", lambda file: file.columns or None, "name the columns with source= and target=")
    if options.directed is None:
        words = {True: "directed", False: "undirected", None: None}
        stated = "state one with directed=True or directed=False"
        _check_same(files, "directions", lambda file: words[file.directed], stated)
    _check_same(
        [file for file in files if file.directed is not None or file.sizes],
        "sets of vertices",
        lambda file: "bipartite" if file.bipartite else "of one set",
        "read the files one by one",
    )


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


def detect(source: Source) -> Format:
    """Return the format of a file; a plain edge list where neither the first bytes nor the suffix tell.

    Raises
    ------
    ReadError
        The file is XML or HTML that no format recognises.
    """
    if source.folder:
        return TRIADIC
    suffix = suffix_of(source.path)[0]
    named = format_of_suffix(suffix)
    if named is None and suffix in _NOT_READ:
        raise source.error(_NOT_READ[suffix])
    if named is not None and named.suffix_decides:
        return named
    start = source.head[:_HEAD_BYTES]
    if _CYTOSCAPE_TABLE.match(start):
        raise source.error("is a table of Cytoscape, which is not read; export the network as GraphML or SIF")
    for known in FORMATS.values():
        if known.recognise is not None and known.recognise(start):
            return known
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise source.error("starts with '<' but is neither GraphML nor GEXF; expected an edge list or a graph file")
    return TEXT if named is None or named.folder else named


def open_network(network: NetworkInput, name: str | None) -> tuple[Source, Format]:
    """Open a network and return it with its format.

    Parameters
    ----------
    network : NetworkInput
    name : str or None
        Name of the format; None chooses by the first bytes and the suffix.

    Raises
    ------
    MissingFileError
        The file does not exist, or no file matches a pattern.
    ReadError
        The file cannot be opened, no format recognises it, or it is of a data set of many graphs; or as `find_files`
        raises it.
    ArgumentError
        No format has this name, or a table is given together with a format; or as `find_files` raises it.
    """
    known = None if name is None else known_format(name)
    format_of = detect if known is None else lambda _: known
    network = recognised(network)
    if isinstance(network, (str, bytes, os.PathLike)) and (not is_pattern(network) or os.path.exists(network)):  # noqa: PTH110 - as above
        source = Source(network)
        if known is None and source.path.endswith(PARTS):
            refuse_part(source.path)
        if not source.folder or known is TRIADIC or is_stored(source):
            return source, format_of(source)
    if isinstance(network, BlockSource):
        if known is not None:
            raise ArgumentError(f"format={known.name!r}: a table has no format of a file; leave it out")
        return network, _TABLE
    if isinstance(network, Source):
        return network, format_of(network)
    formats = None if known is not None else lambda path: getattr(format_of_name(path), "name", None)
    usual = [each for each in FORMATS.values() if each.blocks is not None and not each.alone]
    title, paths = find_files(network, formats, [suffix for each in usual for suffix in each.suffixes])
    if len(paths) == 1:
        source = Source(paths[0])
        return source, format_of(source)
    return Lake(title, paths, format_of), _FILES


def open_to_read(network: NetworkInput, name: str | None, options: ReadOptions) -> tuple[Source, Format]:
    """Open a network as `open_network` does, and refuse options that choose columns of a format that has none.

    Raises
    ------
    ArgumentError
        The options choose columns of such a format; or as `open_network` raises it.
    MissingFileError, ReadError
        As `open_network` raises them.
    """
    source, known = open_network(network, name)
    given = {} if known.columns else options.chosen
    given |= {"columns": list(options.keep)} if options.keep and not (known.columns or known.attributes) else {}
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    if words:
        raise ArgumentError(f"{words}: files of the format {known.name} have no columns to choose; leave it out")
    return source, known


def reopenable(network: NetworkInput) -> NetworkInput:
    """Return a network that can be opened several times: an opened file is copied, and a table is recognised."""
    return network if isinstance(network, (str, bytes, os.PathLike)) else recognised(network)


def recognised(network: NetworkInput) -> NetworkInput:
    """Return standard input, a binary file or a table as a source, and any other object unchanged."""
    if isinstance(network, (str, bytes, os.PathLike)):
        return copy_of_input() if path_text(network) == STANDARD_INPUT else network
    if isinstance(network, (Source, list, tuple)):
        return network
    from triadic.io.table_blocks import TableSource, batches_of  # noqa: PLC0415 - Arrow takes long to import

    batches = batches_of(network)
    if batches is not None:
        return TableSource(batches)
    return copy_of_file(network) if hasattr(network, "read") else network
