"""Networks in XML, parsed element by element: the common part of GraphML and GEXF.

The parser is expat behind defusedxml: entities are not expanded and nothing outside the file is read. The document is
never in memory as a tree: only the ids of nodes and the ends, kinds and weights of edges are held.
"""

from __future__ import annotations

import re
from array import array
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
from triadic.io.identifiers import index_dtype
from triadic.io.text_layout import short
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from xml.sax.xmlreader import AttributesImpl, Locator

    from triadic.core.array_types import AnyArray
    from triadic.graph.graph import Graph
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

UNDIRECTED, DIRECTED, MUTUAL = 0, 1, 2

_MOST_NESTED = 256  # groups of GEXF and GraphML may be nested, seldom more than twice
_BLOCK_BYTES = 1 << 20
# Bytes of memory for each byte of a block that is parsed, and for the result.
_PARSED_AT_ONCE, _BYTES_A_NODE, _BYTES_AN_EDGE = 32, 48, 64
_NODES_A_BLOCK = 1 << 16
_CANONICAL_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,18})\Z")
_NOT_XML = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


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


class NetworkHandler(ContentHandler):
    """Collects the nodes and edges of one network; a subclass maps elements of its format to them.

    Parameters
    ----------
    source : Source
    options : ReadOptions

    Attributes
    ----------
    path : list of str
        Names of the open elements. Elements of another namespace than the root's keep their prefix.
    default_kind : int
        Kind of the edges that do not state theirs: UNDIRECTED, DIRECTED or MUTUAL.
    weight_name : str or None
        Name of the edge attribute that is read as the weight.
    """

    root = ""
    kinds: dict[str, int]

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__()
        if options.wants_weights and not isinstance(options.weights, (str, bool)):
            raise source.error(f"weights={options.weights}: attributes have no order; expected a name or True")
        self.source, self.options = source, options
        self.path: list[str] = []
        self.default_kind = UNDIRECTED
        self.weight_name: str | None = None
        if options.wants_weights:
            self.weight_name = options.weights if isinstance(options.weights, str) else "weight"
        self._prefix = ""
        self._locator: Locator | None = None
        self._text: list[str] | None = None
        # Every id by a code, in order of appearance; the vertex of each code, -1 before its node is read.
        self._codes: dict[str, int] = {}
        self._vertex = array("q")
        self._nodes = 0
        self._first_line: dict[int, int] = {}  # of ids that an edge names before their node
        self._ends = array("q"), array("q")
        self._kinds = array("b")
        self._weights = array("d")

    def opened(self, attributes: AttributesImpl) -> None:
        """Handle the start of the element at the end of ``path``."""

    def closed(self, text: str | None) -> None:
        """Handle the end of the element at the end of ``path``; its text is None unless :meth:`collect` was called."""

    def collect(self) -> None:
        """Collect the text of the element that was just opened."""
        self._text = []

    @property
    def line(self) -> int | None:
        """Line of the file that is being parsed."""
        return None if self._locator is None else self._locator.getLineNumber()

    @property
    def further_bytes(self) -> int:
        """Bytes of memory that the nodes and edges read so far still take, as arrays and labels."""
        return _BYTES_A_NODE * len(self._codes) + _BYTES_AN_EDGE * len(self._kinds)

    def error(self, problem: str) -> ReadError:
        """Return the error for the element that is being parsed."""
        return self.source.error(problem, line=self.line)

    def add_node(self, attributes: AttributesImpl) -> None:
        """Add the next vertex."""
        code = self._code(self._required(attributes, "node", "id"))
        if self._vertex[code] >= 0:
            raise self.error(f"found a second node with the id {short(attributes['id'])}, expected different ids")
        self._vertex[code] = self._nodes
        self._nodes += 1
        self._first_line.pop(code, None)

    def add_edge(self, attributes: AttributesImpl, kind: str | None) -> None:
        """Add an edge; `kind` is the word of the file for its kind, None for the default."""
        for name, codes in zip(("source", "target"), self._ends, strict=True):
            code = self._code(self._required(attributes, "edge", name))
            if self._vertex[code] < 0:
                self._first_line.setdefault(code, self.line or 0)
            codes.append(code)
        self._kinds.append(self.default_kind if kind is None else self.kind(kind))

    def kind(self, word: str) -> int:
        """Return the kind of edges for a word of the file."""
        if word not in self.kinds:
            raise self.error(f"found edges that are {short(word)}, expected {' or '.join(self.kinds)}")
        return self.kinds[word]

    def add_weight(self, text: str | None) -> None:
        """Add the weight of the edge that was added last."""
        if text is None:
            raise self.error(f"found an edge without {self.weight_name!r}, expected a weight on each")
        try:
            weight = np.nan if "_" in text else float(text)
        except ValueError:
            weight = np.nan
        if not np.isfinite(weight):
            raise self.error(f"found the {self.weight_name} {short(text.strip())}, expected a finite number")
        self._weights.append(weight)

    def arcs(self) -> Arcs:
        """Return the arcs of the network.

        A network with a directed edge is directed, and then each of its undirected edges is two arcs.
        """
        vertex = np.array(self._vertex, dtype=np.int64)
        missing = np.flatnonzero(vertex < 0)
        if len(missing):
            code = min(missing.tolist(), key=self._first_line.__getitem__)
            name = next(name for name, other in self._codes.items() if other == code)
            problem = f"found an edge with the end {short(name)}, expected the id of a node"
            raise self.source.error(problem, line=self._first_line[code])
        dtype = index_dtype(self._nodes)
        ends: list[AnyArray] = [vertex[np.array(codes, dtype=np.int64)].astype(dtype) for codes in self._ends]
        source, target = ends
        weights = np.array(self._weights, dtype=np.float64) if self.weight_name is not None else None
        kinds = np.array(self._kinds, dtype=np.int8)
        directed = bool((kinds != UNDIRECTED).any()) if len(kinds) else self.default_kind != UNDIRECTED
        if self.options.directed is not False and directed:
            back = (kinds != DIRECTED) & (source != target)
            source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
            weights = None if weights is None else np.concatenate([weights, weights[back]])
        names = [""] * self._nodes
        for name, place in zip(self._codes, self._vertex, strict=True):
            names[place] = name
        return Arcs(
            source=source,
            target=target,
            vertices=self.options.vertices_at_least(self.source, self._nodes),
            directed=directed if self.options.directed is None else self.options.directed,
            weights=weights,
            labels=_labels(names),
        )

    def _code(self, name: str) -> int:
        code = self._codes.setdefault(name, len(self._codes))
        if code == len(self._vertex):
            self._vertex.append(-1)
        return code

    def _required(self, attributes: AttributesImpl, element: str, name: str) -> str:
        value = attributes.get(name)
        if value is None:
            raise self.error(f"found {'an' if element == 'edge' else 'a'} {element} without {name!r}")
        return str(value)

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802, D102 - the name is that of SAX
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802, D102 - the name is that of SAX
        prefix, _, local = name.rpartition(":")
        if not self.path:
            if local != self.root:
                raise self.error(f"found the root element {short(name)}, expected {self.root!r}")
            self._prefix = prefix
        if len(self.path) == _MOST_NESTED:
            raise self.error(f"its elements are nested {_MOST_NESTED + 1} deep, expected at most {_MOST_NESTED}")
        self.path.append(local if prefix == self._prefix else name)
        self.opened(attrs)

    def endElement(self, name: str) -> None:  # noqa: N802, D102, ARG002 - the name is that of SAX
        text = None if self._text is None else "".join(self._text)
        self._text = None
        self.closed(text)
        self.path.pop()

    def characters(self, content: str) -> None:  # noqa: D102 - documented by SAX
        if self._text is not None:
            self._text.append(content)

    def skippedEntity(self, name: str) -> None:  # noqa: N802, D102 - the name is that of SAX
        raise self.error(f"found the entity {short(name)}, which is not declared in the file")


def read_network(handler: NetworkHandler) -> Arcs:
    """Parse the file of a handler and return its arcs.

    Raises
    ------
    ReadError
        The file is not well-formed XML, declares entities, refers to an external DTD, or is not what the handler
        expects.
    """
    source = handler.source
    parser = DefusedExpatParser(forbid_dtd=False, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(handler)
    handler.setDocumentLocator(parser)  # which parsing by `feed` leaves out
    text = 0
    with source.stream() as stream:
        try:
            while block := stream.read(_BLOCK_BYTES):
                text += len(block)
                source.check_memory(_PARSED_AT_ONCE * len(block) + handler.further_bytes, text)
                parser.feed(bytes(block))
            parser.close()
        except ReadError:
            raise
        except SAXParseException as error:
            line = error.getLineNumber()
            raise source.error(f"is not well-formed XML ({error.getMessage()})", line=line) from None
        except ExternalReferenceForbidden:
            problem = "refers to an external DTD, which is not read; expected a file without the DOCTYPE line"
            raise source.error(problem, line=handler.line) from None
        except DefusedXmlException:
            problem = "declares an XML entity; entities are not expanded, expected a file without them"
            raise source.error(problem, line=handler.line) from None
        except (ValueError, LookupError) as error:
            words = " ".join(str(error).split())[:200]
            raise source.error(f"has an encoding that cannot be read ({words})", line=handler.line) from None
    return handler.arcs()


def _labels(names: list[str]) -> AnyArray | None:
    """Return the ids of the nodes as labels; None if they are 0, 1, ..., int64 if all are integers."""
    if all(map(_CANONICAL_INTEGER.match, names)):
        numbers = [int(name) for name in names]
        if numbers == list(range(len(names))):
            return None
        if min(numbers) >= -(2**63) and max(numbers) < 2**63:
            return np.array(numbers, dtype=np.int64)
    labels = np.empty(len(names), dtype=np.object_)
    labels[:] = names
    return labels


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
    read_back = _labels(names)
    if read_back is None or read_back.dtype != np.object_:
        return "the labels are strings, all of them integers, which are read as numbers"
    return None


def write_network(
    graph: Graph,
    path: str,
    *,
    start: str,
    node: Callable[[str], str],
    between: str,
    edge: Callable[[int, str, str, float | None], str],
    end: str,
) -> None:
    """Write a graph as XML: every vertex by its label or else its number, then every edge.

    Parameters
    ----------
    graph : Graph
    path : str
    start, between, end : str
        Text before the nodes, between nodes and edges, and after the edges.
    node : callable
        Returns the line of a node from its id, which is quoted and escaped.
    edge : callable
        Returns the line of an edge from its number, the two quoted ids, and the weight or None.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    labels = stated_labels(graph)
    names: Iterable[Any] = range(graph.num_vertices) if labels is None else labels.tolist()
    ids = [quoteattr(str(name)) for name in names]
    number = 0
    with whole_stream(path) as stream:
        stream.write(start.encode())
        for first in range(0, len(ids), _NODES_A_BLOCK):
            stream.write("".join(map(node, ids[first : first + _NODES_A_BLOCK])).encode())
        stream.write(between.encode())
        for block in edge_blocks(graph):
            weights = [None] * len(block.source) if block.weights is None else block.weights.tolist()
            lines = []
            for u, v, weight in zip(block.source.tolist(), block.target.tolist(), weights, strict=True):
                lines.append(edge(number, ids[u], ids[v], weight))
                number += 1
            stream.write("".join(lines).encode())
        stream.write(end.encode())
