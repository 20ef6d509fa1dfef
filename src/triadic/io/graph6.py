"""graph6, sparse6 and digraph6: one graph a line, as nauty, Sage and networkx write them.

Format: https://users.cecs.anu.edu.au/~bdm/data/formats.txt. A character holds six bits, as its code less 63. A line
of graph6 is the number of vertices n and the upper triangle of the adjacency matrix, column by column; of digraph6
(``&``) is n and the whole matrix, row by row; of sparse6 (``:``) n and a list of edges. Lines with the same
n, or in sparse6 with numbers of the same length, are decoded together.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs, Origin
from triadic.core.memory import check_memory
from triadic.core.oriented import index_dtype
from triadic.io.file_source import one_line_end
from triadic.io.format import Format

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array, Uint8Array
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

    Ints = Int64Array

_HEADER = re.compile(rb">>(?:graph6|sparse6|digraph6)<<")
_NOT_CODES = re.compile(rb"[^?-~]")
_MATRIX_BITS = 1 << 26  # bits of adjacency matrices that are decoded together


class GraphLines(NamedTuple):
    """The graphs of a file, whose vertices are numbered through.

    Attributes
    ----------
    ends : int64 array, shape (2, edges)
        Ends of the edges, graph by graph.
    sizes : int64 array, shape (graphs,)
        Number of vertices of each graph.
    directed : bool
    """

    ends: Ints
    sizes: Ints
    directed: bool

    def arcs(self, options: ReadOptions) -> Arcs:
        """Return the edges of all graphs; undirected edges of a directed batch are arcs both ways."""
        directed, decided = options.direction(self.directed)
        ends, n = self.ends, int(self.sizes.sum())
        if directed and not self.directed:
            ends = np.concatenate([ends, ends[::-1]], axis=1)
        source, target = ends.astype(index_dtype(n), order="C")
        return Arcs(source, target, n, directed, origin=Origin(direction=decided))


def read_lines(source: Source, options: ReadOptions) -> GraphLines:
    """Return all graphs of a file.

    Raises
    ------
    ReadError
        The file holds no graph, or a line is damaged; or some graphs are directed and others are not, and the options
        do not drop directions.
    """
    if options.wants_weights:
        raise source.error(f"weights={options.weights!r}: graphs in graph6 have no weights; leave it out")
    text = one_line_end(source.everything())
    header = _HEADER.match(text)
    lines = [(i, line) for i, line in enumerate(text[header.end() if header else 0 :].split(b"\n"), 1) if line]
    if not lines:
        raise source.error("holds no graph, expected one graph a line")
    # The graphs that are decoded together: of one kind and size, or in sparse6 with as many bits for a vertex.
    alike: dict[tuple[bytes, int], list[int]] = {}
    sizes, texts = np.empty(len(lines), np.int64), []
    for i, (number, line) in enumerate(lines):
        mark = line[:1] if line[:1] in (b"&", b":") else b""
        n, codes = _number_of_vertices(source, line[len(mark) :], number)
        sizes[i] = n
        texts.append(codes)
        alike.setdefault((mark, _bits_of_vertex(n) if mark == b":" else n), []).append(i)
    directed = [line.startswith(b"&") for _, line in lines]
    if options.directed is not False and any(directed) != all(directed):
        odd = directed.index(not directed[0])
        first_kind, other = ("directed", "undirected") if directed[0] else ("undirected", "directed")
        raise source.error(
            f"graph {odd} is {other} and graph 0 is {first_kind}; expected one kind, or directed=False "
            "(--undirected) to drop directions",
            line=lines[odd][0],
        )
    check_memory(40 * int(sizes.sum()), f"{source.name} with {sizes.sum():,} vertices")
    first = np.cumsum(sizes) - sizes
    ends, order = [], []
    for (mark, n), members in alike.items():
        step = len(members) if mark == b":" else max(1, _MATRIX_BITS // max(1, n * n))
        for start in range(0, len(members), step):
            part = np.array(members[start : start + step])
            coded, numbers = [texts[i] for i in part], [lines[i][0] for i in part]
            if mark == b":":
                graph, u, v = _sparse(source, coded, numbers, sizes[part])
            else:
                graph, u, v = _matrices(source, coded, numbers, n, square=mark == b"&")
            ends.append(np.stack([u, v]) + first[part][graph])
            order.append(part[graph])
    sort = np.argsort(np.concatenate(order), kind="stable")
    return GraphLines(np.concatenate(ends, axis=1)[:, sort], sizes, any(directed))


def has_several_lines(source: Source) -> bool:
    """Return whether the first bytes of a file hold more than one graph."""
    return len(_HEADER.sub(b"", source.head, count=1).split()) > 1


def _number_of_vertices(source: Source, codes: bytes, line: int) -> tuple[int, bytes]:
    """Return the number of vertices of a graph, and the characters after it."""
    if codes.startswith(b";"):
        raise source.error("found incremental sparse6 (;), expected graph6, sparse6 or digraph6", line=line)
    wrong = _NOT_CODES.search(codes)
    if wrong is not None:
        found = wrong[0].decode("latin-1")
        raise source.error(f"found the character {found!r}, expected characters from '?' to '~'", line=line)
    start, length = (0, 1) if codes[:1] != b"~" else (1, 4) if codes[1:2] != b"~" else (2, 8)
    if len(codes) < length:
        raise source.error("the line ends before the number of vertices does", line=line)
    n = 0
    for code in codes[start:length]:
        n = n << 6 | code - 63
    return n, codes[length:]


def _bits_of_vertex(n: int) -> int:
    return max(n - 1, 0).bit_length()


def _unpacked(codes: bytes) -> Uint8Array:
    """Return the six bits of each character, the highest first: shape (characters, 6)."""
    check_memory(20 * len(codes), f"decoding {len(codes):,} characters of graph6")
    return np.unpackbits((np.frombuffer(codes, np.uint8) - 63)[:, None], axis=1)[:, 2:]


def _matrices(
    source: Source, texts: list[bytes], numbers: list[int], n: int, *, square: bool
) -> tuple[Ints, Ints, Ints]:
    """Return the graph and the ends of each edge of graphs of one size, from their adjacency matrices."""
    cells = n * n if square else n * (n - 1) // 2
    expected = -(-cells // 6)
    for text, number in zip(texts, numbers, strict=True):
        if len(text) != expected:
            raise source.error(
                f"found {len(text)} characters after the number of vertices, expected {expected} for {n} vertices",
                line=number,
            )
    bits = _unpacked(b"".join(texts)).reshape(len(texts), -1)[:, :cells]
    graph, cell = np.nonzero(bits)
    if square:
        u, v = np.divmod(cell, max(n, 1))
        return graph, u, v
    # Column v of the upper triangle holds the cells v (v - 1) / 2 and on.
    columns = np.arange(n + 1)
    v = np.searchsorted(columns * (columns - 1) // 2, cell, side="right") - 1
    return graph, cell - v * (v - 1) // 2, v


def _sparse(source: Source, texts: list[bytes], numbers: list[int], sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the graph and the ends of each edge of graphs of sparse6 whose vertices have as many bits.

    A line is a sequence of pairs of a bit b and a vertex x. The current vertex v, 0 at first, becomes v + b. If x > v,
    then v becomes x, and otherwise (x, v) is an edge. So v is the largest x - B so far, plus B, the sum of the bits b.
    """
    width = _bits_of_vertex(int(sizes[0])) + 1
    lengths = np.array([6 * len(text) for text in texts])
    pairs = lengths // width
    graph = np.repeat(np.arange(len(texts)), pairs)
    place = np.arange(len(graph)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    start = place * width  # of the bits of a pair, within its line
    bits = _unpacked(b"".join(texts)).ravel()
    at = start + (np.cumsum(lengths) - lengths)[graph]
    x = np.zeros(len(at), np.int64)
    for i in range(1, width):
        x = x << 1 | bits[at + i]
    ups = np.cumsum(bits[at], dtype=np.int64)
    ups -= np.concatenate([[0], ups])[np.cumsum(pairs) - pairs][graph]
    # Numbers of a line exceed those of the lines before it, so that the largest one so far is of the same line.
    lift = graph * (x.max(initial=0) + ups.max(initial=0) + 1)
    largest = np.maximum(np.maximum.accumulate(x - ups + lift) - lift, 0)
    v = largest + ups
    previous = np.where(place == 0, 0, np.concatenate([[0], v])[: len(v)])
    is_edge = x <= previous + bits[at]
    beyond = (x >= sizes[graph]) | (v >= sizes[graph])
    # A line is filled up by up to five bits, which may look like pairs; some programs add bytes of ones.
    filler = (bits[at] == 1) & (x == (1 << width - 1) - 1)
    wrong = beyond & (start < lengths[graph] - 5) & ~filler
    if wrong.any():
        i = int(np.argmax(wrong))
        raise source.error(
            f"found an edge of vertex {max(x[i], v[i])}, expected vertices below {sizes[graph[i]]}",
            line=numbers[graph[i]],
        )
    edges = np.flatnonzero(is_edge & ~beyond)
    return graph[edges], x[edges], v[edges]


def _read(source: Source, options: ReadOptions) -> Arcs:
    graphs = read_lines(source, options)
    if len(graphs.sizes) > 1:
        raise source.error(
            f"holds {len(graphs.sizes):,} graphs, expected one; triadic.read_batch (--batch) reads all of them"
        )
    arcs = graphs.arcs(options)
    return replace(arcs, vertices=options.vertices_at_least(source, arcs.vertices))


GRAPH6 = Format(
    name="graph6",
    suffixes=(".g6", ".graph6", ".s6", ".sparse6", ".d6", ".digraph6"),
    recognise=_HEADER.match,
    read=_read,
)
