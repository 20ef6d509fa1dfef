"""``triadic compare``: two networks in files, compared by their graphlets."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.graphlets import count_graphlets, shares
from triadic.cli.help import with_examples
from triadic.cli.options import CountOptions, Json, with_options
from triadic.cli.orbits import count_orbits

if TYPE_CHECKING:
    from rich.table import Table

    from triadic.core.array_types import Int64Array

_MOST_NAMES = 4  # of graphlets that only one network has, in the table


@with_examples("triadic compare this-year.txt last-year.txt", "triadic compare this-year.txt last-year.txt --size 5")
@with_options
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="File of a network, in any format that triadic reads.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="File of another network.")],
    *,
    size: Annotated[
        int, typer.Option(metavar="4|5", help="Compare graphlets of up to four vertices, or of up to five.")
    ] = 4,
    as_json: Json = False,
    options: CountOptions,
) -> None:
    """Count the graphlets of two networks exactly, and print how far apart the networks are.

    The options apply to both files. Directions are ignored: two vertices are joined if an arc runs either way.
    """
    from triadic.cli.printing import print_json
    from triadic.core.graphlets import ORBITS_OF_SIZE
    from triadic.errors import ArgumentError

    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"--size {size}: expected 4 or 5")
    comparison = compare_files(first, second, options, size=size)
    if as_json:
        print_json(comparison.as_record())
    else:
        same_name = first.name == second.name
        print_comparison((str(first), str(second)) if same_name else (first.name, second.name), comparison)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Graphlets of a network. The edges are not kept, so that the other network has room in memory."""

    path: Path
    record: dict[str, Any]  # the JSON object of `triadic graphlets`, without the sums
    orbits: "Int64Array"
    seconds: dict[str, float]
    columns: str | None  # of the file, in words


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two networks, and the distances between them."""

    networks: tuple[Network, Network]
    size: int
    correlation_distance: float
    arithmetic_agreement: float
    geometric_agreement: float
    frequency_distance: float
    seconds: dict[str, float]

    def as_record(self) -> dict[str, Any]:
        """Return plain numbers and strings, for JSON; None for infinity and NaN, which JSON lacks."""
        first = self.networks[0].record
        return {
            "networks": [
                {"file": str(network.path), **{key: network.record[key] for key in ("graph", "graphlets")}}
                for network in self.networks
            ],
            "graphlet_correlation_distance": _finite(self.correlation_distance),
            "graphlet_degree_agreement": {
                "arithmetic": _finite(self.arithmetic_agreement),
                "geometric": _finite(self.geometric_agreement),
            },
            "graphlet_frequency_distance": _finite(self.frequency_distance),
            "only_in_one": self.only_in_one(),
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "device": first["device"],
            "threads": first["threads"],
        }

    def only_in_one(self) -> list[str]:
        """Return the compared graphlets that only one of the networks has."""
        a, b = (network.record["graphlets"] for network in self.networks)
        compared = [graphlet for graphlet in a if graphlet not in ("vertex", "edge")]
        return [graphlet for graphlet in compared if bool(a[graphlet]) != bool(b[graphlet])]


def compare_files(first: Path, second: Path, options: CountOptions, *, size: int = 4) -> Comparison:
    """Read two networks, count their graphlets of up to `size` vertices and compare them."""
    from triadic.measures.graphlets.comparison import graphlet_frequency_distance, mean_agreement, orbit_agreements
    from triadic.measures.graphlets.correlation import graphlet_correlation_distance

    networks = _count(first, options, size), _count(second, options, size)
    a, b = (network.orbits for network in networks)
    started = time.perf_counter()
    agreements = orbit_agreements(a, b)
    figures = {
        "correlation_distance": graphlet_correlation_distance(a, b, orbits=73 if size == 5 else 11),
        "arithmetic_agreement": mean_agreement(agreements, "arithmetic"),
        "geometric_agreement": mean_agreement(agreements, "geometric"),
        "frequency_distance": graphlet_frequency_distance(a, b, size=size),
    }
    seconds = {step: sum(network.seconds[step] for network in networks) for step in networks[0].seconds}
    seconds["compare"] = time.perf_counter() - started
    return Comparison(networks=networks, size=size, seconds=seconds, **figures)


def _count(path: Path, options: CountOptions, size: int) -> Network:
    from triadic.core.graphlets import ORBITS

    if size == 5:
        counted = count_orbits(path, options, size=5)
        record = counted.as_record({"graphlets": counted.figures.totals})
        return Network(path, record, counted.figures.frequencies, counted.seconds, counted.columns)
    result = count_graphlets(path, options)
    record = result.as_record({"graphlets": result.figures.totals})
    return Network(path, record, result.figures.transform.net[:, ORBITS], result.seconds, result.columns)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def print_comparison(titles: tuple[str, str], comparison: Comparison) -> None:
    """Print the graphlets of two networks side by side, and the distances between the networks."""
    from triadic.cli.network_files import titled
    from triadic.cli.printing import output_console, print_note, print_rows, print_table, seconds_row

    console = output_console()
    print_table(console, _side_by_side(titles, comparison))
    for title, network in zip(titles, comparison.networks, strict=True):
        if network.columns is not None:
            print_note(console, titled(title, network.columns), style="bold")
    sizes = "three, or of four," if comparison.size == 4 else "three, of four, or of five"
    print_note(console, f"Shares: of all connected sets of {sizes} vertices.")
    directed = [network.record["graph"]["directed"] for network in comparison.networks]
    if any(directed):
        whose = "both networks" if all(directed) else titles[directed.index(True)]
        print_note(console, f"The directions of {whose} are left out.")
    console.print()
    first = comparison.networks[0].record
    name, total, steps = seconds_row(comparison.seconds)
    parts = steps.split(", ")
    frequencies, known_as = "0: the same frequencies", "GCD-11" if comparison.size == 4 else "GCD-73"
    if math.isinf(comparison.frequency_distance):
        names = comparison.only_in_one()
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        frequencies = f"in one network only: {', '.join(names[:_MOST_NAMES])}{more}"
    print_rows(
        [
            ("correlation distance", _figure(comparison.correlation_distance), f"{known_as}; 0: the same correlations"),
            (
                "degree agreement",
                _figure(comparison.arithmetic_agreement),
                "arithmetic mean; 1: the same distributions",
            ),
            ("", _figure(comparison.geometric_agreement), "geometric mean"),
            ("frequency distance", _figure(comparison.frequency_distance), frequencies),
            ("threads", str(first["threads"]), f"on {first['device']}"),
            # Two lines, so that any times fit in 80 columns.
            (name, total, ", ".join(parts[:2])),
            ("", "", ", ".join(parts[2:])),
        ],
        title="graphlets compared",
    )


def _side_by_side(titles: tuple[str, str], comparison: Comparison) -> "Table":
    from rich.table import Table

    graphs = [network.record["graph"] for network in comparison.networks]
    totals = [network.record["graphlets"] for network in comparison.networks]
    parts = [shares(counts) for counts in totals]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", style="cyan")
    for title in titles:
        table.add_column(title, justify="right")
        table.add_column("", style="dim")
    dropped = [graph["loops_dropped"] + graph["duplicates_dropped"] for graph in graphs]
    merged = [graph["reciprocal_merged"] for graph in graphs]
    table.add_row("vertices", *_cells([graph["vertices"] for graph in graphs]))
    table.add_row("edges", *_cells([graph["edges"] for graph in graphs]))
    table.add_row("dropped", *_cells(dropped))
    if any(merged):
        table.add_row("merged", *_cells(merged))
    for graphlet in parts[0]:
        table.add_row(graphlet, *_cells([counts[graphlet] for counts in totals], [part[graphlet] for part in parts]))
    return table


def _cells(counts: list[int], notes: Sequence[str] = ("", "")) -> list[str]:
    return [cell for count, note in zip(counts, notes, strict=True) for cell in (f"{count:,}", note)]


def _figure(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.6f}"
