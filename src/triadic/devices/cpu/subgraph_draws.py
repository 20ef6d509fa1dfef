"""Draw stars of two or three edges, and tell which triads and subgraphs the vertices of draws induce.

Computes: for draw i a centre with weight C(degree, leaves), and `leaves` of its neighbours, with equal probabilities;
  the codes of triads; the number of edges among the leaves of a star.
Requires: the neighbours of all ranks (`neighbour_choice`); sums of the weights before each rank.
Idea: a wedge is a star of two edges. Draws are rejected by the caller until each subgraph has the same probability.
Cost: a binary search of the sums, and one of an oriented row for each pair of vertices that is tested.

References
----------
Floyd's method for different places: Bentley and Floyd (1987), "Programming pearls: a sample of brilliance",
Communications of the ACM 30, 754.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.devices.cpu.neighbour_choice import entry_of, neighbour
from triadic.devices.cpu.weighted_choice import place_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

_MUTUAL = np.int64(3)


@kernel
def draw_stars(
    indptr: NDArray[np.int64],
    indices: Ids,
    list_ptr: NDArray[np.int64],
    list_ends: Ids,
    before: NDArray[np.uint64],
    key: np.uint64,
    numbers: NDArray[np.int64],
    ranks: NDArray[np.int64],
) -> None:
    """Write the centre and the leaves of each draw; there are as many leaves as columns of `ranks` but one."""
    n = len(before) - 1
    leaves = ranks.shape[1] - 1
    for k in range(len(numbers)):
        seed = mix(key + np.uint64(numbers[k]) * GOLDEN)
        number = below(mix(seed), before[n])
        low, high = 0, n
        while high - low > 1:
            middle = (low + high) >> 1
            if before[middle] <= number:
                low = middle
            else:
                high = middle
        ranks[k, 0] = low
        degree = indptr[low + 1] - indptr[low] + list_ptr[low + 1] - list_ptr[low]
        # Floyd: of the places below j + 1, take a random one, or j itself if that is taken.
        for i in range(leaves):
            j = degree - leaves + i
            place = place_below(mix(seed + np.uint64(i + 1) * GOLDEN), j + 1)
            for earlier in range(1, i + 1):
                if ranks[k, earlier] == place:
                    place = j
            ranks[k, i + 1] = place
        for i in range(leaves):
            ranks[k, i + 1] = neighbour(indptr, indices, list_ptr, list_ends, low, ranks[k, i + 1])


@kernel
def write_codes(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    ranks: NDArray[np.int64],
    codes: NDArray[np.int64],
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
                code |= (np.int64(state[entry]) if len(state) > 0 else _MUTUAL) << shift
            shift += 2
        codes[k] = code


@kernel
def edges_of_leaves(
    indptr: NDArray[np.int64], indices: Ids, ranks: NDArray[np.int64], edges: NDArray[np.int64]
) -> None:
    """Write the number of edges among the three leaves of each star."""
    for k in range(len(ranks)):
        found = 0
        for i in range(1, 4):
            for j in range(i + 1, 4):
                if entry_of(indptr, indices, ranks[k, i], ranks[k, j]) >= 0:
                    found += 1
        edges[k] = found


@kernel
def unit_draws(key: np.uint64, numbers: NDArray[np.int64], r: np.uint64, out: NDArray[np.float64]) -> None:
    """Write draw `r` of each number as a float in [0, 1)."""
    for k in range(len(numbers)):
        bits = mix(mix(key + np.uint64(numbers[k]) * GOLDEN) + r * GOLDEN)
        out[k] = np.float64(np.int64(bits >> np.uint64(11))) * 2.0**-53


@kernel
def places_below(key: np.uint64, numbers: NDArray[np.int64], r: np.uint64, bound: int, out: NDArray[np.int64]) -> None:
    """Write draw `r` of each number as a whole number from 0 to bound - 1."""
    for k in range(len(numbers)):
        bits = mix(mix(key + np.uint64(numbers[k]) * GOLDEN) + r * GOLDEN)
        out[k] = place_below(bits, bound)
