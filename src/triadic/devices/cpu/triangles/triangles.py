"""Triangles on the CPU: their number, how many each vertex is in, and local clustering coefficients.

Computes: for each vertex its triangles t; or 2 t / (k (k - 1)), where k is its degree, and 0 where k < 2.
Idea: for coefficients of a small graph one pass divides and reorders. Otherwise ranks are divided in blocks, in order,
  and the coefficients are then gathered by vertex, which reads one array at random places instead of two.
Cost: O(n) beside the triangles.

Triangles on the CPU: their number, or how many each vertex is in.

Computes: the triangles {u, v, w}, u > v > w, each once.
Requires: `oriented.Oriented`: rows sorted, no loops, no repeats, every column smaller than its row; for the kernels
  columns viewed as unsigned, so that no index can be negative, and marks and slots all zero, which they leave so.
Idea: the first ranks are the hubs, and the graph between hubs is dense (`triangle_work`).
  - v and w hubs: each hub's row is a row of bits, and so are the hubs in N+(u). AND and a population count find their
    common bits 64 at a time, or 512 if the machine has AVX-512. The bit matrix is symmetric: the bits that row x
    shares with u are the triangles at u through x, so that each entry writes one count and no more.
  - v no hub: a list walk (`intrinsics`). Row u is walked up to v, and never past `below` if no w lies beyond: over all
    v, Sum C(|N+(u)|, 2) tests, which on skewed graphs is a quarter of walking N+(v) for each u.
  Where degrees differ little, making the lists costs more than they save (`row_walks`): row u is then marked, and the
  rows of its entries v are walked.
Cost: hub part, Sum over entries (u, x) of hubs / 512 vector operations; the rest one test for each two entries of a
  row that are not both hubs. A worker takes 1/8 byte a vertex of marks and 4 bytes a vertex of slots.

References
----------
Schank and Wagner (2005), WEA, and Latapy (2008), Theoretical Computer Science 407, 458 ("compact-forward"), for rows
oriented by degree, and the bound O(m^1.5); Koohi Esfahani, Kilpatrick and Vandierendonck (2022), LOTUS, PPoPP, for the
bits of hubs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import (
    AHEAD_ENTRIES,
    AHEAD_ROW,
    WHOLE,
    Rows,
    fetch_row_ahead,
    mark_row,
    marked,
    popcount,
    prefetch,
    unmark_row,
)
from triadic.devices.cpu.triangles import small_graphs
from triadic.devices.cpu.triangles.parts import prepare
from triadic.devices.cpu.triangles.triangle_work import FEW, HUB_ROWS, WALKS, WORDS
from triadic.devices.cpu.vertex_arrays import (
    DIVIDED_AT_A_TIME,
    divide_by_pairs,
    divided_by_pairs,
    take,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.triangles.parts import TileSpan

    Ids = UnsignedArray
    Bounds = tuple[int, ...]

# If at least one test in this many was a hit, the next list is walked without a branch, since no predictor foresees
# the hits. In other lists a branch that is seldom taken is faster than a write for each test.
DENSE = 16

_ONE = np.int64(1)
Values = TypeVar("Values")


def of_vertices(
    values_from: Callable[..., Values],
    oriented: Oriented,
    *,
    cuts: Int64Array | None = None,
    threads: int,
    progress: Progress | None = None,
) -> Values:
    """Return for each vertex what a function such as `triangles_from` makes of the triangles at each rank.

    With `cuts` the graph is, or graphs of a batch are, as `small_graphs` takes them.
    """
    count = by_vertex if cuts is None else partial(small_graphs.by_vertex, cuts=cuts)
    return values_from(oriented, count(oriented, threads=threads, progress=progress), threads=threads)


def triangles_from(oriented: Oriented, at_rank: Int64Array, *, threads: int) -> Int64Array:
    """Return the number of triangles at each vertex from those at each rank: int64, shape (n,)."""
    return take(at_rank, oriented.rank, threads=threads)


def coefficients_from(oriented: Oriented, at_rank: Int64Array, *, threads: int) -> Float64Array:
    """Return the local clustering coefficient of each vertex from the triangles at each rank: float64, shape (n,)."""
    n = oriented.num_vertices
    if n <= DIVIDED_AT_A_TIME:
        at_vertex = np.zeros(n)
        divide_by_pairs(frozen(at_rank), oriented.degree, oriented.rank, (0, n), at_vertex)
        return at_vertex
    return take(divided_by_pairs(at_rank, oriented.degree, threads=threads), oriented.rank, threads=threads)


def total(part: Oriented | TileSpan, *, threads: int, progress: Progress | None = None, hubs: int | None = None) -> int:
    """Count all triangles of a graph, or of a span of tiles."""
    work = prepare(part, threads=threads, hubs=hubs, without_lists=True)
    mark = zeros(threads, work.mark_words, np.int64)

    def task(worker: int, number: int) -> int:
        step, tiles, bounds = work.blocks[number]
        if step == HUB_ROWS:
            return hubs_total(tiles.rows, tiles.split, tiles.bits, bounds, mark[worker])
        if step == WALKS:
            return walks_total(tiles.rows, tiles.split, bounds, mark[worker])
        *start, below = bounds
        until = None if below == WHOLE else below
        return lists_total(tiles.rows, tiles.middles, work.lists, tuple(start), until, mark[worker])

    return sum(blocks.results(task, len(work.costs), threads=threads, costs=work.costs, progress=progress))


def by_vertex(
    part: Oriented | TileSpan, *, threads: int, progress: Progress | None = None, hubs: int | None = None
) -> Int64Array:
    """Count the triangles at each rank of a graph, or at each local rank of a span of tiles: int64, shape (ranks,)."""
    work = prepare(part, threads=threads, hubs=hubs, without_lists=True)
    mark = zeros(threads, work.mark_words, np.int64)
    slot = zeros(threads, work.columns, np.int32)
    triangles = zeros(threads, work.ranks, np.int64)

    def task(worker: int, number: int) -> None:
        step, tiles, bounds = work.blocks[number]
        at_third, at_middle, at_row = (triangles[worker][start:] for start in tiles.starts)
        if step == HUB_ROWS:
            hubs_by_vertex(tiles.rows, tiles.split, tiles.bits, bounds, mark[worker], (at_third, at_row))
        elif step == WALKS:
            add_walked(tiles.rows, tiles.split, bounds, (mark[worker], slot[worker]), at_row, None)
        else:
            marks, at = (mark[worker], slot[worker]), (at_third, at_middle, at_row)
            lists_by_vertex(tiles.rows, tiles.middles, work.lists, bounds, marks, at)

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
    return summed(triangles)


@kernel
def hubs_by_vertex(
    rows: Rows,
    split: Int64Array,
    bits: Int64Array,
    bounds: Bounds,
    mark: Int64Array,
    at: tuple[Int64Array, Int64Array],
) -> None:
    """Add at each hub and each row the triangles {u, v, w}, v and w hubs, of the rows u in the block."""
    indptr, indices = rows
    at_hub, at_row = at
    first, last = bounds
    for u in range(first, last):
        start = indptr[u]
        stop = split[u]
        if stop - start < 2:
            continue
        hits = 0
        if stop - start > FEW:
            mark_row(indices, start, stop, mark)
            words = ((np.int64(indices[stop - 1]) >> 6) // WORDS + 1) * WORDS
            for i in range(start, stop):
                x = np.int64(indices[i])
                row = bits[x]
                shared = 0
                for j in range(words):
                    shared += popcount(row[j] & mark[j])
                at_hub[x] += shared
                hits += shared
            unmark_row(indices, start, stop, mark)
            hits >>= 1  # each triangle was counted at v and at w
        else:
            for i in range(start + 1, stop):
                v = np.int64(indices[i])
                row = bits[v]
                for j in range(start, i):
                    w = np.int64(indices[j])
                    if marked(row, w):
                        at_hub[w] += 1
                        at_hub[v] += 1
                        hits += 1
        at_row[u] += hits


@kernel
def hubs_total(rows: Rows, split: Int64Array, bits: Int64Array, bounds: Bounds, mark: Int64Array) -> int:
    """Count the triangles {u, v, w}, v and w hubs, of the rows u in the block."""
    indptr, indices = rows
    first, last = bounds
    total = 0
    for u in range(first, last):
        start = indptr[u]
        stop = split[u]
        if stop - start > FEW:
            # Marks grow as v rises: row v then shares only the w below v, and its words above v are not needed.
            for i in range(start, stop):
                v = np.int64(indices[i])
                row = bits[v]
                words = ((v >> 6) // WORDS + 1) * WORDS
                shared = 0
                for j in range(words):
                    shared += popcount(row[j] & mark[j])
                total += shared
                mark[v >> 6] |= _ONE << (v & 63)
            unmark_row(indices, start, stop, mark)
        else:
            for i in range(start + 1, stop):
                row = bits[np.int64(indices[i])]
                for j in range(start, i):
                    w = np.int64(indices[j])
                    total += marked(row, w)
    return total


@kernel
def lists_by_vertex(  # noqa: PLR0915 - all loops of a kernel are in one function
    rows: Rows,
    middles: Rows,
    lists: Rows,
    bounds: Bounds,
    marks: tuple[Int64Array, Int32Array],
    at: tuple[Int64Array, ...],
) -> None:
    """Add at each vertex the triangles {u, v, w} of the lists `first` .. `last` - 1; the first is of vertex `v`."""
    indptr, indices = rows
    middle_indptr, middle_indices = middles
    middle_ptr, ends = lists
    v, first, last, below = bounds
    mark, slot = marks
    at_third, at_middle, at_row = at
    dense = False
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            mark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            until = min(v, below)
            hits_at_v = 0
            for k in range(first, stop):
                u = np.int64(ends[k])
                hits = 0
                start = indptr[u]
                p = start
                if below == WHOLE:
                    fetch_whole_row_ahead(indptr, indices, ends, k, last)
                    p = indptr[u + 1]
                    if dense:
                        for q in range(start, p):
                            w = np.int64(indices[q])
                            bit = marked(mark, w)
                            slot[w] += bit
                            hits += bit
                    else:
                        for q in range(start, p):
                            w = np.int64(indices[q])
                            if marked(mark, w):
                                slot[w] += 1
                                hits += 1
                    if p == start:
                        continue
                else:
                    fetch_row_ahead(indptr, indices, ends, k, last)
                    w = np.int64(indices[p])
                    if dense:
                        while w < until:
                            bit = marked(mark, w)
                            slot[w] += bit
                            hits += bit
                            p += 1
                            w = np.int64(indices[p])
                    else:
                        while w < until:
                            if marked(mark, w):
                                slot[w] += 1
                                hits += 1
                            p += 1
                            w = np.int64(indices[p])
                dense = DENSE * hits > p - start
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
def lists_total(rows: Rows, middles: Rows, lists: Rows, bounds: Bounds, below: int | None, mark: Int64Array) -> int:
    """Count the triangles {u, v, w} of the lists `first` .. `last` - 1; the first is of vertex `v`.

    Rows are walked up to v, and never past `below`, or to their ends if `below` is None. That is decided when the
    kernel is compiled: a test for each row took 10% longer.
    """
    indptr, indices = rows
    middle_indptr, middle_indices = middles
    middle_ptr, ends = lists
    v, first, last = bounds
    total = 0
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            mark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            if below is not None:
                until = min(v, below)
            for k in range(first, stop):
                u = np.int64(ends[k])
                p = indptr[u]
                if below is None:
                    fetch_whole_row_ahead(indptr, indices, ends, k, last)
                    end = indptr[u + 1]
                    while p + 4 <= end:  # four at a time, or LLVM makes slow vectors of the loop
                        total += marked(mark, np.int64(indices[p])) + marked(mark, np.int64(indices[p + 1]))
                        total += marked(mark, np.int64(indices[p + 2])) + marked(mark, np.int64(indices[p + 3]))
                        p += 4
                    while p < end:
                        total += marked(mark, np.int64(indices[p]))
                        p += 1
                else:
                    fetch_row_ahead(indptr, indices, ends, k, last)
                    w = np.int64(indices[p])
                    while w < until:
                        total += marked(mark, w)
                        p += 1
                        w = np.int64(indices[p])
            unmark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
        first = stop
        v += 1
    return total


@kernel
def add_walked(
    rows: Rows,
    walked_from: Int64Array,
    bounds: Bounds,
    marks: tuple[Int64Array, Int32Array],
    triangles: Int64Array | None,
    support: Int32Array | None,
) -> None:
    """Add at each vertex, or at each entry, the triangles {u, v, w} of the rows u, v an entry whose row is walked."""
    indptr, indices = rows
    first, last = bounds
    mark, slot = marks
    dense = False
    for u in range(first, last):
        start = indptr[u]
        stop = indptr[u + 1]
        begin = walked_from[u]
        if support is not None:
            begin += 1  # the first entry has no entry below it
        if begin >= stop:
            continue
        mark_row(indices, start, stop, mark)
        hits_at_u = 0
        for k in range(begin, stop):
            fetch_row_ahead(indptr, indices, indices, k, indices.size)
            v = np.int64(indices[k])
            hits = 0
            if dense:
                for p in range(indptr[v], indptr[v + 1]):
                    w = np.int64(indices[p])
                    bit = marked(mark, w)
                    slot[w] += bit
                    if support is not None:
                        support[p] += bit
                    hits += bit
            else:
                for p in range(indptr[v], indptr[v + 1]):
                    w = np.int64(indices[p])
                    if marked(mark, w):
                        slot[w] += 1
                        if support is not None:
                            support[p] += 1
                        hits += 1
            dense = DENSE * hits > indptr[v + 1] - indptr[v]
            if hits > 0:
                if support is not None:
                    support[k] += hits
                if triangles is not None:
                    triangles[v] += hits
                hits_at_u += hits
        unmark_row(indices, start, stop, mark)
        if hits_at_u > 0:
            if triangles is not None:
                triangles[u] += hits_at_u
            for i in range(start, stop):
                w = np.int64(indices[i])
                if support is not None:
                    support[i] += slot[w]
                if triangles is not None:
                    triangles[w] += slot[w]
                slot[w] = 0


@kernel
def walks_total(rows: Rows, walked_from: Int64Array, bounds: Bounds, mark: Int64Array) -> int:
    """Count the triangles {u, v, w} of the rows u in the block, v an entry whose row is walked."""
    indptr, indices = rows
    first, last = bounds
    total = 0
    for u in range(first, last):
        if walked_from[u] >= indptr[u + 1]:
            continue
        mark_row(indices, indptr[u], indptr[u + 1], mark)
        for k in range(walked_from[u], indptr[u + 1]):
            fetch_row_ahead(indptr, indices, indices, k, indices.size)
            v = np.int64(indices[k])
            for p in range(indptr[v], indptr[v + 1]):
                total += marked(mark, np.int64(indices[p]))
        unmark_row(indices, indptr[u], indptr[u + 1], mark)
    return total


@kernel
def fetch_whole_row_ahead(indptr: Int64Array, indices: Ids, ends: Ids, k: int, last: int) -> None:
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
