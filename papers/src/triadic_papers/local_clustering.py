"""The result of the papers on local clustering: triangles and coefficient of each vertex, their mean, and times."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.oriented import frozen
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
        Adjacent pairs of neighbours of each vertex: the papers' E_i and T_v.
    coefficients : float64 array, shape (n,)
        2 T_v / (d_v (d_v - 1)); 0 where the degree is below 2.
    mean : float
        Mean of the coefficients of all vertices; 0 without vertices.
    seconds : mapping of str to float
        Wall time of each phase of the algorithm, in order.
    """

    triangles: NDArray[np.int64]
    coefficients: NDArray[np.float64]
    mean: float
    seconds: Mapping[str, float]


def neighbour_rows(network: Graph | Arcs | Adjacency) -> tuple[NDArray[np.int64], NDArray[np.integer[Any]]]:
    """Return the neighbours of every vertex, in either direction, as sorted compressed rows: `indptr` and `indices`.

    Loops, repeated edges and directions are dropped. The rows of an undirected graph are returned without a copy.

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
    """Return triangles, coefficients and their mean for the triangles and degrees of all vertices.

    Examples
    --------
    >>> import numpy as np
    >>> result = local_clustering(np.array([1, 1, 1, 0]), np.array([2, 2, 3, 1]), {})
    >>> result.coefficients.round(3).tolist(), round(result.mean, 3)
    ([1.0, 1.0, 0.333, 0.0], 0.583)
    """
    # Both operands are whole numbers, so the division is the only rounding.
    pairs = degree * (degree - 1) // 2
    coefficients = np.divide(triangles, pairs, out=np.zeros(len(degree)), where=pairs > 0)
    mean = float(coefficients.mean()) if len(coefficients) else 0.0
    return LocalClustering(frozen(triangles), frozen(coefficients), mean, dict(seconds))


@contextmanager
def timed(seconds: dict[str, float], phase: str) -> Iterator[None]:
    """Add the wall time of the ``with`` block to a phase."""
    start = perf_counter()
    try:
        yield
    finally:
        seconds[phase] = seconds.get(phase, 0.0) + perf_counter() - start
