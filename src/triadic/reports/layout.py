"""Positions of the vertices of a small network, at which distances on paper resemble those in the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

_ITERATIONS = 200
_FINE = 1e-4  # relative change of the stress at which the iteration ends
_JITTER = 0.05


def stress_layout(graph: Graph) -> NDArray[np.float64]:
    """Place the vertices so that their distances are close to their numbers of steps in the network.

    Stress majorization from the positions of classical scaling; the longer axis of the picture lies across. The
    positions of a network are always the same.

    Parameters
    ----------
    graph : Graph
        Network of a few hundred vertices; directions are ignored.

    Returns
    -------
    float64 array, shape (n, 2)

    Notes
    -----
    O(n³) time and O(n²) memory.

    References
    ----------
    Gansner, Koren and North (2004), "Graph drawing by stress majorization", Graph Drawing, 239.

    Examples
    --------
    >>> import triadic
    >>> path = stress_layout(triadic.Graph.from_edges([0, 1], [1, 2]))
    >>> bool(abs(path[0, 0] - path[2, 0]) > 1.9), bool(np.allclose(path[:, 1], 0, atol=0.05))
    (True, True)
    """
    n = graph.num_vertices
    if n < 2:
        return np.zeros((n, 2))
    steps = _steps(graph)
    weights = 1.0 / np.square(steps + np.eye(n))
    np.fill_diagonal(weights, 0.0)
    inverse = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    places = _classical_scaling(steps) + _JITTER * np.random.default_rng(0).standard_normal((n, 2))
    last = np.inf
    for _ in range(_ITERATIONS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        stress = float((weights * np.square(apart - steps)).sum())
        if last - stress < _FINE * stress:
            break
        last = stress
        ratio = -weights * steps / np.maximum(apart, 1e-9)
        np.fill_diagonal(ratio, 0.0)
        np.fill_diagonal(ratio, -ratio.sum(axis=1))
        places = inverse @ (ratio @ places)
    return _turned(places)


def _steps(graph: Graph) -> NDArray[np.float64]:
    """Return the number of steps between each two vertices; between components a step more than within any."""
    from scipy.sparse.csgraph import shortest_path  # noqa: PLC0415 - slow to import

    # The weights of a graph are no distances.
    steps = shortest_path(graph.to_scipy(), method="D", directed=False, unweighted=True)
    apart = np.isinf(steps)
    steps[apart] = steps[~apart].max() + 1
    return np.asarray(steps, dtype=np.float64)


def _classical_scaling(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = np.square(steps)
    centred = -0.5 * (squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean())
    values, vectors = np.linalg.eigh(centred)
    return np.asarray(vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0)))


def _turned(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centre the positions and turn them so that the longer axis lies across."""
    places = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(places, full_matrices=False)
    return np.asarray(places @ axes.T)
