"""Names of columns that usually tell the graph of each edge; a table with one may hold many networks."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from triadic.errors import ReadWarning
from triadic.io.columns import named_columns, numbered_columns, plain_name, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from triadic.io.columns import EdgeColumns
    from triadic.io.options import ReadOptions

GRAPH_NAMES = (
    *("graph", "graphid", "graphname", "graphindex", "graphindicator", "graphnumber", "graphno", "gid"),
    *("network", "networkid", "networkname", "batch", "batchid", "snapshot", "snapshotid"),
)
"""Plain names of the columns that usually name a graph."""


def columns_of_network(names: tuple[str, ...], options: ReadOptions, count: int = 0) -> EdgeColumns:
    """Choose the columns of a table that is read as one network; warn if another column usually names a graph.

    There is no warning if the options name both ends: then somebody has looked at the columns. Without names, the table
    has `count` columns.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> from triadic.io.options import ReadOptions
    >>> columns_of_network(("from", "to", "weight"), ReadOptions(weights=True))
    EdgeColumns(source=0, target=1, weight=2)
    """
    ends = options.source, options.target, options.weights
    if not names:
        return numbered_columns(count, *ends)
    columns = named_columns(names, *ends)
    read = [names[i] for i in (columns.source, columns.target, columns.weight) if i is not None]
    graph = graph_column(names, read, options)
    if graph is not None:
        warn_of_graphs(graph)
    return columns


def graph_column(names: Iterable[str], read: Collection[str], options: ReadOptions) -> str | None:
    """Return the first column that is not read and usually names a graph.

    None without such a column, if the options name both ends, or if the rows are events with times.

    Examples
    --------
    >>> from triadic.io.options import ReadOptions
    >>> graph_column(("graph_id", "source", "target"), ("source", "target"), ReadOptions())
    'graph_id'
    """
    if options.timed or (options.source is not None and options.target is not None):
        return None
    # A quote in a name tells that a header between commas was cut at a blank, which readers of text also try.
    others = (name for name in names if name not in read and '"' not in name)
    return next((name for name in others if plain_name(name) in GRAPH_NAMES), None)


def warn_of_graphs(column: str) -> None:
    """Warn that all rows are read as one network although a column may name the graph of each row."""
    problem = (
        f"all rows are read as one network, though the column {shown(column)} may name the graph of each row; "
        "read_batch (--batch) reads many graphs, and source= and target= (--source and --target) state that it is one"
    )
    warnings.warn(ReadWarning(problem), stacklevel=7)
