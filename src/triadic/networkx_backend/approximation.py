"""Approximations, as in `networkx.algorithms.approximation`."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.measures.estimates.samplers import LocalWedges
from triadic.networkx_backend.backend_graph import BackendGraph, is_converted
from triadic.networkx_backend.reasons import Answer, algorithm, refuse, refuse_loops

# Networkx takes two microseconds for a trial, and a conversion takes about one for each edge.
_TRIALS_PER_EDGE = 0.5


def _should_run(G: Any, trials: int = 1000, seed: Any = None) -> Answer:  # noqa: ANN401, ARG001 - as in networkx
    if is_converted(G) or trials >= _TRIALS_PER_EDGE * G.number_of_edges():
        return True
    return f"{trials} trials: networkx reads the neighbours of so few nodes only"


@algorithm(
    should_run=_should_run,
    note="Graphs without loops. A seed gives other draws than in networkx. `triadic.estimate` returns intervals, too.",
)
def approximate_average_clustering(
    G: nx.Graph,
    trials: int = 1000,
    seed: Any = None,  # noqa: ANN401 - as in networkx
) -> float:
    """Return the share of random wedges at random nodes that are closed, as `approximation.average_clustering`."""
    graph = BackendGraph.of(G)
    refuse(graph, "directed")
    refuse_loops(graph, "approximation.average_clustering")
    key = nx.utils.create_py_random_state(seed).getrandbits(63)
    if not len(graph) or trials < 1:
        return 0 / trials  # networkx's error without trials
    threads = resolve_threads(graph.threads)
    sampler = graph.cached(
        ("local wedges", threads), lambda: LocalWedges(graph.graph, threads=threads, by_degree=False)
    )
    closed, _ = sampler.moments(key, np.zeros(1, dtype=np.int64), np.array([trials]))
    return float(closed[0]) / trials
