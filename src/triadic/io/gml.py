"""GML: ``graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 2 value 3.5 ] ]``.

Format: M. Himsolt, GML: A portable Graph File Format, Universität Passau (1996). Keys other than ``directed``,
``node``, ``edge`` and, inside these, ``id``, ``label``, ``source``, ``target`` and the weight are skipped at any
depth. Vertices are the nodes in the order of the file; without ``directed 1`` the network is undirected. Further graphs
in one file are not read, and a warning names their number.
"""

from __future__ import annotations

import html
import re
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.format import Format
from triadic.io.identifiers import index_dtype
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triadic.core.array_types import Float64Array, Int64Array, ObjectArray
    from triadic.errors import ReadError
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_TOKENS = re.compile(
    r"""\s*+(?:(?P<string>"[^"]*+")
    |(?P<bracket>[\[\]])
    |(?P<word>[^\s\[\]"]++)
    |(?P<open>")
    |(?P<end>\Z))""",
    re.VERBOSE,
)
_KEY = re.compile(r"[A-Za-z_]\w*\Z")
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
# Bytes of memory for each letter of nodes and edges, and the letters from one check to the next.
_BYTES_A_LETTER, _CHECKED_AT_ONCE = 32, 1 << 20


@dataclass(slots=True)
class _Items:
    """The attributes of each node and edge of the first graph, and the position in the text where each begins."""

    directed: bool = False
    graphs: int = 0
    nodes: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    edges: list[tuple[int, dict[str, str]]] = field(default_factory=list)


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
        line = self.text.count("\n", 0, position) + 1
        return self.source.error(problem, line=line)

    def tokens(self) -> Iterator[tuple[int, str]]:
        """Yield the words, quoted texts and brackets with their positions."""
        text, position, checked = self.text, 0, 0
        while (match := _TOKENS.match(text, position)) is not None and match.lastgroup != "end":
            kind = match.lastgroup or ""
            if kind == "open":
                raise self.error("found a quote that is not closed, expected it to end", match.start(kind))
            start, position = match.start(kind), match.end()
            if match[kind].startswith("#") and not text[text.rfind("\n", 0, start) + 1 : start].strip():
                end_of_line = text.find("\n", position)
                position = len(text) if end_of_line < 0 else end_of_line
                continue
            if start > checked:
                self.source.check_memory(_BYTES_A_LETTER * (min(_CHECKED_AT_ONCE, len(text)) + start // 4), start)
                checked = start + _CHECKED_AT_ONCE
            yield start, match[kind]


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
    items = _read_items(text)
    if items.graphs == 0:
        raise source.error("found no 'graph [' in it, expected GML")
    if items.graphs > 1:
        warnings.warn(
            ReadWarning(f"{source.name}: read the first of {items.graphs} graphs, left out the rest"),
            stacklevel=stack_level_of_caller(),
        )
    vertex = _vertices(text, items)
    ends = [
        [vertex[_end(text, position, attributes, name, vertex)] for position, attributes in items.edges]
        for name in ("source", "target")
    ]
    dtype = index_dtype(len(vertex))
    return Arcs(
        source=np.array(ends[0], dtype=dtype),
        target=np.array(ends[1], dtype=dtype),
        vertices=options.vertices_at_least(source, len(vertex)),
        directed=items.directed if options.directed is None else options.directed,
        weights=_weights(text, items, options),
        labels=_labels(vertex, [attributes.get("label") for _, attributes in items.nodes]),
    )


def _read_items(text: _Text) -> _Items:
    """Read the pairs of key and value with a stack of open brackets, which unlike recursion has no largest depth."""
    items = _Items()
    stack: list[str] = []
    current: dict[str, str] = {}
    key: str | None = None
    position = -1
    for position, word in text.tokens():
        if word == "]":
            if key is not None or not stack:
                raise text.error("found ']', expected a value" if key else "found ']' without a '['", position)
            stack.pop()
        elif key is None:
            if not _KEY.match(word):
                raise text.error(f"found {short(word)}, expected a key", position)
            key = word.lower()
        elif word == "[":
            current = _opened(items, stack, key, position, current)
            stack.append(key)
            key = None
        else:
            _valued(items, stack, key, word, current)
            key = None
    if stack or key is not None:
        raise text.error(f"the file ends inside {stack[-1] if stack else key!r}, expected ']'", max(position, 0))
    return items


def _opened(items: _Items, stack: list[str], key: str, position: int, current: dict[str, str]) -> dict[str, str]:
    if not stack and key == "graph":
        items.graphs += 1
    if items.graphs == 1 and stack == ["graph"] and key in ("node", "edge"):
        (items.nodes if key == "node" else items.edges).append((position, current := {}))
    return current


def _valued(items: _Items, stack: list[str], key: str, word: str, current: dict[str, str]) -> None:
    if items.graphs != 1:
        return
    if stack == ["graph"] and key == "directed":
        items.directed = word == "1"
    elif len(stack) == 2 and stack[0] == "graph" and stack[1] in ("node", "edge"):
        current.setdefault(key, word)


def _integer(text: _Text, position: int, attributes: dict[str, str], name: str, kind: str) -> int:
    """Return an attribute of a node or an edge that is an integer."""
    token = attributes.get(name)
    if token is None:
        raise text.error(f"found {'an' if kind == 'edge' else 'a'} {kind} without {name!r}", position)
    # Some writers put ids in quotes.
    if not _INTEGER.match(bare := token.strip('"')):
        raise text.error(f"found the {name} {short(token)}, expected an integer", position)
    return int(bare)


def _labels(ids: Iterable[int], names: list[str | None]) -> Int64Array | ObjectArray | None:
    """Return the labels of nodes: those in the file, and the id of a node without one."""
    labels = np.empty(len(names), dtype=np.object_)
    if any(name is not None for name in names):
        labels[:] = [
            str(node) if name is None else html.unescape(name.strip('"')) for node, name in zip(ids, names, strict=True)
        ]
        return labels
    if all(number == node for number, node in enumerate(ids)):
        return None
    if all(-(2**63) <= number < 2**63 for number in ids):
        return np.array(list(ids), dtype=np.int64)
    labels[:] = [str(number) for number in ids]
    return labels


def _vertices(text: _Text, items: _Items) -> dict[int, int]:
    vertex: dict[int, int] = {}
    for position, attributes in items.nodes:
        number = _integer(text, position, attributes, "id", "node")
        if number in vertex:
            raise text.error(f"found a second node with the id {number}, expected different ids", position)
        vertex[number] = len(vertex)
    return vertex


def _end(text: _Text, position: int, attributes: dict[str, str], name: str, vertex: dict[int, int]) -> int:
    number = _integer(text, position, attributes, name, "edge")
    if number not in vertex:
        raise text.error(f"found an edge with the {name} {number}, expected the id of a node", position)
    return number


def _weights(text: _Text, items: _Items, options: ReadOptions) -> Float64Array | None:
    if not options.wants_weights:
        return None
    names = (options.weights.lower(),) if isinstance(options.weights, str) else ("weight", "value")
    name = next((name for name in names if any(name in attributes for _, attributes in items.edges)), names[0])
    weights = np.empty(len(items.edges), dtype=np.float64)
    for place, (position, attributes) in enumerate(items.edges):
        token = attributes.get(name)
        if token is None:
            raise text.error(f"found an edge without {name!r}, expected a weight on each", position)
        try:
            weights[place] = float(token.strip('"'))
        except ValueError:
            weights[place] = np.nan
        if not np.isfinite(weights[place]):
            raise text.error(f"found the {name} {short(token)}, expected a finite number", position)
    return weights


# Keys of one line each may stand before the graph: Creator "...", Version 1. Quantifiers of characters are possessive,
# so that a file of another format is given up in one pass; those of groups are not: Python 3.11.2 matches them wrongly.
_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:\s*+(?:#[^\r\n]*+|[A-Za-z]\w*+[ \t]++(?:\"[^\"]*+\"|[-+.\w]++))[ \t]*+[\r\n]++)*"
    rb"\s*+graph\s*+(?:#[^\r\n]*+\s*+)*\[",
    re.IGNORECASE,
)


GML = Format(name="gml", suffixes=(".gml",), recognise=_START.match, read=read_gml)
