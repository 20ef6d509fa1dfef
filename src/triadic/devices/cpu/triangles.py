"""Triangles on the CPU: the kernels of `triangle_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import triangle_kernels as kernels
from triadic.devices.cpu.triangle_work import TriangleWork, prepare
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented


def total(oriented: Oriented, *, threads: int, progress: Progress | None = None, hubs: int | None = None) -> int:
    """Count all triangles."""
    work = prepare(oriented, threads=threads, worker_bytes=1, hubs=hubs)
    mark = zeros(threads, work.mark_words, np.int64)
    found = np.zeros(len(work.costs), dtype=np.int64)

    def count_hubs(worker: int, block: int, first: int, last: int) -> None:
        found[block] = kernels.hubs_total(work.indptr, work.indices, work.split, work.bits, first, last, mark[worker])

    def count_lists(worker: int, block: int, v: int, first: int, last: int) -> None:
        found[block] = kernels.lists_total(
            work.indptr, work.indices, work.middle_ptr, work.ends, work.below, v, first, last, mark[worker]
        )

    _run(work, count_hubs, count_lists, threads, progress)
    return int(found.sum())


def by_vertex(
    oriented: Oriented, *, threads: int, progress: Progress | None = None, hubs: int | None = None
) -> NDArray[np.int64]:
    """Count the triangles at each rank: int64, shape (n,)."""
    n = oriented.num_vertices
    work = prepare(oriented, threads=threads, worker_bytes=13, hubs=hubs)
    mark = zeros(threads, work.mark_words, np.int64)
    slot = zeros(threads, n, np.int32)
    triangles = zeros(threads, n, np.int64)

    def count_hubs(worker: int, _: int, first: int, last: int) -> None:
        kernels.hubs_by_vertex(
            work.indptr, work.indices, work.split, work.bits, first, last, mark[worker], triangles[worker]
        )

    def count_lists(worker: int, _: int, v: int, first: int, last: int) -> None:
        kernels.lists_by_vertex(
            work.indptr,
            work.indices,
            work.middle_ptr,
            work.ends,
            work.below,
            v,
            first,
            last,
            mark[worker],
            slot[worker],
            triangles[worker],
        )

    _run(work, count_hubs, count_lists, threads, progress)
    return summed(triangles)


def _run(
    work: TriangleWork,
    count_hubs: Callable[[int, int, int, int], None],
    count_lists: Callable[[int, int, int, int, int], None],
    threads: int,
    progress: Progress | None,
) -> None:
    """Run the blocks of hubs and of lists from one queue."""
    hub_blocks = len(work.hub_blocks) - 1

    def task(worker: int, block: int) -> None:
        if block < hub_blocks:
            count_hubs(worker, block, work.hub_blocks[block], work.hub_blocks[block + 1])
        else:
            b = block - hub_blocks
            count_lists(worker, block, work.list_vertex[b], work.list_blocks[b], work.list_blocks[b + 1])

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
