"""Steps that kernels share which walk rows: mark a row, test a mark, fetch rows ahead, search a row.

Computes: the steps named above, each as a small function that LLVM inlines into the kernels that call it.
Requires: rows of rising columns without repeats, columns viewed as unsigned integers; marks all zero at first.
Idea: most kernels over triangles are a *list walk*. For each middle vertex v they mark the row N+(v) in a bitmap, then
  walk row u up to v for each u in the list of v (`middle_lists`), and test each entry w against the marks: a mark
  found is the triangle {u, v, w}. The rows of the list come from all over memory and are fetched ahead. Where one of
  two rows is much longer than the other, kernels walk the shorter one and search the longer one instead.
  The loops themselves stay in the kernels: they differ in what they do with a hit, and numba has no way to pass a loop
  body that is as fast as one written out. A few kernels also mark their rows in place, where a call to `mark_row` made
  the whole kernel slower by more than 3%.
Cost: a test is one load of the mark; the bitmap takes 1/8 byte a vertex.

References
----------
Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for marking a neighbourhood and walking the rows of its
neighbours; Latapy (2008), Theoretical Computer Science 407, 458, for rows ordered by degree and walked only as far as
they matter; Ortmann and Brandes (2014), ALENEX, for the variants of the walk and their costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ENTRIES, AHEAD_ROW, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Int32Array, Int64Array, Uint8Array, UnsignedArray

    Whole = int | np.integer[Any]  # the same to numba

# A row more than this many times as long as the other row is searched instead of walked.
MUCH_LONGER = 8

WHOLE = -1  # in place of the rank up to which rows are walked: to their ends

_ONE = np.int64(1)


class Rows(NamedTuple):
    """Rows of rising columns without repeats, or lists: starts and the end of the last, int64, and unsigned columns."""

    indptr: Int64Array
    indices: UnsignedArray


class TileRows(Protocol):
    """The rows of a tile, as in `triadic.tiles.tile.Tile`."""

    @property
    def indptr(self) -> Int64Array:
        """Start of each row, and the end of the last row."""

    @property
    def indices(self) -> Int32Array:
        """Columns, counted from the first rank of their range."""

    @property
    def state(self) -> Uint8Array | None:
        """Directions of the edges of a directed graph."""

    @property
    def weights(self) -> Float64Array | None:
        """Values of the edges, shape (1, edges), of a count that takes them."""


@kernel
def mark_row(indices: Ids, start: Whole, stop: Whole, mark: Int64Array) -> None:
    """Set the bits of the columns ``indices[start:stop]``."""
    for i in range(start, stop):
        w = np.int64(indices[i])
        mark[w >> 6] |= _ONE << (w & 63)


@kernel
def unmark_row(indices: Ids, start: Whole, stop: Whole, mark: Int64Array) -> None:
    """Clear the words that hold the bits of the columns ``indices[start:stop]``."""
    for i in range(start, stop):
        mark[np.int64(indices[i]) >> 6] = 0


@kernel
def marked(mark: Int64Array, w: Whole) -> int:
    """Return the bit of column `w`."""
    return (mark[w >> 6] >> (w & 63)) & 1


@kernel
def fetch_row_ahead(indptr: Int64Array, indices: Ids, ends: Ids, k: Whole, last: Whole) -> None:
    """Request the place of a row further down the list, and the first entries of a nearer row."""
    if k + AHEAD_ROW < last:
        prefetch(indptr, np.int64(ends[k + AHEAD_ROW]))
        start = indptr[np.int64(ends[k + AHEAD_ENTRIES])]
        prefetch(indices, start)
        prefetch(indices, start + 16)
        prefetch(indices, start + 32)


@kernel
def position(row: Ids, first: Whole, last: Whole, value: Whole) -> Whole:
    """Return the first place among the rising entries `first` .. `last` - 1 whose entry is at least `value`."""
    while first < last:
        middle = (first + last) >> 1
        if np.int64(row[middle]) < value:
            first = middle + 1
        else:
            last = middle
    return first
