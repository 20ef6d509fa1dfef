"""Estimates of time, which limit the random networks and the graphlets of a report on a large network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from triadic.graph.graph import Graph

SECONDS = 60.0  # limit for all random networks together, and for the graphlets
WORTH_A_TRIAL = 5.0  # estimated seconds from which on a trial replaces the estimate
TRIAL = 2  # random networks in a trial
LIMIT_OF_RANDOM_FIVE = 1 / 4  # of SECONDS, for the graphlets of five vertices of random networks
LEAST_SAMPLES = 10  # fewer random networks hardly determine a standard deviation
WIDTH_OF_ESTIMATES = 0.01  # of graphlets that are estimated in place of counting them
SECONDS_OF_ESTIMATES = 10.0

# Measured on real networks of 0.1 to 3 million edges.
_SECONDS_A_SQUARE = 40e-9
_STEPS_AN_EDGE, _SECONDS_A_STEP, _SECONDS_AN_ARC = 10, 100e-9, 300e-9
# Of the graphlets of five vertices: for each vertex, edge, pair of edges at a vertex, and diamond.
_SECONDS_OF_FIVE = (4e-6, 3e-6, 90e-9, 40e-9)
_LIMIT_OF_FIVE = 1 / 12  # of SECONDS, for the network itself
_TRUSSES_A_TRIANGLE_COUNT = 40.0  # time of all trusses, in counts of triangles
_LIMIT_OF_TRUSSES = 0.25  # of SECONDS


class Allowance(NamedTuple):
    """Seconds for the random networks of a comparison.

    Attributes
    ----------
    share : float
        Part of the rest that leaves as much for each later comparison.
    rest : float
        What earlier comparisons have left, of which 10 random networks may take more than the share.
    """

    share: float
    rest: float


def affordable_samples(wanted: int, seconds: float, allowance: Allowance) -> int:
    """Return the number of samples that fit the allowance, at most `wanted`; 0 if fewer than 10 fit.

    Parameters
    ----------
    wanted : int
        Number of samples that the user asked for.
    seconds : float
        Time of one sample.
    allowance : Allowance

    Examples
    --------
    >>> [affordable_samples(100, seconds, Allowance(share=20, rest=60)) for seconds in (0.1, 1.0, 5.0, 30.0)]
    [100, 20, 10, 0]
    """
    fitting = int(allowance.share / max(seconds, 1e-9))
    if fitting < LEAST_SAMPLES and seconds * LEAST_SAMPLES < allowance.rest:
        fitting = LEAST_SAMPLES
    return min(wanted, fitting) if fitting >= min(wanted, LEAST_SAMPLES) else 0


def sample_seconds(graph: Graph, count_seconds: float, threads: int) -> float:
    """Estimate the seconds of a sample: of the walk to it, which takes one of the threads, and of its counts.

    Parameters
    ----------
    graph : Graph
    count_seconds : float
        Measured time of the same counts in the graph itself on these threads.
    threads : int
    """
    walk = _STEPS_AN_EDGE * _SECONDS_A_STEP * graph.num_edges + _SECONDS_AN_ARC * graph.num_arcs
    return walk / threads + count_seconds


def graphlet_seconds(graph: Graph, threads: int) -> float:
    """Estimate the seconds of counting all graphlets on the CPU from the smaller degree of each edge.

    Examples
    --------
    >>> import triadic
    >>> graphlet_seconds(triadic.generate.watts_strogatz(1000, 6, 0.1, seed=1), threads=1) < 0.01
    True
    """
    oriented = graph.oriented(threads=threads)
    # An edge is in the row of its end of smaller degree. Most of the time goes into counting squares.
    work = float(np.dot(np.diff(oriented.indptr).astype(np.float64), oriented.degree.astype(np.float64)))
    return work * _SECONDS_A_SQUARE / threads


def five_vertex_seconds(graph: Graph, diamonds: int, threads: int) -> float:
    """Estimate the seconds of counting the graphlets of five vertices, within a factor of two on real networks.

    Parameters
    ----------
    graph : Graph
    diamonds : int
        Number of diamonds, induced or not.
    threads : int

    Examples
    --------
    >>> import triadic
    >>> ring = triadic.generate.watts_strogatz(1000, 6, 0.1, seed=1)
    >>> 0.001 < five_vertex_seconds(ring, 1000, threads=1) < 0.1
    True
    """
    degree = graph.oriented(threads=threads).degree.astype(np.float64)
    pairs = float(np.dot(degree, degree - 1)) / 2
    amounts = (graph.num_vertices, graph.num_edges, pairs, diamonds)
    return sum(each * amount for each, amount in zip(_SECONDS_OF_FIVE, amounts, strict=True)) / threads


def affords_five(seconds: float) -> bool:
    """Return whether the graphlets of five vertices, which take these seconds, fit a twelfth of the budget."""
    return seconds <= _LIMIT_OF_FIVE * SECONDS


def affords_trusses(triangle_seconds: float) -> bool:
    """Return whether the trusses of a network, whose triangles took these seconds, fit a quarter of the budget."""
    return _TRUSSES_A_TRIANGLE_COUNT * triangle_seconds <= _LIMIT_OF_TRUSSES * SECONDS
