"""``triadic orbits``: the orbits of the vertices or edges of a network in a file."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import (
    BatchOptions,
    ByVertex,
    CountOptions,
    CsvOptions,
    Json,
    Network,
    with_options,
)

if TYPE_CHECKING:
    from triadic.cli.batch_counting import BatchFigures, BatchOutput
    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.core.array_types import Int64Array
    from triadic.core.formatting import CsvStyle
    from triadic.counts.count import Count
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph

_LARGEST_SUM = 2**63 - 1  # of int64


@with_examples(
    "triadic orbits friends.txt.gz --size 5",
    "triadic orbits friends.txt.gz --size 5 -o vertices.csv",
    "triadic orbits friends.txt.gz --edges --size 5 -o edges.parquet",
)
@with_options
def orbits(
    file: Network,
    *,
    size: Annotated[
        int,
        typer.Option(
            metavar="4|5",
            help="Count the 15 orbits of up to four vertices, or the 73 of up to five; of edges, 12 or 68.",
        ),
    ] = 4,
    edges: Annotated[
        bool,
        typer.Option("--edges", help="Count the orbits of every edge instead of every vertex."),
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the label and the orbits of every vertex, or with --edges the labels of the two ends and the "
            "orbits of every edge, to FILE: .csv, .parquet or .npy. Of many graphs, write a row with the number of "
            "each graphlet for each graph: .csv or .parquet.",
            show_default=False,
        ),
    ] = None,
    by_vertex: ByVertex = False,
    csv: CsvOptions,
    as_json: Json = False,
    options: CountOptions,
    many: BatchOptions,
) -> None:
    """Count ORCA's orbits of every vertex exactly: its places in connected subgraphs of up to four or five vertices.

    With --edges, count the places of every edge in these subgraphs.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """
    from triadic.cli.batch_counting import BatchOutput, is_batch
    from triadic.cli.printing import print_json
    from triadic.cli.table_output import check_output
    from triadic.core.graphlets import ORBITS_OF_SIZE
    from triadic.errors import ArgumentError

    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"--size {size}: expected 4 or 5")
    check_output(output, csv=csv)
    if is_batch(file, many):
        if edges:
            raise ArgumentError("--edges: expected one network, not many graphs; triadic.edge_orbit_degrees takes many")
        shown = BatchOutput(output, by_vertex, as_json, csv)
        _count_batch(file, options, many, size=size, output=shown)
        return
    result = count_orbits(file, options, size=size, edges=edges, writing=output is not None)
    if output is not None:
        result.figures.write(output, csv=csv)
    if as_json:
        print_json(result.as_record(result.figures.sums()))
    else:
        print_orbits(file.name, result)


@dataclass(frozen=True, slots=True, eq=False)
class Orbits:
    """Orbits of the vertices or edges of a network, and the number of each graphlet.

    Attributes
    ----------
    graph : Graph
        The network; for edges its skeleton, if it is directed.
    frequencies : int64 array, shape (n, orbits) or (m, orbits)
    totals : dict of str to int
    of_edges : bool
    """

    graph: "Graph"
    frequencies: "Int64Array"
    totals: dict[str, int]
    of_edges: bool

    def sums(self) -> dict[str, Any]:
        """Return the numbers of graphlets and the sums of orbits as plain numbers, for JSON."""
        from triadic.core.exact import exact_column_sums

        sums = exact_column_sums(self.frequencies)
        return {"graphlets": self.totals, "edge_orbits" if self.of_edges else "orbits": sums}

    def columns(self) -> "dict[str, Int64Array]":
        """Return the orbits of every vertex or edge, by the names ``orbit 0``, ``orbit 1``, ..."""
        return _columns(self.frequencies)

    def write(self, path: Path, *, csv: "CsvStyle") -> None:
        """Write a table with a row for each vertex or edge."""
        from triadic.io.tables import write_edges, write_vertices

        write = write_edges if self.of_edges else write_vertices
        write(path, self.graph, self.columns(), csv=csv)


def _columns(frequencies: "Int64Array") -> "dict[str, Int64Array]":
    return {f"orbit {number}": column for number, column in enumerate(frequencies.T)}


def count_orbits(
    path: Path, options: CountOptions, *, size: int, edges: bool = False, writing: bool = False
) -> "CountResult[Orbits]":
    """Read a network and count its orbits; before the count, check the memory for writing them, too."""
    from triadic.cli.counting import count_file

    count = _count_of_edges(size) if edges else _count_of_vertices(size)
    measure = partial(_measure_edges if edges else _measure, size=size, writing=writing)
    return count_file(path, measure, options, count=count)


def _count_of_vertices(size: int) -> "Count[Any]":
    from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
    from triadic.counts.orbits import FIVE_VERTEX_COUNTS
    from triadic.measures.graphlets import orbits as measures  # noqa: F401 - compiled code: loaded before the time is taken

    return FIVE_VERTEX_COUNTS if size == 5 else FOUR_VERTEX_COUNTS


def _count_of_edges(size: int) -> "Count[Any]":
    from triadic.counts.orbits import FIVE_VERTICES_AT_EDGES, FOUR_VERTICES_AT_EDGES
    from triadic.measures.graphlets import orbits as measures  # noqa: F401 - compiled code: loaded before the time is taken

    return FIVE_VERTICES_AT_EDGES if size == 5 else FOUR_VERTICES_AT_EDGES


def _measure(graph: "Graph", keywords: "MeasureKeywords", *, size: int, writing: bool) -> Orbits:
    from triadic.core.graphlets import ORBITS_OF_SIZE
    from triadic.measures.graphlets.orbits import orbit_degrees, totals_of_orbits

    if writing:
        _check_memory(graph.num_vertices, "vertices", ORBITS_OF_SIZE[size])
    at_vertices = orbit_degrees(graph, size=size, **keywords)
    return Orbits(graph, at_vertices, totals_of_orbits(at_vertices), of_edges=False)


def _measure_edges(graph: "Graph", keywords: "MeasureKeywords", *, size: int, writing: bool) -> Orbits:
    from triadic.core.graphlets import EDGE_ORBITS_OF_SIZE
    from triadic.measures.graphlets.orbits import edge_orbit_degrees, totals_of_edge_orbits

    if graph.directed:
        graph = graph.to_undirected(combine="first")
    if writing:
        _check_memory(graph.num_edges, "edges", EDGE_ORBITS_OF_SIZE[size])
    at_edges = edge_orbit_degrees(graph, size=size, **keywords)
    return Orbits(graph, at_edges, totals_of_edge_orbits(at_edges), of_edges=True)


def _check_memory(rows: int, of: str, orbits: int) -> None:
    """Raise if the orbits and a part of their table do not fit in memory; the count checks what it needs itself."""
    from triadic.core.memory import check_memory
    from triadic.io.tables import bytes_to_write

    needed = 8 * orbits * rows + bytes_to_write(rows, orbits)
    check_memory(needed, f"counting and writing {orbits} orbits of {rows:,} {of}", "use more memory, or --size 4")


def _count_batch(path: Path, options: CountOptions, many: BatchOptions, *, size: int, output: "BatchOutput") -> None:
    """Read many graphs, count the orbits of each, and print and write the rows."""
    from triadic.cli.batch_counting import count_batch

    count = _count_of_vertices(size)
    measure = partial(_measure_batch, size=size, by_vertex=output.by_vertex)
    count_batch(path, measure, options, many, count=count, output=output)


def _measure_batch(batch: "GraphBatch", keywords: "MeasureKeywords", *, size: int, by_vertex: bool) -> "BatchFigures":
    from triadic.cli.batch_counting import BatchFigures
    from triadic.core.graphlets import GRAPH_NAMES, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
    from triadic.graph.batch import sums_by_graph
    from triadic.measures.graphlets.orbits import graphlet_counts, orbit_degrees

    if by_vertex:
        _check_memory(batch.num_vertices, "vertices", ORBITS_OF_SIZE[size])
    at_vertices = orbit_degrees(batch, size=size, **keywords)
    of_graphs: dict[str, Any]
    if int(at_vertices.max(initial=0)) * int(batch.sizes.max(initial=0)) <= _LARGEST_SUM:
        sums = sums_by_graph(at_vertices[batch.order], batch.offsets)
        graphlets = zip(GRAPH_NAMES, ORBITS_OF_GRAPHLETS, strict=True)
        # A vertex may have several places in the first orbit of a graphlet.
        of_graphs = {
            name: sums[:, places[0]] // places.count(places[0])
            for name, places in graphlets
            if places[0] < sums.shape[1]
        }
    else:  # the sums need Python's integers, graph by graph
        of_graphs = dict(graphlet_counts(batch, size=size, **keywords))
    of_graphs.pop("edge")  # a column of every batch
    return BatchFigures(of_graphs, _columns(at_vertices) if by_vertex else {})


def print_orbits(title: str, result: "CountResult[Orbits]") -> None:
    """Print the number of induced subgraphs of each shape, with the orbits of its vertices."""
    from rich.table import Table

    from triadic.cli.printing import dropped_rows, output_console, print_note, print_rows, print_table, run_rows
    from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS

    graph, of_edges = result.graph, result.figures.of_edges
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
    table.add_column("edge orbits" if of_edges else "orbits", justify="right")
    table.add_column("count", justify="right")
    orbits_by_name = dict(zip(GRAPH_NAMES, EDGE_ORBITS_OF_GRAPHLETS if of_edges else ORBITS_OF_GRAPHLETS, strict=True))
    for number, (name, total) in enumerate(result.figures.totals.items()):
        places = sorted(set(orbits_by_name[name]))
        span = "-".join(str(place) for place in places[:: max(1, len(places) - 1)])
        table.add_row(f"G{number}", name, span, f"{total:,}")
    console.print()
    print_table(console, table, name=1)
    console.print()
    place = "an edge" if of_edges else "a vertex"
    print_note(
        console, f"Count: induced subgraphs in the whole network. Orbits: the places of {place} in the subgraph."
    )
