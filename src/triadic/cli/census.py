"""``triadic census``: the triads of a network in a file."""

from dataclasses import dataclass
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.estimating import EstimateOptions
from triadic.cli.help import with_examples
from triadic.cli.options import BatchOptions, CsvOptions, Json, NetworkOrTiles, TiledCountOptions, with_options

if TYPE_CHECKING:
    from rich.table import Table

    from triadic.cli.batch_counting import BatchFigures, BatchOutput
    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.cli.drawings import TriadCharacters
    from triadic.cli.network_files import Url
    from triadic.core.array_types import Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.census import Census, TriadCensus


@with_examples(
    "triadic census followers.txt",
    "triadic census followers.txt --by-vertex -o vertices.parquet",
    "triadic census followers.txt --by-vertex -o triads/",
    "triadic census snapshots --batch -o graphs.csv",
    "triadic census followers.txt --estimate --within 5%",
)
@with_options
def census(
    file: NetworkOrTiles,
    *,
    types: Annotated[
        int,
        typer.Option(
            metavar="16|64",
            help="Count the 16 types of triads, or the 64 labelled types of vertices u < v < w.",
        ),
    ] = 16,
    by_vertex: Annotated[
        bool,
        typer.Option("--by-vertex", help="Also count the triads of each vertex, by type, and write them to -o."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="With --by-vertex, write the label and the 16 counts of every vertex to FILE: .csv, .parquet or .npy; "
            "or to several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, the workers write "
            "the folder. Of many graphs, without --by-vertex, write a row for each graph: .csv or .parquet.",
            show_default=False,
        ),
    ] = None,
    csv: CsvOptions,
    as_json: Json = False,
    options: TiledCountOptions,
    many: BatchOptions,
    wanted: EstimateOptions,
) -> None:
    """Count the triads of each type exactly: in which way each three vertices are joined.

    Edges are read as arcs. In a network without directions every edge counts as arcs both ways.
    """
    from triadic.cli.batch_counting import BatchOutput, is_batch
    from triadic.cli.estimating import estimate_file, print_estimates
    from triadic.cli.network_files import parse_location
    from triadic.cli.printing import print_json, print_remark
    from triadic.cli.table_output import check_output, names_folder
    from triadic.errors import ArgumentError
    from triadic.io.tables import write_vertices

    _check_types(types, output, by_vertex=by_vertex)
    network = parse_location(file)
    path = None if output is None else Path(output)
    if wanted.asked():
        refused = {"-o": output, "--by-vertex": by_vertex, "--types 64": types == 64}
        estimates = estimate_file(network, ("triads",), options, many, wanted, refused)
        print_estimates(network.name, estimates, as_json=as_json, directions=True)
        estimates.remove_temporary_tiles()
        return
    if is_batch(network, many):
        _count_batch(network, options, many, types=types, output=BatchOutput(path, by_vertex, as_json, csv))
        return
    if output is not None and not by_vertex:
        raise ArgumentError(
            f"-o {output}: expected --by-vertex as well, because the file holds the counts of the vertices"
        )
    into_folder = output is not None and names_folder(output, csv=csv)
    if not into_folder:
        check_output(path, csv=csv)
    result = count_triads(network, options, types=types, output=output, into_folder=into_folder)
    if not result.graph.directed:
        print_remark(f"{network.name} has no directions: every edge is counted as mutual")
    if path is not None and not into_folder:
        write_vertices(path, result.graph, result.figures.columns(), csv=csv)
    if as_json:
        print_json(result.as_record(result.figures.totals(), arcs=True))
    else:
        print_census(network.name, result)
    result.remove_temporary_tiles()


def _check_types(types: int, output: str | None, *, by_vertex: bool) -> None:
    """Raise ArgumentError if there are no such types, or they cannot be counted by vertex."""
    from triadic.errors import ArgumentError

    if types not in (16, 64):
        raise ArgumentError(f"--types {types}: expected 16 or 64")
    if by_vertex and types != 16:
        raise ArgumentError("--types 64: --by-vertex counts the 16 types only; leave out one of the two options")
    if by_vertex and output is None:
        raise ArgumentError("--by-vertex: expected -o FILE as well, for the counts of the vertices")


@dataclass(frozen=True, slots=True, eq=False)
class Triads:
    """Triad census of a network, and of each vertex if it was counted."""

    census: "Census"
    by_vertex: "Int64Array | None" = None

    def totals(self) -> dict[str, Any]:
        """Return the totals as plain numbers, for JSON; None for an undefined z, because JSON has no NaN."""
        from triadic.measures.census import TriadCensus

        record: dict[str, Any] = {"census": self.census.to_dict()}
        if isinstance(self.census, TriadCensus):
            record["expected"] = self.census.expected()
            record["z"] = {name: None if isnan(z) else z for name, z in self.census.z_scores().items()}
        return record

    def columns(self) -> "dict[str, Int64Array]":
        """Return the counts of vertices, by type."""
        from triadic.core.triad_types import TRIAD_NAMES

        return {} if self.by_vertex is None else dict(zip(TRIAD_NAMES, self.by_vertex.T, strict=True))


def count_triads(
    path: "Path | Url", options: TiledCountOptions, *, types: int, output: str | None, into_folder: bool = False
) -> "CountResult[Triads]":
    """Read a network and count its triads; also the triads of each vertex, if there is a file or folder for them.

    They are written to the folder at once, but not to a file.
    """
    from triadic.cli.counting import count_file
    from triadic.cli.tiled_counting import refuse_tiles
    from triadic.counts.triads import CENSUS_OF_VERTICES, CLOSED_TRIADS, LABELLED_CLOSED_TRIADS
    from triadic.measures import table_files, triads  # noqa: F401 - compiled code: loaded before the time is taken
    from triadic.tiles.stored_tiles import is_url

    if types != 16:
        refuse_tiles(path, "--types 64", options)
        return count_file(path, partial(_measure, types=types), options, count=LABELLED_CLOSED_TRIADS)
    if output is None:
        return count_file(path, _measure, options, count=CLOSED_TRIADS, plan="census")
    measure = partial(_measure_into, output) if into_folder else _measure_by_vertex
    beside = None if is_url(output) else Path(output)
    return count_file(path, measure, options, count=CENSUS_OF_VERTICES, plan="census-by-vertex", output=beside)


def _measure(graph: "Graph", keywords: "MeasureKeywords", *, types: int = 16) -> Triads:
    from triadic.measures import triads as measures

    return Triads(measures.triad_census(graph, types=types, **keywords))


def _measure_by_vertex(graph: "Graph", keywords: "MeasureKeywords") -> Triads:
    from triadic.measures import triads as measures

    by_vertex = measures.triad_census_by_vertex(graph, **keywords)
    return Triads(measures.census_of(graph, by_vertex), by_vertex)


def _measure_into(output: str, graph: "Graph", keywords: "MeasureKeywords") -> Triads:
    """Write the triads of vertices to a folder, and return the totals."""
    from triadic.measures import triads as measures
    from triadic.measures.table_files import write_vertex_table
    from triadic.measures.vertex_table import TRIAD_COLUMNS

    totals = write_vertex_table(graph, output, "triads", **keywords)
    return Triads(measures.census_of_sums(graph, [int(totals[name]) for name in TRIAD_COLUMNS]))


def _count_batch(
    path: "Path | Url",
    options: TiledCountOptions,
    many: BatchOptions,
    *,
    types: int,
    output: "BatchOutput",
) -> None:
    """Read many graphs, count the triads of each, and print and write the rows."""
    from triadic.cli.batch_counting import count_batch
    from triadic.counts.triads import CENSUS_OF_VERTICES, LABELLED_CLOSED_TRIADS
    from triadic.measures import triads  # noqa: F401 - compiled code: loaded before the time is taken

    measure = partial(_measure_batch, types=types, by_vertex=output.by_vertex)
    count = CENSUS_OF_VERTICES if types == 16 else LABELLED_CLOSED_TRIADS
    count_batch(
        path,
        measure,
        options,
        many,
        count=count,
        output=output,
        counts_directions=True,
    )


def _measure_batch(batch: "GraphBatch", keywords: "MeasureKeywords", *, types: int, by_vertex: bool) -> "BatchFigures":
    from triadic.cli.batch_counting import BatchFigures
    from triadic.cli.printing import print_remark
    from triadic.core.triad_types import TRIAD_NAMES
    from triadic.measures import triads as measures

    if not batch.directed:
        print_remark("the graphs have no directions: every edge is counted as mutual")
    of_graphs = measures.triad_census(batch, types=types, **keywords)
    if not by_vertex:
        return BatchFigures(of_graphs, {})
    of_vertices = measures.triad_census_by_vertex(batch, **keywords)
    return BatchFigures(of_graphs, dict(zip(TRIAD_NAMES, of_vertices.T, strict=True)))


def print_census(title: str, result: "CountResult[Triads]") -> None:
    """Print each type of triad with its drawing, its count, and its mean count in random networks."""
    from triadic.cli.drawings import draw_dyad, triad_characters
    from triadic.cli.printing import dropped_rows, output_console, print_note, print_rows, print_table, run_rows
    from triadic.measures.census import TriadCensus

    graph, census = result.graph, result.figures.census
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("arcs", f"{graph.num_arcs:,}", "" if graph.directed else "every edge counts as two"),
        ("edges", f"{graph.num_edges:,}", "pairs of vertices joined either way"),
        *dropped_rows(graph.dropped),
        *run_rows(result),
    ]
    print_rows(rows, title=result.title(title, counts_directions=True))
    console = output_console()
    characters = triad_characters(console.encoding)
    console.print()
    if isinstance(census, TriadCensus):
        print_table(console, _table_of_types(census, characters, directed=graph.directed), name=1)
        if not graph.directed:
            print_note(console, "The 12 types with an asymmetric pair of vertices have count 0 without directions.")
        print_note(
            console,
            "A line without an arrowhead runs both ways. Expected: the mean over all networks with the same numbers\n"
            "of mutual, asymmetric and null pairs. z: standard deviations above that mean.",
        )
    else:
        print_table(console, _table_of_codes(census, characters))
        mutual = draw_dyad(3, characters)
        print_note(
            console, f"Vertices u < v < w are numbered from 0 in the order of the network. {mutual} runs both ways."
        )


def _table_of_types(census: "TriadCensus", characters: "TriadCharacters", *, directed: bool) -> "Table":
    """Return the table; without directions, the types of triads with asymmetric pairs are left out."""
    from rich.table import Table

    from triadic.cli.drawings import draw_triad
    from triadic.cli.printing import share
    from triadic.core.formatting import format_mean, format_z
    from triadic.core.triad_types import ASYMMETRIC

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("name", vertical="bottom", style="cyan")
    for heading in ("count", "share", "expected", "z"):
        table.add_column(heading, justify="right", vertical="bottom")
    total = sum(census.values())
    expected, z = census.expected(), census.z_scores()
    for name, count in census.items():
        if ASYMMETRIC[name] and not directed:
            continue
        mean, score = format_mean(expected[name]), format_z(z[name])
        table.add_row(draw_triad(name, characters), name, f"{count:,}", share(count, total), mean, score)
    return table


def _table_of_codes(census: "Census", characters: "TriadCharacters") -> "Table":
    from rich.table import Table

    from triadic.cli.drawings import draw_dyad
    from triadic.cli.printing import share
    from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("name", justify="right", style="cyan")
    for heading in ("u v", "u w", "v w"):
        table.add_column(heading, justify="center")
    table.add_column("type", style="cyan")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right")
    total = sum(census.values())
    for code, count in census.items():
        dyads = (draw_dyad(state, characters) for state in states(int(code)))
        name = TRIAD_NAMES[TYPE_OF_CODE[int(code)]]
        table.add_row(code, *dyads, name, f"{count:,}", share(count, total))
    return table
