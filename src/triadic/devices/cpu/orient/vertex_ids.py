"""Numbers and names of vertices: places of numbers in any order and with gaps, and hashes of names.

Computes: sums of counts of numbers; the place of each number in a rising list.
Requires: numbers of `add_counts` within the table; lists without repeats.
Idea: a table of the first place of each value of a number's high bits leaves a short part of the list for a binary
  search.
Cost: one random access a number, three or more for its place.

Hashes of names, by which names are spread evenly over partitions.

Computes: a hash of 64 bits of each of some names.
Requires: `ends` rises to the size of `content` at most.
Idea: FNV-1a over the bytes of a name, then the finalizer of MurmurHash3, which spreads the bits of short names.
Cost: one multiplication a byte.

Fowler, Noll and Vo (1991), FNV hash; Appleby (2011), MurmurHash3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_DEGREE, AHEAD_RANK, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array, Uint8Array, Uint64Array


_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX_1, _MIX_2, _SHIFT = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)


@kernel
def add_counts(ids: Int64Array, counts: Int64Array, least: int, table: Int64Array) -> None:
    """Add the count of each id to the entry ``id - least`` of a table."""
    for i in range(ids.size):
        table[ids[i] - least] += counts[i]


@kernel
def index_numbers(numbers: Int64Array, shift: int, starts: Int64Array) -> None:
    """Write the first place of the numbers of each value of the high bits, and the number of numbers at the end."""
    bucket = 0
    for i in range(numbers.size):
        high = (numbers[i] - numbers[0]) >> shift
        while bucket <= high:
            starts[bucket] = i
            bucket += 1
    while bucket < starts.size:
        starts[bucket] = numbers.size
        bucket += 1


@kernel
def find_places(numbers: Int64Array, starts: Int64Array, shift: int, ids: Int64Array, places: Ids) -> int:
    """Write the place of each id in `numbers`, which rise; return how many ids are missing, whose place is 0.

    The numbers whose distance to the first one has the high bits h, ``distance >> shift``, are at the places
    ``starts[h]`` .. ``starts[h + 1] - 1``.
    """
    missing = 0
    first, last = numbers[0], numbers[-1]
    for i in range(ids.size):
        if i + AHEAD_DEGREE < ids.size:
            ahead = min(max(ids[i + AHEAD_DEGREE], first), last)
            prefetch(starts, (ahead - first) >> shift)
        if i + AHEAD_RANK < ids.size:
            ahead = min(max(ids[i + AHEAD_RANK], first), last)
            prefetch(numbers, min(starts[(ahead - first) >> shift], numbers.size - 1))
        number = ids[i]
        places[i] = 0
        if number < first or number > last:
            missing += 1
            continue
        bucket = (number - first) >> shift
        low, high = starts[bucket], starts[bucket + 1]
        while low < high:
            middle = (low + high) >> 1
            if numbers[middle] < number:
                low = middle + 1
            else:
                high = middle
        if low < numbers.size and numbers[low] == number:
            places[i] = low
        else:
            missing += 1
    return missing


@kernel
def hash_names(content: Uint8Array, ends: Int64Array, hashes: Uint64Array) -> None:
    """Write the hash of each name; name k is ``content[ends[k - 1] : ends[k]]``."""
    start = 0
    for k in range(ends.size):
        found = _OFFSET
        for p in range(start, ends[k]):
            found = (found ^ np.uint64(content[p])) * _PRIME
        found = (found ^ (found >> _SHIFT)) * _MIX_1
        found = (found ^ (found >> _SHIFT)) * _MIX_2
        hashes[k] = found ^ (found >> _SHIFT)
        start = ends[k]
