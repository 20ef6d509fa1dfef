"""Sums over the weighted triangles of tiles on the CPU, counted in place, as rows of integers in fixed point.

Computes: for the triangles {u, v, w}, u > v > w, of a `parts.TileSpan`, at each local rank the sum of the products
  x_uv x_uw x_vw, or of the values of the two edges at the rank, as limbs of `weight_sums`.
Requires: tiles whose first row of weights holds a value of absolute value 1 at most for each entry; marks all zero,
  which the kernels leave so.
Idea: as `closed_triads`: row u of the tile (i, k) is walked for each list, with row v of the tile (j, k) marked. The
  places of the marks that are found are collected, and then their products are split and added: at w at once, at u and
  v when the row ends. A product is rounded in the order of its ranks, so that all cuts of a graph have the same
  products, and sums of integers do not depend on the order.
Cost: the tests of `closed_triads`, and some thirty instructions a triangle. 64 bytes a worker for each local rank, and
  8 bytes for each rank of w.

The papers that the sums come from are cited in `weight_sums` and `weighted_triangles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import inline_kernel, kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import (
    WHOLE,
    Rows,
    Whole,
    aligned,
    fetch_row_ahead,
    mark_row,
    marked,
    position,
    unmark_row,
)
from triadic.devices.cpu.triangles.parts import TileSpan, prepare, span_of
from triadic.devices.cpu.triangles.triangle_work import rows_of
from triadic.devices.cpu.triangles.weight_sums import (
    MOST_ADDED,
    PRODUCT_FRACTION,
    PRODUCT_LIMBS,
    carry,
    carry_rows,
    split,
)

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, Uint64Array, UnsignedArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Values = Float64Array
    Limbs = Int64Array
    ValueRows = tuple[Int64Array, UnsignedArray, Values]  # rows of rising columns, and the values of their entries
    Digits = tuple[Whole, Whole, Whole, Whole]
    Number = float | np.float64


class _Rows(NamedTuple):
    """The rows of a graph as a tile, see `triadic.devices.cpu.triangles.parts.TileRows`."""

    indptr: Int64Array
    indices: Int32Array
    weights: Values
    state: None = None


def sums(
    part: Oriented | TileSpan, *values: Values, pairs: bool = False, threads: int, progress: Progress | None = None
) -> Limbs:
    """Add up at each rank, over its triangles, the product of the values of their three edges.

    Parameters
    ----------
    part : Oriented or TileSpan
        A graph of less than 2^31 vertices, or tiles with values in place of weights.
    *values : float64 array, shape (m,)
        Of a graph, by entry of the oriented rows, of absolute value 1 at most.
    pairs : bool, default False
        Add up the values of the two edges at the rank instead.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (ranks, PRODUCT_LIMBS)
    """
    if isinstance(part, TileSpan):
        span = part
    else:
        span = span_of(_Rows(part.indptr, part.indices.astype(np.int32, copy=False), values[0][None]))
    work = prepare(span, threads=threads, hubs=0)
    longest = max(int(np.diff(third.near.indptr).max(initial=0)) for third in span.thirds)
    mark, value = zeros(threads, work.mark_words, np.int64), zeros(threads, work.columns, np.float64)
    hit = zeros(threads, longest + 1, np.uint64)
    limbs: list[Limbs] = [aligned((span.ranks, PRODUCT_LIMBS)) for _ in range(threads)]
    added = [0] * threads
    listed = work.listed
    listed_rows = (*rows_of(listed), values_of(listed))

    def task(worker: int, number: int) -> None:
        _, tiles, bounds = work.blocks[number]
        if added[worker] > MOST_ADDED // 4:
            carry_rows(limbs[worker], 0, span.ranks)
            added[worker] = 0
        near, middle = (*tiles.rows, values_of(tiles.near)), (*tiles.middles, values_of(tiles.middle))
        room = mark[worker], value[worker], hit[worker]
        at_third, at_middle, at_row = (limbs[worker][start:] for start in tiles.starts)
        at = at_third, at_middle, at_row
        added[worker] += int(add_triangles((near, middle, listed_rows), work.lists, bounds, room, at, pairs))

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
    if sum(added) > MOST_ADDED // 2:
        for worker in limbs:
            carry(worker, threads=threads)
    total = summed(limbs, threads=threads)
    carry(total, threads=threads)
    return total


def values_of(tile: Any) -> Values:  # noqa: ANN401 - a tile, or the rows of a graph
    """Return the values of the entries of a tile: float64, shape (entries,)."""
    assert tile.weights is not None  # noqa: S101 - the source of the tiles has made values of weights
    return frozen(tile.weights[0])


@kernel
def add_triangles(
    rows: tuple[ValueRows, ValueRows, ValueRows],
    lists: Rows,
    bounds: tuple[int, ...],
    room: tuple[Int64Array, Values, Uint64Array],
    at: tuple[Limbs, Limbs, Limbs],
    pairs: bool,
) -> Whole:
    """Add the triangles of the lists `first` .. `last` - 1 at their ranks, and return their number.

    `v` is the vertex of the first list. Rows of u are walked, up to v or to their ends; the middle rows, of v, are
    marked; the listed rows, of u, hold v. If `pairs`, values of pairs are added in place of products. The room is
    marks, the values at marks, and the places of marks in a row.
    """
    (indptr, indices, x), (middle_indptr, middle_indices, middle_x), (listed_indptr, listed_indices, listed_x) = rows
    middle_ptr, ends = lists
    v, first, last, below = bounds
    mark, value, hit = room
    at_third, at_middle, at_row = at
    found = np.int64(0)
    ends_sum = np.zeros((2, PRODUCT_LIMBS), np.int64)
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            mark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                value[np.int64(middle_indices[i])] = middle_x[i]
            for k in range(first, stop):
                fetch_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                hits = np.uint64(0)
                p = indptr[u]
                if below == WHOLE:
                    for q in range(p, indptr[u + 1]):
                        hit[hits] = np.uint64(q)
                        hits += np.uint64(marked(mark, np.int64(indices[q])))
                    if hits == 0:
                        continue
                    p = position(listed_indices, listed_indptr[u], listed_indptr[u + 1], v)
                else:
                    w = np.int64(indices[p])
                    while w < v:
                        hit[hits] = np.uint64(p)
                        hits += np.uint64(marked(mark, w))
                        p += 1
                        w = np.int64(indices[p])
                    if hits == 0:
                        continue
                x_uv = listed_x[p]
                ends_sum[:] = 0
                for h in range(hits):
                    q = hit[h]
                    w = np.int64(indices[q])
                    if pairs:
                        add(digits_of(x_uv + x[q]), ends_sum, 0)
                        add(digits_of(x_uv + value[w]), ends_sum, 1)
                        add(digits_of(x[q] + value[w]), at_third, w)
                    else:
                        product = digits_of(x[q] * value[w] * x_uv)
                        add(product, ends_sum, 0)
                        add(product, at_third, w)
                for limb in range(PRODUCT_LIMBS):
                    at_row[u, limb] += ends_sum[0, limb]
                    at_middle[v, limb] += ends_sum[int(pairs), limb]
                found += np.int64(hits)
            unmark_row(middle_indices, middle_indptr[v], middle_indptr[v + 1], mark)
        first = stop
        v += 1
    return found


@inline_kernel
def digits_of(value: Number) -> Digits:
    """Return the place and the digits of a value."""
    return split(value, PRODUCT_FRACTION, PRODUCT_LIMBS)


@inline_kernel
def add(digits: Digits, sums: Limbs, row: Whole) -> None:
    """Add digits to a row of limbs."""
    place, a, b, c = digits
    sums[row, place] += a
    sums[row, place + 1] += b
    sums[row, place + 2] += c
