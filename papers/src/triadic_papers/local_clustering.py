"""What papers on local clustering give: each vertex's triangles and coefficient, their mean, and where time went."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.frozen import frozen
from triadic_papers.adjacency import Adjacency, adjacency

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from triadic.graph.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class LocalClustering:
    """Triangles and clustering coefficients of all vertices.

    Attributes
    ----------
    triangles : int64 array, shape (n,)
        Pairs of neighbours that are joined: the papers' E_i and T_v.
    coefficients : float64 array, shape (n,)
        2 T_v / (d_v (d_v - 1)); 0 where the degree is under 2.
    mean : float
        Of the coefficients of all vertices; 0 where there is none.
    seconds : mapping of str to float
        Wall time by phase, in the order of the phases; only those that the algorithm has.
    """

    triangles: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    mean: float
    seconds: Mapping[str, float]


def neighbour_rows(network: Graph | Arcs | Adjacency) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]]]:
    """Give the neighbours of every vertex, in either direction, as compressed rows: `indptr`, `indices`, each rising.

    Loops, repeats and directions are left out. Those of an undirected graph are its own, without a copy.

    Examples
    --------
    >>> import triadic
    >>> indptr, indices = neighbour_rows(triadic.Graph.from_edges([0, 2], [1, 1], directed=True))
    >>> indptr.tolist(), indices.tolist()
    ([0, 1, 3, 4], [1, 0, 2, 1])
    """
    if not isinstance(network, (Arcs, Adjacency)) and not network.directed:
        return network.indptr, network.indices
    rows = adjacency(network)
    return rows.indptr, rows.indices


def local_clustering(
    triangles: NDArray[np.int64], degree: NDArray[np.int64], seconds: Mapping[str, float]
) -> LocalClustering:
    """Give the coefficients of vertices from their triangles and degrees.

    Examples
    --------
    >>> import numpy as np
    >>> found = local_clustering(np.array([1, 1, 1, 0]), np.array([2, 2, 3, 1]), {})
    >>> found.coefficients.round(3).tolist(), round(found.mean, 3)
    ([1.0, 1.0, 0.333, 0.0], 0.583)
    """
    # As degree * (degree - 1) / 2 pairs: whole numbers, so that the one division is all that is rounded.
    pairs = degree * (degree - 1) // 2
    coefficients = np.divide(triangles, pairs, out=np.zeros(len(degree)), where=pairs > 0)
    mean = float(coefficients.mean()) if len(coefficients) else 0.0
    return LocalClustering(frozen(triangles), frozen(coefficients), mean, dict(seconds))


@contextmanager
def timed(seconds: dict[str, float], phase: str) -> Iterator[None]:
    """Add the wall time of what is done inside to a phase."""
    start = perf_counter()
    try:
        yield
    finally:
        seconds[phase] = seconds.get(phase, 0.0) + perf_counter() - start
