"""Networks in texts that are read whole and word by word: GML, and the simple interaction format of Cytoscape, SIF.

GML: ``graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 2 value 3.5 ] ]``. M. Himsolt, GML: A portable
Graph File Format, Universität Passau (1996). Vertices are the nodes in the order of the file; without ``directed 1``
the network is undirected. Keys of nodes and edges that hold a number or a text are columns, besides ``id``, ``source``,
``target``, the label of a node and the weight; all others are skipped at any depth. Further graphs in one file are not
read, and a warning names their number.

SIF: a source, an interaction and its targets in each line.
https://manual.cytoscape.org/en/stable/Supported_Network_File_Formats.html#sif-format. Tabs separate the names of a file
that holds a tab; otherwise blanks do. A line with one name is a vertex without an edge of that line. SIF has no
direction: Cytoscape shows the edges of an undirected and of a directed network alike.
"""

from __future__ import annotations

import html
import re
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from triadic.core.arcs import Arcs, Origin
from triadic.core.oriented import index_dtype
from triadic.graph.labels import usable_labels
from triadic.io.file_source import short
from triadic.io.format import Format
from triadic.io.number_rows import as_number
from triadic.io.text_layout import NUMBER_ID, refuse_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.errors import ReadError
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_TOKENS = re.compile(r"""\s*+(?:(?P<token>"[^"]*+"|[\[\]]|[^\s\[\]"]++)|(?P<open>")|\Z)""")
_KEY = re.compile(r"[A-Za-z_]\w*\Z")
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
_NAMED = frozenset(("graph", "directed", "node", "edge", "id", "label", "source", "target", "weight", "value"))
# Bytes of memory for each letter of nodes and edges, or of names, and the letters from one check to the next.
_BYTES_A_LETTER, _CHECKED_AT_ONCE = 32, 1 << 20

_Item: TypeAlias = "tuple[int, dict[str, str]]"
"""The position of a node or an edge in the text, and its attributes."""


class _Text:
    """The text of a GML file; errors name the line of a position in it."""

    def __init__(self, source: Source) -> None:
        held = source.everything().removeprefix(b"\xef\xbb\xbf")
        # Python holds text with a letter beyond the basic plane in four bytes a letter.
        source.check_memory(len(held) if held.isascii() else 4 * len(held), len(held))
        self.source = source
        try:
            self.text = held.decode("utf-8")
        except UnicodeDecodeError:
            # The format prescribes ASCII with character entities; text that is not UTF-8 is nearly always Latin-1.
            self.text = held.decode("latin-1")

    def error(self, problem: str, position: int) -> ReadError:
        return self.source.error(problem, line=self.text.count("\n", 0, position) + 1)

    def tokens(self) -> Iterator[tuple[int, str]]:
        """Yield the words, quoted texts and brackets with their positions."""
        text, position, checked = self.text, 0, 0
        while (match := _TOKENS.match(text, position)) is not None and match.lastgroup is not None:
            token, start, position = match[match.lastgroup], match.start(match.lastgroup), match.end()
            if match["open"]:
                raise self.error("found a quote that is not closed, expected it to end", start)
            if token.startswith("#") and not text[text.rfind("\n", 0, start) + 1 : start].strip():
                position = text.find("\n", position) % (len(text) + 1)  # the end of the text without a further line
                continue
            if start > checked:
                self.source.check_memory(_BYTES_A_LETTER * (min(_CHECKED_AT_ONCE, len(text)) + start // 4), start)
                checked = start + _CHECKED_AT_ONCE
            yield start, token

    def id(self, item: _Item, element: str, name: str) -> int | str:
        """Return an attribute of a node or an edge that is an id: an integer, or of some writers a text."""
        position, attributes = item
        token = attributes.get(name)
        if token is None:
            raise self.error(f"found {element} without {name!r}", position)
        bare = token.strip('"')
        return int(bare) if _INTEGER.match(bare) else html.unescape(bare)


def read_gml(source: Source, options: ReadOptions) -> Arcs:
    """Read the first graph of a GML file.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights`` is the name of an attribute of edges; True is ``weight`` or else ``value``.

    Returns
    -------
    Arcs
        The labels are those of the nodes. If no node has a label, the ids are the labels, unless they are 0, 1, ...

    Raises
    ------
    ReadError
        The file is not GML, an id is missing or repeated, an edge has an end that is no node or has no weight.
    """
    if options.wants_weights and not isinstance(options.weights, (str, bool)):
        raise source.error(f"weights={options.weights}: attributes have no order; expected a name or True")
    text = _Text(source)
    graphs, nodes, edges = _items(text)
    if not graphs:
        raise source.error("found no 'graph [' in it, expected GML")
    if len(graphs) > 1:
        source.warn(f"read the first of {len(graphs)} graphs, left out the rest")
    vertex: dict[int | str, int] = {}
    for node in nodes:
        number = text.id(node, "a node", "id")
        if number in vertex:
            raise text.error(f"found a second node with the id {number}, expected different ids", node[0])
        vertex[number] = len(vertex)
    ends = []
    for edge in edges:
        for name in ("source", "target"):
            number = text.id(edge, "an edge", name)
            if number not in vertex:
                raise text.error(f"found an edge with the {name} {number}, expected the id of a node", edge[0])
            ends.append(vertex[number])
    labels = usable_labels(list(vertex))
    names = [attributes.get("label") for _, attributes in nodes]
    if any(name is not None for name in names):  # a node without a label has its id as one
        both = zip(vertex, names, strict=True)
        words = [str(number) if name is None else html.unescape(name.strip('"')) for number, name in both]
        labels = np.array(words, np.object_)
    of_nodes, of_edges = ({name for _, attributes in items for name in attributes} for items in (nodes, edges))
    weight = _weight_name(of_edges, options)
    weights = None if weight is None else _weights(text, edges, weight)
    of_nodes, of_edges = of_nodes - {"id", "label"}, of_edges - {"source", "target", "weight", weight or ""}
    kept = options.kept(source, of_nodes | of_edges) - ({"value"} if options.keep is None else set())
    first, second = np.ascontiguousarray(np.array(ends, index_dtype(len(vertex))).reshape(-1, 2).T)
    return Arcs(
        source=first,
        target=second,
        vertices=options.vertices_at_least(source, len(vertex)),
        directed=options.direction(graphs[0].get("directed") == "1")[0],
        weights=weights,
        labels=labels,
        columns={name: _column(edges, name) for name in sorted(of_edges & kept)},
        vertex_columns={name: _column(nodes, name) for name in sorted(of_nodes & kept)},
    )


def _items(text: _Text) -> tuple[list[dict[str, str]], list[_Item], list[_Item]]:
    """Return the attributes of each graph, and the nodes and edges of the first one.

    A stack of open brackets has no largest depth, unlike recursion.
    """
    graphs: list[dict[str, str]] = []
    items: dict[str, list[_Item]] = {"node": [], "edge": []}
    opened: list[tuple[str, dict[str, str]]] = [("", {})]
    key, position = "", 0
    for position, word in text.tokens():
        if word == "]":
            if key or len(opened) == 1:
                raise text.error("found ']', expected a value" if key else "found ']' without a '['", position)
            opened.pop()
        elif not key:
            if not _KEY.match(word):
                raise text.error(f"found {short(word)}, expected a key", position)
            key = word.lower() if word.lower() in _NAMED else word
        elif word == "[":
            attributes: dict[str, str] = {}
            if len(opened) == 1 and key == "graph":
                graphs.append(attributes)
            elif len(opened) == 2 and opened[1][0] == "graph" and len(graphs) == 1 and key in items:
                items[key].append((position, attributes))
            opened.append((key, attributes))
            key = ""
        else:
            opened[-1][1].setdefault(key, word)
            key = ""
    inside = key if len(opened) == 1 else opened[-1][0]
    if inside:
        raise text.error(f"the file ends inside {inside!r}, expected ']'", position)
    return graphs, items["node"], items["edge"]


def _column(items: list[_Item], name: str) -> AnyArray:
    """Return an attribute of all nodes or edges: numbers if all values are, otherwise texts; missing ones stay so."""
    tokens = [attributes.get(name) for _, attributes in items]
    present = [token for token in tokens if token is not None]
    if None in map(as_number, present):
        return np.array([None if token is None else html.unescape(token.strip('"')) for token in tokens], object)
    if len(present) == len(tokens) and all(_INTEGER.match(token) and abs(int(token)) < 2**63 for token in present):
        return np.array(list(map(int, present)), np.int64)
    return np.array([np.nan if token is None else as_number(token) for token in tokens], np.float64)


def _weight_name(names: Iterable[str], options: ReadOptions) -> str | None:
    """Return the attribute of edges that holds the weights, None without weights."""
    if not options.wants_weights:
        return None
    if not isinstance(options.weights, str):
        return "value" if "value" in names and "weight" not in names else "weight"
    asked = options.weights.lower()
    return next((name for name in names if name.lower() == asked), asked)


def _weights(text: _Text, edges: list[_Item], name: str) -> Float64Array:
    weights = []
    for position, attributes in edges:
        token = attributes.get(name)
        if token is None:
            raise text.error(f"found an edge without {name!r}, expected a weight on each", position)
        weight = as_number(token.strip('"'))
        if weight is None or not isfinite(weight):
            raise text.error(f"found the {name} {short(token)}, expected a finite number", position)
        weights.append(weight)
    return np.array(weights, np.float64)


# Keys of one line each may stand before the graph: Creator "...", Version 1. Quantifiers of characters are possessive,
# so that a file of another format is given up in one pass; those of groups are not: Python 3.11.2 matches them wrongly.
_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:\s*+(?:#[^\r\n]*+|[A-Za-z]\w*+[ \t]++(?:\"[^\"]*+\"|[-+.\w]++))[ \t]*+[\r\n]++)*"
    rb"\s*+graph\s*+(?:#[^\r\n]*+\s*+)*\[",
    re.IGNORECASE,
)


GML = Format(name="gml", suffixes=(".gml",), recognise=_START.match, read=read_gml, attributes=True)


_LINE_BYTES = 48
_COLUMNS = "columns 0 → 2 and after, interaction in column 1"


def read_sif(source: Source, options: ReadOptions) -> Arcs:
    """Read a network in SIF.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        Weights are refused: SIF has none.

    Returns
    -------
    Arcs
        One for each source and target, in the order of the file. The names are labels, in the order in which they
        appear; names that are all integers become integers.

    Raises
    ------
    ReadError
        A line has a source and an interaction without a target, or holds bytes that are not UTF-8.
    """
    if options.wants_weights:
        raise source.error("SIF has no weights; expected no weights=")
    refuse_binary(source)
    content = source.everything().removeprefix(b"\xef\xbb\xbf")
    lines = content.count(b"\n") + content.count(b"\r")
    source.check_memory(_LINE_BYTES * lines + len(content), len(content))
    read = checked = 0
    tabs = b"\t" in content
    codes: dict[str, int] = {}
    ends: list[int] = []
    for number, line in enumerate(content.splitlines(), 1):
        read += len(line) + 1
        if read > checked:
            checked = read + _CHECKED_AT_ONCE
            source.check_memory(_BYTES_A_LETTER * (len(line) + min(_CHECKED_AT_ONCE, len(content)) + read // 4), read)
        try:
            text = line.decode()
        except UnicodeDecodeError:
            raise source.error("found bytes that are not UTF-8, expected text in UTF-8", line=number) from None
        words = [word for cell in text.split("\t") if (word := cell.strip())] if tabs else text.split()
        if len(words) == 2:
            problem = f"found a source and one more name ({short(text)}), expected a source, an interaction and targets"
            raise source.error(problem, line=number)
        here = [codes.setdefault(name, len(codes)) for name in (*words[:1], *words[2:])]
        for target in here[1:]:
            ends += here[0], target
    pairs: AnyArray = np.array(ends, np.int64).reshape(-1, 2).T
    labels: AnyArray = np.array(list(codes), np.object_)
    if all(NUMBER_ID.match(name) and len(name) < 19 for name in codes):
        numbers, rank = np.unique(labels.astype(np.int64), return_inverse=True)
        if len(numbers) == len(labels):  # 7 and 07 are different names
            pairs, labels = rank[pairs], numbers
    count = len(labels) if options.num_vertices is None else options.num_vertices
    if count < len(labels):
        raise source.error(f"found {len(labels)} different names, expected at most num_vertices={count}")
    directed, decided = options.direction(None)
    first, second = pairs.astype(index_dtype(count), order="C")
    named = labels if len(labels) else None
    return Arcs(first, second, count, directed, labels=named, origin=Origin(_COLUMNS, decided))


SIF = Format(name="sif", suffixes=(".sif",), read=read_sif)
