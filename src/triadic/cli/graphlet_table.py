"""The graphlets of a network as a table for people, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from triadic.cli.graphlet_drawings import drawing
from triadic.cli.tables import print_rows, rows_about_dropped, rows_about_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.cli.counting import Counted
    from triadic.cli.graphlet_figures import Graphlets

# Wider than any table, so that none loses digits where the output is narrow or a file.
_WIDTH = 1000
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
    totals = counted.figures.transform.totals
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("graphlet", vertical="middle", style="cyan")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right", vertical="middle")
    for name, share in shares(totals).items():
        table.add_row()
        table.add_row(drawing(name), name, f"{totals[name]:,}", f"{share:.3g}" if share else "0")
    console = Console(highlight=False, markup=False, width=_WIDTH)
    console.print()
    console.print(table)
    console.print("\nShare: of the connected sets of three, or of four, vertices.", style="dim")


def shares(totals: Mapping[str, int]) -> dict[str, float]:
    """Give what part of the connected sets of as many vertices is each graphlet; 0 of none."""
    found = {}
    for graphlets in _SIZES:
        known = [name for name in graphlets if name in totals]
        together = sum(totals[name] for name in known)
        found.update({name: totals[name] / together if together else 0.0 for name in known})
    return found
