"""Edge lists as text: SNAP, KONECT, CSV, TSV and any other text with a source and a target on each line.

Lines that begin with ``#`` or ``%`` are comments; the comments before the first row may state the direction and the
number of vertices (:mod:`triadic.io.text_layout`). Columns are separated by tabs, commas, semicolons or blanks. The
first row may hold their names (:mod:`triadic.io.header_row`), which tell the columns of the ends
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

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs, Origin
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
from triadic.io.edge_kinds import refuse_mixed_kinds
from triadic.io.format import Format, Keeps
from triadic.io.identifiers import (
    UnusableIdError,
    Vertices,
    as_listed,
    read_list,
    to_array,
    two_sets,
    vertices_of_names,
    vertices_of_numbers,
)
from triadic.io.text_layout import Separator, read_layout
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.arc_stream import ArcStream
    from triadic.io.edge_tables import EdgeTables
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits
    from triadic.io.text_comments import Comments
    from triadic.io.text_rows import Table


DELIMITERS = {"csv": ",", "tsv": "\t"}
"""Characters between two columns of the formats that spreadsheets open."""

_ENDS = ("source", "target")


def read_text(source: Source, options: ReadOptions, *, prefer: Separator = Separator.TAB) -> Arcs:
    """Read an edge list.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    prefer : Separator
        The separator to try first.

    Returns
    -------
    Arcs
        One for each row, in the order of the file.

    Raises
    ------
    ReadError
        With the number of the first line that is wrong.
    """
    from triadic.io.text_rows import first_fault, is_numeric, read_rows  # noqa: PLC0415 - Arrow takes long to import

    comments, layouts = read_layout(source, options, prefer=prefer)
    table, layout = read_rows(source, layouts, options)
    if layout.kind is not None:
        refuse_mixed_kinds(source, table, directed=layout.directed)
    weights = to_array(table["weight"], np.float64) if "weight" in table.column_names else None
    if weights is not None and not np.isfinite(weights).all():
        raise first_fault(source, layout, numeric=False) or source.error("a weight is not a finite number")
    try:
        listed = read_list(source, comments.lists)
        vertices = _vertices(table, comments, listed, options, numeric=is_numeric(table))
    except UnusableIdError as error:
        found = first_fault(source, layout, numeric=is_numeric(table), vertices=options.vertices)
        raise found or source.error(str(error)) from None
    directed, decided = options.direction(layout.directed if comments.directed is None else comments.directed)
    return Arcs(
        source=vertices.source,
        target=vertices.target,
        vertices=vertices.count,
        directed=directed,
        weights=weights,
        labels=vertices.labels,
        origin=Origin(layout.taken or None, decided),
    )


def _vertices(
    table: Table, comments: Comments, listed: Labels | None, options: ReadOptions, *, numeric: bool
) -> Vertices:
    maker = vertices_of_numbers if numeric else vertices_of_names
    if not comments.bipartite:
        stated = comments.sizes[0] if comments.sizes else None
        if listed is None:
            return maker(table["source"], table["target"], declared=options.vertices, stated=stated)
        found = maker(table["source"], table["target"], declared=None, stated=None)
        return as_listed(found, listed, stated=stated, declared=options.vertices)
    left, right = (maker(table[end], table[end], declared=None, stated=None) for end in _ENDS)
    return two_sets(left, right, declared=options.vertices, stated=sum(comments.sizes))


def write_text(
    graph: Graph, path: str, *, delimiter: str, header: bool = False, spreadsheet_safe: bool = False
) -> None:
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
    spreadsheet_safe : bool, default False
        Whether to write ``'`` before labels that a spreadsheet would run as formulas.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    import pyarrow.csv as pacsv  # noqa: PLC0415 - slow to import

    labels = stated_labels(graph)
    if spreadsheet_safe:
        labels = without_formulas(labels)
    names = ["source", "target", *(["weight"] if graph.is_weighted else [])]
    if header and not graph.directed:
        names.append("type")
    first = delimiter.join(names)
    # A name of a column among the labels makes the header look like an edge; the list tells that it is none.
    listed = labels is not None and (
        needs_list(graph, labels, text=True) or (header and not set(names).isdisjoint(labels.tolist()))
    )
    comments = _csv_comments(graph) if header else _snap_comments(graph)
    if labels is not None and listed:
        comments += list_lines(labels)
    above = [f"# {comment}" for comment in comments] + [first if header else f"# {first}"]
    options = pacsv.WriteOptions(
        include_header=False,
        delimiter=delimiter,
        quoting_style="none" if labels is None or labels.dtype != np.object_ else "needed",
    )
    with whole_stream(path) as stream:
        stream.write("".join(f"{line}\n" for line in above).encode())
        by_names = labels is not None and labels.dtype == np.object_ and not listed
        for block in blocks_by_appearance(graph) if by_names else edge_blocks(graph):
            columns = pa.table(named_edges(block, labels))
            if "type" in names:
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


def _stream(source: Source, options: ReadOptions, limits: StreamLimits, *, prefer: Separator) -> ArcStream:
    from triadic.io.text_stream import TextStream  # noqa: PLC0415 - Arrow takes long to import

    return TextStream(source, options, limits, prefer=prefer)


def _sample(source: Source, options: ReadOptions, threads: int, *, prefer: Separator) -> FileSample:
    from triadic.io.text_stream import sample_text  # noqa: PLC0415 - Arrow takes long to import

    return sample_text(source, options, threads, prefer=prefer)


def _tables(source: Source, options: ReadOptions, before: EdgeTables | None, *, prefer: Separator) -> EdgeTables:
    from triadic.io.text_tables import open_tables  # noqa: PLC0415 - Arrow takes long to import

    return open_tables(source, options, before, prefer=prefer)


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
    labels="ids",
    numbering=_NUMBERING,
)

TEXT = Format(
    name="text",
    suffixes=(".txt", ".el", ".wel", ".edges", ".edgelist"),
    read=read_text,
    stream=partial(_stream, prefer=Separator.TAB),
    sample=partial(_sample, prefer=Separator.TAB),
    tables=partial(_tables, prefer=Separator.TAB),
    write=partial(write_text, delimiter="\t"),
    keeps=_SNAP,
    label_problem=cell_problem,
    columns=True,
)
CSV = Format(
    name="csv",
    suffixes=(".csv",),
    read=partial(read_text, prefer=Separator.COMMA),
    stream=partial(_stream, prefer=Separator.COMMA),
    sample=partial(_sample, prefer=Separator.COMMA),
    tables=partial(_tables, prefer=Separator.COMMA),
    write=partial(write_text, delimiter=DELIMITERS["csv"], header=True),
    keeps=_ROWS,
    label_problem=cell_problem,
    columns=True,
)
TSV = replace(
    TEXT,
    name="tsv",
    suffixes=(".tsv",),
    write=partial(write_text, delimiter=DELIMITERS["tsv"], header=True),
    keeps=_ROWS,
)
