"""The raw frequencies of the orbits of graphlets with two to five vertices, from which the net frequencies follow."""

from __future__ import annotations

from triadic.counts.count import Count, Work
from triadic.devices.cpu.orbits import five_vertex as cpu
from triadic.devices.gpu import five_vertex as gpu

FIVE_VERTEX_COUNTS = Count(
    name="graphlets of five vertices",
    label="counting graphlets",
    gives="vertices",
    columns=cpu.ORBITS,
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    bytes=cpu.bytes_of_orbits,
    work=Work(vertex=200, edge=400, pair=40),
    not_tiled="three tiles do not contain all pairs of vertices that form squares",
)
"""The copies of each graphlet, induced or not, in which each rank has the place of the orbit: int64, shape (n, 73)."""
