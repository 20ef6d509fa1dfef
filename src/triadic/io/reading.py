"""``read_arcs`` and ``read``: from a path to arcs, and to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.io.formats import open_network
from triadic.io.options import ReadOptions

if TYPE_CHECKING:
    from os import PathLike

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph


def read_arcs(
    path: str | PathLike[str],
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    vertices: int | None = None,
    weights: bool | str | int | None = None,
    source: str = "source",
    target: str = "target",
) -> Arcs:
    r"""Read a file as raw arcs, with loops and repeats, in the order of the file.

    Parameters
    ----------
    path : path-like
        A file, which may be packed by gzip or Zstandard, or a folder in triadic's own format.
    directed : bool, optional
        Whether the edges have a direction. None takes the direction that the format or the header of the file states;
        a file that states none is directed.
    format : str, optional
        Name of the format, a key of ``triadic.io.FORMATS``. None chooses by the first bytes of the file and by the
        suffix of its name.
    vertices : int, optional
        Number of vertices 0, 1, ...; every id must be below it. None takes the number that the format declares, or else
        the ids that occur.
    weights : bool, str or int, optional
        None, the default, reads weights from triadic's own format only, and False reads none. A string is the name of a
        column, or of an attribute of GML, GraphML and GEXF; an integer is the index of a column from 0. True reads the
        values of Matrix Market, Pajek, METIS and ``.wsg``, the attribute ``weight`` (in GML also ``value``), and of a
        table the column ``weight`` or else its third.
    source, target : str, default "source" and "target"
        Names of the two columns, if columns have names.

    Returns
    -------
    Arcs
        Arcs between the vertices 0 .. n - 1. If the ids of the file are not these numbers, they are the labels.

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file is damaged or of another format; the message names the line if there is one.
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

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("edges.txt").write_text("# Undirected graph\n10 20\n10 30\n")
    >>> arcs = triadic.read_arcs("edges.txt")
    >>> arcs.source.tolist(), arcs.target.tolist(), arcs.labels.tolist(), arcs.directed
    ([0, 0], [1, 2], [10, 20, 30], False)
    """
    options = ReadOptions(directed, vertices, weights, source, target)
    file, known = open_network(path, format)
    return known.read(file, options)


def read(
    path: str | PathLike[str],
    *,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    vertices: int | None = None,
    weights: bool | str | int | None = None,
    combine: str = "sum",
    source: str = "source",
    target: str = "target",
) -> Graph:
    r"""Read a file as a graph.

    Parameters
    ----------
    path : path-like
        A file, which may be packed by gzip or Zstandard, or a folder in triadic's own format.
    directed : bool, optional
        Whether the edges have a direction. None takes the direction that the format or the header of the file states;
        a file that states none is directed.
    format : str, optional
        Name of the format, a key of ``triadic.io.FORMATS``. None chooses by the first bytes of the file and by the
        suffix of its name.
    vertices : int, optional
        Number of vertices 0, 1, ...; every id must be below it. None takes the number that the format declares, or else
        the ids that occur.
    weights : bool, str or int, optional
        None, the default, reads weights from triadic's own format only, and False reads none. A string is the name of a
        column, or of an attribute of GML, GraphML and GEXF; an integer is the index of a column from 0. True reads the
        values of Matrix Market, Pajek, METIS and ``.wsg``, the attribute ``weight`` (in GML also ``value``), and of a
        table the column ``weight`` or else its third.
    combine : {"sum", "first", "max", "error"}, default "sum"
        How the weights of an edge that occurs several times are combined; ``"error"`` raises an error.
    source, target : str, default "source" and "target"
        Names of the two columns, if columns have names.

    Returns
    -------
    Graph
        ``graph.dropped`` counts the loops and repeats that were dropped. A graph in triadic's own format is mapped into
        memory and not copied.

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file is damaged or of another format; the message names the line if there is one.
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

    options = ReadOptions(directed, vertices, weights, source, target)
    file, known = open_network(path, format)
    graph = None if known.read_graph is None else known.read_graph(file, options)
    return Graph.from_arcs(known.read(file, options), combine=combine) if graph is None else graph
