"""Triangles and local clustering coefficients in the order of vertices: made on the GPU that counts (vertex_values.c).

Only one array is copied to the host. With several devices the host adds up their counts and does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu import vertex_values as cpu
from triadic.devices.gpu.list_tasks import prepared_on
from triadic.devices.gpu.rows import degrees_on, ranks_on
from triadic.devices.gpu.triangles import at_vertices, counted_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

_TAKE, _COEFFICIENTS = Source("vertex_values"), Source("vertex_values", (("COEFFICIENTS", 1),))


def triangles(device: str, oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Return the number of triangles at each vertex (not rank): int64, shape (n,)."""
    prepared = prepared_on(device, oriented)
    ((runtime, graph), *others) = prepared
    if others:
        return cpu.triangles_from(oriented, at_vertices(prepared, progress=progress), threads=threads)
    n, rank = graph.n, ranks_on(runtime, oriented)
    check_room(runtime, f"the triangles of {n:,} vertices", 8 * n, 8 * n)
    at_vertex = runtime.empty(n, np.int64)
    with counted_on(runtime, graph, progress=progress) as at_rank:
        launch_each(runtime, _TAKE, "take", n, rank, at_rank, np.uint64(n), at_vertex)
        return runtime.download(at_vertex)


def coefficients(
    device: str, oriented: Oriented, *, threads: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Return the local clustering coefficient of each vertex (not rank): float64, shape (n,).

    If the device has no 64-bit floating-point numbers, the host applies the formula.
    """
    prepared = prepared_on(device, oriented)
    ((runtime, graph), *others) = prepared
    if others or not runtime.has_doubles:
        return cpu.coefficients_from(oriented, at_vertices(prepared, progress=progress), threads=threads)
    n, rank, degree = graph.n, ranks_on(runtime, oriented), degrees_on(runtime, oriented)
    check_room(runtime, f"the coefficients of {n:,} vertices", 8 * n, 8 * n)
    at_vertex = runtime.empty(n, np.float64)
    with counted_on(runtime, graph, progress=progress) as at_rank:
        launch_each(runtime, _COEFFICIENTS, "coefficients", n, rank, at_rank, degree, np.uint64(n), at_vertex)
        return runtime.download(at_vertex)
