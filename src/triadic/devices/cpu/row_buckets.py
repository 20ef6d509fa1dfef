"""How arcs are cut into buckets of rows, each of which fits a core's cache.

Computes: for each bucket its rows and the number of its keys; for each piece of the arcs where it writes its keys.
Requires: vertex ids below the number of vertices.
Idea: rows are counted in groups of a power of two, and groups are joined to buckets of about equal size. Each piece
  has places of its own in each bucket, so that pieces are scattered by several threads, and the keys of a bucket keep
  the order of the arcs.
Cost: one pass over the arcs; 8 bytes for each piece and group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

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
    start: NDArray[np.int64]
    first_row: NDArray[np.int64]
    bucket_of: NDArray[np.int64]
    position: NDArray[np.int64]
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

    def of_piece(self, i: int) -> tuple[int, NDArray[np.int64], NDArray[np.int64], int, NDArray[np.int64]]:
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


def join_groups(
    counts: NDArray[np.int64], n: int, place: Ids, *, loops: int = 0, most_rows: int | None = None
) -> Buckets:
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
def count_groups(source: Ids, target: Ids, place: Ids, rule: int, group_shift: int, counts: NDArray[np.int64]) -> int:
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
