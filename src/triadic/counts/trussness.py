"""Trussness of the skeleton's edges."""

from __future__ import annotations

import numpy as np

from triadic.counts.count import Bytes, Count, Work, most_bytes
from triadic.devices.cpu import trussness as cpu
from triadic.devices.cpu.neighbourhoods import bytes_of_supports
from triadic.devices.gpu import edge_values as gpu

TRUSSNESS = Count(
    name="trusses",
    gives="entries",
    dtype=np.int32,
    cpu=cpu.trussness,
    gpu=gpu.trussness,
    # Supports; then the row of each edge, and of the edges that are in triangles alone the number, the place in the
    # queue, and twice the column and the number: from 8 to 32 bytes an edge.
    bytes=most_bytes(bytes_of_supports, Bytes(vertex=40, edge=32, worker_vertex=5)),
    work=Work(edge=200, pair=4),
    not_tiled="edges are removed in an order that runs across all tiles",
    label="peeling edges",
)
"""The trussness of each entry of the oriented rows: shape (m,).

With the option ``up_to``, values below ``up_to`` are exact. All other edges are not peeled: their values are at least
``up_to``.
"""
