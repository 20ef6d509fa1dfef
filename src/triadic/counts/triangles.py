"""Triangles of the skeleton: in total, by vertex, by edge.

Takes an oriented graph and nothing else. On the CPU: `triadic.devices.cpu.triangles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.blocks import resolve_threads
from triadic.devices.cpu import triangles as cpu
from triadic.devices.cpu.edge_order import slots_of_edges
from triadic.devices.select import resolve_device
from triadic.progress import reporting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.oriented import Oriented
    from triadic.progress import ProgressKeyword

    Ids = NDArray[np.integer[Any]]

_WHAT = "triangles"


def total(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> int:
    """Count all triangles."""
    resolve_device(device, count=_WHAT)
    with reporting(progress, "counting triangles") as report:
        return cpu.total(oriented, threads=resolve_threads(threads), progress=report)


def by_vertex(oriented: Oriented, *, threads: int | None, device: str, progress: ProgressKeyword) -> NDArray[np.int64]:
    """Count the triangles at each vertex, by rank: int64, shape (n,)."""
    resolve_device(device, count=_WHAT)
    with reporting(progress, "counting triangles") as report:
        return cpu.by_vertex(oriented, threads=resolve_threads(threads), progress=report)


def by_edge(
    oriented: Oriented,
    source: Ids,
    target: Ids,
    *,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Count the triangles at each of the edges asked for, its support: int64, shape (edges,)."""
    resolve_device(device, count=_WHAT)
    workers = resolve_threads(threads)
    with reporting(progress, "counting triangles") as report:
        support = cpu.by_edge(oriented, threads=workers, progress=report)
    return support[slots_of_edges(oriented, source, target, threads=workers)]
