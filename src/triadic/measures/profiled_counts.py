"""What significance is asked of: named counts of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from triadic.core.exact import exact_sum
from triadic.core.graphlet_types import GRAPHS
from triadic.core.triad_types import TRIAD_NAMES
from triadic.counts.closed_triads import CLOSED_TRIADS
from triadic.counts.count import run
from triadic.counts.four_vertices import FOUR_VERTEX_COUNTS
from triadic.counts.triangles import TRIANGLES
from triadic.measures.clustering import local_clustering
from triadic.measures.graphlets import graphlet_transform
from triadic.measures.triads import triad_census

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.counts.count import Count
    from triadic.graph.graph import Graph

# A vertex and an edge are graphlets that every null keeps.
_GRAPHLETS = tuple(GRAPHS)[2:]


@dataclass(frozen=True, slots=True)
class Profiled:
    """Named counts.

    Attributes
    ----------
    names : tuple of str
    profiled : tuple of str
        Those that a significance profile is over.
    count : callable
        Gives one for each name.
    needed : Count
        The count that takes the time, by which a device is chosen.
    directed : bool
        Whether directions matter, or the skeleton is counted.
    """

    names: tuple[str, ...]
    profiled: tuple[str, ...]
    count: Callable[..., tuple[int | float, ...]]
    needed: Count[Any]
    directed: bool


def _triads(graph: Graph, *, threads: int | None, device: str) -> tuple[int, ...]:
    return triad_census(graph, threads=threads, device=device).counts


def _clustering(graph: Graph, *, threads: int | None, device: str) -> tuple[float, ...]:
    oriented = graph.oriented(threads=threads)
    triangles = run(TRIANGLES, oriented, threads=threads, device=device)
    degree = oriented.degree
    wedges = exact_sum(degree * (degree - 1) // 2)
    # Added up exactly, so that the order of vertices makes no difference between graphs that have the same.
    average = fsum(local_clustering(triangles, degree, threads=threads).tolist()) / len(degree)
    return exact_sum(triangles) / wedges if wedges else 0.0, average


def _graphlets(graph: Graph, *, threads: int | None, device: str) -> tuple[int, ...]:
    totals = graphlet_transform(graph, threads=threads, device=device).totals
    return tuple(totals[name] for name in _GRAPHLETS)


_CLUSTERING = ("transitivity", "average_clustering")
PROFILED = {
    "triads": Profiled(TRIAD_NAMES, TRIAD_NAMES[3:], _triads, CLOSED_TRIADS, directed=True),
    "clustering": Profiled(_CLUSTERING, _CLUSTERING, _clustering, TRIANGLES, directed=False),
    "graphlets": Profiled(_GRAPHLETS, _GRAPHLETS, _graphlets, FOUR_VERTEX_COUNTS, directed=False),
}
