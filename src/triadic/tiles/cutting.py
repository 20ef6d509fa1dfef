"""Where ranks are cut into ranges, and the tiles of a graph that is in memory."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.cpu.middle_lists import as_unsigned
from triadic.devices.cpu.triangle_work import split_rows
from triadic.tiles.layout import Layout
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.arcs import Dropped
    from triadic.core.oriented import Oriented


def ranks_of_hubs(n: int, edges: int) -> int:
    """Give how many of `n` ranks the first range should have at least.

    Hubs are worth their bits only side by side in one range (`triadic.devices.cpu.triangle_work`), and twice the square
    root of the edges is about as many as pay.
    """
    return min(2 * isqrt(edges), n // 2)


def cuts_of(degree: NDArray[np.int64], ranges: int) -> NDArray[np.int64]:
    """Cut ranks into ranges of about equal sums of degrees; the first holds the hubs, and may have more.

    Parameters
    ----------
    degree : int array, shape (n,)
        By rank; falling, or nearly.
    ranges : int
        At least 1; fewer come of it where there are not so many vertices.

    Returns
    -------
    int64 array, shape (ranges + 1,)

    """
    n = len(degree)
    ends = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])
    total = int(ends[-1])
    if ranges == 1 or n < 2:
        return np.array([0, n], dtype=np.int64)
    first = max(ranks_of_hubs(n, total // 2), int(np.searchsorted(ends, total / ranges)), 1)
    marks = ends[first] + (total - ends[first]) * np.arange(1, ranges - 1) / (ranges - 1)
    return np.unique(np.concatenate([[0, first], np.searchsorted(ends, marks), [n]])).astype(np.int64)


class GraphInMemory:
    """An oriented graph in memory as a source of tiles.

    Parameters
    ----------
    oriented : Oriented
    ranges : int or int64 array
        How many, or where ranks are cut.
    arcs : int
        Of a directed graph, its different arcs.
    dropped : Dropped, optional
    """

    def __init__(
        self,
        oriented: Oriented,
        ranges: int | NDArray[np.int64],
        arcs: int | None = None,
        dropped: Dropped | None = None,
    ) -> None:
        self._oriented = oriented
        cuts = cuts_of(oriented.degree, ranges) if isinstance(ranges, int) else ranges
        self._ends = _column_cuts(oriented, cuts)
        edges = np.zeros((len(cuts) - 1, len(cuts) - 1), dtype=np.int64)
        for i in range(len(cuts) - 1):
            rows = self._ends[:, cuts[i] : cuts[i + 1]]
            edges[i] = np.diff(rows, axis=0).sum(axis=1)
        given = {} if dropped is None else {"dropped": dropped}
        self._layout = Layout(
            cuts, edges, oriented.state is not None, 2 * oriented.num_edges if arcs is None else arcs, **given
        )

    @property
    def layout(self) -> Layout:
        """The graph's figures and ranges."""
        return self._layout

    def tile(self, i: int, j: int) -> Tile:
        """Give the tile of rows in range `i` and columns in range `j`: a copy."""
        cuts = self._layout.cuts
        rows = slice(int(cuts[i]), int(cuts[i + 1]))
        start, stop = self._ends[j, rows], self._ends[j + 1, rows]
        indptr = np.concatenate([[0], np.cumsum(stop - start)])
        places = np.repeat(start - indptr[:-1], stop - start) + np.arange(indptr[-1])
        indices = (self._oriented.indices[places] - cuts[j]).astype(np.int32)
        state = self._oriented.state
        return Tile(indptr, indices, None if state is None else state[places])

    def degree(self, i: int) -> NDArray[np.int64]:
        """Give the degrees of the ranks in range `i`."""
        cuts = self._layout.cuts
        return self._oriented.degree[cuts[i] : cuts[i + 1]]


def _column_cuts(oriented: Oriented, cuts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give where in each row the columns of each range begin, and end: int64, shape (ranges + 1, n)."""
    n, indices = oriented.num_vertices, as_unsigned(oriented.indices)
    ends = np.empty((len(cuts), n), dtype=np.int64)
    ends[0] = oriented.indptr[:-1]
    for j in range(1, len(cuts)):
        split_rows(oriented.indptr, indices, int(cuts[j]), 0, n, ends[j])
    return ends
