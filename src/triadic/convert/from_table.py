"""Tables of edges, a row an edge, of pandas, polars, pyarrow or whatever else narwhals or Arrow reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import pyarrow as pa

from triadic.convert.edges import weight_name
from triadic.core.arcs import Arcs
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.io.arrow_columns import id_columns, weight_column
from triadic.io.identifiers import UnusableIdError, vertices_of_names, vertices_of_numbers

if TYPE_CHECKING:
    from triadic.io.options import ReadOptions


def make(given: Any, asked: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - a table of any library
    """Make a graph of a table with columns of integers or strings; directed unless asked otherwise, as from text.

    Raises
    ------
    ArgumentError
        Something else than a table; a column that is missing, has gaps, or holds something else.
    """
    weight = weight_name(asked)
    names = [asked.source, asked.target, *([] if weight is None else [weight])]
    table = _arrow(given, list(dict.fromkeys(names)))
    source, target = id_columns(table, (asked.source, asked.target), _refusal)
    weights = None if weight is None else weight_column(table, weight, _refusal)
    maker = vertices_of_numbers if source.type == pa.int64() else vertices_of_names
    try:
        found = maker(source, target, declared=asked.vertices, stated=None)
    except UnusableIdError as error:
        raise _refusal(str(error)) from None
    directed = asked.directed is not False
    arcs = Arcs(found.source, found.target, found.count, directed, weights, found.labels)
    return Graph.from_arcs(arcs, combine=combine)


def _arrow(given: Any, names: list[str]) -> pa.Table:  # noqa: ANN401 - a table of any library
    """Give some columns of a table as Arrow's."""
    try:
        frame = nw.from_native(given, eager_only=True)
    except TypeError:
        return _streamed(given, names)
    _check_columns(frame.columns, names)
    try:
        return frame.select(names).to_arrow()
    except pa.ArrowException as error:
        raise _refusal(" ".join("; ".join(map(str, reversed(error.args))).split())[:200]) from None


def _streamed(given: Any, names: list[str]) -> pa.Table:  # noqa: ANN401 - likewise
    if not hasattr(given, "__arrow_c_stream__"):
        kind = f"{type(given).__module__}.{type(given).__qualname__}"
        raise ArgumentError(f"graph: got {kind}; expected a table in memory (a lazy one takes .collect() first)")
    table = pa.table(given)
    _check_columns(table.column_names, names)
    return table.select(names)


def _check_columns(columns: list[str], names: list[str]) -> None:
    for name in names:
        if columns.count(name) != 1:
            there = "there is no" if name not in columns else "there is more than one"
            words = ", ".join(map(str, columns)) or "none"
            raise _refusal(
                f"{there} column {name!r}; the columns are {words}: name them with source=, target=, weights="
            )


def _refusal(problem: str) -> ArgumentError:
    return ArgumentError(f"table: {problem}")
