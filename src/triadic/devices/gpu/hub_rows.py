"""The hubs of each row as 16-bit numbers, eight to a unit of 16 bytes (hub_lists.c)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.runtime import launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Buffer, Runtime

UNIT = 8  # hubs
MOST_HUBS = (1 << 16) - 64  # a number stands for no hub
HUB_LISTS = ("tasks", "search", "middle_table", "list_walk")  # headers


@dataclass(frozen=True, slots=True, eq=False)
class HubRows:
    """The hubs of each row.

    Attributes
    ----------
    unit_ptr : uint32 buffer, shape (n + 1,)
        Where the units of each row begin.
    units : uint16 buffer, shape (8 * units,)
        Hubs, rising within a row; the last unit of a row is filled up with the number of hubs of the graph.
    """

    unit_ptr: Buffer
    units: Buffer


def hub_rows(runtime: Runtime, n: int, hubs: int, indptr: Buffer, indices: Buffer, split: Buffer) -> HubRows:
    """Return the hubs of `n` rows, from where the hubs of each row end."""
    xp = runtime.xp
    with runtime.active():
        lengths = runtime.view(split) - runtime.view(indptr)[:-1]
        before = xp.zeros(n + 1, dtype=xp.int64)
        xp.cumsum((lengths + (UNIT - 1)) // UNIT, out=before[1:])
        units = runtime.empty(UNIT * int(before[-1]), np.uint16)
        unit_ptr = runtime.upload(before.astype(xp.uint32))
    source = Source("hub_lists", (("HUBS", hubs), ("NUMBER", 1)), HUB_LISTS)
    launch_each(runtime, source, "hub_units", UNIT * n, indptr, indices, split, unit_ptr, np.uint64(n), units)
    return HubRows(unit_ptr, units)
