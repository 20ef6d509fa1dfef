"""Values of edges: their triangles, the support; their trussness; and both in the order of the graph's edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.counts.count import Bytes, Count, Work, most_bytes, on_device_of
from triadic.devices.cpu.orient.id_rows import in_edge_order
from triadic.devices.cpu.orient.rows import slots_of_edges
from triadic.devices.cpu.triangles import small_graphs
from triadic.devices.cpu.triangles import supports as neighbourhoods
from triadic.devices.cpu.triangles import trussness as cpu
from triadic.devices.gpu import edge_values as gpu
from triadic.devices.gpu import triangles as gpu_triangles
from triadic.tiles.sums import PartCounter

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Ids, Int32Array, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.graph.graph import Graph


EDGE_SUPPORT = Count(
    name="triangles of edges",
    gives="entries",
    dtype=np.int32,
    cpu=neighbourhoods.by_edge,
    small=small_graphs.by_entry,
    gpu=gpu_triangles.by_edge,
    bytes=neighbourhoods.bytes_of_supports,
    work=Work(edge=20, pair=1),
    not_tiled="the numbers of all edges take as much memory as the tiles; edge_support(output=) writes them",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""

SUPPORTS_OF_TILES = PartCounter(
    EDGE_SUPPORT.name.replace(" ", "-"), neighbourhoods.add_supports_of_tiles, 1, per_rank=True, entries=True
)
"""The triangles at each entry of a tile, added up over triples of tiles."""

TRUSSNESS = Count(
    name="trusses",
    gives="entries",
    dtype=np.int32,
    cpu=cpu.trussness,
    gpu=gpu.trussness,
    # Supports; then the row of each edge, and of the edges that are in triangles alone the number, the place in the
    # queue, and twice the column and the number: from 8 to 32 bytes an edge.
    bytes=most_bytes(neighbourhoods.bytes_of_supports, Bytes(vertex=40, edge=32, worker_vertex=5)),
    work=Work(edge=200, pair=4),
    not_tiled="edges are removed in an order that runs across all tiles",
    label="peeling edges",
)
"""The trussness of each entry of the oriented rows: shape (m,).

With the option ``up_to``, values below ``up_to`` are exact. All other edges are not peeled: their values are at least
``up_to``.
"""


# Edges from which sorting values is faster than searching for every edge.
_LEAST_EDGES = 1 << 14


def at_all_edges(
    graph: Graph, at_entry: Int32Array, count: Count[Any], *, threads: int | None, device: str
) -> Int64Array:
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


def at_edges(oriented: Oriented, at_entry: AnyArray, source: Ids, target: Ids, *, threads: int | None) -> Int64Array:
    """Return for each given edge the value at its entry of the oriented rows: int64, shape (edges,)."""
    return at_entry[entries_of(oriented, source, target, threads=threads)].astype(np.int64)


def entries_of(oriented: Oriented, source: Ids, target: Ids, *, threads: int | None) -> Int64Array:
    """Return the entry of the oriented rows that holds each given edge: int64, shape (edges,)."""
    return slots_of_edges(oriented, source, target, threads=resolve_threads(threads))
