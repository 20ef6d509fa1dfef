"""Meshes: square lattices, tori, and Delaunay triangulations of points drawn uniformly from the unit square.

Lattices are computed by arithmetic on the numbers of the arcs, without random draws, and triangulations by Qhull
through SciPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.checked import check_seed, checked
from triadic.core.draws import derive_keys, fill_unit
from triadic.core.memory import check_memory
from triadic.core.oriented import index_dtype, rows_of_entries
from triadic.core.records import cached_property
from triadic.errors import ArgumentError
from triadic.generate.model import MOST_VERTICES, check_fields, make_graph

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids
    from triadic.graph.graph import Graph


# Bytes per vertex that Qhull and the points take, measured with half a million points.
_BYTES = 1100


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
        check_fields(self, rows=(1, MOST_VERTICES), columns=(1, MOST_VERTICES))
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


def delaunay(
    num_vertices: int, *, seed: int | None = None, directed: bool = False, threads: int | None = None
) -> Graph:
    """Make a planar mesh: the Delaunay triangulation of points drawn uniformly from the unit square.

    Parameters
    ----------
    num_vertices : int
        Number of points, from 3 to 2**31.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same points on any machine; by default
        a fresh seed is drawn.
    directed : bool, default False
        Return a directed graph, whose arcs run from the smaller id to the larger one and so form no cycle.
    threads : int, optional
        Number of threads that make the graph; by default as many as the process may use. The triangulation runs on
        one thread.

    Returns
    -------
    Graph
        A planar, connected graph, without loops and repeats.

    Raises
    ------
    ArgumentError
        `num_vertices` is less than 3.
    OutOfMemoryError
        The points or the graph do not fit in memory.

    Notes
    -----
    Takes about 8 µs and 1,100 bytes per vertex.

    References
    ----------
    B. Delaunay, *Sur la sphère vide*, Bulletin de l'Académie des Sciences de l'URSS 6, 793-800, 1934.
    C. B. Barber, D. P. Dobkin and H. Huhdanpaa, *The Quickhull algorithm for convex hulls*, ACM Transactions on
    Mathematical Software 22, 469-483, 1996.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.delaunay(3, seed=1).num_edges
    3
    """
    return make_graph(Delaunay(num_vertices, seed=seed, directed=directed), threads=threads)


@checked
@dataclass(frozen=True)
class Delaunay:
    """The triangulation of random points; `delaunay` describes it.

    The first use of `arcs` or `fill` computes the triangulation, which then stays in memory.

    Parameters
    ----------
    vertices : int
        Number of points, from 3 to 2**31.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh one, which the field then holds.
    directed : bool, default False
        Whether the links are arcs from the smaller id to the larger one.

    Raises
    ------
    ArgumentError
        A parameter is out of its range.

    References
    ----------
    B. Delaunay, *Sur la sphère vide*, Bulletin de l'Académie des Sciences de l'URSS 6, 793-800, 1934.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.Delaunay(3, seed=1).arcs
    3
    """

    vertices: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        check_fields(self, vertices=(3, MOST_VERTICES))

    @property
    def arcs(self) -> int:
        """Number of edges; no two are equal."""
        return len(self._ends[0])

    @cached_property
    def points(self) -> Float64Array:
        """Coordinates of the vertices, shape (vertices, 2)."""
        check_memory(_BYTES * self.vertices, f"triangulating {self.vertices:,} points")
        out = np.empty(2 * self.vertices)
        fill_unit(derive_keys(check_seed(self.seed), 1)[0], np.uint64(0), out)
        return out.reshape(-1, 2)

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the edges ``start, start + 1, …``: smaller ids to `source`, larger ones to `target`."""
        for ids, ends in zip((source, target), self._ends, strict=True):
            ids[:] = ends[start : start + len(ids)]

    @cached_property
    def _ends(self) -> tuple[Ids, Ids]:
        from scipy.spatial import Delaunay as Triangulation  # noqa: PLC0415 - slow to import, and needed here alone

        indptr, indices = Triangulation(self.points).vertex_neighbor_vertices
        dtype = index_dtype(self.vertices)
        source: Ids = rows_of_entries(indptr, dtype)
        target: Ids = indices.astype(dtype)
        once = source < target
        return source[once], target[once]
