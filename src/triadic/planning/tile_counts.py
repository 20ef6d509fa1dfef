"""Triples of tiles: their number, their costs and the bytes that a count of them reads, without enumerating them.

There are P (P + 1) (P + 2) / 6 triples of P ranges. The triples of one range are the entries of arrays of shape
(P, P), so that time grows with P**3 only inside NumPy, and memory with P**2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.devices.cpu.middle_lists import TEST
from triadic.tiles.spans import SpanPlan
from triadic.tiles.tile import CachedTiles, Tile
from triadic.tiles.work import BEGIN, BIT_TEST, ENTRY, RANK, Needed, pair_bytes, third_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout
    from triadic.tiles.triples import Triple

OF_CACHE = 0.75
_EMPTY = Tile(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32), None)


class RangeTriples(NamedTuple):
    """The triples with u in one range."""

    number: int
    cost: float  # nanoseconds of one thread, as `triadic.tiles.work.nanoseconds`
    needed: Needed  # bytes of the triple that needs most
    ranges: NDArray[np.int64]  # ranges of the vertices of any triple


def triples_of_range(
    layout: Layout, inner: Layout, i: int, pairs: NDArray[np.float64], *, threads: int, columns: int
) -> RangeTriples | None:
    """Return the triples with u in range `i`, or None without any.

    `inner` is the layout of the ranks that are counted, without leaves; `pairs` are the entries tested, of shape
    (i + 1, i + 1); `columns` is the number of columns of the sums at ranks.
    """
    edges, length = layout.tile_edges[: i + 1, : i + 1], np.diff(layout.cuts)[: i + 1]
    j, k = np.tril_indices(i + 1)
    present = (edges[i, j] > 0) & (edges[i, k] > 0) & (edges[j, k] > 0)
    j, k = j[present], k[present]
    if not len(j):
        return None
    second, third = edges[i, k] * (j != k), edges[j, k] * (j != i)  # tiles that differ from (i, j)
    copied = edges[i, j] + second + third
    bits = np.where(j == 0, BIT_TEST, 1.0)
    cost = (
        bits * (BEGIN * edges[i, j] + TEST * pairs[j, k]) + ENTRY * copied + RANK * (length[i] + length[j] + length[k])
    )
    # The bytes of `triadic.tiles.work.bytes_to_count`, and of the tiles in memory.
    length = np.diff(inner.cuts)[: i + 1]
    entry = layout.edge_bytes
    working = pair_bytes(inner, i, j, threads=threads, columns=columns)
    working = working + third_bytes(inner, i, j, k, threads=threads, columns=columns)
    rows = length[i] + 1 + (length[i] + 1) * (j != k) + (length[j] + 1) * (j != i)
    tiles = entry * copied + 8 * rows
    most = int(np.argmax(working + tiles))
    needed = Needed(int(working[most]), int(tiles[most]), 8 * columns * inner.vertices)
    return RangeTriples(len(j), float(cost.sum()), needed, np.unique(np.concatenate([[i], j, k])))


class _TilesOfBytes:
    """A source of empty tiles that adds up the bytes of the files that would be read."""

    def __init__(self, layout: Layout, file_bytes: NDArray[np.int64]) -> None:
        self.layout, self._file_bytes = layout, file_bytes
        self.read = 0

    def tile(self, i: int, j: int) -> Tile:
        self.read += int(self._file_bytes[i, j])
        return _EMPTY

    def degree(self, i: int) -> NDArray[np.int64]:
        return np.zeros(self.layout.length(i), dtype=np.int64)


def simulated_reads(
    layout: Layout,
    grouped: list[list[Triple]],
    room: int,
    needed: Needed,
    file_bytes: NDArray[np.int64],
    *,
    threads: int,
    columns: int,
    in_place: bool,
) -> int:
    """Return the bytes of tiles that counting groups of triples reads, by the spans and the cache of counting.

    Parameters
    ----------
    layout : Layout
        The ranges, without leaves.
    grouped : list of list of Triple
        The triples in groups, as `triadic.tiles.engine.groups` returns them.
    room : int
        Bytes for tiles and for counting, beside the sums.
    needed : Needed
        Bytes of the triple that takes most.
    file_bytes : int64 array, shape (ranges, ranges)
        Bytes of the file of each tile.
    threads, columns : int
        As for `triadic.tiles.spans.SpanPlan`.
    in_place : bool
        Whether the triples of a span are counted together.
    """
    source = _TilesOfBytes(layout, file_bytes)
    spare = room - needed.tiles - needed.working if in_place else 0
    plan = SpanPlan(layout, room, threads=threads, columns=columns, spare=spare)
    with CachedTiles(source, max(0, room - needed.working)) as tiles:
        planned = [plan.spans(group, in_place=in_place) for group in grouped]
        tiles.follow([span.tiles for spans in planned for span in spans])
        for steps in plan.steps(planned, room):
            for span, following, rooms in steps:
                tiles.fetch(span.tiles, following, rooms=rooms)
                for tile in span.tiles:
                    tiles.tile(*tile)
    return source.read


def estimated_reads(
    layout: Layout, order: list[tuple[int, RangeTriples]], parts: list[int], room: int, file_bytes: NDArray[np.int64]
) -> int:
    """Estimate what a count reads with a cache of the tiles used last, from how long a tile stays there.

    Counting drops the tiles that are needed last, and reads about `OF_CACHE` of that if tiles do not fit in memory.

    The triples (i, j, k) of range i are counted with j and k falling. A tile (j, k), j < i, is used once for an i, and
    again for the next i after about all tiles of lower ranges. A tile (i, k) is used again for the next j, after the
    rows of tiles of i and j. Either is read again unless the cache has room for the tiles in between.

    `order` has the ranges with triples in the order in which they are counted, `parts` the number of groups of triples
    of each, and `room` is the size of the cache.
    """
    rows = 8 * (np.diff(layout.cuts) + 1)[:, None]
    size = np.where(layout.tile_edges > 0, rows + layout.edge_bytes * layout.tile_edges, 0)
    cached = np.zeros(size.shape, dtype=np.bool_)
    total, last = 0, cached
    for (i, found), groups in zip(order, parts, strict=True):
        used = np.zeros_like(cached)
        used[np.ix_(found.ranges, found.ranges)] = True
        used &= size > 0
        needed, row = int(size[used].sum()), used[i]
        fits = int(size[used | last].sum()) <= room  # with the row of the range before, which was in use to its end
        total += int(file_bytes[used & ~cached if fits else used].sum())
        # The tiles (i, 0 .. j), for the next j.
        again = np.cumsum(size[i] * row)[:i] + (size * used).sum(axis=1)[:i] > room
        total += int((np.cumsum(file_bytes[i] * row)[:i] * again)[row[:i]].sum())
        last = np.zeros_like(cached)
        last[i] = row
        if int(size[used | cached].sum()) <= room:
            cached |= used
        elif needed <= room:
            cached = used
        else:
            total += int((groups - 1) * file_bytes[i, row].sum() * 2 / 3)
            cached = used & (np.cumsum((size * used).sum(axis=1)) + size[i, row].sum() <= room)[:, None]
    return total
