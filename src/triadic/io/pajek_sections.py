"""The sections of a Pajek file, the sections of its first network, and the links in each.

A section begins with a line such as ``*Arcs`` or ``*Edges :2 "friends"``; keywords come in any case. Lines that begin
with ``%`` are comments. A project (``.paj``) holds several networks, each begun by ``*Network``, and other objects
(``*Partition``, ``*Vector``, ...) with a ``*Vertices`` line of their own.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.file_source import CHUNK_BYTES, one_line_end
from triadic.io.number_rows import NotNumbersError, NumberRows, number_rows, without_comments
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.errors import ReadError
    from triadic.io.file_source import Source

_LINKS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")
_OTHER_OBJECTS = ("partition", "vector", "permutation", "cluster", "hierarchy")

# Bytes of memory that links take besides the text and the parsed numbers: columns, and vertices in both widths.
_LINK_BYTES_A_NUMBER, _LINK_BYTES_A_ROW = 40, 16
_HEADING_BYTES, _MANY_HEADINGS = 400, 1 << 16
_ROWS_A_CHECK = 1 << 15

_HEADING = re.compile(rb"^[ \t]*\*([^\n]*)", re.MULTILINE)
_WORDS = re.compile(r"([A-Za-z]*)(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its keyword in lower case, the rest of its heading, and its position in the file."""

    keyword: str
    rest: str
    heading: int
    start: int
    stop: int


class PajekFile:
    """The bytes of a Pajek file and its sections.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.held = one_line_end(source.everything())
        self.sections: list[Section] = []
        headings = self.held.count(b"*")
        if headings > _MANY_HEADINGS:
            source.check_memory(_HEADING_BYTES * headings, len(self.held))
        open_heading: re.Match[bytes] | None = None
        for match in _HEADING.finditer(self.held):
            self._add(open_heading, match.start())
            open_heading = match
        self._add(open_heading, len(self.held))
        before = self.held[: self.sections[0].heading if self.sections else None].removeprefix(b"\xef\xbb\xbf")
        stray = next((number for number, line in _numbered(before) if line.strip()), None)
        if stray is not None or not self.sections:
            raise source.error("found no section such as '*Vertices' at its start, expected Pajek", line=stray)

    def _add(self, heading: re.Match[bytes] | None, stop: int) -> None:
        """Add the section of a heading that ends where the next heading begins."""
        if heading is None:
            return
        words = _WORDS.match(heading[1].decode("utf-8", "replace").strip())
        keyword, rest = (words[1].lower(), words[2].strip()) if words else ("", "")
        self.sections.append(Section(keyword, rest, heading.start(), min(heading.end() + 1, stop), stop))

    def check_rows(self, numbers: int, rows: int) -> None:
        """Raise an OutOfMemoryError if the links of a section do not fit in memory."""
        self.source.check_memory(_LINK_BYTES_A_NUMBER * numbers + _LINK_BYTES_A_ROW * rows, len(self.held))

    def error(self, problem: str, section: Section, *, row: int | None = None) -> ReadError:
        """Return the ReadError for a row of a section, or for its heading."""
        first = self.held.count(b"\n", 0, section.heading) + 1
        if row is None:
            return self.source.error(problem, line=first)
        number = next((number for number, _ in islice(self.lines(section), row, None)), None)
        return self.source.error(problem, line=None if number is None else first + number)

    def lines(self, section: Section) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a section that are not comments, numbered from 1 after its heading."""
        return _numbered(self.held[section.start : section.stop])

    def chunks(self, section: Section) -> Iterator[bytes]:
        """Yield the lines of a section that are not comments, in chunks."""
        start = section.start
        while start < section.stop:
            stop = min(start + CHUNK_BYTES, section.stop)
            if stop < section.stop:
                end = self.held.find(b"\n", stop, section.stop)
                stop = section.stop if end < 0 else end + 1
            chunk = self.held[start:stop]
            yield without_comments(chunk)
            start = stop

    def first_network(self) -> tuple[Section, list[Section]]:
        """Return ``*Vertices`` and the sections of links of the first network.

        Returns
        -------
        Section
        list of Section

        Raises
        ------
        ReadError
            There is no network, links come before the vertices, or a keyword is not known.
        """
        vertices: Section | None = None
        links: list[Section] = []
        left_out: Counter[str] = Counter()
        in_network = True
        for section in self.sections:
            again = section.keyword == "vertices" and in_network and vertices is not None
            if again or section.keyword in ("network", *_OTHER_OBJECTS):
                in_network = section.keyword == "network" and vertices is None
                if not in_network:
                    left_out[section.keyword.replace("vertices", "network")] += 1
            elif section.keyword == "vertices":
                vertices = section if in_network else vertices
            elif section.keyword not in _LINKS:
                known = ", ".join(f"*{word}" for word in ("network", "vertices", *_LINKS, *_OTHER_OBJECTS))
                raise self.error(f"found {short('*' + section.keyword)}, expected one of {known}", section)
            elif in_network:
                links.append(section)
        if vertices is None:
            raise self.source.error("found no *vertices of a network in it")
        if links and links[0].heading < vertices.heading:
            raise self.error(f"found *{links[0].keyword} before *vertices, expected it after", links[0])
        if left_out:
            rest = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in left_out.items()]
            warnings.warn(
                ReadWarning(f"{self.source.name}: read the first network, left out {', '.join(rest)}"),
                stacklevel=stack_level_of_caller(),
            )
        return vertices, links


def _numbered(held: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(held.splitlines(), 1):
        if not line.lstrip(b" \t").startswith(b"%"):
            yield number, line


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one section.

    Attributes
    ----------
    source, target : int array, shape (links,)
        Vertices from 0.
    weights : float64 array, shape (links,), or None
    undirected : bool
        Whether the links are edges.
    section : Section
    """

    source: AnyArray
    target: AnyArray
    weights: Float64Array | None
    undirected: bool
    section: Section


def read_links(file: PajekFile, section: Section, vertices: int, first_set: int, *, weighted: bool) -> Links:
    """Read one section of links.

    Parameters
    ----------
    file : PajekFile
    section : Section
    vertices : int
        Number of vertices; ends are numbered from 1.
    first_set : int
        Size of the first set of a two-mode network, otherwise 0. The matrix of a two-mode network has a row for each
        vertex of the first set and a column for each vertex of the second.
    weighted : bool

    Returns
    -------
    Links

    Raises
    ------
    ReadError
        A word is not a number, an end is out of range, a weight is not finite.
    """
    undirected = section.keyword.startswith("edges")
    if section.keyword != "matrix" and not file.held[section.start : section.stop].strip():
        nothing = np.empty(0, dtype=np.int64)
        return Links(nothing, nothing, np.empty(0) if weighted else None, undirected, section)
    rows = _rows(file, section)
    if section.keyword == "matrix":
        row_of, ends, weights = _of_matrix(file, section, rows, vertices, first_set)
        source, target = ends
    else:
        read = _of_lists if section.keyword.endswith("list") else _of_pairs
        row_of, (first, second), weights = read(file, section, rows)
        source, target = (_vertices(file, section, row_of, end, vertices) for end in (first, second))
    if not weighted:
        return Links(source, target, None, undirected, section)
    weights = np.ones(len(source)) if weights is None else weights
    finite = np.isfinite(weights)
    if not finite.all():
        place = int(np.argmin(finite))
        problem = f"found the weight {weights[place]}, expected a finite number"
        raise file.error(problem, section, row=int(row_of[place]))
    return Links(source, target, weights, undirected, section)


Columns = tuple["Int64Array", "tuple[AnyArray, AnyArray]", "Float64Array | None"]
"""The row of each link, its two ends and its weight."""


def _of_pairs(file: PajekFile, section: Section, rows: NumberRows) -> Columns:
    """``i j [weight ...]``."""
    lengths = rows.lengths
    if (lengths == 1).any():
        raise file.error("found one number, expected two ends of a link", section, row=int(np.argmax(lengths == 1)))
    row_of = np.flatnonzero(lengths)
    begin = rows.starts[:-1][row_of]
    weights = np.ones(len(row_of))
    has_weight = lengths[row_of] > 2
    weights[has_weight] = rows.values[begin[has_weight] + 2]
    return row_of, (rows.values[begin], rows.values[begin + 1]), weights


def _of_lists(file: PajekFile, section: Section, rows: NumberRows) -> Columns:
    """``i j k ...``: links from i to each of the others."""
    del file, section
    filled = np.flatnonzero(rows.lengths)
    others = rows.lengths[filled] - 1
    begin = rows.starts[:-1][filled]
    is_other = np.ones(len(rows.values), dtype=np.bool_)
    is_other[begin] = False
    return np.repeat(filled, others), (np.repeat(rows.values[begin], others), rows.values[is_other]), None


def _of_matrix(file: PajekFile, section: Section, rows: NumberRows, vertices: int, first_set: int) -> Columns:
    """One number for each pair of vertices; 0 is no arc. Rows may be broken over several lines."""
    shape = (first_set, vertices - first_set) if first_set else (vertices, vertices)
    if len(rows.values) != shape[0] * shape[1]:
        problem = f"found a matrix of {len(rows.values)} numbers, expected {shape[0]} rows of {shape[1]}"
        raise file.error(problem, section)
    place = np.flatnonzero(rows.values)
    row_of = np.searchsorted(rows.starts, place, side="right") - 1
    width = max(shape[1], 1)
    return row_of, (place // width, place % width + first_set), rows.values[place]


def _vertices(file: PajekFile, section: Section, row_of: Int64Array, end: AnyArray, vertices: int) -> Int64Array:
    wrong = ~((end >= 1) & (end <= vertices) & (end == np.floor(end)))
    if wrong.any():
        place = int(np.argmax(wrong))
        problem = f"found the vertex {end[place]:.15g}, expected an integer from 1 to {vertices}"
        raise file.error(problem, section, row=int(row_of[place]))
    numbers = end.astype(np.int64)
    numbers -= 1
    return numbers


def _rows(file: PajekFile, section: Section) -> NumberRows:
    try:
        return number_rows(file.chunks(section), integers=False, check=file.check_rows)
    except NotNumbersError:
        return _rows_with_words(file, section)


def _rows_with_words(file: PajekFile, section: Section) -> NumberRows:
    """Read rows where words such as ``c Blue l "friend"`` follow the numbers of a link."""
    with_words = section.keyword in ("arcs", "edges")
    values: list[float] = []
    starts = [0]
    for row, (_, line) in enumerate(file.lines(section)):
        for place, word in enumerate(line.decode("latin-1").split()):
            number = _number(word)
            if number is None:
                if with_words and place > 1:
                    break
                raise file.error(f"found {short(word)}, expected a number", section, row=row)
            values.append(number)
        starts.append(len(values))
        if row % _ROWS_A_CHECK == 0:
            file.check_rows(len(values), row)
    return NumberRows(np.array(values, dtype=np.float64), np.array(starts, dtype=np.int64))


def _number(word: str) -> float | None:
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None


def once(file: PajekFile, links: Links) -> Links:
    """Drop one of the two links of an edge that occurs from both its ends.

    Parameters
    ----------
    file : PajekFile
    links : Links
        Links of one section.

    Returns
    -------
    Links

    Raises
    ------
    ReadError
        The two links have different weights.
    """
    low, high = np.minimum(links.source, links.target), np.maximum(links.source, links.target)
    order = np.lexsort((high, low))
    begins = np.ones(len(order), dtype=np.bool_)
    begins[1:] = (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)
    pair = np.empty(len(order), dtype=np.int64)
    pair[order] = np.cumsum(begins) - 1
    forward = links.source < links.target
    backward = links.source > links.target
    ahead, back = (np.bincount(pair[way], minlength=len(low)) for way in (forward, backward))
    twice = (ahead[pair] > 0) & (back[pair] > 0)
    if links.weights is not None:
        sums = [np.bincount(pair[way], links.weights[way], minlength=len(low)) for way in (forward, backward)]
        differ = twice & ((sums[0] != sums[1]) | (ahead != back))[pair]
        if differ.any():
            place = int(np.argmax(differ))
            edge = f"{links.source[place] + 1} and {links.target[place] + 1}"
            problem = f"the edge between {edge} has different weights from its two ends, expected the same"
            raise file.error(problem, links.section)
    keep = ~(twice & backward)
    return Links(
        links.source[keep],
        links.target[keep],
        None if links.weights is None else links.weights[keep],
        undirected=True,
        section=links.section,
    )


def both_ways(file: PajekFile, links: Links) -> Links:
    """Return edges as arcs: two for each edge, one for a loop."""
    edges = once(file, links)
    proper = edges.source != edges.target
    return Links(
        np.concatenate([edges.source, edges.target[proper]]),
        np.concatenate([edges.target, edges.source[proper]]),
        None if edges.weights is None else np.concatenate([edges.weights, edges.weights[proper]]),
        undirected=False,
        section=links.section,
    )
