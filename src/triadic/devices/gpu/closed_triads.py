"""Closed triads on a GPU: triangles by the states of their edges, counted by middle vertex."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.placed import PlacesItself
from triadic.devices.gpu.residence import resident
from triadic.devices.gpu.room import check_states
from triadic.devices.gpu.shares import share, tasks_of
from triadic.devices.gpu.source import Source
from triadic.devices.gpu.triangles import PART, PARTS, entries_of_lists, on_devices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.devices.gpu.triangles import OnDevice

CODES, ORDERS = 64, 8
MANY, MOST_HUBS = 1 << 27, 1 << 14  # edges, and from so many on no more hubs: their words would not fit local memory
_MUTUAL = 3
_COPIES = 512  # of the counts by code


def by_code(device: str, oriented: Oriented, *, labelled: bool, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code, and where `labelled` by the order of the original ids.

    Returns
    -------
    int64 array, shape (8, 64)
        Row o: bits of o say u < v, u < w and v < w by original id; all in row 0 where not `labelled`.
    """
    if labelled:
        counters = [labelled_counter(*card, oriented) for card in on_devices(device, oriented, hubs=0)]
    else:
        hubs = None if oriented.num_edges < MANY else MOST_HUBS
        counters = [CodeCounter(*card, oriented) for card in on_devices(device, oriented, hubs=hubs)]
    share([of.take for of in counters], oriented.num_edges, progress)
    found = summed([of.runtime.download(of.counts).view(np.int64).reshape(_COPIES, -1).sum(axis=0) for of in counters])
    codes = np.zeros((ORDERS, CODES), dtype=np.int64)
    codes.reshape(-1)[: len(found)] = found
    return codes


def by_role(
    device: str, oriented: Oriented, roles: NDArray[np.int64], *, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count closed triads at each rank by role.

    Parameters
    ----------
    device : str
    oriented : Oriented
    roles : int64 array, shape (3, 64)
        Role of u, v and w, u > v > w, for each code; at most 16 roles.
    progress : callable, optional

    Returns
    -------
    int64 array, shape (n, roles)
    """
    n, width = oriented.num_vertices, int(roles.max()) + 1
    source = Source("roles", (("MOST", PART),), PARTS)
    counters = []
    for runtime, graph in on_devices(device, oriented, hubs=0):
        given = runtime.upload(roles.astype(np.uint8).reshape(-1)), np.uint32(width)
        counters.append(Counter(runtime, graph, oriented, source, "closed_triads_by_role", given, n * width))
    share([of.take for of in counters], oriented.num_edges, progress)
    return summed([of.runtime.download(of.counts).view(np.int64).reshape(n, width) for of in counters])


class Counter:
    """One device's share of a count of triads in lists.

    Parameters
    ----------
    runtime : Runtime
    graph : OnDevice
    oriented : Oriented
        What it was prepared of: its states are put beside it.
    source : Source
    kernel : str
        Which goes through lists with states.
    given : tuple of Buffer or scalars
        What the kernel takes besides.
    size : int
        How many counts there are.
    """

    def __init__(
        self,
        runtime: Runtime,
        graph: OnDevice,
        oriented: Oriented,
        source: Source,
        kernel: str,
        given: tuple[Buffer | np.generic, ...],
        size: int,
    ) -> None:
        self.runtime, self.graph = runtime, graph
        self._source, self._kernel, self._given = source, kernel, given
        self._state = states(runtime, oriented)
        self._of_lists = resident(
            oriented, runtime, ("states of lists", graph.hubs), partial(entries_of_lists, runtime, graph, self._state)
        )
        check_room(runtime, f"{size:,} counts", 8 * size)
        self.counts = runtime.zeros(2 * size, np.uint32)

    def take(self, first: int, step: int) -> None:
        """Count what every `step`th list has, from `first` on, and wait until it is done."""
        graph, (blocks, tasks) = self.graph, self._tasks(len(self.graph.middles), first, step)
        self.runtime.launch(
            self._source, self._kernel, blocks, graph.indptr, graph.indices, self._state, graph.list_ptr, graph.ends,
            self._of_lists, graph.middles, graph.starts, *tasks, np.uint32(PART), *self._given, self.counts,
        )  # fmt: skip
        self.runtime.synchronize()

    def _tasks(self, tasks: int, first: int, step: int) -> tuple[int, tuple[np.uint64, ...]]:
        """Give the blocks for every `step`th of some tasks, and what tells a kernel which they are."""
        count = tasks_of(tasks, first, step)
        return -(-count // self.runtime.teams), (np.uint64(first), np.uint64(step), np.uint64(count))


class CodeCounter(Counter):
    """One device's share of the count by code: triads with two hubs by bits, the others in lists."""

    def __init__(self, runtime: Runtime, graph: OnDevice, oriented: Oriented) -> None:
        source = Source("closed_triads", (("COPIES", _COPIES),), (*PARTS, "code_counts"))
        super().__init__(runtime, graph, oriented, source, "closed_triads", (graph.middles,), _COPIES * CODES)
        words = graph.hubs // 64 + 1
        self._hubs = Source("hub_codes", (("WORDS", words), ("COPIES", _COPIES)), ("code_counts",))
        self._bits: Buffer | None = None

    def take(self, first: int, step: int) -> None:
        """Count what every `step`th row of hubs and list has, from `first` on, and wait until it is done."""
        graph, rows = self.graph, (self.graph.indptr, self.graph.indices, self._state)
        if graph.hubs and self._bits is None:
            self._bits = self.runtime.zeros(2 * graph.hubs * (graph.hubs // 64 + 1), np.uint64)
            self.runtime.launch(self._hubs, "hub_planes", graph.hubs, *rows, self._bits)
        if graph.hubs:
            for kernel, of in (("hub_word_codes", graph.rows_of_many), ("hub_pair_codes", graph.rows_of_few)):
                blocks, tasks = self._tasks(len(of), first, step)
                self.runtime.launch(self._hubs, kernel, blocks, *rows, graph.split, self._bits, of, *tasks, self.counts)
        super().take(first, step)


def labelled_counter(runtime: Runtime, graph: OnDevice, oriented: Oriented) -> Counter:
    """Give one device's share of the count by code and order of the original ids."""
    source = Source("closed_triads", (("COPIES", _COPIES), ("LABELLED", 1)), (*PARTS, "code_counts"))
    order = resident(oriented, runtime, "order", partial(_put_order, runtime, oriented))
    return Counter(runtime, graph, oriented, source, "closed_triads", (order,), _COPIES * CODES * ORDERS)


def states(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Give the state of each entry on a device, where it stays; all mutual in an undirected graph."""
    return resident(oriented, runtime, "states", partial(_put_states, runtime, oriented))


def _put_states(runtime: Runtime, oriented: Oriented) -> Buffer:
    check_states(runtime, oriented)
    if isinstance(oriented, PlacesItself):
        there = oriented.states_on(runtime)
        if there is not None:
            return there
    elif oriented.state is not None:
        return runtime.upload(oriented.state)
    with runtime.active():
        return runtime.upload(runtime.xp.full(oriented.num_edges, _MUTUAL, dtype=np.uint8))


def _put_order(runtime: Runtime, oriented: Oriented) -> Buffer:
    return runtime.upload(oriented.order.view(np.uint32))
