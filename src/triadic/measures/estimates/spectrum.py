"""The clustering spectrum by sampling: wedges with a vertex of each degree in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.oriented import frozen
from triadic.devices.cpu.local_wedge_sampling import closed_by_class
from triadic.devices.cpu.neighbour_choice import neighbours
from triadic.measures.estimates.sampler import Quantities

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.measures.estimates.sampler import Moments


class LocalWedges:
    """The sampler of the mean local coefficient of classes of vertices, see `Sampler`; each class is a stratum.

    Parameters
    ----------
    graph : Graph
    threads : int
    by_degree : bool, default True
        Whether the vertices of each degree are a class; otherwise all vertices are one.
    """

    nanoseconds = 300.0

    def __init__(self, graph: Graph, *, threads: int, by_degree: bool = True) -> None:
        oriented = graph.oriented(threads=threads)
        self._rows, self._threads = neighbours(oriented, threads=threads), threads
        degree = oriented.degree if by_degree else np.zeros(oriented.num_vertices, dtype=np.int64)
        self._members = frozen(np.argsort(degree, kind="stable"))
        names, start = np.unique(degree[self._members], return_index=True)
        self._start = frozen(np.append(start, len(degree)).astype(np.int64))
        self.strata = len(names)
        has_wedges = names >= 2 if by_degree else np.ones(self.strata, dtype=bool)
        self.quantities = Quantities(
            names if by_degree else ["average_clustering"],
            np.arange(self.strata),
            np.zeros(self.strata),
            np.ones(self.strata),
            has_wedges.astype(np.float64),
            most=1.0,
        )

    def moments(self, key: int, first: NDArray[np.int64], stop: NDArray[np.int64]) -> Moments:
        """Return the number of closed wedges of each class, which is also the sum of squares, see `Sampler`."""
        closed = closed_by_class(self._rows, self._members, self._start, key, first, stop, threads=self._threads)
        return closed.astype(np.float64), closed.astype(np.float64)
