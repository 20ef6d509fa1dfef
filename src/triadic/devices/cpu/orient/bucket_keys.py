"""The keys of buckets of rows, sorted and freed of repeats, with their weights or without; in memory and in tiles.

Computes: from the keys of each bucket, in the order of their arcs, its entries as (row, column, state), the number of
  entries of each row, and the combined weights of each entry; or the first entry whose weights cannot be combined.
Requires: keys of at most 63 bits in which a column and a row within a bucket take at most 61; finite weights.
Idea: a radix sort, for which a bucket fits a core's cache. The direction bit is not sorted, and the sort is stable, so
  that the weights of an entry stand in the order of their arcs, for any number of threads. Weights are added in rising
  order, those of each direction by themselves, so that a sum does not depend on the order of the arcs. The weights of
  the two directions may differ by the rounding of the program that wrote them.
Cost: about three passes over the keys, and a sort of the weights of each entry with more than two.

A key holds (row - first row of the bucket, column, direction); the direction bit is 1 if the arc runs from its column
to its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import int_empty, int_zeros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Float64Array, Ids, Int64Array, Uint8Array

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

DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS
PASSES = 6  # enough for 63 bits

_NO_WEIGHTS = np.empty(0)


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


class Moved(NamedTuple):
    """The bits of weights that move with keys, and the array that they move to."""

    weights: Int64Array
    to: Int64Array


def moved_bits(weights: Float64Array, to: Float64Array) -> Moved:
    """Return weights as their bits: kernels that move them do not calculate with them."""
    return Moved(weights.view(np.int64), to.view(np.int64))


class BucketKeys:
    """The keys of buckets, with weights or without: sorted by row and column, with repeats joined.

    Parameters
    ----------
    keys : int64 array, shape (keys,)
        The keys, bucket after bucket.
    rule : WeightRule, optional
        How to combine weights. By default there are none.

    Attributes
    ----------
    weights : float64 array, shape (keys,), or None
        The weights of the keys.
    kinds : list of float64 array
        Room for the weights of entries: of both directions if they are kept.
    """

    def __init__(self, keys: Int64Array, rule: WeightRule | None) -> None:
        self.keys, self.rule = keys, rule
        self.kinds = [] if rule is None else [np.empty(len(keys)) for _ in range(1 + rule.directed)]
        self.weights = self.kinds[0] if self.kinds else None

    def sort(
        self,
        start: Int64Array,
        first_row: Int64Array,
        column_bits: int,
        row_length: Int64Array,
        *,
        threads: int,
    ) -> Int64Array:
        """Sort each bucket, join repeats, and add the entries of each row to `row_length`.

        The entries of bucket b are left at ``keys[start[b]:]`` as (row, column, state), where the state is 1 for an arc
        row -> column, 2 for column -> row, 3 for both.

        Returns
        -------
        int64 array, shape (buckets, FOUND)
            Number of entries and of different arcs of each bucket, and more of weights: see `combine_repeats`.

        Raises
        ------
        WrongWeightsError
            If the weights of an entry cannot be combined.
        """
        size = np.diff(start)
        workers, longest = min(threads, max(1, len(size))), int(size.max(initial=0))
        spare = [(int_empty(longest), np.empty(longest if self.kinds else 0)) for _ in range(workers)]
        digits = int_empty((workers, PASSES, DIGITS))
        found = int_zeros((len(size), FOUND))
        into = self.kinds[1] if len(self.kinds) > 1 else _NO_WEIGHTS

        def sort(worker: int, b: int) -> None:
            part, count = slice(start[b], start[b + 1]), size[b]
            rows = BucketRows(first_row[b], column_bits, row_length)
            bits = int(first_row[b + 1] - first_row[b] - 1).bit_length() + column_bits + 1
            keys, there = self.keys[part], spare[worker][0][:count]
            if self.rule is None or self.weights is None:
                in_place = radix_sort(keys, there, 1, bits, digits[worker], None)
                join_repeats(keys if in_place else there, keys, rows, found[b])
                return
            here, away = Keyed(keys, self.weights[part]), Keyed(there, spare[worker][1][:count])
            moved = moved_bits(here.weights, away.weights)
            in_place = radix_sort(keys, there, 1, bits, digits[worker], moved)
            combine_repeats(here if in_place else away, here, into[part], rows, self.rule.code, found[b])

        blocks.run(sort, len(size), threads=threads)
        wrong = np.flatnonzero(found[:, 2])
        if len(wrong) and self.weights is not None:
            b = wrong[0]
            kind, entry, way = found[b, 2:5].tolist()
            out, *behind = self.weights[start[b] + found[b, 0] :][:2].tolist()  # the weights behind the entries
            row, column = int(first_row[b]) + (entry >> column_bits), entry & ((1 << column_bits) - 1)
            other = behind[0] if kind == DIFFERENT else 0.0
            raise WrongWeightsError(Wrong(kind, row, column, bool(way), out, other))
        return found

    def unpack(
        self,
        start: Int64Array,
        found: Int64Array,
        column_bits: int,
        indices: Ids,
        state: Uint8Array,
        kinds: Sequence[Float64Array],
        *,
        threads: int,
    ) -> None:
        """Write the columns of all entries, their states unless `state` is empty, and their weights."""
        count = found[:, 0]
        end = np.cumsum(count)

        def unpack_bucket(_: int, b: int) -> None:
            part, kept = slice(end[b] - count[b], end[b]), slice(start[b], start[b] + count[b])
            unpack(self.keys[kept], column_bits, indices[part], state[part])
            for kind, to in zip(self.kinds, kinds, strict=True):
                to[part] = kind[kept]

        blocks.run(unpack_bucket, len(found), threads=threads)


@kernel
def combine_repeats(  # noqa: PLR0915 - one pass over the keys
    given: Keyed, made: Keyed, into: Weights, rows: BucketRows, rule: tuple[int, bool], found: Int64Array
) -> None:
    """Write the entries of one bucket, as `join_repeats` does, with their weights.

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


@kernel
def radix_sort(
    keys: Int64Array, spare: Int64Array, low: int, high: int, digit_start: Int64Array, moved: Moved | None
) -> bool:
    """Sort the keys of one bucket, with their weights, by the bits `low` .. `high` - 1; return whether in place."""
    size = keys.size
    a, b = keys, spare
    if moved is not None:
        x, y = moved
    passes = (high - low + DIGIT_BITS - 1) // DIGIT_BITS
    digit_bits = (high - low + passes - 1) // max(1, passes)  # short tables stay in the first-level cache
    digits = 1 << digit_bits
    digit_start[:passes] = 0
    for i in range(size):
        rest = a[i] >> low
        for d in range(passes):
            digit_start[d, rest & (digits - 1)] += 1
            rest >>= digit_bits
    for d in range(passes):
        running = 0
        for digit in range(digits):
            count = digit_start[d, digit]
            digit_start[d, digit] = running
            running += count
        shift = low + d * digit_bits
        for i in range(size):
            digit = (a[i] >> shift) & (digits - 1)
            free = digit_start[d, digit]
            b[free] = a[i]
            if moved is not None:
                y[free] = x[i]
            digit_start[d, digit] = free + 1
        a, b = b, a
        if moved is not None:
            x, y = y, x
    return passes % 2 == 0


@kernel
def join_repeats(sorted_keys: Int64Array, keys: Int64Array, rows: BucketRows, found: Int64Array) -> None:
    """Write the entries of one bucket as (row, column, state), and to `found` their number and that of different arcs.

    `keys` may be the same array as `sorted_keys`.
    """
    first_row, column_bits, row_length = rows
    entries = arcs = state = 0
    last = -1
    for i in range(sorted_keys.size):
        entry = sorted_keys[i] >> 1
        bit = 1 + (sorted_keys[i] & 1)
        if entry != last:
            row_length[first_row + (entry >> column_bits)] += 1
            entries += 1
            last = entry
            state = 0
        arcs += state & bit == 0
        state |= bit
        keys[entries - 1] = (entry << 2) | state
    found[0] = entries
    found[1] = arcs


@kernel
def unpack(keys: Int64Array, column_bits: int, indices: Ids, state: Uint8Array) -> None:
    """Write the columns of one bucket's entries, and their states unless `state` is empty."""
    mask = (1 << column_bits) - 1
    for i in range(keys.size):
        indices[i] = (keys[i] >> 2) & mask
    if state.size > 0:
        for i in range(keys.size):
            state[i] = keys[i] & 3
