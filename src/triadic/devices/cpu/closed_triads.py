"""Closed triads on the CPU: the kernels of `closed_triad_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import closed_triad_kernels as kernels
from triadic.devices.cpu.triangle_work import prepare
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.triangle_work import TriangleWork


def by_code(oriented: Oriented, *, labelled: bool, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code, and where `labelled` by the order of the original ids.

    Returns
    -------
    int64 array, shape (8, 64)
        Row o: bits of o say u < v, u < w and v < w by original id; all in row 0 where not `labelled`.
    """
    work = prepare(oriented, threads=threads, worker_bytes=1, hubs=0)
    state = states(oriented)
    order = oriented.order if labelled else oriented.rank[:0]
    mark = zeros(threads, oriented.num_vertices, np.uint8)
    counts = zeros(threads, kernels.ORDERS * kernels.CODES, np.int64)

    def count(worker: int, v: int, first: int, last: int) -> None:
        kernels.count_by_code(
            work.indptr, work.indices, state, work.middle_ptr, work.ends, work.below, v, first, last, order,
            mark[worker], counts[worker],
        )  # fmt: skip

    _run(work, count, threads, progress)
    return np.sum(counts, axis=0, dtype=np.int64).reshape(kernels.ORDERS, kernels.CODES)


def by_role(
    oriented: Oriented, roles: NDArray[np.int64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count closed triads at each rank by role.

    Parameters
    ----------
    oriented : Oriented
    roles : int64 array, shape (3, 64)
        Role of u, v and w, u > v > w, for each code.

    Returns
    -------
    int64 array, shape (n, roles)
    """
    n, width = oriented.num_vertices, int(roles.max()) + 1
    work = prepare(oriented, threads=threads, worker_bytes=1 + 8 * width, hubs=0)
    state = states(oriented)
    mark = zeros(threads, n, np.uint8)
    here = zeros(threads, kernels.CODES, np.int64)
    triads = zeros(threads, (n, width), np.int64)

    def count(worker: int, v: int, first: int, last: int) -> None:
        kernels.count_by_role(
            work.indptr, work.indices, state, work.middle_ptr, work.ends, work.below, v, first, last, roles,
            mark[worker], here[worker], triads[worker],
        )  # fmt: skip

    _run(work, count, threads, progress)
    return summed(triads, threads=threads)


def states(oriented: Oriented) -> NDArray[np.uint8]:
    """Give the state of each entry; all mutual in an undirected graph."""
    if oriented.state is not None:
        return oriented.state
    return np.full(oriented.num_edges, 3, dtype=np.uint8)


def _run(
    work: TriangleWork, count: Callable[[int, int, int, int], None], threads: int, progress: Progress | None
) -> None:
    def task(worker: int, block: int) -> None:
        count(worker, work.list_vertex[block], work.list_blocks[block], work.list_blocks[block + 1])

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
