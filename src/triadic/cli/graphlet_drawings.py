"""Graphlets drawn with the characters that every terminal has."""

from __future__ import annotations

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


def drawing(graphlet: str) -> str:
    """Draw a graphlet on at most three lines, five characters wide.

    Examples
    --------
    >>> print(drawing("diamond"))
    ●───●
    │ ╱ │
    ●───●
    """
    return "\n".join(_DRAWN[graphlet])
