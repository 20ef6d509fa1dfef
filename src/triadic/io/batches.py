"""``read_batch``: from a path to many graphs.

Text, Parquet and tables in memory may hold the edges of many graphs; a column then names the graph of each edge.
"""

# ruff: noqa: PLC0415 - Arrow and kernels are slow to import, and this module is imported with triadic

from __future__ import annotations

import os
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs, Origin
from triadic.core.checked import type_name
from triadic.core.oriented import index_dtype
from triadic.errors import ArgumentError, ReadError
from triadic.io.blocks import BlockFiles, open_blocks
from triadic.io.file_source import Source, is_pattern, path_text, suffix_of
from triadic.io.format import FORMATS, ReadOptions
from triadic.io.graph6 import GRAPH6, has_several_lines, read_lines
from triadic.io.identifiers import encoded, ranks, to_array, vertices_of
from triadic.io.networks import find_files, open_to_read, reopenable
from triadic.io.reading import joined_rows, read
from triadic.io.stored_graphs import is_graph_folder
from triadic.io.text_layout import NUMBER_ID
from triadic.io.tu_dataset import data_set_files, read_data_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.batch import GraphBatch
    from triadic.io.format import Format

    Refusal = Callable[[str], Exception]


def read_batch(
    path: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    graph: str | int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    weights: bool | str | int | None = None,
    combine: str | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
) -> GraphBatch:
    r"""Read many graphs as a batch.

    Parameters
    ----------
    path : path-like, or list of path-like
        One of these:

        * A data set of TU Dortmund, such as MUTAG: a folder, or its ``.zip``, with the files ``DS_A.txt`` and
          ``DS_graph_indicator.txt``.
        * Any other folder, a pattern such as ``"graphs/*.gml"``, or a list of files: each file is a graph, in any
          format that `triadic.read` reads.
        * A file of graph6, sparse6 or digraph6, with a graph in each line.
        * A text (CSV, TSV) or a Parquet file with a row for each edge and a column that names the graph of the edge.
          Vertices of different graphs may have the same name.
    graph : str or int, optional
        Column of the names of the graphs in a text or a Parquet file: a name, or an index from 0. By default it is
        found by its name, such as ``graph_id``.
    directed : bool, optional
        Whether the edges have a direction. By default the files or their formats state it. Arcs of a data set of TU
        Dortmund are undirected edges if each has a reverse arc; other files that state no direction, such as CSV, are
        directed, as of `triadic.read`. `GraphBatch.from_arrays` makes undirected graphs by default.
    format : str, optional
        Name of the format of the file or files, a key of ``triadic.io.FORMATS``. By default it is found by the first
        bytes and the suffix of each file.
    weights : bool, str or int, optional
        Weights to read, as of `triadic.read`: True, or the name or index of a column or an attribute. Of a data set of
        TU Dortmund, a column of ``DS_edge_attributes.txt``. By default there are no weights.
    combine : {"sum", "max", "min", "mean", "first", "error"}, optional
        How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). By default repeats in
        one direction are added. Weights from both ends then count once if all edges have two equal ones, are an
        error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was done.
    source, target : str or int, optional
        Columns of the two ends of an edge, as of `triadic.read`. By default they are found by their names.
    header : bool, optional
        Whether the first row of a text holds the names of the columns. By default the first rows tell.
    bad_rows : {"error", "skip"}, default "error"
        Whether a row of a text that cannot be read is an error, or is left out, as in `triadic.read`.
    where : mapping from str to object, optional
        Rows to read, as in `triadic.read`; not of one Parquet file. By default all rows.

    Returns
    -------
    GraphBatch
        The graphs of a data set and of graph6 stand in the order of the file, those of a table in the order of their
        first rows, and the files of a folder in natural order (``g2`` before ``g10``). ``batch.names`` are the names in
        the column, or the names of the files, without their suffixes if they differ without them, and with bytes that
        are not UTF-8 as ``\\xe9``; other graphs are numbered from 0. ``batch.graph_labels`` are the classes in
        ``DS_graph_labels.txt``, if there is such a file.

    Raises
    ------
    MissingFileError
        A file does not exist, or no file matches the pattern.
    ReadError
        A file is damaged, empty or of another format, an edge joins two graphs, a graph of a data set has no vertex,
        or some graphs are directed and others are not. The message names the file, and the line if there is one.
    ArgumentError
        An argument has a value that cannot be used.
    OutOfMemoryError
        If the batch would not fit in memory.

    See Also
    --------
    GraphBatch.from_table : Make a batch of a table in memory.

    Notes
    -----
    Data sets of TU Dortmund, graph6 and tables are read without a loop over their edges; the 1,113 graphs of PROTEINS
    take some hundredths of a second. A folder of files takes a few milliseconds a file.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("days.csv").write_text("day,from,to\nMon,1,2\nMon,2,3\nMon,3,1\nTue,1,2\n")
    >>> batch = triadic.read_batch("days.csv", graph="day", directed=False)
    >>> batch, batch.names
    (GraphBatch(2 undirected graphs, 5 vertices, 4 edges, with labels), array(['Mon', 'Tue'], dtype=object))
    >>> triadic.triangle_count(batch)["triangles"]
    array([1, 0])
    """
    from triadic.graph.makers import rules_of

    options = ReadOptions(directed, None, weights, source, target, header, bad_rows=bad_rows, where=where)
    rules_of(combine, ())
    path = _checked(path)
    if is_many_files(path):
        one = path_text(path) if isinstance(path, (str, PathLike)) else ""
        files = data_set_files(one, alone=format is None) if one else None
        if graph is not None:
            several = "a list of paths" if isinstance(path, (list, tuple)) else one
            raise ArgumentError(f"graph={graph!r}: expected one CSV or Parquet file, got {several}")
        if files is None:
            if one:
                _refuse_other_kinds(one)
            return _read_files(path, format, options, combine)
        if options.names_columns or where or format is not None:
            raise ArgumentError(
                f"{files.path} is a data set of TU Dortmund: expected no format=, source=, target=, header= or where="
            )
        return read_data_set(files, options, combine)
    file, known = open_to_read(path, format, options)
    if known is GRAPH6:
        return _of_lines(file, graph, options)
    if known.name in ("text", "csv", "tsv", "parquet"):
        return _read_edges(file, known, replace(options, graph=True if graph is None else graph), combine)
    if known.name == "table":
        raise ArgumentError("path: got a table; expected a file, or triadic.GraphBatch.from_table for a table")
    raise file.error(f"is one graph of the format {known.name}; expected many, and triadic.read for one")


def _checked(path: Any) -> Any:  # noqa: ANN401 - as of `recognised`
    """Return the argument of `read_batch`, an opened file as a copy.

    Raises
    ------
    ArgumentError
        It is neither a path nor a file, nor a list of paths.
    """
    several = isinstance(path, (list, tuple))
    network = reopenable(path)
    if isinstance(path, (str, bytes, PathLike)) or (not several and network is not path):
        return network
    for place, each in enumerate(path if several else [path]):
        if several and isinstance(each, (str, bytes, PathLike)):
            continue
        name, expected = "path", "the path of a file or a folder, a pattern, a list of paths, or a binary file"
        if several:
            name, expected = f"path[{place}]", "the path of a file"
        if hasattr(each, "num_vertices") or hasattr(each, "nodes"):
            expected += "; triadic.GraphBatch.from_graphs makes a batch of graphs in memory"
        raise ArgumentError(f"{name}: got {type_name(each)}; expected {expected}")
    return path


def is_many_files(path: object) -> bool:
    """Return whether `read_batch` reads several files: those of a folder, a ``.zip``, a pattern or a list."""
    if isinstance(path, (list, tuple)):
        return True
    if not isinstance(path, (str, bytes, PathLike)):
        return False
    text = path_text(path)
    if not os.path.exists(text):  # noqa: PTH110 - pathlib raises errors for names that are too long
        return is_pattern(text)
    return Path(text).is_dir() or text.lower().endswith(".zip")


def batch_kind(path: str | PathLike[str]) -> str | None:
    """Return in words what a path is that holds many graphs and cannot be one network; None if it can be one.

    Parameters
    ----------
    path : path-like
        Folder or file.
    """
    text = path_text(path)
    if is_many_files(text) and data_set_files(text) is not None:
        return "data set of TU Dortmund"
    if suffix_of(text)[0] in GRAPH6.suffixes and Path(text).is_file() and has_several_lines(Source(text)):
        return "graph6, a graph in each line"
    return None


def _of_lines(file: Source, graph: str | int | None, options: ReadOptions) -> GraphBatch:
    """Return the batch of a file of graph6."""
    from triadic.graph.batch import GraphBatch

    if graph is not None:
        raise file.error(f"graph={graph!r}: files of the format graph6 have no columns to choose; leave it out")
    lines = read_lines(file, options)
    return GraphBatch._of_arcs(lines.arcs(options), lines.sizes, None, "sum")  # noqa: SLF001 - for makers of batches


def _refuse_other_kinds(path: str) -> None:
    """Raise a ReadError unless each file of a folder may be a graph."""
    if path.lower().endswith(".zip"):
        raise ReadError(path, "holds no file *_graph_indicator.txt; expected a data set of TU Dortmund")
    if is_graph_folder(Path(path)):
        empty = not any(Path(path).iterdir())
        problem = "is an empty folder; expected a file for each graph, or a data set"
        stored = "is one graph in triadic's own format; expected many, and triadic.read for one"
        raise ReadError(path, problem if empty else stored)


# What graphs of a batch have in common: without it, with it, and what to do where they differ.
_KINDS = {
    "directed": (
        "is undirected",
        "is directed",
        "expected one kind, or directed=False (--undirected) to drop directions",
    ),
    "is_weighted": ("has no weights", "has weights", "weights=False reads none"),
}


def _read_files(path: Any, format: str | None, options: ReadOptions, combine: str | None) -> GraphBatch:  # noqa: A002, ANN401 - as of `read_batch`
    """Return the batch of a folder, a pattern or a list, each of whose files is a graph."""
    from triadic.graph.batch import GraphBatch

    _, files = find_files(path, None, [suffix for known in FORMATS.values() for suffix in known.suffixes])
    for file in files:
        if suffix_of(file)[0] in GRAPH6.suffixes and batch_kind(file) is not None:
            several = len(read_lines(Source(file), options).sizes)
            raise ReadError(
                file,
                f"holds {several} graphs, expected one, as in each file of a folder, a pattern or a list; "
                f"triadic.read_batch({file!r}) reads all graphs of this file",
            )
    options_of_read = "directed", "weights", "source", "target", "header", "bad_rows", "where"
    given = {name: getattr(options, name) for name in options_of_read}
    graphs = [read(file, format=format, combine=combine, **given) for file in files]
    for name, (without, having, remedy) in _KINDS.items():
        kinds = [having if getattr(graph, name) else without for graph in graphs]
        for file, kind in zip(files, kinds, strict=True):
            if kind != kinds[0]:
                raise ReadError(file, f"{kind}, and {files[0]} {kinds[0]}; {remedy}")
    folder = os.path.commonpath([Path(file).absolute().parent for file in files])
    # Tables hold names that are UTF-8 only: other bytes become escape sequences.
    paths = [os.fsencode(os.path.relpath(file, folder)).decode("utf-8", "backslashreplace") for file in files]
    names = _without_suffixes(paths)
    return GraphBatch.from_graphs(graphs, names=np.array(names, object))


def _without_suffixes(files: list[str]) -> list[str]:
    """Return the names of files without the suffixes of formats and packings, if they are still different."""
    stems = []
    for file in files:
        suffix, packing = suffix_of(file)
        stem = os.path.splitext(file)[0] if packing is not None else file  # noqa: PTH122 - a text, not a path
        known = any(suffix in each.suffixes for each in FORMATS.values())
        stems.append(stem[: -len(suffix)] if known and suffix else stem)
    return stems if len(set(stems)) == len(stems) else files


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
    import pyarrow as pa

    from triadic.graph.batch import GraphBatch
    from triadic.io.arrow_columns import id_columns, weight_column

    if not len(table):
        raise refuse("the table has no rows, expected a row for each edge")
    graph, names = _graphs(table[columns[0]], columns[0], refuse)
    ends = id_columns(table, columns[1:3], refuse)
    weights = to_array(weight_column(table, columns[3], refuse), np.float64) if len(columns) > 3 else None
    numeric = ends[0].type == pa.int64()
    ids = vertices_of(*ends, refuse)
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
    import pyarrow as pa
    import pyarrow.compute as pc

    from triadic.io.arrow_columns import refuse_nulls, values_type

    refuse_nulls(column, name, refuse, what="name of a graph")
    kind = values_type(column.type)
    if pa.types.is_floating(kind) or pa.types.is_nested(kind):
        raise refuse(f"the column {name!r} holds {column.type}, expected integers or strings, the names of graphs")
    try:
        column = pc.cast(column, pa.int64() if pa.types.is_integer(kind) else pa.string())
    except pa.ArrowException:
        raise refuse(f"the column {name!r} holds {column.type} that cannot be names of graphs") from None
    found, codes = encoded(column)
    names = np.array(found.to_pylist(), np.int64 if pa.types.is_integer(kind) else object)
    return codes.astype(np.int64), names


def _read_edges(source: Source, known: Format, options: ReadOptions, combine: str | None) -> GraphBatch:
    """Return the batch of a text or a Parquet file; see `triadic.read_batch`."""
    if known.name == "parquet" and (options.header is not None or options.where or options.bad_rows != "error"):
        raise source.error("is Parquet of many graphs: expected no header=, where= or bad_rows=")
    network = BlockFiles(source, list(open_blocks(source, known, options)), options)
    rows, _ = joined_rows(network)
    if not len(rows):
        raise source.error("holds no rows, expected a row for each edge")
    if network.first.is_parsed:
        rows = rows.set_column(rows.column_names.index("graph"), "graph", _written_names(source, rows["graph"]))
    columns = [name for name in ("graph", "source", "target", "weight") if name in rows.column_names]
    stated, taken = network.first.directed, network.first.taken
    return batch_of_rows(rows, columns, options, stated=stated, taken=taken, combine=combine, refuse=source.error)


def _written_names(source: Source, column: Any) -> Any:  # noqa: ANN401 - columns of pyarrow
    """Return the names of the graphs of the rows of a text, as numbers if all of them are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = pc.utf8_trim_whitespace(pc.cast(column, pa.string()))
    names = cells.unique().to_pylist()
    if "" in names:
        raise source.error(f"row {pc.index(cells, '').as_py() + 1} has no value in the column of the graphs")
    return pc.cast(cells, pa.int64()) if all(NUMBER_ID.match(name) and len(name) < 19 for name in names) else cells
