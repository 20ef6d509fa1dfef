"""Keeping the choices of one vertex different: an open-addressing table that needs no clearing between vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.generate.draws import mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

_1 = np.uint64(1)
_NOBODY = np.uint64((1 << 64) - 1)


@kernel
def empty_table(choices: np.uint64) -> NDArray[np.uint64]:
    """Make a table for up to so many choices of each vertex: shape (2, slots), at most half of them taken.

    Row 0 is the vertex that a slot's choice belongs to, row 1 the choice.
    """
    slots = np.int64(2)
    while slots < 2 * np.int64(choices):
        slots *= 2
    return np.full((2, slots), _NOBODY, dtype=np.uint64)


@kernel
def claim(table: NDArray[np.uint64], vertex: np.uint64, choice: np.uint64) -> bool:
    """Enter a choice of `vertex`; False if it has made that choice before."""
    last = np.uint64(table.shape[1]) - _1
    slot = mix(choice) & last
    while table[0, slot] == vertex:
        if table[1, slot] == choice:
            return False
        slot = (slot + _1) & last
    table[0, slot] = vertex
    table[1, slot] = choice
    return True
