"""Edge lists as text: SNAP's layout for ``.txt``, a header row for ``.csv`` and ``.tsv``.

SNAP's comments keep the direction and the number of vertices. CSV and TSV hold rows and nothing else, as other programs
expect, so that reading them back needs ``directed=`` and, with isolated vertices, ``vertices=``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from triadic.io.edge_blocks import edge_blocks, named_edges, writable_labels
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from triadic.graph.graph import Graph

_DELIMITERS = {"text": "\t", "csv": ",", "tsv": "\t"}


def write_text(graph: Graph, path: str, *, format: str) -> None:  # noqa: A002 - the keyword of triadic.write
    """Write one line for each edge.

    Parameters
    ----------
    graph : Graph
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.
    format : {"text", "csv", "tsv"}

    Raises
    ------
    WriteError
        The file cannot be written, or the labels do not tell the vertices apart.
    """
    labels = writable_labels(graph, path, printable=True)
    names = ["source", "target", *(["weight"] if graph.weights is not None else [])]
    delimiter = _DELIMITERS[format]
    options = pacsv.WriteOptions(
        include_header=False,
        delimiter=delimiter,
        quoting_style="none" if labels is None or labels.dtype != np.object_ else "needed",
    )
    with whole_stream(path) as stream:
        if format == "text":
            stream.write(_snap_header(graph, delimiter.join(names)))
        else:
            stream.write(f"{delimiter.join(names)}\n".encode())
        for block in edge_blocks(graph):
            pacsv.write_csv(pa.table(named_edges(block, labels)), stream, options)


def _snap_header(graph: Graph, names: str) -> bytes:
    direction = "Directed" if graph.directed else "Undirected"
    edges = graph.num_arcs if graph.directed else graph.num_edges
    return (
        f"# {direction} graph, one line for each {'arc' if graph.directed else 'edge'}, written by triadic\n"
        f"# Nodes: {graph.num_vertices} Edges: {edges}\n"
        f"# {names}\n"
    ).encode()
