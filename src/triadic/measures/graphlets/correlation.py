"""Comparison of two networks by the correlations between their orbits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.checked import check_option
from triadic.errors import ArgumentError
from triadic.measures.graphlets.comparison import (
    Definition,
    OrbitSource,
    networks_of_pyfglt,
    orbits_of,
    transform_of,
)

if TYPE_CHECKING:
    from triadic.convert.recognise import GraphLike
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.measures.graphlets.transform import GraphletTransform


Orbits = Literal[11, 15, 73]

# ORCA's orbits from which the other four, 3, 12, 13 and 14, follow.
INDEPENDENT_ORBITS = (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)


def graphlet_correlation_matrix(
    graph: GraphLike | GraphletTransform | Int64Array,
    *,
    orbits: Orbits | None = None,
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array:
    """Compute Spearman's rank correlations between the orbits of a network, over its vertices.

    Parameters
    ----------
    graph : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The network. The directions of a directed graph are ignored. A transform of all 16 graphlets, or an array that
        `orbit_degrees` returned, saves counting the graphlets again; 73 orbits need one of ``size=5``.
    orbits : {11, 15, 73}, optional
        Number of orbits: the 11 orbits of up to four vertices that are not redundant, 0, 1, 2 and 4 to 11 in ORCA's
        numbers; all 15; or all 73 of up to five vertices. The default is 11, and 15 with "pyfglt".
    definition : {"published", "pyfglt"}, default "published"
        Definition of the matrix. "published" adds one vertex that is at each orbit once, so that most orbits at which
        all vertices are equally often have ranks too. "pyfglt" adds no vertex, and has the graphlets 1 to 15 in the
        order of the transform.
    threads : int, optional
        Number of threads that count graphlets; by default as many as the process may use. The result is the same for
        any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float64 array, shape (11, 11), (15, 15) or (73, 73)
        Symmetric matrix of correlations between -1 and 1. The row and the column of an orbit without ranks are nan,
        the diagonal included: with "published" an orbit that each vertex touches exactly once, and all orbits of a
        network without vertices; with "pyfglt" any orbit that all vertices touch equally often.

    Raises
    ------
    ArgumentError
        If `orbits` is another number, or is 11 or 73 with "pyfglt"; if `definition` is another string; if a transform
        has 5 graphlets, or an array does not contain orbits; or if another argument does not have an accepted value.
    CountOverflowError
        If a graphlet frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    graphlet_correlation_distance : Compare two networks by their matrices.
    orbit_degrees : Count the orbits at each vertex.

    Notes
    -----
    O(n log n) for n vertices after the graphlets are counted.

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
    keywords = {"threads": threads, "device": device, "progress": progress}
    return _matrix("graph", graph, orbits, definition, keywords)


def graphlet_correlation_distance(
    a: GraphLike | GraphletTransform | Int64Array,
    b: GraphLike | GraphletTransform | Int64Array,
    *,
    orbits: Orbits | None = None,
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the graphlet correlation distance of two networks: GCD-11, GCD-15 or GCD-73.

    The distance is the Euclidean distance of the upper triangles of the two graphlet correlation matrices.

    Parameters
    ----------
    a, b : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The networks. The directions of directed graphs are ignored. A transform of all 16 graphlets, or an array that
        `orbit_degrees` returned, saves counting the graphlets again; 73 orbits need one of ``size=5``.
    orbits : {11, 15, 73}, optional
        Number of orbits: the 11 orbits of up to four vertices that are not redundant, 0, 1, 2 and 4 to 11 in ORCA's
        numbers; all 15; or all 73 of up to five vertices. The default is 11, and 15 with "pyfglt".
    definition : {"published", "pyfglt"}, default "published"
        Definition of the matrices and of the distance. "pyfglt" adds no vertex to the networks, and sums the absolute
        differences over all pairs of the 15 orbits, each pair twice.
    threads : int, optional
        Number of threads that count graphlets; by default as many as the process may use. The result is the same for
        any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float
        Distance of at least 0, and at most 2 √55 for 11 orbits and 2 √2628 for 73; 0 for equal correlations. It is nan
        if a matrix contains nan, as for a network without vertices, or with "pyfglt" for any network without a
        triangle.

    Raises
    ------
    ArgumentError
        If `orbits` is another number, or is 11 or 73 with "pyfglt"; if `definition` is another string; if a transform
        has 5 graphlets, or an array does not contain orbits; or if another argument does not have an accepted value.
    CountOverflowError
        If a graphlet frequency could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    graphlet_correlation_matrix : Compute the matrix of one network.
    graphlet_degree_agreement : Compare the distributions of orbits over vertices.
    graphlet_frequency_distance : Compare the numbers of graphlets.

    Notes
    -----
    O(n log n) for n vertices after the graphlets are counted.

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
    keywords = {"threads": threads, "device": device, "progress": progress}
    first, second = (_matrix(name, network, orbits, definition, keywords) for name, network in (("a", a), ("b", b)))
    if definition == "pyfglt":
        return float(abs(first - second).sum())
    above = np.triu_indices(len(first), k=1)
    return float(np.linalg.norm(first[above] - second[above]))


def _matrix(
    name: str, network: OrbitSource, orbits: Orbits | None, definition: Definition, keywords: dict[str, Any]
) -> Float64Array:
    """Return the correlations between the orbits of the network that an argument of this name holds."""
    check_option("definition", definition, Definition)
    if orbits not in (None, 11, 15, 73):
        raise ArgumentError(f"orbits={orbits!r}: expected 11, 15 or 73")
    if definition == "pyfglt":
        if orbits not in (None, 15):
            raise ArgumentError(f"orbits={orbits}: pyfglt correlates all 15 orbits; expected 15 or None")
        (taken,) = networks_of_pyfglt(4, network)
        net = transform_of(taken, **keywords).net
        return _spearman([net[:, column] for column in range(1, 16)])
    size = 5 if orbits == 73 else 4
    found = orbits_of(name, network, size=size, **keywords)
    numbers = INDEPENDENT_ORBITS if orbits in (None, 11) else range(orbits)
    return _spearman([np.append(found[:, orbit], 1) for orbit in numbers])


def _spearman(columns: list[Int64Array]) -> Float64Array:
    """Return the rank correlations between columns; nan for a column of equal values."""
    ranks = np.stack([_centred_ranks(column) for column in columns])
    product = ranks @ ranks.T
    square = product.diagonal()
    # The root of the product is exact on the diagonal, where it makes the correlation 1; a product of roots is not.
    scale = np.sqrt(np.outer(square, square))
    correlation = np.full_like(product, np.nan)
    np.divide(product, scale, out=correlation, where=scale > 0)
    return correlation.clip(-1, 1)


def _centred_ranks(values: Int64Array) -> Float64Array:
    """Return twice the ranks, which equal values share, minus their mean: whole numbers."""
    _, rank, times = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return (2 * last - times - len(values)).astype(np.float64)[rank]
