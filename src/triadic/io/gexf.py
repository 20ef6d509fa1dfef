"""GEXF, the format of Gephi: ``<nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges>``.

Format: https://gexf.net, versions 1.1 to 1.3. Vertices are the nodes in the order of the file, with their ids as
labels. An edge may state its own type; a network with a directed edge is directed, and each of its undirected or mutual
edges is then two arcs. Weights are the attribute ``weight`` of each edge, 1 where an edge has none, or the edge
attribute whose title is chosen by ``weights=``. Times are skipped: a dynamic network is read with all its nodes and
edges. Nested nodes, a hierarchy, are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.io.format import Format, Keeps
from triadic.io.xml_network import (
    DIRECTED,
    MUTUAL,
    UNDIRECTED,
    NetworkHandler,
    node_problem,
    read_network,
    root_pattern,
    write_network,
)

if TYPE_CHECKING:
    from xml.sax.xmlreader import AttributesImpl

    from triadic.core.arcs import Arcs
    from triadic.graph.graph import Graph
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_GRAPH = ["gexf", "graph"]
_ATTRIBUTE = [*_GRAPH, "attributes", "attribute"]
_NODE, _EDGE = [*_GRAPH, "nodes", "node"], [*_GRAPH, "edges", "edge"]


class _Handler(NetworkHandler):
    """Reads the graph of a file."""

    root = "gexf"
    kinds = {"undirected": UNDIRECTED, "directed": DIRECTED, "mutual": MUTUAL}  # noqa: RUF012 - never changed

    graphs = 0
    _of_edges = False
    _is_weight = False
    _has_own_weight = False
    _attribute: str | None = None
    _default: str | None = None
    _weight: str | None = None

    def opened(self, attributes: AttributesImpl) -> None:
        path = self.path
        if path == _EDGE:
            self._open_edge(attributes)
        elif path == _NODE:
            self.add_node(attributes)
        elif path == _GRAPH:
            self.graphs += 1
            if self.graphs > 1:
                raise self.error("found a second graph, expected one")
            self.default_kind = self.kind(attributes.get("defaultedgetype", "undirected"))
        elif path[:-1] == _NODE and path[-1] in ("nodes", "edges"):
            raise self.error(f"found {path[-1]} inside a node; nested nodes are not read, expected one list of nodes")
        elif self.weight_name is not None:
            self._open_attribute(attributes)

    def _open_attribute(self, attributes: AttributesImpl) -> None:
        path = self.path
        if path == [*_EDGE, "attvalues", "attvalue"]:
            # Version 1.0 names the attribute by `id`.
            name = attributes.get("for", attributes.get("id"))
            if name == self._attribute is not None and not self._has_own_weight:
                self._weight = attributes.get("value")
        elif path == _ATTRIBUTE[:-1]:
            self._of_edges = attributes.get("class") == "edge"
        elif path == _ATTRIBUTE:
            is_first = self._of_edges and self._attribute is None
            self._is_weight = is_first and attributes.get("title") == self.weight_name
            if self._is_weight:
                self._attribute = attributes.get("id")
        elif path == [*_ATTRIBUTE, "default"] and self._is_weight:
            self.collect()

    def _open_edge(self, attributes: AttributesImpl) -> None:
        named = self.weight_name not in (None, "weight")
        if named and self._attribute is None:
            raise self.error(f"found no attribute of edges with the title {self.weight_name!r} before the first edge")
        self.add_edge(attributes, attributes.get("type"))
        self._weight = None if named else attributes.get("weight")
        self._has_own_weight = self._weight is not None

    def closed(self, text: str | None) -> None:
        if text is not None and self._is_weight:
            self._default = text
        elif self.path == _EDGE and self.weight_name is not None:
            weight = self._default if self._weight is None else self._weight
            self.add_weight("1" if weight is None and self.weight_name == "weight" else weight)


def read_gexf(source: Source, options: ReadOptions) -> Arcs:
    """Read the graph of a GEXF file.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` is the attribute ``weight`` of each edge, 1 by default; a name is the title of an attribute.

    Returns
    -------
    Arcs

    Raises
    ------
    ReadError
        The file is not GEXF, an id is missing or repeated, an edge has an end that is no node or has no weight, or
        nodes are nested.
    """
    handler = _Handler(source, options)
    arcs = read_network(handler)
    if handler.graphs == 0:
        raise source.error("found no graph in it, expected an element 'graph'")
    return arcs


def write_gexf(graph: Graph, path: str) -> None:
    """Write a graph as GEXF 1.2; the ids of nodes are the labels, or else the numbers of the vertices.

    Parameters
    ----------
    graph : Graph
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.

    Raises
    ------
    WriteError
        The file cannot be written.
    """

    def edge(number: int, source: str, target: str, weight: float | None) -> str:
        weighted = "" if weight is None else f' weight="{weight!r}"'
        return f'      <edge id="{number}" source={source} target={target}{weighted}/>\n'

    write_network(
        graph,
        path,
        start='<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
        f'  <graph defaultedgetype="{"directed" if graph.directed else "undirected"}">\n'
        "    <nodes>\n",
        node=lambda name: f"      <node id={name} label={name}/>\n",
        between="    </nodes>\n    <edges>\n",
        edge=edge,
        end="    </edges>\n  </graph>\n</gexf>\n",
    )


GEXF = Format(
    name="gexf",
    suffixes=(".gexf",),
    recognise=root_pattern("gexf").match,
    read=read_gexf,
    write=write_gexf,
    keeps=Keeps(
        isolated_vertices="nodes",
        direction="`defaultedgetype`",
        weights="attribute `weight`",
        labels="ids of nodes",
        numbering="order of the nodes",
    ),
    label_problem=node_problem,
)
