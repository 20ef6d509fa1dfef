"""Trussness of the skeleton's edges."""

from __future__ import annotations

import numpy as np

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu import trussness as cpu

TRUSSNESS = Count(
    name="trusses",
    gives="entries",
    dtype=np.int32,
    cpu=cpu.trussness,
    bytes=Bytes(vertex=60, edge=80, worker_vertex=12),
    work=Work(edge=200, pair=4),
    not_tiled="edges are removed in an order that runs across all tiles",
    label="peeling edges",
)
"""The trussness of each entry of the oriented rows: shape (m,).

With the option ``up_to``, the trussness of an entry is at most ``up_to``: edges of a larger trussness are not peeled.
"""
