"""Closed triads on a GPU: triangles by the states of their edges, counted by middle vertex."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.closed_triads import states
from triadic.devices.cpu.zeros import summed
from triadic.devices.gpu.residence import resident
from triadic.devices.gpu.source import Source
from triadic.devices.gpu.triangles import PART, TABLE, on_devices, share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.blocks import Progress
    from triadic.devices.gpu.runtime import Buffer, Runtime
    from triadic.devices.gpu.triangles import OnDevice
    from triadic.oriented import Oriented

CODES, ORDERS = 64, 8


def by_code(device: str, oriented: Oriented, *, labelled: bool, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code, and where `labelled` by the order of the original ids.

    Returns
    -------
    int64 array, shape (8, 64)
        Row o: bits of o say u < v, u < w and v < w by original id; all in row 0 where not `labelled`.
    """
    counters = [
        Counter(
            runtime,
            graph,
            resident(oriented, runtime, "states", partial(_upload_states, runtime, oriented)),
            resident(oriented, runtime, "order", partial(_upload_order, runtime, oriented)) if labelled else None,
        )
        for runtime, graph in on_devices(device, oriented, hubs=0)
    ]
    share(counters, oriented.num_edges, progress)
    found = summed([of.runtime.download(of.counts).view(np.int64) for of in counters])
    codes = np.zeros((ORDERS, CODES), dtype=np.int64)
    codes.reshape(-1)[: len(found)] = found
    return codes


class Counter:
    """One device's share of the count.

    Parameters
    ----------
    runtime : Runtime
    graph : OnDevice
        Prepared with no hubs.
    state : Buffer
        State of each entry.
    order : Buffer, optional
        Original id at each rank, where codes are counted by it.
    """

    def __init__(self, runtime: Runtime, graph: OnDevice, state: Buffer, order: Buffer | None) -> None:
        self.runtime, self.graph, self._state, self._order = runtime, graph, state, order
        self.counts = runtime.zeros(2 * CODES * (1 if order is None else ORDERS), np.uint32)
        self._source = Source("closed_triads", () if order is None else (("LABELLED", 1),), TABLE)

    def take(self, first: int, step: int) -> None:
        """Count what every `step`th list has, from `first` on, and wait until it is done."""
        graph = self.graph
        count = max(0, -(-(len(graph.middles) - first) // step))
        self.runtime.launch(
            self._source, "closed_triads", -(-count // self.runtime.teams), graph.indptr, graph.indices, self._state,
            graph.list_ptr, graph.ends, graph.middles, graph.starts, np.uint64(first), np.uint64(step),
            np.uint64(count), np.uint32(PART), graph.middles if self._order is None else self._order, self.counts,
        )  # fmt: skip
        self.runtime.synchronize()


def _upload_states(runtime: Runtime, oriented: Oriented) -> Buffer:
    return runtime.upload(states(oriented))


def _upload_order(runtime: Runtime, oriented: Oriented) -> Buffer:
    return runtime.upload(oriented.order.view(np.uint32))
