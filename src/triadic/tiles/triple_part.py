"""The tiles of a triple: walked in place on the CPU, and joined to one small oriented graph on a device.

The local ranks of the small graph are the ranks of w's range, then of v's, then of u's. A row of v holds its row of the
tile (j, k). A row of u holds its row of the tile (i, k) and then its row of the tile (i, j), so that columns rise.

If i = j > k, the range occurs twice, once for v and once for u; three ranges and three tiles then hold exactly the
triangles of the triple. If j = k, v and w share one copy of the range, hubs are neighbours in it as in the whole graph,
and only the triangles of the rows of u are counted.

A device keeps tiles that were uploaded, and joins them there, O(edges + ranks), when the rows are first used.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from triadic.core.oriented import Part
from triadic.devices.cpu.triangles.parts import PairLists, Third, TileSpan
from triadic.devices.gpu.rows import rows_on
from triadic.devices.runtimes.runtime import Source
from triadic.tiles.tile import Tile, rows_of

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.tiles.layout import Layout, Triple
    from triadic.tiles.tile import Tile, TileSource


_SHARE = 0.4  # of a device's memory for tiles; joining and counting need the rest
_CACHES: dict[str, OrderedDict[ref[Tile], DeviceTile]] = {}


class DeviceTile:
    """The arrays of a tile in the memory of a device."""

    __slots__ = ("indices", "indptr", "nbytes", "state")

    def __init__(self, runtime: Runtime, tile: Tile) -> None:
        runtime.check_room(f"a tile of {len(tile.indices):,} edges", tile.nbytes)
        self.indptr: Buffer = runtime.upload(tile.indptr)
        self.indices: Buffer = runtime.upload(tile.indices.view(np.uint32))
        self.state: Buffer | None = None if tile.state is None else runtime.upload(tile.state)
        self.nbytes = tile.nbytes


def upload_tiles(runtime: Runtime, tiles: tuple[Tile, ...]) -> list[DeviceTile]:
    """Return tiles on a device; upload missing ones, and drop the least recently used others to make room."""
    cache = _CACHES.setdefault(runtime.name, OrderedDict())
    keys = [ref(tile) for tile in tiles]
    missing = sum(tile.nbytes for tile, key in zip(tiles, keys, strict=True) if key not in cache)
    room = int(_SHARE * runtime.memory()[1]) - missing - sum(tile.nbytes for tile in cache.values())
    for key in list(cache):
        if key() is None or (room < 0 and key not in keys):
            room += cache.pop(key).nbytes
    for tile, key in zip(tiles, keys, strict=True):
        if key not in cache:
            cache[key] = DeviceTile(runtime, tile)
        cache.move_to_end(key)
    return [cache[key] for key in keys]


def free_tiles() -> None:
    """Drop the tiles on all devices, to free their memory."""
    _CACHES.clear()


def join(source: TileSource, triple: Triple, *, rows: tuple[int, int] | None = None) -> TriplePart:
    """Return the tiles of a triple as a part of the graph in which exactly the triple's triangles are counted.

    Parameters
    ----------
    source : TileSource
        The source of the tiles.
    triple : Triple
        The ranges of u, v and w.
    rows : tuple of int, optional
        First rank of u in its range, and the rank past the last; by default all ranks of the range.

    Returns
    -------
    TriplePart
        `split_by_range` splits counts at its local ranks by range.
    """
    i, j, k = triple
    if i == j == k:
        return TriplePart(None, None, source.tile(i, i), None, rows)
    if j == k:
        return TriplePart(None, source.tile(k, k), _rows_of(source.tile(i, k), rows), None, None)
    middle, near, far = source.tile(j, k), _rows_of(source.tile(i, k), rows), _rows_of(source.tile(i, j), rows)
    return TriplePart(source.layout.length(k), middle, near, far, None)


def split_by_range(
    layout: Layout, triple: Triple, rows: tuple[int, int] | None, counts: Int64Array
) -> list[tuple[int, int, Int64Array]]:
    """Split counts at the local ranks of a triple by range; `rows` are the rows of u that `join` was given.

    Returns
    -------
    list of (range, first, counts)
        The counts of consecutive ranks of a range, from its rank number `first` on. If i = j > k, the range is in the
        list twice.
    """
    i, j, k = triple
    if i == j == k:
        return [(i, 0, counts)]
    first, last = (0, layout.length(i)) if rows is None else rows
    spans = [(k, 0, layout.length(k)), (j, 0, layout.length(j)), (i, first, last - first)]
    if j == k:
        del spans[1]
    ends = np.cumsum([length for *_, length in spans])
    split = np.split(counts, ends[:-1])
    return [(span_range, start, span) for (span_range, start, _), span in zip(spans, split, strict=True)]


def _rows_of(tile: Tile, rows: tuple[int, int] | None) -> Tile:
    return tile if rows is None else rows_of(tile, *rows)


class TriplePart(Part):
    """The part of a graph that the tiles of a triple form.

    Parameters
    ----------
    empty : int or None
        Number of ranks of w's range, whose rows are empty; None if v has the same range as w.
    middle : Tile or None
        Rows of v's range; None if u, v and w have the same range.
    near : Tile
        Rows of u, with columns in w's range.
    far : Tile or None
        Rows of u, with columns in v's range; None if v has the same range as w.
    rows : tuple of int or None
        First row of u that is counted and the row past the last; None for all rows.
    """

    def __init__(
        self,
        empty: int | None,
        middle: Tile | None,
        near: Tile,
        far: Tile | None,
        rows: tuple[int, int] | None,
    ) -> None:
        start = (empty or 0) + (0 if middle is None else len(middle.indptr) - 1)
        first, last = (0, len(near.indptr) - 1) if rows is None else rows
        values = {
            "empty": empty or 0, "middle": middle, "near": near, "far": far, "start": start,
            "first": start + first, "last": start + last,
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    empty: int
    middle: Tile | None
    near: Tile
    far: Tile | None
    start: int

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The one, two or three tiles of the part."""
        return tuple(tile for tile in (self.middle, self.near, self.far) if tile is not None)

    @property
    def num_vertices(self) -> int:
        """Number of local ranks."""
        return self.start + len(self.near.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges."""
        return sum(len(tile.indices) for tile in self.tiles)

    @property
    def span(self) -> TileSpan:
        """The tiles, for a count that walks them in place."""
        rows = (self.first - self.start, self.last - self.start)
        if self.middle is None:
            near, ranks = _rows_of(self.near, rows), len(self.near.indptr) - 1
            third = Third(near, self.near, ranks, 0, same=True)
            return TileSpan(PairLists(near, ranks, only_same=True), (third,), 0, rows[0], ranks)
        columns = len(self.middle.indptr) - 1
        if self.far is None:
            third = Third(self.near, self.middle, columns, 0, same=True)
            return TileSpan(PairLists(self.near, columns, only_same=True), (third,), 0, columns, self.num_vertices)
        third = Third(self.near, self.middle, self.empty, 0, same=False)
        lists = PairLists(self.far, columns, only_same=False)
        return TileSpan(lists, (third,), self.empty, self.start, self.num_vertices)

    @property
    def hubs_pay(self) -> bool:
        """Whether v and w can both be among the first ranks."""
        return self.far is None

    def rows_on(self, runtime: Runtime) -> tuple[Buffer, Buffer]:
        """Return starts and columns of the joined rows on a device, where the tiles stay cached."""
        tiles = upload_tiles(runtime, self.tiles)
        if len(tiles) == 1:
            return tiles[0].indptr, tiles[0].indices
        with runtime.active():
            middle, *of_u = (runtime.view(tile.indptr) for tile in tiles)
            starts = runtime.xp.zeros(self.num_vertices + 1, dtype=np.int64)
            starts[self.empty : self.start + 1] = middle
            starts[self.start :] = sum(of_u[1:], start=of_u[0])
            starts[self.start :] += middle[-1]
            indptr = runtime.upload(starts)
        return indptr, self._concatenated(runtime, tiles, indptr, states=False)

    def states_on(self, runtime: Runtime) -> Buffer | None:
        """Return the states of the joined rows on a device; None for an undirected graph."""
        if self.near.state is None:
            return None
        tiles = upload_tiles(runtime, self.tiles)
        if len(tiles) == 1:
            return tiles[0].state
        indptr = rows_on(runtime, self).indptr
        return self._concatenated(runtime, tiles, indptr, states=True)

    def _concatenated(self, runtime: Runtime, tiles: list[DeviceTile], indptr: Buffer, *, states: bool) -> Buffer:
        """Return the entries of two or three tiles, or their states, one after the other.

        Of three tiles, each row of the last two is one row, from the row `start` on; the columns of the third are
        moved by the `empty` ranks of w's range. `indptr` has the starts of the joined rows.
        """
        entries: list[Buffer] = [tile.state if states else tile.indices for tile in tiles]
        source = Source("tiles", (("STATES", 1),) if states else ())
        joined = runtime.empty(sum(map(len, entries)), np.uint8 if states else np.uint32)
        end = 0
        for part in entries if len(tiles) < 3 else entries[:1]:
            runtime.launch_each(source, "copy_entries", len(part), part, np.uint64(len(part)), np.uint64(end), joined)
            end += len(part)
        if len(tiles) == 3:
            near, far = tiles[1:]
            rows = len(near.indptr) - 1
            runtime.launch(
                source, "interleave", -(-rows // runtime.teams), near.indptr, entries[1], far.indptr, entries[2],
                indptr, np.uint64(self.start), np.uint64(rows), np.uint32(0 if states else self.empty), joined,
            )  # fmt: skip
        return joined

    def middles_on(self, runtime: Runtime) -> Buffer | None:
        """Return `middle_from` on a device: the end of the row where a row has no w."""
        if self.far is None:
            return None
        near, xp = runtime.view(upload_tiles(runtime, self.tiles)[1].indptr), runtime.xp
        indptr = runtime.view(rows_on(runtime, self).indptr)
        starts, length = indptr[1:].copy(), near[1:] - near[:-1]
        starts[self.start :] = xp.where(length > 0, indptr[self.start : -1] + length, starts[self.start :])
        return starts

    @property
    def most_lists(self) -> int:
        """Largest number of entries v whose rows are walked."""
        return len(self.near.indices if self.far is None else self.far.indices)
