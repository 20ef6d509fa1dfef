"""Results by entry of the oriented rows, put in the order of the graph's edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.counts.count import at_edges
from triadic.devices.cpu.edge_order import in_edge_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

# Edges from which sorting values is faster than searching for every edge.
_LEAST_EDGES = 1 << 14


def at_all_edges(graph: Graph, at_entry: NDArray[np.int32], *, threads: int | None) -> NDArray[np.int64]:
    """Return for each edge of ``graph.edges()`` the value, from 0 on, at its entry of the oriented rows: int64."""
    oriented = graph.oriented(threads=threads)
    if not graph.directed and oriented.num_edges >= _LEAST_EDGES:
        in_order = in_edge_order(oriented, at_entry, threads=resolve_threads(threads))
        if in_order is not None:
            return in_order
    return at_edges(oriented, at_entry, *graph.edges(), threads=threads)
