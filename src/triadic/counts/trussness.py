"""Trussness of the skeleton's edges. On the CPU: `triadic.devices.cpu.trussness`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting
from triadic.devices.cpu import trussness as cpu
from triadic.devices.cpu.rows import slots_of_edges
from triadic.devices.select import resolve_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.core.progress import ProgressKeyword

    Ids = NDArray[np.integer[Any]]


def by_edge(
    oriented: Oriented,
    source: Ids,
    target: Ids,
    *,
    up_to: int | None = None,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Give the trussness of each of the edges asked for: int64, shape (edges,).

    With `up_to` those that are at least that are no more than that known.
    """
    resolve_device(device, count="trusses")
    workers = resolve_threads(threads)
    with reporting(progress, "peeling edges") as report:
        found = cpu.trussness(oriented, up_to=up_to, threads=workers, progress=report)
    return found[slots_of_edges(oriented, source, target, threads=workers)].astype(np.int64)
