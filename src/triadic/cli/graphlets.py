"""``triadic graphlets``, ``orbits`` and ``compare``: the small connected subgraphs of networks in files."""

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from triadic.cli.commands import argument, flag, option, output_file
from triadic.cli.network_files import titled
from triadic.cli.options import NETWORK, OR_MANY_GRAPHS, Computation, Estimating, Json, Reading, Tiling
from triadic.cli.printing import (
    Figures,
    Result,
    print_json,
    print_note,
    print_rows,
    print_table,
    print_text,
    rounded,
    seconds_row,
    share,
)
from triadic.cli.runner import Counting
from triadic.core.checked import check_number
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray
    from triadic.counts.count import Count

_MOST_NAMES = 4  # of graphlets that only one of two networks has, in the table
_GRAPHLETS = {
    "vertex": ("●",),
    "edge": ("●───●",),
    "2-path": (" ╱●╲", "●   ●"),
    "triangle": (" ╱●╲", "●───●"),
    "3-path": ("●   ●", "│   │", "●───●"),
    "claw": ("  ●", "  │", "●─●─●"),
    "paw": ("●───●", "│ ╱", "●───●"),
    "4-cycle": ("●───●", "│   │", "●───●"),
    "diamond": ("●───●", "│ ╱ │", "●───●"),
    "4-clique": ("●───●", "│ ╳ │", "●───●"),
}


class Graphlets(Counting):
    """Count the connected subgraphs of up to four vertices exactly, by their shape.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """

    examples = (
        "triadic graphlets friends.txt.gz",
        "triadic graphlets friends.txt.gz -o vertices.csv",
        "triadic graphlets MUTAG -o graphs.csv",
        "triadic graphlets friends.txt.gz --estimate --error 5%",
    )
    estimated = ("graphlets",)
    inexact = ("size",)
    plan = "graphlets of three vertices"
    in_memory: ClassVar = {"size": 4}

    size: int = option(
        "3|4", "Count graphlets of up to four vertices, or only of three, which need only triangles.", default=4
    )
    output: str | None = output_file(
        "Write the label and the induced graphlets at every vertex to FILE: .csv, .parquet or .npy. Of many graphs, "
        "write a row for each graph: .csv or .parquet.",
    )

    def check(self, *, many: bool) -> None:  # noqa: ARG002 - the same of many graphs
        """Raise an ArgumentError if options do not go together."""
        check_number("--size ", self.size, 3, 4)

    def count(self, *, many: bool) -> "Count[Any]":  # noqa: ARG002 - the same count
        """Return the count that the figures are computed from."""
        from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
        from triadic.counts.triangles import TRIANGLES
        from triadic.measures.graphlets import transform  # noqa: F401 - compiled code

        return FOUR_VERTEX_COUNTS if self.size == 4 else TRIANGLES

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a graph, in memory or in tiles
        """Return the figures of a network."""
        from triadic.measures.graphlets.transform import graphlet_transform

        found = graphlet_transform(graph, size=self.size, **self.keywords)
        sums = {"raw": list(found.raw_sums), "net": list(found.net_sums)}
        return Figures({"graphlets": found.totals, **sums}, dict(zip(found.names, found.net.T, strict=True)), found.net)

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures.graphlets.transform import graphlet_transform

        found = graphlet_transform(batch, size=self.size, **self.keywords)
        of_graphs = {name: column for name, column in found.graph_totals.items() if name not in ("vertex", "edge")}
        return Figures(of_graphs, dict(zip(found.names, found.net.T, strict=True)) if self.by_vertex else {})

    def print_tables(self, result: Result) -> None:
        """Print the number of induced subgraphs of each shape."""
        totals, rows = result.figures.totals["graphlets"], []
        for name, part in shares(totals).items():
            rows += [(), (draw_graphlet(name), name, f"{totals[name]:,}", part)]
        print_text("")
        print_table(("", "name", "count", "share"), rows, name=1, vertical="middle")
        print_text("")
        print_note("Share: of all connected sets of three, or of four, vertices.")


class Orbits(Counting, without=[Tiling, Estimating]):
    """Count ORCA's orbits of every vertex exactly: its places in connected subgraphs of up to four or five vertices.

    With --edges, count the places of every edge in these subgraphs.

    Directions are ignored: two vertices are joined if an arc runs either way.
    """

    examples = (
        "triadic orbits friends.txt.gz --size 5",
        "triadic orbits friends.txt.gz --size 5 -o vertices.csv",
        "triadic orbits friends.txt.gz --edges --size 5 -o edges.parquet",
    )

    file: str = argument("FILE", NETWORK + OR_MANY_GRAPHS)
    size: int = option(
        "3|4|5",
        "Count the 4 orbits of up to three vertices, the 15 of up to four, or the 73 of up to five; of edges, 2, 12 "
        "or 68.",
        default=4,
    )
    edges: bool = flag("Count the orbits of every edge instead of every vertex.")
    output: str | None = output_file(
        "Write the label and the orbits of every vertex, or with --edges the labels of the two ends and the orbits of "
        "every edge, to FILE: .csv, .parquet or .npy. Of many graphs, write a row with the number of each graphlet "
        "for each graph: .csv or .parquet.",
    )

    def check(self, *, many: bool) -> None:
        """Raise an ArgumentError if options do not go together."""
        check_number("--size ", self.size, 3, 4, 5)
        if many and self.edges:
            raise ArgumentError("--edges: expected one network, not many graphs; triadic.graphlets takes many")

    def count(self, *, many: bool) -> "Count[Any]":  # noqa: ARG002 - the same count
        """Return the count that the figures are computed from."""
        from triadic.counts import graphlets as counts
        from triadic.measures.graphlets import orbits  # noqa: F401 - compiled code

        if self.edges:
            return counts.FIVE_VERTICES_AT_EDGES if self.size == 5 else counts.FOUR_VERTICES_AT_EDGES
        return counts.FIVE_VERTEX_COUNTS if self.size == 5 else counts.FOUR_VERTEX_COUNTS

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a `Graph`
        """Return the orbits; the network is their detail, or for edges its skeleton, if it is directed."""
        from triadic.core.exact import exact_column_sums
        from triadic.measures.graphlets import orbits

        if self.edges and graph.directed:
            graph = graph.to_undirected(combine="first")
        if self.output is not None:
            self._check_memory(graph)
        count = orbits.orbits_of_edges if self.edges else orbits.orbits_of_vertices
        found = count(graph, self.size, **self.keywords)
        totals = (orbits.totals_of_edge_orbits if self.edges else orbits.totals_of_orbits)(found)
        sums = {"edge_orbits" if self.edges else "orbits": exact_column_sums(found)}
        return Figures({"graphlets": totals, **sums}, _orbit_columns(found), (graph, found))

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures.graphlets.orbits import graphlets, orbits_of_vertices

        columns: dict[str, AnyArray] = {}
        if self.by_vertex:
            self._check_memory(batch)
            columns = _orbit_columns(orbits_of_vertices(batch, self.size, **self.keywords))
        of_graphs = dict(graphlets(batch, size=self.size, **self.keywords))
        of_graphs.pop("edge")  # a column of every batch
        return Figures(of_graphs, columns)

    def _check_memory(self, graph: Any) -> None:  # noqa: ANN401 - also a `GraphBatch`
        """Raise if the orbits and a part of their table do not fit in memory; the count checks what it needs itself."""
        from triadic.core.graphlets import EDGE_ORBITS_OF_SIZE, ORBITS_OF_SIZE
        from triadic.core.memory import check_memory
        from triadic.io.tables import bytes_to_write

        rows, of = (graph.num_edges, "edges") if self.edges else (graph.num_vertices, "vertices")
        orbits = (EDGE_ORBITS_OF_SIZE if self.edges else ORBITS_OF_SIZE)[self.size]
        needed = 8 * orbits * rows + bytes_to_write(rows, orbits)
        check_memory(needed, f"counting and writing {orbits} orbits of {rows:,} {of}", "use more memory, or --size 4")

    def write(self, path: Path, result: Result) -> None:
        """Write the table."""
        from triadic.io.tables import write_edges, write_vertices

        (write_edges if self.edges else write_vertices)(
            path, result.figures.detail[0], result.figures.columns, csv=self.csv
        )

    def print_tables(self, result: Result) -> None:
        """Print the number of induced subgraphs of each shape, with the orbits of its vertices."""
        from triadic.core.graphlets import EDGE_ORBITS_OF_GRAPHLETS, GRAPH_NAMES, ORBITS_OF_GRAPHLETS

        of, place = ("edge orbits", "an edge") if self.edges else ("orbits", "a vertex")
        orbits = dict(zip(GRAPH_NAMES, EDGE_ORBITS_OF_GRAPHLETS if self.edges else ORBITS_OF_GRAPHLETS, strict=True))
        rows = []
        for number, (name, total) in enumerate(result.figures.totals["graphlets"].items()):
            places = sorted(set(orbits[name]))
            span = "-".join(str(each) for each in places[:: max(1, len(places) - 1)])
            rows.append((f"G{number}", name, span, f"{total:,}"))
        print_text("")
        print_table(("", "name", of, "count"), rows, name=1)
        print_text("")
        print_note(f"Count: induced subgraphs in the whole network. Orbits: the places of {place} in the subgraph.")


def _orbit_columns(frequencies: "AnyArray") -> "dict[str, AnyArray]":
    return {f"orbit {number}": column for number, column in enumerate(frequencies.T)}


class Compare(Json, Reading, Computation):
    """Count the graphlets of two networks exactly, and print how far apart the networks are.

    The options apply to both files. Directions are ignored: two vertices are joined if an arc runs either way.
    """

    examples = ("triadic compare this-year.txt last-year.txt", "triadic compare this-year.txt last-year.txt --size 5")

    first: Path = argument("A", "File of a network, in any format that triadic reads.")
    second: Path = argument("B", "File of another network.")
    size: int = option("4|5", "Compare graphlets of up to four vertices, or of up to five.", default=4)

    def run(self) -> None:
        """Run the command."""
        from triadic.measures.graphlets.comparison import Mean, frequency_distance, mean_agreement, orbit_agreements
        from triadic.measures.graphlets.correlation import correlation_distance

        check_number("--size ", self.size, 4, 5)
        # The edges are not kept, so that the other network has room in memory.
        records, orbits = zip(*map(self._counted, (self.first, self.second)), strict=True)
        started = time.perf_counter()
        agreements = orbit_agreements(*orbits)
        a, b = (record["graphlets"] for record in records)
        distances = {
            "graphlet_correlation_distance": correlation_distance(*orbits, size=self.size),
            "graphlet_degree_agreement": {mean: mean_agreement(agreements, mean) for mean in get_args(Mean)},
            "graphlet_frequency_distance": frequency_distance(*orbits, size=self.size),
            "only_in_one": [name for name in a if name not in ("vertex", "edge") and bool(a[name]) != bool(b[name])],
        }
        seconds = {step: sum(record["seconds"][step] for record in records) for step in records[0]["seconds"]}
        seconds["compare"] = time.perf_counter() - started
        if not self.json:
            self._print(records, distances, seconds)
            return
        counted = [{key: record[key] for key in ("file", "graph", "graphlets")} for record in records]
        machine = {key: records[0][key] for key in ("device", "threads")}
        print_json({"networks": counted, **distances, "seconds": rounded(seconds), **machine})

    def _counted(self, path: Path) -> tuple[dict[str, Any], Any]:
        """Return the record of a network, with its file and the columns that it was read from, and its orbits."""
        from triadic.core.graphlets import ORBITS

        given = {**vars(self), "file": str(path)}
        found = Orbits(**given).counted() if self.size == 5 else Graphlets(**given).counted()
        orbits = found.figures.detail[1] if self.size == 5 else found.figures.detail[:, ORBITS]
        return {"file": str(path), "columns": found.graph.origin.columns, **found.as_record()}, orbits

    def _print(
        self, records: Sequence[Mapping[str, Any]], distances: Mapping[str, Any], seconds: Mapping[str, float]
    ) -> None:
        """Print the graphlets of two networks side by side, and the distances between the networks."""
        titles = [self.first.name, self.second.name]
        if titles[0] == titles[1]:
            titles = [str(self.first), str(self.second)]
        columns = []
        for record in records:
            graph, counts = record["graph"], record["graphlets"]
            parts = shares(counts)
            cells = {
                "vertices": graph["vertices"],
                "edges": graph["edges"],
                "dropped": graph["loops_dropped"] + graph["duplicates_dropped"],
                "merged": graph["reciprocal_merged"],
                **{name: counts[name] for name in parts},
            }
            columns.append({name: (f"{count:,}", parts.get(name, "")) for name, count in cells.items()})
        if not any(record["graph"]["reciprocal_merged"] for record in records):
            del columns[0]["merged"]
        rows = [(name, *cells, *columns[1][name]) for name, cells in columns[0].items()]
        print_table(("", titles[0], "", titles[1], ""), rows, header_style="bold")
        for title, record in zip(titles, records, strict=True):
            if record["columns"] is not None:
                print_note(titled(title, record["columns"]), style="bold")
        sizes = "three, or of four," if self.size == 4 else "three, of four, or of five"
        print_note(f"Shares: of all connected sets of {sizes} vertices.")
        directed = [record["graph"]["directed"] for record in records]
        if any(directed):
            whose = "both networks" if all(directed) else titles[directed.index(True)]
            print_note(f"The directions of {whose} are left out.")
        print_text("")
        frequencies, frequency = "0: the same frequencies", distances["graphlet_frequency_distance"]
        if math.isinf(frequency):
            names = distances["only_in_one"]
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            frequencies = f"in one network only: {', '.join(names[:_MOST_NAMES])}{more}"
        correlation, agreement = (distances[f"graphlet_{of}"] for of in ("correlation_distance", "degree_agreement"))
        known_as, first = "GCD-11" if self.size == 4 else "GCD-73", records[0]
        print_rows(
            [
                ("correlation distance", _figure(correlation), f"{known_as}; 0: the same correlations"),
                ("degree agreement", _figure(agreement["arithmetic"]), "arithmetic mean; 1: the same distributions"),
                ("", _figure(agreement["geometric"]), "geometric mean"),
                ("frequency distance", _figure(frequency), frequencies),
                ("threads", str(first["threads"]), f"on {first['device']}"),
                seconds_row(seconds),
            ],
            title="graphlets compared",
        )


def _figure(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return "infinite" if math.isinf(value) else f"{value:.6f}"


def shares(totals: Mapping[str, int]) -> dict[str, str]:
    """Return the share of each graphlet in the connected sets of as many vertices, as text."""
    from triadic.core.graphlets import GRAPH_NAMES, GRAPHS_OF_FIVE

    parts = {}
    for graphlets in (GRAPH_NAMES[1:3], GRAPH_NAMES[3:9], GRAPHS_OF_FIVE):
        counts = {name: totals[name] for name in graphlets if name in totals}
        parts.update({name: share(count, sum(counts.values())) for name, count in counts.items()})
    return parts


def draw_graphlet(name: str) -> str:
    """Draw a graphlet on at most three lines, five characters wide.

    Examples
    --------
    >>> print(draw_graphlet("diamond"))
    ●───●
    │ ╱ │
    ●───●
    """
    return "\n".join(_GRAPHLETS[name])
