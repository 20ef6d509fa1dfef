"""A Pajek file cut into its sections, and the choice of those that make up its first network.

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

from triadic.io.file_source import CHUNK_BYTES, ReadWarning
from triadic.io.number_rows import without_comments
from triadic.io.text_layout import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.errors import ReadError
    from triadic.io.file_source import Source

LINKS = ("arcs", "edges", "arcslist", "edgeslist", "matrix")
_OTHER_OBJECTS = ("partition", "vector", "permutation", "cluster", "hierarchy")

_HEADING = re.compile(rb"^[ \t]*\*([^\n]*)", re.MULTILINE)
_WORDS = re.compile(r"([A-Za-z]*)(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its keyword in lower case, the rest of its heading, and where in the file it stands."""

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
        self.held = b"".join(source.chunks())
        headings = list(_HEADING.finditer(self.held))
        stops = [*(match.start() for match in headings), len(self.held)][1:]
        self.sections: list[Section] = []
        for match, stop in zip(headings, stops, strict=True):
            words = _WORDS.match(match[1].decode("utf-8", "replace").strip())
            keyword, rest = (words[1].lower(), words[2].strip()) if words else ("", "")
            self.sections.append(Section(keyword, rest, match.start(), min(match.end() + 1, stop), stop))
        before = self.held[: headings[0].start() if headings else None].removeprefix(b"\xef\xbb\xbf")
        stray = next((number for number, line in _numbered(before) if line.strip()), None)
        if stray is not None or not headings:
            raise source.error("found no section such as '*Vertices' at its start, expected Pajek", line=stray)

    def error(self, problem: str, section: Section, *, row: int | None = None) -> ReadError:
        """Return the error for a row of a section, or for its heading."""
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
            begins = section.keyword in ("network", *_OTHER_OBJECTS)
            if begins or (section.keyword == "vertices" and in_network and vertices is not None):
                in_network = section.keyword == "network" and vertices is None
                if not in_network:
                    left_out[section.keyword.replace("vertices", "network")] += 1
            elif section.keyword == "vertices":
                vertices = section if in_network else vertices
            elif section.keyword not in LINKS:
                known = ", ".join(f"*{word}" for word in ("network", "vertices", *LINKS, *_OTHER_OBJECTS))
                raise self.error(f"found {short('*' + section.keyword)}, expected one of {known}", section)
            elif in_network:
                links.append(section)
        if vertices is None:
            raise self.source.error("found no *vertices of a network in it")
        if links and links[0].heading < vertices.heading:
            raise self.error(f"found *{links[0].keyword} before *vertices, expected it after", links[0])
        self._say(left_out)
        return vertices, links

    def _say(self, left_out: Counter[str]) -> None:
        rest = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in left_out.items() if count]
        if rest:
            told = f"{self.source.path}: read the first network, left out {', '.join(rest)}"
            warnings.warn(ReadWarning(told), stacklevel=6)


def _numbered(held: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(held.splitlines(), 1):
        if not line.lstrip(b" \t").startswith(b"%"):
            yield number, line
