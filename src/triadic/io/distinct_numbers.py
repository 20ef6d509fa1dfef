"""The different numbers in the two columns of some rows, how often each occurs, and values at both ends of each row.

Numbers that are about as many as the entries of a table of all numbers up to the largest are counted in such a table;
others are sorted. Rows are read table by table, and only numbers that are sorted are all held at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.cpu.orient.rows import tally_ends
from triadic.devices.cpu.orient.vertex_ids import find_places, index_numbers
from triadic.io.identifiers import UnusableIdError, arrays_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triadic.core.array_types import AnyArray, Int32Array, Int64Array, IntegerArray
    from triadic.io.blocks import Rows

    Ids = Int64Array

# A table of all numbers up to the largest is used if it has at most as many entries for each number.
_TABLE_ENTRIES = 4
_SMALL_TABLE = 1 << 20
_INDEX_ENTRIES = 2  # of each number in the table of high bits


class ChangedNumbersError(Exception):
    """A number occurs that did not occur before."""


def largest_table(rows: int) -> int:
    """Return the largest number of entries of a table for the numbers of some rows.

    Examples
    --------
    >>> largest_table(10), largest_table(10**6)
    (1048576, 8000000)
    """
    return max(_TABLE_ENTRIES * 2 * rows, _SMALL_TABLE)


def count_numbers(tables: Iterable[Rows], rows: int) -> tuple[Ids, Ids]:
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
    most = largest_table(rows)
    counts = np.zeros(1, dtype=np.int32)
    kept: list[Ids] | None = None
    for table in tables:
        for ends in arrays_of(table["source"], table["target"]):
            if kept is None:
                counts, counted = _tallied(ends, counts, most)
                if counted == len(ends):
                    continue
                numbers = np.flatnonzero(counts)
                kept = [np.repeat(numbers, counts[numbers])]
                counts, ends = counts[:0], ends[counted:]  # noqa: PLW2901 - the rest
            if len(ends) and ends.min() < 0:
                raise UnusableIdError(f"found the id {ends.min()}, expected 0 or more")
            kept.append(ends)
    if kept is None:
        numbers = np.flatnonzero(counts > 0)  # of truth values, which NumPy finds faster than numbers
        return numbers, counts[numbers].astype(np.int64)
    every = np.concatenate(kept)
    del kept
    every.sort()
    different = np.empty(len(every), dtype=np.bool_)
    different[:1] = True
    np.not_equal(every[1:], every[:-1], out=different[1:])
    first = np.flatnonzero(different)
    return every[first], np.diff(first, append=len(every))


def _tallied(ends: Ids, counts: Int32Array, most: int) -> tuple[Int32Array, int]:
    """Count numbers in a table, which grows to at most `most` entries; return it, and how many were counted."""
    counted = tally_ends(ends, counts)
    if counted < len(ends):
        least, greatest = int(ends[counted:].min()), int(ends[counted:].max())
        if least < 0:
            raise UnusableIdError(f"found the id {least}, expected 0 or more")
        if greatest >= most:
            return counts, counted
        grown = np.zeros(min(most, 1 << greatest.bit_length()), dtype=np.int32)
        grown[: len(counts)] = counts
        counts = grown
        counted += tally_ends(ends[counted:], counts)
    return counts, counted


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
        if size <= largest_table(rows):
            self.table = np.full(size, -1, dtype=dtype)
            for ids, some in filled:
                self.table[ids] = some
            return
        self._numbers = np.concatenate([ids for ids, _ in filled]).astype(np.int64, copy=False)
        self.table = np.concatenate([some for _, some in filled]).astype(dtype, copy=False)
        span = int(self._numbers[-1] - self._numbers[0])
        self._shift = max(0, span.bit_length() - (_INDEX_ENTRIES * len(self._numbers)).bit_length())
        self._starts = np.empty((span >> self._shift) + 2, dtype=np.int64)
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
            if int(ids.view(np.uint64).max()) >= len(self.table):
                raise ChangedNumbersError
            return ids
        places: IntegerArray = np.empty(len(ids), dtype=np.int32 if len(self._numbers) < 2**31 else np.int64)
        if find_places(self._numbers, self._starts, self._shift, ids, places):
            raise ChangedNumbersError
        return places
