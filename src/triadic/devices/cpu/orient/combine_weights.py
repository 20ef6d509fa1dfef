"""Weights of repeated arcs: how they are combined, in memory and in tiles.

Computes: the entries of a bucket of sorted keys with their combined weights; or the first entry whose weights cannot be
  combined.
Requires: keys sorted by row and column, those of an entry in the order of their arcs (`row_sort`); finite weights.
Idea: weights are added in rising order, those of each direction by themselves, so that a sum does not depend on the
  order of the arcs. The weights of the two directions may differ by the rounding of the program that wrote them.
Cost: one pass over the keys, and a sort of the weights of each entry with more than two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array

    Weights = Float64Array

# How the weights of repeated arcs are combined.
SUM, MAX, MIN, MEAN, FIRST, ERROR = range(6)
COMBINE = {"sum": SUM, "max": MAX, "min": MIN, "mean": MEAN, "first": FIRST, "error": ERROR}
# Share of the larger of two weights by which weights that are taken as equal may differ.
_ROUNDING = 1e-9
# What is wrong with the weights of an entry.
OVERFLOW, REPEATED, DIFFERENT = 1, 2, 3
# Columns of what `combine_repeats` finds: numbers of entries and of different arcs; what is wrong, where, and in which
# direction; numbers of entries that are given from both ends, and of those whose weights agree.
BOTH_ENDS, EQUAL, FOUND = 5, 6, 7


class WeightRule(NamedTuple):
    """How the weights of repeated arcs are combined.

    Attributes
    ----------
    combine : {"sum", "max", "min", "mean", "first", "error"}
        What is done with the weights of an arc that occurs several times.
    directed : bool
        Whether the two directions of an edge have weights of their own.
    mirrored : bool, default False
        Whether an undirected source gives each edge from both its ends, whose weights must then agree; their mean is
        that of the edge.
    """

    combine: str
    directed: bool
    mirrored: bool = False

    @property
    def code(self) -> tuple[int, bool]:
        """The rule as `combine_repeats` takes it."""
        return COMBINE[self.combine], self.mirrored


class Wrong(NamedTuple):
    """An entry whose weights cannot be combined.

    Attributes
    ----------
    kind : {OVERFLOW, REPEATED, DIFFERENT}
        The sum of its weights is no finite number; it is repeated; or the weights of the two directions do not agree.
    row, column : int
        The entry.
    backward : bool
        Whether the arc that is repeated or has the infinite sum runs from column to row.
    out, into : float
        Weight of the arc from row to column, and of the arc from column to row.
    """

    kind: int
    row: int
    column: int
    backward: bool
    out: float
    into: float


class WrongWeightsError(Exception):
    """The weights of an edge cannot be combined.

    Attributes
    ----------
    wrong : Wrong
        What is wrong; row and column are those of the rows that are sorted.
    """

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.kind)
        self.wrong = wrong


class Keyed(NamedTuple):
    """Keys of one bucket, and their weights."""

    keys: Int64Array
    weights: Weights


class BucketRows(NamedTuple):
    """The first row of a bucket, the bits of a column in its keys, and the numbers of entries of all rows."""

    first_row: int
    column_bits: int
    row_length: Int64Array


def wrong_entry(found: Int64Array, weights: Weights, first_row: int, column_bits: int) -> Wrong:
    """Return the first wrong entry of a bucket, from what was found in it and the weights behind its entries."""
    kind, entry, way = found[2:5].tolist()
    out, into = weights[0].item(), weights[1].item() if kind == DIFFERENT else 0.0
    column = entry & ((1 << column_bits) - 1)
    return Wrong(kind, first_row + (entry >> column_bits), column, bool(way), out, into)


@kernel
def combine_repeats(  # noqa: PLR0915 - one pass over the keys
    given: Keyed, made: Keyed, into: Weights, rows: BucketRows, rule: tuple[int, bool], found: Int64Array
) -> None:
    """Write the entries of one bucket, as `row_sort.join_repeats` does, with their weights.

    `made` may be `given`, which is sorted. `into` is empty unless directions are kept. Writes to `found` what `FOUND`
    says; the weights of the first wrong entry follow those in `made`.
    """
    sorted_keys, sorted_weights = given
    keys, out = made
    first_row, column_bits, row_length = rows
    combine, mirrored = rule
    directed = into.size > 0
    added = combine == SUM and not mirrored and not directed
    apart = mirrored or directed or added
    weight = np.zeros(2)  # by direction if they are apart, else the first is that of both
    size = sorted_keys.size
    entries = arcs = i = 0
    while i < size:
        begin = i
        entry = sorted_keys[i] >> 1
        state = wrong = way = 0
        weight[:] = 0.0
        while i < size and sorted_keys[i] >> 1 == entry:
            side = sorted_keys[i] & 1
            way = side if apart else 0
            if state & (1 + side if apart else 3) == 0:
                weight[way] = sorted_weights[i]
            else:
                weight[way] = combined(weight[way], sorted_weights[i], combine)
                if combine == ERROR:
                    wrong = REPEATED
                    break
            arcs += (state >> side) & 1 == 0
            state |= 1 + side
            i += 1
        if combine in (SUM, MEAN) and wrong == 0 and i - begin > 1:
            joined = added and state == 3
            way = add_up(sorted_keys[begin:i], sorted_weights[begin:i], apart, combine == MEAN, joined, weight, found)
            wrong = OVERFLOW if way >= 0 else 0
        if mirrored and wrong == 0 and state == 3 and weight[0] != weight[1]:
            if agree(weight[0], weight[1]):
                weight[0] = weight[0] / 2 + weight[1] / 2
            else:
                wrong = DIFFERENT
        keys[entries] = (entry << 2) | state
        out[entries] = weight[1] if apart and not directed and state == 2 else weight[0]
        if directed:
            into[entries] = weight[1]
        if wrong != 0:
            found[2] = wrong
            found[3] = entry
            found[4] = way
            if wrong == DIFFERENT:
                out[entries + 1] = weight[1]  # two arcs have one entry, so there is room
            break
        row_length[first_row + (entry >> column_bits)] += 1
        entries += 1
    found[0] = entries
    found[1] = arcs


@kernel
def add_up(
    keys: Int64Array,
    weights: Weights,
    apart: bool,
    mean: bool,
    joined: bool,
    totals: Weights,
    found: Int64Array,
) -> int:
    """Write the sum or the mean of the weights of each direction, or of all arcs, added in rising order.

    `totals` has the sums of two arcs at most. If the directions are `joined`, they are counted in `found`, and added.
    Returns a direction whose sum is not finite, or -1.
    """
    for side in range(2 if apart else 1):
        if keys.size == 2 and not mean:
            break
        chosen = np.empty(weights.size)
        size = 0
        for i in range(weights.size):
            if not apart or keys[i] & 1 == side:
                chosen[size] = weights[i]
                size += 1
        rising = np.sort(chosen[:size])
        total = 0.0
        for weight in rising:
            total += weight
        if mean and size > 0:  # the rounded mean of equal weights need not be their weight
            total = total / size if rising[0] < rising[-1] else rising[0]
        totals[side] = total
    if joined:
        found[5] += 1
        found[6] += agree(totals[0], totals[1])
        totals[0] += totals[1]
    for side in range(2):
        if not np.isfinite(totals[side]):
            return side
    return -1


@kernel
def agree(a: Any, b: Any) -> Any:  # noqa: ANN401 - two weights, or two arrays of weights
    """Return whether weights are equal but for rounding."""
    return np.abs(a - b) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b))


@kernel
def combined(so_far: float, weight: float, combine: int) -> float:
    """Return the weight of an arc that is repeated once more."""
    if combine == SUM:
        return so_far + weight
    if combine == MAX:
        return max(so_far, weight) + 0.0  # 0.0, not -0.0, of both
    return min(so_far, weight) + 0.0 if combine == MIN else so_far
