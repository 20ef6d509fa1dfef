"""``triadic clustering`` and ``triadic census``: triangles, clustering coefficients and triads of a network."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from triadic.cli.commands import flag, output_file
from triadic.cli.network_files import say_weights
from triadic.cli.printing import Figures, Result, drawable, network_rows, print_note, print_table, print_text, share
from triadic.cli.runner import Counting
from triadic.core.formatting import format_mean, format_z, plural
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.cli.printing import Row
    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.counts.count import Count
    from triadic.measures import census as results

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
    inexact = ("weights",)
    plan = "clustering"
    writes_folders = True
    weighted_tiles = True

    output: str | None = output_file(
        "Write label, degree, number of triangles and clustering coefficient of every vertex to FILE: .csv, .parquet "
        "or .npy; or to several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, the workers "
        "write the folder. Of many graphs, write a row for each graph: .csv or .parquet.",
    )

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
    degree: "AnyArray", triangles: "AnyArray", coefficients: "AnyArray", weighted: Mapping[str, "AnyArray"]
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


class Census(Counting):
    """Count the triads of each type exactly: in which way each three vertices are joined.

    Edges are read as arcs. In a network without directions every edge counts as arcs both ways.
    """

    examples = (
        "triadic census followers.txt",
        "triadic census followers.txt --by-vertex -o vertices.parquet",
        "triadic census followers.txt --by-vertex -o triads/",
        "triadic census snapshots --batch -o graphs.csv",
        "triadic census followers.txt --estimate --error 5%",
    )
    estimated = ("triads",)
    inexact = ("labelled",)
    plan = "triads"
    in_memory: ClassVar = {"labelled": True}
    writes_folders = True
    counts_arcs = True

    labelled: bool = flag("Count the 64 labelled types of vertices u < v < w instead of the 16 types of triads.")
    by_vertex: bool = flag("Also count the triads of each vertex, by type, and write them to -o.")
    output: str | None = output_file(
        "With --by-vertex, write the label and the 16 counts of every vertex to FILE: .csv, .parquet or .npy; or to "
        "several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, the workers write the folder. "
        "Of many graphs, without --by-vertex, write a row for each graph: .csv or .parquet.",
    )

    def check(self, *, many: bool) -> None:
        """Raise an ArgumentError if options do not go together."""
        if self.by_vertex and self.labelled:
            raise ArgumentError("--labelled: --by-vertex counts the 16 types only; leave out one of the two options")
        if self.by_vertex and self.output is None:
            raise ArgumentError("--by-vertex: expected -o FILE as well, for the counts of the vertices")
        if self.output is not None and not (self.by_vertex or many or self.estimate):
            raise ArgumentError(
                f"-o {self.output}: expected --by-vertex as well, because the file holds the counts of the vertices"
            )

    def planned(self) -> str | None:
        """Return the name of the count in plans; None for a count that tiles do not have."""
        return "triads by vertex" if self.by_vertex else super().planned()

    def count(self, *, many: bool) -> "Count[Any]":
        """Return the count that the figures are computed from."""
        from triadic.counts.triads import CENSUS_OF_VERTICES, CLOSED_TRIADS, LABELLED_CLOSED_TRIADS
        from triadic.measures import triads, vertex_table  # noqa: F401 - compiled code

        if self.labelled:
            return LABELLED_CLOSED_TRIADS
        return CENSUS_OF_VERTICES if many or self.by_vertex else CLOSED_TRIADS

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a graph, in memory or in tiles
        """Return the figures of a network."""
        from triadic.core.exact import exact_column_sums
        from triadic.measures.triads import census_of, triad_census, triads_of_vertices

        if not self.by_vertex:
            return _figures(triad_census(graph, labelled=self.labelled, **self.keywords))
        by_vertex = triads_of_vertices(graph, **self.keywords)
        return _figures(census_of(graph, exact_column_sums(by_vertex)), _triad_columns(by_vertex))

    def measure_into_folder(self, graph: Any, folder: str) -> Figures:  # noqa: ANN401 - as above
        """Write the table of the vertices to a folder, and return the totals."""
        from triadic.measures.registry import TRIAD_COLUMNS
        from triadic.measures.triads import census_of
        from triadic.measures.vertex_table import vertex_table

        totals = vertex_table(graph, "triads", output=folder, **self.keywords)
        return _figures(census_of(graph, [int(totals[name]) for name in TRIAD_COLUMNS]))

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures.triads import triad_census, triads_of_vertices

        of_graphs = triad_census(batch, labelled=self.labelled, **self.keywords)
        of_vertices = _triad_columns(triads_of_vertices(batch, **self.keywords)) if self.by_vertex else {}
        return Figures(of_graphs, of_vertices)

    def size_rows(self, graph: Any) -> "list[Row]":  # noqa: ANN401 - as above
        """Return the printed rows of the size of a network."""
        vertices, *others = network_rows(graph, "pairs of vertices joined either way")
        return [
            vertices,
            ("arcs", f"{graph.num_arcs:,}", "" if graph.directed else "every edge counts as two"),
            *others,
        ]

    def print_tables(self, result: Result) -> None:
        """Print each type of triad with its drawing, its count, and its mean count in random networks."""
        print_text("")
        if not self.labelled:
            _print_types(result.figures.detail, directed=result.graph.directed)
        else:
            _print_codes(result.figures.detail)


def _figures(census: "results.Census", columns: Mapping[str, Any] | None = None) -> Figures:
    """Return a census as figures; the 16 types have an expected count and a z."""
    from triadic.measures.census import TriadCensus

    totals: dict[str, Any] = {"census": census.to_dict()}
    if isinstance(census, TriadCensus):
        totals |= {"expected": census.expected(), "z": census.z_scores()}
    return Figures(totals, columns or {}, census)


def _triad_columns(by_vertex: Any) -> dict[str, Any]:  # noqa: ANN401 - an array, which is slow to import
    from triadic.core.triad_types import TRIAD_NAMES

    return dict(zip(TRIAD_NAMES, by_vertex.T, strict=True))


def _print_types(census: "results.TriadCensus", *, directed: bool) -> None:
    """Print the 16 types; without directions, those with asymmetric pairs are left out."""
    from triadic.core.triad_types import ASYMMETRIC

    total, expected, z = sum(census.values()), census.expected(), census.z_scores()
    rows = []
    for name, count in census.items():
        if directed or not ASYMMETRIC[name]:
            of_chance = format_mean(expected[name]), format_z(z[name])
            rows.append((draw_triad(name), name, f"{count:,}", share(count, total), *of_chance))
    print_table(("", "name", "count", "share", "expected", "z"), rows, name=1, vertical="bottom")
    if not directed:
        print_note("The 12 types with an asymmetric pair of vertices have count 0 without directions.")
    print_note(
        "A line without an arrowhead runs both ways. Expected: the mean over all networks with the same numbers\n"
        "of mutual, asymmetric and null pairs. z: standard deviations above that mean."
    )


def _print_codes(census: "results.Census") -> None:
    """Print the 64 labelled types."""
    from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states

    total, rows, drawn = sum(census.values()), [], drawable(DRAWN_DYADS)
    for code, count in census.items():
        dyads = (drawn[state] for state in states(int(code)))
        rows.append((code, *dyads, TRIAD_NAMES[TYPE_OF_CODE[int(code)]], f"{count:,}", share(count, total)))
    print_table(
        ("name", "u v", "u w", "v w", "type", "count", "share"),
        rows,
        words=["type"],
        justify={"name": "right", "u v": "center", "u w": "center", "v w": "center"},
    )
    print_note(f"Vertices u < v < w are numbered from 0 in the order of the network. {drawn[3]} runs both ways.")


# Characters for a dyad, by its state: the left and the right side of a triad, its lower side, and a dyad alone.
_LEFT, _RIGHT, _ACROSS = " ↗↙╱", " ↘↖╲", ("   ", "──→", "←──", "───")
DRAWN_DYADS = "·→←─"


def draw_triad(name: str) -> str:
    """Draw a type of triad on two lines, five characters wide.

    Examples
    --------
    >>> print(draw_triad("030T"))
     ↗●↘
    ●──→●
    """
    from triadic.plot.subgraph_shapes import DYADS

    left, across, right = DYADS[name]
    return f" {_LEFT[left]}●{_RIGHT[right]}\n●{_ACROSS[across]}●"
