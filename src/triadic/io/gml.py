"""GML: ``graph [ directed 1 node [ id 1 label "a" ] edge [ source 1 target 2 value 3.5 ] ]``.

Format: M. Himsolt, GML: A portable Graph File Format, Universität Passau (1996). Keys other than ``directed``,
``node``, ``edge`` and, inside these, ``id``, ``label``, ``source``, ``target`` and the weight are skipped at any
depth. Vertices are the nodes in the order of the file; without ``directed 1`` the network is undirected. Further graphs
in one file are not read, and a warning names their number.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.errors import ReadWarning
from triadic.io.format import Format
from triadic.io.gml_items import Items, Tokens, integer_of, labels_of, read_items, weight_names
from triadic.io.identifiers import index_dtype
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.errors import ReadError
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import StreamLimits

# Bytes of memory for each letter of nodes and edges, and the letters from one check to the next.
_BYTES_A_LETTER, _CHECKED_AT_ONCE = 32, 1 << 20


class _Text(Tokens):
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
        checked = 0
        for position, word in self.tokens_of(self.text):
            if position > checked:
                self.source.check_memory(
                    _BYTES_A_LETTER * (min(_CHECKED_AT_ONCE, len(self.text)) + position // 4), position
                )
                checked = position + _CHECKED_AT_ONCE
            yield position, word


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
    _check_weights(source, options)
    text = _Text(source)
    items = read_items(text)
    if items.graphs == 0:
        raise source.error("found no 'graph [' in it, expected GML")
    if items.graphs > 1:
        warnings.warn(
            ReadWarning(f"{source.name}: read the first of {items.graphs} graphs, left out the rest"), stacklevel=3
        )
    vertex = _vertices(text, items)
    names = {number: attributes["label"] for number, (_, attributes) in enumerate(items.nodes) if "label" in attributes}
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
        labels=labels_of(names, list(vertex)),
    )


def _vertices(text: Tokens, items: Items) -> dict[int, int]:
    vertex: dict[int, int] = {}
    for position, attributes in items.nodes:
        number = integer_of(text, position, attributes, "id", "node")
        if number in vertex:
            raise text.error(f"found a second node with the id {number}, expected different ids", position)
        vertex[number] = len(vertex)
    return vertex


def _end(text: Tokens, position: int, attributes: dict[str, str], name: str, vertex: dict[int, int]) -> int:
    number = integer_of(text, position, attributes, name, "edge")
    if number not in vertex:
        raise text.error(f"found an edge with the {name} {number}, expected the id of a node", position)
    return number


def _check_weights(source: Source, options: ReadOptions) -> None:
    if options.wants_weights and not isinstance(options.weights, (str, bool)):
        raise source.error(f"weights={options.weights}: attributes have no order; expected a name or True")


def _weights(text: Tokens, items: Items, options: ReadOptions) -> NDArray[np.float64] | None:
    if not options.wants_weights:
        return None
    names = weight_names(options)
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


# Keys of one line each may stand before the graph: Creator "...", Version 1. The quantifiers are possessive, so that a
# file of another format is given up in one pass.
_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:\s*+(?:#[^\r\n]*+|[A-Za-z]\w*+[ \t]++(?:\"[^\"]*+\"|[-+.\w]++))[ \t]*+[\r\n]++)*+"
    rb"\s*+graph\s*+(?:#[^\r\n]*+\s*+)*+\[",
    re.IGNORECASE,
)


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream | None:
    from triadic.io.gml_stream import UnusualError, open_stream  # noqa: PLC0415 - its kernels take long to import

    _check_weights(source, options)
    try:
        return open_stream(source, options, limits)
    except UnusualError:
        return None


GML = Format(name="gml", suffixes=(".gml",), recognise=_START.match, read=read_gml, stream=_stream)
