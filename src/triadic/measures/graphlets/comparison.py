"""Comparison of two networks by their graphlets: the agreement of distributions, and the distance of frequencies.

The published measures count graphlets of up to five vertices, as ``size=5`` does; the default is up to four. The
functions of pyfglt with the same purpose have other formulas, which ``definition="pyfglt"`` selects. The orbits of a
network that is compared are counted in a graph, or taken from an array or a transform.
"""

from __future__ import annotations

from functools import cache
from math import comb, inf, log, nan, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np

from triadic.convert.outward import vertex_names
from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_option
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, GRAPH_NAMES, GRAPHS, ORBITS, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.measures.graphlets.orbits import check_size, orbit_degrees, totals_of_orbits
from triadic.measures.graphlets.transform import GraphletTransform, graphlet_transform

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph


Definition = Literal["published", "pyfglt"]
Mean = Literal["arithmetic", "geometric"]
Absent = Literal["infinite", "skip"]

# Graphs whose frequencies are compared: all with three or four vertices.
COMPARED = tuple(GRAPHS)[2:]

OrbitSource: TypeAlias = "GraphLike | GraphletTransform | Int64Array"


def graphlet_degree_agreement(
    a: GraphLike | GraphletTransform | Int64Array,
    b: GraphLike | GraphletTransform | Int64Array,
    *,
    size: int = 4,
    mean: Mean = "arithmetic",
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the agreement of the graphlet degree distributions of two networks.

    The distribution of an orbit is the share of vertices that are at k graphlets in this orbit, for each k of at least
    1, scaled by 1/k and then to a sum of 1. The distance of two distributions is the Euclidean distance divided by the
    square root of 2. The agreement is the mean of 1 minus the distance over the 15 orbits of up to four vertices, or
    the 73 of up to five.

    Parameters
    ----------
    a, b : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The networks. The directions of directed graphs are ignored. A transform of all 16 graphlets, or an array that
        `orbit_degrees` returned for the same `size`, saves counting the graphlets again.
    size : {4, 5}, default 4
        Number of vertices of the largest graphlets. The papers have 5, with 73 orbits.
    mean : {"arithmetic", "geometric"}, default "arithmetic"
        Mean over the orbits.
    definition : {"published", "pyfglt"}, default "published"
        Definition of the agreement. "pyfglt" is the common part of the two distributions, with k = 0 and without
        scaling, and the arithmetic mean over all 16 graphlets.
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
        Agreement between 0 (far apart) and 1 (equal distributions). An orbit that occurs in neither network has
        agreement 1; if it occurs in one network only, the distribution of the other is 0 everywhere. With
        "pyfglt" the agreement is at least 1/16, and nan if a network has no vertices.

    Raises
    ------
    ArgumentError
        If `mean` or `definition` is another string; if `size` is not 4 or 5; if `mean` is "geometric" or `size` is 5
        with "pyfglt"; if a transform has 5 graphlets, or an array does not contain orbits of this size; or if another
        argument does not have an accepted value.
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
    graphlet_correlation_distance : Compare the correlations between orbits.
    graphlet_frequency_distance : Compare the numbers of graphlets.

    Notes
    -----
    O(n log n) for n vertices after the graphlets are counted.

    References
    ----------
    Pržulj (2007), "Biological network comparison using graphlet degree distribution", Bioinformatics 23, e177; its
    erratum (2010), Bioinformatics 26, 853, adds the division by the square root of 2.

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(60, 4, 0.0, seed=1)
    >>> triadic.graphlet_degree_agreement(ring, ring)
    1.0
    >>> round(triadic.graphlet_degree_agreement(ring, triadic.generate.grid(8, 8)), 4)
    0.4323
    """
    machine = {"threads": threads, "device": device, "progress": progress}
    check_option("mean", mean, Mean)
    check_option("definition", definition, Definition)
    if definition == "pyfglt":
        if mean != "arithmetic":
            raise ArgumentError(f"mean={mean!r}: pyfglt has the arithmetic mean only")
        networks = networks_of_pyfglt(size, a, b)
        first, second = (transform_of(network, **machine).net for network in networks)
        if not (len(first) and len(second)):
            return nan
        return float(np.mean([_common_part(first[:, column], second[:, column]) for column in range(16)]))
    return mean_agreement(orbit_agreements(*orbits_of_both(a, b, size=size, **machine)), mean)


def graphlet_frequency_distance(
    a: GraphLike | GraphletTransform | Int64Array,
    b: GraphLike | GraphletTransform | Int64Array,
    *,
    size: int = 4,
    absent: Absent = "infinite",
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the distance of two networks by the relative frequencies of graphlets.

    The frequency of a connected graph of at least three vertices is F = -log(N / T), where N is the number of induced
    subgraphs of this kind, and T the number of all induced connected subgraphs of three or four vertices; with
    ``size=5``, of three to five vertices. The logarithm is natural. The distance is the sum of the absolute differences
    of F.

    Parameters
    ----------
    a, b : Graph, any input that `Graph` accepts, GraphletTransform, or array
        The networks. The directions of directed graphs are ignored. A transform of all 16 graphlets, or an array that
        `orbit_degrees` returned for the same `size`, saves counting the graphlets again.
    size : {4, 5}, default 4
        Number of vertices of the largest graphlets. The papers have 5, with 29 graphlets.
    absent : {"infinite", "skip"}, default "infinite"
        Contribution of a graph that occurs in one network only: infinity, by the formula, or nothing, as in some
        programs. A graph that occurs in neither network contributes nothing.
    definition : {"published", "pyfglt"}, default "published"
        Definition of the distance. "pyfglt" sums the absolute differences of shares, without logarithm, over all 16
        columns of the transform; a subgraph then counts once for each of its vertices.
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
        Distance of at least 0. It is infinite if a graph is absent from one network, as the triangle is from a tree,
        unless it is skipped; nan if nothing remains to be compared; and 0 for two networks in which none of the graphs
        occurs. With "pyfglt" the distance is at most 2, and the shares of a network without vertices are 0.

    Raises
    ------
    ArgumentError
        If `absent` or `definition` is another string; if `size` is not 4 or 5, or is 5 with "pyfglt"; if a transform
        has 5 graphlets, or an array does not contain orbits of this size; or if another argument does not have an
        accepted value.
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
    graphlet_degree_agreement : Compare the distributions of orbits over vertices.
    graphlet_correlation_distance : Compare the correlations between orbits.

    Notes
    -----
    O(n) for n vertices after the graphlets are counted.

    References
    ----------
    Pržulj, Corneil and Jurisica (2004), "Modeling interactome: scale-free or geometric?", Bioinformatics 20, 3508, with
    graphlets of three to five vertices.

    Examples
    --------
    >>> import triadic
    >>> small, large = (triadic.generate.watts_strogatz(n, 6, 0.1, seed=1) for n in (100, 1000))
    >>> triadic.graphlet_frequency_distance(small, small)
    0.0
    >>> 0 < triadic.graphlet_frequency_distance(small, large) < 2
    True
    >>> triadic.graphlet_frequency_distance(small, triadic.generate.grid(10, 10))
    inf
    """
    machine = {"threads": threads, "device": device, "progress": progress}
    check_option("absent", absent, Absent)
    check_option("definition", definition, Definition)
    if definition == "pyfglt":
        first, second = (transform_of(network, **machine) for network in networks_of_pyfglt(size, a, b))
        return float(abs(_shares(first) - _shares(second)).sum())
    check_size(size)
    totals_of = map(totals_of_orbits, orbits_of_both(a, b, size=size, **machine))
    compared = COMPARED if size == 4 else GRAPH_NAMES[1:]
    counts = [[totals[name] for name in compared] for totals in totals_of]
    in_either = [(n, m) for n, m in zip(*counts, strict=True) if n or m]
    in_both = [(n, m) for n, m in in_either if n and m]
    if len(in_both) < len(in_either):
        if absent == "infinite":
            return inf
        if not in_both:
            return nan
    total, other_total = map(sum, counts)
    return sum((abs(log(n / total) - log(m / other_total)) for n, m in in_both), start=0.0)


def orbit_agreements(first: Int64Array, second: Int64Array) -> Float64Array:
    """Return the agreement of each orbit from the orbits of the vertices of two networks."""
    distances = [_distance(*columns) for columns in zip(first.T, second.T, strict=True)]
    return (1 - np.array(distances)).clip(0, 1)


def mean_agreement(agreements: Float64Array, mean: Mean) -> float:
    """Return the arithmetic or geometric mean of the agreements of orbits."""
    return float(agreements.mean() if mean == "arithmetic" else agreements.prod() ** (1 / len(agreements)))


def transform_of(network: GraphLike | GraphletTransform, **machine: Any) -> GraphletTransform:  # noqa: ANN401 - threads, device and progress
    """Return the transform of a graph, or a transform of all 16 graphlets unchanged."""
    if not isinstance(network, GraphletTransform):
        network = as_graph(network, tiled=True, directions="unused")  # a batch is no network
        return graphlet_transform(network, **machine)
    return check_transform(network)


def networks_of_pyfglt(size: int, *networks: OrbitSource) -> list[GraphLike | GraphletTransform]:
    """Return the networks; raise if pyfglt's definition cannot compare them."""
    check_size(size)
    if size != 4:
        raise ArgumentError(f"size={size}: pyfglt compares graphlets of up to four vertices; expected size=4")
    if any(is_orbit_array(network, size) for network in networks):
        raise ArgumentError("definition='pyfglt': expected graphs or transforms, got an array of orbits")
    return cast("list[GraphLike | GraphletTransform]", list(networks))


def _distance(first: Int64Array, second: Int64Array) -> float:
    """Return the distance of the scaled distributions of an orbit in two networks, from 0 to 1."""
    shares, other_shares = _aligned(_scaled(first), _scaled(second))
    return sqrt(float(((shares - other_shares) ** 2).sum()) / 2)


def _scaled(counts: Int64Array) -> tuple[Int64Array, Float64Array]:
    """Return the positive counts that occur, and the scaled share of the vertices with each count."""
    count, vertices = np.unique(counts[counts > 0], return_counts=True)
    share = vertices / count
    return count, share / share.sum() if len(share) else share


def _common_part(first: Int64Array, second: Int64Array) -> float:
    """Return the common part of two distributions: the sum over counts of the smaller share of vertices."""
    distributions = []
    for counts in (first, second):
        count, vertices = np.unique(counts, return_counts=True)
        distributions.append((count, vertices / len(counts)))
    return float(_aligned(*distributions).min(axis=0).sum())


def _aligned(first: tuple[Int64Array, Float64Array], second: tuple[Int64Array, Float64Array]) -> Float64Array:
    """Return two distributions over the counts that occur in either: float64, shape (2, counts)."""
    count = np.union1d(first[0], second[0])
    rows = np.zeros((2, len(count)))
    for row, (own_count, share) in zip(rows, (first, second), strict=True):
        row[np.searchsorted(count, own_count)] = share
    return rows


def _shares(transform: GraphletTransform) -> Float64Array:
    """Return the share of each graphlet in the sum of all net frequencies; zeros if the sum is 0."""
    sums = transform.net_sums
    total = sum(sums)
    return np.array([frequency / total if total else 0.0 for frequency in sums])


def orbits_of_both(a: OrbitSource, b: OrbitSource, **keywords: Any) -> list[Int64Array]:  # noqa: ANN401 - of `orbits_of`
    """Return the orbits of two networks, see `orbits_of`."""
    return [orbits_of(name, network, **keywords) for name, network in (("a", a), ("b", b))]


def orbits_of(name: str, network: OrbitSource, *, size: int, **machine: Any) -> Int64Array:  # noqa: ANN401 - threads, device and progress
    """Return the orbits of the vertices of a network: int64, shape (n, 15) or (n, 73).

    Parameters
    ----------
    name : str
        Name of the argument, for errors.
    network : Graph, any input that `Graph` accepts, GraphletTransform, or int64 array
        A graph is counted; an array must be as `orbit_degrees` returns it.
    size : {4, 5}
        Number of vertices of the largest subgraphs.
    threads, device, progress
        As for `orbit_degrees`.

    Raises
    ------
    ArgumentError
        If `size` is not 4 or 5, if a transform has 5 graphlets or `size` is 5, or if an array does not contain orbits.
    """
    check_size(size)
    if isinstance(network, GraphletTransform):
        if size != 4:
            raise ArgumentError(
                f"{name}: a transform has graphlets of up to four vertices; expected a graph or "
                f"orbit_degrees(graph, size={size})"
            )
        return check_transform(network).net[:, ORBITS]
    if is_orbit_array(network, size):
        orbits = cast("Int64Array", network)
        _check_orbits(name, orbits, size)
        return orbits.astype(np.int64, copy=False)
    graph = cast("Graph", graph_or_orbits(network, size))
    return orbit_degrees(graph, size=size, **machine)


def graph_or_orbits(network: OrbitSource, size: int) -> Graph | GraphletTransform | Int64Array:
    """Return a transform or an array of orbits unchanged, and every other network as a graph."""
    if isinstance(network, GraphletTransform) or is_orbit_array(network, size):
        return cast("GraphletTransform | Int64Array", network)
    return cast("Graph", as_graph(network, tiled=True, directions="unused"))  # a batch is no network


def labels_of(network: Graph | GraphletTransform | Int64Array) -> AnyArray | None:
    """Return the labels of the vertices of a network, if they are all different; arrays of orbits have none."""
    labels = None if isinstance(network, np.ndarray) else network.labels
    return None if labels is None else vertex_names(labels, len(labels))


def check_transform(transform: GraphletTransform) -> GraphletTransform:
    """Return a transform of all 16 graphlets unchanged; raise for one of 5."""
    if len(transform.names) != 16:
        raise ArgumentError(f"expected the transform of all 16 graphlets, got one of {len(transform.names)}")
    return transform


def is_orbit_array(network: object, size: int) -> bool:
    """Return whether an object is an array of orbits, and not an edge_index, which has two rows.

    An array of two rows is an array of orbits if its numbers satisfy the relations between the orbits of a vertex.
    """
    if not isinstance(network, np.ndarray) or network.ndim != 2:
        return False
    return len(network) != 2 or (network.shape[1] == ORBITS_OF_SIZE[size] and first_wrong_row(network) is None)


def first_wrong_row(orbits: Int64Array) -> int | None:
    """Return the first row that no vertex can have, or None.

    k neighbours of a vertex form C(k, 2) pairs, C(k, 3) triples and C(k, 4) quadruples, and each is in one of the
    graphlets in which the vertex is joined to all others. Products that exceed 64 bits wrap around on both sides.
    """
    if orbits.dtype.kind not in "iu":
        return 0
    wrong = (orbits < 0).any(axis=1)
    degrees, row_of = np.unique(orbits[:, 0], return_inverse=True)
    for size in range(3, 5 if orbits.shape[1] == 15 else 6):
        sets = np.array([comb(max(0, int(k)), size - 1) % 2**64 for k in degrees], dtype=np.uint64)
        found = orbits[:, hub_orbits(size)].astype(np.uint64).sum(axis=1, dtype=np.uint64)
        wrong |= found != sets[row_of.reshape(-1)]
    return int(wrong.argmax()) if wrong.any() else None


@cache
def hub_orbits(size: int) -> tuple[int, ...]:
    """Return the orbits of the vertices that are joined to all others in a graphlet of this number of vertices.

    Examples
    --------
    >>> hub_orbits(3), hub_orbits(4)
    ((2, 3), (7, 11, 13, 14))
    """
    found = set()
    for edges, orbits in zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, strict=True):
        if len(orbits) == size:
            found |= {orbit for vertex, orbit in enumerate(orbits) if edges.count(str(vertex)) == size - 1}
    return tuple(sorted(found))


def _check_orbits(name: str, array: Int64Array, size: int) -> None:
    """Raise if an array cannot be the orbits of vertices."""
    columns = ORBITS_OF_SIZE[size]
    if array.shape[1] != columns:
        other = next((f"; size={key} has {value}" for key, value in ORBITS_OF_SIZE.items() if key != size), "")
        raise ArgumentError(
            f"{name}: got an array of shape {array.shape}; expected a graph, or orbits of shape (n, {columns}){other}"
        )
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected whole numbers, as orbit_degrees returns them, got {array.dtype}")
    wrong = first_wrong_row(array)
    if wrong is not None:
        raise ArgumentError(
            f"{name}[{wrong}]: no vertex with {array[wrong, 0]} neighbours has these numbers; expected orbits as "
            f"orbit_degrees(graph, size={size}) returns them"
        )
