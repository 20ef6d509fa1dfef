"""Names of columns that usually tell the graph of each edge; a table with one may hold many networks."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.columns import ColumnsError, column_of, named_columns, numbered_columns, plain_name, shown

if TYPE_CHECKING:
    from triadic.io.columns import EdgeColumns
    from triadic.io.format import ReadOptions

GRAPH_NAMES = (
    *("graph", "graphid", "graphname", "graphindex", "graphindicator", "graphnumber", "graphno", "gid"),
    *("network", "networkid", "networkname", "batch", "batchid", "snapshot", "snapshotid"),
)
"""Plain names of the columns that usually name a graph."""


def columns_of_network(names: tuple[str, ...], options: ReadOptions) -> EdgeColumns:
    """Choose the columns of a table that is read as one network; warn if another column usually names a graph.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> from triadic.io.format import ReadOptions
    >>> columns_of_network(("from", "to", "weight"), ReadOptions(weights=True))
    EdgeColumns(source=0, target=1, weight=2)
    """
    if not names:
        raise ColumnsError("it has no columns")
    columns, graphs = choose_columns(names, len(names), *options.columns, options.timed)
    if graphs is not None:
        warn_of_graphs(graphs)
    return columns


def kept_columns(names: tuple[str, ...], columns: EdgeColumns, options: ReadOptions) -> tuple[tuple[str, int], ...]:
    """Return the marked names and the indices of the further columns that the options ask for.

    ``+`` marks the name of a column to keep, and ``?`` that of one which tells the rows to read; ``graph`` is the one
    that names the graph of each row.

    Raises
    ------
    ColumnsError
        A column does not exist, or holds an end of the edges.

    Examples
    --------
    >>> from triadic.io.format import ReadOptions
    >>> names = ("from", "to", "since", "kind")
    >>> kept_columns(names, columns_of_network(names, ReadOptions()), ReadOptions(keep=("kind",)))
    (('+kind', 3),)
    """
    kept: dict[str, int] = {}
    for wanted in options.keep or ():
        if not names:
            raise ColumnsError(f"columns={[wanted]!r}: its columns have no names")
        place = column_of(names, wanted, "columns")
        if place in (columns.source, columns.target):
            raise ColumnsError(f"columns={[wanted]!r}: this column holds an end of the edges, expected another one")
        kept[f"+{names[place]}"] = place
    for wanted in options.where or ():
        kept[f"?{wanted}"] = column_of(names, wanted, "where")
    if options.graph is not None:
        kept["graph"] = options.graph
    return tuple(kept.items())


@lru_cache(maxsize=256, typed=True)
def choose_columns(
    names: tuple[str, ...],
    count: int,
    source: str | int | None,
    target: str | int | None,
    weights: bool | str | int | None,
    timed: bool,
) -> tuple[EdgeColumns, str | None]:
    """Choose the columns of a table, and find the first other column whose name usually tells the graph of each edge.

    There is no such column if the caller names both ends: then somebody has looked at the columns. Nor is there one if
    the rows are events with times, which may be in a column such as "snapshot". Without names, the table has `count`
    columns.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> choose_columns(("graph_id", "source", "target"), 3, None, None, None, False)
    (EdgeColumns(source=1, target=2, weight=None), 'graph_id')
    """
    if not names:
        return numbered_columns(count, source, target, weights), None
    columns = named_columns(names, source, target, weights)
    if timed or (source is not None and target is not None):
        return columns, None
    # A quote in a name tells that a header between commas was cut at a blank, which readers of text also try.
    read = columns.source, columns.target, columns.weight
    others = (name for i, name in enumerate(names) if i not in read and '"' not in name)
    return columns, next((name for name in others if plain_name(name) in GRAPH_NAMES), None)


def warn_of_graphs(column: str) -> None:
    """Warn that all rows are read as one network although a column may name the graph of each row."""
    warnings.warn(
        ReadWarning(
            f"all rows are read as one network, though the column {shown(column)} may name the graph of each row; "
            "read_batch (--batch) reads many graphs, and source= and target= (--source and --target) state "
            "that it is one"
        ),
        stacklevel=stack_level_of_caller(),
    )
