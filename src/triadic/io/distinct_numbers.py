"""The different numbers in the two columns of some rows, and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from triadic.devices.cpu.rows import tally_ends
from triadic.io.identifiers import UnusableIdError, arrays_of, vertices_of_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.io.edge_tables import Rows

    Ids = NDArray[np.integer[Any]]

# A table of all numbers up to the largest is faster than sorting if it has at most as many entries for each number.
_TABLE_ENTRIES = 4
_SMALL_TABLE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class DistinctNumbers:
    """The different numbers of some rows.

    Attributes
    ----------
    numbers : int64 array
        The different numbers, rising.
    pieces : list of (array, array)
        Sources and targets, piece by piece: the numbers themselves if `in_table`, else their places in `numbers`.
    in_table : bool
        Whether the largest number is so small that a table of all numbers up to it is used.
    """

    numbers: NDArray[np.int64]
    pieces: list[tuple[Ids, Ids]]
    in_table: bool

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(len(source) for source, _ in self.pieces)

    def counts(self) -> NDArray[np.int64]:
        """Return how often each number occurs: int64, shape (numbers,)."""
        size = len(self.numbers)
        if self.in_table and size:
            size = int(self.numbers[-1]) + 1
        counts = np.zeros(size, dtype=np.int64)
        for ends in self.pieces:
            for end in ends:
                tally_ends(end, counts)
        return counts[self.numbers] if self.in_table else counts

    def values_at_ends(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return an array that has the value of each number at the entries of `pieces`."""
        if not self.in_table or len(self.numbers) == 0:
            return values
        table = np.zeros(int(self.numbers[-1]) + 1, dtype=values.dtype)
        table[self.numbers] = values
        return table


def distinct_numbers(rows: Rows) -> DistinctNumbers:
    """Return the different numbers of the columns source and target, which hold int64.

    Raises
    ------
    UnusableIdError
        A number is negative.
    """
    pieces = list(zip(arrays_of(rows["source"]), arrays_of(rows["target"]), strict=True))
    pieces = [ends for ends in pieces if len(ends[0])]
    if not pieces:
        return DistinctNumbers(np.empty(0, dtype=np.int64), [], in_table=True)
    least = min(int(end.min()) for ends in pieces for end in ends)
    greatest = max(int(end.max()) for ends in pieces for end in ends)
    if least < 0:
        raise UnusableIdError(f"found the id {least}, expected 0 or more")
    if greatest < max(_TABLE_ENTRIES * 2 * len(rows), _SMALL_TABLE):
        occurs = np.zeros(greatest + 1, dtype=np.bool_)
        for ends in pieces:
            for end in ends:
                occurs[end] = True
        return DistinctNumbers(np.flatnonzero(occurs).astype(np.int64, copy=False), pieces, in_table=True)
    found = vertices_of_numbers(rows["source"], rows["target"], declared=None, stated=None)
    return DistinctNumbers(cast("NDArray[np.int64]", found.labels), [(found.source, found.target)], in_table=False)
