"""Kernels that sort arcs into rows, by buckets that fit a core's cache.

Computes: from arcs (a, b) in any order, with loops and repeats, rows of rising columns without either.
Requires: a column and a row within a bucket together take at most 61 bits.
Idea: one pass counts how many keys fall into each group of rows, one scatters each key into its bucket (a run of
  groups of about equal size), then each bucket, by then in one core's cache, is sorted by a radix sort and freed of
  repeats. Nothing is compared, and no row is sorted by itself.
Cost: three passes over the arcs and about three over the keys, 8 bytes an arc of working memory.

A key holds (row - first row of the bucket, column, direction); the direction bit is 1 when the arc runs from its
column to its row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import prefetch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

# What becomes of an arc a -> b between vertices placed at x = place[a], y = place[b]:
ORIENT = 0  # an entry in the row of the larger place, from either arc
ORIENT_ONCE = 1  # the same, but only from the arc that leaves the larger place (each edge comes from both ends)
FORWARD = 2  # an entry y in row x
BOTH = 3  # that, and an entry x in row y

DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS
PASSES = 6  # enough for 63 bits
# Keys ahead of the one written in its bucket, two cache lines: stores wait for their line, in order.
AHEAD = 16


@kernel
def add_degrees(source: Ids, target: Ids, degree: NDArray[np.int64]) -> None:
    """Add to `degree` the ends of each arc that is no loop."""
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a != b:
            degree[a] += 1
            degree[b] += 1


@kernel
def rank_by_degree(degree: NDArray[np.int64], rank: Ids) -> None:
    """Rank vertices by falling degree, ties by rising id: a counting sort."""
    most = 0
    for v in range(degree.size):
        most = max(most, degree[v])
    start = [0] * (most + 2)
    for v in range(degree.size):
        start[most - degree[v] + 1] += 1
    for d in range(1, most + 2):
        start[d] += start[d - 1]
    for v in range(degree.size):
        d = most - degree[v]
        rank[v] = start[d]
        start[d] += 1


@kernel
def expand_rows(indptr: NDArray[np.int64], first: int, last: int, row: Ids) -> None:
    """Write the row of each entry of the rows `first` .. `last` - 1."""
    base = indptr[first]
    for r in range(first, last):
        for i in range(indptr[r] - base, indptr[r + 1] - base):
            row[i] = r


@kernel
def count_groups(source: Ids, target: Ids, place: Ids, rule: int, group_shift: int, counts: NDArray[np.int64]) -> int:
    """Count the keys that fall into each group of 2**group_shift rows; give the number of loops."""
    loops = 0
    placed = place.size > 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            loops += 1
            continue
        x = place[a] if placed else a
        y = place[b] if placed else b
        if rule == ORIENT:
            counts[max(x, y) >> group_shift] += 1
        elif rule == ORIENT_ONCE:
            if x > y:
                counts[x >> group_shift] += 1
        else:
            counts[x >> group_shift] += 1
            if rule == BOTH:
                counts[y >> group_shift] += 1
    return loops


@kernel
def scatter(
    source: Ids,
    target: Ids,
    place: Ids,
    rule: int,
    group_shift: int,
    bucket_of: NDArray[np.int64],
    first_row: NDArray[np.int64],
    column_bits: int,
    position: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> None:
    """Write each arc's key at the next free position of its bucket."""
    placed = place.size > 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            continue
        x = np.int64(place[a] if placed else a)
        y = np.int64(place[b] if placed else b)
        turned = 0
        if rule == ORIENT:  # without a branch: which end is larger cannot be foreseen
            turned = int(x < y)
            x, y = max(x, y), min(x, y)
        elif rule == ORIENT_ONCE and x < y:
            continue
        bucket = bucket_of[x >> group_shift]
        at = position[bucket]
        keys[at] = ((x - first_row[bucket]) << (column_bits + 1)) | (y << 1) | turned
        position[bucket] = at + 1
        prefetch(keys, at + AHEAD)
        if rule == BOTH:
            bucket = bucket_of[y >> group_shift]
            at = position[bucket]
            keys[at] = ((y - first_row[bucket]) << (column_bits + 1)) | (x << 1)
            position[bucket] = at + 1
            prefetch(keys, at + AHEAD)


@kernel
def sort_bucket(
    keys: NDArray[np.int64],
    start: int,
    stop: int,
    sorted_bits: int,
    key_bits: int,
    first_row: int,
    column_bits: int,
    spare: NDArray[np.int64],
    digit_start: NDArray[np.int64],
    row_length: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Sort one bucket's keys, by their lowest `sorted_bits` sorted already; join repeats, count each row's entries.

    Leaves at ``keys[start:]`` the entries as (row, column, state): state 1 for an arc row -> column, 2 for
    column -> row, 3 for both. Writes to `found` the number of entries and of different arcs.
    """
    size = stop - start
    a = keys[start:stop]
    b = spare[:size]
    bits = key_bits - sorted_bits
    passes = (bits + DIGIT_BITS - 1) // DIGIT_BITS
    digit_bits = (bits + passes - 1) // max(1, passes)  # short tables stay in the first-level cache
    digits = 1 << digit_bits
    digit_start[:passes] = 0
    for i in range(size):
        rest = a[i] >> sorted_bits
        for d in range(passes):
            digit_start[d, rest & (digits - 1)] += 1
            rest >>= digit_bits
    for d in range(passes):
        running = 0
        for digit in range(digits):
            count = digit_start[d, digit]
            digit_start[d, digit] = running
            running += count
        shift = sorted_bits + d * digit_bits
        for i in range(size):
            digit = (a[i] >> shift) & (digits - 1)
            b[digit_start[d, digit]] = a[i]
            digit_start[d, digit] += 1
        a, b = b, a

    entries = 0
    arcs = 0
    last = -1
    state = 0
    for i in range(size):
        entry = a[i] >> 1
        bit = 1 + (a[i] & 1)
        if entry != last:
            if last >= 0:
                keys[start + entries - 1] = (last << 2) | state
            row_length[first_row + (entry >> column_bits)] += 1
            entries += 1
            arcs += 1
            last = entry
            state = bit
        elif state & bit == 0:
            arcs += 1
            state |= bit
    if last >= 0:
        keys[start + entries - 1] = (last << 2) | state
    found[0] = entries
    found[1] = arcs


@kernel
def unpack(keys: NDArray[np.int64], column_bits: int, indices: Ids, state: NDArray[np.uint8]) -> None:
    """Write the columns of one bucket's entries, and their states where `state` is not empty."""
    mask = (1 << column_bits) - 1
    for i in range(keys.size):
        indices[i] = (keys[i] >> 2) & mask
    if state.size > 0:
        for i in range(keys.size):
            state[i] = keys[i] & 3


@kernel
def add_columns(indices: Ids, counts: NDArray[np.int64]) -> None:
    """Count how often each column occurs."""
    for i in range(indices.size):
        counts[indices[i]] += 1


@kernel
def first_wrong_row(indptr: NDArray[np.int64], indices: Ids, first: int, last: int, n: int) -> int:
    """Give the first row of `first` .. `last` - 1 that does not rise within 0 .. n - 1, or holds itself; else -1."""
    for row in range(first, last):
        before = -1
        for i in range(indptr[row], indptr[row + 1]):
            column = indices[i]
            if column <= before or column >= n or column == row:
                return row
            before = column
    return -1
