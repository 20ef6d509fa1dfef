"""Whole rows: for each rank all its neighbours, and for each the number of their edge.

Computes: rows of the skeleton, rising by rank, so that the neighbours of higher degree come first; sums over rows.
Requires: an oriented graph.
Idea: a whole row is the oriented row followed by the list of the middle vertex (`middle_lists`); both are sorted. An
  edge has the number of its entry in the oriented rows.
Cost: the lists, and a binary search for each edge. 2 × 8 bytes an edge (16 beyond 2**32 vertices or edges).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.list_walk import position
from triadic.devices.cpu.middle_lists import middle_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class WholeRows:
    """Rows of all neighbours.

    Attributes
    ----------
    ptr : int64 array, shape (n + 1,)
        Where the row of each rank begins.
    ends : uint32 or uint64 array, shape (2 m,)
        Neighbours of each rank, rising within a row.
    edges : uint32 or uint64 array, shape (2 m,)
        Entry of the oriented rows that holds the edge.
    higher : int64 array, shape (n,)
        Number of neighbours of smaller rank, with which the row begins.
    """

    ptr: NDArray[np.int64]
    ends: Ids
    edges: Ids
    higher: NDArray[np.int64]


def whole_rows(oriented: Oriented, *, threads: int) -> WholeRows:
    """Return the whole rows of an oriented graph."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    m = oriented.num_edges
    lists = middle_lists(indptr, indices, indptr[:-1], threads=threads)
    ptr = indptr + lists.ptr
    ends: Ids = np.empty(2 * m, dtype=indices.dtype)
    edges: Ids = np.empty(2 * m, dtype=np.uint32 if m < 1 << 32 else np.uint64)
    cuts = blocks.cut(ptr, blocks.piece(2 * m), most=1 << 16)

    def task(_: int, b: int) -> None:
        fill_rows(indptr, indices, lists.ptr, lists.ends, cuts[b], cuts[b + 1], ends, edges)

    blocks.run(task, len(cuts) - 1, threads=threads)
    return WholeRows(frozen(ptr), frozen(ends), frozen(edges), frozen(np.diff(indptr)))


def row_sums(ptr: NDArray[np.int64], places: Ids, values: NDArray[np.int64], *, threads: int) -> NDArray[np.int64]:
    """Add up for each row the values at its places, such as its ends or edges: int64, shape (rows,)."""
    sums = np.empty(len(ptr) - 1, dtype=np.int64)
    cuts = blocks.cut(ptr, blocks.piece(int(ptr[-1])), most=1 << 16)
    values = frozen(values)
    blocks.run(lambda _, b: sum_rows(ptr, places, values, cuts[b], cuts[b + 1], sums), len(cuts) - 1, threads=threads)
    return sums


@kernel
def sum_rows(
    ptr: NDArray[np.int64],
    places: Ids,
    values: NDArray[np.int64],
    first: int,
    last: int,
    sums: NDArray[np.int64],
) -> None:
    """Write the sums of rows `first` .. `last` - 1."""
    for v in range(first, last):
        found = 0
        for p in range(ptr[v], ptr[v + 1]):
            found += values[np.int64(places[p])]
        sums[v] = found


@kernel
def fill_rows(
    indptr: NDArray[np.int64],
    indices: Ids,
    list_ptr: NDArray[np.int64],
    list_ends: Ids,
    first: int,
    last: int,
    ends: Ids,
    edges: Ids,
) -> None:
    """Write the whole rows of ranks `first` .. `last` - 1."""
    for v in range(first, last):
        place = indptr[v] + list_ptr[v]
        for p in range(indptr[v], indptr[v + 1]):
            ends[place] = indices[p]
            edges[place] = p
            place += 1
        for p in range(list_ptr[v], list_ptr[v + 1]):
            u = np.int64(list_ends[p])
            ends[place] = list_ends[p]
            edges[place] = position(indices, indptr[u], indptr[u + 1], v)
            place += 1
