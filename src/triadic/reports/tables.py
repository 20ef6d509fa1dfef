"""The numbers of a report as text: headline, degrees, components, and lists of vertices."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.convert.result_table import cells
from triadic.core.formatting import format_length, plural
from triadic.graph.graph import weight_limits
from triadic.graph.weights import WEIGHT
from triadic.measures.clustering import count_of, mean_clustering, transitivity_of
from triadic.measures.temporal import rows_decide
from triadic.measures.triads import dyads_of
from triadic.reports.numbers import Fact, format_coefficient, format_number, format_share

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.graph import Graph
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.temporal import TemporalMotifs
    from triadic.reports.findings import Findings

_LISTED, _FREQUENT = 10, 3  # vertices of a list, values of a column


class ColumnSummary(NamedTuple):
    """A column of the vertices or of the edges, and what its values are, as text."""

    name: str
    of: str
    values: str


class VertexList(NamedTuple):
    """Vertices with the number that orders them and another number, as text."""

    heading: str
    columns: tuple[str, str]
    rows: list[tuple[str, str, str]]


def headline(found: Findings) -> list[Fact]:
    """Return the eight main numbers of a network."""
    graph, degree, largest = found.graph, found.degree, int(found.components.max(initial=0))
    n, isolated = graph.num_vertices, int(np.count_nonzero(found.degree == 0))
    density = f"join {format_share(graph.num_edges, n * (n - 1) // 2)} of all pairs"
    mean = Fact("mean degree", f"{2 * graph.num_edges / max(1, n):,.3g}", "neighbours of a vertex")
    if graph.directed:
        mutual = format_share(dyads_of(graph)[0], graph.num_edges)
        facts = [Fact("arcs", f"{graph.num_arcs:,}", density)]
        facts += [Fact("mutual pairs", mutual, f"of {graph.num_edges:,} joined pairs"), mean]
    else:
        facts = [Fact("edges", f"{graph.num_edges:,}", density), mean]
        facts += [Fact("largest degree", f"{int(degree.max(initial=0)):,}", "neighbours")]
    parts = f"{format_share(largest, n)} of the vertices are in the largest" if largest < n else "all are connected"
    transitivity = format_coefficient(transitivity_of(found.triangles, degree))
    average = format_coefficient(mean_clustering(found.clustering) if n else 0.0)
    return [
        Fact("vertices", f"{n:,}", f"{isolated:,} without an edge" if isolated else "all with an edge" if n else ""),
        *facts,
        Fact("components", f"{len(found.components):,}", parts if n else ""),
        Fact("triangles", f"{count_of(found.triangles):,}", "sets of three joined vertices"),
        Fact("transitivity", transitivity, "share of closed paths of two edges"),
        Fact("average clustering", average, "mean over vertices; 0 if degree < 2"),
    ]


def degree_facts(found: Findings) -> list[Fact]:
    """Return the numbers of the degrees of a network with edges."""
    graph, degree = found.graph, np.sort(found.degree)[::-1]
    hubs = max(1, len(degree) // 100)
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


def event_facts(graph: TemporalGraph, motifs: TemporalMotifs) -> list[Fact]:
    """Return the number of events, how ties count, the first and the last time, and the number of motifs."""
    first, last = cells(graph.time[[0, -1]]) if graph.num_events else ("none", "none")
    unit = "" if graph.time.dtype.kind == "M" else graph.unit
    order = "the order of rows decides which comes first"
    if motifs.ties == "simultaneous":
        order = "no motif holds two of one time"
    elif rows_decide(graph):
        order += ": --ties (ties=) chooses"
    tied = Fact("tied events", f"{graph.num_tied:,}", f"share their time with another event; {order}")
    return [
        Fact("events", f"{graph.num_events:,}", f"{graph.dropped.loops:,} from a vertex to itself dropped"),
        *([tied] if graph.num_tied else []),
        Fact("first time", str(first), unit),
        Fact("last time", str(last), unit),
        Fact("delta", format_length(motifs.delta, graph.unit)),
        Fact("motifs", f"{sum(motifs.values()):,}"),
    ]


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
    headings = [
        ("Most neighbours", "degree", "triangles"),
        ("Most triangles", "triangles", "degree"),
        ("Highest clustering", "clustering", "degree"),
    ]
    if found.strength is not None:
        headings.append(("Largest strength", "strength", "degree"))
    for heading, first, second in headings:
        values, others = getattr(found, first), getattr(found, second)
        rows = [
            (vertex_name(found.graph, vertex), _cell(values[vertex]), _cell(others[vertex]))
            for vertex in _top(values, others)
            if values[vertex] > 0
        ]
        lists.append(VertexList(heading, (first, second), rows))
    return lists


def weight_facts(found: Findings) -> list[Fact]:
    """Return the numbers of the weights of a network with edges and weights."""
    graph, strength, clustering = found.graph, found.strength, found.weighted
    assert strength is not None and clustering is not None  # noqa: S101, PT018 - the graph has weights
    total = float(strength.sum()) / 2
    edges = graph.num_arcs if graph.directed else graph.num_edges
    hub = int(strength.argmax())
    mean = format_coefficient(float(clustering.mean()))
    return [
        Fact("total", format_number(total), f"{format_number(total / edges)} in the mean of all edges"),
        Fact("smallest and largest", " to ".join(map(format_number, weight_limits(graph)))),
        Fact("mean strength", format_number(2 * total / graph.num_vertices), "sum of the weights at a vertex"),
        Fact("largest strength", format_number(float(strength[hub])), vertex_name(graph, hub)),
        Fact("weighted clustering", mean, "Onnela's coefficient, mean over vertices; directions are ignored"),
    ]


def column_summaries(graph: Graph) -> list[ColumnSummary]:
    """Return a summary of each column of the vertices and of the edges: a range, or the most frequent values.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1], [1, 2]).with_vertices({"side": np.array(["left", "right", "left"])})
    >>> column_summaries(graph)
    [ColumnSummary(name='side', of='vertices', values='2 values; left 2, right 1')]
    """
    own = {name: values for name, values in graph.columns.items() if name != WEIGHT}
    columns = [(name, "vertices", values) for name, values in graph.vertex_columns.items()]
    columns += [(name, "arcs" if graph.directed else "edges", values) for name, values in own.items()]
    return [ColumnSummary(name, of, _values_in_words(values)) for name, of, values in columns]


def _values_in_words(values: AnyArray) -> str:
    known = values[values == values] if values.dtype.kind == "f" else values  # noqa: PLR0124 - no nan
    if known.dtype.kind == "O":
        known = values[[each not in (None, "") for each in values.tolist()]]
    if known.dtype.kind in "iuf" and len(known):
        words = f"{format_number(known.min())} to {format_number(known.max())}"
    else:
        often = Counter(known.tolist()).most_common()
        frequent = ", ".join(f"{name} {times:,}" for name, times in often[:_FREQUENT])
        words = f"{plural(len(often), 'value')}; {frequent}"
    return f"{words}; {len(values) - len(known):,} missing" if len(known) < len(values) else words


def _cell(value: np.generic) -> str:
    return format_coefficient(float(value)) if isinstance(value, np.floating) else f"{int(value):,}"


def vertex_name(graph: Graph, vertex: int) -> str:
    """Return the label of a vertex, or its number if it has none."""
    labels = graph.labels
    return str(vertex if labels is None or vertex >= len(labels) else labels[vertex])


def _top(values: AnyArray, tie_break: Int64Array) -> list[int]:
    """Return the indices of the largest values without a full sort; `tie_break`, then the index, orders equal ones."""
    least = np.partition(values, -_LISTED)[-_LISTED] if len(values) > _LISTED else 0
    chosen = np.flatnonzero(values >= least)
    order = np.lexsort((-tie_break[chosen], -values[chosen]))
    return chosen[order][:_LISTED].tolist()
