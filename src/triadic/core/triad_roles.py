"""The roles of the three vertices of a triad of each connected type, and the order of the vertices by role."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.triad_types import TRIAD_NAMES, TYPE_OF_CODE, states, turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
_CANONICAL = {
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

NO_SYMMETRY, EXCHANGE, ROTATION, ALL = range(4)


def symmetry(name: str) -> int:
    """Return which orders of the vertices have the same roles.

    The last two vertices can be exchanged (`EXCHANGE`), all three can be rotated (`ROTATION`) or be in any order
    (`ALL`), or each has a role of its own (`NO_SYMMETRY`).
    """
    roles = ROLES[name]
    if len(set(roles)) == 1:
        return ROTATION if name == "030C" else ALL
    return EXCHANGE if roles[1] == roles[2] else NO_SYMMETRY


def order_by_role(name: str) -> NDArray[np.int64]:
    """Return for each of the 64 codes of u < v < w which of these is first, second and third by role: shape (64, 3).

    Rows of codes of other types are zero.
    """
    table = np.zeros((64, 3), dtype=np.int64)
    for code in range(64):
        if TRIAD_NAMES[TYPE_OF_CODE[code]] == name:
            table[code] = next(order for order in permutations(range(3)) if _seen(code, order) == _CANONICAL[name])
    return table


def _seen(code: int, order: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the states of the dyads of a triad whose vertices are in another order."""
    uv, uw, vw = states(code)
    state = {(0, 1): uv, (0, 2): uw, (1, 2): vw, (1, 0): turned(uv), (2, 0): turned(uw), (2, 1): turned(vw)}
    first, second, third = order
    return state[first, second], state[first, third], state[second, third]
