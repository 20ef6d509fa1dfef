"""All blocks of a network joined: from its rows to arcs between vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from triadic.core.arcs import Arcs, Origin
from triadic.core.blocks import resolve_threads
from triadic.errors import ReadError
from triadic.io.blocks import gather, names_of, no_rows
from triadic.io.damaged_ids import IdCheck
from triadic.io.identifiers import (
    UnusableIdError,
    as_listed,
    to_array,
    two_sets,
    vertices_of_names,
    vertices_of_numbers,
)
from triadic.io.stream_passes import ProgressCount
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.graph.labels import Labels
    from triadic.io.blocks import Blocks, Rows
    from triadic.io.file_source import Source
    from triadic.io.identifiers import Vertices
    from triadic.io.options import ReadOptions

_NAMES = pa.dictionary(pa.int32(), pa.string())
_ENDS = ("source", "target")


def read_blocks(source: Source, files: Sequence[Blocks], options: ReadOptions) -> Arcs:
    """Read files as one network.

    Parameters
    ----------
    source : Source
        Names the network in errors.
    files : sequence of Blocks
    options : ReadOptions

    Returns
    -------
    Arcs
        One for each row, in the order of the files.

    Raises
    ------
    ReadError
    """
    rows, numeric = joined_rows(source, files, options)
    try:
        vertices = _numbered(rows, files, options.vertices, numeric=numeric)
    except UnusableIdError as error:
        raise first_fault(files, numeric=numeric, vertices=options.vertices) or source.error(str(error)) from None
    weights = to_array(rows["weight"], np.float64) if "weight" in rows.column_names else None
    directed, origin = direction_of(files, options)
    return Arcs(vertices.source, vertices.target, vertices.count, directed, weights, vertices.labels, origin=origin)


def joined_rows(source: Source, files: Sequence[Blocks], options: ReadOptions) -> tuple[Rows, bool]:
    """Return the rows of all files, and whether their ids are numbers: names that are all integers are numbers, too.

    Raises
    ------
    ReadError
    """
    tables: list[Rows] = []

    def begin(_: bool) -> Callable[[Rows], None]:
        tables.clear()
        return tables.append

    numeric = gather(
        files,
        begin,
        chunk_bytes=None,
        threads=min(files[0].most_threads, resolve_threads(options.threads)),
        reported=lambda: ProgressCount(None, 0),
    )
    if not tables:
        return no_rows(weights=options.wants_weights), True
    rows = pa.concat_tables(tables)
    if numeric or not files[0].integer_names or not len(rows):
        return rows, numeric
    rows = _with_one_dictionary(rows)
    check, names = IdCheck(), names_of(rows)[0]
    check.add(names)
    refuse_damaged(source, files, check)
    if not all(map(NUMBER_ID.match, names)):
        return rows, False
    try:
        for place, end in enumerate(_ENDS):
            numbers = [chunk.dictionary.cast(pa.int64()).take(chunk.indices) for chunk in rows[end].chunks]
            rows = rows.set_column(place, end, pa.chunked_array(numbers, pa.int64()))
    except pa.ArrowInvalid as error:
        fault = first_fault(files, numeric=True, vertices=None)
        raise fault or source.error(" ".join(str(error).split())) from None
    return rows, True


def stated_sizes(files: Sequence[Blocks]) -> tuple[int, ...]:
    """Return the largest number of vertices that a file states, in each set of vertices; empty if none does."""
    return tuple(max(sizes) for sizes in zip(*(file.sizes for file in files if file.sizes), strict=True))


def stated_list(files: Sequence[Blocks]) -> Labels | None:
    """Return the labels that the files list, in the order of the files; None if none does."""
    lists: list[Labels] = [file.listed for file in files if file.listed is not None]
    if len(lists) < 2:
        return lists[0] if lists else None
    if len({labels.dtype for labels in lists}) > 1:
        lists = [np.array(list(map(str, labels.tolist())), dtype=np.object_) for labels in lists]
    every = list(dict.fromkeys(label for labels in lists for label in labels.tolist()))
    joined: AnyArray = np.empty(len(every), dtype=lists[0].dtype)
    joined[:] = every
    return joined


def direction_of(files: Sequence[Blocks], options: ReadOptions) -> tuple[bool, Origin]:
    """Return whether edges have a direction, and which columns are read; the first file that states either decides."""
    stated = next((file.directed for file in files if file.directed is not None), None)
    taken = next((file.taken for file in files if file.taken), None)
    directed, decided = options.direction(stated)
    return directed, Origin(taken, decided)


def refuse_damaged(source: Source, files: Sequence[Blocks], check: IdCheck) -> None:
    """Raise a ReadError if some ids look like damaged numbers, with the line of the first one; or warn."""
    problem = check.problem()
    if problem is not None:
        fault = first_fault(files, numeric=True, vertices=None)
        raise source.error(problem) if fault is None else ReadError(fault.path, problem, line=fault.line)
    check.warn(source.name)


def first_fault(files: Sequence[Blocks], *, numeric: bool, vertices: int | None) -> ReadError | None:
    """Return the error for the first id of all files that cannot be a vertex, or None."""
    faults = (file.fault(numeric=numeric, vertices=vertices) for file in files)
    return next((fault for fault in faults if fault is not None), None)


def _with_one_dictionary(rows: Rows) -> Rows:
    """Return rows of names with a single dictionary for both ends, and each end in one chunk."""
    chunks = [rows[end].chunks for end in _ENDS]
    unified = pa.chunked_array([*chunks[0], *chunks[1]], type=_NAMES).unify_dictionaries().chunks
    ends = unified[: len(chunks[0])], unified[len(chunks[0]) :]
    for column, end in enumerate(_ENDS):
        if ends[column]:  # one chunk, since Arrow would compare the dictionaries of many chunks again
            codes = pa.concat_arrays([chunk.indices for chunk in ends[column]])
            whole = pa.DictionaryArray.from_arrays(codes, ends[column][0].dictionary)
            rows = rows.set_column(column, end, pa.chunked_array([whole], _NAMES))
    return rows


def _numbered(rows: Rows, files: Sequence[Blocks], declared: int | None, *, numeric: bool) -> Vertices:
    maker = vertices_of_numbers if numeric else vertices_of_names
    sizes, listed = stated_sizes(files), stated_list(files)
    if any(file.bipartite for file in files):
        left, right = (maker(rows[end], rows[end], declared=None, stated=None) for end in _ENDS)
        return two_sets(left, right, declared=declared, stated=sum(sizes))
    stated = sizes[0] if sizes else None
    if listed is None:
        return maker(rows["source"], rows["target"], declared=declared, stated=stated)
    found = maker(rows["source"], rows["target"], declared=None, stated=None)
    return as_listed(found, listed, stated=stated, declared=declared)
