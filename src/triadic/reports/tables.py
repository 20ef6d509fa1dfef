"""The figures of a report in words: facts, the census, the vertices that stand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.triad_types import ASYMMETRIC
from triadic.measures.clustering import count_of, mean_clustering, transitivity_of
from triadic.measures.triads import dyads_of
from triadic.reports.numbers import about, coefficient, score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings

_LISTED = 10


class Fact(NamedTuple):
    """A name, its value, and what it means."""

    name: str
    value: str
    note: str = ""


class TriadRow(NamedTuple):
    """A type of triads, in words; deviation and p are empty where nothing was sampled."""

    name: str
    counted: str
    expected: str
    deviation: str
    z: str
    p: str


class VertexRow(NamedTuple):
    """A vertex that stands out."""

    name: str
    degree: str
    triangles: str
    clustering: str


def headline(found: Findings) -> list[Fact]:
    """Give the figures that say most of a network in a line."""
    graph, degree = found.graph, found.degree
    facts = [Fact("vertices", f"{graph.num_vertices:,}", f"{_isolated(degree):,} without an edge")]
    if graph.directed:
        mutual, asymmetric = dyads_of(graph)
        joined = max(1, mutual + asymmetric)
        facts += [
            Fact("arcs", f"{graph.num_arcs:,}", "edges with a direction"),
            Fact("joined pairs", f"{graph.num_edges:,}", f"{mutual / joined:.1%} of them both ways"),
        ]
    else:
        facts += [Fact("edges", f"{graph.num_edges:,}")]
    mean = 2 * graph.num_edges / max(1, graph.num_vertices)
    return [
        *facts,
        Fact("largest degree", f"{int(degree.max(initial=0)):,}", f"mean {mean:.3g}"),
        Fact("triangles", f"{count_of(found.triangles):,}"),
        Fact("transitivity", coefficient(transitivity_of(found.triangles, degree)), "share of 2-edge paths that close"),
        Fact("average clustering", coefficient(mean_clustering(found.clustering)), "over vertices; 0 below degree 2"),
    ]


def dropped(graph: Graph) -> list[Fact]:
    """Say what was left out when the graph was made."""
    lost = graph.dropped
    facts = [
        Fact("loops", f"{lost.loops:,}", "edges from a vertex to itself"),
        Fact("repeats", f"{lost.duplicates:,}", "edges given once more"),
    ]
    if not graph.directed:
        facts.append(Fact("reversed", f"{lost.reciprocal_merged:,}", "edges given once more from their other end"))
    return facts


def census_rows(found: Findings) -> list[TriadRow]:
    """Give the types that the network could have, counted, and what chance makes of them."""
    census, sampled = found.census, found.significance
    names = [name for name in census if found.graph.directed or not ASYMMETRIC[name]]
    if sampled is None:
        mean, z = census.expected(), census.z_scores()
        return [TriadRow(name, f"{census[name]:,}", about(mean[name]), "", score(z[name]), "") for name in names]
    compared = {name: sampled[name] for name in names}
    return [
        TriadRow(name, f"{one.count:,}", about(one.mean), about(one.std), score(one.z), about(one.p))
        for name, one in compared.items()
    ]


def most_triangles(found: Findings) -> list[VertexRow]:
    """Give the vertices that are in the most triangles."""
    first = _top(found.triangles, found.degree)
    return [_row(found, vertex) for vertex in first if found.triangles[vertex]]


def highest_clustering(found: Findings) -> list[VertexRow]:
    """Give the vertices of the highest local clustering, of equal ones those of the highest degree."""
    first = _top(found.clustering, found.degree)
    return [_row(found, vertex) for vertex in first if found.clustering[vertex] > 0]


def vertex_name(graph: Graph, vertex: int) -> str:
    """Give what the file calls a vertex, else its number."""
    labels = graph.labels
    return str(vertex if labels is None or vertex >= len(labels) else labels[vertex])


def _isolated(degree: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(degree == 0))


def _row(found: Findings, vertex: int) -> VertexRow:
    return VertexRow(
        vertex_name(found.graph, vertex),
        f"{found.degree[vertex]:,}",
        f"{found.triangles[vertex]:,}",
        coefficient(float(found.clustering[vertex])),
    )


def _top(values: NDArray[Any], among_equals: NDArray[np.int64]) -> list[int]:
    """Give the places of the largest values, of equal ones the first by another; without sorting them all."""
    if not len(values):
        return []
    rank = max(0, len(values) - _LISTED)
    least = np.partition(values, rank)[rank]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    if len(equal) > _LISTED:
        rank = len(equal) - _LISTED
        lowest = np.partition(among_equals[equal], rank)[rank]
        # Those that tie in this, too, go by number, and no more of them are kept than could be listed.
        ties = equal[among_equals[equal] == lowest][:_LISTED]
        equal = np.concatenate([equal[among_equals[equal] > lowest], ties])
    chosen = np.concatenate([above, equal])
    order = np.lexsort((chosen, -among_equals[chosen], -values[chosen]))
    return [int(vertex) for vertex in chosen[order][:_LISTED]]
