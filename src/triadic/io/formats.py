"""The list of all formats, and ``write``, from a graph to a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triadic.core.formatting import CsvStyle
from triadic.errors import ArgumentError, WriteError
from triadic.io.edge_blocks import degrees, stated_labels
from triadic.io.file_source import path_text, suffix_of
from triadic.io.format import FORMATS, Format, Keeps, format_of_name, known_format, later, register, written_suffixes
from triadic.io.graph6 import GRAPH6
from triadic.io.matrix_market import MATRIX_MARKET
from triadic.io.pajek import PAJEK
from triadic.io.stored_graphs import GAP, TRIADIC
from triadic.io.tables import CSV, DELIMITERS, TEXT, TSV, write_text
from triadic.io.word_files import GML, SIF
from triadic.io.xml_network import GEXF, GRAPHML

if TYPE_CHECKING:
    from os import PathLike

    from triadic.graph.graph import Graph

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
