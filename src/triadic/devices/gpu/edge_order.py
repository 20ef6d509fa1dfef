"""Values at the entries of the oriented rows, put in the order of the graph's edges on a GPU (edge_order.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.gpu.closed_triads import states
from triadic.devices.gpu.rows import order_on, ranks_on, rows_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import FOR_SORTING, launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

_EDGES, _ARCS = Source("edge_order", headers=("search",)), Source("edge_order", (("STATES", 1),), ("search",))


def in_edge_order(device: str, oriented: Oriented, at_entry: NDArray[np.int32], *, directed: bool) -> NDArray[np.int64]:
    """Return the value of each edge, sorted by smaller vertex, then larger; of each arc if `directed`, by its source.

    The first of several devices sorts.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    at_entry : int32 array, shape (m,)
        Values from 0 on.
    directed : bool
        Whether the graph is directed.

    Returns
    -------
    int64 array, shape (edges or arcs,)

    Raises
    ------
    OutOfMemoryError
        If the device has too little memory.
    """
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    slots = rows.m * (2 if directed else 1)
    check_room(
        runtime, f"sorting {slots:,} edges by vertex", 8 * slots, 8 * slots + FOR_SORTING, 8 * slots, 4 * rows.m,
        4 * rows.n, 4 * rows.n,
    )  # fmt: skip
    order, rank, values = order_on(runtime, oriented), ranks_on(runtime, oriented), at_entry.view(np.uint32)
    state = states(runtime, oriented) if directed else order  # not read without directions
    keys = runtime.empty(slots, np.uint64)
    runtime.launch(
        _ARCS if directed else _EDGES, "edge_keys", -(-rows.n // runtime.teams), rows.indptr, rows.indices, state,
        order, np.uint64(rows.n), keys,
    )  # fmt: skip
    if slots:
        keys = runtime.sort(keys)
    count = slots
    if directed:
        with runtime.active():
            count = rows.m + int((runtime.view(state) == 3).sum())
    found = runtime.empty(count, np.int64)
    launch_each(
        runtime, _EDGES, "edge_values", count, keys, np.uint64(count), rank, rows.indptr, rows.indices,
        runtime.upload(values), found,
    )  # fmt: skip
    return runtime.download(found)
