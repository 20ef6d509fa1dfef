"""Results as tables for people, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from triadic.cli.analysis import Analysis


def print_facts(facts: Mapping[str, object]) -> None:
    """Print names and values, one a line."""
    _print((name, ", ".join(value) if isinstance(value, list) else str(value)) for name, value in facts.items())


def print_analysis(title: str, analysis: Analysis) -> None:
    """Print the figures of a network, each with what it means."""
    graph, dropped, seconds = analysis.graph, analysis.graph.dropped, analysis.seconds
    lost = {"loops": dropped.loops, "repeats": dropped.duplicates, "reversed": dropped.reciprocal_merged}
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        ("dropped", f"{sum(lost.values()):,}", ", ".join(f"{what} {n:,}" for what, n in lost.items() if n)),
        ("triangles", f"{analysis.triangle_count:,}", _busiest(analysis)),
        ("transitivity", f"{analysis.transitivity:.6f}", "share of 2-edge paths that close"),
        ("average clustering", f"{analysis.average_clustering:.6f}", "mean over vertices; 0 below degree 2"),
        *_by_degree(analysis),
        ("threads", str(analysis.threads), f"on {analysis.device}"),
        ("seconds", f"{sum(seconds.values()):.3f}", ", ".join(f"{step} {time:.3f}" for step, time in seconds.items())),
    ]
    _print(rows, title=title)


def _busiest(analysis: Analysis) -> str:
    """Name the vertex that is in the most triangles."""
    if not analysis.triangle_count:
        return ""
    vertex, labels = int(analysis.triangles.argmax()), analysis.graph.labels
    name = vertex if labels is None else labels[vertex]
    return f"most at {name}: {analysis.triangles[vertex]:,}"


def _by_degree(analysis: Analysis) -> list[tuple[str, str, str]]:
    """Give the mean clustering of the vertices of degree 2 to 9, of 10 to 99, and so on."""
    degree, clustering = analysis.degree, analysis.clustering
    highest = int(degree.max(initial=0))
    rows = []
    low = 2
    while low <= highest:
        high = 10 ** len(str(low)) - 1
        chosen = (degree >= low) & (degree <= high)
        count = int(chosen.sum())
        if count:
            label = f"  degree {low:,} to {high:,}" if high < highest else f"  degree {low:,} and up"
            note = f"{count:,} {'vertex' if count == 1 else 'vertices'}"
            rows.append((label, f"{clustering[chosen].mean():.6f}", note))
        low = high + 1
    return rows


def _print(rows: Iterable[tuple[str, ...]], *, title: str = "") -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(justify="right" if title else "left", no_wrap=True)
    table.add_column(style="dim")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if title:
        console.print(title, style="bold")
    console.print(table)
