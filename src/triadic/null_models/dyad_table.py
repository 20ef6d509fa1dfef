"""A hash table of dyads: pairs of joined vertices, each with the directions in which arcs join them.

Computes: whether and how two vertices are joined, while dyads are inserted and removed.
Requires: ids below 2**30, so that two ids and a state fit an int64; at most half of the slots in use.
Idea: open addressing with linear probing in one array of int64, so that nearly every look-up reads one cache line.
  Removal leaves no mark but moves later entries up (D. E. Knuth, *The Art of Computer Programming* 3, section 6.4,
  algorithm R), so that look-ups stay fast after any number of changes.
Cost: 16 to 32 bytes per dyad; expected constant time per operation.

A table of `ordered` pairs has one entry for each arc, with state 1, and ignores an arc the other way. A table of
unordered pairs has one entry for each dyad, smaller id first, with state 1 for an arc from the smaller id, 2 for an arc
to it and 3 for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.generate.draws import GOLDEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = int | np.integer[Any]

MOST_VERTICES = 1 << 30
EMPTY = -1
# int64, not int: numba would compile each function that takes a state once for each int that its code names.
ARC, MUTUAL = np.int64(1), np.int64(3)
_HALF = np.uint64(32)


@kernel
def entry(u: Whole, v: Whole, state: Whole, ordered: bool) -> Whole:
    """Return the entry of a dyad; `state` describes the arcs as seen from `u`."""
    if ordered or u < v:
        return (np.int64(u) << 32) | (np.int64(v) << 2) | state
    return (np.int64(v) << 32) | (np.int64(u) << 2) | (((state & 1) << 1) | (state >> 1))


@kernel
def home_slot(table: NDArray[np.int64], dyad: Whole) -> Whole:
    """Return the slot at which the search for a dyad begins; it does not depend on the state."""
    product = np.uint64(dyad >> 2) * GOLDEN  # the upper half depends on both ends
    return np.int64((product ^ (product >> _HALF)) & np.uint64(table.size - 1))


@kernel
def slot_of(table: NDArray[np.int64], dyad: Whole) -> Whole:
    """Return the slot that holds a dyad, or the empty slot where it would be inserted."""
    last = table.size - 1
    slot = home_slot(table, dyad)
    while table[slot] != EMPTY and (table[slot] ^ dyad) > MUTUAL:
        slot = (slot + 1) & last
    return slot


@kernel
def contains(table: NDArray[np.int64], dyad: Whole) -> bool:
    """Return whether the table holds the dyad, in any state."""
    return bool(table[slot_of(table, dyad)] != EMPTY)


@kernel
def insert(table: NDArray[np.int64], dyad: Whole) -> None:
    """Insert a dyad, or replace its state."""
    table[slot_of(table, dyad)] = dyad


@kernel
def remove(table: NDArray[np.int64], dyad: Whole) -> None:
    """Remove a dyad, which the table must hold."""
    last = table.size - 1
    hole = home_slot(table, dyad)
    while (table[hole] ^ dyad) > MUTUAL:
        hole = (hole + 1) & last
    slot = hole
    while True:
        slot = (slot + 1) & last
        found = table[slot]
        if found == EMPTY:
            break
        if (slot - home_slot(table, found)) & last >= (slot - hole) & last:
            table[hole] = found
            hole = slot
    table[hole] = EMPTY


@kernel
def fill(
    table: NDArray[np.int64],
    source: NDArray[np.int32],
    target: NDArray[np.int32],
    state: Whole,
    ordered: bool,
) -> None:
    """Insert dyads that share one state."""
    for i in range(source.size):
        insert(table, entry(source[i], target[i], state, ordered))


def empty_table(entries: int) -> NDArray[np.int64]:
    """Return an empty table with room for `entries` dyads, of a power of two slots."""
    return np.full(1 << max(3, (2 * entries - 1).bit_length()), EMPTY, dtype=np.int64)
