"""The triads of one type, listed in order. On the CPU: `triadic.devices.cpu.triad_list_kernels`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.triad_types import ASYMMETRIC, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.devices.cpu.id_rows import rows_above, rows_below
from triadic.devices.cpu.triad_list_kernels import NOT_BEGUN, next_triads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

# Triples in the first part and, as each is twice the one before, in the largest: the first are there at once.
_FIRST = 1 << 6
_LARGEST = 1 << 14


def list_triads(oriented: Oriented, name: str, limit: int | None) -> Iterator[NDArray[np.int64]]:
    """Give the triads of a type by original ids, part by part: each int64 of shape (triads, 3).

    Rows and columns of a part rise. With `limit`, at most so many in all.
    """
    n, threads = oriented.num_vertices, resolve_threads(None)
    mutual, asymmetric = MUTUAL[name], ASYMMETRIC[name]
    every = rows_above(oriented, threads=threads)
    kinds = "all" if mutual and asymmetric else "mutual" if mutual else "asymmetric"
    above = every if kinds == "all" or not mutual + asymmetric else rows_above(oriented, dyads=kinds, threads=threads)
    # Only a pair of dyads can meet at the highest vertex of the three with nothing between the other two.
    below = rows_below(oriented, dyads=kinds, threads=threads) if mutual + asymmetric == 2 else above
    starts = np.flatnonzero(np.diff(above.indptr)).astype(oriented.rank.dtype)
    wanted = np.equal(TYPE_OF_CODE, TRIAD_NAMES.index(name))
    at = np.array([0, 0, 0, NOT_BEGUN])
    seconds, mark = np.empty_like(oriented.rank), np.zeros(n, dtype=np.uint8)
    room = _FIRST
    while limit is None or limit > 0:
        part = np.empty((room if limit is None else min(room, limit), 3), dtype=np.int64)
        found = next_triads(every, above, below, starts, mutual + asymmetric, wanted, at, seconds, mark, part)
        yield part[:found]
        if found < len(part):
            return
        limit = None if limit is None else limit - found
        room = min(2 * room, _LARGEST)
