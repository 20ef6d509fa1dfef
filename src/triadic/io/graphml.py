"""GraphML: ``<graph edgedefault="directed"><node id="a"/><edge source="a" target="b"/></graph>``.

Format: U. Brandes, M. Eiglsperger, J. Lerner, C. Pich, Graph Markup Language (GraphML), in: Handbook of Graph Drawing
and Visualization (2013), chapter 16; http://graphml.graphdrawing.org. Vertices are the nodes in the order of the file,
with their ids as labels. An edge may state its own direction; a network with a directed edge is directed, and each of
its undirected edges is then two arcs. Weights are the values of the key whose ``attr.name`` is ``weight``, or the name
chosen by ``weights=``, with the key's default. Ports and all other data are skipped; nested graphs and hyperedges are
refused.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.format import Format, Keeps
from triadic.io.xml_network import (
    DIRECTED,
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

_GRAPH = ["graphml", "graph"]
_NODE, _EDGE = [*_GRAPH, "node"], [*_GRAPH, "edge"]


class _Handler(NetworkHandler):
    """Reads the first graph of a file."""

    root = "graphml"
    kinds = {"undirected": UNDIRECTED, "directed": DIRECTED, "false": UNDIRECTED, "true": DIRECTED}  # noqa: RUF012 - never changed

    graphs = 0
    _is_weight = False
    _key: str | None = None
    _default: str | None = None
    _weight: str | None = None

    def opened(self, attributes: AttributesImpl) -> None:
        path = self.path
        if path == ["graphml", "key"]:
            of_edges = attributes.get("for", "all") in ("edge", "all")
            self._is_weight = (
                of_edges and self._key is None and attributes.get("attr.name") == self.weight_name is not None
            )
            if self._is_weight:
                self._key = attributes.get("id")
        elif path == ["graphml", "key", "default"] and self._is_weight:
            self.collect()
        elif path == _GRAPH:
            self.graphs += 1
            if self.graphs == 1:
                self.default_kind = self.kind(attributes.get("edgedefault", "undirected"))
        elif self.graphs == 1 and path[:2] == _GRAPH:
            self._opened_in_graph(attributes)

    def _opened_in_graph(self, attributes: AttributesImpl) -> None:
        path = self.path
        if path == _NODE:
            self.add_node(attributes)
        elif path == _EDGE:
            if self.weight_name is not None and self._key is None:
                raise self.error(f"found no key of edges with the attr.name {self.weight_name!r} before the first edge")
            self.add_edge(attributes, attributes.get("directed"))
            self._weight = self._default
        elif path[:-1] == _EDGE and path[-1] == "data" and attributes.get("key") == self._key is not None:
            self.collect()
        elif path[-1] == "hyperedge":
            raise self.error("found a hyperedge; hyperedges are not read, expected edges between two nodes")
        elif path[-1] == "graph" and path[:-1] in (_NODE, _EDGE):
            raise self.error(f"found a graph inside {path[-2]} elements; nested graphs are not read")

    def closed(self, text: str | None) -> None:
        if text is not None and self.path[1] == "key":
            self._default = text
        elif text is not None:
            self._weight = text
        elif self.graphs == 1 and self.path == _EDGE and self.weight_name is not None:
            self.add_weight(self._weight)


def read_graphml(source: Source, options: ReadOptions) -> Arcs:
    """Read the first graph of a GraphML file.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights`` is the ``attr.name`` of a key of edges; True is ``weight``.

    Returns
    -------
    Arcs

    Raises
    ------
    ReadError
        The file is not GraphML, an id is missing or repeated, an edge has an end that is no node or has no weight, or
        the graph holds nested graphs or hyperedges.

    Warns
    -----
    ReadWarning
        The file holds further graphs, which are not read.
    """
    handler = _Handler(source, options)
    arcs = read_network(handler)
    if handler.graphs == 0:
        raise source.error("found no graph in it, expected an element 'graph'")
    if handler.graphs > 1:
        warnings.warn(
            ReadWarning(f"{source.name}: read the first of {handler.graphs} graphs, left out the rest"),
            stacklevel=stack_level_of_caller(),
        )
    return arcs


def write_graphml(graph: Graph, path: str) -> None:
    """Write a graph as GraphML; the ids of nodes are the labels, or else the numbers of the vertices.

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
    key = '  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n'

    def edge(number: int, source: str, target: str, weight: float | None) -> str:  # noqa: ARG001 - ids are optional
        if weight is None:
            return f"    <edge source={source} target={target}/>\n"
        return f'    <edge source={source} target={target}><data key="weight">{weight!r}</data></edge>\n'

    write_network(
        graph,
        path,
        start='<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        f"{key if graph.is_weighted else ''}"
        f'  <graph edgedefault="{"directed" if graph.directed else "undirected"}">\n',
        node=lambda name: f"    <node id={name}/>\n",
        between="",
        edge=edge,
        end="  </graph>\n</graphml>\n",
    )


GRAPHML = Format(
    name="graphml",
    suffixes=(".graphml",),
    recognise=root_pattern("graphml").match,
    read=read_graphml,
    write=write_graphml,
    keeps=Keeps(
        isolated_vertices="nodes",
        direction="`edgedefault`",
        weights="key `weight`",
        labels="ids of nodes",
        numbering="order of the nodes",
    ),
    label_problem=node_problem,
)
