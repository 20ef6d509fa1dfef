"""Pajek networks: ``.net``, and the first network of a project ``.paj``.

Format: V. Batagelj, A. Mrvar, Pajek reference manual, section 3 (http://mrvar.fdv.uni-lj.si/pajek). Vertices are
numbered from 1 and may have labels; coordinates and colours after them are skipped. ``*Arcs``, ``*Arcslist``
and ``*Matrix`` hold arcs, ``*Edges`` and ``*Edgeslist`` edges. A network with an arc is directed, and then each of its
edges is two arcs. Several relations are read as one network, in which repeated links are combined.

A section begins with a line such as ``*Arcs`` or ``*Edges :2 "friends"``; keywords come in any case. Lines that begin
with ``%`` are comments. A project holds several networks, each begun by ``*Network``, and other objects with a
``*Vertices`` line of their own. Of these, each ``*Partition`` and ``*Vector`` with a value for each vertex of the first
network is a column of the vertices, whose name is the rest of the heading.
"""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.oriented import index_dtype
from triadic.io.file_source import CHUNK_BYTES, one_line_end, short
from triadic.io.format import Format
from triadic.io.number_rows import (
    NotNumbersError,
    NumberRows,
    as_number,
    check_numbers,
    number_rows,
    text_lines,
    without_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array, ObjectArray
    from triadic.errors import ReadError
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_LINKS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")
_VALUES = ("partition", "vector")
_OTHER_OBJECTS = (*_VALUES, "permutation", "cluster", "hierarchy")

# A heading has a keyword and the rest of its line.
_HEADING = re.compile(rb"^[ \t]*\*[ \t]*([A-Za-z]*)([^\n]*)\n?", re.MULTILINE)
_VERTICES = re.compile(r"(\d{1,18})(?:\s+(\d{1,18}))?\Z")
_VERTEX_ROW = re.compile(r'\s*(\d{1,18})(?:\s+(?:"([^"]*)"|([^\s"]\S*))|\s*\Z)')

# Bytes of memory for each heading and label, and how many there are from one check to the next.
_HEADING_BYTES, _MANY_HEADINGS = 800, 1 << 16
_LABEL_BYTES, _ROWS_A_CHECK = 200, 1 << 15
# Vertices without a label get their number as one, unless that takes memory out of proportion to the file.
_FILLED_AT_MOST, _FILLED_FOR_EACH = 1 << 20, 64


class Section(NamedTuple):
    """One section: its keyword in lower case, the rest of its heading, the line of the heading, and the lines below."""

    source: Source
    keyword: str
    rest: str
    line: int
    text: bytes

    def error(self, problem: str, row: int | None = None) -> ReadError:
        """Return the ReadError for a row of the section, which `lines` yields, or for its heading."""
        number = 0 if row is None else next((number for number, _ in islice(self.lines(), row, None)), 0)
        return self.source.error(problem, line=self.line + number)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines that are not comments, numbered from 1 after the heading."""
        return text_lines([self.text])

    def rows(self) -> NumberRows:
        """Return the numbers in the lines that are not comments."""
        stream = BytesIO(self.text)
        chunks = iter(lambda: stream.read(CHUNK_BYTES) + stream.readline(), b"")
        try:
            return number_rows(map(without_comments, chunks), integers=False, source=self.source)
        except NotNumbersError:
            return self._rows_with_words()

    def _rows_with_words(self) -> NumberRows:
        """Read rows where words such as ``c Blue l "friend"`` follow the numbers of a link."""
        with_words = self.keyword in ("arcs", "edges")
        values: list[float] = []
        starts = [0]
        for row, (_, line) in enumerate(self.lines()):
            for place, word in enumerate(line.decode("latin-1").split()):
                number = as_number(word)
                if number is None and with_words and place > 1:
                    break
                if number is None:
                    raise self.error(f"found {short(word)}, expected a number", row)
                values.append(number)
            starts.append(len(values))
            if row % _ROWS_A_CHECK == 0:
                check_numbers(self.source, len(values), row, len(self.text))
        return NumberRows(np.array(values), np.array(starts))


class Links(NamedTuple):
    """The links of one section, whose ends are numbered from 0, and their weights if they are read."""

    section: Section
    source: Int64Array
    target: Int64Array
    weights: Float64Array | None

    @property
    def undirected(self) -> bool:
        """Whether the links are edges."""
        return self.section.keyword.startswith("edges")

    def at(self, places: AnyArray) -> Links:
        """Return the links at some places."""
        weights = None if self.weights is None else self.weights[places]
        return Links(self.section, self.source[places], self.target[places], weights)


def read_pajek(source: Source, options: ReadOptions) -> Arcs:
    """Read the first network of a Pajek file.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` reads the values of links; a link without a value has 1.

    Returns
    -------
    Arcs

    Raises
    ------
    ReadError
        The file is not a Pajek network, or a link has an end beyond ``*Vertices``.

    Warns
    -----
    ReadWarning
        Further networks or objects are not read.
    """
    weighted = options.wants_natural_weights(source, "a Pajek file")
    heading, link_sections, values = _first_network(source, _sections(source))
    sizes = _VERTICES.match(heading.rest)
    if sizes is None:
        raise heading.error(f"found '*vertices {heading.rest[:40]}', expected a number of vertices")
    vertices, first_set = int(sizes[1]), int(sizes[2] or 0)
    if first_set > vertices:
        raise heading.error(f"found {first_set} vertices in the first set, expected {vertices} at most")
    labels = _labels(heading, vertices)
    sections = [_links(section, vertices, first_set, weighted=weighted) for section in link_sections]
    filled = [links for links in sections if len(links.source)]
    # Directed is a network with an arc or, without a link at all, with a section for arcs or no section.
    directed, _ = options.direction(not sections or any(not links.undirected for links in filled or sections))
    # Links from both ends are the same edge only within one section.
    both_ends = not directed and len(filled) == 1 and filled[0].undirected
    parts = filled if both_ends else [part for links in filled for part in _once(links, directed=directed)]
    dtype = index_dtype(vertices)
    nothing = np.empty(0, dtype)
    return Arcs(
        source=np.concatenate([nothing, *(links.source for links in parts)]).astype(dtype, copy=False),
        target=np.concatenate([nothing, *(links.target for links in parts)]).astype(dtype, copy=False),
        vertices=options.vertices_at_least(source, vertices),
        directed=directed,
        weights=np.concatenate([np.empty(0), *(links.weights for links in parts)]) if weighted else None,
        labels=labels,
        both_ends=both_ends,
        vertex_columns={name: _values(*values[name], vertices) for name in sorted(options.kept(source, values))},
    )


def _sections(source: Source) -> list[Section]:
    held = one_line_end(source.everything().removeprefix(b"\xef\xbb\xbf"))
    headings = held.count(b"*")
    if headings > _MANY_HEADINGS:
        source.check_memory(_HEADING_BYTES * headings, len(held))
    before, *parts = _HEADING.split(held)
    stray = next((number for number, line in text_lines([before]) if line.strip()), None)
    if stray is not None or not parts:
        raise source.error("found no section such as '*Vertices' at its start, expected Pajek", line=stray)
    line, found = before.count(b"\n") + 1, []
    for keyword, rest, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        words = rest.decode("utf-8", "replace").strip()
        found.append(Section(source, keyword.decode().lower(), words, line, text))
        line += text.count(b"\n") + 1
    return found


def _first_network(
    source: Source, sections: list[Section]
) -> tuple[Section, list[Section], dict[str, tuple[str, Section]]]:
    """Return ``*Vertices``, the sections of links of the first network, and the values of its vertices by name."""
    vertices: Section | None = None
    links: list[Section] = []
    left_out: Counter[str] = Counter()
    in_network = True
    for section in sections:
        again = section.keyword == "vertices" and in_network and vertices is not None
        if again or section.keyword in ("network", *_OTHER_OBJECTS):
            in_network = section.keyword == "network" and vertices is None
            if not in_network:
                left_out[section.keyword.replace("vertices", "network")] += 1
        elif section.keyword == "vertices":
            vertices = section if in_network else vertices
        elif section.keyword not in _LINKS:
            known = ", ".join(f"*{word}" for word in ("network", "vertices", *_LINKS, *_OTHER_OBJECTS))
            raise section.error(f"found {short('*' + section.keyword)}, expected one of {known}")
        elif in_network:
            links.append(section)
    if vertices is None:
        raise source.error("found no *vertices of a network in it")
    if links and links[0].line < vertices.line:
        raise links[0].error(f"found *{links[0].keyword} before *vertices, expected it after")
    values = _objects(sections, vertices)
    left_out -= Counter(keyword for keyword, _ in values.values())
    if left_out:
        rest = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in left_out.items()]
        source.warn(f"read the first network, left out {', '.join(rest)}")
    return vertices, links, values


def _objects(sections: list[Section], vertices: Section) -> dict[str, tuple[str, Section]]:
    """Return the partitions and vectors by name, each with its keyword, that have a value for each of the vertices."""
    found: dict[str, tuple[str, Section]] = {}
    for heading, values in pairwise(sections):
        if (
            heading.keyword in _VALUES
            and values.keyword == "vertices"
            and values.rest.split()[:1] == vertices.rest.split()[:1]
        ):
            name = heading.rest or heading.keyword
            again = sum(each == name or each.startswith(f"{name} (") for each in found)
            found[f"{name} ({again + 1})" if again else name] = (heading.keyword, values)
    return found


def _values(keyword: str, section: Section, vertices: int) -> AnyArray:
    """Return the values of a partition, whole numbers, or of a vector."""
    values = section.rows().values
    if len(values) != vertices:
        raise section.error(f"found a {keyword} of {len(values)} numbers, expected {vertices}")
    whole = keyword == "partition" and (values == np.floor(values)).all()
    return values.astype(np.int64) if whole else values


def _labels(heading: Section, vertices: int) -> ObjectArray | None:
    names = _names(heading, vertices)
    if all(name is None for name in names.values()):
        return None
    last = max(names)
    if last > max(_FILLED_AT_MOST, _FILLED_FOR_EACH * len(names)):
        heading.source.warn(f"left out the labels, which only {len(names)} of {vertices} vertices have")
        return None
    labels = [str(number) if (name := names.get(number)) is None else name for number in range(1, last + 1)]
    return np.array(labels, np.object_)


def _names(heading: Section, vertices: int) -> dict[int, str | None]:
    """Return the label of each vertex that has a line, None without a label."""
    size, source = len(heading.text), heading.source
    try:
        heading.text.decode()
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    names: dict[int, str | None] = {}
    for row, (_, line) in enumerate(heading.lines()):
        if row % _ROWS_A_CHECK == 0:
            source.check_memory(_LABEL_BYTES * (min(_ROWS_A_CHECK, size) + len(names) // 4), size)
        text = line.decode(encoding)
        if not text.strip():
            continue
        found = _VERTEX_ROW.match(text)
        if found is None:
            raise heading.error(f"found {short(text.strip())}, expected a vertex's number and label", row)
        number = int(found[1])
        if not 1 <= number <= vertices:
            raise heading.error(f"found the vertex {number}, expected 1 to {vertices}", row)
        if number in names:
            raise heading.error(f"found the vertex {number} a second time, expected it once", row)
        names[number] = found[2] if found[2] is not None else found[3]
    return names


def _links(section: Section, vertices: int, first_set: int, *, weighted: bool) -> Links:
    """Return the links of a section.

    The matrix of a two-mode network has a row for each vertex of the first set and a column for each vertex of the
    second. Its rows may be broken over several lines; 0 is no arc.
    """
    rows = section.rows()
    values, lengths = rows.values, rows.lengths
    row_of = np.flatnonzero(lengths)
    begin = rows.starts[row_of]
    if section.keyword == "matrix":
        height, width = (first_set, vertices - first_set) if first_set else (vertices, vertices)
        if len(values) != height * width:
            raise section.error(f"found a matrix of {len(values)} numbers, expected {height} rows of {width}")
        cell = np.flatnonzero(values)
        row_of = np.searchsorted(rows.starts, cell, side="right") - 1
        source, target = cell // max(width, 1) + 1, cell % max(width, 1) + first_set + 1
        weights = values[cell]
    elif section.keyword.endswith("list"):  # i j k ...: links from i to each of the others
        others = lengths[row_of] - 1
        row_of, source, target = np.repeat(row_of, others), np.repeat(values[begin], others), np.delete(values, begin)
        weights = np.ones(len(source))
    else:  # i j [weight ...]
        if (lengths == 1).any():
            raise section.error("found one number, expected two ends of a link", int(np.argmax(lengths == 1)))
        source, target, weights = values[begin], values[begin + 1], np.ones(len(begin))
        has_weight = lengths[row_of] > 2
        weights[has_weight] = values[begin[has_weight] + 2]
    for end in (source, target):
        wrong = ~((end >= 1) & (end <= vertices) & (end == np.floor(end)))
        if wrong.any():
            place = np.argmax(wrong)
            problem = f"found the vertex {end[place]:.15g}, expected an integer from 1 to {vertices}"
            raise section.error(problem, int(row_of[place]))
    finite = np.isfinite(weights)
    if weighted and not finite.all():
        place = np.argmin(finite)
        raise section.error(f"found the weight {weights[place]}, expected a finite number", int(row_of[place]))
    source, target = (end.astype(np.int64) - 1 for end in (source, target))
    return Links(section, source, target, weights if weighted else None)


def _once(links: Links, *, directed: bool) -> list[Links]:
    """Return the links with one of the two links of an edge that occurs from both its ends, or with both as arcs."""
    if not links.undirected:
        return [links]
    ids, ends = np.unique([links.source, links.target], return_inverse=True)
    low, high = np.sort(ends.reshape(2, -1), axis=0)
    pair = np.unique(low * len(ids) + high, return_inverse=True)[1]
    ways = links.source < links.target, links.source > links.target
    ahead, back = (np.bincount(pair[way], minlength=len(low)) for way in ways)
    twice = (ahead > 0) & (back > 0)
    if links.weights is not None:
        sums = [np.bincount(pair[way], links.weights[way], minlength=len(low)) for way in ways]
        differ = (twice & ((sums[0] != sums[1]) | (ahead != back)))[pair]
        if differ.any():
            place = np.argmax(differ)
            edge = f"{links.source[place] + 1} and {links.target[place] + 1}"
            problem = f"the edge between {edge} has different weights from its two ends, expected the same"
            raise links.section.error(problem)
    edges = links.at(~(twice[pair] & ways[1]))
    proper = edges.at(edges.source != edges.target)
    return [edges, proper._replace(source=proper.target, target=proper.source)] if directed else [edges]


# The quantifiers are possessive, so that a file of another format is given up in one pass.
_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*+(?:%[^\r\n]*+)?[\r\n]++)*+"
    rb"[ \t]*+\*(?:vertices|network|arcs|edges|arcslist|edgeslist|matrix|partition|vector|permutation|cluster"
    rb"|hierarchy)\b",
    re.IGNORECASE,
)


PAJEK = Format(name="pajek", suffixes=(".net", ".paj"), recognise=_START.match, read=read_pajek, attributes=True)
