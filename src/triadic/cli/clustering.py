"""``triadic clustering``: triangles and clustering coefficients of a network in a file."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import CountOptions, Json, NetworkOrTiles, TiledCountOptions, with_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.cli.network_files import Url
    from triadic.cli.printing import Row
    from triadic.graph.graph import Graph


@with_examples("triadic clustering friends.txt.gz", "triadic clustering friends.csv -o vertices.csv")
@with_options
def clustering(
    file: NetworkOrTiles,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write label, degree, number of triangles and clustering coefficient of every vertex to FILE: .csv, "
            ".parquet or .npy.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    options: TiledCountOptions,
) -> None:
    """Count triangles exactly, and print transitivity and average clustering.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """
    from triadic.cli.network_files import parse_location
    from triadic.cli.printing import print_json
    from triadic.io.tables import check_table, write_vertices

    network = parse_location(file)
    if output is not None:
        check_table(output)
    result = count_clustering(network, options, output)
    if output is not None:
        write_vertices(output, result.graph, result.figures.columns())
    if as_json:
        print_json(result.as_record(result.figures.totals()))
    else:
        print_clustering(network.name, result)
    result.remove_temporary_tiles()


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Clustering of a network, by vertex and in total."""

    degree: "NDArray[np.int64]"
    triangles: "NDArray[np.int64]"
    clustering: "NDArray[np.float64]"
    triangle_count: int
    transitivity: float
    average_clustering: float

    def totals(self) -> dict[str, Any]:
        """Return the totals as plain numbers, for JSON."""
        return {
            "triangles": self.triangle_count,
            "transitivity": self.transitivity,
            # A network without vertices has no mean; JSON has no NaN.
            "average_clustering": None if math.isnan(self.average_clustering) else self.average_clustering,
        }

    def columns(self) -> "Mapping[str, NDArray[np.int64] | NDArray[np.float64]]":
        """Return the columns of the table of vertices, by name."""
        return {"degree": self.degree, "triangles": self.triangles, "clustering": self.clustering}


def count_clustering(
    path: "Path | Url", options: CountOptions, output: Path | None = None
) -> "CountResult[Clustering]":
    """Read a network and compute its clustering."""
    from triadic.cli.counting import count_file
    from triadic.counts.triangles import TRIANGLES
    from triadic.measures import clustering  # noqa: F401 - compiled code: loaded before the time is taken

    return count_file(path, _measure, options, count=TRIANGLES, plan="clustering", output=output)


def _measure(graph: "Graph", keywords: "MeasureKeywords") -> Clustering:
    """Count the triangles once; everything else is arithmetic."""
    from triadic.graph.graph import Graph
    from triadic.measures import clustering as measures
    from triadic.measures import triangles as triangle_measures

    triangles, degree = triangle_measures.triangles(graph, **keywords), graph.degree
    # Of tiles, the measure writes the coefficients to a file and reads the triangles that were counted above.
    in_memory = isinstance(graph, Graph)
    coefficients = measures.local_clustering(triangles, degree) if in_memory else measures.clustering(graph, **keywords)
    return Clustering(
        degree=degree,
        triangles=triangles,
        clustering=coefficients,
        triangle_count=measures.count_of(triangles),
        transitivity=measures.transitivity_of(triangles, degree),
        average_clustering=measures.mean_clustering(coefficients),
    )


def print_clustering(title: str, result: "CountResult[Clustering]") -> None:
    """Print the clustering of a network, with what each figure means."""
    from triadic.cli.printing import dropped_row, print_rows, run_rows

    graph, figures = result.graph, result.figures
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        dropped_row(graph.dropped),
        ("triangles", f"{figures.triangle_count:,}", _busiest_vertex(graph, figures)),
        ("transitivity", f"{figures.transitivity:.6f}", "share of paths of two edges that close"),
        ("average clustering", f"{figures.average_clustering:.6f}", "mean over vertices; 0 below degree 2"),
        *_rows_by_degree(figures),
        *run_rows(result),
    ]
    print_rows(rows, title=title)


def _busiest_vertex(graph: "Graph", figures: Clustering) -> str:
    """Name the vertex with the most triangles."""
    if not figures.triangle_count:
        return ""
    vertex, labels = int(figures.triangles.argmax()), graph.labels
    name = vertex if labels is None else labels[vertex]
    return f"most at {name}: {figures.triangles[vertex]:,}"


def _rows_by_degree(figures: Clustering) -> "list[Row]":
    """Return the mean clustering of the vertices of degree 2 to 9, of degree 10 to 99, and so on."""
    from triadic.cli.printing import plural

    degree, highest = figures.degree, int(figures.degree.max(initial=0))
    rows = []
    low = 2
    while low <= highest:
        high = 10 ** len(str(low)) - 1
        in_range = (degree >= low) & (degree <= high)
        if in_range.any():
            label = f"  degree {low:,} to {high:,}" if high < highest else f"  degree {low:,} and up"
            note = plural(int(in_range.sum()), "vertex", "vertices")
            rows.append((label, f"{figures.clustering[in_range].mean():.6f}", note))
        low = high + 1
    return rows
