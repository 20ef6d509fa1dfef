"""Streams of GML: edges are copied to a temporary file when the stream is opened.

Nodes may stand after the edges between them, and only at the end of a file is it known whether the network is directed.
The ids and labels of nodes are held. Files with a fault are left to the reader of whole files, which says what is
wrong.
"""

from __future__ import annotations

import warnings
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ReadWarning
from triadic.io.arc_stream import VertexStream
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.gml_items import Items, Tokens, integer_of, labels_of, read_items, weight_names
from triadic.io.identifiers import index_dtype
from triadic.io.spilled_pairs import SpilledPairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.stream_passes import StreamLimits

_BYTES_AN_EDGE = 40  # of text, about


class UnusualError(Exception):
    """The file is not read in pieces: the reader of whole files says what is wrong with it."""


class _Pieces(Tokens):
    """The tokens of a file that is read a chunk of lines at a time."""

    def __init__(self, source: Source, chunk_bytes: int, encoding: str) -> None:
        self.source, self._chunk_bytes, self._encoding = source, chunk_bytes, encoding

    def error(self, problem: str, position: int) -> UnusualError:
        """Return the error that leaves the file to the reader of whole files."""
        del position
        return UnusualError(problem)

    def tokens(self) -> Iterator[tuple[int, str]]:
        """Yield the tokens; a quoted text that is not closed in a chunk is read with the next chunk."""
        held: list[str] = []  # from the quote that is not closed
        first = True
        for chunk in self.source.chunks(self._chunk_bytes):
            held.append((chunk.removeprefix(b"\xef\xbb\xbf") if first else chunk).decode(self._encoding))
            first = False
            if len(held) > 1 and '"' not in held[-1]:
                self.source.check_memory(4 * len(chunk) * len(held), len(chunk))
                continue
            text = "".join(held)
            left = text[(yield from self.tokens_of(text, last=False)) :]
            held = [left] if left else []
        yield from self.tokens_of("".join(held))


class _Nodes:
    """The nodes and edges of a graph, which are taken from its lists while it is read."""

    def __init__(self, text: Tokens, weights: tuple[str, ...]) -> None:
        self._text, self._weights = text, weights
        self._found: set[str] = set()  # attributes of weights that an edge has
        self._missing: set[str] = set()  # and those that an edge does not have, or not as a finite number
        self.ids = array("q")
        self.names: dict[int, str] = {}
        self.pairs = SpilledPairs(text.source, np.int64, len(weights))

    def take(self, items: Items, *, last: bool = False) -> None:
        """Take all complete nodes and edges."""
        complete = slice(None) if last else slice(0, -1)
        try:
            for position, attributes in items.nodes[complete]:
                if "label" in attributes:
                    self.names[len(self.ids)] = attributes["label"]
                self.ids.append(integer_of(self._text, position, attributes, "id", "node"))
            ends = [
                np.array([integer_of(self._text, *edge, name, "edge") for edge in items.edges[complete]], np.int64)
                for name in ("source", "target")
            ]
        except OverflowError:
            raise UnusualError from None
        weights = [self._weights_of(items.edges[complete], name) for name in self._weights]
        del items.nodes[complete], items.edges[complete]
        self.pairs.append(ends[0], ends[1], *weights)

    def _weights_of(self, edges: list[tuple[int, dict[str, str]]], name: str) -> NDArray[np.float64]:
        """Return the weights of edges in an attribute, and note whether edges have it."""
        weights = np.full(len(edges), np.nan)
        for place, (_, attributes) in enumerate(edges):
            token = attributes.get(name)
            if token is not None:
                self._found.add(name)
                with suppress(ValueError):
                    weights[place] = float(token.strip('"'))
        if not np.isfinite(weights).all():
            self._missing.add(name)
        return weights

    @property
    def chosen(self) -> slice:
        """The place of the weights that are read among those of the pairs; empty if none are read."""
        if not self._weights:
            return slice(0, 0)
        place = next((place for place, name in enumerate(self._weights) if name in self._found), 0)
        if self.pairs.number and self._weights[place] in self._missing:
            raise UnusualError
        return slice(place, place + 1)


def open_stream(source: Source, options: ReadOptions, limits: StreamLimits) -> VertexStream:
    """Copy the edges of a file to a temporary file, and return them as a stream.

    Raises
    ------
    UnusualError
        The file has a fault, or ids of more than 64 bits.
    """
    chunk_bytes = min(CHUNK_BYTES, _BYTES_AN_EDGE * limits.piece_arcs)
    try:
        items, nodes = _read(_Pieces(source, chunk_bytes, "utf-8"), weight_names(options))
    except UnicodeDecodeError:
        items, nodes = _read(_Pieces(source, chunk_bytes, "latin-1"), weight_names(options))
    if items.graphs == 0:
        raise UnusualError
    ids: NDArray[np.int64] = np.array(nodes.ids, dtype=np.int64)
    pairs = _numbered(source, nodes.pairs, ids, limits.piece_arcs, nodes.chosen)
    vertices = options.vertices_at_least(source, len(ids))
    if items.graphs > 1:
        problem = f"{source.name}: read the first of {items.graphs} graphs, left out the rest"
        warnings.warn(ReadWarning(problem), stacklevel=5)
    return VertexStream(
        lambda: pairs.pieces(0, pairs.number, piece=limits.piece_arcs),
        vertices=vertices,
        arcs=pairs.number,
        directed=items.directed if options.directed is None else options.directed,
        labels=labels_of(nodes.names, nodes.ids),
    )


def _read(text: _Pieces, weights: tuple[str, ...]) -> tuple[Items, _Nodes]:
    nodes = _Nodes(text, weights)
    items = read_items(text, nodes.take)
    nodes.take(items, last=True)
    return items, nodes


def _numbered(source: Source, pairs: SpilledPairs, ids: NDArray[np.int64], piece: int, chosen: slice) -> SpilledPairs:
    """Return pairs of ids as pairs of vertices, with some of their weights."""
    order = np.argsort(ids, kind="stable")
    ordered = ids[order]
    if (ordered[1:] == ordered[:-1]).any():
        raise UnusualError
    numbered = SpilledPairs(source, index_dtype(len(ids)), chosen.stop - chosen.start)
    for found in pairs.pieces(0, pairs.number, piece=piece):
        ends, weights = found[:2], found[2:]
        if not len(ids):
            raise UnusualError
        places = [np.minimum(np.searchsorted(ordered, end), len(ids) - 1) for end in ends]
        if any((ordered[place] != end).any() for place, end in zip(places, ends, strict=True)):
            raise UnusualError
        numbered.append(order[places[0]], order[places[1]], *weights[chosen])
    return numbered
