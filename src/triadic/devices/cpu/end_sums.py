"""Sums of floats over the edges of each vertex, the same to the bit for any number of threads.

Computes: for each rank the sum of what the entries at it have; for each row of a graph its sum and the sum over pairs.
Requires: rows of an oriented graph, or of a graph.
Idea: rows are cut by the graph's size alone, whatever the number of threads; each cut's sums are by themselves and are
  then added up in order.
Cost: O(edges + vertices), a few additions each; the sums of all cuts together at most 16 bytes an entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]

# How many entries ahead the sum at a column is fetched.
AHEAD = 16

_MOST_CUTS = 16
_BYTES_AN_ENTRY = 16  # what all cuts' sums together may take beyond the first's


def sum_over_cuts(
    indptr: NDArray[np.int64], add: Callable[[int, int, NDArray[np.float64]], None], *, threads: int
) -> NDArray[np.float64]:
    """Run ``add(first, last, sums)`` over cuts of rows, each with its own sums: float64, shape (n,)."""
    n, entries = len(indptr) - 1, int(indptr[-1])
    most = min(_MOST_CUTS, 1 + _BYTES_AN_ENTRY * entries // max(1, 8 * n))
    cuts = blocks.cut(indptr, blocks.piece(entries), most=most)
    partial = zeros(len(cuts) - 1, n, np.float64) or [np.zeros(n)]
    blocks.run(lambda _, b: add(cuts[b], cuts[b + 1], partial[b]), len(cuts) - 1, threads=threads)
    return summed(partial, threads=threads)


def sum_at_ends(oriented: Oriented, values: NDArray[np.float64], *, threads: int) -> NDArray[np.float64]:
    """Add up over the edges of each rank the values at their entries: float64, shape (n,)."""
    indices = as_unsigned(oriented.indices)

    def add(first: int, last: int, sums: NDArray[np.float64]) -> None:
        add_at_ends(oriented.indptr, indices, values, first, last, sums)

    return sum_over_cuts(oriented.indptr, add, threads=threads)


def sums_and_pairs(
    indptr: NDArray[np.int64], values: NDArray[np.float64], *, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up over each row its values, and the products of all pairs of them: two float64 arrays, shape (n,)."""
    n = len(indptr) - 1
    sums, pairs = np.zeros(n), np.zeros(n)
    cuts = blocks.cut(indptr, blocks.piece(len(values)), most=1 << 20)
    blocks.run(lambda _, b: add_rows(indptr, values, cuts[b], cuts[b + 1], sums, pairs), len(cuts) - 1, threads=threads)
    return sums, pairs


@kernel
def add_at_ends(
    indptr: NDArray[np.int64],
    indices: Ids,
    values: NDArray[np.float64],
    first: int,
    last: int,
    sums: NDArray[np.float64],
) -> None:
    """Add the values of rows `first` .. `last` - 1 to the sums of both ends."""
    for u in range(first, last):
        own = 0.0
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD < indices.size:
                prefetch(sums, np.int64(indices[i + AHEAD]))
            own += values[i]
            sums[np.int64(indices[i])] += values[i]
        sums[u] += own


@kernel
def add_rows(
    indptr: NDArray[np.int64],
    values: NDArray[np.float64],
    first: int,
    last: int,
    sums: NDArray[np.float64],
    pairs: NDArray[np.float64],
) -> None:
    """Write the sum of each row, and of each value times those before it: pairs without a difference of squares."""
    for v in range(first, last):
        total = 0.0
        products = 0.0
        for i in range(indptr[v], indptr[v + 1]):
            products += values[i] * total
            total += values[i]
        sums[v] = total
        pairs[v] = products
