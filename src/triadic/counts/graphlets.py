"""What graphlets of up to four vertices follow from: triangles, diamonds, squares and tetrahedra of the skeleton.

Takes an oriented graph and nothing else. On the CPU: `triadic.devices.cpu.four_vertex`, `squares` and `vertex_arrays`;
on GPUs the modules of the same names in `triadic.devices.gpu`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.devices.cpu import four_vertex as cpu
from triadic.devices.cpu import squares as cpu_squares
from triadic.devices.cpu import vertex_arrays as cpu_sums
from triadic.devices.gpu import graphlets as gpu
from triadic.devices.gpu import neighbour_sums as gpu_sums
from triadic.devices.gpu import squares as gpu_squares
from triadic.devices.select import resolve_device, run
from triadic.tiles.passes import sum_over_tiles
from triadic.tiles.tiles import Tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.graphlet_counts import GraphletCounts
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword


def by_vertex(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> GraphletCounts:
    """Count triangles, diamonds off their chord, squares and tetrahedra at each rank, and what supports add up to."""
    used, workers = _device(device, "graphlets", oriented), resolve_threads(threads)
    with reporting(progress, "counting graphlets") as report:
        return run(
            device,
            used,
            lambda name: gpu.by_vertex(name, oriented, progress=report),
            lambda: cpu.by_vertex(oriented, threads=workers, progress=report),
        )


def squares(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Count the squares at each vertex, chords drawn or not, by rank: int64, shape (n,)."""
    used, workers = _device(device, "squares", oriented), resolve_threads(threads)
    with reporting(progress, "counting squares") as report:
        return run(
            device,
            used,
            lambda name: gpu_squares.by_vertex(name, oriented, progress=report),
            lambda: cpu_squares.by_vertex(oriented, threads=workers, progress=report),
        )


def neighbour_sums(
    oriented: Oriented | Tiles, values: NDArray[np.int64], *, threads: int | None, device: str
) -> NDArray[np.int64]:
    """Add up the values of each rank's neighbours, by column: int64, the shape of `values`."""
    if isinstance(oriented, Tiles):
        found = oriented.room("neighbour-sums", values.shape, np.int64)
        sum_over_tiles(
            oriented, values, lambda part, of: neighbour_sums(part, of, threads=threads, device=device), found
        )
        return found
    used, workers = _device(device, "neighbour sums", oriented), resolve_threads(threads)
    return run(
        device,
        used,
        lambda name: gpu_sums.neighbour_sums(name, oriented, values),
        lambda: cpu_sums.neighbour_sums(oriented, values, threads=workers),
    )


def _device(device: str, count: str, oriented: Oriented) -> str:
    return resolve_device(device, count=count, oriented=oriented)
