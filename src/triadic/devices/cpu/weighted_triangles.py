"""Sums over weighted triangles on the CPU: the kernels of `weighted_triangle_kernels`, run over all workers.

Computes: at each rank the sum over its triangles of the product of the values of their edges.
Requires: an oriented graph and a finite float64 for each entry of its rows.
Idea: lists are cut into parts by the graph alone, and each part is summed by one worker; the parts of a list are then
  added up in order, so that the sums are the same to the bit for any number of threads.
Cost: as the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import weighted_triangle_kernels as kernels
from triadic.devices.cpu.triangle_work import prepare
from triadic.devices.cpu.vertex_arrays import zeros
from triadic.devices.cpu.weight_sums import sum_over_cuts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.triangle_work import TriangleWork

# Largest number of lists in a part. The ends of parts decide the order of addition, so they depend on the graph alone
# and not on the number of threads.
PART = 1 << 12
_BLOCKS_PER_THREAD = 8
_BLOCK = 20_000_000  # aimed block, in the nanoseconds of `triangle_work`


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Middle lists in parts.

    Attributes
    ----------
    vertex : int64 array, shape (parts,)
    begin : int64 array, shape (parts + 1,)
        Where each part begins in the lists, and where the last list ends.
    room : int64 array, shape (parts,)
        Where each part writes: a vertex's first part at its own entries, other parts behind all entries.
    places : int
        Number of entries and of places behind them.
    """

    vertex: NDArray[np.int64]
    begin: NDArray[np.int64]
    room: NDArray[np.int64]
    places: int


def by_vertex(
    oriented: Oriented,
    values: NDArray[np.float64],
    *,
    threads: int,
    progress: Progress | None = None,
    hubs: int | None = None,
) -> NDArray[np.float64]:
    """Add up at each rank, over its triangles, the product of the values of their three edges.

    Parameters
    ----------
    oriented : Oriented
    values : float64 array, shape (m,)
        Finite, one for each entry of the rows.
    threads : int
    progress : callable, optional
    hubs : int, optional
        Number of hubs; chosen by the cost model by default.

    Returns
    -------
    float64 array, shape (n,)
        The same to the bit for any number of threads.

    Raises
    ------
    OutOfMemoryError
        If the count needs more memory than is available.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    work = prepare(oriented, threads=threads, hubs=hubs)
    bits, before = work.bits.view(np.uint64), _entries_before(work, threads)
    parts = cut_lists(work.indptr, work.middle_ptr, m)
    list_blocks, list_costs = _list_blocks(work, parts, threads)
    costs = np.concatenate([work.costs[: work.num_hub_blocks], list_costs])

    mark = zeros(threads, n // 64 + 1, np.int64)
    room = zeros(threads, int(np.diff(work.indptr).max(initial=0)) + 1, np.uint64)
    value, collected = zeros(threads, n, np.float64), zeros(threads, n, np.float64)
    near, far = np.zeros(m), np.zeros(parts.places)

    def task(worker: int, b: int) -> None:
        if b < work.num_hub_blocks:
            kernels.hub_products(
                work.indptr, work.indices, values, work.split, bits, before, *work.rows_of(b),
                mark[worker].view(np.uint64), room[worker], value[worker], collected[worker], near,
            )  # fmt: skip
        else:
            number = b - work.num_hub_blocks
            kernels.list_products(
                work.indptr, work.indices, values, work.middle_ptr, work.ends, parts.vertex, parts.begin, parts.room,
                list_blocks[number], list_blocks[number + 1], mark[worker], room[worker], value[worker],
                collected[worker], near, far,
            )  # fmt: skip

    blocks.run(task, len(costs), threads=threads, costs=costs, progress=progress)
    if len(far) > m:
        kernels.join_parts(work.indptr, parts.vertex, parts.room, far)
    return sum_over_cuts(
        work.indptr,
        lambda first, last, sums: kernels.fold(work.indptr, work.indices, work.split, near, far, first, last, sums),
        threads=threads,
    )


def _entries_before(work: TriangleWork, threads: int) -> NDArray[np.uint32]:
    """Count the entries of the hubs' rows before each word of the matrix."""
    before = np.empty((work.hubs, work.hubs // 64 + 1), dtype=np.uint32)
    cuts = blocks.cut_evenly(work.hubs, 4 * threads)
    blocks.run(
        lambda _, b: kernels.entries_before(work.bits.view(np.uint64), cuts[b], cuts[b + 1], before),
        len(cuts) - 1 if work.hubs else 0,
        threads=threads,
    )
    return before


def _list_blocks(work: TriangleWork, parts: Parts, threads: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut parts into blocks of about equal cost: the cuts, and the cost of each block."""
    costs = np.concatenate([[0], np.cumsum(work.costs[work.num_hub_blocks :])])
    before = np.interp(parts.begin, work.list_blocks, costs).astype(np.int64)
    before -= before[0]
    aim = max(1, min(_BLOCK, int(before[-1]) // (threads * _BLOCKS_PER_THREAD)))
    cuts = blocks.cut(before, aim, most=1 << 16)
    return cuts, np.diff(before[cuts])


def cut_lists(indptr: NDArray[np.int64], middle_ptr: NDArray[np.int64], m: int) -> Parts:
    """Cut the lists of vertices that have both a list and a row into parts of at most `PART` lists."""
    length = np.diff(indptr)
    count = -(-np.diff(middle_ptr) // PART)
    count[length == 0] = 0
    vertex = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(vertex)) - (np.cumsum(count) - count)[vertex]
    length_behind = np.where(number > 0, length[vertex], 0)
    behind = np.cumsum(length_behind) - length_behind
    return Parts(
        vertex,
        np.append(middle_ptr[vertex] + number * PART, middle_ptr[-1]),
        np.where(number > 0, m + behind, indptr[vertex]),
        m + int(length_behind.sum()),
    )
