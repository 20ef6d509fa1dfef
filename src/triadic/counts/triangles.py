"""Triangles of the skeleton: in total, of vertices, and of edges (their support)."""

from __future__ import annotations

import numpy as np

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu import neighbourhoods
from triadic.devices.cpu import triangles as cpu
from triadic.devices.gpu import triangles as gpu

_WALK = Work(edge=11, pair=0.5)
# While lists are sorted: keys of 8 and ends of 4 bytes an edge, without the first entry of each row, and on average a
# byte of the hubs' matrix of bits in place of the hubs' lists; ends of hubs, pointers and lengths of lists. Afterwards
# keys are gone, and each thread has marks, slots (int32) and counts (int64), of which about half is written.
PREPARING = Bytes(vertex=30, edge=13)
# Lists and their places in the rows, supports (int32), and at least 8 bytes an entry for the bits of its row; pointers
# of rows, lists, words and blocks. Each thread has slots (int32) and marks.
SUPPORTING = Bytes(vertex=40, edge=20, worker_vertex=1.5)

TRIANGLE_COUNT = Count(
    name="triangles",
    gives="total",
    cpu=cpu.total,
    gpu=gpu.total,
    bytes=PREPARING,
    work=_WALK,
    adds_over="triangles",
)
"""All triangles: an int."""

TRIANGLES = Count(
    name="triangles of vertices",
    gives="vertices",
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    bytes=most_bytes(PREPARING, Bytes(vertex=24, edge=5, worker_vertex=6.5)),
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
    bytes=SUPPORTING,
    work=Work(edge=20, pair=1),
    not_tiled="a number for each edge would be as long as the tiles themselves",
)
"""The triangles at each entry of the oriented rows, the support of its edge: int32, shape (m,)."""
