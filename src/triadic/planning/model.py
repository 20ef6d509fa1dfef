"""The shape of an R-MAT graph in closed form: all that is known are its numbers of vertices and edges.

R-MAT gives a vertex whose id has j ones among its k bits an expected share of (a + b)**(k - j) * (c + d)**j of the ends
of edges (D. Chakrabarti, Y. Zhan and C. Faloutsos, *R-MAT: a recursive model for graph mining*, SDM 2004). Its degree
is then about Poisson distributed, and two vertices are joined with a probability in proportion to the product of their
degrees. So a table of a few thousand strata of ranks describes a graph of any size.
"""

from __future__ import annotations

from math import ceil, lgamma, log2
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import Sizes
from triadic.errors import ArgumentError
from triadic.planning.shape import HubRows, sampled_shape
from triadic.tiles.layout import number_of_hubs
from triadic.tiles.partition import vertex_ends

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape

_UPPER, _LOWER = 0.76, 0.24  # a + b and c + d of Graph500
_SPREAD, _TABLE = 64, 200  # expected degrees below which a class is spread over degrees, and the length of that table
_STRATA = 1024  # strata of equal ends of edges, and as many of equal ratios of ranks


class ModelShape:
    """The shape of an R-MAT graph; with the attributes and methods of `triadic.planning.shape.Shape`."""

    def __init__(self, vertices: int, edges: int, *, directed: bool, both_ends: bool = False) -> None:
        if vertices < 2 or edges < 1 or edges > vertices * (vertices - 1) // 2:
            raise ArgumentError(
                f"--num-vertices {vertices} --edges {edges}: expected 2 or more vertices and edges between them"
            )
        self.vertices, self.edges, self.directed = vertices, edges, directed
        self.both_ends = both_ends
        self.arcs, self.keys = (1 if directed else 2) * edges, (2 if both_ends else 1) * edges
        count, degree = _degrees(vertices, edges)
        self.most, self.counted = int(degree[0]), round(float(count[degree >= 2].sum()))
        ranks, ends = (np.concatenate([[0.0], np.cumsum(part)]) for part in (count, count * degree))
        even = np.interp(np.linspace(0, ends[-1], _STRATA), ends, ranks)
        self._rank = np.unique(np.concatenate([ranks, even, np.geomspace(1, vertices, _STRATA)]))
        self._share = np.interp(self._rank, ranks, ends / ends[-1])

    @property
    def sizes(self) -> Sizes:
        """The sizes that memory and work of a count depend on."""
        rows, entries = self._rows(np.array([0, self.vertices]), 0)
        total = entries[:, 0]
        pairs = float(rows @ total**2) / 2
        longest = min(ceil(total.max()), self.vertices)
        return Sizes(self.vertices, self.edges, directed=self.directed, longest_row=longest, row_pairs=pairs)

    def to_undirected(self) -> ModelShape:
        """Return the shape of the graph without directions."""
        return ModelShape(self.vertices, self.edges, directed=False, both_ends=self.both_ends)

    def cuts(self, ranges: int, *, hubs: bool = True, spread: bool = False) -> Int64Array:
        """Cut ranks into ranges of about equal ends of edges, the first perhaps larger, with all `hubs`.

        With `spread`, as on a cluster, none has much more than its share of the vertices.
        """
        of_vertex = vertex_ends(self.vertices, 2 * self.edges, spread=spread)
        cost = 2 * self.edges * self._share + of_vertex * self._rank
        first = cost[-1] / ranges
        if hubs and ranges > 1:
            first = max(first, float(np.interp(number_of_hubs(self.vertices, self.edges), self._rank, cost)))
        marks = first + np.arange(ranges - 1) * ((cost[-1] - first) / max(1, ranges - 1))
        inner = np.round(np.interp(marks, cost, self._rank)).astype(np.int64)
        return np.unique(np.concatenate([[0], inner, [self.vertices]]))

    def tile_edges(self, cuts: Int64Array) -> Int64Array:
        """Return the expected number of edges of each tile: int64, shape (ranges, ranges)."""
        share, length = np.diff(np.interp(cuts, self._rank, self._share)), np.diff(cuts).astype(float)
        lower = np.tri(len(share)) - np.eye(len(share)) / 2
        most = np.outer(length, length) * lower
        found = 2 * self.edges * np.outer(share, share) * lower
        for _ in range(3):  # a tile that is full leaves edges to the others
            found = np.minimum(found * (self.edges / found.sum()), most)
        whole = np.round(found).astype(np.int64)
        whole.flat[np.argmax(whole)] += self.edges - int(whole.sum())
        return whole

    def longest_rows(self, cuts: Int64Array) -> Int64Array:
        """Return the expected length of the longest row of each tile: int64, shape (ranges, ranges)."""
        longest = np.zeros((len(cuts) - 1,) * 2, dtype=np.int64)
        for i in range(len(longest)):
            longest[i, : i + 1] = np.ceil(self._rows(cuts, i)[1].max(axis=0))
        return longest

    def row_pairs(self, cuts: Int64Array, i: int) -> Float64Array:
        """Return the pairs of edges in one row of range `i` by the ranges of their columns: shape (i + 1, i + 1)."""
        rows, entries = self._rows(cuts, i)
        found = (entries * rows[:, None]).T @ entries
        found[np.diag_indices(i + 1)] /= 2
        return np.asarray(found)

    def hub_rows(self, hubs: int) -> HubRows:
        """Return how rows divide into entries of hubs and others."""
        rows, total = self._rows(np.array([0, self.vertices]), 0)
        near = total[:, 0].copy()
        if 0 < hubs < self.vertices:
            cuts = np.array([0, hubs, self.vertices])
            parts = [self._rows(cuts, i) for i in range(2)]
            rows = np.concatenate([part[0] for part in parts])
            near = np.concatenate([part[1][:, 0] for part in parts])
            total = np.concatenate([part[1].sum(axis=1, keepdims=True) for part in parts])
        near = near if hubs else np.zeros(len(rows))
        pairs = float(rows @ (total[:, 0] ** 2 - near**2)) / 2
        return HubRows(near, rows, pairs, self.edges - float(rows @ near))

    def _rows(self, cuts: Int64Array, i: int) -> tuple[Float64Array, Float64Array]:
        """Return strata of range `i`: their number of rows, and the expected entries of one in each tile."""
        inside = self._rank[(self._rank > cuts[i]) & (self._rank < cuts[i + 1])]
        bounds = np.concatenate([[cuts[i]], inside, [cuts[i + 1]]]).astype(float)
        share, rows = np.interp(bounds, self._rank, self._share), np.diff(bounds)
        degree = 2 * self.edges * np.diff(share) / rows
        tiles = np.interp(cuts[: i + 1], self._rank, self._share)
        columns = np.broadcast_to(np.diff(tiles, append=0.0), (len(rows), i + 1)).copy()
        columns[:, i] = (share[1:] + share[:-1]) / 2 - tiles[i]
        length = np.broadcast_to(np.diff(cuts[: i + 2]).astype(float), columns.shape).copy()
        length[:, i] = (bounds[1:] + bounds[:-1]) / 2 - cuts[i]
        return rows, np.minimum(degree[:, None] * columns, length)


def shape_of(sample: Sample) -> Shape | ModelShape:
    """Return the shape of the whole graph of a sample."""
    if sample.edges is None:
        return sampled_shape(sample)
    return ModelShape(sample.vertices or 0, sample.edges, directed=sample.directed, both_ends=sample.both_ends)


def _degrees(vertices: int, edges: int) -> tuple[Float64Array, Float64Array]:
    """Return numbers of vertices and their degrees, which fall."""
    bits = max(1, ceil(log2(vertices)))
    ones = np.arange(bits + 1)
    count = np.exp([lgamma(bits + 1) - lgamma(j + 1) - lgamma(bits - j + 1) for j in ones]) * (vertices / 2.0**bits)
    degree = 2 * edges / vertices * 2.0**bits * _UPPER ** (bits - ones) * _LOWER**ones
    low, table = degree < _SPREAD, np.arange(_TABLE)
    factorial = np.array([lgamma(x + 1) for x in table])
    chance = np.exp(table[:, None] * np.log(degree[low]) - degree[low] - factorial[:, None])
    count = np.concatenate([count[~low], chance @ count[low]])
    degree = np.concatenate([degree[~low], table])
    order = np.argsort(-degree, kind="stable")
    count, degree = count[order] * (vertices / count.sum()), degree[order]
    for _ in range(3):  # a vertex has at most all others as neighbours
        degree = np.minimum(degree * (2 * edges / float(count @ degree)), vertices - 1)
    return count, degree
