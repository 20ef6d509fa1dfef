"""The files of a network that is stored in many: a folder, a pattern such as ``edges/*.parquet``, or a list of paths.

Files and folders whose names begin with ``.`` or ``_`` are ignored, as Spark, Hive and Arrow ignore them: markers such
as ``_SUCCESS``, ``_metadata`` and ``.part-0.crc``, and rows that are not yet committed. Files are in natural order, in
which ``part-2`` comes before ``part-10``.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from triadic.core.checked import type_name
from triadic.errors import ArgumentError, MissingFileError, ReadError
from triadic.io.file_source import is_pattern, path_text, suffix_of
from triadic.io.tu_dataset import refuse_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Folders in which a table format keeps its log: some files beside the log hold rows that were deleted.
_TABLE_LOGS = {"_delta_log": "Delta Lake", ".hoodie": "Hudi"}
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files of a network, in natural order.

    Attributes
    ----------
    name : str
        The folder, the pattern or the list, for messages.
    paths : tuple of str
    """

    name: str
    paths: tuple[str, ...]


def find_files(network: object, formats: Callable[[str], str | None] | None, suffixes: Sequence[str]) -> FoundFiles:
    """Return the files of a folder, of a pattern, or of a list of files, folders and patterns.

    Parameters
    ----------
    network : path-like, or list or tuple of path-like
    formats : callable or None
        Returns the name of the format of a file name, or None. It is called for each file of a folder, and files of
        several formats are an error. None accepts every file.
    suffixes : sequence of str
        Suffixes of the files that are looked for, for messages.

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
    if isinstance(network, (str, bytes, os.PathLike)):
        path = path_text(network)
        return FoundFiles(path, tuple(_files_of(path, formats, suffixes)))
    if not isinstance(network, (list, tuple)):
        raise ArgumentError(
            f"path: got {type_name(network)}; expected a path, a list of paths, a binary file, or a table of Arrow, "
            "polars, pandas or DuckDB"
        )
    if not network:
        raise ArgumentError(f"path={network!r}: expected at least one path")
    texts = [path_text(path) for path in network]
    paths = [file for text in texts for file in _files_of(text, formats, suffixes)]
    refuse_folders(paths)
    twice = [path for path, times in Counter(map(os.path.realpath, paths)).items() if times > 1]
    if twice:
        raise ArgumentError(f"{twice[0]}: the file occurs more than once in the list; expected every file once")
    more = len(texts) - 1
    return FoundFiles(texts[0] if not more else f"{texts[0]} and {more} more", tuple(paths))


def _files_of(path: str, formats: Callable[[str], str | None] | None, suffixes: Sequence[str]) -> list[str]:
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


def _matches(pattern: str) -> Iterator[str]:
    """Yield the visible files and folders that match a pattern; ``**`` stands for any number of folders."""
    fixed = 0  # leading parts without a wildcard, in which hidden folders are allowed
    parts = PurePath(pattern).parts
    while not is_pattern(parts[fixed]):
        fixed += 1
    allowed = tuple(mark for mark in "._" if any(part.startswith(mark) for part in parts[fixed:]))
    marks = tuple(mark for mark in "._" if mark not in allowed)
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
        known = None if formats is None else formats(path)
        # Spark writes text to files without a suffix, such as part-00000.
        kinds.setdefault((known or ("text" if not suffix else None), suffix if known is None else ""), []).append(path)
    usual = f"{' '.join(suffixes)}, also with .gz or .zst"
    if all(name is None for name, _ in kinds):
        others = "" if not paths else f", but {_named(folder, paths)}"
        raise ReadError(folder, f"holds no file of edges{others}; looked for {usual}")
    if len({name for name, _ in kinds}) > 1 or None in {name for name, _ in kinds}:
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
