"""The triads of one type, listed in order, on the CPU: `triadic.devices.cpu.triads.labelled_triads`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.triad_types import ASYMMETRIC, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.devices.cpu.orient.id_rows import rows_above, rows_below
from triadic.devices.cpu.triads.labelled_triads import NOT_BEGUN, next_triads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress
    from triadic.devices.cpu.orient.id_rows import IdRows

# Triples in the first part, which is short so that it is listed at once, and in the largest; parts double in length.
_FIRST = 1 << 6
_LARGEST = 1 << 14
_PIECES = 128  # number of parts of the search, between which progress is reported and Ctrl-C is handled


def list_triads(
    oriented: Oriented,
    name: str,
    limit: int | None,
    progress: Progress | None = None,
    *,
    every: IdRows | None = None,
) -> Iterator[NDArray[np.int64]]:
    """Yield the triads of a type by original ids, part by part: int64 arrays of shape (triads, 3).

    Each row is in rising order, and the rows are in lexicographic order. With `limit`, at most this number of triads
    is listed in total. Progress is reported in vertices whose triads have been listed as the first of three.
    `every`, the rows of all neighbours of higher id, saves sorting the edges again.
    """
    n, threads = oriented.num_vertices, resolve_threads(None)
    mutual, asymmetric = MUTUAL[name], ASYMMETRIC[name]
    every = rows_above(oriented, threads=threads) if every is None else every
    kinds = "all" if mutual and asymmetric else "mutual" if mutual else "asymmetric"
    above = every if kinds == "all" or not mutual + asymmetric else rows_above(oriented, dyads=kinds, threads=threads)
    # Only in a type of two dyads can both dyads be at the highest of the three vertices.
    below = rows_below(oriented, dyads=kinds, threads=threads) if mutual + asymmetric == 2 else above
    starts = np.flatnonzero(np.diff(above.indptr)).astype(oriented.rank.dtype)
    is_type = np.equal(TYPE_OF_CODE, TRIAD_NAMES.index(name))
    position = np.array([0, 0, 0, NOT_BEGUN])
    seconds, mark = np.empty_like(oriented.rank), np.zeros(n, dtype=np.uint8)
    length, stop = _FIRST, 0
    while limit is None or limit > 0:
        if position[0] == stop:
            if progress is not None:
                progress(stop, n)
            if stop == n:
                return
            stop = min(n, stop + -(-n // _PIECES))
        part = np.empty((length if limit is None else min(length, limit), 3), dtype=np.int64)
        listed = next_triads(
            every, above, below, starts, mutual + asymmetric, is_type, position, stop, seconds, mark, part
        )
        yield part[:listed]
        limit = None if limit is None else limit - listed
        if listed == len(part):
            length = min(2 * length, _LARGEST)
