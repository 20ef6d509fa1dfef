"""A triad census as a table for people, on standard output."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from rich.table import Table

from triadic.cli.tables import print_rows, print_table, rows_about_dropped, rows_about_run, share, wide_console
from triadic.cli.triad_drawings import Strokes, arrow, drawing, strokes_for
from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states
from triadic.measures.triad_null import TriadCensus

if TYPE_CHECKING:
    from triadic.cli.census_figures import Triads
    from triadic.cli.counting import Counted
    from triadic.measures.census import Census


def print_census(title: str, counted: Counted[Triads]) -> None:
    """Print the census of a network: each type drawn, counted, and beside it what chance would make of it."""
    graph, census = counted.graph, counted.figures.census
    about = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("arcs", f"{graph.num_arcs:,}", "" if graph.directed else "every edge as two"),
        ("edges", f"{graph.num_edges:,}", "pairs of vertices joined either way"),
        *rows_about_dropped(graph),
    ]
    print_rows([*about, *rows_about_run(counted)], title=title)
    console = wide_console()
    strokes = strokes_for(console.encoding)
    console.print()
    if isinstance(census, TriadCensus):
        print_table(console, _of_types(census, strokes))
        console.print(
            "A line without a head runs both ways. Expected: the mean over all networks with as many mutual,\n"
            "asymmetric and null pairs; z: standard deviations above it.",
            style="dim",
        )
    else:
        print_table(console, _of_codes(census, strokes))
        both = arrow(3, strokes)
        console.print(f"Vertices u < v < w by their place in the network, from 0. {both} runs both ways.", style="dim")


def _of_types(census: TriadCensus, strokes: Strokes) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("type", vertical="bottom", style="cyan")
    for heading in ("count", "share", "expected", "z"):
        table.add_column(heading, justify="right", vertical="bottom")
    total = sum(census.values())
    expected, z = census.expected(), census.z_scores()
    for name, count in census.items():
        score = "" if isnan(z[name]) else f"{z[name]:,.1f}"
        table.add_row(drawing(name, strokes), name, f"{count:,}", share(count, total), _about(expected[name]), score)
    return table


def _of_codes(census: Census, strokes: Strokes) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("code", justify="right", style="cyan")
    for heading in ("u v", "u w", "v w"):
        table.add_column(heading, justify="center")
    table.add_column("type", style="cyan")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right")
    total = sum(census.values())
    for code, count in census.items():
        dyads = (arrow(state, strokes) for state in states(int(code)))
        name = TRIAD_NAMES[TYPE_OF_CODE[int(code)]]
        table.add_row(code, *dyads, name, f"{count:,}", share(count, total))
    return table


def _about(expected: float) -> str:
    """Give a mean: whole where it is large, three digits where it is small."""
    return f"{expected:,.0f}" if expected >= 1000 else f"{expected:.3g}"
