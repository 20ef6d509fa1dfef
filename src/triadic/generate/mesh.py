"""Delaunay: the triangulation of points drawn uniformly from a square, by Qhull through scipy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import check_memory
from triadic.generate.arguments import MOST_VERTICES, check_flag, check_seed, check_whole, settle
from triadic.generate.draws import derive_keys, fill_unit
from triadic.generate.model import ids_dtype, make_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]

# What Qhull and the points take a vertex, measured at half a million.
_BYTES = 1100


def delaunay(vertices: int, *, seed: int | None = None, directed: bool = False, threads: int | None = None) -> Graph:
    """Make a planar mesh: the Delaunay triangulation of points drawn uniformly from the unit square.

    Parameters
    ----------
    vertices : int
        Number of points, at least 3.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same points; None draws a fresh one.
    directed : bool, default False
        An arc from the smaller id to the larger: no cycle. Otherwise edges.
    threads : int, optional
        For the graph; Qhull runs on one.

    Returns
    -------
    Graph
        Nothing is dropped on the way. About 8 µs and some hundred bytes a vertex.

    Raises
    ------
    ArgumentError
        If there are fewer than 3 points.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.delaunay(3, seed=1).num_edges
    3
    """
    return make_graph(Delaunay(vertices, seed=seed, directed=directed), threads=threads)


@dataclass(frozen=True)
class Delaunay:
    """The triangulation of random points; see `delaunay`. It is held in memory once its arcs are asked for."""

    vertices: int
    seed: int | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        settle(
            self,
            vertices=check_whole("vertices", self.vertices, 3, MOST_VERTICES),
            seed=check_seed(self.seed),
            directed=check_flag("directed", self.directed),
        )

    @property
    def arcs(self) -> int:
        """Number of edges, all different."""
        return len(self._ends[0])

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Coordinates of the vertices, shape (vertices, 2)."""
        check_memory(_BYTES * self.vertices, f"triangulating {self.vertices:,} points")
        key = derive_keys(check_seed(self.seed), 1)[0]
        out = np.empty(2 * self.vertices)
        fill_unit(key, np.uint64(0), out)
        return out.reshape(-1, 2)

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the edges from number `start` on, the smaller id first."""
        for ids, ends in zip((source, target), self._ends, strict=True):
            ids[:] = ends[start : start + len(ids)]

    @cached_property
    def _ends(self) -> tuple[Ids, Ids]:
        from scipy.spatial import Delaunay as Triangulation  # noqa: PLC0415 - slow to import, and for this alone

        indptr, indices = Triangulation(self.points).vertex_neighbor_vertices
        dtype = ids_dtype(self.vertices)
        source: Ids = np.repeat(np.arange(self.vertices, dtype=dtype), np.diff(indptr))
        target: Ids = indices.astype(dtype)
        once = source < target
        return source[once], target[once]
