"""Square lattices and tori, computed by arithmetic on the numbers of the arcs, without random draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.checked import checked
from triadic.errors import ArgumentError
from triadic.generate.arguments import MOST_VERTICES, check_whole, set_fields
from triadic.generate.model import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]


def grid(
    rows: int, columns: int, *, periodic: bool = False, directed: bool = False, threads: int | None = None
) -> Graph:
    """Make a square lattice, in which each vertex is joined to its right and its lower neighbour.

    Vertex ``r * columns + c`` lies in row r and column c.

    Parameters
    ----------
    rows : int
        Number of rows, at least 1.
    columns : int
        Number of columns, at least 1; ``rows * columns`` is at most 2**31.
    periodic : bool, default False
        Make a torus: join the last row to the first if there are at least 3 rows, and the last column to the first
        if there are at least 3 columns.
    directed : bool, default False
        Return a directed graph, whose arcs run right and down.
    threads : int, optional
        Number of threads; by default as many as the process may use.

    Returns
    -------
    Graph
        A graph of ``rows * columns`` vertices, without loops and repeats.

    Raises
    ------
    ArgumentError
        `rows` or `columns` is out of its range, or their product is more than 2**31.
    OutOfMemoryError
        The graph does not fit in memory.

    Notes
    -----
    Takes time and memory proportional to the number of edges.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.grid(3, 4).num_edges
    17
    >>> generate.grid(3, 4, periodic=True).num_edges
    24
    """
    return make_graph(Grid(rows, columns, periodic=periodic, directed=directed), threads=threads)


@checked
@dataclass(frozen=True)
class Grid:
    """The square lattice; `grid` describes it.

    Parameters
    ----------
    rows : int
        Number of rows, at least 1.
    columns : int
        Number of columns, at least 1; ``rows * columns`` is at most 2**31.
    periodic : bool, default False
        Whether the last row is joined to the first and the last column to the first, if there are at least 3.
    directed : bool, default False
        Whether the links are arcs, which run right and down.

    Raises
    ------
    ArgumentError
        `rows` or `columns` is out of its range, or their product is more than 2**31.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.Grid(3, 4).vertices, generate.Grid(3, 4).arcs
    (12, 17)
    """

    rows: int
    columns: int
    periodic: bool = False
    directed: bool = False

    def __post_init__(self) -> None:
        set_fields(
            self,
            rows=check_whole("rows", self.rows, 1, MOST_VERTICES),
            columns=check_whole("columns", self.columns, 1, MOST_VERTICES),
        )
        if self.vertices > MOST_VERTICES:
            raise ArgumentError(
                f"rows={self.rows}, columns={self.columns}: expected a product of at most {MOST_VERTICES} vertices"
            )

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return self.rows * self.columns

    @property
    def arcs(self) -> int:
        """Number of links; no two are equal."""
        return self.rows * self._steps(self.columns) + self.columns * self._steps(self.rows)

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links ``start, start + 1, …``; links to the right come before links down."""
        number = np.arange(start, start + len(source), dtype=np.int64)
        steps = self._steps(self.columns)
        right = min(max(0, self.rows * steps - start), len(source))
        if right:
            r, c = np.divmod(number[:right], steps)
            source[:right] = r * self.columns + c
            target[:right] = r * self.columns + (c + 1) % self.columns
        down = number[right:] - self.rows * steps
        source[right:] = down
        target[right:] = (down + self.columns) % self.vertices

    def _steps(self, length: int) -> int:
        return length if self.periodic and length > 2 else length - 1
