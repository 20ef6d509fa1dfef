"""Tiles of a graph in memory."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Dropped
from triadic.core.oriented import int_empty, int_zeros, starts_of
from triadic.devices.cpu.triangles.triangle_work import rows_of, split_rows
from triadic.graph.weights import edge_limits_of, limits_of
from triadic.tiles.layout import Layout, number_of_hubs
from triadic.tiles.partition import DegreeCounts, cut_ranks
from triadic.tiles.tile import Tile, TileSource

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, IntegerArray, ObjectArray
    from triadic.core.oriented import EntryValues, Oriented

    Labels = Int64Array | ObjectArray


class MemoryTiles(TileSource):
    """An oriented graph in memory as a source of tiles, each of which is a copy.

    Parameters
    ----------
    oriented : Oriented
        The graph.
    ranges : int or int64 array, shape (ranges + 1,)
        Number of ranges, or the first rank of each range and the number of vertices.
    arcs : int, optional
        Number of different arcs of a directed graph; twice the number of edges by default.
    dropped : Dropped, optional
        Arcs that were dropped or joined when the graph was made; none by default.
    labels : int64 or object array, optional
        Labels of the first vertices; by default vertices have no labels.
    weights : EntryValues, optional
        Weights at the entries of `oriented`, as `triadic.graph.graph.entry_weights` returns them. By default tiles
        have no weights.
    """

    fingerprint = ""

    def __init__(
        self,
        oriented: Oriented,
        ranges: int | Int64Array,
        *,
        arcs: int | None = None,
        dropped: Dropped | None = None,
        labels: Labels | None = None,
        weights: EntryValues | None = None,
    ) -> None:
        self._oriented, self._labels, self._weights = oriented, labels, weights
        if isinstance(ranges, int):
            hubs = number_of_hubs(oriented.num_vertices, oriented.num_edges)
            cuts = cut_ranks(DegreeCounts.of(oriented.degree), ranges, 0, hubs, 1)
        else:
            cuts = ranges
        self._ends = _column_cuts(oriented, cuts)
        edges = int_zeros((len(cuts) - 1, len(cuts) - 1))
        for i in range(len(cuts) - 1):
            rows = self._ends[:, cuts[i] : cuts[i + 1]]
            edges[i] = np.diff(rows, axis=0).sum(axis=1)
        arcs = 2 * oriented.num_edges if arcs is None else arcs
        self.layout = Layout(cuts, edges, oriented.state is not None, arcs, dropped or Dropped())
        if weights is not None:
            self.layout = self.with_weights(weights).layout

    def with_weights(self, weights: EntryValues) -> MemoryTiles:
        """Return the same tiles with weights; the graph is not copied."""
        weighted = copy(self)
        weighted._weights = weights  # noqa: SLF001 - of its own class
        limits, of_edges = limits_of(weights, self._oriented.state), edge_limits_of(weights, self._oriented.state)
        weighted.layout = replace(self.layout, weight_limits=limits, edge_limits=of_edges)
        return weighted

    @property
    def nbytes(self) -> int:
        """Total number of bytes of all tiles."""
        return sum(self.layout.tile_bytes(*tile) for tile in self.layout.tiles)

    def tile(self, i: int, j: int) -> Tile:
        """Return a copy of the tile of rows in range `i` and columns in range `j`."""
        return self.rows(i, j, 0, self.layout.length(i))

    def lengths(self, i: int, j: int) -> Int64Array:
        """Return the number of entries of each row of tile (i, j)."""
        rows = slice(*self.layout.cuts[i : i + 2])
        return self._ends[j + 1, rows] - self._ends[j, rows]

    def rows(self, i: int, j: int, first: int, last: int) -> Tile:
        """Return a copy of the rows `first` .. `last` - 1 of tile (i, j)."""
        cuts = self.layout.cuts
        rows = slice(int(cuts[i]) + first, int(cuts[i]) + last)
        start, stop = self._ends[j, rows], self._ends[j + 1, rows]
        indptr = starts_of(stop - start)
        entries = np.repeat(start - indptr[:-1], stop - start) + np.arange(indptr[-1])
        indices = (self._oriented.indices[entries] - cuts[j]).astype(np.int32)
        state, weights = self._oriented.state, self._weights
        return Tile(
            indptr,
            indices,
            None if state is None else state[entries],
            None if weights is None else np.stack([kind[entries] for kind in weights if kind is not None]),
        )

    def degree(self, i: int) -> Int64Array:
        """Return the degrees of the ranks in range `i`: int64, shape (ranks of the range,)."""
        cuts = self.layout.cuts
        return self._oriented.degree[cuts[i] : cuts[i + 1]]

    def tested(self) -> None:
        """Return None: the numbers of tests of triples are not stored."""

    def fill_ranks(self, rank: IntegerArray) -> None:
        """Write the rank of each vertex to an array of shape (n,)."""
        rank[:] = self._oriented.rank

    def labels(self) -> Labels | None:
        """Return the labels of the first vertices; vertices past the end of the array have none."""
        return self._labels


def _column_cuts(oriented: Oriented, cuts: Int64Array) -> Int64Array:
    """Return the start of each range's columns in each row, and the end of the row: int64, shape (ranges + 1, n)."""
    n, rows = oriented.num_vertices, rows_of(oriented)
    ends = int_empty((len(cuts), n))
    ends[0] = oriented.indptr[:-1]
    for j in range(1, len(cuts)):
        split_rows(rows, int(cuts[j]), (0, n), ends[j])
    return ends
