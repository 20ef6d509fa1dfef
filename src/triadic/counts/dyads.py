"""Counts that add up over the edges of a graph: dyads of each kind, their wedges, and sums over neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.triad_types import OPEN_NAMES
from triadic.counts.count import Bytes, Count, Work, run
from triadic.devices.cpu import closed_triads, vertex_census
from triadic.devices.cpu import vertex_arrays as cpu
from triadic.devices.gpu import neighbour_sums as gpu
from triadic.devices.gpu import vertex_census as gpu_census

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.progress import Progress
    from triadic.tiles.oriented_tiles import OrientedTiles

DYADS = Count(
    name="dyads",
    gives="vertices",
    columns=3,
    cpu=closed_triads.dyads,
    bytes=Bytes(sums=3, state=1),
    work=Work(vertex=2, edge=2),
    adds_over="edges",
)
"""Mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""

WEDGE_ENDS = Count(
    name="ends of wedges",
    gives="vertices",
    columns=len(OPEN_NAMES),
    cpu=vertex_census.wedge_ends,
    bytes=Bytes(sums=len(OPEN_NAMES), state=1),
    work=Work(vertex=4, edge=4),
    adds_over="edges",
)
"""Pairs of dyads that share a vertex, by open type, at the ranks of their two ends: int64, shape (n, 6).

The input is the `DYADS` of the graph.
"""

NEIGHBOUR_SUMS = Count(
    name="neighbour sums",
    gives="vertices",
    cpu=cpu.neighbour_sums,
    gpu=gpu.neighbour_sums,
    bytes=Bytes(sums=1),  # for each column of the values
    work=Work(vertex=2, edge=2),
    adds_over="edges",
)
"""Sums of values over the neighbours of each rank, by column: int64, the shape of the values.

The input is the values: int64, shape (n, columns).
"""


def _wedges_of_tiles(
    tiles: OrientedTiles,
    *,
    threads: int | None,
    device: str,  # noqa: ARG001 - every count of tiles is given one
    progress: Progress | None,
) -> NDArray[np.int64]:
    """Count the wedges of a tiled graph from its dyads, which are counted on the CPU."""
    return vertex_census.pairs_of(run(DYADS, tiles, threads=threads, device="cpu", progress=progress or False))


WEDGES = Count(
    name="wedges by type",
    gives="total",
    columns=2 * len(OPEN_NAMES),
    cpu=vertex_census.wedges,
    gpu=gpu_census.wedges,
    bytes=Bytes(sums=3, state=1),
    work=Work(vertex=4, edge=2),
    tiled=_wedges_of_tiles,
)
"""Pairs of dyads that share a vertex by open type, closed by a third dyad or not: int64, shape (2, 6).

The first row holds sums of the low 32 bits of each vertex's pairs, the second row sums of the rest, since a total can
exceed 64 bits.
"""
