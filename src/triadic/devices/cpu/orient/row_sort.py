"""Arcs to sorted rows, with weights or without, by buckets of rows that fit a core's cache.

Computes: from arcs (a, b) in any order, with loops and repeats, rows of rising columns without either, and the combined
  weights of each entry.
Requires: vertex ids below the number of vertices; a column and a row within a bucket together take at most 61 bits.
Idea: one pass counts how many keys fall into each group of a power of two rows, and groups are joined to buckets of
  about equal size. A second pass scatters each key, with its weight, into its bucket; each piece of the arcs has places
  of its own in each bucket, so that pieces are scattered by several threads, and the keys of a bucket keep the order of
  the arcs. Then each bucket, by then in one core's cache, is sorted and freed of repeats (`bucket_keys`). Keys are
  never compared, and no row is sorted by itself.
Cost: three passes over the arcs and about three over the keys, 8 bytes an arc of working memory, and 8 bytes for each
  piece and group; weights add 8 bytes an arc, 16 if directions are kept.

Beamer, Asanović and Patterson (2017), Reducing PageRank communication via propagation blocking, IPDPS, for scattering
into buckets that fit a cache.

A key holds (row - first row of the bucket, column, direction); the direction bit is 1 if the arc runs from its column
to its row.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen, int_empty, int_zeros, rows_of_entries, starts_of
from triadic.core.records import record, value_class
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch
from triadic.devices.cpu.orient.bucket_keys import BOTH_ENDS, EQUAL, BucketKeys, moved_bits

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Ids, Int64Array, IntegerArray, Uint8Array
    from triadic.devices.cpu.orient.bucket_keys import Moved, WeightRule

# The rules by which an arc a -> b between vertices placed at x = place[a], y = place[b] becomes entries:
ORIENT = 0  # an entry in the row of the larger place, from either arc
FORWARD = 1  # an entry y in row x
BOTH = 2  # an entry y in row x and an entry x in row y

# Keys in a bucket: 256 KiB, a quarter of a common core's second-level cache, beside as much spare room.
_BUCKET = 1 << 15
# More buckets than this and their open pages no longer fit the address translation cache.
_MOST_BUCKETS = 1 << 10
_MOST_GROUPS = 1 << 13


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


class EndsAndPlaces(NamedTuple):
    """Source and target of some arcs, and the place of each vertex or an empty array."""

    source: Ids
    target: Ids
    place: Ids


class RowBuckets(NamedTuple):
    """Which bucket the keys of a row go to; see `Buckets`."""

    group_shift: int
    bucket_of: IntegerArray
    first_row: Int64Array
    column_bits: int


@record
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

    @property
    def of_rows(self) -> RowBuckets:
        """The buckets as a kernel takes them."""
        return RowBuckets(self.group_shift, self.bucket_of, self.first_row, self.column_bits)

    def key_bits(self, b: int) -> int:
        """Return the number of bits of the keys of bucket `b`: row within the bucket, column and direction."""
        return int(self.first_row[b + 1] - self.first_row[b] - 1).bit_length() + self.column_bits + 1


def plan_buckets(source: ArcSource, n: int, place: Ids | None, rule: int, *, threads: int) -> Buckets:
    """Count the keys of each piece by group of rows, join groups to buckets, and find the start of each piece."""
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    place_of = frozen(np.empty(0, dtype) if place is None else place)
    group_shift, groups = row_groups(n)
    counts = int_zeros((source.pieces, groups))

    def count(_: int, i: int) -> int:
        return count_groups(*arcs_of(source, i), place_of, rule, group_shift, counts[i])

    return join_groups(counts, n, place_of, loops=sum(blocks.results(count, source.pieces, threads=threads)))


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
    groups = counts.shape[1]
    made = partial(Buckets, place=place, group_shift=group_shift, column_bits=max(1, (n - 1).bit_length()), loops=loops)
    if most_rows is None and groups and (keys := int(counts.sum())) <= _BUCKET:  # sooner than below
        bounds, before = np.array([[0, keys], [0, groups << group_shift]]), starts_of(counts.sum(axis=1))[:-1, None]
        return made(start=bounds[0], first_row=bounds[1], bucket_of=int_zeros(groups), position=before)
    group_keys = starts_of(counts.sum(axis=0))
    cost = group_keys
    if most_rows is not None:
        cost = cost + np.arange(len(cost)) * (_BUCKET // max(1, most_rows >> group_shift))
    cuts = blocks.cut(cost, _BUCKET, most=_MOST_BUCKETS)
    start = group_keys[cuts]
    by_piece = np.add.reduceat(counts, cuts[:-1], axis=1) if len(cuts) > 1 else counts
    return made(
        start=start,
        first_row=cuts << group_shift,
        bucket_of=rows_of_entries(cuts),
        position=start[:-1] + np.cumsum(by_piece, axis=0) - by_piece,
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
        else:
            counts[x >> group_shift] += 1
            if rule == BOTH:
                counts[y >> group_shift] += 1
    return loops


@value_class
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
    weights : list of float64 array, shape (entries,)
        Empty without weights. Weight of each entry; if the directions are kept, of the arc from row to column, 0 if
        there is none, and that of the arc from column to row.
    both, equal : int, default 0
        Of undirected entries whose weights are added: number of those that are given from both ends, and of those whose
        two weights agree.
    """

    indptr: Int64Array
    indices: Ids
    state: Uint8Array | None
    arcs: int
    keys: int
    loops: int
    weights: list[Float64Array]
    both: int = 0
    equal: int = 0


def sort_rows(
    source: ArcSource,
    n: int,
    place: Ids | None,
    rule: int,
    *,
    with_state: bool,
    threads: int,
    weights: tuple[Float64Array, WeightRule] | None = None,
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
    rule : {ORIENT, FORWARD, BOTH}
        Which row an arc goes to.
    with_state : bool
        Whether to keep the directions of the arcs, each with its own weight.
    threads : int
    weights : (float64 array of shape (arcs,), WeightRule), optional
        The weights of the arcs, and how to combine them; the source then has `part`. By default there are none.

    Returns
    -------
    Rows

    Raises
    ------
    WrongWeightsError
        If the weights of an entry cannot be combined.
    """
    plan = plan_buckets(source, n, place, rule, threads=threads)
    given, combine = weights or (None, None)
    keys, buckets = BucketKeys(int_empty(plan.keys), combine), plan.of_rows

    def scatter_piece(_: int, i: int) -> None:
        ends = EndsAndPlaces(*arcs_of(source, i), plan.place)
        moved = None
        if given is not None and keys.weights is not None:
            moved = moved_bits(frozen(given[source.part(i)]), keys.weights)  # type: ignore[attr-defined]  # see `weights`
        scatter(ends, rule, buckets, plan.position[i], keys.keys, moved)

    blocks.run(scatter_piece, source.pieces, threads=threads)
    row_length = int_zeros(n)
    found = keys.sort(plan.start, plan.first_row, plan.column_bits, row_length, threads=threads)
    indptr = starts_of(row_length)
    indices = np.empty(int(indptr[-1]), plan.place.dtype)
    state = np.empty(len(indices) if with_state else 0, np.uint8)
    kinds = [np.empty(len(indices)) for _ in keys.kinds]
    keys.unpack(plan.start, found, plan.column_bits, indices, state, kinds, threads=threads)
    total = found.sum(axis=0).tolist()
    counts = total[1], plan.keys, plan.loops
    return Rows(indptr, indices, state if with_state else None, *counts, kinds, total[BOTH_ENDS], total[EQUAL])


@kernel
def scatter(
    arcs: EndsAndPlaces, rule: int, buckets: RowBuckets, position: Int64Array, keys: Int64Array, moved: Moved | None
) -> None:
    """Write each arc's key, and its weight if there are weights, at the next free position of its bucket."""
    source, target, place = arcs
    group_shift, bucket_of, first_row, column_bits = buckets
    if moved is not None:
        given, weights = moved
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
        for _ in range(2 if rule == BOTH else 1):
            bucket = bucket_of[x >> group_shift]
            free = position[bucket]
            keys[free] = ((x - first_row[bucket]) << (column_bits + 1)) | (y << 1) | turned
            position[bucket] = free + 1
            prefetch(keys, free + AHEAD_KEY)
            if moved is not None:
                weights[free] = given[i]
                prefetch(weights, free + AHEAD_KEY)
            x, y = y, x
