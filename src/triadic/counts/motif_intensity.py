"""Intensity and coherence of closed triads, added up by type."""

from __future__ import annotations

import numpy as np

from triadic.core.triad_types import CLOSED_NAMES
from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.triads import closed_triads as cpu

MOTIF_INTENSITY = Count(
    name="intensities of closed triads",
    gives="total",
    columns=cpu.COLUMNS * len(CLOSED_NAMES),
    dtype=np.float64,
    cpu=cpu.by_type,
    bytes=Bytes(vertex=24, edge=1, worker_vertex=8),
    work=Work(edge=10, pair=3),
    not_tiled="sums of floats depend on the order",
    label="adding up intensities of triads",
)
"""Number of closed triads of each type, and the sums of their intensities and coherences: float64, shape (21,).

The inputs are the number of arcs of each entry of the oriented rows, and the sums of their weights and of the
logarithms of their weights: float64, shape (m,).
"""
