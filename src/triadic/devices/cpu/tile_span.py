"""The tiles of one pair of ranges and of some third ranges, and the lists by middle vertex that all thirds share.

Computes: for each v of a tile (i, j) the rows u that hold v; blocks of about equal estimated cost.
Requires: tiles, rows of rising columns, each counted from the first rank of its range.
Idea: triangles u > v > w with u in range i and v in range j are found by walking row u of the tile (i, k) for each
  entry (u, v), with row v of the tile (j, k) marked. The entries (u, v) sorted by v are the same for every k, so they
  are sorted once, by counting: one pass counts the columns of the tile, one writes each row at the next place of its
  column. Rows are walked in the tiles themselves.
Cost: two passes over the tile (i, j); 4 bytes an entry, and 8 bytes a column for each piece of the rows.

The papers that the walk comes from are cited in `list_walk`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch
from triadic.devices.cpu.triangle_work import hub_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.list_walk import TileRows

    Ids = NDArray[np.unsignedinteger[Any]]

_PIECE = 1 << 18  # entries that make a further piece of rows pay


@dataclass(frozen=True, slots=True, eq=False)
class Third:
    """The tiles of one range of w.

    Attributes
    ----------
    near : TileRows
        Rows of u, with columns in w's range; the tile (i, j) if v and w have the same range.
    middle : TileRows
        Rows of v, with columns in w's range.
    ranks : int
        Number of ranks of w's range.
    at : int
        First local rank of w's range.
    same : bool
        Whether v and w have the same range. Then rows of u are walked up to v only.
    """

    near: TileRows
    middle: TileRows
    ranks: int
    at: int
    same: bool


class HubBits:
    """The adjacency of the hubs of one range as bits, kept for later spans."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Free the memory of the bits."""
        self._bits = np.empty((0, 0), dtype=np.int64)

    def nearest(self, hubs: int) -> int:
        """Return the number of hubs of the bits that are kept, if it is at most twice `hubs`; else `hubs`."""
        kept = len(self._bits)
        return kept if hubs <= kept <= 2 * hubs else hubs

    def of(self, indptr: NDArray[np.int64], indices: Ids, hubs: int, *, threads: int) -> NDArray[np.int64]:
        """Return the bits of the first `hubs` ranks of a range, from the range's own tile: int64, (hubs, words)."""
        if len(self._bits) != hubs:
            self._bits = np.empty((0, 0), dtype=np.int64)  # frees the memory first
            self._bits = hub_matrix(indptr, indices, hubs, threads)
        return self._bits


@dataclass(frozen=True, slots=True, eq=False)
class TileSpan:
    """The tiles of ranges i and j and of some ranges k, in which exactly the triangles of these triples are counted.

    Counts have local ranks: each of the ranges k, of v and of u has consecutive ones.

    Attributes
    ----------
    lists : PairLists
        The tile (i, j), and its lists by middle vertex.
    thirds : tuple of Third
        The tiles of each k.
    at_v, at_u : int
        First local ranks of the ranges of v and u; equal ranges may have the same local ranks.
    ranks : int
        Number of local ranks.
    hub_bits : HubBits, optional
        The bits of the hubs of range j, which all i share.
    """

    lists: PairLists
    thirds: tuple[Third, ...]
    at_v: int
    at_u: int
    ranks: int
    hub_bits: HubBits = field(default_factory=HubBits)


class PairLists:
    """The entries of a tile by column: for each v the rows u that hold v, rising; made at their first use.

    Parameters
    ----------
    tile : TileRows
        The tile of the ranges of u and v.
    columns : int
        Number of ranks of v's range.
    only_same : bool
        Whether no other range of w than v's is counted with these lists.
    """

    def __init__(self, tile: TileRows, columns: int, *, only_same: bool) -> None:
        self.tile, self.columns, self.only_same = tile, columns, only_same
        self._made: tuple[int, NDArray[np.int64], Ids] | None = None

    def since(self, first: int, row_from: NDArray[np.int64] | None, *, threads: int) -> tuple[NDArray[np.int64], Ids]:
        """Return the lists of the columns from `first` on.

        Parameters
        ----------
        first : int
            Lists of smaller columns may be missing.
        row_from : int64 array, shape (rows,), or None
            Place of the first column of each row from `first` on; None if `first` is 0.
        threads : int
            Number of threads.

        Returns
        -------
        ptr : int64 array, shape (columns + 1,)
            Where the list of each v begins.
        ends : uint32 array
            The rows u.
        """
        if self._made is None or self._made[0] > first:
            self._made = (first, *transposed(self.tile, self.columns, row_from, threads=threads))
        return self._made[1:]


def transposed(
    tile: TileRows, columns: int, row_from: NDArray[np.int64] | None, *, threads: int
) -> tuple[NDArray[np.int64], Ids]:
    """Return the entries of each row from `row_from` on, by default all, by column: starts of columns, and rows."""
    indptr, indices = frozen(tile.indptr), unsigned(tile.indices)
    starts = indptr[:-1] if row_from is None else frozen(row_from)
    entries = len(indices)
    pieces = int(max(1, min(threads, entries // max(_PIECE, columns))))
    cuts = blocks.cut(indptr, -(-entries // pieces), most=pieces)
    place = np.zeros((max(1, len(cuts) - 1), columns + 1), dtype=np.int64)
    blocks.run(
        lambda _, b: count_columns(indptr, indices, starts, cuts[b], cuts[b + 1], place[b]),
        len(cuts) - 1,
        threads=threads,
    )
    ptr = np.zeros(columns + 1, dtype=np.int64)
    np.cumsum(place[:, :-1].sum(axis=0), out=ptr[1:])
    begin = ptr
    for piece in place:
        begin = start_piece(begin, piece)
    ends = np.empty(int(ptr[-1]), dtype=np.uint32)
    blocks.run(
        lambda _, b: write_rows(indptr, indices, starts, cuts[b], cuts[b + 1], place[b], ends),
        len(cuts) - 1,
        threads=threads,
    )
    return ptr, frozen(ends)


def start_piece(begin: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Replace a piece's counts of columns by the places where its columns begin; return those of the next piece."""
    following = begin + counts
    counts[:] = begin
    return following


def unsigned(ids: NDArray[np.int32]) -> Ids:
    """Return a read-only view of columns as unsigned integers: no index can then be negative."""
    return frozen(ids.view(np.uint32))


@kernel
def count_columns(
    indptr: NDArray[np.int64], indices: Ids, starts: NDArray[np.int64], first: int, last: int, counts: NDArray[np.int64]
) -> None:
    """Count the listed entries of the rows `first` .. `last` - 1 by column."""
    for u in range(first, last):
        for i in range(starts[u], indptr[u + 1]):
            counts[np.int64(indices[i])] += 1


@kernel
def write_rows(
    indptr: NDArray[np.int64],
    indices: Ids,
    starts: NDArray[np.int64],
    first: int,
    last: int,
    place: NDArray[np.int64],
    ends: Ids,
) -> None:
    """Write each listed entry's row at the next free place of its column."""
    for u in range(first, last):
        for i in range(starts[u], indptr[u + 1]):
            if i + AHEAD_KEY < indices.size:
                prefetch(ends, place[np.int64(indices[i + AHEAD_KEY])])
            v = np.int64(indices[i])
            free = place[v]
            ends[free] = u
            place[v] = free + 1
