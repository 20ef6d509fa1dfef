"""Arcs to sorted rows, by buckets of rows that fit a core's cache.

Computes: for each bucket its rows and the number of its keys; for each piece of the arcs where it writes its keys.
Requires: vertex ids below the number of vertices.
Idea: rows are counted in groups of a power of two, and groups are joined to buckets of about equal size. Each piece
  has places of its own in each bucket, so that pieces are scattered by several threads, and the keys of a bucket keep
  the order of the arcs.
Cost: one pass over the arcs; 8 bytes for each piece and group.

Arcs to sorted rows, by buckets that fit a core's cache.

Computes: from arcs (a, b) in any order, with loops and repeats, rows of rising columns without either.
Requires: a column and a row within a bucket together take at most 61 bits.
Idea: one pass counts how many keys fall into each group of rows, one scatters each key into its bucket (a run of
  groups of about equal size), then each bucket, by then in one core's cache, is sorted by a radix sort and freed of
  repeats. Keys are never compared, and no row is sorted by itself.
Cost: three passes over the arcs and about three over the keys, 8 bytes an arc of working memory.

Beamer, Asanović and Patterson (2017), Reducing PageRank communication via propagation blocking, IPDPS, for scattering
into buckets that fit a cache.

A key holds (row - first row of the bucket, column, direction); the direction bit is 1 if the arc runs from its column
to its row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, starts_of
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int64Array, Uint8Array


# The rules by which an arc a -> b between vertices placed at x = place[a], y = place[b] becomes entries:
ORIENT = 0  # an entry in the row of the larger place, from either arc
ORIENT_ONCE = 1  # the same, but only from the arc that leaves the larger place (each edge comes from both ends)
FORWARD = 2  # an entry y in row x
BOTH = 3  # an entry y in row x and an entry x in row y

# Keys in a bucket: 256 KiB, a quarter of a common core's second-level cache, beside as much spare room.
_BUCKET = 1 << 15
# More buckets than this and their open pages no longer fit the address translation cache.
_MOST_BUCKETS = 1 << 10
_MOST_GROUPS = 1 << 13
DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS
PASSES = 6  # enough for 63 bits

_NO_STATE = np.empty(0, dtype=np.uint8)


class ArcSource(Protocol):
    """Arcs in pieces, which several workers can read more than once."""

    @property
    def pieces(self) -> int:
        """Number of pieces."""

    @property
    def arcs(self) -> int:
        """Number of arcs."""

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Return source and target of the arcs of piece `i`."""


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Which keys go to which bucket, and where each piece of the arcs writes its keys.

    Attributes
    ----------
    place : int32 or int64 array, shape (n,) or (0,)
        Row and column of each vertex, in the dtype of the columns; empty if it is the vertex itself.
    start : int64 array, shape (buckets + 1,)
        Position of the first key of each bucket, and the number of keys.
    first_row : int64 array, shape (buckets + 1,)
        First row of each bucket, and the row past the last.
    bucket_of : int64 array, shape (groups,)
        Bucket of each group of 2**group_shift rows.
    position : int64 array, shape (pieces, buckets)
        Where each piece writes its first key of each bucket.
    group_shift, column_bits : int
        Bits of a row within its group, and of a column.
    loops : int
        Number of loops, which have no key.
    """

    place: Ids
    start: Int64Array
    first_row: Int64Array
    bucket_of: Int64Array
    position: Int64Array
    group_shift: int
    column_bits: int
    loops: int

    @property
    def buckets(self) -> int:
        """Number of buckets."""
        return len(self.start) - 1

    @property
    def keys(self) -> int:
        """Number of keys."""
        return int(self.start[-1])

    @property
    def longest(self) -> int:
        """Number of keys of the longest bucket."""
        return int(np.diff(self.start).max(initial=0))

    def key_bits(self, b: int) -> int:
        """Return the number of bits of the keys of bucket `b`: row within the bucket, column and direction."""
        return int(self.first_row[b + 1] - self.first_row[b] - 1).bit_length() + self.column_bits + 1

    def of_piece(self, i: int) -> tuple[int, Int64Array, Int64Array, int, Int64Array]:
        """Return what `scatter` takes of the plan for piece `i`, after the rule."""
        return self.group_shift, self.bucket_of, self.first_row, self.column_bits, self.position[i]


def plan_buckets(source: ArcSource, n: int, place: Ids | None, rule: int, *, threads: int) -> Buckets:
    """Count the keys of each piece by group of rows, join groups to buckets, and find the start of each piece."""
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    place_of = frozen(np.empty(0, dtype=dtype) if place is None else place)
    group_shift, groups = row_groups(n)
    counts = np.zeros((source.pieces, groups), dtype=np.int64)
    loops = np.zeros(source.pieces, dtype=np.int64)

    def count(_: int, i: int) -> None:
        loops[i] = count_groups(*arcs_of(source, i), place_of, rule, group_shift, counts[i])

    blocks.run(count, source.pieces, threads=threads)
    return join_groups(counts, n, place_of, loops=int(loops.sum()))


def row_groups(n: int) -> tuple[int, int]:
    """Return the shift from a row to its group, and the number of groups of `n` rows."""
    group_shift = max(0, (n - 1).bit_length() - _MOST_GROUPS.bit_length() + 1)
    return group_shift, ((n - 1) >> group_shift) + 1 if n else 0


def join_groups(counts: Int64Array, n: int, place: Ids, *, loops: int = 0, most_rows: int | None = None) -> Buckets:
    """Join groups of rows to buckets of about equal size, of about `most_rows` rows at most.

    Parameters
    ----------
    counts : int64 array, shape (pieces, groups)
        Number of keys of each piece in each of the first groups of rows.
    n : int
        Number of vertices.
    place : int array, shape (n,) or (0,)
        Row and column of each vertex; empty if it is the vertex itself.
    loops : int, default 0
    most_rows : int, optional
        By default a bucket may have any number of rows. Many rows are allowed if there would be too many buckets.
    """
    group_shift, _ = row_groups(n)
    group_keys = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    cost = group_keys
    if most_rows is not None:
        cost = cost + np.arange(len(cost)) * (_BUCKET // max(1, most_rows >> group_shift))
    cuts = blocks.cut(cost, _BUCKET, most=_MOST_BUCKETS)
    start = group_keys[cuts]
    by_piece = np.add.reduceat(counts, cuts[:-1], axis=1) if len(cuts) > 1 else counts
    return Buckets(
        place=place,
        start=start,
        first_row=cuts << group_shift,
        bucket_of=np.repeat(np.arange(len(cuts) - 1), np.diff(cuts)),
        position=start[:-1] + np.cumsum(by_piece, axis=0) - by_piece,
        group_shift=group_shift,
        column_bits=max(1, (n - 1).bit_length()),
        loops=loops,
    )


def arcs_of(source: ArcSource, i: int) -> tuple[Ids, Ids]:
    """Return read-only views of the source and target of the arcs of piece `i`, whoever owns the arrays."""
    a, b = source.piece(i)
    return frozen(a), frozen(b)


@kernel
def count_groups(source: Ids, target: Ids, place: Ids, rule: int, group_shift: int, counts: Int64Array) -> int:
    """Count the keys that fall into each group of 2**group_shift rows; return the number of loops."""
    loops = 0
    has_place = place.size > 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            loops += 1
            continue
        x = place[a] if has_place else a
        y = place[b] if has_place else b
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


@dataclass(frozen=True, slots=True)
class Rows:
    """Sorted rows without loops and repeats.

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
    indices : int32 or int64 array, shape (entries,)
    state : uint8 array, shape (entries,), optional
        1 for an arc from row to column, 2 from column to row, 3 for both.
    arcs : int
        Number of different arcs; larger than the number of entries if some arcs have a reverse.
    keys : int
        Number of arcs without loops, with repeats.
    loops : int
        Number of loops.
    """

    indptr: Int64Array
    indices: Ids
    state: Uint8Array | None
    arcs: int
    keys: int
    loops: int


def sort_rows(
    source: ArcSource,
    n: int,
    place: Ids | None,
    rule: int,
    *,
    with_state: bool,
    threads: int,
    columns_rise: bool = False,
) -> Rows:
    """Sort arcs between `n` vertices into rows.

    Parameters
    ----------
    source : ArcSource
        The arcs; their ids fit the dtype of the result's columns.
    n : int
        Number of vertices.
    place : int array, shape (n,), optional
        Row and column of each vertex; its own id by default.
    rule : {ORIENT, ORIENT_ONCE, FORWARD, BOTH}
        Which row an arc goes to.
    with_state : bool
        Whether to keep the directions of the arcs.
    threads : int
    columns_rise : bool, default False
        Whether the columns of the source's arcs rise, which halves the sorting.

    Returns
    -------
    Rows
    """
    plan = plan_buckets(source, n, place, rule, threads=threads)
    keys = np.empty(plan.keys, dtype=np.int64)

    def scatter_piece(_: int, i: int) -> None:
        a, b = arcs_of(source, i)
        scatter(a, b, plan.place, rule, *plan.of_piece(i), keys)

    blocks.run(scatter_piece, source.pieces, threads=threads)

    # Sort each bucket in one core's cache.
    spare = [np.empty(plan.longest, dtype=np.int64) for _ in range(min(threads, max(1, plan.buckets)))]
    digits = np.empty((len(spare), PASSES, DIGITS), dtype=np.int64)
    row_length = np.zeros(n, dtype=np.int64)
    found = np.zeros((plan.buckets, 2), dtype=np.int64)
    start, column_bits = plan.start, plan.column_bits

    def sort(worker: int, b: int) -> None:
        sort_bucket(
            keys,
            start[b],
            start[b + 1],
            column_bits + 1 if columns_rise else 0,
            plan.key_bits(b),
            plan.first_row[b],
            column_bits,
            spare[worker],
            digits[worker],
            row_length,
            found[b],
        )

    blocks.run(sort, plan.buckets, threads=threads)
    indptr = starts_of(row_length)
    indices = np.empty(int(indptr[-1]), dtype=plan.place.dtype)
    state = np.empty(len(indices), dtype=np.uint8) if with_state else None
    end = np.concatenate([[0], np.cumsum(found[:, 0])])

    def unpack_bucket(_: int, b: int) -> None:
        part = slice(end[b], end[b + 1])
        sorted_keys = keys[start[b] : start[b] + found[b, 0]]
        unpack(sorted_keys, column_bits, indices[part], _NO_STATE if state is None else state[part])

    blocks.run(unpack_bucket, plan.buckets, threads=threads)
    return Rows(indptr, indices, state, int(found[:, 1].sum()), plan.keys, plan.loops)


@kernel
def scatter(
    source: Ids,
    target: Ids,
    place: Ids,
    rule: int,
    group_shift: int,
    bucket_of: Int64Array,
    first_row: Int64Array,
    column_bits: int,
    position: Int64Array,
    keys: Int64Array,
) -> None:
    """Write each arc's key at the next free position of its bucket."""
    has_place = place.size > 0
    for i in range(source.size):
        a = source[i]
        b = target[i]
        if a == b:
            continue
        x = np.int64(place[a] if has_place else a)
        y = np.int64(place[b] if has_place else b)
        turned = np.int64(0)
        if rule == ORIENT:  # without a branch: no predictor can tell which end is larger
            turned = np.int64(x < y)
            x, y = max(x, y), min(x, y)
        elif rule == ORIENT_ONCE and x < y:
            continue
        bucket = bucket_of[x >> group_shift]
        free = position[bucket]
        keys[free] = ((x - first_row[bucket]) << (column_bits + 1)) | (y << 1) | turned
        position[bucket] = free + 1
        prefetch(keys, free + AHEAD_KEY)
        if rule == BOTH:
            bucket = bucket_of[y >> group_shift]
            free = position[bucket]
            keys[free] = ((y - first_row[bucket]) << (column_bits + 1)) | (x << 1)
            position[bucket] = free + 1
            prefetch(keys, free + AHEAD_KEY)


@kernel
def sort_bucket(
    keys: Int64Array,
    start: int,
    stop: int,
    sorted_bits: int,
    key_bits: int,
    first_row: int,
    column_bits: int,
    spare: Int64Array,
    digit_start: Int64Array,
    row_length: Int64Array,
    found: Int64Array,
) -> None:
    """Sort the keys of one bucket, whose lowest `sorted_bits` are sorted already; join repeats, count entries by row.

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
def unpack(keys: Int64Array, column_bits: int, indices: Ids, state: Uint8Array) -> None:
    """Write the columns of one bucket's entries, and their states unless `state` is empty."""
    mask = (1 << column_bits) - 1
    for i in range(keys.size):
        indices[i] = (keys[i] >> 2) & mask
    if state.size > 0:
        for i in range(keys.size):
            state[i] = keys[i] & 3
