"""``read_arcs`` and ``read``: from a path to a graph.

Each format's reader is imported when a file of that format is read: Arrow and SciPy take long to import.
"""
# ruff: noqa: PLC0415 - for that reason

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.io.asked import Asked
from triadic.io.detect import detect, known_format
from triadic.io.file_source import Source

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
    asked = Asked(directed, vertices, weights, source, target)
    name = None if format is None else known_format(format)
    file = Source(path)
    return arcs_of_format(file, asked, name or detect(file))


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
        What was dropped to make it is counted on ``graph.dropped``. A graph in triadic's own format is mapped into
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
    from triadic.graph.graph import Graph

    asked = Asked(directed, vertices, weights, source, target)
    name = None if format is None else known_format(format)
    file = Source(path)
    name = name or detect(file)
    if name == "triadic":
        graph = _stored_graph(file, asked)
        if graph is not None:
            return graph
    return Graph.from_arcs(arcs_of_format(file, asked, name), combine=combine)


def arcs_of_format(file: Source, asked: Asked, name: str) -> Arcs:
    """Read an opened file of a known format."""
    if file.folder or name == "triadic":
        from triadic.io.folder import read_folder

        return read_folder(file, asked)
    if name in ("text", "csv", "tsv"):
        return _read_text(file, asked, name)
    if name == "parquet":
        from triadic.io.parquet import read_parquet as reader
    elif name == "matrix-market":
        from triadic.io.matrix_market import read_matrix_market as reader
    elif name == "pajek":
        from triadic.io.pajek import read_pajek as reader
    elif name == "metis":
        from triadic.io.metis import read_metis as reader
    elif name == "gml":
        from triadic.io.gml import read_gml as reader
    else:
        from triadic.io.gap import read_gap as reader
    return reader(file, asked)


def _read_text(file: Source, asked: Asked, name: str) -> Arcs:
    from triadic.io.text import read_text
    from triadic.io.text_layout import Separator

    return read_text(file, asked, prefer=Separator.COMMA if name == "csv" else Separator.TAB)


def _stored_graph(file: Source, asked: Asked) -> Graph | None:
    """Return the graph of a folder as it lies there, or None if it is asked for as something else."""
    from triadic.core.arcs import Dropped
    from triadic.core.blocks import resolve_threads
    from triadic.devices.cpu.rows import first_wrong_row
    from triadic.graph.graph import Graph
    from triadic.io.folder import read_stored, wants_weights

    stored = read_stored(file, weights=wants_weights(file, asked))
    as_it_is = (
        asked.directed in (None, stored.directed)
        and asked.vertices in (None, len(stored.indptr) - 1)
        and not (asked.wants_weights and stored.weights is None)
    )
    if not as_it_is:
        return None
    wrong = first_wrong_row(stored.indptr, stored.indices, threads=resolve_threads(None))
    if wrong >= 0:
        raise file.error(f"indices.npy is damaged; expected row {wrong} to rise, within 0 to {len(stored.indptr) - 2}")
    return Graph.from_csr(
        stored.indptr,
        stored.indices,
        directed=stored.directed,
        weights=stored.weights,
        labels=stored.labels,
        trusted=True,
        dropped=Dropped(**stored.dropped),
    )
