"""Counts that add up over the edges of a graph: dyads of each kind, their wedges, and sums over neighbours."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Oriented
from triadic.core.triad_types import OPEN_NAMES
from triadic.counts.count import Bytes, Count, Work, part_counter, run
from triadic.devices.cpu import closed_triads, vertex_census
from triadic.devices.cpu import vertex_arrays as cpu
from triadic.devices.gpu import closed_triads as gpu_census
from triadic.devices.gpu import wedges as gpu
from triadic.tiles.range_values import EdgeCount

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from triadic.core.progress import Progress
    from triadic.tiles.oriented_tiles import OrientedTiles
    from triadic.tiles.range_values import RangeValues

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
    if tiles.on_cluster:
        return np.array(sum_over_dyads(_halves, tiles, threads=threads), dtype=np.int64).reshape(2, -1)
    return vertex_census.pairs_of(run(DYADS, tiles, threads=threads, device="cpu", progress=progress or False))


def _halves(dyads: NDArray[np.int64]) -> list[int]:
    return vertex_census.pairs_of(dyads).ravel().tolist()


def sum_over_dyads(
    function: Callable[[NDArray[np.int64]], list[int]], oriented: Oriented | OrientedTiles, *, threads: int | None
) -> list[int]:
    """Return the sums of a function of the `DYADS` of ranks, which workers compute range by range if a cluster counts.

    Parameters
    ----------
    function : callable
        Returns sums over the ranks whose dyads it is given: int64, shape (ranks, 3). It is pickled by name.
    oriented : Oriented or OrientedTiles
    threads : int, optional
    """
    if isinstance(oriented, Oriented) or not oriented.on_cluster:
        return function(run(DYADS, oriented, threads=threads))
    counter = part_counter(DYADS, {}, threads=threads, device="cpu")
    return oriented.total_over_ranks(partial(_of_dyads, function), (EdgeCount(counter),))


def _of_dyads(function: Callable[[NDArray[np.int64]], list[int]], values: RangeValues) -> list[int]:
    return function(next(iter(values.counts.values())))


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
