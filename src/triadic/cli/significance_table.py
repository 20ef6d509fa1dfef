"""Significance as a table for people, on standard output."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from rich.table import Table

from triadic.cli.tables import print_rows, print_table, rows_about_dropped, rows_about_run, wide_console
from triadic.core.triad_types import ASYMMETRIC

if TYPE_CHECKING:
    from triadic.cli.counting import Counted
    from triadic.measures.significance_result import Significance

_KEPT = {
    "degrees": "the same degrees",
    "mutual": "the same degrees, mutual ones too",
    "gnm": "as many vertices and edges",
    "configuration": "the same degrees, loops and repeats erased",
}


def print_significance(title: str, counted: Counted[Significance]) -> None:
    """Print each count beside what random networks have."""
    graph, found = counted.graph, counted.figures
    left_out = graph.directed and found.of != "triads"
    about = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if left_out else ""),
        *rows_about_dropped(graph),
        ("samples", f"{len(found.samples):,}", f"random networks with {_KEPT[found.null]}"),
        *([] if found.steps is None else [("steps", f"{found.steps:,}", "of switching to each")]),
        ("seed", str(found.seed), ""),
        *rows_about_run(counted),
    ]
    print_rows(about, title=title)
    console = wide_console()
    console.print()
    print_table(console, _table(found, directed=graph.directed))
    console.print(
        f"z: standard deviations above the mean. p: two-sided, at least {found.resolution:.3g} with so many samples.\n"
        "Profile: z scaled to length 1.",
        style="dim",
    )


def _table(found: Significance, *, directed: bool) -> Table:
    """Make the table; without directions most types of triads cannot be, and are left out of it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(found.of, style="cyan")
    for heading in ("count", "mean", "std", "z", "p", "profile"):
        table.add_column(heading, justify="right")
    profile = found.profile
    for name, one in found.items():
        if ASYMMETRIC.get(name) and not directed:
            continue
        count = f"{one.count:,}" if isinstance(one.count, int) else f"{one.count:.6f}"
        score = profile.get(name)
        table.add_row(
            name,
            count,
            _about(one.mean),
            _about(one.std),
            "undefined" if isnan(one.z) else f"{one.z:,.2f}",
            f"{one.p:.3g}",
            "" if score is None or isnan(score) else f"{score:.3f}",
        )
    return table


def _about(figure: float) -> str:
    """Give a mean: whole where it is large, four digits where it is small."""
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.4g}"
