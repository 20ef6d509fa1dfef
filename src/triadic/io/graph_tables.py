"""Text and Parquet files of the edges of many graphs, in which a column names the graph of each edge."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from triadic.io.columns import ColumnsError, plain_name
from triadic.io.format import ReadOptions
from triadic.io.graph_columns import batch_columns, batch_of_rows
from triadic.io.graph_names import GRAPH_NAMES
from triadic.io.identifiers import array_of
from triadic.io.parquet_file import named_errors, stated_metadata
from triadic.io.reading import joined_rows
from triadic.io.text_blocks import TextBlocks
from triadic.io.text_layout import NUMBER_ID, Separator, first_row, read_layout

if TYPE_CHECKING:
    from triadic.graph.batch import GraphBatch
    from triadic.io.file_source import Source
    from triadic.io.text_comments import Comments
    from triadic.io.text_layout import Layout

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
