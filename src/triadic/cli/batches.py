"""Many graphs in one input: which inputs are batches, how they are read, and a row for each graph or vertex."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from triadic.cli.network_files import Url, printed_warnings, reading_of, say_weights, titled
from triadic.cli.printing import dropped_record, network_rows, print_note, print_rows, print_table, print_text
from triadic.core.formatting import plural
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from triadic.cli.printing import Row
    from triadic.core.array_types import AnyArray
    from triadic.core.formatting import CsvStyle
    from triadic.graph.batch import GraphBatch

    Columns = Mapping[str, AnyArray]

_SHOWN_GRAPHS = 10
_NAMED_COLUMNS = 16
_SIZES = ("graph", "graph_label", "vertices", "edges")


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
    names = without_formulas(batch.names) if csv.spreadsheet_safe else batch.names
    write_rows(path, {**of_graphs, "graph": batch.names if names is None else names}, csv)


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
