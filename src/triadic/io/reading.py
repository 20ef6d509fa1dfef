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
    r"""Read a file as raw arcs: loops, repeats and order kept.

    Parameters
    ----------
    path : path-like
        A file, unpacked on the way if it is gzip or Zstandard, or a folder in triadic's own format.
    directed : bool, optional
        None takes what the format or the header of the file says, and True where neither says anything.
    format : str, optional
        One of ``triadic.io.FORMATS``; None finds out from the first bytes and the name.
    vertices : int, optional
        Number of vertices 0, 1, ...; every id has to be below it. None takes the number that the format declares, or
        else the ids that occur.
    weights : bool, str or int, optional
        None and False: no weights (but those of triadic's own format are taken unless False). The name of a column, its
        index from 0, or True: the values of Matrix Market, Pajek, METIS and ``.wsg``, the attribute ``weight`` or
        ``value`` of GML, the column ``weight`` of a table or else its third.
    source, target : str, optional
        Names of the two columns, where columns have names.

    Returns
    -------
    Arcs
        On the vertices 0 .. n - 1, with the ids as labels where they are something else.

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        The file is damaged or not what it should be; the message has the line.
    ArgumentError
        An argument has a value that cannot be used.

    Warns
    -----
    ReadWarning
        A part of the file is left out, such as the second network of a Pajek project.

    Notes
    -----
    Takes about as long as Arrow takes to parse the file into columns, and the memory of these columns and of the arcs;
    Pajek, METIS and GML hold the text as well.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "edges.txt"
    >>> _ = file.write_text("# Undirected graph\n10 20\n10 30\n")
    >>> arcs = read_arcs(file)
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
        A file, unpacked on the way if it is gzip or Zstandard, or a folder in triadic's own format.
    directed : bool, optional
        None takes what the format or the header of the file says, and True where neither says anything.
    format : str, optional
        One of ``triadic.io.FORMATS``; None finds out from the first bytes and the name.
    vertices : int, optional
        Number of vertices 0, 1, ...; every id has to be below it.
    weights : bool, str or int, optional
        As in :func:`read_arcs`.
    combine : {"sum", "first", "max", "error"}
        What becomes of the weights of an edge that is given several times.
    source, target : str, optional
        Names of the two columns, where columns have names.

    Returns
    -------
    Graph
        What was dropped to make it is count_ends on ``graph.dropped``. A graph in triadic's own format is mapped into
        memory, not read.

    Raises
    ------
    MissingFileError
        There is no such file.
    ReadError
        The file is damaged or not what it should be; the message has the line.
    ArgumentError
        An argument has a value that cannot be used.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "edges.txt"
    >>> _ = file.write_text("a b\nb c\nc c\n")
    >>> graph = read(file, directed=False)
    >>> graph.num_vertices, graph.num_edges, graph.dropped.loops
    (3, 2, 1)
    """
    from triadic.graph.graph import Graph  # noqa: PLC0415 - its kernels take long to import

    options = ReadOptions(directed, vertices, weights, source, target)
    file, known = open_network(path, format)
    graph = None if known.read_graph is None else known.read_graph(file, options)
    return Graph.from_arcs(known.read(file, options), combine=combine) if graph is None else graph
