"""Graphs of networkx, multigraphs included: nodes as labels, an edge attribute as weights."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from triadic.convert.edges import refuse_columns, refuse_vertices, usable_labels, weight_name
from triadic.errors import ArgumentError
from triadic.graph import Graph
from triadic.networkx_backend.convert import arcs_of

if TYPE_CHECKING:
    from triadic.io.asked import Asked


def make(given: Any, asked: Asked, combine: str) -> Graph:  # noqa: ANN401 - networkx.Graph or one derived from it
    """Make a graph of a networkx graph.

    Raises
    ------
    ArgumentError
        An object of networkx that is no graph; directions asked of a graph that has none.
    """
    refuse_columns(asked)
    refuse_vertices(asked)
    if not hasattr(given, "_adj"):
        raise ArgumentError(f"graph: got {type(given).__name__} of networkx; expected a Graph or DiGraph")
    if asked.directed is True and not given.is_directed():
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    nodes, arcs = arcs_of(given, weight_name(asked))
    graph = Graph.from_arcs(replace(arcs, labels=usable_labels(nodes)), directed=asked.directed, combine=combine)
    repeats = given.number_of_edges() - len(arcs)
    if repeats:  # of a multigraph, whose parallel edges are read as one where no weights are
        dropped, loops = graph.dropped, _loops(given)
        more = loops - dropped.loops
        graph._dropped = replace(dropped, loops=loops, duplicates=dropped.duplicates + repeats - more)  # noqa: SLF001 - still being made
    return graph


def _loops(given: Any) -> int:  # noqa: ANN401 - a multigraph of networkx
    return sum(len(row[node]) for node, row in given.adj.items() if node in row)
