"""A comparison of two networks as a table for people, on standard output."""

from __future__ import annotations

from math import isinf, isnan
from typing import TYPE_CHECKING

from rich.table import Table

from triadic.cli.graphlet_table import shares
from triadic.cli.tables import print_rows, print_table, wide_console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.cli.comparison_figures import Comparison


def print_comparison(titles: tuple[str, str], comparison: Comparison) -> None:
    """Print the graphlets of two networks side by side, and how far the two are apart."""
    console = wide_console()
    print_table(console, _side_by_side(titles, comparison))
    console.print("Shares: of the connected sets of three, or of four, vertices.\n", style="dim")
    first, seconds = comparison.networks[0].record, comparison.seconds
    spent = [f"{step} {time:.3f}" for step, time in seconds.items()]
    print_rows(
        [
            ("correlation distance", _figure(comparison.correlation_distance), "GCD-11; 0: the same correlations"),
            (
                "degree agreement",
                _figure(comparison.arithmetic_agreement),
                "arithmetic mean; 1: the same distributions",
            ),
            ("", _figure(comparison.geometric_agreement), "geometric mean"),
            ("frequency distance", _figure(comparison.frequency_distance), _frequencies(comparison)),
            ("threads", str(first["threads"]), f"on {first['device']}"),
            # On two lines, which 80 columns hold whatever it took.
            ("seconds", f"{sum(seconds.values()):.3f}", ", ".join(spent[:2])),
            ("", "", ", ".join(spent[2:])),
        ],
        title="graphlets compared",
    )


def _side_by_side(titles: tuple[str, str], comparison: Comparison) -> Table:
    about = [network.record["graph"] for network in comparison.networks]
    totals = [network.record["graphlets"] for network in comparison.networks]
    parts = [shares(of) for of in totals]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", style="cyan")
    for title in titles:
        table.add_column(title, justify="right")
        table.add_column("", style="dim")
    table.add_row("vertices", *_pairs([of["vertices"] for of in about]))
    table.add_row(
        "edges",
        *_pairs([of["edges"] for of in about], ["directions left out" if of["directed"] else "" for of in about]),
    )
    table.add_row(
        "dropped",
        *_pairs([of["loops_dropped"] + of["duplicates_dropped"] + of["reciprocal_merged"] for of in about]),
    )
    for graphlet in parts[0]:
        table.add_row(graphlet, *_pairs([of[graphlet] for of in totals], [part[graphlet] for part in parts]))
    return table


def _pairs(counts: list[int], notes: Sequence[str] = ("", "")) -> list[str]:
    return [cell for count, note in zip(counts, notes, strict=True) for cell in (f"{count:,}", note)]


def _figure(figure: float) -> str:
    if isnan(figure):
        return "undefined"
    return "infinite" if isinf(figure) else f"{figure:.6f}"


def _frequencies(comparison: Comparison) -> str:
    if isinf(comparison.frequency_distance):
        return f"in one network only: {', '.join(comparison.only_in_one())}"
    return "0: the same frequencies"
