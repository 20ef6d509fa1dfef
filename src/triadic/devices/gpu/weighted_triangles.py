"""Sums over weighted triangles on GPUs, by middle vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.vertex_arrays import summed
from triadic.devices.gpu.list_counter import ListCounter
from triadic.devices.gpu.list_tasks import LIST_WALK, prepared_on
from triadic.devices.gpu.tasks import run_shares
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.source import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.gpu.list_tasks import ListTasks
    from triadic.devices.runtimes.runtime import Runtime

ACROSS = 4  # lanes that walk one row of a list


def by_vertex(
    device: str,
    oriented: Oriented,
    values: NDArray[np.float64],
    *,
    progress: Progress | None = None,
    across: int = ACROSS,
) -> NDArray[np.float64]:
    """Sum at each rank, over its triangles, the product of the values of the three edges.

    Parameters
    ----------
    device : str
        One device or several of one kind, such as "cuda:0,1".
    oriented : Oriented
    values : float64 array, shape (m,)
        A finite value for each entry of the rows.
    progress : callable, optional
    across : int, default 4
        Number of lanes that walk one row, a power of two up to 32. With 32 no two lanes add to the same sum in local
        memory.

    Returns
    -------
    float64 array, shape (n,)
        The last bits differ from run to run.
    """
    counters = [_counter(runtime, graph, values, across) for runtime, graph in prepared_on(device, oriented, hubs=0)]
    run_shares([counter.take for counter in counters], oriented.num_edges, progress)
    return summed([counter.runtime.download(counter.counts) for counter in counters])


def _counter(runtime: Runtime, graph: ListTasks, values: NDArray[np.float64], across: int) -> ListCounter:
    """Return one device's share of the sums, of a graph prepared without hubs."""
    check_room(runtime, f"the weights of {graph.m:,} edges", 8 * graph.m, 8 * len(graph.ends), 8 * graph.n)
    source = Source("weighted_triangles", (("ACROSS", across),), LIST_WALK)
    on_device = runtime.upload(values)
    arguments = on_device, graph.entries_of_lists(runtime, on_device)
    return ListCounter(runtime, graph, source, "weighted_triangles", arguments, runtime.zeros(graph.n, np.float64))
