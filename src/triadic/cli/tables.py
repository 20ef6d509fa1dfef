"""Results as tables for people, on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from triadic.cli.analysis import Clustering
    from triadic.cli.counting import Counted
    from triadic.graph.graph import Graph

    Row = tuple[str, str, str]

# Wider than any table, so that none loses digits where the output is narrow or a file.
_WIDTH = 1000


def print_facts(facts: Mapping[str, object]) -> None:
    """Print names and values, one a line; of several values each on its own."""
    for name, value in facts.items():
        for i, one in enumerate(value if isinstance(value, list) else [value]):
            print(f"{'' if i else name:<14}{one}")  # noqa: T201 - no table: paths and devices are longer than a line


def print_analysis(title: str, analysis: Counted[Clustering]) -> None:
    """Print the figures of a network, each with what it means."""
    graph, found = analysis.graph, analysis.figures
    rows = [
        ("vertices", f"{graph.num_vertices:,}", ""),
        ("edges", f"{graph.num_edges:,}", "directions left out" if graph.directed else ""),
        *rows_about_dropped(graph),
        ("triangles", f"{found.triangle_count:,}", _busiest(graph, found)),
        ("transitivity", f"{found.transitivity:.6f}", "share of 2-edge paths that close"),
        ("average clustering", f"{found.average_clustering:.6f}", "mean over vertices; 0 below degree 2"),
        *_by_degree(found),
        *rows_about_run(analysis),
    ]
    print_rows(rows, title=title)


def rows_about_dropped(graph: Graph) -> list[Row]:
    """Say what was left out when the graph was made."""
    dropped = graph.dropped
    lost = {"loops": dropped.loops, "repeats": dropped.duplicates, "reversed": dropped.reciprocal_merged}
    return [("dropped", f"{sum(lost.values()):,}", ", ".join(f"{what} {n:,}" for what, n in lost.items() if n))]


def rows_about_run(counted: Counted[Any]) -> list[Row]:
    """Say what it took."""
    seconds = counted.seconds
    tiles = counted.tiles or {}
    workers = f", {_many(tiles['workers'], 'worker')}" if "workers" in tiles else ""
    return [
        *(
            [("tasks", f"{tiles['tasks']:,}", f"by tiles of {_many(tiles['ranges'], 'range')}{workers}")]
            if tiles
            else []
        ),
        ("threads", str(counted.threads), f"on {counted.device}"),
        ("seconds", f"{sum(seconds.values()):.3f}", ", ".join(f"{step} {time:.3f}" for step, time in seconds.items())),
    ]


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _busiest(graph: Graph, found: Clustering) -> str:
    """Name the vertex that is in the most triangles."""
    if not found.triangle_count:
        return ""
    vertex, labels = int(found.triangles.argmax()), graph.labels
    name = vertex if labels is None else labels[vertex]
    return f"most at {name}: {found.triangles[vertex]:,}"


def _by_degree(found: Clustering) -> list[Row]:
    """Give the mean clustering of the vertices of degree 2 to 9, of 10 to 99, and so on."""
    degree, clustering = found.degree, found.clustering
    highest = int(degree.max(initial=0))
    rows = []
    low = 2
    while low <= highest:
        high = 10 ** len(str(low)) - 1
        chosen = (degree >= low) & (degree <= high)
        count = int(chosen.sum())
        if count:
            label = f"  degree {low:,} to {high:,}" if high < highest else f"  degree {low:,} and up"
            note = f"{count:,} {'vertex' if count == 1 else 'vertices'}"
            rows.append((label, f"{clustering[chosen].mean():.6f}", note))
        low = high + 1
    return rows


def print_rows(rows: Iterable[tuple[str, ...]], *, title: str = "") -> None:
    """Print names, values and notes, one a line."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(justify="right" if title else "left", no_wrap=True)
    table.add_column(style="dim")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    if title:
        console.print(title, style="bold")
    print_table(console, table)


def wide_console() -> Console:
    """Give standard output for tables whose every digit counts, however narrow it is."""
    return Console(highlight=False, markup=False, width=_WIDTH)


def share(count: int, total: int) -> str:
    """Write a share in three digits, or in as many more as set it apart from 1; 0 of nothing.

    Examples
    --------
    >>> share(1, 3), share(9_999, 10_000), share(10**12 - 1, 10**12), share(0, 0)
    ('0.333', '0.9999', '> 0.999999', '0')
    """
    written = f"{count / total:.3g}" if count else "0"
    if written != "1" or count == total:
        return written
    written = f"{count / total:.6g}"
    return written if written != "1" else "> 0.999999"


def print_table(console: Console, table: Table) -> None:
    """Print a table; where people do not watch, without the blanks that fill up its last column."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")
