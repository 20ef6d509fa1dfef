"""Draw wedges with a given vertex in the middle, and count the closed ones by class of the vertex.

Computes: for each class of vertices, such as those of one degree, the number of closed wedges among some draws: a
  vertex of the class, then two of its neighbours, all with equal probabilities.
Requires: the neighbours of all ranks (`neighbour_choice`); ranks sorted by class.
Idea: the mean local coefficient of the vertices of a class is the probability that such a wedge is closed.
Cost: some ten cache misses a draw. A vertex with fewer than two neighbours has no wedge, and counts as open.

References
----------
Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on large
graphs", Statistical Analysis and Data Mining 7, 294, for coefficients by degree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, mix
from triadic.devices.cpu.intrinsics import prefetch
from triadic.devices.cpu.neighbour_choice import neighbour
from triadic.devices.cpu.wedge_sampling import find_batch
from triadic.devices.cpu.weighted_choice import place_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.neighbour_choice import Neighbours

    Ids = NDArray[np.unsignedinteger[Any]]

BATCH = 64
_BLOCK = 1 << 13
_CLASS_SHIFT = np.uint64(40)  # draws of a class have numbers below 2**40
_U1, _U2 = np.uint64(1), np.uint64(2)


def closed_by_class(
    rows: Neighbours,
    members: NDArray[np.int64],
    class_start: NDArray[np.int64],
    key: int,
    first: NDArray[np.int64],
    stop: NDArray[np.int64],
    *,
    threads: int,
) -> NDArray[np.int64]:
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
    before = np.concatenate([[0], np.cumsum(stop - first)])
    draws = int(before[-1])
    cuts = blocks.cut_evenly(draws, -(-draws // _BLOCK))
    sums = np.zeros((threads, len(first)), dtype=np.int64)

    def draw(worker: int, b: int) -> None:
        start = int(np.searchsorted(before, cuts[b], side="right")) - 1
        count_closed(
            *rows.arrays, members, class_start, np.uint64(key), first, before, start, cuts[b], cuts[b + 1], sums[worker]
        )

    blocks.run(draw, len(cuts) - 1, threads=threads)
    return sums.sum(axis=0)


@kernel
def count_closed(
    indptr: NDArray[np.int64],
    indices: Ids,
    list_ptr: NDArray[np.int64],
    list_ends: Ids,
    members: NDArray[np.int64],
    class_start: NDArray[np.int64],
    key: np.uint64,
    first: NDArray[np.int64],
    before: NDArray[np.int64],
    start_class: int,
    begin: int,
    end: int,
    sums: NDArray[np.int64],
) -> None:
    """Add the closed wedges among the draws `begin` to `end` - 1, numbered through all classes."""
    ranks = np.empty((BATCH, 3), dtype=np.int64)
    spot = np.empty((4, BATCH), dtype=np.int64)
    classes = np.empty(BATCH, dtype=np.int64)
    seeds = np.empty(BATCH, dtype=np.uint64)
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
            i = place_below(mix(seeds[k] + _U1 * GOLDEN), degree)
            j = place_below(mix(seeds[k] + _U2 * GOLDEN), degree - 1)
            if j >= i:
                j += 1
            # Neighbours rise by rank, so the one at the larger place has the row that is searched.
            ranks[wedges, 1] = neighbour(indptr, indices, list_ptr, list_ends, v, max(i, j))
            ranks[wedges, 2] = neighbour(indptr, indices, list_ptr, list_ends, v, min(i, j))
            classes[wedges] = classes[k]
            prefetch(indptr, ranks[wedges, 1])
            wedges += 1
        find_batch(indptr, indices, wedges, ranks, 1, 2, spot)
        for k in range(wedges):
            if spot[2, k] >= 0:
                sums[classes[k]] += 1
