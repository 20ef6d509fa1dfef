"""Dyads and closed triads on the CPU: the triangles of a directed graph, classified by their arcs.

Computes: for each triangle {u, v, w}, u > v > w, its code s(uv) + 4 s(uw) + 16 s(vw), where s is the state of the
  entry: 1 for an arc from the larger rank, 2 for an arc to it, 3 for both; in total by code and by the order of the
  three original ids, or by vertex and role. And the dyads of each vertex.
Requires: `oriented.Oriented` with states; marks all zero, which the kernels leave so.
Idea: a list walk (`list_walk`) without hubs whose mark of w is s(vw). A list is walked once to find whether it holds a
  triangle, and where v stands in it, which gives s(uv); only then, and in cache by then, is it walked a second time.
Cost: as the lists of `triangles`; by vertex three more additions a triangle. 1 byte a vertex and worker of marks.

References
----------
Batagelj and Mrvar (2001), Social Networks 23, 237, for the census from connected triads alone; Ortmann and Brandes
(2017), Applied Network Science 2, 13, for closed triads by listing triangles of the oriented graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import as_unsigned, frozen
from triadic.devices.cpu.list_walk import fetch_row_ahead, position
from triadic.devices.cpu.triangle_work import prepare
from triadic.devices.cpu.vertex_arrays import sum_over_rows, summed, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.oriented import Oriented

    Ids = NDArray[np.unsignedinteger[Any]]

CODES = 64
ORDERS = 8


def by_code(oriented: Oriented, *, labelled: bool, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count closed triads by code and, if `labelled`, by the order of the original ids.

    Returns
    -------
    int64 array, shape (8, 64)
        Row o: the bits of o say u < v, u < w and v < w by original id; all triads are in row 0 unless `labelled`.
    """
    work = prepare(oriented, threads=threads, hubs=0)
    rows = (work.indptr, work.indices, states(oriented))
    order = oriented.order if labelled else oriented.rank[:0]
    mark = zeros(threads, oriented.num_vertices, np.uint8)
    counts = zeros(threads, ORDERS * CODES, np.int64)

    def task(worker: int, block: int) -> None:
        count_by_code(
            *rows, *rows, *rows, work.middle_ptr, work.ends, work.below, False, *work.lists_of(block), order,
            mark[worker], counts[worker],
        )  # fmt: skip

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
    return np.sum(counts, axis=0, dtype=np.int64).reshape(ORDERS, CODES)


def by_role(
    oriented: Oriented, roles: NDArray[np.int64], *, threads: int, progress: Progress | None = None
) -> NDArray[np.int64]:
    """Count closed triads at each rank by role.

    Parameters
    ----------
    oriented : Oriented
    roles : int64 array, shape (3, 64)
        Role of u, v and w, u > v > w, for each code.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (n, roles)
    """
    n, width = oriented.num_vertices, int(roles.max()) + 1
    work = prepare(oriented, threads=threads, hubs=0)
    rows = (work.indptr, work.indices, states(oriented))
    mark = zeros(threads, n, np.uint8)
    codes = zeros(threads, CODES, np.int64)
    triads = zeros(threads, (n, width), np.int64)

    def task(worker: int, block: int) -> None:
        count_by_role(
            *rows, *rows, *rows, work.middle_ptr, work.ends, work.below, False, *work.lists_of(block), roles,
            mark[worker], codes[worker], triads[worker], triads[worker], triads[worker],
        )  # fmt: skip

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)
    return summed(triads, threads=threads)


def dyads(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> NDArray[np.int64]:
    """Count mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""
    indices, state = as_unsigned(oriented.indices), states(oriented)

    def add(first: int, last: int, sums: NDArray[np.int64]) -> None:
        add_dyads(oriented.indptr, indices, state, first, last, sums)

    return sum_over_rows(oriented.indptr, 3, add, threads=threads, progress=progress)


def states(oriented: Oriented) -> NDArray[np.uint8]:
    """Return the state of each entry, uint8 of shape (m,); all entries of an undirected graph are mutual."""
    if oriented.state is not None:
        return frozen(oriented.state)
    return frozen(np.full(oriented.num_edges, 3, dtype=np.uint8))


@kernel
def count_by_code(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    middle_indptr: NDArray[np.int64],
    middle_indices: Ids,
    middle_state: NDArray[np.uint8],
    listed_indptr: NDArray[np.int64],
    listed_indices: Ids,
    listed_state: NDArray[np.uint8],
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    whole: bool,
    v: int,
    first: int,
    last: int,
    order: NDArray[np.integer[Any]],
    mark: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count by code the triangles of the lists `first` .. `last` - 1; `v` is the vertex of the first.

    Rows of u are walked, up to v unless `whole`; the middle rows, of v, are marked; the listed rows, of u, hold v.
    If `order` (the original id at each rank) is not empty, counts stand at ``CODES * o + code``, where the bits of o
    say u < v, u < w and v < w by original id.
    """
    labelled = order.size > 0
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            until = min(v, below)
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = middle_state[i]
            for k in range(first, stop):
                fetch_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                if whole:
                    end, hits = walk_whole_row(indptr, indices, u, mark)
                else:
                    end, hits = walk_row(indptr, indices, u, until, mark)
                if hits == 0:
                    continue
                low, high = listed_indptr[u] if whole else end, listed_indptr[u + 1]
                uv = np.int64(listed_state[place_of_middle(listed_indices, low, high, v)])
                for p in range(indptr[u], end):
                    w = np.int64(indices[p])
                    vw = np.int64(mark[w])
                    if vw != 0:
                        code = uv + 4 * np.int64(state[p]) + 16 * vw
                        if labelled:
                            code += CODES * (
                                int(order[u] < order[v]) + 2 * int(order[u] < order[w]) + 4 * int(order[v] < order[w])
                            )
                        counts[code] += 1
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = 0
        first = stop
        v += 1


@kernel
def count_by_role(
    indptr: NDArray[np.int64],
    indices: Ids,
    state: NDArray[np.uint8],
    middle_indptr: NDArray[np.int64],
    middle_indices: Ids,
    middle_state: NDArray[np.uint8],
    listed_indptr: NDArray[np.int64],
    listed_indices: Ids,
    listed_state: NDArray[np.uint8],
    middle_ptr: NDArray[np.int64],
    ends: Ids,
    below: int,
    whole: bool,
    v: int,
    first: int,
    last: int,
    roles: NDArray[np.int64],
    mark: NDArray[np.uint8],
    codes: NDArray[np.int64],
    at_third: NDArray[np.int64],
    at_middle: NDArray[np.int64],
    at_row: NDArray[np.int64],
) -> None:
    """Count by vertex and role the triangles of the lists `first` .. `last` - 1; `v` is the vertex of the first.

    `roles`, shape (3, 64), holds the role of u, v and w for each code; counts at ranks have the shape (n, roles).
    `codes` holds 64 zeros, which count the codes of one list at a time. Rows are as in `count_by_code`.
    """
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            until = min(v, below)
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = middle_state[i]
            for k in range(first, stop):
                fetch_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                if whole:
                    end, hits = walk_whole_row(indptr, indices, u, mark)
                else:
                    end, hits = walk_row(indptr, indices, u, until, mark)
                if hits == 0:
                    continue
                low, high = listed_indptr[u] if whole else end, listed_indptr[u + 1]
                uv = np.int64(listed_state[place_of_middle(listed_indices, low, high, v)])
                for p in range(indptr[u], end):
                    w = np.int64(indices[p])
                    vw = np.int64(mark[w])
                    if vw != 0:
                        code = uv + 4 * np.int64(state[p]) + 16 * vw
                        codes[code] += 1
                        at_third[w, roles[2, code]] += 1
                for kind in range(uv, CODES, 4):
                    count = codes[kind]
                    if count > 0:
                        at_row[u, roles[0, kind]] += count
                        at_middle[v, roles[1, kind]] += count
                        codes[kind] = 0
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = 0
        first = stop
        v += 1


@kernel
def walk_row(
    indptr: NDArray[np.int64], indices: Ids, u: np.int64, until: int, mark: NDArray[np.uint8]
) -> tuple[np.int64, int]:
    """Walk row u up to `until`; return the place where the walk ends, and the number of marked entries before it."""
    hits = 0
    p = indptr[u]
    w = np.int64(indices[p])
    while w < until:
        if mark[w] != 0:
            hits += 1
        p += np.int64(1)
        w = np.int64(indices[p])
    return p, hits


@kernel
def walk_whole_row(
    indptr: NDArray[np.int64], indices: Ids, u: np.int64, mark: NDArray[np.uint8]
) -> tuple[np.int64, int]:
    """Walk row u to its end; return the end, and the number of marked entries."""
    hits = 0
    end = indptr[u + 1]
    for p in range(indptr[u], end):
        hits += mark[np.int64(indices[p])] != 0
    return end, hits


@kernel
def place_of_middle(indices: Ids, low: np.int64, high: np.int64, v: int) -> np.int64:
    """Find v in a row from `low` on, the end of a walk up to v: at `low`, unless `below` ended the walk earlier."""
    if np.int64(indices[low]) == v:
        return low
    return np.int64(position(indices, low, high, v))


@kernel
def add_dyads(
    indptr: NDArray[np.int64], indices: Ids, state: NDArray[np.uint8], first: int, last: int, dyads: NDArray[np.int64]
) -> None:
    """Add each entry of the rows `first` .. `last` - 1 at both ends: columns are mutual, only out, only in."""
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            v = indices[i]
            s = state[i]
            if s == 3:
                dyads[u, 0] += 1
                dyads[v, 0] += 1
            elif s == 1:
                dyads[u, 1] += 1
                dyads[v, 2] += 1
            else:
                dyads[u, 2] += 1
                dyads[v, 1] += 1
