"""How a report was computed: the input, the random networks, the machine, the times and the versions of packages."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

from triadic._version import __version__
from triadic.core.processor import processor_name
from triadic.reports.numbers import format_duration
from triadic.reports.tables import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.graph.graph import Graph
    from triadic.reports.findings import Findings

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
    facts = [Fact("direction", "directed" if graph.directed else "undirected", _DIRECTIONS[origin.direction])]
    if origin.columns:
        facts.append(Fact("columns", origin.columns))
    if origin.library:
        facts.append(Fact("converted from", origin.library))
    if graph.is_weighted:
        unused = "this report does not use them"
        facts.append(Fact("weights", "read", f"{unused}; {origin.weights}" if origin.weights else unused))
    edges = "arcs" if graph.directed else "edges"
    facts.append(Fact("loops", f"{counts.loops:,} dropped", f"{edges} from a vertex to itself"))
    facts.append(Fact("repeats", f"{counts.duplicates:,} merged", f"{edges} that repeat an earlier one"))
    if not graph.directed:
        note = "edges that repeat an earlier one with its ends exchanged"
        facts.append(Fact("reversed", f"{counts.reciprocal_merged:,} merged", note))
    return facts


def random_network_facts(found: Findings) -> list[Fact]:
    """Return how the random networks of each comparison were drawn."""
    facts = [
        Fact(
            _NAMES.get(of, of),
            f"{len(compared.samples):,} random networks",
            f"keep {'the in- and out-degree of each vertex' if of == 'reciprocity' else _KEPT[compared.null]}"
            f"{f', and the edges in each of {compared.kept}' if compared.kept else ''}; "
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
