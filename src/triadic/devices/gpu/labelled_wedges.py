"""Pairs of dyads that share a vertex, by states and by the order of the original ids, on a GPU (labelled_wedges.c)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.triads.labelled_triads import LabelledWedges
from triadic.devices.gpu.closed_triads import states
from triadic.devices.gpu.rows import order_on, rows_on
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.registry import runtimes_of
from triadic.devices.runtimes.runtime import FOR_SORTING, launch_each
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_BELOW = Source("labelled_wedges", headers=("wide_sums",))
_ABOVE = Source("labelled_wedges", (("ABOVE", 1),), ("wide_sums",))
_SUMS = 18
_BLOCKS = 2048  # enough to keep a card busy, few to add to one place


def labelled_wedges(device: str, oriented: Oriented) -> LabelledWedges:
    """Count the wedges of a graph by states and by the order of their original ids, on the first of some devices."""
    runtime = runtimes_of(device)[0]
    rows = rows_on(runtime, oriented)
    n, m = rows.n, rows.m
    check_room(runtime, f"sorting {m:,} edges by vertex", 8 * m, 8 * m + FOR_SORTING, 8 * n, 12 * n, 4 * n, 4 * n, m)
    below = runtime.empty(3 * n, np.uint32)
    of_lower = _sums(runtime, oriented, _BELOW, below)
    of_higher = _sums(runtime, oriented, _ABOVE, below)
    highest, lowest, middle = (_by_state(sums, 3, 3) for sums in (of_lower[:9], of_higher[:9], of_higher[9:]))
    above, between, at_below = (_by_state(of_lower[first : first + 3], 3) for first in (9, 12, 15))
    return LabelledWedges(lowest, middle, highest, above, between, at_below)


def _sums(runtime: Runtime, oriented: Oriented, source: Source, below: Buffer) -> NDArray[np.uint64]:
    """Sort the edges by one end, and return the sums over all vertices; `below` is written first, then read."""
    rows = rows_on(runtime, oriented)
    n, m = np.uint64(rows.n), rows.m
    keys, ptr = runtime.empty(m, np.uint64), runtime.empty(rows.n + 1, np.int64)
    runtime.launch(
        source, "wedge_keys", -(-rows.n // runtime.teams), rows.indptr, rows.indices, states(runtime, oriented),
        order_on(runtime, oriented), n, np.uint32(source is _ABOVE), keys,
    )  # fmt: skip
    if m:
        keys = runtime.sort(keys)
    launch_each(runtime, source, "wedge_starts", rows.n + 1, keys, np.uint64(m), n, ptr)
    sums, blocks = runtime.zeros(2 * _SUMS, np.uint32), min(_BLOCKS, -(-rows.n // runtime.teams))
    runtime.launch(source, "add_wedges", blocks, keys, ptr, n, np.uint64(blocks * runtime.teams), below, sums)
    return runtime.download(sums).view(np.uint64)


def _by_state(sums: NDArray[np.uint64], *shape: int) -> NDArray[np.object_]:
    """Return sums as Python ints, with zeros for the state of a null dyad: four states along each axis."""
    table = np.zeros([edges + 1 for edges in shape], dtype=object)
    table[tuple(slice(1, None) for _ in shape)] = sums.astype(object).reshape(shape)
    return table
