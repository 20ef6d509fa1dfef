"""Preparation for counting the triangles of tiles in place: hubs, lists by middle vertex, and blocks of equal work.

Computes: for each range k of a `tile_span.TileSpan` the hubs' bit matrix, if v has the range of w and hubs pay; blocks
  of about equal estimated cost over all ranges.
Requires: a `tile_span.TileSpan`.
Idea: the hub kernels and list kernels of graphs in memory run on the tiles (k, k) and (i, k); for all other k whole
  rows of the tile (i, k) are walked. The number of tests of a list is estimated from lengths of rows: a list costs the
  mean of its k if v and w have different ranges, and more for larger v if they have the same.
Cost: as `triangle_work`, but lists are shared by all k, and nothing is copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import frozen
from triadic.devices.cpu.middle_lists import LIST, TEST
from triadic.devices.cpu.tile_span import unsigned
from triadic.devices.cpu.triangle_work import WORD, cheapest_hubs, split_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.tile_span import HubBits, Third, TileSpan

    Ids = NDArray[np.unsignedinteger[Any]]

ALL = 1 << 62  # rows are walked up to v, wherever that is
_BLOCK = 20_000_000  # aimed block, in nanoseconds
_SAMPLE_ROWS = 1 << 12  # rows whose lengths estimate the tests of a list
_NO_SPLIT = np.empty(0, dtype=np.int64)
_NO_BITS = np.empty((0, 0), dtype=np.int64)
_BLOCKS_PER_THREAD = 8  # at least this many in a span, to even out errors of the estimates


@dataclass(frozen=True, slots=True, eq=False)
class ThirdWork:
    """The tiles of one range of w, made ready for the kernels.

    Attributes
    ----------
    third : Third
        The tiles.
    rows, middles : tuple of array
        Starts (int64) and columns (uint32) of the rows of u, which are walked, and of v, which are marked.
    hubs : int
        Number of hubs among the ranks of w; 0 unless v has the same range.
    split : int64 array, shape (rows,)
        Where the hubs of each row of u end; empty if there are none.
    bits : int64 array, shape (hubs, words)
        The hubs' adjacency, symmetric.
    """

    third: Third
    rows: tuple[NDArray[np.int64], Ids]
    middles: tuple[NDArray[np.int64], Ids]
    hubs: int
    split: NDArray[np.int64]
    bits: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TileBlock:
    """A block of rows for the hub kernels, or of lists for the list kernels.

    Attributes
    ----------
    work : ThirdWork
        The tiles.
    v : int
        The v that the first list belongs to; -1 for a block of rows.
    first, last : int
        First row or list, and the one past the last.
    cost : float
        Estimated nanoseconds.
    """

    work: ThirdWork
    v: int
    first: int
    last: int
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class TileWork:
    """A span of tiles, made ready for the kernels.

    Attributes
    ----------
    middle_ptr : int64 array, shape (ranks of v + 1,)
        Where the list of each v begins.
    ends : uint32 array
        The rows u.
    blocks : list of TileBlock
        All work.
    """

    middle_ptr: NDArray[np.int64]
    ends: Ids
    blocks: list[TileBlock]

    @property
    def costs(self) -> NDArray[np.int64]:
        """Estimated cost of each block: int64, shape (blocks,)."""
        return np.array([block.cost for block in self.blocks]).astype(np.int64)


def prepare(span: TileSpan, *, threads: int, hubs: bool = True) -> TileWork:
    """Make a span ready for counting; without `hubs` all entries are walked as lists."""
    works = [_third_work(third, span.hub_bits, threads, hubs=hubs) for third in span.thirds]
    first = works[0] if span.lists.only_same and len(works) == 1 else None
    if first is None or not first.hubs:
        ptr, ends = span.lists.since(0, None, threads=threads)
    else:  # lists of hubs serve only other ranges of w
        ptr, ends = span.lists.since(first.hubs, first.split, threads=threads)
    indptr = span.lists.tile.indptr
    rows = len(indptr) - 1
    sample = np.arange(rows) if rows <= _SAMPLE_ROWS else np.linspace(0, rows - 1, _SAMPLE_ROWS).astype(np.int64)
    lengths = indptr[sample + 1] - indptr[sample]
    parts = [part for work in works for part in _parts(work, lengths, sample, ptr)]
    aim = max(1.0, min(_BLOCK, sum(part.cost for part in parts) / (threads * _BLOCKS_PER_THREAD)))
    return TileWork(ptr, ends, [block for part in parts for block in part.blocks(aim, ptr)])


def _third_work(third: Third, hub_bits: HubBits, threads: int, *, hubs: bool) -> ThirdWork:
    rows, middles = ((frozen(tile.indptr), unsigned(tile.indices)) for tile in (third.near, third.middle))
    count = 0
    if hubs and third.same:
        edges = len(rows[1]) + (0 if third.near is third.middle else len(middles[1]))
        count = hub_bits.nearest(cheapest_hubs(*rows, (0, len(rows[0]) - 1), third.ranks, edges))
    if not count:
        return ThirdWork(third, rows, middles, 0, _NO_SPLIT, _NO_BITS)
    split = np.empty(len(rows[0]) - 1, dtype=np.int64)
    cuts = blocks.cut(rows[0], blocks.piece(len(rows[1])), most=1 << 16)
    blocks.run(lambda _, b: split_rows(*rows, count, cuts[b], cuts[b + 1], split), len(cuts) - 1, threads=threads)
    return ThirdWork(third, rows, middles, count, split, hub_bits.of(*middles, count, threads=threads))


@dataclass(frozen=True, slots=True, eq=False)
class _RowsPart:
    """The rows of u, for the hub kernels."""

    work: ThirdWork
    before: NDArray[np.int64]  # cost of the rows before each row

    @property
    def cost(self) -> float:
        return float(self.before[-1])

    def blocks(self, aim: float, ptr: NDArray[np.int64]) -> list[TileBlock]:  # noqa: ARG002 - as of lists
        cuts = blocks.cut(self.before, int(aim), most=1 << 16)
        costs = np.diff(self.before[cuts])
        return [
            TileBlock(self.work, -1, *cut)
            for cut in zip(cuts[:-1].tolist(), cuts[1:].tolist(), costs.tolist(), strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _ListsPart:
    """The lists from `first` to `last` - 1, whose rows are walked; the first x lists cost `each` x + `rising` x²."""

    work: ThirdWork
    first: int
    last: int
    each: float
    rising: float

    @property
    def cost(self) -> float:
        return self._before(self.last) - self._before(self.first)

    def _before(self, lists: int) -> float:
        return lists * (self.each + self.rising * lists)

    def _place(self, cost: float) -> int:
        """Return the number of lists that cost this much."""
        root = sqrt(self.each * self.each + 4 * self.rising * cost)
        return int(2 * cost / (self.each + root))

    def blocks(self, aim: float, ptr: NDArray[np.int64]) -> list[TileBlock]:
        number = max(1, min(self.last - self.first, round(self.cost / aim)))
        start, step = self._before(self.first), self.cost / number
        inner = [self._place(start + step * part) for part in range(1, number)]
        cuts = sorted({self.first, self.last, *(place for place in inner if self.first < place < self.last)})
        vertices = (np.searchsorted(ptr, cuts[:-1], side="right") - 1).tolist()
        return [
            TileBlock(self.work, v, first, last, self._before(last) - self._before(first))
            for v, first, last in zip(vertices, cuts[:-1], cuts[1:], strict=True)
        ]


def _parts(
    work: ThirdWork, lengths: NDArray[np.int64], sample: NDArray[np.int64], ptr: NDArray[np.int64]
) -> list[_RowsPart | _ListsPart]:
    """Return what is to be counted in the tiles of one k; `lengths` are of a sample of rows of the tile (i, j)."""
    parts: list[_RowsPart | _ListsPart] = []
    if work.hubs:
        before = np.zeros(len(work.split) + 1, dtype=np.int64)
        near = before[1:]
        np.subtract(work.split, work.rows[0][:-1], out=near)
        near *= int(1 + work.hubs / 64 * WORD)
        near += 1
        np.cumsum(near, out=near)
        parts.append(_RowsPart(work, before))
    first, last = int(ptr[work.hubs]), int(ptr[-1])
    if first == last:
        return parts
    entries = max(1, int(lengths.sum()))
    if work.third.same:
        # Before v, a row has about the share of its entries that all rows together have.
        tests = float(np.dot(lengths, lengths - 1)) / entries
        parts.append(_ListsPart(work, first, last, LIST, TEST * tests / int(ptr[-1])))
    else:
        walked = work.rows[0][sample + 1] - work.rows[0][sample]
        parts.append(_ListsPart(work, first, last, LIST + TEST * float(np.dot(lengths, walked)) / entries, 0.0))
    return parts
