"""Tables of the edges of many graphs, in which a column names the graph of each edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from triadic.core.arcs import Arcs, Origin
from triadic.graph.batch import GraphBatch
from triadic.io.arrow_columns import id_columns, weight_column
from triadic.io.columns import ColumnsError, EdgeColumns, columns_taken, listed, named_columns, plain_name, shown
from triadic.io.graph_names import GRAPH_NAMES
from triadic.io.identifiers import UnusableIdError, array_of, index_dtype, vertices_of_names, vertices_of_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.io.format import ReadOptions

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
    others = (*names[:place], "", *names[place + 1 :])  # a column without a name is no end of an edge
    try:
        columns = named_columns(others, options.source, options.target, options.weights)
    except ColumnsError as error:
        raise ColumnsError(str(error).replace(listed(others), listed(names))) from None
    return columns, place, f"{columns_taken(names, columns)}, graphs {shown(names[place])}"


def _graph_column(names: tuple[str, ...], wanted: str | int | None) -> int:
    if wanted is None:
        plain = [plain_name(name) for name in names]
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
        if same or not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
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
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        number, label = rank[number], label[order]
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
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
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
