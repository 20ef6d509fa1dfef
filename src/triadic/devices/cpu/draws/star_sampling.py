"""Draw wedges and stars by their middle vertex, and tell which triads and subgraphs they induce.

Computes: for each class of vertices, such as those of one degree, the number of closed wedges among some draws: a
  vertex of the class, then two of its neighbours, all with equal probabilities.
Requires: the neighbours of all ranks (`choice`); ranks sorted by class.
Idea: the mean local coefficient of the vertices of a class is the probability that such a wedge is closed.
Cost: some ten cache misses a draw. A vertex with fewer than two neighbours has no wedge, and counts as open.

Choose random wedges whose middle lies in one range of rows, out of the wedges of a whole graph.

Computes: of the draws `first` to ``first + count - 1`` of a graph, those whose row is in the range, with their rows and
  the two places in them.
Requires: the weights of the rows of the range as sums before each row, the weight of all rows before the range, and the
  weight of all rows of the graph.
Idea: a draw is a hash of its number, so that each range finds its own draws from the weights alone. Together
  they are those of `triadic.devices.cpu.draws.wedge_sampling`, whose weights and places of entries these are.
Cost: two hashes for each draw of the graph, and a binary search for each draw of the range.

Draw stars of two or three edges, and tell which triads and subgraphs the vertices of draws induce.

Computes: for draw i a centre with weight C(degree, leaves), and `leaves` of its neighbours, with equal probabilities;
  the codes of triads.
Requires: the neighbours of all ranks (`choice`); sums of the weights before each rank.
Idea: a wedge is a star of two edges. Draws are rejected by the caller until each subgraph has the same probability.
Cost: a binary search of the sums, and one of an oriented row for each pair of vertices that is tested.

References
----------
Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on large
graphs", Statistical Analysis and Data Mining 7, 294, for coefficients by degree. Floyd's method for different places:
Bentley and Floyd (1987), "Programming pearls: a sample of brilliance", Communications of the ACM 30, 754.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, PROBABILITY_SHIFT, below, draw, mix
from triadic.core.oriented import int_zeros, starts_of
from triadic.devices.cpu.draws.choice import Draws, cut_draws, entry_of, neighbour, place_below, two_places
from triadic.devices.cpu.draws.wedge_sampling import MUTUAL, find_batch, row_weight
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array, Uint8Array, Uint64Array, UnsignedArray
    from triadic.devices.cpu.draws.choice import Neighbours

    Ids = UnsignedArray

BATCH = 64
_CLASS_SHIFT = np.uint64(40)  # draws of a class have numbers below 2**40


class Classes(NamedTuple):
    """Ranks sorted by class, where each class begins, its first draw, and the number of draws before its own."""

    members: Int64Array
    start: Int64Array
    first: Int64Array
    before: Int64Array


def closed_by_class(
    rows: Neighbours,
    members: Int64Array,
    class_start: Int64Array,
    key: int,
    first: Int64Array,
    stop: Int64Array,
    *,
    threads: int,
) -> Int64Array:
    """Count the closed wedges among the draws `first` to `stop` - 1 of each class.

    Parameters
    ----------
    rows : Neighbours
    members : int64 array, shape (n,)
        Ranks, sorted by class.
    class_start : int64 array, shape (classes + 1,)
        Where each class begins in `members`.
    key : int
        Key of the draws.
    first, stop : int64 array, shape (classes,)
        Numbers of the draws.
    threads : int

    Returns
    -------
    int64 array, shape (classes,)
    """
    before = starts_of(stop - first)
    sums = int_zeros((threads, len(first)))
    classes = Classes(members, class_start, first, before)

    def count(worker: int, bounds: tuple[int, int]) -> None:
        start = int(np.searchsorted(before, bounds[0], side="right")) - 1
        count_closed(rows, classes, Draws(np.uint64(key), *bounds), start, sums[worker])

    blocks.run_cuts(count, cut_draws(0, int(before[-1])), threads=threads)
    return sums.sum(axis=0)


@kernel
def count_closed(rows: Neighbours, of_class: Classes, draws: Draws, start_class: int, sums: Int64Array) -> None:
    """Add the closed wedges among some draws, numbered through all classes."""
    indptr, indices, list_ptr, _ = rows
    members, class_start, first, before = of_class
    key, begin, end = draws
    ranks = np.empty((BATCH, 3), np.int64)
    spot = np.empty((4, BATCH), np.int64)
    classes = np.empty(BATCH, np.int64)
    seeds = np.empty(BATCH, np.uint64)
    group = start_class
    for start in range(begin, end, BATCH):
        size = min(BATCH, end - start)
        for k in range(size):
            while before[group + 1] <= start + k:
                group += 1
            classes[k] = group
            number = (np.uint64(group) << _CLASS_SHIFT) + np.uint64(first[group] + start + k - before[group])
            seeds[k] = mix(key + number * GOLDEN)
            there = class_start[group] + place_below(mix(seeds[k]), class_start[group + 1] - class_start[group])
            ranks[k, 0] = members[there]
            prefetch(indptr, ranks[k, 0])
            prefetch(list_ptr, ranks[k, 0])
        wedges = 0
        for k in range(size):
            v = ranks[k, 0]
            degree = indptr[v + 1] - indptr[v] + list_ptr[v + 1] - list_ptr[v]
            if degree < 2:
                continue
            larger, smaller = two_places(seeds[k], degree)
            # Neighbours rise by rank, so the one at the larger place has the row that is searched.
            ranks[wedges, 1] = neighbour(rows, v, larger)
            ranks[wedges, 2] = neighbour(rows, v, smaller)
            classes[wedges] = classes[k]
            prefetch(indptr, ranks[wedges, 1])
            wedges += 1
        find_batch(indptr, indices, wedges, ranks, spot)
        for k in range(wedges):
            if spot[2, k] >= 0:
                sums[classes[k]] += 1


@kernel
def add_up_rows(lengths: Int64Array, degree: Int64Array, shift: int, before: Uint64Array) -> None:
    """Write the sum of the weights of the rows before each row, and of all: `before` has one place more than rows."""
    total = np.uint64(0)
    before[0] = total
    for row in range(len(lengths)):
        total += np.uint64(row_weight(lengths[row], degree[row] if shift != 0 else 0, shift))
        before[row + 1] = total


@kernel
def choose_in_range(
    lengths: Int64Array,
    before: Uint64Array,
    weights: tuple[np.uint64, np.uint64],
    key: np.uint64,
    first: int,
    found: tuple[Int64Array, Int64Array, Int64Array],
) -> int:
    """Write the draws whose row is in the range, counted from `first`, their rows and places; return their number.

    `weights` are those of all rows before the range, and of all rows. Draws and rows have the shape (count,), places
    (count, 2): the larger place, then the smaller.
    """
    weight_before, total = weights
    draws, rows, places = found
    own = before[-1]
    size = 0
    for k in range(len(draws)):
        seed = mix(key + np.uint64(first + k) * GOLDEN)
        number = below(mix(seed), total)
        if number < weight_before or number - weight_before >= own:
            continue
        row = np.searchsorted(before, number - weight_before, side="right") - 1
        draws[size] = k
        rows[size] = row
        places[size, 0], places[size, 1] = two_places(seed, lengths[row])
        size += 1
    return size


@kernel
def draw_stars(rows: Neighbours, before: Uint64Array, key: np.uint64, numbers: Int64Array, ranks: Int64Array) -> None:
    """Write the centre and the leaves of each draw; there are as many leaves as columns of `ranks` but one."""
    indptr, _, list_ptr, _ = rows
    leaves = ranks.shape[1] - 1
    for k in range(len(numbers)):
        seed = mix(key + np.uint64(numbers[k]) * GOLDEN)
        number = below(mix(seed), before[-1])
        v = np.searchsorted(before, number, side="right") - 1
        ranks[k, 0] = v
        degree = indptr[v + 1] - indptr[v] + list_ptr[v + 1] - list_ptr[v]
        # Floyd: of the places below j + 1, take a random one, or j itself if that is taken.
        for i in range(leaves):
            j = degree - leaves + i
            place = place_below(mix(seed + np.uint64(i + 1) * GOLDEN), j + 1)
            for earlier in range(1, i + 1):
                if ranks[k, earlier] == place:
                    place = j
            ranks[k, i + 1] = place
        for i in range(leaves):
            ranks[k, i + 1] = neighbour(rows, v, ranks[k, i + 1])


@kernel
def write_codes(
    indptr: Int64Array,
    indices: Ids,
    state: Uint8Array,
    ranks: Int64Array,
    codes: Int64Array,
) -> None:
    """Write the code of each triad, as in `triadic.core.triad_types`, its vertices taken by falling rank."""
    for k in range(len(ranks)):
        a, b, c = ranks[k, 0], ranks[k, 1], ranks[k, 2]
        u, w = max(a, b, c), min(a, b, c)
        v = a + b + c - u - w
        code = np.int64(0)
        shift = np.int64(0)
        for x, y in ((u, v), (u, w), (v, w)):
            entry = entry_of(indptr, indices, x, y)
            if entry >= 0:
                code |= (np.int64(state[entry]) if len(state) > 0 else MUTUAL) << shift
            shift += 2
        codes[k] = code


@kernel
def unit_draws(key: np.uint64, numbers: Int64Array, r: np.uint64, out: Float64Array) -> None:
    """Write draw `r` of each number as a float in [0, 1)."""
    for k in range(len(numbers)):
        out[k] = np.float64(np.int64(draw(key, np.uint64(numbers[k]), r) >> PROBABILITY_SHIFT)) * 2.0**-53


@kernel
def places_below(key: np.uint64, numbers: Int64Array, r: np.uint64, bound: int, out: Int64Array) -> None:
    """Write draw `r` of each number as a whole number from 0 to bound - 1."""
    for k in range(len(numbers)):
        out[k] = place_below(draw(key, np.uint64(numbers[k]), r), bound)
