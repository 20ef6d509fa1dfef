"""Networks compared by which graphlets occur at the same vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.core.graphlet_types import ORBITS
from triadic.errors import ArgumentError
from triadic.measures.graphlet_comparison import Definition, accept, net_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword
    from triadic.measures.graphlet_result import GraphletTransform

Orbits = Literal[11, 15]

# The other four of ORCA's orbits, 3, 12, 13 and 14, follow from these.
NOT_REDUNDANT = (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)


def graphlet_correlation_matrix(
    graph: GraphLike | GraphletTransform,
    *,
    orbits: Orbits | None = None,
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> NDArray[np.float64]:
    """Give Spearman's rank correlations over the vertices between the orbits of a network.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes, or GraphletTransform
        A directed graph is taken as its skeleton. A transform is of all 16 graphlets.
    orbits : {11, 15}, optional
        The 11 orbits of up to four vertices that are not redundant, ORCA's 0 1 2 4 5 6 7 8 9 10 11, or all 15,
        ORCA's 0 to 14. By default 11, of pyfglt's definition 15.
    definition : {"published", "pyfglt"}, default "published"
        "published": with one more vertex that is once in each orbit, so that an orbit in which no vertex is, or all
        are as often, still has ranks. "pyfglt": of the vertices as they are, graphlets 1 to 15 in the order of the
        transform.
    threads, device, progress
        As for `triadic.graphlet_transform`, which counts where a graph is given.

    Returns
    -------
    float64 array, shape (11, 11) or (15, 15)
        Symmetric, from -1 to 1. nan in the row and the column of an orbit that has no ranks, on the diagonal as well:
        published, one that every vertex is in once, and all of a network without vertices; of pyfglt's definition,
        any that all vertices are in equally often, as without a triangle in each that has one.

    Raises
    ------
    ArgumentError
        Other options; 11 orbits of pyfglt's definition; a transform of 5 graphlets.

    Notes
    -----
    O(n log n) after counting.

    References
    ----------
    Yaveroğlu et al. (2014), "Revealing the hidden language of complex networks", Scientific Reports 4, 4547.

    Examples
    --------
    >>> import triadic
    >>> star = triadic.Graph.from_edges([0, 0, 0, 0], [1, 2, 3, 4])
    >>> matrix = triadic.graphlet_correlation_matrix(star)
    >>> matrix.shape
    (11, 11)
    >>> matrix[0, :3].round(3)  # degree, end and middle of 2-paths
    array([ 1.   , -0.775,  0.775])
    """
    accept("definition", definition, Definition)
    if orbits not in (None, 11, 15):
        raise ArgumentError(f"orbits={orbits!r}: expected 11 or 15")
    if definition == "pyfglt" and orbits == 11:
        raise ArgumentError("orbits=11: pyfglt correlates all 15; leave it out, or take the published definition")
    net = net_of(graph, threads, device, progress)
    if definition == "pyfglt":
        return _spearman([net[:, column] for column in range(1, 16)])
    chosen = range(15) if orbits == 15 else NOT_REDUNDANT
    return _spearman([np.append(net[:, ORBITS[orbit]], 1) for orbit in chosen])


def graphlet_correlation_distance(
    a: GraphLike | GraphletTransform,
    b: GraphLike | GraphletTransform,
    *,
    orbits: Orbits | None = None,
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Give the distance of two networks' graphlet correlation matrices, GCD-11 by default.

    Parameters
    ----------
    a, b : Graph, or what `Graph` takes, or GraphletTransform
        A directed graph is taken as its skeleton. A transform is of all 16 graphlets.
    orbits, definition
        As for `graphlet_correlation_matrix`. "published": the Euclidean distance of what is above the diagonals.
        "pyfglt": the sum of all absolute differences, each pair of orbits twice.
    threads, device, progress
        As for `triadic.graphlet_transform`, which counts where a graph is given.

    Returns
    -------
    float
        0 for the same correlations; at most 2 √55 for 11 orbits. nan where a matrix has a nan, as of a network without
        vertices, and of pyfglt's definition of any without a triangle.

    Raises
    ------
    ArgumentError
        As for `graphlet_correlation_matrix`.

    References
    ----------
    Yaveroğlu et al. (2014), "Revealing the hidden language of complex networks", Scientific Reports 4, 4547.

    Examples
    --------
    >>> import triadic
    >>> small, large = (triadic.generate.watts_strogatz(n, 6, 0.1, seed=1) for n in (200, 2000))
    >>> hubs = triadic.generate.barabasi_albert(2000, 3, seed=1)
    >>> distance = triadic.graphlet_correlation_distance
    >>> distance(small, large) < distance(hubs, large)
    True
    """
    first, second = (
        graphlet_correlation_matrix(
            network, orbits=orbits, definition=definition, threads=threads, device=device, progress=progress
        )
        for network in (a, b)
    )
    if definition == "pyfglt":
        return float(abs(first - second).sum())
    above = np.triu_indices(len(first), k=1)
    return float(np.linalg.norm(first[above] - second[above]))


def _spearman(columns: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Give the rank correlations between columns; nan where all of one are equal."""
    ranks = np.stack([_centred_ranks(column) for column in columns])
    product = ranks @ ranks.T
    square = product.diagonal()
    # The root of a square is exact, where the square of a root is not: 1 on the diagonal, and no more anywhere.
    scale = np.sqrt(np.outer(square, square))
    correlation = np.full_like(product, np.nan)
    np.divide(product, scale, out=correlation, where=scale > 0)
    return correlation.clip(-1, 1)


def _centred_ranks(values: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give twice the ranks, the mean one where values are equal, less their mean: whole numbers."""
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return (2 * last - times - len(values)).astype(np.float64)[place]
