"""The sixteen types of triads, the roles a vertex can play in them, and the 64 labelled codes.

A type is named by its numbers of mutual, asymmetric and null dyads and a letter: 111D is A <-> B <- C, and 111U is
A <-> B -> C, as in networkx and igraph. The state of a dyad is 0 if it is null, 1 for an arc from the first to the
second vertex, 2 for an arc back, and 3 for both. A code is s(uv) + 4 s(uw) + 16 s(vw). In each connected type, the
vertices have an order by role.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1, for the names.
Nagpal (2013), the triad census thesis, figure 2.5, for the codes, which it numbers from 1.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array

TRIAD_NAMES = (
    "003", "012", "102", "021D", "021U", "021C", "111D", "111U",
    "030T", "030C", "201", "120D", "120U", "120C", "210", "300",
)  # fmt: skip

CLOSED_NAMES = ("030T", "030C", "120D", "120U", "120C", "210", "300")
OPEN_NAMES = ("021D", "021U", "021C", "111D", "111U", "201")

# Mutual and asymmetric dyads in each type, as its name says.
MUTUAL = {name: int(name[0]) for name in TRIAD_NAMES}
ASYMMETRIC = {name: int(name[1]) for name in TRIAD_NAMES}

# Number of open triples of each type in a triad of each closed type, each triple centred at one of the vertices.
HELD = {
    "030T": {"021D": 1, "021U": 1, "021C": 1},
    "030C": {"021C": 3},
    "120D": {"021D": 1, "111D": 2},
    "120U": {"021U": 1, "111U": 2},
    "120C": {"021C": 1, "111U": 1, "111D": 1},
    "210": {"111U": 1, "111D": 1, "201": 1},
    "300": {"201": 3},
}

# Type of each code as an index of TRIAD_NAMES, here counted from 1 (Batagelj and Mrvar 2001).
TYPE_OF_CODE = np.array(
    [
        1, 2, 2, 3, 2, 4, 6, 8, 2, 6, 5, 7, 3, 8, 7, 11,
        2, 6, 4, 8, 5, 9, 9, 13, 6, 10, 9, 14, 7, 14, 12, 15,
        2, 5, 6, 7, 6, 9, 10, 14, 4, 9, 9, 12, 8, 13, 14, 15,
        3, 7, 8, 11, 7, 12, 14, 15, 8, 14, 13, 15, 11, 15, 15, 16,
    ],
    dtype=np.int64,
) - 1  # fmt: skip


def states(code: int) -> tuple[int, int, int]:
    """Return the states s(uv), s(uw), s(vw) of a code."""
    return code & 3, code >> 2 & 3, code >> 4 & 3


def turned(state: int) -> int:
    """Return the state of a dyad with its vertices exchanged."""
    return (0, 2, 1, 3)[state]


def signature(code: int, corner: int) -> tuple[str, int, int, int]:
    """Return the type of a triad, and the number of mutual, only-out and only-in dyads at one of its corners."""
    uv, uw, vw = states(code)
    seen = ((uv, uw), (turned(uv), vw), (turned(uw), turned(vw)))[corner]
    return TRIAD_NAMES[TYPE_OF_CODE[code]], seen.count(3), seen.count(1), seen.count(2)


def _closed_roles() -> tuple[tuple[tuple[str, int, int, int], ...], Int64Array]:
    closed = [code for code in range(64) if 0 not in states(code)]
    roles = sorted(
        {signature(code, corner) for code in closed for corner in range(3)},
        key=lambda role: (CLOSED_NAMES.index(role[0]), role[1:]),
    )
    table = np.zeros((3, 64), dtype=np.int64)
    for code in closed:
        for corner in range(3):
            table[corner, code] = roles.index(signature(code, corner))
    return tuple(roles), table


# The 15 roles in closed triads, as (type, mutual, only-out, only-in dyads of the vertex within the triad), and the
# role of each corner of each closed code.
CLOSED_ROLES, ROLE_OF_CODE = _closed_roles()

# Closed type of each closed code as an index of CLOSED_NAMES, the same for each corner.
CLOSED_TYPE_OF_CODE = np.array(
    [[CLOSED_NAMES.index(TRIAD_NAMES[t]) if TRIAD_NAMES[t] in CLOSED_NAMES else 0 for t in TYPE_OF_CODE]] * 3,
    dtype=np.int64,
)


ROLES = {
    "021D": ("source", "target", "target"),
    "021U": ("target", "source", "source"),
    "021C": ("source", "middle", "target"),
    "111D": ("source", "middle", "mutual"),
    "111U": ("target", "middle", "mutual"),
    "030T": ("source", "middle", "target"),
    "030C": ("cycle", "cycle", "cycle"),
    "201": ("middle", "end", "end"),
    "120D": ("source", "mutual", "mutual"),
    "120U": ("target", "mutual", "mutual"),
    "120C": ("source", "middle", "target"),
    "210": ("source", "target", "mutual"),
    "300": ("mutual", "mutual", "mutual"),
}
"""Role of each vertex of a triad of each connected type; vertices with equal roles can be exchanged."""

# States of the dyads of the first and second, first and third, second and third role.
CANONICAL: dict[str, tuple[int, int, int]] = {
    "021D": (1, 1, 0),
    "021U": (2, 2, 0),
    "021C": (1, 0, 1),
    "111D": (1, 0, 3),
    "111U": (2, 0, 3),
    "030T": (1, 1, 1),
    "030C": (1, 2, 1),
    "201": (3, 3, 0),
    "120D": (1, 1, 3),
    "120U": (2, 2, 3),
    "120C": (1, 3, 1),
    "210": (1, 3, 3),
    "300": (3, 3, 3),
}


def order_by_role(name: str) -> Int64Array:
    """Return for each of the 64 codes of u < v < w which of these is first, second and third by role: shape (64, 3).

    Rows of codes of other types are zero.
    """
    table = np.zeros((64, 3), dtype=np.int64)
    for code in range(64):
        if TRIAD_NAMES[TYPE_OF_CODE[code]] == name:
            table[code] = next(order for order in permutations(range(3)) if _seen(code, order) == CANONICAL[name])
    return table


def _seen(code: int, order: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the states of the dyads of a triad whose vertices are in another order."""
    uv, uw, vw = states(code)
    state = {(0, 1): uv, (0, 2): uw, (1, 2): vw, (1, 0): turned(uv), (2, 0): turned(uw), (2, 1): turned(vw)}
    first, second, third = order
    return state[first, second], state[first, third], state[second, third]
