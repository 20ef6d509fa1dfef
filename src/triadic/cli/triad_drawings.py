"""Triads drawn with the characters that every terminal has, in Unicode or, where the output lacks them, in ASCII.

An arrow is an arc, a line without a head runs both ways, and where there is nothing no arc runs.
"""

from __future__ import annotations

from typing import NamedTuple

from triadic.cli.encodings import can_show
from triadic.plot.subgraph_shapes import DYADS


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
    left, across, right = DYADS[name]
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
