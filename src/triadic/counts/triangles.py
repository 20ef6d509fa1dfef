"""Triangles of the skeleton: in total, by vertex, by edge.

Takes an oriented graph and nothing else. On the CPU: `triadic.devices.cpu.triangles` and, by edge,
`neighbourhoods`; on GPUs: `triadic.devices.gpu.triangles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.blocks import resolve_threads
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import triangles as cpu
from triadic.devices.cpu.edge_order import slots_of_edges
from triadic.devices.gpu import triangles as gpu
from triadic.devices.select import resolve_device, run
from triadic.progress import reporting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.oriented import Oriented
    from triadic.progress import ProgressKeyword

    Ids = NDArray[np.integer[Any]]


def total(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> int:
    """Count all triangles."""
    used, workers = _device(device, oriented), resolve_threads(threads)
    with reporting(progress, "counting triangles") as report:
        return run(
            device,
            used,
            lambda name: gpu.total(name, oriented, progress=report),
            lambda: cpu.total(oriented, threads=workers, progress=report),
        )


def by_vertex(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Count the triangles at each vertex, by rank: int64, shape (n,)."""
    used, workers = _device(device, oriented), resolve_threads(threads)
    with reporting(progress, "counting triangles") as report:
        return run(
            device,
            used,
            lambda name: gpu.by_vertex(name, oriented, progress=report),
            lambda: cpu.by_vertex(oriented, threads=workers, progress=report),
        )


def by_entry(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int32]:
    """Count the triangles at each entry of the oriented rows, its edge's support: int32, shape (m,)."""
    used, workers = _device(device, oriented), resolve_threads(threads)
    with reporting(progress, "counting triangles") as report:
        return run(
            device,
            used,
            lambda name: gpu.by_edge(name, oriented, progress=report),
            lambda: neighbourhoods.by_edge(oriented, threads=workers, progress=report),
        )


def by_edge(
    oriented: Oriented,
    source: Ids,
    target: Ids,
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Count the triangles at each of the edges asked for: int64, shape (edges,)."""
    support = by_entry(oriented, threads=threads, device=device, progress=progress)
    return support[slots_of_edges(oriented, source, target, threads=resolve_threads(threads))].astype(np.int64)


def _device(device: str, oriented: Oriented) -> str:
    return resolve_device(device, count="triangles", oriented=oriented)
