"""Squares on the CPU: the kernels of `square_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import square_kernels as kernels
from triadic.devices.cpu.middle_lists import MiddleLists, as_unsigned, middle_lists
from triadic.devices.cpu.row_sums import sum_over_rows
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_BLOCK = 1 << 23  # aimed block, in 2-paths: some 40 ms
_BLOCKS_PER_THREAD = 16
_VERTEX = 8  # what a vertex costs beside its 2-paths, in 2-paths


def by_vertex(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the squares at each rank: int64, shape (n,)."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)
    lists = middle_lists(indptr, indices, indptr[:-1], threads=threads)
    place = np.empty(oriented.num_edges, dtype=np.int32)
    cuts = blocks.cut(lists.ptr, 1 << 18, most=1 << 20)
    blocks.run(
        lambda _, b: kernels.find_places(indptr, indices, lists.ptr, lists.ends, cuts[b], cuts[b + 1], place),
        len(cuts) - 1,
        threads=threads,
    )
    return by_vertex_from(oriented, lists, place, threads=threads, progress=progress)


def by_vertex_from(
    oriented: Oriented,
    lists: MiddleLists,
    place: NDArray[np.int32],
    *,
    threads: int,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count the squares at each rank, with the lists of all entries and their places in the rows at hand."""
    indptr, indices = oriented.indptr, as_unsigned(oriented.indices)

    def add_costs(first: int, last: int, sums: NDArray[np.int64]) -> None:
        kernels.path_costs(indptr, indices, oriented.degree, first, last, sums[:, 0])

    number = sum_over_rows(indptr, 1, add_costs, threads=threads).ravel()
    cost = np.concatenate([[0], np.cumsum(number + _VERTEX)])
    aim = max(1, min(_BLOCK, int(cost[-1]) // (threads * _BLOCKS_PER_THREAD)))
    cuts = blocks.cut(cost, aim, most=1 << 16)
    paths = zeros(threads, (oriented.num_vertices, 2), np.int64)
    listed = zeros(threads, (kernels.FEW, 2), np.int64)
    tag = [0] * threads

    def task(worker: int, b: int) -> None:
        tag[worker] = kernels.add_squares(
            indptr, indices, lists.ptr, lists.ends, place, number, cuts[b], cuts[b + 1], tag[worker], paths[worker],
            listed[worker],
        )  # fmt: skip

    blocks.run(task, len(cuts) - 1, threads=threads, costs=np.diff(cost[cuts]), progress=progress)
    return summed([of[:, 1] for of in paths]) >> 1
