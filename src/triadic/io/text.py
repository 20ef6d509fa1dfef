"""Edge lists as text: SNAP, KONECT, CSV, TSV and any other text with a source and a target on each line.

Lines that begin with ``#`` or ``%`` are comments; the comments before the first row may state the direction and the
number of vertices (:mod:`triadic.io.text_layout`). Columns are separated by tabs, commas, semicolons or blanks. The
first row may hold their names (:mod:`triadic.io.first_rows`), which tell the columns of the ends
(:mod:`triadic.io.columns`). Another column is read only if it is chosen as the weight. Ids are integers from 0 to 2**63
- 1; if any id is not an integer, all ids are names. Every row has as many columns as the first.

In a bipartite network of KONECT (``% bip``) the two sets of vertices are numbered separately: the sources are the
vertices 0, 1, ... and the targets follow, with the labels ``left:ID`` and ``right:ID``.

SNAP's comments are written for ``.txt`` and keep the direction and the number of vertices. CSV and TSV are written as
rows below one header row, as other programs expect. The column ``type`` of Gephi states that a network is undirected.
Comments are written above the header row only if the rows cannot hold the network: for vertices without edges, for a
network without edges, and for labels in another order (:mod:`triadic.io.edge_blocks`).
"""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.formatting import PLAIN_CSV, CsvStyle
from triadic.io.edge_blocks import (
    blocks_by_appearance,
    cell_problem,
    degrees,
    edge_blocks,
    list_lines,
    named_edges,
    needs_list,
    stated_labels,
    without_formulas,
)
from triadic.io.format import Format, Keeps, later
from triadic.io.temporary_files import BYTE_ORDER_MARK, whole_stream
from triadic.io.text_layout import Separator

if TYPE_CHECKING:
    from triadic.graph.graph import Graph


DELIMITERS = {"csv": ",", "tsv": "\t"}
"""Characters between two columns of the formats that spreadsheets open."""


def write_text(graph: Graph, path: str, *, delimiter: str, header: bool = False, style: CsvStyle = PLAIN_CSV) -> None:
    """Write one line for each edge.

    Parameters
    ----------
    graph : Graph
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.
    delimiter : str
        Character between two columns.
    header : bool, default False
        Whether the first row names the columns, as in CSV and TSV. Otherwise comments in the layout of SNAP state the
        direction and the number of vertices.
    style : CsvStyle, optional
        How CSV is written for spreadsheets. By default as for other programs.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    import pyarrow.csv as pacsv  # noqa: PLC0415 - slow to import

    labels = stated_labels(graph)
    delimiter = style.separator or delimiter
    if style.spreadsheet_safe:
        labels = without_formulas(labels)
    others = [name for name in graph.columns if header or name == "weight"]
    names = ["source", "target", *others, *(["type"] if header and not graph.directed else [])]
    row = io.StringIO()
    csv.writer(row, delimiter=delimiter, lineterminator="").writerow(names)
    first = row.getvalue()
    # A name of a column among the labels makes the header look like an edge; the list tells that it is none.
    listed = labels is not None and (
        needs_list(graph, labels, text=True) or (header and not set(names).isdisjoint(labels.tolist()))
    )
    comments = _csv_comments(graph) if header else _snap_comments(graph)
    if labels is not None and listed:
        comments += list_lines(labels)
    above = [f"# {comment}" for comment in comments] + [first if header else f"# {first}"]
    texts = (labels is not None and labels.dtype == np.object_) or any(
        graph.columns[name].dtype.kind in "OU" for name in others
    )
    options = pacsv.WriteOptions(
        include_header=False,
        delimiter=delimiter,
        quoting_style="needed" if texts else "none",
    )
    with whole_stream(path) as stream:
        stream.write(BYTE_ORDER_MARK * style.excel + "".join(f"{line}\n" for line in above).encode())
        by_names = labels is not None and labels.dtype == np.object_ and not listed
        for block in blocks_by_appearance(graph) if by_names else edge_blocks(graph):
            written = named_edges(block, labels)
            columns = pa.table({name: pa.array(written[name], from_pandas=True) for name in names if name in written})
            if header and not graph.directed:
                columns = columns.append_column("type", pa.repeat("Undirected", len(columns)))
            pacsv.write_csv(columns, stream, options)


def _snap_comments(graph: Graph) -> list[str]:
    direction = "Directed graph" if graph.directed else "Undirected graph"
    if graph.origin.direction == "assumed":  # nothing states it, and the file must not
        direction = "Edge list"
    edges = graph.num_arcs if graph.directed else graph.num_edges
    return [
        f"{direction}, one line for each {'arc' if graph.directed else 'edge'}, written by triadic",
        f"Nodes: {graph.num_vertices} Edges: {edges}",
    ]


def _csv_comments(graph: Graph) -> list[str]:
    """Return the comments that the rows need: none for a network in which every vertex has an edge."""
    comments = []
    if not graph.directed and graph.num_edges == 0:
        comments.append("Undirected graph")
    if not degrees(graph).all():
        comments.append(f"Nodes: {graph.num_vertices}")
    return comments


_NUMBERING = "order of the rows, or comment `# triadic vertices: [...]`"
_SNAP = Keeps(
    isolated_vertices="comment `# Nodes: N`",
    direction="comment `# Directed graph`",
    assumed_direction="no comment",
    weights="third column",
    labels="ids",
    numbering=_NUMBERING,
)
_ROWS = Keeps(
    isolated_vertices="comment `# Nodes: N`",
    direction="column `type` if undirected",
    assumed_direction="no column `type`",
    weights="column `weight`",
    columns="columns",
    labels="ids",
    numbering=_NUMBERING,
)

TEXT = Format(
    name="text",
    suffixes=(".txt", ".el", ".wel", ".edges", ".edgelist"),
    blocks=later("text_blocks", "TextBlocks", prefer=Separator.TAB),
    write=partial(write_text, delimiter="\t"),
    keeps=_SNAP,
    label_problem=cell_problem,
    columns=True,
)
CSV = Format(
    name="csv",
    suffixes=(".csv",),
    blocks=later("text_blocks", "TextBlocks", prefer=Separator.COMMA),
    write=partial(write_text, delimiter=DELIMITERS["csv"], header=True),
    keeps=_ROWS,
    column_problem=later("arrow_columns", "cells_problem"),
    label_problem=cell_problem,
    columns=True,
)
TSV = replace(
    TEXT,
    name="tsv",
    suffixes=(".tsv",),
    write=partial(write_text, delimiter=DELIMITERS["tsv"], header=True),
    keeps=_ROWS,
    column_problem=later("arrow_columns", "cells_problem"),
)
