"""All neighbours of a rank by number: the oriented row, followed by the list of the middle vertex.

Computes: the neighbour at a place of a whole row, without the whole rows in memory; whether two ranks are joined.
Requires: an oriented graph.
Idea: oriented rows hold the neighbours of higher degree, lists by middle vertex the others, and both rise. So the two
  together are whole rows, for half the memory. The degrees tell where each list begins, so that one pass over the rows
  fills the lists in order; each thread fills those of a range of vertices, and passes over the other entries.
Cost: the lists, 4 bytes an edge and 16 a vertex; a place is one read, and a test a binary search of an oriented row.
  Filling takes a quarter of the time of a sort (`middle_lists`) on one thread, and up to eight threads speed it up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.list_walk import position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]  # the same to numba

_LEAST_FILLED = 1 << 14  # entries of a thread
_MOST_FILLERS = 8  # threads; each reads all entries, which is a fifth of the work of one
_PLACE_BYTES = 4  # of an edge, for the places of centred paths


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
        (indices.itemsize + _PLACE_BYTES) * m + 24 * n,
        f"listing the neighbours of a graph of {n:,} vertices and {m:,} edges",
        "use more memory; estimates of triangles and triads need no such lists",
    )
    ptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(oriented.degree - np.diff(indptr), out=ptr[1:])
    place, ends = ptr[:-1].copy(), np.empty(m, dtype=indices.dtype)
    cuts = blocks.cut(ptr, _LEAST_FILLED, most=min(threads, _MOST_FILLERS))

    def fill(_: int, b: int) -> None:
        fill_lists(indptr, indices, cuts[b], cuts[b + 1], place, ends)

    blocks.run(fill, len(cuts) - 1, threads=threads)
    return Neighbours(indptr, indices, frozen(ptr), frozen(ends))


@kernel
def fill_lists(
    indptr: NDArray[np.int64], indices: Ids, first: int, last: int, place: NDArray[np.int64], ends: Ids
) -> None:
    """Write the larger neighbours of the ranks `first` to `last` - 1; `place` holds where each list begins."""
    for u in range(first + 1, len(indptr) - 1):
        for p in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[p])
            if v >= last:
                break
            if v >= first:
                ends[place[v]] = u
                place[v] += 1


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
