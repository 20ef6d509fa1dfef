"""How a graph is cut into tiles: ranges of ranks, and an oriented edge in the tile of its row's and column's range."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triadic.core.arcs import Dropped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A graph's figures, and where its ranges and tiles are.

    Attributes
    ----------
    cuts : int64 array, shape (ranges + 1,)
        First rank of each range, and the number of vertices. Ranks are those of `triadic.core.oriented.Oriented`.
    tile_edges : int64 array, shape (ranges, ranges)
        Edges in the tile of rows in range i and columns in range j; none where j > i.
    directed : bool
        Whether tiles say which way arcs run.
    arcs : int
        Different arcs of a directed graph; twice the edges of an undirected one.
    dropped : Dropped
        What was dropped or joined when the graph was made.
    """

    cuts: NDArray[np.int64]
    tile_edges: NDArray[np.int64]
    directed: bool
    arcs: int
    dropped: Dropped = field(default_factory=Dropped)

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
        """Give the number of ranks in range `i`."""
        return int(self.cuts[i + 1] - self.cuts[i])

    def tile_bytes(self, i: int, j: int) -> int:
        """Give the bytes that the tile of ranges `i` and `j` takes in memory."""
        return 8 * (self.length(i) + 1) + (5 if self.directed else 4) * int(self.tile_edges[i, j])
