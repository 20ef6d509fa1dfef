"""A graph in memory as tiles, with all that a tiled graph knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.tiles.graph_in_memory import GraphInMemory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph


class TilesOfGraph(GraphInMemory):
    """Tiles of a graph in memory, each copied out when it is asked for.

    Parameters
    ----------
    graph : Graph
    ranges : int
    """

    fingerprint = ""

    def __init__(self, graph: Graph, ranges: int) -> None:
        super().__init__(graph.oriented(), ranges, graph.num_arcs, graph.dropped)
        self._rank, self._labels = graph.oriented().rank, graph.labels

    @property
    def nbytes(self) -> int:
        """Bytes that all tiles take."""
        ranges = range(self.layout.ranges)
        return sum(self.layout.tile_bytes(i, j) for i in ranges for j in range(i + 1))

    def tested(self) -> None:
        """Give what triples test: not known before it is asked for."""

    def rank_of_vertices(self) -> NDArray[np.integer[Any]]:
        """Give the rank of each vertex, an int32 or int64 array of shape (n,)."""
        return self._rank

    def labels(self) -> NDArray[np.int64] | NDArray[np.object_] | None:
        """Give the names of the vertices 0, 1, ...; vertices past its end have none."""
        return self._labels
