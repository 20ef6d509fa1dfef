"""Hashes of names, by which names are spread evenly over partitions.

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

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_MIX_1, _MIX_2, _SHIFT = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)


@kernel
def hash_names(content: NDArray[np.uint8], ends: NDArray[np.int64], hashes: NDArray[np.uint64]) -> None:
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
