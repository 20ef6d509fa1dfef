"""The graphlets of a network as a table for people, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from triadic.cli.graphlet_drawings import drawing
from triadic.cli.tables import print_rows, print_table, rows_about_dropped, rows_about_run, share, wide_console

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.cli.counting import Counted
    from triadic.cli.graphlet_figures import Graphlets

# Those of three vertices, and those of four.
_SIZES = (
    ("2-path", "triangle"),
    ("3-path", "claw", "paw", "4-cycle", "diamond", "4-clique"),
)


def print_graphlets(title: str, counted: Counted[Graphlets]) -> None:
    """Print how many subgraphs of a network are each graphlet."""
    graph = counted.graph
    about = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        *rows_about_dropped(graph),
    ]
    print_rows([*about, *rows_about_run(counted)], title=title)
    totals = counted.figures.totals
    console = wide_console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("graphlet", vertical="middle", style="cyan")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right", vertical="middle")
    for name, written in shares(totals).items():
        table.add_row()
        table.add_row(drawing(name, console.encoding), name, f"{totals[name]:,}", written)
    console.print()
    print_table(console, table)
    console.print("\nShare: of the connected sets of three, or of four, vertices.", style="dim")


def shares(totals: Mapping[str, int]) -> dict[str, str]:
    """Write what part of the connected sets of as many vertices is each graphlet; 0 of none."""
    found = {}
    for graphlets in _SIZES:
        known = [name for name in graphlets if name in totals]
        together = sum(totals[name] for name in known)
        found.update({name: share(totals[name], together) for name in known})
    return found
