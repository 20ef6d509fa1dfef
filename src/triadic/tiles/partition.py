"""The partition of ranks into ranges: number, boundaries, and the memory that tiling and counting then need.

The sizes of tiles are known only after all edges were read. So arcs are first bucketed by a fine grid, whose ranges
have so few ends of edges that the keys of any cell can be sorted in the given memory. Then neighbouring fine ranges are
joined to the fewest ranges for which tiling and counting fit into the memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import show_bytes
from triadic.core.oriented import int_zeros, starts_of
from triadic.core.records import record
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.tiles import work
from triadic.tiles.layout import UNKNOWN_LIMITS, Layout, number_of_hubs
from triadic.tiles.work import LIST_BYTES, MATRIX_BYTES, SLOT_BYTES, counting_bytes

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, Uint8Array

MOST_RANGES = 255  # numbers of ranges are bytes while arcs are bucketed
MOST_FINE = 64  # with more fine ranges, the runs of keys become too short for fast writes
# Ends of edges in a fine range, about: a tile is sorted one fine range of rows at a time, in the same memory.
_STRIP_ENDS = 1 << 22
# The local ranks of a triple, those of three ranges, are int32.
MOST_RANKS = ((1 << 31) - 1) // 3
# Cuts with all hubs in the first range are preferred to even cuts even if they make up to this many times the ranges.
WORTH_HUBS = 2
_TABLE = 1 << 18  # most entries of the table from ranks to ranges
# Ends of edges that take about as much memory in counting as one vertex of a range.
_VERTEX_ENDS = 8

# Bytes of a key in the sort of a tile: its column and perhaps its state; more while its strip is sorted, which are the
# key as it was read and in its bucket, and counts of keys. Bytes of a row.
COLUMN_BYTES, STRIP_KEY_BYTES, SORT_ROW_BYTES = 4, 13, 24
_SORT_KEY_BYTES = COLUMN_BYTES + STRIP_KEY_BYTES
# Bytes of a key with a weight while its strip is sorted: key and weight as they were read and in their bucket, and
# counts of keys; in a directed graph also the weight of the arc in the other direction.
_WEIGHTED_STRIP_BYTES, _BACKWARD_BYTES = 33, 8
# Bytes of a name of ten letters: the string, its number, its entry in a growing dictionary, and its copy in UTF-8.
NAME_BYTES = 300
_HELD_ARC_BYTES = 8  # bytes of an arc whose key stays in memory, and as many of its weight
# Weights of an edge, and bytes of a key with weights in the sort of a tile, at most: those of a directed graph.
_WEIGHT_BYTES = 16
_WEIGHTED_SORT_BYTES = COLUMN_BYTES + 1 + _WEIGHT_BYTES + _WEIGHTED_STRIP_BYTES + _BACKWARD_BYTES
# Bytes held for a network of any size: pieces of the input, tables of buckets.
FLOOR_BYTES = 32 << 20


@record
class DegreeCounts:
    """How many vertices have each degree, with repeated arcs.

    Attributes
    ----------
    values : int64 array
        The degrees that occur, falling.
    counts : int64 array
        Number of vertices of each degree.
    """

    values: Int64Array
    counts: Int64Array

    @classmethod
    def of(cls, degree: Int64Array) -> DegreeCounts:
        """Return the counts of an array of degrees."""
        counts = np.bincount(degree)
        values = np.flatnonzero(counts)[::-1]
        return cls(values, counts[values])

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return int(self.counts.sum())

    @property
    def ends(self) -> int:
        """Number of ends of edges."""
        return int((self.values * self.counts).sum())

    @property
    def counted(self) -> int:
        """Number of vertices of degree 2 or more."""
        return int(self.counts[self.values >= 2].sum())


@record
class Grid:
    """Ranges of ranks, and the cells that pairs of ranges form.

    Attributes
    ----------
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices.
    shift : int
        All cuts except the last are multiples of 2**shift.
    """

    cuts: Int64Array
    shift: int

    @property
    def ranges(self) -> int:
        """Number of ranges."""
        return len(self.cuts) - 1

    @property
    def cells(self) -> int:
        """Number of cells; cell (i, j), j <= i, has number i (i + 1) / 2 + j."""
        return self.ranges * (self.ranges + 1) // 2

    def range_of(self) -> Uint8Array:
        """Return the range of each block of 2**shift ranks: uint8, shape (blocks,)."""
        units = -(-self.cuts // (1 << self.shift))
        return np.repeat(np.arange(self.ranges, dtype=np.uint8), np.diff(units))

    def as_matrix(self, keys: Int64Array) -> Int64Array:
        """Return the number of keys of each cell, in order of cells, as a matrix of shape (ranges, ranges)."""
        matrix = int_zeros((self.ranges, self.ranges))
        matrix[np.tril_indices(self.ranges)] = keys
        return matrix


def rank_bytes(n: int) -> int:
    """Return the number of bytes of the ranks of `n` vertices."""
    return (4 if n < 2**31 else 8) * n


def vertex_bytes(n: int, most: int, label_bytes: int) -> int:
    """Estimate the bytes held for `n` vertices while they are ranked; `most` is the largest degree."""
    return 8 * n + rank_bytes(n) + 8 * most + label_bytes


def held_arc_bytes(*, weighted: bool) -> int:
    """Return the bytes of an arc that stays in memory until tiles are sorted."""
    return _HELD_ARC_BYTES * (2 if weighted else 1)


def strip_key_bytes(layout: Layout) -> int:
    """Return the bytes that a key takes while its strip is sorted, beside those of the sorted tile."""
    if not layout.weighted:
        return STRIP_KEY_BYTES
    return _WEIGHTED_STRIP_BYTES + (_BACKWARD_BYTES if layout.directed else 0)


def holds_edges(arcs: int, n: int, memory: int, *, weighted: bool) -> bool:
    """Return whether the keys of `arcs` arcs on `n` vertices are held and sorted in memory, even as a single tile.

    They may take half of the memory that vertices leave, because memory that reading and bucketing free is not returned
    to the operating system at once.
    """
    room = memory - FLOOR_BYTES - 8 * n - rank_bytes(n)
    held = held_arc_bytes(weighted=weighted) * arcs
    return held + most_sorting_bytes(arcs, n, weighted=weighted) <= room // 2


def room_to_keep(memory: int) -> int:
    """Return the number of bytes that a stream may hold of the arcs of its first pass.

    An arc takes at least 8 bytes, and there are at most two vertices an arc, which take 20 bytes each while they are
    ranked. So a sixth of the memory always leaves room for the vertices.
    """
    return max(0, memory - FLOOR_BYTES) // 6


def fine_grid(
    known: DegreeCounts,
    ranges: int | None,
    memory: int,
    *,
    threads: int,
    least: int = 1,
    most: int = MOST_FINE,
    spread: bool = False,
    weighted: bool,
) -> Grid:
    """Choose fine ranges so that the tile of any two can be sorted, and the triple of any three counted, in `memory`.

    Parameters
    ----------
    known : DegreeCounts
        How many vertices have each degree.
    ranges : int or None
        Number of ranges, at most that of vertices; chosen if None.
    memory : int
        Bytes.
    threads : int
        Number of threads that count.
    least, most : int
        Smallest and largest number of ranges to choose.
    spread : bool
        Whether the counts of all vertices are spread over the workers of a cluster, and not in `memory`.
    weighted : bool
        Whether tiles have weights.

    Raises
    ------
    ArgumentError
        A range would have too many vertices.
    """
    n, ends, counted = known.vertices, known.ends, known.counted
    # On a cluster a vertex costs at least as many ends as it has on average: then no range has more than twice its
    # share of the vertices, or of the ends.
    of_vertex = max(_VERTEX_ENDS, ends // max(1, n)) if spread and ranges is None else _VERTEX_ENDS
    first = number_of_hubs(n, ends // 2) if ranges is not None and ranges > 1 else 0

    def most_bytes(ranges: int) -> int:
        """Return the bytes that sorting and counting may take in the worst case of edges between the ranges."""
        in_range = (ends + of_vertex * n) // ranges
        edges = ends // 2 if ranges == 1 else in_range
        vertices = min(n, in_range // of_vertex)
        bytes_of_edge = 5 + (_WEIGHT_BYTES if weighted else 0)
        bytes_of_vertex = 8 + 8 + SLOT_BYTES * threads + 16 * (threads + 1)
        tiles = min(3, ranges) * (bytes_of_edge * edges + bytes_of_vertex * min(counted, vertices))
        count = tiles + (LIST_BYTES + MATRIX_BYTES) * edges + (0 if spread else 8 * counted)
        return max(most_sorting_bytes(edges, vertices, weighted=weighted), count)

    if ranges is None:
        ranges = 1
        while ranges < min(most, n) and most_bytes(ranges) > memory:
            ranges += 1
        ranges = max(ranges, least, min(most, ends // _STRIP_ENDS))
    shift = max(0, (n - 1).bit_length() - _TABLE.bit_length() + 1)
    cuts = cut_ranks(known, max(1, min(ranges, n)), shift, first, of_vertex)
    longest = int(np.diff(cuts).max(initial=0))
    if longest > MOST_RANKS:
        raise ArgumentError(f"ranges={ranges}: a range has {longest:,} vertices; expected at most {MOST_RANKS:,}")
    return Grid(cuts, shift)


def check_ranges(ranges: int | None) -> None:
    """Raise ArgumentError for an invalid number of ranges."""
    if ranges is not None and (type(ranges) is not int or not 1 <= ranges <= MOST_RANGES):
        raise ArgumentError(f"ranges={ranges!r}: expected None or a whole number from 1 to {MOST_RANGES}")


def cut_ranks(degree: DegreeCounts, ranges: int, shift: int, hubs: int, vertex_cost: int) -> Int64Array:
    """Cut ranks into ranges of about equal ends of edges; the first has at least `hubs` ranks.

    A vertex costs the ends of its edges and `vertex_cost` more. Cuts are multiples of 2**shift. Costs are summed by
    degree, of which there are far fewer values than vertices, and interpolated among vertices of the same degree.
    """
    n = degree.vertices
    if n == 0:
        return int_zeros(2)
    unit = 1 << shift
    units = -(-n // unit)
    ranges = max(1, min(ranges, units))
    count, cost = degree.counts, degree.values + vertex_cost  # by falling degree, the order of ranks
    before, first = starts_of(count * cost), starts_of(count)
    total = float(before[-1])
    last = int(np.searchsorted(first, hubs, side="right")) - 1
    hub_cost = float(before[last] + (hubs - first[last]) * cost[min(last, len(cost) - 1)])
    if hub_cost > total / ranges:
        marks = hub_cost + np.arange(ranges - 1) * ((total - hub_cost) / (ranges - 1))
    else:
        marks = np.arange(1, ranges) * (total / ranges)
    group = np.searchsorted(before, marks, side="right") - 1
    inner = (first[group] + (marks - before[group]) / cost[np.minimum(group, len(cost) - 1)]) / unit
    cuts = np.round(inner).astype(np.int64)
    # Every range has at least one unit, and leaves at least one to each later range.
    least = np.arange(1, ranges)
    cuts = np.maximum.accumulate(np.maximum(cuts - least, 0)) + least if ranges > 1 else cuts
    cuts = np.minimum(cuts, units - ranges + least)
    return np.concatenate([[0], cuts * unit, [n]]).astype(np.int64)


def join(
    grid: Grid,
    fine: Int64Array,
    memory: int,
    *,
    ranks: int,
    held: int,
    fixed: bool,
    directed: bool,
    threads: int,
    both_ends: bool = False,
    least_ranges: int = 1,
    spread: bool = False,
    weighted: bool = False,
) -> Int64Array:
    """Join fine ranges to the fewest ranges whose tiles can be sorted and counted.

    Even cuts are taken only if cuts that begin with all hubs do not fit, or make more than twice as many ranges.

    Parameters
    ----------
    grid : Grid
        The fine ranges.
    fine : int64 array, shape (fine ranges, fine ranges)
        Number of edges of each cell, with repeats.
    memory : int
        Bytes.
    ranks : int
        Number of ranks that are counted: those of degree 2 or more, with repeated arcs.
    held : int
        Bytes that are held while a tile is sorted, beside the memory of the sort.
    fixed : bool
        Whether the caller chose the ranges: then none are joined.
    directed : bool
        Whether tiles store the directions of arcs.
    threads : int
        Number of threads that count.
    both_ends : bool
        Whether each edge has two keys, because the source stores it at both its ends.
    least_ranges : int
        Fewest ranges to join to, if there are as many fine ranges.
    spread : bool
        Whether the counts of all vertices are spread over the workers of a cluster.
    weighted : bool
        Whether tiles have weights.

    Returns
    -------
    int64 array, shape (ranges + 1,)
        First fine range of each range, and the number of fine ranges.

    Raises
    ------
    OutOfMemoryError
        The memory is too small even for the fine ranges; the message has the memory needed.
    """
    least, even = None, None
    most_edges = int(fine.sum()) // (2 if both_ends else 1)
    hubs = int(np.searchsorted(grid.cuts, number_of_hubs(int(grid.cuts[-1]), most_edges)))
    for ranges in (grid.ranges,) if fixed else range(min(least_ranges, grid.ranges), grid.ranges + 1):
        if even is not None and ranges > WORTH_HUBS * (len(even) - 1):
            return even
        for joined in (np.arange(grid.ranges + 1),) if fixed else _joins(grid.ranges, ranges, hubs):
            if np.diff(grid.cuts[joined]).max(initial=0) > MOST_RANKS:
                continue
            limits = UNKNOWN_LIMITS if weighted else None
            layout = Layout(grid.cuts[joined], sum_cells(fine, joined), directed, 0, weight_limits=limits)
            needed = held + int(sorting_bytes(layout, strips_of(fine, joined)).max())
            if not fixed:
                counting = bytes_to_count(layout, ranks, threads=threads, both_ends=both_ends, spread=spread)
                needed = max(needed, counting)
            if needed <= memory and (fixed or ranges == 1 or joined[1] >= hubs):
                return joined
            if needed <= memory and even is None:
                even = joined
            least = needed if least is None else min(least, needed)
    if even is not None:
        return even
    words = f"ranges={grid.ranges}: sorting the largest tile" if fixed else "sorting and counting the smallest tiles"
    raise OutOfMemoryError(f"memory={show_bytes(memory)}: {words} takes at least {show_bytes(least or 0)}")


def bytes_to_count(keys: Layout, ranks: int, *, threads: int, both_ends: bool, spread: bool) -> int:
    """Return the bytes that counting one number at each of the first `ranks` ranks takes.

    `keys` is a layout with the numbers of keys of tiles, of which an edge has two if the source has `both_ends`. With
    `spread`, the workers of a cluster hold the counts of all ranks.
    """
    edges = -(-keys.tile_edges // 2) if both_ends else keys.tile_edges
    layout = replace(keys, tile_edges=edges).first_ranks(ranks)
    held_elsewhere = 8 * layout.vertices if spread else 0
    return work.COUNT_FLOOR + counting_bytes(layout, threads=threads) - held_elsewhere


def _joins(fine: int, ranges: int, hubs: int) -> list[Int64Array]:
    """Return one or two ways to join fine ranges to `ranges` ranges: with all hubs in the first, and evenly."""
    evenly = np.round(np.linspace(0, fine, ranges + 1)).astype(np.int64)
    if ranges == 1 or evenly[1] >= hubs or fine - hubs < ranges - 1:
        return [evenly]
    return [np.concatenate([[0], np.round(np.linspace(hubs, fine, ranges))]).astype(np.int64), evenly]


def sum_cells(fine: Int64Array, joined: Int64Array) -> Int64Array:
    """Return the sum over the cells of a fine grid that each tile joins: int64, shape (ranges, ranges)."""
    return np.add.reduceat(np.add.reduceat(fine, joined[:-1], axis=0), joined[:-1], axis=1)


def strips_of(fine: Int64Array, joined: Int64Array) -> Int64Array:
    """Return the most keys of each tile that are sorted together: int64, shape (ranges, ranges).

    Parameters
    ----------
    fine : int64 array, shape (fine ranges, fine ranges)
        Number of keys of each cell.
    joined : int64 array, shape (ranges + 1,)
        First fine range of each range, and the number of fine ranges.
    """
    of_rows = np.add.reduceat(fine, joined[:-1], axis=1)
    return np.maximum.reduceat(of_rows, joined[:-1], axis=0)


def expected_strips(layout: Layout) -> Int64Array:
    """Estimate the most keys of each tile that are sorted together, without the cells of a fine grid.

    All fine ranges have about equal numbers of ends of edges. The rows of one have at most as many keys as it has ends.
    """
    ends = 2 * layout.edges
    fine = max(layout.ranges, min(MOST_FINE, ends // _STRIP_ENDS))
    return np.minimum(layout.tile_edges, -(-ends // fine))


def most_sorting_bytes(keys: int, rows: int, *, weighted: bool) -> int:
    """Return the bytes that sorting a tile takes if all its keys are sorted together."""
    return (_WEIGHTED_SORT_BYTES if weighted else _SORT_KEY_BYTES) * keys + SORT_ROW_BYTES * rows


def sorting_bytes(layout: Layout, strips: Int64Array) -> Int64Array:
    """Estimate the bytes that sorting each tile takes: int64, shape (ranges, ranges).

    Parameters
    ----------
    layout : Layout
        The ranges, with the numbers of keys of tiles.
    strips : int64 array, shape (ranges, ranges)
        The most keys of each tile that are sorted together, from `strips_of` or `expected_strips`.
    """
    rows = np.tril(np.broadcast_to(np.diff(layout.cuts)[:, None], strips.shape))
    of_strip = strip_key_bytes(layout) * strips
    return layout.edge_bytes * layout.tile_edges + of_strip + SORT_ROW_BYTES * rows
