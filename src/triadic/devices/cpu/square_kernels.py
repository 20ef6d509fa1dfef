"""Kernel that counts squares, that is, 4-cycles whether chords are drawn in them or not, at each vertex.

Computes: for each u the squares u - v - w - v' of which u has the smallest rank, the highest degree; at all four.
Requires: rows and lists (`middle_lists`, from the first entry of each row on) and where in its row each list's entry
  is; `paths` of shape (n, 2), zero at first; no loops, no repeats.
Idea: the squares of u and w are the pairs of 2-paths between them (Chiba and Nishizeki 1985; for bipartite graphs,
  vertex-priority butterfly counting). Count the 2-paths u - v - w, v and w of larger rank than u; then go over them
  again: at each, the other paths to the same w are squares, for w and v. Counts of one u begin at `tag`, above all
  that stand from the one before, so that nothing is cleared. A count and what w collects lie side by side in memory.
Cost: two sweeps over 2-paths, at most Sum over edges of the smaller degree. 16 bytes a vertex a worker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]

# How many middle vertices ahead a row's place is fetched, then its first entries.
AHEAD_PLACE = 8
AHEAD_ENTRIES = 3
# Up to so many 2-paths of one u are put down at the first sweep, and the second has no rows to go through again.
FEW = 64


@kernel
def add_squares(
    indptr: NDArray[np.int64],
    indices: Ids,
    ptr: NDArray[np.int64],
    ends: Ids,
    place: NDArray[np.int32],
    number: NDArray[np.int64],
    first: int,
    last: int,
    tag: int,
    paths: NDArray[np.int64],
    listed: NDArray[np.int64],
) -> int:
    """Add to paths[:, 1] twice the squares at each vertex, of the u in the block; give the tag to go on with.

    `number` holds how many 2-paths each u has; `listed`, of shape (FEW, 2), takes them where they are few.
    """
    for u in range(first, last):
        if number[u] < 2:
            continue
        if number[u] <= FEW:
            add_from_few(indptr, indices, ptr, ends, place, ptr[u], ptr[u + 1], u, tag, paths, listed)
        else:
            add_from_many(indptr, indices, ptr, ends, place, ptr[u], ptr[u + 1], u, tag, paths)
        tag += ptr[u + 1] - ptr[u]
    return tag


@kernel
def add_from_many(
    indptr: NDArray[np.int64],
    indices: Ids,
    ptr: NDArray[np.int64],
    ends: Ids,
    place: NDArray[np.int32],
    start: int,
    stop: int,
    u: int,
    tag: int,
    paths: NDArray[np.int64],
) -> None:
    """Count the 2-paths of u through the middle vertices ends[start:stop], then go over the rows again."""
    for i in range(start, stop):
        fetch_ahead(indptr, indices, ptr, ends, place, i)
        v = np.int64(ends[i])
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
    at_u = 0
    for i in range(start, stop):
        v = np.int64(ends[i])
        at_v = 0
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            others = paths[w, 0] - tag - 1
            at_v += others
            paths[w, 1] += others
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            others = paths[w, 0] - tag - 1
            at_v += others
            paths[w, 1] += others
        at_u += at_v
        paths[v, 1] += 2 * at_v
    paths[u, 1] += at_u


@kernel
def add_from_few(
    indptr: NDArray[np.int64],
    indices: Ids,
    ptr: NDArray[np.int64],
    ends: Ids,
    place: NDArray[np.int32],
    start: int,
    stop: int,
    u: int,
    tag: int,
    paths: NDArray[np.int64],
    listed: NDArray[np.int64],
) -> None:
    """Do the same, putting each path down at the first sweep."""
    found = 0
    for i in range(start, stop):
        fetch_ahead(indptr, indices, ptr, ends, place, i)
        v = np.int64(ends[i])
        for p in range(indptr[v] + np.int64(place[i]) + 1, indptr[v + 1]):
            w = np.int64(indices[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
            listed[found, 0] = v
            listed[found, 1] = w
            found += 1
        for p in range(ptr[v], ptr[v + 1]):
            w = np.int64(ends[p])
            paths[w, 0] = max(paths[w, 0], tag) + 1
            listed[found, 0] = v
            listed[found, 1] = w
            found += 1
    at_u = 0
    for i in range(found):
        w = listed[i, 1]
        others = paths[w, 0] - tag - 1
        if others > 0:
            paths[w, 1] += others
            paths[listed[i, 0], 1] += 2 * others
            at_u += others
    paths[u, 1] += at_u


@kernel
def fetch_ahead(
    indptr: NDArray[np.int64], indices: Ids, ptr: NDArray[np.int64], ends: Ids, place: NDArray[np.int32], i: int
) -> None:
    """Ask for the places of the rows and lists of a middle vertex further on, and for the entries of one less far."""
    if i + AHEAD_PLACE < ends.size:
        v = np.int64(ends[i + AHEAD_PLACE])
        prefetch(indptr, v)
        prefetch(ptr, v)
        v = np.int64(ends[i + AHEAD_ENTRIES])
        prefetch(indices, indptr[v] + np.int64(place[i + AHEAD_ENTRIES]))
        prefetch(ends, ptr[v])


@kernel
def path_costs(
    indptr: NDArray[np.int64], indices: Ids, degree: NDArray[np.int64], first: int, last: int, cost: NDArray[np.int64]
) -> None:
    """Add to `cost` of each u the 2-paths u - v - w, v and w of larger rank, by way of the rows v in the block."""
    for v in range(first, last):
        beyond = degree[v]
        for i in range(indptr[v], indptr[v + 1]):
            beyond -= 1
            cost[np.int64(indices[i])] += beyond


@kernel
def find_places(
    indptr: NDArray[np.int64],
    indices: Ids,
    ptr: NDArray[np.int64],
    ends: Ids,
    first: int,
    last: int,
    place: NDArray[np.int32],
) -> None:
    """Find where in the row of each end the middle vertices `first` .. `last` - 1 stand."""
    for v in range(first, last):
        for k in range(ptr[v], ptr[v + 1]):
            u = np.int64(ends[k])
            low = indptr[u]
            high = indptr[u + 1]
            while low < high:
                middle = (low + high) >> 1
                if np.int64(indices[middle]) < v:
                    low = middle + 1
                else:
                    high = middle
            place[k] = low - indptr[u]
