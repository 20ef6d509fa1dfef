"""Hubs for counting triangles, and the blocks that `parts` cuts the work into.

Computes: the number of hubs, by a cost model; where the hubs end in each row; the adjacency of the hubs as bits.
Requires: rows of an oriented graph or of a tile.
Idea: the first ranks are the hubs, and the graph between them is dense, so that a bit for each pair is small and a
  word of 64 pairs is one instruction. How many hubs pay depends on the graph: the model weighs the steps of both ways
  on a sample of rows.
Cost: a sample of rows, a search in each row, and the matrix, at most 8 bytes an edge.

References
----------
Koohi Esfahani, Kilpatrick and Vandierendonck (2022), LOTUS, PPoPP, for counting between hubs apart, in a bit array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.intrinsics import Rows, aligned, position
from triadic.devices.cpu.orient.middle_lists import LIST, TEST

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


def bytes_to_prepare(sizes: Sizes, threads: int) -> int:  # noqa: ARG001 - threads share what is prepared
    """Return the bytes of the lists of triangle kernels while they are made, and of the matrix of hubs.

    Counters of at most 8 and ends of 4 bytes for each entry that is not a hub: nearly all entries of short rows, and
    few of long ones. The matrix has about 2 bytes an edge. Ends of hubs, and pointers of lists, have 30 bytes a vertex.
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


def cheapest_hubs(rows: Rows, n: int, m: int) -> int:
    """Return the number of hubs among `n` columns that is cheapest by the cost model on a sample of rows.

    The matrix takes at most 8 `m` bytes.
    """
    step = max(1, -(-(len(rows.indptr) - 1) // SAMPLE_ROWS))
    choices = np.array([hubs for hubs in HUBS if hubs <= n and hubs * hubs <= 64 * m], dtype=np.int64)
    costs = choices * (choices / 64 * MATRIX_WORD)
    if len(choices) > 1:
        add_sampled_costs(rows, step, choices, costs)
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
