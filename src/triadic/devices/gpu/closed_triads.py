"""Triads on GPUs: closed triads by the states of their edges, dyads and their pairs, and the census of every vertex.

Closed triads are counted by middle vertex. A single GPU derives all types of the census, of several the host does.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.oriented import OrientedBatch
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_TYPE_OF_CODE, OPEN_NAMES, TRIAD_NAMES
from triadic.devices.cpu.triads import vertex_census as cpu
from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.block_pairs import PartwiseCount
from triadic.devices.gpu.list_counter import HubKernels, ListCounter, LowKernel, SumsOverParts, run_counters
from triadic.devices.gpu.list_tasks import (
    LIST_WALK,
    PART,
    choose_hubs,
    low_states,
    low_triads,
    prepared_on,
)
from triadic.devices.gpu.rows import cached, order_on, ranks_on, rows_on, states
from triadic.devices.gpu.tasks import ROW_TASKS
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import Source, check_room, launch_each, launch_teams, strides

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.list_tasks import ListTasks
    from triadic.devices.runtimes.runtime import Buffer, Runtime

    # Source and name of the kernel over lists, its parameters after the states of entries and lists, and those of hubs.
    _Kernels = tuple[Source, str, tuple[Buffer | np.generic, ...], HubKernels]


CODES, ORDERS = 64, 8
# A graph with MANY edges or more has at most MOST_HUBS hubs, so that the words of a row of hubs fit local memory.
MANY, MOST_HUBS = 1 << 27, 1 << 14
_COPIES = 512  # of the counts by code
_ROLES = Source("roles", (("MOST", PART),), LIST_WALK)
_WEDGE_ENDS, _CENSUS = Source("wedge_ends", headers=("wide_sums",)), Source("vertex_census")
_TYPES = len(TRIAD_NAMES)
# Places of the types, open triples in closed types, dyads in types: as vertex_census.c takes them.
_TABLES = np.concatenate([np.ravel(table) for table in (cpu.OPEN, cpu.CLOSED, cpu.HELD_IN, cpu.IN_TYPE)]).astype(
    np.uint32
)
_ADDERS = 512  # blocks that add up the pairs of all vertices: enough to keep a card busy, few to add to one place


def by_code(device: str, oriented: Oriented, *, labelled: bool = False, progress: Progress | None = None) -> Int64Array:
    """Count closed triads by code, and if `labelled` also by the order of the original ids; as on the CPU.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    labelled : bool, default False
    progress : callable, optional

    Returns
    -------
    int64 array, shape (64,) or (8, 64)
        If `labelled`, the bits of row o are u < v, u < w and v < w by original id.
    """
    counters = [code_counter(*card, oriented, labelled=labelled) for card in prepared_on(device, oriented)]
    run_counters(counters, oriented.num_edges, progress)
    by_copy = [counter.found().reshape(_COPIES, -1) for counter in counters]
    found = summed([copies.sum(axis=0) for copies in by_copy])
    codes = np.zeros((ORDERS, CODES), dtype=np.int64)
    codes.reshape(-1)[: len(found)] = found
    return codes if labelled else codes[0]


def by_role(device: str, oriented: Oriented, roles: Int64Array, *, progress: Progress | None = None) -> Int64Array:
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
    return summed([counter.found().reshape(shape) for counter in counters])


def role_counters(
    device: str, oriented: Oriented, roles: Int64Array, *, progress: Progress | None = None
) -> list[ListCounter]:
    """Count closed triads at each rank by role, and return the counters, whose `counts` lie on the devices.

    The sum of all `counts`, two words each, is the result of `by_role`.
    """
    counters = []
    for runtime, graph in prepared_on(device, oriented):
        of_roles = _arguments_of_roles(runtime, roles)
        kernels = _role_kernels(graph, states(runtime, oriented), of_roles)
        counters.append(_counter(runtime, graph, oriented, kernels, oriented.num_vertices * int(of_roles[1]), "ROLES"))
    run_counters(counters, oriented.num_edges, progress)
    return counters


def code_counter(runtime: Runtime, graph: ListTasks, oriented: Oriented, *, labelled: bool = False) -> ListCounter:
    """Return the counter by code of one device, and if `labelled` also by the order of the original ids.

    Triads with two hubs are counted by bits, the others by lists.
    """
    order = (order_on(runtime, oriented),) if labelled else ()
    kernels, size = _code_kernels(graph, states(runtime, oriented), *order), _COPIES * CODES
    if labelled:
        return _counter(runtime, graph, oriented, kernels, size * ORDERS, "LABELLED")
    return _counter(runtime, graph, oriented, kernels, size, "CODES")


def _most_hubs(m: int) -> int:
    """Return the number of hubs of a graph of `m` edges, for whole graphs and for parts."""
    return choose_hubs(m) if m < MANY else MOST_HUBS


def _code_kernels(graph: ListTasks, state: Buffer, *order: Buffer) -> _Kernels:
    """Return the kernels of a count by code, and by the order of the original ids if it is given."""
    defines = ("COPIES", _COPIES), *([("LABELLED", 1)] if order else [])
    file, few, many, *headers = (
        ("hub_labelled", "hub_pair_labels", "hub_word_labels")
        if order
        else ("hub_codes", "hub_pair_codes", "hub_word_codes", "code_counts")
    )
    hubs = HubKernels(
        Source(file, (("WORDS", graph.words), *defines), (*ROW_TASKS, "hub_planes", *headers)), "hub_planes", few, many,
        planes=3 if order else 2, fill_arguments=(state, *order, np.uint32(0)), arguments=(state, *order),
    )  # fmt: skip
    source = Source("closed_triads", defines, (*LIST_WALK, "code_counts"))
    # Without LABELLED the kernel does not read the order of ids, for which another buffer stands.
    return source, "closed_triads", order or (graph.middles,), hubs


def _role_kernels(graph: ListTasks, state: Buffer, roles: tuple[Buffer, np.uint32]) -> _Kernels:
    """Return the kernels of a count at each rank by role."""
    hubs = HubKernels(
        Source("hub_roles", (("WORDS", graph.words),), (*ROW_TASKS, "hub_planes")), "hub_planes", "hub_pair_roles",
        "hub_word_roles", planes=2, fill_arguments=(state, np.uint32(1)), arguments=(state, *roles),
    )  # fmt: skip
    return _ROLES, "closed_triads_by_role", roles, hubs


def _of_parts(
    runtime: Runtime,
    size: int,
    kernels_of: Callable[[ListTasks, Buffer], _Kernels],
    result: Callable[[Int64Array], Int64Array],
) -> SumsOverParts:
    """Return `size` sums over parts, of which `result` makes the result."""
    counts = runtime.zeros(2 * size, np.uint32)

    def counter_of(graph: ListTasks, state: Buffer, bits: Buffer | None) -> ListCounter:
        source, kernel, arguments, hubs = kernels_of(graph, state)
        both = state, graph.entries_of_lists(runtime, state), *arguments
        return ListCounter(runtime, graph, source, kernel, both, counts, hubs=hubs, bits=bits)

    return SumsOverParts(counter_of, lambda: result(runtime.download(counts).view(np.int64)))


CODES_OVER_PARTS = PartwiseCount(
    sums=lambda runtime, _: _of_parts(
        runtime, _COPIES * CODES, _code_kernels, lambda counts: counts.reshape(_COPIES, CODES).sum(axis=0)
    ),
    bytes_of_sums=lambda _: 8 * _COPIES * CODES, planes=2, most_hubs=_most_hubs, states=True,
)  # fmt: skip


def roles_over_parts(roles: Int64Array) -> PartwiseCount:
    """Return the count of closed triads at each rank by role, over parts of a graph; `roles` as in `by_role`."""
    width = int(roles.max()) + 1

    def sums(runtime: Runtime, n: int) -> SumsOverParts:
        of_roles = _arguments_of_roles(runtime, roles)
        return _of_parts(
            runtime, n * width, partial(_role_kernels, roles=of_roles), lambda counts: counts.reshape(-1, width)
        )

    return PartwiseCount(sums=sums, bytes_of_sums=lambda n: 8 * n * width, planes=2, most_hubs=_most_hubs, states=True)


def _arguments_of_roles(runtime: Runtime, roles: Int64Array) -> tuple[Buffer, np.uint32]:
    return runtime.upload(roles.astype(np.uint8).reshape(-1)), np.uint32(int(roles.max()) + 1)


def _counter(
    runtime: Runtime, graph: ListTasks, oriented: Oriented, kernels: _Kernels, size: int, low: str
) -> ListCounter:
    """Return a counter of `size` counts; `low` is the define of the kernel for columns of low rank."""
    source, kernel, arguments, hubs = kernels
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


def dyads_and_wedge_ends(device: str, oriented: Oriented) -> tuple[Int64Array, Int64Array]:
    """Count the dyads of each rank and the pairs of dyads that it is an end of, on the first of the devices.

    Returns
    -------
    dyads : int64 array, shape (n, 3)
        Mutual, only-out and only-in neighbours.
    ends : int64 array, shape (n, 6)
        Pairs by open type, in the order of `triadic.core.triad_types.OPEN_NAMES`.
    """
    runtime = runtimes_of(device)[0]
    dyads, ends = _dyads_on(runtime, oriented, len(OPEN_NAMES))
    at_ends = runtime.download(ends).view(np.int64).reshape(-1, len(OPEN_NAMES))
    return runtime.download(dyads).astype(np.int64).reshape(-1, 3), at_ends


def _dyads_on(runtime: Runtime, oriented: Oriented, types: int = 0) -> tuple[Buffer, Buffer]:
    """Return the dyads of each rank, a word each, and the pairs of each type if there are any, two words each."""
    rows = rows_on(runtime, oriented)
    n, arguments = rows.n, (rows.indptr, rows.indices, states(runtime, oriented), np.uint64(rows.n))
    check_room(runtime, f"the dyads of {n:,} vertices", 4 * 3 * n, 8 * types * n)
    dyads, ends = runtime.zeros(3 * n, np.uint32), runtime.zeros(2 * types * n, np.uint32)
    launch_teams(runtime, _WEDGE_ENDS, "add_dyads", n, *arguments, dyads)
    if types:
        launch_teams(runtime, _WEDGE_ENDS, "add_ends", n, *arguments, dyads, ends)
    return dyads, ends


def wedges(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int64Array:  # noqa: ARG001 - it takes milliseconds
    """Count the pairs of dyads that share a vertex on the first of some devices; see `triadic.counts.triads.WEDGES`."""
    runtime, n = runtimes_of(device)[0], oriented.num_vertices
    dyads, _ = _dyads_on(runtime, oriented)
    halves = runtime.zeros(2 * 2 * len(OPEN_NAMES), np.uint32)
    blocks, step = strides(runtime, n, _ADDERS)
    runtime.launch(_WEDGE_ENDS, "add_pairs", blocks, dyads, np.uint64(n), step, halves)
    return runtime.download(halves).view(np.int64).reshape(2, -1)


def census_by_vertex(
    device: str, oriented: Oriented, in_graph: cpu.InGraph, *, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Count the triads of each type at each vertex, see `triadic.devices.cpu.triads.vertex_census.census_by_vertex`."""
    n = oriented.num_vertices
    check_memory(cpu.BYTES_TO_FILL * n, f"the triad census of {n:,} vertices", "use more memory")
    counters = role_counters(device, oriented, CLOSED_TYPE_OF_CODE, progress=progress)
    if len(counters) == 1 and not isinstance(oriented, OrientedBatch):
        (counter,) = counters
        runtime = counter.runtime
        sums, rank = _dyads_on(runtime, oriented, len(OPEN_NAMES)), ranks_on(runtime, oriented)
        if 8 * _TYPES * n <= min(runtime.memory()[0], runtime.largest_buffer()):
            tables = cached(oriented, runtime, "tables of the census", partial(runtime.upload, _TABLES))
            census = runtime.empty(_TYPES * n, np.int64)
            launch_each(
                runtime, _CENSUS, "fill_census", n, rank, *sums, counter.counts, tables, np.uint64(n),
                *(np.uint64(dyads) for dyads in in_graph), census,
            )  # fmt: skip
            return runtime.download(census).reshape(n, _TYPES)
    closed = summed([counter.found().reshape(n, len(CLOSED_NAMES)) for counter in counters])
    return cpu.fill(oriented, in_graph, *dyads_and_wedge_ends(device, oriented), closed, threads=threads)
