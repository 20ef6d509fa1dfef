"""Choose random wedges whose middle lies in one range of rows, out of the wedges of a whole graph.

Computes: of the draws `first` to ``first + count - 1`` of a graph, those whose row is in the range, with their rows and
  the two places in them.
Requires: the weights of the rows of the range as sums before each row, the weight of all rows before the range, and the
  weight of all rows of the graph.
Idea: a draw is a hash of its number, so that each range finds its own draws from the weights alone. Together
  they are those of `triadic.devices.cpu.wedge_sampling`, whose weights and places of entries these are.
Cost: two hashes for each draw of the graph, and a binary search for each draw of the range.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.compiled import kernel
from triadic.core.draws import GOLDEN, below, mix
from triadic.devices.cpu.wedge_sampling import row_weight
from triadic.devices.cpu.weighted_choice import place_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

_U1, _U2 = np.uint64(1), np.uint64(2)


@kernel
def add_up_rows(lengths: NDArray[np.int64], degree: NDArray[np.int64], shift: int, before: NDArray[np.uint64]) -> None:
    """Write the sum of the weights of the rows before each row, and of all: `before` has one place more than rows."""
    total = np.uint64(0)
    before[0] = total
    for row in range(len(lengths)):
        total += np.uint64(row_weight(lengths[row], degree[row] if shift != 0 else 0, shift))
        before[row + 1] = total


@kernel
def choose_in_range(
    lengths: NDArray[np.int64],
    before: NDArray[np.uint64],
    total: np.uint64,
    weight_before: np.uint64,
    key: np.uint64,
    first: int,
    draws: NDArray[np.int64],
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
) -> int:
    """Write the draws whose row is in the range, counted from `first`, their rows and places; return their number.

    `draws` and `rows` have the shape (count,), `places` (count, 2): the larger place, then the smaller.
    """
    own = before[-1]
    found = 0
    for k in range(len(draws)):
        seed = mix(key + np.uint64(first + k) * GOLDEN)
        number = below(mix(seed), total)
        if number < weight_before or number - weight_before >= own:
            continue
        row = np.searchsorted(before, number - weight_before, side="right") - 1
        i = place_below(mix(seed + _U1 * GOLDEN), lengths[row])
        j = place_below(mix(seed + _U2 * GOLDEN), lengths[row] - 1)
        if j >= i:
            j += 1
        draws[found] = k
        rows[found] = row
        places[found, 0] = max(i, j)
        places[found, 1] = min(i, j)
        found += 1
    return found
