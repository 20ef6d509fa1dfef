"""The raw frequencies of the edge orbits of graphlets of three to five vertices."""

from __future__ import annotations

from triadic.counts.count import Count, Work
from triadic.devices.cpu.orbits import edge_orbits as cpu

_NOT_TILED = "three tiles do not contain all pairs of vertices that form squares"

FOUR_VERTICES_AT_EDGES = Count(
    name="graphlets of four vertices at edges",
    label="counting graphlets at edges",
    gives="entries",
    columns=cpu.ORBITS_OF_FOUR,
    cpu=cpu.four_by_edge,
    bytes=cpu.bytes_of_four,
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
    columns=cpu.ORBITS_OF_FIVE,
    cpu=cpu.five_by_edge,
    bytes=cpu.bytes_of_five,
    work=Work(vertex=200, edge=800, pair=80),
    not_tiled=_NOT_TILED,
)
"""The same for graphlets of three to five vertices: int64, shape (m, 68) or (edges, 68)."""
