"""The list of all formats, the choice of the format of a file, and ``write``, from a graph to a file.

The first bytes of a file outweigh the suffix of its name, with one exception: a file named ``.mtx`` is Matrix Market
or an error, because a Matrix Market body without its banner looks like an edge list and would be read with wrong ids.
"""

from __future__ import annotations

import re
from os import PathLike, fsdecode
from typing import TYPE_CHECKING

from triadic.core.formatting import CsvStyle
from triadic.errors import ArgumentError, MissingFileError, WriteError
from triadic.io.edge_blocks import degrees, stated_labels
from triadic.io.file_source import Source, is_pattern, path_text, suffix_of
from triadic.io.folder import TRIADIC, is_stored
from triadic.io.format import Format, Keeps, later
from triadic.io.gap import GAP
from triadic.io.gml import GML
from triadic.io.graph6 import GRAPH6
from triadic.io.matrix_market import MATRIX_MARKET
from triadic.io.pajek import PAJEK
from triadic.io.sif import SIF
from triadic.io.tables import CSV, DELIMITERS, TEXT, TSV, write_text
from triadic.io.tu_dataset import PARTS, refuse_part
from triadic.io.xml_network import GEXF, GRAPHML

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.file_source import NetworkInput
    from triadic.io.format import ReadOptions

# A row for each edge; the columns are found by their names (:mod:`triadic.io.columns`). triadic writes the columns
# ``source``, ``target`` and, for weights, ``weight``, and the direction and the number of vertices into the metadata of
# the schema, under ``triadic``, with the list of the labels if the rows do not tell it (:mod:`triadic.io.edge_blocks`).
# A file without them is directed, and its vertices are the ids that occur.
# Format: https://parquet.apache.org/docs/file-format.
PARQUET = Format(
    name="parquet",
    suffixes=(".parquet", ".pq"),
    recognise=re.compile(b"PAR1").match,
    blocks=later("parquet_file", "ParquetBlocks"),
    write=later("parquet_file", "write_parquet"),
    keeps=Keeps(
        isolated_vertices="metadata",
        direction="metadata",
        assumed_direction="metadata",
        weights="column `weight`",
        columns="columns",
        vertex_columns="metadata",
        labels="ids",
        numbering="order of the rows, or metadata",
    ),
    label_problem=later("parquet_file", "metadata_problem"),
    column_problem=later("parquet_file", "columns_problem"),
    columns=True,
    packed=False,
)

# The format is described in :mod:`triadic.io.metis_blocks`.
METIS = Format(
    name="metis",
    suffixes=(".graph", ".metis"),
    blocks=later("metis_blocks", "MetisBlocks"),
    sample=later("metis_blocks", "sample_metis"),
    alone=True,
)

FORMATS: dict[str, Format] = {}
"""Every format by its name; :func:`register` adds to it."""

_HEAD_BYTES = 1 << 14
# The first column of every table that Cytoscape exports is SUID.
_CYTOSCAPE_TABLE = re.compile(rb'(?:\xef\xbb\xbf)?"?SUID"?[,;\t][^\n]*\bname\b')
_NOT_READ = {
    ".cyjs": "is a network of Cytoscape in JSON, which is not read; export it as GraphML or SIF",
    ".cx": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".cx2": "is a network of Cytoscape in CX, which is not read; export it as GraphML or SIF",
    ".xgmml": "is a network of Cytoscape in XGMML, which is not read; export it as GraphML or SIF",
    ".xls": "is a workbook, which is not read; save its sheet of edges as 'CSV UTF-8'",
    ".gdf": "is GDF, which is not read; export it from Gephi as GEXF or GraphML",
    ".dot": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".gv": "is a network of Graphviz, which is not read; export it as GraphML, GML or an edge list",
    ".json": "is JSON, which is not read; export it as GraphML, GML or an edge list",
}
"""Suffixes of networks that would be misread as edge lists, and what to do with them."""


def register(format: Format) -> None:  # noqa: A002 - the word that everybody looks for
    """Add a format, which all functions that take the path of a network then know.

    Parameters
    ----------
    format : Format
        Its name and its suffixes must not belong to another format.

    Raises
    ------
    ArgumentError
        Another format has the same name or one of the suffixes.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> from triadic.core.arcs import Arcs
    >>> from triadic.io import FORMATS, Format, register
    >>> def read_path(source, options):
    ...     n = int(source.everything())
    ...     return Arcs(np.arange(n - 1, dtype=np.int32), np.arange(1, n, dtype=np.int32), n, directed=False)
    >>> import numpy as np
    >>> register(Format(name="path", suffixes=(".path",), read=read_path))
    >>> _ = Path("four.path").write_text("4")
    >>> triadic.read("four.path").num_edges
    3
    >>> del FORMATS["path"]
    """
    if format.name in FORMATS:
        raise ArgumentError(f"format={format.name!r} is registered already; expected another name")
    for suffix in format.suffixes:
        other = _format_of_suffix(suffix)
        if other is not None:
            raise ArgumentError(f"the suffix {suffix!r} belongs to the format {other.name!r}; expected another suffix")
    FORMATS[format.name] = format


def known_format(name: str) -> Format:
    """Return the format of a name; raise an ArgumentError that lists all names if there is none."""
    found = FORMATS.get(name)
    if found is None:
        raise ArgumentError(f"format={name!r} is not known; expected one of {', '.join(FORMATS)}")
    return found


def format_of_name(path: str) -> Format | None:
    """Return the format that the suffix of a file name belongs to, or None.

    Examples
    --------
    >>> format_of_name("roads.MTX.zst").name
    'matrix-market'
    """
    return _format_of_suffix(suffix_of(path)[0])


def written_suffixes() -> list[str]:
    """Return the suffixes of all formats that can be written."""
    return [suffix for known in FORMATS.values() if known.write is not None for suffix in known.suffixes]


def open_network(network: NetworkInput, name: str | None) -> tuple[Source, Format]:
    """Open a network and return it with its format.

    Parameters
    ----------
    network : NetworkInput
        The path of a file or of a folder, or what :func:`triadic.io.lake.open_lake` opens.
    name : str or None
        Name of the format; None chooses by the first bytes and the suffix.

    Raises
    ------
    MissingFileError
        The file does not exist.
    ReadError
        The file cannot be opened, no format recognises it, or it is of a data set of many graphs.
    ArgumentError
        No format has this name.
    """
    known = None if name is None else known_format(name)
    if isinstance(network, (str, bytes, PathLike)) and fsdecode(network) != "-":
        try:
            source = Source(network)
        except MissingFileError:
            if not is_pattern(network):
                raise
        else:
            if known is None and source.path.endswith(PARTS):
                refuse_part(source.path)
            if not source.folder or known is TRIADIC or is_stored(source):
                return source, detect(source) if known is None else known
    from triadic.io.lake import open_lake  # noqa: PLC0415 - Arrow takes long to import

    suffixes = [
        suffix for each in FORMATS.values() if each.blocks is not None and not each.alone for suffix in each.suffixes
    ]
    return open_lake(network, known, detect, lambda path: getattr(format_of_name(path), "name", None), suffixes)


def reopenable(network: NetworkInput) -> NetworkInput:
    """Return a network that can be opened several times: an opened file is copied, and a table is recognised."""
    if isinstance(network, (str, bytes, PathLike, list, tuple)):
        return network
    from triadic.io.lake import recognised  # noqa: PLC0415 - Arrow takes long to import

    return recognised(network)


def check_columns(known: Format, options: ReadOptions) -> None:
    """Raise an ArgumentError if the options choose columns of a format that has none."""
    given = {} if known.columns else options.chosen
    given |= {"columns": list(options.keep)} if options.keep and not (known.columns or known.attributes) else {}
    words = ", ".join(f"{name}={value!r}" for name, value in given.items())
    if words:
        raise ArgumentError(f"{words}: files of the format {known.name} have no columns to choose; leave it out")


def detect(source: Source) -> Format:
    """Return the format of a file; a plain edge list where neither the first bytes nor the suffix tell.

    Raises
    ------
    ReadError
        The file is XML or HTML that no format recognises.
    """
    if source.folder:
        return TRIADIC
    suffix = suffix_of(source.path)[0]
    named = _format_of_suffix(suffix)
    if named is None and suffix in _NOT_READ:
        raise source.error(_NOT_READ[suffix])
    if named is not None and named.suffix_decides:
        return named
    start = source.head[:_HEAD_BYTES]
    if _CYTOSCAPE_TABLE.match(start):
        raise source.error("is a table of Cytoscape, which is not read; export the network as GraphML or SIF")
    for known in FORMATS.values():
        if known.recognise is not None and known.recognise(start):
            return known
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise source.error("starts with '<' but is neither GraphML nor GEXF; expected an edge list or a graph file")
    return TEXT if named is None or named.folder else named


def _format_of_suffix(suffix: str) -> Format | None:
    return next((known for known in FORMATS.values() if suffix in known.suffixes), None)


def write(
    graph: Graph,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
    lossy: bool = False,
    spreadsheet_safe: bool = False,
    separator: str | None = None,
    excel: bool = False,
) -> None:
    r"""Write a graph to a file, which appears complete or not at all.

    Parameters
    ----------
    graph : Graph
        Graph to write, with its weights if it has any.
    path : path-like
        File to write, or folder in triadic's own format. The file is packed if its name ends in ``.gz`` or ``.zst``.
        ``"-"`` is standard output, which takes CSV, or the format "text" or "tsv".
    format : {"text", "csv", "tsv", "parquet", "matrix-market", "graphml", "gexf", "triadic"}, optional
        Name of a format that can be written. None chooses by the suffix, and triadic's own format without a suffix.
    lossy : bool, default False
        Whether to write a network of which the format loses a part. Labels that the format cannot hold are left out,
        and the vertices are written by their numbers. By default, such a network is refused.
    spreadsheet_safe : bool, default False
        Whether to write ``'`` before each label in CSV and TSV that a spreadsheet would run as a formula: labels that
        begin with ``=``, ``+``, ``-``, ``@``, a tab or a line end, and labels that begin with ``'``, so that different
        labels stay different. Reading the file returns the changed labels.
    separator : {",", ";", "\t"}, optional
        The character between two columns of CSV and TSV. By default the comma or the tab. Numbers keep the point before
        their decimals.
    excel : bool, default False
        Whether CSV and TSV begin with a byte-order mark, by which Excel knows that they are UTF-8.

    Raises
    ------
    WriteError
        The file cannot be written, or the format cannot hold the network; the message names the formats that can. A
        file that was at ``path`` before is untouched.
    ArgumentError
        The format is not known, cannot be written, or cannot be packed; `spreadsheet_safe`, `separator` or `excel` is
        given and the format is not CSV or TSV; or `graph` is not a `Graph`.

    Notes
    -----
    Reading the file returns the same network: its vertices, with isolated ones, their order and labels, its edges, its
    direction and, with ``weights=True``, its weights. CSV and TSV are rows below a header row. They have the column
    ``type`` if the network is undirected, and begin with comments only if the rows cannot hold the network: if vertices
    are isolated, or if the labels do not appear in the order of the vertices. The labels of text, CSV, TSV, Parquet,
    GraphML and GEXF must be different; Matrix Market and triadic's own format keep any labels. Labels that are the
    numbers 0 .. n - 1 of the vertices are read as no labels.

    Examples
    --------
    >>> import triadic
    >>> triadic.write(triadic.Graph.from_edges([0, 1], [1, 2]), "path.txt.gz")
    >>> triadic.read("path.txt.gz").num_edges
    2
    """
    from triadic.graph.graph import Graph as GraphClass  # noqa: PLC0415 - its kernels take long to import

    if not isinstance(graph, GraphClass):
        raise ArgumentError(f"graph: write got a {type(graph).__name__}; expected a Graph, as triadic.read returns")
    target = path_text(path)
    suffix, packing = suffix_of(target)
    style = CsvStyle(spreadsheet_safe=spreadsheet_safe, separator=separator, excel=excel)
    name = "csv" if format is None and target == "-" else format
    unnamed = format_of_name(target) if suffix else TRIADIC
    known: Format | None = unnamed if name is None else known_format(name)
    if known is None:
        expected = f"one of {', '.join(written_suffixes())}, or format="
        raise ArgumentError(f"{target}: no format has the suffix {suffix!r}; expected {expected}")
    if known.write is None:
        written = ", ".join(name for name, other in FORMATS.items() if other.write is not None)
        raise ArgumentError(f"format={known.name!r} is read only; expected one of {written}")
    if target == "-" and known.name not in (*DELIMITERS, "text"):
        raise ArgumentError(f"{target}: standard output takes text, csv or tsv, not the format {known.name!r}")
    if packing is not None and not known.packed:
        problem = f"the format {known.name!r} is not packed by {packing}; expected a name without it"
        raise ArgumentError(f"{target}: {problem}")
    loss = _loss(graph, known)
    if loss is not None and not lossy:
        able = [
            name
            for name, other in FORMATS.items()
            if other.write is not None and other.keeps is not None and _loss(graph, other) is None
        ]
        other = f"a format that keeps the network ({', '.join(able)}), or " if able else ""
        raise WriteError(f"{target}: {loss}; use {other}lossy=True (--lossy), which writes what this format holds")
    if loss is not None:
        graph = _written(graph, known)
    if not style.given:
        known.write(graph, target)
        return
    if known.name not in DELIMITERS:
        given = f"{style.given}={getattr(style, style.given)!r}"
        raise ArgumentError(f"{given}: the format is {known.name!r}; expected csv or tsv")
    write_text(graph, target, delimiter=DELIMITERS[known.name], header=True, style=style)


def _loss(graph: Graph, known: Format) -> str | None:
    """Return what a file of a format would lose of a graph, in words; None if it keeps the network."""
    keeps, name = known.keeps, known.name
    if keeps is None:
        return None
    labels, others = stated_labels(graph), [column for column in graph.columns if column != "weight"]
    losses = {
        "the labels of the vertices": labels is not None and not keeps.labels,
        "the order of the vertices": labels is not None and not keeps.numbering,
        "the weights": graph.is_weighted and not keeps.weights,
        f"the columns {', '.join(others)}": len(others) > 0 and not keeps.columns,
        f"the columns of vertices {', '.join(graph.vertex_columns)}": bool(graph.vertex_columns)
        and not keeps.vertex_columns,
        "that the network is undirected": not graph.directed and not keeps.direction,
        "vertices without edges": not keeps.isolated_vertices and not degrees(graph).all(),
    }
    lost = next((part for part, is_lost in losses.items() if is_lost), None)
    if lost is not None:
        return f"the format {name!r} loses {lost}"
    problems = (known.label_problem, known.column_problem)
    return next((found for problem in problems if problem is not None and (found := problem(graph)) is not None), None)


def _written(graph: Graph, known: Format) -> Graph:
    """Return the part of a graph that a format can hold: without labels and columns if it cannot hold them."""
    if known.label_problem is not None and known.label_problem(graph) is not None:
        graph = graph._with(labels=None)  # noqa: SLF001 - a part of the graph
    weight = {} if graph.weights is None else {"weight": graph.weights}
    kept = graph._with(columns=weight, vertex_columns={})  # noqa: SLF001 - as above
    for what in ("columns", "vertex_columns"):
        for name, values in getattr(graph, what).items() if getattr(known.keeps, what) else ():
            more = kept._with(**{what: {**getattr(kept, what), name: values}})  # noqa: SLF001 - as above
            if known.column_problem is None or known.column_problem(more) is None:
                kept = more
    return kept


for _format in (
    TEXT,
    CSV,
    TSV,
    PARQUET,
    MATRIX_MARKET,
    PAJEK,
    METIS,
    GML,
    GRAPHML,
    GEXF,
    SIF,
    GAP,
    GRAPH6,
    TRIADIC,
):
    register(_format)
