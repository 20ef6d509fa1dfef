"""Sums of weights at each vertex, the same to the bit for any number of threads.

Computes: for each rank the sum of the values of its edges (its strength, if the values are weights); for each row of a
  graph its sum and the sum of the products of all pairs in it.
Requires: rows of an oriented graph, or of a graph, and a float64 for each entry.
Idea: rows are cut by the size of the graph alone, not by the number of threads. Each cut has sums of its own, which are
  then added up in order.
Cost: O(edges + vertices), a few additions each; the sums of all cuts together take at most 16 bytes an entry.

References
----------
Barrat, Barthélemy, Pastor-Satorras and Vespignani (2004), PNAS 101, 3747, for the strength in the denominator of
weighted clustering; Zhang and Horvath (2005), Statistical Applications in Genetics and Molecular Biology 4, 17, for the
sum over pairs in theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned
from triadic.devices.cpu.intrinsics import AHEAD_SUM, prefetch
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]

_MOST_CUTS = 16
_BYTES_AN_ENTRY = 16  # limit on the sums of all cuts but the first together


def sum_over_cuts(
    indptr: NDArray[np.int64], add: Callable[[int, int, NDArray[np.float64]], None], *, threads: int
) -> NDArray[np.float64]:
    """Run ``add(first, last, sums)`` over cuts of rows, each with sums of its own: float64, shape (n,)."""
    n, entries = len(indptr) - 1, int(indptr[-1])
    most = min(_MOST_CUTS, 1 + _BYTES_AN_ENTRY * entries // max(1, 8 * n))
    cuts = blocks.cut(indptr, blocks.piece(entries), most=most)
    partial = zeros(len(cuts) - 1, n, np.float64) or [np.zeros(n)]
    blocks.run(lambda _, b: add(cuts[b], cuts[b + 1], partial[b]), len(cuts) - 1, threads=threads)
    return summed(partial, threads=threads)


def sum_at_ends(oriented: Oriented, values: NDArray[np.float64], *, threads: int) -> NDArray[np.float64]:
    """Add up the values of the edges of each rank, given by entry of the rows: float64, shape (n,)."""
    indices = as_unsigned(oriented.indices)

    def add(first: int, last: int, sums: NDArray[np.float64]) -> None:
        add_at_ends(oriented.indptr, indices, values, first, last, sums)

    return sum_over_cuts(oriented.indptr, add, threads=threads)


def sums_and_pairs(
    indptr: NDArray[np.int64], values: NDArray[np.float64], *, threads: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Add up the values of each row, and the products of all pairs of them: two float64 arrays, shape (n,)."""
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
            if i + AHEAD_SUM < indices.size:
                prefetch(sums, np.int64(indices[i + AHEAD_SUM]))
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
    """Write the sum of each row, and the sum of the products of its pairs, without a difference of squares."""
    for v in range(first, last):
        total = 0.0
        products = 0.0
        for i in range(indptr[v], indptr[v + 1]):
            products += values[i] * total
            total += values[i]
        sums[v] = total
        pairs[v] = products
