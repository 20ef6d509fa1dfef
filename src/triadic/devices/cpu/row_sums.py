"""Sums that the rows of an oriented graph add to vertices of either end, over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_BYTES_AN_ENTRY = 16  # what all workers' sums together may take beyond the first's


def sum_over_rows(
    indptr: NDArray[np.int64],
    width: int,
    add: Callable[[int, int, NDArray[np.int64]], None],
    *,
    threads: int,
    progress: blocks.Progress | None = None,
) -> NDArray[np.int64]:
    """Run ``add(first, last, sums)`` over blocks of rows, each worker adding into its own sums.

    Returns
    -------
    int64 array, shape (n, width)

    Notes
    -----
    Fewer workers are used where their sums would take more than 16 bytes an entry.
    """
    n, entries = len(indptr) - 1, int(indptr[-1])
    cuts = blocks.cut(indptr, blocks.piece(entries), most=1 << 20)
    affordable = 1 + _BYTES_AN_ENTRY * entries // max(1, 8 * n * width)
    threads = max(1, min(threads, len(cuts) - 1, affordable))
    partial = zeros(threads, (n, width), np.int64)
    blocks.run(
        lambda worker, b: add(cuts[b], cuts[b + 1], partial[worker]),
        len(cuts) - 1,
        threads=threads,
        progress=progress,
    )
    return summed(partial)
