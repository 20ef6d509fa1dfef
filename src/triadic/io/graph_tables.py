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
from triadic.io.arrow_columns import id_columns, values_type, weight_column
from triadic.io.columns import (
    ColumnsError,
    EdgeColumns,
    column_of,
    columns_taken,
    is_index,
    listed,
    named_columns,
    plain_name,
    shown,
)
from triadic.io.format import ReadOptions
from triadic.io.graph_names import GRAPH_NAMES
from triadic.io.identifiers import UnusableIdError, array_of, index_dtype, ranks, vertices_of_names, vertices_of_numbers
from triadic.io.parquet_file import named_errors, stated_metadata
from triadic.io.reading import joined_rows
from triadic.io.text_blocks import TextBlocks
from triadic.io.text_layout import NUMBER_ID, Separator, first_row, read_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.io.file_source import Source
    from triadic.io.text_comments import Comments
    from triadic.io.text_layout import Layout

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
        same = [i for i, name in enumerate(names) if name == wanted]
        same = same or [i for i, name in enumerate(names) if name.lower() == wanted.lower()]
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
    ends = id_columns(table, (columns[1], columns[2]), refuse)
    weights = weight_column(table, columns[3], refuse) if len(columns) > 3 else None
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
    if column.null_count:
        row = pc.index(pc.is_null(column), True).as_py()
        raise refuse(f"the column {name!r} has no value in row {row + 1}, expected the name of a graph")
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
_COLUMNS = ["graph", "source", "target", "weight"]


def read_parquet_batch(
    source: Source, graph: str | int | None, options: ReadOptions, combine: str | None
) -> GraphBatch:
    """Return the batch of a Parquet file; see `triadic.read_batch`."""
    if options.header is not None or options.where or options.bad_rows != "error":
        raise source.error("is Parquet of many graphs: expected no header=, where= or bad_rows=")
    with named_errors(source), pa.BufferReader(source.mapped()) as raw, pq.ParquetFile(raw) as file:
        names = tuple(file.schema_arrow.names)
        try:
            columns, place, taken = batch_columns(names, graph, options)
        except ColumnsError as error:
            raise source.error(str(error)) from None
        stated = stated_metadata(source, file.schema_arrow.metadata)[1]
        chosen = [names[i] for i in (place, columns.source, columns.target, columns.weight) if i is not None]
        twice = next((name for name in chosen if names.count(name) > 1), None)
        if twice is not None:
            raise source.error(f"there is more than one column {twice!r}, expected one")
        table = file.read(columns=chosen)
    return batch_of_rows(table, chosen, options, stated=stated, taken=taken, combine=combine, refuse=source.error)


def read_text_batch(
    source: Source, graph: str | int | None, options: ReadOptions, combine: str | None, *, prefer: Separator
) -> GraphBatch:
    """Return the batch of an edge list as text, whose separator is looked for with `prefer` first."""
    blocks, taken = _blocks(source, graph, options, prefer)
    rows, _ = joined_rows(source, [blocks], options)
    if not len(rows):
        raise source.error(_NO_ROWS)
    names = _names_of_graphs(source, rows["graph"], blocks.layout)
    table = rows.set_column(rows.column_names.index("graph"), "graph", names)
    columns = [name for name in _COLUMNS if name in table.column_names]
    return batch_of_rows(
        table, columns, options, stated=blocks.directed, taken=taken, combine=combine, refuse=source.error
    )


def _blocks(source: Source, graph: str | int | None, options: ReadOptions, prefer: Separator) -> tuple[TextBlocks, str]:
    """Return the rows of a text with the column of the graphs, and which columns are read, in words."""
    # The first two columns are taken for the ends, whatever they are, to find the separator and the header.
    columns = ReadOptions(source=0, target=1, header=False)
    comments, layouts = _rows_below(source, columns, prefer)
    if comments.bipartite:
        raise source.error("is a bipartite network of KONECT, which is one graph; triadic.read reads it")
    cells = first_row(source, layouts[0])
    header = options.header
    if header is None:
        lower = [cell.lower() for cell in cells]
        wanted = [name for name in (graph, options.source, options.target) if isinstance(name, str)]
        named = any(name.lower() in lower for name in wanted) or not {*map(plain_name, cells)}.isdisjoint(GRAPH_NAMES)
        columns = replace(columns, header=True if named else None)
        header = _rows_below(source, columns, prefer)[1][0].header
    names = cells if header else tuple(comments.names) if len(comments.names) == len(cells) else ()
    try:
        shown = names or tuple(map(str, range(len(cells))))
        chosen, place, taken = batch_columns(shown, graph, _of_cells(cells, names, graph, options))
    except ColumnsError as error:
        raise source.error(str(error)) from None
    ends = replace(options, weights=chosen.weight, source=chosen.source, target=chosen.target, header=header)
    blocks = TextBlocks(source, ends, prefer=prefer, changed_by=lambda layout: replace(layout, graph=place))
    where = f"header in line {blocks.layout.skip}" if header else "no header"
    return blocks, f"{taken}, {where}"


def _rows_below(source: Source, options: ReadOptions, prefer: Separator) -> tuple[Comments, list[Layout]]:
    """Return the comments and the likely layouts of a text; raise an error for a text without rows."""
    comments, layouts = read_layout(source, options, prefer=prefer)
    if not layouts:
        raise source.error(_NO_ROWS)
    return comments, layouts


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
    others = [i for i in range(len(cells)) if i != int(graph)]
    taken = [i for i in others if str(i) not in (str(options.source), str(options.target))]
    source = taken.pop(0) if options.source is None and taken else options.source
    target = taken.pop(0) if options.target is None and taken else options.target
    weights = taken.pop(0) if options.weights is True and taken else options.weights
    return replace(options, source=source, target=target, weights=weights)


def _names_of_graphs(source: Source, column: Any, layout: Layout) -> Any:  # noqa: ANN401 - columns of pyarrow
    """Return the column of the graphs, whose cells may be quoted and between blanks: int64 if all are numbers."""
    names: dict[str, int] = {}
    codes = []
    for chunk in column.chunks:
        try:
            cells = [cell.strip() for cell in chunk.dictionary.to_pylist()]
        except UnicodeDecodeError:
            raise source.error("the names of graphs hold bytes that are not UTF-8, expected text in UTF-8") from None
        if layout.quoted:
            cells = [cell[1:-1].replace('""', '"') if cell[:1] == cell[-1:] == '"' != cell else cell for cell in cells]
        code = np.array([names.setdefault(cell, len(names)) for cell in cells], dtype=np.int64)
        codes.append(code[array_of(chunk.indices)])
    number = np.concatenate(codes)
    if "" in names:
        raise source.error(f"row {int(np.argmax(number == names[''])) + 1} has no value in the column of the graphs")
    distinct = _texts(list(names))
    if all(map(NUMBER_ID.match, names)) and all(len(name) < 19 for name in names):
        distinct = distinct.cast(pa.int64())
    codes_of_rows = pa.Array.from_buffers(pa.int64(), len(number), [None, pa.py_buffer(number)])
    return pa.chunked_array([distinct.take(codes_of_rows)])


def _texts(texts: list[str]) -> pa.Array:
    """Return texts as an array of Arrow; `pyarrow.array` imports pandas, which takes longer than most files."""
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(texts), buffers).cast(pa.string())
