"""Tallies of the ids in a stream: how often each occurs, and which vertex it becomes.

The rules are the ones of :mod:`triadic.io.identifiers`. Integers are counted in a table with one entry for each id up
to the largest. If that table would be much larger than the number of ids, or than memory allows, the ids are kept in
rising order with a count for each: new ids are collected, and sorted and merged with the others whenever they have
become as many, so that each id is merged a logarithmic number of times.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triadic.core.memory import available_bytes, check_memory
from triadic.core.oriented import NO_NUMBERS, as_unsigned, index_dtype
from triadic.core.records import record, value_class
from triadic.devices.cpu.orient.rows import tally_ends
from triadic.devices.cpu.orient.tile_cuts import find_places, index_numbers
from triadic.io.identifiers import (
    Column,
    UnusableIdError,
    array_of,
    arrays_of,
    by_appearance,
    check_extent,
    encoded,
    numbers_of_names,
    places_among,
    ranks,
    to_array,
    vertices_of_names,
)
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from triadic.core.array_types import AnyArray, Int32Array, Int64Array, IntegerArray, ObjectArray, Uint8Array
    from triadic.io.blocks import Rows

    Counts = Int64Array
    Ids = Int64Array
    Names = tuple[Uint8Array, Int64Array]

SMALL_TABLE = 1 << 17
_FIRST_TABLE = 1 << 12
_IDS_PER_END = 4
_MERGED_AT_ONCE = 1 << 23  # 64 MiB


@value_class
class VertexMap:
    """The vertices of some ids.

    Attributes
    ----------
    count : int
    labels : int64 array or object array of str, or None
    degree : int64 array, shape (count,)
    vertices_in : callable
        Returns the vertices of a column of ids. It raises a KeyError for a name that was not counted.
    """

    count: int
    labels: Int64Array | ObjectArray | None
    degree: Counts
    vertices_in: Callable[[Column], AnyArray]


def count_ends(places: AnyArray, degree: Counts) -> Counts:
    """Add 1 to ``degree`` at each of some places, and return it; the result is a longer table if a place needs it."""
    start = 0
    while (start := start + tally_ends(places[start:], degree)) < len(places):
        degree = _longer(degree, int(places[start:].max()) + 1)
    return degree


def no_counts(size: int, dtype: Any = np.int64) -> Counts:  # noqa: ANN401 - NumPy takes many kinds of dtypes
    """Return a table of `size` zeros, if it fits in memory."""
    check_memory(np.dtype(dtype).itemsize * size, f"counting the arcs at each of {size:,} vertices or ids")
    return np.zeros(size, dtype)


def _longer(degree: Counts, size: int) -> Counts:
    """Return a table with the same counts that has `size` entries or more, and is half as long again or longer."""
    return _padded(degree, max(size, len(degree) + len(degree) // 2, _FIRST_TABLE))


def _padded(degree: Counts, size: int) -> Counts:
    """Return a table with the same counts, followed by zeros if it has fewer than `size` entries."""
    if len(degree) == size:
        return degree
    longer = no_counts(size, degree.dtype)
    longer[: len(degree)] = degree
    return longer


class NumberTally:
    """Counts ids that are numbers.

    Parameters
    ----------
    declared : int or None
        Number of vertices, which every id must be below.
    ends : int
        Expected number of ids; the table may have four entries for each.
    dtype : numpy type, default int64
        Type of the counts in the table.
    """

    def __init__(self, *, declared: int | None, ends: int, dtype: type[np.int32 | np.int64] = np.int64) -> None:
        self._declared = declared
        self._most = largest_table(ends)
        self._degree: Counts = np.zeros(0, dtype)
        self._sorted: tuple[Ids, Counts] | None = None
        self._unsorted: list[Ids] = []
        self._unusable: tuple[int, int] | None = None

    def add(self, *columns: Column) -> None:
        """Count the ids of some columns."""
        for ids in arrays_of(*columns):
            self._add(ids)

    def _add(self, ids: AnyArray) -> None:
        while self._sorted is None and self._unusable is None:
            ids = ids[tally_ends(ids, self._degree) :]
            if len(ids) == 0:
                return
            self._make_room(ids)
        if len(ids) == 0:
            return
        least, greatest = int(ids.min()), int(ids.max())
        if self._unusable is not None or least < 0:
            before = self._unusable or (least, greatest)
            self._unusable = min(least, before[0]), max(greatest, before[1])
            return
        self._unsorted.append(ids)
        if self._sorted and sum(map(len, self._unsorted)) >= max(_MERGED_AT_ONCE, len(self._sorted[0])):
            self._sorted = self._merged(*self._sorted)

    def _make_room(self, ids: AnyArray) -> None:
        least, greatest = int(ids.min()), int(ids.max())
        if least < 0 or (self._declared is not None and greatest >= self._declared):
            self._unusable = least, greatest
        elif (
            self._declared is None and greatest >= SMALL_TABLE and greatest >= min(self._most, available_bytes() // 16)
        ):
            self._sorted = _counted(self._degree)
            self._degree = self._degree[:0]
        else:
            # The table has no entry for ids beyond the declared number, so that such an id is noticed.
            declared = self._declared
            self._degree = _longer(self._degree, greatest + 1) if declared is None else _padded(self._degree, declared)

    def _merged(self, ids: Ids, counts: Counts) -> tuple[Ids, Counts]:
        """Return rising ids and their counts, with the ids that are not sorted yet."""
        check_memory(40 * (len(ids) + sum(map(len, self._unsorted))), "sorting the ids that occur")
        every = np.concatenate([ids[:0], *self._unsorted])
        self._unsorted = []
        every.sort()
        first = first_of_each(every)
        if len(ids) == 0:
            return every[first], np.diff(first, append=len(every))
        return added_up(np.append(ids, every[first]), np.append(counts, np.diff(first, append=len(every))))

    def counted(self) -> tuple[Ids, Counts]:
        """Return the different ids, rising, and how often each occurs; the tally cannot be used afterwards.

        Raises
        ------
        UnusableIdError
            An id is negative, or not below the declared number.
        """
        if self._unusable is not None:
            check_extent(*self._unusable, self._declared)
        degree, self._degree = self._degree, self._degree[:0]
        return _counted(degree) if self._sorted is None else self._merged(*self._sorted)

    def numbered(self, stated: int | None) -> VertexMap:
        """Return the vertices; see `counted`."""
        return _of_rising(*self.counted(), declared=self._declared, stated=stated, table=self._sorted is None)


def added_up(ids: Ids, counts: Counts) -> tuple[Ids, Counts]:
    """Return the different ones of some numbers, rising, and the sum of the counts of each.

    Examples
    --------
    >>> added_up(np.array([3, 5, 1, 3]), np.array([1, 1, 2, 4]))
    (array([1, 3, 5]), array([2, 5, 1]))
    """
    order = np.argsort(ids, kind="stable")
    ids, counts = ids[order], counts[order]
    first = first_of_each(ids)
    return ids[first], np.add.reduceat(counts, first)


def first_of_each(rising: Ids) -> Ids:
    """Return the place of the first of each run of equal numbers."""
    different = np.empty(len(rising), np.bool_)
    different[:1] = True
    np.not_equal(rising[1:], rising[:-1], out=different[1:])
    return np.flatnonzero(different)


def _counted(degree: Counts) -> tuple[Ids, Counts]:
    """Return the numbers that a table counts, and their counts, which are not copied if there are no gaps."""
    ids = np.flatnonzero(degree > 0)  # of truth values, which NumPy finds faster than numbers
    least, greatest = ids[[0, -1]].tolist() if len(ids) else (0, -1)
    counts = degree[least : greatest + 1] if len(ids) == greatest - least + 1 else degree[ids]
    return ids, counts.astype(np.int64, copy=False)


def largest_table(ends: int) -> int:
    """Return the largest number of entries of a table for some ids.

    Examples
    --------
    >>> largest_table(20), largest_table(2 * 10**6)
    (131072, 8000000)
    """
    return max(_IDS_PER_END * ends, SMALL_TABLE)


def count_numbers(tables: Iterable[Rows], rows: int) -> tuple[Ids, Counts]:
    """Return the different numbers in the columns source and target, rising, and how often each occurs.

    Parameters
    ----------
    tables : iterable of pyarrow.Table
        The rows; both columns hold int64.
    rows : int
        Number of rows in all tables, or an upper bound.

    Raises
    ------
    UnusableIdError
        A number is negative.

    Examples
    --------
    >>> import pyarrow as pa
    >>> count_numbers([pa.table({"source": [5, 1], "target": [9, 5]})], rows=2)
    (array([1, 5, 9]), array([1, 2, 1]))
    """
    tally = NumberTally(declared=None, ends=2 * rows, dtype=np.int32)
    for table in tables:
        tally.add(table["source"], table["target"])
    return tally.counted()


def _of_rising(ids: Ids, counts: Counts, *, declared: int | None, stated: int | None, table: bool = False) -> VertexMap:
    """Return the vertices of rising, usable ids; see `places_among`."""
    limit = declared if declared is not None else stated
    if limit is not None and (len(ids) == 0 or ids[-1] < limit):
        if len(ids) < limit:
            degree = no_counts(limit)
            degree[ids] = counts
            counts = degree
        return _numbered(None, counts, limit, None)
    return _numbered(ids, counts, stated, places_among(ids, table=table))


def _numbered(
    labels: Counts | None, degree: Counts, stated: int | None, change: Callable[[AnyArray], AnyArray] | None
) -> VertexMap:
    """Return the vertices of ids that all occur, followed by vertices without an id if the file states more."""
    count = max(len(degree), stated or 0)
    vertices_in = partial(to_array, dtype=np.int32 if len(degree) < 2**31 else np.int64, change=change)
    return VertexMap(count, None if change is None else labels, _padded(degree, count), vertices_in)


# Bytes of a Python string of ten letters, its number, and its entry in a dictionary.
_BYTES_A_NAME = 200
_CHECKED_EVERY = 1 << 20


class NameTally:
    """Counts ids that are names, and numbers them in order of appearance.

    Parameters
    ----------
    declared : int or None
        Largest number of names.

    Attributes
    ----------
    as_integers : bool
        Whether vertices are numbered as the integers that all names are; set before `numbered` is called.
    """

    def __init__(self, *, declared: int | None) -> None:
        self._declared = declared
        self.as_integers = False
        self._codes: dict[str, int] = {}
        self._degree: Int64Array = NO_NUMBERS
        self._checked = 0

    def add(self, source: Column, target: Column | None = None) -> None:
        """Count the names of some rows: of both columns, or of one."""
        some = vertices_of_names(source, source if target is None else target, declared=None, stated=None)
        codes = self._codes
        labels = cast("ObjectArray", some.labels)
        here = np.array([codes.setdefault(name, len(codes)) for name in labels.tolist()], np.int64)
        if len(codes) >= self._checked + _CHECKED_EVERY:
            self._checked = len(codes)
            check_memory(_BYTES_A_NAME * _CHECKED_EVERY, f"holding {len(codes):,} names and more")
        self._degree = count_ends(here[some.source], self._degree)
        if target is not None:
            self._degree = count_ends(here[some.target], self._degree)

    @property
    def all_integers(self) -> bool:
        """Whether each name is an integer."""
        return all(map(NUMBER_ID.match, self._codes))

    def numbered(self, stated: int | None) -> VertexMap:
        """Return the vertices of names.

        Raises
        ------
        pyarrow.ArrowInvalid
            A name is to be an integer and is beyond 64 bits.
        UnusableIdError
            There are more names than declared, or a name that is an integer is negative or not below that number.
        """
        if self.as_integers:
            return self._numbered_as_integers(stated)
        present = len(self._codes)
        if self._declared is not None and present > self._declared:
            raise UnusableIdError(f"found {present} different names, expected at most num_vertices={self._declared}")
        found = _numbered(None, self._degree[:present], self._declared or stated, None)
        labels, dtype, number = np.array(list(self._codes), np.object_), index_dtype(present), self._codes
        return replace(
            found,
            labels=labels,
            vertices_in=lambda column: numbers_of_names(column, number.__getitem__).astype(dtype, copy=False),
        )

    def _numbered_as_integers(self, stated: int | None) -> VertexMap:
        ids = pa.array(list(self._codes), pa.string()).cast(pa.int64())
        distinct, place = np.unique(array_of(ids), return_inverse=True)
        check_extent(distinct[0], distinct[-1], self._declared)
        counts = np.zeros(len(distinct), np.int64)
        np.add.at(counts, place, self._degree[: len(ids)])
        found = _of_rising(distinct, counts, declared=self._declared, stated=stated)
        vertex_of = found.vertices_in(pa.chunked_array([ids]))
        number = self._codes
        return replace(found, vertices_in=lambda column: vertex_of[numbers_of_names(column, number.__getitem__)])


_INDEX_ENTRIES = 2  # of each number in the table of high bits


class ChangedNumbersError(Exception):
    """A number occurs that did not occur before."""


class ValuesOfNumbers:
    """Values of different numbers, to be found by number.

    Parameters
    ----------
    numbers : sequence of int64 array
        The numbers, which rise from array to array.
    values : sequence of array
        The value of each number.
    rows : int
        Number of rows in which the numbers occur, or an upper bound.

    Examples
    --------
    >>> import numpy as np
    >>> found = ValuesOfNumbers([np.array([3, 7]), np.array([9])], [np.array([10, 11]), np.array([12])], rows=5)
    >>> found.table[found.places(np.array([9, 3]))]
    array([12, 10], dtype=int32)
    """

    def __init__(self, numbers: Sequence[Ids], values: Sequence[AnyArray], rows: int) -> None:
        filled = [(ids, some) for ids, some in zip(numbers, values, strict=True) if len(ids)]
        size = int(filled[-1][0][-1]) + 1 if filled else 0
        greatest = max((int(some.max()) for _, some in filled), default=0)
        dtype: Any = np.int32 if greatest < 2**31 else np.int64
        self._numbers = None
        if size <= largest_table(2 * rows):
            self.table = np.full(size, -1, dtype)
            for ids, some in filled:
                self.table[ids] = some
            return
        self._numbers = np.concatenate([ids for ids, _ in filled]).astype(np.int64, copy=False)
        self.table = np.concatenate([some for _, some in filled]).astype(dtype, copy=False)
        span = int(self._numbers[-1] - self._numbers[0])
        self._shift = max(0, span.bit_length() - (_INDEX_ENTRIES * len(self._numbers)).bit_length())
        self._starts = np.empty((span >> self._shift) + 2, np.int64)
        index_numbers(self._numbers, self._shift, self._starts)

    def places(self, ids: Ids) -> AnyArray:
        """Return the place of the value of each id in `table`, which is -1 at some places of ids that have no value.

        Raises
        ------
        ChangedNumbersError
            An id has no place.
        """
        if len(ids) == 0:
            return ids
        if self._numbers is None:
            if int(as_unsigned(ids).max()) >= len(self.table):
                raise ChangedNumbersError
            return ids
        places: IntegerArray = np.empty(len(ids), np.int32 if len(self._numbers) < 2**31 else np.int64)
        if find_places(self._numbers, self._starts, self._shift, ids, places):
            raise ChangedNumbersError
        return places


@record
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
    names, codes = encoded(source, target)
    order, first = by_appearance(codes, len(names))
    place = ranks(order, len(names), np.int32)
    content, ends = _bytes_of(names.take(pa.array(order)))
    rows = len(source)
    return DistinctNames(content, ends, place[codes[:rows]], place[codes[rows:]], first)


def merged_names(parts: Sequence[Names]) -> tuple[Names, Int64Array]:
    """Return the different names of some lists in order of appearance, and the number of the name of each entry."""
    names, codes = encoded(pa.chunked_array([_strings(*part) for part in parts], type=pa.large_string()))
    return _bytes_of(names), codes.astype(np.int64)


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
        return np.empty(0, np.uint8), NO_NUMBERS
    _, offsets_buffer, content_buffer = names.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64, count=len(names) + 1, offset=8 * names.offset)
    first, last = int(offsets[0]), int(offsets[-1])
    if last == first:
        return np.empty(0, np.uint8), offsets[1:] - first
    return np.frombuffer(content_buffer, np.uint8, count=last - first, offset=first), offsets[1:] - first
