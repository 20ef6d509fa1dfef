"""Codes of triads, the census entry of each code, and the final census; shared by all versions of the thesis."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states, turned
from triadic.errors import ArgumentError
from triadic.measures.census import Census

if TYPE_CHECKING:
    from numpy.typing import NDArray

CODE_NAMES = tuple(map(str, range(64)))
ENTRIES = 128  # entry k + 64 counts in units of 2**UNIT_BITS
UNIT_BITS = 31


def uses_positions(types: int, *, as_printed: bool) -> bool:
    """Return True if dyadic triads are separated by the position of their third vertex."""
    return types == 64 and not as_printed


def entry_table(types: int, *, as_printed: bool) -> NDArray[np.int64]:
    """Return the census entry of each code: int64, shape (2, 64); the second row holds for w < v.

    Raises
    ------
    ArgumentError
    """
    if types not in (16, 64):
        raise ArgumentError(f"types={types!r}: expected 16 or 64")
    if types == 16:
        return np.stack([TYPE_OF_CODE, TYPE_OF_CODE])
    codes = np.arange(64)
    return np.stack([codes, codes if as_printed else np.array([_with_last_two_swapped(code) for code in range(64)])])


def final_census(n: int, types: int, entries: list[NDArray[np.int64]]) -> Census:
    """Return the census: the sum of all entries, with null triads as the remainder (figure 2.4, lines 25 to 29)."""
    total = np.sum([each.astype(object) for each in entries], axis=0)
    counts = [int(low + (high << UNIT_BITS)) for low, high in zip(total[:types], total[64:], strict=False)]
    counts[0] = comb(n, 3) - sum(counts)
    return Census(TRIAD_NAMES if types == 16 else CODE_NAMES, tuple(counts))


def _with_last_two_swapped(code: int) -> int:
    """Return the code of (u, w, v) for the code of (u, v, w)."""
    uv, uw, vw = states(code)
    return uw + 4 * uv + 16 * turned(vw)
