"""Convert edge tables of pandas, polars, pyarrow and every other library that narwhals or Arrow supports."""

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


def convert(graph: Any, options: ReadOptions, combine: str) -> Graph:  # noqa: ANN401 - a table of any library
    """Convert a table with two columns of integers or strings; the graph is directed unless ``directed=False``.

    Raises
    ------
    ArgumentError
        If the object is not a table in memory, or if a column is missing, has missing values or is of another type.
    """
    weight = weight_name(options)
    names = [options.source, options.target, *([] if weight is None else [weight])]
    table = _arrow(graph, list(dict.fromkeys(names)))
    source, target = id_columns(table, (options.source, options.target), _refusal)
    weights = None if weight is None else weight_column(table, weight, _refusal)
    number = vertices_of_numbers if source.type == pa.int64() else vertices_of_names
    try:
        ids = number(source, target, declared=options.vertices, stated=None)
    except UnusableIdError as error:
        raise _refusal(str(error)) from None
    directed = options.directed is not False
    arcs = Arcs(ids.source, ids.target, ids.count, directed, weights, ids.labels)
    return Graph.from_arcs(arcs, combine=combine)


def _arrow(graph: Any, names: list[str]) -> pa.Table:  # noqa: ANN401 - a table of any library
    """Return some columns of a table as an Arrow table."""
    try:
        frame = nw.from_native(graph, eager_only=True)
    except TypeError:
        return _from_stream(graph, names)
    _check_columns(frame.columns, names)
    try:
        return frame.select(names).to_arrow()
    except pa.ArrowException as error:
        problem = " ".join("; ".join(map(str, reversed(error.args))).split())[:200]
        raise _refusal(f"{problem}; expected ids of one type; table.astype(str) makes all of them strings") from None


def _from_stream(graph: Any, names: list[str]) -> pa.Table:  # noqa: ANN401 - a table of any library
    if not hasattr(graph, "__arrow_c_stream__"):
        kind = f"{type(graph).__module__}.{type(graph).__qualname__}"
        raise ArgumentError(f"graph: got {kind}; expected a table in memory (a lazy one takes .collect() first)")
    table = pa.table(graph)
    _check_columns(table.column_names, names)
    return table.select(names)


def _check_columns(columns: list[str], names: list[str]) -> None:
    for name in names:
        if columns.count(name) != 1:
            problem = "there is no" if name not in columns else "there is more than one"
            known = ", ".join(map(str, columns)) or "none"
            raise _refusal(
                f"{problem} column {name!r}; the columns are {known}: name them with source=, target=, weights="
            )


def _refusal(problem: str) -> ArgumentError:
    return ArgumentError(f"table: {problem}")
