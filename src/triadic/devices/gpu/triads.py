"""Triads on GPUs: closed triads by the states of their edges, dyads, wedges, and the census of every vertex.

Closed triads are counted by middle vertex. A single GPU derives all types of the census, of several the host does.
Wedges are counted by dyads (wedge_ends.c) and by the order of ids (labelled_wedges.c), and drawn at random
(wedge_sampling.c); values are summed over neighbours (neighbour_sums.c). One of several devices works for them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented, OrientedBatch, int_zeros
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_TYPE_OF_CODE, OPEN_NAMES, TRIAD_NAMES
from triadic.devices.cpu.draws.wedge_sampling import COLUMNS, UNIT, weight_shift
from triadic.devices.cpu.triads import vertex_census as cpu
from triadic.devices.cpu.triads.labelled_triads import LabelledWedges
from triadic.devices.gpu.block_pairs import PartwiseCount
from triadic.devices.gpu.list_tasks import (
    ACROSS,
    LIST_WALK,
    PART,
    HubKernels,
    ListCounter,
    ListKernels,
    ListTasks,
    LowKernel,
    choose_hubs,
    low_states,
    prepared_on,
)
from triadic.devices.gpu.rows import cached, degrees_on, order_on, ranks_on, rows_on, states
from triadic.devices.gpu.tasks import ROW_TASKS, downloaded, run_shares
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import FOR_SORTING, Buffer, Runtime, Source, c_source, strides

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Int64Array, ObjectArray, Uint64Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.draws.choice import ChoiceTable

CODES, ORDERS = 64, 8
# A graph with MANY edges or more has at most MOST_HUBS hubs, so that the words of a row of hubs fit local memory.
MANY, MOST_HUBS = 1 << 27, 1 << 14
_COPIES = 512  # of the counts by code
_ROLES = c_source("closed_triads_by_role", *LIST_WALK, MOST=PART)
_WEDGE_ENDS, _CENSUS = c_source("wedge_ends", "wide_sums"), Source("vertex_census")
_TYPES = len(TRIAD_NAMES)
# Places of the types, open triples in closed types, dyads in types: as vertex_census.c takes them.
_TABLES = np.concatenate([np.ravel(table) for table in (cpu.OPEN, cpu.CLOSED, cpu.HELD_IN, cpu.IN_TYPE)]).astype(
    np.uint32
)
_NEIGHBOUR_SUMS = Source("neighbour_sums")
_BELOW = c_source("labelled_wedges", "wide_sums")
_ABOVE = c_source("labelled_wedges", "wide_sums", ABOVE=1)
_SUMS = 18
_BLOCKS = 2048  # enough to keep a card busy, few to add to one place
_DRAW_COPIES = 256  # of the sums of draws
_MOST_BLOCKS = 1 << 12
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
    counters = [code_counter(graph, oriented, labelled=labelled) for graph in prepared_on(device, oriented)]
    run_shares(counters, oriented.num_edges, progress)
    found = _sum_of_copies(downloaded(counters))
    codes = int_zeros((ORDERS, CODES))
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
    return downloaded(counters).reshape(oriented.num_vertices, _width(roles))


def role_counters(
    device: str, oriented: Oriented, roles: Int64Array, *, progress: Progress | None = None
) -> list[ListCounter]:
    """Count closed triads at each rank by role, and return the counters, whose `counts` lie on the devices.

    The sum of all `counts` is the result of `by_role`.
    """
    counters = []
    for graph in prepared_on(device, oriented):
        kernels = _role_kernels(graph, states(graph.runtime, oriented), roles=roles)
        counters.append(_counter(graph, oriented, kernels, graph.n * _width(roles), "ROLES"))
    run_shares(counters, oriented.num_edges, progress)
    return counters


def code_counter(graph: ListTasks, oriented: Oriented, *, labelled: bool = False) -> ListCounter:
    """Return the counter by code of one device, and if `labelled` also by the order of the original ids.

    Triads with two hubs are counted by bits, the others by lists.
    """
    order = (order_on(graph.runtime, oriented),) if labelled else ()
    kernels = _code_kernels(graph, states(graph.runtime, oriented), *order)
    size, low = (_COPIES * CODES * ORDERS, "LABELLED") if labelled else (_COPIES * CODES, "CODES")
    return _counter(graph, oriented, kernels, size, low)


def _code_kernels(graph: ListTasks, state: Buffer, *order: Buffer) -> ListKernels:
    """Return the kernels of a count by code, and by the order of the original ids if it is given.

    Their arguments are those after the states of entries and lists, here and in `_role_kernels`.
    """
    defines = {"COPIES": _COPIES, **({"LABELLED": 1} if order else {})}
    file, *headers = ("hub_labelled",) if order else ("hub_codes", "code_counts")
    hubs = HubKernels(
        c_source(file, *ROW_TASKS, "hub_planes", *headers, WORDS=graph.words, **defines), planes=3 if order else 2,
        fill_arguments=(state, *order, np.uint32(0)), arguments=(state, *order),
    )  # fmt: skip
    source = c_source("closed_triads", *LIST_WALK, "code_counts", **defines)
    # Without LABELLED the kernel does not read the order of ids, for which another buffer stands.
    return ListKernels(source, order or (graph.middles,), hubs)


def _role_kernels(graph: ListTasks, state: Buffer, *, roles: Int64Array) -> ListKernels:
    """Return the kernels of a count at each rank by role."""
    of_roles = graph.runtime.upload(roles.astype(np.uint8).reshape(-1)), np.uint32(_width(roles))
    hubs = HubKernels(
        c_source("hub_roles", *ROW_TASKS, "hub_planes", WORDS=graph.words), planes=2,
        fill_arguments=(state, np.uint32(1)), arguments=(state, *of_roles),
    )  # fmt: skip
    return ListKernels(_ROLES, of_roles, hubs)


def _width(roles: Int64Array) -> int:
    """Return the number of roles."""
    return int(roles.max()) + 1


def _sum_of_copies(counts: Int64Array) -> Int64Array:
    """Return the counts by code that a device has added up in some copies."""
    return counts.reshape(_COPIES, -1).sum(axis=0)


def _over_parts(
    kernels_of: Callable[[ListTasks, Buffer], ListKernels],
    size: Callable[[int], int],
    result: Callable[[Int64Array], Int64Array],
) -> PartwiseCount:
    """Return a count over parts from its kernels, and from size and result as `PartwiseCount` has them."""

    def counter(graph: ListTasks, state: Buffer, counts: Buffer, bits: Buffer | None) -> ListCounter:
        kernels = kernels_of(graph, state)
        both = state, graph.entries_of_lists(state), *kernels.arguments
        return ListCounter(graph, kernels._replace(arguments=both), counts, bits)

    return PartwiseCount(
        counter=counter,
        size=size,
        result=result,
        planes=2,
        most_hubs=lambda m: choose_hubs(m) if m < MANY else MOST_HUBS,
        states=True,
    )


CODES_OVER_PARTS = _over_parts(_code_kernels, lambda _: _COPIES * CODES, _sum_of_copies)


def roles_over_parts(roles: Int64Array) -> PartwiseCount:
    """Return the count of closed triads at each rank by role, over parts of a graph; `roles` as in `by_role`."""
    width = _width(roles)
    return _over_parts(
        partial(_role_kernels, roles=roles), lambda n: n * width, lambda counts: counts.reshape(-1, width)
    )


def _counter(graph: ListTasks, oriented: Oriented, kernels: ListKernels, size: int, low: str) -> ListCounter:
    """Return a counter of `size` counts; `low` is the define of the kernel for columns of low rank."""
    runtime = graph.runtime
    state = states(runtime, oriented)
    list_state = cached(oriented, runtime, ("states of lists", graph.hubs), partial(graph.entries_of_lists, state))
    both, marks = (state, list_state, *kernels.arguments), None
    if graph.low is not None:
        name = "states of units", graph.low.marked
        of_units = cached(oriented, runtime, name, partial(low_states, graph, graph.low, state))
        defines = {"MARKED": graph.low.marked, "ACROSS": ACROSS, "COPIES": _COPIES, low: 1}
        marks = LowKernel(c_source("low_triads", *LIST_WALK, "code_counts", **defines), (of_units, *both))
    runtime.check_room(f"{size:,} counts", 8 * size)
    return ListCounter(graph, kernels._replace(arguments=both, low=marks), runtime.zeros(size, np.int64))


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
    at_ends = runtime.download(ends).reshape(-1, len(OPEN_NAMES))
    return runtime.download(dyads).astype(np.int64).reshape(-1, 3), at_ends


def _dyads_on(runtime: Runtime, oriented: Oriented, types: int = 0) -> tuple[Buffer, Buffer]:
    """Return the dyads of each rank, uint32, and the pairs of each type if there are any, int64."""
    rows = rows_on(runtime, oriented)
    n = rows.n
    arguments = *rows, states(runtime, oriented), n
    runtime.check_room(f"the dyads of {n:,} vertices", 4 * 3 * n, 8 * types * n)
    dyads, ends = runtime.zeros(3 * n), runtime.zeros(types * n, np.int64)
    runtime.launch_teams(_WEDGE_ENDS, "add_dyads", n, *arguments, dyads)
    if types:
        runtime.launch_teams(_WEDGE_ENDS, "add_ends", n, *arguments, dyads, ends)
    return dyads, ends


def wedges(device: str, oriented: Oriented, *, progress: Progress | None = None) -> Int64Array:  # noqa: ARG001 - it takes milliseconds
    """Count the pairs of dyads that share a vertex on the first of some devices; see `triadic.counts.triads.WEDGES`."""
    runtime, n = runtimes_of(device)[0], oriented.num_vertices
    dyads, _ = _dyads_on(runtime, oriented)
    halves = runtime.zeros(2 * len(OPEN_NAMES), np.int64)
    blocks, step = strides(runtime, n, _ADDERS)
    runtime.launch(_WEDGE_ENDS, "add_pairs", blocks, dyads, n, step, halves)
    return runtime.download(halves).reshape(2, -1)


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
            runtime.launch_each(
                _CENSUS, "fill_census", n, rank, *sums, counter.counts, tables, n,
                *in_graph, census,
            )  # fmt: skip
            return runtime.download(census).reshape(n, _TYPES)
    closed = downloaded(counters).reshape(n, len(CLOSED_NAMES))
    return cpu.fill(oriented, in_graph, *dyads_and_wedge_ends(device, oriented), closed, threads=threads)


def neighbour_sums(
    device: str,
    oriented: Oriented,
    values: Int64Array,
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> Int64Array:
    """Sum the values of each rank's neighbours.

    Only the first of several devices works: to merge the sums of several would take longer.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    values : int64 array, shape (n, width)

    Returns
    -------
    int64 array, shape (n, width)
    """
    runtime = runtimes_of(device)[0]
    with runtime.active():
        columns = [runtime.upload(np.ascontiguousarray(column)) for column in values.T]
        return np.stack([runtime.download(sums) for sums in sums_of(runtime, oriented, columns)], axis=1)


def sums_of(runtime: Runtime, oriented: Oriented, columns: list[Buffer]) -> list[Buffer]:
    """Sum each column over the neighbours of each rank, on the device: int64 buffers of shape (n,) for the same."""
    rows = rows_on(runtime, oriented)
    found = [runtime.zeros(rows.n, np.int64) for _ in columns]
    for values, sums in zip(columns, found, strict=True):
        runtime.launch_teams(_NEIGHBOUR_SUMS, "neighbour_sums", rows.n, *rows, rows.n, values, sums)
    return found


def support_sums(runtime: Runtime, oriented: Oriented, support: Buffer) -> list[Buffer]:
    """Sum c, C(c, 2) and c times the other end's degree over the edges of each rank, where c is an edge's support.

    Parameters
    ----------
    runtime : Runtime
    oriented : Oriented
    support : uint32 buffer, shape (m,)

    Returns
    -------
    list of 3 int64 buffers, shape (n,)
    """
    rows = rows_on(runtime, oriented)
    n, degree = rows.n, degrees_on(runtime, oriented)
    sums = [runtime.zeros(n, np.int64) for _ in range(3)]
    runtime.launch_teams(_NEIGHBOUR_SUMS, "support_sums", n, *rows, n, support, degree, *sums)
    return sums


def labelled_wedges(device: str, oriented: Oriented) -> LabelledWedges:
    """Count the wedges of a graph by states and by the order of their original ids, on the first of some devices."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    n, m = rows.n, rows.m
    runtime.check_room(f"sorting {m:,} edges by vertex", 8 * m, 8 * m + FOR_SORTING, 8 * n, 12 * n, 4 * n, 4 * n, m)
    below = runtime.empty(3 * n)
    of_lower = _sums_of_wedges(runtime, oriented, _BELOW, below)
    of_higher = _sums_of_wedges(runtime, oriented, _ABOVE, below)
    highest, lowest, middle = (_by_state(sums, 3, 3) for sums in (of_lower[:9], of_higher[:9], of_higher[9:]))
    above, between, at_below = (_by_state(of_lower[first : first + 3], 3) for first in (9, 12, 15))
    return LabelledWedges(lowest, middle, highest, above, between, at_below)


def _sums_of_wedges(runtime: Runtime, oriented: Oriented, source: Source, below: Buffer) -> Uint64Array:
    """Sort the edges by one end, and return the sums over all vertices; `below` is written first, then read."""
    rows = rows_on(runtime, oriented)
    n, m = rows.n, rows.m
    keys, ptr = runtime.empty(m, np.uint64), runtime.empty(n + 1, np.int64)
    read = *rows, states(runtime, oriented), order_on(runtime, oriented)
    runtime.launch_teams(source, "wedge_keys", n, *read, n, np.uint32(source is _ABOVE), keys)
    keys = runtime.sort(keys)
    runtime.launch_each(source, "wedge_starts", n + 1, keys, m, n, ptr)
    sums, blocks = runtime.zeros(_SUMS, np.uint64), min(_BLOCKS, -(-n // runtime.teams))
    runtime.launch(source, "add_wedges", blocks, keys, ptr, n, blocks * runtime.teams, below, sums)
    return runtime.download(sums)


def _by_state(sums: Uint64Array, *shape: int) -> ObjectArray:
    """Return sums as Python ints, with zeros for the state of a null dyad: four states along each axis."""
    table = np.zeros([edges + 1 for edges in shape], object)
    table[tuple(slice(1, None) for _ in shape)] = sums.astype(object).reshape(shape)
    return table


def tally(
    device: str,
    oriented: Oriented,
    table: ChoiceTable,
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    progress: Progress | None = None,  # noqa: ARG001 - one launch, over before it could be reported
) -> Int64Array:
    """Draw wedges on the first of some devices, see `triadic.devices.cpu.draws.wedge_sampling.tally`."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    before, guide = cached(
        oriented, runtime, ("wedges", local), lambda: (runtime.upload(table.before), runtime.upload(table.guide))
    )
    defines = {"COPIES": _DRAW_COPIES, "UNIT": UNIT}
    degree = state = guide  # stands for buffers that a kernel does not read
    if local:
        defines["LOCAL_WEIGHTS"], degree = 1, degrees_on(runtime, oriented)
    elif oriented.state is not None:
        defines["STATES"], state = 1, states(runtime, oriented)
    sums = runtime.zeros(_DRAW_COPIES * COLUMNS, np.int64)
    blocks, step = strides(runtime, stop - first, _MOST_BLOCKS)
    source = c_source("wedge_sampling", "draws", "search", **defines)
    runtime.launch(
        source, "tally_wedges", blocks, *rows, state, degree, before, guide, table.step,
        table.total, np.uint32(weight_shift(oriented.num_vertices, local=local)), np.uint64(key),
        first, stop - first, step, sums,
    )  # fmt: skip
    return runtime.download(sums).reshape(_DRAW_COPIES, COLUMNS).sum(axis=0)
