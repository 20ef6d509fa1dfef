"""Triads drawn with the characters that every terminal has, in Unicode or, where the output lacks them, in ASCII.

An arrow is an arc, a line without a head runs both ways, and where there is nothing no arc runs.
"""

from __future__ import annotations

from typing import NamedTuple

from triadic.cli.encodings import can_show

# The states of the dyads left-top, left-right and top-right: 1 for an arc to the second, 2 for one back, 3 for both.
# Of the ways to draw a type, one that shows what its letter stands for: Down from the top, Up to it, a Chain through
# it; Transitive, Cyclic.
DRAWN = {
    "003": (0, 0, 0),
    "012": (0, 1, 0),
    "102": (0, 3, 0),
    "021D": (2, 0, 1),
    "021U": (1, 0, 2),
    "021C": (1, 0, 1),
    "111D": (3, 0, 2),
    "111U": (3, 0, 1),
    "030T": (1, 1, 1),
    "030C": (1, 2, 1),
    "201": (3, 0, 3),
    "120D": (2, 3, 1),
    "120U": (1, 3, 2),
    "120C": (1, 3, 1),
    "210": (1, 3, 3),
    "300": (3, 3, 3),
}


class Strokes(NamedTuple):
    """The characters to draw with; those of a dyad by its state."""

    vertex: str
    left: str
    right: str
    across: tuple[str, str, str, str]
    arrow: str


UNICODE = Strokes("●", " ↗↙╱", " ↘↖╲", ("   ", "──→", "←──", "───"), "·→←─")
ASCII = Strokes("o", " ^v/", " v^\\", ("   ", "-->", "<--", "---"), ".><-")


def strokes_for(encoding: str) -> Strokes:
    """Give the characters that output in this encoding can show."""
    return UNICODE if can_show("".join([*UNICODE[:3], *UNICODE.across, UNICODE.arrow]), encoding) else ASCII


def drawing(name: str, strokes: Strokes = UNICODE) -> str:
    """Draw a type on two lines, five characters wide.

    Examples
    --------
    >>> print(drawing("030T"))
     ↗●↘
    ●──→●
    """
    left, across, right = DRAWN[name]
    vertex = strokes.vertex
    return f" {strokes.left[left]}{vertex}{strokes.right[right]}\n{vertex}{strokes.across[across]}{vertex}"


def arrow(state: int, strokes: Strokes = UNICODE) -> str:
    """Draw one dyad as a single character.

    Examples
    --------
    >>> [arrow(state) for state in range(4)]
    ['·', '→', '←', '─']
    """
    return strokes.arrow[state]
