"""``triadic graphlets``: the graphlets of a network in a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.estimating import EstimateOptions
from triadic.cli.help import with_examples
from triadic.cli.options import (
    BatchOptions,
    ByVertex,
    CountOptions,
    CsvOptions,
    Json,
    NetworkOrTiles,
    TiledCountOptions,
    with_options,
)

if TYPE_CHECKING:
    from triadic.cli.batch_counting import BatchFigures, BatchOutput
    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.cli.network_files import Url
    from triadic.core.array_types import Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.graphlets.transform import GraphletTransform

_OF_THREE_VERTICES = ("2-path", "triangle")
_OF_FOUR_VERTICES = ("3-path", "claw", "paw", "4-cycle", "diamond", "4-clique")


@with_examples(
    "triadic graphlets friends.txt.gz",
    "triadic graphlets friends.txt.gz -o vertices.csv",
    "triadic graphlets MUTAG -o graphs.csv",
    "triadic graphlets friends.txt.gz --estimate --within 5%",
)
@with_options
def graphlets(
    file: NetworkOrTiles,
    *,
    graphlets: Annotated[
        int,
        typer.Option(metavar="5|16", help="Count all 16 graphlets, or only the first 5, which need only triangles."),
    ] = 16,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the label and the induced graphlets at every vertex to FILE: .csv, .parquet or .npy. Of many "
            "graphs, write a row for each graph: .csv or .parquet.",
            show_default=False,
        ),
    ] = None,
    by_vertex: ByVertex = False,
    csv: CsvOptions,
    as_json: Json = False,
    options: TiledCountOptions,
    many: BatchOptions,
    wanted: EstimateOptions,
) -> None:
    """Count the connected subgraphs of up to four vertices exactly, by their shape.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """
    from triadic.cli.batch_counting import BatchOutput, is_batch
    from triadic.cli.estimating import estimate_file, print_estimates
    from triadic.cli.network_files import parse_location
    from triadic.cli.printing import print_json
    from triadic.cli.table_output import check_output
    from triadic.cli.tiled_counting import refuse_tiles
    from triadic.errors import ArgumentError
    from triadic.io.tables import write_vertices

    if graphlets not in (5, 16):
        raise ArgumentError(f"--graphlets {graphlets}: expected 5 or 16")
    network = parse_location(file)
    if wanted.asked():
        refused = {"-o": output, "--by-vertex": by_vertex, "--graphlets 5": graphlets == 5}
        estimates = estimate_file(network, ("graphlets4",), options, many, wanted, refused)
        print_estimates(network.name, estimates, as_json=as_json)
        return
    if is_batch(network, many):
        _count_batch(
            network,
            options,
            many,
            graphlets=graphlets,
            output=BatchOutput(output, by_vertex, as_json, csv),
        )
        return
    check_output(output, csv=csv)
    if graphlets == 16:
        refuse_tiles(network, "--graphlets 16", options)
    result = count_graphlets(network, options, graphlets=graphlets, output=output)
    if output is not None:
        write_vertices(output, result.graph, result.figures.columns(), csv=csv)
    if as_json:
        print_json(result.as_record(result.figures.sums()))
    else:
        print_graphlets(network.name, result)
    result.remove_temporary_tiles()


@dataclass(frozen=True, slots=True, eq=False)
class Graphlets:
    """Graphlet transform of a network, with its sums over all vertices."""

    transform: "GraphletTransform"
    totals: dict[str, int]
    raw_sums: tuple[int, ...]
    net_sums: tuple[int, ...]

    def sums(self) -> dict[str, Any]:
        """Return the numbers of graphlets and the sums over all vertices as plain numbers, for JSON."""
        return {"graphlets": self.totals, "raw": list(self.raw_sums), "net": list(self.net_sums)}

    def columns(self) -> "dict[str, Int64Array]":
        """Return the net frequencies at every vertex, by the names of the graphlets."""
        return dict(zip(self.transform.names, self.transform.net.T, strict=True))


def count_graphlets(
    path: "Path | Url", options: CountOptions, *, graphlets: int = 16, output: Path | None = None
) -> "CountResult[Graphlets]":
    """Read a network and count its graphlets."""
    from triadic.cli.counting import count_file
    from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
    from triadic.counts.triangles import TRIANGLES
    from triadic.measures.graphlets import transform as measures  # noqa: F401 - compiled code: loaded before the time is taken

    measure = partial(_measure, graphlets=graphlets)
    if graphlets == 16:
        return count_file(path, measure, options, count=FOUR_VERTEX_COUNTS)
    return count_file(path, measure, options, count=TRIANGLES, plan="graphlets", output=output)


def _measure(graph: "Graph", keywords: "MeasureKeywords", *, graphlets: int) -> Graphlets:
    from triadic.measures.graphlets.transform import graphlet_transform

    transform = graphlet_transform(graph, graphlets=graphlets, **keywords)
    # The transform computes sums when they are first used; used here, they count in the time.
    return Graphlets(transform, transform.totals, transform.raw_sums, transform.net_sums)


def _count_batch(
    path: "Path | Url",
    options: TiledCountOptions,
    many: BatchOptions,
    *,
    graphlets: int,
    output: "BatchOutput",
) -> None:
    """Read many graphs, count the graphlets of each, and print and write the rows."""
    from triadic.cli.batch_counting import count_batch
    from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
    from triadic.counts.triangles import TRIANGLES
    from triadic.measures.graphlets import transform as measures  # noqa: F401 - compiled code: loaded before the time is taken

    measure = partial(_measure_batch, graphlets=graphlets, by_vertex=output.by_vertex)
    count = FOUR_VERTEX_COUNTS if graphlets == 16 else TRIANGLES
    count_batch(path, measure, options, many, count=count, output=output)


def _measure_batch(
    batch: "GraphBatch", keywords: "MeasureKeywords", *, graphlets: int, by_vertex: bool
) -> "BatchFigures":
    from triadic.cli.batch_counting import BatchFigures
    from triadic.measures.graphlets.transform import graphlet_transform

    transform = graphlet_transform(batch, graphlets=graphlets, **keywords)
    of_graphs = {name: column for name, column in transform.graph_totals.items() if name not in ("vertex", "edge")}
    return BatchFigures(of_graphs, dict(zip(transform.names, transform.net.T, strict=True)) if by_vertex else {})


def print_graphlets(title: str, result: "CountResult[Graphlets]") -> None:
    """Print the number of induced subgraphs of each shape."""
    from rich.table import Table

    from triadic.cli.drawings import draw_graphlet
    from triadic.cli.printing import dropped_rows, output_console, print_note, print_rows, print_table, run_rows

    graph, totals = result.graph, result.figures.totals
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
    table.add_column("name", vertical="middle", style="cyan")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right", vertical="middle")
    for name, part in shares(totals).items():
        table.add_row()
        table.add_row(draw_graphlet(name, console.encoding), name, f"{totals[name]:,}", part)
    console.print()
    print_table(console, table, name=1)
    console.print()
    print_note(console, "Share: of all connected sets of three, or of four, vertices.")


def shares(totals: Mapping[str, int]) -> dict[str, str]:
    """Return the share of each graphlet in the connected sets of as many vertices, as text."""
    from triadic.cli.printing import share
    from triadic.core.graphlets import GRAPHS_OF_FIVE

    parts = {}
    for graphlets in (_OF_THREE_VERTICES, _OF_FOUR_VERTICES, GRAPHS_OF_FIVE):
        counts = {name: totals[name] for name in graphlets if name in totals}
        parts.update({name: share(count, sum(counts.values())) for name, count in counts.items()})
    return parts
