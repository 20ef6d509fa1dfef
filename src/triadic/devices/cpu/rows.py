"""Arcs to rows: the passes of `sort_kernels`, run over all workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.core import blocks
from triadic.devices.cpu import sort_kernels as kernels
from triadic.devices.cpu.sort_kernels import BOTH, FORWARD, ORIENT, ORIENT_ONCE
from triadic.devices.cpu.zeros import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.integer[Any]]

__all__ = [
    "BOTH",
    "FORWARD",
    "ORIENT",
    "ORIENT_ONCE",
    "ArcList",
    "ArcSource",
    "CsrArcs",
    "Rows",
    "column_counts",
    "degrees",
    "first_wrong_row",
    "sort_rows",
]

# Keys in a bucket: 256 KiB, a quarter of a common core's second-level cache, beside as much spare room.
_BUCKET = 1 << 15
# More buckets than this and their open pages no longer fit the address translation cache.
_MOST_BUCKETS = 1 << 10
_MOST_GROUPS = 1 << 13
_NO_STATE = np.empty(0, dtype=np.uint8)


class ArcSource(Protocol):
    """Arcs that can be gone through in pieces, more than once, by several workers."""

    @property
    def pieces(self) -> int:
        """Number of pieces."""

    @property
    def arcs(self) -> int:
        """Number of arcs."""

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Give source and target of the arcs of piece `i`."""


class ArcList:
    """Arcs given as two arrays."""

    def __init__(self, source: Ids, target: Ids) -> None:
        self._source, self._target = source, target
        self.arcs = len(source)
        self._cuts = blocks.cut_evenly(self.arcs, -(-self.arcs // blocks.piece(self.arcs)))
        self.pieces = len(self._cuts) - 1

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Give source and target of the arcs of piece `i`."""
        part = slice(self._cuts[i], self._cuts[i + 1])
        return self._source[part], self._target[part]


class CsrArcs:
    """Arcs given as rows: from each row to the columns in it."""

    def __init__(self, indptr: NDArray[np.int64], indices: Ids) -> None:
        self._indptr, self._indices = indptr, indices
        self.arcs = len(indices)
        self._cuts = blocks.cut(indptr, blocks.piece(self.arcs), most=1 << 20)
        self.pieces = len(self._cuts) - 1

    def piece(self, i: int) -> tuple[Ids, Ids]:
        """Give source and target of the arcs of piece `i`."""
        first, last = int(self._cuts[i]), int(self._cuts[i + 1])
        part = self._indices[self._indptr[first] : self._indptr[last]]
        row = np.empty(len(part), dtype=part.dtype)
        kernels.expand_rows(self._indptr, first, last, row)
        return row, part


@dataclass(frozen=True, slots=True)
class Rows:
    """Sorted rows without loops and repeats, and what was met on the way.

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
    indices : int32 or int64 array, shape (entries,)
    state : uint8 array, shape (entries,), optional
        1 for an arc from row to column, 2 from column to row, 3 for both.
    arcs : int
        Number of different arcs; larger than the number of entries where some met their reverse.
    keys : int
        Number of arcs that were no loops, with repeats.
    loops : int
    """

    indptr: NDArray[np.int64]
    indices: Ids
    state: NDArray[np.uint8] | None
    arcs: int
    keys: int
    loops: int


def counting_threads(arcs: int, threads: int) -> int:
    """Give how many workers count degrees: each has an array of all vertices, and takes pieces of the arcs."""
    return max(1, min(threads, -(-arcs // blocks.piece(arcs))))


def degrees(source: ArcSource, n: int, *, threads: int) -> NDArray[np.int64]:
    """Count the ends of arcs at each of `n` vertices, repeats included, loops left out."""
    threads = counting_threads(source.arcs, threads)
    partial = zeros(threads, n, np.int64)
    blocks.run(lambda worker, i: kernels.add_degrees(*source.piece(i), partial[worker]), source.pieces, threads=threads)
    return summed(partial)


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
        Whether to keep which way the arcs ran.
    threads : int
    columns_rise : bool, default False
        Whether the source gives the arcs by rising column, which halves the sorting.
    """
    dtype = np.dtype(np.int32 if n <= np.iinfo(np.int32).max else np.int64)
    where = np.empty(0, dtype=dtype) if place is None else place
    column_bits = max(1, (n - 1).bit_length())
    group_shift = max(0, column_bits - _MOST_GROUPS.bit_length() + 1)
    groups = ((n - 1) >> group_shift) + 1 if n else 0

    # How many keys of each piece fall into each group of rows; groups to buckets; where each piece writes.
    counts = np.zeros((source.pieces, groups), dtype=np.int64)
    loops = np.zeros(source.pieces, dtype=np.int64)

    def count(_: int, i: int) -> None:
        loops[i] = kernels.count_groups(*source.piece(i), where, rule, group_shift, counts[i])

    blocks.run(count, source.pieces, threads=threads)
    group_keys = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    total = int(group_keys[-1])
    cuts = blocks.cut(group_keys, _BUCKET, most=_MOST_BUCKETS)
    buckets = len(cuts) - 1
    bucket_of = np.repeat(np.arange(buckets), np.diff(cuts))
    first_row = cuts << group_shift
    start = group_keys[cuts]
    by_piece = np.add.reduceat(counts, cuts[:-1], axis=1) if buckets else counts
    position = start[:-1] + np.cumsum(by_piece, axis=0) - by_piece
    keys = np.empty(total, dtype=np.int64)

    def scatter(_: int, i: int) -> None:
        kernels.scatter(
            *source.piece(i), where, rule, group_shift, bucket_of, first_row, column_bits, position[i], keys
        )

    blocks.run(scatter, source.pieces, threads=threads)

    # Each bucket in one core's cache.
    longest = int(np.diff(start).max(initial=0))
    spare = [np.empty(longest, dtype=np.int64) for _ in range(min(threads, max(1, buckets)))]
    digits = np.empty((len(spare), kernels.PASSES, kernels.DIGITS), dtype=np.int64)
    row_length = np.zeros(n, dtype=np.int64)
    found = np.zeros((buckets, 2), dtype=np.int64)

    def sort(worker: int, b: int) -> None:
        row_bits = int(first_row[b + 1] - first_row[b] - 1).bit_length()
        kernels.sort_bucket(
            keys,
            start[b],
            start[b + 1],
            column_bits + 1 if columns_rise else 0,
            row_bits + column_bits + 1,
            first_row[b],
            column_bits,
            spare[worker],
            digits[worker],
            row_length,
            found[b],
        )

    blocks.run(sort, buckets, threads=threads)
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(row_length, out=indptr[1:])
    indices = np.empty(int(indptr[-1]), dtype=dtype)
    state = np.empty(len(indices), dtype=np.uint8) if with_state else None
    end = np.concatenate([[0], np.cumsum(found[:, 0])])

    def unpack(_: int, b: int) -> None:
        part = slice(end[b], end[b + 1])
        sorted_keys = keys[start[b] : start[b] + found[b, 0]]
        kernels.unpack(sorted_keys, column_bits, indices[part], _NO_STATE if state is None else state[part])

    blocks.run(unpack, buckets, threads=threads)
    return Rows(indptr, indices, state, int(found[:, 1].sum()), total, int(loops.sum()))


def first_wrong_row(indptr: NDArray[np.int64], indices: Ids, *, threads: int) -> int:
    """Give a row that does not rise, holds a column that does not exist, or holds itself; -1 if there is none."""
    cuts = blocks.cut(indptr, blocks.piece(len(indices)), most=1 << 20)
    wrong = np.full(len(cuts), -1, dtype=np.int64)

    def look(_: int, b: int) -> None:
        wrong[b] = kernels.first_wrong_row(indptr, indices, cuts[b], cuts[b + 1], len(indptr) - 1)

    blocks.run(look, len(cuts) - 1, threads=threads)
    found = wrong[wrong >= 0]
    return int(found[0]) if len(found) else -1


def column_counts(indices: Ids, n: int, *, threads: int) -> NDArray[np.int64]:
    """Count how often each of `n` columns occurs."""
    cuts = blocks.cut_evenly(len(indices), -(-len(indices) // blocks.piece(len(indices))))
    threads = counting_threads(len(indices), threads)
    partial = zeros(threads, n, np.int64)
    blocks.run(
        lambda worker, i: kernels.add_columns(indices[cuts[i] : cuts[i + 1]], partial[worker]),
        len(cuts) - 1,
        threads=threads,
    )
    return summed(partial)
