"""``triadic orbits``: the orbits of the vertices of a network in a file."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import CountOptions, Json, Network, SpreadsheetSafe, with_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.graph.graph import Graph


@with_examples("triadic orbits friends.txt.gz --size 5", "triadic orbits friends.txt.gz --size 5 -o vertices.csv")
@with_options
def orbits(
    file: Network,
    *,
    size: Annotated[
        int,
        typer.Option(metavar="4|5", help="Count the 15 orbits of up to four vertices, or the 73 of up to five."),
    ] = 4,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the label and the orbits of every vertex to FILE: .csv, .parquet or .npy.",
            show_default=False,
        ),
    ] = None,
    spreadsheet_safe: SpreadsheetSafe = False,
    as_json: Json = False,
    options: CountOptions,
) -> None:
    """Count ORCA's orbits of every vertex exactly: its places in connected subgraphs of up to four or five vertices.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """
    from triadic.cli.printing import print_json
    from triadic.cli.table_output import check_output
    from triadic.core.orbit_tables import ORBITS_OF_SIZE
    from triadic.errors import ArgumentError
    from triadic.io.tables import write_vertices

    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"--size {size}: expected 4 or 5")
    check_output(output, spreadsheet_safe=spreadsheet_safe)
    result = count_orbits(file, options, size=size)
    if output is not None:
        write_vertices(output, result.graph, result.figures.columns(), spreadsheet_safe=spreadsheet_safe)
    if as_json:
        print_json(result.as_record(result.figures.sums()))
    else:
        print_orbits(file.name, result)


@dataclass(frozen=True, slots=True, eq=False)
class Orbits:
    """Orbits of the vertices of a network, and the number of each graphlet."""

    at_vertices: "NDArray[np.int64]"
    totals: dict[str, int]

    def sums(self) -> dict[str, Any]:
        """Return the numbers of graphlets and the sums of orbits as plain numbers, for JSON."""
        from triadic.core.exact import exact_column_sums

        return {"graphlets": self.totals, "orbits": exact_column_sums(self.at_vertices)}

    def columns(self) -> "dict[str, NDArray[np.int64]]":
        """Return the orbits of every vertex, by the names ``orbit 0``, ``orbit 1``, ..."""
        return {f"orbit {number}": column for number, column in enumerate(self.at_vertices.T)}


def count_orbits(path: Path, options: CountOptions, *, size: int) -> "CountResult[Orbits]":
    """Read a network and count its orbits."""
    from triadic.cli.counting import count_file
    from triadic.counts.five_vertices import FIVE_VERTEX_COUNTS
    from triadic.counts.four_vertices import FOUR_VERTEX_COUNTS
    from triadic.measures import orbits as measures  # noqa: F401 - compiled code: loaded before the time is taken

    count = FIVE_VERTEX_COUNTS if size == 5 else FOUR_VERTEX_COUNTS
    return count_file(path, partial(_measure, size=size), options, count=count)


def _measure(graph: "Graph", keywords: "MeasureKeywords", *, size: int) -> Orbits:
    from triadic.measures.orbits import orbit_degrees, totals_of_orbits

    at_vertices = orbit_degrees(graph, size=size, **keywords)
    return Orbits(at_vertices, totals_of_orbits(at_vertices))


def print_orbits(title: str, result: "CountResult[Orbits]") -> None:
    """Print the number of induced subgraphs of each shape, with the orbits of its vertices."""
    from rich.table import Table

    from triadic.cli.printing import dropped_rows, output_console, print_note, print_rows, print_table, run_rows
    from triadic.core.orbit_tables import GRAPH_NAMES, ORBITS_OF_GRAPHLETS

    graph = result.graph
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        *dropped_rows(graph.dropped),
        *run_rows(result),
    ]
    print_rows(rows, title=result.title(title))
    console = output_console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("name", style="cyan")
    table.add_column("orbits", justify="right")
    table.add_column("count", justify="right")
    orbits_by_name = dict(zip(GRAPH_NAMES, ORBITS_OF_GRAPHLETS, strict=True))
    for number, (name, total) in enumerate(result.figures.totals.items()):
        places = sorted(set(orbits_by_name[name]))
        span = str(places[0]) if len(places) == 1 else f"{places[0]}-{places[-1]}"
        table.add_row(f"G{number}", name, span, f"{total:,}")
    console.print()
    print_table(console, table, name=1)
    console.print()
    print_note(
        console, "Count: induced subgraphs in the whole network. Orbits: the places of a vertex in the subgraph."
    )
