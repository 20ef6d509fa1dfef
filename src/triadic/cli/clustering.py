"""``triadic clustering``: triangles and clustering coefficients of a network in a file."""

import math
from dataclasses import dataclass, field
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
    from collections.abc import Mapping

    from triadic.cli.batch_counting import BatchFigures, BatchOutput
    from triadic.cli.counting import CountResult, MeasureKeywords
    from triadic.cli.network_files import Url
    from triadic.cli.printing import Row
    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.measures.weighted_clustering import Method
    from triadic.tiles.tiled_graph import TiledGraph


# Names of the weighted averages, and what each averages.
_METHODS = {
    "onnela": ("  by Onnela", "geometric mean of the weights of each triangle"),
    "barrat": ("  by Barrat", "weights of the edges from the vertex"),
    "zhang-horvath": ("  by Zhang, Horvath", "product of the weights of each triangle"),
}


@with_examples(
    "triadic clustering friends.txt.gz",
    "triadic clustering friends.csv -o vertices.csv",
    "triadic clustering MUTAG -o graphs.csv",
    "triadic clustering friends.csv -o vertices/",
    "triadic clustering friends.txt.gz --estimate --within 1% --time 30s",
)
@with_options
def clustering(
    file: NetworkOrTiles,
    *,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write label, degree, number of triangles and clustering coefficient of every vertex to FILE: .csv, "
            ".parquet or .npy; or to several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, "
            "the workers write the folder. Of many graphs, write a row for each graph: .csv or .parquet.",
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
    """Count triangles exactly, and print transitivity and average clustering.

    Directions are ignored: two vertices are joined if an arc runs either way.

    With --weights, also print the averages of three weighted clustering coefficients; -o writes the coefficients.
    """
    from triadic.cli.batch_counting import BatchOutput, is_batch
    from triadic.cli.estimating import estimate_file, print_estimates
    from triadic.cli.network_files import parse_location
    from triadic.cli.printing import print_json
    from triadic.cli.table_output import check_output, names_folder
    from triadic.io.tables import write_vertices

    network = parse_location(file)
    path = None if output is None else Path(output)
    if wanted.asked():
        refused = {"-o": output, "--by-vertex": by_vertex, "--weights": options.weights}
        of = "triangles", "transitivity", "average_clustering"
        estimates = estimate_file(network, of, options, many, wanted, refused)
        print_estimates(network.name, estimates, as_json=as_json)
        estimates.remove_temporary_tiles()
        return
    if is_batch(network, many):
        _count_batch(network, options, many, output=BatchOutput(path, by_vertex, as_json, csv))
        return
    if output is not None and names_folder(output, csv=csv):
        result = _write_folder(network, options, output)
        path = None
    else:
        check_output(path, csv=csv)
        result = count_clustering(network, options, path)
    if path is not None:
        write_vertices(path, result.graph, result.figures.columns(), csv=csv)
    if as_json:
        print_json(result.as_record(result.figures.totals()))
    else:
        print_clustering(network.name, result)
    result.remove_temporary_tiles()


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Clustering of a network, by vertex and in total; the arrays are empty if they were written to a folder."""

    degree: "Int64Array"
    triangles: "Int64Array"
    clustering: "Float64Array"
    triangle_count: int
    transitivity: float
    average_clustering: float
    weighted: "Mapping[str, Float64Array]" = field(default_factory=dict)  # by method, if weights were named

    def totals(self) -> dict[str, Any]:
        """Return the totals as plain numbers, for JSON."""
        totals: dict[str, Any] = {
            "triangles": self.triangle_count,
            "transitivity": self.transitivity,
            "average_clustering": _number(self.average_clustering),
        }
        if self.weighted:
            totals["average_weighted_clustering"] = {
                name: _number(mean) for name, mean in self.weighted_means().items()
            }
        return totals

    def weighted_means(self) -> dict[str, float]:
        """Return the mean of the weighted clustering coefficients over all vertices, by method."""
        from triadic.measures.clustering import mean_clustering

        return {method: mean_clustering(values) for method, values in self.weighted.items()}

    def columns(self) -> "Mapping[str, Int64Array | Float64Array]":
        """Return the columns of the table of vertices, by name."""
        weighted = {f"clustering_{method.replace('-', '_')}": values for method, values in self.weighted.items()}
        return {"degree": self.degree, "triangles": self.triangles, "clustering": self.clustering, **weighted}


def count_clustering(
    path: "Path | Url", options: CountOptions, output: Path | None = None
) -> "CountResult[Clustering]":
    """Read a network and compute its clustering."""
    from triadic.cli.counting import count_file
    from triadic.counts.triangles import TRIANGLES
    from triadic.measures import clustering  # noqa: F401 - compiled code: loaded before the time is taken

    measure = partial(_measure, weighted=options.weights is not None, combine=options.combine)
    return count_file(path, measure, options, count=TRIANGLES, plan="clustering", output=output, weighted_tiles=True)


def _write_folder(path: "Path | Url", options: TiledCountOptions, output: str) -> "CountResult[Clustering]":
    """Read a network or open its tiles, and write the clustering of its vertices to a folder; return the totals."""
    from triadic.cli.counting import count_file
    from triadic.counts.triangles import TRIANGLES
    from triadic.errors import UnsupportedError
    from triadic.measures import table_files  # noqa: F401 - compiled code: loaded before the time is taken
    from triadic.tiles.stored_tiles import is_url

    if options.weights is not None:
        raise UnsupportedError(f"-o {output}: weighted coefficients are written to a file; expected -o FILE.parquet")
    beside = None if is_url(output) else Path(output)
    measure = partial(_measure_into, output)
    return count_file(path, measure, options, count=TRIANGLES, plan="clustering", output=beside)


def _measure_into(output: str, graph: "Graph", keywords: "MeasureKeywords") -> Clustering:
    import numpy as np

    from triadic.measures.table_files import write_vertex_table

    totals = write_vertex_table(graph, output, ("degree", "triangles", "clustering"), **keywords)
    vertices, wedges, triangles = (int(totals[name]) for name in ("vertices", "wedges", "triangles"))
    none = np.empty(0, dtype=np.int64)
    return Clustering(
        degree=none,
        triangles=none,
        clustering=np.empty(0),
        triangle_count=triangles // 3,
        transitivity=triangles / wedges if wedges else 0.0,
        average_clustering=totals["clustering"] / vertices if vertices else math.nan,
    )


def _measure(
    graph: "Graph", keywords: "MeasureKeywords", *, weighted: bool = False, combine: str | None = None
) -> Clustering:
    """Count the triangles once; everything else is arithmetic."""
    from triadic.graph.graph import Graph
    from triadic.measures import clustering as measures
    from triadic.measures import triangles as triangle_measures

    of_weights = _weighted(graph, combine, keywords) if weighted else {}  # first, as it may be refused
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
        weighted=of_weights,
    )


def _count_batch(
    path: "Path | Url",
    options: TiledCountOptions,
    many: BatchOptions,
    *,
    output: "BatchOutput",
) -> None:
    """Read many graphs, compute the clustering of each, and print and write the rows."""
    from triadic.cli.batch_counting import count_batch
    from triadic.counts.triangles import TRIANGLES
    from triadic.measures import clustering  # noqa: F401 - compiled code: loaded before the time is taken

    weighted = options.weights is not None
    measure = partial(_measure_batch, by_vertex=output.by_vertex, weighted=weighted, combine=options.combine)
    count_batch(path, measure, options, many, count=TRIANGLES, output=output)


def _measure_batch(
    batch: "GraphBatch", keywords: "MeasureKeywords", *, by_vertex: bool, weighted: bool, combine: str | None
) -> "BatchFigures":
    from triadic.cli.batch_counting import BatchFigures
    from triadic.measures import clustering as measures
    from triadic.measures import triangles as triangle_measures
    from triadic.measures.batches import means_of_graphs

    of_graphs: dict[str, Any] = {
        **triangle_measures.triangle_count(batch, **keywords),
        **measures.transitivity(batch, **keywords),
        **measures.average_clustering(batch, **keywords),
    }
    coefficients = _weighted(batch, combine, keywords) if weighted else {}
    for method, values in coefficients.items():
        of_graphs[f"average_{method.replace('-', '_')}"] = means_of_graphs(batch, values)
    if not by_vertex:
        return BatchFigures(of_graphs, {})
    triangles, degree = triangle_measures.triangles(batch, **keywords), batch.graph.degree
    of_vertices: dict[str, Any] = {
        "degree": degree,
        "triangles": triangles,
        "clustering": measures.local_clustering(triangles, degree),
    }
    of_vertices |= {f"clustering_{method.replace('-', '_')}": values for method, values in coefficients.items()}
    return BatchFigures(of_graphs, of_vertices)


def _weighted(
    graph: "Graph | GraphBatch | TiledGraph", combine: str | None, keywords: "MeasureKeywords"
) -> "dict[str, Float64Array]":
    """Return the weighted coefficients by method."""
    from triadic.cli.network_files import say_weights
    from triadic.graph.graph import Graph, weight_limits
    from triadic.measures.weighted_clustering import weighted_clustering, weighted_layout, without_directions
    from triadic.tiles.tiled_graph import TiledGraph

    if isinstance(graph, TiledGraph):
        (least, _), _ = without_directions(weighted_layout(graph))
    else:
        undirected = graph.to_undirected(combine=combine)  # once for all methods
        of_all = undirected if isinstance(undirected, Graph) else undirected.graph
        if graph.directed:
            say_weights(of_all.origin.weights)
        graph, (least, _) = undirected, weight_limits(of_all)
    return {method: weighted_clustering(graph, method=method, **keywords) for method in _methods(least)}


def _methods(least: float) -> "tuple[Method, ...]":
    """Return the methods that are defined for weights of which `least` is the least."""
    from typing import get_args

    from triadic.measures.weighted_clustering import Method

    return ("onnela",) if least < 0 else get_args(Method)


def _number(mean: float) -> float | None:
    """Return a mean for JSON, which has no NaN: a network without vertices has no mean."""
    return None if math.isnan(mean) else mean


def print_clustering(title: str, result: "CountResult[Clustering]") -> None:
    """Print the clustering of a network, with what each figure means."""
    from triadic.cli.printing import dropped_rows, print_rows, run_rows

    graph, figures, means = result.graph, result.figures, result.figures.weighted_means()
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        *dropped_rows(graph.dropped),
        ("triangles", f"{figures.triangle_count:,}", _busiest_vertex(graph, figures)),
        ("transitivity", f"{figures.transitivity:.6f}", "share of paths of two edges that close"),
        ("average clustering", f"{figures.average_clustering:.6f}", "mean over vertices; 0 below degree 2"),
        *((name, f"{means[method]:.6f}", note) for method, (name, note) in _METHODS.items() if method in means),
        *_rows_by_degree(figures),
        *run_rows(result),
    ]
    print_rows(rows, title=result.title(title))


def _busiest_vertex(graph: "Graph", figures: Clustering) -> str:
    """Name the vertex with the most triangles."""
    if not len(figures.triangles) or not figures.triangle_count:
        return ""
    vertex, labels = int(figures.triangles.argmax()), graph.labels
    name = vertex if labels is None else labels[vertex]
    return f"most at {name}: {figures.triangles[vertex]:,}"


def _rows_by_degree(figures: Clustering) -> "list[Row]":
    """Return the mean clustering of the vertices of degree 2 to 9, of degree 10 to 99, and so on."""
    from triadic.core.formatting import plural

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
