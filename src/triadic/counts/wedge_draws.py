"""Random wedges of a graph: how many of them are closed, and by which triads. Estimates are made of these."""

from __future__ import annotations

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu import wedge_sampling as cpu
from triadic.devices.gpu import wedge_sampling as gpu

WEDGE_DRAWS = Count(
    name="random wedges",
    gives="total",
    columns=cpu.COLUMNS,
    cpu=cpu.tally,
    gpu=gpu.tally,
    bytes=Bytes(vertex=0.25),
    work=Work(vertex=1),
    not_tiled="the wedges of a draw lie in tiles all over the graph",
    label="drawing wedges",
)
"""Closed wedges of some draws by code, and sums of weights: int64, shape (66,).

The inputs are the table of the rows (`triadic.devices.cpu.wedge_sampling.row_table`), a key, the numbers of the first
draw and of the last plus one, and whether rows have weights for local coefficients. The wedges lie in oriented rows.
"""
