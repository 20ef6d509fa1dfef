"""How much of what takes long a report can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triadic.graph.graph import Graph

SECONDS = 60.0  # for the samples, and for the graphlets
WORTH_A_TRIAL = 5.0  # estimated for all samples; a trial tells what this machine makes of the estimate
TRIAL = 2  # samples
LEAST_SAMPLES = 10  # fewer say next to nothing of a standard deviation

# Measured on real networks of 0.1 to 3 million edges; a machine twice as slow takes twice as long.
_SECONDS_A_SQUARE = 40e-9
_STEPS_AN_EDGE, _SECONDS_A_STEP, _SECONDS_AN_ARC = 10, 100e-9, 300e-9


def affordable_samples(wanted: int, seconds: float) -> int:
    """Give how many samples of so many seconds each fit the budget, at most those wanted; 0 where too few do.

    Examples
    --------
    >>> affordable_samples(100, 0.1), affordable_samples(100, 1.0), affordable_samples(100, 30.0)
    (100, 60, 0)
    """
    fitting = int(SECONDS / max(seconds, 1e-9))
    return wanted if fitting >= wanted else fitting if fitting >= LEAST_SAMPLES else 0


def sample_seconds(graph: Graph, census_seconds: float, threads: int) -> float:
    """Estimate what a sample takes: the walk to it, on one of the threads, and a census.

    Parameters
    ----------
    graph : Graph
    census_seconds : float
        What a census of the graph took with so many threads.
    threads : int
    """
    walk = _STEPS_AN_EDGE * _SECONDS_A_STEP * graph.num_edges + _SECONDS_AN_ARC * graph.num_arcs
    return walk / threads + census_seconds


def graphlet_seconds(graph: Graph, threads: int) -> float:
    """Estimate what counting all graphlets on the CPU takes: squares take most, the smaller degree of each edge.

    Examples
    --------
    >>> import triadic
    >>> graphlet_seconds(triadic.generate.watts_strogatz(1000, 6, 0.1, seed=1), threads=1) < 0.01
    True
    """
    oriented = graph.oriented(threads=threads)
    # An edge stands in the row of the end of the smaller degree.
    work = float(np.dot(np.diff(oriented.indptr).astype(np.float64), oriented.degree.astype(np.float64)))
    return work * _SECONDS_A_SQUARE / threads
