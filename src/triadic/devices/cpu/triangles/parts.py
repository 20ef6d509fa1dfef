"""Parts to count triangles in, a graph or a span of tiles: their rows and lists, cut into blocks of equal work.

Computes: the number of hubs of tiles in which v and w have the same range, where the hubs end in each row, and their
  adjacency as bits; for each v of a tile (i, j) the rows u that hold v; blocks of about equal estimated cost over all
  ranges k.
Requires: `oriented.Oriented`, or a `TileSpan`: tiles, rows of rising columns, each counted from the first rank of its
  range.
Idea: triangles u > v > w with u in range i and v in range j are found by walking row u of the tile (i, k) for each
  entry (u, v), with row v of the tile (j, k) marked. The entries (u, v) sorted by v (`middle_lists`) are the same for
  every k, so they are sorted once. Rows are walked in the tiles themselves. If v and w have the same range, rows are
  walked up to v only, and hubs may pay; else whole rows of the tile (i, k) are walked, and a list costs the mean of its
  k. A graph is a part of one tile, which holds the rows of u, of v and of the lists.
Cost: one sort of the entries that are not in the matrix, and the matrix, at most 8 bytes an edge; nothing is copied.

The papers that the walk comes from are cited in `intrinsics`.
"""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import frozen, int_empty, starts_of
from triadic.core.records import record
from triadic.devices.cpu.intrinsics import WHOLE, Rows
from triadic.devices.cpu.triangles.triangle_work import (
    HUB_ROWS,
    LIST,
    LISTS,
    TEST,
    WALKS,
    WORD,
    WORDS,
    Block,
    Tiles,
    cheapest_hubs,
    ends_below,
    hub_matrix,
    middle_lists,
    row_walks,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.intrinsics import TileRows
    from triadic.devices.cpu.triangles.triangle_work import MiddleLists

_ALL = 1 << 62  # rows are walked up to v, wherever that is
_BLOCK = 20_000_000  # aimed block, in nanoseconds
_SAMPLE_ROWS = 1 << 12  # rows whose lengths estimate the tests of a list
_NO_BITS = int_empty((0, 0))
_BLOCKS_PER_THREAD = 8  # at least this many in a span, to even out errors of the estimates
_MOST_BLOCKS = 1 << 16  # of one kind in the tiles of a range


class Third(NamedTuple):
    """The tiles of one range of w.

    Attributes
    ----------
    near : Oriented or TileRows
        Rows of u, with columns in w's range; the tile (i, j) if v and w have the same range.
    middle : Oriented or TileRows
        Rows of v, with columns in w's range.
    ranks : int
        Number of ranks of w's range.
    at : int
        First local rank of w's range.
    same : bool
        Whether v and w have the same range. Then rows of u are walked up to v only.
    """

    near: Oriented | TileRows
    middle: Oriented | TileRows
    ranks: int
    at: int
    same: bool


class HubBits:
    """The adjacency of the hubs of one range as bits, kept for later spans."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Free the memory of the bits."""
        self._bits = _NO_BITS

    def nearest(self, hubs: int) -> int:
        """Return the number of hubs of the bits that are kept, if it is at most twice `hubs`; else `hubs`."""
        kept = len(self._bits)
        return kept if hubs <= kept <= 2 * hubs else hubs

    def of(self, rows: Rows, hubs: int, *, threads: int) -> Int64Array:
        """Return the bits of the first `hubs` ranks of a range, from the range's own tile: int64, (hubs, words)."""
        if len(self._bits) != hubs:
            self.clear()  # first
            self._bits = hub_matrix(rows, hubs, threads)
        return self._bits


@record
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
    tile : Oriented or TileRows
        The tile of the ranges of u and v.
    columns : int
        Number of ranks of v's range.
    only_same : bool
        Whether no other range of w than v's is counted with these lists.
    """

    def __init__(self, tile: Oriented | TileRows, columns: int, *, only_same: bool) -> None:
        self.tile, self.columns, self.only_same = tile, columns, only_same
        self._made: tuple[int, MiddleLists] | None = None

    def since(self, first: int, row_from: Int64Array, *, threads: int) -> MiddleLists:
        """Return the lists of the columns from `first` on; lists of smaller columns may be missing.

        `row_from`, int64 of shape (rows,), is the place in each row of the first entry that is listed.
        """
        if self._made is None or self._made[0] > first:
            made = middle_lists(*rows_of(self.tile), row_from, columns=self.columns, threads=threads)
            self._made = first, made
        return self._made[1]


class TriangleWork(NamedTuple):
    """A graph or a span of tiles, made ready for the kernels.

    Attributes
    ----------
    listed : Oriented or TileRows
        The graph, or the tile of the lists.
    middle : MiddleLists
        For each v the rows u, or no lists if rows of entries are walked instead.
    tiles : list of Tiles
        The tiles of each range of w.
    columns, ranks : int
        Number of ranks of the longest range of w, and of all local ranks.
    blocks : list of Block
    costs : int64 array, shape (blocks,)
        Estimated nanoseconds.
    """

    listed: Oriented | TileRows
    middle: MiddleLists
    tiles: list[Tiles]
    columns: int
    ranks: int
    blocks: list[Block]
    costs: Int64Array

    @property
    def lists(self) -> Rows:
        """The lists as kernels take them."""
        return Rows(self.middle.ptr, self.middle.ends)

    @property
    def mark_words(self) -> int:
        """Number of 64-bit words of a worker's marks."""
        return (self.columns // 64 // WORDS + 1) * WORDS


class _Share(NamedTuple):
    """What is counted in one way in the tiles of one range of w: blocks of one kind, and the cost of all.

    `cut` returns the cuts between about as many blocks as it is given, and the cost before each cut.
    """

    kind: int
    tiles: Tiles
    below: int
    cost: float
    cut: Callable[[int], tuple[Int64Array, AnyArray]]


def prepare(
    part: Oriented | TileSpan, *, threads: int, hubs: int | None = None, without_lists: bool = False
) -> TriangleWork:
    """Make a graph or a span of tiles ready for counting.

    Parameters
    ----------
    part : Oriented or TileSpan
    threads : int
    hubs : int, optional
        Number of hubs in tiles in which v and w have the same range; chosen by the cost model by default. If 0, all
        entries are walked as lists.
    without_lists : bool, default False
        Whether the kernels can walk the rows of a row's entries, so that no lists by middle vertex are made where the
        cost model finds that this takes less time.
    """
    span = part if isinstance(part, TileSpan) else span_of(part)
    made = [_tiles_of(third, span, threads, hubs) for third in span.thirds]
    tiles, third, alone = made[0], span.thirds[0], span.lists.only_same
    listed = rows_of(span.lists.tile)
    # Without other ranges of w, lists of hubs are not needed, nor the first entry of a row: no w is left below it.
    listed_from = frozen(np.maximum(tiles.split, listed.indptr[:-1] + 1)) if alone else listed.indptr[:-1]
    walks = row_walks(*listed, listed_from) if without_lists and alone and third.near is third.middle else None
    middle = walks or span.lists.since(len(tiles.bits) if alone else 0, listed_from, threads=threads)
    shares = [_hub_rows(each) for each in made if len(each.bits)]
    if walks is not None:
        walked = tiles._replace(split=listed_from)
        shares.append(_Share(WALKS, walked, 0, walks.total_cost, lambda count: _cut_lists(walks, 0, count)))
    elif len(middle.ends):
        shares += [_lists(each, third, middle, listed) for each, third in zip(made, span.thirds, strict=True)]
    aim = max(1, min(_BLOCK, int(sum(share.cost for share in shares)) // (threads * _BLOCKS_PER_THREAD)))
    found: list[Block] = []
    costs = [np.zeros(0)]
    for kind, tiles, below, cost, cut in shares:
        cuts, before = cut(max(1, min(-(-int(cost) // aim), _MOST_BLOCKS)))
        costs.append(np.diff(before))
        bounds: list[tuple[int, ...]] = [*pairwise(cuts.tolist())]
        if kind == LISTS:
            vertices = (np.searchsorted(middle.ptr, cuts[:-1], side="right") - 1).tolist()
            bounds = [(v, *lists, below) for v, lists in zip(vertices, bounds, strict=True)]
        found += [Block(kind, tiles, each) for each in bounds]
    columns = max(third.ranks for third in span.thirds)
    return TriangleWork(
        span.lists.tile, middle, made, columns, span.ranks, found, np.concatenate(costs).astype(np.int64)
    )


def span_of(rows: Oriented | TileRows) -> TileSpan:
    """Return the rows of a graph as a span of one tile."""
    ranks = len(rows.indptr) - 1
    return TileSpan(PairLists(rows, ranks, only_same=True), (Third(rows, rows, ranks, 0, same=True),), 0, 0, ranks)


def _tiles_of(third: Third, span: TileSpan, threads: int, hubs: int | None) -> Tiles:
    rows, middles = rows_of(third.near), rows_of(third.middle)
    starts = third.at, span.at_v, span.at_u
    tiles = Tiles(third.near, third.middle, rows, middles, rows.indptr[:-1], _NO_BITS, starts)
    if hubs == 0 or not third.same:
        return tiles
    edges = len(rows.indices) + (0 if third.near is third.middle else len(middles.indices))
    count = span.hub_bits.nearest(cheapest_hubs(rows, third.ranks, edges)) if hubs is None else min(hubs, third.ranks)
    if not count:
        return tiles
    bits = span.hub_bits.of(middles, count, threads=threads)
    return tiles._replace(split=frozen(ends_below(rows, count, threads)), bits=bits)


def _hub_rows(tiles: Tiles) -> _Share:
    """Return the rows of u, for the hub kernels; a row with few hubs costs a little less than is estimated."""
    near = tiles.split - tiles.rows.indptr[:-1]
    near *= int(1 + len(tiles.bits) / 64 * WORD)
    near += 1
    before = starts_of(near)

    def cut(count: int) -> tuple[Int64Array, Int64Array]:
        cuts = blocks.cut(before, 1, most=count)
        return cuts, before[cuts]

    return _Share(HUB_ROWS, tiles, 0, float(before[-1]), cut)


def _lists(tiles: Tiles, third: Third, middle: MiddleLists, listed: Rows) -> _Share:
    """Return the lists of the vertices that are no hubs; `listed` are the rows of the lists."""
    start = middle.ptr[len(tiles.bits) :]
    first, last = int(start[0]), len(middle.ends)
    if third.same:
        cost = middle.total_cost - middle.cost_before(start[:1]).item()
        return _Share(LISTS, tiles, _ALL, cost, lambda count: _cut_lists(middle, first, count))
    # A list costs the mean of its range of w, by a sample of rows.
    rows = len(listed.indptr) - 1
    sample = np.arange(rows) if rows <= _SAMPLE_ROWS else np.linspace(0, rows - 1, _SAMPLE_ROWS).astype(np.int64)
    lengths, walked = (indptr[sample + 1] - indptr[sample] for indptr in (listed.indptr, tiles.rows.indptr))
    each = LIST + TEST * float(np.dot(lengths, walked)) / max(1, int(lengths.sum()))

    def cut(count: int) -> tuple[Int64Array, Float64Array]:
        cuts = first + blocks.cut_evenly(last - first, count)
        return cuts, each * cuts.astype(float)

    return _Share(LISTS, tiles, WHOLE, each * (last - first), cut)


def _cut_lists(lists: MiddleLists, first: int, count: int) -> tuple[Int64Array, Float64Array]:
    cuts = lists.cut(count, first)
    return cuts, lists.cost_before(cuts)
