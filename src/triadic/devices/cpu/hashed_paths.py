"""The walk of `short_rows` with a hash table, for networks in which no order makes neighbours near.

Computes: the eight counts at each vertex that the 2-paths from there tell.
Requires: rows of both directions, of at most 64 entries.
Idea: M(x), the bits of the neighbours that are joined to x, is found through a hash table of the ends of the paths. It
  is as small as the neighbourhood, so that it stays in the first-level cache. Rows are requested ahead, as they come
  from all over memory. Squares and diamonds are read from each M(x) once.
Cost: the sum of the squares of the degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.breadth_first import PADDING
from triadic.devices.cpu.intrinsics import popcount, prefetch
from triadic.devices.cpu.neighbourhood_kernels import lowest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.unsignedinteger[Any]]
    Whole = int | np.integer[Any]  # the same to numba

SLOTS = 4 * 64**2  # slots, of which the ends of 2-paths fill a quarter at most
PLACES = 64 * (64 + 1) + 16  # neighbours and ends of 2-paths, and some that are copied idly

_HASH = np.int64(2654435761)  # 2**32 divided by the golden ratio (Knuth, The Art of Computer Programming 6.4)
_AHEAD_PTR, _AHEAD_ROW = 96, 48  # entries ahead of which the places of rows, and rows, are requested
_LOW = np.int64((1 << 32) - 1)
_ONE = np.int64(1)


@kernel
def walk_hashed(
    ptr: NDArray[np.int64],
    ends: Ids,
    order: Ids,
    first: int,
    last: int,
    path: Ids,
    bit: NDArray[np.int64],
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
    near: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> None:
    """Write the counts at `first` .. `last` - 1 that the 2-paths from there tell; `table` is zero, and is left so."""
    for u in range(first, last):
        start = ptr[u]
        degree = ptr[u + 1] - start
        steps, pairs_near = copy_rows(ptr, ends, start, degree, path, bit)
        shift = 24  # a table of 256 slots
        while 4 * steps > 1 << (32 - shift):
            shift -= 1
        others = enter_neighbours(ends, start, degree, u, shift, table, keys, masks)
        found = enter_paths(path, bit, steps, others, shift, table, keys, masks)
        at_support = 0
        pairs = 0
        degrees = 0
        tied = 0
        for i in range(1, degree + 1):
            v = np.int64(keys[i])
            c = popcount(masks[i])
            at_support += c
            pairs += c * (c - 1) >> 1
            degrees += c * (ptr[v + 1] - ptr[v])
            tied += joined_pairs(masks, masks[i])
        at_squares = pairs
        at_chords = tied
        repeated = 0
        for i in range(others, found):
            c = popcount(masks[i])
            at_squares += c * (c - 1) >> 1
            bit[repeated] = masks[i]
            repeated += c > 1
        if at_support > 0:
            for i in range(repeated):
                at_chords += joined_pairs(masks, bit[i])
        rank = np.int64(order[u])
        near[u, 0] = at_support >> 1
        near[u, 1] = steps - degree
        counts[rank, 0] = at_support >> 1
        counts[rank, 1] = at_chords >> 1
        counts[rank, 2] = at_squares
        counts[rank, 3] = tied // 6
        counts[rank, 4] = pairs
        counts[rank, 5] = degrees
        counts[rank, 6] = steps
        counts[rank, 7] = pairs_near
        for slot in range(1 << (32 - shift)):
            table[slot] = 0


@kernel
def copy_rows(
    ptr: NDArray[np.int64], ends: Ids, start: int, degree: int, path: Ids, bit: NDArray[np.int64]
) -> tuple[int, int]:
    """Write the ends of the 2-paths through the neighbours from `start` on, and the bit of the neighbour of each.

    Return the number of paths, and the pairs of other neighbours of each neighbour.
    """
    steps = 0
    pairs = 0
    for i in range(degree):
        if start + i + _AHEAD_PTR < ends.size:
            prefetch(ptr, np.int64(ends[start + i + _AHEAD_PTR]))
            prefetch(ends, ptr[np.int64(ends[start + i + _AHEAD_ROW])])
        v = np.int64(ends[start + i])
        row = ptr[v]
        k = ptr[v + 1] - row
        for j in range(PADDING):  # as many as most rows have, so that no branch depends on the degree
            path[steps + j] = ends[row + j]
            bit[steps + j] = _ONE << i
        for j in range(PADDING, k):
            path[steps + j] = ends[row + j]
            bit[steps + j] = _ONE << i
        steps += k
        pairs += (k - 1) * (k - 2) >> 1
    return steps, pairs


@kernel
def enter_neighbours(
    ends: Ids,
    start: int,
    degree: int,
    u: int,
    shift: int,
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
) -> int:
    """Enter the neighbours of `u` from place 1 on, and then `u`, without bits; return the place after `u`."""
    slots = (1 << (32 - shift)) - 1
    for i in range(degree + 1):
        x = np.int64(ends[start + i]) if i < degree else u
        slot = slot_of(x, shift)
        while table[slot] != 0:
            slot = (slot + 1) & slots
        table[slot] = i + 1
        keys[i + 1] = x
        masks[i + 1] = 0
    return degree + 2


@kernel
def enter_paths(
    path: Ids,
    bit: NDArray[np.int64],
    steps: int,
    found: Whole,
    shift: int,
    table: NDArray[np.uint16],
    keys: Ids,
    masks: NDArray[np.int64],
) -> Whole:
    """Add the bit of each 2-path at its end, and enter new ends from place `found` on; return the place after them."""
    slots = (1 << (32 - shift)) - 1
    for j in range(steps):
        x = np.int64(path[j])
        slot = slot_of(x, shift)
        at = np.int64(table[slot])
        # Another vertex is there: seldom, since the table is mostly empty. An empty slot, which no predictor could tell
        # from one that holds x, makes the product 0 too.
        while at * (np.int64(keys[at]) ^ x) != 0:
            slot = (slot + 1) & slots
            at = np.int64(table[slot])
        masks[found] = 0
        new = np.int64(at == 0)
        at += new * found
        found += new
        table[slot] = at
        keys[at] = x
        masks[at] |= bit[j]
    return found


@kernel
def slot_of(x: Whole, shift: int) -> Whole:
    """Return the slot that the search for a vertex begins at."""
    return ((x * _HASH) & _LOW) >> shift


@kernel
def joined_pairs(masks: NDArray[np.int64], near: int) -> int:
    """Return twice the number of edges between the neighbours whose bits are in `near`."""
    joined = 0
    left = near
    while left != 0:
        joined += popcount(masks[lowest(left) + 1] & near)
        left &= left - 1
    return joined
