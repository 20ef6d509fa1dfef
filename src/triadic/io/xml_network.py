"""Networks in XML, parsed element by element: GraphML, and GEXF, the format of Gephi.

* GraphML: ``<graph edgedefault="directed"><node id="a"/><edge source="a" target="b"/></graph>``. U. Brandes,
  M. Eiglsperger, J. Lerner, C. Pich, Graph Markup Language (GraphML), in: Handbook of Graph Drawing and Visualization
  (2013), chapter 16; http://graphml.graphdrawing.org. Weights are the values of the key of edges whose ``attr.name`` is
  ``weight``, or the name chosen by ``weights=``, with the key's default. Ports are skipped; nested graphs and
  hyperedges are refused. Further graphs are left out, with a warning.
* GEXF: ``<nodes><node id="a"/></nodes><edges><edge source="a" target="b"/></edges>``; https://gexf.net, versions 1.1 to
  1.3. Weights are the attribute ``weight`` of each edge, 1 where an edge has none, or the attribute of edges whose
  title is chosen by ``weights=``. Labels of nodes that differ from their ids are a column ``label``. Times are
  skipped: a dynamic network is read with all its nodes and edges. Nested nodes, a hierarchy, are refused.

Vertices are the nodes in the order of the file, with their ids as labels. An edge may state its own direction; a
network with a directed edge is directed, and each of its undirected or mutual edges is then two arcs. All other
attributes of nodes and edges are columns of the types that the file declares.

The parser is expat behind defusedxml: entities are not expanded and nothing outside the file is read. The document is
never in memory as a tree: only the ids of nodes, the ends and kinds of edges, and the attributes are held.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from functools import partial
from itertools import count, repeat
from math import isfinite
from typing import TYPE_CHECKING, Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from defusedxml import DefusedXmlException, ExternalReferenceForbidden
from defusedxml.expatreader import DefusedExpatParser

from triadic.core.arcs import Arcs
from triadic.core.oriented import index_dtype
from triadic.errors import ReadError, in_one_line
from triadic.graph.labels import usable_labels
from triadic.io.edge_blocks import edge_blocks, label_problem, stated_labels
from triadic.io.file_source import short
from triadic.io.format import Format, Keeps
from triadic.io.number_rows import as_number
from triadic.io.temporary_files import whole_stream

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.sax.xmlreader import AttributesImpl, Locator

    from triadic.core.array_types import AnyArray
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_UNDIRECTED, _DIRECTED, _MUTUAL = 0, 1, 2

_MOST_NESTED = 256  # groups of GEXF and GraphML may be nested, seldom more than twice
_BLOCK_BYTES = 1 << 20
# Bytes of memory for each byte of a block that is parsed, and for the result.
_PARSED_AT_ONCE, _BYTES_A_NODE, _BYTES_AN_EDGE, _BYTES_A_VALUE = 32, 48, 64, 80
_NODES_A_BLOCK = 1 << 16
_CANONICAL_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,18})\Z")
_NOT_XML = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# Types of attributes, as functions of Arrow are called; all others are texts.
_INTEGERS = dict.fromkeys(("int", "integer", "long", "short", "byte"), "int64")
_TYPES = {**_INTEGERS, **dict.fromkeys(("float", "double", "bigdecimal"), "float64"), "boolean": "bool_"}
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(slots=True)
class _Attribute:
    """An attribute of nodes or edges that a file declares, and its values: texts at the numbers of nodes or edges."""

    name: str
    kind: str
    default: str | None = None
    rows: array[int] = field(default_factory=partial(array, "q"))
    texts: list[str] = field(default_factory=list)

    def add(self, row: int, text: str) -> None:
        """Add the value of a node or an edge."""
        self.rows.append(row)
        self.texts.append(text)

    def column(self, rows: int, source: Source) -> AnyArray:
        """Return the values of all nodes or edges."""
        import pyarrow as pa  # noqa: PLC0415 - slow to import, and many files have no such attributes
        import pyarrow.compute as pc  # noqa: PLC0415 - as above

        from triadic.io.arrow_columns import values_of  # noqa: PLC0415 - as above

        texts = [self.default] * rows
        for row, text in zip(self.rows, self.texts, strict=True):
            texts[row] = text
        kind = _TYPES.get(self.kind)
        if kind is not None:
            texts = [None if text is None or text.strip() in ("", "null") else text.strip() for text in texts]
        column = pa.chunked_array([pa.array(texts, pa.string())])
        try:
            column = column if kind is None else pc.cast(column, getattr(pa, kind)())
        except pa.ArrowInvalid as error:
            raise source.error(f"the attribute {self.name!r} holds a value that is no {self.kind} ({error})") from None
        return values_of(column, self.name, source.error)


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
    scope : tuple of (str, str)
        Element and attribute that tell whether the attributes declared in it are those of nodes, edges or both.
    key, title, type, untitled : str
        Element that declares an attribute, the attributes of this element that hold its name and its type, and the
        error if no element has the name that is asked for.
    value, refers, content : str
        Element within a node or an edge that holds a value, its attribute that names the key, and its attribute that
        holds the value; empty if the text of the element is the value.
    own_weight : str or None
        Attribute of each edge that holds its weight.
    own_label : bool
        Whether each node has a label besides its id.
    start, between, end : str
        Template of the text before the nodes; the text between nodes and edges, and the text after the edges.
    node_line, edge_line : str
        Templates of the begin of a node and of an edge.
    all_declared, declared : str
        Templates of the declarations of all attributes of nodes or edges, and of one of them.
    all_values, given : str
        Templates of the values of a node or an edge, and of one of them.
    quoted : callable
        Escapes a value.
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
    scope = ("graphml/key", "for")
    key, title, type, untitled = "graphml/key", "attr.name", "attr.type", "key of edges with the attr.name"
    value, refers, content = "data", "key", ""
    own_weight: str | None = None
    own_label = False

    start = (
        f'{_DECLARATION}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n{{1}}  <graph edgedefault="{{0}}">\n'
    )
    node_line, edge_line = "    <node id={0}", "    <edge source={0} target={1}"
    between, end = "", "  </graph>\n</graphml>\n"
    all_declared, declared = "{1}", '  <key id="{1}" for="{0}" attr.name={2} attr.type="{3}"/>\n'
    all_values, given = "{}", '<data key="{}">{}</data>'
    quoted = staticmethod(escape)

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__()
        if options.wants_weights and not isinstance(options.weights, (str, bool)):
            raise source.error(f"weights={options.weights}: attributes have no order; expected a name or True")
        self._source, self._options = source, options
        self._weight_name = "weight" if options.weights is True else options.weights or None
        self._locator: Locator
        self._path = self._prefix = ""
        # What attributes are declared of, those that are being declared, and all by what they are of and their key.
        self._of: tuple[str, ...] = ()
        self._declares: list[_Attribute] = []
        self._declared: dict[tuple[str, str], _Attribute] = {}
        # The kind and the number of the open node or edge, and its attribute whose value is being read as text.
        self._within, self._row = "", 0
        self._reads: _Attribute | None = None
        self._weight: _Attribute | None = None
        self._value: str | None = None
        self._text: list[str] | None = None
        self._label = _Attribute("label", "string")
        self._graphs, self._default_kind = 0, _UNDIRECTED
        # Every id by a code, in order of appearance; the vertex of each code, -1 before its node is read.
        self._codes: dict[str, int] = {}
        self._vertex = array("q")
        self._nodes = 0
        self._ends, self._lines, self._kinds, self._weights = array("q"), array("q"), array("b"), array("d")
        self._values = 0

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
                    further += _BYTES_A_VALUE * self._values
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
            words = in_one_line(error)[:200]
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
            self._open_node(attributes)
        elif path in self.refused:
            raise self._error(self.refused[path])
        elif self._within:
            self._open_value(path, attributes)
        else:
            self._open_declaration(path, attributes)

    def _open_node(self, attributes: AttributesImpl) -> None:
        code = self._code(attributes, "a node", "id")
        if self._vertex[code] >= 0:
            raise self._error(f"found a second node with the id {short(attributes['id'])}, expected different ids")
        self._vertex[code] = self._row = self._nodes
        self._within = "node"
        self._nodes += 1
        if self.own_label and "label" in attributes:
            self._label.add(self._row, attributes["label"])

    def _open_edge(self, attributes: AttributesImpl) -> None:
        if self._weight_name not in (None, self.own_weight) and self._weight is None:
            raise self._error(f"found no {self.untitled} {self._weight_name!r} before the first edge")
        self._within, self._row = "edge", len(self._kinds)
        self._ends.extend([self._code(attributes, "an edge", name) for name in ("source", "target")])
        word = attributes.get(self.kind)
        self._kinds.append(self._default_kind if word is None else self._kind(word))
        self._lines.append(self._locator.getLineNumber() or 0)
        self._value = None if self._weight is None else self._weight.default
        if self._weight_name == self.own_weight:
            self._value = attributes.get("weight", "1" if self._value is None else self._value)

    def _open_declaration(self, path: str, attributes: AttributesImpl) -> None:
        scope, domain = self.scope
        if path == scope:
            named = attributes.get(domain, "all")
            self._of = ("node", "edge") if named == "all" else (named,)
        if path == self.key:
            name, kind, key = (attributes.get(each, "") for each in (self.title, self.type, "id"))
            self._declares = [self._attribute(of, key) for of in self._of]
            for attribute in self._declares:
                attribute.name, attribute.kind = name, kind
            if "edge" in self._of and name == self._weight_name and self._weight is None:
                self._weight = self._declared["edge", key]
        elif path == f"{self.key}/default":
            self._text = []

    def _attribute(self, of: str, key: str) -> _Attribute:
        """Return the attribute of a key, which may be declared after the graph; until then its key is its name."""
        return self._declared.setdefault((of, key), _Attribute(key, "string"))

    def _open_value(self, path: str, attributes: AttributesImpl) -> None:
        if path == f"{getattr(self, self._within)}/{self.value}":
            self._reads = self._attribute(self._within, attributes.get(self.refers, attributes.get("id", "")))
            if self.content:
                self._end_value(attributes.get(self.content))
            else:
                self._text = []

    def _end_value(self, text: str | None) -> None:
        attribute, self._reads = self._reads, None
        if attribute is None or text is None:
            return
        if attribute is self._weight:
            self._value = text
        elif self._options.keep is None or self._options.keep:
            attribute.add(self._row, text)
            self._values += 1

    def endElement(self, name: str) -> None:  # noqa: N802, D102, ARG002 - the name is that of SAX
        path, text, self._text = self._path, self._text, None
        if text is not None and self._within:
            self._end_value("".join(text))
        elif text is not None:
            for attribute in self._declares:
                attribute.default = "".join(text)
        elif path in (self.node, self.edge):
            if self._within == "edge" and self._weight_name is not None:
                self._add_weight(self._value)
            self._within = ""
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
        codes, names = np.array(self._ends, np.int64), list(self._codes)
        vertex = np.array(self._vertex, np.int64)
        missing = np.flatnonzero(vertex[codes] < 0)
        if len(missing):
            problem = f"found an edge with the end {short(names[codes[missing[0]]])}, expected the id of a node"
            raise self._source.error(problem, line=self._lines[missing[0] // 2])
        source, target = np.ascontiguousarray(vertex[codes].astype(index_dtype(self._nodes)).reshape(-1, 2).T)
        weights = np.array(self._weights) if self._weight_name is not None else None
        labels = [names[code] for code in np.argsort(vertex)]
        if self._label.texts and self._label.texts != labels:
            self._declared = {("node", "label"): self._label} | self._declared
        vertices = self._options.vertices_at_least(self._source, self._nodes)
        kept = self._options.kept(self._source, (attribute.name for attribute in self._declared.values()))
        columns, vertex_columns = (
            {
                attribute.name: attribute.column(rows, self._source)
                for (what, _), attribute in self._declared.items()
                if what == of and attribute.name in kept and attribute is not self._weight
            }
            for of, rows in (("edge", len(self._kinds)), ("node", vertices))
        )
        columns.pop("weight", None)  # weights are no column
        kinds = np.array(self._kinds or [self._default_kind])
        directed = bool(kinds.any())
        if self._options.directed is not False and directed:
            back = (kinds != _DIRECTED) & (source != target)
            source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
            weights = None if weights is None else np.concatenate([weights, weights[back]])
            columns = {name: np.concatenate([values, values[back]]) for name, values in columns.items()}
        return Arcs(
            source=source,
            target=target,
            vertices=vertices,
            directed=self._options.direction(directed)[0],
            weights=weights,
            labels=_labels(labels),
            columns=columns,
            vertex_columns=vertex_columns,
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
    scope = ("gexf/graph/attributes", "class")
    key, title, type = "gexf/graph/attributes/attribute", "title", "type"
    untitled = "attribute of edges with the title"
    value, refers, content = "attvalues/attvalue", "for", "value"  # version 1.0 refers by `id`
    own_weight = "weight"
    own_label = True

    start = (
        f'{_DECLARATION}<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
        '  <graph defaultedgetype="{0}">\n{1}    <nodes>\n'
    )
    node_line, edge_line = "      <node id={0} label={1}", '      <edge id="{2}" source={0} target={1}'
    between, end = "    </nodes>\n    <edges>\n", "    </edges>\n  </graph>\n</gexf>\n"
    all_declared = '    <attributes class="{0}">\n{1}    </attributes>\n'
    declared = '      <attribute id="{1}" title={2} type="{3}"/>\n'
    all_values, given = "<attvalues>{}</attvalues>", '<attvalue for="{}" value={}/>'
    quoted = staticmethod(quoteattr)


def _labels(names: list[str]) -> Labels | None:
    """Return the ids of the nodes as labels; None if they are 0, 1, ..., int64 if all are integers."""
    return usable_labels(list(map(int, names)) if all(map(_CANONICAL_INTEGER.match, names)) else names)


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


def column_problem(graph: Graph) -> str | None:
    """Return why attributes of XML cannot hold the columns of a graph, or None if they can."""
    for name, values in (*graph.columns.items(), *graph.vertex_columns.items()):
        kind = _written_type(values)
        if kind is None:
            return f"XML has no attributes for the column {name!r}, which holds {values.dtype}"
        texts = [name, *(filter(None, values.tolist()) if kind == "string" else ())]
        wrong = next((text for text in texts if _NOT_XML.search(text)), None)
        if wrong is not None:
            return f"XML cannot hold the text {wrong!a} of the column {name!r}"
    return None


def _written_type(values: AnyArray) -> str | None:
    """Return the type of the attribute that holds a column, or None if there is none."""
    from triadic.io.arrow_columns import arrow_type  # noqa: PLC0415 - slow to import, and many graphs have no columns

    kinds = {"i": "long", "u": "long", "f": "double", "b": "boolean", "U": "string"}
    if values.dtype.kind != "O":
        return kinds.get(values.dtype.kind) if values.dtype.kind != "u" or values.max(initial=0) < 2**63 else None
    return {"string": "string", "bool": "boolean", "null": "string"}.get(str(arrow_type(values)))


def _texts(values: AnyArray) -> Iterable[str | None]:
    """Return the text of each value of a column, None for a missing one."""
    words = {True: "true", False: "false", None: None}
    if values.dtype.kind == "f":
        return (None if value != value else repr(value) for value in values.tolist())  # noqa: PLR0124 - NaN
    return (words[value] if value is None or isinstance(value, bool) else str(value) for value in values.tolist())


def _lines(elements: type[GraphML], name: str, begins: Iterable[str], columns: Iterable[tuple[str, AnyArray]]) -> bytes:
    """Return some nodes or edges, each from its begin to its end, with its values of the columns, by their keys."""
    cells = [
        ["" if text is None else elements.given.format(key, elements.quoted(text)) for text in _texts(values)]
        for key, values in columns
    ]
    joined = map("".join, zip(*cells, strict=True)) if cells else repeat("")
    ends = (f">{elements.all_values.format(each)}</{name}>\n" if each else "/>\n" for each in joined)
    return "".join(map("".join, zip(begins, ends, strict=False))).encode()


def _write_network(elements: type[GraphML], graph: Graph, path: str) -> None:
    """Write a graph as XML: every vertex by its label or else its number, then every edge, with their columns.

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
    shown = graph.vertex_columns.get("label")
    titles = ids
    if shown is not None:
        titles = [ids[i] if title is None else quoteattr(str(title)) for i, title in enumerate(shown.tolist())]
    kinds = {"node": graph.vertex_columns, "edge": graph.columns}
    own = elements.own_weight
    keys, declared = {}, ""
    for of, named in kinds.items():
        keys[of] = {name: name if name == "weight" else f"{of[0]}{i}" for i, name in enumerate(named)}
        if of == "edge" and own is not None:
            keys[of].pop(own, None)
        lines = (
            elements.declared.format(of, key, quoteattr(name), _written_type(named[name]))
            for name, key in keys[of].items()
        )
        declared += elements.all_declared.format(of, "".join(lines)) if keys[of] else ""
    numbers = count()
    with whole_stream(path) as stream:
        kind = "directed" if graph.directed else "undirected"
        stream.write(elements.start.format(kind, declared).encode())
        for first in range(0, len(ids), _NODES_A_BLOCK):
            some = slice(first, first + _NODES_A_BLOCK)
            begins = map(elements.node_line.format, ids[some], titles[some])
            columns = ((key, graph.vertex_columns[name][some]) for name, key in keys["node"].items())
            stream.write(_lines(elements, "node", begins, columns))
        stream.write(elements.between.encode())
        for block in edge_blocks(graph):
            between = ([ids[vertex] for vertex in end.tolist()] for end in (block.source, block.target))
            begins = map(elements.edge_line.format, *between, numbers)
            if own in block.columns:
                begins = map('{} weight="{}"'.format, begins, map(repr, block.columns[own].tolist()))
            columns = ((key, block.columns[name]) for name, key in keys["edge"].items())
            stream.write(_lines(elements, "edge", begins, columns))
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
            columns="attributes",
            vertex_columns="attributes",
        ),
        label_problem=node_problem,
        column_problem=column_problem,
        attributes=True,
    )


GRAPHML = _format(GraphML, "key `weight`")
GEXF = _format(Gexf, "attribute `weight`")
