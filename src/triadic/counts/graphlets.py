"""What graphlets of up to four vertices follow from: triangles, diamonds, squares and tetrahedra of the skeleton.

Takes an oriented graph and nothing else. On the CPU: `triadic.devices.cpu.graphlets`, `squares` and `neighbour_sums`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.blocks import resolve_threads
from triadic.devices.cpu import graphlets as cpu
from triadic.devices.cpu import neighbour_sums as cpu_sums
from triadic.devices.cpu import squares as cpu_squares
from triadic.devices.cpu.graphlets import GraphletCounts
from triadic.devices.select import resolve_device
from triadic.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.oriented import Oriented
    from triadic.progress import ProgressKeyword

__all__ = ["GraphletCounts", "by_vertex", "neighbour_sums", "squares"]


def by_vertex(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> GraphletCounts:
    """Count triangles, diamonds off their chord, squares and tetrahedra at each rank, and what supports add up to."""
    resolve_device(device, count="graphlets")
    with reporting(progress, "counting graphlets") as report:
        return cpu.by_vertex(oriented, threads=resolve_threads(threads), progress=report)


def squares(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Count the squares at each vertex, chords drawn or not, by rank: int64, shape (n,)."""
    resolve_device(device, count="squares")
    with reporting(progress, "counting squares") as report:
        return cpu_squares.by_vertex(oriented, threads=resolve_threads(threads), progress=report)


def neighbour_sums(oriented: Oriented, values: NDArray[np.int64], *, threads: int | None) -> NDArray[np.int64]:
    """Add up the values of each rank's neighbours, by column: int64, the shape of `values`."""
    return cpu_sums.neighbour_sums(oriented, values, threads=resolve_threads(threads))
