"""Diamonds, squares and tetrahedra of the skeleton, from which the frequencies of graphlets follow."""

from __future__ import annotations

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu import four_vertex as cpu
from triadic.devices.cpu import squares as cpu_squares
from triadic.devices.gpu import four_vertex as gpu
from triadic.devices.gpu import squares as gpu_squares

FOUR_VERTEX_COUNTS = Count(
    name="graphlets",
    gives="vertices",
    columns=10,
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    bytes=Bytes(vertex=200, edge=40, worker_vertex=32),
    work=Work(vertex=20, edge=60, pair=3),
    not_tiled="three tiles do not contain all pairs of vertices that form squares",
)
"""Ten counts at each rank, from which all 16 graphlets follow: `triadic.core.graphlet_types.GraphletCounts`."""

SQUARES = Count(
    name="squares",
    gives="vertices",
    cpu=cpu_squares.by_vertex,
    gpu=gpu_squares.by_vertex,
    bytes=Bytes(vertex=40, edge=16, worker_vertex=24),
    work=Work(vertex=5, edge=20, pair=2),
    not_tiled="three tiles do not contain all pairs of vertices that form squares",
)
"""The squares at each rank, with or without chords: int64, shape (n,)."""
