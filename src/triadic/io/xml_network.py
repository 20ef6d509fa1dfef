"""Networks in XML, parsed element by element: GraphML, and GEXF, the format of Gephi.

* GraphML: ``<graph edgedefault="directed"><node id="a"/><edge source="a" target="b"/></graph>``. U. Brandes,
  M. Eiglsperger, J. Lerner, C. Pich, Graph Markup Language (GraphML), in: Handbook of Graph Drawing and Visualization
  (2013), chapter 16; http://graphml.graphdrawing.org. Weights are the values of the key of edges whose ``attr.name`` is
  ``weight``, or the name chosen by ``weights=``, with the key's default. Ports and all other data are skipped; nested
  graphs and hyperedges are refused. Further graphs are left out, with a warning.
* GEXF: ``<nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges>``; https://gexf.net, versions 1.1 to
  1.3. Weights are the attribute ``weight`` of each edge, 1 where an edge has none, or the attribute of edges whose
  title is chosen by ``weights=``. Times are skipped: a dynamic network is read with all its nodes and edges. Nested
  nodes, a hierarchy, are refused.

Vertices are the nodes in the order of the file, with their ids as labels. An edge may state its own direction; a
network with a directed edge is directed, and each of its undirected or mutual edges is then two arcs.

The parser is expat behind defusedxml: entities are not expanded and nothing outside the file is read. The document is
never in memory as a tree: only the ids of nodes and the ends, kinds and weights of edges are held.
"""

from __future__ import annotations

import re
from array import array
from functools import partial
from itertools import count, repeat
from math import isfinite
from typing import TYPE_CHECKING, Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import quoteattr

import numpy as np
from defusedxml import DefusedXmlException, ExternalReferenceForbidden
from defusedxml.expatreader import DefusedExpatParser

from triadic.core.arcs import Arcs
from triadic.errors import ReadError
from triadic.io.edge_blocks import edge_blocks, label_problem, stated_labels
from triadic.io.format import Format, Keeps
from triadic.io.identifiers import index_dtype, labels_of_numbers
from triadic.io.number_rows import as_number
from triadic.io.temporary_files import whole_stream
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.sax.xmlreader import AttributesImpl, Locator

    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_UNDIRECTED, _DIRECTED, _MUTUAL = 0, 1, 2

_MOST_NESTED = 256  # groups of GEXF and GraphML may be nested, seldom more than twice
_BLOCK_BYTES = 1 << 20
# Bytes of memory for each byte of a block that is parsed, and for the result.
_PARSED_AT_ONCE, _BYTES_A_NODE, _BYTES_AN_EDGE = 32, 48, 64
_NODES_A_BLOCK = 1 << 16
_CANONICAL_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,18})\Z")
_NOT_XML = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class GraphML(ContentHandler):
    """The elements of GraphML, and the nodes and edges of the first network of a file, collected while it is parsed.

    An element is named by its path from the root. Elements of another namespace than the root's keep their prefix.

    Attributes
    ----------
    root, graph, node, edge : str
        Elements.
    default_kind, kind : str
        Attributes of the graph and of an edge that hold the kind of edges.
    kinds : dict of str to int
        The kind of edges for each word.
    one_graph : bool
        Whether a second graph is refused.
    refused : dict of str to str
        The error for each element that is refused.
    scope : tuple of (str, str, tuple)
        Element and attribute that tell whether the attributes declared in it are those of edges, and the values of it
        that say so.
    key, title, untitled : str
        Element that declares an attribute, the attribute of this element that holds its name, and the error if no
        element has the name that is asked for.
    value, refers, content : str
        Element that holds a value of an edge, its attribute that names the key, and its attribute that holds the value;
        empty if the text of the element is the value.
    own_weight : str or None
        Attribute of each edge that holds its weight.
    start, edge_line : (str, str)
        Templates of the text before the nodes and of an edge, without weights and with weights.
    node_line, between, end : str
        Template of a node, the text between nodes and edges, and the text after the edges.
    """

    root = "graphml"
    graph, node, edge = "graphml/graph", "graphml/graph/node", "graphml/graph/edge"
    default_kind, kind = "edgedefault", "directed"
    kinds = {"undirected": _UNDIRECTED, "directed": _DIRECTED, "false": _UNDIRECTED, "true": _DIRECTED}  # noqa: RUF012 - never changed
    one_graph = False
    refused = {  # noqa: RUF012 - never changed
        "graphml/graph/hyperedge": "found a hyperedge; hyperedges are not read, expected edges between two nodes",
        "graphml/graph/node/graph": "found a graph inside node elements; nested graphs are not read",
        "graphml/graph/edge/graph": "found a graph inside edge elements; nested graphs are not read",
    }
    scope: tuple[str, str, tuple[str | None, ...]] = ("graphml/key", "for", ("edge", "all", None))
    key, title, untitled = "graphml/key", "attr.name", "key of edges with the attr.name"
    value, refers, content = "graphml/graph/edge/data", "key", ""
    own_weight: str | None = None

    start = tuple(
        f'{_DECLARATION}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n{key}'
        '  <graph edgedefault="{kind}">\n'
        for key in ("", '  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
    )
    node_line, between, end = "    <node id={0}/>\n", "", "  </graph>\n</graphml>\n"
    edge_line = (
        "    <edge source={0} target={1}/>\n",
        '    <edge source={0} target={1}><data key="weight">{2}</data></edge>\n',
    )

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__()
        if options.wants_weights and not isinstance(options.weights, (str, bool)):
            raise source.error(f"weights={options.weights}: attributes have no order; expected a name or True")
        self._source, self._options = source, options
        self._weight_name = "weight" if options.weights is True else options.weights or None
        self._locator: Locator
        self._path = self._prefix = ""
        # Whether elements declare attributes of edges, or the weight; its key, its values in the open edge, by default
        # and as an attribute of the edge, and the text of the open element if that is a value.
        self._of_edges = self._declares = False
        self._key: str | None = None
        self._value: str | None = None
        self._default: str | None = None
        self._own_weight: str | None = None
        self._text: list[str] | None = None
        self._graphs, self._default_kind = 0, _UNDIRECTED
        # Every id by a code, in order of appearance; the vertex of each code, -1 before its node is read.
        self._codes: dict[str, int] = {}
        self._vertex = array("q")
        self._nodes = 0
        self._ends, self._lines, self._kinds, self._weights = array("q"), array("q"), array("b"), array("d")

    def read(self) -> Arcs:
        """Parse the file and return the arcs of its first graph.

        Raises
        ------
        ReadError
            The file is not well-formed XML or of another format, declares entities, refers to an external DTD, or holds
            nested or further graphs that the format refuses; an id is missing or repeated, or an edge has an end that
            is no node or has no weight.

        Warns
        -----
        ReadWarning
            The file holds further graphs, which are not read.
        """
        source = self._source
        parser = DefusedExpatParser(forbid_dtd=False, forbid_entities=True, forbid_external=True)
        parser.setContentHandler(self)
        self.setDocumentLocator(parser)  # which parsing by `feed` leaves out
        text = 0
        try:
            with source.stream() as stream:
                while block := stream.read(_BLOCK_BYTES):
                    text += len(block)
                    further = _BYTES_A_NODE * len(self._codes) + _BYTES_AN_EDGE * len(self._kinds)
                    source.check_memory(_PARSED_AT_ONCE * len(block) + further, text)
                    parser.feed(bytes(block))
                parser.close()
        except ReadError:
            raise
        except SAXParseException as error:
            problem = f"is not well-formed XML ({error.getMessage()})"
            raise source.error(problem, line=error.getLineNumber()) from None
        except ExternalReferenceForbidden:
            problem = "refers to an external DTD, which is not read; expected a file without the DOCTYPE line"
            raise self._error(problem) from None
        except DefusedXmlException:
            problem = "declares an XML entity; entities are not expanded, expected a file without them"
            raise self._error(problem) from None
        except (ValueError, LookupError) as error:
            words = " ".join(str(error).split())[:200]
            raise self._error(f"has an encoding that cannot be read ({words})") from None
        if self._graphs == 0:
            raise source.error("found no graph in it, expected an element 'graph'")
        if self._graphs > 1:
            source.warn(f"read the first of {self._graphs} graphs, left out the rest")
        return self._arcs()

    def _error(self, problem: str) -> ReadError:
        return self._source.error(problem, line=self._locator.getLineNumber())

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802, D102 - the name is that of SAX
        prefix, _, local = name.rpartition(":")
        if not self._path:
            if local != self.root:
                raise self._error(f"found the root element {short(name)}, expected {self.root!r}")
            self._prefix = prefix
        if self._path.count("/") == _MOST_NESTED - 1:
            raise self._error(f"its elements are nested {_MOST_NESTED + 1} deep, expected at most {_MOST_NESTED}")
        within = local if prefix == self._prefix else name
        self._path = f"{self._path}/{within}" if self._path else within
        self._opened(self._path, attrs)

    def _opened(self, path: str, attributes: AttributesImpl) -> None:
        if path == self.graph:
            self._graphs += 1
            if self._graphs == 1:
                self._default_kind = self._kind(attributes.get(self.default_kind, "undirected"))
            elif self.one_graph:
                raise self._error("found a second graph, expected one")
        elif self._graphs > 1:
            return
        elif path == self.edge:
            self._open_edge(attributes)
        elif path == self.node:
            code = self._code(attributes, "a node", "id")
            if self._vertex[code] >= 0:
                raise self._error(f"found a second node with the id {short(attributes['id'])}, expected different ids")
            self._vertex[code] = self._nodes
            self._nodes += 1
        elif path in self.refused:
            raise self._error(self.refused[path])
        elif self._weight_name is not None:
            self._open_attribute(path, attributes)

    def _open_edge(self, attributes: AttributesImpl) -> None:
        named = self._weight_name not in (None, self.own_weight)
        if named and self._key is None:
            raise self._error(f"found no {self.untitled} {self._weight_name!r} before the first edge")
        self._ends.extend([self._code(attributes, "an edge", name) for name in ("source", "target")])
        word = attributes.get(self.kind)
        self._kinds.append(self._default_kind if word is None else self._kind(word))
        self._lines.append(self._locator.getLineNumber() or 0)
        self._own_weight, self._value = None if named else attributes.get("weight"), None

    def _open_attribute(self, path: str, attributes: AttributesImpl) -> None:
        scope, domain, of_edges = self.scope
        if path == scope:
            self._of_edges = attributes.get(domain) in of_edges
        if path == self.key:
            named = attributes.get(self.title) == self._weight_name
            self._declares = self._of_edges and self._key is None and named
            if self._declares:
                self._key = attributes.get("id")
        elif path == f"{self.key}/default" and self._declares:
            self._text = []
        elif path == self.value and attributes.get(self.refers, attributes.get("id")) == self._key is not None:
            if self.content:
                self._value = attributes.get(self.content)
            else:
                self._text = []

    def endElement(self, name: str) -> None:  # noqa: N802, D102, ARG002 - the name is that of SAX
        path, text, self._text = self._path, self._text, None
        if text is not None and path.startswith(self.edge):
            self._value = "".join(text)
        elif text is not None:
            self._default = "".join(text)
        elif path == self.edge and self._graphs == 1 and self._weight_name is not None:
            one = "1" if self._weight_name == self.own_weight else None
            found = (self._own_weight, self._value, self._default, one)
            self._add_weight(next((each for each in found if each is not None), None))
        self._path = path.rpartition("/")[0]

    def _add_weight(self, value: str | None) -> None:
        if value is None:
            raise self._error(f"found an edge without {self._weight_name!r}, expected a weight on each")
        weight = as_number(value)
        if weight is None or not isfinite(weight):
            raise self._error(f"found the {self._weight_name} {short(value.strip())}, expected a finite number")
        self._weights.append(weight)

    def _kind(self, word: str) -> int:
        if word not in self.kinds:
            raise self._error(f"found edges that are {short(word)}, expected {' or '.join(self.kinds)}")
        return self.kinds[word]

    def _code(self, attributes: AttributesImpl, element: str, name: str) -> int:
        value = attributes.get(name)
        if value is None:
            raise self._error(f"found {element} without {name!r}")
        code = self._codes.setdefault(value, len(self._codes))
        if code == len(self._vertex):
            self._vertex.append(-1)
        return code

    def characters(self, content: str) -> None:  # noqa: D102 - documented by SAX
        if self._text is not None:
            self._text.append(content)

    def skippedEntity(self, name: str) -> None:  # noqa: N802, D102 - the name is that of SAX
        raise self._error(f"found the entity {short(name)}, which is not declared in the file")

    def _arcs(self) -> Arcs:
        """Return the arcs. A directed edge makes the network directed; each undirected edge is then two arcs."""
        codes, names = np.array(self._ends, dtype=np.int64), list(self._codes)
        vertex = np.array(self._vertex, dtype=np.int64)
        missing = np.flatnonzero(vertex[codes] < 0)
        if len(missing):
            problem = f"found an edge with the end {short(names[codes[missing[0]]])}, expected the id of a node"
            raise self._source.error(problem, line=self._lines[missing[0] // 2])
        source, target = np.ascontiguousarray(vertex[codes].astype(index_dtype(self._nodes)).reshape(-1, 2).T)
        weights = np.array(self._weights) if self._weight_name is not None else None
        kinds = np.array(self._kinds or [self._default_kind])
        directed = bool(kinds.any())
        if self._options.directed is not False and directed:
            back = (kinds != _DIRECTED) & (source != target)
            source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
            weights = None if weights is None else np.concatenate([weights, weights[back]])
        return Arcs(
            source=source,
            target=target,
            vertices=self._options.vertices_at_least(self._source, self._nodes),
            directed=self._options.direction(directed)[0],
            weights=weights,
            labels=_labels([names[code] for code in np.argsort(vertex)]),
        )


class Gexf(GraphML):
    """The elements of GEXF; see :class:`GraphML`."""

    root = "gexf"
    graph, node, edge = "gexf/graph", "gexf/graph/nodes/node", "gexf/graph/edges/edge"
    default_kind, kind = "defaultedgetype", "type"
    kinds = {"undirected": _UNDIRECTED, "directed": _DIRECTED, "mutual": _MUTUAL}  # noqa: RUF012 - never changed
    one_graph = True
    refused = {  # noqa: RUF012 - never changed
        f"gexf/graph/nodes/node/{name}": (
            f"found {name} inside a node; nested nodes are not read, expected one list of nodes"
        )
        for name in ("nodes", "edges")
    }
    scope = ("gexf/graph/attributes", "class", ("edge",))
    key, title, untitled = "gexf/graph/attributes/attribute", "title", "attribute of edges with the title"
    value, refers, content = "gexf/graph/edges/edge/attvalues/attvalue", "for", "value"  # version 1.0 refers by `id`
    own_weight = "weight"

    _open = '  <graph defaultedgetype="{kind}">\n    <nodes>\n'
    start = (f'{_DECLARATION}<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n{_open}',) * 2
    node_line, between = "      <node id={0} label={0}/>\n", "    </nodes>\n    <edges>\n"
    edge_line = (
        '      <edge id="{3}" source={0} target={1}/>\n',
        '      <edge id="{3}" source={0} target={1} weight="{2}"/>\n',
    )
    end = "    </edges>\n  </graph>\n</gexf>\n"


def _labels(names: list[str]) -> Labels | None:
    """Return the ids of the nodes as labels; None if they are 0, 1, ..., int64 if all are integers."""
    if all(map(_CANONICAL_INTEGER.match, names)):
        return labels_of_numbers(list(map(int, names)))
    return np.array(names, dtype=np.object_)


def node_problem(graph: Graph) -> str | None:
    """Return why the labels of a graph cannot be the ids of nodes in XML, or None if they can."""
    problem, labels = label_problem(graph), stated_labels(graph)
    if problem is not None or labels is None:
        return problem
    if len(labels) < graph.num_vertices:
        missing = graph.num_vertices - len(labels)
        return f"{missing} of {graph.num_vertices} vertices have no label, expected a label for each"
    if labels.dtype != np.object_:
        return None
    names = labels.tolist()
    wrong = next((name for name in names if not name or _NOT_XML.search(name)), None)
    if wrong is not None:
        return f"XML cannot hold the label {wrong!a}"
    if getattr(_labels(names), "dtype", None) != np.object_:
        return "the labels are strings, all of them integers, which are read as numbers"
    return None


def _write_network(elements: type[GraphML], graph: Graph, path: str) -> None:
    """Write a graph as XML: every vertex by its label or else its number, then every edge.

    Parameters
    ----------
    elements : type
    graph : Graph
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    labels = stated_labels(graph)
    names: Iterable[Any] = range(graph.num_vertices) if labels is None else labels.tolist()
    ids = [quoteattr(str(name)) for name in names]
    numbers, line = count(), elements.edge_line[graph.is_weighted].format
    with whole_stream(path) as stream:
        kind = "directed" if graph.directed else "undirected"
        stream.write(elements.start[graph.is_weighted].format(kind=kind).encode())
        for first in range(0, len(ids), _NODES_A_BLOCK):
            stream.write("".join(map(elements.node_line.format, ids[first : first + _NODES_A_BLOCK])).encode())
        stream.write(elements.between.encode())
        for block in edge_blocks(graph):
            ends = ([ids[vertex] for vertex in end.tolist()] for end in (block.source, block.target))
            weights = repeat(None) if block.weights is None else map(repr, block.weights.tolist())
            stream.write("".join(map(line, *ends, weights, numbers)).encode())
        stream.write(elements.end.encode())


def root_pattern(name: str) -> re.Pattern[bytes]:
    """Return the pattern of the start of an XML file whose root element has this name.

    Its quantifiers are possessive, so that a file of another format is given up in one pass.

    Examples
    --------
    >>> head = b'<?xml version="1.0"?><!-- a network --><gexf version="1.3">'
    >>> root_pattern("gexf").match(head) is None, root_pattern("graphml").match(head) is None
    (False, True)
    """
    return re.compile(
        rb"\A(?:\xef\xbb\xbf)?(?:\s++|<\?(?:[^?]++|\?(?!>))*\?>|<!--(?:[^-]++|-(?!->))*-->"
        rb"|<!DOCTYPE[^\[>]*+(?:\[[^\]]*+\])?+[^>]*+>)*<(?:[^\s:/<>]+:)?%s[\s/>]" % name.encode(),
        re.DOTALL,
    )


def _format(elements: type[GraphML], weights: str) -> Format:
    return Format(
        name=elements.root,
        suffixes=(f".{elements.root}",),
        recognise=root_pattern(elements.root).match,
        read=lambda source, options: elements(source, options).read(),
        write=partial(_write_network, elements),
        keeps=Keeps(
            isolated_vertices="nodes",
            direction=f"`{elements.default_kind}`",
            weights=weights,
            labels="ids of nodes",
            numbering="order of the nodes",
        ),
        label_problem=node_problem,
    )


GRAPHML = _format(GraphML, "key `weight`")
GEXF = _format(Gexf, "attribute `weight`")
