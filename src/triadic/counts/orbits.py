"""The raw frequencies of the orbits of graphlets of up to five vertices, at vertices and at edges."""

from __future__ import annotations

from triadic.counts.count import Count, Work
from triadic.devices.cpu.orbits import edge_orbits
from triadic.devices.cpu.orbits import five_vertex as cpu
from triadic.devices.gpu import five_vertex as gpu

_NOT_TILED = "three tiles do not contain all pairs of vertices that form squares"

FIVE_VERTEX_COUNTS = Count(
    name="graphlets of five vertices",
    label="counting graphlets",
    gives="vertices",
    columns=cpu.ORBITS,
    cpu=cpu.by_vertex,
    gpu=gpu.by_vertex,
    bytes=cpu.bytes_of_orbits,
    work=Work(vertex=200, edge=400, pair=40),
    not_tiled=_NOT_TILED,
)
"""The copies of each graphlet, induced or not, in which each rank has the place of the orbit: int64, shape (n, 73)."""


FOUR_VERTICES_AT_EDGES = Count(
    name="graphlets of four vertices at edges",
    label="counting graphlets at edges",
    gives="entries",
    columns=edge_orbits.ORBITS_OF_FOUR,
    cpu=edge_orbits.four_by_edge,
    bytes=edge_orbits.bytes_of_four,
    work=Work(vertex=100, edge=200, pair=30),
    not_tiled=_NOT_TILED,
)
"""The copies of each graphlet of up to four vertices, induced or not, in which each edge has the place of the orbit.

int64, shape (m, 12); or shape (edges, 12) in the order of an array of entries, which may follow the graph.
"""

FIVE_VERTICES_AT_EDGES = Count(
    name="graphlets of five vertices at edges",
    label="counting graphlets at edges",
    gives="entries",
    columns=edge_orbits.ORBITS_OF_FIVE,
    cpu=edge_orbits.five_by_edge,
    bytes=edge_orbits.bytes_of_five,
    work=Work(vertex=200, edge=800, pair=80),
    not_tiled=_NOT_TILED,
)
"""The same for graphlets of three to five vertices: int64, shape (m, 68) or (edges, 68)."""
