"""What counting triangles prepares: hubs, lists by middle vertex, and the blocks that `parts` cuts the work into.

Computes: the number of hubs, by a cost model; where the hubs end in each row; the adjacency of the hubs as bits.
Requires: rows of an oriented graph or of a tile.
Idea: the first ranks are the hubs, and the graph between them is dense, so that a bit for each pair is small and a
  word of 64 pairs is one instruction. How many hubs pay depends on the graph: the model weighs the steps of both ways
  on a sample of rows.
Cost: a sample of rows, a search in each row, and the matrix, at most 8 bytes an edge.

Lists by middle vertex: for each v the larger ranks u joined to v; and when walking rows is faster than making them.

Computes: the columns of the oriented graph, or of a tile, sorted as its rows are, and the estimated cost of walking
  them.
Requires: rows of rising columns; for each row the entry from which on its columns are listed.
Idea: a column of the oriented graph holds the rows u that a list walk (`intrinsics`) reads for one set of marks. The
  entries are sorted by counting: one pass counts the columns, one writes each row at the next place of its column. The
  cost of a walk is the number of entries before v in row u, summed while columns are counted.
Cost: two passes over the rows; 4 bytes an entry, and 8 bytes a column for each piece of the rows.

When to walk the rows of a row's entries, instead of lists by middle vertex.

Computes: the estimated cost of walking N+(v) for each entry v of a row u, and whether it is below that of sorting the
  entries by v (`middle_lists`) and walking row u up to v.
Requires: rows of an oriented graph; for each row the entry from which on the rows of its entries are walked.
Idea: where degrees differ little, N+(v) is about as long as the part of row u below v, and the lists are not worth
  their sort. Next to hubs, N+(v) is much longer. The model weighs both on a sample of rows.
Cost: a sample of 2,048 rows, and one sum for each row. Sums over all rows are as good where all entries are walked.

References
----------
Koohi Esfahani, Kilpatrick and Vandierendonck (2022), LOTUS, PPoPP, for counting between hubs apart, in a bit array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import NO_NUMBERS, as_unsigned, frozen, int_empty, int_zeros, starts_of
from triadic.core.records import record
from triadic.devices.cpu.intrinsics import AHEAD_KEY, Rows, aligned, position, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array, UnsignedArray
    from triadic.core.oriented import Oriented, Sizes
    from triadic.devices.cpu.intrinsics import TileRows

    Bounds = tuple[int, int]
    Ids = UnsignedArray

# Nanoseconds of the steps of a walk, as measured on one core (performance-diary.md).
TEST = 2.0  # an entry walked and tested against the marks
LIST = 60.0  # a list begun

_GROUPS = 1 << 10
_CACHED = 1 << 14  # columns whose counters are in a core's cache, and are not fetched ahead
_PIECE = 1 << 18  # entries that make a further piece of rows pay
_SORTED = 20.0  # nanoseconds for an entry that is sorted by middle vertex, as measured on one core
FEW_ENTRIES = 1 << 14  # below which lists are made sooner than a sample is drawn
_NONE = NO_NUMBERS

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


def bytes_to_count(sizes: Sizes, threads: int) -> int:  # noqa: ARG001 - threads share what is prepared
    """Return the bytes of what `prepare` makes with `without_lists`: no lists if lengths of rows differ little.

    `prepare` decides by sampled rows. Here a graph whose rows have at most 1.5 times as many pairs of entries as rows
    of equal lengths is taken to have no lists; pointers, costs and ends of hubs then take 40 bytes a vertex.

    Lists have, while they are made, counters of at most 8 and ends of 4 bytes for each entry that is not a hub: nearly
    all entries of short rows, and few of long ones. The matrix of hubs has about 2 bytes an edge. Ends of hubs, and
    pointers of lists, have 30 bytes a vertex.
    """
    if sizes.row_pairs * sizes.vertices <= _EVEN_ROWS * sizes.edges**2:
        return 40 * sizes.vertices + 2 * sizes.edges
    in_lists = min(1.0, 6 * sizes.edges / max(1.0, sizes.row_pairs))
    return round(30 * sizes.vertices + (2 + 12 * in_lists) * sizes.edges)


def rows_of(part: Oriented | TileRows) -> Rows:
    """Return the rows of a graph or a tile as kernels take them, read-only; no index can then be negative."""
    return Rows(frozen(part.indptr), as_unsigned(part.indices))


def cheapest_hubs(rows: Rows, n: int, m: int) -> int:
    """Return the number of hubs among `n` columns that is cheapest by the cost model on a sample of rows.

    The matrix takes at most 8 `m` bytes.
    """
    step = max(1, -(-(len(rows.indptr) - 1) // SAMPLE_ROWS))
    choices = np.array([hubs for hubs in HUBS if hubs <= n and hubs * hubs <= 64 * m], np.int64)
    costs = choices * (choices / 64 * MATRIX_WORD)
    if len(choices) > 1:
        add_sampled_costs(rows, step, choices, costs)
    return int(choices[np.argmin(costs)]) if len(choices) else 0


def ends_below(rows: Rows, below: int, threads: int) -> Int64Array:
    """Return where the columns less than `below` of each row end, such as those of hubs: int64, shape (rows,)."""
    split = int_empty(len(rows.indptr) - 1)
    cuts = blocks.cut(rows.indptr)
    blocks.run_cuts(lambda _, bounds: split_rows(rows, below, bounds, split), cuts, threads=threads)
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
def add_sampled_costs(rows: Rows, step: int, choices: Int64Array, costs: Float64Array) -> None:
    """Add the estimated cost of the rows, for which each `step`th row stands, for each number of hubs, which rise."""
    indptr, indices = rows
    for u in range(step // 2, indptr.size - 1, step):
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
def split_rows(rows: Rows, below: int, bounds: Bounds, split: Int64Array) -> None:
    """Find where the columns less than `below` of each row end."""
    indptr, indices = rows
    first, last = bounds
    for u in range(first, last):
        split[u] = position(indices, indptr[u], indptr[u + 1], below)


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


# Lists by middle vertex


@record
class MiddleLists:
    """Lists of ends by middle vertex.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the list of each v begins.
    ends : uint32 or uint64 array, shape (lists,)
        The row u of each entry of the lists, rising within a list.
    """

    ptr: Int64Array
    ends: Ids
    _group_start: Int64Array
    _group_cost: Float64Array

    @property
    def total_cost(self) -> float:
        """Estimated cost of walking all lists, in nanoseconds."""
        return float(self._group_cost[-1])

    def cost_before(self, entries: Int64Array) -> Float64Array:
        """Return the estimated cost of the lists before each of these places in `ends`; rising with the place."""
        return np.interp(entries, self._group_start, self._group_cost)

    def cut(self, count: int, first: int = 0) -> Int64Array:
        """Cut `ends` from `first` on into about `count` blocks of about equal cost: int64, shape (blocks + 1,)."""
        begin = np.interp(first, self._group_start, self._group_cost)
        marks = np.linspace(begin, self.total_cost, count + 1)
        cuts = np.interp(marks, self._group_cost, self._group_start).astype(np.int64)
        cuts[0] = first
        return np.unique(np.maximum(cuts, first))


def middle_lists(
    indptr: Int64Array, indices: Ids, walked_from: Int64Array, *, columns: int | None = None, threads: int
) -> MiddleLists:
    """List by middle vertex the entries from `walked_from` on, int64 of shape (rows,), to the end of each row.

    `columns` is the number of middle vertices, by default that of rows.
    """
    rows, walked_from, entries = Rows(indptr, indices), frozen(walked_from), len(indices)
    columns = len(walked_from) if columns is None else columns
    cuts = blocks.cut(indptr, 1, most=int(max(1, min(threads, entries // max(_PIECE, columns)))))
    place = int_zeros((max(1, len(cuts) - 1), columns))
    # Lists of one group of middle vertices are taken to cost the same.
    group_shift = max(0, columns.bit_length() - _GROUPS.bit_length() + 1)
    first = np.minimum(np.arange((columns >> group_shift) + 2) << group_shift, columns)
    tests = int_zeros((len(place), len(first) - 1))

    def count(_: int, b: int) -> None:
        count_columns(rows, walked_from, (cuts[b], cuts[b + 1]), group_shift, place[b], tests[b])

    blocks.run(count, len(cuts) - 1, threads=threads)
    ptr = starts_of(sum(place[1:], start=place[0]))
    begin = ptr[:-1]
    for piece in place:
        begin, piece[:] = begin + piece, begin
    ends = np.empty(int(ptr[-1]), indices.dtype)

    def write(_: int, b: int) -> None:
        write_rows(rows, walked_from, (cuts[b], cuts[b + 1]), place[b], ends)

    blocks.run(write, len(cuts) - 1, threads=threads)
    start = ptr[first]
    cost = LIST * np.diff(start) + TEST * tests.sum(axis=0)
    return MiddleLists(ptr, frozen(ends), start, np.concatenate([[0.0], np.cumsum(cost)]))


@kernel
def count_columns(
    rows: Rows, walked_from: Int64Array, bounds: Bounds, group_shift: int, counts: Int64Array, tests: Int64Array
) -> None:
    """Count the listed entries of some rows by column, and the tests of their walks by groups of columns."""
    indptr, indices = rows
    first, last = bounds
    until = indices.size - AHEAD_KEY if counts.size > _CACHED else 0
    for u in range(first, last):
        for i in range(walked_from[u], indptr[u + 1]):
            if i < until:
                prefetch(counts, np.int64(indices[i + AHEAD_KEY]))
            v = np.int64(indices[i])
            counts[v] += 1
            tests[v >> group_shift] += i - indptr[u]


@kernel
def write_rows(rows: Rows, walked_from: Int64Array, bounds: Bounds, place: Int64Array, ends: Ids) -> None:
    """Write the row of each listed entry at the next free place of its column."""
    indptr, indices = rows
    first, last = bounds
    until = indices.size - 2 * AHEAD_KEY if place.size > _CACHED else 0
    for u in range(first, last):
        for i in range(walked_from[u], indptr[u + 1]):
            if i < until:
                prefetch(place, np.int64(indices[i + 2 * AHEAD_KEY]))
                prefetch(ends, place[np.int64(indices[i + AHEAD_KEY])])
            v = np.int64(indices[i])
            free = place[v]
            ends[free] = u
            place[v] = free + 1


def row_walks(indptr: Int64Array, indices: Ids, walked_from: Int64Array) -> MiddleLists | None:
    """Return the walks of rows, or None if lists by middle vertex take less time, by a sample of the rows."""
    if len(indices) < FEW_ENTRIES:
        return None
    n = len(walked_from)
    step = max(1, -(-n // SAMPLE_ROWS))
    entries, length, below = sampled_walks(indptr, indices, frozen(walked_from), step)
    if TEST * length >= TEST * below + _SORTED * entries:
        return None
    return walks_from(indptr, indices, walked_from, length / entries)


def walks_from(indptr: Int64Array, indices: Ids, walked_from: Int64Array, length: float) -> MiddleLists:
    """Return the walks of the rows of all entries from `walked_from` on, whose mean length is given.

    They have no lists: their costs, and the places that they are cut at, are those of rows.
    """
    listed = np.maximum(indptr[1:] - walked_from, 0)
    cost = np.concatenate([[0.0], np.cumsum(listed * (LIST + TEST * length))])
    return MiddleLists(_NONE, indices[:0], np.arange(len(cost)), cost)


@kernel
def sampled_walks(indptr: Int64Array, indices: Ids, walked_from: Int64Array, step: int) -> tuple[int, int, int]:
    """Return, of each `step`th row, the entries from `walked_from` on, and the tests of their walks in both ways.

    The tests are the lengths of the entries' rows, and the numbers of entries before them in their own row.
    """
    entries = 0
    length = 0
    below = 0
    for u in range(step // 2, walked_from.size, step):
        for i in range(walked_from[u], indptr[u + 1]):
            v = np.int64(indices[i])
            entries += 1
            length += indptr[v + 1] - indptr[v]
            below += i - indptr[u]
    return entries, length, below
