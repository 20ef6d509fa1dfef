"""The words of a report: a summary that a paper can quote, estimates, and how the report was made."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

from triadic._version import __version__
from triadic.core.formatting import format_float, plural
from triadic.core.memory import processor_name
from triadic.measures.clustering import transitivity_of
from triadic.measures.triads import dyads_of
from triadic.reports.deviations import TRIAD_WORDS, Row, in_order, rows_of, strongest
from triadic.reports.tables import (
    NO_BREAK,
    Fact,
    format_coefficient,
    format_duration,
    format_number,
    format_share,
    typeset,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.graph.graph import Graph
    from triadic.measures.estimates.estimate import Estimate
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
    kind, edges = "an undirected", plural(graph.num_edges, "edge")
    if graph.directed:
        kind, edges = "a directed", plural(graph.num_arcs, "arc")
    size = f"{plural(graph.num_vertices, 'vertex', 'vertices')} and {edges}"
    sentences = [f"{title} is {kind} network of {size}."]
    if graph.num_edges:
        sentences += [_reciprocity(found)] if graph.directed else []
        sentences += [_degrees(found), _components(found), _clustering(found), *_subgraphs(found)]
    return " ".join(sentences)


def _reciprocity(found: Findings) -> str:
    mutual, _ = dyads_of(found.graph)
    pairs = found.graph.num_edges
    share = f"Of its {plural(pairs, 'joined pair')} of vertices, {mutual:,} ({format_share(mutual, pairs)}) are mutual"
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
    rows = strongest(found, "triads" if directed else "graphlets")
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


_PACKAGES = ("numpy", "scipy", "numba", "matplotlib")
_DIRECTIONS = {
    "given": "as the caller asked",
    "stated": "as the input states",
    "assumed": "assumed, because the input does not state it",
}
_NAMES = {"graphlets5": "graphlets of five vertices"}
_KEPT = {
    "degrees": "the degree of each vertex",
    "mutual": "the numbers of outgoing, incoming and mutual arcs of each vertex",
}


def input_facts(graph: Graph) -> list[Fact]:
    """Return what the network was made from, what was merged, and what was dropped."""
    origin, counts = graph.origin, graph.dropped
    edges = "arcs" if graph.directed else "edges"
    exchanged = "edges that repeat an earlier one with its ends exchanged"
    facts = [
        Fact("direction", "directed" if graph.directed else "undirected", _DIRECTIONS[origin.direction]),
        Fact("columns", origin.columns or ""),
        Fact("converted from", origin.library or ""),
        Fact("weights", "read" if graph.is_weighted else "", origin.weights or "the section on weights uses them"),
        Fact("loops", f"{counts.loops:,} dropped", f"{edges} from a vertex to itself"),
        Fact("repeats", f"{counts.duplicates:,} merged", f"{edges} that repeat an earlier one"),
        Fact("reversed", "" if graph.directed else f"{counts.reciprocal_merged:,} merged", exchanged),
    ]
    return [fact for fact in facts if fact.value]


def random_network_facts(found: Findings) -> list[Fact]:
    """Return how the random networks of each comparison were drawn."""
    facts = [
        Fact(
            _NAMES.get(of, of),
            f"{len(compared.samples):,} random networks",
            f"keep {'the in- and out-degree of each vertex' if of == 'reciprocity' else _KEPT[compared.null]}"
            f"{f', and the edges in each of {compared.kept}' if compared.kept else ''}"
            f"{', and permute the weights' if compared.keep_weights else ''}; "
            f"{compared.steps or 0:,} switching steps each",
        )
        for of, compared in found.compared.items()
    ]
    return [*facts, Fact("seed", str(found.seed))] if facts else []


def provenance(found: Findings, earlier: Mapping[str, float]) -> list[Fact]:
    """Return the facts about a run.

    Parameters
    ----------
    found : Findings
    earlier : mapping of str to float
        Seconds that reading the network took, by step.
    """
    steps = {**earlier, **found.seconds}
    names = {step: step.replace("graphlets5", _NAMES["graphlets5"]) for step in steps}
    times = ", ".join(f"{names[step]} {format_duration(seconds)}" for step, seconds in steps.items())
    versions = [f"triadic {__version__}", f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in _PACKAGES]
    return [
        Fact("device", ", ".join(found.devices) or "cpu"),
        Fact("threads", str(found.threads)),
        Fact("processor", processor_name()),
        Fact("system", platform.platform(terse=True)),
        Fact("time", format_duration(sum(steps.values())), times),
        Fact("versions", ", ".join(versions)),
        Fact("written", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
    ]


class EstimatedRow(NamedTuple):
    """An estimate with the ends of its interval as text, and half the length of the interval in percent."""

    name: str
    value: str
    error: str
    low: str
    high: str
    percent: float


def estimated_rows(found: Estimate | None) -> list[EstimatedRow]:
    """Return a row for each quantity, in the order of graphlets G1 to G8.

    Examples
    --------
    >>> import triadic
    >>> found = triadic.estimate(triadic.generate.rmat(8, seed=1), of="graphlets", samples=10_000, seed=1)
    >>> row = estimated_rows(found)[0]
    >>> row.name, row.error, row.low == row.value == row.high
    ('2-path', '0.85%', False)
    """
    if found is None:
        return []
    rows = {}
    for name, value, low, high in zip(*found.to_dict().values(), strict=True):
        percent = 50 * (high - low) / value if value > 0 else 0.0
        error = typeset(format_float(percent, 2)) + "%" if percent else "exact" if low == high else "–"
        texts = [format_coefficient(each) if each < 1 else format_number(each) for each in (value, low, high)]
        rows[name] = EstimatedRow(name, texts[0], error, texts[1], texts[2], percent)
    return [rows[name] for name in in_order(rows)]
