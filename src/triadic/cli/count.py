"""``triadic count``: anything that triadic counts in a network in a file, by its name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triadic.cli.commands import argument, flag, option, output_file
from triadic.cli.options import COUNTED, NETWORK, OR_MANY_GRAPHS, Estimating, Tiling, Typed
from triadic.cli.printing import Figures, Result, print_table, print_text
from triadic.cli.runner import CountingByName
from triadic.errors import ArgumentError


class Count(CountingByName, Typed, without=[Tiling, Estimating, "by_vertex"]):
    """Count anything exactly by its name: in the whole network, at each vertex or at each edge.

    The well-known counts have commands of their own, which print more: clustering, census, graphlets and orbits.
    """

    examples = (
        "triadic count friends.txt.gz triangles",
        "triadic count friends.txt.gz transitivity,closure,graphlets --json",
        "triadic count followers.txt roles --by vertex -o roles.csv",
        "triadic count friends.txt.gz triangles,trussness --by edge -o edges.parquet",
        'triadic count followers.txt "A -> B; B -> C; A -> C" --by vertex -o roles.csv',
        'triadic count followers.txt "A -> B; B -> C; C -> A" --induced --list 10',
        'triadic count neurons.csv "A -> B; B -> C; A -> C" --attributes cells.csv --by type --types type',
    )
    spelled_of = "NAME"

    file: str = argument("FILE", NETWORK + OR_MANY_GRAPHS)
    of: str = argument(
        "NAME",
        f"What to count: a pattern in quotes, a name, or several names separated by commas: {', '.join(COUNTED)}.",
    )
    by: str | None = option(
        "vertex|edge|type", "Count at each vertex or at each edge, or a pattern by the types of its vertices."
    )
    size: int | None = option(
        "N", "Number of vertices of the largest graphlets or orbits, 4 by default; or of cliques."
    )
    labelled: bool = flag("Of triads, count the 64 labelled types of vertices u < v < w.")
    induced: bool = flag("Of a pattern, count subgraphs that have no other arcs.")
    listed: int | None = option("N", "Also print the first N subgraphs that match a pattern.", "--list")
    output: str | None = output_file(
        "Write the table of --by to FILE: .csv, .parquet or .npy. Of many graphs, write a row for "
        "each graph: .csv or .parquet.",
    )

    def check(self, *, many: bool) -> None:
        """Raise an ArgumentError if options do not go together."""
        if self.by not in (None, "vertex", "edge", "type"):
            raise ArgumentError(f"--by {self.by}: expected vertex, edge or type")
        if (self.by == "type") != (self.types is not None):
            raise ArgumentError("--by type: expected with --types, the column of the vertices that has their types")
        if many and (self.by or self.attributes) is not None:
            raise ArgumentError("--by, --attributes: expected one network, not many graphs")
        if self.listed is not None and (self.by is not None or many):
            raise ArgumentError(f"--list {self.listed}: expected one network, without --by")
        if self.output is not None and self.by is None and not many:
            raise ArgumentError(f"-o {self.output}: expected --by as well, which makes a table")
        if self.labelled and (self.by is not None or self.of != "triads"):
            raise ArgumentError("--labelled: expected the name triads, without --by")
        if (self.induced or self.listed is not None) and isinstance(self.names()[0], str):
            raise ArgumentError("--induced, --list: expected a pattern, such as 'A -> B; B -> C'")
        self.countables()

    def names(self) -> "list[Any]":
        """Return the names, or the pattern."""
        from triadic.measures.patterns.matches import is_pattern
        from triadic.measures.patterns.pattern import Pattern

        return [Pattern(self.of, induced=self.induced)] if is_pattern(self.of) else self.of.split(",")

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a `Graph`
        """Return the figures of a network."""
        from triadic.measures.count import count

        if self.by == "edge" and graph.directed and not self.counts_directions(directed=True):
            graph = graph.to_undirected(combine="first")
        names = self.names()
        found = count(
            graph := self.with_attributes(graph),
            names[0] if len(names) == 1 else names,
            by=self.by,  # type: ignore[arg-type] # checked
            types=self.types,
            size=self.size,
            labelled=self.labelled,
            **self.keywords,
        )
        if self.listed is not None:
            from triadic.measures.patterns.matches import list_matches

            matches = list_matches(graph, names[0], limit=self.listed).to_dict()
            return Figures({"counts": {self.of: found}, "matches": matches})
        if self.by is not None:
            return Figures({"columns": list(found)}, dict(found), (graph, found))
        return Figures({"counts": dict(found) if isinstance(found, Mapping) else {self.of: found}})

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        from triadic.measures.count import count

        return Figures(count(batch, self.names(), size=self.size, **self.keywords))

    def write(self, path: Path, result: Result) -> None:
        """Write the table."""
        from triadic.io.tables import write_edges, write_rows, write_vertices

        if self.by == "type":
            write_rows(path, result.figures.detail[1].to_dict(), csv=self.csv)
            return
        write = write_edges if self.by == "edge" else write_vertices
        write(path, result.figures.detail[0], result.figures.columns, csv=self.csv)

    def print_tables(self, result: Result) -> None:
        """Print the counts, or the first rows of the table."""
        from triadic.core.formatting import format_value

        print_text("")
        if self.by is None:
            counts = result.figures.totals["counts"]
            print_table(("name", "count"), [(f"{name}", format_value(value)) for name, value in counts.items()])
            if self.listed is not None:
                matches = result.figures.totals["matches"]
                print_table(tuple(matches), [tuple(map(str, row)) for row in zip(*matches.values(), strict=True)])
        elif self.output is None:
            print_text(str(result.figures.detail[1]))
