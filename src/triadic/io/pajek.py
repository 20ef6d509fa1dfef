"""Pajek networks: ``.net``, and the first network of a project ``.paj``.

Format: V. Batagelj, A. Mrvar, Pajek reference manual, section 3 (http://mrvar.fdv.uni-lj.si/pajek). Vertices are
numbered from 1 and may have labels; coordinates and colours after them are skipped. ``*Arcs``, ``*Arcslist``
and ``*Matrix`` hold arcs, ``*Edges`` and ``*Edgeslist`` edges. A network with an arc is directed, and then each of its
edges is two arcs. Several relations are read as one network, in which repeated links are combined.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.format import Format
from triadic.io.identifiers import index_dtype
from triadic.io.pajek_sections import Links, PajekFile, Section, both_ways, once, read_links
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from triadic.core.array_types import IntegerArray, ObjectArray
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

_VERTICES = re.compile(r"(\d{1,18})(?:\s+(\d{1,18}))?\s*\Z")
_VERTEX_ROW = re.compile(r'\s*(\d{1,18})(?:\s+(?:"([^"]*)"|([^\s"]\S*))|\s*\Z)')
# Vertices without a label get their number as one, unless that takes memory out of proportion to the file.
_FILLED_AT_MOST = 1 << 20
_FILLED_FOR_EACH = 64
_LINE_BYTES, _LABEL_BYTES, _ROWS_A_CHECK = 48, 200, 1 << 15


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
        Further networks, partitions or vectors are not read.
    """
    weighted = options.wants_natural_weights(source, "a Pajek file")
    file = PajekFile(source)
    heading, link_sections = file.first_network()
    sizes = _VERTICES.match(heading.rest)
    if sizes is None:
        raise file.error(f"found '*vertices {heading.rest[:40]}', expected a number of vertices", heading)
    vertices, first_set = int(sizes[1]), int(sizes[2] or 0)
    if first_set > vertices:
        raise file.error(f"found {first_set} vertices in the first set, expected {vertices} at most", heading)
    labels = _labels(file, heading, vertices)
    sections = [read_links(file, section, vertices, first_set, weighted=weighted) for section in link_sections]
    directed = _is_directed(sections) if options.directed is None else options.directed
    filled = [links for links in sections if len(links.source)]
    parts, both_ends = _one_network(file, filled, directed=directed)
    dtype = index_dtype(vertices)
    ends: list[IntegerArray] = [
        np.concatenate([np.empty(0, dtype), *(getattr(links, end) for links in parts)]).astype(dtype, copy=False)
        for end in ("source", "target")
    ]
    weights = np.concatenate([np.empty(0), *(links.weights for links in parts if links.weights is not None)])
    return Arcs(
        source=ends[0],
        target=ends[1],
        vertices=options.vertices_at_least(source, vertices),
        directed=directed,
        weights=weights if weighted else None,
        labels=labels,
        both_ends=both_ends,
    )


def _is_directed(sections: list[Links]) -> bool:
    """Whether a network has an arc or, if it has no link at all, a section for arcs or no section."""
    filled = [links for links in sections if len(links.source)]
    if filled:
        return any(not links.undirected for links in filled)
    return not sections or any(not links.undirected for links in sections)


def _one_network(file: PajekFile, filled: list[Links], *, directed: bool) -> tuple[list[Links], bool]:
    """Return the links of all sections, and whether an edge may occur from both its ends."""
    if directed:
        return [both_ways(file, links) if links.undirected else links for links in filled], False
    if len(filled) == 1 and filled[0].undirected:
        return filled, True
    # Links from both ends are the same edge only within one section.
    return [once(file, links) if links.undirected else links for links in filled], False


def _labels(file: PajekFile, heading: Section, vertices: int) -> ObjectArray | None:
    held = file.held[heading.start : heading.stop]
    if not held.strip():
        return None
    try:
        held.decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    names = _names(file, heading, vertices, encoding)
    if all(name is None for name in names.values()):
        return None
    last = max(names)
    if last > max(_FILLED_AT_MOST, _FILLED_FOR_EACH * len(names)):
        warnings.warn(
            ReadWarning(
                f"{file.source.name}: left out the labels, which only {len(names)} of {vertices} vertices have"
            ),
            stacklevel=stack_level_of_caller(),
        )
        return None
    labels = np.empty(last, dtype=np.object_)
    labels[:] = [str(number) if (name := names.get(number)) is None else name for number in range(1, last + 1)]
    return labels


def _names(file: PajekFile, heading: Section, vertices: int, encoding: str) -> dict[int, str | None]:
    """Return the label of each vertex that has a line, None without a label."""
    held = file.held[heading.start : heading.stop]
    names: dict[int, str | None] = {}
    # Lines as objects of Python, and a name of each.
    file.source.check_memory(_LINE_BYTES * held.count(b"\n") + len(held), len(held))
    for row, (_, line) in enumerate(file.lines(heading)):
        if row % _ROWS_A_CHECK == 0:
            file.source.check_memory(_LABEL_BYTES * (min(_ROWS_A_CHECK, len(held)) + len(names) // 4), len(held))
        text = line.decode(encoding)
        if not text.strip():
            continue
        found = _VERTEX_ROW.match(text)
        if found is None:
            raise file.error(f"found {short(text.strip())}, expected a vertex's number and label", heading, row=row)
        number = int(found[1])
        if not 1 <= number <= vertices:
            raise file.error(f"found the vertex {number}, expected 1 to {vertices}", heading, row=row)
        if number in names:
            raise file.error(f"found the vertex {number} a second time, expected it once", heading, row=row)
        names[number] = found[2] if found[2] is not None else found[3]
    return names


# The quantifiers are possessive, so that a file of another format is given up in one pass.
_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:[ \t]*+(?:%[^\r\n]*+)?[\r\n]++)*+"
    rb"[ \t]*+\*(?:vertices|network|arcs|edges|arcslist|edgeslist|matrix|partition|vector|permutation|cluster"
    rb"|hierarchy)\b",
    re.IGNORECASE,
)


PAJEK = Format(name="pajek", suffixes=(".net", ".paj"), recognise=_START.match, read=read_pajek)
