"""Networks in files: where the words of a command line lead, how one or many are read, and where one can be written.

Of many graphs in one input there is a row for each graph or each vertex, which is written or printed.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.printing import (
    drawable,
    dropped_record,
    network_rows,
    print_note,
    print_remark,
    print_rows,
    print_table,
    print_text,
)
from triadic.core.formatting import plural
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from triadic.cli.printing import Row
    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray
    from triadic.core.formatting import CsvStyle
    from triadic.graph.batch import GraphBatch
    from triadic.graph.graph import Graph
    from triadic.graph.temporal import TemporalGraph

    Columns = Mapping[str, AnyArray]

_SHOWN_GRAPHS = 10
_NAMED_COLUMNS = 16
_SIZES = ("graph", "graph_label", "vertices", "edges")


class Url(str):
    """URL of tiles, for fsspec. As a `pathlib.Path` the URL would lose one of its slashes."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Last part of the URL, like `pathlib.Path.name`."""
        return self.rstrip("/").rpartition("/")[2]


def parse_location(text: str) -> Path | Url:
    """Return the path or the URL that an argument of the command line names.

    Examples
    --------
    >>> parse_location("s3://bucket/graph.tiles").name, parse_location("folder/graph.txt").name
    ('graph.tiles', 'graph.txt')
    """
    from triadic.tiles.stored_tiles import is_url

    return Url(text) if is_url(text) else Path(text)


def read_network(
    path: Path,
    *,
    columns: Sequence[str] | None = (),
    min_weight: float | None = None,
    max_weight: float | None = None,
    combine: str | None = None,
    threads: int | None = None,
    progress: bool,
    **reading: Any,  # noqa: ANN401 - keywords of different types
) -> tuple[Graph, dict[str, float]]:
    """Read a graph without the arcs outside a range of weights; print warnings on standard error.

    Columns of the edges and the vertices whose names are in `columns` are kept, or of None those that a file declares;
    further keywords are those of `triadic.read`. The range is that of arcs as the file gives them,
    before the weights of both ends of an undirected edge become one.

    Returns
    -------
    graph : Graph
    seconds : dict of str to float
        ``read``: from the file to arcs; ``prepare``: from the arcs to the graph.
    """
    from triadic.core.progress import reporting
    from triadic.graph.graph import Graph  # compiled code: loaded before the time is taken
    from triadic.io import read, read_arcs
    from triadic.io.stored_graphs import HEADER

    reading["columns"] = columns
    if min_weight is not None and max_weight is not None and min_weight > max_weight:
        raise ArgumentError(f"--min-weight {min_weight:g}: expected at most --max-weight {max_weight:g}")
    limits = None if min_weight is None and max_weight is None else (min_weight, max_weight)
    started = time.perf_counter()
    with reporting(progress, f"reading {path.name}"), printed_warnings():
        if (path / HEADER).is_file() and not (
            limits and reading["directed"] is False
        ):  # mapped into memory, not copied as arcs
            graph = read(path, threads=threads, **reading)
            read_at = time.perf_counter()
        else:
            arcs = read_arcs(path, threads=threads, **reading)
            read_at = time.perf_counter()
            if limits and not (arcs.directed or arcs.both_ends):
                arcs, limits = _within(arcs, limits, combine, threads), None
            graph = Graph.from_arcs(arcs, combine=combine, threads=threads)
    if limits:
        graph = _filtered(graph, limits)
    say_weights(graph.origin.weights)
    return graph, {"read": read_at - started, "prepare": time.perf_counter() - read_at}


def read_events(path: Path, **reading: Any) -> tuple[TemporalGraph, dict[str, float]]:  # noqa: ANN401 - as above
    """Read timed events as `triadic.read_temporal` does, print warnings, and return them with the seconds."""
    from triadic.io.temporal import read_temporal

    started = time.perf_counter()
    with printed_warnings():
        graph = read_temporal(path, **reading)
    return graph, {"read": time.perf_counter() - started}


@contextmanager
def printed_warnings() -> Iterator[None]:
    """Print the warnings of a reader on standard error when the block ends without an error."""
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always", UserWarning)
        yield
    # A file that is opened several times says the same each time.
    for remark in dict.fromkeys(str(remark.message) for remark in remarks if issubclass(remark.category, UserWarning)):
        print_remark(remark)


def reading_of(graph: Graph, *, directions: bool = True) -> str | None:
    """Return what a file was read as: its columns, and if it matters that the direction was assumed; None without."""
    assumed = directions and graph.directed and graph.origin.direction == "assumed"
    taken = [graph.origin.columns, "read as directed (assumed, as the file does not state it)" if assumed else None]
    return "; ".join(filter(None, taken)) or None


def titled(name: str, reading: str | None) -> str:
    """Return the title of a table: the name of a network, and what its file was read as."""
    if reading is None:
        return name
    return f"{name}: {reading if drawable('→') == '→' else reading.replace('→', '->')}"


def _filtered(graph: Graph, limits: tuple[float | None, float | None]) -> Graph:
    """Return a graph without the edges outside the limits of weights, and print their number on standard error."""
    kept = graph.filter(weights=limits)
    share, what = (1, "arcs") if graph.directed else (2, "edges")
    left_out, total = (graph.num_arcs - kept.num_arcs) // share, graph.num_arcs // share
    sys.stderr.write(f"triadic: left out {left_out:,} of {total:,} {what} by their weights\n")
    return kept


def _within(arcs: Arcs, limits: tuple[float | None, float | None], combine: str | None, threads: int | None) -> Arcs:
    """Return the loops, and the arcs of an undirected graph whose weights, repeats combined, are in a range."""
    import numpy as np

    from triadic.graph.graph import Graph

    given = Graph.from_arcs(replace(arcs, directed=True), combine=combine, threads=threads)
    source, target = _filtered(given, limits).edges()
    n = np.int64(arcs.vertices)
    loops = arcs.source == arcs.target
    inside = loops | np.isin(arcs.source * n + arcs.target, source * n + target)
    assert arcs.weights is not None  # noqa: S101 - for the type checker; `filter` has asked for them
    return replace(arcs, source=arcs.source[inside], target=arcs.target[inside], weights=arcs.weights[inside])


def say_weights(words: str | None) -> None:
    """Print on standard error what was done with weights, unless they were added, of which a warning tells."""
    if words is not None and not words.endswith("are added"):
        print_remark(words)


def check_target(path: Path) -> None:
    """Raise an error if a network cannot be written under this name; called before the work that the file is for."""
    from triadic.io.file_source import suffix_of
    from triadic.io.format import format_of_name, written_suffixes

    suffix = suffix_of(str(path))[0]
    known = format_of_name(str(path))
    if suffix and (known is None or known.write is None):
        accepted = " ".join(written_suffixes())
        raise ArgumentError(f"{path}: networks are not written as {suffix!r}; expected {accepted}")


def is_batch(path: Path | Url, many: Any) -> bool:  # noqa: ANN401 - options, with those of `ManyGraphs`
    """Return whether a command reads many graphs: if an option says so, or if the input is no single network."""
    if many.batch or many.graph is not None:
        return True
    if isinstance(path, Url):
        return False
    from triadic.io.batches import batch_kind

    return batch_kind(path) is not None


def read_many(path: Path, options: Any) -> GraphBatch:  # noqa: ANN401 - with those of `Reading` and `ManyGraphs`
    """Read a batch; print warnings on standard error."""
    from triadic.io.batches import read_batch

    keywords, weights = options.read_keywords(), options.weight_keywords()
    del keywords["num_vertices"]
    if words := options.words("num_vertices", "min_weight", "max_weight"):
        raise ArgumentError(f"{' '.join(words)}: expected one network, not many graphs; leave it out")
    with printed_warnings():
        batch = read_batch(
            path, graph=options.graph, weights=weights["weights"], combine=weights["combine"], **keywords
        )
    say_weights(batch.graph.origin.weights)
    return batch


def words_of_batch(path: Path, batch: GraphBatch, *, counts_directions: bool = True) -> str:
    """Return in words what a batch was read from, and that the direction was assumed if it is counted."""
    from triadic.io.batches import batch_kind, is_many_files

    kind = batch_kind(path) or ("a graph in each file" if is_many_files(path) else None)
    reading = reading_of(batch.graph, directions=counts_directions)
    return "; ".join(filter(None, [kind, reading])) or "a graph in each line"


def sizes_of(batch: GraphBatch) -> dict[str, AnyArray]:
    """Return the first columns of a table with a row for each graph: its name, its class and its size."""
    labels = batch.graph_labels
    classes = {"graph_label": labels} if labels is not None and labels.ndim == 1 else {}
    return {"graph": batch.names, **classes, "vertices": batch.sizes, "edges": batch.edges_of_graphs}


def write_batch(path: Path, batch: GraphBatch, of_graphs: Columns, of_vertices: Columns | None, csv: CsvStyle) -> None:
    """Write a row for each graph, or for each vertex if there are columns of vertices."""
    from triadic.io.edge_blocks import without_formulas
    from triadic.io.tables import write_rows, write_vertices

    if of_vertices is not None:
        union, graphs = batch.graph, batch.names[batch.graph_of_vertex]
        labels = batch.number_of_vertex if union.labels is None else union.labels
        write_vertices(path, union, of_vertices, labels=labels, graphs=graphs, csv=csv)
        return
    write_rows(path, {**of_graphs, "graph": without_formulas(batch.names, csv)}, csv)


def record_of_batch(batch: GraphBatch, rows: Columns) -> dict[str, Any]:
    """Return a batch and its rows as plain numbers and strings, for JSON."""
    columns = {name: column.tolist() for name, column in rows.items()}
    return {
        "batch": {
            "graphs": batch.num_graphs,
            "vertices": batch.num_vertices,
            "edges": batch.num_edges,
            "directed": batch.directed,
            **dropped_record(batch.graph.dropped),
        },
        "graphs": [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)],
    }


def print_batch(path: Path, batch: GraphBatch, rows: Columns, run: list[Row], *, counts_directions: bool) -> None:
    """Print the size of a batch, the rows of the run, and a table of the first graphs.

    Columns that are 0 for all graphs are left out.
    """
    summary = [
        ("graphs", f"{batch.num_graphs:,}", ""),
        *network_rows(batch.graph, "pairs of vertices joined either way" if batch.directed else ""),
        *run,
    ]
    print_rows(summary, title=titled(path.name, words_of_batch(path, batch, counts_directions=counts_directions)))
    zero = [name for name in rows if name not in _SIZES and rows[name].dtype.kind in "iO" and not rows[name].any()]
    cells = {name: rows[name][:_SHOWN_GRAPHS].tolist() for name in rows if name not in zero}
    shown = [map(str if name == "graph" else _shown, column) for name, column in cells.items()]
    print_text("")
    print_table(cells, zip(*shown, strict=True))
    if zero:
        names = ", ".join(zero) if len(zero) <= _NAMED_COLUMNS else f"{len(zero)} other columns"
        print_note(f"0 in every graph: {names}.")
    more = batch.num_graphs - _SHOWN_GRAPHS
    if more > 0:
        print_note(f"{plural(more, 'more graph')}: -o FILE writes a row for each graph, --json prints them.")


def _shown(value: Any) -> str:  # noqa: ANN401 - a number
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6f}"
    return f"{value:,}"
