"""The tables of a report as text: headline numbers, dropped edges, the census, and lists of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.triad_types import ASYMMETRIC
from triadic.measures.clustering import count_of, mean_clustering, transitivity_of
from triadic.measures.triads import dyads_of
from triadic.reports.numbers import format_coefficient, format_number, format_p, format_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings

_LISTED = 10


class Fact(NamedTuple):
    """A name, its value, and an explanation."""

    name: str
    value: str
    note: str = ""


class TriadRow(NamedTuple):
    """A row of the census as text; `deviation` and `p` are empty without random networks."""

    name: str
    counted: str
    expected: str
    deviation: str
    z: str
    p: str


class VertexRow(NamedTuple):
    """A vertex with its measures as text."""

    name: str
    degree: str
    triangles: str
    clustering: str


def headline(found: Findings) -> list[Fact]:
    """Return the main numbers of a network."""
    graph, degree = found.graph, found.degree
    facts = [Fact("vertices", f"{graph.num_vertices:,}", f"{_isolated(degree):,} without an edge")]
    if graph.directed:
        mutual, asymmetric = dyads_of(graph)
        joined = max(1, mutual + asymmetric)
        facts += [
            Fact("arcs", f"{graph.num_arcs:,}", "directed edges"),
            Fact("joined pairs", f"{graph.num_edges:,}", f"{mutual / joined:.1%} of them in both directions"),
        ]
    else:
        facts += [Fact("edges", f"{graph.num_edges:,}")]
    mean = 2 * graph.num_edges / max(1, graph.num_vertices)
    return [
        *facts,
        Fact("largest degree", f"{int(degree.max(initial=0)):,}", f"mean {mean:.3g}"),
        Fact("triangles", f"{count_of(found.triangles):,}"),
        Fact(
            "transitivity",
            format_coefficient(transitivity_of(found.triangles, degree)),
            "share of paths of two edges that are closed",
        ),
        Fact(
            "average clustering",
            format_coefficient(mean_clustering(found.clustering)),
            "mean over vertices; 0 if degree < 2",
        ),
    ]


def dropped(graph: Graph) -> list[Fact]:
    """Return the numbers of edges that were dropped when the graph was made."""
    counts = graph.dropped
    facts = [
        Fact("loops", f"{counts.loops:,}", "edges from a vertex to itself"),
        Fact("repeats", f"{counts.duplicates:,}", "edges that repeat an earlier one"),
    ]
    if not graph.directed:
        facts.append(
            Fact(
                "reversed", f"{counts.reciprocal_merged:,}", "edges that repeat an earlier one with its ends exchanged"
            )
        )
    return facts


def census_rows(found: Findings) -> list[TriadRow]:
    """Return a row for each type of triads that can occur, with its count, its expectation and its z-score."""
    census, sampled = found.census, found.significance
    names = [name for name in census if found.graph.directed or not ASYMMETRIC[name]]
    if sampled is None:
        mean, z = census.expected(), census.z_scores()
        return [
            TriadRow(name, f"{census[name]:,}", format_number(mean[name]), "", format_score(z[name]), "")
            for name in names
        ]
    compared = {name: sampled[name] for name in names}
    return [
        TriadRow(
            name,
            f"{row.count:,}",
            format_number(row.mean),
            format_number(row.std),
            format_score(row.z),
            format_p(row.p, sampled.resolution),
        )
        for name, row in compared.items()
    ]


def most_triangles(found: Findings) -> list[VertexRow]:
    """Return the vertices in the most triangles."""
    first = _top(found.triangles, found.degree)
    return [_row(found, vertex) for vertex in first if found.triangles[vertex]]


def highest_clustering(found: Findings) -> list[VertexRow]:
    """Return the vertices of the highest local clustering coefficients; higher degrees come first among ties."""
    first = _top(found.clustering, found.degree)
    return [_row(found, vertex) for vertex in first if found.clustering[vertex] > 0]


def vertex_name(graph: Graph, vertex: int) -> str:
    """Return the label of a vertex, or its number if it has none."""
    labels = graph.labels
    return str(vertex if labels is None or vertex >= len(labels) else labels[vertex])


def _isolated(degree: NDArray[np.int64]) -> int:
    return int(np.count_nonzero(degree == 0))


def _row(found: Findings, vertex: int) -> VertexRow:
    return VertexRow(
        vertex_name(found.graph, vertex),
        f"{found.degree[vertex]:,}",
        f"{found.triangles[vertex]:,}",
        format_coefficient(float(found.clustering[vertex])),
    )


def _top(values: NDArray[Any], tie_break: NDArray[np.int64]) -> list[int]:
    """Return the indices of the largest values without a full sort; `tie_break`, then the index, orders equal ones."""
    if not len(values):
        return []
    rank = max(0, len(values) - _LISTED)
    least = np.partition(values, rank)[rank]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    if len(equal) > _LISTED:
        rank = len(equal) - _LISTED
        lowest = np.partition(tie_break[equal], rank)[rank]
        # Of the vertices that tie in both values, the list takes the first ones by index.
        ties = equal[tie_break[equal] == lowest][:_LISTED]
        equal = np.concatenate([equal[tie_break[equal] > lowest], ties])
    chosen = np.concatenate([above, equal])
    order = np.lexsort((chosen, -tie_break[chosen], -values[chosen]))
    return [int(vertex) for vertex in chosen[order][:_LISTED]]
