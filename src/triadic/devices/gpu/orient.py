"""Orienting arcs on a device: from pieces of them in any order, with loops and repeats, to rows.

Requires: an undirected graph, of fewer than 2**31 vertices and at most 2**32 arcs.
Idea: count degrees and sort vertices by them; write for each arc a key, its larger rank above its smaller one; sort the
  keys; keep the first of each edge. Arcs are gone through twice and need not be there at once: what makes pieces of
  them makes each again.
Cost: a sort of 64-bit keys, twice as large as the rows; at most 16 bytes an arc and 36 a vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from triadic.core.oriented import OrientationSummary
from triadic.devices.gpu.errors import check_room
from triadic.devices.gpu.on_device import Arrays
from triadic.devices.gpu.runtime import FOR_SORTING, launch_each
from triadic.devices.gpu.source import Source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.devices.gpu.runtime import Buffer, Runtime

# Degrees are words of 32 bits: with more arcs a hub's could wrap, and ranks be far from degrees.
_MOST_VERTICES, _MOST_ARCS = (1 << 31) - 1, 1 << 32
_TILE = 2048  # keys
_SOURCE = Source("orient", (("TILE", _TILE),))


class ArcSource(Protocol):
    """Arcs on a device that can be gone through in pieces, more than once."""

    @property
    def pieces(self) -> int:
        """Number of pieces."""

    @property
    def arcs(self) -> int:
        """Number of arcs."""

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Give source and target of the arcs of piece `i`: uint32, there until the next piece is asked for."""


def orient(runtime: Runtime, source: ArcSource, n: int) -> tuple[Arrays, OrientationSummary]:
    """Orient arcs between `n` vertices, as `triadic.graph.orientation.orient` does on the host.

    Raises
    ------
    UnsupportedError
        More vertices or arcs than a device takes.
    OutOfMemoryError
    """
    check_vertices(n)
    _check_arcs(runtime, source.arcs, n)
    with runtime.active():
        rank, loops = _rank(runtime, source, n)
        keys = _sorted_keys(runtime, source, rank)
        met_loops = int(runtime.download(loops).view(np.uint64)[0])
        count = source.arcs - met_loops
        indptr, columns, degree, arcs = _rows(runtime, keys, count, n)
        met = OrientationSummary(arcs, met_loops, count - arcs, arcs - len(columns))
        return Arrays(rank, indptr, columns, degree), met


def check_vertices(n: int) -> None:
    """Refuse more vertices than ids on a device can name.

    Raises
    ------
    UnsupportedError
    """
    if n > _MOST_VERTICES:
        raise UnsupportedError(f"vertices={n:,}: at most 2**31 - 1 are taken on a card")


def _check_arcs(runtime: Runtime, arcs: int, n: int) -> None:
    if arcs > _MOST_ARCS:
        raise UnsupportedError(f"{arcs:,} arcs: at most 2**32 are taken on a card")
    check_room(runtime, f"orienting {arcs:,} arcs", 8 * arcs, 8 * arcs + FOR_SORTING, *[8 * n] * 4, 4 * n)


def _rank(runtime: Runtime, source: ArcSource, n: int) -> tuple[Buffer, Buffer]:
    """Rank vertices by falling degree, repeats counted; give also the number of loops, as two words."""
    degree, loops = runtime.zeros(n, np.uint32), runtime.zeros(2, np.uint32)
    for i in range(source.pieces):
        ends = source.piece(i)
        launch_each(runtime, _SOURCE, "add_degrees", len(ends[0]), *ends, np.uint64(len(ends[0])), degree, loops)
    by_degree = runtime.empty(n, np.uint64)
    launch_each(runtime, _SOURCE, "degree_keys", n, degree, np.uint64(n), by_degree)
    by_degree = runtime.sort(by_degree)
    rank = runtime.empty(n, np.uint32)
    launch_each(runtime, _SOURCE, "ranks", n, by_degree, np.uint64(n), rank)
    return rank, loops


def _sorted_keys(runtime: Runtime, source: ArcSource, rank: Buffer) -> Buffer:
    keys = runtime.empty(source.arcs, np.uint64)
    place = 0
    for i in range(source.pieces):
        ends = source.piece(i)
        count = len(ends[0])
        launch_each(runtime, _SOURCE, "edge_keys", count, *ends, rank, np.uint64(count), np.uint64(place), keys)
        place += count
    return runtime.sort(keys)


def _rows(runtime: Runtime, keys: Buffer, count: int, n: int) -> tuple[Buffer, Buffer, Buffer, int]:
    """Make rows of the first `count` keys: give indptr, columns, degrees by rank, and how many arcs are different."""
    xp = runtime.xp
    tiles = count // _TILE + 1  # never none: there is a sum to read
    arcs_of, edges_of = runtime.zeros(tiles, np.uint32), runtime.zeros(tiles, np.uint32)
    blocks = -(-tiles // runtime.teams)
    runtime.launch(_SOURCE, "count_firsts", blocks, keys, np.uint64(count), np.uint64(tiles), arcs_of, edges_of)
    edges = runtime.view(edges_of).astype(np.int64)
    through = xp.cumsum(edges)
    columns = runtime.empty(int(through[-1]), np.uint32)
    length, below = runtime.zeros(n + 1, np.uint32), runtime.zeros(n, np.uint32)
    runtime.launch(
        _SOURCE, "write_columns", blocks, keys, np.uint64(count), runtime.upload(through - edges), np.uint64(tiles),
        columns, length, below,
    )  # fmt: skip
    length = runtime.view(length).astype(np.int64)
    degree = length[1:] + runtime.view(below)
    indptr = xp.cumsum(length)
    arcs = int(runtime.view(arcs_of).sum(dtype=np.int64))
    return runtime.upload(indptr), columns, runtime.upload(degree), arcs
