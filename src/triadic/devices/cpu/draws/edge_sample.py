"""A random sample of the edges of a stream: the edges whose two ends have the same colour.

Computes: which arcs of a batch have ends of one colour; the set of these edges, as arcs come and go.
Requires: ids of 64 bits; a table with more slots than edges, whose free slots hold the loop (0, 0).
Idea: the colour of a vertex is the first `bits` bits of a hash of its id (Pagh and Tsourakakis 2012). An edge is kept
  with probability 1 / colours, a triangle with 1 / colours**2, whenever and however often its arcs come. With one bit
  more, a part of the kept edges stays and no other edge joins, so the sample is the same as if there had been as many
  colours from the start.
Cost: two hashes for each arc; for each kept arc one look-up in a table with open addressing.

References
----------
R. Pagh and C. E. Tsourakakis, *Colorful triangle counting and a MapReduce implementation*, Information Processing
Letters 112, 277-281, 2012.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Int64Array, IntegerArray, Uint64Array
    from triadic.devices.cpu.intrinsics import Whole

    Ids = Uint64Array

_0 = np.uint64(0)


@kernel
def keep_monochromatic(
    source: IntegerArray,
    target: IntegerArray,
    key: np.uint64,
    mask: np.uint64,
    low: Ids,
    high: Ids,
    place: Int64Array,
) -> tuple[Whole, Whole]:
    """Write the edges whose ends agree in the masked bits, smaller id first, and the positions of their arcs.

    Returns
    -------
    kept, loops : int
        Numbers of edges written, and of loops, which are left out.
    """
    kept = 0
    loops = 0
    for i in range(source.size):
        a = np.uint64(source[i])
        b = np.uint64(target[i])
        if a == b:
            loops += 1
        elif (mix(key + a * GOLDEN) ^ mix(key + b * GOLDEN)) & mask == _0:
            low[kept] = min(a, b)
            high[kept] = max(a, b)
            place[kept] = i
            kept += 1
    return kept, loops


@kernel
def update(
    low: Ids,
    high: Ids,
    added: BoolArray,
    table: Ids,
    edges: Whole,
    limit: Whole,
    tally: Int64Array,
) -> tuple[Whole, Whole]:
    """Add edges to the table or remove them, one after the other, until one more would pass the limit.

    Parameters
    ----------
    low, high : uint64 arrays
        Ends of the edges.
    added : bool array
        Whether an edge is added; if empty, all are.
    table : uint64 array, shape (slots, 2)
    edges : int
        Number of edges in the table.
    limit : int
        Largest number of edges.
    tally : int64 array, shape (2,)
        Edges that were added though they were there, and removed though they were not.

    Returns
    -------
    taken, edges : int
        Number of edges that were added or removed, and number of edges in the table.
    """
    for i in range(low.size):
        slot = slot_of(table, low[i], high[i])
        there = table[slot, 0] != table[slot, 1]
        if added.size == 0 or added[i]:
            if there:
                tally[0] += 1
                continue
            if edges == limit:
                return i, edges
            table[slot, 0] = low[i]
            table[slot, 1] = high[i]
            edges += 1
        elif there:
            _free(table, slot)
            edges -= 1
        else:
            tally[1] += 1
    return low.size, edges


@kernel
def home(table: Ids, low: np.uint64, high: np.uint64) -> Whole:
    """Return the slot at which the search for an edge begins."""
    return np.int64(below(mix(low * GOLDEN ^ mix(high)), np.uint64(table.shape[0])))


@kernel
def slot_of(table: Ids, low: np.uint64, high: np.uint64) -> Whole:
    """Return the slot that holds an edge, or the free slot where it would be inserted."""
    slot = home(table, low, high)
    while table[slot, 0] != table[slot, 1] and (table[slot, 0] != low or table[slot, 1] != high):
        slot += 1
        if slot == table.shape[0]:
            slot = 0
    return slot


@kernel
def _free(table: Ids, hole: Whole) -> None:
    """Free a slot, and move later edges up that a search would miss otherwise (Knuth 6.4, algorithm R)."""
    slots = table.shape[0]
    slot = hole
    while True:
        slot += 1
        if slot == slots:
            slot = 0
        if table[slot, 0] == table[slot, 1]:
            break
        start = home(table, table[slot, 0], table[slot, 1])
        if (slot - start + slots) % slots >= (slot - hole + slots) % slots:
            table[hole, 0] = table[slot, 0]
            table[hole, 1] = table[slot, 1]
            hole = slot
    table[hole, 0] = _0
    table[hole, 1] = _0
