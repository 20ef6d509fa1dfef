"""A hash table of dyads, with what runs between their two vertices.

Computes: whether two vertices are joined, and how; dyads are entered and taken out at any time.
Requires: vertices below 2**30, so that two of them and a state fit an int64; at most half of the slots taken.
Idea: open addressing, linear probing in one array of int64, so that a look-up is one cache line nearly always. What is
  taken out leaves no mark: the entries behind it move up (Knuth, *The Art of Computer Programming* 3, 6.4, algorithm
  R), so that look-ups are as fast after a billion changes as before the first.
Cost: 16 to 32 bytes a dyad.

Where dyads are entered by `ordered` pairs, an arc is an entry of its own, whatever runs the other way; the state is 1.
Otherwise both ends' order is one entry, with the state 1 for an arc from its first vertex, 2 for one to it, 3 for both.
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
ARC, MUTUAL = 1, 3
_HALF = np.uint64(32)


@kernel
def entry(u: Whole, v: Whole, state: Whole, ordered: bool) -> Whole:
    """Give the entry for a dyad whose state is as seen from `u`."""
    if ordered or u < v:
        return (np.int64(u) << 32) | (np.int64(v) << 2) | state
    return (np.int64(v) << 32) | (np.int64(u) << 2) | (((state & 1) << 1) | (state >> 1))


@kernel
def home(table: NDArray[np.int64], given: Whole) -> Whole:
    """Give the slot at which the search for an entry begins, whatever its state."""
    product = np.uint64(given >> 2) * GOLDEN  # its upper half depends on both ends
    return np.int64((product ^ (product >> _HALF)) & np.uint64(table.size - 1))


@kernel
def slot_of(table: NDArray[np.int64], given: Whole) -> Whole:
    """Give the slot of a dyad, or the empty one where it would go."""
    last = table.size - 1
    slot = home(table, given)
    while table[slot] != EMPTY and (table[slot] ^ given) > MUTUAL:
        slot = (slot + 1) & last
    return slot


@kernel
def is_there(table: NDArray[np.int64], given: Whole) -> bool:
    """Whether the dyad is joined in any way."""
    return bool(table[slot_of(table, given)] != EMPTY)


@kernel
def enter(table: NDArray[np.int64], given: Whole) -> None:
    """Enter a dyad, or change its state."""
    table[slot_of(table, given)] = given


@kernel
def take_out(table: NDArray[np.int64], given: Whole) -> None:
    """Take out a dyad that is there."""
    last = table.size - 1
    hole = home(table, given)
    while (table[hole] ^ given) > MUTUAL:
        hole = (hole + 1) & last
    slot = hole
    while True:
        slot = (slot + 1) & last
        found = table[slot]
        if found == EMPTY:
            break
        if (slot - home(table, found)) & last >= (slot - hole) & last:
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
    """Enter dyads of one state."""
    for i in range(source.size):
        enter(table, entry(source[i], target[i], state, ordered))


def empty_table(entries: int) -> NDArray[np.int64]:
    """Make a table for so many entries."""
    return np.full(1 << max(3, (2 * entries - 1).bit_length()), EMPTY, dtype=np.int64)
