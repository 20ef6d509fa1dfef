"""``triadic census``: the triads of a network in a file."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from triadic.cli.commands import flag, option
from triadic.cli.printing import (
    Figures,
    Result,
    drawable,
    network_rows,
    print_note,
    print_table,
    print_text,
    share,
)
from triadic.cli.runner import Counting
from triadic.core.formatting import format_mean, format_z
from triadic.errors import ArgumentError
from triadic.plot.subgraph_shapes import DYADS

if TYPE_CHECKING:
    from triadic.cli.printing import Row
    from triadic.counts.count import Count
    from triadic.measures import census as results


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
    output: str | None = option(
        None,
        "FILE",
        "With --by-vertex, write the label and the 16 counts of every vertex to FILE: .csv, .parquet or .npy; or to "
        "several Parquet files in a folder, if FILE ends in / or is a URL. With --dask, the workers write the folder. "
        "Of many graphs, without --by-vertex, write a row for each graph: .csv or .parquet.",
        "-o",
        "--output",
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
        from triadic.measures.triads import census_of, triad_census, triads_of_vertices

        if not self.by_vertex:
            return _figures(triad_census(graph, labelled=self.labelled, **self.keywords))
        by_vertex = triads_of_vertices(graph, **self.keywords)
        return _figures(census_of(graph, by_vertex), _columns(by_vertex))

    def measure_into_folder(self, graph: Any, folder: str) -> Figures:  # noqa: ANN401 - as above
        """Write the table of the vertices to a folder, and return the totals."""
        from triadic.measures.registry import TRIAD_COLUMNS
        from triadic.measures.triads import census_of_sums
        from triadic.measures.vertex_table import vertex_table

        totals = vertex_table(graph, "triads", output=folder, **self.keywords)
        return _figures(census_of_sums(graph, [int(totals[name]) for name in TRIAD_COLUMNS]))

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures.triads import triad_census, triads_of_vertices

        of_graphs = triad_census(batch, labelled=self.labelled, **self.keywords)
        of_vertices = _columns(triads_of_vertices(batch, **self.keywords)) if self.by_vertex else {}
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


def _columns(by_vertex: Any) -> dict[str, Any]:  # noqa: ANN401 - an array, which is slow to import
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
    left, across, right = DYADS[name]
    return f" {_LEFT[left]}●{_RIGHT[right]}\n●{_ACROSS[across]}●"
