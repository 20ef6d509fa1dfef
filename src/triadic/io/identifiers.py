"""From columns of ids to the vertices 0 .. n - 1, and from Arrow's columns to NumPy arrays.

Integers keep their order: vertices are numbered by rising id, and the ids become labels unless they are 0 .. n - 1.
Names become vertices in the order in which they appear, row by row, source before target. If the file lists its
vertices, as triadic writes it where the rows alone do not tell them, the vertices are those in the list, in its order,
followed by ids that are not in the list. Ids stay in Arrow's chunks
until they are vertices, so that no whole arrays but the two results are made. Arrow's own ``to_numpy`` is not used: it
imports pandas where that is installed, which takes longer than reading most files.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS, index_dtype
from triadic.core.records import value_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa

    from triadic.core.array_types import AnyArray, Int64Array, IntegerArray, ObjectArray
    from triadic.graph.labels import Labels
    from triadic.io.file_source import Source


# A table of the ids that occur takes one byte per id, and four more for ranks. It has at most 4 ids for each row, or
# is small.
_TABLE_IDS_PER_ENTRY, _SMALL_TABLE = 4, 1 << 17
# Bytes of memory that numbering takes for each name, which becomes a string of Python, and for each row.
_BYTES_A_NAME, _BYTES_A_ROW = 120, 16


class UnusableIdError(Exception):
    """An id that cannot be a vertex: it is negative, or beyond the number of vertices declared."""


@value_class
class Vertices:
    """Both ends of every arc as vertices.

    Attributes
    ----------
    source, target : int32 or int64 array, shape (arcs,)
    count : int
        Number of vertices.
    labels : int64 array or object array of str, or None
    """

    source: IntegerArray
    target: IntegerArray
    count: int
    labels: Int64Array | ObjectArray | None


def vertices_of_numbers(source: Column, target: Column, *, declared: int | None, stated: int | None) -> Vertices:
    """Turn numeric ids into vertices.

    Parameters
    ----------
    source, target : pyarrow.ChunkedArray of int64
    declared : int or None
        Number of vertices in the options: every id must be below it.
    stated : int or None
        Number of vertices in the header of the file. If an id is not below it, isolated vertices are added at the end
        until there are as many.

    Returns
    -------
    Vertices

    Raises
    ------
    UnusableIdError
        An id is negative, or not below ``declared``.
    """
    chunks = list(filter(len, arrays_of(source, target)))
    if not chunks:
        nothing = np.empty(0, np.int32)
        return Vertices(nothing, nothing, declared or stated or 0, None)
    greatest = int(max(chunk.max() for chunk in chunks))
    check_extent(int(min(chunk.min() for chunk in chunks)), greatest, declared)
    limit = declared if declared is not None else stated
    if limit is not None and greatest < limit:
        dtype = index_dtype(limit)
        return Vertices(to_array(source, dtype), to_array(target, dtype), limit, None)
    if greatest >= max(_TABLE_IDS_PER_ENTRY * len(source), _SMALL_TABLE):
        values, codes = encoded(source, target)
        ids = array_of(values)
        order = np.argsort(ids)
        rank = ranks(order, len(ids), index_dtype(len(ids)))
        first, second = rank[codes[: len(source)]], rank[codes[len(source) :]]
        return Vertices(first, second, max(len(ids), stated or 0), ids[order])
    occurs = np.zeros(greatest + 1, np.bool_)
    for chunk in chunks:
        occurs[chunk] = True
    labels: Int64Array = np.flatnonzero(occurs).astype(np.int64, copy=False)
    change = places_among(labels, table=True)
    ends = [to_array(column, index_dtype(len(labels)), change) for column in (source, target)]
    return Vertices(ends[0], ends[1], max(len(labels), stated or 0), None if change is None else labels)


def check_extent(least: int, greatest: int, declared: int | None) -> None:
    """Raise an UnusableIdError if an id is negative, or not below the declared number of vertices."""
    if least < 0:
        raise UnusableIdError(f"found the id {least}, expected 0 or more")
    if declared is not None and greatest >= declared:
        raise UnusableIdError(f"found the id {greatest}, expected less than num_vertices={declared}")


def places_among(ids: Int64Array, *, table: bool) -> Callable[[AnyArray], AnyArray] | None:
    """Return the function from ids to their places among all ids that occur, which rise; None if they are 0, 1, ...

    With gaps, a table of all numbers up to the largest id holds the places, or else a binary search finds them.

    Examples
    --------
    >>> places_among(np.array([2, 5, 9]), table=False)(np.array([9, 5]))
    array([2, 1])
    """
    least, greatest = ids[[0, -1]].tolist() if len(ids) else (0, -1)
    if len(ids) == greatest - least + 1:  # many files number their vertices from 1
        return (lambda values: values - least) if least else None
    if not table:
        return lambda values: np.searchsorted(ids, values)
    check_memory(8 * (greatest + 1), f"numbering the {greatest + 1:,} ids from 0 on")
    return ranks(ids, greatest + 1, index_dtype(len(ids))).__getitem__


def vertices_of_names(source: Column, target: Column, *, declared: int | None, stated: int | None) -> Vertices:
    """Turn names into vertices, in order of appearance.

    Parameters
    ----------
    source, target : pyarrow.ChunkedArray of dictionary<string>
    declared, stated : int or None
        Numbers of vertices in the options and in the header; isolated vertices are added until there are as many.

    Returns
    -------
    Vertices

    Raises
    ------
    UnusableIdError
        There are more names than ``declared``.
    """
    names, codes = encoded(source, target)
    rows = len(source)
    check_memory(_BYTES_A_NAME * len(names) + _BYTES_A_ROW * rows, f"numbering {len(names):,} names in {rows:,} rows")
    order, _ = by_appearance(codes, len(names))
    if declared is not None and len(order) > declared:
        raise UnusableIdError(f"found {len(order)} different names, expected at most num_vertices={declared}")
    rank = ranks(order, len(names), index_dtype(len(order)))
    every_name = names.to_pylist()
    labels = np.array([every_name[place] for place in order.tolist()], np.object_)
    return Vertices(rank[codes[:rows]], rank[codes[rows:]], max(len(order), declared or stated or 0), labels)


def ranks(order: AnyArray, count: int, dtype: type[np.integer[Any]]) -> AnyArray:
    """Return the place of each of the numbers 0 .. `count` - 1 in an order, and 0 for those that are not in it.

    Examples
    --------
    >>> ranks(np.array([2, 0, 3]), 4, np.int64)
    array([1, 0, 0, 2])
    """
    rank = np.zeros(count, dtype)
    rank[order] = np.arange(len(order), dtype=dtype)
    return rank


def by_appearance(codes: IntegerArray, names: int) -> tuple[IntegerArray, Int64Array]:
    """Return which of some names occur, in the order in which they appear, and the places where each appears first.

    Parameters
    ----------
    codes : int array
        The names of the sources of some rows, followed by those of the targets.
    names : int
        Number of names.

    Returns
    -------
    order : int array, shape (found,)
    places : int64 array, shape (found,)
        Twice the row, and one more for a target.

    Examples
    --------
    >>> by_appearance(np.array([2, 0, 3, 2]), 4)
    (array([2, 3, 0]), array([0, 1, 2]))
    """
    rows = len(codes) // 2
    first = np.full((2, names), 2 * rows, np.int64)
    for end in (0, 1):
        # NumPy keeps the last of several values assigned to one index: backward assignment keeps the first appearance.
        first[end][codes[end * rows : (end + 1) * rows][::-1]] = np.arange(2 * (rows - 1) + end, -1, -2)
    appears = np.zeros(2 * rows + 1, np.bool_)
    appears[first.min(axis=0)] = True
    places = np.flatnonzero(appears[:-1])
    order: IntegerArray = codes[places // 2 + places % 2 * rows]
    return order, places


def encoded(*columns: Column) -> tuple[pa.Array, IntegerArray]:
    """Return the different ids of some columns, and the index of each id among them, column by column."""
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for numbers without gaps

    every = pa.chunked_array([chunk for column in columns for chunk in column.chunks], type=columns[0].type)
    # Arrow's hash table takes half as long as a sort if ids repeat, as the ids of vertices do.
    encoded = every if pa.types.is_dictionary(every.type) else every.dictionary_encode()
    if encoded.num_chunks == 0:
        return pa.array([], type=pa.string()), np.empty(0, np.int32)
    first = encoded.chunk(0).dictionary
    if not all(chunk.dictionary.equals(first) for chunk in encoded.chunks):
        encoded = encoded.unify_dictionaries()
    return encoded.chunk(0).dictionary, np.concatenate([array_of(chunk.indices) for chunk in encoded.chunks])


def number_of(name: str) -> int:
    """Return the number that stands for a name: 63 bits of a hash.

    Examples
    --------
    >>> number_of("Valjean") == number_of("Valjean"), number_of("Valjean") == number_of("Javert")
    (True, False)
    """
    return xxhash.xxh3_64_intdigest(name.encode()) >> 1


def numbers_of_names(column: Column, number: Callable[[str], int]) -> Int64Array:
    """Return the number of each name in a column that is encoded by a dictionary: int64 array of shape (rows,)."""
    found = [NO_NUMBERS]
    for chunk in column.chunks:
        names = chunk.dictionary.to_pylist()
        found.append(np.fromiter(map(number, names), np.int64, len(names))[array_of(chunk.indices)])
    return np.concatenate(found)


def two_sets(
    *sides: tuple[int, Labels | None], declared: int | None, stated: int
) -> tuple[int, type[np.int32 | np.int64], ObjectArray]:
    """Put the vertices of two sets, each numbered from 0, one set after the other.

    Parameters
    ----------
    *sides : tuple of (int, array or None)
        Number and labels of the sources of the arcs, and of their targets.
    declared, stated : int or None
        Numbers of vertices of both sets together, in the options and in the header.

    Returns
    -------
    count : int
    dtype : numpy type
        Dtype of the vertices.
    labels : object array of str
        ``left:ID`` and ``right:ID``.

    Raises
    ------
    UnusableIdError
        There are more vertices than ``declared``.
    """
    names = [
        f"{side}:{name}"
        for side, (size, labels) in zip(("left", "right"), sides, strict=True)
        for name in (range(size) if labels is None else labels.tolist())
    ]
    if declared is not None and len(names) > declared:
        raise UnusableIdError(f"found {len(names)} vertices in the two sets, expected at most num_vertices={declared}")
    return max(len(names), declared or stated), index_dtype(len(names)), np.array(names, np.object_)


def read_list(source: Source, texts: Iterable[str], *, different: bool = True) -> Labels | None:
    """Return the labels that some JSON arrays hold, one after the other; None without an array.

    Parameters
    ----------
    source : Source
    texts : iterable of str
    different : bool, default True
        Whether a label that occurs twice is an error.

    Raises
    ------
    ReadError
        A text is no JSON array, the labels are not all strings or all integers, or a label occurs twice.
    """
    labels: list[Any] = []
    for text in texts:
        try:
            part = json.loads(text)
        except (ValueError, RecursionError):
            part = None
        labels += part if isinstance(part, list) else [None]
    return labels_of(labels, source.error, different=different) if labels else None


def labels_of(labels: object, refuse: Callable[[str], Exception], *, different: bool = True) -> Labels:
    """Return a list of labels that was read as JSON as an array.

    Parameters
    ----------
    labels : object
    refuse : callable
        Returns the error to raise if the labels are not all strings or all integers of 64 bits, or if one occurs twice.
    different : bool, default True
        Whether a label that occurs twice is an error.
    """
    if isinstance(labels, list) and (kinds := set(map(type, labels))) in ({str}, {int}):
        if different and len(set(labels)) < len(labels):
            raise refuse("its list of vertices names a vertex twice, expected different ones")
        if kinds == {str}:
            return np.array(labels, np.object_)
        if all(-(2**63) <= label < 2**63 for label in labels):
            return np.array(labels, np.int64)
    raise refuse("its list of vertices is damaged; expected JSON arrays of strings or of integers")


def listed_positions(
    found: Labels | None, count: int, listed: Labels, *, stated: int | None, declared: int | None
) -> tuple[AnyArray, int, Labels]:
    """Return the vertex of each id that occurs in the rows, the number of vertices, and their labels.

    Parameters
    ----------
    found : array or None
        Labels of the vertices as the rows alone number them; None for the ids 0, 1, ...
    count : int
        Number of these vertices.
    listed : array
        The list of the vertices.
    stated, declared : int or None
        Numbers of vertices in the header of the file and in the options.

    Raises
    ------
    UnusableIdError
        There are more vertices than ``declared``.
    """
    ids = np.arange(count, dtype=np.int64) if found is None else found
    if ids.dtype != listed.dtype:  # numbers in the rows may be listed as names, and names as numbers
        ids, listed = (np.array(list(map(str, labels.tolist())), np.object_) for labels in (ids, listed))
    names = listed.tolist()
    vertex_of = dict(zip(names, range(len(names)), strict=True))
    positions = np.fromiter((vertex_of.setdefault(label, len(vertex_of)) for label in ids.tolist()), np.int64, len(ids))
    labels: Any = listed if len(vertex_of) == len(names) else np.array(list(vertex_of), listed.dtype)
    if declared is not None and len(labels) > declared:
        raise UnusableIdError(f"found {len(labels)} vertices, expected at most num_vertices={declared}")
    total = max(len(labels), stated or 0, declared or 0)
    return positions.astype(index_dtype(total)), total, labels


def vertices_of(
    source: Column,
    target: Column,
    refuse: Callable[[str], Exception] = UnusableIdError,
    *,
    declared: int | None = None,
    stated: int | None = None,
    listed: Labels | None = None,
) -> Vertices:
    """Turn ids into vertices.

    Parameters
    ----------
    source, target : pyarrow.ChunkedArray
        Numbers, or names as dictionary<string>.
    refuse : callable
        Returns the error to raise if an id is negative, or if there are more vertices than ``declared``.
    declared, stated : int or None
        Numbers of vertices in the options and in the header; see `vertices_of_numbers` and `vertices_of_names`.
    listed : array or None
        A list of the vertices that numbers them; see :func:`listed_positions`.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for triadic's own format

    maker = vertices_of_names if pa.types.is_dictionary(source.type) else vertices_of_numbers
    try:
        if listed is None:
            return maker(source, target, declared=declared, stated=stated)
        found = maker(source, target, declared=None, stated=None)
        positions, count, labels = listed_positions(found.labels, found.count, listed, stated=stated, declared=declared)
    except UnusableIdError as error:
        raise refuse(str(error)) from None
    return Vertices(positions[found.source], positions[found.target], count, labels)


Column = Any
"""A ``pyarrow.ChunkedArray`` without nulls."""


def array_of(chunk: pa.Array) -> AnyArray:
    """Return one Arrow array of numbers without nulls as a NumPy array that shares its memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> array_of(pa.array([5, 6, 7])[1:])
    array([6, 7])
    """
    dtype = np.dtype(str(chunk.type).replace("double", "float64"))
    if len(chunk) == 0:
        return np.empty(0, dtype)
    return np.frombuffer(chunk.buffers()[1], dtype, count=len(chunk), offset=chunk.offset * dtype.itemsize)


def arrays_of(*columns: Column) -> Iterator[AnyArray]:
    """Yield the chunks of columns of numbers as NumPy arrays."""
    for column in columns:
        for chunk in column.chunks:
            yield array_of(chunk)


def to_array(column: Column, dtype: type[np.generic], change: Callable[[AnyArray], Any] | None = None) -> AnyArray:
    """Return a column of numbers as one array.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
    dtype : numpy type
    change : callable, optional
        Applied to each chunk.

    Returns
    -------
    array of dtype
    """
    array = np.empty(len(column), dtype)
    start = 0
    for chunk in arrays_of(column):
        array[start : start + len(chunk)] = chunk if change is None else change(chunk)
        start += len(chunk)
    return array
