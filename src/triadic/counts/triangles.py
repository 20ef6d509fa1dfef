"""Triangles of the skeleton: in total, of vertices, and of edges (their support)."""

from __future__ import annotations

import numpy as np

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import triangles as cpu
from triadic.devices.gpu import triangles as gpu

_WALK = Work(edge=11, pair=0.5)

TRIANGLE_COUNT = Count(
    name="triangles",
    gives="total",
    cpu=cpu.total,
    gpu=gpu.total,
    bytes=Bytes(vertex=24, edge=20, worker_vertex=1),
    work=_WALK,
    adds_over="triangles",
)
"""All triangles: an int."""

TRIANGLES = Count(
    name="triangles of vertices",
    gives="vertices",
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    bytes=Bytes(vertex=24, edge=20, worker_vertex=13),
    work=_WALK,
    adds_over="triangles",
)
"""The triangles at each rank: int64, shape (n,)."""

EDGE_SUPPORT = Count(
    name="triangles of edges",
    gives="entries",
    dtype=np.int32,
    cpu=neighbourhoods.by_edge,
    gpu=gpu.by_edge,
    bytes=Bytes(vertex=40, edge=36, worker_vertex=5),
    work=Work(edge=20, pair=1),
    not_tiled="the numbers of all edges would take as much memory as the tiles",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
