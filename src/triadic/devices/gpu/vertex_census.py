"""The triad census of every vertex with GPUs: a single one derives all types, of several the host does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.oriented import OrientedBatch
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_TYPE_OF_CODE, OPEN_NAMES, TRIAD_NAMES
from triadic.devices.cpu.triads import vertex_census as cpu
from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.closed_triads import counts_of, role_counters, states
from triadic.devices.gpu.graph_cache import cached
from triadic.devices.gpu.rows import ranks_on, rows_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES, launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_SOURCE, _CENSUS = Source("wedge_ends", headers=("wide_sums",)), Source("vertex_census")
_TYPES = len(TRIAD_NAMES)
# Places of the types, open triples in closed types, dyads in types: as vertex_census.c takes them.
_TABLES = np.concatenate([np.ravel(table) for table in (cpu.OPEN, cpu.CLOSED, cpu.HELD_IN, cpu.IN_TYPE)]).astype(
    np.uint32
)
_ADDERS = 512  # blocks that add up the pairs of all vertices: enough to keep a card busy, few to add to one place


def dyads_and_wedge_ends(device: str, oriented: Oriented) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the dyads of each rank and the pairs of dyads that it is an end of, on the first of the devices.

    Returns
    -------
    dyads : int64 array, shape (n, 3)
        Mutual, only-out and only-in neighbours.
    ends : int64 array, shape (n, 6)
        Pairs by open type, in the order of `triadic.core.triad_types.OPEN_NAMES`.
    """
    runtime = runtimes_of(device)[0]
    dyads, ends = _dyads_and_ends_on(runtime, oriented)
    at_ends = runtime.download(ends).view(np.int64).reshape(-1, len(OPEN_NAMES))
    return runtime.download(dyads).astype(np.int64).reshape(-1, 3), at_ends


def _dyads_and_ends_on(runtime: Runtime, oriented: Oriented) -> tuple[Buffer, Buffer]:
    """Return the dyads, a word each, and the pairs, two words each, on a device."""
    types = len(OPEN_NAMES)
    rows = rows_on(runtime, oriented)
    n, arguments = rows.n, (rows.indptr, rows.indices, states(runtime, oriented), np.uint64(rows.n))
    check_room(runtime, f"the dyads of {n:,} vertices", 4 * 3 * n, 8 * types * n)
    dyads, ends = runtime.zeros(3 * n, np.uint32), runtime.zeros(2 * types * n, np.uint32)
    for kernel, sums in (("add_dyads", (dyads,)), ("add_ends", (dyads, ends))):
        runtime.launch(_SOURCE, kernel, -(-n // runtime.teams), *arguments, *sums)
    return dyads, ends


def wedges(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:  # noqa: ARG001 - it takes milliseconds
    """Count the pairs of dyads that share a vertex on the first of some devices; see `triadic.counts.triads.WEDGES`."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    check_room(runtime, f"the dyads of {rows.n:,} vertices", 4 * 3 * rows.n)
    found, state = runtime.zeros(3 * rows.n, np.uint32), states(runtime, oriented)
    blocks = -(-rows.n // runtime.teams)
    runtime.launch(_SOURCE, "add_dyads", blocks, rows.indptr, rows.indices, state, np.uint64(rows.n), found)
    halves, adders = runtime.zeros(2 * 2 * len(OPEN_NAMES), np.uint32), min(blocks, _ADDERS)
    step = np.uint64(adders * runtime.teams * LANES)
    runtime.launch(_SOURCE, "add_pairs", adders, found, np.uint64(rows.n), step, halves)
    return runtime.download(halves).view(np.int64).reshape(2, -1)


def census_by_vertex(
    device: str, oriented: Oriented, in_graph: cpu.InGraph, *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count the triads of each type at each vertex, see `triadic.devices.cpu.triads.vertex_census.census_by_vertex`."""
    n = oriented.num_vertices
    check_memory(cpu.BYTES_TO_FILL * n, f"the triad census of {n:,} vertices", "use more memory")
    counters = role_counters(device, oriented, CLOSED_TYPE_OF_CODE, progress=progress)
    if len(counters) == 1 and not isinstance(oriented, OrientedBatch):
        (counter,) = counters
        runtime = counter.runtime
        sums, rank = _dyads_and_ends_on(runtime, oriented), ranks_on(runtime, oriented)
        if 8 * _TYPES * n <= min(runtime.memory()[0], runtime.largest_buffer()):
            tables = cached(oriented, runtime, "tables of the census", partial(runtime.upload, _TABLES))
            census = runtime.empty(_TYPES * n, np.int64)
            launch_each(
                runtime, _CENSUS, "fill_census", n, rank, *sums, counter.counts, tables, np.uint64(n),
                *(np.uint64(dyads) for dyads in in_graph), census,
            )  # fmt: skip
            return runtime.download(census).reshape(n, _TYPES)
    closed = summed([counts_of(counter).reshape(n, len(CLOSED_NAMES)) for counter in counters])
    return cpu.fill(oriented, in_graph, *dyads_and_wedge_ends(device, oriented), closed, threads=threads)
