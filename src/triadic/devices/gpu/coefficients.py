"""Local clustering coefficients on a GPU: triangles and formula there, and one copy to the host (coefficients.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu import coefficients as cpu
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

_SOURCE = Source("coefficients")


def by_vertex(
    device: str, oriented: Oriented, *, threads: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    """Compute the local clustering coefficient of each vertex (not rank): float64, shape (n,).

    With several devices, or one that has no 64-bit floating-point numbers, the host applies the formula.
    """
    prepared = prepared_on(device, oriented)
    ((runtime, graph), *others) = prepared
    if others or not runtime.has_doubles:
        return cpu.from_triangles(oriented, at_vertices(prepared, progress=progress), threads=threads)
    rank, degree = ranks_on(runtime, oriented), degrees_on(runtime, oriented)
    check_room(runtime, f"the coefficients of {graph.n:,} vertices", 8 * graph.n, 8 * graph.n)
    triangles, coefficient = counted_on(runtime, graph, progress=progress), runtime.empty(graph.n, np.float64)
    launch_each(runtime, _SOURCE, "coefficients", graph.n, rank, triangles, degree, np.uint64(graph.n), coefficient)
    return runtime.download(coefficient)
