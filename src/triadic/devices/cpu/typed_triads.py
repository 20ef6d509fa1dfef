"""A kernel that turns triads into numbers of their groups by role.

Computes: for each triad u < v < w of one type the number (g0 * groups + g1) * groups + g2, where g0, g1 and g2 are the
  groups of its first, second and third vertex by role.
Requires: `id_rows.IdRows` of all neighbours of higher id; fewer than 2**19 groups.
Idea: the code of the triad, found by three binary searches, tells which vertex has which role. Among vertices that can
  be exchanged, groups are put in rising order; of the three rotations of a cycle the smallest number counts.
Cost: three binary searches per triad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.triad_types import ALL, EXCHANGE, ROTATION
from triadic.devices.cpu.list_walk import position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.devices.cpu.id_rows import IdRows

    Whole = int | np.integer[Any]


@kernel
def number_triads(
    above: IdRows,
    triads: NDArray[np.int64],
    group: NDArray[np.int32],
    groups: Whole,
    order: NDArray[np.int64],
    symmetry: Whole,
    numbers: NDArray[np.int64],
) -> None:
    """Write the number of each triad, shape (triads,)."""
    of = np.zeros(3, dtype=np.int64)
    for i in range(triads.shape[0]):
        u, v, w = triads[i, 0], triads[i, 1], triads[i, 2]
        code = _state(above, u, v) + 4 * _state(above, u, w) + 16 * _state(above, v, w)
        for role in range(3):
            of[role] = group[triads[i, order[code, role]]]
        if symmetry == ALL:
            of.sort()
        elif symmetry == EXCHANGE and of[2] < of[1]:
            of[1], of[2] = of[2], of[1]
        number = (of[0] * groups + of[1]) * groups + of[2]
        if symmetry == ROTATION:
            number = min(number, (of[1] * groups + of[2]) * groups + of[0], (of[2] * groups + of[0]) * groups + of[1])
        numbers[i] = number


@kernel
def _state(above: IdRows, u: Whole, v: Whole) -> Whole:
    """Return the state of the dyad of u < v, 0 if it is null."""
    last = above.indptr[u + 1]
    at = position(above.indices, np.int64(above.indptr[u]), np.int64(last), v)
    if at == last or above.indices[at] != v:
        return np.int64(0)
    return np.int64(above.state[at])
