"""The triads of one type by the groups of their vertices, counted from the list of triads part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.triad_roles import order_by_role, symmetry
from triadic.counts.triad_list import list_triads
from triadic.devices.cpu.triads.labelled_triads import number_triads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import Progress
    from triadic.devices.cpu.orient.id_rows import IdRows

    Numbers = NDArray[np.int64]

MOST_GROUPS = 1 << 19  # the cells of thirteen types fit 64 bits
_BUFFER = 1 << 20  # triads whose numbers are held at a time


def count_typed_triads(
    oriented: Oriented,
    every: IdRows,
    name: str,
    group: NDArray[np.int32],
    groups: int,
    progress: Progress | None = None,
) -> tuple[Numbers, Numbers]:
    """Count the triads of a type by the groups of their vertices.

    Parameters
    ----------
    oriented : Oriented
    every : IdRows
        Neighbours of higher id of each vertex, by `rows_above`.
    name : str
        A connected type.
    group : int32 array, shape (n,)
        Group of each vertex.
    groups : int
        Number of groups, below 2**19.

    Returns
    -------
    numbers : int64 array, shape (cells,)
        (g0 * groups + g1) * groups + g2 for the groups by role, rising.
    counts : int64 array, shape (cells,)
        Number of triads with these groups.
    """
    order, kind = order_by_role(name), symmetry(name)
    numbers, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    parts: list[Numbers] = []
    held = 0
    for triads in list_triads(oriented, name, None, progress, every=every):
        part = np.empty(len(triads), dtype=np.int64)
        number_triads(every, triads, group, groups, order, kind, part)
        parts.append(part)
        held += len(part)
        if held >= _BUFFER:
            numbers, counts = _with_parts(numbers, counts, parts)
            parts, held = [], 0
    return _with_parts(numbers, counts, parts)


def _with_parts(numbers: Numbers, counts: Numbers, parts: list[Numbers]) -> tuple[Numbers, Numbers]:
    """Return the cells and their counts with the triads of some parts added."""
    if not parts:
        return numbers, counts
    more, times = np.unique(np.concatenate(parts), return_counts=True)
    return add_cells([(numbers, counts), (more, times.astype(np.int64))])


def add_cells(tables: list[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """Return the sums of the counts of some tables of cells."""
    every, inverse = np.unique(np.concatenate([numbers for numbers, _ in tables]), return_inverse=True)
    total = np.zeros(len(every), dtype=np.int64)
    np.add.at(total, inverse.reshape(-1), np.concatenate([counts for _, counts in tables]))
    return every, total
