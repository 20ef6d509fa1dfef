"""The oriented graph: the one thing that counts take.

Vertices are ranked by falling degree, so that a hub has a small rank, and an edge is kept once, in the row of its
larger rank. A row is then never longer than sqrt(2 edges), and every triangle is met once, at its largest rank. Where
arcs were repeated the ranks follow the degree with repeats, and the bound is that of the arcs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.frozen import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Oriented:
    """An oriented graph on n vertices with m edges.

    Attributes
    ----------
    rank : int32 or int64 array, shape (n,)
        Rank of each vertex, 0 for the highest degree; repeats of arcs count in it.
    indptr : int64 array, shape (n + 1,)
        Where each rank's row begins.
    indices : int32 or int64 array, shape (m,)
        Ranks of smaller value joined to each rank, rising within a row.
    state : uint8 array, shape (m,), optional
        Of a directed graph: 1 for an arc from the row's vertex, 2 for one to it, 3 for both.
    degree : int64 array, shape (n,)
        Degree of each rank in the skeleton.
    """

    rank: Ids
    indptr: NDArray[np.int64]
    indices: Ids
    state: NDArray[np.uint8] | None
    degree: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name in ("rank", "indptr", "indices", "state", "degree"):
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, frozen(array))

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.rank)

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return len(self.indices)

    @property
    def order(self) -> Ids:
        """Vertex at each rank: the inverse of `rank`. O(n)."""
        order = np.empty_like(self.rank)
        order[self.rank] = np.arange(len(order), dtype=order.dtype)
        return order


@dataclass(frozen=True, slots=True)
class OrientationSummary:
    """Counts taken while arcs were oriented.

    Attributes
    ----------
    arcs : int
        Distinct arcs, without loops.
    loops : int
        Arcs from a vertex to itself.
    duplicates : int
        Exact repeats of an arc.
    reciprocal : int
        Edges with an arc in each direction.
    """

    arcs: int
    loops: int
    duplicates: int
    reciprocal: int
