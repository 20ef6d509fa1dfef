"""Triangles listed on the CPU: the kernel of `triangle_listing_kernels`, run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.devices.cpu import triangle_listing_kernels as kernels
from triadic.devices.cpu.id_rows import rows_above
from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.zeros import zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_BLOCK = 1 << 17  # aimed block, in tests; no block has more triangles, unless it is a single entry


class TriangleListing:
    """The triangles of a graph in lexicographic order, by blocks of edges (u, v).

    Parameters
    ----------
    oriented : Oriented
        Without states.
    threads : int
    """

    def __init__(self, oriented: Oriented, *, threads: int) -> None:
        self.threads = threads
        above = rows_above(oriented, threads=threads)
        self._indptr, self._indices = above.indptr, as_unsigned(above.indices)
        n, m = oriented.num_vertices, oriented.num_edges
        check_memory(8 * m, f"listing the triangles of {m:,} edges", "use more memory")
        cost = np.zeros(m + 1, dtype=np.int64)
        rows = blocks.cut(self._indptr, blocks.piece(m), most=1 << 20)
        blocks.run(
            lambda _, b: kernels.add_costs(self._indptr, self._indices, rows[b], rows[b + 1], cost),
            len(rows) - 1,
            threads=threads,
        )
        np.cumsum(cost, out=cost)
        # The row of a block's first edge is marked anew: no more than the block's own work.
        longest = int(np.diff(self._indptr).max(initial=0))
        self._cuts = blocks.cut(cost, max(_BLOCK, longest), most=1 << 20)
        self._costs = np.diff(cost[self._cuts])
        self._row = np.searchsorted(self._indptr, self._cuts[:-1], side="right") - 1
        self._mark = zeros(threads, n // 64 + 1, np.int64)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self._cuts) - 1

    def count(self, first: int, last: int, progress: Progress | None = None) -> NDArray[np.int64]:
        """Count the triangles of blocks `first` .. `last` - 1: int64, shape (blocks,)."""
        found = np.zeros(last - first, dtype=np.int64)
        nowhere = np.empty((0, 3), dtype=np.int64)

        def task(worker: int, b: int) -> None:
            found[b] = self._walk(worker, first + b, nowhere)

        blocks.run(task, last - first, threads=self.threads, costs=self._costs[first:last], progress=progress)
        return found

    def write(
        self, first: int, counts: NDArray[np.int64], triangles: NDArray[np.int64], progress: Progress | None = None
    ) -> None:
        """Write the triangles of the blocks from `first` on, which have so many, one after the other.

        `triangles` has the shape (room, 3); what it has no room for is left out.
        """
        place = np.concatenate([[0], np.cumsum(counts)])
        last = first + len(counts)

        def task(worker: int, b: int) -> None:
            if counts[b] and place[b] < len(triangles):
                self._walk(worker, first + b, triangles[place[b] : place[b + 1]])

        blocks.run(task, len(counts), threads=self.threads, costs=self._costs[first:last], progress=progress)

    def _walk(self, worker: int, block: int, found: NDArray[np.int64]) -> int:
        return kernels.list_triangles(
            self._indptr,
            self._indices,
            self._row[block],
            self._cuts[block],
            self._cuts[block + 1],
            self._mark[worker],
            found,
        )
