"""Triangles of the skeleton: in total, of vertices, and of edges (their support)."""

from __future__ import annotations

import numpy as np

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu.triangles import small_graphs, supports
from triadic.devices.cpu.triangles import triangles as cpu
from triadic.devices.cpu.triangles.triangle_work import bytes_to_count
from triadic.devices.gpu import triangles as gpu

_WALK = Work(edge=11, pair=0.5)


TRIANGLE_COUNT = Count(
    name="triangles",
    gives="total",
    cpu=cpu.total,
    in_place=True,
    small=small_graphs.total,
    gpu=gpu.total,
    gpu_over_parts=gpu.TOTAL_OVER_PARTS,
    bytes=bytes_to_count,
    work=_WALK,
    adds_over="triangles",
)
"""All triangles: an int."""

TRIANGLES = Count(
    name="triangles of vertices",
    gives="vertices",
    cpu=cpu.by_vertex,
    in_place=True,
    small=small_graphs.by_vertex,
    gpu=gpu.by_vertex,
    gpu_over_parts=gpu.AT_RANKS_OVER_PARTS,
    # Afterwards keys are freed, and each thread has marks, slots (int32) and counts (int64); it writes about a half.
    bytes=most_bytes(bytes_to_count, Bytes(vertex=24, edge=5, worker_vertex=6.5)),
    work=_WALK,
    adds_over="triangles",
)
"""The triangles at each rank: int64, shape (n,)."""

EDGE_SUPPORT = Count(
    name="triangles of edges",
    gives="entries",
    dtype=np.int32,
    cpu=supports.by_edge,
    small=small_graphs.by_entry,
    gpu=gpu.by_edge,
    bytes=supports.bytes_of_supports,
    work=Work(edge=20, pair=1),
    not_tiled="the numbers of all edges would take as much memory as the tiles; write_edge_support writes them",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
