"""Triangles at chosen vertices on the CPU: the kernels of `triangles_at_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import triangles_at_kernels as kernels
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.zeros import zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress

    Ids = NDArray[np.integer[Any]]

_BLOCK = 1 << 20  # aimed block, in tests
_CHOSEN = 1 << 12  # chosen vertices that a worker weighs at a time


def costs_at(indptr: NDArray[np.int64], indices: Ids, chosen: NDArray[np.int64], *, threads: int) -> NDArray[np.int64]:
    """Give about how many tests each of the chosen vertices takes: int64, shape (chosen,)."""
    cost, columns = np.empty(len(chosen), dtype=np.int64), as_unsigned(indices)
    cuts = blocks.cut_evenly(len(chosen), -(-len(chosen) // _CHOSEN))
    blocks.run(
        lambda _, b: kernels.costs_at(indptr, columns, chosen, cuts[b], cuts[b + 1], cost),
        len(cuts) - 1,
        threads=threads,
    )
    return cost


def triangles_at(
    indptr: NDArray[np.int64],
    indices: Ids,
    chosen: NDArray[np.int64],
    cost: NDArray[np.int64],
    *,
    threads: int,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count the triangles at each of the chosen vertices, which take so many tests: int64, shape (chosen,)."""
    before, columns = np.concatenate([[0], np.cumsum(cost)]), as_unsigned(indices)
    cuts = blocks.cut(before, _BLOCK, most=1 << 16)
    triangles = np.zeros(len(chosen), dtype=np.int64)
    # Zeros that nobody touches cost nothing: of a vertex's marks only its neighbours' pages.
    mark = zeros(min(threads, max(1, len(cuts) - 1)), len(indptr) // 64 + 1, np.int64)
    blocks.run(
        lambda worker, b: kernels.triangles_at(indptr, columns, chosen, cuts[b], cuts[b + 1], mark[worker], triangles),
        len(cuts) - 1,
        threads=threads,
        costs=np.diff(before[cuts]),
        progress=progress,
    )
    return triangles
