"""Draw wedges from the rows of an oriented graph, and test whether they are closed.

Computes: for draw i a row u, two entries v > w of that row, and the code of the triad {u, v, w} if v and w are joined;
  sums over draws of the codes, and of the weights of closed wedges that the average clustering needs.
Requires: an oriented graph; the table of the weights of its rows (`choice`).
Idea: a triangle has three wedges, but only one of them lies in an oriented row: the one at its vertex of least degree.
  There are far fewer wedges in the rows than in the graph, since hubs have short rows, and a far larger share of them
  is closed. A row u is drawn with weight C(row, 2), so that every wedge has the same probability, or with weight
  C(row, 2) / C(degree, 2), for the mean of local coefficients. 64 wedges are drawn side by side: each step fetches what
  the next one reads, so that they wait for memory together.
Cost: about ten cache misses a draw, most of them at the same time as others.

References
----------
Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on large
graphs", Statistical Analysis and Data Mining 7, 294. Schank and Wagner (2005), "Approximating clustering coefficient
and transitivity", JGAA 9, 265.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.core.oriented import as_unsigned, frozen, int_zeros
from triadic.devices.cpu.draws.choice import (
    GROUP,
    GROUP_SHIFT,
    Draws,
    choice_table,
    cut_draws,
    drawn,
    group_of,
    two_places,
)
from triadic.devices.cpu.intrinsics import Whole, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, Uint8Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.draws.choice import ChoiceTable

    Ids = UnsignedArray

CODES = 64
UNIT = 1 << 20  # of the weights of closed wedges, which are whole numbers here so that sums are equal everywhere
WEIGHTS, SQUARES = CODES, CODES + 1  # columns after the counts by code
COLUMNS = CODES + 2
OPEN = -1
MUTUAL = np.int64(3)
BATCH = 64
_LARGEST_SHIFT = 32  # binary digits of the weight of a row


class WedgeRows(NamedTuple):
    """The rows of an oriented graph, and the degree of each rank; states are empty if it is undirected."""

    indptr: Int64Array
    degree: Int64Array
    indices: Ids
    state: Uint8Array


def weight_shift(vertices: int, *, local: bool) -> int:
    """Return the binary digits of the weights of rows for local coefficients, so that they add up to less than 2**62.

    Zero stands for the weights of wedges that all have the same probability.
    """
    return min(_LARGEST_SHIFT, 61 - vertices.bit_length()) if local else 0


def row_table(indptr: Int64Array, degree: Int64Array, *, local: bool, threads: int) -> ChoiceTable:
    """Return the table of the rows: each with the number of its wedges, or if `local`, that over the wedges at u."""
    shift = weight_shift(len(degree), local=local)

    def add_up(first: int, last: int, sums: Int64Array) -> None:
        add_row_weights(indptr, degree, first, last, shift, sums)

    return choice_table(len(degree), add_up, threads=threads, what="wedges")


def tally(
    oriented: Oriented,
    table: ChoiceTable,
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Draw the wedges `first` to `stop` - 1, and add up what they are.

    Parameters
    ----------
    oriented : Oriented
    table : ChoiceTable
        Of the rows, with the same `local`.
    key : int
        Key of the draws.
    first, stop : int
        Numbers of the draws.
    local : bool
        Whether to add up the weights of closed wedges.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (66,)
        Closed wedges by code, as in `triadic.core.triad_types`; the sum of the weights of closed wedges, in units of
        2**-20, and the sum of the squares of these weights.
    """
    graph = _arrays(oriented)
    shift = weight_shift(oriented.num_vertices, local=local)
    sums = int_zeros((threads, COLUMNS))

    def draw(worker: int, bounds: tuple[int, int]) -> None:
        tally_wedges(graph, table, shift, Draws(np.uint64(key), *bounds), sums[worker])

    blocks.run_cuts(draw, cut_draws(first, stop), threads=threads, progress=progress)
    return sums.sum(axis=0)


def draws(
    oriented: Oriented, table: ChoiceTable, key: int, numbers: Int64Array, *, threads: int
) -> tuple[Int64Array, Int64Array]:
    """Draw the wedges of some rising numbers, all with the same probability.

    Returns
    -------
    ranks : int64 array, shape (draws, 3)
        The ranks u > v > w of each.
    codes : int64 array, shape (draws,)
        The code of the triad, or -1 if v and w are not joined.
    """
    return drawn(partial(draw_wedges, _arrays(oriented), table, 0), 3, key, numbers, threads=threads)


def _arrays(oriented: Oriented) -> WedgeRows:
    """Return the arrays of a graph as kernels take them."""
    return WedgeRows(oriented.indptr, oriented.degree, as_unsigned(oriented.indices), states_of(oriented))


def states_of(oriented: Oriented) -> Uint8Array:
    """Return the states of the edges, empty for an undirected graph."""
    return frozen(np.zeros(0, np.uint8)) if oriented.state is None else oriented.state


@kernel
def row_weight(length: Whole, degree: Whole, shift: Whole) -> Whole:
    """Return the weight of a row: C(length, 2), or if `shift` is not 0, C(length, 2) / C(degree, 2) of 2**shift."""
    if length < 2:
        return 0
    if shift == 0:
        return length * (length - 1) >> 1
    share = (np.float64(length) * np.float64(length - 1)) / (np.float64(degree) * np.float64(degree - 1))
    return np.int64(share * np.float64(np.int64(1) << np.int64(shift))) + 1


@kernel
def add_row_weights(
    indptr: Int64Array,
    degree: Int64Array,
    first: int,
    last: int,
    shift: int,
    sums: Int64Array,
) -> None:
    """Write the sums of the weights of the rows of groups `first` to `last` - 1."""
    n = len(degree)
    for group in range(first, last):
        found = np.int64(0)
        for u in range(group << GROUP_SHIFT, min(n, (group + 1) << GROUP_SHIFT)):
            found += row_weight(indptr[u + 1] - indptr[u], degree[u], shift)
        sums[group] = found


@kernel
def find_batch(indptr: Int64Array, indices: Ids, size: int, ranks: Int64Array, spot: Int64Array) -> None:
    """Search the rows ``ranks[:, 1]`` for the entries ``ranks[:, 2]``, side by side.

    ``spot[2]`` receives the places of the entries in `indices`, -1 where there is none; ``spot[3]`` is room.
    """
    longest = 0
    for k in range(size):
        y = ranks[k, 1]
        spot[2, k] = indptr[y]
        spot[3, k] = indptr[y + 1] - indptr[y]
        longest = max(longest, spot[3, k])
        prefetch(indices, spot[2, k] + (spot[3, k] >> 1))
    while longest > 1:
        for k in range(size):
            length = spot[3, k]
            if length > 1:
                half = length >> 1
                start = spot[2, k]
                if np.int64(indices[start + half]) <= ranks[k, 2]:
                    start += half
                spot[2, k] = start
                spot[3, k] = length - half
                prefetch(indices, start + ((length - half) >> 1))
        longest -= longest >> 1
    for k in range(size):
        if spot[3, k] < 1 or np.int64(indices[spot[2, k]]) != ranks[k, 2]:
            spot[2, k] = -1


@kernel
def draw_wedges(
    rows: WedgeRows, table: ChoiceTable, shift: int, draws: Draws, ranks: Int64Array, codes: Int64Array
) -> None:
    """Write the ranks and the codes of some wedges, shape (draws, 3) and (draws,)."""
    indptr, degree, indices, state = rows
    key, first, last = draws
    # The rest of the number of each draw; places of two entries of its row, and of the entry that closes them.
    left, spot = np.empty(BATCH, np.uint64), np.empty((4, BATCH), np.int64)
    for start in range(first, last, BATCH):
        size = min(BATCH, last - start)
        batch, code = ranks[start - first :], codes[start - first :]
        for k in range(size):
            number = below(mix(mix(key + np.uint64(start + k) * GOLDEN)), table.total)
            group = group_of(table, number)
            left[k] = number - table.before[group]
            spot[0, k] = group << GROUP_SHIFT
            for ahead in range(0, GROUP, 8):
                prefetch(indptr, (group << GROUP_SHIFT) + ahead)
                if shift != 0:
                    prefetch(degree, (group << GROUP_SHIFT) + ahead)
        for k in range(size):
            u = spot[0, k]
            rest = left[k]
            while True:
                weight = np.uint64(row_weight(indptr[u + 1] - indptr[u], degree[u] if shift != 0 else 0, shift))
                if rest < weight:
                    break
                rest -= weight
                u += 1
            seed = mix(key + np.uint64(start + k) * GOLDEN)
            larger, smaller = two_places(seed, indptr[u + 1] - indptr[u])
            batch[k, 0] = u
            spot[0, k] = indptr[u] + larger
            spot[1, k] = indptr[u] + smaller
        for k in range(size):
            prefetch(indices, spot[0, k])
            prefetch(indices, spot[1, k])
        for k in range(size):
            batch[k, 1] = np.int64(indices[spot[0, k]])
            batch[k, 2] = np.int64(indices[spot[1, k]])
            prefetch(indptr, batch[k, 1])
        find_batch(indptr, indices, size, batch, spot)
        for k in range(size):
            code[k] = OPEN
            if spot[2, k] >= 0:
                if len(state) == 0:
                    code[k] = MUTUAL * 21
                else:
                    code[k] = (
                        np.int64(state[spot[0, k]]) + 4 * np.int64(state[spot[1, k]]) + 16 * np.int64(state[spot[2, k]])
                    )


@kernel
def tally_wedges(rows: WedgeRows, table: ChoiceTable, shift: int, draws: Draws, sums: Int64Array) -> None:
    """Add up some wedges: counts by code, and if `shift` is not 0, weights and their squares."""
    size, degree = draws.last - draws.first, rows.degree
    ranks, codes = np.empty((size, 3), np.int64), np.empty(size, np.int64)
    draw_wedges(rows, table, shift, draws, ranks, codes)
    for k in range(size):
        if codes[k] == OPEN:
            continue
        sums[codes[k]] += 1
        if shift != 0:
            weight = closed_weight(degree[ranks[k, 0]], degree[ranks[k, 1]], degree[ranks[k, 2]])
            sums[WEIGHTS] += np.int64(weight * UNIT + 0.5)
            sums[SQUARES] += np.int64(weight * weight * UNIT + 0.5)


@kernel
def closed_weight(u: int, v: int, w: int) -> float:
    """Return the sum of 1 / C(k, 2) over the three degrees k of a triangle, in units of that of the degree `u`."""
    pairs = np.float64(u) * np.float64(u - 1)
    return 1.0 + (pairs / (np.float64(v) * np.float64(v - 1)) + pairs / (np.float64(w) * np.float64(w - 1)))
