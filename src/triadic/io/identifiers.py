"""From the ids that a file uses to the vertices 0 .. n - 1.

Numbers keep their order: the vertices are the ids that occur, rising, and the ids become labels unless they already
are 0 .. n - 1. Names become vertices in the order in which they appear, row by row, source before target.
Ids stay in Arrow's chunks until they are vertices, so that the only whole arrays are the two handed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

Column = Any
"""A ``pyarrow.ChunkedArray`` without nulls: of int64, or of strings encoded by a dictionary."""

_INT32_VERTICES = 2**31 - 1
# A table of ids that occur is one byte an id, its ranks four more: up to this many ids an entry it beats sorting.
_TABLE_IDS_PER_ENTRY = 4
_SMALL_TABLE = 1 << 20


class UnusableIdError(Exception):
    """An id that cannot be a vertex: it is negative, or beyond the number of vertices declared."""


@dataclass(frozen=True, slots=True)
class Vertices:
    """Both ends of every arc as vertices.

    Attributes
    ----------
    source, target : int32 or int64 array, shape (arcs,)
    count : int
        Number of vertices.
    labels : int64 array or object array of str, or None
    """

    source: NDArray[np.integer]
    target: NDArray[np.integer]
    count: int
    labels: NDArray[np.int64] | NDArray[np.object_] | None


def index_dtype(vertices: int) -> type[np.int32 | np.int64]:
    """Return the dtype of vertex numbers: int32 wherever it holds them."""
    return np.int32 if vertices <= _INT32_VERTICES else np.int64


def vertices_of_numbers(source: Column, target: Column, *, declared: int | None, stated: int | None) -> Vertices:
    """Turn numeric ids into vertices.

    Parameters
    ----------
    source, target : pyarrow.ChunkedArray of int64
    declared : int or None
        The caller's number of vertices: every id has to be below it.
    stated : int or None
        What the file's header says: taken if every id is below it, otherwise it adds vertices without an edge.

    Returns
    -------
    Vertices

    Raises
    ------
    UnusableIdError
        An id is negative, or not below ``declared``.
    """
    if len(source) == 0:
        nothing = np.empty(0, dtype=np.int32)
        return Vertices(nothing, nothing, declared or stated or 0, None)
    least, greatest = _extent(source, target)
    if least < 0:
        raise UnusableIdError(f"found the id {least}, expected 0 or more")
    if declared is not None and greatest >= declared:
        raise UnusableIdError(f"found the id {greatest}, expected less than vertices={declared}")
    limit = declared if declared is not None else stated
    if limit is not None and greatest < limit:
        dtype = index_dtype(limit)
        return Vertices(to_array(source, dtype), to_array(target, dtype), limit, None)
    return _relabelled(source, target, greatest, stated or 0)


def _extent(source: Column, target: Column) -> tuple[int, int]:
    ranges = [pc.min_max(column).as_py() for column in (source, target)]
    return min(r["min"] for r in ranges), max(r["max"] for r in ranges)


def _relabelled(source: Column, target: Column, greatest: int, stated: int) -> Vertices:
    if greatest < max(_TABLE_IDS_PER_ENTRY * len(source), _SMALL_TABLE):
        occurs = np.zeros(greatest + 1, dtype=np.bool_)
        for chunk in (*_chunks(source), *_chunks(target)):
            occurs[chunk] = True
        labels: NDArray[np.int64] = np.flatnonzero(occurs).astype(np.int64, copy=False)
        dtype = index_dtype(len(labels))
        if len(labels) == greatest + 1:
            return Vertices(to_array(source, dtype), to_array(target, dtype), max(len(labels), stated), None)
        rank: NDArray[Any] = np.cumsum(occurs, dtype=dtype)
        rank -= 1
        ends = [_mapped(column, dtype, rank.__getitem__) for column in (source, target)]
    else:
        values, codes = _encoded(source, target)
        order = np.argsort(values.to_numpy())
        labels = values.to_numpy()[order]
        dtype = index_dtype(len(labels))
        rank = np.empty(len(labels), dtype=dtype)
        rank[order] = np.arange(len(labels), dtype=dtype)
        ends = [rank[codes[: len(source)]], rank[codes[len(source) :]]]
    return Vertices(ends[0], ends[1], max(len(labels), stated), labels)


def vertices_of_names(source: Column, target: Column, *, declared: int | None, stated: int | None) -> Vertices:
    """Turn names into vertices, in order of appearance.

    Parameters
    ----------
    source, target : pyarrow.ChunkedArray of dictionary<string>
    declared, stated : int or None
        As in :func:`vertices_of_numbers`; what they count beyond the names are vertices without an edge.

    Returns
    -------
    Vertices

    Raises
    ------
    UnusableIdError
        There are more names than ``declared``.
    """
    names, codes = _encoded(source, target)
    rows = len(source)
    first = np.full(len(names), 2 * rows, dtype=np.int64)
    # Of several values assigned to one place the last stays, so going backwards leaves the first appearance.
    appearance = np.arange(rows - 1, -1, -1, dtype=np.int64) * 2
    first[codes[rows:][::-1]] = appearance + 1
    from_source = np.full(len(names), 2 * rows, dtype=np.int64)
    from_source[codes[:rows][::-1]] = appearance
    np.minimum(first, from_source, out=first)
    # Two columns may share a dictionary that holds more than they do.
    order = np.argsort(first)[: np.count_nonzero(first < 2 * rows)]
    if declared is not None and len(order) > declared:
        raise UnusableIdError(f"found {len(order)} different names, vertices={declared} is fewer")
    dtype = index_dtype(len(order))
    rank = np.zeros(len(names), dtype=dtype)
    rank[order] = np.arange(len(order), dtype=dtype)
    labels = np.empty(len(order), dtype=np.object_)
    labels[:] = names.take(pa.array(order)).to_pylist()
    return Vertices(rank[codes[:rows]], rank[codes[rows:]], max(len(order), declared or stated or 0), labels)


def _encoded(source: Column, target: Column) -> tuple[pa.Array, NDArray[np.integer]]:
    """Return the different ids, and for each source and then each target the place of its id among them."""
    both = pa.chunked_array([*source.chunks, *target.chunks], type=source.type)
    # Arrow's hash table takes half as long as a sort where ids repeat, as those of vertices do.
    encoded = (both if pa.types.is_dictionary(both.type) else both.dictionary_encode()).unify_dictionaries()
    if encoded.num_chunks == 0:
        return pa.array([], type=pa.string()), np.empty(0, dtype=np.int32)
    return encoded.chunk(0).dictionary, np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks])


def two_sets(left: Vertices, right: Vertices, *, declared: int | None, stated: int) -> Vertices:
    """Put the vertices of two sets, each numbered from 0, one set after the other.

    Parameters
    ----------
    left, right : Vertices
        The sources of the arcs and their targets.
    declared, stated : int or None
        As in :func:`vertices_of_numbers`, for both sets together.

    Returns
    -------
    Vertices
        With the labels ``left:ID`` and ``right:ID``.

    Raises
    ------
    UnusableIdError
        There are more vertices than ``declared``.
    """
    count = left.count + right.count
    if declared is not None and count > declared:
        raise UnusableIdError(f"the two sets hold {count} vertices, vertices={declared} is fewer")
    dtype = index_dtype(count)
    labels = np.empty(count, dtype=np.object_)
    for side, part, start in (("left", left, 0), ("right", right, left.count)):
        names = range(part.count) if part.labels is None else part.labels.tolist()
        labels[start : start + part.count] = [f"{side}:{name}" for name in names]
    target: NDArray[Any] = right.target.astype(dtype)
    target += left.count
    return Vertices(left.source.astype(dtype, copy=False), target, max(count, declared or stated), labels)


def to_array(column: Column, dtype: type[np.generic]) -> NDArray[Any]:
    """Return a column as one array of ``dtype``."""
    return _mapped(column, dtype, lambda chunk: chunk)


def _mapped(column: Column, dtype: type[np.generic], ranks: Callable[[NDArray[Any]], Any]) -> NDArray[Any]:
    array = np.empty(len(column), dtype=dtype)
    start = 0
    for chunk in _chunks(column):
        array[start : start + len(chunk)] = ranks(chunk)
        start += len(chunk)
    return array


def _chunks(column: Column) -> Iterator[NDArray[Any]]:
    for chunk in column.chunks:
        yield chunk.to_numpy(zero_copy_only=True)
