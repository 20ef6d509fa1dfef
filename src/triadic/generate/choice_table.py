"""A hash table of the choices of one vertex, which keeps them different and needs no clearing between vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

_1 = np.uint64(1)
_NOBODY = np.uint64((1 << 64) - 1)


@kernel
def empty_table(choices: np.uint64) -> NDArray[np.uint64]:
    """Return an empty table with room for `choices` choices of each vertex; at most half of its slots are used.

    The table has shape (2, slots). Row 0 holds the vertex whose choice a slot stores, row 1 the choice.
    """
    slots = np.int64(2)
    while slots < 2 * np.int64(choices):
        slots *= 2
    return np.full((2, slots), _NOBODY, dtype=np.uint64)


@kernel
def claim(table: NDArray[np.uint64], vertex: np.uint64, choice: np.uint64) -> bool:
    """Insert a choice of `vertex`; return False if the vertex has made that choice before."""
    last = np.uint64(table.shape[1]) - _1
    slot = mix(choice) & last
    while table[0, slot] == vertex:
        if table[1, slot] == choice:
            return False
        slot = (slot + _1) & last
    table[0, slot] = vertex
    table[1, slot] = choice
    return True
