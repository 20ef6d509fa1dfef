"""Parts to count triangles in, a graph or a span of tiles: their rows and lists, cut into blocks of equal work.

Computes: for each v of a tile (i, j) the rows u that hold v; blocks of about equal estimated cost.
Requires: tiles, rows of rising columns, each counted from the first rank of its range.
Idea: triangles u > v > w with u in range i and v in range j are found by walking row u of the tile (i, k) for each
  entry (u, v), with row v of the tile (j, k) marked. The entries (u, v) sorted by v are the same for every k, so they
  are sorted once, by counting: one pass counts the columns of the tile, one writes each row at the next place of its
  column. Rows are walked in the tiles themselves.
Cost: two passes over the tile (i, j); 4 bytes an entry, and 8 bytes a column for each piece of the rows.

The papers that the walk comes from are cited in `intrinsics`.

Preparation for counting the triangles of a part, a graph or a span of tiles, as blocks of equal work.

Computes: for a graph what `triangle_work` does. For a span of tiles, which are counted in place: for each range k the
  hubs' bit matrix, if v has the range of w and hubs pay; blocks of about equal estimated cost over all ranges.
Requires: `oriented.Oriented`, or a `TileSpan`.
Idea: a graph is a part of one tile, which holds the rows of u and of v. The kernels that count it run on the tiles
  (k, k) and (i, k) as well; for all other k whole rows of the tile (i, k) are walked. The number of tests of a list is
  estimated from lengths of rows: a list costs the mean of its k if v and w have different ranges, and more for larger v
  if they have the same.
Cost: as `triangle_work`, but lists are shared by all k, and nothing is copied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_KEY, WHOLE, Rows, prefetch
from triadic.devices.cpu.orient.middle_lists import LIST, TEST
from triadic.devices.cpu.triangles import triangle_work
from triadic.devices.cpu.triangles.triangle_work import (
    HUB_ROWS,
    LISTS,
    WORD,
    WORDS,
    Block,
    Tiles,
    cheapest_hubs,
    hub_ends,
    hub_matrix,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array, UnsignedArray
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import TileRows
    from triadic.devices.cpu.triangles.triangle_work import TriangleWork

    Ids = UnsignedArray

_PIECE = 1 << 18  # entries that make a further piece of rows pay
_ALL = 1 << 62  # rows are walked up to v, wherever that is
_BLOCK = 20_000_000  # aimed block, in nanoseconds
_SAMPLE_ROWS = 1 << 12  # rows whose lengths estimate the tests of a list
_NO_SPLIT = np.empty(0, dtype=np.int64)
_NO_BITS = np.empty((0, 0), dtype=np.int64)
_BLOCKS_PER_THREAD = 8  # at least this many in a span, to even out errors of the estimates


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

    def of(self, rows: Rows, hubs: int, *, threads: int) -> Int64Array:
        """Return the bits of the first `hubs` ranks of a range, from the range's own tile: int64, (hubs, words)."""
        if len(self._bits) != hubs:
            self._bits = np.empty((0, 0), dtype=np.int64)  # frees the memory first
            self._bits = hub_matrix(rows, hubs, threads)
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
        self._made: tuple[int, Int64Array, Ids] | None = None

    def since(self, first: int, row_from: Int64Array | None, *, threads: int) -> tuple[Int64Array, Ids]:
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


def transposed(tile: TileRows, columns: int, row_from: Int64Array | None, *, threads: int) -> tuple[Int64Array, Ids]:
    """Return the entries of each row from `row_from` on, by default all, by column: starts of columns, and rows."""
    rows = rows_of(tile)
    starts = rows.indptr[:-1] if row_from is None else frozen(row_from)
    entries = len(rows.indices)
    pieces = int(max(1, min(threads, entries // max(_PIECE, columns))))
    cuts = blocks.cut(rows.indptr, -(-entries // pieces), most=pieces)
    place = np.zeros((max(1, len(cuts) - 1), columns + 1), dtype=np.int64)

    def run(walk: Callable[..., object], *out: Ids) -> None:
        blocks.run(
            lambda _, b: walk(rows, starts, (cuts[b], cuts[b + 1]), place[b], *out), len(cuts) - 1, threads=threads
        )

    run(count_columns)
    ptr = starts_of(place[:, :-1].sum(axis=0))
    begin = ptr
    for piece in place:
        begin = start_piece(begin, piece)
    ends = np.empty(int(ptr[-1]), dtype=np.uint32)
    run(write_rows, ends)
    return ptr, frozen(ends)


def start_piece(begin: Int64Array, counts: Int64Array) -> Int64Array:
    """Replace a piece's counts of columns by the places where its columns begin; return those of the next piece."""
    following = begin + counts
    counts[:] = begin
    return following


@kernel
def count_columns(rows: Rows, starts: Int64Array, bounds: tuple[int, int], counts: Int64Array) -> None:
    """Count the listed entries of some rows by column."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        for i in range(starts[u], indptr[u + 1]):
            counts[np.int64(indices[i])] += 1


@kernel
def write_rows(rows: Rows, starts: Int64Array, bounds: tuple[int, int], place: Int64Array, ends: Ids) -> None:
    """Write each listed entry's row at the next free place of its column."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        for i in range(starts[u], indptr[u + 1]):
            if i + AHEAD_KEY < indices.size:
                prefetch(ends, place[np.int64(indices[i + AHEAD_KEY])])
            v = np.int64(indices[i])
            free = place[v]
            ends[free] = u
            place[v] = free + 1


@dataclass(frozen=True, slots=True, eq=False)
class SpanWork:
    """A span of tiles, made ready for the kernels; as `triangle_work.TriangleWork`.

    Attributes
    ----------
    listed : TileRows
        The tile of the lists.
    lists : Rows
        The rows u of each v's list.
    columns, ranks : int
        Number of ranks of the longest range of w, and of all local ranks.
    blocks : list of Block
    costs : int64 array, shape (blocks,)
        Estimated nanoseconds.
    """

    listed: TileRows
    lists: Rows
    columns: int
    ranks: int
    blocks: list[Block]
    costs: Int64Array

    @property
    def mark_words(self) -> int:
        """Number of 64-bit words of a worker's marks."""
        return (self.columns // 64 // WORDS + 1) * WORDS

    def block(self, number: int) -> Block:
        """Return a block."""
        return self.blocks[number]


def prepare(
    part: Oriented | TileSpan, *, threads: int, hubs: int | None = None, without_lists: bool = False
) -> TriangleWork | SpanWork:
    """Make a graph or a span of tiles ready for counting, as `triangle_work.prepare`; a span chooses its hubs or none.

    Parameters
    ----------
    part : Oriented or TileSpan
    threads : int
    hubs : int, optional
        0 if there are none, and all entries are walked as lists.
    without_lists : bool, default False
        Whether the kernels can walk the rows of a row's entries.
    """
    if not isinstance(part, TileSpan):
        return triangle_work.prepare(part, threads=threads, hubs=hubs, without_lists=without_lists)
    works = [_tiles_of(third, part, threads, hubs=hubs != 0) for third in part.thirds]
    first = works[0] if part.lists.only_same and len(works) == 1 else None
    if first is None or not len(first.bits):
        ptr, ends = part.lists.since(0, None, threads=threads)
    else:  # lists of hubs serve only other ranges of w
        ptr, ends = part.lists.since(len(first.bits), first.split, threads=threads)
    listed = part.lists.tile
    rows = len(listed.indptr) - 1
    sample = np.arange(rows) if rows <= _SAMPLE_ROWS else np.linspace(0, rows - 1, _SAMPLE_ROWS).astype(np.int64)
    lengths = listed.indptr[sample + 1] - listed.indptr[sample]
    shares = [
        share
        for third, tiles in zip(part.thirds, works, strict=True)
        for share in _shares(tiles, lengths, sample, ptr, same=third.same)
    ]
    aim = max(1.0, min(_BLOCK, sum(share.cost for share in shares) / (threads * _BLOCKS_PER_THREAD)))
    cut = [block for share in shares for block in share.blocks(aim, ptr)]
    costs = np.array([cost for _, cost in cut]).astype(np.int64)
    columns = max(third.ranks for third in part.thirds)
    return SpanWork(listed, Rows(ptr, ends), columns, part.ranks, [block for block, _ in cut], costs)


def _tiles_of(third: Third, span: TileSpan, threads: int, *, hubs: bool) -> Tiles:
    rows, middles = rows_of(third.near), rows_of(third.middle)
    tiles = Tiles(third.near, third.middle, rows, middles, _NO_SPLIT, _NO_BITS, (third.at, span.at_v, span.at_u))
    if not hubs or not third.same:
        return tiles
    edges = len(rows.indices) + (0 if third.near is third.middle else len(middles.indices))
    count = span.hub_bits.nearest(cheapest_hubs(rows, (0, len(rows.indptr) - 1), third.ranks, edges))
    if not count:
        return tiles
    bits = span.hub_bits.of(middles, count, threads=threads)
    return tiles._replace(split=hub_ends(rows, count, threads), bits=bits)


@dataclass(frozen=True, slots=True, eq=False)
class _RowsOfHubs:
    """The rows of u, for the hub kernels."""

    tiles: Tiles
    before: Int64Array  # cost of the rows before each row

    @property
    def cost(self) -> float:
        return float(self.before[-1])

    def blocks(self, aim: float, ptr: Int64Array) -> list[tuple[Block, float]]:  # noqa: ARG002 - as of lists
        cuts = blocks.cut(self.before, int(aim), most=1 << 16)
        bounds = zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
        costs = np.diff(self.before[cuts]).tolist()
        return [(Block(HUB_ROWS, self.tiles, each), cost) for each, cost in zip(bounds, costs, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    """The lists from `first` to `last` - 1, whose rows are walked; the first x lists cost `each` x + `rising` x²."""

    tiles: Tiles
    first: int
    last: int
    each: float
    rising: float
    below: int

    @property
    def cost(self) -> float:
        return self._before(self.last) - self._before(self.first)

    def _before(self, lists: int) -> float:
        return lists * (self.each + self.rising * lists)

    def _place(self, cost: float) -> int:
        """Return the number of lists that cost this much."""
        root = sqrt(self.each * self.each + 4 * self.rising * cost)
        return int(2 * cost / (self.each + root))

    def blocks(self, aim: float, ptr: Int64Array) -> list[tuple[Block, float]]:
        number = max(1, min(self.last - self.first, round(self.cost / aim)))
        start, step = self._before(self.first), self.cost / number
        inner = [self._place(start + step * part) for part in range(1, number)]
        cuts = sorted({self.first, self.last, *(place for place in inner if self.first < place < self.last)})
        vertices = (np.searchsorted(ptr, cuts[:-1], side="right") - 1).tolist()
        return [
            (Block(LISTS, self.tiles, (v, first, last, self.below)), self._before(last) - self._before(first))
            for v, first, last in zip(vertices, cuts[:-1], cuts[1:], strict=True)
        ]


def _shares(
    tiles: Tiles, lengths: Int64Array, sample: Int64Array, ptr: Int64Array, *, same: bool
) -> list[_RowsOfHubs | _Lists]:
    """Return what is to be counted in the tiles of one k; `lengths` are of a sample of rows of the tile (i, j)."""
    shares: list[_RowsOfHubs | _Lists] = []
    hubs = len(tiles.bits)
    if hubs:
        before = np.zeros(len(tiles.split) + 1, dtype=np.int64)
        near = before[1:]
        np.subtract(tiles.split, tiles.rows.indptr[:-1], out=near)
        near *= int(1 + hubs / 64 * WORD)
        near += 1
        np.cumsum(near, out=near)
        shares.append(_RowsOfHubs(tiles, before))
    first, last = int(ptr[hubs]), int(ptr[-1])
    if first == last:
        return shares
    entries = max(1, int(lengths.sum()))
    if same:
        # Before v, a row has about the share of its entries that all rows together have.
        tests = float(np.dot(lengths, lengths - 1)) / entries
        shares.append(_Lists(tiles, first, last, LIST, TEST * tests / int(ptr[-1]), _ALL))
    else:
        walked = tiles.rows.indptr[sample + 1] - tiles.rows.indptr[sample]
        each = LIST + TEST * float(np.dot(lengths, walked)) / entries
        shares.append(_Lists(tiles, first, last, each, 0.0, WHOLE))
    return shares
