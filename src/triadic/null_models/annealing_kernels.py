"""The kernel that gives the arcs of a random graph weights in such a way that each vertex keeps its strength.

Computes: exchanges of the weights of two arcs, one random proposal after another, at falling temperatures.
Requires: `off`, shape (n, 4): how far each vertex is above the strengths that it should have: of its positive weights
  out and in, and of its negative weights out and in. In an undirected graph both ends count as out.
Idea: simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983). The energy is the sum of the squares of `off`; a
  proposal that lowers it is accepted, and one that raises it by e is accepted with probability exp(-e / temperature).
Cost: about 100 ns per proposal.

References
----------
M. Rubinov and O. Sporns, *Weight-conserving characterization of complex functional brain networks*, NeuroImage 56,
2068-2079, 2011: null models with the degrees, the weights and, nearly, the strengths, of each sign.
S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, *Optimization by simulated annealing*, Science 220, 671-680, 1983.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, PROBABILITY_SHIFT, below, mix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int32]
    Whole = int | np.integer[Any]

_3 = np.uint64(3)
_UNIT = 2.0**-53


@kernel
def add_strengths(
    source: Ids, target: Ids, weights: NDArray[np.float64], directed: bool, off: NDArray[np.float64]
) -> None:
    """Add the strengths that some weights make to `off`."""
    into = 1 if directed else 0
    for i in range(weights.size):
        sign = 0 if weights[i] >= 0 else 2
        off[source[i], sign] += weights[i]
        off[target[i], sign + into] += weights[i]


@kernel
def anneal(
    key: np.uint64,
    begin: np.uint64,
    proposals: Whole,
    temperature: float,
    source: Ids,
    target: Ids,
    weights: NDArray[np.float64],
    directed: bool,
    within_signs: bool,
    off: NDArray[np.float64],
) -> Whole:
    """Make a number of proposals from number `begin` of the draws of a key, in place; return how many were accepted.

    With `within_signs`, a positive and a negative weight are never exchanged.
    """
    taken = np.int64(0)
    into = 1 if directed else 0
    counter = key + _3 * begin * GOLDEN
    for _ in range(proposals):
        i = np.int64(below(mix(counter), np.uint64(weights.size)))
        j = np.int64(below(mix(counter + GOLDEN), np.uint64(weights.size)))
        chance = np.float64(np.int64(mix(counter + GOLDEN + GOLDEN) >> PROBABILITY_SHIFT)) * _UNIT
        counter += _3 * GOLDEN
        x, y = weights[i], weights[j]
        if x == y or (within_signs and (x < 0) != (y < 0)):
            continue
        rise = _replace(off, source[i], target[i], x, y, into) + _replace(off, source[j], target[j], y, x, into)
        if rise <= 0.0 or chance < exp(-rise / temperature):
            weights[i], weights[j] = y, x
            taken += 1
        else:
            _replace(off, source[j], target[j], x, y, into)
            _replace(off, source[i], target[i], y, x, into)
    return taken


@kernel
def _replace(off: NDArray[np.float64], u: Whole, v: Whole, old: float, new: float, into: int) -> float:
    """Replace the weight of an arc from u to v; return the rise in energy."""
    rise = 0.0
    for value, factor in ((old, -1.0), (new, 1.0)):
        sign = 0 if value >= 0 else 2
        for vertex, side in ((u, sign), (v, sign + into)):
            change = factor * value
            rise += change * (2.0 * off[vertex, side] + change)
            off[vertex, side] += change
    return rise
