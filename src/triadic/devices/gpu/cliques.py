"""Cliques of one size on GPUs: batches of rows, whose neighbourhoods are matrices of bits (cliques.c)."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import int_zeros
from triadic.devices.gpu.rows import rows_on
from triadic.devices.gpu.tasks import cut_by, on_each
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES, c_source, sums_before
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Runtime

SIZES = range(3, 7)
_SHARE_OF_FREE, _MOST_BYTES = 4, 1 << 30  # of the matrices of a batch
_MOST_WORDS = 16  # of a row's bits, for which a team has counters in local memory


def search(
    device: str,
    oriented: Oriented,
    sizes: tuple[int, int],
    binomials: Int64Array | None = None,
    *,
    progress: Progress | None = None,
    **_: object,
) -> tuple[Int64Array, Int64Array, Int64Array]:
    """Count the cliques of one size of `SIZES`, as the `search` of the CPU returns them."""
    size, n, row, by_vertex = sizes[0], oriented.num_vertices, oriented.sizes.longest_row, binomials is not None
    runtimes, lengths = runtimes_of(device), np.diff(oriented.indptr)
    words = 1 << (max(1, row) - 1 >> 5).bit_length()
    most = sum(comb(length, size - 1) * times for length, times in enumerate(np.bincount(lengths).tolist()))
    if words > _MOST_WORDS or most >= 1 << 63:
        raise UnsupportedError(f"{device}: cliques of {size} in rows of up to {row:,} entries are counted on the CPU")
    source = c_source("cliques", "tasks", "search", "wide_sums", SIZE=size, WORDS=words, BY_VERTEX=int(by_vertex))
    free = min(runtime.memory()[0] for runtime in runtimes)
    cuts = cut_by((oriented.indptr, min(free // _SHARE_OF_FREE, _MOST_BYTES) // (4 * words)))
    tasks = sums_before(np, -(-lengths // LANES))

    def counted(runtime: Runtime) -> Int64Array:
        """Return the total and the counts at ranks of the batches of a device."""
        rows, counts = (*rows_on(runtime, oriented), runtime.upload(tasks)), runtime.zeros(1 + n * by_vertex, np.int64)
        for batch in range(runtimes.index(runtime), len(cuts) - 1, len(runtimes)):
            first, last = int(cuts[batch]), int(cuts[batch + 1])
            count, entries = int(tasks[last] - tasks[first]), int(oriented.indptr[last] - oriented.indptr[first])
            arguments = *rows, n, first, count, runtime.zeros(max(1, words * entries))
            runtime.launch_teams(source, "join_neighbours", count, *arguments)
            runtime.launch_teams(source, "cliques", count, *arguments, counts)
            if progress is not None:
                runtime.synchronize()
                progress(batch + 1, len(cuts) - 1)
        return runtime.download(counts)

    counts = np.sum(on_each(runtimes, counted), axis=0)
    tally, at_rank = int_zeros((size + 1, 1)), int_zeros((1, n, size + 1 if by_vertex else 0))
    tally[size] = counts[0]
    if by_vertex:
        at_rank[0, :, size] = counts[1:]
    return tally, at_rank, int_zeros((0, at_rank.shape[2]))
