"""Counting many graphs, for every command that counts: which inputs are batches, and a row for each graph or vertex."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.network_files import Url, printed_warnings, reading_of, say_weights, shows_progress, titled
from triadic.cli.options import TiledCountOptions
from triadic.cli.table_output import refusal_without_output
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.table import Table

    from triadic.cli.counting import MeasureKeywords
    from triadic.cli.options import BatchOptions, CountOptions, ReadOptions
    from triadic.cli.printing import Row
    from triadic.core.array_types import AnyArray
    from triadic.core.formatting import CsvStyle
    from triadic.counts.count import Count
    from triadic.graph.batch import GraphBatch

    Columns = Mapping[str, AnyArray]

_SHOWN_GRAPHS = 10
_NAMED_COLUMNS = 16


@dataclass(frozen=True, slots=True, eq=False)
class BatchFigures:
    """Measures of many graphs.

    Attributes
    ----------
    of_graphs : mapping of str to array, shape (graphs,)
        Columns with a row for each graph.
    of_vertices : mapping of str to array, shape (vertices,)
        Columns with a row for each vertex; empty if they were not asked for.
    settings : mapping of str to object
        What the figures depend on besides the graphs, by name, such as a seed.
    printed : sequence of str, optional
        Columns of graphs in the printed table. By default all.
    """

    of_graphs: Columns
    of_vertices: Columns
    settings: Mapping[str, Any] = field(default_factory=dict)
    printed: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class BatchOutput:
    """What a command prints and writes of many graphs.

    Attributes
    ----------
    path : pathlib.Path or None
        File to write.
    by_vertex : bool
        Whether the file has a row for each vertex, and not a row for each graph.
    as_json : bool
        Whether to print JSON.
    csv : CsvStyle
    """

    path: Path | None
    by_vertex: bool
    as_json: bool
    csv: CsvStyle

    def check(self) -> None:
        """Raise an error if the file cannot be written."""
        from triadic.io.tables import SUFFIXES, check_table

        if self.path is not None:
            suffixes = SUFFIXES if self.by_vertex else (".csv", ".parquet")
            check_table(self.path, suffixes, self.csv)
        elif self.csv.given:
            raise refusal_without_output(self.csv)
        elif self.by_vertex:
            raise ArgumentError("--by-vertex: expected -o FILE as well, for the rows of the vertices")

    def write(self, batch: GraphBatch, of_graphs: Columns, of_vertices: Columns) -> None:
        """Write the rows of the vertices or of the graphs, if there is a file for them."""
        from triadic.io.edge_blocks import without_formulas
        from triadic.io.tables import write_rows, write_vertices

        if self.path is None:
            return
        if self.by_vertex:
            union, graphs = batch.graph, batch.names[batch.graph_of_vertex]
            labels = batch.number_of_vertex if union.labels is None else union.labels
            write_vertices(self.path, union, of_vertices, labels=labels, graphs=graphs, csv=self.csv)
            return
        names = without_formulas(batch.names) if self.csv.spreadsheet_safe else batch.names
        write_rows(self.path, {**of_graphs, "graph": batch.names if names is None else names}, self.csv)


def is_batch(path: Path | Url, many: BatchOptions) -> bool:
    """Return whether a command reads many graphs: if an option says so, or if the input is no single network."""
    if many.batch or many.graph is not None:
        return True
    if isinstance(path, Url):
        return False
    from triadic.io.batches import batch_kind

    return batch_kind(path) is not None


def read_many(path: Path, options: ReadOptions, many: BatchOptions) -> GraphBatch:
    """Read a batch; print warnings on standard error."""
    from triadic.io.batches import read_batch

    keywords: dict[str, Any] = {**options.read_keywords()}
    if keywords.pop("num_vertices") is not None:
        raise ArgumentError(
            f"--num-vertices {options.num_vertices}: expected one network, not many graphs; leave it out"
        )
    weights = options.weight_keywords()
    if options.has_weight_range:
        words = " ".join(options.words("min_weight", "max_weight"))
        raise ArgumentError(f"{words}: expected one network, not many graphs; leave it out")
    with printed_warnings():
        batch = read_batch(path, graph=many.graph, weights=weights["weights"], combine=weights["combine"], **keywords)
    say_weights(batch.graph.origin.weights)
    return batch


def words_of_batch(path: Path, batch: GraphBatch, *, counts_directions: bool = True) -> str:
    """Return in words what a batch was read from, and that the direction was assumed if it is counted."""
    from triadic.io.batches import batch_kind, is_many_files

    kind = batch_kind(path) or ("a graph in each file" if is_many_files(path) else None)
    reading = reading_of(batch.graph) if counts_directions else batch.graph.origin.columns
    return "; ".join(filter(None, [kind, reading])) or "a graph in each line"


def count_batch(
    path: Path | Url,
    measure: Callable[[GraphBatch, MeasureKeywords], BatchFigures],
    options: CountOptions,
    many: BatchOptions,
    *,
    count: Count[Any],
    output: BatchOutput,
    counts_directions: bool = False,
) -> None:
    """Read many graphs, count in them, and print or write a row for each graph; or write a row for each vertex.

    Parameters
    ----------
    path : pathlib.Path or Url
    measure : callable
        Computes the figures of a batch with the keywords of measures.
    options : CountOptions
    many : BatchOptions
    count : Count
        The count that the figures are computed from.
    output : BatchOutput
    counts_directions : bool, default False
        Whether the figures depend on directions. The title then says if they were assumed.
    """
    from triadic.cli.counting import check_machine, timed
    from triadic.cli.printing import print_json, seconds_row
    from triadic.cli.tiled_counting import refuse_tiles
    from triadic.io import batches  # noqa: F401 - loaded before the time is taken

    output.check()
    if isinstance(options, TiledCountOptions):
        refuse_tiles(path, "a batch of graphs", options)
    threads = check_machine(options, count=count)
    keywords: MeasureKeywords = {
        "threads": options.threads,
        "device": options.device,
        "progress": shows_progress(options.progress),
    }
    started = time.perf_counter()
    batch = read_many(Path(path), options, many)
    seconds = {"read": time.perf_counter() - started}
    figures, device, seconds["count"] = timed(batch, measure, keywords)
    sizes = _sizes(batch)
    rows = {**sizes, **figures.of_graphs}
    output.write(batch, rows, figures.of_vertices)
    if output.as_json:
        print_json(_record(batch, rows, figures.settings, seconds, device, threads))
    else:
        machine = ("threads", str(threads), f"on {device}")
        settings: list[Row] = [(name, f"{value}", "") for name, value in figures.settings.items()]
        printed = figures.of_graphs if figures.printed is None else figures.printed
        rows = {**sizes, **{name: figures.of_graphs[name] for name in printed}}
        words = words_of_batch(Path(path), batch, counts_directions=counts_directions)
        _print(titled(path.name, words), batch, rows, [*settings, machine, seconds_row(seconds)])


def _sizes(batch: GraphBatch) -> dict[str, AnyArray]:
    """Return the first columns of a table with a row for each graph: its name, its class and its size."""
    labels = batch.graph_labels
    classes = {"graph_label": labels} if labels is not None and labels.ndim == 1 else {}
    return {"graph": batch.names, **classes, "vertices": batch.sizes, "edges": batch.edges_of_graphs}


def _record(
    batch: GraphBatch,
    rows: Columns,
    settings: Mapping[str, Any],
    seconds: Mapping[str, float],
    device: str,
    threads: int,
) -> dict[str, Any]:
    """Return the batch and its rows as plain numbers and strings, for JSON, which has no NaN."""
    dropped = batch.graph.dropped
    columns = {name: [_plain(value) for value in column.tolist()] for name, column in rows.items()}
    return {
        "batch": {
            "graphs": batch.num_graphs,
            "vertices": batch.num_vertices,
            "edges": batch.num_edges,
            "directed": batch.directed,
            "loops_dropped": dropped.loops,
            "duplicates_dropped": dropped.duplicates,
            "reciprocal_merged": dropped.reciprocal_merged,
        },
        "graphs": [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)],
        **settings,
        "seconds": {step: round(time_of_step, 6) for step, time_of_step in seconds.items()},
        "device": device,
        "threads": threads,
    }


def _plain(value: Any) -> Any:  # noqa: ANN401 - a number or a string
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print(title: str, batch: GraphBatch, rows: Columns, run: list[Row]) -> None:
    """Print the size of a batch, the rows of the run, and a table of the first graphs."""
    from triadic.cli.printing import (
        dropped_rows,
        output_console,
        print_note,
        print_rows,
        print_table,
    )
    from triadic.core.formatting import plural

    summary = [
        ("graphs", f"{batch.num_graphs:,}", ""),
        ("vertices", f"{batch.num_vertices:,}", ""),
        ("edges", f"{batch.num_edges:,}", "pairs of vertices joined either way" if batch.directed else ""),
        *dropped_rows(batch.graph.dropped),
        *run,
    ]
    print_rows(summary, title=title)
    console = output_console()
    console.print()
    shown, zero = _table(rows, batch.num_graphs)
    print_table(console, shown)
    if zero:
        names = ", ".join(zero) if len(zero) <= _NAMED_COLUMNS else f"{len(zero)} other columns"
        print_note(console, f"0 in every graph: {names}.")
    more = batch.num_graphs - _SHOWN_GRAPHS
    if more > 0:
        print_note(console, f"{plural(more, 'more graph')}: -o FILE writes a row for each graph, --json prints them.")


def _table(rows: Columns, graphs: int) -> tuple[Table, list[str]]:
    """Return a table of the first graphs, and the names of the columns that are 0 for all graphs and are left out."""
    from rich.table import Table

    table, shown, zero = Table(box=None, pad_edge=False, header_style="dim"), [], []
    for name, column in rows.items():
        is_size = name in ("graph", "graph_label", "vertices", "edges")
        if not is_size and column.dtype.kind in "iO" and not column.any():
            zero.append(name)
            continue
        table.add_column(
            name, justify="left" if name == "graph" else "right", style="cyan" if name == "graph" else None
        )
        shown.append([_shown(value) if name != "graph" else str(value) for value in column[:_SHOWN_GRAPHS].tolist()])
    for i in range(min(graphs, _SHOWN_GRAPHS)):
        table.add_row(*(column[i] for column in shown))
    return table, zero


def _shown(value: Any) -> str:  # noqa: ANN401 - a number
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6f}"
    return f"{value:,}"
