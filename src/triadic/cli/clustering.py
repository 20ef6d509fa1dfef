"""``triadic clustering``: triangles and clustering coefficients of a network in a file."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from triadic.cli.commands import option
from triadic.cli.network_files import say_weights
from triadic.cli.printing import Figures, Result
from triadic.cli.runner import Counting
from triadic.core.formatting import plural
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from triadic.cli.printing import Row
    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.counts.count import Count

# Names of the weighted averages, and what each averages.
_METHODS = {
    "onnela": ("  by Onnela", "geometric mean of the weights of each triangle"),
    "barrat": ("  by Barrat", "weights of the edges from the vertex"),
    "zhang-horvath": ("  by Zhang, Horvath", "product of the weights of each triangle"),
}


class Clustering(Counting):
    """Count triangles exactly, and print transitivity and average clustering.

    Directions are ignored: two vertices are joined if an arc runs either way.

    With --weights, also print the averages of three weighted clustering coefficients; -o writes the coefficients.
    """

    examples = (
        "triadic clustering friends.txt.gz",
        "triadic clustering friends.csv -o vertices.csv",
        "triadic clustering MUTAG -o graphs.csv",
        "triadic clustering friends.csv -o vertices/",
        "triadic clustering friends.txt.gz --estimate --error 1% --max-seconds 30s",
    )
    estimated = ("triangles", "transitivity", "average_clustering")
    writes_folders = True
    weighted_tiles = True

    output: str | None = option(
        None,
        "FILE",
        "Write label, degree, number of triangles and clustering coefficient of every vertex to FILE: .csv, .parquet "
        "or .npy; or to several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, the workers "
        "write the folder. Of many graphs, write a row for each graph: .csv or .parquet.",
        "-o",
        "--output",
    )

    def inexact(self) -> Mapping[str, object]:
        """Return further options that do not go with ``--estimate``."""
        return {"--weights": self.weights}

    def planned(self) -> str:
        """Return the name of the count in plans."""
        return "clustering"

    def count(self, *, many: bool) -> "Count[Any]":
        """Return the count that the figures are computed from."""
        from triadic.counts.triangles import TRIANGLES
        from triadic.measures import clustering  # noqa: F401 - compiled code

        if self.output_is_folder:
            from triadic.measures import vertex_table  # noqa: F401 - compiled code
        if self.output_is_folder and self.weights is not None and not many:
            raise UnsupportedError(
                f"-o {self.output}: weighted coefficients are written to a file; expected -o FILE.parquet"
            )
        return TRIANGLES

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a graph, in memory or in tiles
        """Count the triangles once; everything else is arithmetic."""
        from triadic.graph.graph import Graph
        from triadic.measures import clustering as measures
        from triadic.measures.triangles import triangles

        weighted = self._weighted(graph)  # first, as it may be refused
        at_vertices, degree = triangles(graph, **self.keywords), graph.degree
        # Of tiles, the measure writes the coefficients to a file and reads the triangles that were counted above.
        in_memory = isinstance(graph, Graph)
        coefficients = (
            measures.local_clustering(at_vertices, degree) if in_memory else measures.clustering(graph, **self.keywords)
        )
        totals: dict[str, Any] = {
            "triangles": measures.count_of(at_vertices),
            "transitivity": measures.transitivity_of(at_vertices, degree),
            "average_clustering": measures.mean_clustering(coefficients),
        }
        if weighted:
            totals["average_weighted_clustering"] = {
                method: measures.mean_clustering(values) for method, values in weighted.items()
            }
        return Figures(totals, _columns(degree, at_vertices, coefficients, weighted))

    def measure_into_folder(self, graph: Any, folder: str) -> Figures:  # noqa: ANN401 - as above
        """Write the table of the vertices to a folder, and return the totals."""
        from triadic.measures.vertex_table import vertex_table

        sums = vertex_table(graph, ("degree", "triangles", "clustering"), output=folder, **self.keywords)
        vertices, wedges, triangles = (int(sums[name]) for name in ("vertices", "wedges", "triangles"))
        totals = {
            "triangles": triangles // 3,
            "transitivity": triangles / wedges if wedges else 0.0,
            "average_clustering": sums["clustering"] / vertices if vertices else math.nan,
        }
        return Figures(totals)

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures import clustering as measures
        from triadic.measures.batches import means_of_graphs
        from triadic.measures.triangles import triangle_count, triangles

        of_graphs: dict[str, Any] = {
            **triangle_count(batch, **self.keywords),
            **measures.transitivity(batch, **self.keywords),
            **measures.average_clustering(batch, **self.keywords),
        }
        weighted = self._weighted(batch)
        for method, values in weighted.items():
            of_graphs[f"average_{method.replace('-', '_')}"] = means_of_graphs(batch, values)
        if not self.by_vertex:
            return Figures(of_graphs)
        at_vertices, degree = triangles(batch, **self.keywords), batch.graph.degree
        coefficients = measures.local_clustering(at_vertices, degree)
        return Figures(of_graphs, _columns(degree, at_vertices, coefficients, weighted))

    def _weighted(self, graph: Any) -> "dict[str, Float64Array]":  # noqa: ANN401 - also a `GraphBatch`
        """Return the weighted coefficients by method: those that are defined for the weights, if any were named."""
        from triadic.graph.graph import Graph, weight_limits
        from triadic.measures.weighted_clustering import (
            Method,
            weighted_clustering,
            weighted_layout,
            without_directions,
        )
        from triadic.tiles.tiled_graph import TiledGraph

        if self.weights is None:
            return {}
        if isinstance(graph, TiledGraph):
            (least, _), _ = without_directions(weighted_layout(graph))
        else:
            directed, graph = graph.directed, graph.to_undirected(combine=self.combine)  # once for all methods
            of_all = graph if isinstance(graph, Graph) else graph.graph
            if directed:
                say_weights(of_all.origin.weights)
            least, _ = weight_limits(of_all)
        methods: tuple[Method, ...] = ("onnela",) if least < 0 else get_args(Method)
        return {method: weighted_clustering(graph, method=method, **self.keywords) for method in methods}

    def rows(self, result: Result) -> "list[Row]":
        """Return the printed rows of the figures."""
        totals, columns = result.figures.totals, result.figures.columns
        means = totals.get("average_weighted_clustering", {})
        return [
            ("triangles", f"{totals['triangles']:,}", _busiest_vertex(result)),
            ("transitivity", f"{totals['transitivity']:.6f}", "share of paths of two edges that close"),
            ("average clustering", f"{totals['average_clustering']:.6f}", "mean over vertices; 0 below degree 2"),
            *((name, f"{means[method]:.6f}", note) for method, (name, note) in _METHODS.items() if method in means),
            *(_rows_by_degree(columns["degree"], columns["clustering"]) if columns else []),
        ]


def _columns(
    degree: "AnyArray", triangles: "AnyArray", coefficients: "AnyArray", weighted: "Mapping[str, AnyArray]"
) -> "dict[str, AnyArray]":
    by_method = {f"clustering_{method.replace('-', '_')}": values for method, values in weighted.items()}
    return {"degree": degree, "triangles": triangles, "clustering": coefficients, **by_method}


def _busiest_vertex(result: Result) -> str:
    """Name the vertex with the most triangles."""
    if not result.figures.columns or not result.figures.totals["triangles"]:
        return ""
    triangles, labels = result.figures.columns["triangles"], result.graph.labels
    vertex = int(triangles.argmax())
    return f"most at {vertex if labels is None else labels[vertex]}: {triangles[vertex]:,}"


def _rows_by_degree(degree: "AnyArray", clustering: "AnyArray") -> "list[Row]":
    """Return the mean clustering of the vertices of degree 2 to 9, of degree 10 to 99, and so on."""
    highest = int(degree.max(initial=0))
    rows, low = [], 2
    while low <= highest:
        high = 10 ** len(str(low)) - 1
        in_range = (degree >= low) & (degree <= high)
        if in_range.any():
            label = f"  degree {low:,} to {high:,}" if high < highest else f"  degree {low:,} and up"
            note = plural(int(in_range.sum()), "vertex", "vertices")
            rows.append((label, f"{clustering[in_range].mean():.6f}", note))
        low = high + 1
    return rows
