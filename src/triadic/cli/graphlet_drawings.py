"""Graphlets drawn in Unicode or, where the output lacks its characters, in ASCII."""

from __future__ import annotations

from triadic.cli.encodings import can_show

_UNICODE = "●─│╱╲╳"
_IN_ASCII = str.maketrans(_UNICODE, "o-|/\\X")

_DRAWN = {
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


def drawing(graphlet: str, encoding: str = "utf-8") -> str:
    """Draw a graphlet on at most three lines, five characters wide, for output in an encoding.

    Examples
    --------
    >>> print(drawing("diamond"))
    ●───●
    │ ╱ │
    ●───●
    >>> print(drawing("diamond", "ascii"))
    o---o
    | / |
    o---o
    """
    drawn = "\n".join(_DRAWN[graphlet])
    return drawn if can_show(_UNICODE, encoding) else drawn.translate(_IN_ASCII)
