"""Streams of Pajek networks: links are copied to a temporary file when the stream is opened.

Only at the end of a file is it known whether the network is directed and which sections have links. The lines of
``*Vertices`` are held, and so are the links of a section of edges if it has to be combined with arcs or other sections.
Files with a fault are left to the reader of whole files, which says what is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.arc_stream import VertexStream
from triadic.io.file_source import CHUNK_BYTES
from triadic.io.identifiers import index_dtype
from triadic.io.number_rows import NotNumbersError, without_comments
from triadic.io.pajek_sections import (
    HEADING,
    Links,
    NetworkSections,
    PajekFile,
    Section,
    both_ways,
    nonzero_of_matrix,
    once,
    read_links,
    section_of,
)
from triadic.io.spilled_pairs import SpilledPairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions
    from triadic.io.spilled_pairs import Pairs
    from triadic.io.stream_passes import StreamLimits

    Labels = Callable[[PajekFile, Section, int], NDArray[np.object_] | None]

_BYTES_A_LINK = 8  # of text, about
_HELD_LINK_BYTES = 120  # of a link while the links of a section are compared with each other


class UnusualError(Exception):
    """The file is not read in pieces: the reader of whole files says what is wrong with it."""


@dataclass(slots=True)
class _Part:
    """The links of one section in the temporary file; `numbers` counts those of a matrix."""

    section: Section
    start: int
    stop: int = 0
    numbers: int = 0

    @property
    def undirected(self) -> bool:
        """Whether the links are edges."""
        return self.section.keyword.startswith("edges")


class _Text(PajekFile):
    """A part of the text of one section."""

    def __init__(self, source: Source, held: bytes) -> None:
        self.source, self.held, self.sections = source, held, []

    def chunks(self, section: Section) -> Iterator[bytes]:
        """Yield the lines that are not comments."""
        del section
        yield without_comments(self.held)

    def error(self, problem: str, section: Section, *, row: int | None = None) -> UnusualError:  # type: ignore[override]
        """Return the error that leaves the file to the reader of whole files."""
        del section, row
        return UnusualError(problem)


class _Network:
    """The first network of a file as its text comes in: the lines of vertices, and links in a temporary file."""

    def __init__(self, source: Source, sizes_of: Callable[[str], tuple[int, int]], *, weighted: bool) -> None:
        self._source, self._sizes_of, self._weighted = source, sizes_of, weighted
        self.sections = NetworkSections()
        self.vertices = self.first_set = 0
        self.lines: list[bytes] = []  # of `*Vertices`
        self.pairs: SpilledPairs | None = None
        self.parts: list[_Part] = []
        self._in_vertices = False
        self._part: _Part | None = None

    def begin(self, heading: bytes) -> None:
        """Begin a section."""
        self.end()
        section = section_of(heading)
        kind = self.sections.add(section)
        if kind is None:
            raise UnusualError
        self._in_vertices = kind == "vertices"
        if self._in_vertices:
            self.vertices, self.first_set = self._sizes_of(section.rest)
            self.pairs = SpilledPairs(self._source, index_dtype(self.vertices), int(self._weighted))
        elif kind == "links":
            if self.pairs is None:
                raise UnusualError
            self._part = _Part(section, self.pairs.number)
            self.parts.append(self._part)

    def add(self, text: bytes) -> None:
        """Add lines of the present section."""
        if self._in_vertices:
            self.lines.append(text)
        if self._part is None or self.pairs is None or not text:
            return
        file, keyword = _Text(self._source, text), self._part.section.keyword
        section = Section(keyword, "", 0, 0, len(text))
        if keyword == "matrix":
            place, values, numbers = nonzero_of_matrix(file, section)
            if self._weighted and not np.isfinite(values).all():
                raise UnusualError
            width = max(self.vertices - self.first_set, 1)
            place += self._part.numbers
            weights = [values] if self._weighted else []
            self.pairs.append(place // width, place % width + self.first_set, *weights)
            self._part.numbers += numbers
        else:
            links = read_links(file, section, self.vertices, self.first_set, weighted=self._weighted)
            self.pairs.append(*_columns(links))

    def end(self) -> None:
        """End the present section."""
        if self._part is not None and self.pairs is not None:
            self._part.stop = self.pairs.number
            rows = self.first_set or self.vertices
            if self._part.section.keyword == "matrix" and self._part.numbers != rows * (self.vertices - self.first_set):
                raise UnusualError
        self._part, self._in_vertices = None, False


def open_stream(
    source: Source,
    options: ReadOptions,
    limits: StreamLimits,
    *,
    sizes_of: Callable[[str], tuple[int, int]],
    labels_of: Labels,
) -> VertexStream:
    """Copy the links of a file to a temporary file, and return them as a stream.

    Parameters
    ----------
    source : Source
    options : ReadOptions
    limits : StreamLimits
    sizes_of : callable
        ``sizes_of(rest)`` returns the numbers of vertices after ``*Vertices``; raises UnusualError.
    labels_of : callable
        ``labels_of(file, heading, vertices)`` returns the labels of the vertices.

    Raises
    ------
    UnusualError
        The file has a fault.
    """
    network = _Network(source, sizes_of, weighted=options.wants_natural_weights(source, "a Pajek file"))
    try:
        _read(source, network, min(CHUNK_BYTES, _BYTES_A_LINK * limits.piece_arcs))
        if network.pairs is None:
            raise UnusualError
        held = b"".join(network.lines)
        labels = labels_of(_Text(source, held), Section("vertices", "", 0, 0, len(held)), network.vertices)
    except NotNumbersError:
        raise UnusualError from None
    network.lines.clear()
    filled = [part for part in network.parts if part.stop > part.start]
    deciding = filled or network.parts
    directed = options.directed
    if directed is None:
        directed = not deciding or any(not part.undirected for part in deciding)
    both_ends = not directed and len(filled) == 1 and filled[0].undirected
    pairs = network.pairs
    regions = [
        _combined(source, pairs, part, directed=directed)
        if part.undirected and not both_ends
        else (part.start, part.stop)
        for part in filled
    ]
    vertices = options.vertices_at_least(source, network.vertices)
    network.sections.warn_of_rest(source)

    def begin() -> Iterator[Pairs]:
        for start, stop in regions:
            yield from pairs.pieces(start, stop, piece=limits.piece_arcs)

    return VertexStream(
        begin,
        vertices=vertices,
        arcs=sum(stop - start for start, stop in regions),
        directed=directed,
        labels=labels,
        both_ends=both_ends,
    )


def _read(source: Source, network: _Network, chunk_bytes: int) -> None:
    """Give the sections of a file to a network, a chunk of lines at a time."""
    begun = first = False
    for chunk in source.chunks(chunk_bytes):
        text = chunk if first else chunk.removeprefix(b"\xef\xbb\xbf")
        first, at = True, 0
        for heading in HEADING.finditer(text):
            before = text[at : heading.start()]
            if not begun and without_comments(before).strip():
                raise UnusualError
            network.add(before)
            network.begin(heading[1])
            begun, at = True, min(heading.end() + 1, len(text))
        if not begun and without_comments(text).strip():
            raise UnusualError
        network.add(text[at:])
    network.end()


def _combined(source: Source, pairs: SpilledPairs, part: _Part, *, directed: bool) -> tuple[int, int]:
    """Append the edges of a section, each once, or as two arcs in a directed network; return where they are."""
    number = part.stop - part.start
    source.check_memory(_HELD_LINK_BYTES * number, number)
    first, second, *weights = next(pairs.pieces(part.start, part.stop, piece=number))
    links = Links(first.astype(np.int64), second.astype(np.int64), weights[0] if weights else None, undirected=True)
    file = _Text(source, b"")
    combined = both_ways(file, links) if directed else once(file, links)
    start = pairs.number
    pairs.append(*_columns(combined))
    return start, pairs.number


def _columns(links: Links) -> Pairs:
    """Return the ends of links and perhaps their weights."""
    ends = links.source, links.target
    return ends if links.weights is None else (*ends, links.weights)
