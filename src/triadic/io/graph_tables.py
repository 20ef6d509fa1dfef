"""Text and Parquet files of the edges of many graphs, in which a column names the graph of each edge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from triadic.core.arcs import Arcs, Origin
from triadic.graph.batch import GraphBatch
from triadic.io.arrow_columns import id_columns, refuse_nulls, values_type, weight_column
from triadic.io.blocks import open_blocks
from triadic.io.columns import (
    ColumnsError,
    EdgeColumns,
    column_of,
    columns_taken,
    is_index,
    listed,
    named_columns,
    places_of,
    plain_name,
    shown,
)
from triadic.io.format import ReadOptions
from triadic.io.graph_names import GRAPH_NAMES
from triadic.io.identifiers import (
    UnusableIdError,
    array_of,
    index_dtype,
    ranks,
    to_array,
    vertices_of_names,
    vertices_of_numbers,
)
from triadic.io.parquet_file import named_errors
from triadic.io.reading import joined_rows
from triadic.io.text_layout import NUMBER_ID, Separator, first_row, read_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.io.file_source import Source
    from triadic.io.format import Format

    Refusal = Callable[[str], Exception]


def batch_columns(
    names: tuple[str, ...], graph: str | int | None, options: ReadOptions
) -> tuple[EdgeColumns, int, str]:
    """Choose the columns of a table of the edges of many graphs, whose columns have names.

    Parameters
    ----------
    names : tuple of str
    graph : str, int or None
        Name or index of the column of the graphs; None finds it by its name.
    options : ReadOptions

    Returns
    -------
    columns : EdgeColumns
    graph : int
    taken : str
        The choice in words.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> from triadic.io.format import ReadOptions
    >>> batch_columns(("graph_id", "from", "to"), None, ReadOptions())
    (EdgeColumns(source=1, target=2, weight=None), 0, 'columns from → to, graphs graph_id')
    """
    place = _graph_column(names, graph)
    for role, wanted in (("source", options.source), ("target", options.target), ("weights", options.weights)):
        if wanted in (names[place], place) and not isinstance(wanted, bool):
            raise ColumnsError(f"{role}={wanted!r} is the column of the graphs, expected another one")
        if wanted == "":
            column_of(names, "", role)
    others = (*names[:place], "", *names[place + 1 :])  # a column without a name is no end of an edge
    try:
        columns = named_columns(others, options.source, options.target, options.weights)
    except ColumnsError as error:
        raise ColumnsError(str(error).replace(listed(others), listed(names))) from None
    if place in (columns.source, columns.target):
        raise ColumnsError(f"the columns are {listed(names)}: expected a graph and the two ends of an edge")
    return columns, place, f"{columns_taken(names, columns)}, graphs {shown(names[place])}"


def _graph_column(names: tuple[str, ...], wanted: str | int | None) -> int:
    if wanted is None:
        plain = list(map(plain_name, names))
        usual = [plain.index(name) for name in GRAPH_NAMES if name in plain]
        if len(usual) == 1:
            return usual[0]
        found = "none has a usual name of a graph, such as graph_id"
        if usual:
            found = f"{' and '.join(shown(names[i]) for i in usual[:2])} may both name the graphs"
        raise ColumnsError(f"the columns are {listed(names)}; {found}; pass graph= (--graph), the column of the graphs")
    if isinstance(wanted, str):
        same = places_of(names, wanted)
        if len(same) == 1:
            return same[0]
        if same or not is_index(wanted):
            count = f"there are {len(same)} columns" if same else "there is no column"
            raise ColumnsError(f"graph={wanted!r}: {count} of this name; the columns are {listed(names)}")
        wanted = int(wanted)
    if type(wanted) is not int or not 0 <= wanted < len(names):
        raise ColumnsError(
            f"graph={wanted!r}: expected the name of a column, or its index from 0 to {len(names) - 1}; the "
            f"columns are {listed(names)}"
        )
    return wanted


def batch_of_rows(
    table: pa.Table,
    columns: list[str],
    options: ReadOptions,
    *,
    stated: bool | None = None,
    taken: str,
    combine: str | None,
    refuse: Refusal,
) -> GraphBatch:
    """Return the batch of a table with a row for each edge.

    The vertices of a graph are numbered as if the rows of the graph were a table of their own: whole numbers in rising
    order, names in the order in which they appear.

    Parameters
    ----------
    table : pyarrow.Table
    columns : list of str
        Names of the columns of the graphs, the sources, the targets and, if weights are read, the weights.
    options : ReadOptions
    stated : bool or None
        Whether the table states that edges have a direction.
    taken : str
        The choice of columns in words.
    combine : str
        How to combine the weights of a repeated edge.
    refuse : callable
        Returns the error to raise for a problem in one line.
    """
    if not len(table):
        raise refuse("the table has no rows, expected a row for each edge")
    graph, names = _graphs(table[columns[0]], columns[0], refuse)
    ends = id_columns(table, columns[1:3], refuse)
    weights = to_array(weight_column(table, columns[3], refuse), np.float64) if len(columns) > 3 else None
    numeric = ends[0].type == pa.int64()
    try:
        ids = (vertices_of_numbers if numeric else vertices_of_names)(*ends, declared=None, stated=None)
    except UnusableIdError as error:
        raise refuse(str(error)) from None
    labels = np.arange(ids.count) if ids.labels is None else ids.labels
    ends_of_rows = np.stack([ids.source, ids.target], axis=1).astype(np.int64).ravel()
    keys, first, number = np.unique(
        np.repeat(graph, 2) * ids.count + ends_of_rows, return_index=True, return_inverse=True
    )
    of_vertex, label = np.divmod(keys, ids.count)
    if not numeric:
        order = np.lexsort((first, of_vertex))
        number, label = ranks(order, len(order), np.int64)[number], label[order]
    sizes = np.bincount(of_vertex, minlength=len(names))
    own: Any = labels[label]
    if numeric and np.array_equal(own, np.arange(len(own)) - np.repeat(np.cumsum(sizes) - sizes, sizes)):
        own = None  # each graph has the vertices 0 .. n - 1
    directed, decided = options.direction(stated)
    source, target = number.reshape(-1, 2).T.astype(index_dtype(len(keys)))
    arcs = Arcs(source, target, len(keys), directed, weights, own, origin=Origin(taken, decided))
    return GraphBatch._of_arcs(arcs, sizes, names, combine)  # noqa: SLF001 - for makers of batches


def _graphs(column: Any, name: str, refuse: Refusal) -> tuple[Int64Array, AnyArray]:  # noqa: ANN401 - of Arrow
    """Return the number of the graph of each row, in the order of appearance, and the names of the graphs."""
    refuse_nulls(column, name, refuse, what="name of a graph")
    kind = values_type(column.type)
    if pa.types.is_floating(kind) or pa.types.is_nested(kind):
        raise refuse(f"the column {name!r} holds {column.type}, expected integers or strings, the names of graphs")
    try:
        column = pc.cast(column, pa.int64() if pa.types.is_integer(kind) else pa.string())
    except pa.ArrowException:
        raise refuse(f"the column {name!r} holds {column.type} that cannot be names of graphs") from None
    codes = pa.chunked_array(column).combine_chunks().dictionary_encode()
    codes = codes.chunk(0) if isinstance(codes, pa.ChunkedArray) else codes
    found = codes.dictionary.to_pylist()
    names = np.array(found, dtype=np.int64 if pa.types.is_integer(kind) else object)
    return array_of(codes.indices).astype(np.int64), names


_NO_ROWS = "holds no rows, expected a row for each edge"
_COLUMNS = ("graph", "source", "target", "weight")


def read_edges_of_graphs(
    source: Source, known: Format, graph: str | int | None, options: ReadOptions, combine: str | None
) -> GraphBatch:
    """Return the batch of a text or a Parquet file; see `triadic.read_batch`."""
    choose = _parquet_columns if known.name == "parquet" else _text_columns
    try:
        ends, taken = choose(source, known, graph, options)
    except ColumnsError as error:
        raise source.error(str(error)) from None
    files = list(open_blocks(source, known, ends))
    rows, _ = joined_rows(source, files, ends)
    if not len(rows):
        raise source.error(_NO_ROWS)
    if files[0].is_parsed:
        rows = rows.set_column(rows.column_names.index("graph"), "graph", _written_names(source, rows["graph"]))
    columns = [name for name in _COLUMNS if name in rows.column_names]
    return batch_of_rows(
        rows, columns, options, stated=files[0].directed, taken=taken, combine=combine, refuse=source.error
    )


def _of_places(options: ReadOptions, columns: EdgeColumns, graph: int) -> ReadOptions:
    """Return options that choose columns by their indices."""
    return replace(options, source=columns.source, target=columns.target, weights=columns.weight, graph=graph)


def _parquet_columns(
    source: Source,
    known: Format,  # noqa: ARG001 - as of a text
    graph: str | int | None,
    options: ReadOptions,
) -> tuple[ReadOptions, str]:
    """Return options that choose the columns of a Parquet file, and the choice in words."""
    if options.header is not None or options.where or options.bad_rows != "error":
        raise source.error("is Parquet of many graphs: expected no header=, where= or bad_rows=")
    with named_errors(source), pa.BufferReader(source.mapped()) as raw:
        names = tuple(pq.read_schema(raw).names)
    columns, place, taken = batch_columns(names, graph, options)
    if names.count(names[place]) > 1:
        raise source.error(f"there is more than one column {names[place]!r}, expected one")
    return _of_places(options, columns, place), taken


def _text_columns(
    source: Source, known: Format, graph: str | int | None, options: ReadOptions
) -> tuple[ReadOptions, str]:
    """Return options that choose the columns and the header of a text, and the choice in words."""
    # The first two columns are taken for the ends, whatever they are, to find the separator and the header.
    ends = ReadOptions(source=0, target=1, header=False)
    prefer = Separator.COMMA if known.name == "csv" else Separator.TAB
    comments, layouts = read_layout(source, ends, prefer=prefer)
    if comments.bipartite:
        raise source.error("is a bipartite network of KONECT, which is one graph; triadic.read reads it")
    header, skip = options.header, layouts[0].skip + 1 if layouts else 0
    cells = first_row(source, layouts[0]) if layouts else ()
    if header is None and cells:
        lower = [cell.lower() for cell in cells]
        wanted = [name for name in (graph, options.source, options.target) if isinstance(name, str)]
        named = any(name.lower() in lower for name in wanted) or not {*map(plain_name, cells)}.isdisjoint(GRAPH_NAMES)
        _, layouts = read_layout(source, replace(ends, header=True if named else None), prefer=prefer)
        header = bool(layouts) and layouts[0].header
    if not layouts:
        raise source.error(_NO_ROWS)
    names = cells if header else tuple(comments.names) if len(comments.names) == len(cells) else ()
    columns, place, taken = batch_columns(
        names or tuple(map(str, range(len(cells)))), graph, _of_cells(cells, names, graph, options)
    )
    where = f"header in line {skip}" if header else "no header"
    return replace(_of_places(options, columns, place), header=header), f"{taken}, {where}"


def _of_cells(
    cells: tuple[str, ...], names: tuple[str, ...], graph: str | int | None, options: ReadOptions
) -> ReadOptions:
    """Return options that choose columns without names by their indices: the first two beside the graph are the ends.

    Raises
    ------
    ColumnsError
        The options do not tell the column of the graphs.
    """
    if names:
        return options
    if graph is None or not str(graph).isdecimal():
        raise ColumnsError(
            f"its columns have no names; pass graph= (--graph), the index of the column of the graphs, from 0 to "
            f"{len(cells) - 1}"
        )
    chosen = (str(graph), str(options.source), str(options.target))
    free = (i for i in range(len(cells)) if str(i) not in chosen)
    source = next(free, None) if options.source is None else options.source
    target = next(free, None) if options.target is None else options.target
    weights = next(free, True) if options.weights is True else options.weights
    return replace(options, source=source, target=target, weights=weights)


def _written_names(source: Source, column: Any) -> Any:  # noqa: ANN401 - columns of pyarrow
    """Return the names of the graphs of the rows of a text, as numbers if all of them are."""
    cells = pc.utf8_trim_whitespace(pc.cast(column, pa.string()))
    names = cells.unique().to_pylist()
    if "" in names:
        raise source.error(f"row {pc.index(cells, '').as_py() + 1} has no value in the column of the graphs")
    return pc.cast(cells, pa.int64()) if all(NUMBER_ID.match(name) and len(name) < 19 for name in names) else cells
