"""Names in columns of Arrow as bytes and ends: the different ones in order of appearance, without strings of Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triadic.io.identifiers import array_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Int32Array, Int64Array, Uint8Array
    from triadic.io.identifiers import Column

    Names = tuple[Uint8Array, Int64Array]


@dataclass(frozen=True, slots=True, eq=False)
class DistinctNames:
    """The different names in two columns, in order of appearance: row by row, source before target.

    Attributes
    ----------
    content : uint8 array
        The bytes of all names in UTF-8, one after the other.
    ends : int64 array, shape (names,)
        End of each name.
    source, target : int32 array, shape (rows,)
        Number of the name of each end.
    first : int64 array, shape (names,)
        First appearance: twice the row, and one more for a target.
    """

    content: Uint8Array
    ends: Int64Array
    source: Int32Array
    target: Int32Array
    first: Int64Array


def names_of_rows(source: Column, target: Column) -> DistinctNames:
    """Return the different names of some rows; both columns are dictionaries of strings."""
    both = pa.chunked_array([*source.chunks, *target.chunks], type=source.type).unify_dictionaries()
    rows = len(source)
    if rows == 0:
        nothing = np.empty(0, dtype=np.int32)
        return DistinctNames(*_bytes_of(pa.array([], pa.large_string())), nothing, nothing, np.empty(0, dtype=np.int64))
    names = both.chunk(0).dictionary
    codes = np.concatenate([array_of(chunk.indices) for chunk in both.chunks])
    first = np.full(len(names), 2 * rows, dtype=np.int64)
    # NumPy keeps the last of several values assigned to one index, so backward assignment keeps the first appearance.
    appearance = np.arange(rows - 1, -1, -1, dtype=np.int64) * 2
    first[codes[rows:][::-1]] = appearance + 1
    from_source = np.full(len(names), 2 * rows, dtype=np.int64)
    from_source[codes[:rows][::-1]] = appearance
    np.minimum(first, from_source, out=first)
    order = np.argsort(first)[: np.count_nonzero(first < 2 * rows)]  # the dictionary may hold names of no row
    place = np.zeros(len(names), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    content, ends = _bytes_of(names.take(pa.array(order)))
    return DistinctNames(content, ends, place[codes[:rows]], place[codes[rows:]], first[order])


def merged_names(parts: Sequence[Names]) -> tuple[Names, Int64Array]:
    """Return the different names of some lists in order of appearance, and the number of the name of each entry."""
    every = pa.chunked_array([_strings(*part) for part in parts], type=pa.large_string())
    encoded = every.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries()
        codes = [array_of(chunk.indices) for chunk in encoded.chunks]
        names = encoded.chunk(0).dictionary if encoded.num_chunks else pa.array([], pa.large_string())
    else:
        codes, names = [array_of(encoded.indices)], encoded.dictionary
    every_code = np.concatenate(codes).astype(np.int64) if codes else np.empty(0, dtype=np.int64)
    return _bytes_of(names), every_code


def take_names(content: Uint8Array, ends: Int64Array, order: Int64Array) -> Names:
    """Return names in another order."""
    return _bytes_of(_strings(content, ends).take(pa.array(order)))


def _strings(content: Uint8Array, ends: Int64Array) -> Any:  # noqa: ANN401 - pyarrow has no types
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(content))]
    return pa.Array.from_buffers(pa.large_string(), len(ends), buffers)


def _bytes_of(names: Any) -> Names:  # noqa: ANN401 - pyarrow has no types
    """Return the bytes of an array of strings, and the end of each."""
    names = pc.cast(names, pa.large_string())
    if len(names) == 0:
        return np.empty(0, dtype=np.uint8), np.empty(0, dtype=np.int64)
    _, offsets_buffer, content_buffer = names.buffers()
    offsets = np.frombuffer(offsets_buffer, dtype=np.int64, count=len(names) + 1, offset=8 * names.offset)
    first, last = int(offsets[0]), int(offsets[-1])
    if last == first:
        return np.empty(0, dtype=np.uint8), offsets[1:] - first
    return np.frombuffer(content_buffer, dtype=np.uint8, count=last - first, offset=first), offsets[1:] - first
