"""Passes over the vertices of a graph, each cut into blocks by an estimate of its work.

Computes: what the passes of the orbits share: whole rows, sums over the edges of vertices, blocks of equal work.
Requires: an oriented graph with edges.
Idea: each pass has its own cost for each vertex. Blocks take some tens of milliseconds, and there are enough of them
  that threads end at about the same time.
Cost: O(vertices) for a pass, beside its work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import common_neighbours
from triadic.devices.cpu.whole_rows import WholeRows, row_sums, whole_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_BLOCKS_PER_THREAD = 64
_BLOCK = 1 << 23  # aimed block, in entries of rows: some 20 ms
_VERTEX = 8  # cost of a vertex beside its entries


class VertexPasses:
    """Whole rows of a graph, and passes over its vertices.

    Parameters
    ----------
    oriented : Oriented
        A graph with edges.
    threads : int
    """

    def __init__(self, oriented: Oriented, threads: int) -> None:
        self.threads, self.degree = threads, oriented.degree
        self.n, self.m = oriented.num_vertices, oriented.num_edges
        self.rows: WholeRows = whole_rows(oriented, threads=threads)

    def _larger_rank_paths(self) -> NDArray[np.int64]:
        """Return for each u the number of 2-paths u - a - w with a and w of larger rank: int64, shape (n,)."""
        rows = self.rows
        found = np.zeros(self.n, dtype=np.int64)
        pieces = blocks.cut(rows.ptr, blocks.piece(2 * self.m), most=1 << 16)
        blocks.run(
            lambda _, b: common_neighbours.count_larger_paths(
                rows.ptr, rows.ends, rows.higher, pieces[b], pieces[b + 1], found
            ),
            len(pieces) - 1,
            threads=self.threads,
        )
        return found

    def _at_edges(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Add up for each vertex the values of its edges."""
        return row_sums(self.rows.ptr, self.rows.edges, values, threads=self.threads)

    def _within_two_steps(self, lower: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for each u about the entries of the rows of larger ranks within two steps, at most all of them.

        Parameters
        ----------
        lower : int64 array, shape (n,)
            2-paths from u over larger ranks.
        """
        beyond = np.concatenate([np.cumsum(self.rows.higher[::-1])[::-1][1:], [0]])
        mean = 2 * self.m // self.n + 1
        return 3 * lower + np.minimum(lower * mean, 2 * beyond)

    def _run(self, cost: NDArray[np.int64], task: Callable[[int, int, int], None], progress: Progress | None) -> None:
        """Run ``task(worker, first, last)`` over blocks of vertices of about equal cost."""
        before = np.concatenate([[0], np.cumsum(cost + _VERTEX)])
        aim = max(1, min(_BLOCK, int(before[-1]) // (self.threads * _BLOCKS_PER_THREAD)))
        cuts = blocks.cut(before, aim, most=1 << 16)
        blocks.run(
            lambda worker, b: task(worker, cuts[b], cuts[b + 1]),
            len(cuts) - 1,
            threads=self.threads,
            costs=np.diff(before[cuts]),
            progress=progress,
        )

    def _over_vertices(self, cost: NDArray[np.int64], task: Callable[[int, int], None]) -> None:
        """Run ``task(first, last)`` over blocks of vertices."""
        self._run(cost, lambda _, first, last: task(first, last), None)
