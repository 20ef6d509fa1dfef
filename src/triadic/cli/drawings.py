"""Triads and graphlets drawn with characters: in Unicode, or in ASCII where the output cannot show Unicode.

In a drawing of a triad an arrow is an arc, a line without a head stands for arcs both ways, and no line for no arc.
"""

from __future__ import annotations

from typing import NamedTuple

from triadic.plot.subgraph_shapes import DYADS


class TriadCharacters(NamedTuple):
    """Characters to draw a triad with; the character of a dyad has the place of the state of the dyad."""

    vertex: str
    left: str
    right: str
    across: tuple[str, str, str, str]
    dyad: str


UNICODE = TriadCharacters("●", " ↗↙╱", " ↘↖╲", ("   ", "──→", "←──", "───"), "·→←─")
ASCII = TriadCharacters("o", " ^v/", " v^\\", ("   ", "-->", "<--", "---"), ".><-")

_GRAPHLET_CHARACTERS = "●─│╱╲╳"
_GRAPHLET_IN_ASCII = str.maketrans(_GRAPHLET_CHARACTERS, "o-|/\\X")
_GRAPHLETS = {
    "vertex": ("●",),
    "edge": ("●───●",),
    "2-path": (" ╱●╲", "●   ●"),
    "triangle": (" ╱●╲", "●───●"),
    "3-path": ("●   ●", "│   │", "●───●"),
    "claw": ("  ●", "  │", "●─●─●"),
    "paw": ("●───●", "│ ╱", "●───●"),
    "4-cycle": ("●───●", "│   │", "●───●"),
    "diamond": ("●───●", "│ ╱ │", "●───●"),
    "4-clique": ("●───●", "│ ╳ │", "●───●"),
}


def triad_characters(encoding: str) -> TriadCharacters:
    """Return the characters that output in an encoding can show."""
    text = "".join([UNICODE.vertex, UNICODE.left, UNICODE.right, *UNICODE.across, UNICODE.dyad])
    return UNICODE if can_show(text, encoding) else ASCII


def draw_triad(name: str, characters: TriadCharacters = UNICODE) -> str:
    """Draw a type of triad on two lines, five characters wide.

    Examples
    --------
    >>> print(draw_triad("030T"))
     ↗●↘
    ●──→●
    """
    left, across, right = DYADS[name]
    vertex = characters.vertex
    return f" {characters.left[left]}{vertex}{characters.right[right]}\n{vertex}{characters.across[across]}{vertex}"


def draw_dyad(state: int, characters: TriadCharacters = UNICODE) -> str:
    """Draw a dyad as a single character: no arc, an arc to the right, an arc to the left, or arcs both ways.

    Examples
    --------
    >>> [draw_dyad(state) for state in range(4)]
    ['·', '→', '←', '─']
    """
    return characters.dyad[state]


def draw_graphlet(name: str, encoding: str = "utf-8") -> str:
    """Draw a graphlet on at most three lines, five characters wide, for output in an encoding.

    Examples
    --------
    >>> print(draw_graphlet("diamond"))
    ●───●
    │ ╱ │
    ●───●
    >>> print(draw_graphlet("diamond", "ascii"))
    o---o
    | / |
    o---o
    """
    text = "\n".join(_GRAPHLETS[name])
    return text if can_show(_GRAPHLET_CHARACTERS, encoding) else text.translate(_GRAPHLET_IN_ASCII)


def can_show(text: str, encoding: str) -> bool:
    """Return whether an encoding has all characters of a text; False for an encoding unknown to Python."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
