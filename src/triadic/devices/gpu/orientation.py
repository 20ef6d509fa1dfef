"""Orientation of arcs on a device: from pieces of arcs in any order, with loops and repeats, to rows (orient.c).

Requires: fewer than 2**31 vertices and at most 2**32 arcs.
Idea: count degrees and sort vertices by degree; write a key for each arc, its larger rank above its smaller one; sort
  the keys; keep the first key of each edge. The arcs are read twice, piece by piece, so that they need not be in memory
  all at once: a source makes each piece again.
Cost: a sort of 64-bit keys, twice the size of the rows; at most 16 bytes for each arc and 36 for each vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from triadic.core.oriented import OrientationSummary
from triadic.devices.gpu.oriented import DeviceArrays
from triadic.devices.runtimes.errors import check_room
from triadic.devices.runtimes.runtime import FOR_SORTING, MAX_ARCS, MAX_VERTICES, launch_each
from triadic.devices.runtimes.source import Source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.devices.runtimes.runtime import Buffer, Runtime

_TILE = 2048  # keys
_SOURCE = Source("orient", (("TILE", _TILE),))
_SOURCE_WITH_STATES = Source("orient", (("TILE", _TILE), ("STATES", 1)))


class ArcSource(Protocol):
    """Arcs on a device that can be read piece by piece, more than once."""

    @property
    def pieces(self) -> int:
        """Number of pieces."""

    @property
    def arcs(self) -> int:
        """Number of arcs."""

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Return source and target of the arcs of piece `i`, uint32. The next call may overwrite them."""


def orient(
    runtime: Runtime, source: ArcSource, n: int, *, directed: bool = False, rank: Buffer | None = None
) -> tuple[DeviceArrays, OrientationSummary]:
    """Orient arcs between `n` vertices, with the result of `triadic.graph.orientation.orient`.

    Parameters
    ----------
    runtime : Runtime
    source : ArcSource
    n : int
    directed : bool, default False
        Whether the directions of arcs are kept, as states of edges.
    rank : uint32 buffer, shape (n,), optional
        Ranks of the vertices, as `rank_on` returns them for arcs with the same degrees and without loops.

    Raises
    ------
    UnsupportedError
        If there are more vertices or arcs than the kernels can number.
    OutOfMemoryError
        If the device has too little memory.
    """
    check_vertices(n)
    _check_arcs(runtime, source.arcs, n)
    with runtime.active():
        met_loops = 0
        if rank is None:
            rank, loops = _rank(runtime, source, n)
            keys = _sorted_keys(runtime, source, rank)
            met_loops = int(runtime.download(loops).view(np.uint64)[0])
        else:
            keys = _sorted_keys(runtime, source, rank)
        count = source.arcs - met_loops
        indptr, columns, degree, state, arcs = _rows(runtime, keys, count, n, directed=directed)
        met = OrientationSummary(arcs, met_loops, count - arcs, arcs - len(columns))
        return DeviceArrays(rank, indptr, columns, degree, state), met


def rank_on(runtime: Runtime, source: ArcSource, n: int) -> Buffer:
    """Return the ranks of `n` vertices by falling degree, uint32."""
    with runtime.active():
        return _rank(runtime, source, n)[0]


def check_vertices(n: int) -> None:
    """Check that the ids of `n` vertices fit the kernels.

    Raises
    ------
    UnsupportedError
        If they do not.
    """
    if n > MAX_VERTICES:
        raise UnsupportedError(f"vertices={n:,}: at most 2**31 - 1 are taken on a card")


def _check_arcs(runtime: Runtime, arcs: int, n: int) -> None:
    if arcs > MAX_ARCS:
        raise UnsupportedError(f"{arcs:,} arcs: at most 2**32 are taken on a card")
    check_room(runtime, f"orienting {arcs:,} arcs", 8 * arcs, 8 * arcs + FOR_SORTING, *[8 * n] * 4, 4 * n)


def _rank(runtime: Runtime, source: ArcSource, n: int) -> tuple[Buffer, Buffer]:
    """Rank vertices by falling degree, repeats counted; return the ranks and the number of loops, as two words."""
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


def _rows(
    runtime: Runtime, keys: Buffer, count: int, n: int, *, directed: bool
) -> tuple[Buffer, Buffer, Buffer, Buffer | None, int]:
    """Make rows from the first `count` keys; return indptr, columns, degrees by rank, states and the number of arcs."""
    xp = runtime.xp
    tiles = count // _TILE + 1  # at least one tile, so that the sum has a last element
    tile_arcs, tile_edges = runtime.zeros(tiles, np.uint32), runtime.zeros(tiles, np.uint32)
    blocks = -(-tiles // runtime.teams)
    runtime.launch(_SOURCE, "count_firsts", blocks, keys, np.uint64(count), np.uint64(tiles), tile_arcs, tile_edges)
    edges = runtime.view(tile_edges).astype(np.int64)
    through = xp.cumsum(edges)
    columns = runtime.empty(int(through[-1]), np.uint32)
    length, below = runtime.zeros(n + 1, np.uint32), runtime.zeros(n, np.uint32)
    state = runtime.empty(len(columns), np.uint8) if directed else None
    runtime.launch(
        _SOURCE_WITH_STATES if directed else _SOURCE, "write_columns", blocks, keys, np.uint64(count),
        runtime.upload(through - edges), np.uint64(tiles), columns, length, below, *(() if state is None else (state,)),
    )  # fmt: skip
    lengths, degree = runtime.zeros(n + 1, np.int64), runtime.empty(n, np.int64)
    launch_each(runtime, _SOURCE, "degrees_of_rows", n, length, below, np.uint64(n), lengths, degree)
    indptr = xp.cumsum(runtime.view(lengths))
    arcs = int(runtime.view(tile_arcs).sum(dtype=np.int64))
    return runtime.upload(indptr), columns, degree, state, arcs
