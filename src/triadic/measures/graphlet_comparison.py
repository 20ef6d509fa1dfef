"""Two networks compared by how often each graphlet occurs in them, and at how many vertices.

The published measures count graphlets of up to five vertices; here they are of up to four. pyfglt has functions of the
same purpose with other formulas, kept here as ``definition="pyfglt"``.
"""

from __future__ import annotations

from math import inf, log, nan, sqrt
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from triadic.core.graphlet_types import GRAPHS, ORBITS
from triadic.errors import ArgumentError
from triadic.measures.graphlet_result import GraphletTransform
from triadic.measures.graphlets import graphlet_transform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.convert.recognise import GraphLike
    from triadic.core.progress import ProgressKeyword

Definition = Literal["published", "pyfglt"]
Mean = Literal["arithmetic", "geometric"]
Absent = Literal["infinite", "skip"]

# The graphs whose frequencies are compared: those of at least three vertices.
COMPARED = tuple(GRAPHS)[2:]


def graphlet_degree_agreement(
    a: GraphLike | GraphletTransform,
    b: GraphLike | GraphletTransform,
    *,
    mean: Mean = "arithmetic",
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Give the agreement of two networks' graphlet degree distributions.

    The distribution of an orbit says which share of the vertices is at k graphlets in that place, for each k. It is
    scaled by 1/k and to a sum of 1, without k = 0. Two are as far apart as their Euclidean distance over the square
    root of 2. The agreement is the mean of 1 less that distance over the 15 orbits of up to four vertices.

    Parameters
    ----------
    a, b : Graph, or what `Graph` takes, or GraphletTransform
        A directed graph is taken as its skeleton. A transform is of all 16 graphlets.
    mean : {"arithmetic", "geometric"}, default "arithmetic"
        Of the agreements of the orbits.
    definition : {"published", "pyfglt"}, default "published"
        "pyfglt": the shared part of the two distributions, unscaled and with k = 0, mean over all 16 graphlets.
    threads, device, progress
        As for `triadic.graphlet_transform`, which counts where a graph is given.

    Returns
    -------
    float
        From 0, far apart, to 1, the same distributions. In an orbit that neither network has the agreement is 1: two
        networks without a triangle agree in each orbit that has one, two without vertices in all. In an orbit that
        only one of them has, the other's distribution is taken as 0. pyfglt's is at least 1/16, and nan where a
        network has no vertices.

    Raises
    ------
    ArgumentError
        Other options, a geometric mean of pyfglt's, or a transform of 5 graphlets.

    Notes
    -----
    O(n log n) after counting, and arrays as long as the number of different counts, however large these are.

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177; its erratum (2010), Bioinformatics 26, 853, divides by the square root of 2.

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(60, 4, 0.0, seed=1)
    >>> triadic.graphlet_degree_agreement(ring, ring)
    1.0
    >>> round(triadic.graphlet_degree_agreement(ring, triadic.generate.grid(8, 8)), 4)
    0.4323
    """
    accept("mean", mean, Mean)
    accept("definition", definition, Definition)
    if definition == "pyfglt" and mean != "arithmetic":
        raise ArgumentError(f"mean={mean!r}: pyfglt has the arithmetic mean only")
    first, second = (net_of(network, threads, device, progress) for network in (a, b))
    if definition == "pyfglt":
        if not (len(first) and len(second)):
            return nan
        return float(np.mean([_shared(first[:, column], second[:, column]) for column in range(16)]))
    return mean_agreement(orbit_agreements(first, second), mean)


def graphlet_frequency_distance(
    a: GraphLike | GraphletTransform,
    b: GraphLike | GraphletTransform,
    *,
    absent: Absent = "infinite",
    definition: Definition = "published",
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Give the distance of two networks by their relative graphlet frequencies.

    The sum over graphlets of the difference, without its sign, of F = -log(N / T), where N is the number of induced
    subgraphs that are the graphlet, and T the number of all that are one of three or four vertices. Logarithms are
    natural.

    Parameters
    ----------
    a, b : Graph, or what `Graph` takes, or GraphletTransform
        A directed graph is taken as its skeleton. A transform is of all 16 graphlets.
    absent : {"infinite", "skip"}, default "infinite"
        What a graphlet that only one of the networks has adds: infinity, as the formula has it, or nothing, as
        some programs have it. One that neither has adds nothing.
    definition : {"published", "pyfglt"}, default "published"
        "pyfglt": without logarithm, over the 16 sums of the transform, with vertices and edges, where a subgraph
        counts once for each of its vertices.
    threads, device, progress
        As for `triadic.graphlet_transform`, which counts where a graph is given.

    Returns
    -------
    float
        At least 0. Infinite where a graphlet is absent from one network, as triangles are from a tree, unless
        skipped; nan if then nothing is left to compare; 0 of two networks that have none of these graphlets.
        pyfglt's is at most 2, and takes all frequencies of a network without vertices as 0.

    Raises
    ------
    ArgumentError
        Other options, or a transform of 5 graphlets.

    References
    ----------
    Pržulj, Corneil and Jurisica (2004), Bioinformatics 20, 3508; over graphlets of three to five vertices.

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
    accept("absent", absent, Absent)
    accept("definition", definition, Definition)
    first, second = (transform_of(network, threads, device, progress) for network in (a, b))
    if definition == "pyfglt":
        return float(abs(_shares(first) - _shares(second)).sum())
    counts = [[of[graph] for graph in COMPARED] for of in (first.totals, second.totals)]
    totals = [sum(of) for of in counts]
    in_either = [(n, m) for n, m in zip(*counts, strict=True) if n or m]
    in_both = [(n, m) for n, m in in_either if n and m]
    if len(in_both) < len(in_either):
        if absent == "infinite":
            return inf
        if not in_both:
            return nan
    return sum((abs(log(n / totals[0]) - log(m / totals[1])) for n, m in in_both), start=0.0)


def orbit_agreements(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the agreement of each of ORCA's orbits 0 to 14 from two networks' net frequencies."""
    distances = [_distance(first[:, column], second[:, column]) for column in ORBITS]
    return (1 - np.array(distances)).clip(0, 1)


def mean_agreement(agreements: NDArray[np.float64], mean: Mean) -> float:
    """Give a mean of the agreements of orbits."""
    return float(agreements.mean() if mean == "arithmetic" else agreements.prod() ** (1 / len(agreements)))


def transform_of(
    network: GraphLike | GraphletTransform, threads: int | None, device: str, progress: ProgressKeyword
) -> GraphletTransform:
    """Give the transform of a graph, or the one that is given."""
    if not isinstance(network, GraphletTransform):
        return graphlet_transform(network, threads=threads, device=device, progress=progress)
    if len(network.names) != 16:
        raise ArgumentError(f"expected the transform of all 16 graphlets, got one of {len(network.names)}")
    return network


def net_of(
    network: GraphLike | GraphletTransform, threads: int | None, device: str, progress: ProgressKeyword
) -> NDArray[np.int64]:
    """Give the net frequencies of a graph or of a transform."""
    return transform_of(network, threads, device, progress).net


def accept(name: str, value: object, accepted: object) -> None:
    """Take an option that is one of a `Literal`'s values."""
    if value not in get_args(accepted):
        raise ArgumentError(f"{name}={value!r}: expected one of {', '.join(map(repr, get_args(accepted)))}")


def _distance(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Give the distance of two orbits' scaled distributions, from 0 to 1."""
    ours, theirs = _side_by_side(_scaled(first), _scaled(second))
    return sqrt(float(((ours - theirs) ** 2).sum()) / 2)


def _scaled(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Give the counts that occur, from 1, and the scaled share of the vertices that have each."""
    count, vertices = np.unique(counts[counts > 0], return_counts=True)
    share = vertices / count
    return count, share / share.sum() if len(share) else share


def _shared(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Give what two distributions have in common: the sum over counts of the smaller share of vertices."""
    (count, vertices), (other_count, other_vertices) = (np.unique(of, return_counts=True) for of in (first, second))
    ours, theirs = _side_by_side((count, vertices / len(first)), (other_count, other_vertices / len(second)))
    return float(np.minimum(ours, theirs).sum())


def _side_by_side(
    first: tuple[NDArray[np.int64], NDArray[np.float64]], second: tuple[NDArray[np.int64], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Give two distributions over every count that occurs in either, a row each."""
    count = np.union1d(first[0], second[0])
    rows = np.zeros((2, len(count)))
    for row, (own, share) in zip(rows, (first, second), strict=True):
        row[np.searchsorted(count, own)] = share
    return rows


def _shares(transform: GraphletTransform) -> NDArray[np.float64]:
    """Give what part of the sum of all net frequencies each graphlet has; zeros of nothing."""
    sums = transform.net_sums
    total = sum(sums)
    return np.array([of / total if total else 0.0 for of in sums])
