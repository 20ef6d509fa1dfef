"""Values of edges on GPUs: trussness, sums of products over triangles, and their order as edges of the graph.

Trussness (trussness.c): supports, then edges are peeled by their support, in rounds. Only the first of several devices
works. Rows are made again without peeled edges when a quarter of the edges has gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import split
from triadic.devices.gpu.list_tasks import LIST_WALK, ListCounter, ListKernels, ListTasks, prepared_on
from triadic.devices.gpu.rows import order_on, ranks_on, rows_on, states
from triadic.devices.gpu.tasks import downloaded, run_shares
from triadic.devices.gpu.triangles import TriangleCounter
from triadic.devices.gpu.whole_rows import whole_rows
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import FOR_SORTING, Buffer, Runtime, c_source, sums_before

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented


_SOURCE = c_source("trussness", "search")
_NO_SUPPORT = (1 << 32) - 1
_STILL_LIVE = 0.75  # rows are made again once at most this share of their edges is left
_EDGES, _ARCS = c_source("edge_order", "search"), c_source("edge_order", "search", STATES=1)
ACROSS = 4  # lanes that walk one row of a list, a power of two; with 32 no two add to the same sum in local memory


def trussness(
    device: str, oriented: Oriented, *, up_to: int | None = None, progress: Progress | None = None
) -> Int32Array:
    """Return the trussness of each edge, as `triadic.devices.cpu.triangles.trussness.trussness`: int32, shape (m,)."""
    runtime, n, m = runtimes_of(device)[0], oriented.num_vertices, oriented.num_edges
    counting, peeling = split(progress, [1, 2])
    (graph,) = prepared_on(runtime.name, oriented, hubs=0)
    runtime.check_room(f"peeling {m:,} edges", *[4 * m] * 6, *[8 * m] * 5, m, *[8 * n] * 2)
    counter = TriangleCounter(graph, "BY_EDGE")
    run_shares([counter], m, counting)
    peeled = _Peeling(runtime, oriented, counter.counts, None if up_to is None else up_to - 2)
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
        self._state, self._queue = runtime.empty(m, np.uint8), runtime.empty(m)
        self._peeled, self._tail = runtime.zeros(m), runtime.zeros(1)
        self.head = self.tail = 0
        self._level = np.uint32(0)
        runtime.launch_each(_SOURCE, "begin_peeling", m, m, support, self._state)

    def next_level(self) -> bool:
        """Queue the edges of least support; return False if there are none to peel."""
        runtime = self._runtime
        if self._m == 0:
            return False
        with runtime.active():
            support = runtime.view(self._support)
            self._level = np.uint32(int(support.min()))
            left = int((support != _NO_SUPPORT).sum())
        if left == 0 or (self._up_to is not None and self._level >= self._up_to):
            return False
        if left <= _STILL_LIVE * self._in_rows:
            with runtime.active():  # the whole rows again without peeled edges, in the same order
                edges, ptr = runtime.view(self._edges), runtime.view(self._ptr)
                stays = runtime.view(self._support)[edges] != _NO_SUPPORT
                self._ptr = runtime.upload(sums_before(runtime.xp, stays)[ptr])
                self._ends, self._edges = runtime.upload(runtime.view(self._ends)[stays]), runtime.upload(edges[stays])
            self._in_rows = left
        runtime.launch_each(
            _SOURCE, "queue_level", self._m, self._support, self._m, self._level, self._state, self._queue,
            self._tail,
        )  # fmt: skip
        self.tail = int(runtime.download(self._tail)[0])
        return True

    def next_round(self) -> None:
        """Peel the edges that are queued."""
        runtime, middle = self._runtime, self.tail
        head, count = np.uint32(self.head), middle - self.head
        runtime.launch_teams(
            _SOURCE, "take_down", count, self._ptr, self._ends, self._edges, *self._of_edges, self._state,
            head, np.uint32(count), self._level, self._support, self._queue, self._tail,
        )  # fmt: skip
        self.tail = int(runtime.download(self._tail)[0])
        runtime.launch_each(
            _SOURCE, "settle", self.tail - self.head, self._queue, head, np.uint32(middle),
            np.uint32(self.tail), self._level, self._state, self._support, self._peeled,
        )  # fmt: skip
        self.head = middle

    def result(self) -> Int32Array:
        """Return the trussness of all edges: their level plus 2, or the support of those not peeled plus 2."""

        def levels(xp: Any, support: Any, peeled: Any) -> Any:  # noqa: ANN401 - arrays of `xp`
            return xp.where(support == _NO_SUPPORT, peeled, support).astype(np.int32) + np.int32(2)

        return self._runtime.download(self._runtime.computed(levels, self._support, self._peeled))


def in_edge_order(device: str, oriented: Oriented, at_entry: Int32Array, *, directed: bool) -> Int64Array:
    """Return the value of each edge, sorted by smaller vertex, then larger; of each arc if `directed`, by its source.

    The first of several devices sorts.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    at_entry : int32 array, shape (m,)
        Values from 0 on.
    directed : bool
        Whether the graph is directed.

    Returns
    -------
    int64 array, shape (edges or arcs,)

    Raises
    ------
    OutOfMemoryError
        If the device has too little memory.
    """
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    slots = rows.m * (2 if directed else 1)
    runtime.check_room(
        f"sorting {slots:,} edges by vertex", 8 * slots, 8 * slots + FOR_SORTING, 8 * slots, 4 * rows.m,
        4 * rows.n, 4 * rows.n,
    )  # fmt: skip
    order, rank = order_on(runtime, oriented), ranks_on(runtime, oriented)
    state = states(runtime, oriented) if directed else order  # not read without directions
    keys = runtime.empty(slots, np.uint64)
    source = _ARCS if directed else _EDGES
    runtime.launch_teams(source, "edge_keys", rows.n, *rows, state, order, rows.n, keys)
    keys = runtime.sort(keys)
    count = slots
    if directed:
        with runtime.active():
            count = rows.m + int((runtime.view(state) == 3).sum())
    found = runtime.empty(count, np.int64)
    values = runtime.upload(at_entry.view(np.uint32))
    runtime.launch_each(_EDGES, "edge_values", count, keys, count, rank, *rows, values, found)
    return runtime.download(found)


def by_vertex(
    device: str, oriented: Oriented, values: Float64Array, *, progress: Progress | None = None
) -> Float64Array:
    """Sum at each rank, over its triangles, the product of the values of the three edges.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    values : float64 array, shape (m,)
        A finite value for each entry of the rows.
    progress : callable, optional

    Returns
    -------
    float64 array, shape (n,)
        The last bits differ from run to run.
    """
    counters = [_counter(graph, values) for graph in prepared_on(device, oriented, hubs=0)]
    run_shares(counters, oriented.num_edges, progress)
    return downloaded(counters)


def _counter(graph: ListTasks, values: Float64Array) -> ListCounter:
    """Return one device's share of the sums, of a graph prepared without hubs."""
    runtime = graph.runtime
    runtime.check_room(f"the weights of {graph.m:,} edges", 8 * graph.m, 8 * len(graph.ends), 8 * graph.n)
    source = c_source("weighted_triangles", *LIST_WALK, ACROSS=ACROSS)
    on_device = runtime.upload(values)
    kernels = ListKernels(source, (on_device, graph.entries_of_lists(on_device)))
    return ListCounter(graph, kernels, runtime.zeros(graph.n, np.float64))
