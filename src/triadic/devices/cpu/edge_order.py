"""From counts by entry of the oriented rows to counts by edge, in the order of the graph's own rows.

Computes: for each edge {a, b} the entry that holds it.
Requires: every pair asked for is an edge.
Idea: binary search for the smaller rank in the row of the larger.
Cost: O(log of the row's length) an edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.integer[Any]]


@kernel
def find_slots(
    rank: Ids, indptr: NDArray[np.int64], indices: Ids, source: Ids, target: Ids, slot: NDArray[np.int64]
) -> None:
    """Find the entry of each edge."""
    for i in range(source.size):
        a = rank[source[i]]
        b = rank[target[i]]
        u = max(a, b)
        v = min(a, b)
        low = indptr[u]
        high = indptr[u + 1]
        while low < high:
            middle = (low + high) >> 1
            if indices[middle] < v:
                low = middle + 1
            else:
                high = middle
        slot[i] = low


def slots_of_edges(oriented: Oriented, source: Ids, target: Ids, *, threads: int) -> NDArray[np.int64]:
    """Find the entry of each edge: int64, shape (edges,)."""
    slot = np.empty(len(source), dtype=np.int64)
    cuts = blocks.cut_evenly(len(source), -(-len(source) // blocks.piece(len(source))))

    def find(_: int, b: int) -> None:
        part = slice(cuts[b], cuts[b + 1])
        find_slots(oriented.rank, oriented.indptr, oriented.indices, source[part], target[part], slot[part])

    blocks.run(find, len(cuts) - 1, threads=threads)
    return slot
