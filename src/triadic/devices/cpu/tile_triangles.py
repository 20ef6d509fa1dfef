"""Triangles of tiles on the CPU, counted in place: their number, or how many each local rank is in.

Computes: the triangles {u, v, w}, u > v > w, of a `tile_span.TileSpan`, each once.
Requires: tiles of sorted rows, columns viewed as unsigned; marks and slots all zero, which the kernels leave so.
Idea: if v and w have the same range, the tiles (k, k) and (i, k) are counted as a graph in memory is: hubs by rows of
  bits, the rest by list walks up to v. If not, all entries of row u of the tile (i, k) are smaller than v, and the row
  is walked to its end. Marks and slots cover one range, so that they stay in a core's cache.
Cost: one test for each two entries of a row that are not both hubs, as in memory. A worker takes 1/8 byte of marks and
  4 bytes of slots for each rank of the longest range of w.

The papers that the walks come from are cited in `triangles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.devices.cpu.intrinsics import AHEAD_ENTRIES, AHEAD_ROW, prefetch
from triadic.devices.cpu.list_walk import mark_row, marked, unmark_row
from triadic.devices.cpu.tile_work import ALL, prepare
from triadic.devices.cpu.triangle_work import WORDS
from triadic.devices.cpu.triangles import (
    DENSE,
    hubs_by_vertex,
    hubs_total,
    lists_by_vertex,
    lists_total,
)
from triadic.devices.cpu.vertex_arrays import summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.devices.cpu.tile_span import TileSpan

    Ids = NDArray[np.unsignedinteger[Any]]


def total(span: TileSpan, *, threads: int, progress: Progress | None = None) -> int:
    """Count all triangles of a span."""
    work = prepare(span, threads=threads)
    mark = zeros(threads, mark_words(span), np.int64)
    found = np.zeros(len(work.blocks), dtype=np.int64)

    def task(worker: int, number: int) -> None:
        block = work.blocks[number]
        tiles = block.work
        lists: Any = (block.v, block.first, block.last, mark[worker])
        if block.v < 0:
            found[number] = hubs_total(*tiles.rows, tiles.split, tiles.bits, block.first, block.last, mark[worker])
        elif tiles.third.same:
            found[number] = lists_total(*tiles.rows, *tiles.middles, work.middle_ptr, work.ends, ALL, *lists)
        else:
            found[number] = whole_rows_total(*tiles.rows, *tiles.middles, work.middle_ptr, work.ends, *lists)

    blocks.run(task, len(work.blocks), threads=threads, costs=work.costs, progress=progress)
    return int(found.sum())


def by_vertex(span: TileSpan, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count the triangles at each local rank of a span: int64, shape (ranks,)."""
    work = prepare(span, threads=threads)
    mark = zeros(threads, mark_words(span), np.int64)
    slot = zeros(threads, max(third.ranks for third in span.thirds), np.int32)
    triangles = zeros(threads, span.ranks, np.int64)

    def task(worker: int, number: int) -> None:
        block = work.blocks[number]
        tiles = block.work
        at = [triangles[worker][start:] for start in (tiles.third.at, span.at_v, span.at_u)]
        if block.v < 0:
            hubs_by_vertex(*tiles.rows, tiles.split, tiles.bits, block.first, block.last, mark[worker], at[0], at[2])
            return
        lists: Any = (block.v, block.first, block.last, mark[worker], slot[worker], *at)
        if tiles.third.same:
            lists_by_vertex(*tiles.rows, *tiles.middles, work.middle_ptr, work.ends, ALL, *lists)
        else:
            whole_rows_by_vertex(*tiles.rows, *tiles.middles, work.middle_ptr, work.ends, *lists)

    blocks.run(task, len(work.blocks), threads=threads, costs=work.costs, progress=progress)
    return summed(triangles)


def mark_words(span: TileSpan) -> int:
    """Return the number of 64-bit words of a worker's marks."""
    return (max(third.ranks for third in span.thirds) // 64 // WORDS + 1) * WORDS


@kernel
def fetch_whole_row_ahead(indptr: NDArray[np.int64], indices: Ids, ends: Ids, k: int, last: int) -> None:
    """Request the place of a row further down the list, and the entries of a nearer row."""
    if k + AHEAD_ROW < last:
        prefetch(indptr, np.int64(ends[k + AHEAD_ROW]))
        u = np.int64(ends[k + AHEAD_ENTRIES])
        start = indptr[u]
        stop = indptr[u + 1]
        if start < stop:
            prefetch(indices, start)
            if stop > start + 16:
                prefetch(indices, start + 16)
                if stop > start + 32:
                    prefetch(indices, start + 32)


@kernel
def whole_rows_by_vertex(
    indptr: NDArray[np.int64],
    indices: Ids,
    middle_indptr: NDArray[np.int64],
    middle_indices: Ids,
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    v: int,
    first: int,
    last: int,
    mark: NDArray[np.int64],
    slot: NDArray[np.int32],
    at_third: NDArray[np.int64],
    at_middle: NDArray[np.int64],
    at_row: NDArray[np.int64],
) -> None:
    """Add at each rank the triangles of the lists `first` .. `last` - 1, walking whole rows; the first is of `v`."""
    dense = False
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            mark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            hits_at_v = 0
            for k in range(first, stop):
                fetch_whole_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                start = indptr[u]
                end = indptr[u + 1]
                hits = 0
                if dense:
                    for p in range(start, end):
                        w = np.int64(indices[p])
                        bit = marked(mark, w)
                        slot[w] += bit
                        hits += bit
                else:
                    for p in range(start, end):
                        w = np.int64(indices[p])
                        if marked(mark, w):
                            slot[w] += 1
                            hits += 1
                if end > start:
                    dense = DENSE * hits > end - start
                if hits > 0:
                    at_row[u] += hits
                    hits_at_v += hits
            unmark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            if hits_at_v > 0:
                at_middle[v] += hits_at_v
                for i in range(middle_indptr[v], middle_indptr[v + 1]):
                    w = np.int64(middle_indices[i])
                    at_third[w] += slot[w]
                    slot[w] = 0
        first = stop
        v += 1


@kernel
def whole_rows_total(
    indptr: NDArray[np.int64],
    indices: Ids,
    middle_indptr: NDArray[np.int64],
    middle_indices: Ids,
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    v: int,
    first: int,
    last: int,
    mark: NDArray[np.int64],
) -> int:
    """Count the triangles of the lists `first` .. `last` - 1, walking whole rows; the first is of `v`."""
    total = 0
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            mark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            for k in range(first, stop):
                fetch_whole_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                p = indptr[u]
                end = indptr[u + 1]
                while p + 4 <= end:  # four at a time, or LLVM makes slow vectors of the loop
                    total += marked(mark, np.int64(indices[p])) + marked(mark, np.int64(indices[p + 1]))
                    total += marked(mark, np.int64(indices[p + 2])) + marked(mark, np.int64(indices[p + 3]))
                    p += 4
                while p < end:
                    total += marked(mark, np.int64(indices[p]))
                    p += 1
            unmark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
        first = stop
        v += 1
    return total
