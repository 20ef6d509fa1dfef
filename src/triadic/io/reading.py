"""``read_arcs`` and ``read``: from a path to arcs, and to a graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.blocks import resolve_threads
from triadic.core.memory import named_memory_errors
from triadic.io.blocks import (
    IdCheck,
    direction_of,
    first_fault,
    gather,
    names_of,
    open_blocks,
    refuse_damaged,
    stated_list,
    stated_sizes,
)
from triadic.io.file_source import LESS_MEMORY
from triadic.io.format import ReadOptions
from triadic.io.identifiers import (
    UnusableIdError,
    Vertices,
    to_array,
    two_sets,
    vertices_of,
)
from triadic.io.networks import open_to_read
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.graph.graph import Graph
    from triadic.io.blocks import Blocks, Rows
    from triadic.io.file_source import NetworkInput, Source
    from triadic.io.format import Format

_ENDS = ("source", "target")


def read_arcs(
    path: NetworkInput,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    num_vertices: int | None = None,
    weights: bool | str | int | None = None,
    columns: Sequence[str] | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    dayfirst: bool | None = None,
    where: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> Arcs:
    r"""Read a network as raw arcs, with loops and repeats, in the order of its file or files.

    Parameters
    ----------
    path : path-like, list of path-like, binary file or table
        A file, which may be packed by gzip or Zstandard, or a folder in triadic's own format. A folder of edge lists or
        Parquet files, a pattern such as ``"edges/*.parquet"`` and a list of paths are read as one network. ``"-"`` is
        standard input. A table is a ``pyarrow.dataset.Dataset``, a ``polars.LazyFrame``, a relation of DuckDB, or a
        table or stream of Arrow, polars or pandas.
    directed : bool, optional
        Whether the edges have a direction. None takes the direction that the format or the header of the file states;
        a file that states none is directed.
    format : str, optional
        Name of the format, a key of ``triadic.io.FORMATS``. None chooses by the first bytes of the file and by the
        suffix of its name.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every id must be below it. None takes the number that the format declares, or else
        the ids that occur.
    weights : bool, str or int, optional
        None, the default, reads weights from triadic's own format only, and False reads none. A string is the name of a
        column, or of an attribute of GML, GraphML and GEXF; an integer is the index of a column from 0. True reads the
        values of Matrix Market, Pajek, METIS and ``.wsg``, the attribute ``weight`` (in GML also ``value``), and of a
        table the column with a usual name of weights, such as ``weight`` or ``count``; of columns without names, the
        third.
    columns : sequence of str, optional
        Names of further columns of the edges that are kept, as `Graph.columns`, and of attributes of the vertices, as
        `Graph.vertex_columns`. Numbers, booleans, texts and dates keep their types, and values may be missing. By
        default those that the file declares, as GraphML, GEXF, GML, Pajek, triadic's own format and Parquet that it has
        written do, and none of other tables.
    source, target : str or int, optional
        Columns of the two ends of an edge, if the file has columns: names, or indices from 0. By default they are found
        by their names, such as ``from_user`` and ``to_user``; columns without names are taken in their order.
    header : bool, optional
        Whether the first row of a text holds the names of the columns. By default the first rows tell; a text that
        does not tell is an error.
    bad_rows : {"error", "skip"}, default "error"
        Whether a row of a text that cannot be read is an error, or is left out; a warning then tells how many were, and
        what is wrong with the first one.
    dayfirst : bool, optional
        Whether dates such as 01.03.2024 in `columns` and `where` begin with the day. By default the dates of a column
        tell; if all of them may be read in both ways, they are an error.
    where : mapping from str to object, optional
        Rows to read, by the names of columns and their values, as `Graph.filter` takes them: a pair of limits, one
        value, or a list or a set of values, such as ``{"neuropil": {"AL_L"}, "syn_count": (5, None)}``. Rows are left
        out before repeats become one edge. By default all rows are read.
    threads : int, optional
        Number of threads that decode Parquet files and the files of a folder. By default every CPU that the process may
        use.

    Returns
    -------
    Arcs
        Arcs between the vertices 0 .. n - 1. If the ids of the file are not these numbers, they are the labels.

    Raises
    ------
    MissingFileError
        The file does not exist, or no file matches the pattern.
    ReadError
        The file is damaged or of another format, or its first rows do not tell which columns hold the ends; the
        message names the line if there is one.
    ArgumentError
        An argument has a value that cannot be used.

    Warns
    -----
    ReadWarning
        A part of the file is not read, such as the second network of a Pajek project.

    Notes
    -----
    Reading takes about as long as Arrow takes to parse the file into columns, and the memory of these columns and of
    the arcs. For Pajek, METIS and GML, the text is held as well. GraphML and GEXF are parsed element by element, in
    Python.

    The files of a folder, a pattern or a list are read as if they were concatenated, in natural order (``part-2``
    before ``part-10``) or in the order of the list. Files and folders whose names begin with ``.`` or ``_`` are
    ignored. All files must have the same format and columns, and must not state different directions. If they state
    different numbers of vertices, the largest counts.

    Standard input and a binary file are copied to a temporary file in the folder that the environment variable
    ``TMPDIR`` names.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("edges.txt").write_text("# Undirected graph\n10 20\n10 30\n")
    >>> from triadic.io import read_arcs
    >>> arcs = read_arcs("edges.txt")
    >>> arcs.source.tolist(), arcs.target.tolist(), arcs.labels.tolist(), arcs.directed
    ([0, 0], [1, 2], [10, 20, 30], False)
    """
    options = ReadOptions(
        directed, num_vertices, weights, source, target, header, threads, False, columns, bad_rows, dayfirst, where
    )
    file, known = open_to_read(path, format, options)
    with named_memory_errors(f"{file.name}: reading the network", LESS_MEMORY):
        return arcs_of(file, known, options)


def read(
    path: NetworkInput,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    num_vertices: int | None = None,
    weights: bool | str | int | None = None,
    combine: str | Mapping[str, str] | None = None,
    columns: Sequence[str] | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    dayfirst: bool | None = None,
    where: Mapping[str, Any] | None = None,
    threads: int | None = None,
) -> Graph:
    r"""Read a network as a graph.

    Parameters
    ----------
    path : path-like, list of path-like, binary file or table
        A file, which may be packed by gzip or Zstandard, or a folder in triadic's own format. A folder of edge lists or
        Parquet files, a pattern such as ``"edges/*.parquet"`` and a list of paths are read as one network. ``"-"`` is
        standard input. A table is a ``pyarrow.dataset.Dataset``, a ``polars.LazyFrame``, a relation of DuckDB, or a
        table or stream of Arrow, polars or pandas.
    directed : bool, optional
        Whether the edges have a direction. None takes the direction that the format or the header of the file states;
        a file that states none is directed.
    format : str, optional
        Name of the format, a key of ``triadic.io.FORMATS``. None chooses by the first bytes of the file and by the
        suffix of its name.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every id must be below it. None takes the number that the format declares, or else
        the ids that occur.
    weights : bool, str or int, optional
        None, the default, reads weights from triadic's own format only, and False reads none. A string is the name of a
        column, or of an attribute of GML, GraphML and GEXF; an integer is the index of a column from 0. True reads the
        values of Matrix Market, Pajek, METIS and ``.wsg``, the attribute ``weight`` (in GML also ``value``), and of a
        table the column with a usual name of weights, such as ``weight`` or ``count``; of columns without names, the
        third.
    combine : {"sum", "max", "min", "mean", "first", "error"}, optional
        How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). A mapping has a rule for
        each column; two values of an edge in a column without a rule are an error. By default repeats in one direction
        are added. Weights from both ends then count once if all edges have two equal ones, are an
        error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was done.
    columns : sequence of str, optional
        Names of further columns of the edges that are kept, as `Graph.columns`, and of attributes of the vertices, as
        `Graph.vertex_columns`. Numbers, booleans, texts and dates keep their types, and values may be missing. By
        default those that the file declares, as GraphML, GEXF, GML, Pajek, triadic's own format and Parquet that it has
        written do, and none of other tables.
    source, target : str or int, optional
        Columns of the two ends of an edge, if the file has columns: names, or indices from 0. By default they are found
        by their names, such as ``from_user`` and ``to_user``; columns without names are taken in their order.
    header : bool, optional
        Whether the first row of a text holds the names of the columns. By default the first rows tell; a text that
        does not tell is an error.
    bad_rows : {"error", "skip"}, default "error"
        Whether a row of a text that cannot be read is an error, or is left out; a warning then tells how many were, and
        what is wrong with the first one.
    dayfirst : bool, optional
        Whether dates such as 01.03.2024 in `columns` and `where` begin with the day. By default the dates of a column
        tell; if all of them may be read in both ways, they are an error.
    where : mapping from str to object, optional
        Rows to read, by the names of columns and their values, as `Graph.filter` takes them: a pair of limits, one
        value, or a list or a set of values, such as ``{"neuropil": {"AL_L"}, "syn_count": (5, None)}``. Rows are left
        out before repeats become one edge. By default all rows are read.
    threads : int, optional
        Number of threads that decode Parquet files and the files of a folder, and that build the graph. By default
        every CPU that the process may use.

    Returns
    -------
    Graph
        ``graph.dropped`` counts the loops and repeats that were dropped. A graph in triadic's own format is mapped into
        memory and not copied.

    Raises
    ------
    MissingFileError
        The file does not exist, or no file matches the pattern.
    ReadError
        The file is damaged or of another format, or its first rows do not tell which columns hold the ends; the
        message names the line if there is one.
    ArgumentError
        An argument has a value that cannot be used.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("edges.txt").write_text("a b\nb c\nc c\n")
    >>> graph = triadic.read("edges.txt", directed=False)
    >>> graph.num_vertices, graph.num_edges, graph.dropped.loops
    (3, 2, 1)
    """
    from triadic.graph.graph import Graph  # noqa: PLC0415 - its kernels take long to import

    options = ReadOptions(
        directed, num_vertices, weights, source, target, header, threads, False, columns, bad_rows, dayfirst, where
    )
    file, known = open_to_read(path, format, options)
    with named_memory_errors(f"{file.name}: reading the network", LESS_MEMORY):
        graph = None if known.read_graph is None else known.read_graph(file, options)
        return (
            Graph.from_arcs(arcs_of(file, known, options), combine=options.rules(combine), threads=threads)
            if graph is None
            else graph
        )


def arcs_of(file: Source, known: Format, options: ReadOptions) -> Arcs:
    """Return all arcs with the origin of their direction; a format that records none states one."""
    if known.read is not None:
        arcs = known.read(file, options)
    else:
        arcs = read_blocks(file, list(open_blocks(file, known, options, twice=False)), options)
    origin = arcs.origin
    if options.directed is None and origin.direction == "given":
        origin = replace(origin, direction="stated")
    if origin.weight is None and isinstance(options.weights, str):
        origin = replace(origin, weight=options.weights)
    columns = arcs.vertex_columns
    if columns and options.num_vertices is not None:  # further vertices have no values
        from triadic.io.arrow_columns import lengthened  # noqa: PLC0415 - Arrow takes long to import

        columns = {name: lengthened(values, arcs.vertices, name, file.error) for name, values in columns.items()}
    return replace(arcs, origin=origin, vertex_columns=columns)


def read_blocks(source: Source, files: Sequence[Blocks], options: ReadOptions) -> Arcs:
    """Read files as one network.

    Parameters
    ----------
    source : Source
        Names the network in errors.
    files : sequence of Blocks
    options : ReadOptions

    Returns
    -------
    Arcs
        One for each row, in the order of the files.

    Raises
    ------
    ReadError
    """
    rows, numeric = joined_rows(source, files, options)
    declared, sizes = options.num_vertices, stated_sizes(files)
    try:
        if any(file.bipartite for file in files):
            vertices = _of_two_sets(rows, sizes, declared)
        else:
            stated, listed = sizes[0] if sizes else None, stated_list(files)
            vertices = vertices_of(rows["source"], rows["target"], declared=declared, stated=stated, listed=listed)
    except UnusableIdError as error:
        raise first_fault(source, files, error, numeric=numeric, vertices=declared) from None
    weights = to_array(rows["weight"], np.float64) if "weight" in rows.column_names else None
    directed, origin = direction_of(files, options)
    columns = {}
    if others := [name for name in rows.column_names if name[0] == "+"]:
        from triadic.io.arrow_columns import values_of  # noqa: PLC0415 - Arrow takes long to import

        columns = {
            name[1:]: values_of(
                rows[name], name[1:], source.error, is_text=files[0].is_parsed, dayfirst=options.dayfirst
            )
            for name in others
        }
    return Arcs(
        vertices.source,
        vertices.target,
        vertices.count,
        directed,
        weights,
        vertices.labels,
        both_ends=files[0].both_ends,
        origin=origin,
        columns=columns,
        vertex_columns=files[0].vertex_columns if len(files) == 1 else {},
    )


def joined_rows(source: Source, files: Sequence[Blocks], options: ReadOptions) -> tuple[Rows, bool]:
    """Return the rows of all files, and whether their ids are numbers: names that are all integers are numbers, too.

    Raises
    ------
    ReadError
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for triadic's own format

    from triadic.io.arrow_columns import as_integers, no_rows, with_one_dictionary  # noqa: PLC0415 - as above

    tables: list[Rows] = []

    def begin(_: bool) -> Callable[[Rows], None]:
        tables.clear()
        return tables.append

    numeric = gather(files, begin, options, chunk_bytes=None, threads=resolve_threads(options.threads))
    if not tables:
        return no_rows(weights=options.wants_weights), True
    rows = pa.concat_tables(tables, promote_options="permissive")  # numbers of 32 and of 64 bits
    if numeric or not files[0].integer_names or not len(rows):
        return rows, numeric
    rows = with_one_dictionary(rows)
    check, names = IdCheck(), names_of(rows)[0]
    check.add(names)
    refuse_damaged(source, files, check)
    if not all(map(NUMBER_ID.match, names)):
        return rows, False
    try:
        return as_integers(rows), True
    except pa.ArrowInvalid as error:
        raise first_fault(source, files, error) from None


def _of_two_sets(rows: Rows, sizes: tuple[int, ...], declared: int | None) -> Vertices:
    left, right = (vertices_of(rows[end], rows[end]) for end in _ENDS)
    both = (left.count, left.labels), (right.count, right.labels)
    count, dtype, labels = two_sets(*both, declared=declared, stated=sum(sizes))
    target: AnyArray = np.add(right.target, left.count, dtype=dtype)
    return Vertices(left.source.astype(dtype, copy=False), target, count, labels)
