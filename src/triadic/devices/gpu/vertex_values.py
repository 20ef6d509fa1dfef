"""Triangles and local clustering coefficients in the order of vertices: made on the GPU that counts (vertex_values.c).

Only one array is copied to the host. With several devices the first one adds up their counts and does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.triangles import triangles as cpu
from triadic.devices.gpu.list_tasks import prepared_on
from triadic.devices.gpu.rows import degrees_on, ranks_on
from triadic.devices.gpu.triangles import at_vertices, counted_on, summed_at_vertices
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_TAKE, _COEFFICIENTS = Source("vertex_values"), Source("vertex_values", (("COEFFICIENTS", 1),))


def triangles(
    device: str,
    oriented: Oriented,
    *,
    threads: int,  # noqa: ARG001 - the host has nothing to do
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Return the number of triangles at each vertex (not rank): int64, shape (n,)."""
    prepared = prepared_on(device, oriented)
    ((runtime, graph), *others) = prepared
    check_room(runtime, f"the triangles of {graph.n:,} vertices", 8 * graph.n, 8 * graph.n)
    if others:
        return _triangles_from(runtime, oriented, summed_at_vertices(prepared, progress=progress))
    with counted_on(runtime, graph, progress=progress) as at_rank:
        return _triangles_from(runtime, oriented, at_rank)


def coefficients(
    device: str, oriented: Oriented, *, threads: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Return the local clustering coefficient of each vertex (not rank): float64, shape (n,).

    If the device has no 64-bit floating-point numbers, the host applies the formula.
    """
    prepared = prepared_on(device, oriented)
    ((runtime, graph), *others) = prepared
    if not runtime.has_doubles:
        return cpu.coefficients_from(oriented, at_vertices(prepared, progress=progress), threads=threads)
    check_room(runtime, f"the coefficients of {graph.n:,} vertices", 8 * graph.n, 8 * graph.n)
    if others:
        return _coefficients_from(runtime, oriented, summed_at_vertices(prepared, progress=progress))
    with counted_on(runtime, graph, progress=progress) as at_rank:
        return _coefficients_from(runtime, oriented, at_rank)


def _triangles_from(runtime: Runtime, oriented: Oriented, at_rank: Buffer) -> NDArray[np.int64]:
    n, at_vertex = oriented.num_vertices, runtime.empty(oriented.num_vertices, np.int64)
    launch_each(runtime, _TAKE, "take", n, ranks_on(runtime, oriented), at_rank, np.uint64(n), at_vertex)
    return runtime.download(at_vertex)


def _coefficients_from(runtime: Runtime, oriented: Oriented, at_rank: Buffer) -> NDArray[np.float64]:
    n, at_vertex = oriented.num_vertices, runtime.empty(oriented.num_vertices, np.float64)
    rank, degree = ranks_on(runtime, oriented), degrees_on(runtime, oriented)
    launch_each(runtime, _COEFFICIENTS, "coefficients", n, rank, at_rank, degree, np.uint64(n), at_vertex)
    return runtime.download(at_vertex)
