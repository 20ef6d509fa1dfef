"""Convert edge tables of pandas, polars, pyarrow, DuckDB and every other library that narwhals or Arrow supports."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np
import pyarrow as pa

from triadic.core.arcs import Arcs, Origin
from triadic.devices.select import warn
from triadic.errors import ArgumentError, ReadWarning, in_one_line
from triadic.graph.graph import Graph
from triadic.graph.makers import rules_of
from triadic.io.arrow_columns import id_columns, values_of, weight_column
from triadic.io.batches import batch_of_rows
from triadic.io.columns import ColumnsError, listed
from triadic.io.file_source import path_text
from triadic.io.format import ReadOptions
from triadic.io.graph_names import chosen_columns
from triadic.io.identifiers import to_array, vertices_of
from triadic.io.table_blocks import batches_of
from triadic.io.vertex_columns import VertexTable, aligned, read_vertices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.convert.graph_libraries import ConvertOptions
    from triadic.graph.batch import GraphBatch


def convert(graph: Any, options: ConvertOptions) -> Graph:  # noqa: ANN401 - a table of any library
    """Convert a table with two columns of integers or strings; the graph is directed unless ``directed=False``.

    Raises
    ------
    ArgumentError
        If the object is not a table in memory, or if a column is missing, has missing values or is of another type.
    """
    table, columns, kept, taken = _chosen(graph, options)
    source, target = id_columns(table, columns[:2], _refusal)
    ends, others = len(columns) - len(kept), {}
    weights = None if ends < 3 else to_array(weight_column(table, columns[2], _refusal), np.float64)
    for name, column in zip(kept, columns[ends:], strict=True):
        others[name[1:]] = values_of(pa.chunked_array(table[column]), name[1:], _refusal)
    ids = vertices_of(source, target, _refusal, declared=options.num_vertices)
    directed, decided = options.direction(None)
    origin = Origin(taken, decided, weight=columns[2] if ends > 2 else None)
    arcs = Arcs(ids.source, ids.target, ids.count, directed, weights, ids.labels, origin=origin, columns=others)
    return Graph.from_arcs(arcs, combine=options.combine)


def with_vertices(
    graph: Graph,
    table: Any,  # noqa: ANN401 - a path, a mapping, or a table of any library
    key: str | None,
    columns: Sequence[str] | None,
    dayfirst: bool | None,
) -> Graph:
    """Return a graph with columns of a table of its vertices; see `triadic.Graph.with_vertices`."""
    name = "table"
    if key is not None and not isinstance(key, str):
        raise ArgumentError(f"key={key!r}: expected the name of a column")
    if isinstance(table, (str, bytes, PathLike)):
        rows, name = read_vertices(table), path_text(table)
    elif isinstance(table, Mapping):
        rows = VertexTable(_of_mapping(table, graph, key), False, _refusal)
    else:
        if hasattr(table, "reset_index"):  # of pandas, whose index has the labels if it is named or no range
            table = table.to_frame() if hasattr(table, "to_frame") else table
            called = table.index.name
            if called is not None or not hasattr(table.index, "start"):
                table = table.rename_axis(called if key is not None and key == called else "label").reset_index()
        rows = VertexTable(_chosen(table, None, "table")[0], False, _refusal)
    found = aligned(graph, rows, key, ReadOptions(keep=columns).keep, dayfirst=dayfirst)
    remark = found.remark(graph)
    if remark is not None:
        warn(ReadWarning(f"{name}: {remark}"))
    return graph._with(vertex_columns=dict(graph.vertex_columns) | found.columns)  # noqa: SLF001 - for makers of graphs


def _of_mapping(columns: Mapping[str, Any], graph: Graph, key: str | None) -> pa.Table:
    """Return a mapping from names to arrays as a table; without labels they are in the order of the vertices."""
    try:
        table = pa.table({str(name): pa.array(values, from_pandas=True) for name, values in columns.items()})
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise _refusal(in_one_line(error)[:200]) from None
    if key is None and graph.labels is None and "label" not in columns:
        if len(table) != graph.num_vertices:
            raise _refusal(f"expected columns of {graph.num_vertices} values, one for each vertex, got {len(table)}")
        table = table.append_column("label", pa.array(range(len(table))))
    return table


def batch_of_table(
    table: Any,  # noqa: ANN401 - a table of any library
    graph: str | int | None,
    *,
    directed: bool | None,
    weights: str | bool,
    source: str | int | None,
    target: str | int | None,
    combine: str | None,
) -> GraphBatch:
    """Convert a table of the edges of many graphs, with the parameters of `GraphBatch.from_table`.

    Raises
    ------
    ArgumentError
        If the object is not a table in memory, if it has no rows, or if a column is missing, has missing values or is
        of another type.
    """
    found = True if graph is None else graph
    options = ReadOptions(directed=directed, weights=weights, source=source, target=target, graph=found)
    rules_of(combine, ())
    rows, (*ends, of_graphs), _, taken = _chosen(table, options, "table")
    return batch_of_rows(rows, [of_graphs, *ends], options, taken=taken, combine=combine, refuse=_refusal)


def _chosen(
    graph: Any,  # noqa: ANN401 - a table of any library
    options: ReadOptions | None,
    what: str = "graph",
) -> tuple[pa.Table, list[str], list[str], str]:
    """Return columns of a table as an Arrow table, and how they were chosen; without options all of them.

    Returns
    -------
    table : pyarrow.Table
    names : list of str
        Names of the columns of source, target and, if the options ask for them, weights, and of the further columns.
    kept : list of str
        Marked names of the further columns; see `chosen_columns`.
    taken : str
        The choice in words.
    """
    try:
        frame = nw.from_native(graph, eager_only=True)
    except TypeError:
        batches = batches_of(graph)
        if batches is None:
            kind = f"{type(graph).__module__}.{type(graph).__qualname__}"
            raise ArgumentError(
                f"{what}: got {kind}; expected a table in memory (a lazy one takes .collect() first)"
            ) from None
        names, kept, taken = _names(batches.schema.names, options)
        return batches.table(names), names, kept, taken
    names, kept, taken = _names(frame.columns, options)
    try:
        if all(isinstance(name, str) for name in names):
            return frame.select(list(dict.fromkeys(names))).to_arrow(), names, kept, taken
        # pandas has names of other types, such as the numbers of columns.
        texts = list(map(str, names))
        return pa.table([frame.get_column(name).to_arrow() for name in names], names=texts), texts, kept, taken
    except pa.ArrowException as error:
        problem = " ".join("; ".join(map(str, reversed(error.args))).split())[:200]
        raise _refusal(f"{problem}; expected ids of one type; table.astype(str) makes all of them strings") from None


def _names(columns: list[str], options: ReadOptions | None) -> tuple[list[str], list[str], str]:
    names, taken = tuple(map(str, columns)), ""
    indices = list(range(len(names)))
    others: tuple[tuple[str, int], ...] = ()
    if options is not None:
        try:
            chosen, others, taken = chosen_columns(names, len(names), options)
        except ColumnsError as error:
            raise _refusal(str(error)) from None
        indices = [*chosen.places, *(place for _, place in others)]
    for i in indices:
        if names.count(names[i]) > 1:
            raise _refusal(f"there is more than one column {names[i]!r}; the columns are {listed(names)}")
    return [columns[i] for i in indices], [name for name, _ in others], taken


def _refusal(problem: str) -> ArgumentError:
    return ArgumentError(f"table: {problem}")
