"""Results by entry of the oriented rows, put in the order of the graph's edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.counts.count import at_edges
from triadic.counts.same_device import on_device_of
from triadic.devices.cpu.edge_order import in_edge_order
from triadic.devices.gpu import edge_values as gpu

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from triadic.counts.count import Count
    from triadic.graph.graph import Graph

# Edges from which sorting values is faster than searching for every edge.
_LEAST_EDGES = 1 << 14


def at_all_edges(
    graph: Graph, at_entry: NDArray[np.int32], count: Count[Any], *, threads: int | None, device: str
) -> NDArray[np.int64]:
    """Return for each edge of ``graph.edges()`` the value, from 0 on, at its entry of the oriented rows: int64.

    The device sorts that `count` ran on with the same argument `device`; the CPU does if a device has no room.
    """
    oriented = graph.oriented(threads=threads)
    sorted_there = on_device_of(
        count, device, oriented, lambda used: gpu.in_edge_order(used, oriented, at_entry, directed=graph.directed)
    )
    if sorted_there is not None:
        return sorted_there
    if not graph.directed and oriented.num_edges >= _LEAST_EDGES:
        in_order = in_edge_order(oriented, at_entry, threads=resolve_threads(threads))
        if in_order is not None:
            return in_order
    return at_edges(oriented, at_entry, *graph.edges(), threads=threads)
