"""The places of the motifs of three timed events in the matrix of Paranjape, Benson and Leskovec.

The first event runs from a to b, and c is the third vertex. The third event of a motif is the column of the matrix, and
the second event counts rows from the bottom.

References
----------
Paranjape, Benson and Leskovec (2017), "Motifs in temporal networks", WSDM, figure 2.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triadic.core.array_types import Int64Array

MOTIFS = 36
TWO_EVENTS = 6
# Kinds of events.
AB, BA, AC, CA, BC, CB = range(6)


def place(second: int, third: int) -> int:
    """Return the place of a motif in the matrix, row by row, from the kinds of its second and third event."""
    return (5 - second) * 6 + third


def _star_places() -> Int64Array:
    """Return the places of stars by the position of the lone event and the directions at the centre, 0 for outward."""
    places = np.zeros((3, 2, 2, 2), dtype=np.int64)
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
    places = np.empty((6, 2, 2, 2), dtype=np.int64)
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
    [place(BA if (d >> 2) ^ (d >> 1 & 1) else AB, BA if (d >> 2) ^ (d & 1) else AB) for d in range(8)], dtype=np.int64
)
"""Three events of one pair of vertices, by their directions: shape (8,)."""

TRIANGLES = _triangle_places()
"""By the order of the sides and by the directions of the three events, 0 from the lower vertex: shape (48,)."""

# For each side of a triangle, the ordered pairs in which it is first and another side second.
ORDER_OF = np.array([[-1, 0, 1], [2, -1, 3], [4, 5, -1]], dtype=np.int64)
