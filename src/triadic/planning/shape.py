"""The shape of a graph as far as the cost of counting depends on it: its sampled edges by the ranks of their ends.

The shape of a sample that is the whole network is exact. Where nothing but the numbers of vertices and edges is known,
the shape is that of an R-MAT graph in closed form. R-MAT gives a vertex whose id has j ones among its k bits an
expected share of (a + b)**(k - j) * (c + d)**j of the ends of edges (D. Chakrabarti, Y. Zhan and C. Faloutsos, *R-MAT:
a recursive model for graph mining*, SDM 2004). Its degree is then about Poisson distributed, and two vertices are
joined with a probability in proportion to the product of their degrees. So a table of a few thousand strata of ranks
describes a graph of any size.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, lgamma, log2
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from triadic.core.oriented import Sizes
from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.planning.sample import degrees, distinct, runs
from triadic.tiles.layout import UNKNOWN_LIMITS, Layout
from triadic.tiles.partition import DegreeCounts
from triadic.tiles.tile_file import HEAD_BYTES, LIST_HEAD_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import BoolArray, Float64Array, Int64Array, IntegerArray
    from triadic.planning.sample import Sample

_UPPER, _LOWER = 0.76, 0.24  # a + b and c + d of Graph500
_SPREAD, _TABLE = 64, 200  # expected degrees below which a class is spread over degrees, and the length of that table
_STRATA = 1024  # strata of equal ends of edges, and as many of equal ratios of ranks


@record
class Shape:
    """A graph seen through a sample; arrays without a comment have an element for each sampled edge."""

    vertices: int
    edges: int
    arcs: int  # different ones; an undirected edge counts twice
    keys: int  # arcs as they are read, without loops
    most: int  # largest degree, with repeats
    degrees: DegreeCounts  # with repeats
    directed: bool
    both_ends: bool  # whether the file has each edge at both its ends
    row: Float64Array  # rank of the end with the larger rank
    column: Float64Array  # rank of the other end
    end: Int64Array  # number of the row's vertex among the sampled vertices
    place: Int64Array  # place in the file where the edge was read
    edge: float  # edges that one sampled edge stands for, and pairs of edges that a pair of one place stands for
    far: float  # pairs of edges that a pair stands for that was read in two places
    all_rows: Float64Array  # as `row`, of all sampled arcs except loops, with repeats
    all_columns: Float64Array  # as `column`, of the same arcs

    def to_undirected(self) -> Shape:
        """Return the shape of the graph without directions."""
        return replace(self, directed=False, arcs=2 * self.edges)

    def tile_edges(self, cuts: Int64Array) -> Int64Array:
        """Return the number of edges of each tile: int64, shape (ranges, ranges)."""
        return _in_tiles(cuts, self.row, self.column, self.edge)

    def cell_keys(self, cuts: Int64Array) -> Int64Array:
        """Return the number of keys of each cell of fine ranges: int64, shape (fine ranges, fine ranges)."""
        return _in_tiles(cuts, self.all_rows, self.all_columns, self.keys / max(1, len(self.all_rows)))

    def longest_rows(self, cuts: Int64Array) -> Int64Array:
        """Return the length of the longest row of each tile: int64, shape (ranges, ranges)."""
        ranges = len(cuts) - 1
        longest = np.zeros((ranges, ranges), np.int64)
        rows, lengths = runs((self.end * ranges + ranges_of(cuts, self.column)) * ranges + ranges_of(cuts, self.row))
        np.maximum.at(longest, (rows % ranges, rows // ranges % ranges), np.round(lengths * self.edge).astype(np.int64))
        return longest

    def row_pairs(self, cuts: Int64Array, i: int) -> Float64Array:
        """Return the pairs of edges in one row of range `i` by the ranges of their columns: shape (i + 1, i + 1)."""
        columns = ranges_of(cuts, self.column)
        return pairs(self, columns, len(cuts) - 1, ranges_of(cuts, self.row) == i)[: i + 1, : i + 1]


def sampled_shape(sample: Sample) -> Shape:
    """Estimate the shape of the whole graph from a sample."""
    both = np.concatenate([sample.place, sample.place])
    ids, ends = np.unique(np.concatenate([sample.source, sample.target]), return_inverse=True)
    seen, source, target = len(ids), ends[: len(sample.source)], ends[len(sample.source) :]
    sample = replace(sample, source=source, target=target)
    joined = max(seen, round(distinct(ends.astype(np.int64), both, sample)))  # vertices with arcs
    vertices = joined if sample.vertices is None else max(seen, sample.vertices)
    degree = degrees(sample, seen)
    weight = _weights(degree, sample, min(joined, vertices))
    if seen:
        degree *= 2 * sample.arcs / float((degree * weight).sum())
    order = np.argsort(-degree, kind="stable")
    before = np.cumsum(weight[order]) - weight[order]
    rank = np.empty(seen)
    rank[order] = before if sample.whole else before + weight[order] / 2
    proper = source != target
    source, target, place = source[proper], target[proper], sample.place[proper].astype(np.int64)
    lower = rank[source] < rank[target]
    rows, columns = np.where(lower, target, source), np.where(lower, source, target)
    keys = rows * max(1, seen) + columns
    _, first = np.unique(keys, return_index=True)
    edges = float(len(first)) if sample.whole else max(distinct(keys, place, sample), float(len(first)))
    arcs = distinct(keys * 2 + (source == rows), place, sample) if sample.directed else 2 * edges
    stands_for = edges / max(1, len(first)) or 1.0
    k, c = sample.of_places, sample.places
    across = 1.0 if sample.whole or c < 2 else (k - 1) * c / (k * (c - 1))
    return Shape(
        vertices=vertices,
        edges=round(edges),
        arcs=round(arcs),
        keys=round(len(keys) * sample.arcs / max(1, len(proper))),
        most=int(degree.max(initial=0)),
        degrees=_counts_of(np.maximum(degree[order], 1), weight[order], vertices),
        directed=sample.directed,
        both_ends=sample.both_ends,
        row=rank[rows[first]],
        column=rank[columns[first]],
        end=rows[first],
        place=place[first],
        edge=stands_for,
        far=stands_for * stands_for * across,
        all_rows=rank[rows],
        all_columns=rank[columns],
    )


def _weights(degree: Float64Array, sample: Sample, vertices: int) -> Float64Array:
    """Return how many vertices each sampled one stands for: itself, and its share of those without a sampled arc."""
    missed = max(0, vertices - len(degree))
    if not missed or not len(degree):
        return np.ones(len(degree))
    absent = (1 - sample.share) ** degree
    chance = np.maximum(absent / np.maximum(1 - absent, 1e-12), 1e-12)
    return 1 + missed * chance / float(chance.sum())


def _counts_of(degree: Float64Array, number: Float64Array, vertices: int) -> DegreeCounts:
    """Return how many of all vertices have each whole degree, from falling degrees, each of some vertices."""
    last = np.minimum(np.round(np.cumsum(number)).astype(np.int64), vertices)
    values, of_value = np.unique(np.append(np.round(degree).astype(np.int64), 0), return_inverse=True)
    counts = np.bincount(of_value, np.diff(np.append(last, vertices), prepend=0)).astype(np.int64)
    return DegreeCounts(values[::-1], counts[::-1])


def pairs(shape: Shape, group: IntegerArray, groups: int, chosen: BoolArray | None = None) -> Float64Array:
    """Count the pairs of edges of one row by the groups of their columns: symmetric float64, shape (groups, groups).

    Parameters
    ----------
    shape : Shape
    group : int array, shape (sampled edges,)
    groups : int
    chosen : bool array, shape (sampled edges,), optional
        Edges that are counted; all by default.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import

    end, place = shape.end, shape.place
    if chosen is not None:
        end, place, group = end[chosen], place[chosen], group[chosen]

    def together(rows: Int64Array) -> Float64Array:
        if len(rows) == 0:
            return np.zeros((groups, groups))
        _, number = np.unique(rows, return_inverse=True)
        lengths = csr_array((np.ones(len(rows)), (number, group)), shape=(int(number.max()) + 1, groups))
        found = np.asarray((lengths.T @ lengths).todense())
        np.fill_diagonal(found, (np.diagonal(found) - np.asarray(lengths.sum(axis=0)).ravel()) / 2)
        return found

    every = together(end)
    if shape.edge == shape.far:
        return every * shape.far
    same = together(end * (int(shape.place.max(initial=0)) + 1) + place)
    return same * shape.edge + (every - same) * shape.far


def ranges_of(cuts: Int64Array, ranks: Float64Array) -> Int64Array:
    """Return the range of each rank."""
    return np.asarray(np.searchsorted(cuts[1:-1], ranks, side="right"), np.int64)


def _in_tiles(cuts: Int64Array, rows: Float64Array, columns: Float64Array, each: float) -> Int64Array:
    """Return the number of edges between each two ranges, of sampled edges that stand for `each` edges."""
    ranges = len(cuts) - 1
    sampled = np.bincount(ranges_of(cuts, rows) * ranges + ranges_of(cuts, columns), minlength=ranges**2)
    return np.round(sampled.reshape(ranges, ranges) * each).astype(np.int64)


class ModelShape:
    """The shape of an R-MAT graph; with the attributes and methods of `Shape`."""

    def __init__(self, vertices: int, edges: int, *, directed: bool, both_ends: bool = False) -> None:
        if vertices < 2 or edges < 1 or edges > vertices * (vertices - 1) // 2:
            raise ArgumentError(
                f"--num-vertices {vertices} --edges {edges}: expected 2 or more vertices and edges between them"
            )
        self.vertices, self.edges, self.directed = vertices, edges, directed
        self.both_ends = both_ends
        self.arcs, self.keys = (1 if directed else 2) * edges, (2 if both_ends else 1) * edges
        count, degree = _degrees(vertices, edges)
        self.most, self.degrees = int(degree[0]), _counts_of(degree, count, vertices)
        ranks, ends = (np.concatenate([[0.0], np.cumsum(part)]) for part in (count, count * degree))
        even = np.interp(np.linspace(0, ends[-1], _STRATA), ends, ranks)
        self._rank = np.unique(np.concatenate([ranks, even, np.geomspace(1, vertices, _STRATA)]))
        self._share = np.interp(self._rank, ranks, ends / ends[-1])

    def to_undirected(self) -> ModelShape:
        """Return the shape of the graph without directions."""
        return ModelShape(self.vertices, self.edges, directed=False, both_ends=self.both_ends)

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

    def cell_keys(self, cuts: Int64Array) -> Int64Array:
        """Return the expected number of keys of each cell of fine ranges, as `Shape.cell_keys`."""
        return self.keys // self.edges * self.tile_edges(cuts)

    def longest_rows(self, cuts: Int64Array) -> Int64Array:
        """Return the expected length of the longest row of each tile: int64, shape (ranges, ranges)."""
        longest = np.zeros((len(cuts) - 1,) * 2, np.int64)
        for i in range(len(longest)):
            longest[i, : i + 1] = np.ceil(self._rows(cuts, i)[1].max(axis=0))
        return longest

    def row_pairs(self, cuts: Int64Array, i: int) -> Float64Array:
        """Return the pairs of edges in one row of range `i` by the ranges of their columns: shape (i + 1, i + 1)."""
        rows, entries = self._rows(cuts, i)
        found = (entries * rows[:, None]).T @ entries
        found[np.diag_indices(i + 1)] /= 2
        return np.asarray(found)

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


AnyShape: TypeAlias = Shape | ModelShape


def sizes_of(shape: AnyShape) -> Sizes:
    """Return the sizes that memory and work of a count depend on."""
    whole = np.array([0, shape.vertices])
    longest, pairs = shape.longest_rows(whole)[0, 0], shape.row_pairs(whole, 0)[0, 0]
    return Sizes(shape.vertices, shape.edges, directed=shape.directed, longest=int(longest), pairs=float(pairs))


def shape_of(sample: Sample) -> AnyShape:
    """Return the shape of the whole graph of a sample."""
    if sample.edges is None:
        return sampled_shape(sample)
    return ModelShape(sample.vertices or 0, sample.edges, directed=sample.directed, both_ends=sample.both_ends)


@record
class TileEstimate:
    """The tiles of a graph.

    ``row_pairs(i)`` returns the pairs of entries in one row of range i by the ranges of their columns, as
    `triadic.tiles.work.entries_tested_in`: float64, shape (i + 1, i + 1).
    """

    layout: Layout  # with limits of weights if the tiles have weights
    row_pairs: Callable[[int], Float64Array]
    file_bytes: Int64Array  # of the file of each tile, shape (P, P)
    counted: int  # number of ranks that are counted: all but leaves

    @property
    def stored_bytes(self) -> int:
        """Bytes of all files of tiles."""
        return int(self.file_bytes.sum())

    def without_weights(self) -> TileEstimate:
        """Return the tiles as a count that takes no weights reads them."""
        layout, weights = self.layout, 8 * self.layout.kinds * self.layout.tile_edges
        return replace(self, layout=replace(layout, weight_limits=None), file_bytes=self.file_bytes - weights)


def layout_of(shape: AnyShape, cuts: Int64Array, *, weighted: bool = False) -> Layout:
    """Return the ranges and tiles of a graph whose ranks are cut."""
    limits = UNKNOWN_LIMITS if weighted else None
    return Layout(cuts, shape.tile_edges(cuts), shape.directed, shape.arcs, weight_limits=limits)


def tiles_of(shape: AnyShape, cuts: Int64Array, *, weighted: bool = False) -> TileEstimate:
    """Return the tiles of a graph whose ranks are cut."""
    layout, longest = layout_of(shape, cuts, weighted=weighted), shape.longest_rows(cuts)
    width = np.where(longest < 1 << 8, 1, np.where(longest < 1 << 16, 2, 4))  # bytes of the length of a row
    content = layout.edge_bytes * layout.tile_edges + width * np.diff(cuts)[:, None]
    head = HEAD_BYTES + LIST_HEAD_BYTES * (2 + shape.directed + weighted)
    files = np.where(np.tri(layout.ranges, dtype=np.bool_), head + content, 0)
    return TileEstimate(layout, lambda i: shape.row_pairs(cuts, i), files, shape.degrees.counted)


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
