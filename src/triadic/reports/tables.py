"""The numbers of a report as text: headline, degrees, components, and lists of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.measures.clustering import count_of, mean_clustering, transitivity_of
from triadic.measures.triads import dyads_of
from triadic.reports.numbers import format_coefficient, format_share

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings

_LISTED = 10
_PERCENT = 100


class Fact(NamedTuple):
    """A name, its value, and an explanation."""

    name: str
    value: str
    note: str = ""


class VertexList(NamedTuple):
    """Vertices with the number that orders them and another number, as text."""

    heading: str
    columns: tuple[str, str]
    rows: list[tuple[str, str, str]]


def headline(found: Findings) -> list[Fact]:
    """Return the eight main numbers of a network."""
    graph, degree = found.graph, found.degree
    n = graph.num_vertices
    isolated = int(np.count_nonzero(degree == 0))
    facts = [
        Fact("vertices", f"{n:,}", f"{isolated:,} without an edge" if isolated else "all with an edge" if n else "")
    ]
    density = format_share(graph.num_edges, n * (n - 1) // 2)
    if graph.directed:
        mutual, _ = dyads_of(graph)
        facts += [
            Fact("arcs", f"{graph.num_arcs:,}", f"join {density} of all pairs"),
            Fact("mutual pairs", format_share(mutual, graph.num_edges), f"of {graph.num_edges:,} joined pairs"),
        ]
    else:
        facts += [Fact("edges", f"{graph.num_edges:,}", f"join {density} of all pairs")]
    facts += [Fact("mean degree", f"{2 * graph.num_edges / max(1, n):,.3g}", "neighbours of a vertex")]
    if not graph.directed:
        facts += [Fact("largest degree", f"{int(degree.max(initial=0)):,}", "neighbours")]
    largest = int(found.components.max(initial=0))
    parts = f"{format_share(largest, n)} of the vertices are in the largest"
    if largest == n:
        parts = "all vertices are connected" if n else ""
    transitivity = format_coefficient(transitivity_of(found.triangles, degree))
    average = format_coefficient(mean_clustering(found.clustering) if n else 0.0)
    return [
        *facts,
        Fact("components", f"{len(found.components):,}", parts),
        Fact("triangles", f"{count_of(found.triangles):,}", "sets of three joined vertices"),
        Fact("transitivity", transitivity, "share of closed paths of two edges"),
        Fact("average clustering", average, "mean over vertices; 0 if degree < 2"),
    ]


def degree_facts(found: Findings) -> list[Fact]:
    """Return the numbers of the degrees of a network with edges."""
    graph, degree = found.graph, np.sort(found.degree)[::-1]
    hubs = max(1, len(degree) // _PERCENT)
    share = format_share(int(degree[:hubs].sum()), int(degree.sum()))
    named = "1% of vertices" if hubs > 1 else "vertex"
    facts = [
        Fact("mean", f"{degree.mean():,.3g}"),
        Fact("median", f"{np.median(degree):,.3g}"),
        Fact("largest", f"{int(degree[0]):,}"),
    ]
    if graph.directed:
        source, target = graph.edges()
        for name, ends in (("out-degree", source), ("in-degree", target)):
            facts.append(Fact(f"largest {name}", f"{int(np.bincount(ends).max(initial=0)):,}"))
    return [*facts, Fact("concentration", share, f"of all ends of edges are at the {named} with the most neighbours")]


def component_rows(found: Findings) -> dict[str, tuple[str, ...]]:
    """Return the number of components, the vertices of the largest, their share, and the vertices of the second."""
    if found.strong_components is None:
        return {"along the edges": _sizes(found.components)}
    return {
        "whichever way the arcs run": _sizes(found.components),
        "along the arcs (strong components)": _sizes(found.strong_components),
    }


def _sizes(sizes: Int64Array) -> tuple[str, ...]:
    largest = int(sizes.max(initial=0))
    second = f"{int(sizes[1]):,}" if len(sizes) > 1 else "–"
    return f"{len(sizes):,}", f"{largest:,}", format_share(largest, int(sizes.sum())), second


def vertex_lists(found: Findings) -> list[VertexList]:
    """Return lists of the vertices with the most neighbours, in the most triangles and of the highest clustering."""
    lists = []
    for heading, first, second in (
        ("Most neighbours", "degree", "triangles"),
        ("Most triangles", "triangles", "degree"),
        ("Highest clustering", "clustering", "degree"),
    ):
        values, others = getattr(found, first), getattr(found, second)
        rows = [
            (vertex_name(found.graph, vertex), _cell(values[vertex]), _cell(others[vertex]))
            for vertex in _top(values, others)
            if values[vertex] > 0
        ]
        lists.append(VertexList(heading, (first, second), rows))
    return lists


def _cell(value: np.generic) -> str:
    return format_coefficient(float(value)) if isinstance(value, np.floating) else f"{int(value):,}"


def vertex_name(graph: Graph, vertex: int) -> str:
    """Return the label of a vertex, or its number if it has none."""
    labels = graph.labels
    return str(vertex if labels is None or vertex >= len(labels) else labels[vertex])


def _top(values: AnyArray, tie_break: Int64Array) -> list[int]:
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
