"""Preparation for counting triangles: the hubs' bit matrix, the middle lists, and blocks of equal work.

Computes: the number of hubs, by a cost model; where the hubs end in each row; the adjacency of the hubs as bits; lists
  of middle vertices for everything else; blocks of about equal estimated cost.
Requires: `oriented.Oriented`, or a `Part` of which some triangles alone are counted.
Idea: the first ranks are the hubs, and the graph between them is dense, so that a bit for each pair is small and a
  word of 64 pairs is one instruction. How many hubs pay depends on the graph: the model weighs the steps of both ways
  on a sample of rows.
Cost: one sort of the entries that are not in the matrix, and the matrix, at most 8 bytes an edge.

References
----------
Koohi Esfahani, Kilpatrick and Vandierendonck (2022), LOTUS, PPoPP, for counting between hubs apart, in a bit array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import Part, as_unsigned, frozen, middles_from, rows_counted, starts_of, thirds_below
from triadic.devices.cpu.intrinsics import Rows, aligned, position
from triadic.devices.cpu.orient.middle_lists import LIST, TEST, middle_lists, row_walks

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.intrinsics import TileRows

    Bounds = tuple[int, int]

# Up to this many hubs in a row, testing single bits of the matrix is faster than ANDing its words.
FEW = 24
# Words of a matrix row are read in groups of this size: four AVX-512 registers, the compiler's unrolled loop.
WORDS = 32

# Nanoseconds of the kernels' steps, as measured on one core (performance-diary.md). Only their ratios matter: they
# decide how many vertices are hubs and where blocks are cut, never what is counted.
WORD = 0.35  # a word of a matrix row, in groups of 32
_BIT = 1.5  # a single bit of the matrix tested
MATRIX_WORD = 3.0  # a word of the matrix allocated and filled
_ENTRY = 1.0  # an entry of a hub row read

_BLOCK = 20_000_000  # aimed block, in those nanoseconds: 20 ms
_BLOCKS_PER_THREAD = 8  # at least this many, to even out errors of the model
SAMPLE_ROWS = 1 << 11
HUBS = [0] + [1 << k for k in range(9, 18)]
_FEW_HUBS = 1 << 10  # whose matrix one thread fills sooner than several do
_EVEN_ROWS = 0.75  # n rows of m / n entries have m^2 / 2n pairs of entries; this is 1.5 times as many
_ONE = np.int64(1)

HUB_ROWS, WALKS, LISTS = range(3)  # kinds of blocks


class Tiles(NamedTuple):
    """The rows that blocks walk; those of a graph are all its own.

    Attributes
    ----------
    near, middle : Oriented or TileRows
        Rows of u, which are walked, and of v, which are marked.
    rows, middles : Rows
        The same, as kernels take them.
    split : int64 array, shape (rows,)
        Where the hubs of each row of u end, or where the entries begin whose own rows are walked.
    bits : int64 array, shape (hubs, words)
        The hubs' adjacency, symmetric.
    starts : tuple of int
        First local ranks of w, v and u.
    """

    near: Oriented | TileRows
    middle: Oriented | TileRows
    rows: Rows
    middles: Rows
    split: Int64Array
    bits: Int64Array
    starts: tuple[int, int, int]


class Block(NamedTuple):
    """What one call of a kernel counts.

    Attributes
    ----------
    kind : {HUB_ROWS, WALKS, LISTS}
    tiles : Tiles
    bounds : tuple of int
        First row, and the row after the last; of lists the v of the first list, the first list, the list after the
        last, and the rank up to which rows are walked, or `intrinsics.WHOLE`.
    """

    kind: int
    tiles: Tiles
    bounds: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TriangleWork:
    """An oriented graph made ready for the triangle kernels.

    Blocks are numbered through: the blocks of rows for the hub kernels first, then the blocks of lists.

    Attributes
    ----------
    listed : Oriented
        The graph.
    rows : Rows
    hubs : int
        Number of hubs, the first ranks.
    split : int64 array, shape (n,)
        Where the hubs of each row end.
    bits : int64 array, shape (hubs, words)
        The hubs' adjacency, symmetric.
    lists : Rows
        For each v the rows u that are walked up to v.
    hub_blocks : int64 array, shape (blocks + 1,)
        Cuts between rows, for the hub kernels.
    list_blocks : int64 array, shape (blocks + 1,)
        Cuts between lists, for the list kernels.
    list_vertex : int64 array, shape (blocks,)
        The v that each block of lists begins in.
    costs : int64 array, shape (hub blocks + list blocks,)
    below : int
        Rows are walked up to v, but never past this rank.
    walked_from : int64 array, shape (n,), optional
        Where the entries of each row begin whose own rows are walked instead, so that there are no lists: `list_blocks`
        are then cuts between rows.
    """

    listed: Oriented
    rows: Rows
    hubs: int
    split: Int64Array
    bits: Int64Array
    lists: Rows
    hub_blocks: Int64Array
    list_blocks: Int64Array
    list_vertex: Int64Array
    costs: Int64Array
    below: int
    walked_from: Int64Array | None = None

    @property
    def mark_words(self) -> int:
        """Number of 64-bit words of a worker's marks."""
        return (len(self.rows.indptr) // 64 // WORDS + 1) * WORDS

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return len(self.rows.indptr) - 1

    columns = ranks

    def block(self, number: int) -> Block:
        """Return a block."""
        graph, rows = self.listed, self.rows
        tiles = Tiles(graph, graph, rows, rows, self.split, self.bits, (0, 0, 0))
        first = number - self.num_hub_blocks
        if first < 0:
            return Block(HUB_ROWS, tiles, (self.hub_blocks[number], self.hub_blocks[number + 1]))
        bounds = self.list_blocks[first], self.list_blocks[first + 1]
        if self.walked_from is not None:
            return Block(WALKS, tiles._replace(split=self.walked_from), bounds)
        return Block(LISTS, tiles, (self.list_vertex[first], *bounds, self.below))

    @property
    def num_hub_blocks(self) -> int:
        """Number of blocks of rows for the hub kernels, the first blocks."""
        return len(self.hub_blocks) - 1


def bytes_to_prepare(sizes: Sizes, threads: int) -> int:  # noqa: ARG001 - threads share what is prepared
    """Return the bytes of the lists of triangle kernels while they are sorted, and of the matrix of hubs.

    Keys of 8 and ends of 4 bytes for each entry that is not a hub: nearly all entries of short rows, and few of long
    ones. The matrix has about 2 bytes an edge. Ends of hubs, pointers and lengths of lists have 30 bytes a vertex.
    """
    in_lists = min(1.0, 6 * sizes.edges / max(1.0, sizes.row_pairs))
    return round(30 * sizes.vertices + (2 + 12 * in_lists) * sizes.edges)


def bytes_to_count(sizes: Sizes, threads: int) -> int:
    """Return the bytes of what `prepare` makes with `without_lists`: no lists if lengths of rows differ little.

    `prepare` decides by sampled rows. Here a graph whose rows have at most 1.5 times as many pairs of entries as rows
    of equal lengths is taken to have no lists; pointers, costs and ends of hubs then take 40 bytes a vertex.
    """
    if sizes.row_pairs * sizes.vertices <= _EVEN_ROWS * sizes.edges**2:
        return 40 * sizes.vertices + 2 * sizes.edges
    return bytes_to_prepare(sizes, threads)


def rows_of(part: Oriented | TileRows) -> Rows:
    """Return the rows of a graph or a tile as kernels take them, read-only; no index can then be negative."""
    return Rows(frozen(part.indptr), as_unsigned(part.indices))


def prepare(oriented: Oriented, *, threads: int, hubs: int | None = None, without_lists: bool = False) -> TriangleWork:
    """Make an oriented graph ready for counting.

    Parameters
    ----------
    oriented : Oriented
    threads : int
    hubs : int, optional
        Number of hubs; chosen by the cost model by default.
    without_lists : bool, default False
        Whether the kernels can walk the rows of a row's entries, so that no lists by middle vertex are made where the
        cost model finds that this takes less time.
    """
    n = oriented.num_vertices
    hubs = choose_hubs(oriented) if hubs is None else min(hubs, n)
    rows = rows_of(oriented)
    split = hub_ends(rows, hubs, threads)
    bits = hub_matrix(rows, hubs, threads)

    walked_from = middles_from(oriented, rows.indptr, split)
    walks = None
    if without_lists and not isinstance(oriented, Part):
        walks = row_walks(*rows, walked_from)
    lists = middle_lists(*rows, walked_from, threads=threads) if walks is None else walks
    first, last = rows_counted(oriented)
    # Rows are cut by their number of hubs alone, although a row with few hubs costs a little less.
    near = split[first:last] - rows.indptr[first:last]
    hub_cost = starts_of(near * int(1 + hubs / 64 * WORD) + 1)
    total = int(lists.total_cost) + (int(hub_cost[-1]) if hubs else 0)
    aim = max(1, min(_BLOCK, total // (threads * _BLOCKS_PER_THREAD)))
    hub_blocks = blocks.cut(hub_cost, aim, most=1 << 16) if hubs else np.zeros(1, dtype=np.int64)
    list_blocks = lists.cut(max(1, min(-(-int(lists.total_cost) // aim), 1 << 16)))
    list_costs = np.diff(lists.cost_before(list_blocks))

    return TriangleWork(
        listed=oriented,
        rows=rows,
        hubs=hubs,
        split=split,
        bits=bits,
        lists=Rows(lists.ptr, lists.ends),
        hub_blocks=hub_blocks + first,
        list_blocks=list_blocks,
        list_vertex=np.searchsorted(lists.ptr, list_blocks[:-1], side="right") - 1,
        costs=np.concatenate([np.diff(hub_cost[hub_blocks]), list_costs]).astype(np.int64),
        below=thirds_below(oriented),
        walked_from=None if walks is None else frozen(walked_from),
    )


def choose_hubs(oriented: Oriented) -> int:
    """Return the number of hubs that is cheapest by the cost model on a sample of rows.

    The matrix takes at most 8 bytes an edge.
    """
    if isinstance(oriented, Part) and not oriented.hubs_pay:
        return 0
    return cheapest_hubs(rows_of(oriented), rows_counted(oriented), oriented.num_vertices, oriented.num_edges)


def cheapest_hubs(rows: Rows, bounds: Bounds, n: int, m: int) -> int:
    """Return the cheapest number of hubs among `n` columns for some rows, if the matrix may take 8 `m` bytes."""
    first, last = bounds
    step = max(1, -(-(last - first) // SAMPLE_ROWS))
    choices = np.array([hubs for hubs in HUBS if hubs <= n and hubs * hubs <= 64 * m], dtype=np.int64)
    costs = choices * (choices / 64 * MATRIX_WORD)
    if len(choices) > 1:
        add_sampled_costs(rows, (first + step // 2, last, step), choices, costs)
    return int(choices[np.argmin(costs)]) if len(choices) else 0


def hub_cost(near: Int64Array, hubs: int) -> Float64Array:
    """Return the estimated cost of the hub kernels in rows with `near` hubs, as `add_sampled_costs` adds it."""
    return np.where(near > FEW, near * (hubs / 64 * WORD + _ENTRY), near * (near - 1) * (0.5 * _BIT) + _ENTRY)


def hub_ends(rows: Rows, hubs: int, threads: int) -> Int64Array:
    """Return where the hubs of each row end: int64, shape (rows,)."""
    split = np.empty(len(rows.indptr) - 1, dtype=np.int64)
    cuts = blocks.cut(rows.indptr, blocks.piece(len(rows.indices)), most=1 << 20)
    blocks.run_cuts(lambda _, bounds: split_rows(rows, hubs, bounds, split), cuts, threads=threads)
    return split


def hub_matrix(rows: Rows, hubs: int, threads: int) -> Int64Array:
    """Return the adjacency of the hubs as bits, symmetric: int64, shape (hubs, words)."""
    words = -(-hubs // (64 * WORDS)) * WORDS
    bits: Int64Array = aligned((hubs, words))
    if hubs:
        cuts = blocks.cut_evenly(hubs, 4 * threads if hubs > _FEW_HUBS else 1)
        blocks.run_cuts(lambda _, bounds: fill_bits(rows, bounds, hubs, bits), cuts, threads=threads)
    return bits


@kernel
def add_sampled_costs(rows: Rows, sample: tuple[int, int, int], choices: Int64Array, costs: Float64Array) -> None:
    """Add the estimated cost of the rows, for which each `step`th row stands, for each number of hubs, which rise."""
    indptr, indices = rows
    first, last, step = sample
    for u in range(first, last, step):
        start = indptr[u]
        stop = indptr[u + 1]
        length = np.float64(stop - start)
        place = start
        for k in range(choices.size):
            hubs = choices[k]
            while place < stop and np.int64(indices[place]) < hubs:
                place += 1
            near = np.float64(place - start)
            tests = length * (length - 1.0) - near * (near - 1.0)
            words = near * (hubs / 64 * WORD + _ENTRY)
            single = near * (near - 1.0) * (0.5 * _BIT) + _ENTRY
            in_matrix = words if near > FEW else single
            costs[k] += step * (in_matrix + 0.5 * TEST * tests + LIST * (length - near))


@kernel
def split_rows(rows: Rows, hubs: int, bounds: Bounds, split: Int64Array) -> None:
    """Find where the hubs of each row end."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        split[u] = position(indices, indptr[u], indptr[u + 1], hubs)


@kernel
def fill_bits(rows: Rows, bounds: Bounds, hubs: int, bits: Int64Array) -> None:
    """Write some rows of the hub matrix: smaller hubs from the own row, larger ones from theirs."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            bits[u, v >> 6] |= _ONE << (v & 63)
    for u in range(first, hubs):
        for i in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[i])
            if v >= last:
                break
            if v >= first:
                bits[v, u >> 6] |= _ONE << np.int64(u & 63)
