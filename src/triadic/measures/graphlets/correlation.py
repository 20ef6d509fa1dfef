"""Comparison of two networks by their graphlets, and the correlations between the orbits of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.core.checked import check_number, check_option
from triadic.core.graphlets import ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.measures.graphlets.comparison import (
    Absent,
    Definition,
    Mean,
    OrbitSource,
    degree_agreement,
    frequency_distance,
    orbits_of,
    transforms_of,
)

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword


Method = Literal["correlation", "degree", "frequency"]

# ORCA's orbits from which the other four, 3, 12, 13 and 14, follow.
INDEPENDENT_ORBITS = (0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11)


def graphlet_correlation_matrix(
    graph: OrbitSource,
    *,
    size: int = 4,
    redundant: bool = False,
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
        `graphlets` returned by vertex, saves counting the graphlets again.
    size : {4, 5}, default 4
        Number of vertices of the largest graphlets: 4 for the 11 orbits that are not redundant, 0, 1, 2 and 4 to 11 in
        ORCA's numbers, or 5 for all 73.
    redundant : bool, default False
        Correlate all 15 orbits of up to four vertices; "pyfglt" always does.
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
        If `size` is another number, or 5 with "pyfglt" or `redundant`; if a transform is of ``size=3``, or an array
        does not contain orbits of this size; or if another argument does not have an accepted value.
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
    compare : Compare two networks by their matrices.
    graphlets : Count the orbits at each vertex.

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
    return _matrix("graph", graph, size, redundant, definition, threads=threads, device=device, progress=progress)


def compare(
    a: OrbitSource,
    b: OrbitSource,
    *,
    method: Method = "correlation",
    size: int = 4,
    redundant: bool = False,
    mean: Mean | None = None,
    absent: Absent | None = None,
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compare two networks by their graphlets: how far apart they are, or how far they agree.

    Parameters
    ----------
    a, b : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The networks. The directions of directed graphs are ignored. A transform of ``size=4``, or an array that
        `graphlets` returned by vertex for the same `size`, saves counting the graphlets again.
    method : {"correlation", "degree", "frequency"}, default "correlation"
        What is compared:

        - "correlation": graphlet correlation distance (GCD-11, or GCD-73 for ``size=5``), the Euclidean distance of the
          upper triangles of the two matrices of `graphlet_correlation_matrix`. 0 for equal correlations.
        - "degree": agreement of the graphlet degree distributions (GDDA). The distribution of an orbit is the share of
          vertices that are at k graphlets in this orbit, for each k of at least 1, scaled by 1/k and then to a sum of
          1. The distance of two distributions is the Euclidean distance divided by the square root of 2. The agreement
          is the mean of 1 minus the distance over the 15 orbits of up to four vertices, or the 73 of up to five. 1 for
          equal distributions.
        - "frequency": relative graphlet frequency distance (RGFD). The frequency of a connected graph of at least three
          vertices is F = -log(N / T), where N is the number of induced subgraphs of this kind, and T the number of all
          induced connected subgraphs of three or four vertices; with ``size=5``, of three to five. The distance is the
          sum of the absolute differences of F. 0 for equal frequencies.
    size : {4, 5}, default 4
        Number of vertices of the largest graphlets. The papers on "degree" and "frequency" have 5.
    redundant : bool, default False
        For "correlation" and ``size=4``, correlate all 15 orbits, four of which follow from the other 11.
    mean : {"arithmetic", "geometric"}, optional
        Mean over the orbits, for "degree"; by default the arithmetic mean.
    absent : {"infinite", "skip"}, optional
        For "frequency", contribution of a graph that occurs in one network only: infinity, by the formula and by
        default, or nothing, as in some programs. A graph that occurs in neither network contributes nothing.
    definition : {"published", "pyfglt"}, default "published"
        "pyfglt" computes what the functions of pyfglt for the same purposes compute: for "correlation" the sum of the
        absolute differences of the matrices of all 15 orbits; for "degree" the common part of the distributions of the
        16 graphlets; for "frequency" the sum of the absolute differences of shares, without logarithm, over the 16
        columns of the transform.
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
        For "correlation", at most 2 √55 for 11 orbits and 2 √2628 for 73; nan if a matrix contains nan, as for a
        network without vertices, or with "pyfglt" for any network without a triangle. For "degree", from 0 to 1; nan
        for a network without vertices. For "frequency", infinite if a graph is absent from one network, as the triangle
        is from a tree, unless it is skipped; nan if nothing remains to be compared.

    Raises
    ------
    ArgumentError
        If an argument does not have an accepted value or does not belong to `method`; if `size` is 5 with "pyfglt"; if
        a transform is of ``size=3``, or an array does not contain orbits of this size.
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
    graphlet_degree_similarity : Compare vertices by their orbits.
    mmd : Compare two batches of graphs.

    Notes
    -----
    O(n log n) for n vertices after the graphlets are counted.

    References
    ----------
    Yaveroğlu et al. (2014), "Revealing the hidden language of complex networks", Scientific Reports 4, 4547, for
    "correlation".
    Pržulj (2007), "Biological network comparison using graphlet degree distribution", Bioinformatics 23, e177, for
    "degree"; its erratum (2010), Bioinformatics 26, 853, adds the division by the square root of 2.
    Pržulj, Corneil and Jurisica (2004), "Modeling interactome: scale-free or geometric?", Bioinformatics 20, 3508, for
    "frequency", with graphlets of three to five vertices.

    Examples
    --------
    >>> import triadic
    >>> small, large = (triadic.generate.watts_strogatz(n, 6, 0.1, seed=1) for n in (200, 2000))
    >>> hubs = triadic.generate.barabasi_albert(2000, 3, seed=1)
    >>> triadic.compare(small, large) < triadic.compare(hubs, large)
    True
    >>> ring, grid = triadic.generate.watts_strogatz(60, 4, 0.0, seed=1), triadic.generate.grid(8, 8)
    >>> triadic.compare(ring, ring, method="degree"), round(triadic.compare(ring, grid, method="degree"), 4)
    (1.0, 0.4323)
    >>> triadic.compare(small, grid, method="frequency")
    inf
    """
    check_option("method", method, Method)
    check_option("definition", definition, Definition)
    check_number("size=", size, 4, 5)
    machine: Any = {"threads": threads, "device": device, "progress": progress}
    for owner, name, value in (("correlation", "redundant", redundant or None), ("degree", "mean", mean),
                               ("frequency", "absent", absent)):  # fmt: skip
        if value is not None and method != owner:
            raise ArgumentError(f"{name}={value!r}: expected method={owner!r} with it, got {method!r}")
    if method == "degree":
        return degree_agreement(a, b, size=size, mean=mean or "arithmetic", definition=definition, **machine)
    if method == "frequency":
        return frequency_distance(a, b, size=size, absent=absent or "infinite", definition=definition, **machine)
    return correlation_distance(a, b, size=size, redundant=redundant, definition=definition, **machine)


def correlation_distance(
    a: OrbitSource,
    b: OrbitSource,
    *,
    size: int,
    redundant: bool = False,
    definition: Definition = "published",
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> float:
    """Return the graphlet correlation distance of two networks, as `compare` describes it."""
    first, second = (
        _matrix(name, network, size, redundant, definition, **machine) for name, network in (("a", a), ("b", b))
    )
    if definition == "pyfglt":
        return float(abs(first - second).sum())
    above = np.triu_indices(len(first), k=1)
    return float(np.linalg.norm(first[above] - second[above]))


def _matrix(
    name: str,
    network: OrbitSource,
    size: int,
    redundant: bool,
    definition: Definition,
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> Float64Array:
    """Return the correlations between the orbits of the network that an argument of this name holds."""
    check_option("definition", definition, Definition)
    check_number("size=", size, 4, 5)
    if size == 5 and (redundant or definition == "pyfglt"):
        raise ArgumentError(f"size=5: {'redundant=True' if redundant else 'pyfglt'} correlates the 15 orbits of size=4")
    if definition == "pyfglt":
        (transform,) = transforms_of(size, network, **machine)
        return _spearman(list(transform.net[:, 1:].T))
    found = orbits_of(name, network, size=size, **machine)
    numbers = INDEPENDENT_ORBITS if size == 4 and not redundant else range(ORBITS_OF_SIZE[size])
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
