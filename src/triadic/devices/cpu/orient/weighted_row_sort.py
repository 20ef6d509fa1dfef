"""Weighted arcs to sorted rows, by buckets that fit a core's cache.

Computes: from weighted arcs (a, b) in any order, with loops and repeats, rows of rising columns without either, and the
  combined weights of each entry.
Requires: a column and a row within a bucket together take at most 61 bits; finite weights.
Idea: that of `row_sort`, with each weight moved along with its key. The direction bit of a key is not sorted, and the
  radix sort is stable, so the weights of an entry are combined in the order of their arcs, for any number of threads.
  Weights are added in rising order, those of each direction by themselves, so that a sum does not depend on the order
  of the arcs either. The weights of the two directions may differ by the rounding of the program that wrote them.
Cost: that of `row_sort` with twice as many bytes to move, 16 to 24 bytes an arc of working memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch
from triadic.devices.cpu.orient.row_sort import (
    BOTH,
    DIGIT_BITS,
    DIGITS,
    ORIENT,
    ORIENT_ONCE,
    PASSES,
    ArcSource,
    Rows,
    arcs_of,
    plan_buckets,
    unpack,
)

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Int64Array

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
FOUND = 7

_NO_STATE, _NO_WEIGHTS = np.empty(0, dtype=np.uint8), np.empty(0)


class WeightedArcSource(ArcSource, Protocol):
    """Weighted arcs in pieces."""

    def weights(self, i: int) -> Weights:
        """Return the weights of the arcs of piece `i`."""


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


@dataclass(frozen=True, slots=True)
class WeightedRows:
    """Sorted rows with weights.

    Attributes
    ----------
    rows : Rows
        The rows.
    out : float64 array, shape (entries,)
        Weight of each entry; if the directions are kept, of the arc from row to column, 0 if there is none.
    into : float64 array, shape (entries,), optional
        If the directions are kept, weight of the arc from column to row, 0 if there is none.
    both, equal : int
        Of undirected entries whose weights are added: number of those that are given from both ends, and of those whose
        two weights agree.
    """

    rows: Rows
    out: Weights
    into: Weights | None
    both: int
    equal: int


def sort_weighted_rows(
    source: WeightedArcSource,
    n: int,
    place: Ids | None,
    rule: int,
    *,
    combine: int,
    with_state: bool,
    mirrored: bool,
    threads: int,
) -> WeightedRows | Wrong:
    """Sort weighted arcs between `n` vertices into rows.

    Parameters
    ----------
    source : WeightedArcSource
        The arcs; their ids fit the dtype of the result's columns.
    n : int
        Number of vertices.
    place : int array, shape (n,), optional
        Row and column of each vertex; its own id by default.
    rule : {ORIENT, ORIENT_ONCE, FORWARD, BOTH}
        Which row an arc goes to.
    combine : {SUM, MAX, MIN, MEAN, FIRST, ERROR}
        How to combine the weights of repeated arcs.
    with_state : bool
        Whether to keep the directions, each with its own weight.
    mirrored : bool
        Whether the source gives each edge in both directions, whose weights must then agree; their mean is that of the
        edge. Without `with_state`.
    threads : int

    Returns
    -------
    WeightedRows or Wrong
        The first entry that is wrong, if there is one.
    """
    plan = plan_buckets(source, n, place, rule, threads=threads)
    keys, weights = np.empty(plan.keys, dtype=np.int64), np.empty(plan.keys)
    backward = np.empty(plan.keys if with_state else 0)

    def scatter_piece(_: int, i: int) -> None:
        a, b = arcs_of(source, i)
        scatter_weighted(a, b, frozen(source.weights(i)), plan.place, rule, *plan.of_piece(i), keys, weights)

    blocks.run(scatter_piece, source.pieces, threads=threads)

    workers = min(threads, max(1, plan.buckets))
    spare = [(np.empty(plan.longest, dtype=np.int64), np.empty(plan.longest)) for _ in range(workers)]
    digits = np.empty((workers, PASSES, DIGITS), dtype=np.int64)
    row_length = np.zeros(n, dtype=np.int64)
    found = np.zeros((plan.buckets, FOUND), dtype=np.int64)
    start, column_bits = plan.start, plan.column_bits

    def sort(worker: int, b: int) -> None:
        part, size = slice(start[b], start[b + 1]), start[b + 1] - start[b]
        here, there = (keys[part], weights[part]), (spare[worker][0][:size], spare[worker][1][:size])
        in_place = sort_by_key(*here, *there, plan.key_bits(b), digits[worker])
        sorted_keys, sorted_weights = here if in_place else there
        combine_repeats(
            sorted_keys, sorted_weights, plan.first_row[b], column_bits, combine, mirrored,
            *here, backward[part] if with_state else _NO_WEIGHTS, row_length, found[b],
        )  # fmt: skip

    blocks.run(sort, plan.buckets, threads=threads)
    wrong = np.flatnonzero(found[:, 2])
    if len(wrong):
        b = wrong[0]
        kind, entry, way = found[b, 2:5].tolist()
        at = start[b] + found[b, 0]
        row = int(plan.first_row[b]) + (entry >> column_bits)
        both = weights[at].item(), weights[at + 1].item() if kind == DIFFERENT else 0.0
        return Wrong(kind, row, entry & ((1 << column_bits) - 1), bool(way), *both)
    indptr = starts_of(row_length)
    indices = np.empty(int(indptr[-1]), dtype=plan.place.dtype)
    state = np.empty(len(indices), dtype=np.uint8) if with_state else None
    out = np.empty(len(indices))
    into = np.empty(len(indices)) if with_state else None
    end = np.concatenate([[0], np.cumsum(found[:, 0])])

    def unpack_bucket(_: int, b: int) -> None:
        part, kept = slice(end[b], end[b + 1]), slice(start[b], start[b] + found[b, 0])
        unpack(keys[kept], column_bits, indices[part], _NO_STATE if state is None else state[part])
        out[part] = weights[kept]
        if into is not None:
            into[part] = backward[kept]

    blocks.run(unpack_bucket, plan.buckets, threads=threads)
    rows = Rows(indptr, indices, state, int(found[:, 1].sum()), plan.keys, plan.loops)
    return WeightedRows(rows, out, into, *found[:, 5:].sum(axis=0).tolist())


@kernel
def scatter_weighted(
    source: Ids,
    target: Ids,
    given: Weights,
    place: Ids,
    rule: int,
    group_shift: int,
    bucket_of: Int64Array,
    first_row: Int64Array,
    column_bits: int,
    position: Int64Array,
    keys: Int64Array,
    weights: Weights,
) -> None:
    """Write each arc's key and weight at the next free position of its bucket."""
    has_place = place.size > 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            continue
        x = np.int64(place[a] if has_place else a)
        y = np.int64(place[b] if has_place else b)
        turned = np.int64(0)
        if rule == ORIENT:
            turned = np.int64(x < y)
            x, y = max(x, y), min(x, y)
        elif rule == ORIENT_ONCE and x < y:
            continue
        for mention in range(2 if rule == BOTH else 1):
            if mention == 1:
                x, y = y, x
            bucket = bucket_of[x >> group_shift]
            free = position[bucket]
            keys[free] = ((x - first_row[bucket]) << (column_bits + 1)) | (y << 1) | turned
            weights[free] = given[i]
            position[bucket] = free + 1
            prefetch(keys, free + AHEAD_KEY)
            prefetch(weights, free + AHEAD_KEY)


@kernel
def sort_by_key(
    keys: Int64Array,
    weights: Weights,
    spare_keys: Int64Array,
    spare_weights: Weights,
    key_bits: int,
    digit_start: Int64Array,
) -> bool:
    """Sort the keys of one bucket, all but the lowest bit, with their weights; return whether they stayed in place."""
    size = keys.size
    a, b = keys, spare_keys
    x, y = weights, spare_weights
    bits = key_bits - 1
    passes = (bits + DIGIT_BITS - 1) // DIGIT_BITS
    digit_bits = (bits + passes - 1) // max(1, passes)
    digits = 1 << digit_bits
    digit_start[:passes] = 0
    for i in range(size):
        rest = a[i] >> 1
        for d in range(passes):
            digit_start[d, rest & (digits - 1)] += 1
            rest >>= digit_bits
    for d in range(passes):
        running = 0
        for digit in range(digits):
            count = digit_start[d, digit]
            digit_start[d, digit] = running
            running += count
        shift = 1 + d * digit_bits
        for i in range(size):
            digit = (a[i] >> shift) & (digits - 1)
            free = digit_start[d, digit]
            b[free] = a[i]
            y[free] = x[i]
            digit_start[d, digit] = free + 1
        a, b = b, a
        x, y = y, x
    return passes % 2 == 0


@kernel
def combine_repeats(
    sorted_keys: Int64Array,
    sorted_weights: Weights,
    first_row: int,
    column_bits: int,
    combine: int,
    mirrored: bool,
    keys: Int64Array,
    out: Weights,
    into: Weights,
    row_length: Int64Array,
    found: Int64Array,
) -> None:
    """Write the entries of one bucket, as `row_sort.sort_bucket` does, with their weights.

    `into` is empty unless directions are kept. Writes to `found` what `FOUND` says; the weights of the first wrong
    entry follow those in `out`.
    """
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
