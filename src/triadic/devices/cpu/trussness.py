"""Trussness on the CPU: supports, then the kernels of `trussness_kernels`, long rounds run over all workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.core.progress import split
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import trussness_kernels as kernels
from triadic.devices.cpu.middle_lists import as_unsigned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.trussness_kernels import Ids, Whole

# Rows are made anew once no more than this share of their edges is left.
_STILL_LIVE = 0.75
# Edges of a round from which threads are worth starting, and edges that a worker takes at a time.
_LONG = 1 << 9
_BLOCK = 1 << 6
_AT_ONCE = 1 << 16  # edges peeled on one worker before progress is told, and Ctrl-C heard


def trussness(
    oriented: Oriented, *, up_to: int | None = None, threads: int, progress: Progress | None = None
) -> NDArray[np.int32]:
    """Give the trussness of each entry's edge, 2 where it is in no triangle: int32, shape (m,).

    With `up_to` peeling stops once all smaller ones are known; the others are then at least that.
    """
    m = oriented.num_edges
    counting, peeling = split(progress, [1, 2])
    support = neighbourhoods.by_edge(oriented, threads=threads, progress=counting)
    peeled = _Peeling(oriented, support, threads, None if up_to is None else up_to - 2)
    while peeled.next_level():
        if peeling is not None:
            peeling(int(peeled.head), m)
        while peeled.head < peeled.tail[0]:
            peeled.next_rounds()
            if peeling is not None:
                peeling(int(peeled.head), m)
    if peeling is not None:
        peeling(m, m)
    support += 2
    return support


class _Peeling:
    """Edges on their way down; `support` is changed, and of those that have gone holds the level at which they went."""

    def __init__(self, oriented: Oriented, support: NDArray[np.int32], threads: int, up_to: int | None) -> None:
        n, m = oriented.num_vertices, oriented.num_edges
        self.support, self.threads, self._up_to = support, threads, up_to
        in_triangles = int(np.count_nonzero(support))
        check_memory(5 * m + 24 * in_triangles + 16 * n, f"peeling {m:,} edges", "use more memory")
        self.indices = as_unsigned(oriented.indices)
        self._dtype = self.indices.dtype if m < 1 << 32 else np.dtype(np.uint64)
        self.row = np.repeat(np.arange(n, dtype=self.indices.dtype), np.diff(oriented.indptr))
        self.state = np.where(support > 0, np.uint8(kernels.LIVE), np.uint8(kernels.GONE))
        self.live = np.flatnonzero(support).astype(self._dtype)
        self.left: Whole = len(self.live)
        self.queue = np.empty(len(self.live), dtype=self._dtype)
        self.head: Whole = 0
        self.tail = np.zeros(1, dtype=np.int64)
        self.level: Whole = 0
        self.indptr, self._at = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
        self._make_rows()

    def next_level(self) -> bool:
        """Queue the edges of least support; False where there are none to peel."""
        if self.left == 0:
            return False
        self.left, level, tail = kernels.next_level(
            self.live, self.left, self.state, self.support, self.queue, self.tail[0]
        )
        if self.left == 0 or (self._up_to is not None and level >= self._up_to):
            return False
        self.level, self.tail[0] = level, tail
        if 2 * self.left <= _STILL_LIVE * len(self.columns):
            self._make_rows()
        return True

    def next_rounds(self) -> None:
        """Peel one long round on all workers, or some short ones on this."""
        length = int(self.tail[0] - self.head)
        if self.threads == 1 or length <= _LONG:
            self.head = kernels.peel_short_rounds(
                self.row, self.indices, self.indptr, self.columns, self.edges, self.level, self.queue, self.head,
                length if self.threads == 1 else _LONG, _AT_ONCE, self.state, self.support, self.tail,
            )  # fmt: skip
            return
        middle = int(self.tail[0])
        cuts = blocks.cut_evenly(length, -(-length // _BLOCK)) + self.head
        blocks.run(
            lambda _, b: kernels.take_down(
                self.row, self.indices, self.indptr, self.columns, self.edges, self.level, self.queue, cuts[b],
                cuts[b + 1], self.state, self.support, self.tail,
            ),
            len(cuts) - 1,
            threads=self.threads,
        )  # fmt: skip
        kernels.settle(self.queue, self.head, middle, self.tail[0], self.level, self.state, self.support)
        self.head = middle

    def _make_rows(self) -> None:
        live = self.live[: self.left]
        self.columns: Ids = np.empty(2 * self.left, dtype=self.indices.dtype)
        self.edges: Ids = np.empty(2 * self.left, dtype=self._dtype)
        kernels.rows_of_live(live, self.row, self.indices, self.indptr, self._at, self.columns, self.edges)
