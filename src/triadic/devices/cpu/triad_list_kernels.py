"""Kernels that list the triads of one type, in rising order of their vertices.

Computes: the next triples u < v < w whose code is wanted, as many as there is room for.
Requires: `id_rows.IdRows`: `every` holds all higher neighbours, `above` and `below` those by a dyad that the type can
  hold; `starts` the vertices with a row in `above`. Marks all zero at first.
Idea: with u, and the dyad of u and v, the type still needs two, one or no dyad of w: then w is in both rows, in one of
  them, or in neither. Which v can do follows from how many dyads the type holds in all.
Cost: about as much as there are triples whose dyads are of the right kinds, whichever way these run.

A mark holds the state of u and v; FAR, where they are not joined, that v has been noted as one that shares a neighbour
with u. Listing can stop after any triple, and go on in another call: `at` holds u, which v, the least w, how many v.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triadic.core.compiled import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.devices.cpu.id_rows import IdRows

    Ids = NDArray[np.integer[Any]]

FAR = 4
NOT_BEGUN = -1


@kernel
def next_triads(
    every: IdRows,
    above: IdRows,
    below: IdRows,
    starts: Ids,
    dyads: int,
    wanted: NDArray[np.bool_],
    at: NDArray[np.int64],
    seconds: Ids,
    mark: NDArray[np.uint8],
    found: NDArray[np.int64],
) -> int:
    """Write the next triples of a type with so many `dyads` to `found`, shape (room, 3); give their number."""
    n = mark.size
    filled = 0
    while at[0] < n:
        u = at[0]
        if at[3] == NOT_BEGUN:
            for p in range(every.indptr[u], every.indptr[u + 1]):
                mark[every.indices[p]] = every.state[p]
            at[1] = 0
            at[2] = 0
            at[3] = _seconds(above, below, starts, dyads, wanted, u, mark, seconds)
        while at[1] < at[3]:
            v = seconds[at[1]]
            least = max(at[2], v + 1)
            uv = mark[v] & 3
            needed = dyads - int(uv != 0)
            if needed == 2:
                filled = _in_both(above, wanted, u, v, uv, least, mark, found, filled)
            elif needed == 1:
                filled = _in_one(every, above, wanted, u, v, uv, least, mark, found, filled)
            else:
                filled = _in_neither(every, u, v, least, mark, found, filled)
            if filled == found.shape[0]:
                at[2] = found[filled - 1, 2] + 1
                return filled
            at[1] += 1
            at[2] = 0
        for p in range(every.indptr[u], every.indptr[u + 1]):
            mark[every.indices[p]] = 0
        for p in range(at[3]):
            mark[seconds[p]] = 0
        at[0] += 1
        at[3] = NOT_BEGUN
    return filled


@kernel
def _seconds(
    above: IdRows,
    below: IdRows,
    starts: Ids,
    dyads: int,
    wanted: NDArray[np.bool_],
    u: int,
    mark: NDArray[np.uint8],
    seconds: Ids,
) -> int:
    """Write the vertices that can come second, rising; give their number."""
    first, last = above.indptr[u], above.indptr[u + 1]
    n = mark.size
    count = 0
    if dyads >= 2:
        for p in range(first, last):
            seconds[count] = above.indices[p]
            count += 1
        if dyads == 2:
            count = _far(above, below, wanted, u, mark, seconds, count)
        return count
    # Up to the last w that is joined to u any v can do; from there on one that is joined itself, to u or to a w.
    reach = n if dyads == 0 else (above.indices[last - 1] + 1 if first < last else u + 1)
    for v in range(u + 1, reach):
        if mark[v] == 0 or (dyads == 1 and wanted[mark[v]]):
            seconds[count] = v
            count += 1
    if dyads == 1:
        for p in range(_place(starts, 0, starts.size, reach), starts.size):
            if mark[starts[p]] == 0:
                seconds[count] = starts[p]
                count += 1
    return count


@kernel
def _far(
    above: IdRows, below: IdRows, wanted: NDArray[np.bool_], u: int, mark: NDArray[np.uint8], seconds: Ids, count: int
) -> int:
    """Note the vertices that are not joined to u and share a neighbour w with it that both are below."""
    for p in range(above.indptr[u], above.indptr[u + 1]):
        w = above.indices[p]
        code = 4 * above.state[p]
        for q in range(_place(below.indices, below.indptr[w], below.indptr[w + 1], u + 1), below.indptr[w + 1]):
            v = below.indices[q]
            if mark[v] == 0 and wanted[code + 16 * below.state[q]]:
                mark[v] = FAR
                seconds[count] = v
                count += 1
    seconds[:count].sort()
    return count


@kernel
def _in_both(
    above: IdRows,
    wanted: NDArray[np.bool_],
    u: int,
    v: int,
    uv: int,
    least: int,
    mark: NDArray[np.uint8],
    found: NDArray[np.int64],
    filled: int,
) -> int:
    """Write the triples whose w is joined to u and to v: the shorter row is walked, the other looked up."""
    p, end_u = _place(above.indices, above.indptr[u], above.indptr[u + 1], least), above.indptr[u + 1]
    q, end_v = _place(above.indices, above.indptr[v], above.indptr[v + 1], least), above.indptr[v + 1]
    if end_v - q <= end_u - p:
        while q < end_v and filled < found.shape[0]:
            w = above.indices[q]
            if mark[w] & 3 and wanted[uv + 4 * (mark[w] & 3) + 16 * above.state[q]]:
                filled = _write(u, v, w, found, filled)
            q += 1
        return filled
    while p < end_u and filled < found.shape[0]:
        w = above.indices[p]
        q = _place(above.indices, q, end_v, w)
        if q < end_v and above.indices[q] == w and wanted[uv + 4 * above.state[p] + 16 * above.state[q]]:
            filled = _write(u, v, w, found, filled)
        p += 1
    return filled


@kernel
def _in_one(
    every: IdRows,
    above: IdRows,
    wanted: NDArray[np.bool_],
    u: int,
    v: int,
    uv: int,
    least: int,
    mark: NDArray[np.uint8],
    found: NDArray[np.int64],
    filled: int,
) -> int:
    """Write the triples whose w is joined to u alone or to v alone."""
    p, end_u = _place(above.indices, above.indptr[u], above.indptr[u + 1], least), above.indptr[u + 1]
    q, end_v = _place(above.indices, above.indptr[v], above.indptr[v + 1], least), above.indptr[v + 1]
    if not (wanted[uv + 4] or wanted[uv + 8] or wanted[uv + 12]):
        p = end_u
    if not (wanted[uv + 16] or wanted[uv + 32] or wanted[uv + 48]):
        q = end_v
    r, end_every = every.indptr[v], every.indptr[v + 1]
    while (p < end_u or q < end_v) and filled < found.shape[0]:
        if q == end_v or (p < end_u and above.indices[p] <= above.indices[q]):
            w = above.indices[p]
            r = _place(every.indices, r, end_every, w)
            joined = r < end_every and every.indices[r] == w
            if not joined and wanted[uv + 4 * above.state[p]]:
                filled = _write(u, v, w, found, filled)
            p += 1
        else:
            w = above.indices[q]
            if mark[w] & 3 == 0 and wanted[uv + 16 * above.state[q]]:
                filled = _write(u, v, w, found, filled)
            q += 1
    return filled


@kernel
def _in_neither(
    every: IdRows, u: int, v: int, least: int, mark: NDArray[np.uint8], found: NDArray[np.int64], filled: int
) -> int:
    """Write the triples whose w is joined to neither u nor v."""
    p, end = _place(every.indices, every.indptr[v], every.indptr[v + 1], least), every.indptr[v + 1]
    w = least
    while w < mark.size and filled < found.shape[0]:
        if p < end and every.indices[p] == w:
            p += 1
        elif mark[w] & 3 == 0:
            filled = _write(u, v, w, found, filled)
        w += 1
    return filled


@kernel
def _write(u: int, v: int, w: int, found: NDArray[np.int64], filled: int) -> int:
    found[filled, 0] = u
    found[filled, 1] = v
    found[filled, 2] = w
    return filled + 1


@kernel
def _place(row: Ids, first: int, last: int, value: int) -> int:
    """Give where `value` stands, or would stand, among the rising entries `first` .. `last` - 1 of `row`."""
    while first < last:
        middle = (first + last) // 2
        if row[middle] < value:
            first = middle + 1
        else:
            last = middle
    return first
