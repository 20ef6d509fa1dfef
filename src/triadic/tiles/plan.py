"""How many ranges, and where they are cut.

How large tiles become is known only when all edges were seen, so arcs are first bucketed by a fine grid: its ranges
have so few ends of edges that any of its cells can be sorted in the memory there is. Then neighbouring fine ranges are
joined to as few as the memory allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.sizes import show_bytes
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.tiles.cutting import ranks_of_hubs
from triadic.tiles.layout import Layout
from triadic.tiles.leaves import without_leaves
from triadic.tiles.work import LIST_BYTES, RANK_BYTES, WORKER_RANK_BYTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_RANGES = 255  # a range's number is a byte while arcs are bucketed
_MOST_FINE = 64  # more, and what goes to one cell at a time is too short to be written well
# Fine ranges have about so many ends of edges at most: a tile is sorted by one after the other, in memory used again.
_STRIP_ENDS = 1 << 22
# Local ranks of a triple, which three ranges share, are numbered in 32 bits.
_MOST_RANKS = ((1 << 31) - 1) // 3
_TABLE = 1 << 18  # entries of the table from ranks to ranges
# A vertex of a range counts as so many ends of edges: counting holds about so much more for one.
_VERTEX_ENDS = 8

SORT_KEY_BYTES = 17  # an edge in a tile that is sorted: as it was read, in its bucket, and the buckets' counts
SORT_ROW_BYTES = 24
# A name of ten letters as Python holds it, its number, its place in a dictionary that grows, and once more as bytes.
NAME_BYTES = 300
HELD_ARC_BYTES = 8  # an arc that is not set aside on disk
# A local rank for each worker, in a count of one column.
_WORKER_BYTES = WORKER_RANK_BYTES + 8
# What is held whatever the size: pieces being read, tables of buckets.
FLOOR_BYTES = 32 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Ranges of ranks, and a table to find the range of a rank.

    Attributes
    ----------
    cuts : int64 array, shape (ranges + 1,)
    shift : int
        Cuts are multiples of 2**shift, but for the last.
    """

    cuts: NDArray[np.int64]
    shift: int

    @property
    def ranges(self) -> int:
        """Number of ranges."""
        return len(self.cuts) - 1

    @property
    def cells(self) -> int:
        """Number of cells: cell (i, j), j <= i, is number i (i + 1) / 2 + j."""
        return self.ranges * (self.ranges + 1) // 2

    def range_of(self) -> NDArray[np.uint8]:
        """Give the range of the ranks from each multiple of 2**shift to the next."""
        units = -(-self.cuts // (1 << self.shift))
        return np.repeat(np.arange(self.ranges, dtype=np.uint8), np.diff(units))


def rank_bytes(n: int) -> int:
    """Give the bytes of the ranks of so many vertices."""
    return (4 if n < 2**31 else 8) * n


def vertex_bytes(n: int, most: int, label_bytes: int) -> int:
    """Estimate the bytes held for vertices while they are ranked; `most` is the largest degree."""
    return 8 * n + rank_bytes(n) + 8 * most + label_bytes


def holds_edges(arcs: int, n: int, memory: int) -> bool:
    """Whether so many arcs on `n` vertices are held in memory and sorted there, as one tile even.

    In half of what vertices leave, since what reading and bucketing let go is not given back to the system at once.
    """
    room = memory - FLOOR_BYTES - 8 * n - rank_bytes(n)
    return (HELD_ARC_BYTES + SORT_KEY_BYTES) * arcs + SORT_ROW_BYTES * n <= room // 2


def room_to_keep(memory: int) -> int:
    """Give the bytes that a stream may keep of its first pass.

    Its arcs take 8 bytes each at the least, and vertices are at most twice as many and take 20 while they are ranked:
    in a sixth both have room in any case.
    """
    return max(0, memory - FLOOR_BYTES) // 6


def ranks_counted(degree: NDArray[np.int64]) -> int:
    """Give how many ranks counting holds: those of degree 2 and more, repeats among it."""
    return int(np.count_nonzero(degree >= 2))


def fine_grid(degree: NDArray[np.int64], ranges: int | None, memory: int, *, threads: int) -> Grid:
    """Choose ranges so that the edges of any two can be sorted, and those of any three counted, in `memory` bytes.

    Parameters
    ----------
    degree : int64 array, shape (n,)
        Degree of each vertex, repeats included.
    ranges : int, optional
        So many, or as many as there are vertices.
    memory : int
        Bytes.
    threads : int
        Of which counting has so many.
    """
    n, ends = len(degree), int(degree.sum())
    first = ranks_of_hubs(n, ends // 2) if ranges is not None and ranges > 1 else 0
    if ranges is None:
        ranges = 1
        counted = ranks_counted(degree)
        while ranges < min(_MOST_FINE, n) and _bound(n, counted, ends, ranges, threads) > memory:
            ranges += 1
        ranges = max(ranges, min(_MOST_FINE, ends // _STRIP_ENDS))
    shift = max(0, (n - 1).bit_length() - _TABLE.bit_length() + 1)
    cuts = _cut(degree, max(1, min(ranges, n)), shift, first)
    longest = int(np.diff(cuts).max(initial=0))
    if longest > _MOST_RANKS:
        raise ArgumentError(f"ranges={ranges}: a range has {longest:,} vertices, {_MOST_RANKS:,} are the most")
    return Grid(cuts, shift)


def check_ranges(ranges: int | None) -> None:
    """Refuse a number of ranges that cannot be."""
    if ranges is not None and (
        isinstance(ranges, bool) or not isinstance(ranges, int) or not 1 <= ranges <= MOST_RANGES
    ):
        raise ArgumentError(f"ranges={ranges!r}: expected None or a whole number from 1 to {MOST_RANGES}")


def _bound(n: int, ranks: int, ends: int, ranges: int, threads: int) -> int:
    """Give the bytes that the largest tile may take of so many ranges, however edges run between them.

    Of `n` vertices so many `ranks` are counted.
    """
    in_range = (ends + _VERTEX_ENDS * n) // ranges
    edges = ends // 2 if ranges == 1 else in_range
    vertices = min(n, in_range // _VERTEX_ENDS)
    counted = min(3, ranges)
    sort = SORT_KEY_BYTES * edges + SORT_ROW_BYTES * vertices
    of_vertex = 8 + RANK_BYTES + _WORKER_BYTES * threads
    count = counted * (10 * edges + of_vertex * min(ranks, vertices)) + LIST_BYTES * edges + 8 * ranks
    return max(sort, count)


def _cut(degree: NDArray[np.int64], ranges: int, shift: int, hubs: int) -> NDArray[np.int64]:
    """Cut ranks into ranges of about equal ends, all vertices counting as some; the first has `hubs` at least."""
    n = len(degree)
    if n == 0:
        return np.zeros(2, dtype=np.int64)
    unit = 1 << shift
    units = -(-n // unit)
    ranges = max(1, min(ranges, units))
    count = np.bincount(degree)[::-1]  # vertices of each degree, falling, as ranks are given
    cost = np.arange(len(count) - 1, -1, -1) + _VERTEX_ENDS
    before = np.concatenate([[0], np.cumsum(count * cost)])
    first = np.concatenate([[0], np.cumsum(count)])
    total = float(before[-1])
    at_hubs = int(np.searchsorted(first, hubs, side="right")) - 1
    held = float(before[at_hubs] + (hubs - first[at_hubs]) * cost[min(at_hubs, len(cost) - 1)])
    if held > total / ranges:
        marks = held + np.arange(ranges - 1) * ((total - held) / (ranges - 1))
    else:
        marks = np.arange(1, ranges) * (total / ranges)
    at = np.searchsorted(before, marks, side="right") - 1
    inner = (first[at] + (marks - before[at]) / cost[np.minimum(at, len(cost) - 1)]) / unit
    cuts = np.round(inner).astype(np.int64)
    # Every range has a unit at least: none before its number, none past what those after it need.
    least = np.arange(1, ranges)
    cuts = np.maximum.accumulate(np.maximum(cuts - least, 0)) + least if ranges > 1 else cuts
    cuts = np.minimum(cuts, units - ranges + least)
    return np.concatenate([[0], cuts * unit, [n]]).astype(np.int64)


def join(
    grid: Grid,
    keys: NDArray[np.int64],
    memory: int,
    *,
    ranks: int,
    held: int,
    fixed: bool,
    directed: bool,
    threads: int,
) -> NDArray[np.int64]:
    """Join fine ranges to as few as can be sorted and counted.

    Parameters
    ----------
    grid : Grid
    keys : int64 array, shape (cells,)
        Edges of each cell, with repeats.
    memory : int
        Bytes.
    ranks : int
        Of which are counted, from `ranks_counted`.
    held : int
        What sorting has beside what it works on.
    fixed : bool
        Whether the ranges were asked for: then they are as they are.
    directed : bool
    threads : int
        Of which counting has so many.

    Returns
    -------
    int64 array, shape (ranges + 1,)
        First fine range of each, and the end.

    Raises
    ------
    OutOfMemoryError
        Not even the finest can be; the message says what is needed.
    """
    fine = np.zeros((grid.ranges, grid.ranges), dtype=np.int64)
    fine[np.tril_indices(grid.ranges)] = keys
    least = None
    hubs = int(np.searchsorted(grid.cuts, ranks_of_hubs(int(grid.cuts[-1]), int(keys.sum()))))
    for ranges in (grid.ranges,) if fixed else range(1, grid.ranges + 1):
        for joined in (np.arange(grid.ranges + 1),) if fixed else _joins(grid.ranges, ranges, hubs):
            if np.diff(grid.cuts[joined]).max(initial=0) > _MOST_RANKS:
                continue
            layout = Layout(grid.cuts[joined], summed(fine, joined), directed, 0)
            counted = 0 if fixed else counting_bytes(without_leaves(layout, ranks), threads=threads)
            needed = max(sorting_bytes(layout) + held, counted + FLOOR_BYTES)
            if needed <= memory:
                return joined
            least = needed if least is None else min(least, needed)
    words = f"ranges={grid.ranges}: sorting the largest tile" if fixed else "sorting and counting the smallest tiles"
    raise OutOfMemoryError(f"memory={show_bytes(memory)}: {words} takes {show_bytes(least or 0)} at the least")


def _joins(fine: int, ranges: int, hubs: int) -> list[NDArray[np.int64]]:
    """Give ways to join fine ranges to so many: with all hubs in the first, if that makes a difference; evenly."""
    evenly = np.round(np.linspace(0, fine, ranges + 1)).astype(np.int64)
    if ranges == 1 or evenly[1] >= hubs or fine - hubs < ranges - 1:
        return [evenly]
    return [np.concatenate([[0], np.round(np.linspace(hubs, fine, ranges))]).astype(np.int64), evenly]


def summed(fine: NDArray[np.int64], joined: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up the cells of a fine grid that each tile joins."""
    return np.add.reduceat(np.add.reduceat(fine, joined[:-1], axis=0), joined[:-1], axis=1)


def sorting_bytes(layout: Layout) -> int:
    """Estimate the bytes that sorting the largest tile takes."""
    rows = np.diff(layout.cuts)[:, None]
    return int((SORT_KEY_BYTES * layout.tile_edges + SORT_ROW_BYTES * rows).max(initial=0))


def counting_bytes(layout: Layout, *, threads: int) -> int:
    """Estimate the bytes that counting the largest triple of tiles takes, and the counts at all vertices."""
    ranges, length = layout.ranges, np.diff(layout.cuts)
    size, edges = 8 * (length[:, None] + 1) + (5 if layout.directed else 4) * layout.tile_edges, layout.tile_edges
    i, j, k = (index.ravel() for index in np.indices((ranges, ranges, ranges), dtype=np.int16))
    triple = (i >= j) & (j >= k)
    i, j, k = i[triple], j[triple], k[triple]
    # Where two ranges are one, so are two of the tiles.
    tiles = size[i, j] + (j != k) * size[i, k] + (i != j) * size[j, k]
    joined = (i != k) * 5 * (edges[i, j] + (j != k) * edges[i, k] + (i != j) * edges[j, k])
    # A range that is u's and v's, and not w's, stands twice.
    vertices = length[k] + (j != k) * length[j] + (i != k) * length[i]
    working = joined + LIST_BYTES * edges[i, j] + (RANK_BYTES + _WORKER_BYTES * threads) * vertices
    return int((tiles + working).max(initial=0)) + 8 * layout.vertices
