"""Trussness on a GPU: supports, then edges are peeled by their support, in rounds (trussness.c).

Only the first of several devices works. Rows are made again without peeled edges when a quarter of the edges has gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import split
from triadic.devices.gpu.list_counter import run_counters
from triadic.devices.gpu.list_tasks import prepared_on
from triadic.devices.gpu.triangles import TriangleCounter
from triadic.devices.gpu.whole_rows import whole_rows
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE = Source("trussness", headers=("search",))
_NO_SUPPORT = (1 << 32) - 1
_STILL_LIVE = 0.75  # rows are made again once at most this share of their edges is left


def trussness(
    device: str, oriented: Oriented, *, up_to: int | None = None, progress: Progress | None = None
) -> NDArray[np.int32]:
    """Return the trussness of each edge, as `triadic.devices.cpu.triangles.trussness.trussness`: int32, shape (m,)."""
    runtime, n, m = runtimes_of(device)[0], oriented.num_vertices, oriented.num_edges
    counting, peeling = split(progress, [1, 2])
    ((_, graph),) = prepared_on(runtime.name, oriented, hubs=0)
    check_room(runtime, f"peeling {m:,} edges", *[4 * m] * 6, *[8 * m] * 5, m, *[8 * n] * 2)
    support = runtime.zeros(m, np.uint32)
    run_counters([TriangleCounter(runtime, graph, support, "BY_EDGE")], m, counting)
    peeled = _Peeling(runtime, oriented, support, None if up_to is None else up_to - 2)
    while peeled.next_level():
        while peeled.head < peeled.tail:
            peeled.next_round()
        if peeling is not None:
            peeling(peeled.head, m)
    if peeling is not None:
        peeling(m, m)
    return peeled.result()


class _Peeling:
    """The state of peeling. The queue holds `tail` edges, of which `head` have been peeled."""

    def __init__(self, runtime: Runtime, oriented: Oriented, support: Buffer, up_to: int | None) -> None:
        self._runtime, self._support, self._up_to = runtime, support, up_to
        self._m = m = oriented.num_edges
        rows = whole_rows(runtime, oriented)
        self._ptr, self._ends, self._edges = rows.ptr, rows.ends, rows.edges
        self._of_edges = rows.sources, rows.indices
        self._in_rows = m
        self._state, self._queue = runtime.empty(m, np.uint8), runtime.empty(m, np.uint32)
        self._peeled, self._tail = runtime.zeros(m, np.uint32), runtime.zeros(1, np.uint32)
        self.head = self.tail = self._level = 0
        launch_each(runtime, _SOURCE, "begin_peeling", m, np.uint64(m), support, self._state)

    def next_level(self) -> bool:
        """Queue the edges of least support; return False if there are none to peel."""
        runtime = self._runtime
        if self._m == 0:
            return False
        with runtime.active():
            support = runtime.view(self._support)
            self._level = int(support.min())
            left = int((support != _NO_SUPPORT).sum())
        if left == 0 or (self._up_to is not None and self._level >= self._up_to):
            return False
        if left <= _STILL_LIVE * self._in_rows:
            self._drop_peeled()
            self._in_rows = left
        level = np.uint32(self._level)
        launch_each(
            runtime, _SOURCE, "queue_level", self._m, self._support, np.uint64(self._m), level, self._state,
            self._queue, self._tail,
        )  # fmt: skip
        self.tail = int(runtime.download(self._tail)[0])
        return True

    def next_round(self) -> None:
        """Peel the edges that are queued."""
        runtime, level, middle = self._runtime, np.uint32(self._level), self.tail
        head, count = np.uint32(self.head), middle - self.head
        runtime.launch(
            _SOURCE, "take_down", -(-count // runtime.teams), self._ptr, self._ends, self._edges, *self._of_edges,
            self._state, head, np.uint32(count), level, self._support, self._queue, self._tail,
        )  # fmt: skip
        self.tail = int(runtime.download(self._tail)[0])
        launch_each(
            runtime, _SOURCE, "settle", self.tail - self.head, self._queue, head, np.uint32(middle),
            np.uint32(self.tail), level, self._state, self._support, self._peeled,
        )  # fmt: skip
        self.head = middle

    def result(self) -> NDArray[np.int32]:
        """Return the trussness of all edges: their level plus 2, or the support of those not peeled plus 2."""
        runtime = self._runtime
        with runtime.active():
            support, peeled = runtime.view(self._support), runtime.view(self._peeled)
            found = runtime.xp.where(support == _NO_SUPPORT, peeled, support).astype(np.int32) + np.int32(2)
        return runtime.download(runtime.upload(found)) if self._m else np.zeros(0, np.int32)

    def _drop_peeled(self) -> None:
        """Make the whole rows again without peeled edges, in the same order."""
        runtime, xp = self._runtime, self._runtime.xp
        with runtime.active():
            edges, ptr = runtime.view(self._edges), runtime.view(self._ptr)
            stays = runtime.view(self._support)[edges] != _NO_SUPPORT
            before = xp.zeros(len(edges) + 1, dtype=np.int64)
            xp.cumsum(stays, out=before[1:])
            self._ptr = runtime.upload(before[ptr])
            self._ends, self._edges = runtime.upload(runtime.view(self._ends)[stays]), runtime.upload(edges[stays])
