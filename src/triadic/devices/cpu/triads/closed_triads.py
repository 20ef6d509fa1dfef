"""Dyads, wedges and closed triads on the CPU: the triangles of a directed graph, by their arcs, in number or in weight.

Computes: for each triangle {u, v, w}, u > v > w, its code s(uv) + 4 s(uw) + 16 s(vw), where s is the state of the
  entry: 1 for an arc from the larger rank, 2 for an arc to it, 3 for both; in total by code and by the order of the
  three original ids, by vertex and role, or by the types of the vertices. And the dyads of each vertex, and the pairs
  of these by type.
Requires: `oriented.Oriented` with states; marks all zero, which the kernels leave so.
Idea: a list walk (`intrinsics`) without hubs whose mark of w is s(vw). A list is walked once to find whether it holds a
  triangle, and where v stands in it, which gives s(uv); only then, and in cache by then, is it walked a second time:
  in total, if it holds some triangles but not all it could, by sums of packed numbers.
Cost: as the lists of `triangles`; by vertex three more additions a triangle. 1 byte a vertex and worker of marks.

Intensity and coherence of closed triads on the CPU: the geometric mean of the weights of each triad's arcs.

Computes: for each closed type the number of triads, the sum of their intensities and the sum of their coherences.
Requires: `oriented.Oriented`; for each entry of the rows the number of its arcs, and the sums of their weights and of
  the logarithms of their weights.
Idea: the places of the entries of row u are marked; each marked column in a row v of the list is a triangle {u, v, w},
  and the marks tell its three entries. The intensity is exp of the mean logarithm.
Cost: one exponential per triangle, beside a walk of all rows. Sums are made block by block, in the same order for any
  number of threads.

References
----------
Batagelj and Mrvar (2001), Social Networks 23, 237, for the census from connected triads alone; Ortmann and Brandes
(2017), Applied Network Science 2, 13, for closed triads by listing triangles of the oriented graph. J.-P. Onnela, J.
Saramäki, J. Kertész and K. Kaski, *Intensity and coherence of motifs in weighted complex networks*, Physical Review E
71, 065103, 2005.
"""

from __future__ import annotations

from functools import partial
from math import exp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.blocks import summed, zeros
from triadic.core.compiled import kernel
from triadic.core.oriented import Oriented, frozen, int_zeros, starts_of, state_rows
from triadic.core.triad_types import CLOSED_NAMES, CLOSED_TYPE_OF_CODE, OPEN_NAMES
from triadic.devices.cpu.intrinsics import WHOLE, Rows, fetch_row_ahead, position
from triadic.devices.cpu.triangles.parts import prepare
from triadic.devices.cpu.triangles.triangle_work import rows_of
from triadic.devices.cpu.vertex_arrays import sum_over_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.array_types import Float64Array, Ids, Int64Array, IntegerArray, Uint8Array
    from triadic.core.blocks import Progress
    from triadic.devices.cpu.intrinsics import TileRows
    from triadic.devices.cpu.triangles.parts import TileSpan
    from triadic.devices.cpu.triangles.triangle_work import Tiles

    Floats = Float64Array

CODES = 64
ORDERS = 8
_NO_ORDER = frozen(np.empty(0, np.int32))
COLUMNS = 3
"""Number of sums for each type: triads, intensities, coherences."""

_BLOCKS = 256  # whatever the number of threads, so that sums do not depend on it
# Column of a dyad at the end of its row and at its column, by state.
_COLUMN, _OTHER_COLUMN = np.array([0, 1, 2, 0]), np.array([0, 2, 1, 0])
# A number for each state of an entry, 1 to 3, and each mark, 0 to 3, seven bits wide; marks of 0 do not count.
_FEW, _MOST_PACKED = 5, 127
_PACKED = np.array([0 if not s or not m else 1 << 7 * (3 * s + m - 4) for s in range(4) for m in range(4)], np.uint64)
_TYPE = np.ascontiguousarray(CLOSED_TYPE_OF_CODE[0])


class StateRows(NamedTuple):
    """Rows of rising columns: starts and the end of the last, int64; unsigned columns; uint8 states of entries."""

    indptr: Int64Array
    indices: Ids
    state: Uint8Array


class ByCode(NamedTuple):
    """Counts of one worker by code: original ids at ranks or none, and int64 counts, shape (8 * 64,)."""

    order: IntegerArray
    counts: Int64Array


class ByRole(NamedTuple):
    """Counts of one worker at ranks: roles of codes, room of 64 zeros for codes, and counts at w, v and u."""

    roles: Int64Array
    codes: Int64Array
    at: tuple[Int64Array, Int64Array, Int64Array]


class ByCell(NamedTuple):
    """Counts of one worker by cell: types at ranks, what those of u, v and w add to it by code, and int64 counts.

    A triangle counts once for each row of its code, shape (64, rows, 3), up to the first that begins with -1.
    """

    types: Int64Array
    powers: Int64Array
    counts: Int64Array


Sums = tuple[ByCode | None, ByRole | None, ByCell | None]


def by_code(
    part: Oriented | TileSpan, *, threads: int, progress: Progress | None = None, labelled: bool = False
) -> Int64Array:
    """Count the closed triads of a graph or a span of tiles by code: int64, shape (64,).

    Of a graph, if `labelled`, by the order of the original ids as well: int64, shape (8, 64). The bits of row o say
    u < v, u < w and v < w by original id.
    """
    order = part.order if labelled and isinstance(part, Oriented) else _NO_ORDER
    counts = zeros(threads, ORDERS * CODES, np.int64)
    _walk(part, lambda worker, _: (ByCode(order, counts[worker]), None, None), threads=threads, progress=progress)
    of_orders = np.sum(counts, axis=0, dtype=np.int64).reshape(ORDERS, CODES)
    return of_orders if labelled else of_orders[0]


def by_role(
    part: Oriented | TileSpan, roles: Int64Array, *, threads: int, progress: Progress | None = None
) -> Int64Array:
    """Count the closed triads of a graph or a span of tiles at each rank by role.

    Parameters
    ----------
    part : Oriented or TileSpan
    roles : int64 array, shape (3, 64)
        Role of u, v and w, u > v > w, for each code.
    threads : int
    progress : callable, optional

    Returns
    -------
    int64 array, shape (ranks, roles)
    """
    codes = zeros(threads, CODES, np.int64)
    ranks = part.num_vertices if isinstance(part, Oriented) else part.ranks
    triads = zeros(threads, (ranks, int(roles.max()) + 1), np.int64)

    def sums(worker: int, tiles: Tiles) -> Sums:
        at_third, at_middle, at_row = (triads[worker][start:] for start in tiles.starts)
        return None, ByRole(roles, codes[worker], (at_third, at_middle, at_row)), None

    _walk(part, sums, threads=threads, progress=progress)
    return summed(triads, threads=threads)


def by_cell(
    oriented: Oriented,
    types: Int64Array,
    powers: Int64Array,
    cells: int,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Int64Array:
    """Count the closed triads whose vertices have types, not -1, by cell, see `ByCell`: int64, shape (cells,)."""
    counts = zeros(threads, cells, np.int64)
    types, powers = frozen(types), frozen(powers)
    _walk(
        oriented,
        lambda worker, _: (None, None, ByCell(types, powers, counts[worker])),
        threads=threads,
        progress=progress,
    )
    return summed(counts, threads=threads)


def _walk(
    part: Oriented | TileSpan,
    sums: Callable[[int, Tiles], Sums],
    *,
    threads: int,
    progress: Progress | None,
) -> None:
    """Run the kernel over all blocks of a part, with the sums of a worker for the tiles of a block."""
    work = prepare(part, threads=threads, hubs=0)
    tiles_of_span = () if isinstance(part, Oriented) else (tile for k in part.thirds for tile in (k.near, k.middle))
    undirected = max((len(tile.indices) for tile in (work.listed, *tiles_of_span) if tile.state is None), default=0)
    mutual = frozen(np.full(undirected, 3, np.uint8))  # all edges of an undirected graph are mutual
    mark = zeros(threads, work.columns, np.uint8)

    def with_states(rows: Rows, tile: Oriented | TileRows) -> StateRows:
        return StateRows(*rows, mutual[: len(rows.indices)] if tile.state is None else frozen(tile.state))

    listed = with_states(rows_of(work.listed), work.listed)

    def task(worker: int, number: int) -> None:
        _, tiles, bounds = work.blocks[number]
        rows = with_states(tiles.rows, tiles.near), with_states(tiles.middles, tiles.middle), listed
        count_closed(rows, work.lists, bounds, mark[worker], *sums(worker, tiles))

    blocks.run(task, len(work.costs), threads=threads, costs=work.costs, progress=progress)


def dyads(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count mutual, only-out and only-in neighbours of each rank: int64, shape (n, 3)."""
    add = partial(add_dyads, state_rows(oriented))
    return sum_over_rows(oriented.indptr, 3, add, threads=threads, progress=progress)


def wedges(oriented: Oriented, *, threads: int, progress: Progress | None = None) -> Int64Array:
    """Count the pairs of dyads that share a vertex by open type, in two halves, as `add_pairs` writes them."""
    return pairs_of(dyads(oriented, threads=threads, progress=progress))


def wedges_of_small(oriented: Oriented, **_: object) -> Int64Array:
    """Count the same of small graphs, see `small_graphs`."""
    found = int_zeros((oriented.num_vertices, 3))
    add_dyads(state_rows(oriented), 0, len(found), found)
    return pairs_of(found)


def pairs_of(dyads_at: Int64Array) -> Int64Array:
    """Count the pairs of dyads of each vertex by open type, in two halves: int64, shape (2, 6)."""
    sums = int_zeros((2, len(OPEN_NAMES)))
    add_pairs(dyads_at, sums)
    return sums


@kernel
def count_closed(  # noqa: PLR0915 - all loops of a kernel are in one function
    rows: tuple[StateRows, StateRows, StateRows],
    lists: Rows,
    bounds: tuple[int, ...],
    mark: Uint8Array,
    by_code: ByCode | None,
    by_role: ByRole | None,
    by_cell: ByCell | None,
) -> None:
    """Count the triangles of the lists `first` .. `last` - 1, by code, by role, or by cell; `v` is that of the first.

    Rows of u are walked, up to v or to their ends; the middle rows, of v, are marked; the listed rows, of u, hold v. If
    there are original ids, counts stand at ``CODES * o + code``, where the bits of o say u < v, u < w and v < w.
    """
    (indptr, indices, state), (middle_indptr, middle_indices, middle_state), listed = rows
    listed_indptr, listed_indices, listed_state = listed
    middle_ptr, ends = lists
    v, first, last, below = bounds
    if by_code is not None:
        order, counts = by_code
    if by_role is not None:
        roles, counts, (at_third, at_middle, at_row) = by_role
    if by_cell is not None:
        types, powers, counts = by_cell
    while first < last:
        stop = min(last, middle_ptr[v + 1])
        if first < stop and middle_indptr[v] < middle_indptr[v + 1]:
            until = min(v, below)
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = middle_state[i]
            for k in range(first, stop):
                fetch_row_ahead(indptr, indices, ends, k, last)
                u = np.int64(ends[k])
                hits = 0
                if below == WHOLE:
                    end = indptr[u + 1]
                    for p in range(indptr[u], end):
                        hits += mark[np.int64(indices[p])] != 0
                else:
                    end = indptr[u]
                    w = np.int64(indices[end])
                    while w < until:
                        if mark[w] != 0:
                            hits += 1
                        end += np.int64(1)
                        w = np.int64(indices[end])
                if hits == 0:
                    continue
                place = listed_indptr[u] if below == WHOLE else end  # the walk up to v ends where the row holds v
                if np.int64(listed_indices[place]) != v:
                    place = np.int64(position(listed_indices, place, listed_indptr[u + 1], v))
                uv = np.int64(listed_state[place])
                if by_code is not None and order.size == 0 and _FEW < hits < (end - indptr[u]) * 7 >> 3:
                    add_packed(indices[indptr[u] : end], state[indptr[u] : end], mark, counts[uv:])
                    continue
                for p in range(indptr[u], end):
                    w = np.int64(indices[p])
                    vw = np.int64(mark[w])
                    if vw != 0:
                        code = uv + 4 * np.int64(state[p]) + 16 * vw
                        if by_role is not None:
                            at_third[w, roles[2, code]] += 1
                        if by_code is not None and order.size > 0:
                            code += CODES * (
                                int(order[u] < order[v]) + 2 * int(order[u] < order[w]) + 4 * int(order[v] < order[w])
                            )
                        if by_cell is not None:
                            for row in range(powers.shape[1]):
                                of_u, of_v, of_w = powers[code, row]
                                if of_u < 0 or min(types[u], types[v], types[w]) < 0:
                                    break
                                counts[types[u] * of_u + types[v] * of_v + types[w] * of_w] += 1
                        else:
                            counts[code] += 1
                if by_role is not None:
                    for kind in range(uv, CODES, 4):
                        count = counts[kind]
                        if count > 0:
                            at_row[u, roles[0, kind]] += count
                            at_middle[v, roles[1, kind]] += count
                            counts[kind] = 0
            for i in range(middle_indptr[v], middle_indptr[v + 1]):
                mark[np.int64(middle_indices[i])] = 0
        first = stop
        v += 1


@kernel
def add_packed(row: Ids, state: Uint8Array, mark: Uint8Array, counts: Int64Array) -> None:
    """Count the triangles of a row by the states and marks of its entries, without branches on them."""
    for begin in range(0, row.size, _MOST_PACKED):
        packed = np.uint64(0)
        for p in range(begin, min(row.size, begin + _MOST_PACKED)):
            packed += _PACKED[4 * np.int64(state[p]) + np.int64(mark[np.int64(row[p])])]
        for kind in range(9):
            counts[4 * (kind // 3 + 1) + 16 * (kind % 3 + 1)] += np.int64(packed) >> 7 * kind & 127


@kernel
def add_dyads(rows: tuple[Int64Array, Ids, Uint8Array], first: int, last: int, dyads: Int64Array) -> None:
    """Add each entry of the rows `first` .. `last` - 1 at both ends: columns are mutual, only out, only in."""
    indptr, indices, state = rows
    for u in range(first, last):
        for i in range(indptr[u], indptr[u + 1]):
            s = state[i]
            dyads[u, _COLUMN[s]] += 1
            dyads[indices[i], _OTHER_COLUMN[s]] += 1


@kernel
def add_pairs(dyads: Int64Array, sums: Int64Array) -> None:
    """Add the pairs of dyads of each vertex by open type: the low 32 bits to ``sums[0]``, the high ones to ``sums[1]``.

    The sum over up to 2**31 vertices can exceed 64 bits; the sums of either half cannot.
    """
    for v in range(dyads.shape[0]):
        pairs = open_pairs(dyads[v, 0], dyads[v, 1], dyads[v, 2])
        for t in range(6):
            sums[0, t] += pairs[t] & 0xFFFFFFFF
            sums[1, t] += pairs[t] >> 32


@kernel
def open_pairs(m: np.int64, o: np.int64, i: np.int64) -> tuple[np.int64, ...]:
    """Return the pairs of mutual, only outward and only inward dyads of a vertex, in the order of `OPEN_NAMES`."""
    return o * (o - 1) >> 1, i * (i - 1) >> 1, o * i, m * i, m * o, m * (m - 1) >> 1


def by_type(
    oriented: Oriented,
    arcs: Floats,
    sums: Floats,
    logarithms: Floats,
    *,
    threads: int,
    progress: Progress | None = None,
) -> Floats:
    """Add up the intensities and coherences of closed triads by type.

    Parameters
    ----------
    oriented : Oriented
    arcs : float64 array, shape (m,)
        Number of arcs of each entry of the rows: 1 or 2, and 1 in an undirected graph.
    sums, logarithms : float64 array, shape (m,)
        Sums of the weights of these arcs, and of the logarithms of the weights.
    threads : int
    progress : callable, optional

    Returns
    -------
    float64 array, shape (21,)
        Number, intensity and coherence of each type of ``CLOSED_NAMES``; the same for any number of threads.
    """
    n = oriented.num_vertices
    rows, weights = state_rows(oriented), (arcs, sums, logarithms)
    length = np.diff(oriented.indptr)
    cost = starts_of(length * length + 1)
    cuts = blocks.cut(cost, int(cost[-1]) // _BLOCKS + 1, most=_BLOCKS)
    parts = np.zeros((len(cuts) - 1, len(CLOSED_NAMES), COLUMNS))
    place = int_zeros((min(threads, max(1, len(parts))), n))

    def task(worker: int, block: int) -> None:
        add_triads(rows, weights, (cuts[block], cuts[block + 1]), place[worker], parts[block])

    blocks.run(task, len(parts), threads=len(place), progress=progress)
    total = np.zeros((len(CLOSED_NAMES), COLUMNS))
    for part in parts:
        total += part
    return total.reshape(-1)


@kernel
def add_triads(
    rows: tuple[Int64Array, Ids, Uint8Array],
    weights: tuple[Floats, Floats, Floats],
    bounds: tuple[int, int],
    place: Int64Array,
    total: Floats,
) -> None:
    """Add the triads whose largest rank is in the block to `total`; `place` stays all zero."""
    indptr, indices, state = rows
    arcs, sums, logarithms = weights
    first, last = bounds
    for u in range(first, last):
        for p in range(indptr[u], indptr[u + 1]):
            place[np.int64(indices[p])] = p + 1
        for p in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[p])
            for q in range(indptr[v], indptr[v + 1]):
                r = place[np.int64(indices[q])] - 1
                if r < 0:
                    continue
                kind = _TYPE[np.int64(state[p]) + 4 * np.int64(state[r]) + 16 * np.int64(state[q])]
                number = arcs[p] + arcs[q] + arcs[r]
                mean = (sums[p] + sums[q] + sums[r]) / number
                intensity = exp((logarithms[p] + logarithms[q] + logarithms[r]) / number)
                total[kind, 0] += 1.0
                total[kind, 1] += intensity
                if mean > 0.0:
                    total[kind, 2] += intensity / mean
        for p in range(indptr[u], indptr[u + 1]):
            place[np.int64(indices[p])] = 0
