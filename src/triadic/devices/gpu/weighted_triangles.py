"""Sums over weighted triangles on a GPU, by middle vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.shares import share, tasks_of
from triadic.devices.gpu.source import Source
from triadic.devices.gpu.triangles import PART, PARTS, entries_of_lists, on_devices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.runtime import Runtime
    from triadic.devices.gpu.triangles import OnDevice

ACROSS = 4  # lanes that walk one row of a list


def by_vertex(
    device: str,
    oriented: Oriented,
    values: NDArray[np.float64],
    *,
    progress: Progress | None = None,
    across: int = ACROSS,
) -> NDArray[np.float64]:
    """Add up at each rank over its triangles the product of the values of their three edges.

    Parameters
    ----------
    device : str
    oriented : Oriented
    values : float64 array, shape (m,)
        Finite, one for each entry of the rows.
    progress : callable, optional
    across : int, default `ACROSS`
        Lanes that walk one row, a power of two up to 32; with 32 no two meet in local memory.

    Returns
    -------
    float64 array, shape (n,)
        The last bits differ from run to run.
    """
    counters = [Counter(of, graph, values, across) for of, graph in on_devices(device, oriented, hubs=0)]
    share([of.take for of in counters], oriented.num_edges, progress)
    return summed([of.runtime.download(of.sums) for of in counters])


class Counter:
    """One device's share of the sums.

    Parameters
    ----------
    runtime : Runtime
    graph : OnDevice
        Prepared with no hubs.
    values : float64 array, shape (m,)
    across : int
    """

    def __init__(self, runtime: Runtime, graph: OnDevice, values: NDArray[np.float64], across: int) -> None:
        self.runtime, self.graph = runtime, graph
        lists = len(graph.ends)
        check_room(runtime, f"the weights of {graph.m:,} edges", 8 * graph.m, 8 * lists, 8 * graph.n)
        self._source = Source("weighted_triangles", (("ACROSS", across),), PARTS)
        self._values = runtime.upload(values)
        self._of_lists = entries_of_lists(runtime, graph, self._values)
        self.sums = runtime.zeros(graph.n, np.float64)

    def take(self, first: int, step: int) -> None:
        """Add up what every `step`th list has, from `first` on, and wait until it is done."""
        graph = self.graph
        count = tasks_of(len(graph.middles), first, step)
        self.runtime.launch(
            self._source, "weighted_triangles", -(-count // self.runtime.teams), graph.indptr, graph.indices,
            self._values, graph.list_ptr, graph.ends, self._of_lists, graph.middles, graph.starts, np.uint64(first),
            np.uint64(step), np.uint64(count), np.uint32(PART), self.sums,
        )  # fmt: skip
        self.runtime.synchronize()
