"""Closed triads on GPUs: triangles by the states of their edges, counted by middle vertex."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.block_pairs import PartwiseCount
from triadic.devices.gpu.graph_cache import cached
from triadic.devices.gpu.list_counter import HubKernels, ListCounter, LowKernel, run_counters
from triadic.devices.gpu.list_tasks import LIST_WALK, PART, choose_hubs, prepared_on
from triadic.devices.gpu.low_columns import low_states, low_triads
from triadic.devices.gpu.memory import check_states
from triadic.devices.gpu.oriented import DevicePart, OrientedOnDevice
from triadic.devices.gpu.rows import order_on
from triadic.devices.gpu.tasks import ROW_TASKS
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.list_tasks import ListTasks
    from triadic.devices.runtimes.runtime import Buffer, Runtime

CODES, ORDERS = 64, 8
# A graph with MANY edges or more has at most MOST_HUBS hubs, so that the words of a row of hubs fit local memory.
MANY, MOST_HUBS = 1 << 27, 1 << 14
_MUTUAL = 3
_COPIES = 512  # of the counts by code
_CODES = Source("closed_triads", (("COPIES", _COPIES),), (*LIST_WALK, "code_counts"))
_ROLES = Source("roles", (("MOST", PART),), LIST_WALK)


def by_code(device: str, oriented: Oriented, *, labelled: bool, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code, and if `labelled` also by the order of the original ids.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    labelled : bool
    progress : callable, optional

    Returns
    -------
    int64 array, shape (8, 64)
        The bits of row o are u < v, u < w and v < w by original id. All counts are in row 0 unless `labelled`.
    """
    counter_of = labelled_counter if labelled else code_counter
    counters = [counter_of(*card, oriented) for card in prepared_on(device, oriented)]
    run_counters(counters, oriented.num_edges, progress)
    by_copy = [counts_of(counter).reshape(_COPIES, -1) for counter in counters]
    found = summed([copies.sum(axis=0) for copies in by_copy])
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
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    roles : int64 array, shape (3, 64)
        Role of u, of v and of w, u > v > w, for each code; at most 16 roles.
    progress : callable, optional

    Returns
    -------
    int64 array, shape (n, roles)
    """
    counters = role_counters(device, oriented, roles, progress=progress)
    shape = oriented.num_vertices, int(roles.max()) + 1
    return summed([counts_of(counter).reshape(shape) for counter in counters])


def role_counters(
    device: str, oriented: Oriented, roles: NDArray[np.int64], *, progress: Progress | None = None
) -> list[ListCounter]:
    """Count closed triads at each rank by role, and return the counters, whose `counts` lie on the devices.

    The sum of all `counts`, two words each, is the result of `by_role`.
    """
    n, width = oriented.num_vertices, int(roles.max()) + 1
    counters = []
    for runtime, graph in prepared_on(device, oriented):
        arguments = _arguments_of_roles(runtime, roles)
        hubs = _hubs_of_roles(graph, states(runtime, oriented), arguments)
        counters.append(
            _counter(
                runtime, graph, oriented, _ROLES, "closed_triads_by_role", arguments, n * width, hubs=hubs, low="ROLES"
            )
        )
    run_counters(counters, oriented.num_edges, progress)
    return counters


def code_counter(runtime: Runtime, graph: ListTasks, oriented: Oriented) -> ListCounter:
    """Return the counter by code of one device: triads with two hubs by bits, the others by lists."""
    hubs = _hubs_of_codes(graph, states(runtime, oriented))
    unread = graph.middles  # in place of the order of ids, which the kernel reads only with LABELLED
    return _counter(
        runtime, graph, oriented, _CODES, "closed_triads", (unread,), _COPIES * CODES, hubs=hubs, low="CODES"
    )


def labelled_counter(runtime: Runtime, graph: ListTasks, oriented: Oriented) -> ListCounter:
    """Return the counter by code and order of the original ids of one device: as `code_counter`."""
    source = Source("closed_triads", (("COPIES", _COPIES), ("LABELLED", 1)), (*LIST_WALK, "code_counts"))
    order = order_on(runtime, oriented)
    state, defines = states(runtime, oriented), (("WORDS", graph.words), ("COPIES", _COPIES), ("LABELLED", 1))
    hubs = HubKernels(
        Source("hub_labelled", defines, (*ROW_TASKS, "hub_planes")), "hub_planes", "hub_pair_labels",
        "hub_word_labels", planes=3, fill_arguments=(state, order, np.uint32(0)), arguments=(state, order),
    )  # fmt: skip
    size = _COPIES * CODES * ORDERS
    return _counter(runtime, graph, oriented, source, "closed_triads", (order,), size, hubs=hubs, low="LABELLED")


class _CodesOverParts:
    """Closed triads by code over parts of a graph: `PartSums`."""

    def __init__(self, runtime: Runtime, n: int) -> None:  # noqa: ARG002 - as for sums at ranks
        self._runtime, self._counts = runtime, runtime.zeros(2 * _COPIES * CODES, np.uint32)
        self._bits: Buffer | None = None

    def add(self, graph: ListTasks, state: Buffer) -> None:
        """Count the closed triads of a part and add them."""
        arguments = state, graph.entries_of_lists(self._runtime, state), graph.middles
        counter = ListCounter(
            self._runtime, graph, _CODES, "closed_triads", arguments, self._counts, hubs=_hubs_of_codes(graph, state),
            bits=self._bits,
        )  # fmt: skip
        counter.take(0, 1)
        self._bits = counter.bits

    def result(self) -> NDArray[np.int64]:
        """Return the number of triads with each code: int64, shape (64,)."""
        copies: NDArray[np.int64] = self._runtime.download(self._counts).view(np.int64).reshape(_COPIES, CODES)
        return copies.sum(axis=0)


class _RolesOverParts:
    """Closed triads at each rank by role over parts of a graph: `PartSums`."""

    def __init__(self, runtime: Runtime, n: int, *, roles: NDArray[np.int64]) -> None:
        self._runtime, self._width = runtime, int(roles.max()) + 1
        self._counts = runtime.zeros(2 * n * self._width, np.uint32)
        self._arguments = _arguments_of_roles(runtime, roles)
        self._bits: Buffer | None = None

    def add(self, graph: ListTasks, state: Buffer) -> None:
        """Count the closed triads of a part and add them."""
        arguments = state, graph.entries_of_lists(self._runtime, state), *self._arguments
        hubs = _hubs_of_roles(graph, state, self._arguments)
        counter = ListCounter(
            self._runtime, graph, _ROLES, "closed_triads_by_role", arguments, self._counts, hubs=hubs, bits=self._bits
        )
        counter.take(0, 1)
        self._bits = counter.bits

    def result(self) -> NDArray[np.int64]:
        """Return the number of triads of each rank by role: int64, shape (n, roles)."""
        return self._runtime.download(self._counts).view(np.int64).reshape(-1, self._width)


def _most_hubs(m: int) -> int:
    """Return the number of hubs of a graph of `m` edges, for whole graphs and for parts."""
    return choose_hubs(m) if m < MANY else MOST_HUBS


CODES_OVER_PARTS = PartwiseCount(
    sums=_CodesOverParts, bytes_of_sums=lambda _: 8 * _COPIES * CODES, planes=2, most_hubs=_most_hubs, states=True
)


def roles_over_parts(roles: NDArray[np.int64]) -> PartwiseCount:
    """Return the count of closed triads at each rank by role, over parts of a graph; `roles` as in `by_role`."""
    width = int(roles.max()) + 1
    return PartwiseCount(
        sums=partial(_RolesOverParts, roles=roles), bytes_of_sums=lambda n: 8 * n * width, planes=2,
        most_hubs=_most_hubs, states=True,
    )  # fmt: skip


def _hubs_of_codes(graph: ListTasks, state: Buffer) -> HubKernels:
    source = Source(
        "hub_codes", (("WORDS", graph.words), ("COPIES", _COPIES)), (*ROW_TASKS, "hub_planes", "code_counts")
    )
    return HubKernels(
        source,
        "hub_planes",
        "hub_pair_codes",
        "hub_word_codes",
        planes=2,
        fill_arguments=(state, np.uint32(0)),
        arguments=(state,),
    )


def _hubs_of_roles(graph: ListTasks, state: Buffer, roles: tuple[Buffer, np.uint32]) -> HubKernels:
    source = Source("hub_roles", (("WORDS", graph.words),), (*ROW_TASKS, "hub_planes"))
    return HubKernels(
        source, "hub_planes", "hub_pair_roles", "hub_word_roles", planes=2, fill_arguments=(state, np.uint32(1)),
        arguments=(state, *roles),
    )  # fmt: skip


def _arguments_of_roles(runtime: Runtime, roles: NDArray[np.int64]) -> tuple[Buffer, np.uint32]:
    return runtime.upload(roles.astype(np.uint8).reshape(-1)), np.uint32(int(roles.max()) + 1)


def states(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the state of each entry on a device, cached; in an undirected graph all states are mutual."""
    return cached(oriented, runtime, "states", partial(_upload_states, runtime, oriented))


def _counter(
    runtime: Runtime,
    graph: ListTasks,
    oriented: Oriented,
    source: Source,
    kernel: str,
    arguments: tuple[Buffer | np.generic, ...],
    size: int,
    *,
    hubs: HubKernels,
    low: str,
) -> ListCounter:
    """Return a counter of `size` counts whose kernels read the states of entries and of lists before `arguments`."""
    state = states(runtime, oriented)
    list_state = cached(
        oriented, runtime, ("states of lists", graph.hubs), partial(graph.entries_of_lists, runtime, state)
    )
    both, marks = (state, list_state, *arguments), None
    if graph.low is not None:
        of_units = cached(
            oriented, runtime, ("states of units", graph.low.marked),
            partial(low_states, runtime, graph.low, graph.indptr, state),
        )  # fmt: skip
        marks = LowKernel(low_triads(graph.low.marked, low, ("COPIES", _COPIES)), "low_triads", (of_units, *both))
    check_room(runtime, f"{size:,} counts", 8 * size)
    counts = runtime.zeros(2 * size, np.uint32)
    return ListCounter(runtime, graph, source, kernel, both, counts, hubs=hubs, low=marks)


def counts_of(counter: ListCounter) -> NDArray[np.int64]:
    """Return the counts of a counter on the host, after all launches so far."""
    return counter.runtime.download(counter.counts).view(np.int64)


def _upload_states(runtime: Runtime, oriented: Oriented) -> Buffer:
    check_states(runtime, oriented)
    if isinstance(oriented, DevicePart):
        state = oriented.states_on(runtime)
        if state is not None:
            return state
    elif isinstance(oriented, OrientedOnDevice) and oriented.arrays.state is not None:
        if runtime.takes(oriented.arrays.state):
            return runtime.upload(oriented.arrays.state)
        return runtime.upload(oriented.state)
    elif oriented.state is not None:
        return runtime.upload(oriented.state)
    with runtime.active():
        return runtime.upload(runtime.xp.full(oriented.num_edges, _MUTUAL, dtype=np.uint8))
