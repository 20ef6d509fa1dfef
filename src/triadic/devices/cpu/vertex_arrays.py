"""Arrays with one row for each vertex: sums over neighbours and graphs, values by vertex.

Computes: sums that edges add at both their ends, such as the values of a vertex's neighbours, or the supports of its
  edges; for each vertex, the value at its rank, and the local clustering coefficient; sums over runs of vertices.
Requires: rows of an oriented graph; ranks below the number of values.
Idea: an edge adds to both its ends, so that the oriented rows are read once. Each worker adds into an array of its own,
  and `blocks.summed` adds them up. Sums and values come from all over memory, so they are fetched ahead. A sum of
  floating-point numbers has its rounding errors added up beside it (Neumaier 1974): unlike NumPy's, it depends on the
  values and their order alone, so that a graph has one mean, alone and in a batch.
Cost: O(edges) additions for sums over neighbours, O(n) for values by vertex.

References
----------
Neumaier (1974), Zeitschrift für Angewandte Mathematik und Mechanik 54, 39.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import kernel
from triadic.core.memory import drop_pages
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import AHEAD_RANK, AHEAD_SUM, prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import AnyArray, Float64Array, Ids, Int32Array, Int64Array, IntegerArray
    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Bounds = tuple[int, int]

DIVIDED_AT_A_TIME = 1 << 16  # vertices whose coefficients are computed at a time
SUM_BYTES_PER_ENTRY = 16  # limit on the sums of all workers but the first together


def sum_over_rows(
    indptr: Int64Array,
    width: int,
    add: Callable[[int, int, Int64Array], None],
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Run ``add(first, last, sums)`` over blocks of rows, each worker adding into sums of its own.

    Returns
    -------
    int64 array, shape (n, width)

    Notes
    -----
    Fewer workers run if the sums of all of them would take more than 16 bytes an entry.
    """
    n, entries = len(indptr) - 1, int(indptr[-1])
    cuts = blocks.cut(indptr)
    affordable = 1 + SUM_BYTES_PER_ENTRY * entries // max(1, 8 * n * width)
    threads = max(1, min(threads, len(cuts) - 1, affordable))
    sums = zeros(threads, (n, width), np.int64)
    blocks.run_cuts(lambda worker, bounds: add(*bounds, sums[worker]), cuts, threads=threads, progress=progress)
    return summed(sums, threads=threads)


def neighbour_sums(
    oriented: Oriented, values: Int64Array, *, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Add up the values of the neighbours of each rank.

    Parameters
    ----------
    oriented : Oriented
    values : int64 array, shape (n, width)
        By rank.
    threads : int

    Returns
    -------
    int64 array, shape (n, width)
    """
    add = partial(add_neighbours, *oriented.unsigned_rows, values)
    return sum_over_rows(oriented.indptr, values.shape[1], add, threads=threads, progress=progress)


def support_sums(oriented: Oriented, support: Int32Array, *, threads: int) -> Int64Array:
    """Add up three functions of the support c of each edge over the edges of each rank.

    Returns
    -------
    int64 array, shape (n, 3)
        Sums of c, of C(c, 2), and of c times the degree of the other end.
    """
    add = partial(add_support_sums, *oriented.unsigned_rows, support, oriented.degree)
    return sum_over_rows(oriented.indptr, 3, add, threads=threads)


def take(at_rank: AnyArray, rank: IntegerArray, *, threads: int, out: AnyArray | None = None) -> AnyArray:
    """Return the value at the rank of each vertex: shape (n,), the dtype of `at_rank`, int64 or float64.

    The values are written to `out` if it is given.
    """
    values = frozen(at_rank.view(np.int64))  # one kernel moves the bits of either dtype
    at_vertex = np.empty_like(values) if out is None else out.view(np.int64)
    cuts = blocks.cut_pieces(len(rank))
    blocks.run_cuts(lambda _, bounds: gather(values, None, rank, *bounds, at_vertex), cuts, threads=threads)
    return at_vertex.view(at_rank.dtype)


_VERTICES = 1 << 20  # whose ranks are mapped into memory at a time


def take_in_windows(
    at_rank: AnyArray,
    rank: IntegerArray,
    out: AnyArray,
    *,
    window: int,
    threads: int,
) -> AnyArray:
    """Write the value at the rank of each vertex to `out`, as `take` does, with arrays that are mapped from files.

    The values of `window` ranks are held at a time, and each array is passed over in order, once for each window, so
    that few pages of the files are in memory.
    """
    at_vertex = out.view(np.int64)
    for start in range(0, len(at_rank), window):
        values = frozen(np.array(at_rank[start : start + window]).view(np.int64))
        drop_pages(at_rank)
        for first in range(0, len(rank), _VERTICES):
            last = min(first + _VERTICES, len(rank))
            cuts = first + blocks.cut_evenly(last - first, threads)

            def write(_: int, bounds: Bounds, *, start: int = start, values: Int64Array = values) -> None:
                gather(values, start, rank, *bounds, at_vertex)

            blocks.run_cuts(write, cuts, threads=threads)
            drop_pages(rank, out)
    return out


def sums_of_runs(values: Float64Array, first: Int64Array) -> Float64Array:
    """Return the sum of each run of values: float64, shape (runs,).

    Parameters
    ----------
    values : float64 array, shape (n,)
    first : int64 array, shape (runs + 1,)
        First value of each run, and n.
    """
    sums = np.empty(len(first) - 1, np.float64)
    add_runs(np.ascontiguousarray(values), first, sums)
    return sums


@kernel
def add_runs(values: Float64Array, first: Int64Array, sums: Float64Array) -> None:
    """Write the sum of each run of values."""
    for run in range(sums.size):
        total = 0.0
        lost = 0.0
        for i in range(first[run], first[run + 1]):
            value = values[i]
            more = total + value
            if abs(total) >= abs(value):
                lost += (total - more) + value
            else:
                lost += (value - more) + total
            total = more
        sums[run] = total + lost


def divided_by_pairs(
    triangles_at: Int64Array,
    degree: Int64Array,
    *,
    threads: int,
    out: Float64Array | None = None,
) -> Float64Array:
    """Return 2 t / (k (k - 1)) for triangles t and degrees k, and 0 for k < 2; `out` must hold zeros."""
    coefficient = np.zeros(len(degree)) if out is None else out
    cuts = blocks.cut_pieces(len(degree), DIVIDED_AT_A_TIME)
    triangles_at, degree = frozen(triangles_at), frozen(degree)  # one kernel, whoever owns the arrays
    blocks.run_cuts(
        lambda _, bounds: divide_by_pairs(triangles_at, degree, None, bounds, coefficient), cuts, threads=threads
    )
    return coefficient


@kernel
def divide_by_pairs(
    triangles: Int64Array, degree: Int64Array, rank: Ids | None, bounds: Bounds, coefficient: Float64Array
) -> None:
    """Write 2 t / (k (k - 1)) for the triangles t and degrees k at some ranks, or at the ranks of some vertices.

    Those with k < 2 are left as they are.
    """
    first, last = bounds
    for v in range(first, last):
        r = v if rank is None else rank[v]
        pairs = degree[r] * (degree[r] - 1)
        if pairs > 0:
            coefficient[v] = 2.0 * triangles[r] / pairs


@kernel
def add_neighbours(
    indptr: Int64Array,
    indices: Ids,
    values: Int64Array,
    first: int,
    last: int,
    sums: Int64Array,
) -> None:
    """Add the values of each row's vertex at its entries, and the values of its entries at the vertex."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD_SUM < indices.size:
                v = np.int64(indices[i + AHEAD_SUM])
                prefetch(values, v * values.shape[1])
                prefetch(sums, v * values.shape[1])
            v = np.int64(indices[i])
            for column in range(values.shape[1]):
                sums[u, column] += values[v, column]
                sums[v, column] += values[u, column]


@kernel
def add_support_sums(
    indptr: Int64Array,
    indices: Ids,
    support: Int32Array,
    degree: Int64Array,
    first: int,
    last: int,
    sums: Int64Array,
) -> None:
    """Add the three functions of the support of each entry at both its ends."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            if i + AHEAD_SUM < indices.size:
                v = np.int64(indices[i + AHEAD_SUM])
                prefetch(degree, v)
                prefetch(sums, 3 * v)
            c = np.int64(support[i])
            if c > 0:
                v = np.int64(indices[i])
                pairs = c * (c - 1) >> 1
                sums[u, 0] += c
                sums[v, 0] += c
                sums[u, 1] += pairs
                sums[v, 1] += pairs
                sums[u, 2] += c * degree[v]
                sums[v, 2] += c * degree[u]


@kernel
def gather(
    values: Int64Array, start: int | None, rank: IntegerArray, first: int, last: int, at_vertex: Int64Array
) -> None:
    """Write the values of ranks to the vertices `first` .. `last` - 1: of all ranks, or of those from `start` on."""
    for vertex in range(first, last):
        if start is not None:
            place = np.int64(rank[vertex]) - start
            if 0 <= place < values.size:
                at_vertex[vertex] = values[place]
        else:
            if vertex + AHEAD_RANK < last:
                prefetch(values, rank[vertex + AHEAD_RANK])
            at_vertex[vertex] = values[rank[vertex]]
