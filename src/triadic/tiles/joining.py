"""The tiles of a triple joined to one small oriented graph, which any count of triangles takes as it is.

Idea: local ranks are those of w's range, then v's, then u's. Rows of v hold the tile (j, k), rows of u the tiles (i, k)
and (i, j), one after the other, so that rows rise. Where i = j > k the range stands twice, once for v and once for u:
three ranges and three tiles then give exactly the triangles of the triple. Where j = k one copy serves v and w, hubs
lie side by side as in the whole graph, and only the rows of u are counted.
Cost: a copy of the tiles, O(edges + ranks), when the rows are first asked for: on the host, or on a device that has the
tiles.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from triadic.core import blocks
from triadic.core.oriented import Part
from triadic.devices.cpu import tiling_kernels as kernels
from triadic.devices.gpu.rows import rows_on
from triadic.tiles.on_device import placed, side_by_side
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileSource
    from triadic.tiles.triples import Triple

Array = TypeVar("Array", bound=Any)


def join(source: TileSource, triple: Triple, *, threads: int, rows: tuple[int, int] | None = None) -> TriplePart:
    """Join the tiles of a triple.

    Parameters
    ----------
    source : TileSource
    triple : Triple
    threads : int
    rows : tuple of int, optional
        Count those with u among these ranks of its range alone, from the first to before the second.

    Returns
    -------
    TriplePart
        Its local ranks are taken apart again by `at_ranges`.
    """
    i, j, k = triple
    if i == j == k:
        return TriplePart(None, None, source.tile(i, i), None, rows, threads)
    if j == k:
        return TriplePart(None, source.tile(k, k), _rows_of(source.tile(i, k), rows), None, None, threads)
    middle, near, far = source.tile(j, k), _rows_of(source.tile(i, k), rows), _rows_of(source.tile(i, j), rows)
    return TriplePart(source.layout.length(k), middle, near, far, None, threads)


def at_ranges(layout: Layout, triple: Triple, at_rank: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
    """Take apart what was counted at the local ranks of a triple: by range, in the order w's, v's, u's.

    A range that stands twice is given twice.
    """
    return [(i, found) for i, _, found in pieces(layout, triple, None, at_rank)]


def pieces(
    layout: Layout, triple: Triple, rows: tuple[int, int] | None, at_rank: NDArray[np.int64]
) -> list[tuple[int, int, NDArray[np.int64]]]:
    """Take apart what was counted at the local ranks of a triple, some rows of u's range alone where `rows` says so.

    Returns
    -------
    list of (range, first, counts)
        `first` is the rank of the range that the counts begin at; a range that stands twice is given twice.
    """
    i, j, k = triple
    if i == j == k:
        return [(i, 0, at_rank)]
    first, last = (0, layout.length(i)) if rows is None else rows
    places = [(k, 0, layout.length(k)), (j, 0, layout.length(j)), (i, first, last - first)]
    if j == k:
        del places[1]
    ends = np.cumsum([length for *_, length in places])
    split = np.split(at_rank, ends[:-1])
    return [(place, start, found) for (place, start, _), found in zip(places, split, strict=True)]


def _rows_of(tile: Tile, rows: tuple[int, int] | None) -> Tile:
    """Give some rows of a tile: views of it."""
    if rows is None:
        return tile
    first, last = rows
    indptr = tile.indptr[first : last + 1]
    entries = slice(int(indptr[0]), int(indptr[-1]))
    return Tile(indptr - indptr[0], tile.indices[entries], None if tile.state is None else tile.state[entries])


class TriplePart(Part):
    """A part made of the tiles of a triple.

    Parameters
    ----------
    empty : int or None
        Ranks of w's range, whose rows are empty; None where v's range is w's.
    middle : Tile or None
        Rows of v's range; None where it is u's, and w's.
    near : Tile
        Rows of u to w's range.
    far : Tile or None
        Rows of u to v's range; None where it is w's.
    rows : tuple of int or None
        Which rows of u are counted; all for None.
    threads : int
    """

    def __init__(
        self,
        empty: int | None,
        middle: Tile | None,
        near: Tile,
        far: Tile | None,
        rows: tuple[int, int] | None,
        threads: int,
    ) -> None:
        start = (empty or 0) + (0 if middle is None else len(middle.indptr) - 1)
        first, last = (0, len(near.indptr) - 1) if rows is None else rows
        values = {
            "empty": empty or 0, "middle": middle, "near": near, "far": far, "start": start, "threads": threads,
            "first": start + first, "last": start + last, "below": empty,
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)

    empty: int
    middle: Tile | None
    near: Tile
    far: Tile | None
    start: int
    threads: int

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles that it is made of."""
        return tuple(tile for tile in (self.middle, self.near, self.far) if tile is not None)

    @property
    def num_vertices(self) -> int:
        """Number of local ranks."""
        return self.start + len(self.near.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of entries."""
        return sum(len(tile.indices) for tile in self.tiles)

    @property
    def hubs_pay(self) -> bool:
        """Whether v and w can both be among the first ranks."""
        return self.far is None

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """Nothing of use: ranks are those of the whole graph."""
        return np.broadcast_to(np.int32(0), self.num_vertices)

    @property
    def degree(self) -> NDArray[np.int64]:
        """Nothing of use, likewise."""
        return np.broadcast_to(np.int64(0), self.num_vertices)

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """As of `Oriented`."""
        middle, far = (None if each is None else each.indptr for each in (self.middle, self.far))
        return row_starts(self, middle, self.near.indptr, far)

    @cached_property
    def indices(self) -> NDArray[np.int32]:
        """As of `Oriented`."""
        if self.far is not None:
            return self._rows[0]
        if self.middle is None:
            return self.near.indices
        return np.concatenate([self.middle.indices, self.near.indices])

    @cached_property
    def state(self) -> NDArray[np.uint8] | None:
        """As of `Oriented`."""
        if self.near.state is None:
            return None
        if self.far is not None:
            return self._rows[1]
        if self.middle is None or self.middle.state is None:
            return self.near.state
        return np.concatenate([self.middle.state, self.near.state])

    @cached_property
    def middle_from(self) -> NDArray[np.int64] | None:
        """As of `Part`."""
        return None if self.far is None else middle_starts(self, self.indptr, self.near.indptr)

    def rows_on(self, runtime: Runtime) -> tuple[Buffer, Buffer]:
        """Join the tiles on a device, which keeps them."""
        tiles = placed(runtime, self.tiles)
        if len(tiles) == 1:
            return tiles[0].indptr, tiles[0].indices
        with runtime.active():
            middle, near, far = [runtime.view(each.indptr) for each in tiles] + [None] * (3 - len(tiles))
            indptr = runtime.upload(row_starts(self, middle, near, far, runtime.xp))
        return indptr, side_by_side(runtime, tiles, indptr, start=self.start, moved=self.empty, states=False)

    def states_on(self, runtime: Runtime) -> Buffer | None:
        """Join the states of the tiles on a device."""
        if self.near.state is None:
            return None
        tiles = placed(runtime, self.tiles)
        if len(tiles) == 1:
            return tiles[0].state
        indptr = rows_on(runtime, self).indptr
        return side_by_side(runtime, tiles, indptr, start=self.start, moved=self.empty, states=True)

    def middles_on(self, runtime: Runtime) -> Buffer | None:
        """Give `middle_from` on a device."""
        if self.far is None:
            return None
        near = placed(runtime, self.tiles)[1]
        indptr = runtime.view(rows_on(runtime, self).indptr)
        return middle_starts(self, indptr, runtime.view(near.indptr), runtime.xp)

    @property
    def most_lists(self) -> int:
        """At most so many entries v are looked at."""
        return len(self.near.indices if self.far is None else self.far.indices)

    @cached_property
    def _rows(self) -> tuple[NDArray[np.int32], NDArray[np.uint8] | None]:
        """Entries and states where rows of two tiles are put side by side."""
        middle, near, far = self.tiles
        indptr, moved = self.indptr[self.start :], self.empty
        indices = np.empty(self.num_edges, dtype=np.int32)
        indices[: len(middle.indices)] = middle.indices
        state, nothing = None, np.empty(0, dtype=np.uint8)
        if middle.state is not None:
            state = np.empty(self.num_edges, dtype=np.uint8)
            state[: len(middle.state)] = middle.state
        cuts = blocks.cut(indptr - indptr[0], blocks.piece(len(indices)), most=1 << 16)
        of_near, of_far = (nothing if tile.state is None else tile.state for tile in (near, far))

        def fill(_: int, b: int) -> None:
            kernels.interleave(
                near.indptr, near.indices, of_near, far.indptr, far.indices, of_far, moved, cuts[b], cuts[b + 1],
                indptr, indices, nothing if state is None else state,
            )  # fmt: skip

        blocks.run(fill, len(cuts) - 1, threads=self.threads)
        return indices, state


def row_starts(part: TriplePart, middle: Array | None, near: Array, far: Array | None, xp: ModuleType = np) -> Array:
    """Give where the rows begin, of where those of the tiles do: arrays of `xp`, on the host or on a device."""
    if middle is None:
        return near
    indptr: Array = xp.zeros(part.num_vertices + 1, dtype=np.int64)
    indptr[part.empty : part.start + 1] = middle
    indptr[part.start :] = near if far is None else near + far
    indptr[part.start :] += middle[-1]
    return indptr


def middle_starts(part: TriplePart, indptr: Array, near: Array, xp: ModuleType = np) -> Array:
    """Give where in each row the entries of v's range begin: at its end where it has no w, and needs no look."""
    found: Array = indptr[1:].copy()
    length = near[1:] - near[:-1]
    found[part.start :] = xp.where(length > 0, indptr[part.start : -1] + length, found[part.start :])
    return found
