"""Sums over triangles by vertex: of the products of what their edges have, and of what two of them have.

Takes an oriented graph and a float64 for each entry of its rows. On the CPU: `triadic.devices.cpu.weighted_triangles`,
the same to the bit for any number of threads; on GPUs: `triadic.devices.gpu.weighted_triangles`, where the order of
addition differs from run to run, within 1e-12 of what the absolute values add up to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.counts import triangles
from triadic.devices.cpu import weighted_triangles as cpu
from triadic.devices.cpu.weight_sums import sum_at_ends
from triadic.devices.gpu import weighted_triangles as gpu
from triadic.devices.select import resolve_device, run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword


def products(
    oriented: Oriented, values: NDArray[np.float64], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    """Add up at each rank over its triangles the product of the values of their three edges: float64, shape (n,)."""
    used = resolve_device(device, count="weighted triangles", oriented=oriented)
    workers = resolve_threads(threads)
    with reporting(progress, "adding up over triangles") as report:
        return run(
            device,
            used,
            lambda name: gpu.by_vertex(name, oriented, values, progress=report),
            lambda: cpu.by_vertex(oriented, values, threads=workers, progress=report),
        )


def pairs(
    oriented: Oriented, values: NDArray[np.float64], *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.float64]:
    """Add up at each rank over its triangles the values of the two edges there: float64, shape (n,).

    An edge is one of the two in as many triangles as it is in, so that supports are all that is counted.
    """
    support = triangles.by_entry(oriented, threads=threads, device=device, progress=progress)
    return sum_at_ends(oriented, values * support, threads=resolve_threads(threads))
