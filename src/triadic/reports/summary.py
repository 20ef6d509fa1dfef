"""The summary of a report: sentences that a paper can quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.measures.clustering import transitivity_of
from triadic.measures.triads import dyads_of
from triadic.reports.deviations import Row, connected_triads, extremes, graphlets_of_four, rows_of
from triadic.reports.numbers import NO_BREAK, format_coefficient, format_share
from triadic.reports.subgraphs import TRIAD_WORDS

if TYPE_CHECKING:
    from triadic.reports.findings import Findings

_SIDES = {"more": "overrepresented", "fewer": "underrepresented"}


def summary(title: str, found: Findings) -> str:
    """Return the summary as one paragraph.

    Examples
    --------
    >>> import triadic
    >>> from triadic.reports.findings import find
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    >>> keywords = {"threads": 1, "device": "cpu", "progress": False}
    >>> summary("A paw", find(graph, samples=0, seed=1, **keywords)).split(". ")[0]
    'A paw is an undirected network of 4 vertices and 4 edges'
    """
    graph = found.graph
    kind, edges = ("a directed", "arc") if graph.directed else ("an undirected", "edge")
    size = f"{_counted(graph.num_vertices, 'vertex', 'vertices')} and {_counted(_edges(found), edges)}"
    sentences = [f"{title} is {kind} network of {size}."]
    if graph.num_edges:
        sentences += [_reciprocity(found)] if graph.directed else []
        sentences += [_degrees(found), _components(found), _clustering(found), *_subgraphs(found)]
    return " ".join(sentences)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _edges(found: Findings) -> int:
    return found.graph.num_arcs if found.graph.directed else found.graph.num_edges


def _reciprocity(found: Findings) -> str:
    mutual, _ = dyads_of(found.graph)
    pairs = found.graph.num_edges
    share = (
        f"Of its {_counted(pairs, 'joined pair')} of vertices, {mutual:,} ({format_share(mutual, pairs)}) are mutual"
    )
    if "reciprocity" not in found.compared or not mutual:
        return f"{share}."
    (row,) = rows_of(found.compared["reciprocity"])
    return f"{share}, {row.how_often} random networks with the same in- and out-degrees ({_evidence(row, found)})."


def _degrees(found: Findings) -> str:
    mean = 2 * found.graph.num_edges / found.graph.num_vertices
    return f"A vertex has {mean:,.3g} neighbours on average and at most {int(found.degree.max()):,}."


def _components(found: Findings) -> str:
    if len(found.components) == 1:
        return "The network is connected."
    share = format_share(int(found.components[0]), found.graph.num_vertices)
    return f"The largest of its {len(found.components):,} components holds {share} of the vertices."


def _clustering(found: Findings) -> str:
    transitivity = transitivity_of(found.triangles, found.degree)
    if not transitivity:
        return "It has no triangle."
    value = f"Its transitivity is {format_coefficient(transitivity)}"
    if "clustering" not in found.compared:
        return f"{value}, the share of pairs of neighbours of a vertex that are joined."
    (row,) = rows_of(found.compared["clustering"], ["transitivity"])
    return (
        f"{value}: two neighbours of a vertex are joined {row.how_often} random networks with the same degrees "
        f"({_evidence(row, found, 'clustering')})."
    )


def _evidence(row: Row, found: Findings, of: str = "reciprocity") -> str:
    samples = len(found.compared[of].samples)
    return f"{row.expected} in {samples:,} random networks, p{NO_BREAK}{_equals(row.probability)}"


def _equals(text: str) -> str:
    return text if text.startswith("≤") else f"is {text}" if text == "undefined" else f"={NO_BREAK}{text}"


def _subgraphs(found: Findings) -> list[str]:
    """Return a sentence about the triads of a directed network, or else about its graphlets."""
    directed = found.graph.directed
    rows = extremes(connected_triads(found) if directed else graphlets_of_four(found))
    if not rows:
        return []
    same, what = "degrees", "subgraph of four vertices"
    if directed:
        what = "connected triad"
        sampled = "triads" in found.compared
        same = "degrees of outgoing, incoming and mutual arcs" if sampled else "numbers of mutual and of one-way pairs"
    clauses = [f"the most {_SIDES[row.side]} {what} is {_named(row, directed=directed)}" for row in rows]
    return [f"Compared with random networks with the same {same}, {', and '.join(clauses)}."]


def _named(row: Row, *, directed: bool) -> str:
    score = f"z{NO_BREAK}{_equals(row.score)}" if row.mean else "in none of the random networks"
    return f"{row.name} ({TRIAD_WORDS[row.name]}; {score})" if directed else f"the {row.name} ({score})"
