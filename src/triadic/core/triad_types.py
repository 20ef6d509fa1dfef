"""Types of triads, the roles of vertices in them, and their 64 codes; places of motifs of three timed events.

A type is named by its numbers of mutual, asymmetric and null dyads and a letter: 111D is A <-> B <- C, and 111U is
A <-> B -> C, as in networkx and igraph. The state of a dyad is 0 if it is null, 1 for an arc from the first to the
second vertex, 2 for an arc back, and 3 for both. A code is s(uv) + 4 s(uw) + 16 s(vw). In each connected type, the
vertices have an order by role.

A motif of three timed events has a place in the matrix of Paranjape, Benson and Leskovec. The first event runs from a
to b, and c is the third vertex. The third event is the column of the matrix, and the second event counts rows from
the bottom.

References
----------
Holland and Leinhardt (1976), Sociological Methodology 7, 1, for the names.
Nagpal (2013), the triad census thesis, figure 2.5, for the codes, which it numbers from 1.
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, figure 2.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array

# Types by the states of the dyads of the first and second, first and third, second and third role.
_NAMED = {
    (0, 0, 0): "003",
    (1, 0, 0): "012",
    (3, 0, 0): "102",
    (1, 1, 0): "021D",
    (2, 2, 0): "021U",
    (1, 0, 1): "021C",
    (1, 0, 3): "111D",
    (2, 0, 3): "111U",
    (1, 1, 1): "030T",
    (1, 2, 1): "030C",
    (3, 3, 0): "201",
    (1, 1, 3): "120D",
    (2, 2, 3): "120U",
    (1, 3, 1): "120C",
    (1, 3, 3): "210",
    (3, 3, 3): "300",
}

TRIAD_NAMES = tuple(_NAMED.values())
CLOSED_NAMES = tuple(name for seen, name in _NAMED.items() if 0 not in seen)
# States of the dyads of the first and second, first and third, second and third role.
CANONICAL = {name: seen for seen, name in _NAMED.items()}
OPEN_NAMES = tuple(name for seen, name in _NAMED.items() if seen.count(0) == 1)

# Mutual and asymmetric dyads in each type, as its name says.
MUTUAL = {name: int(name[0]) for name in TRIAD_NAMES}
ASYMMETRIC = {name: int(name[1]) for name in TRIAD_NAMES}


def states(code: int) -> tuple[int, int, int]:
    """Return the states s(uv), s(uw), s(vw) of a code."""
    return code & 3, code >> 2 & 3, code >> 4 & 3


def turned(state: int) -> int:
    """Return the state of a dyad with its vertices exchanged."""
    return (0, 2, 1, 3)[state]


def _matrix(code: int) -> tuple[tuple[int, int, int], ...]:
    """Return the states of the dyads from each vertex of a triad to each vertex; 0 to itself."""
    uv, uw, vw = states(code)
    return (0, uv, uw), (turned(uv), 0, vw), (turned(uw), turned(vw), 0)


def _type_and_order(code: int) -> tuple[str, tuple[int, ...]]:
    """Return the type of a triad, and which of its vertices is first, second and third by role."""
    state = _matrix(code)
    of_order = {(u, v, w): (state[u][v], state[u][w], state[v][w]) for u, v, w in permutations(range(3))}
    return next((_NAMED[seen], order) for order, seen in of_order.items() if seen in _NAMED)


_TYPES_AND_ORDERS = [_type_and_order(code) for code in range(64)]

# Type of each code as an index of TRIAD_NAMES.
TYPE_OF_CODE = np.array([TRIAD_NAMES.index(name) for name, _ in _TYPES_AND_ORDERS], np.int64)

# Number of open triples of each type in a triad of each closed type, each triple centred at one of the vertices.
HELD = {
    name: Counter(_TYPES_AND_ORDERS[code & ~(3 << dyad)][0] for dyad in (0, 2, 4))
    for code, (name, _) in enumerate(_TYPES_AND_ORDERS)
    if name in CLOSED_NAMES
}


def signature(code: int, corner: int) -> tuple[str, int, int, int]:
    """Return the type of a triad, and the number of mutual, only-out and only-in dyads at one of its corners."""
    seen = _matrix(code)[corner]
    return _TYPES_AND_ORDERS[code][0], seen.count(3), seen.count(1), seen.count(2)


def _closed_roles() -> tuple[tuple[tuple[str, int, int, int], ...], Int64Array]:
    closed = [code for code in range(64) if 0 not in states(code)]
    roles = sorted(
        {signature(code, corner) for code in closed for corner in range(3)},
        key=lambda role: (CLOSED_NAMES.index(role[0]), role[1:]),
    )
    table = np.zeros((3, 64), np.int64)
    for code in closed:
        for corner in range(3):
            table[corner, code] = roles.index(signature(code, corner))
    return tuple(roles), table


# The 15 roles in closed triads, as (type, mutual, only-out, only-in dyads of the vertex within the triad), and the
# role of each corner of each closed code.
CLOSED_ROLES, ROLE_OF_CODE = _closed_roles()

# Closed type of each closed code as an index of CLOSED_NAMES, the same for each corner.
CLOSED_TYPE_OF_CODE = np.array(
    [[CLOSED_NAMES.index(name) if name in CLOSED_NAMES else 0 for name, _ in _TYPES_AND_ORDERS]] * 3,
    np.int64,
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


def order_by_role(name: str) -> Int64Array:
    """Return for each of the 64 codes of u < v < w which of these is first, second and third by role: shape (64, 3).

    Rows of codes of other types are zero.
    """
    return np.array([order if own == name else (0, 0, 0) for own, order in _TYPES_AND_ORDERS], np.int64)


MOTIFS = 36
TWO_EVENTS = 6
# Kinds of events.
AB, BA, AC, CA, BC, CB = range(6)


def place(second: int, third: int) -> int:
    """Return the place of a motif in the matrix, row by row, from the kinds of its second and third event."""
    return (5 - second) * 6 + third


def _star_places() -> Int64Array:
    """Return the places of stars by the position of the lone event and the directions at the centre, 0 for outward."""
    places = np.zeros((3, 2, 2, 2), np.int64)
    for d1, d2, d3 in np.ndindex(2, 2, 2):
        lone = (AC, CA) if d1 == 0 else (BC, CB)  # the centre is a if the first event leaves it
        places[0, d1, d2, d3] = place(lone[d2], lone[d3])
        places[1, d1, d2, d3] = place(lone[d2], AB if d3 == d1 else BA)
        places[2, d1, d2, d3] = place(AB if d2 == d1 else BA, lone[d3])
    return places.reshape(3, 8)


# Sides 0, 1 and 2 of a triangle of vertices 0 < 1 < 2 join 0 and 1, 0 and 2, 1 and 2. Ordered pairs of sides:
_ORDERS = tuple(permutations(range(3), 2))
_SIDES = tuple(combinations(range(3), 2))


def _triangle_places() -> Int64Array:
    """Return the places of triangles by the order of their sides and by directions, 0 from the lower vertex."""
    places = np.empty((6, 2, 2, 2), np.int64)
    for order, (one, two) in enumerate(_ORDERS):
        sides = (one, two, 3 - one - two)
        for directions in np.ndindex(2, 2, 2):
            (a, b), *others = (
                _SIDES[side][::-1] if d else _SIDES[side] for side, d in zip(sides, directions, strict=True)
            )
            c = 3 - a - b
            kinds = {(a, c): AC, (c, a): CA, (b, c): BC, (c, b): CB}
            places[(order, *directions)] = place(kinds[others[0]], kinds[others[1]])
    return places.reshape(48)


STARS = _star_places()
"""By the position of the lone event and by the directions of the three events at the centre, 0 for outward: (3, 8)."""

PAIRS = np.array(
    [place(BA if (d >> 2) ^ (d >> 1 & 1) else AB, BA if (d >> 2) ^ (d & 1) else AB) for d in range(8)], np.int64
)
"""Three events of one pair of vertices, by their directions: shape (8,)."""

TRIANGLES = _triangle_places()
"""By the order of the sides and by the directions of the three events, 0 from the lower vertex: shape (48,)."""

# For each side of a triangle, the ordered pairs in which it is first and another side second.
ORDER_OF = np.array([[-1, 0, 1], [2, -1, 3], [4, 5, -1]], np.int64)
