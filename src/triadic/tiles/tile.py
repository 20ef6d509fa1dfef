"""Tiles, and the sources they come from.

Three sources are made from another source: `LeaflessTiles` leaves out vertices that are in no triangle, `ValuedTiles`
has values in place of weights, and `CachedTiles` keeps recently used tiles in memory.
"""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from math import frexp, isfinite
from threading import Lock
from typing import TYPE_CHECKING, Literal, Protocol, Self

import numpy as np

from triadic.core.oriented import ranks_in_triangles, starts_of
from triadic.core.records import record, value_class
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array, Int64Array, IntegerArray, Uint8Array
    from triadic.tiles.layout import Layout

    Ranges = tuple[int, int]  # the range of a tile's rows and the range of its columns


@record(weakref_slot=True)
class Tile:
    """The oriented edges from one range of ranks to another range, or to the same one, as rows.

    Attributes
    ----------
    indptr : int64 array, shape (rows + 1,)
        Start of the row of each rank of the first range, and the end of the last row.
    indices : int32 array, shape (edges,)
        Ranks of the second range, minus the first rank of that range; rising within a row.
    state : uint8 array, shape (edges,), optional
        Directions of the edges of a directed graph, as in `triadic.core.oriented.Oriented`.
    weights : float64 array, shape (1, edges) or (2, edges), optional
        Weights of the edges, finite. In a directed graph the first row has the weight of the arc from the row to the
        column and the second row that of the arc from the column to the row, 0 if there is no such arc, as in
        `triadic.core.oriented.EntryValues`. None for a count that does not use weights.
    """

    indptr: Int64Array
    indices: Int32Array
    state: Uint8Array | None
    weights: Float64Array | None = None

    @property
    def nbytes(self) -> int:
        """Number of bytes of the arrays."""
        return sum(array.nbytes for array in (self.indptr, self.indices, self.state, self.weights) if array is not None)

    def copy(self) -> Tile:
        """Return the same tile with entries of its own, so that the tile that these are views of can be freed."""
        state, weights = self.state, self.weights
        return Tile(
            self.indptr,
            self.indices.copy(),
            None if state is None else state.copy(),
            None if weights is None else weights.copy(),
        )

    def of_entries(self, indptr: Int64Array, chosen: slice | AnyArray) -> Tile:
        """Return a tile of the chosen entries, which are views if `chosen` is a slice, and else copies."""
        state, weights = self.state, self.weights
        return Tile(
            indptr,
            self.indices[chosen],
            None if state is None else state[chosen],
            None if weights is None else weights[:, chosen],
        )


def rows_of(tile: Tile, first: int, last: int) -> Tile:
    """Return the rows `first` .. `last` - 1 of a tile, whose entries are a view of the tile's."""
    indptr = tile.indptr[first : last + 1]
    return tile.of_entries(indptr - indptr[0], slice(int(indptr[0]), int(indptr[-1])))


def columns_of(tile: Tile, first: int, last: int) -> Tile:
    """Return the columns `first` .. `last` - 1 of a tile, numbered from 0; their entries are copies."""
    chosen = (tile.indices >= first) & (tile.indices < last)
    part = tile.of_entries(starts_of(chosen.view(np.uint8))[tile.indptr], chosen)
    part.indices[:] -= np.int32(first)
    return part


class TileSource(Protocol):
    """A folder, a URL or a graph in memory that tiles come from; several threads may use it at the same time.

    Attributes
    ----------
    layout : Layout
        The size of the graph and its ranges.
    """

    layout: Layout

    def tile(self, i: int, j: int) -> Tile:
        """Return the tile of rows in range `i` and columns in range `j`, j <= i.

        Raises
        ------
        ReadError
            If the tile is damaged or missing.
        """

    def degree(self, i: int) -> Int64Array:
        """Return the degrees, in the skeleton, of the ranks in range `i`: int64, shape (ranks of the range,)."""

    def lengths(self, i: int, j: int) -> IntegerArray:
        """Return the number of entries of each row of tile (i, j), in whatever type they are stored."""
        return np.diff(self.tile(i, j).indptr)

    def rows(self, i: int, j: int, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1 of tile (i, j) as a tile of their own.

        A source that can read some rows without the rest of the tile does so.
        """
        return rows_of(self.tile(i, j), first, last)


class OtherTiles(TileSource):
    """A source that is made from another source, and reads from it what it does not change."""

    source: TileSource

    def lengths(self, i: int, j: int) -> IntegerArray:
        """Return the number of entries of each row of tile (i, j)."""
        return self.source.lengths(i, j)

    def rows(self, i: int, j: int, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1 of tile (i, j)."""
        return self.source.rows(i, j, first, last)

    def degree(self, i: int) -> Int64Array:
        """Return the degrees of the ranks in range `i`: int64, shape (ranks of the range,)."""
        return self.source.degree(i)


class LeaflessTiles(OtherTiles):
    """A source of tiles without the last ranks of another source: the vertices of degree 0 and 1.

    These vertices are in no triangle and have the last ranks. In many networks they are the majority, and each of them
    would take memory in every triple of its range.

    Parameters
    ----------
    source : TileSource
        The tiles of all ranks.
    ranks : int
        Number of first ranks that remain.
    """

    def __init__(self, source: TileSource, ranks: int) -> None:
        self.source, self.ranks = source, ranks
        self.layout = source.layout.first_ranks(ranks)

    def tile(self, i: int, j: int) -> Tile:
        """Return the remaining rows of tile (i, j); no removed rank is a column of these rows."""
        whole, rows = self.source.tile(i, j), self.layout.length(i)
        if rows == len(whole.indptr) - 1:
            return whole
        return rows_of(whole, 0, rows).copy()

    def lengths(self, i: int, j: int) -> IntegerArray:
        """Return the number of entries of each remaining row of tile (i, j)."""
        return super().lengths(i, j)[: self.layout.length(i)]

    def degree(self, i: int) -> Int64Array:
        """Return the degrees of the remaining ranks of range `i`: int64, shape (ranks of the range,)."""
        return self.source.degree(i)[: self.layout.length(i)]


Joined = Literal["sum", "once"]


@value_class
class EdgeValues:
    """Values of edges: weights divided by a number, or the cube roots of these, divided by a power of two.

    The value of an edge with arcs in both directions is the sum of the values of its arcs, or, without directions, the
    value of the sum of their weights, or of the weight of either if they are equal and count once.

    Attributes
    ----------
    scale : float
        Number by which weights are divided.
    cube_root : bool
        Whether the values are cube roots.
    exponent : int
        Power of two that no value exceeds, and by which values are divided, so that their absolute value is 1 at most.
    joined : {"sum", "once"}, optional
        What becomes of the weights of arcs both ways in a network without directions; by default directions count.
    """

    scale: float
    cube_root: bool
    exponent: int
    joined: Joined | None = None

    @property
    def name(self) -> str:
        """Name that differs between different values of the same weights, for files."""
        kind = f"{'cube-roots' if self.cube_root else 'weights'}-over-{self.scale.hex()}"
        return f"undirected-{self.joined}-{kind}" if self.joined else kind

    def applied(self, tile: Tile) -> Tile:
        """Return a tile with values in place of weights, float64 of shape (1, edges), and without states."""
        assert tile.weights is not None  # noqa: S101 - of tiles with weights
        values, of_arcs = np.zeros(0), tile.weights
        if self.joined:
            of_arcs = of_arcs.sum(axis=0, keepdims=True) / (2 if self.joined == "once" else 1)
        for kind, weights in enumerate(of_arcs):
            of_kind = weights / self.scale
            if self.cube_root:
                np.cbrt(of_kind, out=of_kind)
            values = of_kind if kind == 0 else np.add(values, of_kind, out=values)
        return Tile(tile.indptr, tile.indices, None, np.ldexp(values, -self.exponent, out=values)[None])


@value_class
class EdgeSigns:
    """Signs of the edges of an undirected graph, which tiles then have in place of states.

    Attributes
    ----------
    positive, negative : int
        States that stand for the signs.
    """

    positive: int
    negative: int

    @property
    def name(self) -> str:
        """Name of the values, for files."""
        return "signs"

    def applied(self, tile: Tile) -> Tile:
        """Return a tile with the signs of its weights in place of states.

        Raises
        ------
        ArgumentError
            If a weight is neither +1 nor -1.
        """
        assert tile.weights is not None  # noqa: S101 - of tiles with weights
        weights = tile.weights[0]
        wrong = np.flatnonzero(np.abs(weights) != 1)
        if len(wrong):
            raise ArgumentError(f"weights: expected +1 and -1 alone, got {weights[wrong[0]]:g}")
        state = np.where(weights < 0, np.uint8(self.negative), np.uint8(self.positive))
        return Tile(tile.indptr, tile.indices, state)


def edge_values(layout: Layout, scale: float, *, cube_root: bool, joined: Joined | None = None) -> EdgeValues:
    """Return the values of the edges of tiles with weights.

    Parameters
    ----------
    layout : Layout
        The layout of the tiles, with the limits of their weights.
    scale : float
        Number by which weights are divided, finite and not 0.
    cube_root : bool
        Whether the values are the cube roots of the quotients.
    joined : {"sum", "once"}, optional
        What becomes of the weights of arcs both ways before the division, if directions are ignored.

    Raises
    ------
    ArgumentError
        If the quotients exceed the range of float64.
    """
    assert layout.weight_limits is not None  # noqa: S101 - of tiles with weights
    # Of joined weights, no limit of the header is used: the weights of arcs are compared with their limits alone.
    with np.errstate(over="ignore"):
        bound = float(np.abs(np.array(layout.weight_limits) / scale * (layout.kinds if joined == "sum" else 1)).max())
    if not isfinite(bound):
        raise ArgumentError(f"weights: after division by {scale:g}, some exceed the range of float64")
    bound = float(np.cbrt(bound)) if cube_root else bound
    _, exponent = frexp(bound)
    return EdgeValues(float(scale), cube_root, exponent + (0 if joined else layout.kinds - 1), joined)


TileValues = EdgeValues | EdgeSigns
"""What a count takes of the weights of a tile."""


class ValuedTiles(OtherTiles):
    """The tiles of another source with values in place of weights.

    Parameters
    ----------
    source : TileSource
        Tiles with weights.
    values : TileValues
        The values.
    """

    def __init__(self, source: TileSource, values: TileValues) -> None:
        self.source, self.values, self.layout = source, values, source.layout

    def tile(self, i: int, j: int) -> Tile:
        """Return the tile of rows in range `i` and columns in range `j`."""
        return self.values.applied(self.source.tile(i, j))

    def rows(self, i: int, j: int, first: int, last: int) -> Tile:
        """Return the rows `first` .. `last` - 1 of tile (i, j)."""
        return self.values.applied(super().rows(i, j, first, last))


def valued(source: TileSource, values: TileValues | None) -> TileSource:
    """Return the tiles with values in place of weights; the source itself for a count that takes no values."""
    return source if values is None else ValuedTiles(source, values)


def num_leafless_ranks(source: TileSource) -> int:
    """Return the number of ranks up to the last rank of degree 2 or more."""
    layout = source.layout
    for i in reversed(range(layout.ranges)):
        inner = ranks_in_triangles(source.degree(i))
        if inner:
            return int(layout.cuts[i]) + inner
    return 0


class CachedTiles(TileSource):
    """A source that keeps recently used tiles in memory and loads the next tiles in a thread of its own.

    Parameters
    ----------
    source : TileSource
        The source of tiles that are not in memory.
    room : int
        Largest total size of the tiles in memory, in bytes. Tiles of the latest `fetch` stay in memory even if they
        are larger.
    loaders : int, default 1
        Number of threads that load tiles.
    """

    def __init__(self, source: TileSource, room: int, *, loaders: int = 1) -> None:
        self._source, self._room, self.layout = source, room, source.layout
        self._futures: OrderedDict[Ranges, Future[Tile]] = OrderedDict()
        self._pinned: frozenset[Ranges] = frozenset()
        self._lock = Lock()
        self._loader = ThreadPoolExecutor(loaders, thread_name_prefix="triadic-tiles")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loader.shutdown(wait=True, cancel_futures=True)
        self._futures.clear()

    def tile(self, i: int, j: int) -> Tile:
        """Return a tile; wait until it is loaded if it is not in memory."""
        while True:
            try:
                return self._future((i, j)).result()
            except CancelledError:  # another thread dropped the tile before it was loaded
                continue

    def degree(self, i: int) -> Int64Array:
        """Return the degrees of the ranks in range `i`: int64, shape (ranks of the range,)."""
        return self._source.degree(i)

    def fetch(self, needed: Iterable[Ranges], following: Iterable[Ranges] = (), *, rooms: Sequence[int]) -> None:
        """Start to load tiles and keep them until the next call; add `following` tiles as far as there is room.

        Parameters
        ----------
        needed, following : iterable of (int, int)
            Tiles that are used now, and tiles that the next call needs.
        rooms : sequence of int
            Largest total size of the tiles in memory, from this call on and from the next call on.
        """
        pinned = dict.fromkeys(needed)
        left = min(rooms) - sum(map(self._bytes, pinned))
        for ranges in following:
            if ranges not in pinned and self._bytes(ranges) <= left:
                left -= self._bytes(ranges)
                pinned[ranges] = None
        self._pinned = frozenset(pinned)
        self.resize(rooms[0])
        self.prefetch(pinned)

    def resize(self, room: int) -> None:
        """Change the largest total size of the tiles in memory; drop tiles that do not fit any more."""
        with self._lock:
            self._room = room
            self._make_room(0)

    def prefetch(self, tiles: Iterable[Ranges]) -> None:
        """Start to load tiles that are needed soon, without waiting for them; for several threads, unlike `fetch`."""
        for ranges in tiles:
            self._future(ranges)

    def _future(self, ranges: Ranges) -> Future[Tile]:
        with self._lock:
            if ranges not in self._futures:
                self._make_room(self._bytes(ranges))
                self._futures[ranges] = self._loader.submit(self._source.tile, *ranges)
            self._futures.move_to_end(ranges)
            return self._futures[ranges]

    def _make_room(self, needed: int) -> None:
        """Drop the least recently used tiles, except pinned ones, until `needed` bytes fit."""
        size = sum(self._bytes(ranges) for ranges in self._futures)
        for ranges in [ranges for ranges in self._futures if ranges not in self._pinned]:
            if size + needed <= self._room:
                break
            self._futures.pop(ranges).cancel()
            size -= self._bytes(ranges)

    def _bytes(self, ranges: Ranges) -> int:
        return self.layout.tile_bytes(*ranges)
