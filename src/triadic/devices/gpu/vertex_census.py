"""The triad census of every vertex with GPUs, which count closed triads and dyads; the host derives the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.memory import check_memory
from triadic.core.triad_types import CLOSED_TYPE_OF_CODE, OPEN_NAMES
from triadic.devices.cpu import vertex_census as cpu
from triadic.devices.gpu.closed_triads import by_role, states
from triadic.devices.gpu.rows import rows_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import LANES
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_SOURCE = Source("wedge_ends", headers=("wide_sums",))
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
    runtime, types = runtimes_of(device)[0], len(OPEN_NAMES)
    rows = rows_on(runtime, oriented)
    n, arguments = rows.n, (rows.indptr, rows.indices, states(runtime, oriented), np.uint64(rows.n))
    check_room(runtime, f"the dyads of {n:,} vertices", 4 * 3 * n, 8 * types * n)
    dyads, ends = runtime.zeros(3 * n, np.uint32), runtime.zeros(2 * types * n, np.uint32)
    for kernel, sums in (("add_dyads", (dyads,)), ("add_ends", (dyads, ends))):
        runtime.launch(_SOURCE, kernel, -(-n // runtime.teams), *arguments, *sums)
    at_ends = runtime.download(ends).view(np.int64).reshape(n, types)
    return runtime.download(dyads).astype(np.int64).reshape(n, 3), at_ends


def wedges(device: str, oriented: Oriented, *, progress: Progress | None = None) -> NDArray[np.int64]:  # noqa: ARG001 - it takes milliseconds
    """Count the pairs of dyads that share a vertex on the first of some devices; see `triadic.counts.dyads.WEDGES`."""
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
    """Count the triads of each type at each vertex, see `triadic.devices.cpu.vertex_census.census_by_vertex`."""
    n = oriented.num_vertices
    check_memory(cpu.BYTES_TO_FILL * n, f"the triad census of {n:,} vertices", "use more memory")
    closed = by_role(device, oriented, CLOSED_TYPE_OF_CODE, progress=progress)
    return cpu.fill(oriented, in_graph, *dyads_and_wedge_ends(device, oriented), closed, threads=threads)
