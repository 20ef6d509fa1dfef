"""From counts by rank to counts by vertex.

Computes: for each vertex what stands at its rank.
Requires: ranks below the number of counts.
Idea: the places are all over memory, so those further on are fetched ahead, by all workers.
Cost: O(n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How many vertices ahead a place is fetched.
AHEAD = 32


def take(
    at_rank: NDArray[Any], rank: NDArray[np.integer[Any]], *, threads: int, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Give what stands at the rank of each vertex, int64 or float64: an array of that dtype, shape (n,), or `out`."""
    given = at_rank.view(np.int64)  # moved as it is, whatever it means
    at_vertex = np.empty_like(given) if out is None else out.view(np.int64)
    cuts = blocks.cut_evenly(len(rank), -(-len(rank) // blocks.piece(len(rank))))
    blocks.run(lambda _, b: gather(given, rank, cuts[b], cuts[b + 1], at_vertex), len(cuts) - 1, threads=threads)
    return at_vertex.view(at_rank.dtype)


@kernel
def gather(
    at_rank: NDArray[np.int64], rank: NDArray[np.integer[Any]], first: int, last: int, at_vertex: NDArray[np.int64]
) -> None:
    """Write what stands at the ranks of vertices `first` .. `last` - 1."""
    for vertex in range(first, last):
        if vertex + AHEAD < last:
            prefetch(at_rank, rank[vertex + AHEAD])
        at_vertex[vertex] = at_rank[rank[vertex]]
