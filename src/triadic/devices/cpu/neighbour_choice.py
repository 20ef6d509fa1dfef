"""All neighbours of a rank by number: the oriented row, followed by the list of the middle vertex.

Computes: the neighbour at a place of a whole row, without the whole rows in memory; whether two ranks are joined.
Requires: an oriented graph.
Idea: oriented rows hold the neighbours of higher degree, lists by middle vertex (`middle_lists`) the others, and both
  rise. So the two together are whole rows, for half the memory.
Cost: the lists, 4 bytes an edge and 8 a vertex; a place is one read, and a test a binary search of an oriented row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.middle_lists import as_unsigned, middle_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]  # the same to numba

_BYTES_PER_EDGE = 16  # while the lists are sorted, and the places of edges in them


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Rows of neighbours in two parts.

    Attributes
    ----------
    indptr, indices : int64 and uint32 or uint64 arrays, shape (n + 1,) and (m,)
        Neighbours of smaller rank.
    list_ptr, list_ends : int64 and uint32 or uint64 arrays, shape (n + 1,) and (m,)
        Neighbours of larger rank.
    """

    indptr: NDArray[np.int64]
    indices: Ids
    list_ptr: NDArray[np.int64]
    list_ends: Ids

    @property
    def arrays(self) -> tuple[NDArray[np.int64], Ids, NDArray[np.int64], Ids]:
        """The parameters of kernels."""
        return self.indptr, self.indices, self.list_ptr, self.list_ends


def neighbours(oriented: Oriented, *, threads: int) -> Neighbours:
    """Return the rows of neighbours of an oriented graph."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    n, m = oriented.num_vertices, oriented.num_edges
    check_memory(
        _BYTES_PER_EDGE * m + 16 * n,
        f"listing the neighbours of a graph of {n:,} vertices and {m:,} edges",
        "use more memory; estimates of triangles and triads need no such lists",
    )
    lists = middle_lists(indptr, indices, indptr[:-1], threads=threads)
    return Neighbours(indptr, indices, frozen(lists.ptr), lists.ends)


@kernel
def neighbour(
    indptr: NDArray[np.int64],
    indices: Ids,
    list_ptr: NDArray[np.int64],
    list_ends: Ids,
    v: Whole,
    place: Whole,
) -> Whole:
    """Return the neighbour of `v` at a place from 0 to the degree of `v` - 1; they rise by rank."""
    higher = indptr[v + 1] - indptr[v]
    if place < higher:
        return np.int64(indices[indptr[v] + place])
    return np.int64(list_ends[list_ptr[v] + place - higher])


@kernel
def entry_of(indptr: NDArray[np.int64], indices: Ids, x: np.integer[Any], y: np.integer[Any]) -> Whole:
    """Return the place of the edge of two different ranks in `indices`, or -1 if they are not joined."""
    high, low = max(x, y), min(x, y)
    stop: Any = indptr[high + 1]
    at = position(indices, indptr[high], stop, low)
    return at if at < stop and np.int64(indices[at]) == low else -1
