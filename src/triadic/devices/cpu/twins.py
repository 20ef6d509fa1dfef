"""Twins: vertices that are not joined and have the same neighbours.

Computes: for each vertex the first of its twins, by rank, or itself; for each of these how many there are.
Requires: whole rows.
Idea: vertices are sorted by a hash of their rows; among equal hashes, each row is compared with the first row before it
  that differed, so that a collision of hashes only leaves twins apart. Twins are the leaves of a hub, the
  pendant paths between two hubs, or a side of a complete bipartite graph.
Cost: O(edges), and sorting the vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.whole_rows import WholeRows

    Ids = NDArray[np.unsignedinteger[Any]]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True, eq=False)
class Twins:
    """The classes of twins.

    Attributes
    ----------
    first : int64 array, shape (n,)
        The smallest rank among a vertex and its twins.
    number : int64 array, shape (n,)
        At the first of its class the number of vertices in the class; 0 at all others.
    """

    first: NDArray[np.int64]
    number: NDArray[np.int64]


def twins(rows: WholeRows, *, threads: int) -> Twins:
    """Find the twins among the vertices of whole rows."""
    n = len(rows.higher)
    first = np.arange(n)
    hashes = np.empty(n, dtype=np.uint64)
    cuts = blocks.cut(rows.ptr, blocks.piece(int(rows.ptr[-1])), most=1 << 16)
    blocks.run(
        lambda _, b: hash_rows(rows.ptr, rows.ends, cuts[b], cuts[b + 1], hashes), len(cuts) - 1, threads=threads
    )
    order = np.argsort(hashes, kind="stable")
    join(rows.ptr, rows.ends, hashes, order, first)
    return Twins(first, np.bincount(first, minlength=n))


@kernel
def hash_rows(ptr: NDArray[np.int64], ends: Ids, first: int, last: int, hashes: NDArray[np.uint64]) -> None:
    """Write a hash of the neighbours of vertices `first` .. `last` - 1, the same in any order."""
    for v in range(first, last):
        found = np.uint64(0)
        for p in range(ptr[v], ptr[v + 1]):
            word = (np.uint64(ends[p]) + np.uint64(1)) * _MULTIPLIER
            found += (word ^ (word >> _SHIFT)) * _MULTIPLIER
        hashes[v] = found


@kernel
def join(
    ptr: NDArray[np.int64], ends: Ids, hashes: NDArray[np.uint64], order: NDArray[np.int64], first: NDArray[np.int64]
) -> None:
    """Write the first twin of each vertex; `order` sorts the vertices by their hashes, equal ones by rank."""
    before = np.int64(-1)
    for i in range(order.size):
        v = order[i]
        length = ptr[v + 1] - ptr[v]
        if before >= 0 and hashes[before] == hashes[v] and ptr[before + 1] - ptr[before] == length:
            same = True
            for k in range(length):
                if ends[ptr[before] + k] != ends[ptr[v] + k]:
                    same = False
                    break
            if same:
                first[v] = before
                continue
        before = v
