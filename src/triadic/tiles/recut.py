"""Tiles in another layout than the stored one: ranges that are too long are cut, neighbours that are too short joined.

A tile of the other layout is put together when it is asked for. The rows of the stored tiles that it overlaps are read
in small pieces, and the entries within its columns are copied from each piece. So the memory held is the new tile and
a few MB.

Cost: rows are read with their own bytes alone, but their columns lie side by side. If the ranges of a stored tile are
cut into r ranges of rows and c ranges of columns, making each of the r c new tiles once reads the stored tile c times;
joining reads every stored tile once. With a store for cut tiles, a new tile is made once and then read from there like
a stored one: whatever is counted, each stored tile is read at most c + 1 times, and cut tiles are written once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.devices.cpu.orient.tile_cuts import copy_columns, count_columns_of_ranges, find_columns
from triadic.errors import ReadError, WriteError
from triadic.tiles.file_format import read_tile, tile_name, tile_parts
from triadic.tiles.tile import Tile, open_rows
from triadic.tiles.tile_rows import check_rows
from triadic.tiles.weight_file import check_weights, read_weights, weight_name, weight_parts
from triadic.tiles.work import tested_of_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.tiles.layout import Layout
    from triadic.tiles.store import TileStore
    from triadic.tiles.tile import TileRows, TileSource

    Tests = Float64Array

_NO_STATE, _NO_WEIGHTS = np.empty(0, dtype=np.uint8), np.empty((0, 0), dtype=np.int64)
_LENGTHS = 1 << 17  # numbers of a table of rows and ranges


class Overlap(NamedTuple):
    """The ranks that a range shares with a range of the source, counted from the first rank of the latter.

    Attributes
    ----------
    source : int
        The range of the source.
    first, last : int
        First common rank, and the rank past the last.
    """

    source: int
    first: int
    last: int


class RecutTiles:
    """The tiles of another source in another layout.

    Parameters
    ----------
    source : TileSource
        The tiles to cut and to join.
    layout : Layout
        The other layout, of the same ranks; `recut_layout` returns one.
    cut_tiles : TileStore, optional
        Store for tiles that were cut by columns, so that each is made once. By default, or if the store is full, they
        are made at each request.

    Examples
    --------
    >>> import triadic
    >>> from triadic.tiles.memory_tiles import MemoryTiles
    >>> whole = MemoryTiles(triadic.generate.rmat(6, seed=1).oriented(), 1)
    >>> parts = RecutTiles(whole, recut_layout(whole, np.array([0, 10, 64])))
    >>> parts.layout.edges == whole.layout.edges, len(parts.tile(1, 0).indptr)
    (True, 55)
    """

    def __init__(self, source: TileSource, layout: Layout, cut_tiles: TileStore | None = None) -> None:
        self.source, self._layout, self._cut_tiles = source, layout, cut_tiles

    @property
    def layout(self) -> Layout:
        """The size of the graph and its ranges."""
        return self._layout

    def tile(self, i: int, j: int) -> Tile:
        """Return the tile of rows in range `i` and columns in range `j`.

        Raises
        ------
        ReadError
            A tile of the source is damaged or missing.
        """
        rows, columns = self._overlaps(i), self._overlaps(j)
        if len(rows) == len(columns) == 1 and self._is_whole(rows[0]) and self._is_whole(columns[0]):
            return self.source.tile(rows[0].source, columns[0].source)
        if self._cut_tiles is None or all(self._is_whole(part) for part in columns):
            return self._make(i, j, rows, columns)
        tile = self._stored(self._cut_tiles, i, j)
        if tile is None:
            tile = self._make(i, j, rows, columns)
            try:
                if tile.weights is not None:  # first, so that a tile that is there has its weights
                    self._cut_tiles.put(weight_name(i, j), weight_parts(i, j, tile.weights))
                parts = tile_parts(i, j, np.diff(tile.indptr), tile.indices, tile.state, 0)
                self._cut_tiles.put(tile_name(i, j), parts)
            except WriteError:  # without room for cut tiles, they are made at each request
                self._cut_tiles = None
        return tile

    def degree(self, i: int) -> Int64Array:
        """Return the degrees of the ranks in range `i`: int64, shape (ranks of the range,)."""
        parts = [self.source.degree(part.source)[part.first : part.last] for part in self._overlaps(i)]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    def _overlaps(self, i: int) -> list[Overlap]:
        cuts = self._layout.cuts
        return overlaps(self.source.layout, int(cuts[i]), int(cuts[i + 1]))

    def _is_whole(self, part: Overlap) -> bool:
        return part.last - part.first == self.source.layout.length(part.source)

    def _stored(self, store: TileStore, i: int, j: int) -> Tile | None:
        """Return a tile from the store for cut tiles; None if it is not there, or damaged."""
        where, layout = f"{store.place}/{tile_name(i, j)}", self._layout
        try:
            tile = read_tile(store.get(tile_name(i, j)), i, j, where)
            if len(tile.indptr) - 1 != layout.length(i):
                return None
            check_rows(tile, layout.length(j), i == j, 0, where)
            if layout.weight_limits is not None:
                where = f"{store.place}/{weight_name(i, j)}"
                weights, _ = read_weights(store.get(weight_name(i, j)), i, j, where)
                if weights.shape != (layout.kinds, len(tile.indices)):
                    return None
                check_weights(weights, layout.weight_limits, where)
                tile = replace(tile, weights=weights)
        except ReadError:
            return None
        return tile

    def _make(self, i: int, j: int, rows: list[Overlap], columns: list[Overlap]) -> Tile:
        """Cut and join the tiles of the source."""
        layout, source_cuts, first_column = self._layout, self.source.layout.cuts, int(self._layout.cuts[j])
        indptr = np.zeros(layout.length(i) + 1, dtype=np.int64)
        most = int(layout.tile_edges[i, j])
        indices = np.empty(most, dtype=np.int32)
        state = np.empty(most if layout.directed else 0, dtype=np.uint8)
        weights = np.empty((layout.kinds, most))
        done, entries = 0, 0
        for part in rows:
            crossed = [column for column in columns if column.source <= part.source]
            for start, pieces in _rows_of_tiles(self.source, part, [column.source for column in crossed]):
                count = len(pieces[0].indptr) - 1
                at = done + start - part.first
                lengths = np.zeros((len(pieces), count), dtype=np.int64)
                firsts = np.empty_like(lengths)
                for k, (column, piece) in enumerate(zip(crossed, pieces, strict=True)):
                    find_columns(piece.indptr, piece.indices, column.first, column.last, firsts[k], lengths[k])
                ends = indptr[at + 1 : at + count + 1]
                np.cumsum(lengths.sum(axis=0), out=ends)
                ends += entries
                entries = int(ends[-1])
                if entries > most:
                    raise ReadError(f"tile ({i}, {j})", f"has more than the {most} edges of its layout")
                place = indptr[at : at + count].copy()
                for k, (column, piece) in enumerate(zip(crossed, pieces, strict=True)):
                    shift = int(source_cuts[column.source]) - first_column
                    piece_state = _NO_STATE if piece.state is None else piece.state
                    piece_weights = _NO_WEIGHTS if piece.weights is None else piece.weights.view(np.int64)
                    copy_columns(
                        piece.indices, piece_state, piece_weights, firsts[k], lengths[k], shift, place,
                        indices, state, weights.view(np.int64),
                    )  # fmt: skip
            done += part.last - part.first
        if entries < most:  # the layout has an upper bound
            indices, state, weights = indices[:entries].copy(), state[:entries].copy(), weights[:, :entries].copy()
        return Tile(indptr, indices, state if layout.directed else None, weights if layout.weighted else None)


def overlaps(layout: Layout, first: int, last: int) -> list[Overlap]:
    """Return the ranges of a layout that share ranks with the ranks `first` .. `last` - 1, and what they share."""
    cuts, found = layout.cuts, []
    begin = int(np.searchsorted(cuts, first, side="right")) - 1
    for i in range(max(begin, 0), layout.ranges):
        low, high = max(first, int(cuts[i])), min(last, int(cuts[i + 1]))
        if low < high:
            found.append(Overlap(i, low - int(cuts[i]), high - int(cuts[i])))
        if int(cuts[i]) >= last:
            break
    return found


def _rows_of_tiles(source: TileSource, part: Overlap, columns: list[int]) -> Iterator[tuple[int, list[Tile]]]:
    """Yield the rows of a range in pieces: the first row, and the rows of the tile of each range of columns."""
    tiles: list[TileRows] = [open_rows(source, part.source, j) for j in columns]
    marks = reduce(np.union1d, [tile.marks for tile in tiles], np.array([part.first, part.last]))
    marks = marks[(marks >= part.first) & (marks <= part.last)].tolist()
    for start, stop in pairwise(marks):
        if tiles:
            yield start, [tile.rows(start, stop) for tile in tiles]


def recut_layout(source: TileSource, cuts: Int64Array) -> Layout:
    """Return the layout of other ranges, with the numbers of edges of their tiles, in one pass over the tiles.

    Parameters
    ----------
    source : TileSource
        The tiles.
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices.
    """
    layout = source.layout
    edges = np.zeros((len(cuts) - 1,) * 2)
    for first, lengths in _lengths_in_ranges(source, cuts):
        bounds = np.clip(cuts - first, 0, lengths.shape[1])
        for i in np.flatnonzero(np.diff(bounds)):
            edges[i] += lengths[:, bounds[i] : bounds[i + 1]].sum(axis=1)
    return replace(layout, cuts=np.array(cuts, dtype=np.int64), tile_edges=edges.astype(np.int64))


def tested_in_ranges(source: TileSource, cuts: Int64Array) -> Tests:
    """Return `triadic.tiles.work.entries_tested` of other ranges, in one pass over the tiles; float64, shape (P, P, P).

    Rows are read in pieces, so that the memory held does not depend on the lengths of ranges.
    """
    ranges = len(cuts) - 1
    tests = np.zeros((ranges,) * 3)
    for first, lengths in _lengths_in_ranges(source, cuts):
        bounds = np.clip(cuts - first, 0, lengths.shape[1])
        for i in np.flatnonzero(np.diff(bounds)).tolist():
            tests[i, : i + 1, : i + 1] += tested_of_lengths(list(lengths[: i + 1, bounds[i] : bounds[i + 1]]))
    return tests


def joined_tests(tests: Tests, joined: Int64Array) -> Tests:
    """Return the numbers of tests after neighbouring ranges are joined, from those before.

    Parameters
    ----------
    tests : float64 array, shape (ranges, ranges, ranges)
        The result of `triadic.tiles.work.entries_tested`.
    joined : int64 array, shape (joined ranges + 1,)
        First range of each joined range, and the number of ranges.
    """
    starts = joined[:-1]
    by_rows = np.add.reduceat(tests, starts, axis=0)
    sums = np.add.reduceat(np.add.reduceat(by_rows, starts, axis=1), starts, axis=2)
    # Of two ranges that become one, each pair of entries is a test once, and is in `tests` twice.
    same = np.add.reduceat(np.diagonal(by_rows, axis1=1, axis2=2), starts, axis=1)
    number = np.arange(len(starts))
    sums[:, number, number] = (sums[:, number, number] - same) / 2 + same
    return sums


def cuts_hash(cuts: Int64Array) -> str:
    """Return a hash of ranges, which names what was computed for them."""
    return blake2b(np.ascontiguousarray(cuts, dtype="<i8").tobytes(), digest_size=8).hexdigest()


def _lengths_in_ranges(source: TileSource, cuts: Int64Array) -> Iterator[tuple[int, Float64Array]]:
    """Yield the numbers of entries of consecutive rows in each range of columns.

    Yields
    ------
    (rank, lengths)
        The first row's rank, and float64 of shape (ranges, rows).
    """
    layout, ranges = source.layout, len(cuts) - 1
    most = max(1, _LENGTHS // ranges)
    for i in range(layout.ranges):
        columns = [j for j in range(i + 1) if layout.tile_edges[i, j]]
        whole = Overlap(i, 0, layout.length(i))
        for start, pieces in _rows_of_tiles(source, whole, columns):
            count = len(pieces[0].indptr) - 1
            for low in range(0, count, most):
                high = min(low + most, count)
                lengths = np.zeros((ranges, high - low))
                for j, piece in zip(columns, pieces, strict=True):
                    first = int(np.searchsorted(cuts, layout.cuts[j], side="right")) - 1
                    last = int(np.searchsorted(cuts, layout.cuts[j + 1]))
                    local = np.clip(cuts[first : last + 1] - layout.cuts[j], 0, layout.length(j))
                    counted = np.zeros((last - first, high - low))
                    count_columns_of_ranges(piece.indptr[low : high + 1], piece.indices, local, counted)
                    lengths[first:last] += counted
                yield int(layout.cuts[i]) + start + low, lengths
