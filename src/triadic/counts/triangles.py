"""Triangles of the skeleton: in total, by vertex, by edge.

Takes an oriented graph, or tiles, and nothing else. On the CPU: `triadic.devices.cpu.triangles` and, by edge,
`neighbourhoods`; on GPUs: `triadic.devices.gpu.triangles`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import triangles as cpu
from triadic.devices.cpu.rows import slots_of_edges
from triadic.devices.gpu import triangles as gpu
from triadic.devices.select import resolve_device, run
from triadic.tiles.tiles import Tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword

    Ids = NDArray[np.integer[Any]]


def total(oriented: Oriented | Tiles, *, threads: int | None, device: str, progress: ProgressKeyword) -> int:
    """Count all triangles."""
    resolve_device(device, count="triangles")
    count = partial(_total, threads=resolve_threads(threads), device=device)
    with reporting(progress, "counting triangles") as report:
        if isinstance(oriented, Tiles):
            return int(oriented.count("triangle-count", count, at_ranks=False, threads=threads, progress=report)[0])
        return int(count(oriented, report)[0])


def by_vertex(
    oriented: Oriented | Tiles, *, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Count the triangles at each vertex, by rank: int64, shape (n,)."""
    resolve_device(device, count="triangles")
    count = partial(_by_vertex, threads=resolve_threads(threads), device=device)
    with reporting(progress, "counting triangles") as report:
        if isinstance(oriented, Tiles):
            found: NDArray[np.int64] = oriented.count(
                "triangles", count, at_ranks=True, threads=threads, progress=report
            )
            return found
        return count(oriented, report)


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


def _total(oriented: Oriented, report: Progress | None, *, threads: int, device: str) -> NDArray[np.int64]:
    found = run(
        device,
        _device(device, oriented),
        lambda name: gpu.total(name, oriented, progress=report),
        lambda: cpu.total(oriented, threads=threads, progress=report),
    )
    return np.array([found], dtype=np.int64)


def _by_vertex(oriented: Oriented, report: Progress | None, *, threads: int, device: str) -> NDArray[np.int64]:
    return run(
        device,
        _device(device, oriented),
        lambda name: gpu.by_vertex(name, oriented, progress=report),
        lambda: cpu.by_vertex(oriented, threads=threads, progress=report),
    )


def _device(device: str, oriented: Oriented) -> str:
    return resolve_device(device, count="triangles", oriented=oriented)
