"""A square lattice, or with its borders joined a torus. No draw, no kernel: arithmetic on the arcs' numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.generate.arguments import MOST_VERTICES, check_flag, check_whole, settle
from triadic.generate.model import make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]


def grid(
    rows: int, columns: int, *, periodic: bool = False, directed: bool = False, threads: int | None = None
) -> Graph:
    """Make a square lattice: each vertex linked to those right of it and below it.

    Vertex ``r * columns + c`` stands in row r, column c.

    Parameters
    ----------
    rows, columns : int
        At least 1; at most 2**31 vertices in all.
    periodic : bool, default False
        Join the last row to the first and the last column to the first, where there are at least 3 of them.
    directed : bool, default False
        Arcs that run right and down; otherwise edges.
    threads : int, optional
        By default as many as the process may use.

    Returns
    -------
    Graph
        Nothing is dropped on the way.

    Raises
    ------
    ArgumentError
        If a number is out of its range.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.grid(3, 4).num_edges
    17
    >>> generate.grid(3, 4, periodic=True).num_edges
    24
    """
    return make_graph(Grid(rows, columns, periodic=periodic, directed=directed), threads=threads)


@dataclass(frozen=True)
class Grid:
    """The square lattice; see `grid`."""

    rows: int
    columns: int
    periodic: bool = False
    directed: bool = False

    def __post_init__(self) -> None:
        settle(
            self,
            rows=check_whole("rows", self.rows, 1, MOST_VERTICES),
            columns=check_whole("columns", self.columns, 1, MOST_VERTICES),
            periodic=check_flag("periodic", self.periodic),
            directed=check_flag("directed", self.directed),
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
        """Number of links, all different."""
        return self.rows * self._steps(self.columns) + self.columns * self._steps(self.rows)

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the links from number `start` on: those to the right first, then those down."""
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
