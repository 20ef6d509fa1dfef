"""A network that is stored in many files: a folder, a pattern or a list of files.

The network is the one of the concatenated files: all ids are numbers or all are names, names are numbered in order of
appearance, and a direction or a number of vertices that one file states holds for all files. If files state different
numbers of vertices, the largest one holds. Empty files, such as those that Spark writes for empty
partitions.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from triadic.core.arcs import Arcs, Origin
from triadic.core.blocks import resolve_threads
from triadic.errors import ReadError
from triadic.io.damaged_ids import IdCheck
from triadic.io.edge_tables import gather, names_of, no_rows
from triadic.io.file_source import CHUNK_BYTES, EMPTY, Source, suffix_of
from triadic.io.identifiers import (
    UnusableIdError,
    as_listed,
    to_array,
    two_sets,
    vertices_of_names,
    vertices_of_numbers,
)
from triadic.io.stream_passes import ProgressCount, map_ahead
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.graph.labels import Labels
    from triadic.io.edge_tables import EdgeTables, Rows
    from triadic.io.format import Format
    from triadic.io.identifiers import Column, Vertices
    from triadic.io.lake_files import FoundFiles
    from triadic.io.options import ReadOptions

_MOST_THREADS = 8


class Lake(Source):
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

    def tables(self, options: ReadOptions, threads: int | None = None) -> list[EdgeTables]:
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
        later = map_ahead(lambda path: self._opened(path, options, found[0]), paths, threads=used)
        files = [found, *(file for file in later if file is not None)]
        first, known = files[0]
        for other, format_ in files:
            if format_.name != known.name:
                before = first.source.name
                raise other.source.error(f"is of the format {format_.name}; expected {known.name}, as {before} is")
        tables = [file for file, _ in files]
        _check_agreement(tables, options)
        return tables

    def _opened(self, path: str, options: ReadOptions, before: EdgeTables | None) -> tuple[EdgeTables, Format] | None:
        """Open a file; return None for a file without a byte."""
        try:
            source = Source(path)
            known = self._format_of(source)
        except ReadError as error:
            # A Parquet file has a footer even without rows, so that an empty one is damaged.
            if not error.problem.startswith(EMPTY) or suffix_of(path)[0] in (".parquet", ".pq"):
                raise
            return None
        if known.tables is None:
            raise self.error(
                f"holds {len(self.paths):,} files, and {path} is of the format {known.name}, whose files are networks "
                "of their own; expected one file, or edge lists or Parquet"
            )
        return known.tables(source, options, before), known

    def identity(self) -> dict[str, Any]:
        """Return the name of the network and its number of files."""
        return {"name": Path(self.path).name, "files": len(self.paths)}

    @property
    def content_paths(self) -> tuple[str, ...]:
        """Paths of all files."""
        return self.paths


def _check_agreement(files: Sequence[EdgeTables], options: ReadOptions) -> None:
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


def _direction(file: EdgeTables) -> str | None:
    return None if file.directed is None else "directed" if file.directed else "undirected"


def _check_same(files: Sequence[EdgeTables], what: str, of: Callable[[EdgeTables], object | None], advice: str) -> None:
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


def stated_sizes(files: Sequence[EdgeTables]) -> tuple[int, ...]:
    """Return the largest numbers of vertices that the files state: none, one, or one for each of two sets."""
    return tuple(max(sizes) for sizes in zip(*(file.sizes for file in files if file.sizes), strict=True))


def stated_list(files: Sequence[EdgeTables]) -> Labels | None:
    """Return the labels of the vertices that the files list, one file after the other; None if no file lists any."""
    lists: list[Labels] = [file.listed for file in files if file.listed is not None]
    if len(lists) < 2:
        return lists[0] if lists else None
    if len({labels.dtype for labels in lists}) > 1:
        lists = [np.array(list(map(str, labels.tolist())), dtype=np.object_) for labels in lists]
    every = list(dict.fromkeys(label for labels in lists for label in labels.tolist()))
    joined: AnyArray = np.empty(len(every), dtype=lists[0].dtype)
    joined[:] = every
    return joined


def direction_of(files: Sequence[EdgeTables], options: ReadOptions) -> tuple[bool, Origin]:
    """Return whether source and target mean a direction, and what the arcs are taken from."""
    stated = next((file.directed for file in files if file.directed is not None), None)
    taken = next((file.taken for file in files if file.taken), None)
    directed, decided = options.direction(stated)
    return directed, Origin(taken, decided)


def refuse_damaged(source: Source, files: Sequence[EdgeTables], check: IdCheck) -> None:
    """Raise a ReadError if a program changed the ids, and warn of names that usually stand for missing values.

    Parameters
    ----------
    source : Source
        The whole network, for messages.
    files : sequence of EdgeTables
    check : IdCheck
        The names of all rows.
    """
    problem = check.problem()
    if problem is not None:
        fault = first_fault(files, numeric=True, vertices=None)
        raise source.error(problem) if fault is None else ReadError(fault.path, problem, line=fault.line)
    check.warn(source.name)


def read_tables(source: Source, files: Sequence[EdgeTables], options: ReadOptions) -> Arcs:
    """Read the rows of all files as the arcs of one network.

    Parameters
    ----------
    source : Source
        The whole network, for messages.
    files : sequence of EdgeTables
    options : ReadOptions

    Raises
    ------
    ReadError
        The rows of a file cannot be read; the message names the file, and its line if there is one.
    """
    tables: list[Rows] = []

    def begin(_: bool) -> Callable[[Rows], None]:
        tables.clear()
        return tables.append

    numeric = gather(
        files,
        begin,
        chunk_bytes=CHUNK_BYTES,
        threads=min(files[0].most_threads, resolve_threads(options.threads)),
        reported=lambda: ProgressCount(None, 0),
    )
    rows = pa.concat_tables(tables) if tables else no_rows(weights=options.wants_weights)
    is_bipartite = any(file.bipartite for file in files)
    if not numeric and files[0].integer_names:
        check, names = IdCheck(), names_of(rows)
        for some in names:
            check.add(some)
        refuse_damaged(source, files, check)
        if all(NUMBER_ID.match(name) for some in names for name in some):
            rows, numeric = _as_integers(source, files, rows), True
    maker = vertices_of_numbers if numeric or not tables else vertices_of_names
    sizes, listed = stated_sizes(files), stated_list(files)
    try:
        if is_bipartite:
            vertices = _of_two_sets(maker, rows, options, sum(sizes))
        else:
            stated, declared = sizes[0] if sizes else None, options.vertices
            if listed is None:
                vertices = maker(rows["source"], rows["target"], declared=declared, stated=stated)
            else:
                found = maker(rows["source"], rows["target"], declared=None, stated=None)
                vertices = as_listed(found, listed, stated=stated, declared=declared)
    except UnusableIdError as error:
        raise first_fault(files, numeric=numeric, vertices=options.vertices) or source.error(str(error)) from None
    weights = to_array(rows["weight"], np.float64) if "weight" in rows.column_names else None
    directed, origin = direction_of(files, options)
    return Arcs(vertices.source, vertices.target, vertices.count, directed, weights, vertices.labels, origin=origin)


def _of_two_sets(maker: Callable[..., Vertices], rows: Rows, options: ReadOptions, stated: int) -> Vertices:
    left, right = (maker(rows[end], rows[end], declared=None, stated=None) for end in ("source", "target"))
    return two_sets(left, right, declared=options.vertices, stated=stated)


def _as_integers(source: Source, files: Sequence[EdgeTables], rows: Rows) -> Rows:
    """Return names, all of which are integers, as numbers."""

    def numbers(column: Column) -> Column:
        chunks = [chunk.dictionary.cast(pa.int64()).take(chunk.indices) for chunk in column.chunks]
        return pa.chunked_array(chunks, pa.int64())

    try:
        for place, end in enumerate(("source", "target")):
            rows = rows.set_column(place, end, numbers(rows[end]))
    except pa.ArrowInvalid as error:
        fault = first_fault(files, numeric=True, vertices=None)
        raise fault or source.error(" ".join(str(error).split())) from None
    return rows


def first_fault(files: Sequence[EdgeTables], *, numeric: bool, vertices: int | None) -> ReadError | None:
    """Return the error for the first id, in the order of the files, that cannot be a vertex."""
    faults = (file.fault(numeric=numeric, vertices=vertices) for file in files)
    return next((fault for fault in faults if fault is not None), None)
