"""Closed triads of tiles on the CPU, counted in place: by code, or at each local rank by role.

Computes: what `closed_triads` does, for the triangles of a `tile_span.TileSpan`, with its kernels.
Requires: tiles with states, or without for a graph of mutual dyads; marks all zero, which the kernels leave so.
Idea: as `tile_triangles`, without hubs. Row u of the tile (i, k) is walked to its end if v and w have different ranges;
  the state of the entry (u, v) is then searched in the tile (i, j), for lists that hold a triangle.
Cost: as `closed_triads`. 1 byte a worker for each rank of the longest range of w.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import frozen
from triadic.devices.cpu.closed_triads import CODES, ORDERS, count_by_code, count_by_role
from triadic.devices.cpu.tile_span import unsigned
from triadic.devices.cpu.tile_work import ALL, prepare
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.devices.cpu.tile_span import TileRows, TileSpan
    from triadic.devices.cpu.tile_work import TileBlock, TileWork

_NO_ORDER = frozen(np.empty(0, dtype=np.int32))


def by_code(span: TileSpan, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code: int64, shape (64,)."""
    work = prepare(span, threads=threads, hubs=False)
    states = _States(span)
    mark = zeros(threads, _marks(span), np.uint8)
    counts = zeros(threads, ORDERS * CODES, np.int64)

    def task(worker: int, number: int) -> None:
        walk: Any = (*_walk(span, work, work.blocks[number], states), _NO_ORDER, mark[worker], counts[worker])
        count_by_code(*walk)

    blocks.run(task, len(work.blocks), threads=threads, costs=work.costs, progress=progress)
    total: NDArray[np.int64] = np.sum(counts, axis=0, dtype=np.int64)
    return total[:CODES]


def by_role(
    span: TileSpan, roles: NDArray[np.int64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count closed triads at each local rank by role: int64, shape (ranks, roles); as `closed_triads.by_role`."""
    work = prepare(span, threads=threads, hubs=False)
    states = _States(span)
    mark = zeros(threads, _marks(span), np.uint8)
    codes = zeros(threads, CODES, np.int64)
    triads = zeros(threads, (span.ranks, int(roles.max()) + 1), np.int64)

    def task(worker: int, number: int) -> None:
        block = work.blocks[number]
        at = (triads[worker][start:] for start in (block.work.third.at, span.at_v, span.at_u))
        walk: Any = (*_walk(span, work, block, states), roles, mark[worker], codes[worker], *at)
        count_by_role(*walk)

    blocks.run(task, len(work.blocks), threads=threads, costs=work.costs, progress=progress)
    return summed(triads, threads=threads)


class _States:
    """The states of tiles; all edges of an undirected graph are mutual."""

    def __init__(self, span: TileSpan) -> None:
        tiles = [span.lists.tile, *(tile for third in span.thirds for tile in (third.near, third.middle))]
        undirected = max((len(tile.indices) for tile in tiles if tile.state is None), default=0)
        self._mutual = frozen(np.full(undirected, 3, dtype=np.uint8))

    def of(self, tile: TileRows) -> NDArray[np.uint8]:
        return self._mutual[: len(tile.indices)] if tile.state is None else frozen(tile.state)


def _walk(span: TileSpan, work: TileWork, block: TileBlock, states: _States) -> tuple[Any, ...]:
    """Return the arguments of the kernels up to the last list."""
    third, listed = block.work.third, span.lists.tile
    return (
        *block.work.rows, states.of(third.near), *block.work.middles, states.of(third.middle),
        frozen(listed.indptr), unsigned(listed.indices), states.of(listed),
        work.middle_ptr, work.ends, ALL, not third.same, block.v, block.first, block.last,
    )  # fmt: skip


def _marks(span: TileSpan) -> int:
    return max(third.ranks for third in span.thirds)
