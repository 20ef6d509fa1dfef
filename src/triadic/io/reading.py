"""``read``, ``read_arcs`` and ``stream_arcs``: from a path to a graph, to arcs, and to arcs that are never held whole.

``stream_arcs(path)`` returns an :class:`~triadic.io.arc_stream.ArcStream`. Its ``survey()`` reads the file once and
returns the number of vertices, their labels and their degrees; its ``pieces()`` then yields the arcs as vertices, as
often as it is called. Together they return exactly what :func:`triadic.io.read_arcs` returns.

A stream holds, besides a few pieces, some bytes for each vertex, the names where ids are names, and a table of the ids
where they are numbers with gaps.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.memory import check_memory, named_memory_errors
from triadic.errors import ArgumentError
from triadic.io.blocks import BlockFiles, IdCheck, names_of, open_blocks
from triadic.io.file_source import CHUNK_BYTES, LESS_MEMORY
from triadic.io.format import ReadOptions, later
from triadic.io.identifiers import (
    UnusableIdError,
    Vertices,
    number_of,
    numbers_of_names,
    to_array,
    two_sets,
    vertices_of,
)
from triadic.io.networks import open_to_read
from triadic.io.text_layout import NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.core.blocks import Progress
    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import ArcStream, StreamLimits
    from triadic.io.blocks import Rows
    from triadic.io.file_source import NetworkInput, Source
    from triadic.io.format import Format

    Take = Callable[[AnyArray, AnyArray], None]

_MOST_PIECE_ARCS = 1 << 40
# The text, its words or numbers, and the arcs are in memory at the same time.
_WHOLE_PER_BYTE = 6


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
        arcs = read_blocks(BlockFiles(file, list(open_blocks(file, known, options, twice=False)), options))
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


def read_blocks(network: BlockFiles) -> Arcs:
    """Read files as one network.

    Returns
    -------
    Arcs
        One for each row, in the order of the files.

    Raises
    ------
    ReadError
    """
    rows, numeric = joined_rows(network)
    options, first, sizes = network.options, network.first, network.sizes
    declared = options.num_vertices
    try:
        if network.bipartite:
            left, right = (vertices_of(rows[end], rows[end]) for end in ("source", "target"))
            both = (left.count, left.labels), (right.count, right.labels)
            count, dtype, labels = two_sets(*both, declared=declared, stated=sum(sizes))
            target: AnyArray = np.add(right.target, left.count, dtype=dtype)
            vertices = Vertices(left.source.astype(dtype, copy=False), target, count, labels)
        else:
            stated, listed = sizes[0] if sizes else None, network.listed
            vertices = vertices_of(rows["source"], rows["target"], declared=declared, stated=stated, listed=listed)
    except UnusableIdError as error:
        raise network.first_fault(error, numeric=numeric, vertices=declared) from None
    weights = to_array(rows["weight"], np.float64) if "weight" in rows.column_names else None
    directed, origin = network.direction()
    values = later(
        "arrow_columns",
        "values_of",
        refuse=network.source.error,
        is_text=first.is_parsed,
        dayfirst=options.dayfirst,
    )
    columns = {name[1:]: values(rows[name], name[1:]) for name in rows.column_names if name[0] == "+"}
    return Arcs(
        vertices.source,
        vertices.target,
        vertices.count,
        directed,
        weights,
        vertices.labels,
        both_ends=first.both_ends,
        origin=origin,
        columns=columns,
        vertex_columns=first.vertex_columns if len(network.files) == 1 else {},
    )


def joined_rows(network: BlockFiles) -> tuple[Rows, bool]:
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

    options = network.options
    numeric = network.gather(begin)
    if not tables:
        return no_rows(weights=options.wants_weights), True
    rows = pa.concat_tables(tables, promote_options="permissive")  # numbers of 32 and of 64 bits
    if numeric or not network.first.is_parsed or not len(rows):
        return rows, numeric
    rows = with_one_dictionary(rows)
    check, names = IdCheck(), names_of(rows)[0]
    check.add(names)
    network.refuse_damaged(check)
    if not all(map(NUMBER_ID.match, names)):
        return rows, False
    try:
        return as_integers(rows), True
    except pa.ArrowInvalid as error:
        raise network.first_fault(error) from None


def stream_arcs(
    network: NetworkInput,
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.io.read_arcs
    num_vertices: int | None = None,
    weights: bool | str | int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
    piece_arcs: int = 1 << 20,
    keep: int = 0,
    threads: int | None = None,
) -> ArcStream:
    r"""Open a network as a stream of arcs.

    Parameters
    ----------
    network : path-like, list of path-like, binary file or table
        What :func:`triadic.io.read_arcs` reads.
    directed : bool, optional
        None takes the direction that the format or the header of the file states, and True where neither does.
    format : str, optional
        A key of ``triadic.io.FORMATS``; None chooses by the first bytes and the suffix.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every id has to be below it.
    weights : bool, str or int, optional
        Which weights to read, as in :func:`triadic.read`; None and False read none.
    source, target : str or int, optional
        Names or indices of the columns of the two ends, as in :func:`triadic.read`.
    header : bool, optional
        Whether the first row of a text holds the names of the columns, as in :func:`triadic.read`.
    bad_rows : {"error", "skip"}, default "error"
    where : mapping, optional
        What becomes of rows that cannot be read, and which rows are read, as in :func:`triadic.read`.
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    keep : int, default 0
        Bytes: if the decoded columns of text or METIS files are not larger, they are kept for the second pass.
    threads : int, optional
        Threads that parse or decode; by default as many as the process may use.

    Returns
    -------
    ArcStream

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file is damaged or of another format; most damage is found by ``survey`` only.
    ArgumentError
        An argument has a value that cannot be used.
    OutOfMemoryError
        The format is read whole, and the file does not fit in memory.

    Notes
    -----
    Text, Parquet, METIS, ``.sg`` and triadic's own format are read in pieces. Files of other formats are read whole
    when the stream is opened.

    An Arrow dataset, a polars LazyFrame and a DuckDB relation are read in batches. A query is executed three times, to
    count its rows and for the two passes; its rows must be the same each time, which a digest checks. A LazyFrame of
    polars before 1.34 and a stream that can be read only once, such as a ``pyarrow.RecordBatchReader``, are copied to a
    temporary Parquet file with the two columns first.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("edges.txt").write_text("a b\nb c\nc c\n")
    >>> stream = stream_arcs("edges.txt", piece_arcs=2)
    >>> survey = stream.survey()
    >>> survey.vertices, survey.arcs, survey.degree.tolist()
    (3, 3, [1, 2, 3])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 1], [1, 2]), ([2], [2])]
    """
    from triadic.io.arc_stream import StreamLimits, stream_of_arcs  # noqa: PLC0415 - its kernels take long to import

    weights = False if weights is None else weights
    options = ReadOptions(
        directed, num_vertices, weights, source, target, header, threads, bad_rows=bad_rows, where=where
    )
    if type(piece_arcs) is not int or not 1 <= piece_arcs <= _MOST_PIECE_ARCS:
        raise ArgumentError(f"piece_arcs={piece_arcs!r}: expected a whole number from 1 to 2**40")
    limits = StreamLimits(piece_arcs, keep)
    file, known = open_to_read(network, format, options)
    work = f"{file.name}: reading the network"
    with named_memory_errors(work, LESS_MEMORY):
        stream = opened_stream(file, known, options, limits)
        if stream is None:
            whole = f"reading {file.name}, whose format ({known.name}) is read whole,"
            check_memory(_WHOLE_PER_BYTE * file.unpacked_bytes, whole, LESS_MEMORY)
            arcs = arcs_of(file, known, options)
            if arcs.weights is None and options.wants_weights:
                raise file.error(f"weights={options.weights!r}: the file has no weights")
            stream = stream_of_arcs(arcs, piece_arcs=piece_arcs)
        stream.work = work
        return stream


def opened_stream(file: Source, known: Format, options: ReadOptions, limits: StreamLimits) -> ArcStream | None:
    """Open a network as a stream; return None if it has to be read whole."""
    from triadic.io.arc_stream import BlockStream  # noqa: PLC0415 - its kernels take long to import

    if known.stream is not None:
        return known.stream(file, options, limits)
    if known.read is not None:
        return None
    return BlockStream(BlockFiles(file, list(open_blocks(file, known, options)), options), limits)


def arc_rows(
    network: NetworkInput,
    begin: Callable[[str | None], None],
    take: Take,
    progress: Progress | None,
    *,
    format: str | None,  # noqa: A002 - the keyword of triadic.read
    options: ReadOptions,
) -> None:
    """Read the ends of all arcs, in order.

    Parameters
    ----------
    network : NetworkInput
        What `triadic.read` reads.
    begin : callable
        Called before the first arc with the columns that are read, in the words of `Origin.columns`; and once more if
        the rows before turn out to be parsed in the wrong way.
    take : callable
        Called with the ends of some arcs: numbers as they stand in the file, or `number_of` names. Of formats that are
        no tables of edges, the numbers of vertices.
    progress : callable or None
    format : str or None
        As `triadic.read` takes it.
    options : ReadOptions
        Without weights and further columns.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read` raises them.
    """
    file, known = open_to_read(network, format, options)
    if known.read is not None:
        stream = stream_arcs(network, format=format, threads=options.threads)
        begin(stream.origin.columns)
        for ends in stream.pieces(progress):
            take(*ends)
        return
    network = BlockFiles(file, list(open_blocks(file, known, options, twice=False)), options)
    network.chunk_bytes = CHUNK_BYTES

    def began(numeric: bool) -> Callable[[Rows], None]:
        begin(network.taken)
        ends = partial(to_array, dtype=np.int64) if numeric else partial(numbers_of_names, number=number_of)
        return lambda rows: take(ends(rows["source"]), ends(rows["target"]))

    network.gather(began, progress)
