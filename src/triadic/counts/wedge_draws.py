"""Random wedges of a graph: how many of them are closed, and by which triads. Estimates are made of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.counts.count import Bytes, Count, Work
from triadic.devices.cpu.draws import wedge_sampling as cpu
from triadic.devices.gpu import triads as gpu

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.draws.choice import ChoiceTable
    from triadic.tiles.oriented_tiles import OrientedTiles


def _of_tiles(
    tiles: OrientedTiles,
    table: ChoiceTable | None,  # noqa: ARG001 - tiles have tables of their own
    key: int,
    first: int,
    stop: int,
    local: bool,
    *,
    threads: int | None,  # noqa: ARG001 - every count of tiles is given threads and a device
    device: str,  # noqa: ARG001
    progress: Progress | None,
) -> Int64Array:
    """Draw wedges of a tiled graph on the CPU or a cluster, in two passes over the tiles for many draws."""
    return tiles.wedge_draws.tally(key, first, stop, local, progress)


WEDGE_DRAWS = Count(
    name="random wedges",
    gives="total",
    columns=cpu.COLUMNS,
    cpu=cpu.tally,
    gpu=gpu.tally,
    bytes=Bytes(vertex=0.25),
    work=Work(vertex=1),
    tiled=_of_tiles,
    label="drawing wedges",
)
"""Closed wedges of some draws by code, and sums of weights: int64, shape (66,).

The inputs are the table of the rows (`triadic.devices.cpu.draws.wedge_sampling.row_table`; None for a tiled graph), a
key, the numbers of the first draw and of the last plus one, and whether rows have weights for local coefficients. The
wedges lie in oriented rows.
"""
