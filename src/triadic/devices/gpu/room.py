"""What counts take on a device, estimated before anything is put there.

Idea: what is as long as the vertices or the edges is known; how long the lists are is told by a sample of the entries.
Two moments are compared, while lists are made and while they are counted; the larger decides.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.on_device import OrientedOnDevice
from triadic.devices.gpu.placed import PlacesItself
from triadic.devices.gpu.residence import kept

if TYPE_CHECKING:
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Runtime

_SAMPLE = 1 << 14  # entries: the share of them that is in lists is known to a hundredth


def check_lists(runtime: Runtime, oriented: Oriented, hubs: int) -> None:
    """Refuse a graph that `triangles.prepare` and a count after it cannot have on a device.

    Raises
    ------
    OutOfMemoryError
    """
    n, m = oriented.num_vertices, oriented.num_edges
    check_room(runtime, f"a graph of {n:,} vertices and {m:,} edges", *of_lists(runtime, oriented, hubs))


def check_states(runtime: Runtime, oriented: Oriented) -> None:
    """Refuse the states of edges, and of lists, that a device cannot have beside a graph that is there.

    Raises
    ------
    OutOfMemoryError
    """
    m = oriented.num_edges
    check_room(runtime, f"the states of {m:,} edges", m, walked(oriented, 0))


def of_lists(runtime: Runtime, oriented: Oriented, hubs: int) -> tuple[int, ...]:
    """Estimate the bytes of the buffers that are there when `triangles.prepare` and a count after it take the most."""
    n, m, lists = oriented.num_vertices, oriented.num_edges, walked(oriented, hubs)
    there = (runtime.name, "rows") in kept(oriented) or (
        isinstance(oriented, OrientedOnDevice) and oriented.runtime.name == runtime.name
    )
    rows = 8 * n, *(() if there else (8 * n, 4 * m))  # where the hubs of each end, and themselves
    making = 8 * n, 8 * n, *runtime.room_for_columns(n, lists)
    tasks = min(n, lists)
    counts = 8 * n if hubs else max(8 * n, 4 * m)
    counting = 8 * n, 4 * lists, 4 * tasks, 8 * tasks, counts, hubs * hubs // 8
    return *rows, *max(making, counting, key=sum)


def walked(oriented: Oriented, hubs: int) -> int:
    """Estimate how many entries are in lists: those of no hub, save the first of each row."""
    m = oriented.num_edges
    if m == 0:
        return 0
    if isinstance(oriented, PlacesItself):
        return oriented.most_lists
    here: Any = oriented
    on_its_device: Any = nullcontext()
    xp: Any = np
    if isinstance(oriented, OrientedOnDevice):
        here, on_its_device, xp = oriented.arrays, oriented.runtime.active(), oriented.runtime.xp
        if xp is np:  # not worth a copy to the host
            return m
    # At random, since in steps they could keep time with rows of one length.
    entries = np.arange(m) if m <= _SAMPLE else np.random.default_rng(0).integers(m, size=_SAMPLE)
    with on_its_device:
        at = xp.asarray(entries)
        first = here.indptr[xp.searchsorted(here.indptr, at)] == at
        return round(m * float(((here.indices[at] >= hubs) & ~first).mean()))
