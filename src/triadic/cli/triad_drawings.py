"""Triads drawn with the characters that every terminal has.

An arrow is an arc, a line without a head runs both ways, and where there is nothing no arc runs.
"""

from __future__ import annotations

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

_LEFT = " ↗↙╱"
_RIGHT = " ↘↖╲"
_ACROSS = ("   ", "──→", "←──", "───")
_ARROW = "·→←─"


def drawing(name: str) -> str:
    """Draw a type on two lines, five characters wide.

    Examples
    --------
    >>> print(drawing("030T"))
     ↗●↘
    ●──→●
    """
    left, across, right = DRAWN[name]
    return f" {_LEFT[left]}●{_RIGHT[right]}\n●{_ACROSS[across]}●"


def arrow(state: int) -> str:
    """Draw one dyad as a single character.

    Examples
    --------
    >>> [arrow(state) for state in range(4)]
    ['·', '→', '←', '─']
    """
    return _ARROW[state]
