"""Tallies of the ids in a stream: how often each occurs, and which vertex it becomes.

The rules are the ones of :mod:`triadic.io.identifiers`. Integers are counted in a table with one entry for each id up
to the largest. If that table would be much larger than the number of ids, or than memory allows, the ids are kept in
rising order with a count for each: new ids are collected, and sorted and merged with the others whenever they have
become as many, so that each id is merged a logarithmic number of times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa

from triadic.core.memory import available_bytes, check_memory
from triadic.devices.cpu.orient.rows import tally_ends
from triadic.io.identifiers import Column, UnusableIdError, index_dtype, to_array, vertices_of_names
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Int64Array, ObjectArray

    Counts = Int64Array


SMALL_TABLE = 1 << 20
_FIRST_TABLE = 1 << 12
_IDS_PER_END = 4
_MERGED_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class VertexMap:
    """The vertices of some ids.

    Attributes
    ----------
    count : int
    labels : int64 array or object array of str, or None
    degree : int64 array, shape (count,)
    dtype : numpy type
        Dtype of the vertices.
    change : callable or None
        Returns the vertices of an array of ids; None if ids and vertices are the same.
    """

    count: int
    labels: Int64Array | ObjectArray | None
    degree: Counts
    dtype: type[np.int32 | np.int64]
    change: Callable[[AnyArray], AnyArray] | None

    def vertices(self, ids: Column) -> AnyArray:
        """Return the vertices of a column of ids."""
        return to_array(ids, self.dtype, self.change)


def count_ends(places: AnyArray, degree: Counts) -> Counts:
    """Add 1 to ``degree`` at each of some places, and return it; the result is a longer table if a place needs it."""
    start = 0
    while (start := start + tally_ends(places[start:], degree)) < len(places):
        degree = longer_table(degree, int(places[start:].max()) + 1)
    return degree


def longer_table(degree: Counts, size: int, *, exactly: bool = False) -> Counts:
    """Return a longer table with the same counts: of `size` entries if ``exactly``, else half as long again or more."""
    if not exactly:
        size = max(size, len(degree) + len(degree) // 2, _FIRST_TABLE)
    check_memory(8 * size, f"counting the arcs at each of {size:,} vertices or ids")
    longer = np.zeros(size, dtype=np.int64)
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
    """

    def __init__(self, *, declared: int | None, ends: int) -> None:
        self._declared = declared
        most = min(max(_IDS_PER_END * ends, SMALL_TABLE), max(available_bytes() // 16, SMALL_TABLE))
        self._most = most if declared is None else declared
        self._degree: Counts = np.zeros(0, dtype=np.int64)
        self._sorted: tuple[Counts, Counts] | None = None
        self._unmerged: list[tuple[Counts, Counts]] = []
        self._unmerged_ids = 0
        self._unusable: tuple[int, int] | None = None

    def add(self, ids: AnyArray) -> None:
        """Count the ids of an array."""
        start = 0
        while self._sorted is None and self._unusable is None:
            start += tally_ends(ids[start:], self._degree)
            if start == len(ids):
                return
            self._make_room(ids[start:])
        rest = ids[start:]
        if len(rest) == 0:
            return
        least, greatest = int(rest.min()), int(rest.max())
        if self._unusable is not None or least < 0:
            before = self._unusable or (least, greatest)
            self._unusable = min(least, before[0]), max(greatest, before[1])
            return
        values, counts = np.unique(rest, return_counts=True)
        self._unmerged.append((values.astype(np.int64, copy=False), counts.astype(np.int64, copy=False)))
        self._unmerged_ids += len(values)
        if self._sorted is not None and self._unmerged_ids >= max(_MERGED_AT_ONCE, len(self._sorted[0])):
            self._merge()

    def _make_room(self, ids: AnyArray) -> None:
        least, greatest = int(ids.min()), int(ids.max())
        if least < 0 or (self._declared is not None and greatest >= self._declared):
            self._unusable = least, greatest
        elif greatest >= self._most:
            values = np.flatnonzero(self._degree)
            self._sorted = values, self._degree[values]
            self._degree = np.zeros(0, dtype=np.int64)
        else:
            # The table has no entry for ids beyond the declared number, so that such an id is noticed.
            size = greatest + 1 if self._declared is None else self._declared
            self._degree = longer_table(self._degree, size, exactly=self._declared is not None)

    def _merge(self) -> None:
        parts = [*([self._sorted] if self._sorted else []), *self._unmerged]
        check_memory(40 * sum(len(ids) for ids, _ in parts), "sorting the ids that occur")
        ids, counts = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        self._unmerged, self._unmerged_ids = [], 0
        order = np.argsort(ids, kind="stable")
        ids, counts = ids[order], counts[order]
        first = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]]))
        self._sorted = ids[first], np.add.reduceat(counts, first)

    def numbered(self, stated: int | None) -> VertexMap:
        """Return the vertices; the tally cannot be used afterwards.

        Raises
        ------
        UnusableIdError
            An id is negative, or not below the declared number.
        """
        if self._unusable is not None:
            self._refuse(*self._unusable)
        if self._sorted is not None:
            self._merge()
            return vertices_of_rising(*self._sorted, declared=self._declared, stated=stated)
        degree, self._degree = self._degree, np.zeros(0, dtype=np.int64)
        return _of_table(degree, declared=self._declared, stated=stated)

    def _refuse(self, least: int, greatest: int) -> None:
        if least < 0:
            raise UnusableIdError(f"found the id {least}, expected 0 or more")
        raise UnusableIdError(f"found the id {greatest}, expected less than vertices={self._declared}")


def vertices_of_rising(ids: Counts, counts: Counts, *, declared: int | None, stated: int | None) -> VertexMap:
    """Return the vertices of rising, usable ids, at least one."""
    greatest, least = int(ids[-1]), int(ids[0])
    limit = declared if declared is not None else stated
    if limit is not None and greatest < limit:
        degree = longer_table(np.zeros(0, dtype=np.int64), limit, exactly=True)
        degree[ids] = counts
        return VertexMap(limit, None, degree, index_dtype(limit), None)
    if len(ids) == greatest - least + 1:
        return _without_gaps(counts, least, stated or 0)
    count = max(len(ids), stated or 0)
    return VertexMap(
        count, ids, _padded(counts, count), index_dtype(len(ids)), lambda values: np.searchsorted(ids, values)
    )


def _of_table(degree: Counts, *, declared: int | None, stated: int | None) -> VertexMap:
    limit = declared if declared is not None else stated
    labels: Counts = np.flatnonzero(degree)
    greatest = int(labels[-1]) if len(labels) else -1
    if len(labels) == 0 or (limit is not None and greatest < limit):
        limit = declared or stated or 0
        return VertexMap(limit, None, _padded(degree[: greatest + 1], limit), index_dtype(limit), None)
    least = int(labels[0])
    if len(labels) == greatest - least + 1:
        return _without_gaps(degree[least : greatest + 1], least, stated or 0)
    dtype = index_dtype(len(labels))
    check_memory(8 * (greatest + 1), f"numbering the {greatest + 1:,} ids from 0 on")
    rank: AnyArray = np.zeros(greatest + 1, dtype=dtype)
    rank[labels] = np.arange(len(labels), dtype=dtype)
    count = max(len(labels), stated or 0)
    return VertexMap(count, labels, _padded(degree[labels], count), dtype, rank.__getitem__)


def _without_gaps(degree: Counts, least: int, stated: int) -> VertexMap:
    present = len(degree)
    labels = np.arange(least, least + present, dtype=np.int64) if least else None
    shifted = (lambda values: values - least) if least else None
    count = max(present, stated)
    return VertexMap(count, labels, _padded(degree, count), index_dtype(present), shifted)


def _padded(degree: Counts, count: int) -> Counts:
    return degree if len(degree) == count else longer_table(degree, count, exactly=True)


# Bytes of a Python string of ten letters, its number, and its entry in a dictionary.
_BYTES_A_NAME = 200
_CHECKED_EVERY = 1 << 20


class NameTally:
    """Counts ids that are names, and numbers them in order of appearance.

    Parameters
    ----------
    declared : int or None
        Largest number of names.
    """

    def __init__(self, *, declared: int | None) -> None:
        self._declared = declared
        self._codes: dict[str, int] = {}
        self._degree: Int64Array = np.zeros(0, dtype=np.int64)
        self._checked = 0

    def add(self, source: Column, target: Column | None) -> None:
        """Count the names of some rows: of both columns, or of one."""
        some = vertices_of_names(source, source if target is None else target, declared=None, stated=None)
        codes = self._codes
        labels = cast("ObjectArray", some.labels)
        here = np.array([codes.setdefault(name, len(codes)) for name in labels.tolist()], dtype=np.int64)
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
        UnusableIdError
            There are more names than declared.
        """
        present = len(self._codes)
        if self._declared is not None and present > self._declared:
            raise UnusableIdError(f"found {present} different names, expected at most vertices={self._declared}")
        labels = np.empty(present, dtype=np.object_)
        labels[:] = list(self._codes)
        count = max(present, self._declared or stated or 0)
        return VertexMap(count, labels, self._counts(count), index_dtype(present), None)

    def numbered_as_integers(self, stated: int | None) -> VertexMap:
        """Return the vertices of names, all of which are integers.

        Raises
        ------
        pyarrow.ArrowInvalid
            A name is beyond 64 bits.
        UnusableIdError
            An id is negative, or not below the declared number.
        """
        ids = np.array(pa.array(list(self._codes), pa.string()).cast(pa.int64()).tolist(), dtype=np.int64)
        distinct, place = np.unique(ids, return_inverse=True)
        if distinct[0] < 0:
            raise UnusableIdError(f"found the id {distinct[0]}, expected 0 or more")
        if self._declared is not None and distinct[-1] >= self._declared:
            raise UnusableIdError(f"found the id {distinct[-1]}, expected less than vertices={self._declared}")
        counts = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(counts, place, self._counts(len(ids)))
        found = vertices_of_rising(distinct, counts, declared=self._declared, stated=stated)
        vertex_of = ids if found.change is None else found.change(ids)
        return VertexMap(found.count, found.labels, found.degree, found.dtype, vertex_of.__getitem__)

    def codes(self, column: Column) -> Column:
        """Return a column of names as a column of their numbers.

        Raises
        ------
        KeyError
            A name was not counted.
        """
        codes = self._codes
        chunks = []
        for chunk in column.chunks:
            here = pa.array([codes[name] for name in chunk.dictionary.to_pylist()], pa.int64())
            chunks.append(here.take(chunk.indices))
        return pa.chunked_array(chunks, pa.int64())

    def _counts(self, count: int) -> AnyArray:
        used = self._degree[: len(self._codes)]
        return used if len(used) == count else longer_table(used, count, exactly=True)
