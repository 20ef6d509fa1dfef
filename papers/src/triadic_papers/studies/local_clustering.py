"""Helpers of the studies of local clustering: the outcome of an algorithm, and the engine's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic import average_clustering, clustering, triangles
from triadic_papers.studies.cells import Outcome
from triadic_papers.studies.engine import from_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.graph.graph import Graph
    from triadic_papers.local_clustering import LocalClustering
    from triadic_papers.studies.cells import Answer, Scalar

# The papers time these phases: the network is in memory, and programs are compiled.
_TIMED = ("transfer", "compute")


def outcome(found: LocalClustering, facts: Mapping[str, Scalar] | None = None) -> Outcome:
    """Return the outcome of an algorithm; its time covers transfers and computing, other phases are separate."""
    seconds = sum(found.seconds.get(name, 0.0) for name in _TIMED)
    answer = {"triangles": found.triangles, "coefficients": found.coefficients, "mean": found.mean}
    return Outcome(answer, seconds, found.seconds, facts or {})


def timed(count: Callable[[Graph], LocalClustering]) -> Callable[[Graph], Outcome]:
    """Return the function that runs an algorithm for a cell."""

    def run(graph: Graph) -> Outcome:
        return outcome(count(graph), degree_facts(graph))

    return run


def engine(device: str, graph: Graph) -> Outcome:
    """Compute the coefficients of all vertices with the engine."""
    found, phases = from_rows(graph, lambda fresh: clustering(fresh, device=device))
    return Outcome({"coefficients": found}, sum(phases.values()), phases, degree_facts(graph))


def expected(graph: Graph) -> Answer:
    """Return the engine's answer."""
    counts = triangles(graph)
    mean = average_clustering(graph) if graph.num_vertices else 0.0
    return {
        "triangles": counts,
        "coefficients": clustering(graph),
        "mean": mean,
        "total": int(counts.sum()) // 3,
    }


def degree_facts(graph: Graph) -> dict[str, Scalar]:
    """Return the largest degree and the standard deviation of degrees."""
    degree = graph.degree
    return {"d_max": int(degree.max(initial=0)), "d_std": float(np.std(degree)) if len(degree) else 0.0}
