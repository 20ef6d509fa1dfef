"""Comparison of two networks by their graphlets: the agreement of distributions, and the distance of frequencies.

The published measures count graphlets of up to five vertices, as ``size=5`` does; the default is up to four. The
functions of pyfglt with the same purpose have other formulas, which ``definition="pyfglt"`` selects. The orbits of a
network that is compared are counted in a graph, or taken from an array or a transform.
"""

from __future__ import annotations

from functools import cache
from math import comb, inf, log, nan, sqrt
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_option
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, GRAPH_NAMES, GRAPHS, ORBITS, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.graph.labels import vertex_names
from triadic.measures.graphlets.orbits import orbits_of_vertices, totals_of_orbits
from triadic.measures.graphlets.transform import GraphletTransform, graphlet_transform

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.graph.graph import Graph
    from triadic.tiles.tiled_graph import TiledGraph


Definition = Literal["published", "pyfglt"]
Mean = Literal["arithmetic", "geometric"]
Absent = Literal["infinite", "skip"]

# Graphs whose frequencies are compared: all with three or four vertices.
COMPARED = tuple(GRAPHS)[2:]

OrbitSource: TypeAlias = "GraphLike | GraphletTransform | Int64Array"


def degree_agreement(
    a: OrbitSource,
    b: OrbitSource,
    *,
    size: int,
    mean: Mean,
    definition: Definition,
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> float:
    """Return the agreement of the graphlet degree distributions of two networks, as `compare` describes it."""
    check_option("mean", mean, Mean)
    if definition == "pyfglt":
        if mean != "arithmetic":
            raise ArgumentError(f"mean={mean!r}: pyfglt has the arithmetic mean only")
        first, second = (transform.net for transform in transforms_of(size, a, b, **machine))
        if not (len(first) and len(second)):
            return nan
        return float(np.mean([_common_part(first[:, column], second[:, column]) for column in range(16)]))
    return mean_agreement(orbit_agreements(*orbits_of_both(a, b, size=size, **machine)), mean)


def frequency_distance(
    a: OrbitSource,
    b: OrbitSource,
    *,
    size: int,
    absent: Absent = "infinite",
    definition: Definition = "published",
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> float:
    """Return the distance of two networks by the relative frequencies of graphlets, as `compare` describes it."""
    check_option("absent", absent, Absent)
    if definition == "pyfglt":
        first, second = map(_shares, transforms_of(size, a, b, **machine))
        return float(abs(first - second).sum())
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


def transforms_of(size: int, *networks: OrbitSource, **machine: Any) -> list[GraphletTransform]:  # noqa: ANN401 - threads, device and progress
    """Return the transforms of networks, counted where a graph is given; raise if pyfglt cannot compare them."""
    if size != 4:
        raise ArgumentError(f"size={size}: pyfglt compares graphlets of up to four vertices; expected size=4")
    if any(is_orbit_array(network, size) for network in networks):
        raise ArgumentError("definition='pyfglt': expected graphs or transforms, got an array of orbits")
    graphs = [graph_or_orbits(network, size) for network in networks]
    return [
        check_transform(graph) if isinstance(graph, GraphletTransform) else graphlet_transform(graph, **machine)
        for graph in graphs
    ]


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
        A graph is counted; an array must be as `graphlets` returns it by vertex.
    size : {4, 5}
        Number of vertices of the largest subgraphs.
    threads, device, progress
        as for `graphlets`.

    Raises
    ------
    ArgumentError
        If a transform is of ``size=3`` or `size` is 5, or if an array does not contain orbits.
    """
    if isinstance(network, GraphletTransform):
        if size != 4:
            raise ArgumentError(
                f"{name}: a transform has graphlets of up to four vertices; expected a graph or "
                f"graphlets(graph, size={size}, by='vertex')"
            )
        return check_transform(network).net[:, ORBITS]
    if is_orbit_array(network, size):
        _check_orbits(name, network, size)
        return network.astype(np.int64, copy=False)
    return orbits_of_vertices(graph_or_orbits(network, size), size, **machine)


def graph_or_orbits(network: OrbitSource, size: int) -> Graph | TiledGraph | GraphletTransform | Int64Array:
    """Return a transform or an array of orbits unchanged, and every other network as a graph."""
    if isinstance(network, GraphletTransform) or is_orbit_array(network, size):
        return network
    return as_graph(network, tiled=True, directions="unused")  # a batch is no network


def labels_of(network: Graph | TiledGraph | GraphletTransform | Int64Array) -> AnyArray | None:
    """Return the labels of the vertices of a network, if they are all different; arrays of orbits have none."""
    labels = None if isinstance(network, np.ndarray) else network.labels
    return None if labels is None else vertex_names(labels, len(labels))


def check_transform(transform: GraphletTransform) -> GraphletTransform:
    """Return a transform of all 16 graphlets unchanged; raise for one of 5."""
    if len(transform.names) != 16:
        raise ArgumentError(f"expected the transform of all 16 graphlets, got one of {len(transform.names)}")
    return transform


def is_orbit_array(network: object, size: int) -> TypeGuard[Int64Array]:
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
        sets = np.array([comb(max(0, int(k)), size - 1) % 2**64 for k in degrees], np.uint64)
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
        other = next(f"; size={key} has {value}" for key, value in ORBITS_OF_SIZE.items() if key != size)
        raise ArgumentError(
            f"{name}: got an array of shape {array.shape}; expected a graph, or orbits of shape (n, {columns}){other}"
        )
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected whole numbers, as graphlets returns them by vertex, got {array.dtype}")
    wrong = first_wrong_row(array)
    if wrong is not None:
        raise ArgumentError(
            f"{name}[{wrong}]: no vertex with {array[wrong, 0]} neighbours has these numbers; expected orbits as "
            f"graphlets(graph, size={size}, by='vertex') returns them"
        )
