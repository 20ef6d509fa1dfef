"""The layout of tiles: ranks are cut into ranges, and an edge lies in the tile of its row's and its column's range.

A triangle {u, v, w} with ranks u > v > w has u in a range i, v in a range j and w in a range k, where i >= j >= k. Its
edges are in the tiles (i, j), (i, k) and (j, k). Every triangle lies in exactly one triple of ranges, so triples are
counted separately and added up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isqrt, log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arcs import Dropped
from triadic.graph.weights import EdgeLimits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triadic.core.array_types import Int64Array


UNKNOWN_LIMITS = (0.0, 0.0)  # of tiles whose weights are not sorted yet


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The size of a graph and the ranges of its tiles.

    Attributes
    ----------
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices. Ranks are those of `triadic.core.oriented.Oriented`.
    tile_edges : int64 array, shape (ranges, ranges)
        Number of edges in the tile of rows in range i and columns in range j; zero where j > i.
    directed : bool
        Whether tiles store the directions of arcs.
    arcs : int
        Number of different arcs of a directed graph; twice the number of edges of an undirected one.
    dropped : Dropped
        Arcs that were dropped or joined when the graph was made.
    weight_limits : (float, float), optional
        Least and largest weight of the arcs, if tiles come with weights; (0, 0) without arcs.
    edge_limits : EdgeLimits, optional
        Limits of the weights of edges without directions, of tiles with weights. None if they are not known, or exceed
        float64.
    """

    cuts: Int64Array
    tile_edges: Int64Array
    directed: bool
    arcs: int
    dropped: Dropped = field(default_factory=Dropped)
    weight_limits: tuple[float, float] | None = None
    edge_limits: EdgeLimits | None = None

    @property
    def weighted(self) -> bool:
        """Whether tiles come with weights."""
        return self.weight_limits is not None

    @property
    def kinds(self) -> int:
        """Number of weights of an edge in a tile: 0 without weights, 1 if undirected, 2 if directed."""
        return int(self.weighted) * (1 + int(self.directed))

    @property
    def edge_bytes(self) -> int:
        """Number of bytes of an edge in a tile in memory."""
        return (5 if self.directed else 4) + 8 * self.kinds

    @property
    def ranges(self) -> int:
        """Number of ranges, P."""
        return len(self.cuts) - 1

    @property
    def vertices(self) -> int:
        """Number of vertices, n."""
        return int(self.cuts[-1])

    @property
    def edges(self) -> int:
        """Number of edges of the skeleton, m."""
        return int(self.tile_edges.sum())

    def length(self, i: int) -> int:
        """Return the number of ranks in range `i`."""
        return int(self.cuts[i + 1] - self.cuts[i])

    def tile_bytes(self, i: int, j: int) -> int:
        """Return the number of bytes of the tile of ranges `i` and `j` in memory."""
        return 8 * (self.length(i) + 1) + self.edge_bytes * int(self.tile_edges[i, j])

    def first_ranks(self, ranks: int) -> Layout:
        """Return the layout of the first `ranks` ranks alone.

        Ranges past them become empty. `tile_edges` is an upper bound in the range that is cut short.
        """
        cuts = np.minimum(self.cuts, ranks)
        return replace(self, cuts=cuts, tile_edges=self.tile_edges * (np.diff(cuts) > 0)[:, None])


def joined_limits(limits: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    """Return the least and the largest number of the limits of several tiles; None if those of a tile are not known.

    Examples
    --------
    >>> joined_limits([(1.0, 3.0), (2.0, 5.0)]), joined_limits([]), joined_limits([(1.0, 3.0), None])
    ((1.0, 5.0), (0.0, 0.0), None)
    """
    known = [found for found in limits if found is not None]
    if len(known) < len(limits):
        return None
    return min((least for least, _ in known), default=0.0), max((most for _, most in known), default=0.0)


def joined_edge_limits(limits: Sequence[EdgeLimits | None]) -> EdgeLimits | None:
    """Return the limits of the edges of several tiles; None if those of a tile are not known."""
    known = [found for found in limits if found is not None]
    joined = joined_limits([None if found is None else found[:2] for found in limits])
    return None if joined is None else EdgeLimits(*joined, sum(found.equal for found in known))


def tile_number(i: int, j: int) -> int:
    """Return the number of tile (i, j), j <= i, among all tiles in the order (0, 0), (1, 0), (1, 1), (2, 0), ..."""
    return i * (i + 1) // 2 + j


def tile_of_number(number: int) -> tuple[int, int]:
    """Return the ranges i and j of a tile from its number.

    Examples
    --------
    >>> [tile_of_number(tile_number(*tile)) for tile in ((0, 0), (1, 0), (4, 3), (4, 4), (5, 0))]
    [(0, 0), (1, 0), (4, 3), (4, 4), (5, 0)]
    """
    i = (isqrt(8 * number + 1) - 1) // 2
    return i, number - i * (i + 1) // 2


def number_of_hubs(n: int, edges: int) -> int:
    """Return the least number of ranks, of `n`, that the first range should hold.

    Bit rows of hubs pay only if all hubs are in one range (`triadic.devices.cpu.triangles.triangle_work`), and about
    twice the square root of the number of edges are hubs for which they pay. Their number is a power of two there.
    """
    return min(1 << round(log2(max(1, 4 * edges)) / 2), n // 2)


def cuts_of(degree: Int64Array, ranges: int) -> Int64Array:
    """Cut ranks into ranges of about equal sums of degrees; the first holds the hubs, and may have a larger sum.

    Parameters
    ----------
    degree : int array, shape (n,)
        Degree of each rank, falling or nearly so.
    ranges : int
        Number of ranges, at least 1. Fewer ranges result if there are too few vertices.

    Returns
    -------
    int64 array, shape (ranges + 1,)
        First rank of each range, and n.
    """
    n = len(degree)
    ends = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])
    total = int(ends[-1])
    if ranges == 1 or n < 2:
        return np.array([0, n], dtype=np.int64)
    first = max(number_of_hubs(n, total // 2), int(np.searchsorted(ends, total / ranges)), 1)
    marks = ends[first] + (total - ends[first]) * np.arange(1, ranges - 1) / (ranges - 1)
    return np.unique(np.concatenate([[0, first], np.searchsorted(ends, marks), [n]])).astype(np.int64)


class Triple(NamedTuple):
    """The ranges of u, v and w."""

    i: int
    j: int
    k: int

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The one, two or three different tiles that hold the edges of the triple's triangles."""
        return tuple(dict.fromkeys([(self.i, self.j), (self.i, self.k), (self.j, self.k)]))

    @property
    def ranges(self) -> tuple[int, ...]:
        """The different ranges, in the order of local ranks: the range of w, of v, of u."""
        return tuple(dict.fromkeys([self.k, self.j, self.i]))


def triples(layout: Layout) -> Iterator[Triple]:
    """Yield the triples that can hold a triangle: all three tiles have edges."""
    edges = layout.tile_edges
    for i in range(layout.ranges):
        for j in range(i + 1):
            for k in range(j + 1):
                if edges[i, j] and edges[i, k] and edges[j, k]:
                    yield Triple(i, j, k)
